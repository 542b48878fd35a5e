"""Kubernetes manifests: `resources` gathers resources, `references` finds their relations, `reader` recognizes a source
and builds the scene."""

from scenograph.reading.kubernetes.reader import read, recognizes

__all__ = ["read", "recognizes"]
