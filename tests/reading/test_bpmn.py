"""BPMN 2.0 XML to documents."""

from __future__ import annotations

import pytest

from scenograph.engine.pipeline import lay_out
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source, Unreadable
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
        "pay": "workflow.sendTask",
        "late": "workflow.timerCatch",
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
    assert rows["late"]["attachedTo"] == {"elementId": "pay"}
    boxes = lay_out(document).scene.placement.boxes
    assert boxes["late"].center.x == boxes["pay"].right
    assert boxes["late"].center.y == pytest.approx(boxes["pay"].y + 0.6 * boxes["pay"].height, abs=0.01)
    assert rows["shop"]["laneDirection"] == "vertical"


def test_what_has_no_form_is_told_with_its_line_and_the_document_is_valid() -> None:
    read_back = read(ORDERS)
    told = {row.data["what"]: row.data["line"] for row in read_back.diagnostics if row.data}
    assert told["the group 'g' is left out: it is not shown"] == 26
    assert not [row for row in validate(read_back.document, Limits()) if row.severity.name == "ERROR"]


def test_what_lies_in_a_closed_subprocess_is_imported() -> None:
    closed = '<di:BPMNDiagram><di:BPMNPlane><di:BPMNShape bpmnElement="s" isExpanded="false">'
    closed += '<dc:Bounds x="0" y="0" width="100" height="80"/></di:BPMNShape></di:BPMNPlane></di:BPMNDiagram>'
    body = '<process id="p"><subProcess id="s"><task id="t"/></subProcess><task id="u"/></process>'
    document = read(body + closed).document
    assert [row["id"] for row in document["elements"]] == ["u", "t", "s"]
    assert "computed" not in document


def test_an_event_on_the_border_of_a_closed_subprocess_stays_where_the_diagram_shows_it() -> None:
    body = """<process id="p"><subProcess id="s"><task id="t"/></subProcess>
    <boundaryEvent id="b" attachedToRef="s"><errorEventDefinition/></boundaryEvent></process><di:BPMNDiagram>
    <di:BPMNPlane><di:BPMNShape bpmnElement="s" isExpanded="false"><dc:Bounds x="0" y="0" width="100" height="80"/>
    </di:BPMNShape>"""
    found = read(body + shape("b", 57, 62, 36, 36) + "</di:BPMNPlane></di:BPMNDiagram>").document
    rows = {row["id"]: row for row in found["elements"]}
    assert rows["b"]["attachedTo"] == {"elementId": "s", "side": "bottom", "offset": 0.75}


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


EVENTS = {
    "startEvent": {"timer": "timerStart", "compensate": "compensationStart", "link": "start", "": "start"},
    "intermediateCatchEvent": {
        "link": "linkCatch",
        "conditional": "conditionalCatch",
        "terminate": "catch",
        "": "catch",
    },
    "intermediateThrowEvent": {"escalation": "escalationThrow", "signal": "signalThrow", "timer": "throw", "": "throw"},
    "boundaryEvent": {"cancel": "cancelCatch", "error": "errorCatch", "compensate": "compensationCatch", "": "catch"},
    "endEvent": {"terminate": "terminate", "message": "messageEnd", "conditional": "end", "": "end"},
}


@pytest.mark.parametrize(("element", "event"), [(one, event) for one, row in EVENTS.items() for event in row])
def test_an_event_has_its_own_symbol_or_the_empty_ring_of_its_position(element: str, event: str) -> None:
    definition = f"<{event}EventDefinition/>" if event else ""
    found = read(f'<process id="p"><{element} id="e" name="E">{definition}</{element}></process>')
    assert found.document["elements"][0]["nodeType"] == f"workflow.{EVENTS[element][event]}"
    told = [row.data["what"] for row in found.diagnostics if row.data]
    bare = EVENTS[element][event] in {"start", "catch", "throw", "end"} and event != ""
    assert (f"the {event} {element} 'E' is drawn without its symbol" in told) == bare


def test_an_event_of_several_is_multiple_and_one_that_is_referred_to_is_known() -> None:
    two = "<messageEventDefinition/><timerEventDefinition/>"
    body = f"""<signalEventDefinition id="d"/><process id="p"><startEvent id="a">{two}</startEvent>
    <intermediateCatchEvent id="b" parallelMultiple="true">{two}</intermediateCatchEvent>
    <endEvent id="c"><eventDefinitionRef>d</eventDefinitionRef></endEvent></process>"""
    types = [row["nodeType"] for row in read(body).document["elements"]]
    assert types == ["workflow.multipleStart", "workflow.parallelMultipleCatch", "workflow.signalEnd"]


