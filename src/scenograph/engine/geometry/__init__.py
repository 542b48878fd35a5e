"""Points, boxes and paths: plain geometry without scenes. px, y grows downwards."""
