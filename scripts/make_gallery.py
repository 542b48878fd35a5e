#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Draws docs/gallery: every shape, marker, type, theme and behaviour, from scenes in `gallery/`.

    uv run scripts/make_gallery.py [folder for PNG copies]

Writes an SVG for each page and the README that shows them. The same code gives the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "scripts")]

from gallery.families import family_pages  # noqa: E402
from gallery.sheets import Page, vocabulary_pages  # noqa: E402
from gallery.subjects import subject_pages  # noqa: E402

from scenograph.engine.pipeline import Extras, render_png, render_svg  # noqa: E402

GALLERY = ROOT / "docs" / "gallery"
HEAD = "# Gallery\n\nMade by `scripts/make_gallery.py`; every picture is an SVG as the service renders it.\n"
PAGES_OF_THE_VIEWER = (
    "\nPictures of the studio, of published pages and of the App are in "
    "[studio.md](../studio.md#every-page-in-light-and-dark).\n"
)


def pages() -> list[Page]:
    """Every page, in order."""
    return [*family_pages(), *vocabulary_pages(), *subject_pages()]


def main(arguments: Sequence[str]) -> int:
    """Draw all pages."""
    GALLERY.mkdir(exist_ok=True)
    total, readme = 0, HEAD + PAGES_OF_THE_VIEWER
    for page in pages():
        extras = Extras(before=page.before)
        svg = str(render_svg(page.scene, theme=page.theme, extras=extras).content)
        (GALLERY / f"{page.name}.svg").write_text(svg, "utf-8")
        readme += f"\n## {page.title}\n\n![{page.title}]({page.name}.svg)\n"
        total += len(svg.encode())
        if arguments:
            png = bytes(render_png(page.scene, theme=page.theme, extras=extras).content)
            (Path(arguments[0]) / f"{page.name}.png").write_bytes(png)
    (GALLERY / "README.md").write_text(readme, "utf-8")
    print(f"{len(pages())} pages, {total:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
