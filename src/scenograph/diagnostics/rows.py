"""Codes, diagnostics and reports. A stage takes a `Report` and only appends to it. An internal fault of the engine
behind a diagnostic is recorded without its message."""

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
    """A row: name, severity, and wording with `{holes}`; the occasion `when`, the target of its `path` (in the words of
    the reference), and the members of its `data`."""

    name: str
    severity: Severity
    wording: str
    when: str = field(kw_only=True)
    path: str = field(default=MEMBER, kw_only=True)
    data: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A remark. `path` is a JSON pointer into the document; `data` holds plain JSON values. `fault` is the internal
    error behind the remark, for the log alone."""

    code: str
    severity: Severity
    message: str
    path: str | None = None
    element_id: str | None = None
    data: Mapping[str, Any] | None = None
    fault: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The wire form (R-DIAG-1), without unset members."""
        known = {"code": self.code, "severity": self.severity.value, "message": self.message}
        optional = {"path": self.path, "elementId": self.element_id, "data": self.data}
        return known | {name: value for name, value in optional.items() if value is not None}


def wire_form(rows: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """The diagnostics as JSON."""
    return [row.as_json() for row in rows]


FRAMES = 8  # of a fault's call stack, the innermost


def whereabouts(fault: BaseException) -> str:
    """The type of a fault and its call stack, innermost first. The message, which may quote a scene, is left out."""
    frames = reversed(traceback.extract_tb(fault.__traceback__)[-FRAMES:])
    calls = (f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    return f"{type(fault).__name__} at {' < '.join(calls)}"


@dataclass(slots=True)
class Report:
    """An append-only list of diagnostics, shared by the stages."""

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
        """Append a remark; `holes` fill the wording of `code`."""
        message = code.wording.format(**holes)
        self._rows.append(Diagnostic(code.name, code.severity, message, path, element_id, data, fault))

    def extend(self, rows: Iterator[Diagnostic] | list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
        """Append remarks made elsewhere."""
        self._rows.extend(rows)

    def __len__(self) -> int:
        """The number of remarks."""
        return len(self._rows)

    @property
    def rows(self) -> tuple[Diagnostic, ...]:
        """The remarks, in order."""
        return tuple(self._rows)

    @property
    def has_errors(self) -> bool:
        """Whether any remark forbids storing the scene."""
        return any(row.severity is Severity.ERROR for row in self._rows)
