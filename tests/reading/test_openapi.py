"""OpenAPI descriptions: operations by tag, schemas with their rows, and what is told. (R-IN-19)"""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate

SHOP = """\
openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
tags:
- {name: orders, description: What customers want}
- {name: unused}
paths:
  /orders:
    get:
      tags: [orders, admin]
      summary: List orders
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses:
        200: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}
        500: {description: Broken, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
    post:
      tags: [orders]
      deprecated: true
      requestBody: {$ref: '#/components/requestBodies/Order'}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
  /health:
    get: {responses: {default: {content: {text/plain: {schema: {$ref: '#/components/schemas/Error'}}}}}}
webhooks:
  shipped: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}}
components:
  requestBodies:
    Order: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
  schemas:
    Order:
      description: An order of a customer
      type: object
      required: [id, lines]
      properties:
        id: {type: string, format: uuid}
        state: {$ref: '#/components/schemas/State'}
        lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
        parent: {$ref: '#/components/schemas/Order'}
        note: {type: [string, 'null'], maxLength: 80}
        extra: {type: object, additionalProperties: {type: integer}}
    GiftOrder:
      allOf:
      - $ref: '#/components/schemas/Order'
      - {type: object, required: [wrap], properties: {wrap: {type: boolean}}}
    State: {type: string, enum: [open, sent]}
    Line: {type: object, properties: {sku: {type: string}}}
    Error: {type: string}
    Message: {oneOf: [{$ref: '#/components/schemas/Order'}, {$ref: '#/components/schemas/Error'}]}
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
"""


def described(text: str) -> Import:
    return read_source(Text(text=text, icons=KnownIcons()), "openapi")


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["metadata"]["source"]["id"]: one for one in document["elements"]}


def lines(found: Import) -> dict[str, str]:
    edges = [one for one in found.document["elements"] if one["kind"] == "edge"]
    return {one["metadata"]["source"]["id"]: one.get("label", "") for one in edges}


def rows(one: dict[str, Any]) -> list[str]:
    said = one["extensions"]["columns"]
    return [f"{row['name']}: {row.get('type', '')}{'?' if row.get('nullable') else ''}" for row in said]


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def schemas(**said: object) -> str:
    return json.dumps({"openapi": "3.0.3", "info": {}, "paths": {}, "components": {"schemas": said}}, indent=1)


def test_operations_are_nodes_in_frames_of_their_first_tags() -> None:
    here = elements(described(SHOP))
    assert here["GET /orders"]["label"] == "GET /orders\nList orders"
    assert here["POST /orders"]["label"] == "POST /orders\ndeprecated"
    assert here["POST /orders"]["style"] == {"dash": [4, 4]}
    assert here["webhook POST shipped"]["label"] == "POST shipped"
    assert here["tag orders"]["children"] == [here["GET /orders"]["id"], here["POST /orders"]["id"]]
    assert here["tag orders"]["tooltip"] == "What customers want"
    assert "tag unused" not in here
    assert described(SHOP).document["scene"]["title"] == "Shop"


def test_schemas_are_entities_with_their_rows() -> None:
    here = elements(described(SHOP))
    assert rows(here["schema Order"]) == [
        "id: string (uuid)",
        "state: State?",
        "lines: Line[]",
        "parent: Order?",
        "note: string?",
        "extra: map of integer?",
    ]
    assert here["schema Order"]["tooltip"] == "An order of a customer"
    assert rows(here["schema GiftOrder"]) == ["wrap: boolean"]
    assert rows(here["schema State"]) == ["open: ", "sent: "]
    assert rows(here["schema Error"]) == ["string: "]
    assert "extensions" not in here["schema Message"]


