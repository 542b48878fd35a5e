"""Bodies that cost the most to read, to validate and to apply, of any size: what they hold is repeated until it is
full."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any

Json = dict[str, Any]
LONG = "n" * 40  # names that differ late
MOST_ELEMENTS = 5_000
_HEAD = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "worst", "units": "px", "canvas": {"width": 400, "height": 200}},
}


def written(value: object) -> bytes:
    """Compact JSON."""
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()


def within(size: int, rows: Iterable[Json], most: int = MOST_ELEMENTS) -> list[Json]:
    """As many rows as fit into so many bytes."""
    taken: list[Json] = []
    for row in rows:
        size -= len(written(row)) + 1
        if size < 0 or len(taken) == most:
            break
        taken.append(row)
    return taken


def document(elements: list[Json], **root: Any) -> Json:
    """A document of these elements."""
    return {**_HEAD, **root, "elements": elements}


def _elements(row: Callable[[int], Json]) -> Callable[[int], bytes]:
    return lambda size: written(document(within(size - 300, map(row, count()))))


def _with_names(name: Callable[[int], Json], using: Callable[[int], Json]) -> Callable[[int], bytes]:
    """Half of it names, half of it what names others that are alike."""

    def made(size: int) -> bytes:
        known = within(size // 2 - 300, map(name, count()), MOST_ELEMENTS // 2)
        return written(document([*known, *within(size // 2, map(using, count()), MOST_ELEMENTS // 2)]))

    return made


def _edge(number: int, **ends: Any) -> Json:
    return {"id": f"e{number}", "kind": "edge", "from": ends, "to": ends}


def _styles(size: int) -> bytes:
    styles = {f"{LONG}x{number}": {} for number in range(size // 140)}
    rows = ({"id": f"a{n}", "kind": "node", "style": f"{LONG}{n}"} for n in count())
    return written(document(within(size // 2, rows), styles=styles))


def _columns(size: int) -> bytes:
    columns = [{"name": f"{LONG}{number}"} for number in range(min(1000, size // 140))]
    table = {"id": "t", "kind": "node", "nodeType": "er.entity", "extensions": {"columns": columns}}
    edges = (_edge(n, elementId="t", column=f"{LONG}x{n}") for n in count())
    return written(document([table, *within(size - len(written(table)) - 300, edges, MOST_ELEMENTS - 1)]))


def _ports(size: int) -> bytes:
    ports = [{"id": f"{LONG * 5}{number}", "side": "left"} for number in range(min(200, size // 500))]
    holder = {"id": "t", "kind": "node", "ports": ports}
    edges = (_edge(n, elementId="t", port=f"{LONG}x{n}") for n in count())
    return written(document([holder, *within(size - len(written(holder)) - 300, edges, MOST_ELEMENTS - 1)]))


def _constraints(size: int) -> bytes:
    nodes = within(size // 3, ({"id": f"{LONG}{n:04d}", "kind": "node"} for n in count()))
    rows = (
        {"id": f"c{n}", "type": "align", "axis": "x", "elements": [f"{LONG}x{(n * 7 + m):04d}" for m in range(12)]}
        for n in count()
    )
    return written(document(nodes, constraints=within(size // 2, rows, 1000)))


def _circles(size: int) -> bytes:
    frames = min(MOST_ELEMENTS // 3, size // 260)

    def beside(target: str) -> Json:
        return {"mode": "relative", "target": target, "relation": "rightOf"}

    def parts() -> Iterator[Json]:
        for n in range(frames):
            yield {"id": f"f{n}", "kind": "frame", "children": [f"a{n}", f"b{n}"]}
            yield {"id": f"a{n}", "kind": "node", "layout": beside(f"f{(n + 1) % frames}")}
            yield {"id": f"b{n}", "kind": "node", "layout": beside("f0")}

    return written(document([*parts()]))


def _repeated(piece: str, before: str = '{"a":[', after: str = "]}") -> Callable[[int], bytes]:
    def made(size: int) -> bytes:
        times = (size - len(before) - len(after)) // (len(piece) + 1)
        return (before + ",".join([piece] * times) + after).encode()

    return made


def _many_keys(size: int) -> bytes:
    return ("{" + ",".join(f'"{number}":0' for number in range(size // 11)) + "}").encode()


_A_NODE = {"kind": "node"}
BODIES: Mapping[str, Callable[[int], bytes]] = {
    "ends that are unknown": _with_names(
        lambda n: {"id": f"{LONG[:20]}{n:04d}", **_A_NODE}, lambda n: _edge(n, elementId=f"{LONG[:20]}{n:04d}x")
    ),
    "children that are unknown": _with_names(
        lambda n: {"id": f"{LONG[:30]}{n:04d}", **_A_NODE},
        lambda n: {"id": f"f{n}", "kind": "frame", "children": [f"{LONG[:30]}x{m:04d}" for m in range(40)]},
    ),
    "styles that are unknown": _styles,
    "columns that are unknown": _columns,
    "ports that are unknown": _ports,
    "constraint elements": _constraints,
    "node types in free text": _elements(lambda n: {"id": f"{n}", **_A_NODE, "nodeType": f"servicex{n}q"}),
    "node types with a prefix": _elements(lambda n: {"id": f"{n}", **_A_NODE, "nodeType": f"uml.clazz{n}"}),
    "edge types": _elements(lambda n: {"id": f"{n}", "kind": "edge", "edgeType": f"flowx{n}q"}),
    "icons that are unknown": _elements(lambda n: {"id": f"{n}", **_A_NODE, "icon": f"awslambdafunction{n}"}),
    "members that are unknown": _elements(lambda n: {"id": f"{n}", **_A_NODE, **{f"lable{m}": 1 for m in range(20)}}),
    "ids alone": _elements(lambda n: {"id": f"{n}"}),
    "ids that are repeated": _elements(lambda n: {"id": f"{n // 2}"}),
    "members of a wrong type": _elements(lambda n: {"id": 1, "kind": "q", "label": 2, "style": 3, "ports": 5}),
    "waypoints of many edges": _elements(
        lambda n: {"id": f"{n}", "kind": "edge", "route": {"points": [{"x": 1, "y": 1}] * 50}}
    ),
    "circles of layouts": _circles,
    "empty arrays": _repeated("[]"),
    "empty objects": _repeated("{}", '{"elements":['),
    "numbers": _repeated("1"),
    "numbers beyond doubles": _repeated("1" * 300),
    "fractions of 780 digits": _repeated("0." + "1" * 780),
    "escapes": _repeated('"\\ud83d\\ude00"'),
    "a lone surrogate at the end": _repeated('"\\ud83d\\ude00"', after=',"\\ud83d"]}'),
    "a key twice at the end": _repeated("1", after='],"b":1,"b":2}'),
    "many keys": _many_keys,
    "depth": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
}
"""By what they hold: a body of so many bytes."""
