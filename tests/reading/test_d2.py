"""D2: objects, connections, tables, classes, sequence diagrams, variables and patterns."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import TooLarge, Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate

SHOP = """\
# The shop
direction: right
title: |md
  # The *shop*
| {near: top-center}
classes: {store: {shape: cylinder; style.fill: "#eeeeff"}}
shop: Shop {
  web -> api: calls
  api -> db: SQL {style.stroke-dash: 3}
  db: Orders {class: store}
}
customer: {shape: person}
customer <-> shop.web: visits {
  target-arrowhead: 1 {shape: diamond}
}
shop.api <- queue
queue.shape: queue
"""


def d2(text: str) -> Import:
    return read_source(Text(text=text, icons=KnownIcons()), "d2")


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["id"]: one for one in document["elements"]}


def node_of(said: str) -> dict[str, Any]:
    return elements(d2(f"a: {{{said}}}"))["a"]


def edges(found: Import) -> list[dict[str, Any]]:
    return [one for one in found.document["elements"] if one["kind"] == "edge"]


def lines(found: Import) -> list[tuple[str, str, str]]:
    return [(one["from"]["elementId"], one["to"]["elementId"], one.get("label", "")) for one in edges(found)]


def names(found: Import) -> list[str]:
    return [one["id"] for one in found.document["elements"] if one["kind"] != "edge"]


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def test_objects_are_nodes_containers_frames_and_connections_lines() -> None:
    found = d2(SHOP)
    here = elements(found)
    assert found.document["scene"] | {"title": "The shop", "showTitle": True} == found.document["scene"]
    assert found.document["layoutStrategy"]["direction"] == "LR"
    assert (here["shop"]["title"], here["shop"]["children"]) == ("Shop", ["shop.web", "shop.api", "shop.db"])
    assert (here["shop.db"]["label"], here["shop.db"]["shape"]) == ("Orders", "cylinder")
    assert (here["shop.db"]["nodeType"], here["queue"]["nodeType"]) == ("database", "queue")
    assert here["shop.db"]["style"] == {"fill": "#eeeeff"}
    assert (here["customer"]["nodeType"], here["queue"]["shape"]) == ("user", "tube")
    assert lines(found) == [
        ("shop.web", "shop.api", "calls"),
        ("shop.api", "shop.db", "SQL"),
        ("customer", "shop.web", "visits"),
        ("queue", "shop.api", ""),
    ]
    both = edges(found)[2]
    assert both["endpoints"] == {"startArrow": "triangle", "endArrow": "diamond"}
    assert both["to"]["label"] == "1"
    assert not found.diagnostics
    assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a -> b -> c", [("a", "b", ""), ("b", "c", "")]),
        ("a -> b: x\na -> b: y", [("a", "b", "x"), ("a", "b", "y")]),
        ("A -> b\na -> B: same names", [("A", "b", ""), ("A", "b", "same names")]),
        ("x.y -> z.w", [("x.y", "z.w", "")]),
        ("x: {a -> _.b}", [("x.a", "b", "")]),
        ("x.(a -> b): in x", [("x.a", "x.b", "in x")]),
        ("a -> b\n(a -> b)[0]: named", [("a", "b", "named")]),
        ("a -> b\n(a -> b)[0].label: named", [("a", "b", "named")]),
        ('"a.b" -> \'c -> d\': "e: f"', [("a.b", "c---d", "e: f")]),
        ("one-way street -> b\\-c: it's | a text", [("one-way-street", "b-c", "it's | a text")]),
        ("a ----> b: long", [("a", "b", "long")]),
        ("a -> b: |md\n  **bold**\n  - item\n|", [("a", "b", "bold\n• item")]),
        ("a -> b; b -> c: x # y", [("a", "b", ""), ("b", "c", "x")]),
        ('"""\na -> b\n"""\nc -> d', [("c", "d", "")]),
    ],
)
def test_connections_are_read_in_every_form(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = d2(text)
    assert lines(found) == expected
    assert found.whole


@pytest.mark.parametrize(
    ("arrow", "ends", "heads"),
    [
        ("->", ("a", "b"), ("none", "triangle")),
        ("<-", ("b", "a"), ("none", "triangle")),
        ("<->", ("a", "b"), ("triangle", "triangle")),
        ("--", ("a", "b"), ("none", "none")),
    ],
)
def test_a_line_leaves_the_object_that_its_arrow_leaves(
    arrow: str, ends: tuple[str, str], heads: tuple[str, str]
) -> None:
    [line] = edges(d2(f"a {arrow} b"))
    assert (line["from"]["elementId"], line["to"]["elementId"]) == ends
    assert (line["endpoints"]["startArrow"], line["endpoints"]["endArrow"]) == heads


def test_an_arrowhead_has_its_shape_label_and_cardinality() -> None:
    [line] = edges(d2("a -> b {source-arrowhead: 1\ntarget-arrowhead: n {shape: cf-many}}"))
    assert (line["from"]["label"], line["to"]["label"]) == ("1", "n")
    assert line["to"]["cardinality"] == "zero-or-many"


@pytest.mark.parametrize(
    ("said", "members"),
    [
        ("shape: oval", {"shape": "ellipse"}),
        ("shape: Hexagon", {"shape": "hexagon"}),
        ("style.3d: true", {"shape": "box3d"}),
        ("shape: text", {"shape": "textBox"}),
        ("label: Other", {"label": "Other"}),
        ("width: 200; height: 80", {"layout": {"mode": "auto", "width": 200, "height": 80}}),
        ("tooltip: more; link: https://a.example", {"tooltip": "more", "link": {"href": "https://a.example"}}),
        ("link: javascript:alert(1)", {"link": None}),
        ("icon: https://icons.example/dev%2Fpostgresql.svg; shape: image", {"shape": "iconBox"}),
        (
            'style: {fill: "#abc"; stroke: red; stroke-width: 3; stroke-dash: 5; font-color: blue; bold: true}',
            {
                "style": {
                    "fill": "#abc",
                    "stroke": "red",
                    "strokeWidth": 3,
                    "dash": [5, 5],
                    "textColor": "blue",
                    "fontWeight": "bold",
                }
            },
        ),
        ("style.text-transform: uppercase", {"label": "A"}),
    ],
)
def test_shapes_and_styles_are_kept(said: str, members: dict[str, Any]) -> None:
    found = node_of(said)
    assert {name: found.get(name) for name in members} == members


def test_the_name_of_a_picture_chooses_a_known_icon_and_no_picture_is_fetched() -> None:
    found = d2("a: {shape: image; icon: https://x.example/aws%2FPostgreSQL.svg}\nb: {icon: https://x.example/0001.svg}")
    assert "icon" in elements(found)["a"]
    assert told(found) == [(2, "the picture '0001' is not fetched")]


def test_tables_are_entities_and_classes_are_classes() -> None:
    found = d2(
        "users: {\n shape: sql_table\n id: int {constraint: primary_key}\n mail: text {constraint: [unique; unq2]}\n}\n"
        "orders: {shape: sql_table; user: int {constraint: foreign_key}}\norders.user -> users.id\n"
    )
    assert found.document["diagramFamily"] == "entityRelationship"
    assert elements(found)["users"]["extensions"]["columns"] == [
        {"name": "id", "type": "int", "pk": True},
        {"name": "mail", "type": "text unq2", "unique": True},
    ]
    [line] = edges(found)
    assert (line["from"], line["to"]["column"]) == ({"elementId": "orders", "column": "user"}, "id")
    classes = d2("Parser: {shape: class; -reader: Reader; \\#depth: int; +peek(n int): rune; size}\nParser -> b")
    assert classes.document["diagramFamily"] == "architecture"
    assert elements(classes)["Parser"]["nodeType"] == "uml.class"
    assert elements(classes)["Parser"]["extensions"] == {
        "attributes": ["-reader: Reader", "#depth: int", "+size"],
        "methods": ["+peek(n int): rune"],
    }


SEQUENCE = """\
shape: sequence_diagram
alice: Alice {shape: person}
bob
alice -> bob.work: ask
bob.work -> bob.work: think
bob."a note"
alice <- bob.work: answer {style.stroke-dash: 5}
later: {
  bob -> carol: tell
  carol.alone: "what now"
  deep: {
    carol -> alice: reply
  }
}
"""


def test_a_sequence_diagram_has_lifelines_messages_notes_and_fragments() -> None:
    found = d2(SEQUENCE)
    here = elements(found)
    assert found.document["diagramFamily"] == "sequence"
    lifelines = [
        (one["label"], one["nodeType"]) for one in here.values() if one.get("nodeType", "").endswith(("line", "actor"))
    ]
    assert lifelines == [("Alice", "sequence.actor"), ("bob", "sequence.lifeline"), ("carol", "sequence.lifeline")]
    assert lines(found) == [
        ("alice", "bob", "ask"),
        ("bob", "bob", "think"),
        ("bob", "alice", "answer"),
        ("bob", "later.carol", "tell"),
        ("later.carol", "alice", "reply"),
    ]
    assert edges(found)[0]["extensions"] == {"activates": ["target"]}
    assert edges(found)[2]["extensions"] == {"deactivates": ["source"]}
    notes = {one["label"]: one for one in here.values() if one.get("nodeType") == "sequence.note"}
    assert notes.keys() == {"a note", "what now"}
    assert notes["what now"]["extensions"] == {"over": ["later.carol"]}
    [operand] = here["later"]["extensions"]["operands"]
    assert operand["guard"] == "later"
    assert operand["messages"] == [edges(found)[3]["id"], notes["what now"]["id"], edges(found)[4]["id"]]
    assert here["later"]["children"] == [notes["what now"]["id"], "later.deep"]
    assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]


def test_the_only_object_of_a_board_may_be_the_sequence_diagram() -> None:
    found = d2("talk: A talk {\n shape: sequence_diagram\n a -> b: hi\n}")
    assert (found.document["diagramFamily"], found.document["scene"]["title"]) == ("sequence", "A talk")


def test_a_sequence_diagram_beside_other_objects_is_drawn_as_nodes_and_lines() -> None:
    found = d2("talk: {\n shape: sequence_diagram\n a -> b.span: hi\n g: {a -> b: on}\n}\ntalk -> x")
    assert found.document["diagramFamily"] == "architecture"
    assert elements(found)["talk"]["children"] == ["talk.a", "talk.b"]
    assert lines(found) == [("talk.a", "talk.b", "hi"), ("talk.a", "talk.b", "on"), ("talk", "x", "")]
    assert (1, "a sequence diagram within another is drawn as nodes and lines") in told(found)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("vars: {x: one; y: {z: two}}\na: ${x}\nb: '${x}'\nc: \"${y.z}!\"", {"a": "one", "b": "${x}", "c": "two!"}),
        ("vars: {x: {label: L; k: K}}\na: {...${x}}\n", {"a.k": "K"}),
        ("vars: {x: outer}\na: {vars: {x: inner}; b: ${x}}\nc: ${x}", {"a.b": "inner", "c": "outer"}),
        ("classes: {c: {label: named}}\na.class: c\nb: own {class: c}", {"a": "named", "b": "own"}),
        ("a; ab; b\na*: star", {"a": "star", "ab": "star", "b": "b"}),
        ("*: star\na\nb: own", {"a": "star", "b": "own"}),
        ("a: {b; c.d}\na.**: deep", {"a.b": "deep", "a.c.d": "deep"}),
        ("*: {&shape: person; label: someone}\na: {shape: person}\nb", {"a": "someone", "b": "b"}),
        ("*: {!&shape: person; label: thing}\na: {shape: person}\nb", {"a": "a", "b": "thing"}),
        ("a; b; c\nb: null", {"a": "a", "c": "c"}),
        ("a; b; c\n*: suspend\nb: unsuspend", {"b": "b"}),
    ],
)
def test_classes_variables_and_patterns_are_carried_out(text: str, labels: dict[str, str]) -> None:
    found = d2(text)
    assert {one["id"]: one["label"] for one in found.document["elements"] if one["kind"] == "node"} == labels
    assert not found.diagnostics


def test_patterns_make_and_choose_connections() -> None:
    assert lines(d2("a; b\n* -> c\nd")) == [("a", "c", ""), ("b", "c", ""), ("d", "c", "")]
    found = d2("a -> b: x\nb -> c: y\n(* -> *)[*].style.stroke: red\n(a -> *)[*].label: z")
    assert lines(found) == [("a", "b", "z"), ("b", "c", "y")]
    assert [one["style"] for one in edges(found)] == [{"stroke": "red"}] * 2
    assert lines(d2("a -> b\nb -> c\na: null")) == [("b", "c", "")]


def test_a_grid_of_the_board_is_the_layout_and_one_of_a_container_that_of_its_frame() -> None:
    assert d2("grid-columns: 2\na; b; c").document["layoutStrategy"] == {"algorithm": "grid", "columns": 2}
    document = d2("x: {grid-rows: 2; a; b; c}").document
    assert document["elements"][-1]["extensions"] == {"gridColumns": 2}
    assert "constraints" not in document


def test_the_first_board_is_drawn_where_the_root_is_empty() -> None:
    found = d2("layers: {\n one: {a -> b}\n two: {c}\n}")
    assert [one["label"] for one in found.document["elements"] if one["kind"] == "node"] == ["a", "b"]
    assert told(found) == [(3, "one board is drawn, and 1 left out; `view` chooses one of: layers.one, layers.two")]


BOARDS = """\
a -> b
layers: {
  one: {
    c
    layers: {deep: {d}}
  }
}
scenarios: {
  slow: {
    (a -> b)[0].label: waits
    b -> e
  }
}
steps: {
  first: {f}
  second: {g}
}
"""


@pytest.mark.parametrize(
    ("view", "names"),
    [
        ("layers.one", {"c"}),
        ("layers.one.layers.deep", {"d"}),
        ("scenarios.slow", {"a", "b", "e", "waits"}),
        ("steps.first", {"a", "b", "f"}),
        ("steps.second", {"a", "b", "f", "g"}),
    ],
)
def test_a_board_is_chosen_by_its_path_and_inherits_as_its_kind_does(view: str, names: set[str]) -> None:
    found = read_source(Text(text=BOARDS, view=view), "d2")
    assert {one["label"] for one in found.document["elements"] if "label" in one} == names
    assert {one["metadata"]["source"]["view"] for one in found.document["elements"]} == {view}
    again = read_source(Text(text=BOARDS, kept_view=view), "d2")
    assert synchronize(found.document, again.document, SourceIdentity("d2", ""), whole=True).ops == ()


def test_a_board_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Text(text=BOARDS, view="layers.two"), "d2")
    assert "layers.one, layers.one.layers.deep, scenarios.slow, steps.first, steps.second" in refused.value.hint


@pytest.mark.parametrize(
    "broken",
    [
        "-> b",
        "a -> ",
        "x: [1",
        'x: "y',
        "x: 'y",
        "x {",
        "]",
        "}",
        "a: b {} c",
        "x: |md y",
        "x: {a: ]}",
        "(a -> b",
        "...@file",
    ],
)
def test_a_broken_statement_costs_its_line(broken: str) -> None:
    found = d2(f"first -> second: text\n{broken}\nlast: Last\n")
    assert not found.whole
    assert min(line for line, _ in told(found)) in {2, 3}
    assert {"first", "second"} <= elements(found).keys()
    if broken not in {"x: [1", "x {", "x: |md y"}:
        assert elements(found)["last"]["label"] == "Last"


def test_what_has_no_form_is_told_once() -> None:
    found = d2(
        "a: {shape: page; near: b; style.shadow: true}\nb: {shape: page; near: a; style.shadow: true}\n"
        "c: {direction: up; shape: cloud; d: {link: layers.x}}\ne.class: none\nf: ${none}!"
    )
    assert sorted(told(found)) == [
        (1, "places (near, top, left) are left to the layout"),
        (1, "the shape page is drawn as rect"),
        (1, "the style 'shadow' has no form here"),
        (3, "containers are drawn as frames, whatever their shape"),
        (3, "links within the source and to files are left out"),
        (3, "the direction within a container is left to the layout"),
        (4, "the class 'none' is not defined here"),
        (5, "the variable 'none' is not defined here"),
    ]
    assert found.whole


def test_a_text_without_an_object_is_refused() -> None:
    with pytest.raises(Unreadable, match="Line 1: expected an object or a connection of D2"):
        d2("direction: right")


@pytest.mark.parametrize(
    "text",
    [
        SHOP,
        SEQUENCE,
        "x -> y: hello\ny -> z\nx.shape: circle",
        "a: {\n  shape: cylinder\n}\n",
        "timeline mixer: Mixer {\n  a -> b\n}",
        "Send the order to us -> Wait for the answer: by mail",
        "shop -> bank: Pays.\nbank -> shop: Tells.\n",
        "def -> fn: x",
        "grid-columns: 3\nExecutive\nLegislative\n",
        'users: {shape: sql_table; id: int}\n"a b" <-> users.id: It reads. Then it writes.',
    ],
)
def test_it_is_recognized_by_its_connections_and_properties(text: str) -> None:
    assert recognized(text) == "d2"


@pytest.mark.parametrize(
    "text",
    [
        "Open the menu.\nClick File -> Save\nThis is the end of it.\n",
        "name: x\nshape: circle\nsize: 3\n",
        "- a -> b\n- c\n",
        "fn f(x: i32) -> i32 {\n  x\n}\n",
        'user -> system "Uses"\n',
        "A --> B\nB --> C\n",
        "Alice ->> Bob: hi\n",
        "participant A\nA -> B: x\n",
        "p->next = q;\n",
        "We moved from Jenkins -> GitHub Actions: it was worth it.",
        "Hi all,\n\nthe flow is client -> server -> db.\n\nBest,\nAnn",
        "Dear team, the order service -> calls the billing. It works: always.\nThanks",
        "Install it -> then run it.\nThe result: fine",
        "fn main() -> i32 {\n  let x: i32 = 1;\n}\n",
        "function f(a) { return a -> b; }",
        "def f(x) -> y: pass",
        "f :: Int -> Int\nf x = x\n",
        "[a] -> [b]\n",
        "# A title\n\nSome *text* -> more.\n\n- item\n",
    ],
)
def test_other_languages_and_prose_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text)


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ("Shop {", "Store {", [("updateFrame", "shop")]),
        ("api -> db: SQL", "api -> db: SQL2", [("updateEdge", "shop.api--shop.db")]),
        (
            "api -> db: SQL",
            "api -> cache: SQL",
            [
                ("createNode", "shop.cache"),
                ("createEdge", "shop.api--shop.cache"),
                ("deleteElement", "shop.api--shop.db"),
            ],
        ),
        ("db: Orders", "db: Store", [("updateNode", "shop.db")]),
        ("customer: {shape: person}\n", "customer: {shape: person}\nextra\n", [("createNode", "extra")]),
        ('"#eeeeff"', '"#ffffff"', []),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = d2(SHOP).document
    source = SourceIdentity("d2", "")
    assert synchronize(stored, d2(SHOP).document, source, whole=True).ops == ()
    elements(stored)["customer"]["style"] = {"fill": "#ffeeaa"}
    done = synchronize(stored, d2(SHOP.replace(old, new)).document, source, whole=True)
    assert sorted((op["op"], op["id"]) for op in done.ops) == sorted(ops)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    assert elements(batch.document)["customer"]["style"] == {"fill": "#ffeeaa"}


@pytest.mark.parametrize(
    "text",
    [
        "vars: {a0: {x; y}\n"
        + "\n".join(f"a{n}: {{p: ${{a{n - 1}}}; q: ${{a{n - 1}}}}}" for n in range(1, 30))
        + "}\nx: ${a29}",
        "\n".join(f"a{n}" for n in range(3000)) + "\n* -> *",
        "classes: {c: {"
        + "\n".join(f"style.k{n}: red" for n in range(5000))
        + "}}\n"
        + "\n".join(f"a{n}.class: c" for n in range(4000)),
    ],
    ids=["variables", "patterns", "classes"],
)
def test_a_source_that_multiplies_itself_is_refused(text: str) -> None:
    with pytest.raises(TooLarge):
        d2(text)


def test_variables_that_name_each_other_come_to_an_end() -> None:
    assert elements(d2("vars: {a: ${b}; b: ${a}}\nx: ${a}")).keys() == {"x"}


@pytest.mark.parametrize("end", ["steps", "layers", "classes.x", "layers.x", "layers.x.b", "c.classes", "vars.b"])
@pytest.mark.parametrize("head", ["", "shape: sequence_diagram\n"])
@pytest.mark.parametrize("arrow", ["a -> {}", "{} -> a"])
def test_a_connection_at_a_board_a_class_or_a_variable_costs_itself(head: str, end: str, arrow: str) -> None:
    found = d2(f"{head}a -> d\n{arrow.format(end)}")
    assert [(start, to) for start, to, _ in lines(found)] == [("a", "d")]
    assert f"a connection at '{end}', which is no object" in [what for _, what in told(found)]
    assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "address", ["https://exa mple.com", "https://example.com/<x>", "https://", f"https://a/{'b' * 2000}"]
)
def test_a_link_that_is_no_valid_address_costs_itself(address: str) -> None:
    found = d2(f'a.link: "{address}"\nb.link: https://example.com')
    assert [elements(found)[key].get("link") for key in "ab"] == [None, {"href": "https://example.com"}]
    assert ["is left out: it is no valid address" in what for _, what in told(found)] == [True]


@pytest.mark.parametrize("head", ["", "shape: sequence_diagram\n"])
@pytest.mark.parametrize("look", ["fill: red", "fill: red; stroke: blue"])
def test_the_fill_of_a_connection_is_told_and_left_out(head: str, look: str) -> None:
    found = d2(f"{head}a -> b: {{style: {{{look}}}}}")
    assert edges(found)[0].get("style") == ({"stroke": "blue"} if "blue" in look else None)
    assert told(found) == [(2 if head else 1, "the fill of connections has no form here")]
