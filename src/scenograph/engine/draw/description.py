"""What a picture shows, in words, for those who do not see it: counts, names, who leads to whom; of bounded length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from scenograph.scene.model import Edge, Element, Frame, Group, Node, Scene, Text

T = TypeVar("T")

MAX_NAMES = 60  # elements named; the rest is counted
MAX_NAME_LENGTH = 60  # characters
KEPT_WORDS = 1024  # names of the latest pictures
MAX_LENGTH = 2000  # characters; a description is read aloud
_COUNTED = ("node", "edge", "frame", "text", "image")
_DIFFERING = ("added", "removed", "modified")
_CUT = "…"


def describe(scene: Scene, changes: Mapping[str, str] | None = None) -> str:
    """One paragraph of at most `MAX_LENGTH` characters; in a visual diff (`changes`: id → what became of it) it begins
    with what differs."""
    elements = [element for element in scene.elements if element.visible]
    by_id = {element.id: element for element in elements}

    def connection(edge: Edge) -> str:
        ends = [_name(by_id[end]) if end in by_id else end for end in edge.ends]
        return " to ".join(ends) + (f" ({_flat(edge.label)})" if edge.label else "")

    def changed(key: str) -> str:
        return _name(by_id[key]) if key in by_id else _flat(key)

    parts = (
        *(_listed(change.capitalize(), rows, changed) for change, rows in _differing(changes or {})),
        _counts(elements),
        _listed("Nodes", [element for element in elements if isinstance(element, Node)], _name),
        _listed("Frames", [element for element in elements if isinstance(element, Frame)], _name),
        _listed("Connections", [element for element in elements if isinstance(element, Edge)], connection),
    )
    return _shortened(" ".join(part for part in parts if part), MAX_LENGTH)


def _differing(changes: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for change in _DIFFERING:
        yield change, [key for key, what in changes.items() if what == change]


def _counts(elements: Iterable[Element]) -> str:
    counts = Counter(element.kind for element in elements)
    rows = [f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in _COUNTED if counts[kind]]
    return f"Diagram with {', '.join(rows)}." if rows else "Empty diagram."


def _listed(heading: str, rows: Sequence[T], name_of: Callable[[T], str]) -> str:
    if not rows:
        return ""
    rest = f"; and {len(rows) - MAX_NAMES} more" if len(rows) > MAX_NAMES else ""
    return f"{heading}: {'; '.join(map(name_of, rows[:MAX_NAMES]))}{rest}."


def _name(element: Element) -> str:
    return _flat(_words(element) or element.name or "") or _flat(element.id)


def _words(element: Element) -> str | None:
    match element:
        case Node() | Group() | Edge():
            return element.label
        case Frame():
            return element.title
        case Text():
            return element.content
        case _:
            return None


@lru_cache(maxsize=KEPT_WORDS)
def _flat(text: str) -> str:
    return _shortened(" ".join(text.split()), MAX_NAME_LENGTH)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + _CUT
