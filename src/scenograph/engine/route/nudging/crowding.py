"""Channels with too little room: strangers that still lie too close to each other once all lines were nudged.

In: drafts that have been spread. Out: the pairs, and, where another way is worth it, drafts that leave their channel.
What is left is remarked. px.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

from scenograph.diagnostics import EDGE_CHANNEL_CROWDED, Report
from scenograph.engine.effort import Effort
from scenograph.engine.geometry.segments import length
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.runs import Corners, runs_of_routes
from scenograph.engine.route.costs import CROWDED, CROWDED_LENGTH
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.pathfinder import Pathfinder
from scenograph.engine.route.courses.rerouting import Rerouting, movable
from scenograph.engine.route.nudging.spreading import NEIGHBOURS, near_pairs
from scenograph.engine.route.problem import Channel, Crowding

TELLABLE = 6.0  # strangers at less distance look like one line
TOGETHER = 8.0  # shorter stretches only pass each other
MOST_MOVED = 48  # lines of one scene that are tried elsewhere
ONE_LINE = 1e-3  # px; rounding


def crowdings(drafts: Sequence[Draft], most: int = NEIGHBOURS) -> list[Crowding]:
    """The pairs of strangers that lie too close; of each run with about so many others at most."""
    return [found for across in (0, 1) for found in _along(drafts, across, most)]


def _along(drafts: Sequence[Draft], across: int, most: int) -> Iterator[Crowding]:
    drawn: list[tuple[int, Corners]] = [
        (number, draft.points) for number, draft in enumerate(drafts) if draft.start is not None
    ]
    runs = runs_of_routes(drawn, across)
    for a, b in near_pairs(runs, most):
        one, other = runs[a], runs[b]
        gap = abs(one.position - other.position)
        is_close = gap < TELLABLE - ONE_LINE and min(one.high, other.high) - max(one.low, other.low) > TOGETHER
        if is_close and _are_strangers(drafts[one.draft], drafts[other.draft]):
            low, high = max(one.low, other.low), min(one.high, other.high)
            near = min(one.position, other.position) - TELLABLE
            far = max(one.position, other.position) + TELLABLE
            bounds = Bounds(low, near, high, far) if across else Bounds(near, low, far, high)
            yield Crowding(one.draft, other.draft, gap, Channel(bounds, 1 - across))


def _are_strangers(one: Draft, other: Draft) -> bool:
    """Whether two lines may be told apart: not those of one fan, nor those that meet in one point of an outline."""
    fan = one.connection.fan
    return (fan is None or fan != other.connection.fan) and not {one.points[0], one.points[-1]} & {
        other.points[0],
        other.points[-1],
    }


def _price(channel: Channel) -> float:
    """What it costs to run in a channel that is too narrow."""
    bounds, axis = channel
    return CROWDED + CROWDED_LENGTH * (bounds[axis + 2] - bounds[axis])


def relieve(drafts: Sequence[Draft], crowded: Sequence[Crowding], finder: Pathfinder, effort: Effort) -> set[int]:
    """Send lines out of the crowded channels where that costs less than the crowd; those that went."""
    free = set(movable(drafts)) if crowded else set[int]()
    found = [one for one in crowded if one.one in free or one.other in free]
    if not found:
        return set()
    rerouting = Rerouting(drafts, finder, effort)
    channels: dict[int, list[tuple[int, Channel]]] = {}
    for crowding in found:
        channels.setdefault(crowding.one, []).append((crowding.other, crowding.channel))
        channels.setdefault(crowding.other, []).append((crowding.one, crowding.channel))
    gone: set[int] = set()
    for number in sorted(channels, key=lambda number: (length(drafts[number].points), number))[:MOST_MOVED]:
        narrow = [channel for other, channel in channels[number] if other not in gone]
        if narrow and rerouting.leaves(number, narrow, fsum(map(_price, narrow))):
            gone.add(number)
    return gone


def report_crowded(found: Sequence[Crowding], names: Sequence[str], report: Report) -> None:
    """One remark for all lines that stayed too close to another; `names` are the ids of the lines."""
    if not found:
        return
    edges = sorted({names[number] for one in found for number in (one.one, one.other)})
    report.add(
        EDGE_CHANNEL_CROWDED,
        path="/elements",
        data={"edgeIds": edges, "px": round(min(one.gap for one in found), 2)},
        count=len(edges),
        clearance=int(TELLABLE),
    )
