"""Organization charts: people, vacancies, departments. (R-ORG-1)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import fsum
from typing import NamedTuple

from scenograph.engine.colors import mix, over
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.faces import border_item, icon_items, left_stripe, shown_icon
from scenograph.engine.families.family import (
    BOX_SHAPES,
    FOLDED_TYPE,
    CheckHeight,
    EdgeKind,
    Family,
    Former,
    LayAnew,
    NodeFace,
    NodeKind,
    RouteRest,
    by_name,
    may_hold_a_face,
)
from scenograph.engine.families.trunks import FanLine, is_free, trunk_courses
from scenograph.engine.geometry.boxes import Box, Point, on_grid
from scenograph.engine.geometry.paths import rounded_rectangle
from scenograph.engine.tables import FinishedStyle, Placement, Routes, Size, Sizes
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Node, Scene

# Which way the lines of an organization chart lead: from the manager down, or from the report up. Authors write
# both, "Ada leads Bo" and "Bo reports to Ada"; the chart is the same. In: a scene. Out: the lines that lead up, and
# routes for them. (R-ORG-2)


REPORTS_TO, DOTTED_LINE = "org.reportsTo", "org.dottedLine"


def _upward_reports(scene: Scene) -> frozenset[str]:
    """The ids of all reporting lines if leading up, none if leading down.

    Many people report to one, hardly anyone to many: the end shared by many lines is the manager's. Without a shared
    end, the element named first in the document stands above.
    """
    lines = [element for element in scene.edges if element.edge_type == REPORTS_TO]
    pairs = {line.ends for line in lines}
    pairs = {pair for pair in pairs if pair[0] != pair[1]}
    leaving, arriving = Counter(source for source, _ in pairs), Counter(target for _, target in pairs)
    shared_above = sum(count - 1 for count in arriving.values())
    shared_below = sum(count - 1 for count in leaving.values())
    leads_up = shared_above > shared_below or (shared_above == shared_below and _begins_above(scene, pairs))
    return frozenset(line.id for line in lines) if leads_up else frozenset()


def _begins_above(scene: Scene, pairs: set[tuple[str, str]]) -> bool:
    """Whether the first element on any line has only incoming lines."""
    sources, targets = {source for source, _ in pairs}, {target for _, target in pairs}
    first = next((element.id for element in scene.elements if element.id in sources | targets), "")
    return first in targets and first not in sources


def _route_downwards(scene: Scene, _placement: Placement, route: RouteRest) -> Routes:
    """Route upward lines from the manager down, to share the manager's trunk, and turn the routes back."""
    upward = _upward_reports(scene)
    if not upward:
        return route(scene)
    elements = tuple(
        replace(
            element,
            source=element.target,
            target=element.source,
            start_arrow=element.end_arrow,
            end_arrow=element.start_arrow,
        )
        if isinstance(element, Edge) and element.id in upward
        else element
        for element in scene.elements
    )
    routes = route(replace(scene, elements=elements))
    return {key: found._replace(points=found.points[::-1]) if key in upward else found for key, found in routes.items()}


# Boxes of one width for everybody who reports to the same manager: in a stack or a row ragged edges look like
# ranks. In: a scene, its natural sizes. Out: the sizes; boxes that their authors gave a width, and other shapes,
# stay. px.


def _with_equal_widths(scene: Scene, sizes: Sizes, _lay: LayAnew, former: Former) -> Sizes:
    """All sizes, the narrower siblings as wide as the widest, also of the picture before an edit; no box of which gets
    narrower, also without a manager now."""
    boxes = [row for row in scene.nodes if _is_free(row) and row.id in sizes]
    free = {row.id for row in boxes}
    # A folded frame stood there as a frame: no width of a box.
    known = former.keys() & {row.id for row in boxes if row.node_type != FOLDED_TYPE}
    upward = _upward_reports(scene)
    families: dict[str, set[str]] = {}
    for row in scene.edges:
        if row.edge_type != DOTTED_LINE:
            ends = row.ends
            manager, report = ends[::-1] if row.id in upward else ends
            families.setdefault(manager, set()).update({report} & free)
    widths = {one: max(sizes[one].width, former[one].width) for one in known}
    for reports in filter(None, families.values()):
        stood = {report: former[report].width for report in reports & known}
        widest, kept = max(sizes[report].width for report in reports), max(stood.values(), default=0.0)
        for report in sorted(reports):  # one that is known reports to others too, maybe: its own width tells
            widths[report] = max(widest, stood.get(report, kept), widths.get(report, 0.0))
    return {**sizes, **{report: sizes[report]._replace(width=width) for report, width in widths.items()}}


def _is_free(node: Node) -> bool:
    return node.layout.width is None and (node.shape or "roundedRect") in BOX_SHAPES


def _reporting_lines(scene: Scene, placement: Placement, _sizes: Sizes) -> Mapping[str, tuple[Point, ...]]:
    """The corners of the lines by their ids."""
    lines = (FanLine(row.id, *row.ends) for row in scene.edges if _is_open(row, placement))
    return trunk_courses(lines, scene, placement)


def _is_open(line: Edge, placement: Placement) -> bool:
    """Whether everything about a line is left to the notation."""
    return line.edge_type != DOTTED_LINE and is_free(line) and all(one in placement.boxes for one in line.ends)


