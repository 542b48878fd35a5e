"""A real mail server on the loopback interface."""

from __future__ import annotations

import re
import socket
import threading
from email import message_from_bytes, policy
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope, Session

PATIENCE = 30.0


class Inbox(Controller):
    """A mail server on a port of the system's choice, and what has arrived there."""

    def __init__(self, site: str = r"https://diagrams\.example") -> None:
        self._link = re.compile(rf"^{site}(/accounts/[a-z-]+\?token=\S+)$", re.MULTILINE)
        super().__init__(self, hostname="127.0.0.1", port=0, ready_timeout=PATIENCE)
        self.letters: list[str] = []
        self.arrived = threading.Semaphore(0)

    def _trigger_server(self) -> None:
        socket.create_connection(("127.0.0.1", self.chosen_port), timeout=PATIENCE).close()

    @property
    def chosen_port(self) -> int:
        assert self.server is not None
        return int(self.server.sockets[0].getsockname()[1])

    async def handle_DATA(self, _server: Any, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        letter = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        self.letters.append("\n".join(letter.get_content().splitlines()))
        self.arrived.release()
        return "250 OK"

    def link(self) -> str:
        """The link of the next mail."""
        assert self.arrived.acquire(timeout=PATIENCE)
        found = self._link.search(self.letters[-1])
        assert found, self.letters[-1]
        return found[1]
