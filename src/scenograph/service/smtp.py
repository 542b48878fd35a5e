"""Mail over SMTP (RFC 5321) with TLS: from the first byte (smtps://) or by STARTTLS (smtp://, RFC 3207).

A password never travels in the clear unless the address says `?starttls=never` or the server is on this machine.
"""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import localtime
from urllib.parse import parse_qs, unquote, urlsplit

from scenograph.late_dataclasses import dataclass
from scenograph.service.mailing import MailRefused, MailUnavailable

SMTP, SMTPS = "smtp", "smtps"
PORTS = {SMTP: 25, SMTPS: 465}
STARTTLS_CHOICES = ("offered", "always", "never")
SECONDS = 10.0
PERMANENT = 500
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpServer:
    """Where mail is handed in. `starttls` is one of STARTTLS_CHOICES; `tls` is TLS from the first byte."""

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
    """The server in smtp://user:password@host:port?starttls=… or smtps://…; ValueError when it names none."""
    parts = urlsplit(url)
    query = parse_qs(parts.query, strict_parsing=bool(parts.query))
    starttls = query.pop("starttls", ["offered"])[-1]
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or query:
        raise ValueError("not the address of a mail server")
    if starttls not in STARTTLS_CHOICES:
        raise ValueError(f"starttls must be one of: {', '.join(STARTTLS_CHOICES)}")
    return SmtpServer(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        tls=parts.scheme == SMTPS,
        starttls=starttls,
    )


class SmtpTransport:
    """Hands each mail to one server, over a connection of its own."""

    def __init__(self, server: SmtpServer, seconds: float = SECONDS) -> None:
        self._server = server
        self._seconds = seconds

    def send(self, letter: EmailMessage) -> None:
        """MailRefused when the server will never take it, MailUnavailable when it may later. Neither quotes what the
        server said: it may repeat the address."""
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
            fault = MailRefused if codes and min(codes) >= PERMANENT else MailUnavailable
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
        """STARTTLS where it is offered and not forbidden; MailUnavailable where it is needed and not offered."""
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
