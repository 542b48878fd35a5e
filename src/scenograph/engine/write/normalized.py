"""The normalized document: the authored document with every default written out.

In: the document and its laid-out scene. Out: a new document; the given document is not changed, though unchanged parts
may be shared. Promises: every default of DEFAULTS is present, aliases and misplaced members are in their right place,
every layout is absolute; styles and unknown members stay as authored. A second normalization moves nothing. (R-NORM-1,
R-NORM-2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scenograph.engine.families.family import is_divided, is_headed, is_tiled
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import DrawnRoute, LaidOutScene
from scenograph.scene.borders import OFFSET_DECIMALS, border_place
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.description.fields import Field
from scenograph.scene.document_index import authored
from scenograph.scene.json_values import is_array, is_object
from scenograph.scene.model import EMPTY, Edge, Element, Frame, Group, Image, Node, Text
from scenograph.scene.reading import nested_fields
from scenograph.scene.vocabulary import DEFAULT_EDGE_TYPE

Json = dict[str, Any]
Default = Callable[[Any, LaidOutScene], object]

DECIMALS = 2
_SAME = 0.5 * 10**-DECIMALS
_DEFAULT_ROUTER = "orthogonal"
_CURVED, _CURVE_POINTS = "curved", 3  # start, control point, end
_FIRST_LANE_DIRECTION = "horizontal"
_END_LABELS = ("fromLabelBounds", "toLabelBounds")
_SIZES_AND_PLACES = ("x", "y", "width", "height")
_RELATIVE_ONLY = frozenset({"target", "relation", "gap", "align"})


def write_normalized(document: Mapping[str, Any], laid_out: LaidOutScene) -> Json:
    """The normalized document, with the member `computed`."""
    normalized = _with_outer_fields(authored(document))
    elements = {element.id: element for element in laid_out.scene.elements}
    rows = normalized.get("elements")
    if is_array(rows):
        normalized["elements"] = [_element(row, elements, laid_out) for row in rows]
    return normalized | {"computed": write_computed(laid_out)}


def _with_outer_fields(document: Mapping[str, Any]) -> Json:
    """The document with outer fields moved from `scene` to the root."""
    nested = nested_fields(document)
    if not nested:
        return dict(document)
    scene = document["scene"]
    moved = {name: scene[name] for name in nested}
    kept = {name: value for name, value in scene.items() if name not in nested}
    return {**document, "scene": kept, **moved}


def _element(row: object, elements: Mapping[str, Element], laid_out: LaidOutScene) -> object:
    """One element; unchanged if unknown to the typed view."""
    element_id = row.get("id") if is_object(row) else None
    element = elements.get(element_id) if isinstance(element_id, str) else None
    if not is_object(row) or element is None or element.kind != row.get("kind"):
        return row
    named = _without_aliases(row, ELEMENT_RECORDS[element.kind].fields)
    for name, default in (*_COMMON_DEFAULTS.items(), *DEFAULTS[element.kind].items()):
        value = default(element, laid_out)
        if value is not None:
            named.setdefault(name, value)
    if isinstance(element, Edge):
        named = _with_settled_ends(named, element)
    if isinstance(element, Node) and element.attached_to is not None:
        named = named | {"attachedTo": _settled_attachment(named["attachedTo"], element, laid_out)}
    box = laid_out.placement.boxes.get(element.id)
    return named if box is None else named | {"layout": _absolute(named.get("layout"), box)}


def _with_settled_ends(row: Json, edge: Edge) -> Json:
    """The edge with the columns and cardinalities found for its ends, and without a label resolved to a column
    (R-ER-7)."""
    settled = dict(row)
    if edge.label is None and row.get("label"):
        del settled["label"]
    for name, end in (("from", edge.source), ("to", edge.target)):
        said = row.get(name)
        found = {"column": end.column, "cardinality": end.cardinality}
        if is_object(said):
            settled[name] = {**said, **{key: value for key, value in found.items() if value and key not in said}}
    return settled


def _settled_attachment(said: Json, node: Node, laid_out: LaidOutScene) -> Json:
    """The side and offset of an attached node on the border of its host."""
    boxes, host = laid_out.placement.boxes, node.attached_to
    if host is None or host.element_id not in boxes or node.id not in boxes:
        return said
    side, offset = border_place(boxes[host.element_id], boxes[node.id].center)
    return {"side": side, "offset": round(offset, OFFSET_DECIMALS), **said}


def _without_aliases(row: Mapping[str, Any], fields: tuple[Field, ...]) -> Json:
    """The members under their canonical names, in order; a canonical name wins over its alias."""
    real = {alias: field.name for field in fields for alias in field.aliases if alias not in _real_names(fields)}
    named: Json = {}
    for name, value in row.items():
        target = real.get(name, name)
        if target == name or target not in row:
            named.setdefault(target, value)
    return named


def _real_names(fields: tuple[Field, ...]) -> frozenset[str]:
    return frozenset(field.name for field in fields)


def _absolute(layout: object, box: Box) -> Json:
    """The layout with mode absolute and the four numbers of `box`; an authored number within rounding stays as
    written."""
    said = layout if is_object(layout) else EMPTY
    kept = {name: value for name, value in said.items() if name not in _RELATIVE_ONLY}
    numbers = {
        name: kept[name] if _agrees(kept.get(name), value) else number(value)
        for name, value in zip(_SIZES_AND_PLACES, box, strict=True)
    }
    return {**kept, "mode": "absolute", **numbers}


def _agrees(said: object, value: float) -> bool:
    return isinstance(said, int | float) and not isinstance(said, bool) and abs(said - value) < _SAME


def write_computed(laid_out: LaidOutScene) -> Json:
    """The page, every box and every way."""
    canvas = laid_out.canvas
    return {
        "canvas": {"width": number(canvas.width), "height": number(canvas.height)},
        "bounds": {key: _bounds(box) for key, box in laid_out.placement.boxes.items()},
        "edgePaths": {key: _edge_path(route) for key, route in laid_out.routes.items()},
    }


def write_places(laid_out: LaidOutScene) -> Json:
    """The content of `computed`, with the scene point at the page's corner as `x` and `y` of the canvas, the authored
    router of each edge (`asked`), the container of each element (`homes`) and the room for labels outside of elements
    (`rooms`; top, right, bottom, left): a sketch that also keeps page and routes."""
    computed = write_computed(laid_out)
    corner = {name: number(value) for name, value in zip(("x", "y"), laid_out.canvas.origin, strict=True)}
    asked = {element.id: element.router for element in laid_out.scene.elements if isinstance(element, Edge)}
    paths = {key: path | {"asked": asked[key]} for key, path in computed["edgePaths"].items() if key in asked}
    homes: dict[str, str] = {}
    for element in laid_out.scene.elements:
        for child in element.children if isinstance(element, Frame | Group) else ():
            homes.setdefault(child, element.id)
    for element in laid_out.scene.elements:
        if isinstance(element, Node | Frame | Group | Text | Image) and element.layout.relation == "inside":
            homes.setdefault(element.id, element.layout.target or "")
    sizes = ((one.id, laid_out.sizes.get(one.id)) for one in laid_out.scene.elements if isinstance(one, Node))
    rooms = {
        one: [number(side) for side in size.outset] for one, size in sizes if size is not None and any(size.outset)
    }
    return computed | {"canvas": computed["canvas"] | corner, "edgePaths": paths, "homes": homes, "rooms": rooms}


def _edge_path(route: DrawnRoute) -> Json:
    points = [{"x": number(point.x), "y": number(point.y)} for point in route.points]
    control = {"control": points.pop(1)} if route.router == _CURVED and len(points) == _CURVE_POINTS else {}
    label = {} if route.label is None else {"labelBounds": _bounds(route.label)}
    ends = {name: _bounds(box) for name, box in zip(_END_LABELS, route.end_labels, strict=True) if box is not None}
    return {"router": route.router, "points": points} | control | label | ends


def _bounds(box: Box) -> Json:
    return dict(zip(_SIZES_AND_PLACES, map(number, box), strict=True))


def number(value: float) -> float | int:
    """A length as a JSON number: two decimals, whole numbers without a point, no -0."""
    rounded = round(value, DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


def _z_index(element: Element, _: LaidOutScene) -> object:
    return number(element.z_index)


def _visible(element: Element, _: LaidOutScene) -> object:
    return element.visible


def _shape(node: Node, _: LaidOutScene) -> object:
    return node.shape


def _container_type(frame: Frame, _: LaidOutScene) -> object:
    return frame.container_type


def _lane_direction(frame: Frame, _: LaidOutScene) -> object:
    return _FIRST_LANE_DIRECTION if is_tiled(frame) and not (is_headed(frame) or is_divided(frame)) else None


def _edge_type(_edge: Edge, _: LaidOutScene) -> object:
    return DEFAULT_EDGE_TYPE


def _router(edge: Edge, laid_out: LaidOutScene) -> object:
    """The router really used: writing the default over a softened curve would pin the detour again."""
    route = laid_out.routes.get(edge.id)
    return route.router if route is not None else _DEFAULT_ROUTER


def _field_default(kind: str, name: str) -> Default:
    value = ELEMENT_RECORDS[kind].members[name].default
    return lambda _element, _laid_out: value


_COMMON_DEFAULTS: Mapping[str, Default] = {"zIndex": _z_index, "visible": _visible}
DEFAULTS: Mapping[str, Mapping[str, Default]] = {
    "node": {"shape": _shape},
    "edge": {"edgeType": _edge_type, "router": _router},
    "frame": {"containerType": _container_type, "laneDirection": _lane_direction},
    "group": {},
    "text": {"align": _field_default("text", "align")},
    "image": {"fit": _field_default("image", "fit")},
    "guide": {
        "orientation": _field_default("guide", "orientation"),
        "position": _field_default("guide", "position"),
    },
}
