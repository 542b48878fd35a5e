"""Which new elements of a source are old ones under another name.

A table is the same when it has the same columns, a step when it has the same label. That is certain where nothing else
in the source looks like it; where a good part only is the same, it is proposed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from scenograph.scene.json_values import JsonObject, is_object, member

LEAST_COLUMNS = 2  # a table of one column looks like many others
ALIKE = 0.6  # the share of columns that a proposal needs
MOST_COMPARED = 200  # elements on either side that proposals are looked for among


class Rename(NamedTuple):
    """An element that is gone, the new one that it may be, and whether that is certain."""

    gone: JsonObject
    fresh: JsonObject
    certain: bool


def renames(gone: Sequence[JsonObject], fresh: Sequence[JsonObject], all_new: Sequence[JsonObject]) -> Iterator[Rename]:
    """The renames among all but edges: certain ones first. `all_new` is everything in the source."""
    wanted = [element for element in fresh if element["kind"] != "edge"]
    left = [element for element in gone if element["kind"] != "edge"]
    marks = Counter(_mark(element) for element in all_new)
    old_marks = Counter(_mark(element) for element in left)
    by_mark = {_mark(element): element for element in left}
    certain: list[str] = []
    for element in wanted:
        mark = _mark(element)
        if mark is not None and marks[mark] == 1 and old_marks[mark] == 1:
            found = by_mark[mark]
            certain += [element["id"], found["id"]]
            yield Rename(found, element, certain=True)
    yield from _proposals(
        [element for element in left if element["id"] not in certain][:MOST_COMPARED],
        [element for element in wanted if element["id"] not in certain][:MOST_COMPARED],
    )


def _mark(element: JsonObject) -> Hashable:
    """What tells an element from others but for its name; None where nothing does."""
    columns = _columns(element)
    if columns:
        return ("columns", element["kind"], tuple(sorted(columns))) if len(columns) >= LEAST_COLUMNS else None
    label = element.get("label") or element.get("title") or element.get("content")
    name = member(element, "metadata", "source", "id")
    if not label or label == name:
        return None
    return ("label", element["kind"], label, element.get("nodeType"), element.get("shape"))


def _columns(element: JsonObject) -> set[tuple[str, str]]:
    rows: Any = member(element, "extensions", "columns") or ()
    return {(str(row.get("name")), str(row.get("type", ""))) for row in rows if is_object(row)}


def _proposals(gone: Sequence[JsonObject], fresh: Sequence[JsonObject]) -> Iterator[Rename]:
    """The pairs of tables that share most columns, each table in one pair only."""
    taken: set[str] = set()
    for element in fresh:
        columns = _columns(element)
        ranked = [(_likeness(columns, _columns(one)), one) for one in gone if one["id"] not in taken]
        likeness, best = max(ranked, key=lambda row: row[0], default=(0.0, element))
        if likeness >= ALIKE:
            taken.add(best["id"])
            yield Rename(best, element, certain=False)


def _likeness(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
