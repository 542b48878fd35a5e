"""Edits by operations, one of every kind that must leave all else where it stands, and who may move by each.

Every kind takes a document, the places of its elements and chance, and gives the operations of one edit; none where the
document has nothing for it. The same arguments give the same operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from chance.scenes import Chance

Json = dict[str, Any]
Ops = list[Json]
Doing = Callable[[Json, Mapping[str, Json], Chance], Ops]
LONGER = " with many more words"
FEW_PX = 12


class Kind(NamedTuple):
    """An edit, and whether others may be pushed by it: something is added, grows, or is set somewhere."""

    ops: Doing
    pushes: bool


def _of(document: Json, *kinds: str) -> list[Json]:
    return [one for one in document["elements"] if one["kind"] in kinds]


def _pick(chance: Chance, rows: Sequence[Any]) -> Any:
    return rows[chance.number(0, len(rows) - 1)]


def _fresh(document: Json, stem: str) -> str:
    known = {one["id"] for one in document["elements"]}
    return next(name for number in range(len(known) + 1) if (name := f"{stem}-added-{number}") not in known)


def ends_of(edge: Json) -> list[str]:
    """The elements that an edge joins."""
    return [edge[end]["elementId"] for end in ("from", "to") if "elementId" in edge.get(end, {})]


def _home(document: Json, one: str) -> str | None:
    return next((row["id"] for row in document["elements"] if one in row.get("children", ())), None)


def _typical(document: Json) -> Json:
    """The node type that most nodes have."""
    types = [one["nodeType"] for one in _of(document, "node") if "nodeType" in one]
    return {"nodeType": max(sorted(set(types)), key=types.count)} if types else {}


def _free_nodes(document: Json) -> list[Json]:
    return [one for one in _of(document, "node") if "attachedTo" not in one]


def _plain_frames(document: Json) -> list[Json]:
    rows = _of(document, "frame")
    return [one for one in rows if one.get("containerType") not in ("pool", "lane", "fragment", "partition")]


def delete_node(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node less."""
    rows = _of(document, "node")
    return [{"op": "deleteElement", "id": _pick(chance, rows)["id"]}] if len(rows) > 2 else []


