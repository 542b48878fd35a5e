"""The published schemas, judged by an independent implementation of JSON Schema."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
import pytest

from scenograph.scene.description.operations import ops_schema, ops_schema_draft_07, scene_schema, scene_schema_draft_07
from scenograph.scene.limits import Limits

Json = dict[str, Any]
SCENE = jsonschema.Draft202012Validator(scene_schema())
SCENE_07 = jsonschema.Draft7Validator(scene_schema_draft_07())
OPS = jsonschema.Draft202012Validator(ops_schema())
OPS_07 = jsonschema.Draft7Validator(ops_schema_draft_07())


def request(*ops: Any) -> Json:
    return {"schemaVersion": "0.1", "sceneId": "s", "baseRevision": 1, "ops": list(ops)}


@pytest.mark.parametrize("validator", [SCENE, SCENE_07, OPS, OPS_07])
def test_each_schema_is_a_schema_of_its_dialect(validator: Any) -> None:
    validator.check_schema(validator.schema)


def test_the_twins_say_the_same() -> None:
    def spelt(schema: Json) -> Json:
        plain = {name: value for name, value in schema.items() if name not in {"$schema", "$defs", "definitions"}}
        text = repr(plain | {"defs": schema.get("$defs", schema.get("definitions"))})
        return {"text": text.replace("#/definitions/", "#/$defs/")}

    assert spelt(scene_schema()) == spelt(scene_schema_draft_07())
    assert spelt(ops_schema()) == spelt(ops_schema_draft_07())


def test_every_reference_leads_somewhere() -> None:
    for schema in (scene_schema(), ops_schema()):
        text = repr(schema)
        named = {part.split("'")[0] for part in text.split("#/$defs/")[1:]}
        assert named == set(schema["$defs"])


def test_everything_described_carries_a_description() -> None:
    for schema in (scene_schema(), ops_schema()):
        for name, definition in schema["$defs"].items():
            assert definition["description"], name
            for member, inner in definition.get("properties", {}).items():
                assert inner.get("description") or member in {"kind", "type", "op"}, (name, member)


def test_a_sound_document_is_valid_in_both_dialects(shop: Json) -> None:
    assert SCENE.is_valid(shop)
    assert SCENE_07.is_valid(shop)


@pytest.mark.parametrize(
    "change",
    [
        {"elements": [{"id": "a"}]},
        {"elements": [{"id": "a", "kind": "node", "shape": "blob"}]},
        {"elements": [{"id": "a", "kind": "node", "layout": {"mode": "absolute", "x": 1}}]},
        {"elements": [{"id": "a", "kind": "edge", "from": {"elementId": "a"}}]},
        {"elements": [{"id": "a", "kind": "image"}]},
        {"palette": {"nodeFill": "rouge"}},
        {"scene": {"id": "render", "units": "px", "canvas": {}}},
        {"constraints": [{"id": "c", "type": "align", "elements": ["a"]}]},
        {"diagramFamily": "poster"},
    ],
)
def test_an_unsound_document_is_invalid_in_both_dialects(shop: Json, change: Json) -> None:
    assert not SCENE.is_valid(shop | change)
    assert not SCENE_07.is_valid(shop | change)


def test_defaults_and_choices_are_published() -> None:
    definitions = scene_schema()["$defs"]
    assert definitions["Node"]["properties"]["visible"]["default"] is True
    assert definitions["Frame"]["properties"]["containerType"]["default"] == "generic"
    assert "box3d" in definitions["Node"]["properties"]["shape"]["enum"]
    assert definitions["Frame"]["properties"]["childIds"]["deprecated"] is True


def test_the_limits_in_force_are_published() -> None:
    schema = scene_schema(Limits(elements=7, label_length=9))
    assert schema["properties"]["elements"]["maxItems"] == 7
    assert schema["$defs"]["Node"]["properties"]["label"]["maxLength"] == 9


@pytest.mark.parametrize(
    ("op", "valid"),
    [
        ({"op": "createNode", "id": "n", "layout": {"mode": "absolute", "x": 1, "y": 2}}, True),
        ({"op": "createNode", "id": "n", "layout": {"mode": "absolute", "x": 1}}, False),
        ({"op": "createNode"}, False),
        ({"op": "createEdge", "id": "e", "from": {"elementId": "a"}, "to": {"elementId": "b"}}, True),
        ({"op": "createEdge", "id": "e", "from": {"elementId": "a"}}, False),
        ({"op": "updateNode", "id": "n", "label": None, "style": {"fill": None}}, True),
        ({"op": "updateNode", "id": "n", "layout": {"x": 1}}, True),
        ({"op": "updateNode", "id": "n", "shape": "blob"}, False),
        ({"op": "updateElement", "id": "n", "label": "x", "title": None, "extensions": {"columns": []}}, True),
        ({"op": "moveElement", "id": "n", "x": 1}, True),
        ({"op": "moveElement", "id": "n"}, False),
        ({"op": "moveElement", "id": "n", "x": 1, "delta": {}}, False),
        ({"op": "setStyle", "id": "n", "style": None}, True),
        ({"op": "setStyle", "id": "n", "style": "loud"}, False),
        ({"op": "reparentElement", "id": "n", "parentId": None}, True),
        ({"op": "reparentElement", "id": "n"}, False),
        ({"op": "updateConstraint", "id": "c", "gap": 3, "axis": None}, True),
        ({"op": "updateScene", "palette": {"nodeFill": None}, "title": None}, True),
        ({"op": "updateScene", "palette": {"nodeFill": "rouge"}}, False),
        ({"op": "nope"}, False),
        ({}, False),
        (3, False),
    ],
)
def test_operations_are_judged_in_both_dialects(op: Any, *, valid: bool) -> None:
    assert OPS.is_valid(request(op)) is valid
    assert OPS_07.is_valid(request(op)) is valid


def test_asking_for_a_schema_gives_a_fresh_one() -> None:
    first = scene_schema()
    kept = copy.deepcopy(first)
    first["$defs"].clear()
    assert scene_schema() == kept


@pytest.mark.parametrize(
    ("data", "sound"), [("", False), ("AAA", False), ("AA=A", False), ("AAAA", True), ("AA==", True)]
)
def test_the_data_of_an_asset_is_base64_and_never_empty(data: str, *, sound: bool) -> None:
    op = {"op": "defineAsset", "assetId": "p", "asset": {"mimeType": "image/png", "data": data}}
    assert OPS.is_valid(request(op)) is sound
    assert OPS_07.is_valid(request(op)) is sound
