#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Makes the fonts for Chinese, Japanese, Korean and emoji of `src/scenograph/engine/text/fonts/`.

    uv run scripts/pack_fonts.py <folder>

The folder holds the unpacked npm packages noto-sans-sc, noto-sans-jp, noto-sans-kr and noto-emoji of the scope
@expo-google-fonts, each in a folder of its last name. Every font is cut down to the letters of the national standards
(GB 2312 and the common half of Big5, JIS X 0208, KS X 1001 with all syllables), without hints; the same sources give
the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import uharfbuzz as hb

FONTS = Path(__file__).parents[1] / "src" / "scenograph" / "engine" / "text" / "fonts"
_FEATURES = (b"ccmp", b"ljmo", b"vjmo", b"tjmo", b"liga")
_COMMON_BIG5 = 0xC67E  # the last code of Big5's first level

_PUNCTUATION = (0x20, *range(0x3000, 0x3040), *range(0xFF00, 0xFFF0), *range(0xFE30, 0xFE50))
_KANA = (*range(0x3040, 0x3100), *range(0x31F0, 0x3200))
_ENCLOSED = (*range(0x2460, 0x2500), *range(0x3200, 0x3400))
_BOPOMOFO = tuple(range(0x3100, 0x3130))
_HANGUL = (*range(0x1100, 0x1200), *range(0x3130, 0x3190), *range(0xAC00, 0xD7A4))


def encodable(codec: str, last: int = 0xFFFF) -> Iterable[int]:
    """The ideographs of a two-byte standard, up to its code `last`."""
    for point in range(0x4E00, 0xA000):
        try:
            code = chr(point).encode(codec)
        except UnicodeEncodeError:
            continue
        if len(code) == 2 and int.from_bytes(code, "big") <= last:
            yield point


LETTERS: dict[str, tuple[str, Iterable[int]]] = {
    # package: the file to write, and the letters it keeps (none: all)
    "noto-sans-sc": (
        "NotoSansSC-Medium.ttf",
        (*encodable("gb2312"), *encodable("big5", _COMMON_BIG5), *_PUNCTUATION, *_ENCLOSED, *_BOPOMOFO),
    ),
    "noto-sans-jp": ("NotoSansJP-Medium.ttf", (*encodable("shift_jis"), *_KANA, *_PUNCTUATION, *_ENCLOSED)),
    "noto-sans-kr": ("NotoSansKR-Medium.ttf", (*_HANGUL, *_PUNCTUATION)),
    "noto-emoji": ("NotoEmoji-Medium.ttf", ()),
}


def cut_down(source: Path, letters: Iterable[int]) -> bytes:
    """The font with just `letters` and what shaping makes of them."""
    face = hb.Face(hb.Blob(source.read_bytes()))
    wish = hb.SubsetInput()
    wish.flags = hb.SubsetFlags.NO_HINTING
    wish.unicode_set.update(frozenset(letters) & frozenset(face.unicodes) or frozenset(face.unicodes))
    wish.layout_feature_tag_set.clear()
    wish.layout_feature_tag_set.update(int.from_bytes(tag, "big") for tag in _FEATURES)
    return bytes(hb.subset(face, wish).blob.data)


def main(arguments: Sequence[str]) -> int:
    """Pack every font from the folder given."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    FONTS.mkdir(exist_ok=True)
    for package, (name, letters) in LETTERS.items():
        folder = Path(arguments[0]) / package
        data = cut_down(next(folder.glob("500Medium/*.ttf")), letters)
        (FONTS / name).write_bytes(data)
        (FONTS / f"LICENSE-{package}.txt").write_bytes((folder / "LICENSE_FONT").read_bytes())
        print(f"{name}: {len(data):,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
