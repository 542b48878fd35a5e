"""Documents made up by chance: every family, layout strategy and direction; frames, groups, pools and lanes; positions,
relations, constraints.

A `Chance` answers every question that is left open, so that a seed makes a document in a long run, and Hypothesis in a
test, where it finds the smallest document that breaks a promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeVar

from scenograph.engine.families.catalog import FAMILIES
from scenograph.engine.place.algorithms import ALGORITHMS
from scenograph.engine.place.constraints.kinds import CONSTRAINTS

Json = dict[str, Any]
T = TypeVar("T")

DIRECTIONS = ("TB", "BT", "LR", "RL")
SELF_PLACED = tuple(name for name, family in FAMILIES.items() if family.place is not None)
PLACED = tuple(name for name in FAMILIES if name not in SELF_PLACED)
LABELS = ("a", "A longer label", "Two lines\nof text", "")
FREE_TYPES = ("service", "database", "queue", "actor")
FRAMES = ("generic", "generic", "package", "boundary", "subprocess")
RELATIONS = ("rightOf", "leftOf", "above", "below")


class Chance(Protocol):
    """Answers to open questions."""

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        ...


class Seeded:
    """Chance that a seed settles once and for all."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 (no secret)

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return self._random.randint(low, high)


@dataclass(frozen=True, slots=True)
class Recipe:
    """What documents may hold. `positions`: of so many nodes one has its own place, 0 none; `relations` likewise.
    `nests`: pools may stand in pools, lanes and frames."""

    most_nodes: int = 10
    families: Sequence[str] = PLACED
    algorithms: Sequence[str] = tuple(ALGORITHMS)
    positions: int = 0
    relations: int = 0
    pools: bool = True
    nests: bool = False
    constraints: int = 0


def document(chance: Chance, recipe: Recipe) -> Json:
    """A sound document after the recipe."""
    family = _pick(chance, recipe.families)
    nodes = [_node(chance, f"n{i}", family) for i in range(chance.number(1, recipe.most_nodes))]
    boxed = nodes + _containers(chance, nodes, recipe)
    _position(chance, boxed, recipe)
    scene: Json = {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        "scene": {"id": "chance", "units": "px", "canvas": _canvas(chance)},
        "elements": boxed + _edges(chance, boxed),
    }
    strategy: Json = {"algorithm": _pick(chance, recipe.algorithms)}
    if _one_in(chance, 2):
        strategy["direction"] = _pick(chance, DIRECTIONS)
    if not _one_in(chance, 6):
        scene["layoutStrategy"] = strategy
    if recipe.constraints:
        scene["constraints"] = _constraints(chance, boxed, recipe.constraints)
    return scene


def _pick(chance: Chance, rows: Sequence[T]) -> T:
    return rows[chance.number(0, len(rows) - 1)]


def _one_in(chance: Chance, many: int) -> bool:
    return chance.number(1, many) == many


def _some(chance: Chance, rows: Sequence[str], most: int) -> list[str]:
    """Up to `most` different ones, in any order."""
    left, found = list(rows), list[str]()
    for _ in range(chance.number(0, min(most, len(left)))):
        found.append(left.pop(chance.number(0, len(left) - 1)))
    return found


def _canvas(chance: Chance) -> Json:
    return {} if _one_in(chance, 4) else {"width": chance.number(300, 1600), "height": chance.number(300, 1200)}


def _node(chance: Chance, element_id: str, family: str) -> Json:
    types = (*FAMILIES[family].node_kinds, *FREE_TYPES)
    node: Json = {
        "id": element_id,
        "kind": "node",
        "nodeType": _pick(chance, types),
        "label": _pick(chance, LABELS),
    }
    if _one_in(chance, 5):
        node["layout"] = {"width": chance.number(20, 300), "height": chance.number(20, 240)}
    return node


def _containers(chance: Chance, nodes: Sequence[Json], recipe: Recipe) -> list[Json]:
    """Frames and groups round nodes and round each other; now and then a pool with lanes, and pools in pools, in lanes
    and in frames."""
    loose, made = [node["id"] for node in nodes], list[Json]()
    for i in range(chance.number(0, 4)):
        inside = _some(chance, loose, 4)
        loose = [one for one in loose if one not in inside] + [f"c{i}"]
        made.append(_container(chance, f"c{i}", inside))
    for i in range(chance.number(0, 3 if recipe.nests else 2) if recipe.pools else 0):
        lanes = list[str]()
        for lane in (f"p{i}l{j}" for j in range(chance.number(0, 3))):
            inside = _some(chance, loose, 3)
            loose = [one for one in loose if one not in inside]
            made.append(_frame(chance, lane, "lane", inside))
            lanes.append(lane)
        rest = _some(chance, loose, 1) if _one_in(chance, 3) else []
        loose = [one for one in loose if one not in rest]
        made.append(_frame(chance, f"p{i}", "pool", [*lanes, *rest]))
        made[-1]["laneDirection"] = _pick(chance, ("horizontal", "vertical"))
        if recipe.nests and _one_in(chance, 4):
            made.append(_container(chance, f"c{i}p", [f"p{i}"]))
        if recipe.nests and _one_in(chance, 2):
            loose.append(made[-1]["id"])
    return made


