"""Mermaid: what is written is read back as the same graph, whatever the labels say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import edge, node

from scenograph.engine.pipeline import RenderedPicture, render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source

Json = dict[str, Any]
LABELS = (
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=24)
    .map(str.strip)
    .filter(bool)
)


def document(elements: list[Json], family: str = "architecture") -> Json:
    scene: Json = {"id": "s", "title": 'A "title": %%{init}%%', "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": elements}


def written(given: Json) -> RenderedPicture:
    return render(given, "mermaid")


def read_back(given: Json) -> Json:
    return read_source(Source(text=str(written(given).content))).document


def of_kind(given: Json, kind: str) -> list[Json]:
    return [one for one in given["elements"] if one["kind"] == kind]


@settings(max_examples=60)
@given(labels=st.lists(LABELS, min_size=3, max_size=3))
def test_any_label_of_a_flowchart_comes_back_and_stays_a_label(labels: list[str]) -> None:
    frame = {"id": "f", "kind": "frame", "title": labels[2], "children": ["b"]}
    given = document([node("a", label=labels[0]), node("b"), edge("a", "b", id="e", label=labels[1]), frame])
    found = read_back(given)
    assert {one["id"] for one in of_kind(found, "node")} == {"a", "b"}
    assert len(of_kind(found, "edge")) == len(of_kind(found, "frame")) == 1
    assert "%%{" not in str(written(given).content).split("---")[2]


@pytest.mark.parametrize(
    "shape", ["rect", "roundedRect", "diamond", "cylinder", "pill", "hexagon", "parallelogram", "tube"]
)
def test_shapes_that_mermaid_has_are_kept(shape: str) -> None:
    found = of_kind(read_back(document([node("a", shape=shape)])), "node")[0]
    assert found.get("shape", "roundedRect") == shape


def test_nested_frames_are_nested_subgraphs() -> None:
    frames = [
        {"id": "outer", "kind": "frame", "title": "Outer", "children": ["inner", "a"]},
        {"id": "inner", "kind": "frame", "title": "Inner", "children": ["b"]},
    ]
    found = {one["id"]: one for one in of_kind(read_back(document([node("a"), node("b"), *frames])), "frame")}
    assert set(found["outer"]["children"]) == {"a", "inner"}
    assert found["inner"]["children"] == ["b"]


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ({}, "a --- b"),
        ({"endpoints": {"endArrow": "triangle"}}, "a --> b"),
        ({"endpoints": {"startArrow": "triangle"}}, "b --> a"),
        ({"endpoints": {"startArrow": "triangle", "endArrow": "triangle"}}, "a <--> b"),
        ({"endpoints": {"endArrow": "triangle"}, "style": {"dash": [4, 4]}}, "a -.-> b"),
        ({"endpoints": {"endArrow": "triangle"}, "style": {"strokeWidth": 4}}, "a ==> b"),
        ({"style": {"strokeWidth": 4}}, "a === b"),
    ],
)
def test_lines_say_their_heads_and_strokes(members: Json, line: str) -> None:
    assert line in str(written(document([node("a"), node("b"), edge("a", "b", id="e", **members)])).content)


def test_a_name_that_mermaid_would_take_for_a_word_gets_another() -> None:
    content = str(written(document([node("end"), node("a-b"), node("a_b"), edge("end", "a-b", id="e")])).content)
    assert "n_end --- a-b" in content


def test_messages_notes_and_nested_fragments_keep_their_order() -> None:
    lives = [node("u", nodeType="sequence.actor"), node("s", nodeType="sequence.lifeline", label="Shop; end")]
    events = [
        edge("u", "s", id="m1", edgeType="sequence.message", label="order"),
        edge("s", "s", id="m2", edgeType="sequence.message", label="check"),
        node("n1", nodeType="sequence.note", label="careful", extensions={"over": ["u", "s"]}),
        edge("s", "u", id="m3", edgeType="sequence.reply", label="ok; end"),
        edge("s", "u", id="m4", edgeType="sequence.async", label="no"),
    ]
    inner = {"operator": "loop", "operands": [{"guard": "3 times", "messages": ["m2"]}]}
    outer = {
        "operator": "alt",
        "operands": [{"guard": "good", "messages": ["inner", "n1", "m3"]}, {"guard": "bad", "messages": ["m4"]}],
    }
    frames: list[Json] = [
        {"id": key, "kind": "frame", "containerType": "fragment", "children": [], "extensions": said}
        for key, said in (("outer", outer), ("inner", inner))
    ]
    chart = document([*lives, *events, *frames], "sequence")
    lines = [line.strip() for line in str(written(chart).content).split("\n")]
    assert lines[lines.index("actor u") :] == [
        "actor u",
        "participant s as Shop#59; en#100;",
        "u->>s: order",
        "alt good",
        "loop 3 times",
        "s->>s: check",
        "end",
        "Note over u,s: careful",
        "s-->>u: ok#59; en#100;",
        "else bad",
        "s-)u: no",
        "end",
        "",
    ]
    found = read_back(chart)
    assert [one["label"] for one in of_kind(found, "edge")] == ["order", "check", "ok; end", "no"]


CHART = """sequenceDiagram
    participant A
    participant B
    A->>B: m1
    activate A
    alt nothing
    else begins with a loop
        loop every day
            B->>A: m2
            opt never
            end
        end
        A-->>B: m3
        deactivate A
    else only a note
        Note over A,B: by hand
    end
    par
        B->>B: m4
    and
    end
