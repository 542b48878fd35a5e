"""Small scenes, one idea each, against what they looked like before: first the numbers, then the picture.

The scenes of `rules/scenes` show one rule each, which their name cites and says in words. Their pictures stand in a
folder a theme, without their fonts.

The gallery shows the same pictures, with their fonts.

A wanted change is written with `uv run pytest tests/golden --update-golden` and judged by eye before it is kept:
`scripts/review_pictures.py` puts all pictures that changed on one page, before and after side by side. After a scene
has come or gone, `scripts/make_gallery.py` writes the pages of the gallery.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import rule_book
from golden_scenes import (
    CLEAN,
    OTHER_THEMES,
    RULES,
    THEMED,
    GoldenScene,
    golden_scenes,
    kept_picture,
    shown_picture,
    without_fonts,
)

from scenograph.engine.pipeline import LaidOut, WriteOptions, lay_out, normalize, render_png, render_svg
from scenograph.engine.themes import THEMES

HERE = Path(__file__).parent
SCENES = sorted((HERE.parent / "scenes").glob("*.json"))
by_scene = pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
RULE_SCENES = golden_scenes()
PICTURES = [(theme, scene) for scene in RULE_SCENES for theme in scene.themes]
by_rule = pytest.mark.parametrize("scene", RULE_SCENES, ids=lambda scene: scene.name)


@cache
def document(scene: Path) -> dict[str, Any]:
    return json.loads(scene.read_text("utf-8"))


def compare(path: Path, text: str, *, updating: bool) -> None:
    if updating:
        path.write_text(text, "utf-8")
    assert path.exists(), f"there is no {path.name} yet: run with --update-golden"
    assert text == path.read_text("utf-8")


def numbers(laid_out: LaidOut) -> str:
    """All that placing and routing decided, one element a line."""
    scene = laid_out.scene
    tables = {
        "boxes": scene.placement.boxes,
        "parts": scene.placement.parts,
        "routes": {key: (route.router, route.points, route.label) for key, route in scene.routes.items()},
    }
    canvas = scene.canvas
    head = [f'"canvas": {printed((canvas.width, canvas.height, *canvas.origin))}']
    head.append(f'"diagnostics": {json.dumps([row.code for row in laid_out.diagnostics])}')
    for name, table in tables.items():
        rows = ",\n".join(f"    {json.dumps(key)}: {printed(value)}" for key, value in table.items())
        head.append(f'"{name}": {{\n{rows}\n  }}')
    return "{\n  " + ",\n  ".join(head) + "\n}\n"


def printed(value: object) -> str:
    return json.dumps(rounded(value), ensure_ascii=False)


def rounded(value: Any) -> object:
    """Numbers with two decimals, as they are written."""
    if isinstance(value, float | int):
        return round(value + 0.0, 2) + 0.0
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, tuple | list) else value


def test_there_are_scenes() -> None:
    assert len(SCENES) >= 10


@by_scene
def test_the_layout_is_as_before(scene: Path, updating: bool) -> None:
    compare(HERE / f"{scene.stem}.layout.json", numbers(lay_out(document(scene))), updating=updating)


@by_scene
def test_the_picture_is_as_before(scene: Path, updating: bool) -> None:
    compare(HERE / f"{scene.stem}.clean.svg", render_svg(document(scene), theme="clean").content, updating=updating)


@pytest.mark.parametrize("theme", OTHER_THEMES)
def test_the_other_themes_are_as_before(theme: str, updating: bool) -> None:
    scene = next(path for path in SCENES if path.stem == "nested-frames")
    compare(HERE / f"{scene.stem}.{theme}.svg", render_svg(document(scene), theme=theme).content, updating=updating)


@by_rule
def test_a_rule_is_laid_out_as_before(scene: GoldenScene, updating: bool) -> None:
    laid_out = lay_out(scene.document, before=scene.before)
    compare(RULES / "numbers" / f"{scene.name}.json", numbers(laid_out), updating=updating)


@pytest.mark.parametrize(("theme", "scene"), PICTURES, ids=lambda value: getattr(value, "name", value))
def test_a_rule_is_drawn_as_before(theme: str, scene: GoldenScene, updating: bool) -> None:
    svg = scene.svg(theme)
    compare(kept_picture(scene.name, theme), without_fonts(svg), updating=updating)
    compare(shown_picture(scene.name, theme), svg, updating=updating)


def test_every_scene_of_a_rule_cites_one_that_exists() -> None:
    known = {rule.number for rule in rule_book.rules()}
    assert len(RULE_SCENES) >= 150
    assert {scene.rule for scene in RULE_SCENES} <= known


def test_every_theme_is_held_by_the_same_scenes() -> None:
    for theme in OTHER_THEMES:
        assert {path.stem for path in (RULES / theme).iterdir()} == set(THEMED)
    assert {scene.name for scene in RULE_SCENES} >= set(THEMED)
    assert {CLEAN, *OTHER_THEMES} == set(THEMES)


def test_no_golden_of_a_rule_is_without_its_scene() -> None:
    named = {scene.name for scene in RULE_SCENES}
    for folder in ("numbers", CLEAN):
        assert {path.stem for path in (RULES / folder).iterdir()} == named
    assert {path.stem for path in (RULES / "before").iterdir()} <= named


@by_scene
def test_every_element_that_is_seen_is_one_group(scene: Path) -> None:
    svg = render_svg(document(scene)).content
    for element in document(scene)["elements"]:
        marked = f'data-element-id="{element["id"]}" data-kind="{element["kind"]}"'
        assert svg.count(marked) == 1, element["id"]


@by_scene
def test_normalizing_again_moves_nothing(scene: Path) -> None:
    once, _ = normalize(document(scene))
    twice, _ = normalize(once)
    assert twice["computed"]["bounds"] == once["computed"]["bounds"]
    assert twice["computed"]["canvas"] == once["computed"]["canvas"]
    assert twice["elements"] == once["elements"]


def test_a_picture_of_pixels_has_the_size_of_the_page() -> None:
    scene = document(SCENES[0])
    svg, png = render_svg(scene), render_png(scene, options=WriteOptions(scale=0.5))
    assert (png.width, png.height) == (round(svg.width / 2), round(svg.height / 2))
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"
