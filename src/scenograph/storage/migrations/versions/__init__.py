"""One module a revision; the file's number is its place in the history. A revision that was released never changes."""
