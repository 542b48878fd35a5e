"""Organization charts: people, vacancies, departments. (R-ORG-1)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
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
from scenograph.engine.geometry.boxes import Box, Point, on_grid
from scenograph.engine.geometry.paths import rounded_rectangle
from scenograph.engine.tables import FinishedStyle, Placement, Routes, Size, Sizes
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Edge, Node, Scene

# Which way the lines of an organization chart lead: from the manager down, or from the report up. Authors write
# both, "Ada leads Bo" and "Bo reports to Ada"; the chart is the same. In: a scene. Out: the lines that lead up, and
# routes for them. (R-ORG-2)


REPORTS_TO, DOTTED_LINE = "org.reportsTo", "org.dottedLine"


def _upward_reports(scene: Scene) -> frozenset[str]:
    """The ids of all reporting lines if they lead up, none if they lead down.

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


# How the lines of an organization chart run: one trunk out of the middle of a manager, a bus above each row of
# reports, a short drop to each; beside reports that stand one below the other, a rail with a branch into each. In:
# a scene whose lines lead from the manager down, and its placement. Out: the corners of each line that the notation
# prescribes, from outline to outline; whoever routes sees whether the way is clear. Lines to somebody with two
# managers are left open, and so are lines with another router or a port. px. (R-ORG-2)


RAIL = 20.0  # from a rail to the reports beside it
_BUS = 36.0  # from a bus to the row below it at most, where another row stands above
LEAST_GAP = 12.0  # reports nearer to their manager get a line as any other
_CORNER = 16.0  # from the corner of a card
JOG = 16.0  # a line this little out of line is straightened
SAME = 1.0
_LEAST_TURNED = 3  # corners of a line that has no bus

_LineCorners = tuple[Point, ...]


class _ReportTurn(NamedTuple):
    """The page turned to have reports below their manager."""

    sideways: bool
    upwards: bool

    def box(self, box: Box) -> Box:
        """A box of the page in this view."""
        x, y, width, height = (box.y, box.x, box.height, box.width) if self.sideways else box
        return Box(x, -y - height if self.upwards else y, width, height)

    def page(self, point: Point) -> Point:
        """A point of this view on the page."""
        x, y = point.x, -point.y if self.upwards else point.y
        return Point(y, x) if self.sideways else Point(x, y)


VIEWS = (_ReportTurn(False, False), _ReportTurn(True, False), _ReportTurn(False, True), _ReportTurn(True, True))  # noqa: FBT003 - a table


class _ReportingLine(NamedTuple):
    """A line and the box of its report; `front`: the edge of the outermost container that holds the report but not the
    manager; `leads`: whether the report leads people."""

    line: str
    box: Box
    front: float
    leads: bool


@dataclass(frozen=True, slots=True)
class _Drop:
    """An exit of a bus: down at `x` to one report, or along a rail to several."""

    x: float
    front: float
    reports: tuple[_ReportingLine, ...]
    is_rail: bool

    @property
    def bottom(self) -> float:
        return max(report.box.bottom for report in self.reports)


class _Bus(NamedTuple):
    head: str
    view: _ReportTurn
    level: float
    begin: float
    end: float


def _reporting_lines(scene: Scene, placement: Placement) -> Mapping[str, _LineCorners]:
    """The corners of the lines by their ids."""
    lines = [row for row in scene.edges if _is_open(row, placement)]
    families: dict[str, list[Edge]] = {}
    for line in lines:
        families.setdefault(line.source.element_id, []).append(line)
    managers = Counter(line.target.element_id for line in lines)
    parents = {child: row.id for row in scene.containers for child in row.children}
    found: dict[str, dict[str, _LineCorners]] = {}
    buses: list[_Bus] = []
    for head, own in families.items():
        only = [line for line in own if managers[line.target.element_id] == 1]
        view = _view(placement.boxes[head], [placement.boxes[line.target.element_id] for line in only])
        if view is not None:
            reports = [_report(line, view, placement, parents, families) for line in only]
            paths = dict(_paths(view.box(placement.boxes[head]), reports))
            buses += _buses(head, view, paths.values())
            found[head] = {line: tuple(map(view.page, corners)) for line, corners in paths.items()}
    tangled = _tangled(buses)
    return {line: corners for head, paths in found.items() if head not in tangled for line, corners in paths.items()}


def _is_open(line: Edge, placement: Placement) -> bool:
    """Whether everything about a line is left to the notation."""
    ends = line.source, line.target
    return (
        line.visible
        and line.edge_type != DOTTED_LINE
        and line.router in {None, "orthogonal"}
        and line.source.element_id != line.target.element_id
        and all(end.port is None and end.element_id in placement.boxes for end in ends)
    )


def _view(head: Box, reports: Sequence[Box]) -> _ReportTurn | None:
    """The view in which all reports stand below their manager, the view with the most room in between first."""
    room = {view: min((view.box(box).y for box in reports), default=0.0) - view.box(head).bottom for view in VIEWS}
    best = max(VIEWS, key=lambda view: room[view])
    return best if room[best] >= LEAST_GAP else None


