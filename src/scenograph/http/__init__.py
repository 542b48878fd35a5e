"""The HTTP surface: API, pages, errors."""
