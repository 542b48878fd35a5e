# ruff: noqa: INP001 (Python looks for it by its name alone)
"""Imported at the start of an earlier version's server (by PYTHONPATH): appends the statements of its store, with their
parameters, to the file RECORD_STATEMENTS as long as that file exists."""

from __future__ import annotations

import base64
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

FILE = Path(os.environ["RECORD_STATEMENTS"])


def _told(wrapped: object) -> object:
    value = getattr(wrapped, "obj", wrapped)  # of psycopg's Binary
    if isinstance(value, bytes | memoryview):
        return {"bytes": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    raise TypeError(f"a parameter of type {type(value).__name__}")


def _record(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
    if FILE.exists():
        line = {"statement": statement, "parameters": parameters}
        with FILE.open("a") as file:
            file.write(json.dumps(line, default=_told) + "\n")


event.listen(Engine, "before_cursor_execute", _record)
