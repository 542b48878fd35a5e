"""The members of a request's body, read by their rows in `wire/members.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenograph.service.refusals import invalid_request
from scenograph.wire.members import Member, Schema, holds, requirement


def read_value(name: str, schema: Schema, value: object) -> Any:
    """The value; invalid_request names the member and says what it must be."""
    if not holds(schema, value):
        raise invalid_request(f"{name} must be {requirement(schema)}.")
    return value


def read_member(body: Mapping[str, Any], member: Member, default: Any = None) -> Any:
    """A member of a body, `default` where it is left out."""
    value = body.get(member.name, default)
    return value if value is default else read_value(member.name, member.schema, value)


def read_required(body: Mapping[str, Any], member: Member) -> Any:
    """A member that a body must have."""
    return read_value(member.name, member.schema, body.get(member.name))
