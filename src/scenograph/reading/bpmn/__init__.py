"""BPMN 2.0: `vocabulary` maps BPMN elements to scene elements, `process` gathers the content of a file, `interchange`
reads the positions in its diagrams, `reader` builds the scene."""

from scenograph.reading.bpmn.reader import read, recognizes

__all__ = ["read", "recognizes"]
