"""Class diagrams: compartments, the marks of relations, labels at their ends."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import at
from tests.engine.families.conftest import edge, extent, node, plan

from scenograph.engine.geometry.boxes import Box

ORDER: Any = {"attributes": ["- id: UUID", "- placed: Date"], "methods": ["+ total(): Money"]}
THEMES = ["clean", "dark", "blueprint", "sketch"]


def a_class(id_: str, label: str | None = None, kind: str = "class", **extensions: Any) -> Any:
    return node(id_, f"uml.{kind}", label or id_, extensions=extensions)


@pytest.mark.parametrize("theme", THEMES)
def test_a_class_lists_its_name_its_attributes_and_its_methods_in_this_order(theme: str) -> None:
    found = plan("architecture", a_class("Order", **ORDER), theme=theme)
    assert [run.text for run in found.runs("Order")] == ["- id: UUID", "- placed: Date", "+ total(): Money", "Order"]
    rows = [found.part("Order", name) for name in ("header", "member:0", "member:1", "member:2")]
    assert [row.y for row in rows[1:]] == [row.bottom for row in rows[:-1]]
    box = found.box("Order")
    assert rows[0].y == box.y
    assert rows[-1].bottom == box.bottom
    for run in found.runs("Order"):
        assert box.x < run.at.x
        assert run.at.x + run.width < box.right


def test_a_rule_stands_above_every_compartment_and_nowhere_else() -> None:
    found = plan("workflow", a_class("Order", **ORDER), a_class("Bare"))
    rules = [name for name in found.laid_out.placement.parts["Order"] if name.startswith("rule:")]
    assert rules == ["rule:0", "rule:2"]
    assert not [name for name in found.laid_out.placement.parts["Bare"] if name.startswith("rule:")]


def test_interfaces_and_enumerations_say_so_above_their_name() -> None:
    found = plan(
        "architecture", a_class("Refundable", kind="interface"), a_class("Status", kind="enum", values=["OPEN"])
    )
    assert [run.text for run in found.runs("Refundable")] == ["«interface»", "Refundable"]
    assert {run.text for run in found.runs("Status")} == {"«enumeration»", "Status", "OPEN"}
    assert found.part("Status", "keyword").bottom <= found.part("Status", "label").y + 0.01


def test_a_line_of_the_label_between_guillemets_is_a_keyword() -> None:
    found = plan("architecture", a_class("p", "«abstract»\nPayment"))
    sizes = {run.text: run.font.size for run in found.runs("p")}
    assert sizes["«abstract»"] < sizes["Payment"]


def test_members_that_a_given_height_has_no_room_for_are_counted_and_reported() -> None:
    many = a_class("Order", attributes=[f"- field{n}: int" for n in range(12)]) | {
        "layout": at(0, 0, width=160, height=120)
    }
    found = plan("architecture", many)
    assert "TEXT_OVERFLOW" in found.codes
    (more,) = [run.text for run in found.runs("Order") if run.text.startswith("…")]
    assert int(more.split()[1]) + sum(run.text.startswith("- field") for run in found.runs("Order")) == 12


def test_what_is_more_general_stands_above_what_inherits_from_it() -> None:
    found = plan(
        "architecture",
        *(a_class(name) for name in ("Card", "Cash", "Payment", "Refundable")),
        edge("Card>Payment", "uml.inherits"),
        edge("Cash>Payment", "uml.inherits"),
        edge("Payment>Refundable", "uml.implements"),
    )
    boxes = [found.box(name) for name in ("Refundable", "Payment", "Card")]
    assert boxes[0].bottom < boxes[1].y
    assert boxes[1].bottom < boxes[2].y
    assert found.route("Card>Payment").points[-1] == found.route("Cash>Payment").points[-1]
    assert found.style("Payment>Refundable").dash
    assert not found.style("Card>Payment").dash


@pytest.mark.parametrize(
    ("kind", "start", "end"),
    [
        ("inherits", "none", "openTriangle"),
        ("implements", "none", "openTriangle"),
        ("composes", "diamond", "none"),
        ("aggregates", "openDiamond", "none"),
        ("depends", "none", "arrow"),
        ("associates", "none", "none"),
    ],
)
def test_each_relation_has_its_mark(kind: str, start: str, end: str) -> None:
    found = plan("architecture", a_class("a"), a_class("b"), edge("a>b", f"uml.{kind}"))
    (line,) = [one for one in found.laid_out.scene.elements if one.kind == "edge"]
    assert (getattr(line, "start_arrow", None), getattr(line, "end_arrow", None)) == (start, end)


@pytest.mark.parametrize("direction", ["TB", "LR"])
def test_end_labels_stand_beside_their_end_clear_of_boxes_labels_and_their_line(direction: str) -> None:
    ends = {"from": {"elementId": "a", "label": "customer 1"}, "to": {"elementId": "b", "label": "orders 0..*"}}
    found = plan(
        "architecture",
        a_class("a", **ORDER),
        a_class("b"),
        {"id": "e", "kind": "edge", "edgeType": "uml.associates", "label": "places", **ends},
        layoutStrategy={"algorithm": "hierarchical", "direction": direction},
    )
    route = found.route("e")
    start, end = route.end_labels
    assert start is not None
    assert end is not None
    assert route.label is not None
    apart = [found.box("a"), found.box("b"), start, end, route.label]
    assert not [(one, other) for one in apart for other in apart if one is not other and one.overlaps(other)]
    line = extent(route.line)
    assert not start.overlaps(line)
    assert not end.overlaps(line)
    assert _gap(start, found.box("a")) < _gap(start, found.box("b"))
    assert _gap(end, found.box("b")) < 20


def test_the_label_of_a_line_leaves_room_for_those_of_its_ends() -> None:
    ends = {"from": {"elementId": "IdCard", "label": "1"}, "to": {"elementId": "Student", "label": "1"}}
    other = {"from": {"elementId": "Bike", "label": "1"}, "to": {"elementId": "Student", "label": "1"}}
    found = plan(
        "architecture",
        *(a_class(one, attributes=["-id : int", "-name : string"]) for one in ("IdCard", "Bike")),
        a_class("Student", attributes=["-idCard : IdCard"]),
        {"id": "e", "kind": "edge", "edgeType": "uml.aggregates", "label": "carries", **ends},
        {"id": "f", "kind": "edge", "edgeType": "uml.aggregates", "label": "rides", **other},
        layoutStrategy={"algorithm": "hierarchical", "direction": "LR"},
    )
    for route in (found.route("e"), found.route("f")):
        start, end = route.end_labels
        assert start is not None
        assert end is not None
        assert _gap(start, found.box("IdCard")) < 20 or _gap(start, found.box("Bike")) < 20
        assert _gap(end, found.box("Student")) < 20


def _gap(one: Box, other: Box) -> float:
    return max(other.x - one.right, one.x - other.right, other.y - one.bottom, one.y - other.bottom)
