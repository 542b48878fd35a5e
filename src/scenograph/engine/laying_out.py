"""The stages from measuring to the canvas, in order.

In: a scene as shown by a view, its styles, and a sketch of former places. Out: a laid-out scene.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from scenograph.diagnostics import PLACES_NOT_KEPT, Diagnostic, Report, whereabouts
from scenograph.engine.canvas import content_of, crop_canvas, fit_canvas, report_shape
from scenograph.engine.families.catalog import family_named
from scenograph.engine.geometry.boxes import union
from scenograph.engine.measure import measure
from scenograph.engine.page import MARGIN, is_missed
from scenograph.engine.place.placing import closed_up_sketch, place, without_positions
from scenograph.engine.route.routing import Routing, false_labels, line_cost
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import LaidOutScene, LineCost, Placement, Routes, Sizes, Styles
from scenograph.engine.themes import THEMES
from scenograph.engine.views import Viewed
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Scene, View


def laid_out(
    shown: Viewed, styles: Styles, sketch: Sketch, view: View, report: Report, *, inked: Styles | None = None
) -> LaidOutScene:
    """The scene laid out from its sketch; without the sketch after a failure of the engine (R-KEEP-1), since a fault in
    placing from a sketch would return with every later revision. `inked` are the styles of drawn strokes, if unlike the
    styles of the layout."""
    stages = partial(_through_stages, shown, (styles, inked or styles), view=view)
    if not sketch.boxes:
        return stages(sketch=sketch, report=report)
    remarks = Report()
    try:
        found = stages(sketch=sketch, report=remarks)
    except MemoryError:
        raise
    except Exception as fault:  # the only barrier between a scene and failures caused by its past
        report.add(PLACES_NOT_KEPT, path="/elements", fault=whereabouts(fault))
    else:
        report.extend(remarks.rows)
        return found
    return stages(sketch=NO_SKETCH, report=report)


def _through_stages(
    shown: Viewed, looks: tuple[Styles, Styles], *, sketch: Sketch, view: View, report: Report
) -> LaidOutScene:
    """The stages from measuring to the canvas; `looks` are the styles of the layout and the styles of the strokes."""
    scene, (styles, inked) = shown.scene, looks
    known = sketch if view.shape is None or _has_shape(sketch, view.shape) else NO_SKETCH
    if shown.unfolded is not None and (view.shape is None or known.boxes):
        scene, known = _closed_up(shown, shown.unfolded, styles, known)
    sizes = measure(scene, styles, report, partial(known.at_home, scene))
    # A view draws its own lines round folded content: these are not new to the scene.
    former_places = known if shown.is_whole else replace(known, routes={})

    router = _Router(scene, styles, sizes, known)
    placement = _placed(router, former_places, report)
    drawer = router if inked is styles else replace(router, styles=inked, tried=[])
    remarks = Report()
    routes = drawer.routed(placement, remarks)
    report.extend([row for row in remarks.rows if not _is_of_the_view(row, shown.folded)])
    cropped = crop_canvas(shown.shown(view.crop), sizes, placement, routes) if view.crop else None
    former = known.origin if shown.is_whole else None
    canvas = cropped or fit_canvas(scene, sizes, placement, routes, report, former=former)
    report_shape(scene, view, canvas, placement.shaped_by, report)
    return LaidOutScene(
        scene=scene,
        styles=inked,
        sizes=sizes,
        placement=placement,
        routes=routes,
        canvas=canvas,
        is_cropped=cropped is not None,
        paper=view.page,
    )


def _has_shape(sketch: Sketch, wish: float) -> bool:
    """Whether former places have the wished shape of a view. Otherwise the wish outweighs them."""
    content = union(sketch.boxes.values())
    return content is not None and not is_missed(content.grown(MARGIN), wish)


def _is_of_the_view(row: Diagnostic, folded: Collection[str]) -> bool:
    """Whether a remark is on lines made by folding alone: the author wrote none of them."""
    named = [one for rows in (row.data or {}).values() if is_array(rows) for one in rows if isinstance(one, str)]
    named += [row.element_id] if row.element_id is not None else []
    return bool(named) and all(one in folded for one in named)


def _closed_up(shown: Viewed, whole: Scene, styles: Styles, sketch: Sketch) -> tuple[Scene, Sketch]:
    """The scene of a view with folded frames, and the places of the whole picture without the holes of their content
    (R-VIEW-7). Given places are where elements stood. A family with its own placing knows the order, and draws anew."""
    scene = without_positions(shown.scene, shown.folded)
    if family_named(whole.diagram_family).place is not None:
        return scene, NO_SKETCH
    looks = finish_styles(whole, THEMES[styles.theme])
    sizes = measure(whole, looks, Report(), partial(sketch.at_home, whole))
    router = _Router(whole, looks, sizes, sketch)
    boxes = place(whole, sizes, Report(), sketch, router.cost).boxes
    sizes = measure(scene, styles, Report(), partial(sketch.at_home, whole))
    return scene, closed_up_sketch(scene, sizes, boxes, shown.folded)


def _placed(router: _Router, sketch: Sketch, report: Report) -> Placement:
    """The placement of a scene. Where a label says something false in a fresh one, candidates are judged anew by routes
    that give way to labels, which takes long; the placement with fewer such labels stays."""
    remarks = Report()
    placement = place(router.scene, router.sizes, remarks, sketch, router.cost)
    false = false_labels(router.routed(placement, Report())) if router.labelled else 0
    if false:
        others = Report()
        other = place(router.scene, router.sizes, others, sketch, replace(router, is_thorough=True).cost)
        if false_labels(router.routed(other, Report())) < false:
            placement, remarks = other, others
    report.extend(remarks.rows)
    return placement


@dataclass(slots=True)
class _Router:
    """Routes the edges of a scene for one placement after another; `tried` caches the placements' routings.
    `is_thorough`: labelled routes of candidates give way to labels; `labelled`: any were asked for."""

    scene: Scene
    styles: Styles
    sizes: Sizes
    sketch: Sketch
    tried: list[Routing] = field(default_factory=list[Routing])
    is_thorough: bool = False
    labelled: bool = False

    def routed(self, placement: Placement, report: Report) -> Routes:
        """The routes of a placement; adds the remarks of routing to the report."""
        return self._routing(placement).routes(report)

    def cost(self, placement: Placement, *, labelled: bool = False) -> LineCost:
        """The cost of the lines of a candidate placement: of their courses, or, `labelled` and without a sketch, of the
        finished routes."""
        ends = {one.id: one.ends for one in self.scene.edges}
        routing = self._routing(placement)
        if self.sketch.boxes:
            return line_cost(routing.courses(), ends)
        if labelled:
            self.labelled = True
            routes = routing.routes(Report()) if self.is_thorough else routing.labelled()
        else:
            routes = routing.courses()
        return line_cost(routes, ends)._replace(content=content_of(self.sizes, placement, routes))

    def _routing(self, placement: Placement) -> Routing:
        found = next((one for one in self.tried if one.placement == placement), None)
        if found is None:
            found = Routing(self.scene, self.styles, self.sizes, placement, self.sketch)
            self.tried.append(found)
        return found
