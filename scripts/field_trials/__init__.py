"""Trials of the service on files of other tools: each is imported, drawn, edited, exported and followed, over HTTP."""
