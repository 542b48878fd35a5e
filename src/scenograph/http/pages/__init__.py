"""Pages for people: one HTML text each, no script, nothing loaded from elsewhere."""
