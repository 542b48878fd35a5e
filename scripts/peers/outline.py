"""What other tools' languages can say of a scene: names, labels, containers, lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Outline:
    """A scene by kinds of elements; `parent` is each element's frame."""

    family: str
    nodes: tuple[Json, ...]
    frames: tuple[Json, ...]
    edges: tuple[Json, ...]
    parent: Mapping[str, str]

    def inside(self, frame: str | None) -> Iterator[Json]:
        """The frames and nodes directly in a frame, or in none."""
        return (one for one in (*self.frames, *self.nodes) if self.parent.get(one["id"]) == frame)

    def path(self, id_: str) -> str:
        """An element's name behind those of its frames."""
        parent = self.parent.get(id_)
        return f"{self.path(parent)}.{name(id_)}" if parent else name(id_)


def outline(document: Json) -> Outline:
    """The outline of a scene document."""
    rows = {kind: tuple(one for one in document["elements"] if one["kind"] == kind) for kind in ("node", "frame")}
    edges = tuple(one for one in document["elements"] if one["kind"] == "edge")
    parent = {child: frame["id"] for frame in rows["frame"] for child in frame.get("children", ())}
    return Outline(document.get("diagramFamily", ""), rows["node"], rows["frame"], edges, parent)


def name(id_: str) -> str:
    """An id that every language takes."""
    return "n_" + re.sub(r"\W", "_", id_)


def label(element: Json) -> str:
    """The text of an element on one line, in quotes."""
    text = element.get("label") or element.get("title") or ""
    return '"' + re.sub(r"\s+", " ", text.replace('"', "'")) + '"'


def columns(node: Json) -> Iterator[tuple[str, str, str]]:
    """Type, name and key of an entity's columns."""
    for column in node.get("extensions", {}).get("columns", ()):
        key = "PK" if column.get("pk") else "FK" if column.get("fk") else ""
        yield re.sub(r"\W", "_", column.get("type") or "any"), column["name"], key


def ends(edge: Json) -> tuple[str, str]:
    """The ids of both ends."""
    return edge["from"]["elementId"], edge["to"]["elementId"]
