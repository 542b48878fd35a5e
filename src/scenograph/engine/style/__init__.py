"""Style: the cascade from theme to element."""
