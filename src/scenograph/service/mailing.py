"""Mail leaves in the background: whoever signs up waits for no mail server, and learns nothing from how long it takes.

What cannot be sent now is tried again a few times; what is waiting when the service stops gets one more try and is then
given up, for only hashes of its tokens are kept. The owner can ask for another mail.
"""

from __future__ import annotations

import heapq
import smtplib
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from itertools import count
from typing import NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

import structlog

from scenograph.late_dataclasses import dataclass

# The mails: plain text, a single link, nothing of the service that the reader does not need.


_VERIFICATION = """\
Hello,

somebody, we think you, signed up to Scenograph with this address. Open this link and confirm:

{link}

It works once, within 24 hours. The account it verifies is {account}; its key was shown when it was made.

If it was not you, do nothing: the account stays unverified, and nothing else happens.
"""


_SIGN_IN = """\
Hello,

somebody, we think you, wants to sign in to Scenograph with this address. Open this link and confirm:

{link}

It works once, within 15 minutes, and signs in the browser in which you confirm.

If it was not you, do nothing: nobody is signed in, and nothing else happens.
"""


def verification(sender: str, to: str, link: str, account: str) -> EmailMessage:
    """The mail that verifies an address. `link` holds the single-use token: the mail is as secret as a key."""
    return _letter(sender, to, "Confirm your address for Scenograph", _VERIFICATION.format(link=link, account=account))


def invitation(sender: str, to: str, link: str) -> EmailMessage:
    """The mail that signs in. `link` holds the single-use token: the mail is as secret as a key."""
    return _letter(sender, to, "Sign in to Scenograph", _SIGN_IN.format(link=link))


