"""Sequence diagrams of Mermaid as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenograph.reading.readers import Import
from scenograph.scene.validation import validate

Read = Callable[[str], Import]


def kinds(found: Import, kind: str) -> list[dict[str, Any]]:
    return [element for element in found.document["elements"] if element["kind"] == kind]


def test_messages_keep_their_order_and_their_type(mermaid: Read) -> None:
    found = mermaid(
        "sequenceDiagram\n participant A as Alice\n actor B\n A->>+B: ask\n B-->>-A: answer\n A-)B: later; A->B: line"
    )
    assert [(edge["edgeType"], edge["label"]) for edge in kinds(found, "edge")] == [
        ("sequence.message", "ask"),
        ("sequence.reply", "answer"),
        ("sequence.async", "later"),
        ("sequence.message", "line"),
    ]
    assert [(node["nodeType"], node["label"]) for node in kinds(found, "node")] == [
        ("sequence.lifeline", "Alice"),
        ("sequence.actor", "B"),
    ]


def test_created_and_destroyed_participants_have_their_messages(mermaid: Read) -> None:
    found = mermaid("sequenceDiagram\n A->>B: hi\n create participant C\n B->>C: new\n destroy C\n B-xC: end")
    assert [edge["edgeType"] for edge in kinds(found, "edge")] == [
        "sequence.message",
        "sequence.create",
        "sequence.destroy",
    ]


def test_fragments_nest_and_know_their_operands(mermaid: Read) -> None:
    found = mermaid(
        "sequenceDiagram\n A->>B: m1\n alt good\n B->>A: m2\n loop every day\n A->>B: m3\n end\n else bad\n"
        " B->>A: m4\n end\n Note over A,B: both"
    )
    frames = {frame["extensions"]["operator"]: frame for frame in kinds(found, "frame")}
    label_of = {edge["id"]: edge["label"] for edge in kinds(found, "edge")} | {frames["loop"]["id"]: "loop"}
    operands = frames["alt"]["extensions"]["operands"]
    assert [row["guard"] for row in operands] == ["good", "bad"]
    assert [[label_of[name] for name in row["messages"]] for row in operands] == [["m2", "loop"], ["m4"]]
    note = next(node for node in kinds(found, "node") if node["nodeType"] == "sequence.note")
    assert note["extensions"]["over"] == ["A", "B"]
    assert validate(found.document) == ()


def test_numbers_boxes_and_titles_are_kept(mermaid: Read) -> None:
    found = mermaid(
        "sequenceDiagram\n title Talk\n autonumber 10 5\n box Aqua Team\n participant A\n end\n"
        " A->>B: one\n A->>B: two #35;1"
    )
    assert [edge["label"] for edge in kinds(found, "edge")] == ["10. one", "15. two #1"]
    box = kinds(found, "frame")[0]
    assert (box["title"], box["style"], box["children"]) == ("Team", {"fill": "Aqua"}, ["A"])
    assert found.document["scene"]["title"] == "Talk"


def test_a_fragment_stands_where_it_begins(mermaid: Read) -> None:
    found = mermaid("sequenceDiagram\n A->>B: m1\n loop x\n alt y\n B->>A: m2\n else z\n end\n end\n A->>B: m3")
    assert [one.get("label", one["metadata"]["source"]["id"]) for one in found.document["elements"][2:]] == [
        "m1",
        "loop x",
        "alt y",
        "m2",
        "m3",
    ]
    assert found.diagnostics == ()


def test_activations_are_said_by_the_messages_at_which_they_begin_and_end(mermaid: Read) -> None:
    found = mermaid(
        "sequenceDiagram\n activate A\n A->>+B: m1\n B->>B: m2\n activate B\n B-->>-A: m3\n deactivate B\n deactivate A"
    )
    assert [edge.get("extensions") for edge in kinds(found, "edge")] == [
        {"activates": ["source", "target"]},
        {"activates": ["target"]},
        {"deactivates": ["source", "target"]},
    ]
    assert found.diagnostics == ()
    assert validate(found.document) == ()


def test_activations_without_an_end_or_a_message_are_told(mermaid: Read) -> None:
    found = mermaid("sequenceDiagram\n A->>+B: m1\n participant C\n activate C")
    told = [(row.data or {}).get("what") for row in found.diagnostics]
    assert "the activation of 'B', which does not end" in told
    assert "the activation of 'C', at which no message begins or ends" in told


def test_circles_at_the_middle_of_a_lifeline_are_told(mermaid: Read) -> None:
    found = mermaid("sequenceDiagram\n A->>()B: m1\n A()->>B: m2\n A->>B: m3")
    assert [edge["to"]["elementId"] for edge in kinds(found, "edge")] == ["B", "B", "B"]
    assert [(row.data or {})["line"] for row in found.diagnostics] == [2, 3]


def test_a_participant_that_no_message_reaches_is_a_lifeline(mermaid: Read) -> None:
    found = mermaid(
        'sequenceDiagram\n participant D@{ "type": "database" }\n participant E@{ "type": "database" }\n A->>D: x'
    )
    assert [one["nodeType"] for one in kinds(found, "node")] == ["database", "sequence.lifeline", "sequence.lifeline"]
    assert [(row.data or {})["line"] for row in found.diagnostics] == [3]
