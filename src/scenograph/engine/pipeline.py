"""The stages in order; the only front door of the engine.

In: a scene document (parsed JSON) and a theme name. Out: a laid-out scene, SVG text, PNG bytes or a normalized
document, each with the diagnostics of the way. Nothing here raises on a scene, whatever is wrong with it; same input,
same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.canvas import fit_canvas
from scenograph.engine.draw.hand_drawn import hand_drawn
from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import Drawing
from scenograph.engine.measure.measuring import measure
from scenograph.engine.place.placing import place
from scenograph.engine.resolve import resolve
from scenograph.engine.route.routing import route
from scenograph.engine.style.cascade import finish_styles
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.themes import THEMES, choose_theme
from scenograph.engine.write.normalized import number, write_normalized
from scenograph.engine.write.png import png_pixels, write_png
from scenograph.engine.write.svg import write_svg
from scenograph.scene.reading import read_scene


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A laid-out scene and what was remarked on the way."""

    scene: LaidOutScene
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A rendered picture; `content` is SVG text or PNG bytes, width and height are its px, to two decimals as the
    SVG has them."""

    content: str | bytes
    width: float
    height: float
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class TooLarge:
    """What stands for a picture that has too many pixels to be made: its page in px, and how many they would be."""

    width: float
    height: float
    pixels: int


def lay_out(document: Mapping[str, Any], *, theme: str | None = None) -> LaidOut:
    """Run every stage up to the canvas. `theme` None lets the canvas background choose (specification: Themes, 3)."""
    report = Report()
    scene = resolve(read_scene(document, report), report)
    styles = finish_styles(scene, choose_theme(theme, scene))
    sizes = measure(scene, styles, report)
    placement = place(scene, sizes, report)
    routes = route(scene, styles, sizes, placement, report)
    canvas = fit_canvas(scene, sizes, placement, routes, report)
    laid_out = LaidOutScene(scene=scene, styles=styles, sizes=sizes, placement=placement, routes=routes, canvas=canvas)
    return LaidOut(laid_out, report.rows)


def render_svg(document: Mapping[str, Any], *, theme: str | None = None) -> Picture:
    """A self-contained SVG document."""
    laid_out = lay_out(document, theme=theme)
    canvas = laid_out.scene.canvas
    svg = write_svg(_drawing(laid_out.scene))
    return Picture(svg, number(canvas.width), number(canvas.height), laid_out.diagnostics)


@overload
def render_png(document: Mapping[str, Any], *, theme: str | None = None, scale: float = 1.0) -> Picture: ...


@overload
def render_png(
    document: Mapping[str, Any], *, theme: str | None = None, scale: float = 1.0, max_pixels: int
) -> Picture | TooLarge: ...


def render_png(
    document: Mapping[str, Any], *, theme: str | None = None, scale: float = 1.0, max_pixels: int | None = None
) -> Picture | TooLarge:
    """The same picture as PNG bytes, `scale` times as large. One of more than `max_pixels` is laid out but not drawn:
    only the layout tells how large a picture becomes, and only the drawing takes memory by its size."""
    laid_out = lay_out(document, theme=theme)
    canvas = laid_out.scene.canvas
    pixels = png_pixels(canvas.width, canvas.height, scale)
    if max_pixels is not None and pixels > max_pixels:
        return TooLarge(canvas.width, canvas.height, pixels)
    png = write_png(write_svg(_drawing(laid_out.scene), outlined=True), canvas.width, canvas.height, scale)
    return Picture(png.data, png.width, png.height, laid_out.diagnostics)


def normalize(document: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The document with every default written in, positions resolved and `computed` (decisions: section 5)."""
    laid_out = lay_out(document)
    return write_normalized(document, laid_out.scene), laid_out.diagnostics


def _drawing(laid_out: LaidOutScene) -> Drawing:
    """The paint of a scene, by the pen of its theme."""
    drawing = draw(laid_out)
    return hand_drawn(drawing) if THEMES[laid_out.styles.theme].hand_drawn else drawing