"""


def test_a_sequence_comes_back_as_it_was_drawn() -> None:
    once = str(render(read_source(Source(text=CHART)).document, "mermaid").content)
    assert once == CHART
    assert str(render(read_source(Source(text=once)).document, "mermaid").content) == once


def test_an_operator_that_mermaid_does_not_part_begins_another_block() -> None:
    lives = [node(name, nodeType="sequence.lifeline") for name in "ab"]
    events = [edge("a", "b", id=name, edgeType="sequence.message", label=name) for name in ("m1", "m2")]
    said = {"operator": "loop", "operands": [{"guard": "x", "messages": ["m1"]}, {"guard": "y", "messages": ["m2"]}]}
    frame = {"id": "f", "kind": "frame", "containerType": "fragment", "extensions": said}
    found = written(document([*lives, *events, frame], "sequence"))
    assert [line.strip() for line in str(found.content).splitlines()][-6:] == [
        "loop x",
        "a->>b: m1",
        "end",
        "loop y",
        "a->>b: m2",
        "end",
    ]
    losses = next(row.data for row in found.diagnostics if row.code == "EXPORT_LOSS")
    assert losses is not None
    assert {"what": "further operands of fragments that Mermaid does not part", "elementIds": ["f"]} in losses["losses"]


@pytest.mark.parametrize(
    "source",
    [
        "flowchart LR\n    subgraph f[F]\n        direction TB\n        a --> b\n    end",
        "stateDiagram-v2\n    direction LR\n    state f {\n        direction TB\n        a --> b\n    }",
    ],
)
def test_directions_inside_containers_come_back(source: str) -> None:
    read = read_source(Source(text=source)).document
    assert [one["extensions"] for one in of_kind(read, "frame")] == [{"direction": "TB"}]
    assert [one["extensions"] for one in of_kind(read_back(read), "frame")] == [{"direction": "TB"}]


def test_tables_keep_columns_keys_and_cardinalities() -> None:
    columns = [{"name": "id", "type": "int", "pk": True}, {"name": "shop_id", "type": "int", "fk": True}]
    tables = [node(key, nodeType="er.entity", extensions={"columns": columns}) for key in ("shops", "orders")]
    line = edge("shops", "orders", id="e", label="has")
    line["from"]["cardinality"], line["to"]["cardinality"] = "one", "zero-or-many"
    found = read_back(document([*tables, line], "entityRelationship"))
    rows = {one["id"]: one["extensions"]["columns"] for one in of_kind(found, "node")}
    assert [(row["name"], bool(row.get("pk")), bool(row.get("fk"))) for row in rows["orders"]] == [
        ("id", True, False),
        ("shop_id", False, True),
    ]
    ends = [(one["from"]["cardinality"], one["to"]["cardinality"]) for one in of_kind(found, "edge")]
    assert ends == [("one", "zero-or-many")]


def test_states_and_classes_are_written_as_such() -> None:
    states = [node("i", nodeType="state.initial"), node("open", nodeType="state.state"), edge("i", "open", id="e")]
    assert "[*] --> open" in str(written(document(states, "workflow")).content)
    said = {"attributes": ["+id: int"], "methods": ["+pay()"]}
    classes = [node("Order", nodeType="uml.class", extensions=said), node("Base", nodeType="uml.interface")]
    content = str(written(document([*classes, edge("Order", "Base", id="e", edgeType="uml.implements")])).content)
    assert "Order ..|> Base" in content
    found = {one["id"]: one for one in of_kind(read_source(Source(text=content)).document, "node")}
    assert found["Order"]["extensions"]["methods"] == ["+pay()"]
    assert found["Base"]["nodeType"] == "uml.interface"


def test_regions_and_notes_of_states_come_back() -> None:
    states = [node(key, nodeType="state.state") for key in "abcd"]
    frame: Json = {
        "id": "both",
        "kind": "frame",
        "title": "Both",
        "containerType": "state",
        "children": ["a", "b", "c"],
    }
    frame["extensions"] = {"regions": [["a", "b"], ["c"]]}
    lines = [
        edge("a", "b", id="t", edgeType="state.transition"),
        edge("both", "d", id="u"),
        edge("said", "d", id="tie"),
    ]
    beside = {"mode": "relative", "relation": "leftOf", "target": "d"}
    note = node("said", nodeType="note", label="careful; end", layout=beside)
    found = read_back(document([*states, note, frame, *lines], "workflow"))
    region = of_kind(found, "frame")[0]["extensions"]["regions"]
    assert region == [["a", "b"], ["c"]]
    notes = [one for one in of_kind(found, "node") if one["nodeType"] == "note"]
    assert [one["label"] for one in notes] == ["careful; end"]
    assert notes[0]["layout"]["relation"] == "leftOf"
    ends = {(one["from"]["elementId"], one["to"]["elementId"]) for one in of_kind(found, "edge")}
    assert ends == {("a", "b"), ("both", "d"), (notes[0]["id"], "d")}


def test_notes_and_members_of_classes_come_back() -> None:
    said = {"methods": ["+sum(a): int {static}", "+run() {abstract}"]}
    classes = [node("Order", nodeType="uml.class", extensions=said), node("n", nodeType="note", label="careful")]
    content = str(written(document([*classes, edge("n", "Order", id="tie")])).content)
    assert 'note for Order "careful"' in content
    assert "+sum(a) int$" in content
    found = of_kind(read_source(Source(text=content)).document, "node")
    assert found[0]["extensions"] == said


def test_colours_of_lines_are_written() -> None:
    seen = edge("a", "b", id="e", style={"stroke": "#ff0000", "dash": [2, 2]})
    content = str(written(document([node("a"), node("b"), edge("b", "a", id="f"), seen])).content)
    styles = [one.get("style") for one in of_kind(read_source(Source(text=content)).document, "edge")]
    assert (styles[1] or {})["stroke"] == "#f00"


@pytest.mark.parametrize(
    ("elements", "family", "what"),
    [
        (
            [node("a", tooltip="x"), node("b-end", style={"fontSize": 30})],
            "architecture",
            "tooltips; fonts and opacity",
        ),
        (
            [node("a"), node("b"), edge("b", "a", id="e", endpoints={"startArrow": "triangle"})],
            "architecture",
            "lines with",
        ),
        ([node("i", nodeType="state.initial"), node("s", nodeType="state.state")], "workflow", "ids of starts"),
        ([node("l", nodeType="sequence.lifeline", style={"fill": "#fff"})], "sequence", "colours"),
        (
            [
                node("t", nodeType="er.entity", extensions={"columns": [{"name": "c", "nullable": True}]}),
            ],
            "entityRelationship",
            "columns that may be null",
        ),
    ],
)
def test_each_kind_of_diagram_tells_what_it_loses(elements: list[Json], family: str, what: str) -> None:
    row = next(row for row in written(document(elements, family)).diagnostics if row.code == "EXPORT_LOSS")
    assert what in row.message


def test_the_heads_of_messages_are_written_or_told() -> None:
    heads = [("none", "none"), ("none", "bar"), ("triangle", "triangle"), ("diamond", "triangle")]
    lives = [node(key, nodeType="sequence.lifeline") for key in ("u", "s")]
    messages = [
        edge("u", "s", id=f"m{at}", label="x", edgeType=kind, endpoints={"startArrow": start, "endArrow": end})
        for at, (kind, (start, end)) in enumerate(
            (kind, pair) for kind in ("sequence.message", "sequence.reply") for pair in heads
        )
    ]
    found = written(document([*lives, *messages], "sequence"))
    lines = [line.strip() for line in str(found.content).splitlines() if ": x" in line]
    arrows = ["->", "-x", "<<->>", "->>", "-->", "--x", "<<-->>", "-->>"]
    assert lines == [f"u{arrow}s: x" for arrow in arrows]
    losses = next(row.data for row in found.diagnostics if row.code == "EXPORT_LOSS")
    assert losses is not None
    assert {"what": "arrow markers that Mermaid does not have", "elementIds": ["m3", "m7"]} in losses["losses"]


def test_what_mermaid_cannot_hold_is_told() -> None:
    text = {"id": "t", "kind": "text", "content": "free"}
    given = document([node("a", shape="rect", icon="aws:s3", layout={"mode": "absolute", "x": 5, "y": 5}), text])
    losses = next(row.data for row in written(given).diagnostics if row.code == "EXPORT_LOSS")
    assert losses is not None
    assert {row["what"]: row["elementIds"] for row in losses["losses"]} == {
        "given places": ["a"],
        "free texts": ["t"],
        "icons": ["a"],
    }


def test_the_line_round_a_node_keeps_its_width_and_dashes() -> None:
    scene = document([node("a", style={"stroke": "#ff0000", "strokeWidth": 3, "dash": [6, 2.5]}), node("b")])
    style = next(element for element in read_back(scene)["elements"] if element["id"] == "a")["style"]
    assert {name: style[name] for name in ("stroke", "strokeWidth", "dash")} == {
        "stroke": "#f00",
        "strokeWidth": 3,
        "dash": [6, 2.5],
    }


def kept(ids: list[str], node_type: str | None, family: str = "architecture") -> list[str]:
    """The ids that a diagram of nodes with these ids keeps."""
    given = document([node(key, **({"nodeType": node_type} if node_type else {})) for key in ids], family)
    found = {one["id"] for one in of_kind(read_back(given), "node")}
    return [key for key in ids if key in found]


@pytest.mark.parametrize(
    ("node_type", "free", "taken"),
    [
        (None, ["state", "note", "loop", "title", "my-end", "End", "user.name", "a:b", "1a", "ä"], ["end", "end-user"]),
        ("er.entity", ["graph", "note", "state", "end_user", "user-name", "a.b"], ["to", "one", "Class", "end-user"]),
        ("state.state", ["end", "graph", "loop", "subgraph", "1a"], ["class", "Note", "my-end"]),
        ("uml.class", ["end", "graph", "state", "user-name", "Order"], ["note", "my-class", "o"]),
        ("sequence.lifeline", ["graph", "state", "style", "to", "my-end"], ["end", "Loop", "note", "ex-x"]),
    ],
)
def test_ids_are_changed_only_where_the_grammar_has_its_own_use_for_them(
    node_type: str | None, free: list[str], taken: list[str]
) -> None:
    family = "sequence" if node_type == "sequence.lifeline" else "architecture"
    assert kept([*free, *taken], node_type, family) == free
    assert kept(["Shop", "shop"], node_type, family) == ["Shop", "shop"]


def test_types_with_a_shape_of_their_own_come_back() -> None:
    types = ["workflow.start", "workflow.end", "workflow.subprocess", "workflow.dataObject", "workflow.annotation"]
    given = document([node(f"n{at}", nodeType=one) for at, one in enumerate(types)], "workflow")
    assert [one.get("nodeType") for one in of_kind(read_back(given), "node")] == types
    outlines = ["box3d", "textBox", "cloud", "tube"]
    given = document([node(one, shape=one) for one in outlines])
    assert [one.get("shape") for one in of_kind(read_back(given), "node")] == outlines
    assert not any(row.code == "EXPORT_LOSS" for row in written(given).diagnostics)


SWIMLANES = """swimlane-beta LR
    subgraph a["A"]
        x["X"]
    end
    subgraph b["B"]
        y["Y"]
    end
    x --> y
