"""The published form of every reply and of every request body (R-HTTP-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel

from scenograph.late_dataclasses import dataclass
from scenograph.service.render_requests import INLINE, PUBLISHED, STORED, WRITTEN, options_of
from scenograph.wire.formats import FORMATS
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

# The published form of every reply, and of small requests (R-HTTP-1).
#
# These models are documentation. Endpoints write replies as plain JSON, and tests compare the replies with these
# schemas: a large scene is not walked twice.


def _media_types(*, binary: bool) -> list[JsonValue]:
    return [row.media_type for row in FORMATS.values() if row.binary is binary]


PrivacyStatus = Literal["private", "support", "public"]


class Wire(BaseModel):
    """Members in camelCase, nothing unnamed."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class DiagnosticBody(Wire):
    """A remark about a scene."""

    code: str = Field(examples=["TEXT_OVERFLOW"])
    severity: Literal["info", "warning", "error"]
    message: str
    path: str = Field(default="", description="JSON pointer into the document; left out when unset.")
    element_id: str = Field(default="", description="Left out when unset.")
    data: dict[str, Any] = Field(default={}, description="Left out when unset.")


class ProblemBody(BaseModel):
    """Every reply other than a success."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")

    error: str = Field(description="A sentence for people.")
    code: str = Field(description="A word for programs.")
    request_id: str
    diagnostics: list[DiagnosticBody] = Field(default=[], description="With validation_failed.")
    current_revision: int = Field(default=0, description="With revision_conflict, scene_exists.")
    changed_element_ids: list[str] = Field(default=[], description="With revision_conflict: changed since the base.")
    quota: Literal["", "keys", "scenes", "storedBytes", "grants", "comments"] = Field(
        default="", description="With quota_exceeded: of what."
    )
    used: int = Field(default=0, description="With quota_exceeded: what the account, or the scene, has.")
    limit: int = Field(default=0, description="With quota_exceeded: what it may have.")
    role: str = Field(default="", description="With role_forbidden: the caller's role on the scene.")


class Health(Wire):
    """The service runs."""

    status: Literal["ok"]


class Ready(Wire):
    """The service can store and render."""

    status: Literal["ready"]


class IconBody(Wire):
    """An icon."""

    key: str = Field(examples=["aws:amazon-simple-storage-service"])
    category: str = Field(examples=["storage"])


class IconsFound(Wire):
    """Icons, the best match first; `total` includes those beyond the limit."""

    items: list[IconBody]
    total: int


class Page(Wire):
    """A picture's size."""

    width: float = Field(description="px")
    height: float = Field(description="px")
    scale: float = Field(
        default=1.0, description="The size of its content against the scene's, as `view.page` scales it."
    )


class TextOutput(Page):
    """A picture in a text format."""

    mime_type: str = Field(json_schema_extra={"enum": _media_types(binary=False)})
    content: str


class BinaryOutput(Page):
    """A picture in a binary format, base64."""

    mime_type: str = Field(json_schema_extra={"enum": _media_types(binary=True)})
    content_base64: str


class ReturningBody(Wire):
    """A reply of a write, with the wanted extras; without `computed` and `render` no extras."""

    computed: dict[str, Any] | None = Field(
        default=None,
        description="With `computed`: where the elements stand and the edges run, px; null if that failed.",
    )
    output: TextOutput | BinaryOutput | None = Field(
        default=None, description="With `render`: the picture; null if the drawing failed, as RENDER_FAILED tells."
    )
    moved_element_ids: list[str] | None = Field(
        default=None,
        description="With `computed` or `render`: elements that the write does not touch and whose box differs by more "
        "than 1 px from the revision before.",
    )


class SceneCreated(ReturningBody):
    """Reply of a creation."""

    scene_id: str = Field(examples=["checkout"])
    revision: int = Field(examples=[1])
    diagnostics: list[DiagnosticBody]


GrantableRole = Literal["viewer", "commenter", "editor"]


class SceneRead(Wire):
    """A revision of a scene, as authored."""

    scene_id: str
    revision: int
    scene: dict[str, Any] = Field(description="The scene document.")
    privacy_status: PrivacyStatus
    created_at: datetime
    computed: dict[str, Any] = Field(default={}, description="With `computed=true`: where its elements stand, px.")
    role: GrantableRole = Field(default="viewer", description="The caller's on a shared scene; left out of own ones.")


class RevisionRestored(ReturningBody):
    """An earlier revision is the latest again, as `revision`."""

    scene_id: str
    revision: int = Field(examples=[2])
    restored_revision: int = Field(examples=[1])
    changed_element_ids: list[str]
    diagnostics: list[DiagnosticBody] = Field(default=[], description="With `render`: the picture's.")


class OpsApplied(ReturningBody):
    """Reply of a batch of operations."""

    scene_id: str
    revision: int = Field(examples=[2])
    applied: int = Field(description="How many operations were applied; 0 in a dry run.")
    changed_element_ids: list[str]
    diagnostics: list[DiagnosticBody]


