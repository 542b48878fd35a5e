"""Place: boxes for everything but the edges."""