def test_marks_and_kinds_of_activities_are_read() -> None:
    body = """<process id="p"><task id="a" isForCompensation="true"><standardLoopCharacteristics/></task>
    <callActivity id="b"><multiInstanceLoopCharacteristics isSequential="true"/></callActivity>
    <adHocSubProcess id="c"><task id="d"/></adHocSubProcess><transaction id="t"><task id="u"/></transaction>
    <subProcess id="e" triggeredByEvent="true"><startEvent id="f" isInterrupting="false"><timerEventDefinition/>
    </startEvent></subProcess></process>"""
    rows = {row["id"]: row for row in read(body).document["elements"]}
    assert {key: row["extensions"]["markers"] for key, row in rows.items() if "markers" in row["extensions"]} == {
        "a": ["loop", "compensation"],
        "b": ["sequential"],
        "c": ["adHoc"],
    }
    kinds = {key: row.get("containerType") or row["nodeType"] for key, row in rows.items()}
    assert (kinds["b"], kinds["t"], kinds["e"]) == ("workflow.callActivity", "transaction", "eventSubprocess")
    assert rows["f"]["extensions"]["interrupting"] is False


NESTED = """<process id="p"><laneSet><lane id="x"><childLaneSet><lane id="y"><flowNodeRef>a</flowNodeRef></lane>
<lane id="z"><flowNodeRef>s</flowNodeRef><flowNodeRef>b</flowNodeRef></lane></childLaneSet></lane></laneSet>
<task id="a"/><subProcess id="s"><laneSet><lane id="w"><flowNodeRef>b</flowNodeRef></lane></laneSet><task id="b"/>
</subProcess></process>"""


def test_lanes_hold_lanes_and_those_of_a_subprocess_what_stands_in_that() -> None:
    rows = {row["id"]: row.get("children") for row in read(NESTED).document["elements"]}
    assert {key: children for key, children in rows.items() if children} == {
        "p": ["x"],
        "x": ["y", "z"],
        "y": ["a"],
        "z": ["s"],
        "s": ["w"],
        "w": ["b"],
    }


def shape(name: str, x: float, y: float, width: float = 100, height: float = 80) -> str:
    bounds = f'<dc:Bounds x="{x}" y="{y}" width="{width}" height="{height}"/>'
    return f'<di:BPMNShape bpmnElement="{name}">{bounds}</di:BPMNShape>'


def test_a_group_holds_what_is_shown_in_it_and_is_told_where_it_cannot() -> None:
    body = """<category><categoryValue id="v" value="Review"/></category><process id="p"><laneSet>
    <lane id="x"><flowNodeRef>a</flowNodeRef><flowNodeRef>b</flowNodeRef></lane>
    <lane id="y"><flowNodeRef>c</flowNodeRef></lane></laneSet><task id="a"/><task id="b"/><task id="c"/>
    <group id="g" categoryValueRef="v"/><group id="h" name="Both"/></process><di:BPMNDiagram><di:BPMNPlane>"""
    shapes = shape("a", 0, 0) + shape("b", 200, 0) + shape("c", 0, 200) + shape("g", -20, -20, 140, 120)
    found = read(body + shapes + shape("h", -40, -40, 400, 400) + "</di:BPMNPlane></di:BPMNDiagram>")
    rows = {row["id"]: row for row in found.document["elements"]}
    assert (rows["g"]["containerType"], rows["g"]["title"], rows["g"]["children"]) == ("boundary", "Review", ["a"])
    assert rows["x"]["children"] == ["b", "g"]
    told = [row.data["what"] for row in found.diagnostics if row.data]
    assert told == ["the group 'Both' is left out: what it surrounds stands in several pools or lanes"]


@pytest.mark.parametrize(
    "content",
    [
        '<dataObject id="d"/><dataObjectReference id="in" name="Bill" dataObjectRef="d"/>',
        '<textAnnotation id="in"><text>note</text></textAnnotation>',
    ],
)
def test_a_subprocess_that_holds_no_step_holds_its_data_and_notes(content: str) -> None:
    found = read_source(
        Source(text=f'{HEAD}<process id="p"><subProcess id="s">{content}</subProcess></process></definitions>')
    )
    rows = {row["id"]: row for row in found.document["elements"]}
    assert rows["s"]["children"] == ["in"]
    assert rows["in"]["label"] in {"Bill", "note"}


def test_a_group_round_nothing_is_an_empty_frame_where_it_is_shown() -> None:
    groups = '<process id="p"><group id="g" categoryValueRef="v"/><group id="h"/></process>'
    words = '<category><categoryValue id="v" value="Later"/></category>'
    shape = '<di:BPMNShape bpmnElement="g"><dc:Bounds x="40" y="60" width="200" height="100"/></di:BPMNShape>'
    found = read(f"{words}{groups}<di:BPMNDiagram><di:BPMNPlane>{shape}</di:BPMNPlane></di:BPMNDiagram>")
    (frame,) = found.document["elements"]
    assert (frame["id"], frame["title"], frame["children"]) == ("g", "Later", [])
    assert found.document["computed"]["bounds"]["g"] == {"x": 40, "y": 60, "width": 200, "height": 100}
    assert [row.data["what"] for row in found.diagnostics if row.data] == ["the group 'h' is left out: it is not shown"]
    with pytest.raises(Unreadable):
        read(groups)
