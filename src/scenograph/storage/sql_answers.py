"""Answers kept for repeated requests, as statements.

A row is first a reservation (no status yet), then the answer. The primary key decides which of two equal requests at
once makes the reservation; the time it was made names it, so that one that was taken over is not written any more.
"""

from __future__ import annotations

import json
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update

from scenograph.storage.connections import Connections, ConstraintBroken, repeated
from scenograph.storage.interface import StorageUnavailable
from scenograph.storage.records import AnswerTimes, KeptAnswer
from scenograph.storage.schema import kept_answers

ATTEMPTS = 3  # a row that stood in the way may be gone before it is looked at

_TIME = kept_answers.c.began_at.type
_FOUND = select(kept_answers.c.fingerprint, kept_answers.c.status, kept_answers.c.headers, kept_answers.c.body).where(
    kept_answers.c.owner_id == bindparam("owner"), kept_answers.c.key == bindparam("name")
)
_RESERVATION = and_(
    kept_answers.c.owner_id == bindparam("owner"),
    kept_answers.c.key == bindparam("name"),
    kept_answers.c.began_at == bindparam("began", type_=_TIME),
    kept_answers.c.status.is_(None),
)
_EXPIRED = and_(
    kept_answers.c.owner_id == bindparam("owner"),
    kept_answers.c.key == bindparam("name"),
    or_(
        kept_answers.c.began_at <= bindparam("kept_since", type_=_TIME),
        and_(kept_answers.c.status.is_(None), kept_answers.c.began_at <= bindparam("reserved_since", type_=_TIME)),
    ),
)
_KEEP = (
    update(kept_answers)
    .where(_RESERVATION)
    .values(status=bindparam("answered"), headers=bindparam("told"), body=bindparam("content"))
)


class Answers(Connections):
    """Part of the store: what was answered to requests that may be sent again."""

    @repeated
    def begin_answer(
        self, owner: str, key: str, fingerprint: str, at: datetime, times: AnswerTimes
    ) -> KeptAnswer | None:
        """Remove what has expired under the key and insert, in one transaction; look who holds the key only when that
        fails."""
        row = {"owner_id": owner, "key": key, "fingerprint": fingerprint, "began_at": at}
        bounds = {"kept_since": at - times.kept, "reserved_since": at - times.reserved}
        expired: dict[str, object] = {"owner": owner, "name": key, **bounds}
        for _ in range(ATTEMPTS):
            try:
                with self._write() as connection:
                    connection.execute(delete(kept_answers).where(_EXPIRED), expired)
                    connection.execute(insert(kept_answers), row)
            except ConstraintBroken:
                found = self._row(_FOUND, owner=owner, name=key)
                if found is not None:
                    return KeptAnswer(
                        fingerprint=found.fingerprint,
                        status=found.status,
                        body=found.body or b"",
                        headers=json.loads(found.headers or "{}"),
                    )
            else:
                return None
        raise StorageUnavailable("the database refuses a reservation, yet nobody holds its key")

    @repeated
    def keep_answer(self, owner: str, key: str, began_at: datetime, answer: KeptAnswer) -> None:
        """Only over one's own reservation."""
        told = {"answered": answer.status, "told": json.dumps(dict(answer.headers)), "content": answer.body}
        own: dict[str, object] = {"owner": owner, "name": key, "began": began_at}
        with self._write() as connection:
            connection.execute(_KEEP, own | told)

    @repeated
    def forget_answer(self, owner: str, key: str, began_at: datetime) -> None:
        """Only one's own reservation."""
        with self._write() as connection:
            connection.execute(
                delete(kept_answers).where(_RESERVATION), {"owner": owner, "name": key, "began": began_at}
            )
