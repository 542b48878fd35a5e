"""Moving and resizing (R-OP-13, R-OP-14). px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from scenograph.diagnostics import OP_NOT_PLACED, OP_TARGET_NOT_FOUND
from scenograph.scene.borders import OFFSET_DECIMALS, border_place
from scenograph.scene.description.elements import LAYOUT
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import CONTAINERS, host_of, target_of
from scenograph.scene.edits.draft import Draft, Edit, Refused, Relayout, layout_of
from scenograph.scene.edits.elements import target, wrong_kind
from scenograph.scene.json_values import JsonObject, is_array, is_number, is_object, pointer, shown
from scenograph.scene.model import Layout

XY = tuple[float, float]
_RESIZABLE = ("node", "frame", "group", "text", "image")
DECIMALS = 2  # of a computed position that becomes the author's, as in `computed.bounds`

# The share of the growth to the left and upwards, by anchor.
_SHARES: Mapping[str, XY] = MappingProxyType(
    {"top": (0.5, 0.0), "right": (1.0, 0.5), "bottom": (0.5, 1.0), "left": (0.0, 0.5), "center": (0.5, 0.5)}
)
_TOP_LEFT = (0.0, 0.0)


def move(draft: Draft, op: JsonObject) -> Edit:
    """moveElement: by a delta or to a position; a container moves with its content."""
    element = target(draft, op)
    kind = str(element.get("kind"))
    if kind == "guide":
        return Edit(updated=(_moved_guide(element, op),))
    if kind == "edge":
        if "delta" not in op or not element.get("waypoints"):
            raise wrong_kind(
                element, "an edge without waypoints follows its ends; with waypoints it moves by a delta", "/id"
            )
        moved_edge = element | {"waypoints": _waypoints(element, _delta(op))}
        return Edit(updated=(moved_edge,))
    if host_of(element) is not None:
        return Edit(updated=(_moved_along_border(draft, element, op),))
    family = _with_content(draft, element["id"])
    draft.spend(len(family))
    if len(family) == 1 and "x" in op and "y" in op and _authored(element).mode != "absolute":
        return Edit(updated=(_placed(element, op["x"], op["y"]),))
    way = _way(draft, element, op)
    moved = [_shifted(draft, each, way, family) for each in family]
    moved.extend(_shifted_waypoints(draft, way, family))
    return Edit(updated=tuple(each for each in moved if each is not None))


def _moved_guide(element: JsonObject, op: JsonObject) -> JsonObject:
    axis = "x" if element.get("orientation") == "vertical" else "y"
    if axis in op:
        return element | {"position": op[axis]}
    position, delta = element.get("position", 0), op.get("delta", {})
    return element | {"position": _sum(position if is_number(position) else 0, delta.get(f"d{axis}", 0))}


def _delta(op: JsonObject) -> XY:
    delta = op.get("delta", {})
    return delta.get("dx", 0), delta.get("dy", 0)


def _way(draft: Draft, element: JsonObject, op: JsonObject) -> XY:
    """The displacement of the operation's element."""
    if "delta" in op:
        return _delta(op)
    place = _place(draft, element)
    if place is None:
        raise _not_placed(element)
    return op.get("x", place[0]) - place[0], op.get("y", place[1]) - place[1]


def _not_placed(element: JsonObject) -> Refused:
    return Refused(Problem("/id", OP_NOT_PLACED, {"id": shown(element["id"])}))


def _authored(element: JsonObject) -> Layout:
    layout = LAYOUT.read(layout_of(element))
    return layout if isinstance(layout, Layout) else Layout()


def _place(draft: Draft, element: JsonObject) -> XY | None:
    """The element's top left corner: as authored and in force, else as computed."""
    layout = _authored(element)
    if layout.mode == "absolute" and layout.x is not None and layout.y is not None and not _is_idle(draft, element):
        own = layout_of(element)
        return own["x"], own["y"]
    box = draft.boxes.of(element["id"], draft)
    return None if box is None else (round(box["x"], DECIMALS), round(box["y"], DECIMALS))


# Places that count as not given: every absolute node stands at the origin (R-PLACE-10). A first place elsewhere must
# not bring the others to the origin: they stand where the engine has put them, and no edit has touched them.


