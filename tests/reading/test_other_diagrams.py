"""Entity-relationship, state and class diagrams of Mermaid as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenograph.reading.readers import Import

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
