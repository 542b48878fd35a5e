"""Equal labels on edges that leave one element. (R-FAN-5)"""

from __future__ import annotations

from typing import Any

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.route.fan_in import report_duplicate_labels
from scenograph.scene.model import Edge, Endpoint, Scene


def remarks(*edges: tuple[str, str, str, str | None]) -> tuple[Diagnostic, ...]:
    report = Report()
    elements = [
        Edge(id=name, kind="edge", source=Endpoint(element_id=a), target=Endpoint(element_id=b), label=label)
        for name, a, b, label in edges
    ]
    report_duplicate_labels(Scene(elements=tuple(elements)), report)
    return report.rows


def data(*edges: tuple[str, str, str, str | None]) -> list[Any]:
    return [row.data for row in remarks(*edges)]


def test_equal_labels_that_leave_one_element_are_remarked_without_a_place() -> None:
    (row,) = remarks(("e2", "a", "b", "yes"), ("e1", "a", "c", "yes"))
    assert (row.code, row.severity, row.path, row.element_id) == ("LABEL_DUPLICATION_DETECTED", "warning", None, None)
    assert row.data == {
        "labelText": "yes",
        "sharedEndpoint": {"kind": "source", "elementId": "a"},
        "edgeIds": ["e1", "e2"],
    }
    assert "yes" in row.message


def test_an_edge_to_its_own_element_counts() -> None:
    assert [row["edgeIds"] for row in data(("e1", "a", "a", "retry"), ("e2", "a", "b", "retry"))] == [["e1", "e2"]]


def test_edges_of_the_same_two_elements_count_though_their_label_is_drawn_once() -> None:
    assert len(data(("e1", "a", "b", "uses"), ("e2", "a", "b", "uses"))) == 1


def test_labels_are_equal_letter_for_letter() -> None:
    assert data(("e1", "a", "b", "Yes"), ("e2", "a", "c", "yes"), ("e3", "a", "d", "yes ")) == []


def test_a_shared_target_is_no_duplication() -> None:
    assert data(("e1", "a", "c", "uses"), ("e2", "b", "c", "uses")) == []


def test_edges_without_a_label_are_no_duplication() -> None:
    assert data(("e1", "a", "b", None), ("e2", "a", "c", None), ("e3", "a", "d", ""), ("e4", "a", "d", "")) == []


def test_remarks_come_in_the_order_of_elements_and_labels() -> None:
    edges = [
        (f"e{n}", source, "z", label) for n, (source, label) in enumerate([("b", "x"), ("a", "y"), ("a", "x")] * 2)
    ]
    assert [(row["sharedEndpoint"]["elementId"], row["labelText"]) for row in data(*edges)] == [
        ("a", "x"),
        ("a", "y"),
        ("b", "x"),
    ]
