"""Refusals of the library; each carries the diagnostics that say why."""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.diagnostics import Diagnostic, Severity

MOST_TOLD = 5  # errors in the text of an exception


class _RefusalError(Exception):
    def __init__(self, diagnostics: Sequence[Diagnostic], opening: str = "") -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [row for row in self.diagnostics if row.severity is Severity.ERROR]
        rows = [f"{row.message} (at {row.path or '/'})" for row in errors[:MOST_TOLD]]
        more = [f"… and {len(errors) - MOST_TOLD} more"] if len(errors) > MOST_TOLD else []
        super().__init__("\n".join(filter(None, (opening, *rows, *more))))


class SourceError(_RefusalError):
    """An unreadable source or an invalid document. `diagnostics` name each fault and its place."""


class OperationError(_RefusalError):
    """A refused batch of operations; the scene is unchanged. `diagnostics` name each fault and its place
    (`/ops/0/id`)."""
