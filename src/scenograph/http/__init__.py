"""HTTP: the API, its pages and its errors."""
