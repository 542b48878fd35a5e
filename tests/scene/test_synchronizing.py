"""The operations that carry a document to what its source says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.pipeline import normalize
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source as Text
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize

MERMAID = SourceIdentity("mermaid", "")
Document = dict[str, Any]


def document(text: str) -> Document:
    return read_source(Text(text=text)).document


def synced(stored: Document, text: str, **asked: bool) -> tuple[Document, list[Document]]:
    """The stored document after a sync, and the operations."""
    read = read_source(Text(text=text))
    form = read.document["elements"][0]["metadata"]["source"]["format"]
    done = synchronize(stored, read.document, SourceIdentity(form, ""), whole=read.whole, **asked)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded, batch.diagnostics
    assert synchronize(batch.document, read.document, SourceIdentity(form, ""), whole=read.whole, **asked).ops == ()
    return batch.document, list(done.ops)


def elements(found: Document) -> dict[str, Document]:
    return {element["id"]: element for element in found["elements"]}


def test_a_step_whose_name_alone_changed_stays_the_same_element() -> None:
    found, ops = synced(document("graph LR\n a[Pay] --> b[Ship]"), "graph LR\n p[Pay] --> b[Ship]")
    assert set(elements(found)) == {"a", "b", "a--b"}
    assert {op["op"] for op in ops} == {"updateNode", "updateEdge"}
    assert elements(found)["a"]["metadata"]["source"]["id"] == "p"


def test_a_table_whose_columns_changed_too_is_a_proposal_only() -> None:
    stored = document("CREATE TABLE a (id int PRIMARY KEY, x text, y text, z text);")
    new = document("CREATE TABLE b (id int PRIMARY KEY, x text, y text, w text);")
    done = synchronize(stored, new, SourceIdentity("sql", ""), whole=True)
    assert [(op["op"], op["id"]) for op in done.ops] == [("createNode", "b"), ("deleteElement", "a")]
    assert [(row.code, row.data and row.data["certain"]) for row in done.diagnostics] == [("SYNC_RENAME", False)]


def test_elements_of_another_source_are_left_alone() -> None:
    stored = document("graph LR\n a --> b")
    new = document("graph LR\n a --> b")
    done = synchronize(stored, {**new, "elements": []}, SourceIdentity("mermaid", "other"), whole=True)
    assert done.ops == ()


def test_a_new_message_stands_in_its_turn() -> None:
    before = document("sequenceDiagram\n A->>B: one\n alt yes\n B->>A: two\n end\n A->>B: three")
    found, _ = synced(before, "sequenceDiagram\n A->>B: one\n B->>B: new\n alt yes\n B->>A: two\n end\n A->>B: three")
    edges = [element for element in found["elements"] if element["kind"] == "edge"]
    assert [edge["label"] for edge in edges] == ["one", "new", "two", "three"]
    fragment = next(element for element in found["elements"] if element["kind"] == "frame")
    assert fragment["extensions"]["operands"][0]["messages"] == [edges[2]["id"]]


def lifelines(found: Document) -> list[str]:
    return [one["id"] for one in found["elements"] if one["kind"] == "node" and "note" not in one.get("nodeType", "")]


def test_a_new_participant_stands_where_the_source_has_it() -> None:
    stored = document("sequenceDiagram\n participant A\n box Shop\n participant C\n end\n A->>C: one\n note over C: hm")
    stored["elements"].append({"id": "mine", "kind": "node", "nodeType": "sequence.lifeline", "label": "Mine"})
    elements(stored)["C"]["style"] = {"fill": "#ff0000"}
    found, _ = synced(
        stored,
        "sequenceDiagram\n participant A\n participant B\n box Shop\n participant C\n end\n"
        " A->>C: one\n note over C: hm\n C->>B: two",
    )
    assert lifelines(found) == ["A", "B", "C", "mine"]
    assert elements(found)["C"]["style"] == {"fill": "#ff0000"}
    assert [one["children"] for one in found["elements"] if one["kind"] == "frame"] == [["C"]]
    assert [one["label"] for one in found["elements"] if one["kind"] == "edge"] == ["one", "two"]


def test_what_people_said_in_between_stays_behind_what_it_followed() -> None:
    stored = document("sequenceDiagram\n A->>B: one\n A->>B: two")
    edge = elements(stored)["A--B-2"]
    stored["elements"].insert(-1, {**edge, "id": "mine", "label": "mine", "metadata": {}})
    found, _ = synced(stored, "sequenceDiagram\n A->>B: zero\n A->>B: one\n A->>B: two")
    assert [one["label"] for one in found["elements"] if one["kind"] == "edge"] == ["zero", "one", "mine", "two"]


def test_a_source_without_elements_removes_nothing_unless_that_is_asked_for() -> None:
    stored = document("graph LR\n a --> b")
    empty = document("graph LR")
    done = synchronize(stored, empty, MERMAID, whole=True)
    assert done.ops == ()
    assert [row.code for row in done.diagnostics] == ["SYNC_KEPT"]
    assert "because it holds no elements at all; prune removes them" in done.diagnostics[0].message
    assert len(synchronize(stored, empty, MERMAID, whole=True, prune=True).ops) == 3


def test_a_step_that_became_a_subgraph_keeps_the_look_that_people_gave_it() -> None:
    stored = document("graph LR\n a --> s")
    elements(stored)["s"] |= {"style": {"fill": "#ff0000"}, "tooltip": "mine", "link": {"href": "https://a.example"}}
    found, _ = synced(stored, "graph LR\n a --> s\n subgraph s\n q\n end")
    frame = next(element for element in found["elements"] if element["kind"] == "frame")
    assert (frame["style"], frame["tooltip"]) == ({"fill": "#ff0000"}, "mine")
    back, _ = synced(found, "graph LR\n a --> s")
    node = next(one for one in back["elements"] if one["kind"] == "node" and one["label"] == "s")
    assert node["link"] == {"href": "https://a.example"}


def test_frames_that_people_made_keep_what_they_hold() -> None:
    stored = document("graph LR\n a --> b")
    stored["elements"].append({"id": "mine", "kind": "frame", "children": ["a"]})
    found, ops = synced(stored, "graph LR\n a --> b --> c")
    assert elements(found)["mine"]["children"] == ["a"]
    assert [op["op"] for op in ops] == ["createNode", "createEdge"]


def test_a_new_element_takes_no_id_that_people_gave() -> None:
    stored = document("graph LR\n a")
    stored["elements"].append({"id": "b", "kind": "node", "label": "by hand"})
    found, _ = synced(stored, "graph LR\n a --> b")
    assert elements(found)["b"]["label"] == "by hand"
    assert elements(found)["a--b"]["to"] == {"elementId": "b-2"}


def test_a_copy_that_somebody_made_of_an_element_is_theirs() -> None:
    stored = document("graph LR\n a --> b")
    stored["elements"].append({**elements(stored)["a"], "id": "copy"})
    found, _ = synced(stored, "graph LR\n a[New] --> b")
    assert {name: elements(found)[name]["label"] for name in ("a", "copy")} == {"a": "New", "copy": "a"}
    assert elements(found)["a--b"]["from"] == {"elementId": "a"}
    assert "copy" in elements(synced(found, "graph LR\n b")[0])


def test_edges_that_people_drew_to_a_step_end_at_the_frame_that_it_became() -> None:
    stored = document("graph LR\n a --> s")
    stored["elements"] += [
        {"id": "mine", "kind": "node"},
        {"id": "drawn", "kind": "edge", "from": {"elementId": "mine"}, "to": {"elementId": "s", "port": "top"}},
    ]
    found, _ = synced(stored, "graph LR\n a --> s\n subgraph s\n q\n end")
    frame = next(element["id"] for element in found["elements"] if element["kind"] == "frame")
    assert elements(found)["drawn"]["to"] == {"elementId": frame}
    assert "s" not in elements(found)


def test_a_step_that_was_kept_beside_its_frame_goes_once_all_of_the_source_is_understood() -> None:
    became = document("graph LR\n a --> s\n subgraph s\n q\n end")
    done = synchronize(document("graph LR\n a --> s"), became, MERMAID, whole=False)
    kept = apply_operations(document("graph LR\n a --> s"), done.ops).document
    assert "s" in elements(kept)
    found, ops = synced(kept, "graph LR\n a --> s\n subgraph s\n q\n end")
    assert [(op["op"], op["id"]) for op in ops] == [("deleteElement", "s")]
    assert [element["id"] for element in found["elements"] if element["kind"] == "frame"] == ["s-2"]


NAMES = st.sampled_from("abcdef")
LINES = st.one_of(
    st.tuples(NAMES, NAMES).map(lambda ends: f"{ends[0]} --> {ends[1]}"),
    st.tuples(NAMES, st.sampled_from(["One", "Two", "Three"])).map(lambda node: f"{node[0]}[{node[1]}]"),
    st.tuples(NAMES, NAMES).map(lambda names: f"subgraph s{names[0]}\n {names[1]}\n end"),
)
CHARTS = st.lists(LINES, min_size=1, max_size=8).map(lambda lines: "graph LR\n" + "\n".join(lines))


@settings(max_examples=60, deadline=None)
@given(CHARTS, CHARTS)
def test_after_a_sync_the_scene_says_what_the_source_says(before: str, after: str) -> None:
    found, _ = synced(document(before), after)
    wanted = document(after)

    def said(one: Document) -> set[tuple[object, ...]]:
        names = {each["id"]: each["metadata"]["source"]["id"] for each in one["elements"]}
        nodes: set[tuple[object, ...]] = {
            (each["kind"], names[each["id"]], each.get("label"), each.get("title"))
            for each in one["elements"]
            if each["kind"] != "edge"
        }
        held: set[tuple[object, ...]] = {
            ("in", names[each["id"]], names[child]) for each in one["elements"] for child in each.get("children", [])
        }
        return nodes | held

    def lines(one: Document) -> list[tuple[str, str]]:
        names = {each["id"]: each["metadata"]["source"]["id"] for each in one["elements"]}
        edges = (each for each in one["elements"] if each["kind"] == "edge")
        return sorted((names[each["from"]["elementId"]], names[each["to"]["elementId"]]) for each in edges)

    assert said(found) == said(wanted)
    assert lines(found) == lines(wanted)


MESSAGES = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD"), st.sampled_from(["one", "two", "three"])).map(
        lambda row: f"{row[0]}->>{row[1]}: {row[2]}"
    ),
    max_size=6,
    unique=True,
).map(lambda rows: "\n".join(("sequenceDiagram", " participant Z", *rows)))


@settings(max_examples=60)
@given(MESSAGES, MESSAGES)
def test_after_a_sync_a_sequence_runs_as_the_source_does(before: str, after: str) -> None:
    found, wanted = synced(document(before), after)[0], document(after)
    for kind in ("node", "edge"):
        said = [[one["label"] for one in each["elements"] if one["kind"] == kind] for each in (found, wanted)]
        assert said[0] == said[1]


def cells(*rows: str) -> str:
    inner = "".join(rows)
    return f'<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>{inner}</root></mxGraphModel>'


def cell(name: str, value: str = "", style: str = "html=1;", parent: str = "1", at: int = 0) -> str:
    place = f'<mxGeometry x="{at}" y="{at}" width="80" height="40" as="geometry"/>'
    return f'<mxCell id="{name}" value="{value}" style="{style}" vertex="1" parent="{parent}">{place}</mxCell>'


def line(name: str, source: str, target: str) -> str:
    return f'<mxCell id="{name}" edge="1" parent="1" source="{source}" target="{target}"/>'


PIXEL = (
    "data:image/png,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PICTURE = f"shape=image;image={PIXEL};"
DRAWN = cells(
    cell("box", "Web"),
    cell("note", "Our network", "text;html=1;", at=100),
    cell("photo", "A photo", PICTURE, at=200),
    cell("pair", "", "group", at=300),
    cell("one", "One", parent="pair"),
    cell("two", "Two", parent="pair", at=50),
)


def kinds(found: Document) -> dict[str, str]:
    return {one["id"]: one["kind"] for one in found["elements"]}


def test_every_kind_that_a_reader_makes_is_in_step_with_its_own_source() -> None:
    stored = document(DRAWN)
    assert {"node", "text", "image", "group"} <= {*kinds(stored).values()}
    assert synced(stored, DRAWN)[1] == []


def test_the_words_of_a_text_follow_the_source() -> None:
    _, ops = synced(document(DRAWN), DRAWN.replace("Our network", "Their network"))
    assert ops == [{"op": "updateElement", "id": "note", "content": "Their network"}]


def test_another_picture_follows_the_source() -> None:
    other = PIXEL.replace("mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "mNgYGD4DwABBAEAHnOcQAAAAABJRU5ErkJggg==")
    found, ops = synced(document(DRAWN), DRAWN.replace(PIXEL, other))
    assert [(op["op"], op["id"]) for op in ops] == [("updateElement", "photo")]
    assert elements(found)["photo"]["href"].startswith("data:image/png;base64,")


def test_a_text_a_picture_and_a_group_that_are_gone_go() -> None:
    found, ops = synced(document(DRAWN), cells(cell("box", "Web")))
    assert kinds(found) == {"box": "node"}
    assert {op["op"] for op in ops} == {"deleteElement"}


def test_new_ones_of_every_kind_come_with_their_places_and_in_their_groups() -> None:
    found, _ = synced(document(cells(cell("box", "Web"))), DRAWN)
    fresh = document(DRAWN)
    assert kinds(found) == kinds(fresh)
    assert elements(found)["note"]["layout"] == elements(fresh)["note"]["layout"]
    assert elements(found)["pair"]["children"] == ["one", "two"]


def test_groups_in_groups_come_with_what_they_hold() -> None:
    nested = cells(
        cell("outer", "", "group"),
        cell("inner", "", "group", parent="outer"),
        cell("one", "One", parent="inner"),
        cell("zone", "Zone", "container=1;", parent="inner"),
        cell("two", "Two", parent="zone"),
        cell("three", "Three", parent="outer"),
    )
    found, _ = synced(document(cells(cell("three", "Three"))), nested)
    home = {child: one["id"] for one in found["elements"] for child in one.get("children", ())}
    assert home == {"inner": "outer", "three": "outer", "one": "inner", "zone": "inner", "two": "zone"}


def test_a_group_that_is_new_takes_what_stood_elsewhere_to_its_place() -> None:
    before = cells(cell("zone", "Zone", "container=1;"), cell("one", "One", parent="zone"), cell("two", "Two"))
    after = cells(
        cell("zone", "Zone", "container=1;"),
        cell("pair", "", "group", parent="zone"),
        cell("one", "One", parent="pair"),
        cell("two", "Two", parent="pair"),
    )
    found, _ = synced(document(before), after)
    assert elements(found)["zone"]["children"] == ["pair"]
    assert sorted(elements(found)["pair"]["children"]) == ["one", "two"]


def test_a_group_that_holds_nothing_is_none() -> None:
    new = document(DRAWN)
    elements(new)["pair"]["children"] = []
    new["elements"].insert(0, {**elements(new)["pair"], "id": "round", "children": ["pair"]})
    done = synchronize(document(cells(cell("box", "Web"))), new, SourceIdentity("drawio", ""), whole=True)
    assert not {op["id"] for op in done.ops} & {"pair", "round"}


def test_a_cell_that_leaves_a_group_for_that_groups_parent_stands_there() -> None:
    inside = [cell("zone", "Zone", "container=1;"), cell("pair", "", "group", parent="zone")]
    before = cells(*inside, cell("one", "One", parent="pair"), cell("two", "Two", parent="pair"))
    after = cells(*inside, cell("one", "One", parent="zone"), cell("two", "Two", parent="pair"))
    found, ops = synced(document(before), after)
    assert ops == [{"op": "reparentElement", "id": "one", "parentId": "zone"}]
    assert elements(found)["pair"]["children"] == ["two"]


def test_what_a_person_put_into_a_frame_within_the_sources_frame_stays_there() -> None:
    text = "graph LR\n subgraph s\n a --> b\n end"
    stored = document(text)
    frame = next(one for one in stored["elements"] if one["kind"] == "frame")
    frame["children"] = ["mine", "b"]
    stored["elements"].append({"id": "mine", "kind": "frame", "children": ["a"]})
    assert synced(stored, text)[1] == []


SOURCES = {
    "sql": "CREATE TABLE a (id int PRIMARY KEY, b int REFERENCES b (id)); CREATE TABLE b (id int PRIMARY KEY, n text);",
    "flowchart": "flowchart LR\n a[(Store)] --> b{Ok?} -- yes --> c((End))\n subgraph s\n b --- d\n end",
    "sequence": "sequenceDiagram\n A->>B: one\n loop often\n B-->>A: two\n end\n Note over A: x",
    "er": "erDiagram\n P {\n int id PK\n }\n Q {\n int p_id FK\n }\n P ||--o{ Q : p_id\n P ||--o{ P : parent",
    "classes": "classDiagram\n A <|-- B\n A : +go()\n namespace N {\n class C\n }\n C --> A : uses",
    "states": "stateDiagram-v2\n [*] --> A\n state A {\n [*] --> B\n }\n A --> [*]",
    "drawio": DRAWN.replace("</root>", line("e", "box", "one") + "</root>"),
}


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_what_normalizing_wrote_in_is_nothing_that_the_source_contradicts(text: str) -> None:
    stored = document(text)
    assert synced(stored, text)[1] == []
    normal, _ = normalize(stored)
    del normal["computed"]
    assert synced(normal, text)[1] == []


def test_a_shape_that_a_person_gave_stays_where_the_source_says_none() -> None:
    stored = document(SOURCES["sql"])
    elements(stored)["a"]["shape"] = "roundedRect"
    assert synced(stored, SOURCES["sql"])[1] == []
    flow = document("flowchart LR\n a[Pay]")
    elements(flow)["a"]["nodeType"] = "service"
    assert synced(flow, "flowchart LR\n a[Pay]")[1] == []


def test_a_type_of_its_own_goes_with_another_type_of_the_source() -> None:
    stored = document("flowchart LR\n a[Pay]")
    elements(stored)["a"]["nodeType"] = "service"
    found, _ = synced(stored, "flowchart LR\n a{Pay}")
    assert "nodeType" not in elements(found)["a"] or elements(found)["a"]["nodeType"] != "service"
    plain, _ = synced(document("flowchart LR\n a[(Pay)]"), "flowchart LR\n a")
    assert elements(plain)["a"] == elements(document("flowchart LR\n a"))["a"]
    back, _ = synced(document("flowchart LR\n a[(Pay)]"), "flowchart LR\n a[Pay]")
    assert {**elements(back)["a"], "style": None} == {**elements(document("flowchart LR\n a[Pay]"))["a"], "style": None}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("flowchart LR\n a --- b", "flowchart LR\n a --> b"),
        ("flowchart LR\n a <--> b", "flowchart LR\n a --o b"),
        ("flowchart LR\n a -- yes --> b", "flowchart LR\n a --> b"),
        ("classDiagram\n A <|-- B", "classDiagram\n A -- B"),
        ("erDiagram\n P ||--o{ Q : x", "erDiagram\n P ||--|| Q : x"),
        ("stateDiagram-v2\n a --> b : go", "stateDiagram-v2\n a --> b"),
    ],
)
def test_what_an_edge_of_the_source_says_no_more_goes(before: str, after: str) -> None:
    found, _ = synced(document(before), after)
    edges = [[one for one in made["elements"] if one["kind"] == "edge"] for made in (found, document(after))]
    assert edges[0] == edges[1]


def test_a_line_of_a_table_that_now_ends_at_the_whole_table_does() -> None:
    text = SOURCES["sql"]
    stored = document(text)
    edge = next(one for one in stored["elements"] if one["kind"] == "edge")
    edge["to"]["column"] = "n"
    found, _ = synced(stored, text)
    assert next(one for one in found["elements"] if one["kind"] == "edge")["to"]["column"] == "id"


def test_a_label_beside_a_new_shape_stands_beside_that_and_not_beside_one_of_the_same_id() -> None:
    below = "shape=cylinder;verticalLabelPosition=bottom;verticalAlign=top;"
    stored = document(cells(cell("box", "Web")))
    stored["elements"].append({"id": "srv", "kind": "node", "label": "by hand"})
    found, _ = synced(stored, cells(cell("box", "Web"), cell("srv", "Server", below)))
    (label,) = [one for one in found["elements"] if one["kind"] == "text"]
    assert (label["content"], label["layout"]["target"]) == ("Server", "srv-2")


def bound(name: str, source: str, target: str, style: str) -> str:
    place = '<mxGeometry relative="1" as="geometry"/>'
    ends = f'source="{source}" target="{target}"'
    return f'<mxCell id="{name}" style="{style}" edge="1" parent="1" {ends}>{place}</mxCell>'


def test_a_new_line_finds_the_ports_at_which_it_ends() -> None:
    boxes = [cell("a", "A"), cell("b", "B", at=200), cell("c", "C", at=400)]
    at = "exitX=1;exitY=0.25;exitDx=0;exitDy=0;entryX=0;entryY=0.75;entryDx=0;entryDy=0;"
    after = cells(*boxes, bound("e", "a", "b", at))
    found, _ = synced(document(cells(*boxes)), after)
    assert elements(found)["e"]["from"] == elements(document(after))["e"]["from"]
    assert elements(found)["a"].get("ports") == elements(document(after))["a"].get("ports")
    turned, _ = synced(found, cells(*boxes, bound("e", "a", "c", at)))
    assert elements(turned)["e"]["to"] == elements(document(cells(*boxes, bound("e", "a", "c", at))))["e"]["to"]
