"""BPMN: what is written is read back as the same process, with its places."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from scenograph.engine.pipeline import Picture, render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source

Json = dict[str, Any]
MODEL = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
TYPES = (
    *("start", "messageStart", "end", "messageEnd", "terminate", "timer", "task", "userTask", "serviceTask"),
    *("gateway", "gatewayParallel", "gatewayInclusive", "dataObject", "annotation"),
)


def node(key: str, kind: str, **members: Any) -> Json:
    return {"id": key, "kind": "node", "nodeType": f"workflow.{kind}", "label": key.title()} | members


def edge(key: str, source: str, target: str, kind: str = "sequenceFlow") -> Json:
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": key, "kind": "edge", "edgeType": f"workflow.{kind}"} | ends


def frame(key: str, kind: str, *children: str) -> Json:
    return {"id": key, "kind": "frame", "containerType": kind, "title": key.title(), "children": list(children)}


ORDER = (
    *(node("begin", "start"), node("check", "userTask"), node("done", "end"), node("bill", "task")),
    *(frame("desk", "lane", "begin", "check"), frame("store", "lane", "done"), frame("bank", "pool", "bill")),
    frame("shop", "pool", "desk", "store"),
    *(edge("f1", "begin", "check"), edge("f2", "check", "done"), edge("m", "check", "bill", "messageFlow")),
)


def exported(*elements: Json) -> Picture:
    scene: Json = {"id": "s", "units": "px", "canvas": {}}
    document: Json = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": list(elements)}
    return render(document, "bpmn")


def written(*elements: Json) -> str:
    return str(exported(*elements).content)


def told_of(*elements: Json) -> dict[str, list[str]]:
    told = next(row.data for row in exported(*elements).diagnostics if row.code == "EXPORT_LOSS")
    return {row["what"]: row["elementIds"] for row in (told or {})["losses"]}


def read_back(*elements: Json) -> Json:
    return read_source(Source(text=written(*elements))).document


def by_id(document: Json) -> dict[str, Json]:
    return {one["id"]: one for one in document["elements"]}


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_comes_back(kind: str) -> None:
    around = (node("a", "start"), node("z", "end"), edge("e1", "a", "n"), edge("e2", "n", "z"))
    flows = () if kind in {"dataObject", "annotation", "start", "messageStart", "end", "messageEnd"} else around
    assert by_id(read_back(node("n", kind), *flows))["n"]["nodeType"] == f"workflow.{kind}"


def test_pools_lanes_flows_and_messages_come_back() -> None:
    found = by_id(read_back(*ORDER))
    assert {
        key: (one["containerType"], set(one["children"])) for key, one in found.items() if one["kind"] == "frame"
    } == {
        "desk": ("lane", {"begin", "check"}),
        "store": ("lane", {"done"}),
        "bank": ("pool", {"bill"}),
        "shop": ("pool", {"desk", "store"}),
    }
    flows = {key: (one["edgeType"], one["from"]["elementId"]) for key, one in found.items() if one["kind"] == "edge"}
    assert flows == {
        "f1": ("workflow.sequenceFlow", "begin"),
        "f2": ("workflow.sequenceFlow", "check"),
        "m": ("workflow.messageFlow", "check"),
    }


def test_default_and_conditional_flows_come_back_from_what_may_have_them() -> None:
    steps = node("way", "gateway"), node("a", "task"), node("b", "task"), node("go", "start")
    flows = (
        edge("f1", "way", "a", "defaultFlow"),
        edge("f2", "way", "b", "defaultFlow"),
        edge("f3", "a", "b", "conditionalFlow"),
        edge("f4", "go", "way", "defaultFlow"),
    )
    found = by_id(read_back(*steps, *flows))
    assert {key: found[key]["edgeType"] for key in ("f1", "f2", "f3", "f4")} == {
        "f1": "workflow.defaultFlow",
        "f2": "workflow.sequenceFlow",
        "f3": "workflow.conditionalFlow",
        "f4": "workflow.sequenceFlow",
    }
    told = told_of(*steps, *flows)
    assert told == {"default flows of what has one already, or does not choose": ["f2", "f4"]}


def test_an_open_subprocess_holds_its_steps() -> None:
    found = by_id(read_back(node("inner", "task"), frame("sub", "subprocess", "inner"), node("next", "task")))
    assert (found["sub"]["containerType"], found["sub"]["children"]) == ("subprocess", ["inner"])


def test_every_reference_leads_to_one_element_and_all_are_drawn() -> None:
    root = ET.fromstring(written(*ORDER))  # noqa: S314 - our own text
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    drawn = {one.get("bpmnElement") for one in root.iter() if one.get("bpmnElement")}
    assert drawn <= set(ids)
    assert {one.get("id") for one in root.iter(f"{MODEL}sequenceFlow")} <= drawn


def test_places_are_those_of_the_picture() -> None:
    document = read_back(*ORDER)
    assert document["computed"]["bounds"]["shop"]["width"] > 100


def test_names_are_text_and_ids_xml_names() -> None:
    text = written(node('1 "x" <&>', "task", label='<script>"&'))
    root = ET.fromstring(text)  # noqa: S314 - our own text
    task = next(root.iter(f"{MODEL}task"))
    assert (task.get("id"), task.get("name")) == ("id_1_x_", '<script>"&')


def test_notes_and_associations_stand_behind_all_flows() -> None:
    steps = (node("begin", "start"), node("said", "annotation"), edge("tie", "said", "check", "association"))
    text = written(*steps, node("check", "task"), edge("f", "begin", "check"))
    process = ET.fromstring(text).find(f"{MODEL}process")  # noqa: S314 - our own text
    assert process is not None
    rows = [one.tag.removeprefix(MODEL) for one in process]
    assert rows == ["startEvent", "task", "sequenceFlow", "textAnnotation", "association"]


def test_what_bpmn_does_not_hold_is_told() -> None:
    steps = node("a", "start", style={"fill": "#fff"}), node("b", "task", tooltip="why", icon="aws:s3")
    assert told_of(*steps) == {
        "colours, strokes and fonts": ["a"],
        "icons": ["b"],
        "links and tooltips": ["b"],
    }
