"""Mermaid: a scene's graph as the text of a diagram."""