def test_lines_run_from_operations_to_schemas_and_on_to_the_schemas_of_their_rows() -> None:
    found = described(SHOP)
    assert lines(found) == {
        "GET /orders -> Order": "200",
        "POST /orders -> Order": "request\n201",
        "GET /health -> Error": "default",
        "webhook POST shipped -> Order": "request",
        "schema Order.state -> State": "",
        "schema Order.lines -> Line": "",
        "schema Order.parent -> Order": "",
        "schema GiftOrder -> Order": "",
        "schema Message -> Order one of": "one of",
        "schema Message -> Error one of": "one of",
    }
    here = elements(found)
    assert here["schema Order.lines -> Line"]["to"]["cardinality"] == "zero-or-many"
    assert here["schema Order.state -> State"]["to"]["cardinality"] == "zero-or-one"
    assert here["schema Order.lines -> Line"]["from"]["column"] == "lines"
    assert here["schema GiftOrder -> Order"]["edgeType"] == "uml.inherits"


def test_inline_parts_of_a_schema_lead_on_and_references_into_schemas_are_followed() -> None:
    text = schemas(
        A={"properties": {"b": {"type": "object", "properties": {"c": {"items": {"$ref": "#/components/schemas/C"}}}}}},
        C={"properties": {"d": {"$ref": "#/components/schemas/A/properties/b"}}},
        E={"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/C"}, {"type": "null"}]}},
    )
    assert [*lines(described(text))] == ["schema A.b -> C", "schema C.d -> C", "schema E -> C"]
    assert rows(elements(described(text))["schema E"]) == ["C[]: "]


def test_a_list_of_a_schema_is_no_kind_of_that_schema() -> None:
    text = schemas(Pets={"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}, Pet={"type": "object"})
    line = elements(described(text))["schema Pets -> Pet"]
    assert (line["edgeType"], line["to"]["cardinality"]) == ("er.nonIdentifying", "zero-or-many")


def test_a_path_item_has_the_operations_of_the_item_that_it_refers_to() -> None:
    paths = {"/a": {"$ref": "#/components/pathItems/p", "put": {}}}
    items = {"p": {"$ref": "#/components/pathItems/q"}, "q": {"get": {}, "additionalOperations": {"COPY": {}}}}
    text = json.dumps({"openapi": "3.2.0", "paths": paths, "components": {"pathItems": items}})
    assert [*elements(described(text))] == ["GET /a", "PUT /a", "COPY /a"]


def test_what_is_not_drawn_is_told_by_name_and_line() -> None:
    found = described(SHOP)
    assert told(found) == [
        (8, "further tags of operations (1): not drawn"),
        (8, "responses to errors (1): not drawn"),
        (8, "parameters of operations (1): not drawn"),
        (29, "of schemas are not drawn: maxLength"),
        (48, "securitySchemes (1): not drawn"),
    ]
    assert found.whole


@pytest.mark.parametrize(
    ("reference", "what"),
    [
        ("#/components/schemas/Gone", "a reference leads to nothing in this source: '#/components/schemas/Gone'"),
        ("other.yaml#/Gone", "a reference leads to a file that is not opened: 'other.yaml#/Gone'"),
    ],
)
def test_a_missing_schema_has_no_line_and_is_told(reference: str, what: str) -> None:
    found = described(schemas(A={"properties": {"b": {"$ref": reference}}}))
    assert (lines(found), [row for _, row in told(found)]) == ({}, [what])
    assert found.whole


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("    post:\n      tags: [orders]\n      deprecated: true", "    post: 1\n    x-post:\n      a: 1", 15),
        ("  /health:\n    get: {", "  /health: 1\n  x-a:\n    get: {", 21),
        ("    Line: {type: object, properties: {sku: {type: string}}}", "    Line: 1", 45),
        ("  /health:\n", "  /far: {$ref: 'far.yaml'}\n  /health:\n", 21),
    ],
)
def test_a_broken_part_costs_itself_and_keeps_a_sync_from_removing(old: str, new: str, line: int) -> None:
    assert old in SHOP
    found = described(SHOP.replace(old, new))
    assert not found.whole
    assert line in [row for row, _ in told(found)]
    assert "GET /orders" in elements(found)


