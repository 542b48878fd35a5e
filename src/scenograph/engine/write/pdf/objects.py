"""PDF objects and their syntax (ISO 32000-1, 7.3 and 7.5).

`File.add` builds a file and returns the reference of each object; a caller's strings leave here only as hex strings.
Same objects, same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

_LEVEL = 6
_REGULAR = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+.")


class Name(NamedTuple):
    """A name object, without the slash."""

    text: str


class Ref(NamedTuple):
    """A reference to an object of the file."""

    number: int


Value = Name | Ref | str | bytes | int | float | bool | list["Value"] | dict[str, "Value"]


def written(value: Value) -> str:
    """The syntax of a value."""
    return _SYNTAX[type(value)](value)


def _name(value: Name) -> str:
    return "/" + "".join(chr(byte) if byte in _REGULAR else f"#{byte:02X}" for byte in value.text.encode())


def _dictionary(value: dict[str, Value]) -> str:
    return f"<<{''.join(f'{_name(Name(key))} {written(inner)}' for key, inner in value.items())}>>"


def number(value: float) -> str:
    """A number without an exponent and without needless digits."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


_SYNTAX: Mapping[type, Callable[[Any], str]] = {
    Name: _name,
    Ref: lambda value: f"{value.number} 0 R",
    bool: lambda value: "true" if value else "false",
    str: lambda value: f"<FEFF{value.encode('utf-16-be', 'replace').hex().upper()}>",
    bytes: lambda value: f"<{value.hex().upper()}>",
    int: str,
    float: number,
    list: lambda value: f"[{' '.join(map(written, value))}]",
    dict: _dictionary,
}


class PdfFile:
    """A file under construction."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def reserve(self) -> Ref:
        """A reference to an object set later."""
        self._objects.append(b"")
        return Ref(len(self._objects))

    def add(self, value: Value) -> Ref:
        """A new object."""
        return self.set(self.reserve(), value)

    def set(self, ref: Ref, value: Value) -> Ref:
        """The object of a reserved reference."""
        self._objects[ref.number - 1] = written(value).encode("ascii")
        return ref

    def stream(self, data: bytes, members: Mapping[str, Value] | None = None, *, compressed: bool = True) -> Ref:
        """A new stream; deflated if `compressed`, else encoded as its members declare."""
        row: dict[str, Value] = dict(members or {})
        if compressed:
            data = zlib.compress(data, _LEVEL)
            row["Filter"] = Name("FlateDecode")
        head = written({**row, "Length": len(data)}).encode("ascii")
        self._objects.append(head + b"stream\n" + data + b"\nendstream")
        return Ref(len(self._objects))

    def finished(self, root: Ref, info: Ref) -> bytes:
        """The whole file."""
        parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
        at, offsets = len(parts[0]), list[int]()
        for index, content in enumerate(self._objects, start=1):
            offsets.append(at)
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (index, content))
            at += len(parts[-1])
        count = len(self._objects) + 1
        rows = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
        identity = sha256(b"".join(parts)).digest()[:16]
        trailer = written({"Size": count, "Root": root, "Info": info, "ID": [identity, identity]})
        parts.append(
            f"xref\n0 {count}\n0000000000 65535 f \n{rows}trailer\n{trailer}\nstartxref\n{at}\n%%EOF\n".encode()
        )
        return b"".join(parts)
