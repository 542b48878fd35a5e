"""The operations that carry a document to what its source says."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.reading.readers import read_source
from scenograph.reading.source import Source as Text
from scenograph.scene.operations import apply_operations
from scenograph.scene.synchronizing import Source, synchronize

MERMAID = Source("mermaid", "")
Document = dict[str, Any]


def document(text: str) -> Document:
    return read_source(Text(text=text)).document


def synced(stored: Document, text: str, **asked: bool) -> tuple[Document, list[Document]]:
    """The stored document after a sync, and the operations."""
    read = read_source(Text(text=text))
    form = read.document["elements"][0]["metadata"]["source"]["format"]
    done = synchronize(stored, read.document, Source(form, ""), whole=read.whole, **asked)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded, batch.diagnostics
    assert synchronize(batch.document, read.document, Source(form, ""), whole=read.whole, **asked).ops == ()
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
    done = synchronize(stored, new, Source("sql", ""), whole=True)
    assert [(op["op"], op["id"]) for op in done.ops] == [("createNode", "b"), ("deleteElement", "a")]
    assert [(row.code, row.data and row.data["certain"]) for row in done.diagnostics] == [("SYNC_RENAME", False)]


def test_elements_of_another_source_are_left_alone() -> None:
    stored = document("graph LR\n a --> b")
    new = document("graph LR\n a --> b")
    done = synchronize(stored, {**new, "elements": []}, Source("mermaid", "other"), whole=True)
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
