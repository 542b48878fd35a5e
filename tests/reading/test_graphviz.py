"""DOT of Graphviz: nodes, edges, clusters, labels and looks."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize

SHOP = """\
/* The shop */
digraph shop {
  rankdir=LR; label="The shop";
  node [shape=box, style=filled, fillcolor="#eeeeff"]
  subgraph cluster_front { label="Front"; web [label="Web\\nserver"]; }
  db [shape=cylinder, style=""];
  web -> api -> db [label="calls"];
  api -> web [dir=back, style=dashed, color=red]
}
"""


def dot(text: str) -> Import:
    return read_source(Text(text=text), "graphviz")


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["id"]: one for one in document["elements"]}


def node_of(said: str) -> dict[str, Any]:
    return elements(dot(f"digraph {{ a [{said}] }}"))["a"]


def lines(found: Import) -> list[tuple[str, str, str]]:
    edges = [one for one in found.document["elements"] if one["kind"] == "edge"]
    return [(one["from"]["elementId"], one["to"]["elementId"], one.get("label", "")) for one in edges]


def edge_of(said: str, kind: str = "digraph", joint: str = "->") -> dict[str, Any]:
    [found] = [one for one in dot(f"{kind} {{ a {joint} b [{said}] }}").document["elements"] if one["kind"] == "edge"]
    return found


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def test_nodes_edges_and_clusters_are_read_with_the_defaults_of_their_scope() -> None:
    found = dot(SHOP)
    here = elements(found)
    assert found.document["scene"]["title"] == "The shop"
    assert found.document["layoutStrategy"]["direction"] == "LR"
    assert (here["web"]["label"], here["web"]["shape"]) == ("Web\nserver", "rect")
    assert here["web"]["style"] == {"fill": "#eeeeff"}
    assert (here["db"]["shape"], "style" in here["db"]) == ("cylinder", False)
    assert (here["subgraph-cluster_front"]["title"], here["subgraph-cluster_front"]["children"]) == ("Front", ["web"])
    assert lines(found) == [("web", "api", "calls"), ("api", "db", "calls"), ("api", "web", "")]
    assert not found.diagnostics


def test_defaults_hold_for_later_nodes_of_their_subgraph_alone() -> None:
    found = dot("graph { a; node [shape=box]; b; subgraph { node [shape=diamond]; c; b } d }")
    assert [one["shape"] for one in found.document["elements"]] == ["ellipse", "rect", "diamond", "rect"]


def test_edges_lead_between_all_nodes_of_subgraphs() -> None:
    assert lines(dot("digraph { {a b} -> subgraph x { c; {d} } -> e }")) == [
        ("a", "c", ""),
        ("a", "d", ""),
        ("b", "c", ""),
        ("b", "d", ""),
        ("c", "e", ""),
        ("d", "e", ""),
    ]


def test_a_strict_graph_has_one_edge_between_two_nodes() -> None:
    assert lines(dot("strict graph { a -- b; b -- a [label=x]; a -- c }")) == [("a", "b", "x"), ("a", "c", "")]
    assert len(lines(dot("strict digraph { a -> b; b -> a; a -> b }"))) == 2


def test_clusters_stand_in_clusters_and_hold_the_nodes_first_named_in_them() -> None:
    found = dot("digraph { subgraph cluster_a { x; subgraph cluster_b { y; x } } subgraph cluster_c { y; z } }")
    here = elements(found)
    assert here["subgraph-cluster_a"]["children"] == ["subgraph-cluster_b"]
    assert here["subgraph-cluster_b"]["children"] == ["x", "y"]
    assert here["subgraph-cluster_c"]["children"] == ["z"]


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ('label="a \\N of \\G"', "a a of g"),
        ('label="left\\lright\\r"', "left\nright"),
        ('label="one" + " two"', "one two"),
        ('label="one\\\n two"', "one two"),
        ('label="&lt;x&gt; \\"y\\""', '<x> "y"'),
        ("label=<<b>Bold</b><br/>R&amp;D <i>x</i>>", "Bold\nR&D x"),
        ("label=<<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>>", "a b\nc"),
        ('shape=record, label="<f0> left|{up|down <d>}|right\\|x"', "left\nup\ndown\nright|x"),
        ('shape=record, label="a|b|{c|d}"', "a | b\nc\nd"),
        ('shape=Mrecord, label="{Title|+ field\\l+ other\\l|m()}"', "Title\n+ field\n+ other\nm()"),
        ("label=-.5", "-.5"),
    ],
)
def test_labels_are_plain_text(said: str, label: str) -> None:
    assert elements(dot(f"digraph g {{ a [{said}] }}"))["a"]["label"] == label


def test_the_fields_of_a_record_follow_the_direction_of_ranks() -> None:
    text = 'digraph {{ rankdir={0}; a [shape=record, label="x|y|{{u|v}}"] }}'
    labels = [elements(dot(text.format(way)))["a"]["label"] for way in ("TB", "LR")]
    assert labels == ["x | y\nu\nv", "x\ny\nu | v"]


@pytest.mark.parametrize(
    ("said", "members"),
    [
        ("shape=circle", {"shape": "ellipse"}),
        ("shape=box, style=rounded", {"shape": "roundedRect"}),
        ("shape=plaintext", {"shape": "textBox"}),
        ("shape=note", {"nodeType": "note"}),
        ("style=invis", {"visible": False}),
        (
            'style="filled,dashed", color=lightblue2',
            {"style": {"fill": "lightblue", "stroke": "lightblue", "dash": [6, 4]}},
        ),
        ("style=filled, color=gray50", {"style": {"fill": "#7f7f7f", "stroke": "#7f7f7f"}}),
        ("penwidth=3, fontcolor=blue, fontsize=12", {"style": {"textColor": "blue", "strokeWidth": 4, "fontSize": 16}}),
        ('URL="https://a.example", tooltip="more"', {"link": {"href": "https://a.example"}, "tooltip": "more"}),
    ],
)
def test_shapes_and_styles_are_kept(said: str, members: dict[str, Any]) -> None:
    found = node_of(said)
    assert {name: found.get(name) for name in members} == members


def test_a_link_of_another_kind_is_left_out() -> None:
    assert "link" not in node_of('URL="javascript:alert(1)"')


@pytest.mark.parametrize(
    ("said", "kind", "joint", "heads"),
    [
        ("", "digraph", "->", ("none", "triangle")),
        ("", "graph", "--", ("none", "none")),
        ("dir=forward", "graph", "--", ("none", "triangle")),
        ("dir=both, arrowtail=odiamond", "digraph", "->", ("diamond", "triangle")),
        ("arrowhead=tee", "digraph", "->", ("none", "bar")),
        ("dir=none", "digraph", "->", ("none", "none")),
        ("arrowhead=lteeoldiamond", "digraph", "->", ("none", "bar")),
    ],
)
def test_edges_have_the_heads_of_their_direction(said: str, kind: str, joint: str, heads: tuple[str, str]) -> None:
    found = edge_of(said, kind, joint)["endpoints"]
    assert (found["startArrow"], found["endArrow"]) == heads


def test_edges_end_at_sides_and_clusters_and_have_texts_at_their_ends() -> None:
    found = edge_of('headlabel="1", taillabel="n"')
    assert (found["from"]["label"], found["to"]["label"]) == ("n", "1")
    [line] = [one for one in dot("digraph { a:n -> b:x:s }").document["elements"] if one["kind"] == "edge"]
    assert (line["from"]["port"], line["to"]["port"]) == ("top", "bottom")
    whole = dot("digraph { compound=true; subgraph cluster_x { b } a -> b [lhead=cluster_x] }")
    assert lines(whole) == [("a", "subgraph-cluster_x", "")]


def test_what_is_left_to_the_layout_is_told_once() -> None:
    found = dot(
        'digraph {\n {rank=same; a; b}\n {rank=max; c}\n a [pos="1,2!", shape=star]\n'
        " b [width=3, shape=star]\n a:f0 -> b\n}"
    )
    assert sorted(told(found)) == [
        (2, "places and sizes are left to the layout"),
        (2, "ranks are left to the layout (2)"),
        (2, "the shape star is drawn as diamond"),
        (6, "lines to fields of records and to corners end at the node"),
    ]
    assert found.whole


@pytest.mark.parametrize(
    "broken",
    ["a -> ;", "a [label=];", "= x;", "x [y z", "subgraph cluster_y [", "edge -> b;", "-> b", "a -> { b [= }"],
)
def test_a_broken_statement_costs_itself(broken: str) -> None:
    found = dot(f"digraph {{\n first -> second;\n {broken}\n last [label=Last];\n}}")
    assert not found.whole
    assert {line for line, _ in told(found)} & {3, 4}
    assert {"first", "second"} <= elements(found).keys()
    if not broken.endswith(("[", "z")):
        assert elements(found)["last"]["label"] == "Last"


def test_one_graph_is_read_and_a_text_without_end_is_told() -> None:
    assert told(dot("graph a { x }\ngraph b { y }")) == [(2, "only the first graph is read")]
    assert not dot("graph a { x -- y").whole


@pytest.mark.parametrize(
    "text",
    [
        SHOP,
        "graph G {\n a -- b\n}",
        'strict digraph "a b"\n{\n}',
        "// x\n# y\ndigraph{a->b}",
        "graph {a}",
    ],
)
def test_it_is_recognized_by_its_first_words(text: str) -> None:
    assert recognized(text) == "graphviz"


@pytest.mark.parametrize("text", ["graph TD\n A{yes} --> B\n", "graph\nA{yes} --> B\n", "graph LR; A --> B\n"])
def test_flowcharts_of_mermaid_are_not_taken_for_it(text: str) -> None:
    assert recognized(text) == "mermaid"


def test_a_text_without_a_graph_is_refused() -> None:
    with pytest.raises(Unreadable, match="Line 1: expected a graph of DOT"):
        dot("digraph { }")


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ("Web\\nserver", "Front end", [("updateNode", "web")]),
        (
            "api -> db [",
            "api -> store [",
            [("createNode", "store"), ("createEdge", "api--store"), ("deleteElement", "api--db")],
        ),
        ('label="Front"', 'label="Edge"', [("updateFrame", "subgraph-cluster_front")]),
        ("dir=back", "dir=both", [("updateEdge", "api--web")]),
        ("fillcolor", "color", []),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = dot(SHOP).document
    source = SourceIdentity("graphviz", "")
    assert synchronize(stored, dot(SHOP).document, source, whole=True).ops == ()
    elements(stored)["db"]["style"] = {"fill": "#ffeeaa"}
    done = synchronize(stored, dot(SHOP.replace(old, new)).document, source, whole=True)
    assert sorted((op["op"], op["id"]) for op in done.ops) == sorted(ops)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    assert elements(batch.document)["db"]["style"] == {"fill": "#ffeeaa"}


def test_a_link_that_is_no_valid_address_costs_itself() -> None:
    found = dot('digraph { a [URL="https://exa mple.com"] b [URL="https://example.com"] }')
    assert [elements(found)[key].get("link") for key in "ab"] == [None, {"href": "https://example.com"}]
    assert ["is left out: it is no valid address" in str(row.data) for row in found.diagnostics] == [True]
