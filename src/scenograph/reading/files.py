"""Sources by suffix or content: files and texts of every readable format (R-LIB-5).

A scene of Scenograph is JSON or YAML, or is embedded in an SVG or PNG. A Markdown page stands for its diagram, or for
the chosen block. READERS read every other source.
"""

from __future__ import annotations

import codecs
import html
import re
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, replace
from scenograph.reading.markdown import Fence, fences
from scenograph.reading.source import Import, Place, Source, Unreadable
from scenograph.scene.json_values import is_object, kind_of, object_at
from scenograph.scene.strict_json import StrictJsonError, parse
from scenograph.wire.names import SOURCE_BYTES
from scenograph.wire.source_formats import BY_NAME, SCENE, SOURCE_FORMATS

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EMBEDDED_KEY = b"scenograph"
MOST_EMBEDDED = 64 << 20  # bytes of a document that a PNG holds, unpacked
PAGES = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
_YAML = (".yaml", ".yml")
_BINARY = re.compile(rb"\APK\x03\x04|\A%PDF|[\0-\x08\x0e-\x1a]")
_MEMBERS = frozenset({"schemaVersion", "diagramFamily", "scene", "elements"})
_HEADS = _MEMBERS - {"elements"}  # a file of Excalidraw has elements as well
_YAML_SCENE = re.compile(r"^(?:schemaVersion|diagramFamily|scene|elements)[ \t]*:", re.MULTILINE)
_DOCUMENT = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)  # at the start of a line the mark stands for nothing else
_HELD = re.compile(r"^(?!---|\.\.\.|%)[ \t]*[^\s#]|^---[ \t]+[^\s#]", re.MULTILINE)  # more than marks and remarks
_SVG = re.compile(r"\A\s*(?:<\?xml[^>]*\?>\s*|<!DOCTYPE[^>\[]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<svg\b")
_METADATA, _METADATA_END = "<metadata", "</metadata>"
_FENCE_MARKS = ("```", "~~~", ":::")
_WORD = re.compile(r"\{?\.?(?:kroki-)?(?P<name>[a-z0-9]*)(?:-[\w-]+)?\}?", re.IGNORECASE)
_SCENE_WORDS = frozenset({"json", "json5", "jsonc", "yaml", "yml", SCENE, "scene"})
_BY_CONTENT = frozenset({"sql", "ddl", "postgresql", "mysql", "xml"})
_MOST_SHOWN = 20  # blocks of a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a caller says of a source. `form` is the name of its format or SCENE, None to recognize it; `block` chooses
    a diagram of a Markdown page by its number from 1 or by the heading above it; `source` has the rest, without a
    text."""

    form: str | None = None
    block: str | None = None
    source: Source = Source(text="")


class _Block(NamedTuple):
    """A diagram of a page and its format; None: recognized by content."""

    fence: Fence
    form: str | None


def open_source(raw: bytes | str, name: str = "", wishes: Wishes = Wishes()) -> Import:  # noqa: B008 - frozen
    """The document of a source; `name` is its file's, for the suffix. A scene keeps its `computed`. Unreadable,
    TooLarge, StrictJsonError."""
    if isinstance(raw, bytes):
        if raw.startswith(PNG_SIGNATURE):
            return _scene(_in_png(raw), wishes)
        text = decoded(raw)
    else:
        text = raw.removeprefix("\ufeff")
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if suffix in _YAML:
        text, wishes = _one_document(text, wishes)
    if wishes.form not in (None, SCENE) and wishes.block is None:
        return _foreign(text, wishes, wishes.form)
    if wishes.block is not None or suffix in PAGES:
        return _on_page(text, wishes)
    if wishes.form == SCENE:
        return _scene(_parsed(text), wishes)
    return _by_content(text, suffix, wishes)


def _by_content(text: str, suffix: str, wishes: Wishes) -> Import:
    first = text.lstrip()[:1]
    if first in ("{", "["):
        return _from_json(text, wishes)
    if (found := _SVG.match(text)) and (document := _in_svg(text, found.end())) is not None:
        return _scene(document, wishes)
    by_suffix = next((row.name for row in SOURCE_FORMATS.values() if suffix in row.suffixes), None)
    if by_suffix is not None:
        return _foreign(text, wishes, by_suffix)
    if first != "<" and any(mark in text for mark in _FENCE_MARKS) and any(_blocks(text)):
        return _on_page(text, wishes)
    if len(set(_YAML_SCENE.findall(text))) > 1 or (suffix in _YAML and _recognized(text) is None):
        return _from_yaml(text, wishes)
    if suffix == ".json" and not first:
        parse(text.encode())  # says that it is empty
    return _foreign(text, wishes, None)


def _foreign(text: str, wishes: Wishes, form: str | None) -> Import:
    """A source of a foreign format, read by its row of READERS."""
    if len(text) > SOURCE_BYTES or len(text.encode("utf-8", "surrogatepass")) > SOURCE_BYTES:
        raise Unreadable(Place(1), f"a source of at most {SOURCE_BYTES} bytes")
    from scenograph.reading.readers import read_source  # noqa: PLC0415 - a scene needs no reader

    return read_source(replace(wishes.source, text=text), form)


def _from_json(text: str, wishes: Wishes) -> Import:
    """A scene, or the source of a format that is JSON."""
    try:
        value = parse(text.encode("utf-8", "surrogatepass"))
    except StrictJsonError:
        if (form := _recognized(text)) is None:
            raise
        return _foreign(text, wishes, form)
    if not (is_object(value) and value.keys() & _HEADS) and (form := _recognized(text)):
        return _foreign(text, wishes, form)
    return _scene(value, wishes, text)


def _from_yaml(text: str, wishes: Wishes) -> Import:
    value = _parsed(text)
    if is_object(value) and value.keys() & _MEMBERS:
        return _scene(value, wishes)
    raise Unreadable(Place(1, 1), "a scene, or a source of another tool", _likeness(text))


def _one_document(text: str, wishes: Wishes) -> tuple[str, Wishes]:
    """The chosen document of a YAML file, at its lines; the whole file for a reader that takes several documents."""
    starts = [0, *(mark.start() for mark in _DOCUMENT.finditer(text)), len(text)]
    parts = [(start, end) for start, end in pairwise(starts) if _HELD.search(text, start, end)]
    if wishes.block is None and (len(parts) < 2 or not _YAML_SCENE.search(text)):
        return text, wishes
    number = int(wishes.block) if wishes.block is not None and wishes.block.isdecimal() else 0
    if not 0 < number <= len(parts):
        line = text.count("\n", 0, parts[1][0]) + 1 if len(parts) > 1 else 1
        hint = f"The file has {len(parts)} YAML document{'s' if len(parts) != 1 else ''}."
        raise Unreadable(Place(line), "the number of one document, as of a block", hint)
    start, end = parts[number - 1]
    return "\n" * text.count("\n", 0, start) + text[start:end], replace(wishes, block=None)


def _parsed(text: str) -> object:
    """The value of a scene's text, JSON or YAML."""
    if text.lstrip()[:1] in ("{", "", "["):
        return parse(text.encode("utf-8", "surrogatepass"))
    from scenograph.scene import strict_yaml  # noqa: PLC0415 - most scenes are JSON

    try:
        return strict_yaml.parse(text)
    except strict_yaml.StrictYamlError as wrong:
        raise Unreadable(Place(wrong.line, wrong.column), "strict YAML", wrong.sentence) from None


