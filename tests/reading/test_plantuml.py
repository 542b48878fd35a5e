"""Diagrams of PlantUML: their kinds, the preprocessor, and sync."""

from __future__ import annotations

from contextlib import suppress
from time import process_time
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Formless, Source, TooLarge, Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate

SECONDS = 4.0  # of processor time, with room for a machine that is slow and busy
SEQUENCE = """\
@startuml
title Order
actor "A buyer" as buyer
participant Shop
database Stock
autonumber
buyer -> Shop ++ : orders
alt in stock
  Shop -> Stock : takes
  Stock --> Shop : taken
else sold out
  Shop ->> buyer : "later"
end
note over Shop, Stock : one\\ntransaction
return done
@enduml
"""
CLASSES = """\
@startuml
package shop {
  interface Payment {
    + pay(amount : int) : bool
  }
  abstract class Order<T> <<root>> {
    - id : int
    {static} count : int
    --
    + total() : int
  }
  enum State {
    OPEN
  }
}
class Card implements Payment
Order "1" *-- "0..*" Line : holds >
Order ..> Payment
note right of Card : hidden
@enduml
"""
ACTIVITY = """\
@startuml
|Buyer|
start
:choose;
|Shop|
if (in stock?) then (yes)
  fork
    :pack;
  fork again
    :bill;
  end fork
else (no)
  :refuse;
  stop
endif
while (open parcels?) is (yes)
  :send;
endwhile (no)
note right : by post
stop
@enduml
"""
STATES = """\
@startuml
[*] --> Idle
Idle --> Busy : order
state Busy {
  [*] --> Packing
  --
  [*] --> Billing
}
state fork <<fork>>
Busy --> fork
Busy : works
note left of Idle : waits
Idle --> [*]
@enduml
"""
CONTEXT = """\
@startuml
!include https://raw.githubusercontent.com/plantuml-stdlib/C4-PlantUML/master/C4_Container.puml
AddElementTag("old", $bgColor="#cccccc")
Person(buyer, "Buyer", "Buys things")
System_Boundary(shop, "Shop") {
  Container(web, "Web", "Django", "Shows", $tags="old")
  ContainerDb(db, "Database", "PostgreSQL")
}
System_Ext(mail, "Mail")
Rel(buyer, web, "buys", "HTTPS")
BiRel(web, db, "reads")
Rel_R(web, mail,
  "sends")
SHOW_LEGEND()
@enduml
"""


def read(text: str, page: int | None = None) -> Import:
    found = read_source(Source(text=text, page=page), "plantuml")
    assert [row for row in validate(found.document) if row.severity is Severity.ERROR] == []
    return found


def lines(*rows: str) -> Import:
    return read("\n".join(("@startuml", *rows, "@enduml")))


def of(found: Import, kind: str) -> list[dict[str, Any]]:
    return [one for one in found.document["elements"] if one["kind"] == kind]


def nodes(found: Import) -> dict[str, str]:
    return {one["id"]: one.get("label", "") for one in of(found, "node")}


def edges(found: Import) -> list[tuple[str, str, str]]:
    return [(one["from"]["elementId"], one["to"]["elementId"], one.get("label", "")) for one in of(found, "edge")]


def told(found: Import) -> list[str]:
    return [str((row.data or {})["what"]) for row in found.diagnostics]


@pytest.mark.parametrize(
    ("source", "family"),
    [
        (SEQUENCE, "sequence"),
        (CLASSES, "architecture"),
        (ACTIVITY, "workflow"),
        (STATES, "workflow"),
        (CONTEXT, "architecture"),
    ],
)
def test_every_kind_becomes_a_valid_document_of_its_family(source: str, family: str) -> None:
    found = read(source)
    assert recognized(source) == "plantuml"
    assert (found.document["diagramFamily"], found.whole) == (family, True)


