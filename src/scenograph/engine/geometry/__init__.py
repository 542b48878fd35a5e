"""Points, boxes and paths: plain geometry that knows nothing of scenes. px, y grows downwards."""
