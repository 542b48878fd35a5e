"""Anonymous documents: the structure of a scene without its content (R-SUP-4, R-SUP-5).

In: a valid document and a source of randomness. Out: a valid document of the same structure, positions and styles.
Every label, title, content, name, column and id is masked (`masking.py`), and every picture is replaced by a plain
picture of the same size. The traversal follows the field descriptions, and undescribed members are left out: nothing
passes unseen. Vocabulary (kinds, types, shapes, colours) stays.
"""

from __future__ import annotations

import binascii
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from scenograph.scene.defaults import DEFAULTS
from scenograph.scene.document_fields import DOCUMENT
from scenograph.scene.fields import UNREAD, FieldType
from scenograph.scene.image_data import AssetRecord, ImageHref, pixel_size, split_href
from scenograph.scene.json_values import JsonObject, is_array, is_object
from scenograph.scene.limits import LIMITS, IconRegistry
from scenograph.scene.links import LinkHref
from scenograph.scene.masking import Draw, TextMask
from scenograph.scene.records import ListOf, MapOf, Record, Variants
from scenograph.scene.style_fields import STYLE, StyleOrName
from scenograph.scene.values import AnyValue, Identifier, Text
from scenograph.scene.vocabulary import EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES, SIDES
from scenograph.wire.names import RESERVED

# A plain grey PNG of a given size, in place of a hidden picture (PNG, third edition: 5.3, 11.2).


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS = 2  # a pixel: black, two greys, white
_LIGHT_GREY = b"\xaa"  # four pixels of the lighter grey
_NO_FILTER = b"\0"
_FASTEST = 1


