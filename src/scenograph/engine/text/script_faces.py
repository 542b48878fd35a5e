"""The fonts for the world's scripts as data: which one draws which code points, whatever family was asked for.

Hebrew (Heebo), Arabic, Devanagari, Thai, Tamil, Telugu and Khmer (Noto Sans) come as packages, in all weights. Chinese,
Japanese, Korean and emoji are too large or not packaged: they lie in `fonts/`, one weight each, cut down to the letters
of the national standards by `scripts/pack_fonts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import fontpkg_heebo
import fontpkg_noto_sans_arabic
import fontpkg_noto_sans_devanagari
import fontpkg_noto_sans_khmer
import fontpkg_noto_sans_tamil
import fontpkg_noto_sans_telugu
import fontpkg_noto_sans_thai

from scenograph.engine.text.typeface import FontFace, TypeFamily

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
    """The family of a packaged variable font, all weights in one file."""
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
