"""What the placing of labels must know of each route.

In: finished drafts. Out: one `Labelled` an edge: its line as straight pieces, the size of its label, and, where one
label speaks for a whole trunk, the line cut where the last of the others joins it; where lines with labels of their own
meet, the stretch that each has for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import manhattan
from scenograph.engine.kernels.label_spots import TIP_ROOM, Labelled
from scenograph.engine.route.bundles.own_stretch import with_own_stretch
from scenograph.engine.route.courses.beneath import seen
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.problem import Connection, Fan

CHORDS = 7  # a curve is as good as so many straight pieces when its label is placed


def labelled(drafts: Sequence[Draft]) -> list[Labelled]:
    """One row for each draft, in the same order."""
    trunks, lines = _trunks(drafts), _lines(drafts)
    return [_row(draft, trunks, lines) for draft in drafts]


def _row(draft: Draft, trunks: dict[Fan, Point], lines: Mapping[Fan, list[Draft]]) -> Labelled:
    connection = draft.connection
    fan, points = connection.fan, seen(draft.drawn(CHORDS), connection.own_labels)
    own = None
    if fan is not None and connection.label[0]:
        points, own = with_own_stretch(points, [other.points for other in lines.get(fan, ()) if other is not draft])
    speaks = connection.speaks and draft.start is not None
    joint = trunks.get(fan) if speaks and fan is not None else None
    if joint is not None and joint != points[-2]:
        speaks = _carries(connection, joint, points[-1])
        points = (*points[:-1], joint, points[-1]) if speaks else points
    return Labelled(
        connection.number,
        points,
        *connection.label,
        is_curve=draft.router == "curved",
        tips=connection.tips,
        end_texts=connection.end_texts,
        trunk=fan.number if fan is not None and fan.gathers else None,
        speaks=speaks,
        own=own,
    )


def _lines(drafts: Sequence[Draft]) -> Mapping[Fan, list[Draft]]:
    """By fan, the lines that meet in one point though each has a label of its own."""
    found: dict[Fan, list[Draft]] = {}
    for draft in drafts:
        fan = draft.connection.fan
        if fan is not None and not fan.gathers and draft.start is not None:
            found.setdefault(fan, []).append(draft)
    return found


def _carries(connection: Connection, joint: Point, end: Point) -> bool:
    """Whether the label has room on the trunk, beside the marker."""
    needed = connection.label[0] if abs(joint.x - end.x) > abs(joint.y - end.y) else connection.label[1]
    return manhattan(joint, end) >= needed + connection.tips[1] + TIP_ROOM


def _trunks(drafts: Sequence[Draft]) -> dict[Fan, Point]:
    """Where on each trunk the last edge joins."""
    found: dict[Fan, Point] = {}
    for draft in drafts:
        fan = draft.connection.fan
        if fan is None or not fan.gathers or draft.start is None or len(draft.points) < 3:
            continue
        corner, end = draft.points[-2], draft.points[-1]
        if fan not in found or manhattan(corner, end) < manhattan(found[fan], end):
            found[fan] = corner
    return found