class SvgOutput(Page):
    """A self-contained SVG document."""

    mime_type: Literal["image/svg+xml"]
    content: str


class SceneRendered(Wire):
    """A picture and its diagnostics."""

    output: TextOutput | BinaryOutput
    diagnostics: list[DiagnosticBody]
    computed: dict[str, Any] = Field(
        default={}, description="With `computed`: where the elements stand and the edges run, px."
    )


class SceneValidated(Wire):
    """The outcome of a validation; `ok` equals `valid`."""

    valid: bool
    ok: bool
    diagnostics: list[DiagnosticBody]


class SceneNormalized(BaseModel):
    """The normalized document, with `computed` and `diagnostics` at its root."""

    model_config = ConfigDict(extra="allow")

    computed: dict[str, Any]
    diagnostics: list[DiagnosticBody]


class KeyCreated(Wire):
    """A new API key; `key` appears in this reply only."""

    id: str
    key: str = Field(pattern="^dsp_sk_[0-9a-f]{32}$")
    name: str


class KeyListed(Wire):
    """A key without its secret."""

    id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None = Field(description="True to a minute; null for a key that was never used.")


class KeyList(Wire):
    """The keys of an account, oldest first."""

    items: list[KeyListed]


class KeyRevoked(Wire):
    """The key opens nothing any more."""

    id: str
    revoked: Literal[True]


class ChangeCounts(Wire):
    """How many elements were added, removed and modified."""

    added: int
    removed: int
    modified: int


class AuthorBody(Wire):
    """Who wrote a revision."""

    account_id: str
    key_name: str | None = Field(description="The name of the account's key; null where it acted without one.")


class RevisionListed(Wire):
    """A revision without its document."""

    revision: int
    created_at: datetime
    message: str | None
    summary: ChangeCounts | None = Field(description="null for the first revision.")
    author: AuthorBody | None = Field(description="null for revisions of versions that recorded none.")


class RevisionList(Wire):
    """Revisions of a scene, newest first."""

    scene_id: str
    current_revision: int
    revisions: list[RevisionListed]


class SceneDiff(Wire):
    """The difference between two revisions, by element id."""

    scene_id: str
    from_revision: int
    to_revision: int
    summary: ChangeCounts
    added: list[str]
    removed: list[str]
    modified: list[str]
    changed_constraint_ids: list[str]
    fields: dict[str, list[str]] = Field(description="Of each modified element, what differs; 20 names at most.")
    changes: dict[str, dict[str, list[Any]]] = Field(
        description="Of each modified element, its fields with `[before, after]`, null where there is none; 20 fields "
        "at most, values cut at 200 characters."
    )
    moved: list[str] | None = Field(
        description="Elements of both revisions whose box differs by more than 1 px; null while the engine cannot tell."
    )
    scene: list[str] = Field(description="What differs and belongs to no element, such as `canvas.width`; 20 at most.")
    author: AuthorBody | None = Field(description="Who wrote `toRevision`; null where none is recorded.")


class OwnerBody(Wire):
    """The owner of a shared scene; `name` is the verified mail address, else the id."""

    account_id: str
    name: str


class GrantListed(Wire):
    """A role on a scene, of an account or of whoever has verified a mail address."""

    account_id: str | None
    email: str | None = Field(description="A mail address, whether an account has verified it yet or not.")
    role: GrantableRole
    granted_at: datetime


class GrantList(Wire):
    """The grants of a scene, the earliest first."""

    scene_id: str
    items: list[GrantListed]


class GrantMade(GrantListed):
    """The grantee has the role from now on."""

    scene_id: str


class GrantEnded(Wire):
    """The grantee has no role any more."""

    scene_id: str
    ended: Literal[True]
    account_id: str | None
    email: str | None


class PlaceBody(Wire):
    """A place in a scene, px."""

    x: float
    y: float


class CommenterBody(AuthorBody):
    """Who wrote a comment; `name` is the account's verified mail address, else its id."""

    name: str


class CommentBody(Wire):
    """A comment."""

    comment_id: str
    author: CommenterBody
    text: str
    created_at: datetime
    revision: int = Field(description="The revision that it was written on.")


class ThreadBody(CommentBody):
    """The first comment of a thread, with the others."""

    element_id: str | None
    at: PlaceBody | None
    resolved: bool
    resolved_at: datetime | None
    resolved_by: str | None = Field(description="The account that resolved it.")
    replies: list[CommentBody]


class ThreadList(Wire):
    """Threads of a scene, the earliest first."""

    items: list[ThreadBody]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class WhereaboutsTold(Wire):
    """Whether others see the tab: only while the tab's event stream runs."""

    scene_id: str
    shown: bool


