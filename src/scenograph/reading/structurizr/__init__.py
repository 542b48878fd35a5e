"""Structurizr: `grammar` parses the DSL, `workspace_json` the JSON, `model` holds the workspace, `views` chooses the
elements of a view, `reader` recognizes a source and builds the scene."""

from scenograph.reading.structurizr.reader import read, recognizes

__all__ = ["read", "recognizes"]
