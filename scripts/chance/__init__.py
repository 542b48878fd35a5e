"""Scenes made up by chance, and the promises that a placement of any scene keeps."""
