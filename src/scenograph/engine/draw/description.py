"""What a picture shows, in words, for those who do not see it: counts, names, who leads to whom; of bounded length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from scenograph.scene.model import Edge, Element, Frame, Group, Node, Scene, Text

MAX_NAMES = 60  # elements named; the rest is counted
MAX_NAME_LENGTH = 60  # characters
MAX_LENGTH = 2000  # characters; a description is read aloud
_COUNTED = ("node", "edge", "frame", "text", "image")
_DIFFERING = ("added", "removed", "modified")
_CUT = "…"


def describe(scene: Scene, changes: Mapping[str, str] | None = None) -> str:
    """One paragraph of at most `MAX_LENGTH` characters; in a visual diff (`changes`: id → what became of it) it begins
    with what differs."""
    elements = [element for element in scene.elements if element.visible]
    names = {element.id: _flat(_words(element) or element.name or "") or _flat(element.id) for element in elements}
    parts = (
        *(_listed(change.capitalize(), rows) for change, rows in _differing(changes or {}, names)),
        _counts(elements),
        _listed("Nodes", (names[element.id] for element in elements if isinstance(element, Node))),
        _listed("Frames", (names[element.id] for element in elements if isinstance(element, Frame))),
        _listed("Connections", _connections(elements, names)),
    )
    return _shortened(" ".join(part for part in parts if part), MAX_LENGTH)


def _differing(changes: Mapping[str, str], names: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for change in _DIFFERING:
        yield change, [names.get(key, _flat(key)) for key, what in changes.items() if what == change]


def _counts(elements: Iterable[Element]) -> str:
    counts = Counter(element.kind for element in elements)
    rows = [f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in _COUNTED if counts[kind]]
    return f"Diagram with {', '.join(rows)}." if rows else "Empty diagram."


def _listed(heading: str, names: Iterable[str]) -> str:
    rows = list(names)
    if not rows:
        return ""
    rest = f"; and {len(rows) - MAX_NAMES} more" if len(rows) > MAX_NAMES else ""
    return f"{heading}: {'; '.join(rows[:MAX_NAMES])}{rest}."


def _connections(elements: Iterable[Element], names: dict[str, str]) -> Iterator[str]:
    for edge in elements:
        if isinstance(edge, Edge):
            ends = (names.get(end.element_id, end.element_id) for end in (edge.source, edge.target))
            label = f" ({_flat(edge.label)})" if edge.label else ""
            yield " to ".join(ends) + label


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


def _flat(text: str) -> str:
    return _shortened(" ".join(text.split()), MAX_NAME_LENGTH)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + _CUT
