"""Shapes: outlines, text areas, natural sizes."""
