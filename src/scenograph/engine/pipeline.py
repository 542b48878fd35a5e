"""The stages in order; the only front door of the engine.

In: a scene document (parsed JSON), a theme name, and a sketch: where its elements stood before, in the JSON form of
`computed`; for a visual diff the document of another revision as well. Out: a laid-out scene, a file in one of the
FORMATS or a normalized document, each with the diagnostics of the way. Nothing here raises on a scene, whatever is
wrong with it or with its sketch; same input, same bytes.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from scenograph.diagnostics import PLACES_NOT_KEPT, Diagnostic, Report, whereabouts
from scenograph.engine.canvas import crop_canvas, fit_canvas
from scenograph.engine.draw.changes import ADDED, MODIFIED, REMOVED, UNCHANGED, with_treatments
from scenograph.engine.draw.footers import with_legend, with_watermark
from scenograph.engine.draw.hand_drawn import hand_drawn
from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import Drawing
from scenograph.engine.extent import within_page
from scenograph.engine.kernels import are_compiled as kernels_are_compiled
from scenograph.engine.measure.measuring import measure
from scenograph.engine.merging import is_placed, merge
from scenograph.engine.place.placing import place
from scenograph.engine.resolve import resolve
from scenograph.engine.route.line_cost import line_cost
from scenograph.engine.route.routing import route, route_roughly
from scenograph.engine.sketch import NO_SKETCH, Sketch, read_sketch
from scenograph.engine.style.cascade import finish_styles
from scenograph.engine.style.font_names import report_substituted
from scenograph.engine.tables import LaidOutScene, LineCost, Placement, Routes, Sizes, Styles
from scenograph.engine.themes import THEMES, Theme, choose_theme
from scenograph.engine.views import NO_VIEW, Viewed, viewed
from scenograph.engine.write.normalized import write_computed, write_normalized, write_places
from scenograph.engine.write.writer import Finished, Losses, TooLarge, WriteOptions
from scenograph.engine.write.writers import WRITERS
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.difference import Difference, difference
from scenograph.scene.model import Edge, Scene, View
from scenograph.scene.reading import read_scene, read_view
from scenograph.wire.formats import PNG, SVG

__all__ = [
    "Extras",
    "LaidOut",
    "Picture",
    "TooLarge",
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
    """What a picture shows besides its scene: how it differs from an earlier document, whose elements stood at
    `before_places` (in the form of a sketch), a line at the bottom right, and which part of the scene."""

    before: Mapping[str, Any] | None = None
    before_places: Mapping[str, Any] | None = None
    watermark: str | None = None
    view: View = NO_VIEW


PLAIN, DEFAULTS = Extras(), WriteOptions()
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
    """A laid-out scene and what was remarked on the way."""

    scene: LaidOutScene
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A rendered picture; `content` is text or bytes, by its format; width and height are its px, to two decimals;
    `laid_out` is what it was drawn from."""

    content: str | bytes
    width: float
    height: float
    diagnostics: tuple[Diagnostic, ...]
    laid_out: LaidOut


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
    `sketch` is where the elements stood before, in the form of `computed`; without one the document's own `computed`.
    With `before` what that document had and this one has no more is laid out as well, where `before_places` (the same
    form) have it. `view` says what is shown."""
    report = Report()
    scene = resolve(read_scene(document, report), report)
    report_substituted(scene, report)
    known = read_sketch(document if sketch is None else sketch)
    if before is None:
        shown = viewed(scene, view, report)
        styles = finish_styles(shown.scene, choose_theme(theme, scene))
        return LaidOut(_laid_out(shown, styles, known, view, report), report.rows)
    old = resolve(read_scene(before, Report()), Report())
    change = _seen(difference(before, document), old, scene)
    changes = _changes(change, scene)
    merged, styles = _merged(old, scene, change, choose_theme(theme, scene))
    known = _with_lost(known, read_sketch(before if before_places is None else before_places), change.removed)
    shown = viewed(merged, view, report)
    changes = _changes_of_folded(shown, changes)
    if shown.folded:
        made = finish_styles(shown.scene, choose_theme(theme, scene)).of
        styles = replace(styles, of={**styles.of, **{key: made[key] for key in shown.folded}})
    laid_out = _laid_out(shown, with_treatments(styles, shown.scene, changes), known, view, report)
    laid_out = replace(laid_out, changes=changes)
    return LaidOut(laid_out, tuple(row for row in report.rows if not _is_about(row, change.removed)))


def computed_of(laid_out: LaidOut) -> dict[str, Any]:
    """Where everything stands and runs, as the member `computed` of a normalized document."""
    return write_computed(laid_out.scene)


def places_of(laid_out: LaidOut) -> dict[str, Any]:
    """Where everything stands and runs, in the form of `computed`: the sketch that keeps this picture. The page's
    corner is in it as `canvas.x` and `canvas.y`."""
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
) -> Picture:
    """A picture in the format named `output` (KeyError when there is none of that name). TooLarge when a raster would
    have more pixels than `options` allow."""
    before, places = extras.before, extras.before_places
    laid_out = lay_out(document, theme=theme, sketch=sketch, before=before, before_places=places, view=extras.view)
    pen = THEMES[laid_out.scene.styles.theme].hand_drawn
    finished = Finished(laid_out.scene, pen, lambda: _drawing(laid_out.scene, extras), hand_drawn)
    losses, report = Losses(), Report()
    written = WRITERS[output](finished, options, losses)
    losses.tell(report, output)
    remarks = (*laid_out.diagnostics, *report.rows)
    return Picture(written.content, written.width, written.height, remarks, laid_out)


render_svg = partial(render, output=SVG.name)
render_png = partial(render, output=PNG.name)


@_uncollected
def normalize(
    document: Mapping[str, Any], *, sketch: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The document with every default written in, positions resolved and `computed` (R-NORM-1)."""
    laid_out = lay_out(document, sketch=sketch, view=read_view(document.get("view")))
    return write_normalized(document, laid_out.scene), laid_out.diagnostics