def test_a_sequence_has_lifelines_messages_fragments_and_notes() -> None:
    found = read(SEQUENCE)
    assert nodes(found) == {
        "buyer": "A buyer",
        "Shop": "Shop",
        "Stock": "Stock",
        "note-Shop-Stock:-one-transaction": "one\ntransaction",
    }
    assert [(one[0], one[1], one[2]) for one in edges(found)] == [
        ("buyer", "Shop", "1. orders"),
        ("Shop", "Stock", "2. takes"),
        ("Stock", "Shop", "3. taken"),
        ("Shop", "buyer", '4. "later"'),
        ("Shop", "buyer", "5. done"),
    ]
    assert [one["edgeType"] for one in of(found, "edge")][2:] == ["sequence.reply", "sequence.async", "sequence.reply"]
    (frame,) = of(found, "frame")
    operands = frame["extensions"]["operands"]
    assert [(row["guard"], len(row["messages"])) for row in operands] == [("in stock", 2), ("sold out", 1)]
    assert of(found, "edge")[0]["extensions"] == {"activates": ["target"]}
    assert found.document["scene"]["title"] == "Order"


@pytest.mark.parametrize(
    ("arrow", "ends", "kind"),
    [
        ("A -> B", ("A", "B"), "sequence.message"),
        ("A <- B", ("B", "A"), "sequence.message"),
        ("A --> B", ("A", "B"), "sequence.reply"),
        ("A ->> B", ("A", "B"), "sequence.async"),
        ("A -[#red]> B", ("A", "B"), "sequence.message"),
        ("A ->x B", ("A", "B"), "sequence.message"),
        ('A -> "B c" as B', ("A", "B"), "sequence.message"),
        ("[-> A", ("node", "A"), "sequence.message"),
        ("A ->]", ("A", "node"), "sequence.message"),
        ("-> A", ("node", "A"), "sequence.message"),
        ("A -> A", ("A", "A"), "sequence.message"),
        ("A -\\ B", ("A", "B"), "sequence.message"),
    ],
)
def test_arrows_of_messages_say_direction_and_kind(arrow: str, ends: tuple[str, str], kind: str) -> None:
    found = lines(f"{arrow} : t")
    (message,) = of(found, "edge")
    assert ((message["from"]["elementId"], message["to"]["elementId"]), message["edgeType"]) == (ends, kind)
    assert found.whole


def test_an_end_outside_of_a_sequence_is_an_unseen_lifeline() -> None:
    found = lines("A -> B : in", "B ->] : lost")
    unseen = [one for one in of(found, "node") if "label" not in one]
    assert [one["style"]["stroke"] for one in unseen] == ["transparent"]
    assert of(found, "node")[-1] is unseen[0]


def test_participants_are_ordered_boxed_created_and_destroyed() -> None:
    found = lines(
        "participant Last order 30",
        'box "Team" #LightBlue',
        "participant First order 10",
        "end box",
        "First -> Last : a",
        "create Fresh",
        "First -> Fresh : new",
        "First -> Fresh !! : end",
    )
    assert list(nodes(found))[:2] == ["Fresh", "First"]
    (box,) = of(found, "frame")
    assert (box["title"], box["children"], box["style"]) == ("Team", ["First"], {"fill": "LightBlue"})
    assert [one["edgeType"] for one in of(found, "edge")][1:] == ["sequence.create", "sequence.destroy"]


def test_a_group_has_its_title_and_a_divider_spans_all() -> None:
    found = lines("A -> B : a", "group Mine [only]", "B -> C : b", "end", "== Later ==", "ref over A, B : Login")
    (frame,) = of(found, "frame")
    assert (frame["title"], frame["extensions"]["operands"][0]["guard"]) == ("Mine", "only")
    assert "operator" not in frame["extensions"]
    assert [one["extensions"]["over"] for one in of(found, "node") if "extensions" in one] == [["A", "C"], ["A", "B"]]


def test_classes_have_members_stereotypes_and_relations() -> None:
    found = read(CLASSES)
    by_id = {one["id"]: one for one in of(found, "node")}
    assert by_id["Order"]["label"] == "«abstract»\n«root»\nOrder<T>"
    assert by_id["Order"]["extensions"] == {
        "attributes": ["- id : int", "count : int {static}"],
        "methods": ["+ total() : int"],
    }
    assert (by_id["Payment"]["nodeType"], by_id["State"]["extensions"]) == ("uml.interface", {"values": ["OPEN"]})
    assert {one[:2]: one[2] for one in edges(found)} == {
        ("Card", "Payment"): "",
        ("Order", "Line"): "holds ▸",
        ("Order", "Payment"): "",
        ("note-Card", "Card"): "",
    }
    kinds = {one["from"]["elementId"] + one["to"]["elementId"]: one.get("edgeType") for one in of(found, "edge")}
    assert kinds["CardPayment"] == "uml.implements"
    assert kinds["OrderLine"] == "uml.composes"
    assert kinds["OrderPayment"] == "uml.depends"
    (package,) = of(found, "frame")
    assert (package["title"], package["children"]) == ("shop", ["Payment", "Order", "State"])


