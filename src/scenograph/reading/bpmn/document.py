"""The gathered rows of a BPMN file as a scene document; positions of its diagrams are the sketch in `computed`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from scenograph.reading.assembly import Assembly
from scenograph.reading.bpmn.interchange import Bounds
from scenograph.reading.bpmn.process import Container, Gathered, Line, Symbol
from scenograph.reading.bpmn.vocabulary import DATA, DATA_FLOWS, GATEWAYS, SHOWN_DATA
from scenograph.reading.markup import Tag
from scenograph.reading.source import Source
from scenograph.reading.source import shown as quoted
from scenograph.scene.json_values import JsonObject

_FAMILY = "workflow"
_PLACES = ("center", "end", "start")
_TYPES: Mapping[str, str] = {
    "sequenceFlow": "workflow.sequenceFlow",
    "messageFlow": "workflow.messageFlow",
    "association": "workflow.association",
    **dict.fromkeys(DATA_FLOWS, "workflow.association"),
}
_HEADED = ("One", "Both")


def document_of(found: Gathered, source: Source, title: str) -> JsonObject:
    """The document."""
    assembly = Assembly("bpmn", source)
    homes_of_frames = {
        row.name: row.home if row.kind != "subprocess" else _lane_or(row.name, row.home, found)
        for row in found.containers.values()
    }
    homes = {**{row.name: _home_of(row, found) for row in found.symbols.values()}, **homes_of_frames}
    boundary = _Boundary(found)
    for symbol in found.symbols.values():
        assembly.node(symbol.name, **_node(symbol, found, boundary, assembly))
    for container in found.containers.values():
        children = [assembly.name(name) for name, home in homes.items() if home == container.name]
        assembly.frame(container.name, **_frame(container, found), children=children)
    for line in found.lines:
        _add_edge(line, found, assembly)
    return assembly.document(
        _FAMILY,
        title=title,
        layoutStrategy={"algorithm": "flow", "direction": _direction(found)},
        computed=_sketch(found, homes, assembly),
    )


def _direction(found: Gathered) -> str:
    upright = any(row.kind == "pool" and row.name in found.shown.upright for row in found.containers.values())
    return "TB" if upright else "LR"


def _home_of(symbol: Symbol, found: Gathered) -> str | None:
    """The frame of a symbol: the lane that lists it, the host's of one on a border, of data and notes the lane or pool
    in which the diagram shows them."""
    host = found.symbols.get(symbol.tag.get("attachedToRef")) or found.containers.get(symbol.tag.get("attachedToRef"))
    if symbol.name not in found.lanes and host is not None:
        return _lane_or(host.name, host.home, found)
    if symbol.name in found.lanes or symbol.tag.name not in {*DATA, *SHOWN_DATA}:
        return _lane_or(symbol.name, symbol.home, found)
    inner = found.containers.get(symbol.home or "")
    if inner is not None and inner.kind == "subprocess":
        return symbol.home
    return _around(symbol.name, found) or _lane_of_neighbour(symbol, found) or symbol.home


def _lane_or(name: str, home: str | None, found: Gathered) -> str | None:
    """The lane that lists it; inside a subprocess the subprocess."""
    around = found.containers.get(home or "")
    return home if around is not None and around.kind == "subprocess" else found.lanes.get(name, home)


def _around(name: str, found: Gathered) -> str | None:
    """The smallest pool or lane round the middle of a shape that stands in it altogether."""
    box = found.shown.boxes.get(name)
    frames = {row: found.shown.boxes[row] for row in found.containers if row in found.shown.boxes}
    kinds = {row.name: row.kind for row in found.containers.values()}
    holding = [
        (area.width * area.height, row)
        for row, area in frames.items()
        if box is not None and kinds[row] != "subprocess" and area.holds(box.center)
    ]
    return min(holding)[1] if holding else None


def _lane_of_neighbour(symbol: Symbol, found: Gathered) -> str | None:
    for line in found.lines:
        if symbol.name in line.ends:
            other = line.ends[symbol.name == line.ends[0]]
            if other in found.lanes:
                return found.lanes[other]
    return None


class _Boundary:
    """The side of its activity at which an event stands, as the diagram shows it; up to three stand on one side.
    An event of a scene touches its activity from outside: boxes do not overlap."""

    def __init__(self, found: Gathered) -> None:
        self._boxes = found.shown.boxes
        self._used: Counter[tuple[str, str]] = Counter()

    def layout(self, symbol: Symbol, host: str, assembly: Assembly) -> JsonObject | None:
        """The relative layout; None when the sides are full."""
        wanted = self._side(symbol.name, host)
        for side in (wanted, "below", "above", "rightOf", "leftOf"):
            count = self._used[host, side]
            if count < len(_PLACES):
                self._used[host, side] += 1
                target = assembly.name(host)
                return {"mode": "relative", "target": target, "relation": side, "gap": 0, "align": _PLACES[count]}
        return None

    def _side(self, name: str, host: str) -> str:
        event, activity = self._boxes.get(name), self._boxes.get(host)
        if event is None or activity is None or not (activity.width and activity.height):
            return "below"
        x = (event.center[0] - activity.center[0]) / activity.width
        y = (event.center[1] - activity.center[1]) / activity.height
        if abs(x) > abs(y):
            return "rightOf" if x > 0 else "leftOf"
        return "below" if y > 0 else "above"


def _node(symbol: Symbol, found: Gathered, boundary: _Boundary, assembly: Assembly) -> JsonObject:
    tag, host = symbol.tag, symbol.tag.get("attachedToRef")
    label = _label(symbol)
    if not symbol.form.exact:
        what = f"the {symbol.event} {tag.name}".replace("  ", " ")
        kind = symbol.form.node_type.removeprefix("workflow.")
        found.losses.formless(tag.place, f"{what} {quoted(label or symbol.name)} is drawn as {kind}")
    known = host in found.symbols or host in found.containers
    own = {"element": tag.name, "event": symbol.event, "attachedTo": assembly.name(host) if known else ""}
    return {
        "nodeType": symbol.form.node_type,
        "shape": symbol.form.shape,
        "label": label,
        "tooltip": _documentation(tag),
        "layout": boundary.layout(symbol, host, assembly) if known else None,
        "extensions": {"bpmn": {name: value for name, value in own.items() if value}},
    }


def _label(symbol: Symbol) -> str:
    tag = symbol.tag
    text = tag.first("text")
    state = tag.first("dataState")
    label = text.text if text is not None else tag.get("name").strip()
    named = state.get("name") if state is not None else ""
    return f"{label}\n[{named}]".strip() if named and not label.endswith(f"[{named}]") else label


def _documentation(tag: Tag) -> str | None:
    said = tag.first("documentation")
    return said.text or None if said is not None else None


def _frame(container: Container, found: Gathered) -> JsonObject:
    upright = container.kind == "pool" and container.name in found.shown.upright
    return {
        "title": container.title,
        "containerType": container.kind,
        "laneDirection": "vertical" if upright else None,
        "tooltip": _documentation(container.tag),
        "extensions": {"bpmn": {"element": container.tag.name}} if container.kind == "subprocess" else None,
    }


def _add_edge(line: Line, found: Gathered, assembly: Assembly) -> None:
    ends = [found.aliases.get(end, end) if end not in found.symbols else end for end in line.ends]
    missing = [end for end in ends if end not in found.symbols and end not in found.containers]
    if missing:
        if line.tag.name not in DATA_FLOWS:
            what = f"the {line.tag.name} {quoted(line.name)} is left out, because it ends at {quoted(missing[0] or '')}"
            found.losses.formless(line.tag.place, what)
        return
    source, target = ({"elementId": assembly.name(end)} for end in ends)
    headed = line.tag.name in DATA_FLOWS or line.tag.get("associationDirection") in _HEADED
    both = line.tag.get("associationDirection") == "Both"
    heads = {"startArrow": "triangle" if both else "none", "endArrow": "triangle"}
    assembly.edge(
        source,
        target,
        line.name,
        identified=True,
        edgeType=_edge_type(line, found),
        label=line.tag.get("name").strip(),
        endpoints=heads if headed else None,
    )


def _edge_type(line: Line, found: Gathered) -> str:
    if line.tag.name == "sequenceFlow" and line.name in found.defaults:
        return "workflow.defaultFlow"
    source = found.symbols.get(line.ends[0])
    branching = source is not None and source.tag.name in GATEWAYS
    if line.tag.first("conditionExpression") is not None and not branching:
        return "workflow.conditionalFlow"
    return _TYPES[line.tag.name]


def _sketch(found: Gathered, homes: Mapping[str, str | None], assembly: Assembly) -> JsonObject | None:
    """The boxes that the diagrams show, of what is imported. What lies in a closed subprocess has none here."""
    bounds = {
        assembly.name(name): _box(box)
        for name, box in found.shown.boxes.items()
        if name in homes and name not in found.hidden
    }
    return {"bounds": bounds} if bounds else None


def _box(box: Bounds) -> JsonObject:
    return {name: round(value, 2) for name, value in box._asdict().items()}
