"""Operations on the order of elements, and copies from other scenes (R-OP-22, R-OP-23)."""

from __future__ import annotations

import itertools
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import document_of, edge, frame, node
from tests.scene.editing import Json, applied, refused

from scenograph.diagnostics import Severity
from scenograph.scene.edits.operations import Batch, apply_operations
from scenograph.scene.limits import Limits
from scenograph.scene.validation import validate


def order(batch: Batch) -> list[str]:
    return [element["id"] for element in batch.document["elements"]]


def code_of(batch: Batch) -> tuple[str, str | None]:
    (row,) = [row for row in batch.diagnostics if row.severity is Severity.ERROR]
    return row.code, row.path


class TestOrder:
    row = document_of(node("a"), node("b"), node("c"))

    @pytest.mark.parametrize(
        ("side", "wanted"), [({"after": "a"}, ["a", "n", "b", "c"]), ({"before": "c"}, ["a", "b", "n", "c"])]
    )
    def test_a_new_element_stands_where_the_operation_says(self, side: Json, wanted: list[str]) -> None:
        batch = applied(self.row, {"op": "createNode", "id": "n", **side})
        assert order(batch) == wanted
        assert batch.document["elements"][wanted.index("n")] == {"id": "n", "kind": "node"}, "the side is no member"

    def test_an_element_moves_within_the_order_and_counts_as_changed(self) -> None:
        batch = applied(self.row, {"op": "reorderElement", "id": "c", "before": "a"})
        assert order(batch) == ["c", "a", "b"]
        assert batch.changed_ids == ("c",)

    def test_beside_a_sibling_the_children_are_reordered_too(self) -> None:
        framed = document_of(node("a"), node("b"), node("c"), frame("f", "a", "b"))
        moved = applied(framed, {"op": "reorderElement", "id": "b", "before": "a"})
        assert moved.document["elements"][-1]["children"] == ["b", "a"]
        elsewhere = applied(framed, {"op": "reorderElement", "id": "b", "after": "c"})
        assert elsewhere.document["elements"][-1]["children"] == ["a", "b"]
        made = applied(framed, {"op": "createNode", "id": "n", "parentId": "f", "after": "a"})
        assert made.document["elements"][-1]["children"] == ["a", "n", "b"]

    def test_a_neighbour_may_be_made_by_the_same_batch(self) -> None:
        ops = ({"op": "createNode", "id": "n", "before": "a"}, {"op": "createNode", "id": "m", "after": "n"})
        assert order(applied(self.row, *ops)) == ["n", "m", "a", "b", "c"]

    def test_edges_and_frames_take_a_place_too(self) -> None:
        ops = (
            {"op": "createFrame", "id": "f", "title": "F", "before": "b"},
            {"op": "createEdge", "id": "e", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "after": "f"},
        )
        assert order(applied(self.row, *ops)) == ["a", "f", "e", "b", "c"]

    @pytest.mark.parametrize(
        ("op", "code", "path"),
        [
            ({"op": "reorderElement", "id": "a", "after": "z"}, "OP_TARGET_NOT_FOUND", "/ops/0/after"),
            ({"op": "reorderElement", "id": "z", "after": "a"}, "OP_TARGET_NOT_FOUND", "/ops/0/id"),
            ({"op": "reorderElement", "id": "a", "after": "a"}, "INVALID_VALUE", "/ops/0/after"),
            ({"op": "reorderElement", "id": "a"}, "MISSING_FIELD", "/ops/0/after"),
            ({"op": "createNode", "id": "n", "before": "z"}, "OP_TARGET_NOT_FOUND", "/ops/0/before"),
        ],
    )
    def test_a_place_beside_nothing_is_refused(self, op: Json, code: str, path: str) -> None:
        assert refused(self.row, op) == [(code, path)]

    def test_one_side_at_a_time(self) -> None:
        both = {"op": "reorderElement", "id": "b", "after": "a", "before": "c"}
        (row,) = apply_operations(self.row, [both]).diagnostics
        assert (row.path, row.severity) == ("/ops/0/after", Severity.ERROR)

    def test_an_order_given_to_an_update_names_the_way(self) -> None:
        batch = apply_operations(self.row, [{"op": "updateNode", "id": "b", "after": "c"}])
        assert "reorderElement" in batch.diagnostics[0].message

    @given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=12))
    def test_any_row_of_moves_ends_as_the_same_moves_of_a_list(self, moves: list[tuple[int, int, bool]]) -> None:
        names = [f"n{number}" for number in range(6)]
        wanted, ops = [*names], list[Json]()
        for one, other, after in ((one, other, after) for one, other, after in moves if one != other):
            wanted.remove(names[one])
            wanted.insert(wanted.index(names[other]) + after, names[one])
            side = {"after": names[other]} if after else {"before": names[other]}
            ops.append({"op": "reorderElement", "id": names[one], **side})
        assert order(applied(document_of(*map(node, names)), *ops)) == wanted


