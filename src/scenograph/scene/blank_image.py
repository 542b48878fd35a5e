"""A plain grey PNG of a given size, for where a picture must not be shown (PNG, third edition: 5.3, 11.2)."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS = 2  # a pixel: black, two greys, white
_LIGHT_GREY = b"\xaa"  # four pixels of the lighter grey
_NO_FILTER = b"\0"
_FASTEST = 1


def blank_png(width: int, height: int) -> str:
    """The base64 of it."""
    row = _NO_FILTER + _LIGHT_GREY * (-(-width * _BITS // 8))
    packer = zlib.compressobj(_FASTEST)
    pixels = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    header = struct.pack(">IIBBBBB", width, height, _BITS, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return b64encode(_SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)).decode("ascii")


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)
