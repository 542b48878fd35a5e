"""OpenAPI 3: `model` gathers operations and schemas, `reader` recognizes a description and builds the scene."""

from scenograph.reading.openapi.reader import read, recognizes

__all__ = ["read", "recognizes"]
