"""RENDER_OPTIONS: the members of a render request, one row each; read here, described in OpenAPI from the same rows.

A wrong value is refused with the allowed ones; an unknown member is a warning, so that a misspelling is seen
(R-HTTP-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scenograph.diagnostics import UNKNOWN_FIELD, Report, wire_form
from scenograph.scene.document_fields import VIEW
from scenograph.scene.fields import SchemaBook
from scenograph.scene.json_values import is_object
from scenograph.scene.limits import LIMITS
from scenograph.scene.near_names import Budget, nearest
from scenograph.scene.validation import diagnostics_of
from scenograph.service.picture_size import MAX_SCALE, MIN_SCALE
from scenograph.service.refusals import invalid_request
from scenograph.service.revision_numbers import revision_number
from scenograph.wire.formats import FORMATS, SVG
from scenograph.wire.themes import THEME_NAMES

STORED, INLINE, PUBLISHED = "stored", "inline", "published"
OUTLINES = "outlines"
LETTERS = ("fonts", OUTLINES)
FORMAT_SCHEMA, THEME_SCHEMA = "PictureFormat", "Theme"
# Written by clients that send the same body everywhere; they choose nothing here.
SILENT = ("sceneId", "schemaVersion")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderRequest:
    """What is asked for. `theme` None lets the scene choose; `revision` None means the latest; `diff` asks for a visual
    diff with that revision; `text` is how an SVG holds its letters; `view` is the part that is shown, None
    for the whole; `computed` asks for where everything stands in it."""

    format: str = SVG.name
    theme: str | None = None
    scale: float = 1.0
    text: str = LETTERS[0]
    watermark: bool = False
    revision: int | None = None
    diff: int | None = None
    view: Mapping[str, Any] | None = None
    computed: bool = False
    page_pixels: tuple[int, int] | None = None  # of a preview; no caller names it
    diagnostics: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOption:
    """One row: a member of `RenderRequest`, its JSON Schema, how it is read (name and value, which is never null, to
    the value or invalid_request), in which kinds of requests it stands; `component` names a schema that is shared."""

    name: str
    schema: Mapping[str, Any]
    read: Callable[[str, object], Any]
    where: frozenset[str] = frozenset({STORED, INLINE, PUBLISHED})
    component: str | None = None


def _one_of(allowed: Sequence[str]) -> Callable[[str, object], str]:
    def read(name: str, value: object) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        raise invalid_request(f"{name} must be one of: {', '.join(allowed)}.")

    return read


def _scale(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not MIN_SCALE <= value <= MAX_SCALE:
        raise invalid_request(f"{name} must be a number from {MIN_SCALE:g} to {MAX_SCALE:g}.")
    return float(value)


def _diff(name: str, value: object) -> int:
    members = value if is_object(value) else {}
    strange = [member for member in members if member != "fromRevision"]
    if strange or members.get("fromRevision") is None:
        raise invalid_request(f'{name} must be an object with the member fromRevision alone: {{"fromRevision": 1}}.')
    return revision_number(f"{name}.fromRevision", members["fromRevision"])


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise invalid_request(f"{name} must be true or false.")
    return value


def read_view(name: str, value: object) -> Mapping[str, Any]:
    """A view as it stands in a request; invalid_request names the member that is wrong and what is allowed."""
    members = [row.name for row in VIEW.fields]
    for strange in (one for one in (value if is_object(value) else {}) if one not in members):
        near = nearest(strange, members, Budget())
        meant = f" Did you mean {near}?" if near else ""
        raise invalid_request(f"{name} has no member {strange[:80]!r}; its members are: {', '.join(members)}.{meant}")
    problems = [problem.under(name) for problem in VIEW.check(value, LIMITS)]
    for row in diagnostics_of(problems, lambda _: None, LIMITS):
        raise invalid_request(f"{row.message} (at {row.path})")
    return cast("Mapping[str, Any]", value)


_NUMBER_OF_REVISION = {"type": "integer", "minimum": 1}

RENDER_OPTIONS: tuple[RenderOption, ...] = (
    RenderOption(
        name="format",
        schema={
            "type": "string",
            "enum": list(FORMATS),
            "description": "`svg` by default; the Accept header may choose as well.",
        },
        read=_one_of(tuple(FORMATS)),
        component=FORMAT_SCHEMA,
    ),
    RenderOption(
        name="theme",
        schema={
            "type": "string",
            "enum": list(THEME_NAMES),
            "description": "Left out, the canvas background chooses.",
        },
        read=_one_of(THEME_NAMES),
        component=THEME_SCHEMA,
    ),
    RenderOption(
        name="scale",
        schema={
            "type": "number",
            "minimum": MIN_SCALE,
            "maximum": MAX_SCALE,
            "default": 1,
            "description": "For png; 2 doubles the size.",
        },
        read=_scale,
    ),
    RenderOption(
        name="text",
        schema={
            "type": "string",
            "enum": list(LETTERS),
            "default": LETTERS[0],
            "description": "For svg: letters as text with embedded fonts, or as outlines for programs without these.",
        },
        read=_one_of(LETTERS),
    ),
    RenderOption(
        name="watermark",
        schema={
            "type": "boolean",
            "default": False,
            "description": "Adds `sceneId · revision N · createdAt`, as far as it is known, at the bottom right.",
        },
        read=_flag,
        where=frozenset({STORED, INLINE}),
    ),
    RenderOption(
        name="revision",
        schema={**_NUMBER_OF_REVISION, "description": "A revision; the latest by default."},
        read=revision_number,
        where=frozenset({STORED}),
    ),
    RenderOption(
        name="diff",
        schema={
            "type": "object",
            "required": ["fromRevision"],
            "properties": {"fromRevision": _NUMBER_OF_REVISION},
            "additionalProperties": False,
            "description": "Shows what was added (green), removed (red, dashed) and modified (amber) since that "
            "revision.",
        },
        read=_diff,
        where=frozenset({STORED}),
    ),
    RenderOption(
        name="computed",
        schema={
            "type": "boolean",
            "default": False,
            "description": "Adds `computed`: where the elements stand and the edges run in this picture.",
        },
        read=_flag,
        where=frozenset({STORED, INLINE}),
    ),
    RenderOption(name="view", schema=VIEW.define(SchemaBook(LIMITS)), read=read_view),
)
COMPONENTS = {row.component: dict(row.schema) for row in RENDER_OPTIONS if row.component}


def options_of(kind: str) -> tuple[RenderOption, ...]:
    """The rows of one kind of request."""
    return tuple(row for row in RENDER_OPTIONS if kind in row.where)


def read_render_request(body: Mapping[str, Any], kind: str, preferred_format: str = SVG.name) -> RenderRequest:
    """The request in a parsed body; invalid_request names the allowed values. `preferred_format` is the default. What
    does not stand in requests of this kind is looked over, but `diff`, which asks for another picture."""
    if kind != STORED and body.get("diff") is not None:
        raise invalid_request("diff compares revisions of a stored scene; a single document has none.")
    given = {row.name: row.read(row.name, body[row.name]) for row in options_of(kind) if body.get(row.name) is not None}
    request: dict[str, Any] = {"format": preferred_format, **given}
    return RenderRequest(**request, diagnostics=_unknown_members(body, kind))


def _unknown_members(body: Mapping[str, Any], kind: str) -> tuple[dict[str, Any], ...]:
    known = [row.name for row in options_of(kind)] + (["scene"] if kind == INLINE else [])
    report, budget = Report(), Budget()
    for name in cast("Mapping[str, object]", body):
        if name in known or name in SILENT or name == "diff":
            continue
        near = nearest(name, known, budget)
        data = {"suggestion": near} if near else None
        report.add(UNKNOWN_FIELD, path=f"/{name[:80]}", data=data, name=f"'{name[:80]}'", owner="a render request")
    return tuple(wire_form(report.rows))
