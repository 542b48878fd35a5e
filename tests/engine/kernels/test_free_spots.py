"""Places that are free among others, and what they cost."""

from __future__ import annotations

from scenograph.engine.kernels.near_boxes import SpotCriteria, SpotPrices, free_spots

PRICES: SpotPrices = (30.0, 240.0, 1200.0, 80.0, 20.0, 0.5, 500.0, 2.0)


def test_the_nearest_free_places_come_first_on_every_height() -> None:
    shadow = (0.0, 100.0, 40.0, 60.0)
    assert free_spots(20.0, 10.0, [10.0], [35.0], [shadow]) == [(20.0, 10.0), (60.0, 10.0)]
    assert free_spots(20.0, 10.0, [200.0], [35.0], [shadow]) == [(35.0, 200.0)]


def test_further_wishes_are_taken_where_they_are_free() -> None:
    shadow = (0.0, 100.0, 40.0, 60.0)
    assert free_spots(20.0, 10.0, [10.0], [35.0, 0.0, 50.0], [shadow])[2:] == [(0.0, 10.0)]


def test_a_line_against_the_flow_costs_more_than_one_along_it() -> None:
    bounds, room, box = (0.0, 0.0, 500.0, 500.0), (1e9, 1e9, 1e9, 1e9), (100.0, 200.0, 50.0, 50.0)
    ground = SpotCriteria(bounds, room, {325.0, 125.0}, ([(box, 1.0)], []), PRICES)
    after, before = ground.cost((100.0, 300.0, 50.0, 50.0)), ground.cost((100.0, 100.0, 50.0, 50.0))
    assert after == 50.0
    assert before == 50.0 + 1200.0


def test_growing_beyond_the_free_room_costs_more_than_within_it() -> None:
    bounds = (0.0, 0.0, 100.0, 100.0)
    place = (50.0, 20.0, 100.0, 20.0)
    free = SpotCriteria(bounds, (0.0, 1000.0, 0.0, 0.0), {30.0}, ([], []), PRICES)
    full = SpotCriteria(bounds, (0.0, 0.0, 0.0, 0.0), {30.0}, ([], []), PRICES)
    assert free.cost(place) == 25.0
    assert full.cost(place) == 500.0 + 100.0
