"""Pages for people: an HTML text each, no script, no external resources."""
