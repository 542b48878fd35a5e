"""The one table of costs, px of length: prices of bends, crossings, sides and company, and the clearance of lines.

Every comparison of two courses or two layouts uses this table, like the penalties of libavoid. Rule R-ROUTE-4.
"""

from __future__ import annotations

from typing import Final

CLEARANCE: Final = 16.0
"""Between a line and a node that is not its own (R-ROUTE-3)."""

KEPT_CLEARANCE: Final = CLEARANCE - 0.1
"""The clearance of a line kept from a former picture, less what rounding takes."""

BEND: Final = 20.0
"""A turn of 90 degrees."""

CROSSING: Final = 200.0
"""Another line that is crossed."""

STRAIGHT_CROSSING: Final = CROSSING
"""A crossing of the straight lines between boxes, by which a layout is judged before its lines are routed."""

SEEN_CROSSING: Final = 2 * CROSSING
"""A crossing of routed lines, in the comparison of two layouts of a whole scene: routing has already taken every
cheaper detour, and no place has to stay. After an edit, which must move little, a crossing costs `CROSSING`."""

INSERTED_CROSSING: Final = 0.4 * CROSSING
"""A crossing of the straight line to an inserted element, whose place is judged before any route."""

CROWDED: Final = 150.0
"""A stranger that runs beside the line at less than 6 px, whatever the length,"""

CROWDED_LENGTH: Final = 0.3
"""and for each px of that."""

ALONG_CHANNEL: Final = 25.0
"""Each px along a channel that a line is sent out of. It may be crossed; a stretch of 8 px, beside which two lines do
not only pass each other, costs as much as a crossing."""

BESIDE_BORDER: Final = 0.25
"""Each px beside the border of a frame, at less than 16 px: what goes round in a frame, between border and title,
costs with the way that it is longer more than crossing a line."""

GRAZE: Final = 1000.0
"""Brushing past a stranger's box."""

OFF_STRAIGHT: Final = 100.0
"""Leaving a straight line: it is the easiest to follow, and not all that it crosses before nudging is real yet."""

CRAMPED_LABEL: Final = 800.0
"""A straight line in a gap that is too narrow for its label, which would stand away from it: more than a bracket past
both boxes costs, by sides across the way that are crowded already."""

WORTH_A_CHANGE: Final = 1.0
"""What a change must save at the least."""

STRAIGHT: Final = 2
"""Corners of a straight line."""

OFF_TRUNK: Final = 150.0
"""One more line with an equal label beside a trunk: less than a crossing, more than two bends and the way round a small
box."""


def off_trunk(corners: int) -> float:
    """The price of staying out of a trunk with `corners` points, ends included: less for a straight route."""
    return OFF_TRUNK - OFF_STRAIGHT if corners == STRAIGHT else OFF_TRUNK


OWN_VERTEX: Final = 130.0
"""Sharing a vertex with others that come, or with others that go."""

NO_FORK: Final = 520.0
"""Sharing a vertex where lines come and go: they cannot meet in the point, one would end on the slope."""

CRAMPED_MARKER: Final = 60.0
"""A corner so near to an end that its marker has no room before it."""

BEHIND_LABEL: Final = 15.0
"""Running behind the label of an end."""

WINDING: Final = 40.0
"""Going round what bars the straight way and coming back into it, where a bracket would do: half the breadth of a box
at either end, by which the bracket is longer."""

BESIDE_MIDDLES: Final = 15.0
"""A straight line beside the place that the middles of its sides give it, or an anchor beside the middle of its side:
worth it for a straight line, or where nothing else is free."""

BESIDE: Final = 60.0
"""A side across the way to the other end."""

AWAY: Final = 90.0
"""A side that is turned away from the other end."""

LAST_RESORT: Final = 80.0
"""What no side costs more than once full clearance is at stake."""

OFF_FLOW: Final = 40.0
"""The facing side across the main way of the picture."""

SECOND_SOURCE: Final = 10.0
"""The facing side across the longer way, at the source."""

SECOND_TARGET: Final = 30.0
"""The same at the target."""

CROWDED_SIDE: Final = 80.0
"""Ending at a side, for each line there beyond those for which it has room."""

GOOD_SIDES: Final = 30.0
"""Simple paths take sides that cost less than this beyond the best ones."""
