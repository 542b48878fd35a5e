"""Drawings made by hand, and a reader of PNG pixels."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

import pytest

from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.engine.text_in_shapes import placed_runs
from scenograph.scene.model import Color

PAGE = Box(0, 0, 200, 100)
BLACK, WHITE = Color(0, 0, 0), Color(255, 255, 255)


class Pixels(NamedTuple):
    """Decoded RGBA rows."""

    width: int
    height: int
    rows: list[bytes]

    def at(self, x: int, y: int) -> tuple[int, ...]:
        return tuple(self.rows[y][4 * x : 4 * x + 4])


def decode(data: bytes) -> Pixels:
    """An 8 bit RGBA PNG without interlacing."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, color = struct.unpack(">IIBB", data[16:26])
    assert (depth, color) == (8, 6)
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, stride = zlib.decompress(packed), 4 * width + 1
    rows, above = [], bytes(4 * width)
    for y in range(height):
        above = unfiltered(raw[y * stride], bytearray(raw[y * stride + 1 : (y + 1) * stride]), above)
        rows.append(above)
    return Pixels(width, height, rows)


def unfiltered(kind: int, row: bytearray, above: bytes) -> bytes:
    """One row with its filter undone (PNG, section 9)."""
    for i, value in enumerate(row):
        a, b, c = (row[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
        p = a + b - c
        nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (value + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
    return bytes(row)


def drawing_of(*items: DrawnItem, page: Box = PAGE, **members: object) -> Drawing:
    group = DrawnGroup(id="n", kind="node", items=items)
    settings = {"background": WHITE, "groups": (group,), "title": "Title", "description": "Words"} | members
    return Drawing(page=page, **settings)


def words(text: str, x: float = 10, y: float = 30, font: Font | None = None) -> TextItem:
    return laid_words(lay_text(text, font or Font("sans", 14.0)), x, y)


def laid_words(block: TextBlock, x: float = 10, y: float = 30) -> TextItem:
    """Lines 18 px apart, each from `x` on."""
    rows = (placed_runs(line, Point(x, y + i * 18), BLACK) for i, line in enumerate(block.lines))
    return TextItem(runs=tuple(run for row in rows for run in row))


@pytest.fixture
def make_drawing():
    return drawing_of


@pytest.fixture
def make_words():
    return words


@pytest.fixture
def make_laid_words():
    return laid_words


@pytest.fixture
def read_png():
    return decode
