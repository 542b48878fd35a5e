"""Mail against a real SMTP server on the loopback interface: how it gets there, what it says, what happens when not."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import structlog
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session

from scenograph.service.mailing import (
    LogTransport,
    MailRefused,
    MailUnavailable,
    Outbox,
    SmtpServer,
    SmtpTransport,
    server_of,
    verification,
)

LINK = "https://diagrams.example/accounts/verify?token=" + "t" * 43
PATIENCE = 30.0


def letter(to: str = "ann@example.org") -> EmailMessage:
    return verification("scenograph@diagrams.example", to, LINK, "acc_1")


class Mailbox:
    """A handler of the server: keeps what arrives, and answers with `replies` first."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.received: list[tuple[EmailMessage, Session]] = []
        self.arrived = threading.Semaphore(0)

    async def handle_RCPT(  # noqa: N802 - the server's name for it
        self, _server: Any, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.replies:
            return self.replies.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.original_content or b""
        self.received.append((message_from_bytes(content, policy=policy.default), session))
        self.arrived.release()
        return "250 OK"


class OnAnyPort(Controller):
    """Knocks at the port that the system chose, not at the 0 that was asked for."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        socket.create_connection(self.server.sockets[0].getsockname(), timeout=PATIENCE).close()


@contextmanager
def serving(mailbox: Mailbox, *, tls_from_the_start: bool = False, **options: Any) -> Iterator[int]:
    """A server on a free port of 127.0.0.1."""
    started = OnAnyPort(
        mailbox,
        hostname="127.0.0.1",
        port=0,
        ready_timeout=PATIENCE,
        ssl_context=options.pop("context", None) if tls_from_the_start else None,
        **({"tls_context": options.pop("context")} if "context" in options else {}),
        **options,
    )
    started.start()
    try:
        assert started.server is not None
        yield started.server.sockets[0].getsockname()[1]
    finally:
        started.stop()


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's TLS for localhost, by an authority that this process trusts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    return context


def test_a_letter_arrives_as_it_was_written() -> None:
    mailbox = Mailbox()
    with serving(mailbox) as port:
        SmtpTransport(SmtpServer(host="127.0.0.1", port=port)).send(letter())
    ((received, _),) = mailbox.received
    assert (received["To"], received["From"]) == ("ann@example.org", "scenograph@diagrams.example")
    assert received["Subject"] == "Confirm your address for Scenograph"
    assert received["Date"]
    assert received["Message-ID"].endswith("@diagrams.example>")
    lines = received.get_content().splitlines()
    assert LINK in lines, "the link stands whole on a line of its own"


def test_starttls_is_used_where_it_is_offered(certified: ssl.SSLContext) -> None:
    mailbox = Mailbox()
    with serving(mailbox, context=certified) as port:
        SmtpTransport(SmtpServer(host="localhost", port=port)).send(letter())
    ((_, session),) = mailbox.received
    assert session.ssl is not None


def test_a_server_that_nobody_vouches_for_gets_no_mail() -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("localhost").configure_cert(context)
    mailbox = Mailbox()
    with serving(mailbox, context=context) as port, pytest.raises(MailUnavailable, match="SSL"):
        SmtpTransport(SmtpServer(host="localhost", port=port)).send(letter())
    assert mailbox.received == []


def test_tls_from_the_first_byte(certified: ssl.SSLContext) -> None:
    mailbox = Mailbox()
    with serving(mailbox, tls_from_the_start=True, context=certified) as port:
        SmtpTransport(server_of(f"smtps://localhost:{port}")).send(letter())
    assert len(mailbox.received) == 1


@pytest.mark.parametrize("password", ["s3cret/@:", "wrong"])
def test_user_and_password_are_handed_in_once_the_connection_is_encrypted(
    certified: ssl.SSLContext, password: str
) -> None:
    def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=(given.login, given.password) == (b"ann", b"s3cret/@:"), handled=False)

    mailbox = Mailbox()
    with serving(mailbox, context=certified, auth_required=True, authenticator=check) as port:
        server = SmtpServer(host="localhost", port=port, user="ann", password=password)
        if password == "wrong":
            with pytest.raises(MailRefused, match="535"):
                SmtpTransport(server).send(letter())
        else:
            SmtpTransport(server).send(letter())
    assert len(mailbox.received) == (password != "wrong")


def test_nothing_is_sent_in_the_clear_where_encryption_is_wanted() -> None:
    mailbox = Mailbox()
    with serving(mailbox) as port, pytest.raises(MailUnavailable, match="STARTTLS"):
        SmtpTransport(SmtpServer(host="127.0.0.1", port=port, starttls="always")).send(letter())
    assert mailbox.received == []


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example", SmtpServer(host="mail.example", port=25)),
        ("smtps://mail.example", SmtpServer(host="mail.example", port=465, tls=True)),
        ("smtp://mail.example:587/?starttls=always", SmtpServer(host="mail.example", port=587, starttls="always")),
        ("smtp://a%40b:p%2Fq@[::1]:25", SmtpServer(host="::1", port=25, user="a@b", password="p/q")),
    ],
)
def test_an_address_names_a_server(url: str, server: SmtpServer) -> None:
    assert server_of(url) == server


@pytest.mark.parametrize(
    "url", ["http://x", "smtp://", "smtp://x/inbox", "smtp://x?tls=1", "smtp://x?starttls=maybe", "smtp://x:port"]
)
def test_what_names_no_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"mail server|starttls|[Pp]ort|query"):
        server_of(url)


def test_a_password_leaves_the_machine_only_when_encrypted_unless_told_otherwise() -> None:
    needs = {
        server_of(url).needs_starttls: url
        for url in ("smtp://u:p@mail.example", "smtp://u:p@127.0.0.1", "smtp://u:p@mail.example?starttls=never")
    }
    assert needs == {True: "smtp://u:p@mail.example", False: "smtp://u:p@mail.example?starttls=never"}
    assert not server_of("smtp://mail.example").needs_starttls


def close(outbox: Outbox) -> None:
    outbox.begin_closing(PATIENCE)
    outbox.join(PATIENCE)


def test_a_server_that_does_not_answer_holds_up_no_stop() -> None:
    answers = threading.Event()

    class Silent:
        def send(self, _letter: EmailMessage) -> None:
            answers.wait(PATIENCE)

    outbox = Outbox(Silent())
    outbox.post(letter(), "acc_1")
    outbox.begin_closing(0)
    outbox.join(0)
    assert not answers.is_set(), "nobody waited for the answer"
    answers.set()
    outbox.join(PATIENCE)


@pytest.fixture
def outbox_over() -> Iterator[Callable[..., Outbox]]:
    """Makes an outbox with short pauses, and closes it."""
    made: list[Outbox] = []

    def make(transport: Any, *pauses: float) -> Outbox:
        made.append(Outbox(transport, pauses or (0.01, 0.01)))
        return made[-1]

    yield make
    for outbox in made:
        close(outbox)


def test_a_server_that_is_busy_gets_the_mail_a_little_later(outbox_over: Callable[..., Outbox]) -> None:
    mailbox = Mailbox("451 try later", "421 too busy")
    with serving(mailbox) as port:
        outbox = outbox_over(SmtpTransport(SmtpServer(host="127.0.0.1", port=port)))
        outbox.post(letter(), "acc_1")
        assert mailbox.arrived.acquire(timeout=PATIENCE)
        close(outbox)
    assert (len(mailbox.received), outbox.sent, outbox.failed) == (1, 1, 0)


def test_a_mailbox_that_does_not_exist_is_tried_once_and_said_in_the_log_without_its_address(
    outbox_over: Callable[..., Outbox],
) -> None:
    mailbox = Mailbox("550 no such user ann@example.org", "250 OK")
    with serving(mailbox) as port, structlog.testing.capture_logs() as lines:
        outbox = outbox_over(SmtpTransport(SmtpServer(host="127.0.0.1", port=port)))
        outbox.post(letter(), "acc_1")
        close(outbox)
    assert (mailbox.received, outbox.sent, outbox.failed) == ([], 0, 1)
    (line,) = lines
    assert (line["event"], line["account"], line["reason"]) == ("mail_given_up", "acc_1", "SMTPRecipientsRefused 550")
    assert "ann@" not in str(lines)


def test_a_server_that_is_gone_is_given_up_after_the_last_pause_and_the_next_mail_is_sent_all_the_same(
    outbox_over: Callable[..., Outbox],
) -> None:
    tried = threading.Semaphore(0)

    class OnceGone:
        calls = 0

        def send(self, _letter: EmailMessage) -> None:
            self.calls += 1
            tried.release()
            if self.calls <= 3:
                raise MailUnavailable("ConnectionRefusedError")

    outbox = outbox_over(OnceGone())
    outbox.post(letter(), "acc_1")
    for _ in range(3):
        assert tried.acquire(timeout=PATIENCE)
    outbox.post(letter(), "acc_2")
    assert tried.acquire(timeout=PATIENCE)
    close(outbox)
    assert (outbox.sent, outbox.failed) == (1, 1)


def test_a_port_where_nobody_listens_is_a_mail_that_cannot_be_sent_now() -> None:
    with serving(Mailbox()) as port:
        pass
    with pytest.raises(MailUnavailable, match="ConnectionRefusedError"):
        SmtpTransport(SmtpServer(host="127.0.0.1", port=port)).send(letter())


def test_what_waits_when_the_service_stops_gets_one_more_try(outbox_over: Callable[..., Outbox]) -> None:
    calls: list[str] = []
    first = threading.Event()

    class Gone:
        def send(self, _letter: EmailMessage) -> None:
            calls.append("try")
            first.set()
            raise MailUnavailable("TimeoutError")

    outbox = outbox_over(Gone(), 3600.0)
    outbox.post(letter(), "acc_1")
    assert first.wait(PATIENCE)
    close(outbox)
    assert (calls, outbox.failed) == (["try", "try"], 1)


def test_without_a_server_the_link_is_in_the_log() -> None:
    with structlog.testing.capture_logs() as lines:
        LogTransport().send(letter())
    assert lines[0]["to"] == "ann@example.org"
    assert LINK in lines[0]["text"]
