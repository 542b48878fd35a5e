"""Validation: every code, where it points, what it suggests; everything at once; linear and bounded."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scenograph.diagnostics import Diagnostic, Report, Severity
from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.scene.element_fields import KINDS
from scenograph.scene.json_values import steps_of
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.reading import read_scene
from scenograph.scene.validation import validate

Json = dict[str, Any]
Make = Callable[..., Json]

A: Json = {"id": "a", "kind": "node"}
B: Json = {"id": "b", "kind": "node"}
AB: Json = {"id": "ab", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}}


def frame(name: str, *children: str, **more: Any) -> Json:
    return {"id": name, "kind": "frame", "children": list(children), **more}


def to(target: str, relation: str = "rightOf") -> Json:
    return {"mode": "relative", "target": target, "relation": relation}


SCENE: Json = {"id": "a-scene", "units": "px", "canvas": {}}
PNG_OF_TEXT = b64encode(b"not a picture at all, whatever it says").decode()
UIFLOW = [
    {"id": "in", "kind": "node", "nodeType": "uiflow.entry"},
    {"id": "home", "kind": "node", "nodeType": "uiflow.screen"},
    {"id": "lost", "kind": "node", "nodeType": "uiflow.screen"},
    {"id": "go", "kind": "edge", "from": {"elementId": "in"}, "to": {"elementId": "home"}},
]
FRAGMENT = frame(
    "alt", containerType="fragment", extensions={"operands": [{"messages": ["ab"]}, {"messages": ["Ab", "alt"]}]}
)
NOTE: Json = {"id": "say", "kind": "node", "nodeType": "sequence.note", "extensions": {"over": ["a", "b", "B"]}}

# (code, elements, root members, pointer, data that must be told)
Case = tuple[str, list[Any], Json, str, Json]
CASES: list[Case] = [
    ("UNSUPPORTED_SCHEMA_VERSION", [], {"schemaVersion": "0.2"}, "/schemaVersion", {"allowed": ["0.1"]}),
    ("MISSING_FIELD", [], {"scene": {"id": "x", "units": "px"}}, "/scene/canvas", {}),
    ("MISSING_FIELD", [{"id": "a"}], {}, "/elements/0/kind", {"allowed": list(KINDS)}),
    ("MISSING_FIELD", [], {"scene": {"id": "x", "canvas": {}}}, "/scene/units", {"allowed": ["px"]}),
    ("MISSING_FIELD", [AB | {"from": {}}, B], {}, "/elements/0/from/elementId", {}),
    ("MISSING_FIELD", [A | {"layout": {"mode": "absolute", "x": 1}}], {}, "/elements/0/layout/y", {}),
    ("MISSING_FIELD", [A | {"layout": {"mode": "relative", "target": "a"}}], {}, "/elements/0/layout/relation", {}),
    ("MISSING_FIELD", [{"id": "i", "kind": "image"}], {}, "/elements/0/assetId", {}),
    ("INVALID_TYPE", [A | {"label": 3}], {}, "/elements/0/label", {}),
    ("INVALID_TYPE", [A | {"visible": None}], {}, "/elements/0/visible", {}),
    ("INVALID_TYPE", ["a"], {}, "/elements/0", {}),
    ("INVALID_TYPE", [], {"elements": {}}, "/elements", {}),
    ("INVALID_TYPE", [A | {"zIndex": True}], {}, "/elements/0/zIndex", {}),
    ("INVALID_VALUE", [A | {"shape": "rectangle"}], {}, "/elements/0/shape", {}),
    ("INVALID_VALUE", [{"id": "a", "kind": "nod"}], {}, "/elements/0/kind", {"suggestion": "node"}),
    ("INVALID_VALUE", [], {"diagramFamily": "Workflow"}, "/diagramFamily", {"suggestion": "workflow"}),
    ("INVALID_VALUE", [], {"scene": SCENE | {"units": "mm"}}, "/scene/units", {"allowed": ["px"]}),
    ("INVALID_VALUE", [], {"layoutStrategy": {"columns": 1.5}}, "/layoutStrategy/columns", {}),
    ("INVALID_ID", [], {"scene": SCENE | {"id": "render"}}, "/scene/id", {}),
    ("INVALID_ID", [], {"scene": SCENE | {"id": "-x"}}, "/scene/id", {}),
    ("INVALID_ID", [], {"scene": SCENE | {"id": "x" * 129}}, "/scene/id", {}),
    ("INVALID_ID", [{"id": "", "kind": "node"}], {}, "/elements/0/id", {}),
    ("INVALID_COLOR", [A | {"style": {"fill": "rouge"}}], {}, "/elements/0/style/fill", {}),
    ("INVALID_COLOR", [], {"palette": {"nodeFill": "#12345"}}, "/palette/nodeFill", {}),
    ("INVALID_COLOR", [], {"styles": {"a/b": {"stroke": ""}}}, "/styles/a~1b/stroke", {}),
    ("OUT_OF_RANGE", [A | {"style": {"opacity": 1.01}}], {}, "/elements/0/style/opacity", {"min": 0, "max": 1}),
    (
        "DUPLICATE_ID",
        [A, B, A, A],
        {},
        "/elements/2/id",
        {"paths": ["/elements/0/id", "/elements/2/id", "/elements/3/id"]},
    ),
    (
        "CHILD_NOT_FOUND",
        [A | {"id": "first"}, frame("f", "frist")],
        {},
        "/elements/1/children/0",
        {"suggestion": "first"},
    ),
    ("CHILD_KIND_NOT_ALLOWED", [A, B, AB, frame("f", "ab")], {}, "/elements/3/children/0", {}),
    ("SELF_CONTAINMENT", [frame("f", "f")], {}, "/elements/0/children/0", {}),
    ("CONTAINMENT_CYCLE", [frame("f", "g"), frame("g", "f")], {}, "/elements/0", {"cycle": ["f", "g"]}),
    ("MULTIPLE_PARENTS", [A, frame("f", "a"), frame("g", "a")], {}, "/elements/2/children/0", {"parents": ["f", "g"]}),
    ("MULTIPLE_PARENTS", [A, frame("f", "a", "a")], {}, "/elements/1/children/1", {"parents": ["f", "f"]}),
    ("ENDPOINT_NOT_FOUND", [A, AB | {"to": {"elementId": "A"}}], {}, "/elements/1/to/elementId", {"suggestion": "a"}),
    ("ENDPOINT_KIND_NOT_ALLOWED", [A, B | {"kind": "text"}, AB], {}, "/elements/2/to/elementId", {}),
    (
        "PORT_NOT_FOUND",
        [A, B, AB | {"to": {"elementId": "b", "port": "rigth"}}],
        {},
        "/elements/2/to/port",
        {"suggestion": "right"},
    ),
    ("DUPLICATE_PORT_ID", [A | {"ports": [{"id": "p"}, {"id": "p"}]}], {}, "/elements/0/ports/1/id", {}),
    ("LAYOUT_TARGET_NOT_FOUND", [A | {"layout": to("z")}], {}, "/elements/0/layout/target", {}),
    ("LAYOUT_TARGET_NOT_FOUND", [A, B, AB, frame("f", layout=to("ab"))], {}, "/elements/3/layout/target", {}),
    (
        "LAYOUT_TARGET_CYCLE",
        [A | {"layout": to("b")}, B | {"layout": to("a")}],
        {},
        "/elements/0/layout/target",
        {"cycle": ["a", "b"]},
    ),
    ("LAYOUT_TARGET_CYCLE", [A | {"layout": to("a")}], {}, "/elements/0/layout/target", {"cycle": ["a"]}),
    ("LAYOUT_TARGET_NOT_CONTAINER", [A, B | {"layout": to("a", "inside")}], {}, "/elements/1/layout/target", {}),
    ("STYLE_NOT_FOUND", [A | {"style": "lout"}], {"styles": {"loud": {}}}, "/elements/0/style", {"suggestion": "loud"}),
    ("ASSET_NOT_FOUND", [{"id": "i", "kind": "image", "assetId": "x"}], {}, "/elements/0/assetId", {}),
    (
        "IMAGE_NOT_ALLOWED",
        [{"id": "i", "kind": "image", "href": "https://example.org/a.png"}],
        {},
        "/elements/0/href",
        {},
    ),
    (
        "IMAGE_NOT_ALLOWED",
        [{"id": "i", "kind": "image", "href": "data:image/svg+xml;base64,AAAA"}],
        {},
        "/elements/0/href",
        {},
    ),
    ("IMAGE_NOT_ALLOWED", [], {"assets": {"x": {"mimeType": "image/png", "data": PNG_OF_TEXT}}}, "/assets/x/data", {}),
    ("IMAGE_NOT_ALLOWED", [], {"assets": {"x": {"mimeType": "image/png", "data": "%%%"}}}, "/assets/x/data", {}),
    (
        "CONSTRAINT_ELEMENT_NOT_FOUND",
        [A],
        {"constraints": [{"id": "c", "type": "centerIn", "elements": ["a"], "container": "f"}]},
        "/constraints/0/container",
        {},
    ),
    (
        "DUPLICATE_CONSTRAINT_ID",
        [A],
        {"constraints": [{"id": "c", "type": "noOverlap", "elements": ["a"]}] * 2},
        "/constraints/1/id",
        {"paths": ["/constraints/0/id", "/constraints/1/id"]},
    ),
    ("LIMIT_EXCEEDED", [A | {"label": "x" * 2001}], {}, "/elements/0/label", {"count": 2001, "limit": 2000}),
    ("UNKNOWN_FIELD", [A | {"lable": "x"}], {}, "/elements/0/lable", {"suggestion": "label"}),
    ("UNKNOWN_FIELD", [], {"node-type": 1, "pallette": {}}, "/pallette", {"suggestion": "palette"}),
    (
        "UNKNOWN_NODE_TYPE",
        [A | {"nodeType": "workflow.tsak"}],
        {},
        "/elements/0/nodeType",
        {"suggestion": "workflow.task"},
    ),
    (
        "UNKNOWN_EDGE_TYPE",
        [A, B, AB | {"edgeType": "er.x"}],
        {},
        "/elements/2/edgeType",
        {"allowed": ["er.identifying", "er.nonIdentifying"]},
    ),
    (
        "EDGE_COLUMN_NOT_FOUND",
        [A | {"extensions": {"columns": [{"name": "id"}]}}, B, AB | {"from": {"elementId": "a", "column": "ID"}}],
        {},
        "/elements/2/from/column",
        {"allowed": ["id"], "suggestion": "id"},
    ),
    (
        "FRAGMENT_MESSAGE_NOT_FOUND",
        [A, B, AB, FRAGMENT],
        {},
        "/elements/3/extensions/operands/1/messages/0",
        {"suggestion": "ab"},
    ),
    (
        "NOTE_LIFELINE_NOT_FOUND",
        [A, B, NOTE],
        {},
        "/elements/2/extensions/over/2",
        {"suggestion": "b"},
    ),
    (
        "UNKNOWN_ICON",
        [A | {"icon": "lucide:databse"}, B | {"icon": "lucide:database"}],
        {},
        "/elements/0/icon",
        {"suggestion": "lucide:database", "nearest": ["lucide:database"]},
    ),
    ("UNKNOWN_ICON", [frame("f", icon="lucide:databse")], {}, "/elements/0/icon", {"suggestion": "lucide:database"}),
    ("SELF_LOOP", [A, AB | {"to": {"elementId": "a"}}], {}, "/elements/1", {}),
    ("ORPHAN_SCREEN", UIFLOW, {"diagramFamily": "uiflow"}, "/elements/2", {}),
    ("MISSING_DIAGRAM_FAMILY", [], {"diagramFamily": ""}, "/diagramFamily", {}),
    ("OUTER_FIELD_NESTED", [], {"scene": SCENE | {"palette": {}}}, "/scene", {"nestedFields": ["palette"]}),
]

WARNINGS = {
    "UNKNOWN_FIELD",
    "UNKNOWN_NODE_TYPE",
    "UNKNOWN_EDGE_TYPE",
    "UNKNOWN_ICON",
    "EDGE_COLUMN_NOT_FOUND",
    "FRAGMENT_MESSAGE_NOT_FOUND",
    "NOTE_LIFELINE_NOT_FOUND",
    "SELF_LOOP",
    "ORPHAN_SCREEN",
}
INFOS = {"MISSING_DIAGRAM_FAMILY", "OUTER_FIELD_NESTED"}
ERRORS = {
    "UNSUPPORTED_SCHEMA_VERSION",
    "MISSING_FIELD",
    "INVALID_TYPE",
    "INVALID_VALUE",
    "INVALID_ID",
    "INVALID_COLOR",
    "OUT_OF_RANGE",
    "DUPLICATE_ID",
    "CHILD_NOT_FOUND",
    "CHILD_KIND_NOT_ALLOWED",
    "SELF_CONTAINMENT",
    "CONTAINMENT_CYCLE",
    "MULTIPLE_PARENTS",
    "ENDPOINT_NOT_FOUND",
    "ENDPOINT_KIND_NOT_ALLOWED",
    "PORT_NOT_FOUND",
    "DUPLICATE_PORT_ID",
    "LAYOUT_TARGET_NOT_FOUND",
    "LAYOUT_TARGET_CYCLE",
    "LAYOUT_TARGET_NOT_CONTAINER",
    "STYLE_NOT_FOUND",
    "ASSET_NOT_FOUND",
    "IMAGE_NOT_ALLOWED",
    "CONSTRAINT_ELEMENT_NOT_FOUND",
    "DUPLICATE_CONSTRAINT_ID",
    "LIMIT_EXCEEDED",
}


class OneIcon:
    """A registry of a single key."""

    def knows(self, key: str) -> bool:
        return key == "lucide:database"

    def nearest(self, key: str) -> tuple[str, ...]:
        return ("lucide:database",) if key.startswith("lucide:") else ()

    def product(self, word: str) -> str | None:
        return None


WITH_ICONS = replace(LIMITS, icons=OneIcon())


def codes(found: tuple[Diagnostic, ...]) -> list[str]:
    return [row.code for row in found]


def test_every_code_has_a_case() -> None:
    assert {code for code, *_ in CASES} == ERRORS | WARNINGS | INFOS


@pytest.mark.parametrize("case", CASES, ids=[f"{case[0]} {case[3]}" for case in CASES])
def test_each_code_says_where_and_what_is_known(document: Make, case: Case) -> None:
    code, elements, root, path, data = case
    scene = document(*elements, **root)
    before = json.dumps(scene)
    rows = [row for row in validate(scene, WITH_ICONS) if row.code == code and row.path == path]
    assert len(rows) == 1
    expected = Severity.INFO if code in INFOS else Severity.WARNING if code in WARNINGS else Severity.ERROR
    assert rows[0].severity is expected
    told = rows[0].data or {}
    assert {name: told.get(name) for name in data} == data
    assert rows[0].message[-1] in ".?"
    assert "{" not in rows[0].message.replace(str(told.get("add")), "")
    assert json.dumps(scene) == before
    json.dumps(rows[0].as_json(), allow_nan=False)


def test_a_sound_document_has_no_diagnostics(shop: Json) -> None:
    assert validate(shop) == ()


@pytest.mark.parametrize("value", [None, 3, "x", [], True])
def test_what_is_no_object_is_one_error_at_the_root(value: object) -> None:
    rows = validate(value)
    assert codes(rows) == ["INVALID_TYPE"]
    assert rows[0].path == ""


def test_an_empty_object_lacks_everything_at_once() -> None:
    missing = [row.path for row in validate({}) if row.code == "MISSING_FIELD"]
    assert missing == ["/schemaVersion", "/scene", "/elements"]


def test_all_problems_are_reported_at_once(document: Make) -> None:
    scene = document(A | {"shape": "x", "style": "y", "label": 1}, AB, frame("f", "q"))
    found = set(codes(validate(scene)))
    assert {"INVALID_VALUE", "STYLE_NOT_FOUND", "INVALID_TYPE", "ENDPOINT_NOT_FOUND", "CHILD_NOT_FOUND"} <= found


def test_a_problem_inside_an_element_names_the_element(document: Make) -> None:
    (row,) = validate(document(A | {"style": {"fill": 1}}))
    assert row.element_id == "a"


def test_an_element_of_unreadable_kind_makes_no_second_problem_elsewhere(document: Make) -> None:
    scene = document(A | {"kind": "nodee"}, B, AB, frame("f", "a"), B | {"id": "c", "layout": to("a", "inside")})
    assert codes(validate(scene)) == ["INVALID_VALUE"]


def test_self_loops_are_everyday_among_messages(document: Make) -> None:
    scene = document(A, AB | {"to": {"elementId": "a"}}, diagramFamily="sequence")
    assert validate(scene) == ()


def test_a_family_declared_inside_scene_counts_as_declared(document: Make) -> None:
    scene = document(A, AB | {"to": {"elementId": "a"}}, scene=SCENE | {"diagramFamily": "sequence"})
    del scene["diagramFamily"]
    assert codes(validate(scene)) == ["OUTER_FIELD_NESTED"]


def test_screens_of_a_flow_without_any_entry_are_left_alone(document: Make) -> None:
    assert validate(document(*UIFLOW[1:3], diagramFamily="uiflow")) == ()


def test_a_screen_in_a_frame_is_reached_through_the_frame(document: Make) -> None:
    scene = document(*UIFLOW[:3], frame("f", "home", "lost"), diagramFamily="uiflow")
    scene["elements"].append(UIFLOW[3] | {"to": {"elementId": "f"}})
    assert validate(scene) == ()


def test_free_text_is_a_node_type_and_an_edge_type(document: Make) -> None:
    assert validate(document(A | {"nodeType": "Dragon"}, B | {"nodeType": "the old one"}, AB | {"edgeType": "x"})) == ()


@pytest.mark.parametrize(
    ("member", "written", "meant"),
    [
        ("nodeType", "userTask", "workflow.userTask"),
        ("nodeType", "Lifeline", "sequence.lifeline"),
        ("nodeType", "servcie", "service"),
        ("nodeType", "Load Balancer", "loadBalancer"),
        ("nodeType", "ec2", "aws:ec2"),
        ("nodeType", "workflow.strat", "workflow.start"),
        ("nodeType", "bpmn.userTask", "workflow.userTask"),
        ("nodeType", "acme.dragon", None),
        ("edgeType", "sequenceFlow", "workflow.sequenceFlow"),
        ("edgeType", "reportsTo", "org.reportsTo"),
        ("edgeType", "acme.bite", None),
    ],
)
def test_a_type_near_a_known_one_or_under_a_prefix_is_told_with_the_nearest(
    document: Make, member: str, written: str, meant: str | None
) -> None:
    elements = (A, B, AB | {member: written}) if member == "edgeType" else (A | {member: written},)
    (row,) = validate(document(*elements), DOCUMENT_LIMITS)
    assert row.code == {"nodeType": "UNKNOWN_NODE_TYPE", "edgeType": "UNKNOWN_EDGE_TYPE"}[member]
    assert (row.data or {}).get("suggestion") == meant
    if meant is not None:
        assert f"'{meant}'" in row.message
        assert ":" in meant or row.data["allowed"][0] == meant, "a list that is cut begins with the nearest"


@pytest.mark.parametrize("word", ["dragon", "payment step", "node", "mobile app", "serviceMesh", "order.v2 (old)"])
def test_a_word_that_is_near_no_known_type_is_free_text(document: Make, word: str) -> None:
    assert validate(document(A | {"nodeType": word}), DOCUMENT_LIMITS) == ()


def test_aliases_are_known_and_checked(document: Make) -> None:
    scene = document(A, {"id": "f", "kind": "frame", "label": "F", "childIds": ["a", "q"]})
    scene["elements"] += [{"id": "t", "kind": "text", "text": "x"}, {"id": "u", "kind": "text", "label": 1}]
    assert [(row.code, row.path) for row in validate(scene)] == [
        ("INVALID_TYPE", "/elements/3/label"),
        ("CHILD_NOT_FOUND", "/elements/1/childIds/1"),
    ]


def test_extensions_and_metadata_may_hold_anything_of_the_callers(document: Make) -> None:
    own = {"mine": [1, {"two": None}], "columnz": 1}
    assert validate(document(A | {"extensions": own, "metadata": own}, extensions=own)) == ()


def test_output_only_members_are_ignored(document: Make) -> None:
    assert validate(document(A, computed=3, diagnostics=[{}], **{"$schema": 1})) == ()


# --- limits ----------------------------------------------------------------------------------------------------------
TIGHT = Limits(elements=3, constraints=2, label_length=5, title_length=4, nesting=3, image_bytes=40, image_pixels=12)


def nested(depth: int) -> list[Json]:
    names = [f"f{level}" for level in range(depth)]
    return [frame(name, *names[level + 1 : level + 2]) for level, name in enumerate(names)]


@pytest.mark.parametrize(("over", "beyond"), [(-1, False), (0, False), (1, True)])
def test_counts_and_lengths_are_refused_only_beyond_their_limit(
    document: Make, png: Callable[..., str], over: int, *, beyond: bool
) -> None:
    def refused(scene: Json, path: str) -> bool:
        rows = validate(scene, TIGHT)
        assert all((row.code, row.path) == ("LIMIT_EXCEEDED", path) for row in rows), rows
        return bool(rows)

    wish = [{"id": f"c{n}", "type": "noOverlap", "elements": ["a"]} for n in range(2 + over)]
    asset = {"x": {"mimeType": "image/png", "data": png(size=40 + over)}}
    pixels = {"x": {"mimeType": "image/png", "data": png(width=12 + over, height=1)}}
    title = SCENE | {"title": "x" * (4 + over)}
    assert refused(document(*[{"id": f"n{n}", "kind": "node"} for n in range(3 + over)]), "/elements") is beyond
    assert refused(document(A, constraints=wish), "/constraints") is beyond
    assert refused(document(A | {"label": "x" * (5 + over)}), "/elements/0/label") is beyond
    assert refused(document(scene=title), "/scene/title") is beyond
    assert refused(document(assets=asset), "/assets/x/data") is beyond
    assert refused(document(assets=pixels), "/assets/x/data") is beyond


@pytest.mark.parametrize(("over", "beyond"), [(-1, False), (0, False), (1, True)])
def test_nesting_is_refused_only_beyond_its_limit(document: Make, over: int, *, beyond: bool) -> None:
    limits = Limits(nesting=6)
    rows = validate(document(*nested(6 + over)), limits)
    assert [(row.code, row.path) for row in rows] == ([("LIMIT_EXCEEDED", "/elements/6")] if beyond else [])


@pytest.mark.parametrize(("over", "beyond"), [(-1, False), (0, False), (1, True)])
def test_texts_are_refused_only_beyond_their_limit_together(document: Make, over: int, *, beyond: bool) -> None:
    ends = {"from": {"elementId": "a", "label": "12"}, "to": {"elementId": "b", "label": "3"}}
    nodes = [{"id": name, "kind": "node", "label": "x" * (5 + over * (name == "b"))} for name in "ab"]
    texts = [{"id": "t", "kind": "text", "content": "12345"}, {"id": "e", "kind": "edge", "label": "12", **ends}]
    rows = validate(document(*nodes, *texts), Limits(text_length=20))
    assert [(row.code, row.path) for row in rows] == ([("LIMIT_EXCEEDED", "/elements")] if beyond else [])


@pytest.mark.parametrize(
    ("member", "low", "high"),
    [
        ("layout.x", -1e6, 1e6),
        ("layout.width", 0, 1e5),
        ("style.strokeWidth", 0, 100),
        ("style.fontSize", 1, 512),
        ("style.opacity", 0, 1),
        ("style.fontWeight", 1, 1000),
        ("zIndex", -1e6, 1e6),
    ],
)
def test_numbers_are_refused_only_beyond_their_range(document: Make, member: str, low: float, high: float) -> None:
    outer, _, inner = member.partition(".")

    def found(value: float) -> list[str]:
        node: Json = A | {outer: {inner: value} if inner else value}
        if inner == "x":
            node["layout"]["y"] = 0
        return codes(validate(document(node)))

    assert found(low) == found(high) == found((low + high) / 2 // 1) == []
    assert found(low - 1) == found(high + 1) == ["OUT_OF_RANGE"]


def test_the_documented_limits_are_the_defaults() -> None:
    limits = Limits()
    assert (limits.elements, limits.operations, limits.label_length, limits.title_length) == (5000, 1000, 2000, 500)
    assert (limits.coordinate, limits.size, limits.stroke_width, limits.font_size) == (1_000_000, 100_000, 100, 512)
    assert (limits.nesting, limits.image_bytes, limits.image_pixels) == (64, 512 * 1024, 16_000_000)
    assert limits.text_length == 400_000


@pytest.mark.parametrize(("count", "beyond"), [(4999, False), (5000, False), (5001, True)])
def test_five_thousand_elements_are_read_and_one_more_is_refused(document: Make, count: int, *, beyond: bool) -> None:
    rows = validate(document(*[{"id": f"n{n}", "kind": "node"} for n in range(count)]))
    assert codes(rows) == (["LIMIT_EXCEEDED"] if beyond else [])


# --- layouts in a circle ---------------------------------------------------------------------------------------------
def beside(target: str, relation: str = "rightOf") -> Json:
    return {"layout": {"mode": "relative", "target": target, "relation": relation}}


def box(name: str, *children: str, **more: Any) -> Json:
    return {"id": name, "kind": "frame", "children": list(children)} | more


def dot(name: str, **more: Any) -> Json:
    return {"id": name, "kind": "node"} | more


@pytest.mark.parametrize(
    ("elements", "cycle"),
    [
        ([box("f", "a", **beside("a")), dot("a")], {"f", "a"}),
        ([box("f", "a", **beside("b")), dot("a"), dot("b", **beside("a"))], {"f", "a", "b"}),
        ([box("f", "x", **beside("y")), dot("x"), box("g", "y", **beside("x")), dot("y")], {"f", "g", "x", "y"}),
        ([box("f", "a"), dot("a", **beside("f"))], {"f", "a"}),
        ([box("f", "a"), dot("a", **beside("x")), dot("x", **beside("f"))], {"f", "a", "x"}),
        ([dot("a", **beside("b")), dot("b", **beside("c")), dot("c", **beside("a"))], {"a", "b", "c"}),
    ],
)
def test_layouts_may_not_go_round_by_way_of_containers(document: Make, elements: list[Json], cycle: set[str]) -> None:
    (row,) = validate(document(*elements))
    assert row.code == "LAYOUT_TARGET_CYCLE"
    assert set((row.data or {})["cycle"]) == cycle


FIXED: Json = {"layout": {"mode": "absolute", "x": 0, "y": 0, "width": 9, "height": 9}}


@pytest.mark.parametrize(
    "elements",
    [
        [box("f", "a", "b"), dot("a"), dot("b", **beside("a"))],
        [box("f", "a"), dot("a", **beside("f", "inside"))],
        [box("f", "g"), box("g", "a"), dot("a", **beside("f", "inside"))],
        [box("f", "a"), dot("a"), box("g", "b", **beside("a")), dot("b", **beside("a"))],
        [box("f", "a", **FIXED), dot("a", **beside("x")), dot("x", **beside("f"))],
        [box("f", "a", **FIXED), dot("a", **beside("f"))],
    ],
)
def test_layouts_that_end_somewhere_are_fine(document: Make, elements: list[Json]) -> None:
    assert validate(document(*elements)) == ()


@pytest.mark.parametrize(
    ("elements", "constraints", "suggestion"),
    [
        ([dot("box1", **beside("box2")), dot("else")], [], None),
        ([dot("box1", **beside("box2")), dot("box3")], [], "box3"),
        ([box("box1", "box2"), dot("else")], [], None),
        ([dot("box1"), dot("else")], ["box1", "box2"], None),
        ([dot("box1"), dot("box4")], ["box1", "box2"], "box4"),
    ],
)
def test_no_suggestion_would_be_wrong_again(
    document: Make, elements: list[Json], constraints: list[str], suggestion: str | None
) -> None:
    rows: list[Json] = [{"id": "c", "type": "align", "axis": "x", "elements": constraints}] if constraints else []
    (row,) = validate(document(*elements, constraints=rows))
    assert (row.data or {}).get("suggestion") == suggestion


# --- what stands beside something that counts -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("members", "path", "counts"),
    [
        ({"children": [], "childIds": []}, "/elements/0/childIds", "children"),
        ({"title": "T", "label": "L"}, "/elements/0/label", "title"),
    ],
)
def test_an_alias_beside_the_real_name_is_said_to_be_ignored(
    document: Make, members: Json, path: str, counts: str
) -> None:
    (row,) = validate(document({"id": "f", "kind": "frame"} | members))
    assert (row.code, row.path, row.data) == ("FIELD_IGNORED", path, {"counts": counts})
    assert row.severity is Severity.WARNING
    assert f"'{counts}' is given as well" in row.message


def test_an_outer_field_inside_scene_beside_the_roots_is_said_to_be_ignored(document: Make) -> None:
    scene = document(layoutStrategy={"algorithm": "grid"}, scene=SCENE | {"layoutStrategy": {"algorithm": "flow"}})
    (row,) = validate(scene)
    assert (row.code, row.path, row.data) == ("OUTER_FIELD_NESTED", "/scene", {"nestedFields": ["layoutStrategy"]})
    assert "those at the root count" in row.message


def test_what_is_missing_comes_with_what_it_could_be() -> None:
    rows = validate({"scene": {"id": "a", "canvas": {}}, "elements": [], "diagramFamily": "network"})
    assert [(row.path, row.data) for row in rows] == [
        ("/scene/units", {"add": '"units": "px"', "allowed": ["px"]}),
        ("/schemaVersion", {"add": '"schemaVersion": "0.1"', "allowed": ["0.1"]}),
    ]


# --- many problems ---------------------------------------------------------------------------------------------------
def test_at_most_two_hundred_problems_are_shown_and_the_rest_counted(document: Make) -> None:
    rows = validate(document(*[A | {"id": f"n{n}", "shape": "?"} for n in range(230)]))
    assert len(rows) == 201
    assert rows[-1].code == "TOO_MANY_DIAGNOSTICS"
    assert rows[-1].data == {"count": 30, "limit": 200}
    assert rows[-1].severity is Severity.INFO


def test_errors_are_never_crowded_out_by_warnings(document: Make) -> None:
    noisy = [A | {"id": f"n{n}", "oddity": 1} for n in range(500)]
    rows = validate(document(*noisy, A | {"id": "last", "shape": "?"}))
    assert "INVALID_VALUE" in codes(rows)


def test_a_chain_of_containers_as_long_as_the_document_is_no_trouble(document: Make) -> None:
    rows = validate(document(*nested(5000)))
    assert [row.path for row in rows] == ["/elements/64"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, -(10**400), "\ud800"])
def test_values_that_strict_json_would_refuse_are_no_trouble(document: Make, value: object) -> None:
    scene = document(
        A | {"zIndex": value, "label": value, "layout": {"mode": value, "x": value}, "metadata": {"v": value}}
    )
    assert codes(validate(scene))
    assert read_scene(scene, Report()).elements[0].z_index == 0


def test_deep_and_strange_pointers_are_escaped(document: Make) -> None:
    (row,) = validate(document(styles={"a/~b": {"fill": 1}}))
    assert steps_of(str(row.path)) == ("styles", "a/~b", "fill")


def test_an_operand_may_list_messages_notes_and_fragments_but_no_lifeline(document: Make) -> None:
    note = A | {"id": "say", "nodeType": "note"}
    inner, listed = frame("inner", containerType="fragment"), ["ab", "say", "inner", "a"]
    outer = frame("outer", containerType="fragment", extensions={"operands": [{"messages": listed}]})
    rows = validate(document(A, B, AB, note, inner, outer))
    assert [(row.code, row.path) for row in rows] == [
        ("FRAGMENT_MESSAGE_NOT_FOUND", "/elements/5/extensions/operands/0/messages/3")
    ]


def test_lists_of_ids_belong_to_the_caller_where_no_type_reads_them(document: Make) -> None:
    over, operands = {"over": ["nobody"]}, {"operands": [{"messages": ["nothing"]}]}
    assert validate(document(A | {"extensions": over}, frame("f", extensions=operands))) == ()


@pytest.mark.parametrize("value", [None, 3, "ab", {"0": "ab"}, [["ab"], None, {}]])
def test_lists_of_ids_that_are_none_are_no_business_of_references(document: Make, value: object) -> None:
    note = B | {"nodeType": ["note"], "extensions": {"over": value}}
    fragment = frame("f", containerType="fragment", extensions={"operands": [{"messages": value}, value]})
    found = codes(
        validate(document(A, note, B | {"id": "n", "nodeType": "note", "extensions": {"over": value}}, fragment))
    )
    assert not {"FRAGMENT_MESSAGE_NOT_FOUND", "NOTE_LIFELINE_NOT_FOUND"} & set(found)


def test_a_missing_member_comes_with_the_text_to_add() -> None:
    told = {row.path: row for row in validate({"scene": {}})}
    for path, text in {
        "/schemaVersion": '"schemaVersion": "0.1"',
        "/elements": '"elements": []',
        "/scene/id": '"id": "my-scene"',
        "/scene/units": '"units": "px"',
        "/scene/canvas": '"canvas": {}',
    }.items():
        assert f"Add {text}." in told[path].message
        assert (told[path].data or {})["add"] == text
    (row,) = (row for row in validate({}) if row.path == "/scene")
    assert row.data is not None
    scene = json.loads("{" + row.data["add"] + "}")
    assert validate({"schemaVersion": "0.1", "diagramFamily": "network", "elements": [], **scene}) == ()
