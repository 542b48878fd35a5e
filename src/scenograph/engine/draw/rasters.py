"""Raster pictures as a document carries them: base64 with a media type, checked by their own header.

Only PNG, JPEG, GIF and WebP are known; the size is read from the bytes, not believed (decisions: sections 2 and 12).
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from scenograph.scene.model import Asset, Image

MAX_PIXELS = 16_000_000
_DATA_URI = re.compile(r"data:(image/[a-z]+);base64,([A-Za-z0-9+/=\s]*)", re.ASCII)
_SPACE = re.compile(r"\s+")
_CACHED_RASTERS = 16
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})


class Raster(NamedTuple):
    """A picture that can be drawn: its media type, clean base64, its width and height in pixels."""

    mime_type: str
    data: str
    pixels: tuple[int, int]


def raster_of(image: Image, assets: Mapping[str, Asset]) -> Raster | None:
    """The picture an image element shows; None when there is none that is safe to draw."""
    asset = assets.get(image.asset_id) if image.asset_id is not None else None
    if asset is not None:
        return _raster(asset.mime_type, asset.data)
    match = _DATA_URI.fullmatch(image.href or "")
    return _raster(match[1], match[2]) if match else None


@lru_cache(maxsize=_CACHED_RASTERS)
def _raster(mime_type: str, data: str) -> Raster | None:
    read_size = _READERS.get(mime_type)
    compact = _SPACE.sub("", data)
    if read_size is None:
        return None
    try:
        pixels = read_size(b64decode(compact, validate=True))
    except (Base64Error, ValueError, IndexError):
        return None
    if pixels is None or min(pixels) < 1 or pixels[0] * pixels[1] > MAX_PIXELS:
        return None
    return Raster(mime_type, compact, pixels)


def _png_size(data: bytes) -> tuple[int, int] | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif_size(data: bytes) -> tuple[int, int] | None:
    if data[:6] not in (b"GIF87a", b"GIF89a") or len(data) < 10:
        return None
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """The size in the first frame header (ITU T.81, B.2.2)."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_ALONE:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """The size in the first chunk of each of the three kinds (RFC 9649, section 2)."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


_READERS: Mapping[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png_size,
    "image/jpeg": _jpeg_size,
    "image/gif": _gif_size,
    "image/webp": _webp_size,
}
