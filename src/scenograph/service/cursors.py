"""Page cursors: time and id of the last row, in base64. Opaque to clients, and holding only what the page showed."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import UTC, datetime

from scenograph.service.errors import invalid_request

DEFAULT_PAGE = 100
LARGEST_PAGE = 500
_SEPARATOR = "|"
_NAME = re.compile(r"[!-~]{1,257}")


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
        raise _bad_cursor() from None
    if not separator or time.tzinfo is None or not _NAME.fullmatch(name):
        raise _bad_cursor()
    return moment, name


def _bad_cursor() -> Exception:
    return invalid_request("cursor must be the nextCursor of an earlier page.")