def test_secrets_come_into_no_scene_and_no_diagnostic() -> None:
    text = schemas(
        A={"type": "object", "example": "s3cr3t", "properties": {"b": {"type": "string", "default": "s3cr3t"}}},
        B={"type": "string", "const": "s3cr3t", "examples": ["s3cr3t"]},
    )
    assert "s3cr3t" not in json.dumps(described(text).document)
    assert "s3cr3t" not in str(described(text).diagnostics)
    with pytest.raises(Unreadable) as refused:
        described("openapi: 3.0.0\npaths: {a: [s3cr3t\n")
    assert "s3cr3t" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        SHOP,
        '{"paths": {"/a": {"get": {"summary": "\\ud83d\\ude00"}}}, "openapi": "3.0.0"}',
        "\ufeff# a comment\n---\ninfo:\n  title: a\nopenapi: '3.0.3'\ntags:\n- name: a\npaths:\n  /a:\n    get: {}\n",
        "openapi: 3.0.0\nx-a: |\n  graph LR\n   a --> b\npaths: {/a: {get: {}}}\n",
    ],
)
def test_yaml_and_json_are_recognized_and_read(text: str) -> None:
    assert recognized(text) == "openapi"
    assert elements(described(text))


@pytest.mark.parametrize(
    "text",
    [
        "swagger: '2.0'\npaths:\n  /a: {get: {}}\n",
        "openapi: 2.0.0\npaths: {}\n",
        "asyncapi: 3.0.0\nchannels: {}\n",
        "openapi: 3.0.0\ninfo: {title: a}\n",
        "# API\n\nopenapi: 3.0.0\npaths: are told below.\n\nSee there.\n",
        '{"a": {"openapi": "3.0.0", "paths": {}}}',
    ],
)
def test_other_yaml_json_and_prose_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text)


def test_a_long_name_and_a_source_without_operations_and_schemas_are_refused() -> None:
    with pytest.raises(Unreadable, match="operations or schemas"):
        described(schemas(**{"a" * 501: {}}))
    with pytest.raises(Unreadable, match="OpenAPI 3"):
        described("swagger: '2.0'\npaths: {}\n")


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ("summary: List orders", "summary: All orders", [("updateNode", "GET /orders")]),
        ("sku: {type: string}", "sku: {type: integer}", [("updateNode", "schema Line")]),
        (
            "        state: {$ref: '#/components/schemas/State'}\n",
            "",
            [("updateNode", "schema Order"), ("deleteElement", "schema Order.state -> State")],
        ),
        (
            "    get: {responses: {default",
            "    get: {tags: [admin], responses: {default",
            [("createFrame", "tag admin"), ("reparentElement", "GET /health")],
        ),
        ("  schemas:\n", "  schemas:\n    New: {}\n", [("createNode", "schema New")]),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = described(SHOP).document
    source = SourceIdentity("openapi", "")
    assert synchronize(stored, described(SHOP).document, source, whole=True).ops == ()
    elements(stored)["schema Line"]["style"] = {"fill": "#ffeeaa"}
    assert old in SHOP
    changed = described(SHOP.replace(old, new))
    done = synchronize(stored, changed.document, source, whole=True)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    after = batch.document
    names = {one["id"]: name for here in (stored, after) for name, one in elements(here).items()}
    assert sorted((op["op"], names[op["id"]]) for op in done.ops) == sorted(ops)
    assert elements(after)["schema Line"]["style"] == {"fill": "#ffeeaa"}
    assert synchronize(after, changed.document, source, whole=True).ops == ()


@pytest.mark.parametrize("broken", [None, [], "x"])
def test_a_schema_that_is_no_mapping_gets_no_lines(broken: object) -> None:
    found = described(schemas(A=broken, B={"properties": {"a": {"$ref": "#/components/schemas/A"}}}))
    assert [*elements(found)] == ["schema B"]
    assert "a reference leads to nothing in this source: '#/components/schemas/A'" in [what for _, what in told(found)]
    assert [row.code for row in validate(found.document) if row.severity is Severity.ERROR] == []