@pytest.mark.parametrize(
    ("said", "ends", "kind"),
    [
        ("A <|-- B", ("B", "A"), "uml.inherits"),
        ("A --|> B", ("A", "B"), "uml.inherits"),
        ("A <|.. B", ("B", "A"), "uml.implements"),
        ("A o-- B", ("A", "B"), "uml.aggregates"),
        ("A --* B", ("B", "A"), "uml.composes"),
        ("A -up-> B", ("A", "B"), "uml.associates"),
        ("A -[#red,dashed]-> B", ("A", "B"), "uml.depends"),
        ("A .left.> B : uses", ("A", "B"), "uml.depends"),
        ('A "1" --> "many" B', ("A", "B"), "uml.associates"),
        ("A *--> B", ("A", "B"), "uml.composes"),
    ],
)
def test_relations_lead_as_their_marks_say(said: str, ends: tuple[str, str], kind: str) -> None:
    (edge,) = of(lines("class A", "class B", said), "edge")
    assert ((edge["from"]["elementId"], edge["to"]["elementId"]), edge["edgeType"]) == (ends, kind)


def test_components_and_deployments_nest_and_keep_their_symbols() -> None:
    found = lines(
        'node "Server" as srv {',
        "  [Web app] as web",
        "  database Store",
        "}",
        "cloud Net",
        "() HTTP",
        "web --> Store : reads",
        "Net ..> HTTP",
        "HTTP - web",
    )
    kinds = {one["id"]: one.get("nodeType") or one.get("shape") for one in of(found, "node")}
    assert kinds == {"web": "component", "Store": "database", "Net": "cloud", "HTTP": "ellipse"}
    (server,) = of(found, "frame")
    assert (server["title"], server["children"]) == ("Server", ["web", "Store"])
    assert len(of(found, "edge")) == 3


def test_use_cases_have_actors_and_systems() -> None:
    found = lines("left to right direction", "rectangle Shop {", "(Buy) as buy", "(Pay)", "}", ":Buyer: --> buy",
                  "(Pay) .> buy : <<include>>", "Clerk --> (Pay)")  # fmt: skip
    kinds = {one["id"]: one.get("nodeType") or one.get("shape") for one in of(found, "node")}
    assert kinds == {"buy": "ellipse", "Pay": "ellipse", "Buyer": "actor", "Clerk": "actor"}
    assert ("Pay", "buy", "«include»") in edges(found)
    assert found.document["layoutStrategy"]["direction"] == "LR"


def test_entities_alone_are_tables_with_keys_and_cardinalities() -> None:
    found = lines(
        'entity "Order" as o {', "* id : number <<generated>>", "--", "* buyer_id : number <<FK>>", "note : text", "}",
        "entity Buyer {", "* id : int", "--", "}", "Buyer ||..o{ o : places",
    )  # fmt: skip
    assert found.document["diagramFamily"] == "entityRelationship"
    order = of(found, "node")[0]
    assert order["extensions"]["columns"] == [
        {"name": "id", "type": "number", "pk": True},
        {"name": "buyer_id", "type": "number", "fk": True},
        {"name": "note", "type": "text"},
    ]
    (edge,) = of(found, "edge")
    assert (edge["from"]["cardinality"], edge["to"]["cardinality"]) == ("one", "zero-or-many")


@pytest.mark.parametrize(
    "rows",
    [
        ("class A", "note as A", "x", "end note"),
        ('note "x" as A', "class A"),
        ('class "note A"', "class A", "note right : x", "note right of A : y"),
    ],
)
def test_a_note_may_be_called_as_an_element(rows: tuple[str, ...]) -> None:
    found = lines(*rows)
    ids = [one["id"] for one in of(found, "node")]
    assert (found.whole, len(set(ids))) == (True, len(ids))
    assert all(target == "A" != source for source, target, _ in edges(found))


def test_together_arranges_alone_outside_of_containers_too() -> None:
    found = lines("together {", "class A", "class B", "together {", "class C", "}", "}", "A --> C", "namespace n {",
                  "together {", "class D", "}", "}")  # fmt: skip
    assert (found.whole, [one["id"] for one in of(found, "node")]) == (True, ["A", "B", "C", "n.D"])
    assert [one["children"] for one in of(found, "frame")] == [["n.D"]]