def drop_idle_places(draft: Draft) -> None:
    """Take the place at the origin from nodes that did not stand there, once another node is given a place."""
    if not _idle(draft) or _are_at_origin(after := _absolute(draft.elements)):
        return
    for node in after:
        if _is_idle(draft, node):
            draft.elements.put(_unplaced(node))


def _is_idle(draft: Draft, element: JsonObject) -> bool:
    """Whether an element has kept a place not in force before the batch, and was drawn elsewhere."""
    if _idle(draft).get(element["id"]) is not layout_of(element):  # an equal place may be new
        return False
    box = draft.boxes.of(element["id"], draft)
    return box is not None and (box["x"], box["y"]) != (0, 0)


def _idle(draft: Draft) -> Mapping[str, JsonObject]:
    if draft.idle is None:
        elements = draft.base.get("elements")
        before = _absolute(elements if is_array(elements) else ())
        draft.idle = {node["id"]: layout_of(node) for node in before} if _are_at_origin(before) else {}
    return draft.idle


def _absolute(elements: Iterable[object]) -> list[JsonObject]:
    """The nodes with an absolute place."""
    nodes = (one for one in elements if is_object(one) and one.get("kind") == "node")
    return [one for one in nodes if layout_of(one).get("mode") == "absolute"]


def _are_at_origin(nodes: Sequence[JsonObject]) -> bool:
    """Whether absolute nodes exist and all stand at the origin."""
    return bool(nodes) and all((layout_of(one).get("x"), layout_of(one).get("y")) == (0, 0) for one in nodes)


def _unplaced(element: JsonObject) -> JsonObject:
    layout = {name: value for name, value in layout_of(element).items() if name not in ("mode", "x", "y")}
    rest = {name: value for name, value in element.items() if name != "layout"}
    return rest | ({"layout": layout} if layout else {})


def _with_content(draft: Draft, name: str) -> dict[str, JsonObject]:
    """The element and, for a container, its whole content, by id."""
    found: dict[str, JsonObject] = {}
    waiting = [name]
    while waiting:
        here = waiting.pop()
        element = draft.elements.get(here)
        if element is None or here in found:
            continue
        found[here] = element
        if element.get("kind") in CONTAINERS:
            waiting.extend(draft.children_of(here))
    return found


def _shifted(draft: Draft, name: str, way: XY, family: Mapping[str, JsonObject]) -> JsonObject | None:
    """A member of the family at its new position; None if it follows by itself or is unplaced."""
    element = family[name]
    if element.get("kind") == "guide":
        return _moved_guide(element, {"delta": {"dx": way[0], "dy": way[1]}})
    first = name == next(iter(family))
    if not first and target_of(element) in family:
        return None
    if host_of(element) in family:
        return None
    place = _place(draft, element)
    if place is not None:
        return _placed(element, _sum(place[0], way[0]), _sum(place[1], way[1]))
    if first:
        raise _not_placed(element)
    return None


def _moved_along_border(draft: Draft, element: JsonObject, op: JsonObject) -> JsonObject:
    """An attached node at the border point of its host nearest to the wished position."""
    own, host = (draft.boxes.of(one, draft) for one in (element["id"], element["attachedTo"]["elementId"]))
    if own is None or host is None:
        raise _not_placed(element)
    step = _delta(op) if "delta" in op else (op.get("x", own["x"]) - own["x"], op.get("y", own["y"]) - own["y"])
    middle = own["x"] + own["width"] / 2 + step[0], own["y"] + own["height"] / 2 + step[1]
    box = (host["x"], host["y"], host["width"], host["height"])
    side, offset = border_place(box, middle)
    layout = {name: value for name, value in layout_of(element).items() if name in _SIZE}
    kept = {name: value for name, value in element.items() if name != "layout"} | ({"layout": layout} if layout else {})
    return kept | {"attachedTo": element["attachedTo"] | {"side": side, "offset": round(offset, OFFSET_DECIMALS)}}


