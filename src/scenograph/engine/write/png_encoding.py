"""Opaque pixels as a PNG file.

Rows that repeat the one above, which most of a diagram's do, are written as nothing but that (filter "up"); all others
as they are (filter "none"), since flat colours compress no better by differences. zlib-ng packs them in a third of the
time that resvg's own encoder takes, and to about its size. https://www.w3.org/TR/png-3/
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack
from typing import Literal, Protocol, cast
from zlib import crc32

from zlib_ng import zlib_ng

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, TRUE_COLOR_ALPHA = 8, 6  # bits a channel; red, green, blue, alpha
CHANNELS = 4
NONE, UP = b"\x00", b"\x02"  # filters of a row
PACKED_AT_ONCE = 65_536  # bytes, some rows: one call for all of a strip leaves the cache, one for each row takes longer
LEVEL: Literal[6] = 6  # of zlib-ng: lower ones are hardly faster and pack worse


class _Packer(Protocol):
    """What is used of zlib-ng, whose own types do not say what a buffer is."""

    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def encoded(strips: Iterable[bytes], columns: int, rows: int) -> bytes:
    """The PNG of `rows` x `columns` pixels of four bytes each, whose alpha is not multiplied in (or full); they come in
    strips of whole rows."""
    header = pack(">IIBBBBB", columns, rows, DEPTH, TRUE_COLOR_ALPHA, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", _packed(strips, columns * CHANNELS)), (b"IEND", b"")
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _packed(strips: Iterable[bytes], stride: int) -> bytes:
    """The rows, `stride` bytes each, filtered and deflated a few at a time, so that no copy of all is made."""
    packer = cast("_Packer", zlib_ng.compressobj(LEVEL))  # pyright: ignore[reportUnknownMemberType]
    same, last, few = UP + bytes(stride), b"", stride * max(1, PACKED_AT_ONCE // stride)
    found: list[bytes] = []
    for pixels in strips:
        for begin in range(0, len(pixels), few):
            filtered: list[bytes] = []
            for start in range(begin, min(begin + few, len(pixels)), stride):
                row = pixels[start : start + stride]
                filtered += (same,) if row == last else (NONE, row)
                last = row
            found.append(packer.compress(b"".join(filtered)))
        del pixels  # before the next strip is drawn
    return b"".join((*found, packer.flush()))


def _chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", crc32(data, crc32(name)))