def delete_edge(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """An edge less."""
    rows = _of(document, "edge")
    return [{"op": "deleteElement", "id": _pick(chance, rows)["id"]}] if rows else []


def add_edge(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """An edge between two nodes, without a label."""
    rows = _of(document, "node")
    if len(rows) < 2:
        return []
    first = _pick(chance, rows)
    second = _pick(chance, [one for one in rows if one is not first])
    ends = {"from": {"elementId": first["id"]}, "to": {"elementId": second["id"]}}
    return [{"op": "createEdge", "id": _fresh(document, "edge"), **ends}]


def rewire(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """An edge that ends at another node."""
    edges, nodes = _of(document, "edge"), _of(document, "node")
    if not edges or len(nodes) < 3:
        return []
    edge = _pick(chance, edges)
    others = [one for one in nodes if one["id"] not in ends_of(edge)]
    return (
        [{"op": "updateElement", "id": edge["id"], "to": {"elementId": _pick(chance, others)["id"]}}] if others else []
    )


def restyle_edge(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """An edge in another colour."""
    rows = _of(document, "edge")
    return [{"op": "setStyle", "id": _pick(chance, rows)["id"], "style": {"stroke": "#b91c1c"}}] if rows else []


def relabel_edge(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """An edge with a few other letters on it."""
    rows = [one for one in _of(document, "edge") if one.get("label")]
    if not rows:
        return []
    edge = _pick(chance, rows)
    return [{"op": "updateElement", "id": edge["id"], "label": str(edge["label"])[::-1]}]


def restyle_node(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node in another colour."""
    rows = _of(document, "node")
    return [{"op": "setStyle", "id": _pick(chance, rows)["id"], "style": {"fill": "#fde68a"}}] if rows else []


def retype(document: Json, places: Mapping[str, Json], chance: Chance) -> Ops:
    """A node of another's type, with the size that it had."""
    rows = _free_nodes(document)
    types = sorted({one["nodeType"] for one in rows if "nodeType" in one})
    plain = [one for one in rows if one.get("layout", {}).get("mode", "auto") == "auto" and one["id"] in places]
    if len(types) < 2 or not plain:
        return []
    one = _pick(chance, plain)
    other = _pick(chance, [kind for kind in types if kind != one.get("nodeType")])
    return [{"op": "updateElement", "id": one["id"], "nodeType": other}]


def rename_longer(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node with many more words."""
    rows = _of(document, "node")
    if not rows:
        return []
    one = _pick(chance, rows)
    return [{"op": "updateElement", "id": one["id"], "label": f"{one.get('label', '')}{LONGER}"}]


def add_free(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node without an edge, on the page."""
    del chance
    return [{"op": "createNode", "id": _fresh(document, "node"), "label": "Added", **_typical(document)}]


def add_in_frame(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node in a frame or a lane, after one that stands there."""
    homes = [one for one in _of(document, "frame") if one.get("containerType") != "fragment"]
    if not homes:
        return []
    home, name, nodes = _pick(chance, homes), _fresh(document, "node"), {one["id"] for one in _of(document, "node")}
    ops: Ops = [{"op": "createNode", "id": name, "label": "Added", "parentId": home["id"], **_typical(document)}]
    before = [one for one in home.get("children", ()) if one in nodes]
    if before:
        ends = {"from": {"elementId": _pick(chance, before)}, "to": {"elementId": name}}
        ops.append({"op": "createEdge", "id": _fresh(document, "edge"), **ends})
    return ops


def add_between(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node on an edge: what led to the target leads to it, and it to the target."""
    nodes = {one["id"] for one in _of(document, "node")}
    rows = [one for one in _of(document, "edge") if len(ends_of(one)) == 2 and nodes.issuperset(ends_of(one))]
    if not rows:
        return []
    edge, name = _pick(chance, rows), _fresh(document, "node")
    source, target = ends_of(edge)
    home = _home(document, source)
    where = {} if home is None else {"parentId": home}
    return [
        {"op": "createNode", "id": name, "label": "Added", **where, **_typical(document)},
        {"op": "updateElement", "id": edge["id"], "to": {"elementId": name}},
        {
            "op": "createEdge",
            "id": _fresh(document, "edge"),
            "from": {"elementId": name},
            "to": {"elementId": target},
        },
    ]


def resize(document: Json, places: Mapping[str, Json], chance: Chance) -> Ops:
    """A node that is larger."""
    rows = [one for one in _free_nodes(document) if one["id"] in places]
    if not rows:
        return []
    one = _pick(chance, rows)["id"]
    size = {"width": places[one]["width"] + 40, "height": places[one]["height"] + 30}
    return [{"op": "resizeElement", "id": one, "size": size}]


def nudge(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node a few px to the right."""
    rows = _free_nodes(document)
    return [{"op": "moveElement", "id": _pick(chance, rows)["id"], "delta": {"dx": FEW_PX, "dy": 0}}] if rows else []


def move_far(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node somewhere else."""
    rows = _free_nodes(document)
    delta = {"dx": 40 * chance.number(-5, 5), "dy": 40 * chance.number(-5, 5)}
    return [{"op": "moveElement", "id": _pick(chance, rows)["id"], "delta": delta}] if rows else []


def reparent(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A node in another frame, or out of all."""
    rows, frames = (
        _free_nodes(document),
        [one for one in _of(document, "frame") if one.get("containerType") != "fragment"],
    )
    if not rows or not frames:
        return []
    one = _pick(chance, rows)["id"]
    homes = [home for home in [None, *(row["id"] for row in frames)] if home != _home(document, one)]
    return [{"op": "reparentElement", "id": one, "parentId": _pick(chance, homes)}]


def add_frame(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A frame round two nodes that stand in one container."""
    rows = _free_nodes(document)
    if len(rows) < 2:
        return []
    first = _pick(chance, rows)["id"]
    home = _home(document, first)
    near = [end for edge in _of(document, "edge") if first in ends_of(edge) for end in ends_of(edge) if end != first]
    beside = [one["id"] for one in rows if one["id"] != first and _home(document, one["id"]) == home]
    held = [first, *([one for one in near if one in beside] or beside)[:1]]
    where = {} if home is None else {"parentId": home}
    name = _fresh(document, "frame")
    ops: Ops = [{"op": "createFrame", "id": name, "title": "Added", "children": [], **where}]
    return ops + [{"op": "reparentElement", "id": one, "parentId": name} for one in held]


def delete_frame(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A frame less; what it held goes out into what held the frame."""
    rows = _plain_frames(document)
    if not rows:
        return []
    frame = _pick(chance, rows)
    home = _home(document, frame["id"])
    out = [{"op": "reparentElement", "id": one, "parentId": home} for one in frame.get("children", ())]
    return [*out, {"op": "deleteElement", "id": frame["id"]}]


def add_lane(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """A lane more in a pool."""
    pools = [one for one in _of(document, "frame") if one.get("containerType") == "pool"]
    lanes = [one for one in pools if any(child for child in one.get("children", ()))]
    if not lanes:
        return []
    name = _fresh(document, "lane")
    lane = {"op": "createFrame", "id": name, "title": "Added", "containerType": "lane", "children": []}
    return [{**lane, "parentId": _pick(chance, lanes)["id"]}]


def relayout_two(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """Two nodes placed anew."""
    rows = _free_nodes(document)
    if len(rows) < 3:
        return []
    return [{"op": "relayout", "ids": sorted({_pick(chance, rows)["id"], _pick(chance, rows)["id"]})}]


def relayout_all(document: Json, _: Mapping[str, Json], chance: Chance) -> Ops:
    """All placed anew."""
    del document, chance
    return [{"op": "relayout"}]


KINDS: Mapping[str, Kind] = {
    "delete node": Kind(delete_node, pushes=False),
    "delete edge": Kind(delete_edge, pushes=False),
    "add edge": Kind(add_edge, pushes=False),
    "rewire edge": Kind(rewire, pushes=False),
    "restyle edge": Kind(restyle_edge, pushes=False),
    "relabel edge": Kind(relabel_edge, pushes=False),
    "restyle node": Kind(restyle_node, pushes=False),
    "retype": Kind(retype, pushes=True),
    "longer name": Kind(rename_longer, pushes=True),
    "add free": Kind(add_free, pushes=True),
    "add in frame": Kind(add_in_frame, pushes=True),
    "add between": Kind(add_between, pushes=True),
    "resize": Kind(resize, pushes=True),
    "nudge": Kind(nudge, pushes=True),
    "move": Kind(move_far, pushes=True),
    "reparent": Kind(reparent, pushes=True),
    "add frame": Kind(add_frame, pushes=True),
    "delete frame": Kind(delete_frame, pushes=False),
    "add lane": Kind(add_lane, pushes=True),
    "relayout two": Kind(relayout_two, pushes=True),
    "relayout all": Kind(relayout_all, pushes=True),
}
