"""ALGORITHMS: every layout strategy by name, with the default direction of its flow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.geometry.directions import RIGHTWARDS
from scenograph.engine.place.force import force_directed
from scenograph.engine.place.grid import grid
from scenograph.engine.place.incremental.established import BY_THREES, GROWING, Steps
from scenograph.engine.place.layered.hierarchical import flow, hierarchical
from scenograph.engine.place.layered.nesting import RANKINGS, Ranking
from scenograph.engine.place.subgraph import Arrange


class Algorithm(NamedTuple):
    """One row: the arrangement of a level. `direction`: None leaves the default to the diagram family. `layered`: the
    order across the flow is free, so that crossings may be reduced. `joined`: the steps for inserting the last few of
    many elements into the layout of the rest, so that a new element moves little; None places all at once. `ranking`:
    the ranking of all containers' children, for algorithms that take ranks and orders settled for all containers at
    once; else None."""

    arrange: Arrange
    direction: str | None = None
    layered: bool = False
    ranking: Ranking | None = None
    joined: Steps | None = None


ALGORITHMS: Mapping[str, Algorithm] = {
    "hierarchical": Algorithm(hierarchical, layered=True, ranking=RANKINGS[0], joined=GROWING),
    "flow": Algorithm(flow, direction=RIGHTWARDS, layered=True, joined=GROWING),
    "grid": Algorithm(grid),
    "forceDirected": Algorithm(force_directed, joined=BY_THREES),
}
