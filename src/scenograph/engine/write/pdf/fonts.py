"""The letters of a PDF: glyphs in embedded subsets, each with its text.

A face at a weight is one Type 0 font with a TrueType subset (ISO 32000-1, 9.7). Text is written as glyph numbers of the
subset, exactly as measured; the ToUnicode map returns the words for search and copying.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import fsum
from typing import NamedTuple

import uharfbuzz as hb

from scenograph.engine.drawing import TextRun
from scenograph.engine.text.faces import PINNED_AXES, FontFace, face_of, harfbuzz_face, shaping_font
from scenograph.engine.text.shaping import Stretch, advances, shaped, stretches
from scenograph.engine.write.pdf.objects import Name, PdfFile, Ref, Value

_EM = 1000
_SYMBOLIC = 4
_MOST_IN_A_BLOCK = 100  # entries of one bfchar block (Adobe technical note 5411)


class Letter(NamedTuple):
    """A glyph of a face: position on the baseline and advance width, in font units, and the text of its cluster."""

    number: int
    x: float
    y: float
    width: float
    text: str


class FontPiece(NamedTuple):
    """Letters of one face at one weight, `upem` font units per em."""

    face: FontFace
    weight: int
    upem: int
    letters: tuple[Letter, ...]


def pieces_of(run: TextRun) -> Iterator[FontPiece]:
    """The letters of a run from left to right, each piece beginning at the end of the last."""
    level = int(run.right_to_left)
    parts: list[Stretch] = [part._replace(level=level) for part in stretches(run.text, run.font)]
    pen = 0.0
    for part in parts[::-1] if run.right_to_left else parts:
        face = face_of(part.font)
        font = shaping_font(face, part.font.weight)
        if not part.known:
            pen += fsum(advances(part)) * font.face.upem / part.font.size
            continue
        letters, pen = _letters(part, pen)
        yield FontPiece(face, part.font.weight, font.face.upem, letters)


def _letters(part: Stretch, pen: float) -> tuple[tuple[Letter, ...], float]:
    infos, positions = shaped(part)
    font = shaping_font(face_of(part.font), part.font.weight)
    text_of = {
        start: part.text[start:end]
        for start, end in pairwise([*sorted({info.cluster for info in infos}), len(part.text)])
    }
    told: set[int] = set()
    letters: list[Letter] = []
    for info, position in zip(infos, positions, strict=True):
        text = "" if info.cluster in told else text_of[info.cluster]
        told.add(info.cluster)
        at = pen + position.x_offset
        width = font.get_glyph_h_advance(info.codepoint)
        letters.append(Letter(info.codepoint, at, position.y_offset, width, text))
        pen += position.x_advance
    return tuple(letters), pen


class PdfFonts:
    """The fonts of one file: collected while the page is written, embedded after all letters are known."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._used: dict[tuple[FontFace, int], dict[int, str]] = {}
        self._names: dict[tuple[FontFace, int], str] = {}

    def name(self, piece: FontPiece) -> str:
        """The resource name of a piece's font; adds its letters to the subset."""
        key = piece.face, piece.weight
        texts = self._used.setdefault(key, {})
        for letter in piece.letters:
            texts[letter.number] = texts.get(letter.number) or letter.text
        return self._names.setdefault(key, f"F{len(self._names) + 1}")

    def resources(self) -> dict[str, Value]:
        """All fonts by resource name, embedded."""
        return {self._names[key]: self._embedded(*key, texts) for key, texts in self._used.items()}

    def _embedded(self, face: FontFace, weight: int, texts: dict[int, str]) -> Ref:
        font = shaping_font(face, weight)
        upem, name = font.face.upem, _subset_name(face, weight, texts)
        scale = _EM / upem
        extents = font.get_font_extents("ltr")
        data = _subset(face, weight, texts)
        descriptor = self._file.add(
            {
                "Type": Name("FontDescriptor"),
                "FontName": Name(name),
                "Flags": _SYMBOLIC,
                "FontBBox": [0, round(extents.descender * scale), _EM, round(extents.ascender * scale)],
                "ItalicAngle": -10 if face.italic else 0,
                "Ascent": round(extents.ascender * scale),
                "Descent": round(extents.descender * scale),
                "CapHeight": round(0.7 * _EM),
                "StemV": 80,
                "FontFile2": self._file.stream(data, {"Length1": len(data)}),
            }
        )
        numbers = sorted(texts)
        widths: list[Value] = []
        for glyph in numbers:
            advance: list[Value] = [round(font.get_glyph_h_advance(glyph) * scale, 2)]
            widths += [glyph, advance]
        descendant = self._file.add(
            {
                "Type": Name("Font"),
                "Subtype": Name("CIDFontType2"),
                "BaseFont": Name(name),
                "CIDSystemInfo": {"Registry": b"Adobe", "Ordering": b"Identity", "Supplement": 0},
                "FontDescriptor": descriptor,
                "CIDToGIDMap": Name("Identity"),
                "W": widths,
            }
        )
        return self._file.add(
            {
                "Type": Name("Font"),
                "Subtype": Name("Type0"),
                "BaseFont": Name(name),
                "Encoding": Name("Identity-H"),
                "DescendantFonts": [descendant],
                "ToUnicode": self._file.stream(_to_unicode(texts)),
            }
        )


def _subset_name(face: FontFace, weight: int, texts: dict[int, str]) -> str:
    """The subset tag, six letters (ISO 32000-1, 9.6.4), followed by the font's name."""
    seed = sum((place + 1) * glyph for place, glyph in enumerate(sorted(texts)))
    tag = "".join(chr(65 + seed // 26**power % 26) for power in range(6))
    return f"{tag}+{face.css_name.replace(' ', '')}-{weight}{'Italic' if face.italic else ''}"


def _subset(face: FontFace, weight: int, texts: dict[int, str]) -> bytes:
    """The glyphs under their numbers in the whole font."""
    whole = harfbuzz_face(face)
    wish = hb.SubsetInput()
    wish.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_LAYOUT_CLOSURE
    wish.glyph_set.update(texts)
    wish.drop_table_tag_set.update(
        int.from_bytes(tag, "big") for tag in (b"GSUB", b"GPOS", b"GDEF", b"STAT", b"MVAR", b"meta", b"DSIG", b"name")
    )
    for axis in face.axes:
        wish.pin_axis_location(whole, axis, PINNED_AXES.get(axis, float(weight)))
    return bytes(hb.subset(whole, wish).blob.data)


def _to_unicode(texts: dict[int, str]) -> bytes:
    rows = [
        f"<{glyph:04X}><{text.encode('utf-16-be', 'replace').hex().upper()}>"
        for glyph, text in sorted(texts.items())
        if text
    ]
    blocks = [rows[start : start + _MOST_IN_A_BLOCK] for start in range(0, len(rows), _MOST_IN_A_BLOCK)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    ).encode("ascii")
