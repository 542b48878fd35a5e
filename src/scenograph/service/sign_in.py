"""Sign-in by a mailed link (R-SESSION-2, R-SESSION-5).

The answer to a request for a link is the same for every address, and takes the same reads and writes: a link for an
address without a verified account is kept as well, belongs to nobody and is mailed to nobody. An account whose address
is not verified gets no link: a stranger may have opened the account, and would hold its key.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta
from urllib.parse import urlencode

from scenograph.service.accounts import normalized
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError
from scenograph.service.mailing import Desk, Post, invitation
from scenograph.service.rate_limits import RateLimits, TooManyRequestsError
from scenograph.storage.interface import Account, Store

SIGN_IN_PATH = "/accounts/sign-in"
LINK_LIFE = timedelta(minutes=15)
TOKEN_BYTES = 32
_POSSIBLE_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class SignInLinks:
    """Links that sign in, mailed to verified addresses."""

    def __init__(self, store: Store, clock: Clock, limits: RateLimits, post: Post, desk: Desk) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._post = post
        self._desk = desk

    @property
    def are_offered(self) -> bool:
        """Whether links are mailed on this service."""
        return self._desk.mails_links

    def ask(self, email: object, host: str) -> None:
        """Mail a link to an address with a verified account, for a caller at `host`. Raises forbidden where no links
        are mailed, invalid_request, rate_limited."""
        if not self.are_offered:
            raise ServiceError("forbidden", "This service mails no links; sign in with an API key.")
        address = normalized(email)
        verdict = self._limits.of_sign_in(host)
        if verdict is not None and not verdict.state.allowed:
            sentence = f"At most {verdict.allowance.burst} links an hour are mailed for a network."
            raise TooManyRequestsError(sentence, verdict)
        self.mail(self._store.verified_member(address), address, host)

    def mail(self, account: Account | None, address: str, host: str) -> None:
        """Keep a link and, for an account that is not suspended, mail the link. Beyond the limits of a mailbox nothing
        is mailed, silently: a refusal would tell of others' requests."""
        admitted = [self._limits.of_links_from(host, address), self._limits.of_links_to(address)]
        opens = account is not None and account.suspended_at is None
        if not opens or any(verdict is not None and not verdict.state.allowed for verdict in admitted):
            account = None
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._store.add_sign_in_token(_hash(token), account.id if account else None, self._clock())
        if account is not None:
            link = f"{self._desk.site}{SIGN_IN_PATH}?{urlencode({'token': token})}"
            self._post(invitation(self._desk.sender, address, link), account.id)

    def use(self, token: object) -> Account:
        """Use up a link's token; the account to sign in. Raises invalid_token for an unknown, used or expired token."""
        text = token.strip() if isinstance(token, str) else ""
        possible = _POSSIBLE_TOKEN.fullmatch(text)
        used = self._store.use_sign_in_token(_hash(text), self._clock() - LINK_LIFE) if possible else None
        account = self._store.account(used.account_id) if used and used.account_id else None
        if account is None:
            raise ServiceError(
                "invalid_token", "This token is not known: it was used already, or it is older than 15 minutes."
            )
        return account


def _hash(token: str) -> str:
    return hashlib.sha256(f"link {token}".encode()).hexdigest()
