"""Sessions of browsers: opened by a sign-in, carried by a cookie, ended by signing out (R-SESSION-1, R-SESSION-3).

The token is known to the browser alone; the store has its SHA-256. A token is long and random, which makes a plain hash
safe against search.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import Caller, caller_of, require_not_suspended
from scenograph.service.clock import Clock
from scenograph.service.errors import account_is_gone
from scenograph.storage.interface import Account, SessionRecord, Store

SESSION_LIFE = timedelta(days=30)
TOKEN_BYTES = 32
ID_BYTES = 8
_POSSIBLE_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session with its token, which is known only at this moment."""

    token: str
    seconds: int


class Sessions:
    """The signed-in browsers of all accounts."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def open(self, account: Account, replaced: str | None) -> NewSession:
        """Sign a browser in, under a fresh token; the session of the token `replaced` ends. Raises account_suspended,
        and invalid_api_key for an account deleted meanwhile."""
        require_not_suspended(account)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        now = self._clock()
        session = SessionRecord(
            id=f"ses_{secrets.token_hex(ID_BYTES)}",
            account_id=account.id,
            created_at=now,
            expires_at=now + SESSION_LIFE,
        )
        try:
            self._store.open_session(session, _hash(token), None if replaced is None else _hash(replaced))
        except LookupError:
            raise account_is_gone() from None
        return NewSession(token=token, seconds=int(SESSION_LIFE.total_seconds()))

    def authenticate(self, token: str) -> Caller | None:
        """The caller for a token; None for an unknown, ended or expired session. Raises account_suspended."""
        if not _POSSIBLE_TOKEN.fullmatch(token):
            return None
        found = self._store.session_by_hash(_hash(token), self._clock())
        if found is None:
            return None
        session, account = found
        return caller_of(account, key_id=session.id, by_session=True)

    def end(self, caller: Caller) -> int:
        """Sign the caller's browser out; the number of ended sessions, 0 for a caller with a key."""
        if not caller.by_session or caller.key_id is None:
            return 0
        return int(self._store.end_session(caller.account_id, caller.key_id))

    def end_all(self, account_id: str) -> int:
        """Sign all browsers of an account out; the number of ended sessions."""
        return self._store.end_sessions(account_id)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
