"""Addresses that an element may lead to: http, https and mailto, and nothing that a browser would run.

Browsers drop tabs and line ends from an address and read "\\" as "/"; what holds such characters is refused instead of
being read in two ways (WHATWG URL, "basic URL parser").
"""

from __future__ import annotations

import re

from scenograph.diagnostics import INVALID_LINK
from scenograph.late_dataclasses import dataclass
from scenograph.scene.fields import FINE, UNREAD, Problem, Problems, Schema, SchemaBook, wrong_type
from scenograph.scene.json_values import shown
from scenograph.scene.limits import Limits
from scenograph.scene.values import too_many

SCHEMES = ("http", "https", "mailto")
_PATTERN = r"^(?:[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#\\]|[Mm][Aa][Ii][Ll][Tt][Oo]:[^\s\\])[^\s\u0000-\u001f\u007f-\u009f\\\u0022<>]*$"
_ALLOWED = re.compile(_PATTERN.removeprefix("^").removesuffix("$"))
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
_LIMIT = "label_length"


def is_link(value: object) -> bool:
    """Whether a value is an address that may be followed."""
    return isinstance(value, str) and _ALLOWED.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class LinkHref:
    """The address of a link."""

    words: str = "an http, https or mailto address"

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        if not is_link(value):
            holes = {"given": shown(value), "why": _reason(value)}
            return (Problem("", INVALID_LINK, holes, {"allowed": [f"{scheme}:" for scheme in SCHEMES]}),)
        most: int = getattr(limits, _LIMIT)
        return FINE if len(value) <= most else (too_many(len(value), "characters", most),)

    def read(self, value: object) -> object:
        return value if is_link(value) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "string", "pattern": _PATTERN, "maxLength": getattr(book.limits, _LIMIT)}


def _reason(value: str) -> str:
    scheme = _SCHEME.match(value)
    if scheme is None:
        return "it has no scheme such as https"
    if scheme[1].lower() not in SCHEMES:
        return f"the scheme {shown(scheme[1].lower())} is not allowed"
    return "it holds a character that an address cannot hold, or nothing after its scheme"
