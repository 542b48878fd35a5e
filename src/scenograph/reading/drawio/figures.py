"""The elements for cells: FIGURES, a row for each plain shape of draw.io; stencils and pictures besides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from scenograph.reading.drawio.cells import Cell, number
from scenograph.reading.drawio.labels import side_of_label
from scenograph.reading.drawio.marks import marked_members
from scenograph.reading.drawio.painting import is_seen
from scenograph.reading.drawio.stencils import Stencil, Stencils
from scenograph.scene.image_data import check_image
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import LIMITS

# Block arrows as pictograms: ARROWS, a row for each shape with its icons pointing right, down, left and up.


_Turns = tuple[str, str, str, str]
_ONE_WAY: _Turns = ("arrow-right", "arrow-down", "arrow-left", "arrow-up")
_TWO_WAYS: _Turns = ("move-horizontal", "move-vertical", "move-horizontal", "move-vertical")
_BACK: _Turns = ("undo-2", "undo-2", "redo-2", "redo-2")
ARROWS: Mapping[str, _Turns] = {
    "singleArrow": _ONE_WAY,
    "doubleArrow": _TWO_WAYS,
    "mxgraph.arrows.arrow_right": _ONE_WAY,
    "mxgraph.arrows.arrow_left": (*_ONE_WAY[2:], *_ONE_WAY[:2]),
    "mxgraph.arrows.arrow_up": (*_ONE_WAY[3:], *_ONE_WAY[:3]),
    "mxgraph.arrows.arrow_down": (*_ONE_WAY[1:], *_ONE_WAY[:1]),
    "mxgraph.arrows.two_way_arrow_horizontal": _TWO_WAYS,
    "mxgraph.arrows.two_way_arrow_vertical": (*_TWO_WAYS[1:], *_TWO_WAYS[:1]),
    "mxgraph.arrows2.arrow": _ONE_WAY,
    "mxgraph.arrows2.stylisedArrow": _ONE_WAY,
    "mxgraph.arrows2.twoWayArrow": _TWO_WAYS,
    "mxgraph.arrows2.uTurnArrow": _BACK,
    "mxgraph.lean_mapping.push_arrow": _ONE_WAY,
}
_DIRECTIONS: Mapping[str, int] = {"east": 0, "south": 1, "west": 2, "north": 3}
_QUARTER = 90.0  # degrees


def arrow_of(style: Mapping[str, str]) -> str | None:
    """The icon of a block arrow with its rotation; None for any other style."""
    turns = ARROWS.get(style.get("shape", ""))
    if turns is None:
        return None
    quarters = round(number(style.get("rotation", "")) / _QUARTER)
    mirrored = 2 * (style.get("flipH") == "1")
    return f"lucide:{turns[(_DIRECTIONS.get(style.get('direction', ''), 0) + quarters + mirrored) % 4]}"


# Pictures that a file holds itself: data URLs of raster images, within the limits of a document. Nothing is fetched
# (R-IN-9).


# draw.io omits ";base64", whose semicolon would end the style member.
_DATA = re.compile(r"data:(image/(?:png|jpe?g|gif|webp))(?:;base64)?,")


def raster_of(style: Mapping[str, str]) -> str | None:
    """The picture in a style as a data: URI; None if absent or not permitted in documents."""
    said = style.get("image", "")
    head = _DATA.match(said)
    if head is None:
        return None
    mime_type, data = head[1].replace("jpg", "jpeg"), said[head.end() :]
    data += "=" * (-len(data) % 4)
    return None if check_image(mime_type, data, LIMITS) else f"data:{mime_type};base64,{data}"


def _outlined(shape: str, *names: str, node_type: str | None = None) -> dict[str, JsonObject]:
    typed = {} if node_type is None else {"nodeType": node_type}
    return {name: {"shape": shape, **typed} for name in names}


def _typed(node_type: str, *names: str) -> dict[str, JsonObject]:
    return {name: {"nodeType": node_type} for name in names}


FIGURES: Mapping[str, JsonObject] = {
    **_outlined("rect", "rect", "rectangle", "label", "process", "partialRectangle", "mxgraph.basic.rect"),
    **_outlined("rect", "mxgraph.bootstrap.rect", "mxgraph.flowchart.process", "mxgraph.gcp2.doubleRect"),
    **_outlined("rect", "mxgraph.gcp2.google_cloud_platform", "mxgraph.er.entity", "ext", "internalStorage", "plaque"),
    **_outlined("roundedRect", "mxgraph.bootstrap.rrect", "mxgraph.bpmn.task", "mxgraph.aws.groups.rrect"),
    **_outlined("roundedRect", "mxgraph.c4.person", "mxgraph.c4.person2", node_type="user"),
    **_outlined("ellipse", "ellipse", "doubleEllipse", "mxgraph.flowchart.start_1", "mxgraph.flowchart.start_2"),
    **_outlined("ellipse", "mxgraph.flowchart.on-page_reference", "orEllipse", "sumEllipse", "lineEllipse", "waypoint"),
    **_outlined("ellipse", "mxgraph.basic.oval_callout"),
    **_outlined("pill", "mxgraph.flowchart.terminator"),
    **_outlined("diamond", "rhombus", "mxgraph.flowchart.decision", "mxgraph.er.has"),
    **_outlined("cylinder", "cylinder", "cylinder2", "cylinder3", "datastore", "dataStorage", node_type="database"),
    **_outlined("cylinder", "mxgraph.flowchart.database", "mxgraph.infographic.cylinder", node_type="database"),
    **_outlined("cylinder", "mxgraph.flowchart.stored_data", node_type="database"),
    **_outlined("tube", "mxgraph.flowchart.direct_data", node_type="queue"),
    **_outlined("hexagon", "hexagon", "mxgraph.flowchart.preparation", "loopLimit"),
    **_outlined("parallelogram", "parallelogram", "mxgraph.flowchart.data", "manualInput", "step", "trapezoid"),
    **_outlined("cloud", "cloud"),
    **_outlined("textBox", "text"),
    **_outlined("box3d", "cube", "isoCube", "isoCube2", "mxgraph.infographic.shadedCube"),
    **_typed("user", "actor", "mxgraph.bpmn.user", "mxgraph.archimate3.actor"),
    **_typed("actor", "umlActor"),
    **_typed("note", "note", "note2", "document", "mxgraph.flowchart.document"),
    **_typed("component", "component", "module", "mxgraph.archimate3.component"),
    **_typed("state.initial", "startState"),
    **_typed("state.final", "endState", "mxgraph.sysml.actFinal"),
    **_typed("workflow.userTask", "mxgraph.bpmn.user_task"),
    **_typed("workflow.serviceTask", "mxgraph.bpmn.service_task"),
    **_typed("workflow.dataObject", "mxgraph.bpmn.data", "mxgraph.bpmn.data2"),
}

BOXES = frozenset(
    {"", "rect", "rectangle", "label", "swimlane", "group", "table", "tableRow", "mxgraph.basic.rect", "umlFrame"}
)
"""Shapes that a frame can stand for, besides the boxes among the stencils."""

_PLAIN = frozenset({*BOXES, "process", "partialRectangle", "line"})
"""Shapes drawn exactly without a row."""

_NAMED = frozenset({*FIGURES, *BOXES, "line", "image"})
_LABELLED_BELOW = frozenset({"user", "actor", "workflow.start", "workflow.end", "state.initial", "state.final"})
_BPMN = frozenset({"mxgraph.bpmn.shape", "mxgraph.bpmn.event", "mxgraph.bpmn.gateway2", "mxgraph.bpmn.gateway"})
_GATES: Mapping[str, str] = {
    "exclusiveGw": "workflow.gateway",
    "complexGw": "workflow.gateway",
    "parallelGw": "workflow.gatewayParallel",
    "parallel": "workflow.gatewayParallel",
    "inclusiveGw": "workflow.gatewayInclusive",
    "inclusive": "workflow.gatewayInclusive",
}
_EVENTS: Mapping[str, str] = {
    "timer": "workflow.timer",
    "error": "workflow.error",
    "message": "workflow.messageStart",
    "terminate": "workflow.terminate",
    "terminate2": "workflow.terminate",
    "signal": "workflow.signal",
}


class CellFigure(NamedTuple):
    """The element of a cell: `kind`, members from its shape, its stencil, its picture, and the side of a separate
    label. `formless` is the name of a shape without an equivalent."""

    kind: str
    members: JsonObject
    stencil: Stencil | None = None
    picture: str = ""
    side: str | None = None
    formless: str = ""


def figure_of(cell: Cell, stencils: Stencils, *, is_end: bool) -> CellFigure:
    """The figure of a cell other than a frame. `is_end`: connectors end at the cell, which must be a box."""
    style = cell.style
    own = marked_members(style, stencils)
    if own.keys() & {"nodeType", "icon"}:
        return CellFigure("node", own)
    side = side_of_label(style) if is_seen(style) else None
    picture = raster_of(style) if named_figure(style) == "image" else None
    if picture is not None:
        return CellFigure("image", {}, picture=picture, side=side or "below")
    stencil = stencils.named(style, cell.label)
    if stencil is not None and not stencil.is_box:
        return _pictogram(stencil, cell, side_of_label(style))
    arrow = arrow_of(style) if not cell.label and max(cell.size) <= _LARGEST_ARROW else None
    if arrow is not None and stencils.knows(arrow):
        return CellFigure("node", {"icon": arrow, "shape": "iconBox"})
    named = named_figure(style)
    if named == "text" and not is_end and not is_seen(style, "none"):
        return CellFigure("text", {})
    known = bpmn_type(style)
    members: JsonObject = {"nodeType": known} if known else FIGURES.get(named, {"shape": _box(style)})
    if members.get("shape") == "rect":
        members = {"shape": _box(style)}
    if members.get("shape") == "cylinder" and style.get("direction") in _LYING:
        members = {"shape": "tube", "nodeType": "queue"}
    if ("shape" not in members and members.get("nodeType") in _LABELLED_BELOW) or known:
        side = None if side == "below" else side
    members = members | own
    is_known = known or named in FIGURES or named in _PLAIN or stencil is not None
    return CellFigure("node", members, stencil, side=side, formless="" if is_known else named)


def _box(style: Mapping[str, str]) -> str:
    return "roundedRect" if style.get("rounded") == "1" else "rect"


def _pictogram(stencil: Stencil, cell: Cell, side: str | None) -> CellFigure:
    """A device or an icon in its original size. The label of a small device, or of a vendor's icon, stands below as
    part of the node; a larger device with a label would be drawn as a box around it."""
    below = side in {None, "below"}
    formless = "" if stencil.is_known else cell.style.get("shape", "") or "image"
    if not stencil.is_icon:
        own = side is None if stencil.key == _CLOUD else below and cell.size[0] < _LABELLED_BOX
        side = None if own else side or "below"
        return CellFigure("node", {"nodeType": stencil.key}, stencil, side=side, formless=formless)
    shows_below = below and stencil.key.partition(":")[0] in VENDORS
    is_blank = not stencil.is_known and min(cell.size) > _LARGEST_BLANK
    shape = {} if stencil.key.partition(":")[0] in VENDORS else {"shape": "rect" if is_blank else "iconBox"}
    side = None if shows_below else side or "below"
    return CellFigure("node", {"icon": stencil.key, **shape}, stencil, side=side, formless=formless)


_LARGEST_ARROW = 72.0  # px: a larger arrow keeps its colour as a shape
_LARGEST_BLANK = 72.0  # px: a larger unknown picture shows its box
_LABELLED_BOX = 72.0  # px: in a wider box a device contains its label
_CLOUD = "network.cloud"
VENDORS = frozenset({"aws", "gcp", "azure"})
"""Icon sets drawn without a box, with the label below."""
_LYING = frozenset({"north", "south"})


def bpmn_type(style: Mapping[str, str]) -> str | None:
    """The type of a BPMN event or gateway; None for any other style."""
    if style.get("shape") not in _BPMN:
        return None
    symbol, gate = style.get("symbol", "general"), style.get("gwType", "")
    if symbol in _GATES or gate or "gateway" in style["shape"]:
        return _GATES.get(gate) or _GATES.get(symbol, "workflow.gateway")
    is_end = style.get("outline") in {"end", "throwing"}
    if symbol == "message" and is_end:
        return "workflow.messageEnd"
    return _EVENTS.get(symbol) or ("workflow.end" if is_end else "workflow.start")


def named_figure(style: Mapping[str, str]) -> str:
    """The shape of a cell: the member `shape`, or the name of the base style."""
    return style.get("shape") or next((name for name in style if style[name] == "" and name in _NAMED), "")
