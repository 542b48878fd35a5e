"""The published form of every reply, and of the small requests (decisions: section 5).

These models are documentation: replies are written as plain JSON by the endpoints and compared with these schemas by
the tests, so that a large scene is not walked twice.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """Members in camelCase, nothing unnamed."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class DiagnosticBody(Wire):
    """One remark about a scene."""

    code: str = Field(examples=["TEXT_OVERFLOW"])
    severity: Literal["info", "warning", "error"]
    message: str
    path: str = Field(default="", description="JSON pointer into the document; left out when unset.")
    element_id: str = Field(default="", description="Left out when unset.")
    data: dict[str, Any] = Field(default={}, description="Left out when unset.")


class ProblemBody(BaseModel):
    """Every reply that is not a success."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")

    error: str = Field(description="A sentence for people.")
    code: str = Field(description="A word for programs.")
    request_id: str
    diagnostics: list[DiagnosticBody] = Field(default=[], description="With validation_failed.")
    current_revision: int = Field(default=0, description="With revision_conflict, scene_exists.")
    changed_element_ids: list[str] = Field(default=[], description="With revision_conflict: changed since the base.")


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
    """Icons, the best match first; `total` counts those beyond the limit as well."""

    items: list[IconBody]
    total: int


class SceneCreated(Wire):
    """Reply of a creation."""

    scene_id: str = Field(examples=["checkout"])
    revision: int = Field(examples=[1])
    diagnostics: list[DiagnosticBody]


class SceneRead(Wire):
    """One revision of a scene, as authored."""

    scene_id: str
    revision: int
    scene: dict[str, Any] = Field(description="The scene document.")
    privacy_status: Literal["private", "support", "public"]
    created_at: datetime


class OpsApplied(Wire):
    """Reply of a batch of operations."""

    scene_id: str
    revision: int = Field(examples=[2])
    applied: int = Field(description="How many operations were applied.")
    changed_element_ids: list[str]
    diagnostics: list[DiagnosticBody]


class SvgOutput(Wire):
    """A self-contained SVG document."""

    mime_type: Literal["image/svg+xml"]
    content: str
    width: float = Field(description="px")
    height: float = Field(description="px")


class PngOutput(Wire):
    """A PNG, base64."""

    mime_type: Literal["image/png"]
    content_base64: str
    width: float = Field(description="px")
    height: float = Field(description="px")


class SceneRendered(Wire):
    """A picture and what was remarked on the way."""

    output: SvgOutput | PngOutput
    diagnostics: list[DiagnosticBody]


class SceneValidated(Wire):
    """The outcome of a validation; `ok` equals `valid`."""

    valid: bool
    ok: bool
    diagnostics: list[DiagnosticBody]


class SceneNormalized(BaseModel):
    """The normalized document itself, with `computed` and `diagnostics` at its root."""

    model_config = ConfigDict(extra="allow")

    computed: dict[str, Any]
    diagnostics: list[DiagnosticBody]


class KeyCreated(Wire):
    """A new API key; `key` appears in this reply only."""

    id: str
    key: str = Field(pattern="^dsp_sk_[0-9a-f]{32}$")
    name: str


class KeyRequest(BaseModel):
    """What a new key is called."""

    name: str


class JsonSchema(BaseModel):
    """A JSON Schema (2020-12)."""

    model_config = ConfigDict(extra="allow")
