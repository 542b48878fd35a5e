"""The arguments of the tools: what the host is told (JSON Schema) and what is checked before any call is made.

The official SDK passes unknown arguments over and coerces values, so everything is checked here. A check takes the
value and gives what is sent on; it raises Wrong with a sentence that names the argument and what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scenograph.mcp.app_requests import REQUESTS
from scenograph.mcp.mistakes import (
    DOCUMENT_SHAPE,
    OPS_MISTAKES,
    OPS_SHAPE,
    SCENE_MISTAKES,
    Mistake,
    found_in,
    is_array,
    is_object,
    spread_document,
    with_shape,
)
from scenograph.mcp.showing import kind, nearest, quoted
from scenograph.wire.formats import FORMATS, PNG, SVG
from scenograph.wire.scene_ids import FORM, RESERVED
from scenograph.wire.source_formats import DIALECTS, SOURCE_FORMATS
from scenograph.wire.themes import THEME_NAMES

ID_FORM = re.compile(FORM)
MAX_REVISION = 2**53 - 1
MAX_TEXT = 500
MAX_OPS = 1_000
MOST_UNKNOWN = 5
LOOKS = (SVG.name, PNG.name)
MAX_SOURCE = 1 << 20
MAX_QUERIES, MAX_WORDS, MAX_LISTED = 20, 128, 100
MIN_SCALE, MAX_SCALE = 0.1, 8.0
VIEW_MEMBERS = ("collapse", "focus", "depth", "crop", "aspectRatio")
GET_VIEWS = ("document", "outline")
TOPICS = (
    "start",
    "operations",
    "architecture",
    "workflow",
    "entityRelationship",
    "sequence",
    "network",
    "orgchart",
    "uiflow",
    "classes",
    "states",
)
TRANSACTION_MODES = ("allOrNothing", "bestEffort")
# What callers mean by names that are like none, or like another; None: nothing here.
MEANT: Mapping[str, str | None] = MappingProxyType({"diff": "diffFromRevision", "fromRevision": "from"})
_ID_IN_ADDRESS = re.compile(rf"(?:scene://|/s/|/scenes/)({FORM})")


class Wrong(Exception):  # noqa: N818
    """An argument is not what it must be; the text is for the agent."""


@dataclass(frozen=True, slots=True)
class Input:
    """One argument: its name, its JSON Schema, its check, and whether it must be there."""

    name: str
    schema: Mapping[str, Any]
    check: Callable[[str, Any], Any]
    required: bool = True

    @property
    def optional(self) -> Input:
        """The same argument where it may be left out."""
        return replace(self, required=False)


def checked(inputs: Sequence[Input], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as they are sent on. Wrong, with every problem in one text, when any is not right.

    null for an argument that may be left out counts as left out.
    """
    known = {each.name: each for each in inputs}
    spread = spread_document(arguments) if "scene" in known else None
    if spread:
        raise Wrong(with_shape(spread, "scene", DOCUMENT_SHAPE))
    strange = [name for name in arguments if name not in known]
    problems = [_unknown(name, known) for name in strange[:MOST_UNKNOWN]]
    if len(strange) > MOST_UNKNOWN:
        problems.append(f"{len(strange) - MOST_UNKNOWN} more arguments are unknown.")
    values: dict[str, Any] = {}
    for each in inputs:
        given = arguments.get(each.name)
        if given is None and not each.required:
            continue
        try:
            values[each.name] = each.check(each.name, given)
        except Wrong as wrong:
            problems.append(
                str(wrong) if given is not None else _missing(each.name, wrong, null=each.name in arguments)
            )
    if problems:
        raise Wrong("\n".join(problems))
    return values


def _missing(name: str, wrong: Wrong, *, null: bool) -> str:
    """That an argument is missing, and what it must be; that it is null is said only where it was given so."""
    sentence = str(wrong) if null else str(wrong).replace("; it is null", "").replace(", not null", "")
    return f"{name} is missing. {sentence}"


