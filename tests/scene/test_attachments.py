"""Nodes attached to the border of another element: validation, operations, syncs."""

from __future__ import annotations

import pytest
from tests.scene.editing import BOXES, Json, Make, refused, result

from scenograph.reading.readers import read_source
from scenograph.reading.source import Source as Text
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate


def attached(key: str, host: str, **place: object) -> Json:
    return {"id": key, "kind": "node", "attachedTo": {"elementId": host} | place}


def with_event(shop: Json, host: str = "api", **place: object) -> Json:
    wire = {"id": "wire", "kind": "edge", "from": {"elementId": "t"}, "to": {"elementId": "web"}}
    return shop | {"elements": [*shop["elements"], attached("t", host, **place), wire]}


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("nobody", "ATTACHMENT_HOST_NOT_FOUND"),
        ("t", "ATTACHMENT_HOST_NOT_ALLOWED"),
        ("u", "ATTACHMENT_HOST_NOT_ALLOWED"),
        ("calls", "ATTACHMENT_HOST_NOT_ALLOWED"),
        ("back", None),
        ("db", None),
    ],
)
def test_a_host_is_there_and_may_be_one(shop: Json, host: str, code: str | None) -> None:
    shop["elements"] += [attached("t", host), attached("u", "web")]
    errors = [(row.code, row.path) for row in validate(shop) if row.severity == "error"]
    assert errors == ([(code, "/elements/6/attachedTo/elementId")] if code else [])


def test_what_is_attached_goes_with_its_host(shop: Json) -> None:
    after = result(with_event(shop), {"op": "deleteElement", "id": "api"})
    assert set(after) == {"web", "db", "back"}
    assert refused(with_event(shop), {"op": "deleteElement", "id": "api", "cascade": False})


@pytest.mark.parametrize(
    ("op", "side", "offset"),
    [
        ({"delta": {"dx": 30, "dy": 0}}, "bottom", 0.5),
        ({"delta": {"dx": 500, "dy": 0}}, "right", 1.0),
        ({"x": 240, "y": 60}, "top", 0.5),
        ({"x": 190}, "bottom", 0.0),
    ],
)
def test_an_attached_node_moves_along_the_border_of_its_host(shop: Json, op: Json, side: str, offset: float) -> None:
    place = {"x": 210, "y": 140, "width": 40, "height": 40}  # its middle at the left fifth of api's bottom
    before = with_event(shop, side="bottom", offset=0.2)
    moved = result(before, {"op": "moveElement", "id": "t", **op}, boxes={**BOXES, "t": place})["t"]
    assert moved["attachedTo"] == {"elementId": "api", "side": side, "offset": offset}
    assert "layout" not in moved


def test_what_is_attached_follows_a_host_that_moves(shop: Json) -> None:
    before = with_event(shop, side="top", offset=0.5)
    before["elements"][3]["children"].append("t")
    after = result(before, {"op": "moveElement", "id": "back", "delta": {"dx": 100}})
    assert after["t"] == before["elements"][6]


def test_references_follow_a_document_whose_ids_are_of_somebody_else(document: Make) -> None:
    head = '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p">'
    event = '<boundaryEvent id="t" attachedToRef="{}"><timerEventDefinition/></boundaryEvent></process></definitions>'
    tasks = '<task id="a" name="A"/><task id="b" name="B"/>'
    texts = [head + tasks + event.format(host) for host in ("a", "b")]
    first, second = (read_source(Text(text=text)).document for text in texts)
    assert synchronize(first, first, SourceIdentity("bpmn", ""), whole=True).ops == ()
    done = apply_operations(first, synchronize(first, second, SourceIdentity("bpmn", ""), whole=True).ops)
    assert {row["id"]: row for row in done.document["elements"]}["t"]["attachedTo"] == {"elementId": "b"}
    without = read_source(Text(text=head + '<task id="b" name="B"/></process></definitions>')).document
    gone = apply_operations(first, synchronize(first, without, SourceIdentity("bpmn", ""), whole=True).ops)
    assert gone.succeeded
    assert [row["id"] for row in gone.document["elements"]] == ["b"]
