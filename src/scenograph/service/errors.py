"""Refusals of the use cases, and the test of possible scene ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.scene.description.document import SCENE_ID
from scenograph.storage.interface import QuotaReached
from scenograph.wire.formats import Format, not_available

# Refusals of the use cases.
#
# `http.problems` maps each code to its status; the sentence is for people. All refusals share a class: callers
# distinguish them by `code`, the code on the wire (R-HTTP-7).


class ServiceError(Exception):
    """A refusal. `extra` are further members of the error body; `retry_after` is in seconds."""

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        diagnostics: Sequence[Diagnostic] = (),
        extra: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.diagnostics = tuple(diagnostics)
        self.extra = dict(extra or {})
        self.retry_after = retry_after


# Refusals shared by several use cases: a function each, which gives every code a single sentence.


_QUOTA_NAMES = {"keys": "keys", "scenes": "scenes", "stored_bytes": "storedBytes"}
_BEYOND = {
    "keys": "The account has {used} API keys of {most} that it may have; revoke one first. An account whose e-mail "
    "address is not verified may have fewer.",
    "scenes": "The account has {used} scenes of {most} that it may have; delete one first.",
    "stored_bytes": "The account's scenes take {used} of {most} bytes, and this would take it beyond; delete scenes, "
    "which take none once they are purged, 24 hours later.",
}


def invalid_request(sentence: str, diagnostics: Sequence[Diagnostic] = ()) -> ServiceError:
    """400: the request itself is wrong."""
    return ServiceError("invalid_request", sentence, diagnostics=diagnostics)


def format_not_available(form: Format, family: str | None) -> ServiceError:
    """400: the format cannot hold scenes of this family; the sentence names the formats that can."""
    return ServiceError("format_not_available", not_available(form, family))


def validation_failed(diagnostics: Sequence[Diagnostic]) -> ServiceError:
    """422: the sentence counts the errors, the diagnostics name each."""
    count = sum(row.severity is Severity.ERROR for row in diagnostics)
    problems = "1 problem" if count == 1 else f"{count} problems"
    return ServiceError("validation_failed", f"The scene has {problems}; see diagnostics.", diagnostics=diagnostics)


def quota_exceeded(reached: QuotaReached) -> ServiceError:
    """409: the account is at its quota; the body tells use and limit."""
    sentence = _BEYOND[reached.what].format(used=reached.used, most=reached.most)
    extra = {"quota": _QUOTA_NAMES[reached.what], "used": reached.used, "limit": reached.most}
    return ServiceError("quota_exceeded", sentence, extra=extra)


def owners_quota_exceeded(reached: QuotaReached) -> ServiceError:
    """409: the owner of a shared scene is at the quota; nothing of the owner's figures is told."""
    extra = {"quota": _QUOTA_NAMES[reached.what]}
    return ServiceError("quota_exceeded", "The account of the scene's owner has no room for the revision.", extra=extra)


def role_forbidden(role: str, needed: str) -> ServiceError:
    """403: the caller's role on a shared scene does not include the needed role."""
    sentence = f"Your role on this scene is {role}; this needs the role {needed}."
    return ServiceError("role_forbidden", sentence, extra={"role": role})


def account_is_gone() -> ServiceError:
    """401: the account was deleted during the request."""
    return ServiceError("invalid_api_key", "This API key is not known.")


def scene_too_large(elements: int, most: int) -> ServiceError:
    """413: more elements than a caller without a key may have drawn or checked."""
    return ServiceError(
        "scene_too_large",
        f"The scene has {elements} elements; without an API key at most {most} are taken. "
        "With a key (Authorization: Bearer <API_KEY>) the published limits hold.",
    )


def scene_not_found() -> ServiceError:
    """404: missing, deleted, another owner's, or an impossible id; indistinguishable on purpose."""
    return ServiceError("scene_not_found", "There is no such scene.")


def not_yet_there(at: datetime) -> ServiceError:
    """404: the scene was created later."""
    return ServiceError("revision_not_found", f"The scene had no revision at {at.isoformat()}; it was created later.")


def revision_not_found(current: int) -> ServiceError:
    """404: the scene exists, the revision does not."""
    return ServiceError(
        "revision_not_found",
        f"The scene has no such revision; its revisions are 1 to {current}.",
        extra={"currentRevision": current},
    )


# Possible scene ids. An impossible id is never looked up, and gets the same answer as a missing scene.

_POSSIBLE = re.compile(SCENE_ID.pattern)


def is_possible(scene_id: str) -> bool:
    """Whether a scene can have this id."""
    return _POSSIBLE.fullmatch(scene_id) is not None


def require_possible(scene_id: str) -> None:
    """Raises scene_not_found for an impossible id."""
    if not is_possible(scene_id):
        raise scene_not_found()
