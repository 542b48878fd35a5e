"""What a connection gets that does not speak HTTP: our own refusal, where the server would answer in plain text."""

from __future__ import annotations

import uuid

import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from scenograph.http.problems import Problem, problem_response

_log = structlog.get_logger("scenograph.access")


class RefusingProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with every reply in the same form."""

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read and close; nothing is said into the middle of a reply."""
        half_sent = self.cycle and self.cycle.response_started and not self.cycle.response_complete
        if not half_sent:
            request_id = uuid.uuid4().hex
            _log.info("unreadable_request", request_id=request_id, status=400)
            self.transport.write(_refusal(request_id))
        self.transport.close()


def _refusal(request_id: str) -> bytes:
    sentence = "This is not an HTTP request that can be read."
    reply = problem_response(Problem("invalid_request", sentence), request_id)
    reply.headers["X-Request-Id"] = request_id
    reply.headers["X-Content-Type-Options"] = "nosniff"
    reply.headers["Connection"] = "close"
    lines = (b"HTTP/1.1 400 Bad Request", *(name + b": " + value for name, value in reply.raw_headers))
    return b"".join(line + b"\r\n" for line in lines) + b"\r\n" + bytes(reply.body)
