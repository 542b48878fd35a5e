"""Ids by their numbers: what a person takes for the lowest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.route.fan_in import natural_key

names = st.text("e0129-", min_size=1, max_size=8)


def test_numbers_count_as_numbers() -> None:
    ids = ["e10", "e2", "e", "e1-b", "f", "e1", "e02", "e1-a", "E3"]
    assert sorted(ids, key=natural_key) == ["E3", "e", "e1", "e1-a", "e1-b", "e02", "e2", "e10", "f"]


@given(one=names, other=names)
def test_two_ids_never_share_a_place(one: str, other: str) -> None:
    assert (natural_key(one) == natural_key(other)) == (one == other)
