"""Font faces and shaping: the embedded families, the face for each part of a text, and the widths of its stretches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, groupby
from math import fsum
from pathlib import Path
from typing import NamedTuple

import fontpkg_heebo
import fontpkg_inter
import fontpkg_jetbrains_mono
import fontpkg_kalam
import fontpkg_noto_sans_arabic
import fontpkg_noto_sans_devanagari
import fontpkg_noto_sans_khmer
import fontpkg_noto_sans_tamil
import fontpkg_noto_sans_telugu
import fontpkg_noto_sans_thai
import uharfbuzz as hb
from unicode_segmentation_rs import graphemes, line_break_units

from scenograph.engine.text.blocks import Font, FontRun
from scenograph.late_dataclasses import dataclass

# Font files and type families: the values in the tables of faces.


@dataclass(frozen=True, slots=True)
class FontFace:
    """A font file. `weights` is the covered range; `css_name` the family name inside the file; `axes` the variable
    axes; `scripts` the code points (first, last) the face is chosen for, all of its own when empty. A font for one
    script often has a few foreign letters, in a style unlike the rest of the picture. `without` are features that are
    switched off."""

    name: str
    css_name: str
    path: Path
    weights: tuple[int, int]
    italic: bool = False
    axes: tuple[str, ...] = ()
    scripts: tuple[tuple[int, int], ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeFamily:
    """The meaning of a `Font.family`. `cap_height` and `line_height` are in em; `css_fallback` lists families of like
    width, and at last a generic family, for letters missing from all embedded faces and for programs without embedded
    fonts."""

    name: str
    css_name: str
    css_fallback: str
    cap_height: float
    line_height: float
    upright: tuple[FontFace, ...]
    italic: tuple[FontFace, ...] = ()

    @property
    def faces(self) -> tuple[FontFace, ...]:
        """All files of the family."""
        return self.upright + self.italic


# The fonts for the world's scripts as data: which one draws which code points, whatever family was asked for.
# Hebrew (Heebo), Arabic, Devanagari, Thai, Tamil, Telugu and Khmer (Noto Sans) come as packages, in all weights.
# Chinese, Japanese, Korean and emoji are too large or not packaged: they lie in `fonts/`, one weight each, cut down
# to the letters of the national standards by `scripts/pack_fonts.py`.


_Ranges = tuple[tuple[int, int], ...]

EMOJI = "emoji"
_CHINESE = "chinese"
_JAPANESE = "japanese"

_PACKED = Path(__file__).parent / "fonts"
_PACKED_WEIGHT = 500
_CAP_HEIGHT, _LINE_HEIGHT = 0.73, 1.3

_HEBREW: _Ranges = ((0x0590, 0x05FF), (0xFB1D, 0xFB4F), (0x20AA, 0x20AA))
_ARABIC: _Ranges = ((0x0600, 0x06FF), (0x0750, 0x077F), (0x08A0, 0x08FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))
_DEVANAGARI: _Ranges = ((0x0900, 0x097F), (0x1CD0, 0x1CFF), (0xA8E0, 0xA8FF))
_CJK: _Ranges = (
    (0x2460, 0x24FF),  # enclosed letters and digits
    (0x2E80, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)
_KOREAN: _Ranges = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7A3))


def _variable(script: str, css_name: str, folder: Path, axes: tuple[str, ...], scripts: _Ranges) -> TypeFamily:
    """The family of a packaged variable font, with all weights in one file."""
    file = f"{css_name.replace(' ', '')}[{','.join(axes)}].ttf"
    face = FontFace(script, css_name, folder / "files" / file, (100, 900), axes=axes, scripts=scripts)
    return TypeFamily(script, css_name, "sans-serif", _CAP_HEIGHT, _LINE_HEIGHT, (face,))


def _packed(script: str, css_name: str, scripts: _Ranges) -> TypeFamily:
    """The family of a font in `fonts/`."""
    path = _PACKED / f"{css_name.replace(' ', '')}-Medium.ttf"
    face = FontFace(script, css_name, path, (_PACKED_WEIGHT, _PACKED_WEIGHT), scripts=scripts)
    return TypeFamily(script, css_name, "sans-serif", _CAP_HEIGHT, _LINE_HEIGHT, (face,))


def _noto(script: str, package_root: str | Path, scripts: _Ranges) -> TypeFamily:
    return _variable(script, f"Noto Sans {script.title()}", Path(package_root), ("wdth", "wght"), scripts)


_FAMILIES = (
    _variable("hebrew", "Heebo", Path(fontpkg_heebo.ROOT), ("wght",), _HEBREW),
    _noto("arabic", fontpkg_noto_sans_arabic.ROOT, _ARABIC),
    _noto("devanagari", fontpkg_noto_sans_devanagari.ROOT, _DEVANAGARI),
    _noto("thai", fontpkg_noto_sans_thai.ROOT, ((0x0E00, 0x0E7F),)),
    _noto("tamil", fontpkg_noto_sans_tamil.ROOT, ((0x0B80, 0x0BFF),)),
    _noto("telugu", fontpkg_noto_sans_telugu.ROOT, ((0x0C00, 0x0C7F),)),
    _noto("khmer", fontpkg_noto_sans_khmer.ROOT, ((0x1780, 0x17FF), (0x19E0, 0x19FF))),
    _packed("korean", "Noto Sans KR", _KOREAN),
    _packed(_CHINESE, "Noto Sans SC", _CJK),
    _packed(_JAPANESE, "Noto Sans JP", _CJK),
    _packed(EMOJI, "Noto Emoji", ()),
)

_SCRIPT_FAMILIES: Mapping[str, TypeFamily] = {family.name: family for family in _FAMILIES}
"""Asked in this order for a letter that the family of a text does not have."""


_OPTICAL_SIZE = 14.0
"""Inter's `opsz` coordinate in every picture: the cut for text, also the axis' minimum."""
PINNED_AXES: Mapping[str, float] = {"opsz": _OPTICAL_SIZE, "wdth": 100.0}
"""The positions of axes not open to callers."""
_CACHED_FONTS = 1024

# For programs that do not load embedded fonts: designs of like width, the nearest first (mean over labels of diagrams:
# Noto Sans -2 %, Open Sans -3 %, Arial -7 %; monospaced fonts 0 %; Comic Neue +2 %, Lato +6 %, Arial +8 % of Kalam).
# A desktop's own choice is wider: DejaVu Sans +4 % of Inter, +21 % of Kalam.
_SANS_STAND_INS = "'Noto Sans','Open Sans','Segoe UI',Arial,sans-serif"
_MONO_STAND_INS = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"
_HAND_STAND_INS = "'Comic Neue',Lato,Arial,cursive"


# Contextual alternates of the faces for code and print draw other signs than were written: -> as an arrow, 3x4 as 3×4,
# >= as one sign. In a face for a script that joins its letters the same feature is needed.
_AS_WRITTEN = ("calt",)


# The embedded font families as data: the file and the letters of each face.
#
# Three open families come as packages: Inter (sans), JetBrains Mono (mono), Kalam (hand); letters missing from these
# are drawn by the families of other scripts. A variable face covers a range of weights; a static face a single weight.
# Inter also has an optical size axis, pinned to its text cut (`_OPTICAL_SIZE`) here and in the subsets, to measure the
# same at every zoom: a program drawing with the files themselves must switch automatic optical sizing off
# (`font-optical-sizing: none`).


def _inter(name: str, file: str, *, italic: bool) -> FontFace:
    path = Path(fontpkg_inter.ROOT) / "files" / file
    return FontFace(name, "Inter", path, (100, 900), italic=italic, axes=("opsz", "wght"), without=_AS_WRITTEN)


def _mono(name: str, file: str, *, italic: bool) -> FontFace:
    path = Path(fontpkg_jetbrains_mono.ROOT) / "files" / file
    return FontFace(name, "JetBrains Mono", path, (100, 800), italic=italic, axes=("wght",), without=_AS_WRITTEN)


def _kalam(cut: str, weight: int) -> FontFace:
    path = Path(fontpkg_kalam.ROOT) / "files" / f"Kalam-{cut}.ttf"
    return FontFace(f"kalam-{cut.lower()}", "Kalam", path, (weight, weight))


TYPE_FAMILIES: Mapping[str, TypeFamily] = {
    "sans": TypeFamily(
        "sans",
        "Inter",
        _SANS_STAND_INS,
        cap_height=0.7275,
        line_height=1.3,
        upright=(_inter("inter", "Inter[opsz,wght].ttf", italic=False),),
        italic=(_inter("inter-italic", "Inter-Italic[opsz,wght].ttf", italic=True),),
    ),
    "mono": TypeFamily(
        "mono",
        "JetBrains Mono",
        _MONO_STAND_INS,
        cap_height=0.73,
        line_height=1.35,
        upright=(_mono("jetbrains-mono", "JetBrainsMono[wght].ttf", italic=False),),
        italic=(_mono("jetbrains-mono-italic", "JetBrainsMono-Italic[wght].ttf", italic=True),),
    ),
    "hand": TypeFamily(
        "hand",
        "Kalam",
        _HAND_STAND_INS,
        cap_height=0.74,
        line_height=1.35,
        upright=(_kalam("Light", 300), _kalam("Regular", 400), _kalam("Bold", 700)),
    ),
}

_DEFAULT_FAMILY = "sans"
ALL_FAMILIES: Mapping[str, TypeFamily] = {**TYPE_FAMILIES, **_SCRIPT_FAMILIES}
"""Every family used for drawing text."""

FONT_FILES: tuple[Path, ...] = tuple(face.path for family in ALL_FAMILIES.values() for face in family.faces)
"""Every embedded file, for rasterizers with their own file loading."""


def type_family(name: str) -> TypeFamily:
    """The family of a font request; the default family for an unknown name."""
    return ALL_FAMILIES.get(name) or ALL_FAMILIES[_DEFAULT_FAMILY]


@cache
def _fallback_families(name: str, *, japanese: bool = False, emoji: bool = False) -> tuple[str, ...]:
    """The families to search for a letter, in order, beginning with the family of `name`: the world's scripts, the
    remaining designs, emoji. `japanese`: in a text with kana, ideographs have their Japanese forms. `emoji`: the emoji
    family comes first, for a letter in coloured form."""
    own = type_family(name).name
    scripts = [script for script in _SCRIPT_FAMILIES if script != EMOJI]
    if japanese:
        scripts.remove(_JAPANESE)
        scripts.insert(scripts.index(_CHINESE), _JAPANESE)
    others = [other for other in TYPE_FAMILIES if other != own]
    order = [own, *(script for script in scripts if script != own), *others, EMOJI]
    return tuple(dict.fromkeys([EMOJI, *order] if emoji else order))


@lru_cache(maxsize=_CACHED_FONTS)
def face_of(font: Font) -> FontFace:
    """The face that draws `font`: italics if the family has italics, the weight by the rules of CSS font matching (CSS
    Fonts 4, section 5.2)."""
    family = type_family(font.family)
    faces = family.italic if font.italic and family.italic else family.upright
    return min(faces, key=lambda face: _weight_distance(face, font.weight))


@lru_cache(maxsize=_CACHED_FONTS)
def drawn_font(font: Font) -> Font:
    """The font as really drawn: a known family, with a weight and a slant present in a face."""
    face = face_of(font)
    low, high = face.weights
    return Font(type_family(font.family).name, font.size, min(max(font.weight, low), high), face.italic)


def _weight_distance(face: FontFace, weight: int) -> tuple[int, int]:
    low, high = face.weights
    if low <= weight <= high:
        return (0, 0)
    heavier = low > weight
    return (1 if heavier == (weight > 500) else 2, abs((low if heavier else high) - weight))


@cache
def harfbuzz_face(face: FontFace) -> hb.Face:
    """The opened file; read once a process."""
    return hb.Face(hb.Blob.from_file_path(str(face.path)))


@cache
def shaping_font(face: FontFace, weight: int) -> hb.Font:
    """The face at a weight, in font units."""
    font = hb.Font(harfbuzz_face(face))
    coordinates = {"wght": float(weight), **PINNED_AXES}
    if face.axes:
        font.set_variations({axis: coordinates[axis] for axis in face.axes})
    return font


@cache
def glyphs_of(face: FontFace) -> frozenset[int]:
    """The code points the file has glyphs for."""
    return frozenset(harfbuzz_face(face).unicodes)


@cache
def letters_of(face: FontFace) -> frozenset[int]:
    """The code points of a face's scripts, limited to present glyphs."""
    known = glyphs_of(face)
    if not face.scripts:
        return known
    return frozenset(point for first, last in face.scripts for point in range(first, last + 1)) & known


