"""RENDER_OPTIONS: the members of a render request, a row each, for reading and for OpenAPI.

A wrong value is refused with the allowed values. An unknown member is a warning, which exposes misspellings (R-HTTP-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from scenograph.diagnostics import UNKNOWN_FIELD, Report, wire_form
from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.document import VIEW
from scenograph.scene.description.fields import SchemaBook
from scenograph.scene.json_values import is_object
from scenograph.scene.limits import LIMITS
from scenograph.scene.near_names import NameBudget, nearest
from scenograph.scene.validation import diagnostics_of
from scenograph.service.errors import invalid_request
from scenograph.wire.formats import FORMATS, SVG
from scenograph.wire.members import (
    AS_OF,
    COMPUTED,
    COMPUTED_AFTER,
    DIFF,
    EMBED,
    FORMAT,
    LETTERS,
    RENDER_AFTER,
    REVISION,
    REVISION_NUMBER,
    SCALE,
    TEXT,
    THEME,
    WATERMARK,
    Member,
    Schema,
    holds,
    requirement,
)

# Names of revisions: a number, or the time at which the revision was the latest.


RevisionName = int | datetime


def read_time(name: str, value: Any, wanted: str = "a time") -> datetime:
    """A time in UTC. Raises invalid_request, naming the `wanted` forms, for text other than ISO 8601."""
    try:
        time = datetime.fromisoformat(value.strip()) if holds(AS_OF.schema, value) else None
        at = None if time is None else (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        at = None
    if at is None:
        raise invalid_request(f"{name} must be {wanted} in ISO 8601, such as 2026-11-20T09:00:00Z.")
    return at


def read_revision_name(name: str, value: object) -> RevisionName:
    """A number, or a time as text. Raises invalid_request."""
    if isinstance(value, str) and holds(AS_OF.schema, value) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, str):
        return read_time(name, value, wanted="the number of a revision, or a time")
    return read_value(name, REVISION_NUMBER, value)


def one_revision(revision: int | None, as_of: datetime | None) -> RevisionName | None:
    """The revision named either way; None for the latest. Raises invalid_request for both."""
    if revision is not None and as_of is not None:
        raise invalid_request(f"{REVISION.name} and {AS_OF.name} each name a revision: give one of them.")
    return revision if as_of is None else as_of


# The members of a request's body, read by their rows in `wire/members.py`.


def read_value(name: str, schema: Schema, value: object) -> Any:
    """The value, checked against its schema. Raises invalid_request with the member's name and the requirement."""
    if not holds(schema, value):
        raise invalid_request(f"{name} must be {requirement(schema)}.")
    return value


def read_member(body: Mapping[str, Any], member: Member, default: Any = None) -> Any:
    """A member of a body, or `default` if absent."""
    value = body.get(member.name, default)
    return value if value is default else read_value(member.name, member.schema, value)


def read_required(body: Mapping[str, Any], member: Member) -> Any:
    """A mandatory member of a body."""
    return read_value(member.name, member.schema, body.get(member.name))


STORED, INLINE, PUBLISHED, WRITTEN = "stored", "inline", "published", "written"
FORMAT_SCHEMA, THEME_SCHEMA = "PictureFormat", "Theme"
# Members of clients that send the same body everywhere; ignored here.
SILENT = ("sceneId", "schemaVersion")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderRequest:
    """The options of a picture.

    `theme` None lets the scene choose. `revision` None means the latest. `diff` requests a visual diff against that
    revision, named like `revision`. `text` is the form of letters in an SVG. `view` is the shown part, None for the
    whole. `computed` requests the positions of all elements; `embed` puts the scene into the picture.
    """

    format: str = SVG.name
    theme: str | None = None
    scale: float = 1.0
    text: str = LETTERS[0]
    watermark: bool = False
    embed: bool = False
    revision: RevisionName | None = None
    diff: RevisionName | None = None
    view: Mapping[str, Any] | None = None
    computed: bool = False
    page_pixels: tuple[int, int] | None = None  # of a preview; no caller names it
    diagnostics: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class RenderOption:
    """A row: a member of `RenderRequest`, the kinds of requests with this member, and a reader if the schema does not
    suffice.

    `read` takes the name and the non-null value, and returns the value or raises invalid_request. `component` names a
    shared schema.
    """

    member: Member
    where: frozenset[str] = frozenset({STORED, INLINE, PUBLISHED, WRITTEN})
    read: Callable[[str, object], Any] | None = None
    component: str | None = None

    @property
    def name(self) -> str:
        """The member's name in a request."""
        return self.member.name

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the member's value."""
        return self.member.schema

    def value(self, given: object) -> Any:
        """The read value. Raises invalid_request."""
        return read_value(self.name, self.schema, given) if self.read is None else self.read(self.name, given)


def _require_known(name: str, value: object, members: Sequence[str]) -> None:
    for strange in (one for one in (value if is_object(value) else {}) if one not in members):
        near = nearest(strange, members, NameBudget())
        meant = f" Did you mean {near}?" if near else ""
        raise invalid_request(f"{name} has no member {strange[:80]!r}; its members are: {', '.join(members)}.{meant}")


