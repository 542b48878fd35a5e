"""The size of a document in words: for callers who wait for its picture, or are refused one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scenograph.scene.json_values import member

MANY = 50  # edges at an element; from here on the element is named
SHOWN_ID = 80  # characters


def size_told(document: Mapping[str, Any]) -> str:
    """The numbers of elements and edges of a valid document, and the element with the most edges if many."""
    elements: list[Mapping[str, Any]] = document.get("elements") or []
    ends = [frozenset(_ends(element)) for element in elements if element.get("kind") == "edge"]
    told = f"{_number(len(elements) - len(ends), 'element')} and {_number(len(ends), 'line')}"
    busiest = Counter(end for pair in ends for end in pair).most_common(1)
    if not busiest or busiest[0][1] < MANY:
        return told
    name, lines = busiest[0]
    return f"{told}, {lines} of which meet at {name[:SHOWN_ID]!r}"


def _number(count: int, of: str) -> str:
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def _ends(edge: Mapping[str, Any]) -> Iterator[str]:
    for side in ("from", "to"):
        end = member(edge, side, "elementId")
        if isinstance(end, str):
            yield end
