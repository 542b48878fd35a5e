"""Scenes made of rows and columns of specimens, one for each name of a vocabulary. px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from scenograph.scene.vocabulary import (
    ARROWS,
    CARDINALITIES,
    EDGE_TYPES,
    GENERIC_NODE_TYPES,
    NODE_TYPES,
    ROUTERS,
    SHAPES,
)

Json = dict[str, Any]
_COLUMN, _ROW = 190, 140
_WIDTH, _HEIGHT = 130, 80
_REACH = 240  # between the two ends of a line
_LINE_ROW = 70


class Page(NamedTuple):
    """A picture of the gallery. `before` is what a visual diff compares with."""

    name: str
    title: str
    scene: Json
    theme: str = "clean"
    before: Json | None = None


def document(family: str, elements: Iterable[Json], **root: Any) -> Json:
    """A scene whose canvas grows with its content."""
    scene = {"id": "gallery", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": list(elements), **root}


def node(id_: str, label: str, **more: Any) -> Json:
    """A node with an id and a label."""
    return {"id": id_, "kind": "node", "label": label, **more}


def edge(id_: str, start: str, end: str, **more: Any) -> Json:
    """An edge between two elements."""
    return {"id": id_, "kind": "edge", "from": {"elementId": start}, "to": {"elementId": end}, **more}


def at(x: float, y: float, width: float | None = None, height: float | None = None) -> Json:
    """An absolute layout."""
    size = {} if width is None or height is None else {"width": width, "height": height}
    return {"layout": {"mode": "absolute", "x": x, "y": y, **size}}


def grid(rows: Sequence[Json], columns: int = 5, *, sized: bool = True) -> Iterator[Json]:
    """The nodes in rows and columns."""
    for number, row in enumerate(rows):
        size = (_WIDTH, _HEIGHT) if sized else (None, None)
        yield row | at(40 + number % columns * _COLUMN, 40 + number // columns * _ROW, *size)


def lines(kinds: Sequence[Json], columns: int = 3) -> Iterator[Json]:
    """Each edge between two small boxes of its own."""
    for number, kind in enumerate(kinds):
        x, y = 40 + number % columns * (_REACH + 110), 40 + number // columns * _LINE_ROW
        yield node(f"a{number}", "", shape="rect", **at(x, y, 30, 30))
        yield node(f"b{number}", "", shape="rect", **at(x + _REACH, y, 30, 30))
        ends = {
            "from": {"elementId": f"a{number}", **kind.get("start", {})},
            "to": {"elementId": f"b{number}", **kind.get("end", {})},
        }
        yield {"id": f"e{number}", "kind": "edge"} | {k: v for k, v in kind.items() if k not in ("start", "end")} | ends


def vocabulary_pages() -> Iterator[Page]:
    """Every shape, node type, marker, edge type and router."""
    shapes = [node(name, name, shape=name, style={"stroke": "#334155"}) for name in SHAPES]
    yield Page("shapes", "Shapes", document("architecture", grid(shapes)))
    generic = [node(name, name, nodeType=name) for name in GENERIC_NODE_TYPES]
    yield Page("nodes-generic", "Generic node types", document("architecture", grid(generic)))
    for family, names in NODE_TYPES.items():
        if family != "sequence":
            specimens = [_specimen(name) for name in names]
            yield Page(
                f"nodes-{family}", f"Node types: {family}", document("architecture", grid(specimens, sized=False))
            )
    arrows = [{"label": name, "endpoints": {"startArrow": name, "endArrow": name}} for name in ARROWS]
    feet = [{"label": name, "start": {"cardinality": name}, "end": {"cardinality": name}} for name in CARDINALITIES]
    yield Page("markers", "Arrow markers and crow's feet", document("architecture", lines([*arrows, *feet])))
    typed = [
        {"edgeType": name, "label": name} for names in EDGE_TYPES.values() for name in names if "sequence" not in name
    ]
    yield Page("edges", "Edge types", document("architecture", lines(typed)))
    yield Page("routers", "Routers", document("architecture", _routers()))


def _specimen(name: str) -> Json:
    lines_of = {"er.entity": "Order", "org.person": "Ada Lovelace\nEngineer", "org.vacant": "Vacant\nDesigner"}
    row = node(name, lines_of.get(name, name.partition(".")[2]), nodeType=name)
    if name in ("er.entity", "er.weakEntity"):
        columns = [{"name": "id", "type": "uuid", "pk": True}, {"name": "shop", "type": "text", "fk": True}]
        return row | {"extensions": {"columns": columns}}
    return row


def _routers() -> Iterator[Json]:
    for number, name in enumerate(ROUTERS):
        x = 40 + number * 230
        yield node(f"{name}a", "from", **at(x, 40, 70, 40))
        yield node(f"{name}b", "to", **at(x + 110, 190, 70, 40))
        ways = {"waypoints": [{"x": x + 35, "y": 140}, {"x": x + 90, "y": 150}]} if name == "polyline" else {}
        yield edge(name, f"{name}a", f"{name}b", router=name, label=name, **ways)
