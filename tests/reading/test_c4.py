"""C4 diagrams of Mermaid as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source, TooLarge
from scenograph.scene.validation import validate

Read = Callable[[str], Import]
BANK = """\
C4Container
title The bank
Person(a, "Ann", "Has an account.")
Person_Ext(v, "Visitor")
Enterprise_Boundary(b, "Bank") {
  System_Boundary(s, "Online") {
    Container(web, "Web", "Django", "Shows the account.", $link="https://bank.example")
    ContainerDb(db, "Database", "PostgreSQL")
    ContainerQueue_Ext(q, "Letters")
  }
}
Rel(a, web, "Reads", "HTTPS")
BiRel(web, db, "Asks")
Rel_Back(web, q, "Tells")
UpdateElementStyle(web, $bgColor="#eeeeff", $fontColor="navy")
UpdateRelStyle(a, web, $lineColor="red", $offsetX="-40")
UpdateLayoutConfig($c4ShapeInRow="2")
"""


def by_id(found: Import) -> dict[str, dict[str, Any]]:
    return {element["id"]: element for element in found.document["elements"]}


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics]


def test_boxes_say_name_kind_technology_and_description(mermaid: Read) -> None:
    found = mermaid(BANK)
    rows = by_id(found)
    assert rows["a"]["nodeType"] == "user"
    assert rows["a"]["label"] == "Ann\n[Person]\nHas an account."
    assert rows["v"]["label"] == "Visitor\n[External Person]"
    assert rows["web"]["label"] == "Web\n[Container: Django]\nShows the account."
    assert rows["web"]["link"] == {"href": "https://bank.example"}
    assert rows["db"]["nodeType"] == "database"
    assert (rows["q"]["nodeType"], rows["q"]["shape"]) == ("external", "tube")
    assert found.document["scene"]["title"] == "The bank"
    assert not found.diagnostics
    assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]


def test_boundaries_are_frames_in_each_other(mermaid: Read) -> None:
    rows = by_id(mermaid(BANK))
    assert rows["b"]["title"] == "Bank\n[Enterprise]"
    assert rows["b"]["containerType"] == "boundary"
    assert rows["b"]["children"] == ["s"]
    assert rows["s"]["children"] == ["web", "db", "q"]


def test_relationships_have_the_heads_of_their_macros_and_say_their_technology(mermaid: Read) -> None:
    rows = by_id(mermaid(BANK))
    assert rows["a--web"]["label"] == "Reads\n[HTTPS]"
    assert "endpoints" not in rows["a--web"]
    assert rows["web--db"]["endpoints"] == {"startArrow": "triangle", "endArrow": "triangle"}
    assert rows["web--q"]["endpoints"] == {"startArrow": "triangle", "endArrow": "none"}


def test_styles_that_are_updated_paint_their_boxes_and_lines(mermaid: Read) -> None:
    rows = by_id(mermaid(BANK))
    assert rows["web"]["style"] == {"fill": "#eeeeff", "textColor": "navy"}
    assert rows["a--web"]["style"] == {"stroke": "red"}


def test_steps_of_a_dynamic_diagram_are_numbered(mermaid: Read) -> None:
    rows = by_id(mermaid('C4Dynamic\nSystem(a, "A")\nSystem(b, "B")\nRelIndex(7, a, b, "asks")\nRel(b, a, "says")'))
    assert rows["a--b"]["label"] == "1: asks"
    assert rows["b--a"]["label"] == "2: says"


def test_nodes_of_a_deployment_hold_nodes(mermaid: Read) -> None:
    rows = by_id(
        mermaid(
            'C4Deployment\nDeployment_Node(m, "Machine", "Linux", "Runs it.")\n{\n'
            'Node_L(n, "Server") {\nContainer(c, "C, with a comma (and brackets)")\n}\n}'
        )
    )
    assert rows["m"]["title"] == "Machine\n[Deployment Node: Linux]\nRuns it."
    assert rows["m"]["children"] == ["n"]
    assert rows["n"]["children"] == ["c"]
    assert rows["c"]["label"] == "C, with a comma (and brackets)\n[Container]"


def test_what_a_diagram_cannot_show_is_told_and_costs_only_itself(mermaid: Read) -> None:
    found = mermaid(
        'C4Context\nSystem(a, "A", $sprite="robot", $tags="new", $link="javascript:x")\n'
        'Rel(a, nobody, "asks")\nSurprise(a)\nUpdateElementStyle(a, $bgColor="reddish")\nSystem(b, "B'
    )
    assert [line for line, _ in told(found)] == [2, 2, 2, 3, 4, 5, 6]
    assert "nobody" in dict(told(found))[3]
    assert list(by_id(found)) == ["a"]
    assert not found.whole


def test_a_boundary_that_is_not_closed_is_told(mermaid: Read) -> None:
    found = mermaid('C4Context\nBoundary(b, "B", "team") {\nSystem(a, "A")')
    assert by_id(found)["b"]["title"] == "B\n[team]"
    assert told(found) == [(2, "the boundary 'b' is not closed by }")]
    assert not mermaid("C4Context\nPerson(p, P)\n}").whole


def test_more_boxes_than_allowed_are_refused() -> None:
    text = "C4Context\n" + "".join(f"System(s{at}, S)\n" for at in range(60))
    with pytest.raises(TooLarge):
        read_source(Source(text=text, most_elements=50), "mermaid")
