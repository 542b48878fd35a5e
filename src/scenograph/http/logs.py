"""Structured log lines on stderr: JSON for machines, plain for a terminal. Lines carry the ids of request
and account, never a key, a scene's text or an exception's message (which may quote either)."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import cast

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_FRAMES_SHOWN = 12
OURS = "scenograph"
ACCOUNT = "account"  # of a log line: the id of the account that the request acts for


def configure(level: str, style: str) -> None:
    """Set up the process's log: `level` is a key of LEVELS, `style` json, console or auto."""
    readable = style == "console" or (style == "auto" and sys.stderr.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _places_of_faults,
    ]
    colors = sys.stderr.isatty()
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=colors) if readable else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(LEVELS[level], logging.WARNING))  # what libraries say of their own accord
    logging.getLogger(OURS).setLevel(LEVELS[level])


def _places_of_faults(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace an exception by type and frames."""
    record = event.get("_record")
    info: object = event.pop("exc_info", None) or getattr(record, "exc_info", None)
    if info is True:
        info = sys.exc_info()
    fault = cast("tuple[object, ...]", info)[1] if isinstance(info, tuple) else info
    if isinstance(fault, BaseException):
        event["fault"] = type(fault).__name__
        event["at"] = places_of(fault)
        if record is not None:
            record.exc_info = record.exc_text = None
    return event


def places_of(fault: BaseException) -> list[str]:
    """The frames of a fault, innermost last: `file:line function`."""
    frames = traceback.extract_tb(fault.__traceback__)[-_FRAMES_SHOWN:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
