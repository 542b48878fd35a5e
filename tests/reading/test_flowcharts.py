"""Flowcharts and swimlanes of Mermaid as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source, Unreadable

Read = Callable[[str], Import]


def by_id(found: Import) -> dict[str, dict[str, Any]]:
    return {element["id"]: element for element in found.document["elements"]}


def lines(found: Import) -> list[tuple[str, str]]:
    return [
        (edge["from"]["elementId"], edge["to"]["elementId"])
        for edge in found.document["elements"]
        if edge["kind"] == "edge"
    ]


def test_nodes_take_the_shape_of_their_brackets(mermaid: Read) -> None:
    found = by_id(
        mermaid("flowchart LR\n a[x]\n b(x)\n c([x])\n d{x}\n e((x))\n f[(x)]\n g{{x}}\n h[/x/]\n i@{ shape: cloud }")
    )
    shapes = {name: element["shape"] for name, element in found.items()}
    assert shapes == {
        "a": "rect",
        "b": "roundedRect",
        "c": "pill",
        "d": "diamond",
        "e": "ellipse",
        "f": "cylinder",
        "g": "hexagon",
        "h": "parallelogram",
        "i": "cloud",
    }


def test_ampersands_join_every_source_with_every_target(mermaid: Read) -> None:
    assert lines(mermaid("graph TD\n a & b --> c & d --> e")) == [
        ("a", "c"),
        ("a", "d"),
        ("b", "c"),
        ("b", "d"),
        ("c", "e"),
        ("d", "e"),
    ]


@pytest.mark.parametrize(
    ("line", "member", "value"),
    [
        ("a --- b", "endpoints", {"startArrow": "none", "endArrow": "none"}),
        ("a <--> b", "endpoints", {"startArrow": "triangle", "endArrow": "triangle"}),
        ("a --o b", "endpoints", {"startArrow": "none", "endArrow": "circle"}),
        ("a x--x b", "endpoints", {"startArrow": "bar", "endArrow": "bar"}),
        ("a -.-> b", "style", {"dash": [4, 4]}),
        ("a .-> b", "style", {"dash": [4, 4]}),
        ("a ==> b", "style", {"strokeWidth": 3}),
        ("a ~~~ b", "visible", False),
        ("a -->|yes| b", "label", "yes"),
        ("a -- yes --> b", "label", "yes"),
        ("a == yes ==> b", "label", "yes"),
        ("a -. yes .-> b", "label", "yes"),
        ('a -- "one<br>two" --> b', "label", "one\ntwo"),
        ("a\n --> b", "kind", "edge"),
    ],
)
def test_every_form_of_a_line_is_an_edge(mermaid: Read, line: str, member: str, value: object) -> None:
    found = mermaid(f"flowchart LR\n {line}\n")
    assert lines(found) == [("a", "b")]
    assert by_id(found)["a--b"].get(member) == value
    assert found.whole


def test_heads_show_by_a_default_of_the_document(mermaid: Read) -> None:
    assert mermaid("graph LR\n a-->b").document["defaults"] == {"edge": {"endpoints": {"endArrow": "triangle"}}}


def test_subgraphs_are_frames_that_hold_what_is_first_said_in_them(mermaid: Read) -> None:
    found = by_id(mermaid("graph TB\n subgraph out [Outer]\n  subgraph in\n   a --> b\n  end\n  c\n end\n in --> c"))
    assert found["out"]["title"] == "Outer"
    assert found["out"]["children"] == ["c", "in"]
    assert found["in"]["children"] == ["a", "b"]
    assert found["in--c"]["from"] == {"elementId": "in"}


def test_lanes_of_a_swimlane_diagram_stand_in_a_pool(mermaid: Read) -> None:
    found = by_id(mermaid("swimlane-beta LR\n subgraph one\n a\n end\n subgraph two\n b\n end\n a --> b"))
    assert found["pool"]["children"] == ["one", "two"]
    assert (found["pool"]["containerType"], found["pool"]["laneDirection"]) == ("pool", "horizontal")
    assert found["one"]["containerType"] == "lane"


def test_classes_are_named_styles(mermaid: Read) -> None:
    found = mermaid("graph LR\n a:::warm --> b\n classDef warm fill:#fed,stroke-width:2px\n style b color:red")
    assert found.document["styles"] == {"warm": {"fill": "#fed", "strokeWidth": 2}}
    assert by_id(found)["a"]["style"] == "warm"
    assert by_id(found)["b"]["style"] == {"textColor": "red"}


def test_only_links_that_may_be_followed_are_kept(mermaid: Read) -> None:
    found = mermaid('graph LR\n a\n b\n click a "https://example.org" "More"\n click b "javascript:alert(1)"')
    assert by_id(found)["a"]["link"] == {"href": "https://example.org", "title": "More"}
    assert "link" not in by_id(found)["b"]
    assert [row.data and row.data["line"] for row in found.diagnostics] == [5]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Shop: one", "Shop: one"),
        ("'it''s'", "it's"),
        (r'"a \"b\" \u00e9"', 'a "b" é'),
        (r'"a\qb"', r"a\qb"),
        ('"', ""),
    ],
)
def test_a_title_is_read_with_or_without_quotes(mermaid: Read, written: str, read: str) -> None:
    found = mermaid(f"---\ntitle: {written}\n---\ngraph LR\n a")
    assert found.document["scene"].get("title", "") == read


def test_front_matter_directives_comments_and_fences_are_passed_over(mermaid: Read) -> None:
    found = mermaid("```mermaid\n---\ntitle: Shop\n---\n%%{init: {}}%%\n%% remark\ngraph LR\n a-->b\n```\n")
    assert found.document["scene"]["title"] == "Shop"
    assert lines(found) == [("a", "b")]


def test_a_statement_that_is_not_understood_costs_its_line_only(mermaid: Read) -> None:
    found = mermaid("graph LR\n a --> b\n b --> [\n b --> c")
    assert lines(found) == [("a", "b"), ("b", "c")]
    assert not found.whole
    assert [(row.code, row.data and row.data["line"]) for row in found.diagnostics] == [("IMPORT_LOSS", 3)]


def test_elements_know_where_they_came_from_and_keep_their_ids(mermaid: Read) -> None:
    text = "graph LR\n a b[Two words]\n x.y-1[z] --> ä"
    first, again = mermaid(text), mermaid(text)
    assert first.document == again.document
    assert by_id(first)["x.y-1"]["metadata"]["source"] == {"format": "mermaid", "document": "", "id": "x.y-1"}
    assert "ä" in by_id(first)


def test_nothing_readable_is_refused_with_what_was_expected(mermaid: Read) -> None:
    with pytest.raises(Unreadable) as refused:
        mermaid("graph LR\n [[[")
    assert refused.value.place.line == 2
    with pytest.raises(Unreadable, match=r"mermaid, .*sql"):
        read_source(Source(text="hello\n a: 1"))


@pytest.mark.parametrize(
    ("source", "node_type"),
    [
        ("a[(Orders)]", "database"),
        ("a@{ shape: cyl, label: Orders }", "database"),
        ("a@{ shape: lin-cyl, label: Disk }", "database"),
        ("a@{ shape: das, label: Jobs }", "queue"),
        ("a@{ shape: doc, label: Bill }", "workflow.dataObject"),
        ("a[Orders]", None),
    ],
)
def test_a_shape_that_means_a_store_a_queue_or_a_document_tells_the_type(
    source: str, node_type: str | None, mermaid: Read
) -> None:
    (node,) = mermaid(f"flowchart TD\n  {source}").document["elements"]
    assert node.get("nodeType") == node_type
