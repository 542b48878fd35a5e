"""The document at rest: JSON in, JSON out. Pure."""
