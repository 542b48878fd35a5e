"""A named tuple that is made of its members in a row is like one that its class makes."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Box, Point, maker


def test_a_named_tuple_is_made_of_its_members_in_their_order() -> None:
    made = maker(Point)((1.0, 2.0))
    assert made == Point(1.0, 2.0)
    assert type(made) is Point
    assert maker(Box)((1.0, 2.0, 3.0, 4.0)).right == 4.0
