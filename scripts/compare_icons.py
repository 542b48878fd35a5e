#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Compares packed icons with the files they came from, pixel by pixel, and draws contact sheets.

    uv run scripts/compare_icons.py <output folder> lucide=<file> aws=<folder> …

Takes the same sources as `scripts/pack_icons.py`. Every icon is rendered twice at `SIZE` px by the project's
rasterizer: the source's SVG and the packed layers. Printed are each set's mean and worst differences (the mean absolute
difference of the premultiplied channels, 0 to 255); the output folder gets `<set>-worst.png`, the pairs that differ
most, and `<set>-sheet.png`, a hundred pairs from all over the set. In a pair the source stands at the left.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import svg2png_py

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "scripts")]

from icon_packing.sources import SOURCES, Source  # noqa: E402
from icon_packing.svg_reading import read_svg  # noqa: E402
from icon_packing.svg_writing import svg_of  # noqa: E402

from scenograph.engine.icons.registry import Pack, open_pack  # noqa: E402

PACKS = ROOT / "src" / "scenograph" / "engine" / "icons" / "packs"
SIZE = 64
PAIRS_A_ROW = 10
SHOWN = 100
REPORTED = 8
FONTS = svg2png_py.FontDatabase()


class Pair(NamedTuple):
    """How much an icon differs, and both its pictures as SVG."""

    difference: float
    name: str
    source: str
    packed: str


def source_svg(source: Source) -> str:
    """The source file at SIZE px."""
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    root = ET.fromstring(source.svg)  # noqa: S314 (files of a maintainer's choosing)
    box = read_svg(source.svg).view_box
    root.attrib |= {"viewBox": " ".join(map(str, box)), "width": str(SIZE), "height": str(SIZE)}
    if source.color:
        root.attrib["fill"] = source.color
    return ET.tostring(root, "unicode")


def compared(source: Source, pack: Pack) -> Pair:
    """Both renderings of one icon."""
    view_box, layers = pack.drawing(source.name)
    pictures = source_svg(source), svg_of(view_box, layers, SIZE)
    one, two = (svg2png_py.svg_to_rgba(svg, FONTS)[0] for svg in pictures)
    if len(one) != len(two):
        raise ValueError(f"{source.name}: pictures of different sizes")
    total = sum(abs(a - b) for a, b in zip(one, two, strict=True) if a != b)
    return Pair(total / len(one), source.name, *pictures)


def write_sheet(path: Path, pairs: Sequence[Pair]) -> None:
    """A page of pairs."""
    cells: list[str] = []
    for index, pair in enumerate(pairs):
        for side, svg in enumerate((pair.source, pair.packed)):
            png = b64encode(svg2png_py.svg_to_png(svg, FONTS)).decode()
            x = (index % PAIRS_A_ROW) * (2 * SIZE + 24) + side * (SIZE + 4) + 8
            y = index // PAIRS_A_ROW * (SIZE + 12) + 8
            place = f'x="{x}" y="{y}" width="{SIZE}" height="{SIZE}"'
            cells.append(f'<image {place} href="data:image/png;base64,{png}"/>')
    width, height = PAIRS_A_ROW * (2 * SIZE + 24), -(-len(pairs) // PAIRS_A_ROW) * (SIZE + 12) + 8
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
    page = f'{head}<rect width="100%" height="100%" fill="#fff"/>{"".join(cells)}</svg>'
    path.write_bytes(svg2png_py.svg_to_png(page, FONTS))


def compare(name: str, folder: Path, output: Path) -> None:
    """Compare one set."""
    pack = open_pack(PACKS / f"{name}.icons")
    pairs = [compared(source, pack) for source in SOURCES[name](folder) if source.name in pack.order]
    worst = sorted(pairs, reverse=True)[:SHOWN]
    mean = sum(pair.difference for pair in pairs) / len(pairs)
    print(f"{name}: {len(pairs)} icons, mean difference {mean:.3f}; worst:")
    for pair in worst[:REPORTED]:
        print(f"    {pair.difference:7.3f}  {pair.name}")
    write_sheet(output / f"{name}-worst.png", worst)
    write_sheet(output / f"{name}-sheet.png", pairs[:: max(1, len(pairs) // SHOWN)][:SHOWN])


def main(arguments: Sequence[str]) -> int:
    """Compare every `set=folder` given."""
    given = [argument.partition("=")[::2] for argument in arguments[1:]]
    if not given or any(name not in SOURCES for name, _ in given):
        print(__doc__)
        return 2
    output = Path(arguments[0])
    output.mkdir(parents=True, exist_ok=True)
    for name, folder in given:
        compare(name, Path(folder), output)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
