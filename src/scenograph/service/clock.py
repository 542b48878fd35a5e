"""What time it is: handed to the use cases, so that a test can say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The system's clock, aware and in UTC."""
    return datetime.now(UTC)