def _changes_of_folded(shown: Viewed, changes: Mapping[str, str]) -> Mapping[str, str]:
    """What stands for others is modified where one of these has changed, and was added or removed with all of them."""
    found = dict(changes)
    for one in shown.folded:
        hidden = [change for key, change in changes.items() if shown.stands_for.get(key) == one]
        kinds = {changes.get(one, UNCHANGED), *hidden}
        found[one] = kinds.pop() if len(kinds) == 1 else MODIFIED
    return found


def _laid_out(shown: Viewed, styles: Styles, sketch: Sketch, view: View, report: Report) -> LaidOutScene:
    """The scene laid out from its sketch; without one where the engine fails to keep that (R-KEEP-1), since a fault in
    placing from a sketch would come back with every later revision."""
    if not sketch.boxes:
        return _through_stages(shown, styles, sketch, view, report)
    remarks = Report()
    try:
        laid_out = _through_stages(shown, styles, sketch, view, remarks)
    except MemoryError:
        raise
    except Exception as fault:  # the one border between a scene and what its past can do to it
        report.add(PLACES_NOT_KEPT, path="/elements", fault=whereabouts(fault))
    else:
        report.extend(remarks.rows)
        return laid_out
    return _through_stages(shown, styles, NO_SKETCH, view, report)


def _through_stages(shown: Viewed, styles: Styles, sketch: Sketch, view: View, report: Report) -> LaidOutScene:
    """The stages from measuring to the canvas."""
    scene = shown.scene
    sizes = measure(scene, styles, report)
    # A shape that was wished for now outweighs where things stood before.
    known = sketch if view.aspect_ratio is None else NO_SKETCH
    # A view draws lines of its own round what is folded: these are not new to the scene.
    former_places = known if shown.is_whole else replace(known, routes={})

    router = _Router(scene, styles, sizes, known)
    placement = place(scene, sizes, report, former_places, router.cost)
    routes = router.routed(placement, report)
    cropped = crop_canvas(shown.shown(view.crop), sizes, placement, routes) if view.crop else None
    former = known.origin if shown.is_whole else None
    canvas = cropped or fit_canvas(scene, sizes, placement, routes, report, former=former)
    return LaidOutScene(
        scene=scene,
        styles=styles,
        sizes=sizes,
        placement=placement,
        routes=routes,
        canvas=canvas,
        is_cropped=cropped is not None,
    )