def _placed(element: JsonObject, x: float, y: float) -> JsonObject:
    """The element with an absolute layout of its authored size."""
    layout = {name: value for name, value in layout_of(element).items() if name not in _RELATIVE_MEMBERS}
    return element | {"layout": layout | {"mode": "absolute", "x": x, "y": y}}


_SIZE = ("width", "height")
_RELATIVE_MEMBERS = frozenset({"target", "relation", "gap", "align"})


def _shifted_waypoints(draft: Draft, way: XY, family: Mapping[str, JsonObject]) -> Iterator[JsonObject]:
    """Edges with both ends in the moved family, with moved waypoints."""
    seen: set[str] = set()
    for name in family:
        for holder, key in draft.mentions.of(name):
            edge = draft.elements.get(holder)
            if key != "from" or edge is None or holder in seen or not edge.get("waypoints"):
                continue
            end = edge.get("to")
            if is_object(end) and end.get("elementId") in family:
                seen.add(holder)
                yield edge | {"waypoints": _waypoints(edge, way)}


def _waypoints(edge: JsonObject, way: XY) -> list[object]:
    points = edge.get("waypoints")
    return [
        point | {"x": _sum(point["x"], way[0]), "y": _sum(point["y"], way[1])} if _is_point(point) else point
        for point in (points if is_array(points) else ())
    ]


def _is_point(point: object) -> bool:
    return is_object(point) and is_number(point.get("x")) and is_number(point.get("y"))


def _sum(one: float, other: float) -> float:
    """A sum without the dust of binary fractions: 0.1 and 0.2 make 0.3."""
    total = round(one + other, 6)
    return int(total) if isinstance(total, float) and total.is_integer() else total


def resize(draft: Draft, op: JsonObject) -> Edit:
    """resizeElement: a new width, height or both; the anchor stays fixed. With an anchor an element placed by the
    engine becomes absolute, or the engine would place it anew."""
    element = target(draft, op, _RESIZABLE)
    size, share = op["size"], _SHARES.get(op.get("anchor", ""), _TOP_LEFT)
    authored = _authored(element)
    if "anchor" in op and (authored.mode != "absolute" or _is_idle(draft, element)):
        place = _place(draft, element)
        if place is None:
            raise _not_placed(element)
        element = _placed(element, *place)
        unsized = element | {"layout": {"mode": "absolute", "x": element["layout"]["x"], "y": element["layout"]["y"]}}
        moved = _kept_in_place(draft, unsized, size, share)  # the engine determines the size
        return Edit(updated=(element | {"layout": element["layout"] | size | moved},))
    if authored.mode == "absolute":
        moved = _kept_in_place(draft, element, size, share)
        return Edit(updated=(element | {"layout": {"mode": "absolute", **layout_of(element), **size, **moved}},))
    return Edit(updated=(element | {"layout": {"mode": authored.mode, **layout_of(element), **size}},))


def _kept_in_place(draft: Draft, element: JsonObject, size: JsonObject, share: XY) -> JsonObject:
    """The x and y that keep the anchor fixed."""
    moved: JsonObject = {}
    layout = layout_of(element)
    for axis, length, part in (("x", "width", share[0]), ("y", "height", share[1])):
        if length in size and part:
            old = layout.get(length)
            if not is_number(old):
                box = draft.boxes.of(element["id"], draft)
                if box is None:
                    raise _not_placed(element)
                old = round(box[length], DECIMALS)
            moved[axis] = _sum(layout[axis], (old - size[length]) * part)
    return moved


# Elements to be placed anew (R-OP-19).


def relayout(draft: Draft, op: JsonObject) -> Edit:
    """relayout: place these elements anew, or all without `ids`."""
    if "ids" not in op:
        return Edit(relayout=Relayout(every=True))
    draft.spend(len(op["ids"]))
    unknown = [_unknown(draft, index, name) for index, name in enumerate(op["ids"]) if name not in draft.elements]
    if unknown:
        raise Refused(*unknown)
    return Edit(relayout=Relayout(frozenset(op["ids"])))


def _unknown(draft: Draft, index: int, name: str) -> Problem:
    holes = {"what": "element", "id": shown(name)}
    return Problem(pointer("ids", index), OP_TARGET_NOT_FOUND, holes, None, (name, draft.elements.names()))
