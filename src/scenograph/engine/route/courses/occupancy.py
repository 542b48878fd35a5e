"""How many lines end at each side, and what one more costs there.

In: drafts. Out: for an anchor of a line the price of the side, px: it grows with the lines that are there beyond those
for which it has room. Rule R-ROUTE-22.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.route.costs import CROWDED_SIDE
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Connection, Fan

LEAST_GAP = 12.0  # px; between the ends of lines at one side: nearer ones are told apart with effort

Side = tuple[int, int, str]
"""An element, the row of it that is meant, and a side."""


class Occupancy:
    """The lines at all sides while some of them move. Those of one fan may end in one place and count as one line."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._at: dict[Side, dict[int | Fan, int]] = {}  # how often each line ends there
        for draft in drafts:
            self.add(draft, 1)

    def add(self, draft: Draft, by: int) -> None:
        """Count a line at the sides where it ends (`by` 1), or no longer (-1)."""
        line = _line(draft.connection)
        for end, anchor in enumerate((draft.start, draft.finish)):
            if anchor is not None:
                lines = self._at.setdefault(_side(draft.connection, anchor, end), {})
                count = lines.get(line, 0) + by
                if count:
                    lines[line] = count
                else:
                    del lines[line]

    def priced(self, connection: Connection) -> Connection:
        """The line with what its sides cost to it besides; it must not be counted there itself."""
        starts, finishes = (
            tuple([_dearer(anchor, self.price(connection, anchor, end)) for anchor in anchors])
            for end, anchors in enumerate((connection.starts, connection.finishes))
        )
        return connection._replace(starts=starts, finishes=finishes)

    def unpriced(self, connection: Connection, ends: tuple[Anchor, Anchor]) -> tuple[Anchor, Anchor]:
        """The anchors of a priced line as they were before."""
        start, finish = (_dearer(anchor, -self.price(connection, anchor, end)) for end, anchor in enumerate(ends))
        return start, finish

    def price(self, connection: Connection, anchor: Anchor, end: int) -> float:
        """What it costs to end at the side of an anchor; `end` 0 at the source, 1 at the target."""
        lines = self._at.get(_side(connection, anchor, end))
        return 0.0 if not lines or _line(connection) in lines else _price(len(lines), anchor)

    def paid(self, draft: Draft) -> float:
        """What a line that is counted pays for the sides where it ends."""
        line, total = _line(draft.connection), 0.0
        for end, anchor in enumerate((draft.start, draft.finish)):
            if anchor is not None:
                lines = self._at[_side(draft.connection, anchor, end)]
                if lines[line] == 1:  # else another of its fan ends there
                    total += _price(len(lines) - 1, anchor)
        return total


def _dearer(anchor: Anchor, by: float) -> Anchor:
    return anchor._replace(penalty=anchor.penalty + by) if by else anchor


def _price(others: int, anchor: Anchor) -> float:
    if not others or anchor.room_low == anchor.room_high:
        return 0.0
    more = others - int((anchor.room_high - anchor.room_low) / LEAST_GAP)
    return CROWDED_SIDE * more if more > 0 else 0.0


def _side(connection: Connection, anchor: Anchor, end: int) -> Side:
    return connection.target if end else connection.source, connection.rows[end], anchor.side


def _line(connection: Connection) -> int | Fan:
    return connection.number if connection.fan is None else connection.fan
