"""Revision numbers that callers send."""

from __future__ import annotations

from scenograph.service.refusals import invalid_request


def revision_number(name: str, value: object) -> int:
    """The number in a member of a body; invalid_request names the member."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise invalid_request(f"{name} must be a whole number from 1.")
    return value
