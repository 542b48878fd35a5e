"""BPMN: what is written is read back as the same process, with its places."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from scenograph.engine.pipeline import RenderedPicture, lay_out, render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source
from scenograph.scene.vocabulary import NODE_TYPES

Json = dict[str, Any]
MODEL = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
OPEN = {"workflow.timer": "workflow.timerCatch", "workflow.error": "workflow.errorCatch"}
OPEN |= {"workflow.signal": "workflow.signalCatch", "workflow.decision": "workflow.gateway"}
TYPES = tuple(name.removeprefix("workflow.") for name in NODE_TYPES["workflow"])
ALONE = {"dataObject", "annotation", "start", "messageStart", "end", "messageEnd"}


def step(key: str, kind: str, **members: Any) -> Json:
    return {"id": key, "kind": "node", "nodeType": f"workflow.{kind}", "label": key.title()} | members


def flow(key: str, source: str, target: str, kind: str = "sequenceFlow") -> Json:
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": key, "kind": "edge", "edgeType": f"workflow.{kind}"} | ends


def container(key: str, kind: str, *children: str) -> Json:
    return {"id": key, "kind": "frame", "containerType": kind, "title": key.title(), "children": list(children)}


ORDER = (
    *(step("begin", "start"), step("check", "userTask"), step("done", "end"), step("bill", "task")),
    *(
        container("desk", "lane", "begin", "check"),
        container("store", "lane", "done"),
        container("bank", "pool", "bill"),
    ),
    container("shop", "pool", "desk", "store"),
    *(flow("f1", "begin", "check"), flow("f2", "check", "done"), flow("m", "check", "bill", "messageFlow")),
)


def exported(*elements: Json) -> RenderedPicture:
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
    around = (step("a", "start"), step("z", "end"), flow("e1", "a", "n"), flow("e2", "n", "z"))
    flows = () if kind in ALONE else around
    name = f"workflow.{kind}"
    first = read_back(step("n", kind), *flows)
    assert by_id(first)["n"]["nodeType"] == OPEN.get(name, name)
    again = read_source(Source(text=str(render(first, "bpmn").content))).document
    assert by_id(again)["n"]["nodeType"] == by_id(first)["n"]["nodeType"]


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
    steps = step("way", "gateway"), step("a", "task"), step("b", "task"), step("go", "start")
    flows = (
        flow("f1", "way", "a", "defaultFlow"),
        flow("f2", "way", "b", "defaultFlow"),
        flow("f3", "a", "b", "conditionalFlow"),
        flow("f4", "go", "way", "defaultFlow"),
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
    found = by_id(read_back(step("inner", "task"), container("sub", "subprocess", "inner"), step("next", "task")))
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
    text = written(step('1 "x" <&>', "task", label='<script>"&'))
    root = ET.fromstring(text)  # noqa: S314 - our own text
    task = next(root.iter(f"{MODEL}task"))
    assert (task.get("id"), task.get("name")) == ("id_1_x_", '<script>"&')


def test_notes_and_associations_stand_behind_all_flows() -> None:
    steps = (step("begin", "start"), step("said", "annotation"), flow("tie", "said", "check", "association"))
    text = written(*steps, step("check", "task"), flow("f", "begin", "check"))
    process = ET.fromstring(text).find(f"{MODEL}process")  # noqa: S314 - our own text
    assert process is not None
    rows = [one.tag.removeprefix(MODEL) for one in process]
    assert rows == ["startEvent", "task", "sequenceFlow", "textAnnotation", "association"]


def test_what_bpmn_does_not_hold_is_told() -> None:
    steps = step("a", "start", style={"fill": "#fff"}), step("b", "task", link={"href": "https://a.b"}, icon="aws:s3")
    steps += (step("c", "gateway", attachedTo={"elementId": "b"}), step("m", "multipleCatch"))
    assert told_of(*steps, container("d", "generic", "m")) == {
        "colours, strokes and fonts": ["a"],
        "icons": ["b"],
        "links": ["b"],
        "attachments of what is no event, or to what is no activity": ["c"],
        "which events a multiple event is of (written as message and signal)": ["m"],
        "frames that are not pools, lanes or activities (written as groups)": ["d"],
    }


CLAIM = (
    *(step("s", "start"), step("a", "task", tooltip="Look twice"), step("e", "end"), flow("f", "s", "a")),
    step(
        "t",
        "timerCatch",
        attachedTo={"elementId": "a", "side": "top", "offset": 0.25},
        extensions={"interrupting": False},
    ),
    step("m", "messageCatch", attachedTo={"elementId": "a"}),
    *(step("l", "linkThrow"), step("k", "linkCatch"), step("c", "conditionalCatch"), flow("g", "t", "e")),
)


def test_events_on_borders_go_out_with_their_host_and_come_back() -> None:
    root = ET.fromstring(written(*CLAIM))  # noqa: S314 - our own text
    rows = {one.get("id"): one for one in root.iter(f"{MODEL}boundaryEvent")}
    assert {key: (one.get("attachedToRef"), one.get("cancelActivity")) for key, one in rows.items()} == {
        "t": ("a", "false"),
        "m": ("a", None),
    }
    again = read_back(*CLAIM)
    boxes, found = lay_out(again).scene.placement.boxes, by_id(again)
    assert found["t"]["attachedTo"] == found["m"]["attachedTo"] == {"elementId": "a"}
    assert boxes["t"].center == (boxes["a"].x + boxes["a"].width / 4, boxes["a"].y)
    assert boxes["m"].center.y == boxes["a"].bottom
    assert found["t"]["extensions"]["interrupting"] is False
    assert found["a"]["tooltip"] == "Look twice"


def test_an_event_on_the_border_of_a_subprocess_stands_in_the_scope_of_that() -> None:
    attached = step("t", "errorCatch", attachedTo={"elementId": "sub"})
    root = ET.fromstring(written(step("in", "task"), container("sub", "subprocess", "in", "t"), attached))  # noqa: S314
    process = root.find(f"{MODEL}process")
    assert process is not None
    assert [one.tag.removeprefix(MODEL) for one in process] == ["subProcess", "boundaryEvent"]


def test_intermediate_events_stay_intermediate_without_a_flow_that_leads_to_them() -> None:
    root = ET.fromstring(written(*CLAIM))  # noqa: S314 - our own text
    tags = {one.get("id"): one.tag.removeprefix(MODEL) for one in root.iter() if one.get("id") in {"l", "k", "c"}}
    assert tags == {"l": "intermediateThrowEvent", "k": "intermediateCatchEvent", "c": "intermediateCatchEvent"}


def test_nested_lanes_and_lanes_of_subprocesses_come_back() -> None:
    lanes = (container("desk", "lane", "a"), container("score", "lane", "b"), container("look", "lane", "c"))
    risk, inner = container("risk", "lane", "score", "look"), container("row", "lane", "d")
    scene = (*(step(one, "task") for one in "abcd"), *lanes, risk, inner, container("sub", "subprocess", "row"))
    found = by_id(read_back(*scene, container("bank", "pool", "desk", "risk", "sub")))
    children = {key: one["children"] for key, one in found.items() if one["kind"] == "frame"}
    assert children == {
        "bank": ["desk", "risk", "sub"],
        "desk": ["a"],
        "risk": ["score", "look"],
        "score": ["b"],
        "look": ["c"],
        "sub": ["row"],
        "row": ["d"],
    }


def test_marks_kinds_of_subprocesses_and_groups_come_back() -> None:
    scene = (
        step("a", "task", extensions={"markers": ["sequential", "compensation"]}),
        step("b", "sendTask", extensions={"markers": ["loop"]}),
        *(step("c", "task"), step("d", "errorStart", extensions={"interrupting": False}), step("f", "task")),
        {**container("ad", "subprocess", "c"), "extensions": {"markers": ["parallel", "adHoc"]}},
        *(
            container("ev", "eventSubprocess", "d"),
            container("tx", "transaction", "f"),
            container("g", "boundary", "a", "b"),
        ),
    )
    found = by_id(read_back(*scene))
    assert {key: one.get("extensions", {}).get("markers") for key, one in found.items() if key in {"a", "b", "ad"}} == {
        "a": ["sequential", "compensation"],
        "b": ["loop"],
        "ad": ["parallel", "adHoc"],
    }
    types = {key: one["containerType"] for key, one in found.items() if one["kind"] == "frame"}
    assert types == {"ad": "subprocess", "ev": "eventSubprocess", "tx": "transaction", "g": "boundary"}
    assert found["d"]["extensions"]["interrupting"] is False
    assert (found["g"]["title"], set(found["g"]["children"])) == ("G", {"a", "b"})
