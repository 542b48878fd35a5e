"""The published form of every request body: a schema and an example each.

Documents and batches are described by the schemas of the scene room, the parameters around them here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenograph.late_dataclasses import dataclass
from scenograph.service.render_requests import INLINE, PUBLISHED, STORED, WRITTEN, options_of
from scenograph.wire.members import (
    ANONYMIZE,
    BASE_REVISION,
    COMMENT_TEXT,
    COMMENTED_ELEMENT,
    COMMENTED_PLACE,
    COMMENTED_REVISION,
    COMPUTED_AFTER,
    DIALECT,
    DRY_RUN,
    EMAIL,
    EVERYWHERE,
    IMPORTED_NAME,
    KEY_NAME,
    KNOWN_EMAIL,
    MESSAGE,
    PAGE,
    POINTED_AT,
    PROBLEM,
    PRUNE,
    RENDER_AFTER,
    RESOLVED,
    RESTORED_REVISION,
    ROLE,
    SCENE_ID,
    SELECTION,
    SOURCE,
    SOURCE_FORMAT,
    SOURCE_NAME,
    SOURCE_VIEW,
    TAB,
    TITLE,
    TOKEN,
    Member,
)

SCENE_SCHEMA, BATCH_SCHEMA = "SceneDocument", "OperationBatch"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """A JSON body. `schema` is a JSON Schema with references to the components of the description. If it is closed, a
    body with further members is refused."""

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


def _closed(*required: Member, optional: Sequence[Member] = ()) -> dict[str, Any]:
    """The schema of an object with exactly these members."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [row.name for row in required],
        "properties": {row.name: dict(row.schema) for row in (*required, *optional)},
    }


def _options(kind: str) -> dict[str, Any]:
    """The member schemas of a kind of render request."""
    return {row.name: _component(row.component) if row.component else dict(row.schema) for row in options_of(kind)}


_RENDER_AFTER = Member(
    RENDER_AFTER.name, {**RENDER_AFTER.schema, "properties": _options(WRITTEN), "additionalProperties": False}
)
SCENE = RequestBody(schema=_component(SCENE_SCHEMA), example=_DOCUMENT)
BATCH = RequestBody(
    schema={
        "allOf": [
            _component(BATCH_SCHEMA),
            {"properties": {RENDER_AFTER.name: dict(_RENDER_AFTER.schema)}},
        ]
    },
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
    schema=_closed(RESTORED_REVISION, BASE_REVISION, optional=(COMPUTED_AFTER, _RENDER_AFTER)),
    example={"revision": 1, "baseRevision": 1},
)
_SQL = "CREATE TABLE users (id bigint PRIMARY KEY, email text NOT NULL UNIQUE);"
IMPORT = RequestBody(
    schema=_closed(SOURCE, optional=(SOURCE_FORMAT, DIALECT, PAGE, SOURCE_VIEW, SCENE_ID, TITLE, SOURCE_NAME)),
    example={"format": "mermaid", "source": "flowchart LR\n  web[Web shop] --> orders[(Orders)]\n"},
)
SYNC = RequestBody(
    schema=_closed(
        SOURCE,
        BASE_REVISION,
        optional=(
            SOURCE_FORMAT,
            DIALECT,
            PAGE,
            SOURCE_VIEW,
            IMPORTED_NAME,
            DRY_RUN,
            PRUNE,
            MESSAGE,
            COMPUTED_AFTER,
            _RENDER_AFTER,
        ),
    ),
    example={"format": "sql", "source": _SQL, "baseRevision": 1, "dryRun": True},
)
NEW_KEY = RequestBody(schema=_closed(KEY_NAME), example={"name": "build server"})
COMMENT = RequestBody(
    schema=_closed(COMMENT_TEXT, optional=(COMMENTED_ELEMENT, COMMENTED_PLACE, COMMENTED_REVISION)),
    example={"text": "Does this need a queue?", "elementId": "orders"},
)
COMMENT_REPLY = RequestBody(schema=_closed(COMMENT_TEXT), example={"text": "From 50 orders a second on."})
WHEREABOUTS = RequestBody(
    schema=_closed(TAB, optional=(SELECTION, POINTED_AT)),
    example={"tab": "9f2c", "selection": ["orders"], "at": {"x": 240, "y": 96}},
)
RESOLUTION = RequestBody(schema=_closed(RESOLVED), example={"resolved": True})
GRANT = RequestBody(schema=_closed(ROLE), example={"role": "editor"})
NEW_ACCOUNT = RequestBody(schema=_closed(EMAIL), example={"email": "ann@example.org"})
MAILED_TOKEN = RequestBody(schema=_closed(TOKEN), example={"token": "wZ3v0xGJ1nU6yq8hK2bTfL9cRmP4sA7eDiXoYjBgNkQ"})
SIGN_IN = RequestBody(schema=_closed(KNOWN_EMAIL), example={"email": "ann@example.org"})
SIGN_OUT = RequestBody(schema=_closed(optional=(EVERYWHERE,)), example={"everywhere": True}, required=False)
SUBMISSION = RequestBody(
    schema=_closed(PROBLEM, optional=(ANONYMIZE,)),
    example={"problem": "The edge to the database runs through a label.", "anonymize": True},
)