def blank_png(width: int, height: int) -> str:
    """A grey PNG of this size, base64."""
    row = _NO_FILTER + _LIGHT_GREY * (-(-width * _BITS // 8))
    packer = zlib.compressobj(_FASTEST)
    pixels = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    header = struct.pack(">IIBBBBB", width, height, _BITS, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return b64encode(_SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)).decode("ascii")


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


_PICTURE_MEMBERS = ("data", "href")
_KNOWN_NODE_TYPES = frozenset(GENERIC_NODE_TYPES).union(*NODE_TYPES.values())
_KNOWN_EDGE_TYPES = frozenset({"default"}).union(*EDGE_TYPES.values())
_ICON_SETS = frozenset({"aws", "gcp", "azure", "lucide"})
_PLAIN_KEY = re.compile(r"[A-Za-z0-9-]{1,16}:[A-Za-z0-9-]{1,80}")
_KEY_WORDS = frozenset({"pk", "fk", "uk", "uq", "primary", "foreign", "unique", "key"})
# fmt: off
_FONT_WORDS = frozenset({
    "sans", "serif", "mono", "monospace", "courier", "consolas", "menlo", "monaco", "code", "typewriter",
    "kalam", "hand", "handwriting", "comic", "cursive", "script", "marker", "chalk", "sketch", "inter",
    "jetbrains", "arial", "helvetica", "georgia", "times", "roman", "system",
})
# fmt: on
_MONOSPACED = re.compile(r"mono|courier|consolas|menlo|monaco|code|typewriter", re.IGNORECASE)

Treatment = Callable[[TextMask, Any], object]


def anonymized(document: Mapping[str, Any], draw: Draw, icons: IconRegistry | None = None) -> JsonObject:
    """The anonymous form of a valid document, random at every call. `draw(n)` gives a random number below n. Icon keys
    known to `icons` stay; without `icons` none do."""
    texts = tuple(_texts(document))
    monospaced = any(_MONOSPACED.search(family) for family in _families(document))
    mask = TextMask(texts, draw, RESERVED, _public_icons(document, icons), monospaced=monospaced)
    return _record(mask, DOCUMENT, dict(document))


def _public_icons(document: Mapping[str, Any], icons: IconRegistry | None) -> frozenset[str]:
    """The document's keys of registered icons in plain spelling: a registry ignores further characters, which could
    carry content."""
    elements: object = document.get("elements")
    keys = (element.get("icon") for element in (elements if is_array(elements) else ()) if is_object(element))
    written = {key for key in keys if isinstance(key, str) and _PLAIN_KEY.fullmatch(key)}
    return frozenset(key for key in written if icons is not None and icons.knows(key))


def _families(value: object) -> Iterator[str]:
    """The font families of the document."""
    waiting: list[object] = [value]
    while waiting:
        here = waiting.pop()
        if is_object(here):
            family = here.get("fontFamily")
            if isinstance(family, str):
                yield family
            waiting.extend(here.values())
        elif is_array(here):
            waiting.extend(here)


def _texts(value: object) -> Iterator[str]:
    """Every text and every member name, except the bytes of pictures, which hold no words."""
    waiting: list[object] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            yield here
        elif is_object(here):
            yield from here
            waiting.extend(inner for name, inner in here.items() if name not in _PICTURE_MEMBERS)
        elif is_array(here):
            waiting.extend(here)


def _treated(mask: TextMask, kind: FieldType, value: object) -> object:
    """The anonymous form of a value, or UNREAD for a value to leave out."""
    treatment = _BY_TYPE.get(type(kind))
    if treatment is not None:
        return treatment(mask, kind, value)
    return UNREAD if kind.check(value, LIMITS) else value


def _record(mask: TextMask, kind: Record, value: object) -> Any:
    if not is_object(value):
        return UNREAD
    found: JsonObject = {}
    for name, inner in value.items():
        row = kind.members.get(name)
        if row is None:
            continue
        special = _SPECIAL.get((kind.name.removesuffix(DEFAULTS.name), row.name))
        if special is None:
            made = _treated(mask, row.type, inner)
        else:
            made = special(mask, inner) if isinstance(inner, str) else UNREAD
        if made is not UNREAD:
            found[name] = made
    return found


def _variants(mask: TextMask, kind: Variants, value: object) -> object:
    tag = value.get(kind.tag) if is_object(value) else None
    record = kind.records.get(tag) if isinstance(tag, str) else None
    return UNREAD if record is None else _record(mask, record, value)


def _list(mask: TextMask, kind: ListOf, value: object) -> object:
    items = (_treated(mask, kind.item, item) for item in (value if is_array(value) else ()))
    return [item for item in items if item is not UNREAD]


def _map(mask: TextMask, kind: MapOf, value: object) -> object:
    members = value if is_object(value) else {}
    made = ((mask.of(name), _treated(mask, kind.value, inner)) for name, inner in members.items())
    return {name: inner for name, inner in made if inner is not UNREAD}


def _text(mask: TextMask, _kind: FieldType, value: object) -> object:
    return mask.of(value) if isinstance(value, str) else UNREAD


def _style(mask: TextMask, kind: FieldType, value: object) -> object:
    return _text(mask, kind, value) if isinstance(value, str) else _record(mask, STYLE, value)


def _nothing(_disguise: TextMask, _kind: FieldType, _value: object) -> object:
    return UNREAD


def _asset(_disguise: TextMask, _kind: FieldType, value: object) -> object:
    blank = _blank(value.get("mimeType"), value.get("data")) if is_object(value) else None
    return UNREAD if blank is None else {"mimeType": "image/png", "data": blank}


def _href(_disguise: TextMask, _kind: FieldType, value: object) -> object:
    parts = split_href(value) if isinstance(value, str) else None
    blank = _blank(*parts) if parts else None
    return UNREAD if blank is None else f"data:image/png;base64,{blank}"


def _link(_disguise: TextMask, _kind: FieldType, _value: object) -> object:
    """A link's presence is shown, its address hidden (RFC 6761 reserves the name)."""
    return "https://link.invalid/"


def _blank(mime_type: object, encoded: object) -> str | None:
    if not isinstance(mime_type, str) or not isinstance(encoded, str):
        return None
    try:
        size = pixel_size(mime_type, b64decode(encoded, validate=True))
    except (binascii.Error, ValueError):
        return None
    return blank_png(*size) if size else None


# By type of member. Unlisted types (numbers, flags, choices, colours) hold no content of the author.
_BY_TYPE: Mapping[type, Callable[[TextMask, Any, object], object]] = MappingProxyType(
    {
        Record: _record,
        Variants: _variants,
        ListOf: _list,
        MapOf: _map,
        Text: _text,
        Identifier: _text,
        StyleOrName: _style,
        AnyValue: _nothing,
        AssetRecord: _asset,
        ImageHref: _href,
        LinkHref: _link,
    }
)


def _unless(known: Callable[[str], bool]) -> Treatment:
    """Masks values outside the vocabulary."""
    return lambda mask, value: value if known(value) else mask.of(value)


def _icon(mask: TextMask, value: Any) -> Any:
    return value if value in mask.public else mask.keeping(value, _ICON_SETS)


# Texts with a meaning for the engine: (record, member).
_SPECIAL: Mapping[tuple[str, str], Treatment] = MappingProxyType(
    {
        ("Node", "nodeType"): _unless(_KNOWN_NODE_TYPES.__contains__),
        ("Edge", "edgeType"): _unless(_KNOWN_EDGE_TYPES.__contains__),
        ("Document", "brief"): lambda _mask, _value: UNREAD,
        ("Node", "icon"): _icon,
        ("Frame", "icon"): _icon,
        ("Endpoint", "port"): _unless(SIDES.__contains__),
        ("Port", "id"): _unless(SIDES.__contains__),
        ("Column", "key"): lambda mask, value: mask.keeping(value, _KEY_WORDS),
        ("Style", "fontFamily"): lambda mask, value: mask.keeping(value, _FONT_WORDS),
    }
)