@dataclass(frozen=True, slots=True)
class _Router:
    """Routes the lines of a scene for one placement after another; `tried` are those it has routed, each once."""

    scene: Scene
    styles: Styles
    sizes: Sizes
    sketch: Sketch
    tried: list[tuple[Placement, Routes, Report]] = field(default_factory=list[tuple[Placement, Routes, Report]])

    def routed(self, placement: Placement, report: Report) -> Routes:
        """The lines of a placement; tells what routing remarks."""
        found = next((row for row in self.tried if row[0] == placement), None)
        if found is None:
            remarks = Report()
            routes = route(self.scene, self.styles, self.sizes, placement, remarks, sketch=self.sketch)
            found = (placement, routes, remarks)
            self.tried.append(found)
        report.extend(found[2].rows)
        return found[1]

    def cost(self, placement: Placement) -> LineCost:
        """What the lines of a placement cost that is tried out; roughly where there is a sketch, from which many are
        tried."""
        ends = {one.id: one.ends for one in self.scene.elements if isinstance(one, Edge)}
        if not self.sketch.boxes:
            return line_cost(self.routed(placement, Report()), ends)
        return line_cost(route_roughly(self.scene, self.styles, self.sizes, placement, self.sketch), ends)


def _merged(old: Scene, new: Scene, change: Difference, theme: Theme) -> tuple[Scene, Styles]:
    """Both scenes as one, each element styled as in its own; the page and its palette are the new one's."""
    old = replace(old, palette=new.palette, canvas=new.canvas)
    old_styles, styles = finish_styles(old, theme), finish_styles(new, theme)
    places = None
    if change.removed and is_placed(new):
        places = place(old, measure(old, old_styles, Report()), Report()).boxes
    lost = {key: style for key, style in old_styles.of.items() if key in change.removed}
    return merge(old, new, change.removed, places), replace(styles, of={**styles.of, **lost})


def _with_lost(sketch: Sketch, before: Sketch, removed: Sequence[str]) -> Sketch:
    """The sketch with what was removed where it was before; nothing of it where the sketch itself knows nothing."""
    if not sketch.boxes:
        return sketch
    boxes = {key: before.boxes[key] for key in removed if key in before.boxes}
    routes = {key: before.routes[key] for key in removed if key in before.routes}
    return replace(sketch, boxes={**sketch.boxes, **boxes}, routes={**sketch.routes, **routes})


def _seen(change: Difference, old: Scene, new: Scene) -> Difference:
    """The change as a reader of the pictures sees it: what is hidden from now on is gone, what was hidden is new."""
    before, after = ({element.id for element in scene.elements} for scene in (old, new))
    return replace(
        change,
        added=tuple(sorted(after - before)),
        removed=tuple(sorted(before - after)),
        modified=tuple(key for key in change.modified if key in before and key in after),
    )


def _changes(change: Difference, new: Scene) -> Mapping[str, str]:
    """What became of each element of both scenes, by id."""
    changes = {element.id: UNCHANGED for element in new.elements}
    for name, keys in ((ADDED, change.added), (REMOVED, change.removed), (MODIFIED, change.modified)):
        changes.update(dict.fromkeys(keys, name))
    return changes


def _is_about(row: Diagnostic, element_ids: Sequence[str]) -> bool:
    """Whether a remark is about one of these elements."""
    owner = (row.path or "").removeprefix("/elements/").partition("/")[0]
    return row.element_id in element_ids or owner in element_ids


def _drawing(laid_out: LaidOutScene, extras: Extras) -> Drawing:
    """The paint of a scene and of what stands below it."""
    theme = THEMES[laid_out.styles.theme]
    drawing = draw(laid_out)
    if laid_out.is_cropped:
        drawing = within_page(drawing)
    if laid_out.changes is not None:
        drawing = with_legend(drawing, laid_out.changes, theme)
    if extras.watermark:
        drawing = with_watermark(drawing, extras.watermark, theme)
    return drawing
