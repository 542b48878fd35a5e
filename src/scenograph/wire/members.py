"""Members of small requests, a row each: everything around documents and batches.

A row is a JSON Schema with a name. The bodies published by HTTP, the service's reading of requests and the arguments of
the tools are made of these rows. `requirement` words a row's schema, `holds` checks a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from scenograph.late_dataclasses import dataclass
from scenograph.wire.formats import FORMATS
from scenograph.wire.names import (
    COMMENT_LENGTH,
    EMAIL_LENGTH,
    GRANTABLE_ROLES,
    KEY_NAME_LENGTH,
    MAX_SCALE,
    MESSAGE_LENGTH,
    MIN_SCALE,
    PROBLEM_LENGTH,
    SELECTED,
    SOURCE_BYTES,
    SOURCE_NAME_LENGTH,
    TAB_LENGTH,
    THEME_NAMES,
    TITLE_LENGTH,
)
from scenograph.wire.source_formats import DIALECTS, SOURCE_FORMATS

Schema = Mapping[str, Any]
OUTLINES = "outlines"
LETTERS = ("fonts", OUTLINES)
TRANSACTION_MODES = ("allOrNothing", "bestEffort")


@dataclass(frozen=True, slots=True)
class Member:
    """A row: a name, and the JSON Schema of its value."""

    name: str
    schema: Schema


def requirement(schema: Schema) -> str:
    """The requirement of a schema, in words that follow "must be"."""
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if "const" in schema:
        return "exactly true"
    kind = schema["type"]
    if kind in {"integer", "number"}:
        return ("a whole number" if kind == "integer" else "a number") + _range(schema, "minimum", "maximum")
    if kind == "string" and "maxLength" in schema:
        least = schema.get("minLength", 0)
        return f"text of {f'{least} to' if least else 'at most'} {schema['maxLength']} characters"
    if kind == "array":
        return f"an array of at most {schema['maxItems']}, each {requirement(schema['items'])}"
    return {"boolean": "true or false", "object": "an object", "string": "text"}[kind]


def holds(schema: Schema, value: object) -> bool:
    """Whether a value is as the schema says."""
    if "enum" in schema or "const" in schema:
        return value is schema["const"] if "const" in schema else isinstance(value, str) and value in schema["enum"]
    match schema["type"]:
        case "boolean":
            return isinstance(value, bool)
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list) and _is_list_of(schema, cast("list[object]", value))
        case "string":
            return isinstance(value, str) and _is_within(len(value), schema, "minLength", "maxLength")
        case _:
            is_kind = isinstance(value, int) if schema["type"] == "integer" else isinstance(value, int | float)
            is_number = is_kind and not isinstance(value, bool)
            return is_number and _is_within(value, schema, "minimum", "maximum")


def _is_list_of(schema: Schema, rows: list[object]) -> bool:
    return len(rows) <= schema["maxItems"] and all(holds(schema["items"], row) for row in rows)


def _range(schema: Schema, least: str, most: str) -> str:
    to = f" to {schema[most]:g}" if most in schema else ""
    return f" from {schema[least]:g}{to}" if least in schema else to


def _is_within(number: Any, schema: Schema, least: str, most: str) -> bool:
    return schema.get(least, number) <= number <= schema.get(most, number)


REVISION_NUMBER: Schema = {"type": "integer", "minimum": 1}
REVISION = Member("revision", {**REVISION_NUMBER, "description": "A revision; the latest by default."})
AS_OF = Member(
    "asOf",
    {
        "type": "string",
        "maxLength": 40,
        "description": "Instead of a revision, a time (ISO 8601; UTC unless it has an offset): the revision that was "
        "the latest then. A date is its first moment.",
    },
)
RESTORED_REVISION = Member("revision", {**REVISION_NUMBER, "description": "The revision to restore."})
BASE_REVISION = Member("baseRevision", {**REVISION_NUMBER, "description": "The latest revision, as you know it."})

FORMAT = Member(
    "format",
    {
        "type": "string",
        "enum": list(FORMATS),
        "description": "`svg` by default; the Accept header may choose as well.",
    },
)
DIFF = Member(
    "diff",
    {
        "type": "object",
        "required": ["fromRevision"],
        "properties": {"fromRevision": {"anyOf": [REVISION_NUMBER, {"type": "string", "maxLength": 40}]}},
        "additionalProperties": False,
        "description": "Shows what was added (green), removed (red, dashed) and modified (amber) since that revision, "
        "a number or a time as in `asOf`.",
    },
)
THEME = Member(
    "theme",
    {"type": "string", "enum": list(THEME_NAMES), "description": "Left out, the canvas background chooses."},
)
SCALE = Member(
    "scale",
    {
        "type": "number",
        "minimum": MIN_SCALE,
        "maximum": MAX_SCALE,
        "default": 1,
        "description": "For png; 2 doubles the size.",
    },
)
TEXT = Member(
    "text",
    {
        "type": "string",
        "enum": list(LETTERS),
        "default": LETTERS[0],
        "description": "For svg: letters as text with embedded fonts, or as outlines for programs without these.",
    },
)
WATERMARK = Member(
    "watermark",
    {
        "type": "boolean",
        "default": False,
        "description": "Adds `sceneId · revision N · createdAt`, as far as it is known, at the bottom right.",
    },
)
EMBED = Member(
    "embed",
    {
        "type": "boolean",
        "default": False,
        "description": "For svg and png: the picture carries its scene, which command line and library read back.",
    },
)
COMPUTED = Member(
    "computed",
    {
        "type": "boolean",
        "default": False,
        "description": "Adds `computed`: where the elements stand and the edges run in this picture.",
    },
)
COMPUTED_AFTER = Member(
    "computed",
    {
        "type": "boolean",
        "description": "Waits for the places of the new revision; adds `computed` and `movedElementIds` to the reply.",
    },
)
RENDER_AFTER = Member(
    "render",
    {
        "type": "object",
        "description": "Draws the new revision, by the members of a render request; adds `output`, `movedElementIds` "
        "and the picture's diagnostics to the reply. A failed drawing is the warning RENDER_FAILED.",
    },
)
TRANSACTION_MODE = Member(
    "transactionMode", {"type": "string", "enum": list(TRANSACTION_MODES), "default": TRANSACTION_MODES[0]}
)

SOURCE = Member(
    "source",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": SOURCE_BYTES,
        "description": "The text to read: at most 1 MiB of UTF-8.",
    },
)
SOURCE_FORMAT = Member(
    "format", {"type": "string", "enum": list(SOURCE_FORMATS), "description": "Left out, it is recognized."}
)
DIALECT = Member(
    "dialect", {"type": "string", "enum": list(DIALECTS), "description": "For sql: left out, it is guessed."}
)
PAGE = Member(
    "page",
    {"type": "integer", "minimum": 1, "description": "For drawio: the number of the page; left out, the first."},
)
SOURCE_VIEW = Member(
    "view",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": TITLE_LENGTH,
        "description": "For structurizr the key of a view, for d2 the path of a board, such as layers.x; left out, the "
        "first of containers or the root, in a sync the view of the import.",
    },
)
SCENE_ID = Member(
    "sceneId", {"type": "string", "maxLength": SOURCE_NAME_LENGTH, "description": "The document's `scene.id`."}
)
TITLE = Member("title", {"type": "string", "maxLength": TITLE_LENGTH, "description": "The document's `scene.title`."})
SOURCE_NAME = Member(
    "document",
    {"type": "string", "maxLength": SOURCE_NAME_LENGTH, "description": "A name of the source, for later syncs."},
)
IMPORTED_NAME = Member(
    "document",
    {"type": "string", "maxLength": SOURCE_NAME_LENGTH, "description": "The name that the source was imported by."},
)
DRY_RUN = Member("dryRun", {"type": "boolean", "default": False, "description": "Answer the operations only."})
PRUNE = Member(
    "prune",
    {
        "type": "boolean",
        "default": False,
        "description": "Remove what the source no longer says, even where a part of it was not understood.",
    },
)
MESSAGE = Member("message", {"type": "string", "maxLength": MESSAGE_LENGTH, "description": "What the revision is for."})

KEY_NAME = Member(
    "name", {"type": "string", "minLength": 1, "maxLength": KEY_NAME_LENGTH, "description": "What it is for."}
)
EMAIL = Member(
    "email",
    {"type": "string", "maxLength": EMAIL_LENGTH, "description": "Where the link to verify it is sent."},
)
KNOWN_EMAIL = Member(
    "email",
    {"type": "string", "maxLength": EMAIL_LENGTH, "description": "The verified address of an account."},
)
EVERYWHERE = Member(
    "everywhere",
    {"type": "boolean", "default": False, "description": "Whether all browsers of the account are signed out."},
)
ROLE = Member(
    "role", {"enum": [*GRANTABLE_ROLES], "description": "What the grantee may do; each role includes those before."}
)
COMMENT_TEXT = Member(
    "text", {"type": "string", "minLength": 1, "maxLength": COMMENT_LENGTH, "description": "What is said."}
)
COMMENTED_ELEMENT = Member("elementId", {"type": "string", "maxLength": 128, "description": "The element it is on."})
COMMENTED_PLACE = Member(
    "at",
    {
        "type": "object",
        "required": ["x", "y"],
        "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
        "additionalProperties": False,
        "description": "The place it is at, px, instead of an element; without either it is on the scene.",
    },
)
COMMENTED_REVISION = Member(
    "revision", {**REVISION_NUMBER, "description": "The revision that was seen; the latest by default."}
)
TAB_NAME = "[A-Za-z0-9_-]+"
TAB = Member(
    "tab",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": TAB_LENGTH,
        "pattern": f"^{TAB_NAME}$",
        "description": "The caller's name for the tab, as its event stream has it in `presence`.",
    },
)
SELECTION = Member(
    "selection",
    {
        "type": "array",
        "items": {"type": "string", "maxLength": 128},
        "maxItems": SELECTED,
        "description": "The selected ids.",
    },
)
POINTED_AT = Member(
    "at",
    {
        "type": ["object", "null"],
        "required": ["x", "y"],
        "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
        "additionalProperties": False,
        "description": "The pointer, px of the scene; null off the picture.",
    },
)
RESOLVED = Member("resolved", {"type": "boolean", "description": "true resolves the thread, false opens it again."})
TOKEN = Member("token", {"type": "string", "description": "The token of the mailed link."})
PROBLEM = Member(
    "problem",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": PROBLEM_LENGTH,
        "pattern": r"\S",
        "description": "What is wrong.",
    },
)
ANONYMIZE = Member(
    "anonymize",
    {
        "type": "boolean",
        "default": False,
        "description": "Replace every text, id and picture before support sees the scene.",
    },
)
