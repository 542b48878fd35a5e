"""Workflows whose every word is hostile, exported as BPMN: nothing of a caller becomes markup.

Each document is made by a seed: nested pools, lanes and activities, events on borders, all kinds of flows, with words,
ids, tooltips, conditions and extensions that try to leave their place. The file must be well-formed, of the elements
that the writer knows, with each reference at an id, and the words of the document where they belong.
"""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from chaos.scenes import Broken, require
from scenograph.engine.pipeline import render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source
from scenograph.scene.vocabulary import EDGE_TYPES, NODE_TYPES

Json = dict[str, Any]
NODES = tuple(NODE_TYPES["workflow"])
EDGES = tuple(EDGE_TYPES["workflow"])
ACTIVITIES = ("workflow.task", "workflow.userTask", "workflow.subprocess", "workflow.callActivity")
BORDERS = ("workflow.timer", "workflow.error", "workflow.messageCatch", "workflow.conditionalStart")
FRAMES = ("pool", "lane", "lane", "subprocess", "transaction", "eventSubprocess", "boundary", "region")
DEEPEST = 4
IDS = "abZ_-.:0é\u4e2d\u0301\u2028"
"""Letters of ids: XML names hold some of them, at some places."""
WORDS = (
    "]]></text><script>x</script>",
    '" onload="x" y="',
    "'/><task id='evil'/>",
    "</definitions><definitions>",
    "--><!-- ",
    "<?xml-stylesheet href='x'?>",
    '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
    "&amp;&#60;task/&#62;&lt;",
    "${''.getClass().forName('java.lang.Runtime')}",
    "=java.lang.System.exit(0)",
    "\u202e\u200b\ufeff\u2028\x85",
    "\t two\n\nlines\r\n ",
    "\ufffe\uffff\ud800",
    "\x00\x01\x0b\x1b[31m\x7f",
    "x" * 1500,
    "",
)
TEXTS = frozenset({"text", "documentation", "flowNodeRef", "condition", "conditionExpression", "incoming", "outgoing"})
REFERENCES = frozenset(
    {"sourceRef", "targetRef", "attachedToRef", "default", "bpmnElement", "processRef", "dataObjectRef"}
    | {"categoryValueRef"}
)
SPACES = (
    "{http://www.omg.org/spec/BPMN/20100524/MODEL}",
    "{http://www.omg.org/spec/BPMN/20100524/DI}",
    "{http://www.omg.org/spec/DD/20100524/DC}",
    "{http://www.omg.org/spec/DD/20100524/DI}",
)
ATTRIBUTES = REFERENCES | {"id", "name", "value", "x", "y", "width", "height", "targetNamespace", "isExecutable"}
ATTRIBUTES |= {"isHorizontal", "isExpanded", "isMarkerVisible", "isForCompensation", "isSequential", "isInterrupting"}
ATTRIBUTES |= {"cancelActivity", "parallelMultiple", "triggeredByEvent", "associationDirection"}
ELEMENTS = re.compile(
    r"definitions|category(Value)?|collaboration|participant|messageFlow|process|(child)?[lL]aneSet|lane|flowNodeRef"
    r"|documentation|group|association|text(Annotation)?|sequenceFlow|condition(Expression)?|dataObject(Reference)?"
    r"|dataStoreReference|([a-z]+T|businessRuleT|t)ask|(adHocS|s)ubProcess|transaction|callActivity|[a-z]+(Based)?Gateway"
    r"|(start|end|boundary|intermediateCatch|intermediateThrow)Event|[a-z]+EventDefinition"
    r"|(standard|multiInstance)LoopCharacteristics|BPMN(Diagram|Plane|Shape|Edge|Label)|Bounds|waypoint"
)


class Exported(NamedTuple):
    """How many documents were written, and what these files hold."""

    documents: int
    elements: int
    words: int


def export(count: int, seed: int = 1) -> Exported:
    """Write so many documents; Broken when one gets out of its place."""
    elements = words = 0
    for number in range(seed, seed + count):
        document = hostile(number)
        try:
            text = str(render(document, "bpmn").content)
            found = checked(text, document)
            read_source(Source(text=text))
        except Exception as fault:
            fault.add_note(f"the document of seed {number}")
            raise
        elements, words = elements + found.elements, words + found.words
    return Exported(count, elements, words)


def checked(text: str, document: Mapping[str, Any]) -> Exported:
    """What a file holds; Broken when it holds anything else than it should."""
    require(text.count("<?") == 1 and "<!" not in text, "there is an instruction, a comment or a declaration")
    try:
        root = ET.fromstring(text)  # noqa: S314 - what is tried
    except ET.ParseError as broken:
        raise Broken(f"the file is not well-formed: {broken}") from broken
    rows = list(root.iter())
    ids = Counter(row.attrib["id"] for row in rows if "id" in row.attrib)
    require(max(ids.values()) == 1, f"an id stands twice: {ids.most_common(1)}")
    for row in rows:
        _check(row, ids)
    names = sorted(row.attrib["name"] for row in rows if "name" in row.attrib and row is not root)
    wanted = Counter(_as_xml(word) for word in _names(document))
    given = {_as_xml(str(one.get(key))) for one in document["elements"] for key in ("id", "label", "title")}
    require(set(names) <= given, f"names that nobody gave: {set(names) - given}")
    require(not wanted - Counter(names), f"names that are lost: {wanted - Counter(names)}")
    return Exported(1, len(rows), len(names))