def _report(
    line: Edge, view: _ReportTurn, placement: Placement, parents: Mapping[str, str], families: Mapping[str, object]
) -> _ReportingLine:
    around = set(ancestors(line.source.element_id, parents.get))
    target = line.target.element_id
    own = view.box(placement.boxes[target]).y  # a report that holds its own manager has no front before its manager
    fronts = [
        view.box(placement.boxes[one]).y
        for one in (target, *ancestors(target, parents.get))
        if one not in around and one in placement.boxes
    ]
    return _ReportingLine(line.id, view.box(placement.boxes[target]), min(fronts, default=own), target in families)


def _paths(head: Box, reports: Sequence[_ReportingLine]) -> Iterator[tuple[str, _LineCorners]]:
    drops = _drops(reports)
    trunk = _trunk(head, drops)
    start = Point(trunk, head.bottom)
    for drop, level in _levels(head, drops):
        x = trunk if _is_straight(drop, trunk, is_only=len(drops) == 1) else drop.x
        along = (start, Point(trunk, level), Point(x, level))
        for report in drop.reports:
            end = (Point(x, report.box.center.y), Point(report.box.x, report.box.center.y))
            yield report.line, _straightened((*along, *(end if drop.is_rail else (Point(x, report.box.y),))))


def _drops(reports: Sequence[_ReportingLine]) -> list[_Drop]:
    """The drops of a bus: reports in a stack without reports of their own share a rail; the rest have a drop each."""
    columns: dict[int, list[_ReportingLine]] = {}
    for report in reports:
        if not report.leads:
            columns.setdefault(round(report.box.x / SAME), []).append(report)
    railed = {one.line for column in columns.values() if _is_stack(column) for one in column}
    drops = [_Drop(one.box.center.x, one.front, (one,), is_rail=False) for one in reports if one.line not in railed]
    for column in columns.values():
        if column[0].line in railed:
            top, left = min(one.front for one in column), column[0].box.x
            drops.append(_Drop(left - RAIL, top, tuple(column), is_rail=True))
    return sorted(drops, key=lambda drop: (drop.front, drop.x))


def _is_stack(column: Sequence[_ReportingLine]) -> bool:
    tops = sorted(one.box.y for one in column)
    return len(column) > 1 and all(b - a > SAME for a, b in pairwise(tops))


def _trunk(head: Box, drops: Sequence[_Drop]) -> float:
    """The x of the trunk: the middle of the manager, or the first rail if every drop is a rail."""
    if drops and all(drop.is_rail for drop in drops):
        first = min(drop.x for drop in drops)
        if head.x + _CORNER <= first <= head.right - _CORNER:
            return first
    return head.center.x


def _levels(head: Box, drops: Sequence[_Drop]) -> Iterator[tuple[_Drop, float]]:
    """The drops, each with the level of the bus above its row. A row ends where the next row begins below all boxes of
    the first."""
    rows: list[list[_Drop]] = []
    for drop in drops:
        if not rows or drop.front > max(one.bottom for one in rows[-1]):
            rows.append([])
        rows[-1].append(drop)
    above = (drops[0].front - head.bottom) / 2 if drops else 0.0
    for number, row in enumerate(rows):
        level = row[0].front - (min(_BUS, above) if number else above)
        yield from ((drop, level) for drop in row)


def _is_straight(drop: _Drop, x: float, *, is_only: bool) -> bool:
    """Whether a drop continues the trunk straight: a single drop if the report reaches the trunk (R-ROUTE-2), of
    several the drop nearly below."""
    box = drop.reports[0].box
    if drop.is_rail or not box.x < x < box.right:
        return False
    return is_only or (abs(drop.x - x) < JOG and box.x + _CORNER <= x <= box.right - _CORNER)


def _straightened(points: Sequence[Point]) -> _LineCorners:
    """The corners without points that do not turn."""
    kept: list[Point] = []
    for point in points:
        if kept and abs(point.x - kept[-1].x) + abs(point.y - kept[-1].y) < 1e-6:
            continue
        if len(kept) > 1 and _in_line(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return tuple(kept)


def _in_line(a: Point, b: Point, c: Point) -> bool:
    return a.x == b.x == c.x or a.y == b.y == c.y


def _buses(head: str, view: _ReportTurn, paths: Iterable[_LineCorners]) -> Iterator[_Bus]:
    for corners in paths:
        if len(corners) > _LEAST_TURNED:
            begin, end = sorted((corners[1].x, corners[2].x))
            yield _Bus(head, view, corners[1].y, begin, end)


def _tangled(buses: Sequence[_Bus]) -> set[str]:
    """The managers whose buses would overlap: the reports could not be told apart."""
    found: set[str] = set()
    ordered = sorted(buses, key=lambda bus: (bus.view, bus.level, bus.begin, bus.end))
    for number, bus in enumerate(ordered):
        for other in ordered[number + 1 :]:
            if other.view != bus.view or other.level - bus.level > RAIL / 2:
                break
            if other.head != bus.head and other.begin <= bus.end and bus.begin <= other.end:
                found |= {bus.head, other.head}
    return found


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
