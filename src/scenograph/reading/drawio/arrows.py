"""Block arrows as pictograms: ARROWS, a row for each shape with its icons pointing right, down, left and up."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.reading.drawio.cells import number

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
