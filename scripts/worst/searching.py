"""A random search for documents that cost more than their size allows.

Hypothesis makes small documents and is steered towards those whose layout takes the most calls of the engine's Python
functions for each byte: a count, the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import strategies as st

from scenograph.engine import pipeline
from scenograph.engine.place.algorithms import ALGORITHMS
from worst.crowds import scattered
from worst.measuring import size_of
from worst.parts import Json
from worst.wishes import mixed

MOST_NODES, MOST_EDGES, MOST_WISHES = 40, 160, 40


@st.composite
def documents(draw: st.DrawFn) -> Json:
    """A crowd of nodes with edges by chance, with constraints of every type or without."""
    algorithm = draw(st.sampled_from(sorted(ALGORITHMS)))
    nodes, edges = draw(st.integers(10, MOST_NODES)), draw(st.integers(0, MOST_EDGES))
    made = scattered(nodes, edges, algorithm, labels=draw(st.booleans()))
    wishes = draw(st.integers(0, MOST_WISHES))
    if not wishes:
        return made
    wished = mixed(wishes, 10)
    frames = [one for one in wished["elements"] if one["kind"] == "frame"]
    return made | {"elements": [*made["elements"], *frames], "constraints": wished["constraints"]}


def steps_of(document: Json) -> int:
    """How many calls of Python functions its layout takes when all caches are warm."""
    pipeline.lay_out(document)
    steps = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal steps
        steps += event == "call"

    sys.setprofile(count)
    try:
        pipeline.lay_out(document)
    finally:
        sys.setprofile(None)
    return steps


def search(examples: int) -> list[tuple[float, Json]]:
    """(steps for each byte, document) of as many examples, the worst first."""
    found: list[tuple[float, Json]] = []

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate, Phase.target),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(documents())
    def look(made: Json) -> None:
        rate = steps_of(made) / size_of(made)
        found.append((rate, made))
        target(rate)

    run: Callable[[], None] = look
    run()
    return sorted(found, key=lambda row: row[0], reverse=True)
