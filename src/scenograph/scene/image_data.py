"""Raster images in a document: base64 of a real png, jpeg, gif or webp (R-ELEMENT-10, R-SAFE-3). Only the header is
read, never the pixels.

Sources: PNG 5.2 and 11.2.2; GIF89a 18; JPEG (ITU-T T.81) B.2.2; the WebP container specification.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.diagnostics import IMAGE_NOT_ALLOWED
from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.fields import (
    FINE,
    UNREAD,
    Choice,
    Field,
    Problem,
    Problems,
    Record,
    Schema,
    SchemaBook,
    too_many,
    wrong_type,
)
from scenograph.scene.limits import Limits
from scenograph.scene.model import Asset
from scenograph.scene.vocabulary import IMAGE_TYPES

PixelSize = tuple[int, int]
_BASE64 = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
_HREF = re.compile(rf"data:(image/(?:png|jpeg|gif|webp));base64,({_BASE64})")


_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # all but DHT, JPG, DAC
_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})  # TEM and RST carry no length


def _png(data: bytes) -> PixelSize | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif(data: bytes) -> PixelSize | None:
    if data[:6] not in {b"GIF87a", b"GIF89a"} or len(data) < 10:
        return None
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def _jpeg(data: bytes) -> PixelSize | None:
    """Walks the segments to the frame header."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _FRAME_MARKERS:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 if marker in _BARE_MARKERS else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp(data: bytes) -> PixelSize | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return None
    chunk = data[12:16]
    if chunk == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if chunk == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


_HEADERS: Mapping[str, Callable[[bytes], PixelSize | None]] = MappingProxyType(
    {"image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif, "image/webp": _webp}
)


def pixel_size(mime_type: str, data: bytes) -> PixelSize | None:
    """Width and height in pixels from the header; None for any other data."""
    header = _HEADERS.get(mime_type)
    size = header(data) if header else None
    return size if size and size[0] > 0 and size[1] > 0 else None


def split_href(href: str) -> tuple[str, str] | None:
    """(media type, base64) of an allowed data: URI."""
    match = _HREF.fullmatch(href)
    return (match.group(1), match.group(2)) if match else None


def _refused(why: str) -> Problems:
    return (Problem("", IMAGE_NOT_ALLOWED, {"why": why}, {"allowed": list(IMAGE_TYPES)}),)


def check_image(mime_type: str, encoded: str, limits: Limits) -> Problems:
    """The problems of base64 image data of a media type."""
    size = len(encoded) * 3 // 4 - encoded[-2:].count("=")
    if size > limits.image_bytes:
        return (too_many(size, "bytes", limits.image_bytes),)
    try:
        pixels = pixel_size(mime_type, b64decode(encoded, validate=True))
    except (binascii.Error, ValueError):
        return _refused("its data is not base64")
    if pixels is None:
        return _refused(f"its data is not {mime_type}")
    if pixels[0] * pixels[1] > limits.image_pixels:
        return (too_many(pixels[0] * pixels[1], "pixels", limits.image_pixels),)
    return FINE


@dataclass(frozen=True, slots=True)
class ImageHref:
    """A data: URI with a raster picture; nothing else may be referred to."""

    words: str = "a data: URI"

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        parts = split_href(value)
        if parts is None:
            return _refused("an href must be a base64 data: URI; no file or address is ever opened")
        return check_image(*parts, limits)

    def read(self, value: object) -> object:
        parts = split_href(value) if isinstance(value, str) else None
        return UNREAD if parts is None or pixel_size(parts[0], b64decode(parts[1])) is None else value

    def schema(self, book: SchemaBook) -> Schema:
        most = 40 + (book.limits.image_bytes + 2) // 3 * 4
        return {"type": "string", "maxLength": most, "pattern": f"^{_HREF.pattern}$"}


@dataclass(frozen=True, slots=True)
class AssetRecord:
    """An entry of `assets`: its members, and data of the declared `mimeType`."""

    record: Record
    words: str = "an object"

    @property
    def name(self) -> str:
        """The name of the definition in the schemas."""
        return self.record.name

    @property
    def fields(self) -> tuple[Field, ...]:
        """The described members."""
        return self.record.fields

    def check(self, value: object, limits: Limits) -> Problems:
        problems = self.record.check(value, limits)
        asset = self.record.read(value)
        if isinstance(asset, Asset):
            found = check_image(asset.mime_type, asset.data, limits)
            return [*problems, *(problem.under("data") for problem in found)]
        return problems

    def read(self, value: object) -> object:
        asset = self.record.read(value)
        if not isinstance(asset, Asset):
            return UNREAD
        try:
            sound = pixel_size(asset.mime_type, b64decode(asset.data, validate=True)) is not None
        except (binascii.Error, ValueError):
            return UNREAD
        return asset if sound else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return self.record.schema(book)


@dataclass(frozen=True, slots=True)
class Base64:
    """Base64 text; the content is checked together with the neighbouring media type."""

    words: str = "a base64 string"

    def check(self, value: object, limits: Limits) -> Problems:  # the limit is on the decoded bytes
        return FINE if isinstance(value, str) else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        most = (book.limits.image_bytes + 2) // 3 * 4
        return {"type": "string", "minLength": 4, "maxLength": most, "pattern": f"^{_BASE64}$"}


ASSET = AssetRecord(
    Record(
        name="Asset",
        doc="A raster picture kept in the document.",
        model=Asset,
        fields=(
            Field("mimeType", Choice(IMAGE_TYPES), "Its media type.", "mime_type", required=True),
            Field("data", Base64(), "The picture's bytes, base64.", "data", required=True),
        ),
    )
)
