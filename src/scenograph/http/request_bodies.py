"""The published form of every request body: a schema and an example each.

Documents and batches are described by the schemas of the scene room, the parameters around them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenograph.service.render_requests import INLINE, PUBLISHED, STORED, options_of
from scenograph.wire.source_formats import DIALECTS, SOURCE_FORMATS

SCENE_SCHEMA, BATCH_SCHEMA = "SceneDocument", "OperationBatch"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """A JSON body. `schema` is a JSON Schema; its references are to the components of the description. Where it allows
    no further members, one that it does not name is refused."""

    schema: Mapping[str, Any]
    example: Mapping[str, Any]
    required: bool = True


def _component(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


_DOCUMENT: Mapping[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "checkout", "title": "Checkout", "units": "px", "canvas": {"width": 640, "height": 240}},
    "elements": [
        {"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"},
        {"id": "orders", "kind": "node", "nodeType": "service", "label": "Orders"},
        {"id": "e1", "kind": "edge", "from": {"elementId": "web"}, "to": {"elementId": "orders"}, "label": "places"},
    ],
}


def _options(kind: str) -> dict[str, Any]:
    """The members of one kind of render request."""
    return {row.name: _component(row.component) if row.component else dict(row.schema) for row in options_of(kind)}


SCENE = RequestBody(schema=_component(SCENE_SCHEMA), example=_DOCUMENT)
BATCH = RequestBody(
    schema=_component(BATCH_SCHEMA),
    example={
        "schemaVersion": "0.1",
        "sceneId": "checkout",
        "baseRevision": 1,
        "ops": [{"op": "createNode", "id": "db", "nodeType": "database", "label": "Orders DB"}],
    },
)
INLINE_RENDER = RequestBody(
    schema={
        "type": "object",
        "required": ["scene"],
        "properties": {
            "scene": _component(SCENE_SCHEMA),
            **_options(INLINE),
        },
    },
    example={"scene": _DOCUMENT, "format": "svg", "theme": "clean"},
)
STORED_RENDER = RequestBody(
    schema={"type": "object", "properties": _options(STORED)},
    example={"format": "png", "theme": "clean", "scale": 2},
    required=False,
)
PUBLISHED_RENDER = RequestBody(
    schema={"type": "object", "properties": _options(PUBLISHED)},
    example={"format": "svg", "theme": "dark"},
    required=False,
)
RESTORATION = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["revision", "baseRevision"],
        "properties": {
            "revision": {"type": "integer", "minimum": 1, "description": "The revision to restore."},
            "baseRevision": {"type": "integer", "minimum": 1, "description": "The latest revision, as you know it."},
        },
    },
    example={"revision": 1, "baseRevision": 1},
)
_SOURCE: Mapping[str, Any] = {
    "source": {"type": "string", "minLength": 1, "description": "The text to read: at most 1 MiB of UTF-8."},
    "format": {"enum": list(SOURCE_FORMATS), "description": "Left out, it is recognized."},
    "dialect": {"enum": list(DIALECTS), "description": "For sql: left out, it is guessed."},
}
_SQL = "CREATE TABLE users (id bigint PRIMARY KEY, email text NOT NULL UNIQUE);"
IMPORT = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["source"],
        "properties": {
            **_SOURCE,
            "sceneId": {"type": "string", "description": "The document's `scene.id`."},
            "title": {"type": "string", "maxLength": 500, "description": "The document's `scene.title`."},
            "document": {"type": "string", "maxLength": 200, "description": "A name of the source, for later syncs."},
        },
    },
    example={"format": "mermaid", "source": "flowchart LR\n  web[Web shop] --> orders[(Orders)]\n"},
)
SYNC = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["source", "baseRevision"],
        "properties": {
            **_SOURCE,
            "document": {
                "type": "string",
                "maxLength": 200,
                "description": "The name that the source was imported by.",
            },
            "baseRevision": {"type": "integer", "minimum": 1, "description": "The latest revision, as you know it."},
            "dryRun": {"type": "boolean", "default": False, "description": "Answer the operations only."},
            "prune": {
                "type": "boolean",
                "default": False,
                "description": "Remove what the source no longer says, even where a part of it was not understood.",
            },
            "message": {"type": "string", "maxLength": 500, "description": "What the revision is for."},
        },
    },
    example={"format": "sql", "source": _SQL, "baseRevision": 1, "dryRun": True},
)
NEW_KEY = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["name"],
        "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 100, "description": "What it is for."}},
    },
    example={"name": "build server"},
)
NEW_ACCOUNT = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["email"],
        "properties": {
            "email": {"type": "string", "maxLength": 254, "description": "Where the link to verify it is sent."}
        },
    },
    example={"email": "ann@example.org"},
)
MAILED_TOKEN = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["token"],
        "properties": {"token": {"type": "string", "description": "The token of the mailed link."}},
    },
    example={"token": "wZ3v0xGJ1nU6yq8hK2bTfL9cRmP4sA7eDiXoYjBgNkQ"},
)
SUBMISSION = RequestBody(
    schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["problem"],
        "properties": {
            "problem": {
                "type": "string",
                "minLength": 1,
                "maxLength": 500,
                "pattern": r"\S",
                "description": "What is wrong.",
            },
            "anonymize": {
                "type": "boolean",
                "default": False,
                "description": "Replace every text, id and picture before support sees the scene.",
            },
        },
    },
    example={"problem": "The edge to the database runs through a label.", "anonymize": True},
)
