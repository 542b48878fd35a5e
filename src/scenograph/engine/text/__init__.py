"""Text: fonts, shaping, line breaking. Measures exactly what the writers will draw."""
