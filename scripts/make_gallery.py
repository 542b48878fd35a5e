#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Draws docs/gallery from the golden scenes: a page a theme of the rules, a picture a scene and theme.

    uv run scripts/make_gallery.py [folder for PNG copies]

The pictures of the gallery are the golden ones, with their fonts: `uv run pytest tests/golden --update-golden` writes
both. Run this after a scene has come or gone. The same code gives the same bytes.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "scripts")]

from golden_scenes import CLEAN, GALLERY, GoldenScene, golden_scenes, shown_picture  # noqa: E402
from rule_book import Rule, rules  # noqa: E402

from scenograph.engine.pipeline import Extras, render_png  # noqa: E402

LARGER = ROOT / "tests" / "golden"
WRITTEN = "Written by `uv run scripts/make_gallery.py` from the golden scenes of the tests; do not edit.\n"
HEAD = f"""# Gallery

{WRITTEN}
Every picture is an SVG as the service renders it, and a golden picture: a test fails when it changes unseen. The scene
behind a picture is the file of the same name in [tests/golden/rules/scenes](../../tests/golden/rules/scenes).

| page | pictures |
|---|---|
"""
PAGES_OF_THE_VIEWER = """
Pictures of the studio, of published pages and of the App are in [studio.md](../studio.md#every-page-in-light-and-dark).
"""
_TITLE = re.compile(r"# (.+)")


def gallery_pages(scenes: Sequence[GoldenScene]) -> dict[str, str]:
    """The text of every page by its file's name: one for each page of the rule book that has scenes, and the index."""
    by_rule: dict[str, list[GoldenScene]] = {}
    for scene in scenes:
        by_rule.setdefault(scene.rule, []).append(scene)
    shown = [rule for rule in rules() if rule.number in by_rule]
    chapters = {rule.page: [row for row in shown if row.page == rule.page] for rule in shown}
    pages = {f"{page}.md": _page(page, rows, by_rule) for page, rows in chapters.items()}
    counts = {
        page: sum(len(scene.themes) for row in rows for scene in by_rule[row.number]) for page, rows in chapters.items()
    }
    index = "".join(f"| [{_title(page)}]({page}.md) | {count} |\n" for page, count in counts.items())
    return {"README.md": HEAD + index + PAGES_OF_THE_VIEWER + "".join(_larger()), **pages}


def _page(page: str, rows: Sequence[Rule], by_rule: Mapping[str, Sequence[GoldenScene]]) -> str:
    parts = [f"# Gallery: {_title(page)}\n\n{WRITTEN}\nThe rules are in [{page}.md](../rules/{page}.md).\n"]
    for row in rows:
        parts.append(f"\n## {row.number}\n\n{row.text}\n")
        parts += [_shown(scene) for scene in by_rule[row.number]]
    return "".join(parts)


def _shown(scene: GoldenScene) -> str:
    pictures = "".join(f"\n![{scene.words}, {theme}]({theme}/{scene.name}.svg)\n" for theme in scene.themes)
    return f"\n{scene.words[0].upper()}{scene.words[1:]}:\n{pictures}"


def _title(page: str) -> str:
    found = _TITLE.match((ROOT / "docs" / "rules" / f"{page}.md").read_text("utf-8"))
    return found[1] if found else page


def _larger() -> Iterator[str]:
    """The golden pictures of larger scenes, shown where they are kept."""
    yield "\n## Larger scenes\n"
    for path in sorted(LARGER.glob(f"*.{CLEAN}.svg")):
        title = path.name.partition(".")[0].replace("-", " ").capitalize()
        yield f"\n### {title}\n\n![{title}](../../tests/golden/{path.name})\n"


def main(arguments: Sequence[str]) -> int:
    """Draw all pictures and write all pages."""
    asked = argparse.ArgumentParser(description="Draws docs/gallery from the golden scenes.")
    asked.add_argument("copies", nargs="?", type=Path, help="a folder for copies of the pictures as PNG")
    copies: Path | None = asked.parse_args(arguments).copies
    scenes = golden_scenes()
    shutil.rmtree(GALLERY, ignore_errors=True)
    total = 0
    for scene in scenes:
        for theme in scene.themes:
            svg, place = scene.svg(theme), shown_picture(scene.name, theme)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(svg, "utf-8")
            total += len(svg.encode())
            if copies is not None:
                png = render_png(scene.document, theme=theme, extras=Extras(before=scene.before)).content
                (copies / f"{scene.name}.{theme}.png").write_bytes(bytes(png))
    for name, text in gallery_pages(scenes).items():
        (GALLERY / name).write_text(text, "utf-8")
    print(f"{len(scenes)} scenes, {total:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
