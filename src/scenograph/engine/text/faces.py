"""The embedded font families as data: the file and the letters of each face.

Three open families come as packages: Inter (sans), JetBrains Mono (mono), Kalam (hand); letters missing from these are
drawn by the families of `script_faces`. A variable face covers a range of weights; a static face a single weight. Inter
also has an optical size axis, pinned to its text cut (`OPTICAL_SIZE`) here and in the subsets, to measure the same at
every zoom: a program drawing with the files themselves must switch automatic optical sizing off (`font-optical-sizing:
none`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

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

from scenograph.engine.text.blocks import Font
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


Ranges = tuple[tuple[int, int], ...]

EMOJI = "emoji"
CHINESE = "chinese"
JAPANESE = "japanese"

_PACKED = Path(__file__).parent / "fonts"
_PACKED_WEIGHT = 500
_CAP_HEIGHT, _LINE_HEIGHT = 0.73, 1.3

_HEBREW: Ranges = ((0x0590, 0x05FF), (0xFB1D, 0xFB4F), (0x20AA, 0x20AA))
_ARABIC: Ranges = ((0x0600, 0x06FF), (0x0750, 0x077F), (0x08A0, 0x08FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))
_DEVANAGARI: Ranges = ((0x0900, 0x097F), (0x1CD0, 0x1CFF), (0xA8E0, 0xA8FF))
_CJK: Ranges = (
    (0x2460, 0x24FF),  # enclosed letters and digits
    (0x2E80, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)
_KOREAN: Ranges = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7A3))


def _variable(script: str, css_name: str, folder: Path, axes: tuple[str, ...], scripts: Ranges) -> TypeFamily:
    """The family of a packaged variable font, with all weights in one file."""
    file = f"{css_name.replace(' ', '')}[{','.join(axes)}].ttf"
    face = FontFace(script, css_name, folder / "files" / file, (100, 900), axes=axes, scripts=scripts)
    return TypeFamily(script, css_name, "sans-serif", _CAP_HEIGHT, _LINE_HEIGHT, (face,))


def _packed(script: str, css_name: str, scripts: Ranges) -> TypeFamily:
    """The family of a font in `fonts/`."""
    path = _PACKED / f"{css_name.replace(' ', '')}-Medium.ttf"
    face = FontFace(script, css_name, path, (_PACKED_WEIGHT, _PACKED_WEIGHT), scripts=scripts)
    return TypeFamily(script, css_name, "sans-serif", _CAP_HEIGHT, _LINE_HEIGHT, (face,))


def _noto(script: str, package_root: str | Path, scripts: Ranges) -> TypeFamily:
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
    _packed(CHINESE, "Noto Sans SC", _CJK),
    _packed(JAPANESE, "Noto Sans JP", _CJK),
    _packed(EMOJI, "Noto Emoji", ()),
)

SCRIPT_FAMILIES: Mapping[str, TypeFamily] = {family.name: family for family in _FAMILIES}
"""Asked in this order for a letter that the family of a text does not have."""


OPTICAL_SIZE = 14.0
"""Inter's `opsz` coordinate in every picture: the cut for text, also the axis' minimum."""
PINNED_AXES: Mapping[str, float] = {"opsz": OPTICAL_SIZE, "wdth": 100.0}
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

DEFAULT_FAMILY = "sans"
ALL_FAMILIES: Mapping[str, TypeFamily] = {**TYPE_FAMILIES, **SCRIPT_FAMILIES}
"""Every family used for drawing text."""

FONT_FILES: tuple[Path, ...] = tuple(face.path for family in ALL_FAMILIES.values() for face in family.faces)
"""Every embedded file, for rasterizers with their own file loading."""


def type_family(name: str) -> TypeFamily:
    """The family of a font request; the default family for an unknown name."""
    return ALL_FAMILIES.get(name) or ALL_FAMILIES[DEFAULT_FAMILY]


@cache
def fallback_families(name: str, *, japanese: bool = False, emoji: bool = False) -> tuple[str, ...]:
    """The families to search for a letter, in order, beginning with the family of `name`: the world's scripts, the
    remaining designs, emoji. `japanese`: in a text with kana, ideographs have their Japanese forms. `emoji`: the emoji
    family comes first, for a letter in coloured form."""
    own = type_family(name).name
    scripts = [script for script in SCRIPT_FAMILIES if script != EMOJI]
    if japanese:
        scripts.remove(JAPANESE)
        scripts.insert(scripts.index(CHINESE), JAPANESE)
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
    """The code points the face is chosen for: its scripts, limited to its glyphs."""
    known = glyphs_of(face)
    if not face.scripts:
        return known
    return frozenset(point for first, last in face.scripts for point in range(first, last + 1)) & known