def test_states_nest_in_regions_and_have_their_ends() -> None:
    found = read(STATES)
    kinds = {one["id"]: one["nodeType"] for one in of(found, "node")}
    assert kinds["fork"] == "state.fork"
    assert sorted(kinds.values()).count("state.initial") == 3
    (busy,) = of(found, "frame")
    assert busy["title"] == "Busy\nworks"
    assert [len(region) for region in busy["extensions"]["regions"]] == [2, 2]
    assert ("Idle", "Busy", "order") in edges(found)


def test_an_activity_is_a_workflow_in_lanes() -> None:
    found = read(ACTIVITY)
    lanes = {one["title"]: one["children"] for one in of(found, "frame") if one["containerType"] == "lane"}
    assert lanes["Buyer"] == ["start", "choose"]
    flows = edges(found)
    assert ("if-in-stock", "fork", "yes") in flows
    assert ("if-in-stock", "refuse", "no") in flows
    assert {("fork", "pack", ""), ("fork", "bill", ""), ("pack", "join", ""), ("bill", "join", "")} <= set(flows)
    assert ("if-open-parcels", "send", "yes") in flows
    assert ("send", "if-open-parcels", "") in flows
    assert ("if-open-parcels", "stop-2", "no") in flows
    assert not [one for one in flows if one[0] == "stop"]


def test_steps_may_be_called_as_the_pool_lanes_and_partitions() -> None:
    found = lines("|Buyer|", "start", ":(pool);", ":lane Shop;", ":partition x;", "|Shop|", "partition x {", ":a #2;",
                  ":a;", ":a;", "}", "|Buyer|", ":b;")  # fmt: skip
    assert len({one["id"] for one in found.document["elements"]}) == len(found.document["elements"])
    held = {one.get("title"): len(one["children"]) for one in of(found, "frame")}
    assert held == {"Buyer": 5, "Shop": 1, "x": 3, None: 2}


def test_a_partition_without_an_end_is_told_at_its_beginning() -> None:
    found = lines("start", "partition Sending {", ":send;", "stop")
    assert (found.whole, told(found)) == (False, ["partition Sending without an end"])
    assert [(row.data or {})["line"] for row in found.diagnostics] == [3]
    assert len(of(found, "node")) == 3


def test_loops_lead_back_to_their_first_step() -> None:
    found = lines(
        "start", "repeat", ":read;", ":check;", "backward :mend;", "repeat while (more?) is (yes) not (no)", "stop"
    )
    assert edges(found) == [
        ("start", "read", ""),
        ("read", "check", ""),
        ("check", "if-more", ""),
        ("if-more", "mend", "yes"),
        ("mend", "read", ""),
        ("if-more", "stop", "no"),
    ]


def test_macros_of_c4_are_boxes_boundaries_and_relationships() -> None:
    found = read(CONTEXT)
    assert nodes(found)["web"] == "Web\n[Container: Django]\nShows"
    assert {one["id"]: one.get("style") for one in of(found, "node")}["web"] == {"fill": "#cccccc"}
    assert edges(found) == [("buyer", "web", "buys\n[HTTPS]"), ("web", "db", "reads"), ("web", "mail", "sends")]
    (boundary,) = of(found, "frame")
    assert boundary["children"] == ["web", "db"]


def test_values_conditions_and_procedures_are_carried_out() -> None:
    found = lines(
        "!$who = \"Ann\"",
        "!define TO Bob",
        "!procedure $greet($to, $word=\"hi\")",
        "$who -> $to : $word",
        "!endprocedure",
        "!if ($who == \"Ann\")",
        "$greet(TO)",
        "$greet(TO, \"bye\")",
        "!else",
        "X -> Y : never",
        "!endif",
    )  # fmt: skip
    assert edges(found) == [("Ann", "Bob", "hi"), ("Ann", "Bob", "bye")]
    assert found.whole


@pytest.mark.parametrize("odd", ['"--5"', '"-"', '"5-"', '"٣"'])
def test_a_text_with_a_minus_is_no_number(odd: str) -> None:
    found = lines(f"!$a = {odd}", "!$b = $a + 1", "A -> B: $b")
    assert edges(found) == [("A", "B", f"{odd[1:-1]}1")]


