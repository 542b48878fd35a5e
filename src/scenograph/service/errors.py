"""What a use case may refuse. `http.problems` gives each code its status; the sentence is for people.

One class for all: callers tell them apart by `code`, which is the wire's code (R-HTTP-7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenograph.diagnostics import Diagnostic


class ServiceError(Exception):
    """A refusal. `extra` are further members of the error body; `retry_after` is in seconds."""

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        diagnostics: Sequence[Diagnostic] = (),
        extra: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.diagnostics = tuple(diagnostics)
        self.extra = dict(extra or {})
        self.retry_after = retry_after
