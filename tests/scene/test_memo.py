"""What is kept of earlier scenes is bounded, and given again only for the very same material."""

from __future__ import annotations

from scenograph.diagnostics import Report
from scenograph.late_dataclasses import replace
from scenograph.scene.memo import Latest, MadeOf, Remembered, exact_key, kept
from scenograph.scene.model import Node
from scenograph.scene.reading import read_scene


def test_a_value_that_is_asked_for_stays_while_others_go_out() -> None:
    kept = Latest[int, int](10)
    kept.put(0, 0)
    for number in range(1, 200):
        kept.put(number, number)
        assert kept.get(0) == 0
    assert kept.get(1) is None
    assert kept.get(199) == 199


def test_no_more_than_twice_as_many_as_promised_are_kept() -> None:
    kept = Latest[int, int](10)
    for number in range(200):
        kept.put(number, number)
    found = [number for number in range(200) if kept.get(number) is not None]
    assert found[-10:] == list(range(190, 200))
    assert len(found) <= 20


def test_what_was_made_of_another_object_or_other_material_is_not_given() -> None:
    kept, first, second = MadeOf[str](10), Node(id="a", kind="node"), Node(id="a", kind="node")
    kept.put(first, (1.0, "x"), "made")
    assert kept.get(first, (1.0, "x")) == "made"
    assert kept.get(second, (1.0, "x")) is None
    assert kept.get(first, (2.0, "x")) is None


def test_of_what_is_not_kept_itself_nothing_is_kept() -> None:
    made, first = Remembered[str](), Node(id="a", kind="node")
    assert made.put(first, (), "once") == "once"
    assert made.get(first) is None
    made.put(kept(first), (), "again")
    assert made.get(first) == "again"


def test_what_was_made_of_a_kept_object_is_given_for_equal_material_and_to_no_copy() -> None:
    made, other, first = Remembered[str](), Remembered[str](), kept(Node(id="a", kind="node"))
    made.put(first, (1.0, "x"), "made")
    assert made.get(first, (1.0, "x")) == "made"
    assert made.get(first, (2.0, "x")) is None
    assert other.get(first, (1.0, "x")) is None
    for copy in (replace(first), replace(first, label="A"), Node(id="a", kind="node")):
        assert made.get(copy, (1.0, "x")) is None


def _node(**members: object) -> Node:
    element = {"id": "a", "kind": "node", "nodeType": "service", "label": "A", **members}
    (node,) = read_scene({"elements": [element]}, Report()).elements
    assert isinstance(node, Node)
    return node


def test_an_element_that_is_read_again_is_the_same_object() -> None:
    assert _node() is _node()
    assert _node(label="B") is not _node()


def test_values_that_are_equal_but_not_the_same_are_read_apart() -> None:
    assert _node(visible=True).visible is True
    assert _node(visible=False).visible is False
    assert _node(visible=0).visible is True  # not a boolean: unsaid
    whole, broken = (_node(style={"strokeWidth": width}).style for width in (1, 1.0))
    assert whole is not broken


def test_an_element_with_its_authors_own_objects_is_kept_with_copies_of_them() -> None:
    metadata = {"owner": "me"}
    first = _node(metadata=metadata)
    assert _node(metadata={"owner": "me"}) is first
    metadata["owner"] = "you"
    assert first.metadata == {"owner": "me"}
    assert _node(metadata=metadata).metadata == {"owner": "you"}


def test_a_number_of_too_many_digits_is_read_like_any_other() -> None:
    assert _node(zIndex=10**5000) is not _node(zIndex=10**5000)


def test_a_key_tells_values_apart_that_are_equal_but_not_the_same() -> None:
    rows: list[object] = [1, 1.0, True, "1", 0.0, -0.0, None, [1], {"x": 1}, {"x": True}]
    assert len({exact_key(row) for row in rows}) == len(rows)


def test_the_same_value_has_the_same_key_whoever_made_it() -> None:
    words = "some words"
    assert exact_key({"a": words, "b": words}) == exact_key({"a": "".join(["some ", "words"]), "b": words})


def test_what_is_no_plain_json_has_no_key() -> None:
    nested: list[object] = []
    for _ in range(5000):
        nested = [nested]
    assert exact_key(object()) is exact_key(nested) is None
