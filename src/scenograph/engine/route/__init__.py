"""The route stage: every edge gets a route clear of strangers, and every edge label a free place."""