@pytest.mark.parametrize(
    "opening",
    [
        *("skinparam sequence {", "<style>", "sprite $x {", "!if 0", "!ifdef XX", "!ifndef XX", "!procedure $p()"),
        *("!function $f()", "!definelong P()", "!foreach $x in [1, 2]", "!while 1"),
    ],
)
@pytest.mark.parametrize("rest", [("A -> B : one", "B -> C : two"), ("class A {", "x : int", "}", "A }o--o{ B")])
def test_a_block_without_an_end_costs_its_first_line(opening: str, rest: tuple[str, ...]) -> None:
    whole, found = lines(*rest), lines(opening, *rest)
    assert (nodes(found), edges(found)) == (nodes(whole), edges(whole))
    (row,) = found.diagnostics
    assert (found.whole, (row.data or {})["line"]) == (False, 2)


@pytest.mark.parametrize(
    "block",
    [
        ("skinparam sequence {", "arrow {", "Color red", "}", "}"),
        ("<style>", "root {", "Margin 1", "}", "</style>"),
        ("sprite $x [4x4/16] {", "0123", "}"),
        ("!ifdef XX", "!if 1", "A -> X", "!endif", "!endif"),
        ("!function $f()", "!return 1", "!endfunction"),
        ("!function $f() !return 1",),
        ("!unquoted procedure $p()", "A -> X", "!endprocedure"),
    ],
)
def test_a_block_ends_at_its_own_end(block: tuple[str, ...]) -> None:
    found = lines("A -> B : one", *block, "B -> C : two")
    assert (found.whole, edges(found)) == (True, [("A", "B", "one"), ("B", "C", "two")])


@pytest.mark.parametrize("end", ["!endfor", "!end for", "!endforeach"])
def test_lines_after_a_loop_of_the_preprocessor_are_read(end: str) -> None:
    found = lines("!foreach $x in [1, 2]", "A -> X", end, "A -> B : one")
    assert (edges(found), told(found)) == ([("A", "B", "one")], ["!foreach: its lines are left out"])


@pytest.mark.parametrize("file", ["C4_Sequence.puml", "<C4/C4_Sequence>"])
def test_a_sequence_of_c4_is_told_to_lose_its_order(file: str) -> None:
    found = lines(f"!include {file}", 'Person(a, "A")', 'System(b, "B")', 'Rel(a, b, "one")')
    assert edges(found) == [("a", "b", "one")]
    assert [what for what in told(found) if "order of messages" in what] == told(found) != []


def test_other_files_are_not_read() -> None:
    found = lines("!include secret.puml", "A -> B : x")
    assert not found.whole
    assert told(found) == ["'!include secret.puml': other files are not read"]


def test_a_broken_line_costs_itself() -> None:
    found = lines("A -> B : x", "what is this", "B -> C : y")
    assert not found.whole
    assert len(edges(found)) == 2
    assert told(found) == ["'what is this' is not a statement of a sequence diagram"]
    assert (found.diagnostics[0].data or {})["line"] == 3


def test_settings_of_looks_are_passed_over_and_texts_beside_told_once() -> None:
    found = lines(
        "skinparam class {", "BackgroundColor red", "}", "<style>", "a { b: c }", "</style>", "hide empty members",
                  "scale 2", "legend", "a", "endlegend", "A -> B : <b>x</b> **y** <color:red>z</color>")  # fmt: skip
    assert edges(found) == [("A", "B", "x y z")]
    assert told(found) == ["the legend"]
    assert found.whole


def test_a_page_chooses_one_of_several_diagrams() -> None:
    text = "@startuml one\nA -> B\n@enduml\n@startuml two\nclass C\n@enduml"
    assert set(nodes(read(text))) == {"A", "B"}
    assert told(read(text)) == ["another diagram of the same source 'two': it is page 2"]
    assert set(nodes(read(text, page=2))) == {"C"}
    with pytest.raises(Unreadable, match="2 diagrams"):
        read(text, page=3)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("@startmindmap\n* a\n@endmindmap", "a mind map"),
        ("@startgantt\n[a] lasts 2 days\n@endgantt", "a Gantt chart"),
        ("@startjson\n{}\n@endjson", "a picture of JSON"),
        ('@startuml\nrobust "W" as W\n@0\n@enduml', "a timing diagram"),
        ("@startuml\ndigraph a { b -> c }\n@enduml", "DOT"),
        ('@startuml\n(*) --> "one"\n"one" --> (*)\n@enduml', "the older syntax"),
    ],
)
def test_kinds_without_a_form_are_refused_by_name(text: str, name: str) -> None:
    assert recognized(text) == "plantuml"
    with pytest.raises(Formless) as refused:
        read(text)
    assert name in refused.value.hint