class CommentDeleted(Wire):
    """The comment is gone, the first of a thread with its replies."""

    comment_id: str
    deleted: Literal[True]


class SceneListed(Wire):
    """A scene without its document."""

    scene_id: str
    title: str | None
    diagram_family: str | None
    revision: int
    privacy_status: PrivacyStatus
    created_at: datetime
    updated_at: datetime
    owner: OwnerBody = Field(default=None, description="Of a scene shared with the caller; left out of own ones.")  # pyright: ignore[reportAssignmentType]
    role: GrantableRole = Field(default="viewer", description="The caller's, with `owner`.")


class SceneList(Wire):
    """Some of the caller's scenes and of those shared with the caller, the latest change first."""

    items: list[SceneListed]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class SceneDeleted(Wire):
    """The scene is gone from view and can be restored for 24 hours."""

    deleted: Literal[True]
    scene_id: str
    soft: Literal[True]
    note: str


class SceneRestored(Wire):
    """The scene is back, private."""

    restored: Literal[True]
    scene_id: str
    revision: int


class DeletedScene(Wire):
    """A deleted scene within recovery."""

    scene_id: str
    title: str | None
    deleted_at: datetime
    expires_at: datetime


class DeletedSceneList(Wire):
    """The scenes within recovery, the latest deletion first."""

    items: list[DeletedScene]


class ScenePublished(Wire):
    """Everybody can see the scene at `publicUrl`."""

    scene_id: str
    privacy_status: Literal["public"]
    made_public_at: datetime = Field(description="The time of the first publication.")
    public_url: str


class SceneMadePrivate(Wire):
    """Nobody but the owner sees the scene."""

    scene_id: str
    privacy_status: Literal["private"]


class PublicScene(Wire):
    """A published scene and its picture."""

    scene_id: str
    title: str | None
    revision: int
    made_public_at: datetime
    scene: dict[str, Any] = Field(description="The scene document.")
    output: SvgOutput


class SceneSubmitted(Wire):
    """Support may see the snapshot."""

    scene_id: str
    privacy_status: Literal["support"]
    support_submitted_at: datetime
    support_anonymized: bool
    audit_url: str = Field(description="Who looked at it, and when.")


class SupportViewed(Wire):
    """A view of a submission."""

    viewed_at: datetime
    viewer: str


class SupportViewList(Wire):
    """Who of support looked at a scene, the latest first."""

    items: list[SupportViewed]


class SubmissionListed(Wire):
    """A submission without its document. `submissionId` reveals nothing about the scene."""

    submission_id: str
    submitted_at: datetime
    anonymized: bool
    problem: str


class SubmissionList(Wire):
    """Some of the submissions, the latest first."""

    items: list[SubmissionListed]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class SubmissionRead(SubmissionListed):
    """A submission with its snapshot."""

    scene: dict[str, Any]


class AccountOpened(Wire):
    """A new account, unverified, with its first key; `apiKey.key` appears in this reply only."""

    account_id: str
    email: str = Field(description="As it is kept: in lower case.", examples=["ann@example.org"])
    api_key: KeyCreated


class AccountMailed(Wire):
    """A further mail was queued."""

    account_id: str
    email: str


class AccountVerified(Wire):
    """The account's address is proved."""

    account_id: str
    email_verified_at: datetime


class UseOfQuota(Wire):
    """How much of a quota is used."""

    used: int = Field(ge=0)
    limit: int | None = Field(description="null without a limit.")


class AccountRead(Wire):
    """The caller's account and its quotas."""

    account_id: str
    email: str | None
    email_verified_at: datetime | None
    role: Literal["member", "support"]
    created_at: datetime
    keys: UseOfQuota
    scenes: UseOfQuota = Field(description="Scenes that are not deleted.")
    stored_bytes: UseOfQuota = Field(description="Bytes of all revisions, of deleted scenes until they are purged.")


class LinkAskedFor(Wire):
    """The same for every address: whether an account has it is not told."""

    email: str = Field(examples=["ann@example.org"])


class SignedOut(Wire):
    """How many browsers were signed out."""

    ended: int = Field(ge=0)


class JsonSchema(BaseModel):
    """A JSON Schema (2020-12)."""

    model_config = ConfigDict(extra="allow")


# Replies about other tools' sources.


class SourceImported(Wire):
    """The document of a source; nothing is stored."""

    scene: dict[str, Any] = Field(description="A document, ready to be created.")
    diagnostics: list[DiagnosticBody]


class SceneSynchronized(ReturningBody):
    """Reply of a sync."""

    scene_id: str
    revision: int = Field(examples=[2])
    applied: int = Field(description="How many operations were applied; 0 when nothing changed, and in a dry run.")
    ops: list[dict[str, Any]]
    diagnostics: list[DiagnosticBody]


# The published form of every request body: a schema and an example each.
#
# Documents and batches are described by the schemas of the scene room, the parameters around them here.

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
