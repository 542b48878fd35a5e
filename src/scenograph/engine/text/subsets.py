"""Font subsets: the few letters a picture uses, as small font files to embed.

In: runs of text. Out: for each font file the letters and weights it is used for, and the bytes of a TrueType subset
that draws just these, its optical size pinned and its weight axis pinned or narrowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import uharfbuzz as hb

from scenograph.engine.text.blocks import Font
from scenograph.engine.text.faces import PINNED_AXES, FontFace, drawn_font, face_of, glyphs_of, harfbuzz_face

_CACHED_SUBSETS = 64
_KEPT_FEATURES = (
    *("ccmp", "locl", "rlig", "rclt", "calt", "clig", "liga", "kern", "mark", "mkmk"),
    *("isol", "fina", "fin2", "fin3", "medi", "med2", "init", "curs", "stch"),  # joining scripts
    *("nukt", "akhn", "rphf", "rkrf", "pref", "blwf", "abvf", "half", "pstf", "vatu", "cjct", "cfar"),  # Indic and
    *("pres", "abvs", "blws", "psts", "haln", "dist", "abvm", "blwm"),  # Khmer
    *("ljmo", "vjmo", "tjmo"),  # Hangul jamo
)
_DROPPED_TABLES = ("STAT", "MVAR", "meta", "DSIG", "gasp", "prep")
_KEPT_NAMES = (1, 2, 4, 6)  # family, style, full and PostScript name: without the last, rasterizers refuse the file


class FaceUse(NamedTuple):
    """What a picture needs of one font file: its letters (sorted) and the lightest and heaviest weight."""

    face: FontFace
    letters: str
    weights: tuple[int, int]


def faces_used(runs: Iterable[tuple[str, Font]]) -> tuple[FaceUse, ...]:
    """The font files that `runs` (text and font, as `TextBlock` and `TextRun` hold them) are drawn with, in a fixed
    order; letters that a file does not have are left out."""
    by_font: dict[Font, set[str]] = {}
    for text, font in runs:
        by_font.setdefault(font, set()).update(text)
    letters: dict[FontFace, set[str]] = {}
    weights: dict[FontFace, set[int]] = {}
    for font, found in by_font.items():
        face = face_of(font)
        letters.setdefault(face, set()).update(found)
        weights.setdefault(face, set()).add(drawn_font(font).weight)
    return tuple(
        FaceUse(face, _drawable(face, letters[face]), (min(weights[face]), max(weights[face])))
        for face in sorted(letters, key=lambda face: face.name)
    )


@lru_cache(maxsize=_CACHED_SUBSETS)
def subset_font(use: FaceUse) -> bytes:
    """A TrueType file with the glyphs of `use.letters`; when two weights are asked for it keeps the weight axis between
    them. Same input, same bytes."""
    face = harfbuzz_face(use.face)
    wish = hb.SubsetInput()
    wish.flags = hb.SubsetFlags.NO_HINTING
    wish.unicode_set.update(ord(letter) for letter in use.letters)
    _replace(wish.layout_feature_tag_set, map(_tag, _KEPT_FEATURES))
    _replace(wish.name_id_set, _KEPT_NAMES)
    wish.drop_table_tag_set.update(map(_tag, _DROPPED_TABLES))
    _set_axes(wish, face, use)
    return bytes(hb.subset(face, wish).blob.data)


def _drawable(face: FontFace, letters: set[str]) -> str:
    return "".join(sorted(letter for letter in letters if ord(letter) in glyphs_of(face)))


def _replace(tags: hb.Set, values: Iterable[int]) -> None:
    tags.clear()
    tags.update(values)


def _tag(name: str) -> int:
    return int.from_bytes(name.encode("ascii"), "big")


def _set_axes(wish: hb.SubsetInput, face: hb.Face, use: FaceUse) -> None:
    for axis in use.face.axes:
        if axis in PINNED_AXES:
            wish.pin_axis_location(face, axis, PINNED_AXES[axis])
    if "wght" not in use.face.axes:
        return
    lightest, heaviest = use.weights
    if lightest == heaviest:
        wish.pin_axis_location(face, "wght", float(lightest))
    else:
        wish.set_axis_range(face, "wght", float(lightest), float(heaviest), float(lightest))
