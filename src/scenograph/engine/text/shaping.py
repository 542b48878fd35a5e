"""Shaping: how wide a stretch of text is, and which face draws each part of it. px.

HarfBuzz does the work, as in the rasterizer and in browsers, so widths agree with what is drawn. Letters that no
embedded face has are kept in a run of their own with an estimated width (`WIDE_EM`, `NARROW_EM`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import uharfbuzz as hb
from uniseg.graphemecluster import grapheme_clusters

from scenograph.engine.text.blocks import Font, Run
from scenograph.engine.text.faces import drawn_font, face_of, fallback_families, letters_of, shaping_font

WIDE_EM = 1.0
NARROW_EM = 0.6
_EMOJI_STYLE = "\ufe0f"
_CACHED_LINES = 16384


class Stretch(NamedTuple):
    """A part of a text that one font draws. `known` is false when no embedded face has its letters."""

    text: str
    font: Font
    known: bool


@lru_cache(maxsize=_CACHED_LINES)
def shape_line(text: str, font: Font) -> tuple[tuple[Run, ...], float]:
    """The runs of one line from left to right, and its whole width."""
    runs: list[Run] = []
    x = 0.0
    for stretch in stretches(text, font):
        width = sum(advances(stretch))
        runs.append(Run(stretch.text, stretch.font, x, width))
        x += width
    return tuple(runs), x


def stretches(text: str, font: Font) -> tuple[Stretch, ...]:
    """`text` split by the face that draws it; grapheme clusters stay whole."""
    if not text:
        return ()
    drawn = drawn_font(font)
    if text.isascii():
        return (Stretch(text, drawn, known=True),)
    candidates = [drawn, *(drawn_font(drawn._replace(family=name)) for name in fallback_families(drawn.family)[1:])]
    choices = ((cluster, _font_with(cluster, candidates)) for cluster in grapheme_clusters(text))
    return tuple(
        Stretch("".join(cluster for cluster, _ in group), choice or drawn, known=choice is not None)
        for choice, group in groupby(choices, key=lambda pair: pair[1])
    )


def advances(stretch: Stretch) -> tuple[float, ...]:
    """The advance of each character, px; a cluster's whole advance stands at its first character."""
    if not stretch.known:
        return tuple(_estimated_advances(stretch))
    font = shaping_font(face_of(stretch.font), stretch.font.weight)
    buffer = hb.Buffer()
    buffer.add_str(stretch.text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    scale = stretch.font.size / font.face.upem
    row = [0.0] * len(stretch.text)
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        row[info.cluster] += position.x_advance * scale
    return tuple(row)


def _font_with(cluster: str, candidates: list[Font]) -> Font | None:
    needed = {ord(letter) for letter in cluster if not _is_invisible(letter)}
    return next((font for font in candidates if needed <= letters_of(face_of(font))), None)


def _is_invisible(letter: str) -> bool:
    return unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"


def _estimated_advances(stretch: Stretch) -> Iterator[float]:
    for cluster in grapheme_clusters(stretch.text):
        yield _estimated_em(cluster) * stretch.font.size
        yield from (0.0 for _ in cluster[1:])


def _estimated_em(cluster: str) -> float:
    if all(unicodedata.combining(letter) or _is_invisible(letter) for letter in cluster):
        return 0.0
    wide = _EMOJI_STYLE in cluster or any(unicodedata.east_asian_width(letter) in "WF" for letter in cluster)
    return WIDE_EM if wide else NARROW_EM
