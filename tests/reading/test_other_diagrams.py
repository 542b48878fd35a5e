"""Entity-relationship, state and class diagrams of Mermaid as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.reading.readers import Import
from scenograph.scene.validation import validate

Read = Callable[[str], Import]


def by_id(found: Import) -> dict[str, dict[str, Any]]:
    return {element["id"]: element for element in found.document["elements"]}


def test_entities_have_columns_and_relationships_a_cardinality_at_each_end(mermaid: Read) -> None:
    found = by_id(
        mermaid(
            'erDiagram\n CUSTOMER ||--o{ ORDER : places\n CUSTOMER {\n  string name PK "comment"\n  int age\n }\n'
            " ORDER one or more optionally to zero or one CUSTOMER : of"
        )
    )
    assert found["CUSTOMER"]["extensions"]["columns"] == [
        {"name": "name", "type": "string", "pk": True},
        {"name": "age", "type": "int"},
    ]
    assert found["CUSTOMER--ORDER"]["from"] == {"elementId": "CUSTOMER", "cardinality": "one"}
    assert found["CUSTOMER--ORDER"]["to"] == {"elementId": "ORDER", "cardinality": "zero-or-many"}
    assert found["ORDER--CUSTOMER"]["edgeType"] == "er.nonIdentifying"
    assert found["ORDER--CUSTOMER"]["from"]["cardinality"] == "one-or-many"


def test_states_have_starts_ends_choices_regions_and_notes(mermaid: Read) -> None:
    found = by_id(
        mermaid(
            "stateDiagram-v2\n [*] --> On\n state On {\n  [*] --> A\n  A --> [*] : done\n  --\n  B : waits\n }\n"
            " state pick <<choice>>\n On --> pick\n note right of pick : either"
        )
    )
    assert found["On"]["containerType"] == "state"
    assert found["On"]["extensions"]["regions"] == [["On-start", "A", "On-end"], ["B"]]
    types = sorted(element["nodeType"] for element in found.values() if element["kind"] == "node")
    assert types == [
        "note",
        "state.choice",
        "state.final",
        "state.initial",
        "state.initial",
        "state.state",
        "state.state",
    ]
    assert found["B"]["label"] == "waits"


def test_notes_stand_at_their_side_of_a_state_and_in_its_region(mermaid: Read) -> None:
    found = by_id(
        mermaid(
            "stateDiagram-v2\n state On {\n  A --> B\n  note left of A : first\n  --\n  C\n }\n"
            ' note right of On\n  second\n end note\n note "free" as N'
        )
    )
    assert found["note-A"]["layout"] == {"mode": "relative", "relation": "leftOf", "target": "A"}
    assert found["note-On"]["layout"] == {"mode": "relative", "relation": "rightOf", "target": "On"}
    assert "layout" not in found["note-N"]
    assert found["On"]["extensions"]["regions"] == [["A", "B", "note-A"], ["C"]]
    assert found["note-A--A"]["edgeType"] == "workflow.association"


def test_a_state_shows_its_name_and_every_description(mermaid: Read) -> None:
    found = by_id(mermaid('stateDiagram-v2\n state "Long name" as S\n S : first\n S : second\n S --> T'))
    assert found["S"]["label"] == "Long name\nfirst\nsecond"


def test_classes_have_members_and_relations_lead_the_way_they_mean(mermaid: Read) -> None:
    found = by_id(
        mermaid(
            "classDiagram\n Animal <|-- Dog\n Car *-- Wheel : has\n Dog ..|> Barking\n"
            ' Order "1" --> "many" Line\n class Dog {\n  <<abstract>>\n  +String name\n  +bark() void\n }\n'
            " namespace Zoo {\n  class Animal\n }"
        )
    )
    assert found["Dog"]["label"] == "«abstract»\nDog"
    assert found["Dog"]["extensions"] == {"attributes": ["+String name"], "methods": ["+bark(): void"]}
    assert (found["Dog--Animal"]["edgeType"], found["Car--Wheel"]["edgeType"]) == ("uml.inherits", "uml.composes")
    assert found["Dog--Barking"]["edgeType"] == "uml.implements"
    assert found["Order--Line"]["from"] == {"elementId": "Order", "label": "1"}
    assert found["namespace-Zoo"]["children"] == ["Animal"]


def test_members_are_written_as_uml_writes_them(mermaid: Read) -> None:
    found = by_id(
        mermaid(
            "classDiagram\n class A {\n  List~int~ rows\n  int count$\n  +sum(List~int~ a) Map~int, int~\n  +run()*\n"
            "  +make() A$\n  +said(): int\n }"
        )
    )
    assert found["A"]["extensions"] == {
        "attributes": ["List<int> rows", "int count {static}"],
        "methods": ["+sum(List<int> a): Map<int, int>", "+run() {abstract}", "+make(): A {static}", "+said(): int"],
    }


def test_column_types_between_tildes_may_hold_spaces(mermaid: Read) -> None:
    found = by_id(mermaid("erDiagram\n A {\n  ~timestamp with time zone~ at\n  list~int~ rows\n }"))
    assert [row["type"] for row in found["A"]["extensions"]["columns"]] == ["timestamp with time zone", "list<int>"]


def test_a_style_of_an_entity_that_there_is_not_is_told(mermaid: Read) -> None:
    found = mermaid("erDiagram\n A\n style B fill:#fff,font-style:italic\n class A,C hot\n style A font-style:italic")
    assert set(by_id(found)) == {"A"}
    assert [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data] == [
        (3, "there is no entity 'B' to give a style"),
        (4, "there is no entity 'C' to give a style"),
        (5, "the style 'font-style:italic' has no form in a scene"),
    ]


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("People~List~Person~~", "People<List<Person>>"),
        ("Cache~Map~K, List~V~~~", "Cache<Map<K, List<V>>>"),
        ("Box~?~", "Box<?>"),
        ("Shape~T~", "Shape<T>"),
    ],
)
def test_names_of_classes_keep_all_brackets_of_their_generics(mermaid: Read, word: str, label: str) -> None:
    found = mermaid(
        f"classDiagram\n class {word} {{\n  +Map~K, List~?~~ index\n  +get(List~List~int~~ x) Map~K,V~\n }}"
    )
    (one,) = found.document["elements"]
    assert one["label"] == label
    assert one["extensions"]["attributes"] == ["+Map<K, List<?>> index"]
    assert one["extensions"]["methods"] == ["+get(List<List<int>> x): Map<K,V>"]


def test_names_labels_and_notes_of_classes_may_have_several_lines_and_quotation_marks(mermaid: Read) -> None:
    found = mermaid(
        'classDiagram\n class `Two\nlines` {\n  +x\n }\n class B["Of\ntwo"]\n note for B "say "yes" now"\n'
        " namespace N { class C }"
    )
    labels = [one.get("label") for one in found.document["elements"] if one["kind"] == "node"]
    assert labels == ["Two\nlines", "Of\ntwo", "C", 'say "yes" now']
    assert found.diagnostics == ()


def test_a_state_stands_in_the_composite_state_that_mentions_it_last(mermaid: Read) -> None:
    found = mermaid(
        "stateDiagram-v2\n state A {\n a --> b\n }\n state B {\n b --> c\n }\n b --> d\n state A {\n B --> a\n }"
    )
    frames = {one["id"]: one["children"] for one in found.document["elements"] if one["kind"] == "frame"}
    assert frames == {"A": ["a", "B"], "B": ["b", "c"]}
    assert [((row.data or {})["line"], (row.data or {})["what"]) for row in found.diagnostics] == [
        (6, "'b' stands in 'B', which mentions it last, and no longer in 'A'")
    ]


def test_a_state_never_comes_into_itself(mermaid: Read) -> None:
    found = mermaid("stateDiagram-v2\n state A {\n state B {\n A --> x\n }\n B --> A\n }")
    frames = {one["id"]: one["children"] for one in found.document["elements"] if one["kind"] == "frame"}
    assert frames == {"A": ["B"], "B": ["x"]}
    assert validate(found.document) == ()


def test_subgraphs_of_entities_are_frames(mermaid: Read) -> None:
    found = mermaid(
        "erDiagram\n subgraph billing [Billing]\n direction LR\n INVOICE ||--|{ LINE : has\n"
        " subgraph deep\n TAX\n end\n"
        " end\n INVOICE }o--|| CUSTOMER : to\n end_user ||--o{ INVOICE : x"
    )
    frames = {one["id"]: one for one in found.document["elements"] if one["kind"] == "frame"}
    assert {name: (one["title"], one["children"]) for name, one in frames.items()} == {
        "billing": ("Billing", ["INVOICE", "LINE", "deep"]),
        "deep": ("deep", ["TAX"]),
    }
    assert frames["billing"]["extensions"] == {"direction": "LR"}
    nodes = [one["id"] for one in found.document["elements"] if one["kind"] == "node"]
    assert nodes == ["INVOICE", "LINE", "TAX", "CUSTOMER", "end_user"]
    assert found.diagnostics == ()


def test_a_subgraph_of_entities_without_an_end_is_told(mermaid: Read) -> None:
    found = mermaid("erDiagram\n subgraph x\n A ||--|| B : y\n")
    assert not found.whole


def test_lines_between_classes_have_the_heads_that_their_marks_say(mermaid: Read) -> None:
    found = mermaid("classDiagram\n A .. B\n A -- B\n A <--> B\n A <..> B\n A ..> B\n A --> B : #34;so#34; it is")
    edges = [one for one in found.document["elements"] if one["kind"] == "edge"]
    both = {"startArrow": "triangle", "endArrow": "triangle"}
    assert [(one["edgeType"], one.get("endpoints")) for one in edges] == [
        ("uml.depends", {"endArrow": "none"}),
        ("uml.associates", None),
        ("uml.associates", both),
        ("uml.depends", both),
        ("uml.depends", None),
        ("uml.associates", {"endArrow": "triangle"}),
    ]
    assert edges[-1]["label"] == '"so" it is'


def test_stereotypes_as_a_page_of_html_writes_them_are_read(mermaid: Read) -> None:
    found = mermaid(
        "classDiagram\n class A {\n  &lt;&lt;interface&gt;&gt;\n  +x\n }\n"
        " class B\n &lt;&lt;service&gt;&gt; B\n class C <<enum>>"
    )
    kinds = {one["id"]: (one["nodeType"], one["label"]) for one in found.document["elements"]}
    assert kinds == {"A": ("uml.interface", "A"), "B": ("uml.class", "«service»\nB"), "C": ("uml.enum", "C")}