@pytest.mark.parametrize(
    "text",
    ["Write @startuml first.", "a: |\n  @startuml\n  A -> B\n", "Ann greets Bob.", "# @startuml", "x = '@startuml'"],
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text + " prose without a diagram")


@pytest.mark.parametrize(
    ("source", "old", "new", "ops"),
    [
        (
            SEQUENCE,
            ": takes",
            ": takes\nShop -> Stock : counts",
            {("createEdge", "Shop--Stock-2"), ("updateEdge", "Stock--Shop")},
        ),
        (CLASSES, "- id : int", "- id : long", {("updateNode", "Order")}),
        (
            CLASSES,
            "Order ..> Payment",
            "Order ..> State",
            {("createEdge", "Order--State"), ("deleteElement", "Order--Payment")},
        ),
        (STATES, ": order", ": call", {("updateEdge", "Idle--Busy")}),
        (ACTIVITY, ":send;", ":send;\n:wait;", {("createNode", "wait")}),
        (CONTEXT, '"Buys things"', '"Pays"', {("updateNode", "buyer")}),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    source: str, old: str, new: str, ops: set[tuple[str, str]]
) -> None:
    stored = read(source).document
    identity = SourceIdentity("plantuml", "")
    assert synchronize(stored, read(source).document, identity, whole=True).ops == ()
    kept = stored["elements"][0]
    kept["style"] = {"fill": "#ffeeaa"}
    done = synchronize(stored, read(source.replace(old, new)).document, identity, whole=True)
    assert {(op["op"], op["id"]) for op in done.ops} >= ops or not ops
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    after = {one["id"]: one for one in batch.document["elements"]}
    assert after[kept["id"]]["style"] == {"fill": "#ffeeaa"}


@pytest.mark.parametrize(
    "text",
    [
        '!$a = "xxxxxxxxxx"\n' + "!$a = $a + $a\n" * 40 + "A -> B : $a",
        "\n".join(f"!define a{n} a{n + 1} a{n + 1}" for n in range(30)) + "\nA -> B : a0",
    ],
)
def test_values_that_double_are_refused(text: str) -> None:
    try:
        found = read(f"@startuml\n{text}\n@enduml")
    except (Unreadable, TooLarge):
        return
    assert not found.whole


@pytest.mark.parametrize(
    "text",
    [
        "package a {\n" * 10_000,
        "start\n" + "split\nsplit again\nend split\n" * 2_000 + ":x;",
        "C -> D\n" + "A -> B : x\n" * 4_900 + "deactivate C\n" * 30_000,
        ("class A " + "<<x>>" * 700 + "!\n") * 100,
        ("A " + "-" * 3_900 + "\n") * 100,
        ("A" + " " * 3_900 + "B\n") * 100,
        ("class A " + "#" * 3_900 + "!\n") * 100,
        "note left of A\n" * 20_000,
        "start\n" + ":a\n" * 20_000,
        "A -> B : " + "x" * 1_000_000,
        "!procedure $a()\n$a()\n$a()\n!endprocedure\n$a()",
        "class A {\n" + "x\n" * 100_000,
    ],
)
def test_hostile_diagrams_are_refused_or_read_in_time(text: str) -> None:
    began = process_time()
    with suppress(Unreadable, TooLarge):
        read(f"@startuml\n{text}\n@enduml")
    assert process_time() - began < SECONDS


@pytest.mark.parametrize(
    "text",
    ['[*] --> A\nstate "note A"\nnote right of A : hi', 'participant "note A: x"\nparticipant A\nnote over A : x'],
)
def test_a_note_stands_beside_an_element_of_its_name(text: str) -> None:
    document = read(f"@startuml\n{text}\n@enduml").document
    assert [one for one in document["elements"] if one.get("nodeType") in ("note", "sequence.note")]
    assert len({one["id"] for one in document["elements"]}) == len(document["elements"])