"""
TABLES = """erDiagram
    subgraph b ["Bills"]
        direction LR
        A {
            int id PK
        }
    end
    C {
    }
    A ||--o{ C : "has"
"""
CLASSES = """classDiagram
    direction TB
    namespace Shop {
        namespace Basket {
            class Item
        }
    }
    class Order
    Order .. Item
    Order <--> Item
    Order <..> Item
    Order --> Item
"""
SYMBOLS = """sequenceDiagram
    participant D@{ "type": "database" } as Store
    actor P
    box
        participant Q
    end
    P->>D: read
    P->>Q: ask
"""


@pytest.mark.parametrize("source", [SWIMLANES, TABLES, CLASSES, SYMBOLS])
def test_every_kind_is_written_as_it_was_read(source: str) -> None:
    read = read_source(Source(text=source))
    assert read.diagnostics == ()
    written_once = str(render(read.document, "mermaid").content)
    assert sorted(written_once.split("\n")) == sorted(source.split("\n"))


def test_frames_in_which_a_class_diagram_has_nothing_are_told() -> None:
    empty = {"id": "f", "kind": "frame", "title": "F", "children": []}
    found = written(document([node("a", nodeType="uml.class"), empty]))
    losses = next(row.data for row in found.diagnostics if row.code == "EXPORT_LOSS")
    assert losses is not None
    assert {"what": "empty containers", "elementIds": ["f"]} in losses["losses"]


def test_hidden_lines_of_a_flowchart_are_invisible_links() -> None:
    hidden = [edge("a", "b", id="ab", visible=False), edge("b", "c", id="bc", visible=False, label="Why")]
    given = document([node("a"), node("b"), node("c"), *hidden, edge("a", "c", id="ac")])
    picture = written(given)
    assert "EXPORT_LOSS" not in {row.code for row in picture.diagnostics}
    lines = {(one["from"]["elementId"], one["to"]["elementId"]): one for one in of_kind(read_back(given), "edge")}
    assert {ends: one.get("visible", True) for ends, one in lines.items()} == {
        ("a", "b"): False,
        ("b", "c"): False,
        ("a", "c"): True,
    }
    assert lines["b", "c"]["label"] == "Why"


def test_hidden_lines_of_other_diagrams_are_told() -> None:
    tables = [node(key, nodeType="er.entity") for key in "ab"]
    given = document([*tables, edge("a", "b", id="e", visible=False)])
    (told,) = (row.data for row in written(given).diagnostics if row.code == "EXPORT_LOSS")
    assert told is not None
    assert {"elementIds": ["e"], "what": "hidden elements"} in told["losses"]
