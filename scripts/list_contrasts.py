#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Writes docs/contrasts.md: the contrast of every tone in every theme, by the formula of WCAG 2.

    uv run python scripts/list_contrasts.py

A row is a tone; its numbers are the lowest among its node types, on the page and in frames of every hue and depth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

from scenograph.diagnostics import Report
from scenograph.engine.colors import READABLE_CONTRAST, SEEN_CONTRAST, contrast, over
from scenograph.engine.families.catalog import NODE_KINDS
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.themes import THEMES, Theme
from scenograph.scene.model import Color
from scenograph.scene.reading import read_scene

PAGE = Path(__file__).parents[1] / "docs" / "contrasts.md"
HEAD = f"""# The contrasts of the themes

Written by `uv run python scripts/list_contrasts.py`; do not edit. Contrast is that of WCAG 2, from 1 to 21.
Text keeps {READABLE_CONTRAST:g} and more, borders and lines {SEEN_CONTRAST:g} and more (R-THEME-5, R-THEME-8).
A number is the lowest of all node types of a tone, on the page and in frames of every hue and depth.
"""


class Contrasts(NamedTuple):
    """Of a tone: its text and its quieter text, its border on its own fill, its border on the ground."""

    text: float
    muted: float
    line: float
    ground: float


def grounds(theme: Theme) -> list[Color]:
    """The page, and the insides of frames of every hue and depth."""
    frames = product(range(len(theme.frame_steps)), range(len(theme.frame_hues)))
    return [theme.background, *(theme.frame_fill(depth, hue) for depth, hue in frames)]


def contrasts(theme: Theme) -> Mapping[str, Contrasts]:
    """The lowest contrasts of every tone that a node type has."""
    kinds = [{"id": name, "kind": "node", "nodeType": name, "label": name} for name in NODE_KINDS]
    styles = finish_styles(resolve(read_scene({"elements": kinds}, Report()), Report()), theme)
    found: dict[str, list[Contrasts]] = defaultdict(list)
    for name, kind in NODE_KINDS.items():
        style = styles.of[name]
        for ground in grounds(theme):
            fill = over(style.fill, ground)
            behind = ground if kind.label_below else fill
            line = contrast(style.stroke, fill) if style.fill != style.stroke else contrast(style.stroke, ground)
            texts = contrast(style.text_color, behind), contrast(style.muted_color, behind)
            found[kind.tone].append(Contrasts(*texts, line, contrast(style.stroke, ground)))
    return {tone: Contrasts(*map(min, zip(*rows, strict=True))) for tone, rows in sorted(found.items())}


def page() -> str:
    """The text of docs/contrasts.md."""
    return HEAD + "".join(line for name, theme in THEMES.items() for line in _section(name, theme))


def _section(name: str, theme: Theme) -> Iterator[str]:
    yield f"\n## {name}\n\n| tone | text | quiet text | border on fill | border on ground |\n|---|---|---|---|---|\n"
    for tone, row in contrasts(theme).items():
        yield f"| {tone} | {' | '.join(f'{value:.1f}' for value in row)} |\n"
    lines = min(contrast(theme.edge, ground) for ground in grounds(theme))
    texts = min(contrast(theme.edge_text, ground) for ground in grounds(theme))
    titles = min(contrast(theme.title, ground) for ground in grounds(theme))
    yield f"\nLines {lines:.1f}, their labels {texts:.1f}, titles of frames {titles:.1f}.\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"{len(THEMES)} themes")
