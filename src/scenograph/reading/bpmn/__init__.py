"""BPMN 2.0: `vocabulary` says what each element becomes, `process` gathers what a file holds, `interchange` reads where
its diagrams show it, `document` puts the scene together."""

from scenograph.reading.bpmn.reader import read, recognizes

__all__ = ["read", "recognizes"]
