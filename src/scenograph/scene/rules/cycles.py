"""Relative layouts that go round in a circle, also by way of the containers (R-VALID-7).

A container that is not fixed is as large as what is in it, and takes it along. So a layout ties together the two
elements that stand side by side in the nearest container around both: the one that is to be placed, or the container
of it, depends on the other, or the container of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from scenograph.scene.document_index import DocumentIndex, IndexEntry, target_of
from scenograph.scene.json_values import is_number, member
from scenograph.scene.nesting import ancestors

MOST_NAMES = 20_000  # in the circles of a document: each name on a way may close one, as long as the way


class LayoutDependency(NamedTuple):
    """`placed` refers to `target`; seen side by side, `behind` depends on `ahead`."""

    behind: str
    placed: str
    target: str
    ahead: str


def layout_cycles(index: DocumentIndex, nesting: int) -> Iterator[tuple[str, ...]]:
    """Every circle that a walk along the ties meets, once, until they have MOST_NAMES; it begins with what has the
    offending layout."""
    ties: dict[str, list[LayoutDependency]] = {}
    for entry in index.entries:
        tie = _tie(entry, index, nesting)
        if tie is None:
            continue
        if tie.behind == tie.ahead:
            yield (tie.placed,) if tie.placed == tie.target else (tie.placed, tie.target)
        else:
            ties.setdefault(tie.behind, []).append(tie)
    left = MOST_NAMES
    for way in _round_trips(ties):
        circle = tuple(dict.fromkeys(name for tie in way for name in (tie.placed, tie.target, tie.ahead)))
        yield circle
        left -= len(circle)
        if left < 0:
            return


def _tie(entry: IndexEntry, index: DocumentIndex, nesting: int) -> LayoutDependency | None:
    target = target_of(entry.members)
    if target is None or target not in index.by_id:
        return None
    own, other = (_way_up(name, index, nesting) for name in (entry.id, target))
    if target in own and target != entry.id:
        inside = member(entry.members, "layout", "relation") == "inside"
        fixed = any(map(_is_fixed, _between(own, target, index)))
        return None if inside or fixed else LayoutDependency(target, entry.id, target, target)
    if entry.id in other:
        return LayoutDependency(entry.id, entry.id, target, entry.id)
    shared = next((name for name in own if name in other), None)
    if any(_is_fixed(index.by_id[name]) for name in _below(own, shared)[1:]):
        return None
    return LayoutDependency(_below(own, shared)[-1], entry.id, target, _below(other, shared)[-1])


def _way_up(name: str, index: DocumentIndex, nesting: int) -> dict[str, None]:
    """An element and the containers around it; nothing beyond the nesting that is allowed."""
    return dict.fromkeys((name, *islice(ancestors(name, index.parents.get), nesting)))


def _between(way: Mapping[str, None], last: str, index: DocumentIndex) -> list[IndexEntry]:
    """The containers on a way up to and including `last`."""
    names = list(way)
    return [index.by_id[name] for name in names[1 : names.index(last) + 1]]


def _below(way: Mapping[str, None], shared: str | None) -> list[str]:
    names = list(way)
    return names if shared is None else names[: names.index(shared)]


def _is_fixed(entry: IndexEntry) -> bool:
    """Whether place and size are the author's, whatever is inside."""
    layout = entry.members.get("layout")
    sized = all(is_number(member(layout, name)) for name in ("width", "height"))
    return sized and member(layout, "mode") == "absolute"


def _round_trips(ties: Mapping[str, list[LayoutDependency]]) -> Iterator[list[LayoutDependency]]:
    """The circles that a depth-first walk closes."""
    done: set[str] = set()
    for start in ties:
        way: list[LayoutDependency] = []
        on_way: dict[str, int] = {start: 0}
        waiting = [(start, iter(ties[start] if start not in done else ()))]
        while waiting:
            here, following = waiting[-1]
            tie = next(following, None)
            if tie is None:
                waiting.pop()
                done.add(here)
                on_way.pop(here, None)
                del way[max(len(waiting) - 1, 0) :]
            elif tie.ahead in on_way:
                yield [*way[on_way[tie.ahead] :], tie]
            elif tie.ahead not in done:
                way.append(tie)
                on_way[tie.ahead] = len(way)
                waiting.append((tie.ahead, iter(ties.get(tie.ahead, ()))))