# The Unicode bidirectional algorithm (UAX #9) for one line without explicit formatting characters. In: a line in
# reading order, and whether its paragraph runs from right to left. Out: the embedding level of each character (odd:
# right to left), and the order in which stretches of levels are seen. Rule names are those of the annex.


_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_AS_RIGHT = frozenset({"R", "EN", "AN"})  # numbers count as right to left beside neutral characters (N0, N1)
_NEUTRAL = frozenset({"B", "S", "WS", "ON"})
_IGNORED = frozenset({"BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_SPACES = frozenset({"WS", "S", "B"})
_BRACKETS = dict(zip("([{⟨〈《「『【〔（［｛｟⟦⟪", ")]}⟩〉》」』】〕）］｝｠⟧⟫", strict=True))
_CLOSING = frozenset(_BRACKETS.values())
_OPEN_BRACKETS = 63  # BD16: pairing stops when so many stand open


def _has_right_to_left(text: str) -> bool:
    """Whether any character in `text` could run from right to left; if none, the algorithm is not needed."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def runs_right_to_left(text: str) -> bool:
    """Whether a paragraph runs from right to left, by its first strong letter (P2, P3)."""
    if not _has_right_to_left(text):
        return False
    strong = (kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL"))
    return next(strong, "L") != "L"


def levels(text: str, *, right_to_left: bool) -> tuple[int, ...]:
    """The embedding level of each character of a line."""
    base = int(right_to_left)
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in text]
    kept = [at for at, kind in enumerate(kinds) if kind not in _IGNORED]
    line = [kinds[at] for at in kept]
    outer = "R" if base else "L"
    _resolve_weak(line, outer)
    _resolve_brackets([text[at] for at in kept], [kinds[at] for at in kept], line, outer)
    _resolve_neutral(line, outer)
    found = dict(zip(kept, (_level(kind, base) for kind in line), strict=True))
    row: list[int] = []
    for at in range(len(text)):
        row.append(found.get(at, row[-1] if row else base))
    end = len(text)
    while end and (kinds[end - 1] in _SPACES or kinds[end - 1] in _IGNORED):  # L1
        end -= 1
        row[end] = base
    return tuple(row)


def seen_order(levels_of_parts: Sequence[int]) -> list[int]:
    """The places of the parts from left to right (L2)."""
    order = list(range(len(levels_of_parts)))
    odd = [level for level in levels_of_parts if level % 2]
    for level in range(max(levels_of_parts, default=0), min(odd, default=1) - 1, -1):
        rows = [(deep, list(group)) for deep, group in groupby(order, key=lambda at: levels_of_parts[at] >= level)]
        order = [at for deep, group in rows for at in (reversed(group) if deep else group)]
    return order


def _level(kind: str, base: int) -> int:
    """I1, I2."""
    if kind == "R":
        return base | 1
    if kind == "L":
        return base + base % 2
    return base + 2 - base % 2


def _resolve_weak(line: list[str], outer: str) -> None:
    """W1 to W7, in place."""
    _resolve_marks_and_numbers(line, outer)
    for at in range(1, len(line) - 1):  # W4
        before, after = line[at - 1], line[at + 1]
        if before == after and ((line[at] == "ES" and before == "EN") or (line[at] == "CS" and before in ("EN", "AN"))):
            line[at] = before
    for start, end in _stretches(line, frozenset({"ET"})):  # W5
        beside = {line[at] for at in (start - 1, end) if 0 <= at < len(line)}
        if "EN" in beside:
            line[start:end] = ["EN"] * (end - start)
    strong = outer
    for at, kind in enumerate(line):  # W6, W7
        if kind in ("ES", "ET", "CS"):
            line[at] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            line[at] = "L"


def _resolve_marks_and_numbers(line: list[str], outer: str) -> None:
    """W1 to W3, in place; W3 is delayed until the last Arabic letter has been asked for."""
    strong, before = outer, outer
    for at, kind in enumerate(line):
        if kind == "NSM":
            line[at] = before
        elif kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            line[at] = "AN"
        before = line[at]
    line[:] = ["R" if kind == "AL" else kind for kind in line]


def _resolve_brackets(text: Sequence[str], kinds: Sequence[str], line: list[str], outer: str) -> None:
    """N0, in place: both brackets of a pair take the direction of their content, or of the preceding text."""
    for opening, closing in sorted(_pairs(text, line)):
        inside = {_direction(line[at]) for at in range(opening + 1, closing)} - {""}
        if not inside:
            continue
        direction = outer
        if outer not in inside:
            strong = (_direction(line[at]) for at in range(opening - 1, -1, -1))
            direction = next(filter(None, strong), outer)
        for bracket in (opening, closing):
            line[bracket] = direction
            after = bracket + 1
            while after < len(line) and kinds[after] == "NSM":
                line[after] = direction
                after += 1


def _pairs(text: Sequence[str], line: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Opening and closing places of matching brackets (BD16)."""
    open_ones: list[tuple[str, int]] = []
    for at, letter in enumerate(text):
        if line[at] != "ON":
            continue
        if letter in _BRACKETS:
            if len(open_ones) == _OPEN_BRACKETS:
                return
            open_ones.append((_BRACKETS[letter], at))
        elif letter in _CLOSING:
            depth = next((d for d in range(len(open_ones) - 1, -1, -1) if open_ones[d][0] == letter), None)
            if depth is not None:
                yield open_ones[depth][1], at
                del open_ones[depth:]


def _resolve_neutral(line: list[str], outer: str) -> None:
    """N1, N2, in place: neutral characters go with both their neighbours, or with the paragraph."""
    for start, end in _stretches(line, _NEUTRAL):
        before = _direction(line[start - 1]) if start else outer
        after = _direction(line[end]) if end < len(line) else outer
        line[start:end] = [before if before == after else outer] * (end - start)


def _direction(kind: str) -> str:
    if kind == "L":
        return "L"
    return "R" if kind in _AS_RIGHT else ""


def _stretches(line: Sequence[str], kinds: frozenset[str]) -> list[tuple[int, int]]:
    """Start and end of every stretch of `kinds`."""
    found: list[tuple[int, int]] = []
    start = 0
    for inside, group in groupby(line, key=lambda kind: kind in kinds):
        end = start + sum(1 for _ in group)
        if inside:
            found.append((start, end))
        start = end
    return found


# Where a line may be broken. Four tiers: between words (spaces, hyphens, slashes; for other scripts the Unicode
# line breaking algorithm, UAX #14), between the parts of an address or a list (`path?query&more`) when a word is
# too long for a line, inside compound words (`snake_case`, `camelCase`, `dotted.names`) when such a part is, and
# between any two grapheme clusters when even that is.


_WORD_END = re.compile(r" +|(?<=\w)-(?=[A-Za-z])|(?<=\w)/(?=\w)")
_PART_END = re.compile(r"(?<=\w)[_.:,;@=&?#|\\/-]+(?=\w)|(?<=[a-z0-9])(?=[A-Z])")
_JOINT_END = re.compile(r"(?<=\w)[,;&?#|\\/]+(?=\w)")
_CACHED_TEXTS = 4096


@lru_cache(maxsize=_CACHED_TEXTS)
def word_breaks(text: str) -> tuple[int, ...]:
    """Positions before which a new line may start, ascending, without 0 and the end."""
    ends = (match.end() for match in _WORD_END.finditer(text)) if text.isascii() else _ends(line_break_units(text))
    return tuple(end for end in ends if 0 < end < len(text))


def joint_breaks(word: str) -> tuple[int, ...]:
    """Positions after a separator in an address, a query or a list."""
    return tuple(match.end() for match in _JOINT_END.finditer(word) if match.end() < len(word))


def part_breaks(word: str) -> tuple[int, ...]:
    """Positions inside an overlong word at which a break hurts least."""
    return tuple(match.end() for match in _PART_END.finditer(word) if match.end() < len(word))


def letter_breaks(part: str) -> tuple[int, ...]:
    """Every position between two grapheme clusters."""
    if part.isascii():
        return tuple(range(1, len(part)))
    return tuple(end for end in _ends(_grapheme_clusters(part)) if end < len(part))


def _grapheme_clusters(text: str) -> list[str]:
    """The grapheme clusters (UAX #29), each a letter to the reader."""
    return graphemes(text, is_extended=True)


def _ends(parts: Iterable[str]) -> Iterable[int]:
    """The end of each part in the joined text."""
    return accumulate(map(len, parts))


# Shaping: the widths of stretches of text, and the face for each part. px.
#
# HarfBuzz does the work, as in the rasterizer and in browsers, hence widths agree with the drawing. A line is cut into
# stretches of one face and one direction; text from right to left is ordered by the Unicode bidirectional algorithm.
# Letters missing from all embedded faces form stretches with an estimated width (`_WIDE_EM`, `_NARROW_EM`).


_WIDE_EM = 1.0
_NARROW_EM = 0.6
_EMOJI_STYLE = "\ufe0f"
_FIRST_EMOJI = "\U0001f000"
_KANA = re.compile("[\u3040-\u30ff]")
_SPACE_CHARACTERS = " \u00a0"
_LANGUAGE = "en"  # HarfBuzz would ask the process for its own
_CACHED_LINES = 16384
_CACHED_LETTERS = 32768  # more than there are ideographs in the fonts
_SHORT = 3  # characters: in a text of several faces most stretches are one letter
_CACHED_PARTS = 512  # of the texts that are just being cut into lines: these are asked two or three times


class Stretch(NamedTuple):
    """A part of a text in one font and one direction (`level`: odd from right to left). `known` is false for letters
    missing from all embedded faces."""

    text: str
    font: Font
    known: bool
    level: int = 0


class Glyphs(NamedTuple):
    """A shaped stretch, from left to right: glyph numbers, the characters they stand for, advances and offsets in the
    face's units."""

    infos: list[hb.GlyphInfo]
    positions: list[hb.GlyphPosition]


@lru_cache(maxsize=_CACHED_LINES)
def shape_line(text: str, font: Font, *, right_to_left: bool | None = None) -> tuple[tuple[FontRun, ...], float]:
    """The placed runs of one line in reading order, and the line's width. `right_to_left` is the direction of the
    paragraph; None: taken from the first strong letter of the line."""
    parts = stretches(text, font, right_to_left=right_to_left)
    widths = [fsum(advances(part)) for part in parts]
    seen = seen_order([part.level for part in parts])
    starts = dict(zip(seen, accumulate((widths[at] for at in seen), initial=0.0), strict=False))
    runs = (
        FontRun(part.text, part.font, starts[at], widths[at], right_to_left=part.level % 2 == 1)
        for at, part in enumerate(parts)
    )
    return tuple(runs), fsum(widths)


def stretches(text: str, font: Font, *, right_to_left: bool | None = None) -> tuple[Stretch, ...]:
    """The text split by face and direction, in reading order; grapheme clusters stay whole."""
    if not text:
        return ()
    if text.isascii() and not right_to_left:
        return (Stretch(text, drawn_font(font), known=True),)
    base = runs_right_to_left(text) if right_to_left is None else right_to_left
    return _face_stretches(text, drawn_font(font), right_to_left=base)


@lru_cache(maxsize=_CACHED_PARTS)
def _face_stretches(text: str, drawn: Font, *, right_to_left: bool) -> tuple[Stretch, ...]:
    clusters = _grapheme_clusters(text)
    choices = _choices(clusters, drawn, japanese=_KANA.search(text) is not None)
    level_of = _cluster_levels(text, clusters, right_to_left=right_to_left)
    return tuple(
        Stretch("".join(cluster for cluster, _, _ in rows), choice or drawn, choice is not None, level)
        for (choice, level), rows in groupby(zip(clusters, choices, level_of, strict=True), _looks)
    )


def _looks(row: tuple[str, Font | None, int]) -> tuple[Font | None, int]:
    return row[1:]


def shaped(stretch: Stretch) -> Glyphs:
    """The glyphs of a stretch with a known face."""
    buffer = hb.Buffer()
    buffer.add_str(stretch.text)
    buffer.guess_segment_properties()
    buffer.language = _LANGUAGE
    buffer.direction = "rtl" if stretch.level % 2 else "ltr"
    face = face_of(stretch.font)
    hb.shape(shaping_font(face, stretch.font.weight), buffer, features=dict.fromkeys(face.without, False))
    return Glyphs(buffer.glyph_infos, buffer.glyph_positions)


def advances(stretch: Stretch) -> tuple[float, ...]:
    """The advance of each character, px; the whole advance of a cluster stands at its first character."""
    return _short_advances(stretch) if len(stretch.text) <= _SHORT else _long_advances(stretch)


def _advances(stretch: Stretch) -> tuple[float, ...]:
    if not stretch.known:
        return tuple(_estimated_advances(stretch))
    scale = stretch.font.size / shaping_font(face_of(stretch.font), stretch.font.weight).face.upem
    row = [0.0] * len(stretch.text)
    for info, position in zip(*shaped(stretch), strict=True):
        row[info.cluster] += position.x_advance * scale
    return tuple(row)


_short_advances = lru_cache(maxsize=_CACHED_LETTERS)(_advances)
_long_advances = lru_cache(maxsize=_CACHED_PARTS)(_advances)


def _cluster_levels(text: str, clusters: list[str], *, right_to_left: bool) -> list[int]:
    """The level of each cluster, taken from its first character."""
    if not _has_right_to_left(text) and not right_to_left:
        return [0] * len(clusters)
    row = levels(text, right_to_left=right_to_left)
    return [row[at] for at in accumulate((len(cluster) for cluster in clusters[:-1]), initial=0)]


def _choices(clusters: list[str], drawn: Font, *, japanese: bool) -> list[Font | None]:
    """The font of each cluster. Spaces between two words of a script, and invisible characters, take the font of the
    preceding cluster, to keep words whole."""
    row = [_font_for(cluster, drawn, japanese=japanese) for cluster in clusters]
    for at in range(1, len(clusters)):
        before = row[at - 1]
        between = clusters[at] in _SPACE_CHARACTERS and at + 1 < len(row) and row[at + 1] == before
        if _is_unseen(clusters[at]) or (between and _has_word_spaces(before)):
            row[at] = before
    return row


def _has_word_spaces(font: Font | None) -> bool:
    """Whether the font's own space fits between words; the space of emoji is as wide as a letter."""
    return font is not None and font.family != EMOJI and ord(" ") in glyphs_of(face_of(font))


@lru_cache(maxsize=_CACHED_LETTERS)
def _font_for(cluster: str, drawn: Font, *, japanese: bool) -> Font | None:
    needed = {ord(letter) for letter in cluster if not _is_invisible(letter)}
    emoji = _EMOJI_STYLE in cluster or cluster[0] >= _FIRST_EMOJI
    candidates = _candidates(drawn, japanese=japanese, emoji=emoji and bool(needed))
    return next((font for font, letters in candidates if needed <= letters), None)


@lru_cache(maxsize=_CACHED_PARTS)
def _candidates(drawn: Font, *, japanese: bool, emoji: bool) -> tuple[tuple[Font, frozenset[int]], ...]:
    """The fonts to search for a cluster, in order, each with its letters."""
    families = _fallback_families(drawn.family, japanese=japanese, emoji=emoji)
    fonts = (drawn if name == drawn.family else drawn_font(drawn._replace(family=name)) for name in families)
    return tuple((font, letters_of(face_of(font))) for font in fonts)


@lru_cache(maxsize=_CACHED_LETTERS)
def _is_unseen(cluster: str) -> bool:
    return all(map(_is_invisible, cluster))


def _is_invisible(letter: str) -> bool:
    return unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"


def _estimated_advances(stretch: Stretch) -> Iterator[float]:
    for cluster in _grapheme_clusters(stretch.text):
        yield _estimated_em(cluster) * stretch.font.size
        yield from (0.0 for _ in cluster[1:])


@lru_cache(maxsize=_CACHED_LETTERS)
def _estimated_em(cluster: str) -> float:
    if all(unicodedata.combining(letter) or _is_invisible(letter) for letter in cluster):
        return 0.0
    wide = _EMOJI_STYLE in cluster or any(unicodedata.east_asian_width(letter) in "WF" for letter in cluster)
    return _WIDE_EM if wide else _NARROW_EM
