"""The one table of costs, px of length: prices of bends, crossings, sides and company, and the clearance of lines.

Every comparison of two courses or two layouts uses this table, like the penalties of libavoid. Rule R-ROUTE-4. The
place of an inserted element is judged before any route: the prices of its straight lines stand at the end.
"""

from __future__ import annotations

from typing import Final

CLEARANCE: Final = 16.0
"""Between a line and a foreign node (R-ROUTE-3)."""

KEPT_CLEARANCE: Final = CLEARANCE - 0.1
"""The clearance of a line kept from a former picture, less what rounding takes."""

BEND: Final = 20.0
"""A turn of 90 degrees."""

CROSSING: Final = 200.0
"""A crossing with another line."""

STRAIGHT_CROSSING: Final = CROSSING
"""A crossing of the straight lines between boxes, for judging a layout before routing."""

SEEN_CROSSING: Final = 2 * CROSSING
"""A crossing of routed lines, in the comparison of two layouts of a whole scene: routing has already taken every
cheaper detour, and no place has to stay. After an edit, which must move little, a crossing costs `CROSSING`."""

CROWDED: Final = 150.0
"""A stranger that runs beside the line at less than 6 px, whatever the length."""

CROWDED_LENGTH: Final = 0.3
"""Each px of crowding."""

ALONG_CHANNEL: Final = 25.0
"""Each px along a channel an edge is rerouted out of. Crossing the channel is free; 8 px along, beyond mere passing of
two lines, cost as much as a crossing."""

BESIDE_BORDER: Final = 0.25
"""Each px beside the border of a frame, at less than 16 px: what goes round in a frame, between border and title,
costs with the way that it is longer more than crossing a line."""

GRAZE: Final = 1000.0
"""Brushing past a stranger's box."""

OFF_STRAIGHT: Final = 100.0
"""Giving up a straight line: straight lines are easiest to follow, and not all crossings before nudging are real
yet."""

CRAMPED_LABEL: Final = 800.0
"""A straight line in a gap too narrow for its label, which would stand off the line: more than a bracket past both
boxes by already crowded sides."""

WORTH_A_CHANGE: Final = 1.0
"""The least saving of a change, px: less is rounding, and turns lines over for nothing."""

STRAIGHT: Final = 2
"""Corners of a straight line."""

OFF_TRUNK: Final = 150.0
"""One more line with an equal label beside a trunk: less than a crossing, more than two bends and the way round a small
box."""


def off_trunk(corners: int) -> float:
    """The price of staying out of a trunk with `corners` points, ends included: less for a straight route."""
    return OFF_TRUNK - OFF_STRAIGHT if corners == STRAIGHT else OFF_TRUNK


OWN_VERTEX: Final = 130.0
"""Sharing a vertex with lines of one direction, all coming or all going."""

NO_FORK: Final = 520.0
"""Sharing a vertex between coming and going lines: two of these cannot meet in the point, one would end on the
slope."""

CRAMPED_MARKER: Final = 60.0
"""A corner too near to an end for the end's marker."""

BEHIND_LABEL: Final = 15.0
"""Running behind the label of an end."""

WINDING: Final = 40.0
"""Going round an obstacle and back into the straight path, instead of a bracket: half the breadth of a box at either
end, the extra length of the bracket."""

BESIDE_MIDDLES: Final = 15.0
"""A straight line off the middles of its sides, or an anchor off the middle of its side: acceptable for a straight
line, or without a free alternative."""

BESIDE: Final = 60.0
"""A side across the direction to the far end."""

AWAY: Final = 90.0
"""A side turned away from the far end."""

LAST_RESORT: Final = 80.0
"""What no side costs more than once full clearance is at stake."""

OFF_FLOW: Final = 40.0
"""The facing side across the main way of the picture."""

SECOND_SOURCE: Final = 10.0
"""The facing side across the longer way, at the source."""

SECOND_TARGET: Final = 30.0
"""The same at the target."""

FRAME_GROWTH: Final = 2.0
"""Each px that a frame would have to grow for the label of a line to its own content: a line with room costs less."""

CROWDED_SIDE: Final = 80.0
"""Ending at a full side, for each line beyond the side's room."""

GOOD_SIDES: Final = 30.0
"""The greatest extra cost of a side over the best, for simple paths."""

# The place of an inserted element (`place/incremental/making_room.py`), by straight lines to its neighbours. A straight
# line says less than a route, whose bends and ways round are known: a bend costs more here, a crossing less.

INSERTED_BEND: Final = 1.5 * BEND
"""A neighbour out of line."""

INSERTED_CROSSING: Final = 0.4 * CROSSING
"""A crossing of the straight line to an inserted element."""

INSERTED_BESIDE: Final = 1.2 * CROSSING
"""A line within a rank, to a neighbour beside."""

INSERTED_AGAINST: Final = 6 * CROSSING
"""A line against the flow."""

INSERTED_THROUGH: Final = 0.6 * CROSSING
"""A box in the way of a line."""

OUT_OF_TURN: Final = INSERTED_CROSSING
"""A place before the earlier elements of a row."""

OFF_LINE: Final = BEND
"""A row of its own."""

OUTGROWN: Final = 2.5 * CROSSING
"""Content grown into full surroundings."""

OUTGROWTH: Final = 2.0
"""Each px of growth into full surroundings."""

INSERTED_GROWTH: Final = 0.5
"""Each px of growth into free room."""
