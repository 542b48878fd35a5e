"""The tool server: a thin HTTP client of the same API. Imports nothing of ours but settings."""
