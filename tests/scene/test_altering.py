"""A record with other members is like one that was made with them."""

from __future__ import annotations

import pytest

from scenograph.late_dataclasses import FrozenInstanceError, replace
from scenograph.scene.altering import altered, maker
from scenograph.scene.model import Edge, Endpoint, Node

EDGE = Edge(id="e", kind="edge", source=Endpoint(element_id="a"), target=Endpoint(element_id="b"), z_index=2.0)


def test_an_altered_record_has_the_new_members_and_all_others() -> None:
    assert altered(EDGE, label="x", z_index=3.0) == replace(EDGE, label="x", z_index=3.0)
    assert altered(Node(id="n", kind="node"), shape="rect") == Node(id="n", kind="node", shape="rect")


def test_the_record_itself_stays_as_it_was_and_the_new_one_is_frozen() -> None:
    made = altered(EDGE, label="x")
    assert EDGE.label is None
    with pytest.raises(FrozenInstanceError):
        made.label = "y"  # type: ignore[misc]


def test_a_member_that_a_record_does_not_have_is_refused() -> None:
    with pytest.raises(AttributeError):
        altered(EDGE, shape="rect")


def test_a_record_made_of_its_members_is_like_one_that_its_class_made() -> None:
    members = {"id": "n", "kind": "node", "label": "A"}
    made, called = maker(Node)(members), Node(id="n", kind="node", label="A")
    assert (made, repr(made)) == (called, repr(called))
    assert replace(made, label="B") == replace(called, label="B")
    with pytest.raises(FrozenInstanceError):
        made.label = "y"  # type: ignore[misc]


def test_a_record_keeps_no_hold_on_the_members_it_was_made_of() -> None:
    members = {"id": "n", "kind": "node"}
    made = maker(Node)(members)
    members["id"] = "m"
    assert made.id == "n"
