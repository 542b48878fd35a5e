"""Documents full of constraints, most of which contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from worst.parts import Json, document, frame, ids, nodes

AXES = ("x", "y")
MIXED = ("align", "distribute", "stack", "grid", "sameSize", "minGap", "noOverlap", "order", "contain", "centerIn")


def orders(nodes_: int = 10, count: int = 100, each: int = 5) -> Json:
    """`count` orders of `each` of a few nodes by chance."""
    return _wished("order", nodes_, count, (each, each))


def stacks() -> Json:
    """60 stacks of 12 to 30 nodes."""
    return _wished("stack", 40, 60, (12, 30))


def distributions() -> Json:
    """60 equal distances between 12 to 30 nodes."""
    return _wished("distribute", 40, 60, (12, 30))


def containments() -> Json:
    """60 containers round 12 to 30 nodes each, four of them given in size."""
    boxes = [frame(f"c{index}", [], layout={"width": 300, "height": 200} if index < 4 else {}) for index in range(8)]
    chance = Random(5)  # noqa: S311 (no secret)
    rows = [
        _wish(number, "contain", chance.sample(ids(40), chance.randint(12, 30))) | {"container": f"c{number % 8}"}
        for number in range(60)
    ]
    return document([*nodes(40), *boxes], constraints=rows)


def gaps() -> Json:
    """100 least gaps of 20 nodes, each another."""
    made = _wished("minGap", 30, 100, (20, 20))
    for number, row in enumerate(made["constraints"]):
        row["gap"] = number
    return made


def mixed(count: int = 100, nodes_: int = 30) -> Json:
    """Constraints of every type over the same nodes and a frame."""
    chance = Random(7)  # noqa: S311 (no secret)
    rows = [_any_wish(chance, number, nodes_) for number in range(count)]
    return document([*nodes(nodes_), frame("c0", ids(nodes_)[:5]), frame("c1", [])], constraints=rows)


def overlapping() -> Json:
    """1,000 wishes of no overlap over 3,000 nodes."""
    rows = [_wish(number, "noOverlap", ids(3000)[number * 3 : number * 3 + 300]) for number in range(900)]
    return document(nodes(3000), constraints=rows)


def long_grids() -> Json:
    """40 grids of all of 400 nodes, each with other columns."""
    rows = [_wish(number, "grid", ids(400)) | {"columns": number + 1} for number in range(40)]
    return document(nodes(400), constraints=rows)


def _wished(kind: str, nodes_: int, count: int, sizes: tuple[int, int]) -> Json:
    chance = Random(3)  # noqa: S311 (no secret)
    rows = [_wish(number, kind, chance.sample(ids(nodes_), chance.randint(*sizes))) for number in range(count)]
    for row in rows:
        row["axis"] = chance.choice(AXES)
    return document(nodes(nodes_), constraints=rows)


def _wish(number: int, kind: str, elements: list[str]) -> Json:
    return {"id": f"w{number}", "type": kind, "elements": elements, **({"gap": 10} if kind == "minGap" else {})}


def _any_wish(chance: Random, number: int, nodes_: int) -> Json:
    row = _wish(number, chance.choice(MIXED), chance.sample(ids(nodes_), chance.randint(2, 8)))
    more: Mapping[str, Mapping[str, Any]] = {
        "grid": {"columns": chance.randint(1, 4)},
        "contain": {"container": "c1"},
        "centerIn": {"container": "c1"},
        "sameSize": {},
        "noOverlap": {},
    }
    return row | dict(more.get(row["type"], {"axis": chance.choice(AXES)}))


WISHES: Mapping[str, Callable[[], Json]] = {
    "orders": orders,
    "orders 1000": lambda: orders(200, 1000, 20),
    "stacks": stacks,
    "distributions": distributions,
    "containments": containments,
    "gaps": gaps,
    "mixed wishes": mixed,
    "mixed wishes 1000": lambda: mixed(1000, 300),
    "no overlaps": overlapping,
    "grids": long_grids,
}
