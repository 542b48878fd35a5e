"""Architecture, block and requirement diagrams and mind maps of Mermaid as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source, TooLarge
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate

Read = Callable[[str], Import]
Rows = dict[str, dict[str, Any]]
SHOP = """\
architecture-beta
title The shop
group shop(cloud)[Shop]
group back[Back] in shop
service web(server)["Web \\"site\\""] in shop
service db(database)[Database] in back
service s3(logos:aws-s3) in back
service mail("@")[Mail]
junction j in shop
web:R -- L:j
j:B --> T:db
db:R <-[copies]-> L:s3
web:L <-- R:mail
web{group}:T -- B:mail
"""
GRID = """\
block-beta
columns 3
a["First"] b:2 space
block:g["Group"]:2
  columns 1
  c(("Round")) d
end
e<["&nbsp;"]>(down, x) f{{"Six"}}
a --> c
c -- "says" --> d
classDef loud fill:#f00
class a loud
style f stroke:#00f
"""
NEEDS = """\
requirementDiagram
direction LR
functionalRequirement "Log in":::hot {
  id: 1.1
  text: "Everybody can, with a key."
  risk: high
  verifyMethod: test
}
element app {
  type: program
  docRef: docs/app
}
app - satisfies -> "Log in"
"Log in" <- verifies - app
classDef hot fill:#fee
"""
MAP = """\
mindmap
  root((Plan))
    Parts
      Tools
      [Tools]
    id("`Long
    text`")
    ::icon(fa fa-book)
      id2)Cloud(
      id3{{Six}}
"""


def by_id(found: Import) -> Rows:
    return {element["id"]: element for element in found.document["elements"]}


def ends(found: Import) -> list[tuple[str, str]]:
    rows = (row for row in found.document["elements"] if row["kind"] == "edge")
    return [(row["from"]["elementId"], row["to"]["elementId"]) for row in rows]


def test_services_have_icons_and_stand_in_their_groups() -> None:
    rows = by_id(read_source(Source(text=SHOP, icons=KnownIcons())))
    assert rows["web"]["label"] == 'Web "site"'
    assert rows["web"]["icon"] == "lucide:server"
    assert rows["s3"]["icon"].startswith("aws:")
    assert rows["mail"]["label"] == "@\nMail"
    assert (rows["shop"]["title"], rows["shop"]["icon"]) == ("Shop", "lucide:cloud")
    assert rows["shop"]["children"] == ["back", "web", "j"]
    assert rows["back"]["children"] == ["db", "s3"]


def test_edges_of_an_architecture_join_sides_and_have_the_heads_that_are_written(mermaid: Read) -> None:
    rows = by_id(mermaid(SHOP))
    assert mermaid(SHOP).document["defaults"] == {"edge": {"endpoints": {"endArrow": "none"}}}
    assert rows["web--j"]["from"] == {"elementId": "web", "port": "right"}
    assert rows["web--j"]["to"] == {"elementId": "j", "port": "left"}
    assert "endpoints" not in rows["web--j"]
    assert rows["db--s3"]["endpoints"] == {"startArrow": "triangle", "endArrow": "triangle"}
    assert rows["db--s3"]["label"] == "copies"
    assert rows["web--mail"]["endpoints"] == {"startArrow": "triangle", "endArrow": "none"}
    assert rows["shop--mail"]["from"] == {"elementId": "shop", "port": "top"}


def test_the_other_end_of_an_edge_stands_beside_the_side_where_it_leaves(mermaid: Read) -> None:
    bounds = mermaid(SHOP).document["computed"]["bounds"]
    assert bounds["web"]["x"] + bounds["web"]["width"] < bounds["j"]["x"]
    assert bounds["j"]["y"] < bounds["back"]["y"]
    assert bounds["db"]["x"] < bounds["s3"]["x"]
    assert bounds["mail"]["x"] + bounds["mail"]["width"] < bounds["shop"]["x"]
    inner, outer = bounds["back"], bounds["shop"]
    assert outer["x"] < inner["x"]
    assert inner["x"] + inner["width"] < outer["x"] + outer["width"]


def test_parts_beside_the_same_side_and_parts_without_edges_have_places_of_their_own(mermaid: Read) -> None:
    text = (
        "architecture-beta\n"
        + "".join(f"service s{at}\n" for at in range(6))
        + "s0:R -- L:s1\ns0:R -- L:s2\ns0:T -- T:s3"
    )
    bounds = mermaid(text).document["computed"]["bounds"].values()
    assert len({(box["x"], box["y"]) for box in bounds}) == 6


def test_blocks_stand_in_the_columns_of_the_page_and_of_their_groups(mermaid: Read) -> None:
    found = mermaid(GRID)
    rows = by_id(found)
    assert found.document["layoutStrategy"] == {"algorithm": "grid", "columns": 3}
    assert (rows["g"]["title"], rows["g"]["extensions"]) == ("Group", {"gridColumns": 1})
    assert rows["g"]["children"] == ["c", "d"]
    assert ends(found) == [("a", "c"), ("c", "d")]
    assert (rows["c"]["shape"], rows["f"]["shape"]) == ("ellipse", "hexagon")
    assert rows["e"]["label"] == "↓↔"
    assert rows["a"]["style"] == "loud"
    assert rows["f"]["style"] == {"stroke": "#00f"}
    assert [row.data["line"] for row in found.diagnostics] == [3, 8]


def test_blocks_without_columns_stand_in_one_row(mermaid: Read) -> None:
    found = mermaid("block\n a b c d\n block\n  e f\n end")
    assert found.document["layoutStrategy"] == {"algorithm": "grid", "columns": 5}
    assert by_id(found)["block-1"]["extensions"] == {"gridColumns": 2}


def test_requirements_list_their_members_and_relationships_name_their_kind(mermaid: Read) -> None:
    found = mermaid(NEEDS)
    rows = by_id(found)
    assert rows["Log-in"]["nodeType"] == "uml.class"
    assert rows["Log-in"]["label"] == "«Functional Requirement»\nLog in"
    assert rows["Log-in"]["extensions"]["attributes"] == [
        "ID: 1.1",
        "Text: Everybody can, with a key.",
        "Risk: high",
        "Verification: test",
    ]
    assert rows["Log-in"]["style"] == "hot"
    assert rows["app"]["extensions"]["attributes"] == ["Type: program", "Doc Ref: docs/app"]
    assert ends(found) == [("app", "Log-in"), ("app", "Log-in")]
    assert [rows[name]["label"] for name in ("app--Log-in", "app--Log-in-2")] == ["«satisfies»", "«verifies»"]
    assert found.document["layoutStrategy"]["direction"] == "LR"


def test_a_mind_map_is_a_tree_by_indentation(mermaid: Read) -> None:
    found = mermaid(MAP)
    rows = by_id(found)
    assert ends(found) == [
        ("root", "Parts"),
        ("Parts", "Tools"),
        ("Parts", "Tools-2"),
        ("root", "id"),
        ("id", "id2"),
        ("id", "id3"),
    ]
    assert (rows["root"]["label"], rows["root"]["shape"]) == ("Plan", "ellipse")
    assert rows["id"]["label"] == "Long\ntext"
    assert (rows["id2"]["shape"], rows["id3"]["shape"]) == ("cloud", "hexagon")
    assert [row.data["line"] for row in found.diagnostics] == [8]


@pytest.mark.parametrize("text", [SHOP, GRID, NEEDS, MAP], ids=["architecture", "block", "requirement", "mindmap"])
class TestEveryKind:
    def test_it_is_valid_and_syncs_to_nothing(self, mermaid: Read, text: str) -> None:
        found = mermaid(text)
        assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]
        again = synchronize(found.document, mermaid(text).document, SourceIdentity("mermaid", ""), whole=found.whole)
        assert again.ops == ()

    def test_a_line_more_is_one_element_more(self, mermaid: Read, text: str) -> None:
        more = {"a": "service new", "b": "new", "r": "element new {\n}", "m": "      new"}[text[0]]
        found, wanted = mermaid(text), mermaid(f"{text}{more}\n")
        ops = synchronize(found.document, wanted.document, SourceIdentity("mermaid", ""), whole=True).ops
        assert [op["op"] for op in ops if op["op"].endswith("Node")] == ["createNode"]
        after = apply_operations(found.document, list(ops)).document
        assert {row["id"] for row in after["elements"]} == {row["id"] for row in wanted.document["elements"]}

    def test_a_line_that_is_not_understood_costs_itself(self, mermaid: Read, text: str) -> None:
        found = mermaid(f"{text}((((\n")
        assert not found.whole
        assert by_id(found) == by_id(mermaid(text))

    def test_more_than_allowed_is_refused(self, mermaid: Read, text: str) -> None:
        count = len(mermaid(text).document["elements"])
        with pytest.raises(TooLarge):
            read_source(Source(text=text, most_elements=count - 1), "mermaid")


def test_ends_and_groups_that_are_not_defined_are_told(mermaid: Read) -> None:
    found = mermaid("architecture-beta\nservice a in nowhere\nservice a\na:L -- R:b")
    assert [row.data["line"] for row in found.diagnostics] == [2, 3, 4]
    assert list(by_id(found)) == ["a"]
    found = mermaid("requirementDiagram\nelement a {\n  colour: red\n}\na - traces -> b")
    assert [row.data["line"] for row in found.diagnostics] == [3, 5]
