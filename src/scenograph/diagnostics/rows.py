"""What a code, a remark and a report are.

A stage takes a `Report` and adds to it; nobody removes from it. A fault of the engine's own that a remark stands for is
told without its message.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from scenograph.late_dataclasses import dataclass, field


class Severity(StrEnum):
    """How much a diagnostic weighs: only `error` stops a scene from being stored."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


MEMBER, OPERATION = "the member", "/ops/<index>/…"
ELEMENTS, DOCUMENT = "/elements", "the document"
ELEMENT, NOWHERE = "elementId instead", "none"


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the table: the name, the weight, the sentence with its `{holes}`; when it is said, where its `path`
    leads (in the words of the reference), and which members its `data` may have."""

    name: str
    severity: Severity
    wording: str
    when: str = field(kw_only=True)
    path: str = field(default=MEMBER, kw_only=True)
    data: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One remark. `path` is a JSON pointer into the document; `data` holds plain JSON values. `fault` is the error of
    the engine's own that led to it, for the log alone."""

    code: str
    severity: Severity
    message: str
    path: str | None = None
    element_id: str | None = None
    data: Mapping[str, Any] | None = None
    fault: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The wire form (R-DIAG-1): members that are unset are left out."""
        known = {"code": self.code, "severity": self.severity.value, "message": self.message}
        optional = {"path": self.path, "elementId": self.element_id, "data": self.data}
        return known | {name: value for name, value in optional.items() if value is not None}


def wire_form(rows: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Each of them as JSON."""
    return [row.as_json() for row in rows]


FRAMES = 8  # of the calls that led to a fault, the innermost


def whereabouts(fault: BaseException) -> str:
    """The kind of a fault and the calls that led to it, innermost first, without its message: that may quote a
    scene."""
    frames = reversed(traceback.extract_tb(fault.__traceback__)[-FRAMES:])
    calls = (f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    return f"{type(fault).__name__} at {' < '.join(calls)}"


@dataclass(slots=True)
class Report:
    """An append-only list of diagnostics that the stages share."""

    _rows: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(
        self,
        code: Code,
        *,
        path: str | None = None,
        element_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        fault: str | None = None,
        **holes: object,
    ) -> None:
        """Append one remark; `holes` fill the wording of `code`."""
        message = code.wording.format(**holes)
        self._rows.append(Diagnostic(code.name, code.severity, message, path, element_id, data, fault))

    def extend(self, rows: Iterator[Diagnostic] | list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
        """Append remarks made elsewhere."""
        self._rows.extend(rows)

    def __len__(self) -> int:
        """How many remarks were made so far."""
        return len(self._rows)

    @property
    def rows(self) -> tuple[Diagnostic, ...]:
        """What was said so far, in the order it was said."""
        return tuple(self._rows)

    @property
    def has_errors(self) -> bool:
        """Whether any remark forbids storing the scene."""
        return any(row.severity is Severity.ERROR for row in self._rows)
