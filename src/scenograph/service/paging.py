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
from scenograph.storage.interface import PageStart

T = TypeVar("T")
DEFAULT_PAGE = 100
LARGEST_PAGE = 500
_SEPARATOR = "|"
_OWNER = "/"  # before the owner of a shared scene; no id holds a slash
_NAME = re.compile(r"[!-~]{1,257}")


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """Some rows of a list; `next_cursor` is None on the last page."""

    items: tuple[T, ...]
    next_cursor: str | None


def page_of(found: Sequence[T], limit: int, start: Callable[[T], PageStart]) -> ListPage[T]:
    """The first `limit` rows; a further row tells of a next page. `start`: the page start after a row."""
    items = tuple(found[:limit])
    return ListPage(items, cursor(start(items[-1])) if len(found) > limit else None)


def cursor(start: PageStart) -> str:
    """The cursor to the page after a row."""
    name = f"{start.id}{_OWNER}{start.owner}" if start.owner else start.id
    return base64.urlsafe_b64encode(f"{start.at.isoformat()}{_SEPARATOR}{name}".encode()).decode("ascii").rstrip("=")


def start_of(text: str | None) -> PageStart | None:
    """The page start in a cursor; None without a cursor. Raises invalid_request for a cursor that no page gave."""
    if text is None:
        return None
    try:
        plain = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode()
        at, separator, name = plain.partition(_SEPARATOR)
        time = datetime.fromisoformat(at)
        moment = time.astimezone(UTC)
    except (binascii.Error, ValueError, OverflowError):  # UnicodeError is a ValueError
        raise _bad_cursor() from None
    if not separator or time.tzinfo is None or not _NAME.fullmatch(name):
        raise _bad_cursor()
    row, _, owner = name.partition(_OWNER)
    return PageStart(at=moment, id=row, owner=owner)


def _bad_cursor() -> Exception:
    return invalid_request("cursor must be the nextCursor of an earlier page.")
