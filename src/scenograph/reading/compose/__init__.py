"""Compose files: `model` gathers services, networks and volumes, `reader` recognizes a file and builds the scene."""

from scenograph.reading.compose.reader import read, recognizes

__all__ = ["read", "recognizes"]
