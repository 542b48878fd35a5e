# ruff: noqa: INP001 (the tests and the scripts import it from this folder)
"""The golden scenes that show one rule each: the tests hold their pictures, and the gallery shows them.

A file of `tests/golden/rules/scenes` is named after its rule and says in words what it shows. One of the same name in
`tests/golden/rules/before` is the earlier revision that a visual diff compares with.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from scenograph.engine.pipeline import Extras, render_svg

ROOT = Path(__file__).parents[1]
RULES = ROOT / "tests" / "golden" / "rules"
GALLERY = ROOT / "docs" / "gallery"
CLEAN = "clean"
OTHER_THEMES = ("dark", "blueprint", "sketch")
# Scenes with what a theme decides: frames, families, markers, colours and letters.
THEMED = (
    "R-THEME-1-one-scene-in-every-theme",
    "R-THEME-4-style-over-palette-over-theme",
    "R-THEME-5-text-is-readable-on-any-fill",
    "R-THEME-6-a-white-frame-in-a-coloured-one-loses-its-fill",
    "R-THEME-8-kinds-have-tones",
    "R-THEME-12-groups-of-a-cloud",
    "R-FRAME-1-frames-in-frames",
    "R-PAINT-2-borders-of-containers",
    "R-PAINT-3-arrowheads",
    "R-PAINT-6-a-legend-explains-the-looks",
    "R-DIFF-1-added-modified-and-removed",
    "R-ROUTE-15-where-lines-cross-arc",
    "R-LABEL-3-event-guard-and-action",
    "R-TEXT-2-labels-of-many-scripts-and-kinds",
    "R-TEXT-5-a-label-lies-inside-its-shape",
    "R-ICON-4-a-fill-brings-the-box-back",
    "R-ICON-6-icons-of-brands",
    "R-FLOW-1-events-are-circles",
    "R-ER-4-cardinality-follows-from-the-columns",
    "R-SEQ-11-a-fragment-with-two-operands",
    "R-ORG-1-cards-and-a-vacancy",
    "R-UI-1-a-screen-and-a-modal",
)
_NAME = re.compile(r"(?P<rule>R-[A-Z]+-\d+)-(?P<words>.+)")
_FONTS = re.compile(r"@font-face\{[^}]*\}")


class GoldenScene(NamedTuple):
    """A scene, the number of the rule that it shows, and what it shows in words. `before` is the earlier revision."""

    name: str
    rule: str
    words: str
    document: dict[str, Any]
    before: dict[str, Any] | None

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes that there is a picture of."""
        return (CLEAN, *OTHER_THEMES) if self.name in THEMED else (CLEAN,)

    def svg(self, theme: str) -> str:
        """The picture as the service renders it."""
        return str(render_svg(self.document, theme=theme, extras=Extras(before=self.before)).content)


def golden_scenes() -> list[GoldenScene]:
    """All of them by name. ValueError for a file whose name cites no rule."""
    return [_scene(path) for path in sorted((RULES / "scenes").glob("*.json"))]


def without_fonts(svg: str) -> str:
    """The picture as it is kept beside its scene; the fonts are most of its bytes."""
    return _FONTS.sub("", svg)


def kept_picture(name: str, theme: str) -> Path:
    """Where the golden picture of a scene in a theme is kept."""
    return RULES / theme / f"{name}.svg"


def shown_picture(name: str, theme: str) -> Path:
    """Where the same picture stands in the gallery, with its fonts."""
    return GALLERY / theme / f"{name}.svg"


def _scene(path: Path) -> GoldenScene:
    said = _NAME.fullmatch(path.stem)
    if said is None:
        raise ValueError(f"{path.name} cites no rule.")
    words = said["words"].replace("-", " ")
    earlier = RULES / "before" / path.name
    before = json.loads(earlier.read_text("utf-8")) if earlier.exists() else None
    return GoldenScene(path.stem, said["rule"], words, json.loads(path.read_text("utf-8")), before)
