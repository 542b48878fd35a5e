"""Labels that only repeat a column, and columns that nobody has."""

from collections.abc import Callable
from typing import Any

from scenograph.engine.pipeline import lay_out, normalize
from scenograph.scene.model import Edge

Tables = Callable[..., dict[str, Any]]

COLUMNS = {"orders": ["id", "customer_id", "note"], "customers": ["id", "name"]}


def to(entity: str, **members: str) -> dict[str, str]:
    return {"elementId": entity, **members}


def edge_of(document: dict[str, Any]) -> Edge:
    (found,) = (element for element in lay_out(document).scene.scene.elements if isinstance(element, Edge))
    return found


def said(document: dict[str, Any], code: str) -> list[Any]:
    return [row for row in lay_out(document).diagnostics if row.code == code]


def test_a_label_that_is_a_column_becomes_the_anchor_on_its_side(tables: Tables) -> None:
    document = tables(COLUMNS, [{"from": to("orders"), "to": to("customers"), "label": "customer_id"}])
    edge = edge_of(document)
    assert (edge.source.column, edge.target.column, edge.label) == ("customer_id", None, None)
    laid_out = lay_out(document).scene
    row = laid_out.placement.part("orders", "column:customer_id")
    assert row is not None
    assert row.y < laid_out.routes["e0"].points[0].y < row.bottom
    assert laid_out.routes["e0"].label is None


def test_a_label_that_both_ends_declare_anchors_both(tables: Tables) -> None:
    edge = edge_of(tables(COLUMNS, [{"from": to("orders"), "to": to("customers"), "label": "id"}]))
    assert (edge.source.column, edge.target.column) == ("id", "id")


def test_all_dropped_labels_are_told_at_once_sorted(tables: Tables) -> None:
    edges = [
        {"from": to("orders"), "to": to("customers"), "label": label} for label in ("note", "customer_id", "note", "x")
    ]
    (row,) = said(tables(COLUMNS, edges), "EDGE_LABEL_SUPPRESSED_REDUNDANT")
    assert (row.severity, row.path) == ("info", "/elements")
    assert row.data == {"suppressedEdgeIds": ["e0", "e1", "e2"], "suppressedLabels": ["customer_id", "note"]}


def test_a_label_stays_that_is_forced_or_not_exactly_a_column(tables: Tables) -> None:
    ends = {"from": to("orders"), "to": to("customers")}
    forced = edge_of(tables(COLUMNS, [ends | {"label": "note", "style": {"forceLabel": True}}]))
    named = edge_of(tables(COLUMNS, [ends | {"label": "note", "style": "loud"}], styles={"loud": {"forceLabel": True}}))
    other = edge_of(tables(COLUMNS, [ends | {"label": "Note"}]))
    assert [edge.label for edge in (forced, named, other)] == ["note", "note", "Note"]
    assert {edge.source.column for edge in (forced, named, other)} == {None}


def test_a_column_that_the_author_chose_is_not_replaced_by_the_label(tables: Tables) -> None:
    chosen = {"from": to("orders", column="id"), "to": to("customers"), "label": "note"}
    same = {"from": to("orders", column="note"), "to": to("customers"), "label": "note"}
    edge = edge_of(tables(COLUMNS, [chosen]))
    assert (edge.source.column, edge.label) == ("id", "note")
    assert edge_of(tables(COLUMNS, [same])).label is None


def test_an_unknown_column_is_told_with_the_known_ones_and_the_side_is_free(tables: Tables) -> None:
    document = tables(COLUMNS, [{"from": to("orders", column="custmer_id"), "to": to("customers", column="id")}])
    (row,) = said(document, "EDGE_COLUMN_NOT_FOUND")
    assert (row.severity, row.path) == ("warning", "/elements/e0/from/column")
    assert "id, customer_id, note" in row.message
    assert row.data == {"allowed": ["id", "customer_id", "note"], "suggestion": "customer_id"}
    laid_out = lay_out(document).scene
    box, start = laid_out.placement.boxes["orders"], laid_out.routes["e0"].points[0]
    assert start.x in (box.x, box.right) or start.y in (box.y, box.bottom)


def test_a_column_of_something_without_columns_is_told_too(tables: Tables) -> None:
    document = tables({"a": [], "b": ["id"]}, [{"from": to("a", column="id"), "to": to("b", column="id")}])
    (row,) = said(document, "EDGE_COLUMN_NOT_FOUND")
    assert row.message.endswith("Available columns: none.")


def test_the_normalized_document_says_what_was_found_and_stays_as_it_is(tables: Tables) -> None:
    columns = {"orders": [{"name": "customer_id", "fk": True}], "customers": [{"name": "id", "pk": True}]}
    document = tables(columns, [{"from": to("orders"), "to": to("customers"), "label": "customer_id"}])
    once, _ = normalize(document)
    edge = next(row for row in once["elements"] if row["kind"] == "edge")
    assert "label" not in edge
    assert edge["from"] == {"elementId": "orders", "column": "customer_id", "cardinality": "many"}
    assert edge["to"] == {"elementId": "customers", "cardinality": "one"}
    twice, diagnostics = normalize(once)
    assert (twice["elements"], twice["computed"]) == (once["elements"], once["computed"])
    assert "EDGE_LABEL_SUPPRESSED_REDUNDANT" not in {row.code for row in diagnostics}


def test_a_label_on_an_edge_to_its_own_entity_is_where_it_leaves_and_the_key_where_it_arrives() -> None:
    rows = [{"name": "id", "pk": True}, {"name": "boss", "fk": True}]
    staff = {"id": "staff", "kind": "node", "nodeType": "er.entity", "extensions": {"columns": rows}}
    edge = {"id": "e", "kind": "edge", "from": {"elementId": "staff"}, "to": {"elementId": "staff"}, "label": "boss"}
    head = {"id": "s", "units": "px", "canvas": {}}
    laid_out = lay_out({"schemaVersion": "0.1", "scene": head, "elements": [staff, edge]}).scene
    (found,) = (one for one in laid_out.scene.elements if one.id == "e")
    assert (found.source.column, found.target.column, found.label) == ("boss", "id", None)


def test_a_label_stays_where_no_row_shows_the_name(tables: Tables) -> None:
    document = tables(COLUMNS, [{"from": to("orders"), "to": to("customers"), "label": "customer_id"}])
    document["elements"][0]["shape"] = "cloud"
    edge = edge_of(document)
    assert (edge.source.column, edge.label) == (None, "customer_id")
    assert not said(document, "EDGE_LABEL_SUPPRESSED_REDUNDANT")


def test_a_label_gives_way_to_the_rows_of_a_node_without_a_type_too(tables: Tables) -> None:
    document = tables(COLUMNS, [{"from": to("orders"), "to": to("customers"), "label": "customer_id"}])
    for node_type in (None, "database"):
        document["elements"][0]["nodeType"] = node_type
        assert edge_of(document).label is None
