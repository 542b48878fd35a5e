"""A module a revision; the file's number is its place in the history. A released revision never changes."""
