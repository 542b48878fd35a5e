"""Text: fonts, shaping, line breaking. Measures exactly as the writers draw."""
