"""BPMN 2.0 XML to documents."""

from __future__ import annotations

import pytest

from scenograph.reading.losses import Unreadable
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source
from scenograph.scene.limits import Limits
from scenograph.scene.validation import validate

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
    'xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" '
    'targetNamespace="urn:test">'
)
ORDERS = """
<collaboration id="c">
  <participant id="shop" name="Shop" processRef="p"/>
  <participant id="bank" name="Bank"/>
  <messageFlow id="m" sourceRef="pay" targetRef="bank"/>
</collaboration>
<process id="p">
  <laneSet><lane id="desk" name="Desk"><flowNodeRef>begin</flowNodeRef><flowNodeRef>pay</flowNodeRef></lane>
  <lane id="store" name="Store"><flowNodeRef>way</flowNodeRef><flowNodeRef>pack</flowNodeRef></lane></laneSet>
  <startEvent id="begin" name="Order"><messageEventDefinition/></startEvent>
  <sendTask id="pay" name="Pay &lt;now&gt;"/>
  <boundaryEvent id="late" attachedToRef="pay"><timerEventDefinition/></boundaryEvent>
  <exclusiveGateway id="way" name="Paid?" default="no"/>
  <subProcess id="pack" name="Pack"><task id="box" name="Box"/><endEvent id="packed"/>
    <sequenceFlow id="inner" sourceRef="box" targetRef="packed"/></subProcess>
  <endEvent id="lost"><terminateEventDefinition/></endEvent>
  <dataObjectReference id="bill" name="Bill" dataObjectRef="b"><dataState name="open"/></dataObjectReference>
  <dataObject id="b"/>
  <textAnnotation id="note"><text>by hand</text></textAnnotation>
  <association id="on" sourceRef="pack" targetRef="note"/>
  <sequenceFlow id="f1" sourceRef="begin" targetRef="pay"/>
  <sequenceFlow id="f2" sourceRef="pay" targetRef="way"/>
  <sequenceFlow id="yes" name="yes" sourceRef="way" targetRef="pack"/>
  <sequenceFlow id="no" sourceRef="way" targetRef="lost"/>
  <group id="g"/>
</process>
<di:BPMNDiagram><di:BPMNPlane bpmnElement="c">
  <di:BPMNShape bpmnElement="shop" isHorizontal="false"><dc:Bounds x="1" y="2" width="60" height="40"/></di:BPMNShape>
  <di:BPMNShape bpmnElement="pay"><dc:Bounds x="100" y="60" width="100" height="80"/></di:BPMNShape>
  <di:BPMNShape bpmnElement="late"><dc:Bounds x="190" y="90" width="36" height="36"/></di:BPMNShape>
</di:BPMNPlane></di:BPMNDiagram>
"""


def read(body: str) -> Import:
    return read_source(Source(text=f"{HEAD}{body}</definitions>"))


def test_every_symbol_flow_lane_and_pool_is_there_under_its_own_id() -> None:
    rows = {row["id"]: row for row in read(ORDERS).document["elements"]}
    types = {key: row.get("nodeType") or row.get("edgeType") or row.get("containerType") for key, row in rows.items()}
    assert types == {
        "begin": "workflow.messageStart",
        "pay": "workflow.task",
        "late": "workflow.timer",
        "way": "workflow.gateway",
        "box": "workflow.task",
        "packed": "workflow.end",
        "lost": "workflow.terminate",
        "bill": "workflow.dataObject",
        "note": "workflow.annotation",
        "shop": "pool",
        "bank": "pool",
        "desk": "lane",
        "store": "lane",
        "pack": "subprocess",
        "m": "workflow.messageFlow",
        "on": "workflow.association",
        "inner": "workflow.sequenceFlow",
        "f1": "workflow.sequenceFlow",
        "f2": "workflow.sequenceFlow",
        "yes": "workflow.sequenceFlow",
        "no": "workflow.defaultFlow",
    }
    assert rows["pay"]["label"] == "Pay <now>"
    assert rows["bill"]["label"] == "Bill\n[open]"
    assert rows["note"]["label"] == "by hand"
    assert rows["desk"]["children"] == ["begin", "pay", "late"]
    assert rows["pack"]["children"] == ["box", "packed"]
    assert {"desk", "store", "lost"} <= set(rows["shop"]["children"])
    assert (rows["m"]["from"], rows["m"]["to"]) == ({"elementId": "pay"}, {"elementId": "bank"})


def test_the_places_of_the_diagram_are_the_sketch_and_an_event_stays_at_its_activity() -> None:
    document = read(ORDERS).document
    rows = {row["id"]: row for row in document["elements"]}
    assert document["computed"]["bounds"]["pay"] == {"x": 100, "y": 60, "width": 100, "height": 80}
    assert rows["late"]["layout"]["target"] == "pay"
    assert rows["late"]["layout"]["relation"] == "rightOf"
    assert rows["shop"]["laneDirection"] == "vertical"


def test_what_has_no_form_is_told_with_its_line_and_the_document_is_valid() -> None:
    read_back = read(ORDERS)
    told = {row.data["what"]: row.data["line"] for row in read_back.diagnostics if row.data}
    assert told["the sendTask 'Pay <now>' is drawn as task"] == 12
    assert told["the group 'g' is left out"] == 26
    assert not [row for row in validate(read_back.document, Limits()) if row.severity.name == "ERROR"]


def test_what_lies_in_a_closed_subprocess_is_imported() -> None:
    closed = '<di:BPMNDiagram><di:BPMNPlane><di:BPMNShape bpmnElement="s" isExpanded="false">'
    closed += '<dc:Bounds x="0" y="0" width="100" height="80"/></di:BPMNShape></di:BPMNPlane></di:BPMNDiagram>'
    body = '<process id="p"><subProcess id="s"><task id="t"/></subProcess><task id="u"/></process>'
    document = read(body + closed).document
    assert [row["id"] for row in document["elements"]] == ["u", "t", "s"]
    assert "computed" not in document


def test_further_diagrams_stand_below_the_first() -> None:
    def diagram(name: str) -> str:
        bounds = '<dc:Bounds x="0" y="0" width="100" height="80"/>'
        shape = f'<di:BPMNShape bpmnElement="{name}">{bounds}</di:BPMNShape>'
        return f"<di:BPMNDiagram><di:BPMNPlane>{shape}</di:BPMNPlane></di:BPMNDiagram>"

    body = '<process id="p"><task id="a"/></process><process id="q"><task id="b"/></process>'
    bounds = read(body + diagram("a") + diagram("b")).document["computed"]["bounds"]
    assert bounds["b"]["y"] > bounds["a"]["y"] + bounds["a"]["height"]


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE d [<!ENTITY a 'b'>]>" + HEAD.split("\n")[1] + "&a;</definitions>",
        '<!DOCTYPE d SYSTEM "file:///etc/passwd">' + HEAD.split("\n")[1] + "</definitions>",
        HEAD + "<a>" * 200_000,
        HEAD + "<a/>" * 200_000 + "</definitions>",
        HEAD + "</definitions>",
        HEAD + "<process",
    ],
    ids=range(6),
)
def test_hostile_and_empty_files_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_source(Source(text=text), "bpmn")


def test_it_is_recognized() -> None:
    assert recognized(f"\n{HEAD}</definitions>") == "bpmn"