def _container(chance: Chance, element_id: str, inside: list[str]) -> Json:
    if _one_in(chance, 4):
        return {"id": element_id, "kind": "group", "children": inside, "label": _pick(chance, LABELS)}
    return _frame(chance, element_id, _pick(chance, FRAMES), inside)


def _frame(chance: Chance, element_id: str, kind: str, inside: list[str]) -> Json:
    frame: Json = {"id": element_id, "kind": "frame", "containerType": kind, "children": inside}
    return frame | ({"title": _pick(chance, ("Area", "A rather long title"))} if _one_in(chance, 2) else {})


def _position(chance: Chance, boxed: Sequence[Json], recipe: Recipe) -> None:
    """Give some of the elements places of their own or relative to others."""
    for one in boxed:
        if recipe.positions and _one_in(chance, recipe.positions * (1 if one["kind"] == "node" else 3)):
            one["layout"] = _absolute(chance, one)
        elif recipe.relations and one["kind"] == "node" and _one_in(chance, recipe.relations):
            target = _pick(chance, boxed)["id"]
            if target != one["id"]:
                one["layout"] = {"mode": "relative", "target": target, "relation": _pick(chance, RELATIONS)}
                one["layout"] |= {"gap": chance.number(0, 60)} if _one_in(chance, 2) else {}
                one["layout"] |= {"align": _pick(chance, ("start", "center", "end"))} if _one_in(chance, 2) else {}
    _cut_circles(boxed)


def _absolute(chance: Chance, one: Json) -> Json:
    place: Json = {"mode": "absolute", "x": chance.number(-200, 900), "y": chance.number(-200, 900)}
    if one["kind"] != "node" and not _one_in(chance, 3):
        place |= {"width": chance.number(100, 600), "height": chance.number(100, 500)}
    return place


def _cut_circles(boxed: Sequence[Json]) -> None:
    """Elements that are placed relative to each other in a circle, or to what contains them, lose the relation."""
    target = {one["id"]: one["layout"]["target"] for one in boxed if one.get("layout", {}).get("target")}
    parent = {child: one["id"] for one in boxed for child in one.get("children", ())}
    for one in boxed:
        seen, queue = set[str](), [target.get(one["id"])]
        for other in queue:
            if other is not None and other not in seen:
                seen.add(other)
                queue += [target.get(other), parent.get(other)]
        if one["id"] in seen:
            target.pop(one["id"], None)
            one.pop("layout", None)


def _edges(chance: Chance, boxed: Sequence[Json]) -> list[Json]:
    return [
        {
            "id": f"e{i}",
            "kind": "edge",
            "from": {"elementId": _pick(chance, boxed)["id"]},
            "to": {"elementId": _pick(chance, boxed)["id"]},
            "label": _pick(chance, ("", "", "calls", "a label of some length")),
        }
        for i in range(chance.number(0, len(boxed)))
    ]


def _constraints(chance: Chance, boxed: Sequence[Json], most: int) -> list[Json]:
    ids = [one["id"] for one in boxed]
    rows = [_constraint(chance, f"w{i}", ids) for i in range(chance.number(1, most))]
    for one in boxed:
        if _one_in(chance, 12):
            one["locked"] = True
    return [row for row in rows if row["elements"]]


def _constraint(chance: Chance, constraint_id: str, ids: Sequence[str]) -> Json:
    kind = _pick(chance, tuple(CONSTRAINTS))
    row: Json = {"id": constraint_id, "type": kind, "elements": _some(chance, ids, 5)}
    if kind in ("align", "distribute", "stack", "minGap", "order"):
        row["axis"] = _pick(chance, ("x", "y"))
    if kind == "minGap" or (kind in ("distribute", "stack", "noOverlap") and _one_in(chance, 2)):
        row["gap"] = chance.number(0, 80)
    if kind == "grid":
        row["columns"] = chance.number(1, 4)
    if kind == "sameSize":
        row["dimension"] = _pick(chance, ("width", "height", "both"))
    if kind in ("centerIn", "contain"):
        containers = [one for one in ids if one[0] in "cp" and one not in row["elements"]]
        row["container"] = _pick(chance, containers or ids)
    return row
