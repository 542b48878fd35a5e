"""ALGORITHMS: every layout strategy by its name in the document, with the direction it takes when none is declared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.place.force import force_directed
from scenograph.engine.place.grid import grid
from scenograph.engine.place.hierarchical import flow, hierarchical
from scenograph.engine.place.incremental import BY_THREES, GROWING, Steps
from scenograph.engine.place.nesting import RANKINGS, Ranking
from scenograph.engine.place.subgraph import Arrange


class Algorithm(NamedTuple):
    """One row: how a level is arranged; `direction` None leaves the default to the diagram family; `layered`: whether
    the order across the flow is free, so that crossings may be taken out; `joined`: by which steps the last few of many
    elements are inserted into the layout of the others, so that one more moves little; None: all are set at once.
    `ranking`: how the children of containers are ranked where it takes ranks and their order from outside, settled for
    all containers at once; None where it does not.
    """

    arrange: Arrange
    direction: str | None = None
    layered: bool = False
    ranking: Ranking | None = None
    joined: Steps | None = None


ALGORITHMS: Mapping[str, Algorithm] = {
    "hierarchical": Algorithm(hierarchical, layered=True, ranking=RANKINGS[0], joined=GROWING),
    "flow": Algorithm(flow, direction="LR", layered=True, joined=GROWING),
    "grid": Algorithm(grid),
    "forceDirected": Algorithm(force_directed, joined=BY_THREES),
}
