"""Elements to be placed anew by a batch, regardless of kept places (R-OP-19, R-KEEP-10)."""

from __future__ import annotations

from typing import NamedTuple

from scenograph.scene.json_values import JsonObject, member
from scenograph.scene.model import LayoutStrategy
from scenograph.scene.reading import layout_strategy


class Relayout(NamedTuple):
    """The ids of these elements; with `every` all elements of the scene."""

    ids: frozenset[str] = frozenset()
    every: bool = False

    def joined(self, other: Relayout) -> Relayout:
        """The union of both."""
        return Relayout(self.ids | other.ids, self.every or other.every)


NO_RELAYOUT = Relayout()


def relaid_by_strategy(before: JsonObject, after: JsonObject) -> Relayout:
    """Every element, if the documents differ in algorithm, direction or page shape, or in the direction of a common
    frame; else none."""
    known, wanted = _directions(before), _directions(after)
    turned = any(known[frame] != wanted[frame] for frame in known.keys() & wanted.keys())
    return Relayout(every=turned or _way_to_lay_out(before) != _way_to_lay_out(after))


def _directions(document: JsonObject) -> dict[str, object]:
    frames = (one for one in document.get("elements", ()) if one.get("kind") == "frame")
    return {one["id"]: member(one, "extensions", "direction") for one in frames}


def _way_to_lay_out(document: JsonObject) -> tuple[str, str | None, float | None]:
    strategy = layout_strategy(document) or LayoutStrategy()
    return strategy.algorithm, strategy.direction, strategy.aspect_ratio
