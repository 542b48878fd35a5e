"""JSON read strictly (R-HTTP-4): UTF-8, no NaN or overflow, no duplicate keys, no lone surrogates, depth.

In: bytes. Out: the parsed value. Whatever else comes in ends in one `StrictJsonError` that says where. The quick pass
is the standard library's; only a refused text is read a second time, slowly, to find the place.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import NoReturn, cast

from scenograph.late_dataclasses import dataclass, field

MAX_DEPTH = 32  # R-HTTP-4
_SAFE_DIGITS = 308  # digits of an integer within the range of a double

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_PIECE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s"{}\[\],:]+')
_CONTAINERS = (dict, list)
_CONSTANTS = frozenset({"NaN", "Infinity", "-Infinity"})


class StrictJsonError(ValueError):
    """A text other than strict JSON. `where` is a line, a column and, if helpful, a JSON pointer."""

    def __init__(self, sentence: str, where: str) -> None:
        super().__init__(f"{sentence} ({where})" if where else sentence)
        self.sentence = sentence
        self.where = where


class _Refused(ValueError):  # noqa: N818 - never leaves this module
    """A decoder hook met valid JSON that is forbidden here."""


def parse(raw: bytes) -> object:
    """The value of a JSON text; raises StrictJsonError."""
    text = _decoded(raw)
    try:
        value = cast("object", _DECODER.decode(text))
    except (_Refused, RecursionError):
        _refuse(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise StrictJsonError(f"The text is not JSON: {error.msg[0].lower()}{error.msg[1:]}.", where) from None
    if _deeper_than(value, MAX_DEPTH) or (_ESCAPED_SURROGATE.search(text) and _has_lone_surrogate(value)):
        _refuse(text)
    return value


def _decoded(raw: bytes) -> str:
    if raw.startswith(codecs.BOM_UTF8):
        raise StrictJsonError("The text begins with a byte order mark; send UTF-8 without one.", "byte 0")
    if not raw.strip():
        raise StrictJsonError("The text is empty; JSON was expected.", "byte 0")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrictJsonError("The text is not UTF-8.", f"byte {error.start}") from None


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused
    return members


def _float(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        raise _Refused
    return value


def _integer(digits: str) -> int:
    if len(digits) > _SAFE_DIGITS and float(digits) in (float("inf"), float("-inf")):
        raise _Refused
    return int(digits)


def _no_constant(_name: str) -> NoReturn:
    raise _Refused


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_float, parse_int=_integer, parse_constant=_no_constant
)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(cast("dict[str, object]", value).values())
    return cast("list[object]", value) if isinstance(value, list) else []


def _deeper_than(value: object, depth: int) -> bool:
    """Whether containers nest deeper than `depth` levels; level by level, without recursion."""
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(depth):
        if not level:
            return False
        level = [inner for outer in level for inner in _inside(outer) if type(inner) in _CONTAINERS]
    return bool(level)


def _has_lone_surrogate(value: object) -> bool:
    if isinstance(value, str):
        return _LONE_SURROGATE.search(value) is not None
    keys = cast("dict[str, object]", value) if isinstance(value, dict) else ()
    return any(map(_has_lone_surrogate, keys)) or any(map(_has_lone_surrogate, _inside(cast("object", value))))


# --- the slow pass: locating the offence ---------------------------------------------------------------------------
@dataclass(slots=True)
class _Container:
    """An object or array the slow pass stands in. `at` is the key or index of the member being read."""

    is_object: bool
    keys: set[str] = field(default_factory=set[str])
    at: str | int = 0
    wants_key: bool = True


def _refuse(text: str) -> NoReturn:
    for sentence, position, pointer in _offences(text):
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        raise StrictJsonError(sentence, f"line {line}, column {column}" + (f", at {pointer}" if pointer else ""))
    raise StrictJsonError("The text is not strict JSON.", "")


def _offences(text: str) -> Iterator[tuple[str, int, str]]:
    """(sentence, position, pointer) of every offence of the quick pass, in reading order."""
    stack: list[_Container] = []
    for match in _PIECE.finditer(text):
        piece, top = match.group(), stack[-1] if stack else None
        if piece in "{[":
            stack.append(_Container(is_object=piece == "{"))
            if len(stack) > MAX_DEPTH:
                yield f"The text nests deeper than {MAX_DEPTH} levels.", match.start(), _pointer(stack[:-1])
        elif piece in "}]":
            del stack[-1:]
        elif piece == ",":
            _to_next_member(top)
        elif piece != ":":
            yield from ((sentence, match.start(), _pointer(stack)) for sentence in _piece_offences(piece, top))


def _to_next_member(top: _Container | None) -> None:
    if top is None:
        return
    top.wants_key = True
    if isinstance(top.at, int):
        top.at += 1


def _piece_offences(piece: str, top: _Container | None) -> Iterator[str]:
    if piece.startswith('"'):
        value = str(json.loads(piece, strict=False))
        if top is not None and top.is_object and top.wants_key:
            top.at, top.wants_key = value, False
            if value in top.keys:
                yield f"The key {json.dumps(value)} appears twice in one object."
            top.keys.add(value)
        if _LONE_SURROGATE.search(value):
            yield "A string holds a lone surrogate, which is not a Unicode character."
    elif piece in _CONSTANTS:
        yield f"{piece} is not a JSON number."
    elif piece[0] in "-0123456789" and _overflows(piece):
        yield "A number is beyond what a double can hold."


def _overflows(piece: str) -> bool:
    try:
        return abs(float(piece)) == float("inf")
    except ValueError:
        return False


def _pointer(stack: list[_Container]) -> str:
    keys = (str(container.at).replace("~", "~0").replace("/", "~1") for container in stack)
    return "".join(f"/{key[:80]}" for key in keys).encode("utf-8", "replace").decode()