def _check(row: ET.Element, ids: Mapping[str, int]) -> None:
    space, _, name = row.tag.rpartition("}")
    require(f"{space}}}" in SPACES and ELEMENTS.fullmatch(name), f"a strange element: {row.tag}")
    require(set(row.attrib) <= ATTRIBUTES, f"strange attributes of {name}: {set(row.attrib) - ATTRIBUTES}")
    for key in REFERENCES & set(row.attrib):
        require(row.attrib[key] in ids, f"{name} has a {key} that leads nowhere: {row.attrib[key]!r}")
    if name == "flowNodeRef":
        require(row.text in ids, f"a lane holds what is not there: {row.text!r}")
    require(name in TEXTS or not (row.text or "").strip(), f"words in {name}: {row.text!r}")
    require(not (row.tail or "").strip(), f"words after {name}: {row.tail!r}")


def _names(document: Mapping[str, Any]) -> Iterator[str]:
    """Words that the file must have as names: those of flow nodes that are no notes, and of pools and lanes."""
    for one in document["elements"]:
        word = one.get("title") if one["kind"] == "frame" else one.get("label")
        is_node = one["kind"] == "node" and one["nodeType"] != "workflow.annotation"
        if word and (is_node or (one["kind"] == "frame" and one["containerType"] not in {"boundary", "region"})):
            yield str(word)


def _as_xml(word: str) -> str:
    """A word as XML 1.0 holds it."""
    kept = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "", word)
    return re.sub("[\ud800-\udfff\ufffe\uffff]", "\ufffd", kept)


# --- documents -------------------------------------------------------------------------------------------------------


def hostile(seed: int) -> Json:
    """The document of a seed."""
    maker = _Maker(random.Random(seed))  # noqa: S311 - the same document each time
    return maker.document()


class _Maker:
    """A document in the making."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._elements: list[Json] = []
        self._ids: set[str] = set()

    def document(self) -> Json:
        """The whole of it."""
        for _ in range(self._chance.randint(1, 3)):
            self._frame(1)
        self._nodes(self._chance.randint(1, 4))
        self._lines()
        scene = {"id": "hostile", "title": self._word(), "units": "px", "canvas": {}}
        return {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": self._elements}

    def _word(self) -> str:
        return "".join(self._chance.choice(WORDS) for _ in range(self._chance.randint(1, 2)))

    def _id(self) -> str:
        while (key := self._wished_id()) in self._ids:
            pass
        self._ids.add(key)
        return key

    def _wished_id(self) -> str:
        taken = self._chance.choice(("definitions", "plane", "process", "collaboration", "diagram", "lanes", ""))
        letters = "".join(self._chance.choice(IDS) for _ in range(self._chance.randint(1, 6)))
        return self._chance.choice((letters, taken + letters, taken or letters, f"{letters}_di"))

    def _said(self, **members: Any) -> Json:
        one = {"id": self._id(), **members}
        if self._chance.random() < 0.4:
            one["tooltip"] = self._word() or "-"
        if self._chance.random() < 0.3:
            events = [self._word(), "message", "timer"]
            one["extensions"] = {"markers": [self._word(), "loop"], "bpmn": {"events": events, "element": self._word()}}
        return one

    def _frame(self, depth: int) -> str:
        kinds: Sequence[str] = FRAMES[:1] if depth == 1 and self._chance.random() < 0.6 else FRAMES[1:]
        children = self._nodes(self._chance.randint(0, 3))
        if depth < DEEPEST:
            children += [self._frame(depth + 1) for _ in range(self._chance.randint(0, 2))]
        kind = self._chance.choice(kinds)
        one = self._said(kind="frame", containerType=kind, title=self._word(), children=children)
        self._elements.append(one)
        return str(one["id"])

    def _nodes(self, count: int) -> list[str]:
        made = []
        for _ in range(count):
            one = self._said(kind="node", nodeType=self._chance.choice(NODES), label=self._word())
            made.append(one)
            if self._chance.random() < 0.3:
                one["nodeType"] = self._chance.choice(ACTIVITIES)
                place = {"elementId": one["id"], "side": self._chance.choice(("top", "bottom", "right"))}
                event = self._said(
                    kind="node", nodeType=self._chance.choice(BORDERS), label=self._word(), attachedTo=place
                )
                made.append(event)
        self._elements += made
        return [str(one["id"]) for one in made]

    def _lines(self) -> None:
        ends = [str(one["id"]) for one in self._elements]
        for _ in range(min(12, len(ends)) if len(ends) > 1 else 0):
            source, target = self._chance.sample(ends, 2)
            line = self._said(kind="edge", edgeType=self._chance.choice(EDGES), label=self._word())
            self._elements.append(line | {"from": {"elementId": source}, "to": {"elementId": target}})
