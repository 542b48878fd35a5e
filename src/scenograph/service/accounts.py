"""Who calls, and the accounts that nobody signs up for: the operator's, the supporters', the local owner's.

An account is an owner of keys and scenes (R-KEY-6). The seeded ones have fixed ids, so that a restart
finds them, and scenes outlive a key that is exchanged.
"""

from __future__ import annotations

import re
import secrets

from scenograph.late_dataclasses import dataclass
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, invalid_request
from scenograph.storage.interface import Account, AccountDeletion, AccountEntry, Store
from scenograph.wire.limits import EMAIL_LENGTH

# E-mail addresses as they are kept: one form for all ways to write the same one. Accepted is what browsers accept
# (HTML Living Standard, "valid e-mail address"), with a dot in the domain and within the lengths of RFC 5321;
# nothing of it can end a header line. Domains with letters beyond ASCII become their IDNA form.


MAX_LOCAL = 64
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+{_LABEL}")


def normalized(value: object) -> str:
    """The address in lower case; invalid_request when it is none that mail can be sent to."""
    text = value.strip() if isinstance(value, str) else ""
    local, _, domain = text[: 2 * EMAIL_LENGTH].lower().rpartition("@")
    domain = _ascii(domain)
    address = f"{local}@{domain}"
    possible = _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain)
    if not possible or len(local) > MAX_LOCAL or len(address) > EMAIL_LENGTH or len(text) > EMAIL_LENGTH:
        raise invalid_request(
            f"email must be an address such as ann@example.org, of at most {EMAIL_LENGTH} characters."
        )
    return address


def _ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


MEMBER, SUPPORT = "member", "support"
SEEDED_IDS = {MEMBER: "operator", SUPPORT: "support"}
LOCAL_ID = "local"
ID_BYTES = 12
DELETED_AT_ONCE = 100  # scenes a step, so that nobody waits long behind it


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whom a request acts for. `key_id` is None where no key was asked for (AUTH_DISABLED)."""

    account_id: str
    email_verified: bool
    role: str
    key_id: str | None = None


class Accounts:
    """The accounts that stand by themselves, and all of them for the operator."""

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

    def all(self, email: str | None = None) -> tuple[AccountEntry, ...]:
        """Every account, or those of an address, oldest first. invalid_request for what is no address."""
        return self._store.accounts(None if email is None else normalized(email))

    def known(self, account_id: str, role: str) -> Account:
        """An account of that role by its id; not_found, invalid_request when its role is another."""
        found = self._store.account(account_id)
        if found is None:
            raise _no_such_account()
        if found.role != role:
            raise invalid_request(f"The account {account_id} has the role {found.role}.")
        return found

    def of_operator(self, role: str, email: str | None) -> Account:
        """The seeded account of a role; with an address, the one account that has it, made (and verified, for the
        operator vouches for it) when there is none. invalid_request when there are several."""
        if email is None:
            return self.seeded(role)
        found = [entry for entry in self.all(email) if entry.role == role]
        if len(found) > 1:
            raise invalid_request(f"Several accounts have this address: {', '.join(entry.id for entry in found)}.")
        if found:
            return self.known(found[0].id, role)
        now = self._clock()
        account = Account(id=new_account_id(), email=normalized(email), email_verified_at=now, role=role)
        self._store.add_account(account, now)
        return account

    def verify(self, account_id: str) -> Account:
        """Verify by hand. not_found; harmless when it is verified."""
        verified = self._store.verify_account(account_id, self._clock())
        if verified is None:
            raise _no_such_account()
        return verified

    def delete(self, account_id: str) -> None:
        """Remove an account with its keys, its scenes and its claims on addresses, for good. not_found, forbidden for
        a supporter who stands in the log."""
        while (done := self._store.delete_account(account_id, DELETED_AT_ONCE)) is AccountDeletion.MORE_TO_DO:
            pass
        if done is AccountDeletion.UNKNOWN:
            raise _no_such_account()
        if done is AccountDeletion.IN_THE_LOG:
            sentence = "The account looked at submissions, and the log of that is kept; revoke its keys instead."
            raise ServiceError("forbidden", sentence)

    def _standing(self, account_id: str, role: str) -> Account:
        found = self._store.account(account_id)
        if found is not None:
            return found
        now = self._clock()
        account = Account(id=account_id, email=None, email_verified_at=now, role=role)
        self._store.add_account(account, now)
        return account


def new_account_id() -> str:
    """An id that no account has."""
    return f"acc_{secrets.token_hex(ID_BYTES)}"


def _no_such_account() -> ServiceError:
    return ServiceError("not_found", "There is no such account.")


def caller_of(account: Account, *, key_id: str | None) -> Caller:
    """The caller that an account is."""
    return Caller(
        account_id=account.id,
        email_verified=account.email_verified_at is not None,
        role=account.role,
        key_id=key_id,
    )
