"""Places on one axis that keep their separations and move least."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.projection import Separation, separated

CLOSE = 1e-6


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[float], list[float], list[Separation]]:
    """Wishes, weights, and separations that agree with one order."""
    count = draw(st.integers(2, 7))
    order = draw(st.permutations(range(count)))
    wishes = [float(draw(st.integers(0, 300))) for _ in range(count)]
    weights = [float(draw(st.sampled_from([1, 1, 5, 100]))) for _ in range(count)]
    pair = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda ends: ends[0] < ends[1])
    pairs = draw(st.lists(pair, max_size=10))
    return wishes, weights, [Separation(order[low], order[high], draw(st.integers(0, 90))) for low, high in pairs]


def by_dual_ascent(wishes: list[float], weights: list[float], separations: list[Separation]) -> list[float]:
    """The same by another way, slow and plain (Hildreth, 1957)."""
    places, pulls = list(wishes), [0.0] * len(separations)
    for _ in range(20_000):
        change = 0.0
        for number, (low, high, gap) in enumerate(separations):
            step = (places[low] + gap - places[high]) / (1 / weights[low] + 1 / weights[high])
            step = max(step, -pulls[number])
            pulls[number] += step
            places[low] -= step / weights[low]
            places[high] += step / weights[high]
            change = max(change, abs(step))
        if change < CLOSE / 100:
            break
    return places


@given(problems())
def test_all_separations_hold_and_no_places_are_nearer_to_the_wishes(
    problem: tuple[list[float], list[float], list[Separation]],
) -> None:
    places = separated(*problem)
    assert all(places[high] - places[low] >= gap - CLOSE for low, high, gap in problem[2])
    assert places == pytest.approx(by_dual_ascent(*problem), abs=0.01)


def test_what_keeps_its_separations_stays_to_the_last_digit() -> None:
    wishes = [0.1, 0.2 + 0.1, 77.7]
    assert separated(wishes, [1, 1, 1], [Separation(0, 1, 0.1), Separation(1, 2, 50)]) == wishes


def test_two_that_contradict_each_other_do_not_stop_the_third() -> None:
    places = separated([0, 0, 0], [1, 1, 1], [Separation(0, 1, 10), Separation(1, 0, 10), Separation(1, 2, 10)])
    assert places[2] - places[1] == pytest.approx(10)
