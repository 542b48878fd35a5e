"""Batches of operations, made up by chance: what people do to a scene.

Every kind takes a document and chance, and gives the operations of one edit, or none where the document has nothing for
it to work on. The same arguments give the same operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chance.scenes import Chance

Json = dict[str, Any]
Ops = list[Json]
Doing = Callable[[Json, Chance], Ops]

BOXED = ("node", "frame", "group", "text", "image")
CONTAINERS = ("frame", "group")
LABELS = {"node": "label", "edge": "label", "frame": "title", "group": "label", "text": "content"}
WORDS = ("Renamed", "A name that is a good deal longer than the one before", "Ü & <b>", "Two\nlines")
FILLS = ("#dbeafe", "#dcfce7", "#fee2e2", "none")
FAR = 240  # px, of a move
POOLED = ("pool", "lane")


def _of(document: Json, *kinds: str) -> list[Json]:
    return [one for one in document["elements"] if one["kind"] in kinds]


def _pick(chance: Chance, rows: Sequence[Any]) -> Any:
    return rows[chance.number(0, len(rows) - 1)]


def _fresh(document: Json, stem: str) -> str:
    known = {one["id"] for one in document["elements"]}
    return next(name for number in range(len(known) + 1) if (name := f"{stem}-by-chance-{number}") not in known)


def _inside(document: Json, container: str) -> set[str]:
    """All that a container holds, itself too."""
    rows = {one["id"]: one.get("children") or () for one in document["elements"]}
    found, waiting = set[str](), [container]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += rows.get(one, ())
    return found


def _like_its_family(document: Json) -> Json:
    """The type that a new node has."""
    types = [one["nodeType"] for one in _of(document, "node") if "nodeType" in one]
    return {"nodeType": max(types, key=types.count)} if types else {}


def move(document: Json, chance: Chance) -> Ops:
    """Something with a box goes elsewhere."""
    rows = _of(document, *BOXED)
    if not rows:
        return []
    delta = {"dx": chance.number(-FAR, FAR), "dy": chance.number(-FAR, FAR)}
    return [{"op": "moveElement", "id": _pick(chance, rows)["id"], "delta": delta}]


def nudge(document: Json, chance: Chance) -> Ops:
    """A node goes a few px to the right."""
    rows = _of(document, "node")
    return [{"op": "moveElement", "id": _pick(chance, rows)["id"], "delta": {"dx": 10, "dy": 0}}] if rows else []


def rename(document: Json, chance: Chance) -> Ops:
    """Other words on something."""
    rows = _of(document, *LABELS)
    if not rows:
        return []
    one = _pick(chance, rows)
    return [{"op": "updateElement", "id": one["id"], LABELS[one["kind"]]: _pick(chance, WORDS)}]


def restyle(document: Json, chance: Chance) -> Ops:
    """Another look of something."""
    rows = _of(document, "node", "edge", "frame")
    if not rows:
        return []
    style = {"fill": _pick(chance, FILLS), "stroke": "#1d4ed8", "strokeWidth": chance.number(1, 4)}
    return [{"op": "setStyle", "id": _pick(chance, rows)["id"], "style": style}]


def delete(document: Json, chance: Chance) -> Ops:
    """Something goes, with what hangs on it."""
    rows = _of(document, *BOXED, "edge")
    return [{"op": "deleteElement", "id": _pick(chance, rows)["id"]}] if rows else []


def reparent(document: Json, chance: Chance) -> Ops:
    """Something with a box goes into another container, or out of all."""
    rows, containers = _of(document, *BOXED), _of(document, *CONTAINERS)
    rows = [one for one in rows if one.get("containerType") not in POOLED]
    if not rows:
        return []
    one = _pick(chance, rows)["id"]
    homes = [row["id"] for row in containers if row["id"] not in _inside(document, one)]
    return [{"op": "reparentElement", "id": one, "parentId": _pick(chance, [None, *homes])}]


def resize(document: Json, chance: Chance) -> Ops:
    """A node gets another size."""
    rows = _of(document, "node")
    if not rows:
        return []
    size = {"width": chance.number(60, 260), "height": chance.number(40, 160)}
    return [{"op": "resizeElement", "id": _pick(chance, rows)["id"], "size": size}]


def add_node(document: Json, chance: Chance) -> Ops:
    """A new node, in a container where there is one, joined to another."""
    name, rows = _fresh(document, "node"), _of(document, "node")
    homes = [None, *(one["id"] for one in _of(document, "frame"))]
    ops: Ops = [
        {
            "op": "createNode",
            "id": name,
            "label": "Added",
            "parentId": _pick(chance, homes),
            **_like_its_family(document),
        }
    ]
    if rows:
        ends = {"from": {"elementId": _pick(chance, rows)["id"]}, "to": {"elementId": name}}
        ops.append({"op": "createEdge", "id": _fresh(document, "edge"), **ends})
    return ops


def add_edge(document: Json, chance: Chance) -> Ops:
    """A new edge between two nodes."""
    rows = _of(document, "node")
    if not rows:
        return []
    first, second = _pick(chance, rows)["id"], _pick(chance, rows)["id"]
    ends = {"from": {"elementId": first}, "to": {"elementId": second}}
    return [{"op": "createEdge", "id": _fresh(document, "edge"), "label": "added", **ends}]


def add_frame(document: Json, chance: Chance) -> Ops:
    """A new frame, with something in it where there is something."""
    name, rows = _fresh(document, "frame"), _of(document, "node")
    ops: Ops = [{"op": "createFrame", "id": name, "title": "Added frame", "children": []}]
    held = [one["id"] for one in {_pick(chance, rows)["id"]: one for one in rows[:2]}.values()] if rows else []
    return ops + [{"op": "reparentElement", "id": one, "parentId": name} for one in held]


def add_lane(document: Json, chance: Chance) -> Ops:
    """A lane more in a pool, the first or the last; where there is no pool, a pool of one lane."""
    pools = [one for one in _of(document, "frame") if one.get("containerType") == "pool"]
    lane = {"op": "createFrame", "id": _fresh(document, "lane"), "title": "Added lane", "containerType": "lane"}
    ops: Ops = [{**lane, "children": []}]
    if not pools:
        name = _fresh(document, "pool")
        ops.insert(0, {"op": "createFrame", "id": name, "title": "Added pool", "containerType": "pool", "children": []})
        return [ops[0], {**ops[1], "parentId": name}]
    home = _pick(chance, pools)["id"]
    ops[0]["parentId"] = home
    if chance.number(0, 1):
        ops.append({"op": "reparentElement", "id": lane["id"], "parentId": home, "index": 0})
    return ops


def relayout(document: Json, chance: Chance) -> Ops:
    """Something is placed anew."""
    rows = _of(document, *BOXED)
    return [{"op": "relayout", "ids": [_pick(chance, rows)["id"]]}] if rows else []


DOINGS: Mapping[str, Doing] = {
    "nudge": nudge,
    "move": move,
    "rename": rename,
    "restyle": restyle,
    "delete": delete,
    "reparent": reparent,
    "resize": resize,
    "add node": add_node,
    "add edge": add_edge,
    "add frame": add_frame,
    "add lane": add_lane,
    "relayout": relayout,
}


def done(document: Json, chance: Chance) -> tuple[str, Ops]:
    """One edit of any kind: its name and its operations."""
    kind = _pick(chance, tuple(DOINGS))
    return kind, DOINGS[kind](document, chance)