SHOP = document_of(
    node("web", label="Web", style="core", layout={"mode": "absolute", "x": 5, "y": 6, "width": 90, "height": 40}),
    node("db", label="DB"),
    node("far", label="Far"),
    frame("zone", "web", "db"),
    edge("web", "db", id="e1"),
    edge("db", "far", id="e2"),
    styles={"core": {"fill": "#ff0000"}},
    defaults={"edge": {"endpoints": {"endArrow": "triangle"}}},
)
HOME = document_of(node("home"))


def copied(target: Json, op: Json, source: Json = SHOP, *, succeeds: bool = True) -> Batch:
    ops = [{"op": "copyElements", "fromSceneId": "shop", **op}]
    batch = apply_operations(target, ops, sources={"shop": source})
    assert batch.succeeded is succeeds, batch.diagnostics
    if succeeds:
        assert [row for row in validate(batch.document) if row.severity is Severity.ERROR] == []
    return batch


def elements(batch: Batch) -> dict[str, Json]:
    return {element["id"]: element for element in batch.document["elements"]}


class TestCopies:
    def test_a_frame_comes_with_its_content_and_the_edges_within(self) -> None:
        batch = copied(HOME, {"ids": ["zone"], "prefix": "shop-"})
        found = elements(batch)
        assert order(batch) == ["home", "shop-web", "shop-db", "shop-zone", "shop-e1"]
        assert found["shop-zone"]["children"] == ["shop-web", "shop-db"]
        assert (found["shop-e1"]["from"], found["shop-e1"]["to"]) == (
            {"elementId": "shop-web"},
            {"elementId": "shop-db"},
        )
        assert batch.changed_ids == ("shop-db", "shop-e1", "shop-web", "shop-zone")

    def test_styles_and_defaults_come_along_and_positions_do_not(self) -> None:
        batch = copied(HOME, {"ids": ["zone"]})
        found = elements(batch)
        assert batch.document["styles"] == {"core": {"fill": "#ff0000"}}
        assert found["e1"]["endpoints"] == {"endArrow": "triangle"}
        assert found["web"]["layout"] == {"mode": "auto", "width": 90, "height": 40}

    def test_a_style_of_another_meaning_is_written_out(self) -> None:
        target = HOME | {"styles": {"core": {"fill": "#0000ff"}}}
        batch = copied(target, {"ids": ["web"]})
        assert elements(batch)["web"]["style"] == {"fill": "#ff0000"}
        assert batch.document["styles"] == target["styles"]

    def test_copies_go_into_a_frame(self) -> None:
        target = document_of(node("home"), frame("here", "home"))
        assert elements(copied(target, {"ids": ["web", "db"], "parentId": "here"}))["here"]["children"] == [
            "home",
            "web",
            "db",
        ]

    def test_what_mentions_elements_left_behind_forgets_them(self) -> None:
        source = document_of(
            node("a", layout={"mode": "relative", "target": "b", "relation": "rightOf"}), node("b"), frame("f", "a")
        )
        assert elements(copied(HOME, {"ids": ["a"]}, source))["a"]["layout"] == {"mode": "auto"}
        both = elements(copied(HOME, {"ids": ["a", "b"], "prefix": "x"}, source))
        assert both["xa"]["layout"]["target"] == "xb"

    @pytest.mark.parametrize(
        ("op", "code", "path"),
        [
            ({"ids": ["wb"]}, "OP_TARGET_NOT_FOUND", "/ops/0/ids/0"),
            ({"ids": ["e2"]}, "DANGLING_REFERENCE", "/ops/0/ids"),
            ({"ids": ["web"], "fromSceneId": "other"}, "OP_TARGET_NOT_FOUND", "/ops/0/fromSceneId"),
            ({"ids": ["web"], "parentId": "nowhere"}, "OP_TARGET_NOT_FOUND", "/ops/0/parentId"),
        ],
    )
    def test_what_cannot_be_copied_is_refused(self, op: Json, code: str, path: str) -> None:
        assert code_of(copied(HOME, op, succeeds=False)) == (code, path)

    def test_a_taken_id_asks_for_a_prefix(self) -> None:
        assert code_of(copied(document_of(node("web")), {"ids": ["web"]}, succeeds=False)) == (
            "OP_ID_EXISTS",
            "/ops/0/prefix",
        )

    def test_the_limit_of_elements_holds(self) -> None:
        ops = [{"op": "copyElements", "fromSceneId": "shop", "ids": ["zone"]}]
        batch = apply_operations(HOME, ops, sources={"shop": SHOP}, limits=Limits(elements=3))
        assert code_of(batch)[0] == "LIMIT_EXCEEDED"


def test_copies_from_one_scene_look_through_it_once() -> None:
    def work(size: int) -> int:
        names = [f"n{number}" for number in range(size)]
        lines = [edge(one, other) for one, other in itertools.pairwise(names)]
        source, events = document_of(*map(node, names), *lines), itertools.count()
        ops = [
            {"op": "copyElements", "fromSceneId": "s", "ids": names[at : at + 2], "prefix": f"{at}-"}
            for at in range(50)
        ]
        sys.setprofile(lambda *_: next(events))
        try:
            batch = apply_operations(document_of(), ops, sources={"s": source})
        finally:
            sys.setprofile(None)
        assert len(order(batch)) == 150
        return next(events)

    assert work(1000) < 4 * work(100)
