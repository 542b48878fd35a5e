"""Names shared by surfaces, service and engine: formats, themes, the form of ids. Imports nothing."""
