"""Documents that are wrong in one way each, and what is to be told of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from scenograph.diagnostics import Diagnostic
from scenograph.late_dataclasses import replace
from scenograph.scene.description.elements import KINDS
from scenograph.scene.limits import LIMITS

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
    (
        "NO_EFFECT",
        [A | {"extensions": {"columns": []}}, B | {"extensions": {"columns": []}}],
        {},
        "/elements/0/extensions/columns",
        {"elementIds": ["a", "b"], "count": 2},
    ),
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
INFOS = {"MISSING_DIAGRAM_FAMILY", "NO_EFFECT", "OUTER_FIELD_NESTED"}
ERRORS_OF_SHAPE = {
    "UNSUPPORTED_SCHEMA_VERSION",
    "MISSING_FIELD",
    "INVALID_TYPE",
    "INVALID_VALUE",
    "INVALID_ID",
    "INVALID_COLOR",
    "OUT_OF_RANGE",
    "LIMIT_EXCEEDED",
    "IMAGE_NOT_ALLOWED",
}  # what a JSON schema sees too
ERRORS = ERRORS_OF_SHAPE | {
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
    "CONSTRAINT_ELEMENT_NOT_FOUND",
    "DUPLICATE_CONSTRAINT_ID",
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


def nested(depth: int) -> list[Json]:
    names = [f"f{level}" for level in range(depth)]
    return [frame(name, *names[level + 1 : level + 2]) for level, name in enumerate(names)]