def _letter(sender: str, to: str, subject: str, text: str) -> EmailMessage:
    letter = EmailMessage()
    letter["Subject"] = subject
    letter["From"] = sender
    letter["To"] = to
    letter["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    letter["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody's holiday note answers it
    letter.set_content(text, cte="7bit")
    return letter


RETRY_SECONDS = (5.0, 60.0, 600.0)
MOST_WAITING = 1000

_log = structlog.get_logger(__name__)


Post = Callable[[EmailMessage, str], None]  # takes a mail and its identification in the log


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The settings of mails: whether sign-up is open, whether links that sign in are mailed, the sender, and the site
    of the links."""

    is_open: bool
    sender: str
    site: str
    mails_links: bool = True


class MailRefused(Exception):  # noqa: N818 - states of the world, as StorageUnavailable
    """No server will ever take this mail."""


class MailUnavailable(Exception):  # noqa: N818
    """The mail could not be handed over at present."""


class Transport(Protocol):
    """How a mail leaves."""

    def send(self, letter: EmailMessage) -> None:
        """Hand the mail over. Raises MailRefused, MailUnavailable."""
        ...


class LogTransport:
    """Writes mails to the log, for trials without a mail server."""

    def send(self, letter: EmailMessage) -> None:
        """Log the text, including the link with its token."""
        _log.warning("mail_not_sent_but_logged", to=str(letter["To"]), text=str(letter.get_content()))


class _Waiting(NamedTuple):
    due: float
    number: int
    tries: int
    subject: str
    letter: EmailMessage


class Outbox:
    """Sends mails in a thread, from construction until `begin_closing`. `retry_seconds` are the pauses before further
    tries."""

    def __init__(self, transport: Transport, retry_seconds: Sequence[float] = RETRY_SECONDS) -> None:
        self._transport = transport
        self._pauses = tuple(retry_seconds)
        self._waiting: list[_Waiting] = []
        self._numbers = count()
        self._changed = threading.Condition()
        self._closing_until: float | None = None
        self.sent = self.failed = 0
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._thread.start()

    def post(self, letter: EmailMessage, about: str) -> None:
        """Queue a mail. `about` identifies the mail in the log: an account's id, never an address."""
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                self.failed += 1
                _log.error("mail_given_up", account=about, reason="too many are waiting")
                return
            self._put(time.monotonic(), 0, about, letter)
            self._changed.notify()

    def begin_closing(self, seconds: float) -> None:
        """Try waiting mails once more within `seconds`, then stop."""
        with self._changed:
            self._closing_until = time.monotonic() + seconds
            self._changed.notify()

    def join(self, seconds: float) -> None:
        """Wait at most `seconds` for the thread's end."""
        self._thread.join(max(seconds, 0.0))

    def _run(self) -> None:
        while (next_one := self._next()) is not None:
            self._try(next_one)

    def _next(self) -> _Waiting | None:
        """The next due mail; None when closing."""
        with self._changed:
            while True:
                now = time.monotonic()
                closing = self._closing_until
                if closing is not None and (not self._waiting or now > closing):
                    self._give_up_rest()
                    return None
                if self._waiting and (closing is not None or self._waiting[0].due <= now):
                    return heapq.heappop(self._waiting)
                self._changed.wait(self._waiting[0].due - now if self._waiting else None)

    def _try(self, mail: _Waiting) -> None:
        try:
            self._transport.send(mail.letter)
        except MailRefused as refused:
            self._fail(mail, str(refused))
        except MailUnavailable as lost:
            self._later(mail, str(lost))
        except Exception as fault:  # a bad mail must not end the thread of all mails
            self._fail(mail, type(fault).__name__)
        else:
            self.sent += 1
            _log.info("mail_sent", account=mail.subject)

    def _later(self, mail: _Waiting, reason: str) -> None:
        with self._changed:
            if mail.tries >= len(self._pauses) or self._closing_until is not None:
                self._fail(mail, reason)
                return
            pause = self._pauses[mail.tries]
            self._put(time.monotonic() + pause, mail.tries + 1, mail.subject, mail.letter)
        _log.warning("mail_delayed", account=mail.subject, reason=reason, seconds=pause)

    def _fail(self, mail: _Waiting, reason: str) -> None:
        self.failed += 1
        _log.error("mail_given_up", account=mail.subject, reason=reason)

    def _put(self, due: float, tries: int, subject: str, letter: EmailMessage) -> None:
        heapq.heappush(self._waiting, _Waiting(due, next(self._numbers), tries, subject, letter))

    def _give_up_rest(self) -> None:
        for mail in self._waiting:
            self._fail(mail, "the service stops")
        self._waiting.clear()


# Mail over SMTP (RFC 5321) with TLS: from the first byte (smtps://) or by STARTTLS (smtp://, RFC 3207). A password
# never travels in the clear unless the address says `?starttls=never` or the server is on this machine.


SMTP, SMTPS = "smtp", "smtps"
_PORTS = {SMTP: 25, SMTPS: 465}
_STARTTLS_CHOICES = ("offered", "always", "never")
SECONDS = 10.0
_PERMANENT = 500
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpServer:
    """A mail submission server. `starttls` is a value of _STARTTLS_CHOICES; `tls` means TLS from the first byte."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    tls: bool = False
    starttls: str = "offered"

    @property
    def needs_starttls(self) -> bool:
        """Whether nothing may be sent before the connection is encrypted."""
        secret_leaves = bool(self.user) and self.host not in LOOPBACK
        return not self.tls and (self.starttls == "always" or (self.starttls == "offered" and secret_leaves))


def server_of(url: str) -> SmtpServer:
    """The server in smtp://user:password@host:port?starttls=… or smtps://…. Raises ValueError for any other address."""
    parts = urlsplit(url)
    query = parse_qs(parts.query, strict_parsing=bool(parts.query))
    starttls = query.pop("starttls", ["offered"])[-1]
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or query:
        raise ValueError("not the address of a mail server")
    if starttls not in _STARTTLS_CHOICES:
        raise ValueError(f"starttls must be one of: {', '.join(_STARTTLS_CHOICES)}")
    return SmtpServer(
        host=parts.hostname,
        port=parts.port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        tls=parts.scheme == SMTPS,
        starttls=starttls,
    )


class SmtpTransport:
    """Hands mails to a server, over a new connection for each."""

    def __init__(self, server: SmtpServer, seconds: float = SECONDS) -> None:
        self._server = server
        self._seconds = seconds

    def send(self, letter: EmailMessage) -> None:
        """Raises MailRefused for a permanent refusal, MailUnavailable for a temporary one. Neither quotes the server's
        reply, which may repeat the address."""
        del letter["Date"]
        letter["Date"] = localtime()
        try:
            with self._connected() as connection:
                self._protect(connection)
                if self._server.user:
                    connection.login(self._server.user, self._server.password)
                connection.send_message(letter)
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as refused:
            codes = _codes(refused)
            fault = MailRefused if codes and min(codes) >= _PERMANENT else MailUnavailable
            raise fault(f"{type(refused).__name__} {'/'.join(map(str, codes))}") from None
        except (OSError, smtplib.SMTPException) as lost:  # a refused certificate is an OSError
            raise MailUnavailable(type(lost).__name__) from None

    def _connected(self) -> smtplib.SMTP:
        server = self._server
        if server.tls:
            return smtplib.SMTP_SSL(
                server.host, server.port, timeout=self._seconds, context=ssl.create_default_context()
            )
        return smtplib.SMTP(server.host, server.port, timeout=self._seconds)

    def _protect(self, connection: smtplib.SMTP) -> None:
        """Start TLS if offered and not forbidden. Raises MailUnavailable if required but not offered."""
        if self._server.tls or self._server.starttls == "never":
            return
        connection.ehlo()
        if connection.has_extn("starttls"):
            connection.starttls(context=ssl.create_default_context())
        elif self._server.needs_starttls:
            raise MailUnavailable("the server offers no STARTTLS")


def _codes(refused: smtplib.SMTPException) -> tuple[int, ...]:
    if isinstance(refused, smtplib.SMTPRecipientsRefused):
        return tuple(sorted(code for code, _ in refused.recipients.values()))
    return (refused.smtp_code,) if isinstance(refused, smtplib.SMTPResponseException) else ()
