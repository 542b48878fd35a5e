"""Who calls, and the accounts that nobody signs up for: the operator's, the supporters', the local owner's.

An account is an owner of keys and scenes (decisions: section 6). The seeded ones have fixed ids, so that a restart
finds them, and scenes outlive a key that is exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from scenograph.service.clock import Clock
from scenograph.storage.interface import Account, Store

MEMBER, SUPPORT = "member", "support"
SEEDED_IDS = {MEMBER: "operator", SUPPORT: "support"}
LOCAL_ID = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whom a request acts for. `key_id` is None where no key was asked for (AUTH_DISABLED)."""

    account_id: str
    email_verified: bool
    role: str
    key_id: str | None = None


class Accounts:
    """The accounts that stand by themselves."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def seeded(self, role: str) -> Account:
        """The verified account of the operator (member) or of the supporters (support); made when missing."""
        return self._standing(SEEDED_IDS[role], role)

    def local_owner(self) -> Caller:
        """The one verified owner that every call acts as under AUTH_DISABLED; made when missing."""
        account = self._standing(LOCAL_ID, MEMBER)
        return caller_of(account, key_id=None)

    def _standing(self, account_id: str, role: str) -> Account:
        found = self._store.account(account_id)
        if found is not None:
            return found
        now = self._clock()
        account = Account(id=account_id, email=None, email_verified_at=now, role=role)
        self._store.add_account(account, now)
        return account


def caller_of(account: Account, *, key_id: str | None) -> Caller:
    """The caller that an account is."""
    return Caller(
        account_id=account.id,
        email_verified=account.email_verified_at is not None,
        role=account.role,
        key_id=key_id,
    )