def _diff(name: str, value: object) -> RevisionName:
    members = value if is_object(value) else {}
    strange = [member for member in members if member != "fromRevision"]
    if strange or members.get("fromRevision") is None:
        raise invalid_request(f'{name} must be an object with the member fromRevision alone: {{"fromRevision": 1}}.')
    return read_revision_name(f"{name}.fromRevision", members["fromRevision"])


def read_view(name: str, value: object) -> Mapping[str, Any]:
    """A view in a request. Raises invalid_request with the wrong member and the allowed values."""
    _require_known(name, value, [row.name for row in VIEW.fields])
    problems = [problem.under(name) for problem in VIEW.check(value, LIMITS)]
    for row in diagnostics_of(problems, lambda _: None, LIMITS):
        raise invalid_request(f"{row.message} (at {row.path})")
    return cast("Mapping[str, Any]", value)


_STORED_ONLY, _KEPT, _OWN = frozenset({STORED}), frozenset({STORED, WRITTEN}), frozenset({STORED, INLINE, WRITTEN})
RENDER_OPTIONS: tuple[RenderOption, ...] = (
    RenderOption(FORMAT, component=FORMAT_SCHEMA),
    RenderOption(THEME, component=THEME_SCHEMA),
    RenderOption(SCALE),
    RenderOption(TEXT),
    RenderOption(WATERMARK, _OWN),
    RenderOption(EMBED, _OWN),
    RenderOption(REVISION, _STORED_ONLY),
    RenderOption(AS_OF, _STORED_ONLY, read_time),
    RenderOption(DIFF, _KEPT, _diff),
    RenderOption(COMPUTED, _OWN),
    RenderOption(Member("view", VIEW.define(SchemaBook(LIMITS))), read=read_view),
)
COMPONENTS = {row.component: dict(row.schema) for row in RENDER_OPTIONS if row.component}


def options_of(kind: str) -> tuple[RenderOption, ...]:
    """The rows for a kind of request."""
    return tuple(row for row in RENDER_OPTIONS if kind in row.where)


def read_render_request(body: Mapping[str, Any], kind: str, preferred_format: str = SVG.name) -> RenderRequest:
    """The request in a parsed body. Raises invalid_request with the allowed values.

    `preferred_format` is the default. Members of other kinds of requests are ignored, except `diff`, which would mean
    another picture. The picture of a WRITTEN revision is drawn too late to tell of a misspelling: any further member is
    refused.
    """
    if kind == WRITTEN:
        _require_known(RENDER_AFTER.name, body, [row.name for row in options_of(kind)])
    elif kind != STORED and body.get("diff") is not None:
        raise invalid_request("diff compares revisions of a stored scene; a single document has none.")
    given = {row.name: row.value(body[row.name]) for row in options_of(kind) if body.get(row.name) is not None}
    request: dict[str, Any] = {"format": preferred_format, **given}
    request[REVISION.name] = one_revision(request.get(REVISION.name), request.pop(AS_OF.name, None))
    if request.get(EMBED.name) and not FORMATS[request["format"]].embeds:
        carriers = " and ".join(row.name for row in FORMATS.values() if row.embeds)
        raise invalid_request(f"embed is for {carriers}; {request['format']} carries no scene.")
    return RenderRequest(**request, diagnostics=_unknown_members(body, kind))


def _unknown_members(body: Mapping[str, Any], kind: str) -> tuple[dict[str, Any], ...]:
    known = [row.name for row in options_of(kind)] + (["scene"] if kind == INLINE else [])
    report, budget = Report(), NameBudget()
    for name in cast("Mapping[str, object]", body):
        if name in known or name in SILENT or name == "diff":
            continue
        near = nearest(name, known, budget)
        data = {"suggestion": near} if near else None
        report.add(UNKNOWN_FIELD, path=f"/{name[:80]}", data=data, name=f"'{name[:80]}'", owner="a render request")
    return tuple(wire_form(report.rows))


# The extras that a write returns.


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The requested extras: places and a picture of the new revision. `asked` holds the members that ask for them."""

    computed: bool = False
    render: RenderRequest | None = None
    asked: Mapping[str, Any]

    def __bool__(self) -> bool:
        return self.computed or self.render is not None


NOTHING_WANTED = Wanted(asked={})


def read_wanted(body: Mapping[str, Any], *, dry: bool = False) -> Wanted:
    """The extras requested by a body. Raises invalid_request for wrong members, and for any extra of a `dry` run."""
    asked = {row.name: body[row.name] for row in (COMPUTED_AFTER, RENDER_AFTER) if body.get(row.name) is not None}
    render = read_member(asked, RENDER_AFTER)
    wanted = Wanted(
        computed=read_member(asked, COMPUTED_AFTER, default=False),
        render=None if render is None else read_render_request(render, WRITTEN),
        asked=asked,
    )
    if wanted and dry:
        raise invalid_request("dryRun makes no revision to return: leave out computed and render, or dryRun.")
    return wanted
