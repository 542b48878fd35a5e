"""A document inside its picture, from which it can be read again: the metadata of an SVG, an iTXt chunk of a PNG.

In: a finished file and the document as JSON text. Out: the same file with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.engine.write.markup import escaped
from scenograph.wire.formats import PNG, SVG

PNG_KEYWORD = b"scenograph"
_HEAD = 8 + 25  # bytes of the signature and of the chunk IHDR, which comes first
_COMPRESSED = b"\0\x01\0\0\0"  # ends the keyword; compressed, by deflate; no language, no translated keyword


def _in_svg(svg: str | bytes, document: str) -> str | bytes:
    head, mark, rest = str(svg).partition(">")
    return f"{head}{mark}<metadata>{escaped(document)}</metadata>{rest}"


def _in_png(png: str | bytes, document: str) -> str | bytes:
    content = b"iTXt" + PNG_KEYWORD + _COMPRESSED + zlib.compress(document.encode(), 9)
    chunk = (len(content) - 4).to_bytes(4, "big") + content + zlib.crc32(content).to_bytes(4, "big")
    raw = bytes(png) if isinstance(png, bytes) else png.encode()
    return raw[:_HEAD] + chunk + raw[_HEAD:]


EMBEDDERS: Mapping[str, Callable[[str | bytes, str], str | bytes]] = MappingProxyType(
    {SVG.name: _in_svg, PNG.name: _in_png}
)
"""How each format that can carries its document."""
