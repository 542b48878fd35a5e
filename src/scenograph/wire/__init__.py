"""What the surfaces, the service and the engine agree on by name: formats, themes, the form of ids. Imports nothing."""
