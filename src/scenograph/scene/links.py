r"""Link addresses of elements: http, https and mailto, never an address that a browser would execute.

Browsers drop tabs and line ends from an address and read "\" as "/": addresses with such characters are refused as
ambiguous. Blanks around an address are dropped, blanks after its host are percent-encoded (WHATWG URL, "basic URL
parser"). A host with invisible or reordering characters is refused: it would lead to another site than displayed.
"""

from __future__ import annotations

import re
from unicodedata import category
from urllib.parse import quote, unquote

from scenograph.diagnostics import INVALID_LINK
from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.fields import (
    FINE,
    UNREAD,
    Problem,
    Problems,
    Schema,
    SchemaBook,
    too_many,
    wrong_type,
)
from scenograph.scene.json_values import shown
from scenograph.scene.limits import Limits

SCHEMES = ("http", "https", "mailto")
_WEB = r"[Hh][Tt][Tt][Pp][Ss]?://[^\s\u0000-\u001f\u007f-\u009f/?#\\\u0022<>]+(?:[/?#]|(?= *$))"
_MAIL = r"[Mm][Aa][Ii][Ll][Tt][Oo]: *[^\s\\]"
_PATTERN = rf"^ *(?:{_WEB}|{_MAIL})[^\t\n\v\f\r\u0000-\u001f\u007f-\u009f\u2028\u2029\\\u0022<>]*$"
_ALLOWED = re.compile(_PATTERN.removeprefix("^").removesuffix("$"))
_HOST = re.compile(r"^ *(?:https?://([^/?#]*)|mailto:([^?]*))", re.IGNORECASE)
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")
"""Beside the formatting characters (Cf): letters and marks that are drawn as nothing (Default_Ignorable_Code_Point)."""
_NOT_SHOWN = ("Cf", "Cc", "Cn", "Co", "Cs", "Zl", "Zp")
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
_LIMIT = "label_length"


def is_link(value: object) -> bool:
    """Whether a value is a permitted link address."""
    return isinstance(value, str) and _ALLOWED.fullmatch(value) is not None and not _hides(value)


def followed(address: str) -> str:
    """An address as read by browsers: without surrounding blanks, with other blanks encoded."""
    return "".join(quote(letter) if letter.isspace() else letter for letter in address.strip())


def _hides(address: str) -> bool:
    """Whether the host, or the recipient of a mail, contains invisible characters, also percent-encoded."""
    found = _HOST.match(address)
    said = unquote(found[1] or found[2] or "") if found else ""
    return _UNSEEN.search(said) is not None or any(category(letter) in _NOT_SHOWN for letter in said)


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
        return followed(value) if isinstance(value, str) and is_link(value) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "string", "pattern": _PATTERN, "maxLength": getattr(book.limits, _LIMIT)}


def _reason(value: str) -> str:
    scheme = _SCHEME.match(value)
    if scheme is None:
        return "it has no scheme such as https"
    if scheme[1].lower() not in SCHEMES:
        return f"the scheme {shown(scheme[1].lower())} is not allowed"
    if _hides(value):
        return "its host holds characters that are not seen or turn the order of letters"
    return "it holds a character that an address cannot hold, or nothing after its scheme"
