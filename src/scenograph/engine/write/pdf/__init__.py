"""PDF: the drawing as vectors with embedded fonts (ISO 32000-1)."""
