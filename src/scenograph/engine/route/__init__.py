"""Route: a way for every edge and a spot for every edge label."""
