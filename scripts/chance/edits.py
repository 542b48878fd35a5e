"""Edits of scene documents, made up by chance: one of each kind that people make.

Every edit takes a document and chance, and gives a new document with the ids that it touches: what it adds, changes or
moves, and what these lie in. The same arguments give the same edit.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from chance.scenes import Chance

Document = dict[str, Any]
Edited = tuple[Document, set[str]]
Edit = Callable[[Document, Chance], Edited]
LEAST_NODES = 3
LONG = " with a much longer name than it had"


def _nodes(document: Document) -> list[str]:
    return [one["id"] for one in document["elements"] if one["kind"] == "node"]


def _frames(document: Document) -> list[Document]:
    return [one for one in document["elements"] if one["kind"] == "frame" and one.get("containerType") != "pool"]


def _edges(document: Document) -> list[Document]:
    return [one for one in document["elements"] if one["kind"] == "edge"]


def _fresh(document: Document, kind: str) -> str:
    known = {one["id"] for one in document["elements"]}
    return next(name for number in range(len(known) + 1) if (name := f"{kind}-new-{number}") not in known)


def edited(document: Document, kind: str, chance: Chance) -> Edited | None:
    """The document after one edit; None where there is nothing for this kind to work on."""
    nodes, edges = _nodes(document), _edges(document)
    return EDITS[kind](document, chance) if len(nodes) > LEAST_NODES and edges else None


def _edge(document: Document, source: str, target: str) -> Document:
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": _fresh(document, "edge"), "kind": "edge", **ends}


def _ends(edge: Document) -> set[str]:
    return {edge["from"]["elementId"], edge["to"]["elementId"]}


def _home(document: Document, element_id: str) -> Document | None:
    return next((one for one in document["elements"] if element_id in one.get("children", ())), None)


def _pick(chance: Chance, rows: list[Any]) -> Any:
    return rows[chance.number(0, len(rows) - 1)]


def _with_node(document: Document, at: int, source: str, *targets: str) -> Edited:
    grown, name = copy.deepcopy(document), _fresh(document, "node")
    like = next(one for one in document["elements"] if one["id"] == source)
    row = {"id": name, "kind": "node", "nodeType": like.get("nodeType", "service"), "label": "Added Service"}
    grown["elements"].insert(at, row)
    home = _home(grown, source)
    if home is not None:
        home["children"].append(name)
    for first, second in ((source, name), *((name, target) for target in targets)):
        grown["elements"].append(_edge(grown, first, second))
    return grown, {name}


def add_at_the_end(document: Document, chance: Chance) -> Edited:
    """A node after another, the last of the document."""
    return _with_node(document, len(document["elements"]), _pick(chance, _nodes(document)))


def add_in_the_middle(document: Document, chance: Chance) -> Edited:
    """A node between two others, among the first of the document."""
    edge = _pick(chance, _edges(document))
    at = len(document["elements"]) // 4
    return _with_node(document, at, edge["from"]["elementId"], edge["to"]["elementId"])


def delete(document: Document, chance: Chance) -> Edited:
    """A node less, with its edges."""
    name = _pick(chance, _nodes(document))
    rows = [one for one in document["elements"] if one["kind"] != "edge" or name not in _ends(one)]
    rows = [
        {**one, "children": [child for child in one["children"] if child != name]} if "children" in one else one
        for one in rows
        if one["id"] != name
    ]
    return {**document, "elements": rows}, {name}


def add_an_edge(document: Document, chance: Chance) -> Edited:
    """An edge between two nodes."""
    names = _nodes(document)
    source = _pick(chance, names)
    edge = _edge(document, source, _pick(chance, [one for one in names if one != source]))
    return {**document, "elements": [*document["elements"], edge]}, {edge["id"]}


def delete_an_edge(document: Document, chance: Chance) -> Edited:
    """An edge less."""
    edge = _pick(chance, _edges(document))
    return {**document, "elements": [one for one in document["elements"] if one is not edge]}, {edge["id"]}


def lengthen_a_label(document: Document, chance: Chance) -> Edited:
    """A node with many more words."""
    name = _pick(chance, _nodes(document))
    rows = [
        {**one, "label": f"{one.get('label', '')}{LONG}"} if one["id"] == name else one for one in document["elements"]
    ]
    return {**document, "elements": rows}, {name}


def move_into_a_frame(document: Document, chance: Chance) -> Edited:
    """A node into another frame; where there is none, into a new one with another node."""
    frames = [one for one in _frames(document) if any(child in _nodes(document) for child in one["children"])]
    name = _pick(chance, _nodes(document))
    frames = [one for one in frames if name not in one["children"]]
    if not frames:
        return _framed(document, chance, 2)
    goal = _pick(chance, frames)["id"]
    moved = copy.deepcopy(_without_home(document, name))
    next(one for one in moved["elements"] if one["id"] == goal)["children"].append(name)
    return moved, {name}


def move_out_of_a_frame(document: Document, chance: Chance) -> Edited:
    """A node out of its frame onto the page; where there are no frames, an edge's end moves to another node."""
    inner = [name for name in _nodes(document) if _home(document, name) is not None]
    if not inner:
        bent, edge = copy.deepcopy(document), _pick(chance, _edges(document))
        others = [name for name in _nodes(document) if name not in _ends(edge)]
        next(one for one in bent["elements"] if one["id"] == edge["id"])["to"] = {"elementId": _pick(chance, others)}
        return bent, {edge["id"]}
    name = _pick(chance, inner)
    return _without_home(document, name), {name}


def frame_three(document: Document, chance: Chance) -> Edited:
    """A frame round three nodes that stand in one container."""
    return _framed(document, chance, 3)


def change_the_canvas(document: Document, chance: Chance) -> Edited:
    """The same scene on a wider or narrower page."""
    scene = document["scene"]
    canvas = {"width": 800 + 200 * chance.number(0, 7), "height": 600 + 200 * chance.number(0, 4)}
    return {**document, "scene": {**scene, "canvas": canvas}}, set()


def _without_home(document: Document, name: str) -> Document:
    rows = [
        {**one, "children": [child for child in one["children"] if child != name]} if "children" in one else one
        for one in document["elements"]
    ]
    return {**document, "elements": rows}


def _framed(document: Document, chance: Chance, count: int) -> Edited:
    first = _pick(chance, _nodes(document))
    home = _home(document, first)
    beside = [one for one in _nodes(document) if one != first and _home(document, one) is home]
    near = [one for edge in _edges(document) if first in _ends(edge) for one in _ends(edge) if one in beside]
    members = [first, *list(dict.fromkeys([*sorted(near), *beside]))[: count - 1]]
    grown, name = copy.deepcopy(document), _fresh(document, "frame")
    for one in grown["elements"]:
        if home is not None and one["id"] == home["id"]:
            one["children"] = [child for child in one["children"] if child not in members] + [name]
    grown["elements"].append({"id": name, "kind": "frame", "title": "Group", "children": members})
    return grown, {name, *members}


EDITS: Mapping[str, Edit] = {
    "add at the end": add_at_the_end,
    "add in the middle": add_in_the_middle,
    "delete": delete,
    "add an edge": add_an_edge,
    "delete an edge": delete_an_edge,
    "longer label": lengthen_a_label,
    "into a frame": move_into_a_frame,
    "out of a frame": move_out_of_a_frame,
    "frame round three": frame_three,
    "another canvas": change_the_canvas,
}
