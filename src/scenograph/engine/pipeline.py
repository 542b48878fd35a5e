"""The stages in order; the only front door of the engine.

In: a scene document (parsed JSON), a theme name, and a sketch: where its elements stood before, in the JSON form of
`computed`; for a visual diff the document of another revision as well. Out: a laid-out scene, a file in one of the
FORMATS or a normalized document, each with the diagnostics of the way. Nothing here raises on a scene, whatever is
wrong with it or with its sketch; same input, same bytes.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from scenograph.diagnostics import COLOR_TOO_FAINT, NO_EFFECT, PLACES_OUT_OF_REACH, TEXT_TOO_SMALL, Diagnostic, Report
from scenograph.engine.comparing import Asked, Revision, compare, remarks_without
from scenograph.engine.draw.footers import with_legend, with_title, with_watermark
from scenograph.engine.draw.hand_drawn import hand_drawn
from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import Drawing, TextItem
from scenograph.engine.extent import on_paper, within_page
from scenograph.engine.kernels import are_compiled as kernels_are_compiled
from scenograph.engine.laying_out import laid_out
from scenograph.engine.resolve import resolve
from scenograph.engine.sketch import Sketch, read_sketch, without_strays
from scenograph.engine.style import finish_styles, report_substituted, with_heads
from scenograph.engine.tables import LaidOutScene, Styles
from scenograph.engine.themes import THEMES, choose_theme
from scenograph.engine.views import NO_VIEW, viewed
from scenograph.engine.write.normalized import write_computed, write_normalized, write_places
from scenograph.engine.write.writer import MOST_LISTED, ExportLosses, Finished, RasterTooLarge, WriteOptions
from scenograph.engine.write.writers import WRITERS
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.difference import difference
from scenograph.scene.document_index import authored
from scenograph.scene.model import Scene, View
from scenograph.scene.reading import read_scene, read_view
from scenograph.wire.formats import FORMATS, PNG, SVG, readers_of

__all__ = [
    "Extras",
    "LaidOut",
    "RasterTooLarge",
    "RenderedPicture",
    "WriteOptions",
    "computed_of",
    "kernels_are_compiled",
    "lay_out",
    "normalize",
    "places_of",
    "render",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """The additions to a picture: the difference from an earlier document, with its elements at `before_places` (in the
    form of a sketch), a line at the bottom right, and the visible part of the scene."""

    before: Mapping[str, Any] | None = None
    before_places: Mapping[str, Any] | None = None
    watermark: str | None = None
    view: View = NO_VIEW


PLAIN, DEFAULTS = Extras(), WriteOptions()
_SMALL_TEXT = 8.0  # px; letters below it are hard to read
DECIMALS = 4  # of a scale
_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


def _uncollected(work: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """The same work without a look for garbage on the way: a picture makes many objects and hardly a cycle."""

    @wraps(work)
    def run(*given: _Given.args, **named: _Given.kwargs) -> _Made:
        if not gc.isenabled():
            return work(*given, **named)
        gc.disable()
        try:
            return work(*given, **named)
        finally:
            gc.enable()

    return run


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A laid-out scene and its diagnostics."""

    scene: LaidOutScene
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class RenderedPicture:
    """A rendered picture; `content` is text or bytes, by format; width and height are px to two decimals; `laid_out` is
    the drawn scene; `scale` is the length of a scene px in the picture, px."""

    content: str | bytes
    width: float
    height: float
    diagnostics: tuple[Diagnostic, ...]
    laid_out: LaidOut
    scale: float = 1.0


@_uncollected
def lay_out(
    document: Mapping[str, Any],
    *,
    theme: str | None = None,
    sketch: Mapping[str, Any] | None = None,
    before: Mapping[str, Any] | None = None,
    before_places: Mapping[str, Any] | None = None,
    view: View = NO_VIEW,
) -> LaidOut:
    """Run every stage up to the canvas. `theme` None lets the canvas background choose (R-THEME-2).

    `sketch` holds the earlier places of the elements, in the form of `computed`; by default the document's own
    `computed`. With `before`, elements removed since that document are shown as well, at their earlier places:
    `before_places` has the same form. `view` selects the visible part.
    """
    report = Report()
    scene = resolve(read_scene(document, report), report)
    report_substituted(scene, report)
    chosen, known = choose_theme(theme, scene), _sketch(document if sketch is None else sketch, scene, report)
    scene = with_heads(scene, chosen)
    if before is None:
        shown = viewed(scene, view, report)
        styles = finish_styles(shown.scene, chosen)
        _report_faint(styles, report)
        return LaidOut(laid_out(shown, styles, known, view, report), report.rows)
    earlier = with_heads(resolve(read_scene(before, Report()), Report()), chosen)
    old = Revision(earlier, _sketch(before if before_places is None else before_places, earlier, Report()))
    found = compare(old, Revision(scene, known), difference(before, document), view, Asked(chosen, report))
    return LaidOut(found, remarks_without(report.rows, found))


def _report_faint(styles: Styles, report: Report) -> None:
    """COLOR_TOO_FAINT of the elements whose authored colour is hard to see on its ground."""
    if faint := styles.faint:
        data = {"theme": styles.theme, "elementIds": list(faint[:MOST_LISTED])}
        report.add(COLOR_TOO_FAINT, path="/elements", data=data, count=len(faint), id=faint[0], theme=styles.theme)


def _sketch(said: Mapping[str, Any], scene: Scene, report: Report) -> Sketch:
    """The sketch in a value, as far as it fits the scene."""
    known, strays = without_strays(read_sketch(said), scene)
    if strays:
        report.add(
            PLACES_OUT_OF_REACH,
            path="/elements",
            data={"elementIds": list(strays[:MOST_LISTED])},
            count=len(strays),
        )
    return known