def _unknown(name: str, known: Mapping[str, Input]) -> str:
    near = MEANT.get(name) if name in MEANT else nearest(name, known)
    near = near if near in known else None
    allowed = f"Known: {', '.join(known)}." if known else "This tool takes no arguments."
    if name == "sceneId" and "scene" in known:
        allowed += " Here the whole document is wanted, as scene."
    return f"There is no argument {quoted(name)}. " + (f"Did you mean {near}? " if near else "") + allowed


def _shaped(mistakes: Sequence[Mistake], shape: str) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        problem = found_in(value, mistakes)
        if problem:
            raise Wrong(with_shape(problem, name, shape))
        return value

    return check


def _batch(name: str, value: Any) -> Any:
    batch = _shaped(OPS_MISTAKES, OPS_SHAPE)(name, value)
    if len(batch) > MAX_OPS:
        raise Wrong(f"{name} holds {len(batch)} operations; a batch has {MAX_OPS} at most. Send them in several calls.")
    return batch


def _scene_id(name: str, value: Any) -> str:
    if isinstance(value, str) and ID_FORM.fullmatch(value) and value not in RESERVED:
        return value
    hint = _id_hint(value)
    raise Wrong(
        f"{name} must be the scene's id: 1 to 128 letters, digits or . _ ~ : - that begin with a letter or digit, and "
        f"none of {', '.join(RESERVED)}; it is {quoted(value)}." + (f" Use {quoted(hint)}." if hint else "")
    )


def _id_hint(value: Any) -> str | None:
    """The id that the caller probably means: of an address, of a document, or without blanks round it."""
    if isinstance(value, str):
        found = _ID_IN_ADDRESS.search(value) or ID_FORM.fullmatch(value.strip())
        meant = found[found.lastindex or 0] if found else None
        return None if meant in RESERVED else meant
    if is_object(value):
        inner = value.get("scene", value)
        hint = value.get("sceneId") or (inner.get("id") if is_object(inner) else None)
        return hint if isinstance(hint, str) and ID_FORM.fullmatch(hint) and hint not in RESERVED else None
    return None


