"""Terraform: `model` gathers resources of a plan or a state, `references` finds their relations, `looks` knows types,
`reader` recognizes a source and builds the scene."""

from scenograph.reading.terraform.reader import read, recognizes

__all__ = ["read", "recognizes"]
