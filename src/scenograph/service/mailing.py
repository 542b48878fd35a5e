"""Mail leaves in the background: whoever signs up waits for no mail server, and learns nothing from how long it takes.

What cannot be sent now is tried again a few times; what is waiting when the service stops gets one more try and is then
given up, for only hashes of its tokens are kept. The owner can ask for another mail.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Sequence
from email.message import EmailMessage
from itertools import count
from typing import NamedTuple, Protocol

import structlog

RETRY_SECONDS = (5.0, 60.0, 600.0)
MOST_WAITING = 1000

_log = structlog.get_logger(__name__)


class MailRefused(Exception):  # noqa: N818 - states of the world, as StorageUnavailable
    """No server will ever take this mail."""


class MailUnavailable(Exception):  # noqa: N818
    """It could not be handed over now."""


class Transport(Protocol):
    """How a mail leaves."""

    def send(self, letter: EmailMessage) -> None:
        """Hand it over. MailRefused, MailUnavailable."""
        ...


class LogTransport:
    """Where no mail server is configured, mails are written to the log: for trying out."""

    def send(self, letter: EmailMessage) -> None:
        """The text as a log line. It holds the link, and with it the token."""
        _log.warning("mail_not_sent_but_logged", to=str(letter["To"]), text=str(letter.get_content()))


class _Waiting(NamedTuple):
    due: float
    number: int
    tries: int
    subject: str
    letter: EmailMessage


class Outbox:
    """Sends in one thread, from its making until `begin_closing`. `retry_seconds` are the pauses before further
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
        """Send it soon. `about` is what the log may say of it: an account's id, never an address."""
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                self.failed += 1
                _log.error("mail_given_up", account=about, reason="too many are waiting")
                return
            self._put(time.monotonic(), 0, about, letter)
            self._changed.notify()

    def begin_closing(self, seconds: float) -> None:
        """Give what waits one more try within so many seconds; then stop."""
        with self._changed:
            self._closing_until = time.monotonic() + seconds
            self._changed.notify()

    def join(self, seconds: float) -> None:
        """Wait for the end, but no longer than that."""
        self._thread.join(max(seconds, 0.0))

    def _run(self) -> None:
        while (next_one := self._next()) is not None:
            self._try(next_one)

    def _next(self) -> _Waiting | None:
        """The mail that is due, once one is; None when it is time to stop."""
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
        except Exception as fault:  # one bad mail must not end the thread that sends all others
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