def _revision(name: str, value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_REVISION:
        return value
    meant = f" Use {value.strip()} without quotes." if isinstance(value, str) and value.strip().isdecimal() else ""
    raise Wrong(f"{name} must be the number of a revision, 1 or more; it is {quoted(value)}.{meant}")


def _one_of(allowed: Sequence[str]) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        near = nearest(value, allowed) if isinstance(value, str) else None
        raise Wrong(
            f"{name} must be one of {', '.join(allowed)}; it is {quoted(value)}."
            + (f" Did you mean {near}?" if near else "")
        )

    return check


def _text(shortest: int, *, trimmed: bool) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        value = value.strip() if trimmed and isinstance(value, str) else value
        length = len(value) if isinstance(value, str) else 0
        if isinstance(value, str) and shortest <= length <= MAX_TEXT:
            return value
        found = f"it has {length}" if isinstance(value, str) else f"it is {kind(value)}"
        raise Wrong(f"{name} must be text of {shortest} to {MAX_TEXT} characters; {found}.")

    return check


def _true(name: str, value: Any) -> bool:
    if value is True:
        return True
    raise Wrong(
        f"{name} must be exactly true; it is {quoted(value)}. Nothing was deleted. Ask the user first; once they have "
        f"agreed, call again with {quoted(name)}: true."
    )


def _boolean(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Wrong(f"{name} must be true or false; it is {quoted(value)}.")


def _words(most: int) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if isinstance(value, str) and 1 <= len(value) <= most:
            return value
        found = f"it has {len(value)}" if isinstance(value, str) else f"it is {kind(value)}"
        raise Wrong(f"{name} must be text of 1 to {most} characters; {found}.")

    return check


def _queries(name: str, value: Any) -> list[str]:
    given = [value] if isinstance(value, str) else value
    rows: list[Any] = list(given) if is_array(given) else []
    if not 1 <= len(rows) <= MAX_QUERIES or not all(isinstance(row, str) and 0 < len(row) <= MAX_WORDS for row in rows):
        raise Wrong(f"{name} must be an array of 1 to {MAX_QUERIES} texts, each of 1 to {MAX_WORDS} characters.")
    return list(dict.fromkeys(rows))


def _number(least: float, most: float, *, whole: bool) -> Callable[[str, Any], float]:
    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and least <= value <= most and (not whole or value == int(value)):
            return int(value) if whole else value
        what = "a whole number" if whole else "a number"
        raise Wrong(f"{name} must be {what} from {least:g} to {most:g}; it is {quoted(value)}.")

    return check


def _render_view(name: str, value: Any) -> Any:
    """What of a scene is shown: the service judges the members, here only their names."""
    if not is_object(value):
        raise Wrong(f'{name} must be an object such as {{"focus": ["orders"], "depth": 1}}; it is {kind(value)}.')
    strange = [member for member in value if member not in VIEW_MEMBERS]
    if strange:
        raise Wrong(f"{name} has no member {quoted(strange[0])}. Known: {', '.join(VIEW_MEMBERS)}.")
    return value


def _object(name: str, value: Any) -> Any:
    if is_object(value):
        return value
    raise Wrong(f"{name} must be an object, not {kind(value)}.")


def _get_view(name: str, value: Any) -> Any:
    """A word, or an object with `elements` or `since`."""
    if isinstance(value, str):
        return _one_of(GET_VIEWS)(name, value)
    names = list(value) if is_object(value) else []
    ids: Any = value["elements"] if names == ["elements"] else None
    if is_array(ids) and ids:
        return {"elements": [str(one) for one in ids]}
    if names == ["since"]:
        return {"since": _revision(f"{name}.since", value["since"])}
    raise Wrong(f'{name} must be "document", "outline", {{"elements": [ids]}} or {{"since": revision}}.')


def _choice(allowed: Sequence[str], description: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(allowed), "description": description}


_REVISION = {"type": "integer", "minimum": 1}

SCENE = Input(
    "scene",
    {
        "type": "object",
        "description": "The whole scene document (an object, not text, not an id).",
        "required": ["schemaVersion", "scene", "elements"],
    },
    _shaped(SCENE_MISTAKES, DOCUMENT_SHAPE),
)
DRAFT = replace(SCENE, schema={name: value for name, value in SCENE.schema.items() if name != "required"})
OPS = Input(
    "ops",
    {
        "type": "array",
        "maxItems": MAX_OPS,
        "items": {"type": "object", "required": ["op"], "properties": {"op": {"type": "string"}}},
    },
    _batch,
)
SCENE_ID = Input("sceneId", {"type": "string"}, _scene_id)
BASE_REVISION = Input(
    "baseRevision", {**_REVISION, "description": "The latest revision you know; the edit builds on it."}, _revision
)
REVISION = Input("revision", {**_REVISION, "description": "Default: the latest."}, _revision).optional
FROM = Input("from", {**_REVISION, "description": "The earlier revision."}, _revision)
TO = Input("to", {**_REVISION, "description": "The later revision; default: the current one."}, _revision).optional
DIFF_FROM = Input(
    "diffFromRevision", {**_REVISION, "description": "Colour what changed since this revision."}, _revision
).optional
FORMAT = Input(
    "format",
    {**_choice(LOOKS, "png to look at the picture; svg is text."), "default": "svg"},
    _one_of(LOOKS),
).optional
THEME = Input(
    "theme", _choice(THEME_NAMES, "Default: clean, or dark on a dark canvas.background."), _one_of(THEME_NAMES)
).optional
TRANSACTION_MODE = Input(
    "transactionMode",
    {**_choice(TRANSACTION_MODES, "bestEffort leaves out operations that fail."), "default": "allOrNothing"},
    _one_of(TRANSACTION_MODES),
).optional
MESSAGE = Input(
    "message",
    {"type": "string", "maxLength": MAX_TEXT, "description": "What this edit does, for the history."},
    _text(0, trimmed=False),
).optional
CONFIRM = Input("confirm", {"type": "boolean", "const": True, "description": "true once the user agreed."}, _true)
PROBLEM = Input(
    "problem",
    {"type": "string", "minLength": 1, "maxLength": MAX_TEXT, "description": "What is wrong, for support."},
    _text(1, trimmed=True),
)
ANONYMIZE = Input(
    "anonymize",
    {"type": "boolean", "default": False, "description": "Replace all words and ids by random characters first."},
    _boolean,
).optional
QUERY = Input("query", {"type": "string", "description": "Words of title or id."}, _words(200)).optional
LIMIT = Input(
    "limit", {"type": "integer", "minimum": 1, "maximum": MAX_LISTED}, _number(1, MAX_LISTED, whole=True)
).optional
CURSOR = Input("cursor", {"type": "string"}, _words(MAX_TEXT)).optional
RESTORED = Input("revision", {**_REVISION, "description": "The revision to go back to."}, _revision)
SOURCE = Input("source", {"type": "string", "description": "The text itself."}, _words(MAX_SOURCE))
SOURCE_FORMAT = Input(
    "format", {"type": "string", "enum": list(SOURCE_FORMATS)}, _one_of(tuple(SOURCE_FORMATS))
).optional
DIALECT = Input("dialect", {"type": "string", "enum": list(DIALECTS)}, _one_of(DIALECTS)).optional
NEW_ID = replace(SCENE_ID, schema={"type": "string", "description": "Of the new scene."}).optional
TITLE = Input("title", {"type": "string"}, _text(1, trimmed=False)).optional
SOURCE_NAME = Input(
    "document", {"type": "string", "description": "A name of the source, the same in import and sync."}, _words(200)
).optional
KEEP = Input("keep", {"type": "boolean", "default": False, "description": "Store it."}, _boolean).optional
DRY_RUN = Input("dryRun", {"type": "boolean", "description": "Only tell the operations."}, _boolean).optional
PRUNE = Input(
    "prune", {"type": "boolean", "description": "Remove what is gone even if a part was not understood."}, _boolean
).optional
EXPORT_FORMAT = Input("format", {"type": "string", "enum": list(FORMATS)}, _one_of(tuple(FORMATS)))
SCALE = Input(
    "scale",
    {"type": "number", "minimum": MIN_SCALE, "maximum": MAX_SCALE, "description": "For png."},
    _number(MIN_SCALE, MAX_SCALE, whole=False),
).optional
PATH = Input(
    "path", {"type": "string", "description": "A new file below EXPORT_DIR, relative; else it comes back."}, _words(500)
).optional
QUERIES = Input(
    "queries",
    {"type": "array", "items": {"type": "string"}, "maxItems": MAX_QUERIES, "description": "Such as aws s3."},
    _queries,
)
TOPIC = Input("topic", {"type": "string", "enum": list(TOPICS), "default": "start"}, _one_of(TOPICS)).optional
RENDER_VIEW = Input(
    "view",
    {"type": "object", "description": "Of: collapse, focus, crop (ids), depth, aspectRatio (width/height)."},
    _render_view,
).optional
GET_VIEW = Input(
    "view",
    {"description": '"document", "outline", {"elements": [ids]} with neighbours, or {"since": revision}.'},
    _get_view,
).optional
AS_DATA = Input("asData", {"type": "boolean", "description": "png: its base64 as content as well."}, _boolean).optional
APP_REQUEST = Input("request", {"type": "string", "enum": list(REQUESTS)}, _one_of(tuple(REQUESTS)))
ABOUT = Input("about", {"type": "string", "description": "A sceneId, or words."}, _words(MAX_WORDS)).optional
BODY = Input("body", {"type": "object"}, _object).optional