def computed_of(laid_out: LaidOut) -> dict[str, Any]:
    """All places and routes, as the member `computed` of a normalized document."""
    return write_computed(laid_out.scene)


def places_of(laid_out: LaidOut) -> dict[str, Any]:
    """All places and routes, in the form of `computed`: the sketch that keeps this picture. Includes the page's corner
    as `canvas.x` and `canvas.y`."""
    return write_places(laid_out.scene)


@_uncollected
def render(
    document: Mapping[str, Any],
    output: str = SVG.name,
    *,
    theme: str | None = None,
    sketch: Mapping[str, Any] | None = None,
    extras: Extras = PLAIN,
    options: WriteOptions = DEFAULTS,
) -> RenderedPicture:
    """Render a picture in the format named `output` (KeyError for an unknown format). RasterTooLarge when a raster
    would exceed the pixels allowed by `options`."""
    before, places = extras.before, extras.before_places
    laid_out = lay_out(document, theme=theme, sketch=sketch, before=before, before_places=places, view=extras.view)
    pen = THEMES[laid_out.scene.styles.theme].hand_drawn
    reveal = partial(_revealed, document, laid_out, theme, extras)
    finished = Finished(laid_out.scene, pen, lambda: _drawing(laid_out.scene, extras), hand_drawn, reveal)
    losses, report = ExportLosses(), Report()
    written = WRITERS[output](finished, options, losses)
    losses.tell(report, output)
    for name, wish in (("scale", options.scale != 1.0), ("text", options.outlines)):
        if wish and name not in FORMATS[output].reads:
            of, readers = f"a file of {output}", readers_of(name)
            report.add(NO_EFFECT, path=f"/{name}", name=f"'{name}'", of=of, readers=readers, way="")
    if laid_out.scene.paper is not None and FORMATS[output].has_pages:
        _report_small_text(finished.drawing, report)
    remarks = (*laid_out.diagnostics, *report.rows)
    content = _with_document(written.content, output, document, laid_out) if options.embed else written.content
    return RenderedPicture(content, written.width, written.height, remarks, laid_out, round(written.scale, DECIMALS))


def _with_document(content: str | bytes, output: str, document: Mapping[str, Any], laid_out: LaidOut) -> str | bytes:
    """The picture with its document and places embedded; formats without room for metadata stay unchanged."""
    from scenograph.engine.write.svg import EMBEDDERS  # noqa: PLC0415 - most pictures carry none

    embed = EMBEDDERS.get(output)
    whole = {**authored(document), "computed": places_of(laid_out)}
    return content if embed is None else embed(content, json.dumps(whole, ensure_ascii=False, separators=(",", ":")))


def _revealed(
    document: Mapping[str, Any], laid_out: LaidOut, theme: str | None, extras: Extras
) -> tuple[LaidOutScene, Drawing]:
    """A layout and drawing of the document with every element visible, from the present places of visible elements."""
    hidden = {one.id for one in laid_out.scene.scene.hidden}
    rows = [{**one, "visible": True} if one.get("id") in hidden else one for one in document["elements"]]
    found = lay_out({**document, "elements": rows}, theme=theme, sketch=places_of(laid_out), view=extras.view).scene
    return found, _on_paper(draw(found), found)


render_svg = partial(render, output=SVG.name)
render_png = partial(render, output=PNG.name)


@_uncollected
def normalize(
    document: Mapping[str, Any], *, sketch: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The document with every default written in, positions resolved and `computed` (R-NORM-1)."""
    view = replace(read_view(document.get("view")), page=None)  # a page is of a picture
    laid_out = lay_out(document, sketch=sketch, view=view)
    return write_normalized(document, laid_out.scene), laid_out.diagnostics


def _drawing(laid_out: LaidOutScene, extras: Extras) -> Drawing:
    """The paint of a scene, with legend, title and watermark."""
    theme = THEMES[laid_out.styles.theme]
    drawing = draw(laid_out)
    if laid_out.is_cropped:
        drawing = within_page(drawing)
    if laid_out.changes is not None:
        drawing = with_legend(drawing, laid_out.changes, theme)
    elif laid_out.scene.legend is not None:
        from scenograph.engine.legends import with_key  # noqa: PLC0415 - most pictures have none

        drawing = with_key(drawing, laid_out, theme)
    if laid_out.scene.show_title and laid_out.scene.title:
        drawing = with_title(drawing, laid_out.scene.title, theme)
    if extras.watermark:
        drawing = with_watermark(drawing, extras.watermark, theme)
    return _on_paper(drawing, laid_out)


def _on_paper(drawing: Drawing, laid_out: LaidOutScene) -> Drawing:
    paper = laid_out.paper
    return drawing if paper is None else on_paper(drawing, paper.width, paper.height, whole=not laid_out.is_cropped)


def _report_small_text(drawing: Drawing, report: Report) -> None:
    """TEXT_TOO_SMALL of the elements with letters below _SMALL_TEXT px on the page, in painting order."""
    sizes = [
        (run.font.size * drawing.scale, group.id)
        for group in drawing.groups
        for item in group.items
        if isinstance(item, TextItem)
        for run in item.runs
    ]
    small = list(dict.fromkeys(element_id for size, element_id in sizes if size < _SMALL_TEXT and element_id))
    if small:
        smallest = round(min(size for size, _ in sizes), 1)
        data = {"smallestPx": smallest, "elementIds": small[:MOST_LISTED]}
        report.add(TEXT_TOO_SMALL, path="/view/page", data=data, count=len(small), smallest=f"{smallest:g}")