# Cards of an organization chart: a bold name, a quieter role below, a stripe in the accent colour, a portrait. In:
# a node, its first line the name, the others the role. Out: its size with the parts `name`, `role` and `icon`, and
# its paint. px. (R-ORG-1)


_CARD_SIZE = (168.0, 56.0)
_STRIPE = 5.0
NAME, ROLE, ICON = "name", "role", "icon"
_STRONG = 600
_ROLE_SHARE = 12 / 13  # of the name's size
_WRAP = 140.0
_LEFT, _RIGHT, _ABOVE = _STRIPE + 11.0, 12.0, 9.0
_LINE_GAP = 2.0
_PORTRAIT, _PORTRAIT_GAP = 30.0, 10.0
_FAINT = 0.5  # of the accent in the stripe of a card with a broken line: nobody is there yet


class _Writing(NamedTuple):
    """The wrapped name and role; None for a missing text."""

    name: TextBlock | None
    role: TextBlock | None

    @property
    def width(self) -> float:
        """The width of the wider text."""
        return max((block.width for block in self if block is not None), default=0.0)

    @property
    def height(self) -> float:
        """The height of both texts, stacked."""
        heights = [block.height for block in self if block is not None]
        return fsum(heights) + _LINE_GAP * max(len(heights) - 1, 0)


def _is_card(node: Node) -> bool:
    """Whether a node keeps the outline of a card."""
    return may_hold_a_face(node)


def _measure_card(node: Node, style: FinishedStyle, check: CheckHeight) -> Size:
    """The size of a card: as wide as name and role need, or as authored, and as high as the wrapped texts need."""
    portrait = _PORTRAIT if shown_icon(node) is not None else 0.0
    left = _LEFT + (portrait + _PORTRAIT_GAP if portrait else 0.0)
    given, layout = node.layout.width, node.layout
    writing = _written(node, style, _WRAP if given is None else max(given - left - _RIGHT, 1.0))
    needed = max(writing.height, portrait)
    width = max(_CARD_SIZE[0], on_grid(left + writing.width + _RIGHT)) if given is None else given
    height = max(_CARD_SIZE[1], on_grid(needed + 2 * _ABOVE)) if layout.height is None else layout.height
    check(needed, height)
    parts = _parts(Box(0.0, 0.0, width, height), left, writing, portrait)
    texts = {name: block for name, block in ((NAME, writing.name), (ROLE, writing.role)) if block is not None}
    return Size(width=width, height=height, icon=portrait, parts=parts, texts=texts)


def _paint_card(face: NodeFace) -> Iterator[DrawnItem]:
    """The card with stripe, portrait and texts."""
    style, box = face.style, face.box
    outline = rounded_rectangle(box, style.corner_radius)
    yield PathItem(path=outline, fill=style.fill)
    ground = over(face.style.fill, face.page)
    accent = face.style.accent_color
    stripe_color = mix(ground, over(accent, ground), _FAINT) if face.style.dash else accent
    yield PathItem(path=left_stripe(box, style.corner_radius, _STRIPE), fill=stripe_color)
    yield border_item(outline, style)
    yield from icon_items(face)
    quiet = replace(style, text_color=style.muted_color)
    for name, block in face.size.texts.items():
        yield text_item(block, face.parts[name], quiet if name == ROLE else style, "start")


def _written(node: Node, style: FinishedStyle, wrap: float) -> _Writing:
    first, _, rest = (node.label or "").strip("\n").partition("\n")
    font = style.font
    strong = font._replace(weight=max(font.weight, _STRONG))
    quiet = font._replace(size=font.size * _ROLE_SHARE, weight=min(font.weight, 400))
    blocks = lay_text(first, strong, wrap, balanced=True), lay_text(rest.strip("\n"), quiet, wrap, balanced=True)
    name, role = (block if block.lines else None for block in blocks)
    return _Writing(name, role)


def _parts(box: Box, left: float, writing: _Writing, portrait: float) -> dict[str, Box]:
    room = max(box.width - left - _RIGHT, writing.width)
    parts: dict[str, Box] = {}
    if portrait:
        side = min(portrait, box.height)
        parts[ICON] = Box(_LEFT, box.center.y - side / 2, side, side)
    y = box.center.y - writing.height / 2
    for name, block in zip((NAME, ROLE), writing, strict=True):
        if block is not None:
            parts[name] = Box(left, y, room, block.height)
            y += block.height + _LINE_GAP
    return parts


def _card(name: str, shape: str = "roundedRect", tone: str = "node", dash: tuple[float, ...] = ()) -> NodeKind:
    return NodeKind(
        name=name,
        shape=shape,
        min_size=_CARD_SIZE,
        tone=tone,
        dash=dash,
        measure=_measure_card,
        paint=_paint_card,
        has_own_face=_is_card,
    )


ORGCHART = Family(
    name="orgchart",
    joins_fans=True,
    main_path=False,
    turns=False,
    flush_ranks=True,
    lines=_reporting_lines,
    fit=_with_equal_widths,
    upward=_upward_reports,
    route=_route_downwards,
    node_kinds=by_name(
        _card("org.person"),
        _card("org.vacant", tone="external", dash=(6.0, 4.0)),
        _card("org.department", shape="rect", tone="head"),
    ),
    edge_kinds=by_name(
        EdgeKind(name=REPORTS_TO),
        EdgeKind(name=DOTTED_LINE, dash=(2.0, 4.0), aside=True),
    ),
)
