"""What counts as a change between two documents."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from scenograph.scene.difference import Difference, changed_element_fields, difference
from scenograph.scene.document_index import authored

Json = dict[str, Any]
Make = Callable[..., Json]


def test_added_removed_and_modified_are_sorted_ids(shop: Json) -> None:
    new = copy.deepcopy(shop)
    new["elements"] = [element for element in new["elements"] if element["id"] not in {"calls", "reads"}]
    new["elements"][0]["label"] = "Site"
    new["elements"] += [{"id": "z", "kind": "node"}, {"id": "k", "kind": "node"}]
    assert difference(shop, new) == Difference(added=("k", "z"), removed=("calls", "reads"), modified=("web",))
    assert difference(shop, new).changed_ids == ("calls", "k", "reads", "web", "z")


def test_a_copy_is_no_change(shop: Json) -> None:
    assert difference(shop, copy.deepcopy(shop)) == Difference()


def test_the_order_of_members_and_the_way_a_number_is_written_are_no_change(document: Make) -> None:
    old = document({"id": "a", "kind": "node", "zIndex": 1, "metadata": {"x": 1, "y": [2]}})
    new = document({"zIndex": 1.0, "metadata": {"y": [2.0], "x": 1}, "kind": "node", "id": "a"})
    assert difference(old, new) == Difference()


def test_true_is_not_one(document: Make) -> None:
    old = document({"id": "a", "kind": "node", "metadata": {"x": 1}})
    new = document({"id": "a", "kind": "node", "metadata": {"x": True}})
    assert difference(old, new).modified == ("a",)


def test_output_only_members_are_ignored(shop: Json) -> None:
    assert difference(shop, shop | {"computed": {"bounds": {}}, "diagnostics": []}) == Difference()


def test_a_child_is_modified_when_another_container_holds_it(document: Make) -> None:
    nodes = [{"id": "a", "kind": "node"}, {"id": "b", "kind": "node"}]
    old = document(*nodes, {"id": "f", "kind": "frame", "children": ["a", "b"]}, {"id": "g", "kind": "group"})
    new = document(
        *nodes, {"id": "f", "kind": "frame", "children": ["a"]}, {"id": "g", "kind": "group", "childIds": ["b"]}
    )
    change = difference(old, new)
    assert (change.modified, change.regrouped) == (("b",), ("f", "g"))
    assert change.changed_ids == ("b", "f", "g")


@pytest.mark.parametrize(
    ("before", "after", "modified"),
    [
        (["a"], ["a", "b"], ()),
        (["a", "b"], ["b"], ()),
        (["a", "b"], ["b", "a"], ("f",)),
        (["a", "b", "c"], ["c", "a"], ("f",)),
        (["a", "b", "c"], ["a", "x", "c"], ()),
        ([], ["a"], ()),
    ],
)
def test_of_the_children_of_a_container_only_another_order_is_its_own(
    document: Make, before: list[str], after: list[str], modified: tuple[str, ...]
) -> None:
    def of(children: list[str]) -> object:
        nodes = [{"id": key, "kind": "node"} for key in children]
        return document(*nodes, {"id": "f", "kind": "frame", "children": children})

    found = difference(of(before), of(after)).modified
    assert tuple(key for key in found if key == "f") == modified


def test_a_container_that_is_renamed_and_emptied_is_modified_by_its_title(document: Make) -> None:
    old = document({"id": "a", "kind": "node"}, {"id": "f", "kind": "frame", "title": "F", "children": ["a"]})
    new = document({"id": "f", "kind": "frame", "title": "G", "children": []})
    change = difference(old, new)
    assert (change.modified, change.regrouped) == (("f",), ())
    assert changed_element_fields(old, new, change) == {"f": ("title",)}


def boxes(document: Make, order: str, **z_of: float) -> Json:
    return document(
        *[{"id": name, "kind": "node", **({"zIndex": z_of[name]} if name in z_of else {})} for name in order]
    )


def test_reordering_is_a_change_only_for_what_is_painted_in_another_order(document: Make) -> None:
    def modified(old: Json, new: Json) -> str:
        return "".join(difference(old, new).modified)

    assert modified(boxes(document, "abcd"), boxes(document, "bcda")) == "a"
    assert modified(boxes(document, "abcd"), boxes(document, "dabc")) == "d"
    assert modified(boxes(document, "ab", b=1), boxes(document, "ba", b=1)) == ""
    mixed = [{"id": "n", "kind": "node"}, {"id": "f", "kind": "frame"}]
    assert modified(document(*mixed), document(*mixed[::-1])) == ""


def test_an_element_put_in_between_does_not_modify_its_neighbours(document: Make) -> None:
    assert difference(boxes(document, "ac"), boxes(document, "abc")) == Difference(added=("b",))


def test_constraints_are_compared_by_id(shop: Json) -> None:
    row = shop["constraints"][0]
    new = shop | {"constraints": [{"id": "new", "type": "noOverlap", "elements": ["web"]}, row | {"axis": "x"}]}
    assert difference(shop, new) == Difference(changed_constraint_ids=("new", "row"))
    assert difference(shop, shop | {"constraints": [row, {"id": "k"}][::-1]}).changed_constraint_ids == ("k",)


def test_whatever_the_values_are_nothing_is_raised() -> None:
    for old, new in (({}, None), ([], {"elements": 3}), ({"elements": [1, {"id": []}]}, {"elements": [{"id": "a"}]})):
        assert isinstance(difference(old, new), Difference)


def test_what_is_stored_is_what_the_author_wrote(shop: Json) -> None:
    assert authored(shop) is shop
    assert authored(shop | {"computed": {}, "diagnostics": []}) == shop
