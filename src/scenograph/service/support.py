"""Submissions to support: the owner's side and the supporters' (R-SUP-1, R-SUP-3).

A submission is a snapshot. Anonymized, it is made before anything is kept: what supporters read never held the words.
"""

from __future__ import annotations

import json
import re
import secrets
from datetime import datetime
from typing import Any

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import SUPPORT as SUPPORT_ROLE
from scenograph.service.accounts import Caller
from scenograph.service.clock import Clock
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError, require_possible
from scenograph.service.lifecycle import TRANSITIONS, refused
from scenograph.service.paging import DEFAULT_PAGE, ListPage, page_of, start_of
from scenograph.service.render_requests import read_value
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import (
    Conflict,
    NewSubmission,
    PageStart,
    Store,
    SubmissionEntry,
    SupportView,
    WrongState,
)
from scenograph.wire.members import ANONYMIZE, PROBLEM

ID_BYTES = 12
ATTEMPTS = 5  # edits tolerated between reading a scene and submitting it
BUSY_RETRY_SECONDS = 1.0
_POSSIBLE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """A scene is with support now."""

    scene_id: str
    submitted_at: datetime
    anonymized: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSubmission:
    """A submission as read by supporters."""

    entry: SubmissionEntry
    document: dict[str, Any]


class Support:
    """Submitting scenes, and reading submissions; `documents` masks anonymous ones."""

    def __init__(self, store: Store, scenes: Scenes, clock: Clock, documents: Documents) -> None:
        self._store = store
        self._scenes = scenes
        self._clock = clock
        self._documents = documents

    def submit(self, owner: str, scene_id: str, problem: object, anonymize: object) -> Submitted:
        """Submit a snapshot of the latest revision to support, in place of an earlier submission. Raises
        invalid_request, scene_not_found and, when masking, the engine's refusals."""
        wanted, hidden = _problem(problem), read_value(ANONYMIZE.name, ANONYMIZE.schema, anonymize)
        for _ in range(ATTEMPTS):
            read = self._scenes.read(owner, scene_id)
            new = NewSubmission(
                id=f"sub_{secrets.token_hex(ID_BYTES)}",
                revision=read.revision,
                problem=wanted,
                anonymized=hidden,
                document=self._documents.masked(read.source) if hidden else read.source.text,
            )
            now = self._clock()
            done = self._store.submit_to_support(owner, scene_id, new, TRANSITIONS["submit"].sources, now)
            if done is True:
                return Submitted(scene_id=scene_id, submitted_at=now, anonymized=hidden)
            if not isinstance(done, Conflict):
                raise refused("submit", done.state if isinstance(done, WrongState) else None)
        raise ServiceError(
            "overloaded", "The scene is being edited; try again in a moment.", retry_after=BUSY_RETRY_SECONDS
        )

    def views(self, owner: str, scene_id: str) -> tuple[SupportView, ...]:
        """Who looked at the scene's submissions and when, the latest first. scene_not_found."""
        require_possible(scene_id)
        views = self._store.support_views(owner, scene_id)
        if views is None:
            raise refused("submit", None)
        return views

    def submissions(
        self, caller: Caller, limit: int = DEFAULT_PAGE, after: str | None = None
    ) -> ListPage[SubmissionEntry]:
        """A page of the submissions, the latest first; the look is logged. forbidden without the support role,
        invalid_request for a cursor that no page gave."""
        _require_supporter(caller)
        found = self._store.submissions(caller.account_id, self._clock(), limit + 1, start_of(after))
        return page_of(found, limit, lambda entry: PageStart(at=entry.submitted_at, id=entry.id))

    def submission(self, caller: Caller, submission_id: str) -> ReadSubmission:
        """A submission; the view is logged for the scene's owner. Raises forbidden, not_found."""
        _require_supporter(caller)
        possible = _POSSIBLE_ID.fullmatch(submission_id)
        found = self._store.submission(submission_id, caller.account_id, self._clock()) if possible else None
        if found is None:
            raise ServiceError("not_found", "There is no such submission; it may have been withdrawn.")
        return ReadSubmission(entry=found.entry, document=json.loads(found.document))


def _require_supporter(caller: Caller) -> None:
    if caller.role != SUPPORT_ROLE:
        raise ServiceError("forbidden", "Only supporters may see what is submitted to support.")


def _problem(value: object) -> str:
    return read_value(PROBLEM.name, PROBLEM.schema, value.strip() if isinstance(value, str) else value)