def _scene(value: object, wishes: Wishes, text: str = "") -> Import:
    """A document as written, with the wished title and id."""
    if not is_object(value):
        raise Unreadable(Place(1, 1), f"a scene document, a JSON object, not {kind_of(value)}", _likeness(text))
    if value and not value.keys() & _MEMBERS and text and "diagram" not in (told := _likeness(text)):
        raise Unreadable(Place(1, 1), "a scene document", told)
    asked = {"title": wishes.source.title, "id": wishes.source.scene_id}
    known = {name: wish for name, wish in asked.items() if wish is not None}
    if known:
        value = {**value, "scene": {**object_at(value, "scene"), **known}}
    return Import(value, SCENE, (), whole=True)


def _recognized(text: str) -> str | None:
    from scenograph.reading.readers import recognized  # noqa: PLC0415 - as above

    try:
        return recognized(text)
    except Unreadable:
        return None


def decoded(raw: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark, as programs of Windows write it."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = raw.count(b"\n", 0, wrong.start) + 1
        told = _likeness(raw[:200].decode("utf-8", "replace")) if not wide and _BINARY.search(raw[:200]) else ""
        hint = f"Byte {wrong.start + 1} is not {'UTF-16' if wide else 'UTF-8'}: save the text as UTF-8."
        raise Unreadable(Place(line), "text in UTF-8", told or hint) from None


def _likeness(text: str) -> str:
    from scenograph.reading.readers import likeness  # noqa: PLC0415 - as above

    return likeness(text)


# What a picture carries.


def _in_svg(text: str, start: int) -> object:
    """The document in the metadata of an SVG; None without one."""
    while (at := text.find(_METADATA, start)) >= 0:
        begin, end = text.find(">", at), text.find(_METADATA_END, at)
        if not 0 <= begin < end:
            break
        inside = text[begin + 1 : end].strip()
        if inside.startswith("{"):
            return parse(html.unescape(inside).encode("utf-8", "surrogatepass"))
        start = end
    return None


def _in_png(raw: bytes) -> object:
    """The document in the `scenograph` chunk of a PNG; Unreadable without the chunk."""
    for kind, content in _chunks(raw):
        key, _, rest = content.partition(b"\0")
        if kind != b"iTXt" or key != _EMBEDDED_KEY or len(rest) < 4:
            continue
        packed = rest[2:].split(b"\0", 2)[-1]
        if not rest[0]:
            return parse(packed)
        unpacking = zlib.decompressobj()
        try:
            return parse(unpacking.decompress(packed, MOST_EMBEDDED))
        except zlib.error:
            break
    hint = "A picture carries its scene when it was drawn with --embed or downloaded from the studio."
    raise Unreadable(Place(1), "a PNG that carries its scene", hint)


def _chunks(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk (PNG, 5.3)."""
    at = len(PNG_SIGNATURE)
    while at + 12 <= len(raw):
        length = int.from_bytes(raw[at : at + 4], "big")
        yield raw[at + 4 : at + 8], raw[at + 8 : at + 8 + length]
        at += 12 + length


# The diagrams of a page.


def _on_page(text: str, wishes: Wishes) -> Import:
    block = _chosen(list(_blocks(text)), text, wishes.block)
    form = wishes.form or block.form
    if form in (None, SCENE):
        return _by_content(block.fence.text, "", replace(wishes, block=None))
    inside = block.fence.text
    return _foreign(inside.lstrip() if inside.lstrip().startswith("<?xml") else inside, wishes, form)


def headings_of_blocks(raw: bytes) -> list[str]:
    """The heading above each diagram of a page; Unreadable for bytes that are not text."""
    return [block.fence.heading for block in _blocks(decoded(raw))]


def _blocks(text: str) -> Iterator[_Block]:
    """Fences with a diagram, by info word or, without a known word, by content."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for fence in fences(lines, lambda word: _form_of(word) is not None):
        content = "\n".join(fence.lines)
        name = _form_of(fence.word)
        if name is not None:
            yield _Block(fence, name)
        elif _name_in(fence.word) in _SCENE_WORDS:
            if _is_scene(content):
                yield _Block(fence, SCENE)
        elif _name_in(fence.word) in _BY_CONTENT and (found := _recognized(content)):
            yield _Block(fence, found)


def _name_in(word: str) -> str:
    found = _WORD.fullmatch(word)
    return found["name"].lower() if found else ""


def _form_of(word: str) -> str | None:
    """The format that the word of a fence names for sure."""
    name = _name_in(word)
    return BY_NAME[name].name if name in BY_NAME and name not in _BY_CONTENT else None


def _is_scene(content: str) -> bool:
    if content.lstrip().startswith("{"):
        return '"elements"' in content and '"scene' in content
    return len(set(_YAML_SCENE.findall(content))) > 1


def _chosen(blocks: list[_Block], text: str, wish: str | None) -> _Block:
    """The requested block, or the only block."""
    if not blocks:
        form = _recognized(text)
        hint = f"It looks like {form} alone: leave out the block." if form else _likeness(text)
        raise Unreadable(Place(1), "a page with a diagram in a fence", hint)
    if wish is None:
        found = blocks
    elif wish.isdecimal():
        found = blocks[int(wish) - 1 : int(wish)] if int(wish) else []
    else:
        found = [block for block in blocks if _folded(block.fence.heading) == _folded(wish)]
    if len(found) == 1:
        return found[0]
    rows = [
        f"{number} {block.fence.heading or '(no heading)'!r} ({block.form or 'by content'}, line {block.fence.first})"
        for number, block in enumerate(blocks, 1)
    ]
    told = "; ".join(rows[:_MOST_SHOWN]) + (f"; and {len(rows) - _MOST_SHOWN} more" if rows[_MOST_SHOWN:] else "")
    expected = "the number or the heading of one block" if wish is not None or len(blocks) > 1 else "a block"
    raise Unreadable(Place(blocks[0].fence.first), expected, f"The page has {len(blocks)}: {told}.")


def _folded(heading: str) -> str:
    """A heading as people and addresses write it: case, marks and spaces do not count."""
    return re.sub(r"[\W_]+", "-", heading.strip().lstrip("#").lower()).strip("-")
