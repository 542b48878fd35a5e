"""Pages of lists: some rows, and a cursor to the next page.

A cursor is the time and the id of the last row, in base64: opaque to clients, without anything not shown on the page.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Generic, TypeVar

from scenograph.late_dataclasses import dataclass
from scenograph.service.errors import invalid_request

T = TypeVar("T")
DEFAULT_PAGE = 100
LARGEST_PAGE = 500
_SEPARATOR = "|"
_NAME = re.compile(r"[!-~]{1,257}")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows of a list; `next_cursor` is None on the last page."""

    items: tuple[T, ...]
    next_cursor: str | None


def page_of(found: Sequence[T], limit: int, mark: Callable[[T], tuple[datetime, str]]) -> Page[T]:
    """The first `limit` rows; a further row tells of a next page. `mark`: the time and the id of a row."""
    items = tuple(found[:limit])
    return Page(items, cursor(*mark(items[-1])) if len(found) > limit else None)


def cursor(at: datetime, name: str) -> str:
    """The cursor of the last row of a page."""
    return base64.urlsafe_b64encode(f"{at.isoformat()}{_SEPARATOR}{name}".encode()).decode("ascii").rstrip("=")


def place(text: str) -> tuple[datetime, str]:
    """The time and the id in a cursor. Raises invalid_request for a cursor that no page gave."""
    try:
        plain = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode()
        at, separator, name = plain.partition(_SEPARATOR)
        time = datetime.fromisoformat(at)
        moment = time.astimezone(UTC)
    except (binascii.Error, ValueError, OverflowError):  # UnicodeError is a ValueError
        raise _badcursor() from None
    if not separator or time.tzinfo is None or not _NAME.fullmatch(name):
        raise _badcursor()
    return moment, name


def _badcursor() -> Exception:
    return invalid_request("cursor must be the nextCursor of an earlier page.")
