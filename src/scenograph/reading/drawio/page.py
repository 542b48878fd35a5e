"""The cells of a page by their role, and containment."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from scenograph.reading.drawio.cells import (
    FARTHEST,
    Cell,
    CellArea,
    Point,
    area_of,
    covered,
    flattened,
    heights,
    is_color,
    is_pale,
    is_seen,
    number,
    on_dark,
    standing_on,
    top_of,
)
from scenograph.reading.drawio.figures import (
    BOXES,
    INKS,
    INSIDE,
    CellFigure,
    Stencils,
    figure_of,
    is_line,
    label_area,
    named_figure,
)
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import LIMITS, IconRegistry

# Stacks and tables of draw.io as classes or tables: a box with only rows of text as children.


_SEPARATOR = "line"
_ROWS = frozenset({"text", "partialRectangle", _SEPARATOR})
_ROW_SLACK = 2.0  # px: tolerated difference of a row's width from its box
_STACKS = frozenset({"stackLayout", "tableLayout"})
_KEYS: Mapping[str, str] = {"PK": "pk", "FK": "fk"}
MOST_ROWS = 200
_LONGEST = 500  # characters of a row


def _class_of(
    cell: Cell, children: Sequence[Cell], below: Mapping[str, Sequence[Cell]], ends: Collection[str]
) -> JsonObject | None:
    """The members of a class with its rows, or of a table, whose rows have keys or are `ends` of connectors; None for
    any other box."""
    is_stack = cell.style.get("childLayout") in _STACKS and cell.style.get("horizontalStack") != "1"
    if not is_stack or not cell.label or not 0 < len(children) <= MOST_ROWS:
        return None
    has_cells = any(below.get(one.id) for one in children)
    if has_cells or cell.style.get("shape") == "table":
        return _table(children, below)
    if any(named_figure(one.style) not in _ROWS or one.size[0] < cell.size[0] - _ROW_SLACK for one in children):
        return None
    return (_listed if any(one.id in ends for one in children) else _compartments)(children)


def column_of(row: Cell, below: Mapping[str, Sequence[Cell]]) -> str:
    """The column name of a row."""
    return next((text for text in _texts(row, below) if text and not _is_key(text)), "")[:_LONGEST]


def _listed(rows: Sequence[Cell]) -> JsonObject | None:
    """Rows with connectors as columns of a table; rows of equal names could not be distinguished."""
    names = [row.label.replace("\n", " ")[:_LONGEST] for row in rows]
    if len(set(names)) < len(names) or not all(names):
        return _compartments(rows)
    return {"nodeType": "er.entity", "extensions": {"columns": [{"name": name} for name in names]}}


def _texts(row: Cell, below: Mapping[str, Sequence[Cell]]) -> list[str]:
    """The labels of a row and of its cells."""
    return [text for text in (*(one.label for one in below.get(row.id, ())), row.label) if text]


def _compartments(rows: Sequence[Cell]) -> JsonObject | None:
    """The lines of a class; lines after the first separator are its methods."""
    parts: tuple[list[str], list[str]] = ([], [])
    at = 0
    for row in rows:
        if named_figure(row.style) == _SEPARATOR:
            at = 1
        else:
            parts[at].extend(line[:_LONGEST] for line in row.label.split("\n") if line)
    extensions = {name: lines for name, lines in zip(("attributes", "methods"), parts, strict=True) if lines}
    return {"nodeType": "uml.class", "extensions": extensions} if extensions else None


def _table(rows: Sequence[Cell], below: Mapping[str, Sequence[Cell]]) -> JsonObject | None:
    """The columns of a data-model table: rows of keys and names. None for any other table."""
    columns: list[JsonObject] = []
    for row in rows:
        cells = below.get(row.id, ())
        texts = _texts(row, below)
        keys = [text for text in texts if _is_key(text)]
        names = [text[:_LONGEST] for text in texts if text and not _is_key(text)]
        if len(names) > 2 or len(keys) > 1 or any(below.get(one.id) for one in cells):
            return None
        if names:
            flags = {_KEYS[word.rstrip("0123456789")]: True for word in _words(keys[0])} if keys else {}
            columns.append({"name": names[0], **({"type": names[1]} if names[1:] else {}), **flags})
    has_key = any("pk" in column or "fk" in column for column in columns)
    return {"nodeType": "er.entity", "extensions": {"columns": columns}} if has_key else None


def _is_key(text: str) -> bool:
    words = _words(text)
    return bool(words) and all(word.rstrip("0123456789") in _KEYS for word in words)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()[:4]


# Ends of connectors: at a cell, at the point of the cell named by its style, or at a point of the page. An unbound
# connector ends at the touched box. A connector bound to another connector, or to a cell that is no element, ends at
# the position of its target. px.


_ANGLED = frozenset({"orthogonalEdgeStyle", "segmentEdgeStyle"})
_MOST_END_PAIRS = 20_000_000  # boxes times cells: in larger files free ends stay unbound
_SQUARE = frozenset({"orthogonalPerimeter", "lifelinePerimeter"})
TOUCH = 12.0  # px from a box within which a free end ends there
MIDDLE = 0.5  # of a side
_NEAR_MIDDLE = 0.02  # share of a side within which a point counts as the middle


class End(NamedTuple):
    """An end of a connector: its bound or touched `cell`, "" for a bare point; `at` is its position on the page, None
    if left to the layout."""

    cell: str
    at: Point | None


class _Land(NamedTuple):
    """The possible targets of connectors on a page.

    `owners` are the elements of bound cells, `areas` the elements' areas, `frames` the frames among them. `boxes` are
    touchable by free ends, in paint order; `corners` belong to all vertices. `grounds` caches which boxes are
    backgrounds. A file that `is_own` marks end positions chosen by its author.
    """

    cells: Mapping[str, Cell]
    owners: Mapping[str, str]
    areas: Mapping[str, CellArea]
    frames: Set[str]
    boxes: tuple[str, ...]
    corners: Mapping[str, Point]
    grounds: dict[str, bool]
    is_own: bool


def _ends_of_lines(land: _Land) -> dict[str, tuple[End, End]]:
    """Both ends of every connector with two ends."""
    found: dict[str, tuple[End, End]] = {}
    for key, cell in land.cells.items():
        if not cell.is_edge:
            continue
        ends = _end(cell, land, is_source=True), _end(cell, land, is_source=False)
        if ends[0] is not None and ends[1] is not None:
            first, second = _settled((ends[0], ends[1]), land)
            dx, dy = land.corners.get(cell.parent, (0.0, 0.0))
            course = [(x + dx, y + dy) for x, y in cell.points]
            is_angled = bool(course) and is_angled_through(cell)
            found[key] = (
                _squared(first, course[0] if course else second.at, land, is_angled=is_angled),
                _squared(second, course[-1] if course else first.at, land, is_angled=is_angled),
            )
    return found


def _end(cell: Cell, land: _Land, *, is_source: bool) -> End | None:
    """An end as specified by the file; None if unspecified."""
    name = cell.source if is_source else cell.target
    owner = land.owners.get(name, "")
    if owner in land.areas:
        box = land.areas[owner] if name == owner else area_of(land.cells[name], land.corners[name])
        kind = "exit" if is_source else "entry"
        is_chosen = not land.is_own or f"{kind}Port" in cell.style
        return End(name, _point_of(cell.style, kind, box) if is_chosen else None)
    said = cell.start if is_source else cell.finish
    other = land.cells.get(name)
    if other is not None and other.is_vertex and name in land.corners:
        return End("", _middle_of(name, land))
    at = _middle_of_line(other, land) if other is not None else None
    if at is None and said is not None:
        dx, dy = land.corners.get(cell.parent, (0.0, 0.0))
        at = said[0] + dx, said[1] + dy
    return None if at is None else End("", at)


def _point_of(style: Mapping[str, str], name: str, area: CellArea) -> Point | None:
    """The point of a box specified by a style; None if left to draw.io or at the exact middle."""
    if f"{name}X" not in style or f"{name}Y" not in style:
        return None
    across, down = (number(style[f"{name}{axis}"], MIDDLE) for axis in "XY")
    width, height = area.right - area.left, area.bottom - area.top
    x = area.left + across * width + number(style.get(f"{name}Dx", ""))
    y = area.top + down * height + number(style.get(f"{name}Dy", ""))
    is_middle = abs(x - area.middle[0]) < 1 and abs(y - area.middle[1]) < 1
    return None if is_middle else (x, y)


def _middle_of(name: str, land: _Land) -> Point:
    (x, y), (width, height) = land.corners[name], land.cells[name].size
    return x + width / 2, y + height / 2


def _middle_of_line(cell: Cell, land: _Land) -> Point | None:
    """The middle of another connector, or of a label's connector; None if its course is unknown."""
    line = cell if cell.is_edge else land.cells.get(cell.parent)
    if line is None or not line.is_edge:
        return None
    dx, dy = land.corners.get(line.parent, (0.0, 0.0))
    course = [(x + dx, y + dy) for x, y in line.points]
    for name, said, at in ((line.source, line.start, 0), (line.target, line.finish, len(course) + 1)):
        owner = land.owners.get(name, "")
        if owner in land.areas:
            course.insert(at, land.areas[owner].middle)
        elif said is not None:
            course.insert(at, (said[0] + dx, said[1] + dy))
    return _halfway(course) if course else None


def _halfway(course: list[Point]) -> Point:
    left = math.fsum(math.dist(a, b) for a, b in pairwise(course)) / 2
    for a, b in pairwise(course):
        length = math.dist(a, b)
        if length and left <= length:
            share = left / length
            return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
        left -= length
    return course[-1]


def _settled(ends: tuple[End, End], land: _Land) -> tuple[End, End]:
    """The ends, with free ends bound to touched boxes. A connector that would become a self-loop keeps its free
    ends."""
    if len(land.boxes) * len(land.cells) > _MOST_END_PAIRS:
        return ends
    touched = [end if end.cell or end.at is None else End(_touched(end.at, land), end.at) for end in ends]
    first, second = (land.owners.get(end.cell, "") for end in touched)
    if first and first == second:
        return ends
    return touched[0], touched[1]


def is_angled_through(cell: Cell) -> bool:
    """Whether a connector runs at right angles through its points."""
    return cell.style.get("edgeStyle") in _ANGLED and cell.style.get("curved") != "1"


def _squared(end: End, towards: Point | None, land: _Land, *, is_angled: bool) -> End:
    """An end at right angles to its side: at a bar at the height of the next point, of an angled connector on the side
    that faces the next point."""
    owner = land.owners.get(end.cell, "")
    if end.at is not None or towards is None or owner not in land.areas:
        return end
    area = land.areas[owner] if owner == end.cell else area_of(land.cells[end.cell], land.corners[end.cell])
    if is_angled and not land.is_own:
        x, y = towards
        if area.left < x < area.right and not area.top < y < area.bottom:
            return End(end.cell, (x, area.top if y <= area.top else area.bottom))
        if area.top < y < area.bottom and not area.left < x < area.right:
            return End(end.cell, (area.left if x <= area.left else area.right, y))
    if land.cells[owner].style.get("perimeter") not in _SQUARE or not area.top <= towards[1] <= area.bottom:
        return end
    return End(end.cell, (area.right if towards[0] > area.middle[0] else area.left, towards[1]))


def _touched(at: Point, land: _Land) -> str:
    """The nearest box touched by a point, the uppermost of equals; "" if none is near."""
    x, y = at
    near: list[tuple[float, int, str]] = []
    for rank, key in enumerate(land.boxes):
        left, top, right, bottom = land.areas[key]
        if left - TOUCH <= x <= right + TOUCH and top - TOUCH <= y <= bottom + TOUCH:
            far = _distance(at, land.areas[key], to_border=key in land.frames or _is_ground(key, land))
            if far <= TOUCH:
                near.append((far, -rank, key))
    return min(near)[2] if near else ""


def _is_ground(key: str, land: _Land) -> bool:
    """Whether other boxes stand on the box: ends among these do not end at the box itself."""
    found = land.grounds.get(key)
    if found is None:
        area = land.areas[key]
        found = any(one != key and area.holds(land.areas[one]) for one in land.boxes)
        land.grounds[key] = found
    return found


def _distance(at: Point, area: CellArea, *, to_border: bool) -> float:
    """The distance of a point from a box, or from its border."""
    x, y = at
    if area.has(x, y):
        return min(x - area.left, area.right - x, y - area.top, area.bottom - y) if to_border else 0.0
    return math.hypot(max(area.left - x, 0.0, x - area.right), max(area.top - y, 0.0, y - area.bottom))


def side_of(at: Point, area: CellArea, towards: Point) -> tuple[str, float]:
    """The side of a box nearest to a point, and the offset along the side; at a corner the side that faces the other
    end."""
    x, y = min(max(at[0], area.left), area.right), min(max(at[1], area.top), area.bottom)
    width, height = area.right - area.left, area.bottom - area.top
    dx, dy = towards[0] - x, towards[1] - y
    sides = (
        (y - area.top, dy, "top"),
        (area.right - x, -dx, "right"),
        (area.bottom - y, -dy, "bottom"),
        (x - area.left, dx, "left"),
    )
    side = min(sides, key=lambda row: (round(row[0]), row[1]))[2]
    share = (x - area.left) / width if side in {"top", "bottom"} else (y - area.top) / height
    return side, MIDDLE if abs(share - MIDDLE) <= _NEAR_MIDDLE else round(share, 3)


_DECORATION = "decoration"  # the style of cells that only complete a picture in an export
_DEEPEST = 100
_OUTERMOST = 5 * FARTHEST  # px: positions from a corner stay within a document too
_HOLDING = frozenset({"group", "swimlane", "umlFrame"})  # shapes around other shapes, whatever their content
_MERE = frozenset({"rect", "roundedRect"})
_FEWEST_TITLED, _FEWEST_UNTITLED = 1, 2  # the least number of cells on a background
_LONGEST_TITLE = 120  # characters of a label at the top of a background


class DrawioPage(NamedTuple):
    """A page.

    `shapes` are the cells that become elements, in paint order; `figures` their figures, `corners` their positions.
    `frames` have content; `holders` maps a cell to its frame, `held` a frame to its content, `below` a cell to its
    children in the file. `hidden` cells are invisible. `ends` are the elements with connectors, `lines` both ends of
    each connector, `areas` the elements' boxes. `owners` are the elements for ends at a cell: itself, or the class of
    the row. `rows` are members of classes, `heights` the `zIndex` of raised cells; cells `on_dark` may be pale. Cells
    in `too_deep` stand beside their container.
    """

    cells: Mapping[str, Cell]
    shapes: Mapping[str, Cell]
    figures: Mapping[str, CellFigure]
    corners: Mapping[str, Point]
    holders: Mapping[str, str]
    held: Mapping[str, Sequence[str]]
    hidden: Set[str]
    below: Mapping[str, Sequence[Cell]]
    ends: frozenset[str]
    lines: Mapping[str, tuple[End, End]]
    areas: Mapping[str, CellArea]
    frames: frozenset[str]
    owners: Mapping[str, str]
    rows: Mapping[str, JsonObject]
    heights: Mapping[str, int]
    on_dark: Set[str]
    is_own: bool
    left_out: tuple[Cell, ...]
    too_deep: tuple[Cell, ...]

    def is_switched_off(self, key: str, others: Collection[str] = ()) -> bool:
        """Whether a cell is invisible by style, not merely by an invisible frame or a cell of `others`."""
        above = {self.holders.get(key, ""), *others}
        return self.cells[key].is_hidden or (key in self.hidden and self.hidden.isdisjoint(above))


def page_of(
    cells: Mapping[str, Cell], icons: IconRegistry | None, background: str | None = None, *, is_own: bool
) -> DrawioPage:
    """The roles of cells on a page with this background. For an export of this service only explicit containment
    counts."""
    if is_own:
        _uncover(cells)
    vertices = {key: cell for key, cell in cells.items() if cell.is_vertex and not _is_part(cell, cells)}
    below: dict[str, list[Cell]] = {}
    for cell in vertices.values():
        below.setdefault(cell.parent, []).append(cell)
    ends = {name for cell in cells.values() if cell.is_edge for name in (cell.source, cell.target)}
    lines = {key for key, cell in vertices.items() if is_line(cell.style) and not cell.label and key not in ends}
    rows, owners = _classes(vertices, below, ends)
    shapes = {key: cell for key, cell in vertices.items() if owners[key] == key and key not in lines}
    figures = _figures(shapes, Stencils(icons), ends, is_own=is_own)
    frames = _own_frames(shapes, figures, rows)
    shapes = {key: cell for key, cell in shapes.items() if key in frames or cell.label or figures[key].kind != "text"}
    corners = {key: corner_of(cell, cells) for key, cell in shapes.items()}
    areas = {key: area_of(cell, corners[key]) for key, cell in shapes.items()}
    holders = _own_holders(shapes, cells, frames)
    hidden = {key for key, cell in cells.items() if is_hidden(cell, cells)}
    if not is_own:
        free = {key: cell for key, cell in shapes.items() if key not in frames | rows.keys() | hidden}
        grounds = {key: _fewest(cell) for key, cell in free.items() if _is_ground_cell(cell, figures[key])}
        holders |= standing_on([key for key in shapes if key not in hidden], areas, holders, grounds)
        frames |= set(holders.values())
        free = {key: cell for key, cell in free.items() if key not in frames}
        figures |= _labelled_inside(free, figures, [key for key in shapes if key not in hidden], areas)
    texts = {key for key in shapes if key not in frames and figures[key].kind == "text"}
    boxes = tuple(key for key, cell in shapes.items() if key not in texts | hidden and _may_be_touched(cell))
    places = {key: corners.get(key) or corner_of(cell, cells) for key, cell in cells.items() if cell.is_vertex}
    seen = {key: area for key, area in areas.items() if key not in texts}
    ended = _ends_of_lines(_Land(cells, owners, seen, frozenset(frames), boxes, places, {}, is_own))
    drawn_ends = frozenset(owners[end.cell] for pair in ended.values() for end in pair if end.cell)
    nests = frames | {key for key in shapes if figures[key].kind == "image" and key in drawn_ends}
    holders, too_deep = flattened(holders, nests, LIMITS.nesting)
    painted = [key for key in shapes if key not in hidden]
    pale = {key for key in painted if _has_pale_ink(shapes[key])}
    return DrawioPage(
        cells=cells,
        shapes=shapes,
        figures=figures,
        corners=corners,
        holders=holders,
        held=_held(shapes, holders),
        hidden=hidden,
        below=below,
        ends=drawn_ends,
        lines=ended,
        areas=areas,
        frames=frozenset(frames),
        owners=owners,
        rows=rows,
        heights=heights(painted, areas, frames, texts, holders),
        on_dark=on_dark(pale, painted, areas, _fills(shapes), background),
        is_own=is_own,
        left_out=tuple(vertices[key] for key in lines),
        too_deep=tuple(shapes[key] for key in too_deep),
    )


def _figures(shapes: Mapping[str, Cell], stencils: Stencils, ends: Set[str], *, is_own: bool) -> dict[str, CellFigure]:
    """The figure of each shape; an export of this service has its labels at the positions of its cells."""
    figures = {key: figure_of(cell, stencils, is_end=key in ends) for key, cell in shapes.items()}
    return {key: figure._replace(side=None) for key, figure in figures.items()} if is_own else figures


def _held(shapes: Mapping[str, Cell], holders: Mapping[str, str]) -> dict[str, list[str]]:
    """The content of each container, in paint order."""
    found: dict[str, list[str]] = {}
    for key in shapes:
        if key in holders:
            found.setdefault(holders[key], []).append(key)
    return found


def _own_frames(
    shapes: Mapping[str, Cell], figures: Mapping[str, CellFigure], rows: Mapping[str, JsonObject]
) -> set[str]:
    """The frames: cells with children, cells meant to have children, and groups, which are invisible without."""
    parents = {cell.parent for cell in shapes.values()}
    return {
        key
        for key, cell in shapes.items()
        if key not in rows and _may_hold(cell, figures[key]) and (key in parents or _is_to_hold(cell))
    }


def _uncover(cells: Mapping[str, Cell]) -> None:
    """Restore the colours of cells drawn as an inner picture."""
    for part in cells.values():
        holder = cells.get(part.parent) if _DECORATION in part.style and named_figure(part.style) == "image" else None
        if holder is None or is_seen(holder.style) or "strokeWidth" in holder.style:  # a member of all painted cells
            continue
        for name, ink in INKS.items():
            holder.style.pop(name, None)
            if ink in holder.style:
                holder.style[name] = holder.style[ink]


def _is_to_hold(cell: Cell) -> bool:
    return cell.style.get("container") == "1" or named_figure(cell.style) in _HOLDING


def _is_part(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    """Whether the cell is a connector's label, or completes another cell's picture in an export."""
    holder = cells.get(cell.parent)
    return _DECORATION in cell.style or "edgeLabel" in cell.style or (holder is not None and holder.is_edge)


def is_hidden(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    """Whether a cell, an ancestor, or its layer is hidden."""
    at: Cell | None = cell
    for _ in range(_DEEPEST):
        if at is None or at.is_hidden:
            break
        at = cells.get(at.parent)
    return at is not None and at.is_hidden


def _classes(
    vertices: Mapping[str, Cell], below: Mapping[str, list[Cell]], ends: Collection[str]
) -> tuple[dict[str, JsonObject], dict[str, str]]:
    """The members of the classes, and the owner of every cell."""
    rows: dict[str, JsonObject] = {}
    owners = {key: key for key in vertices}
    for key, cell in vertices.items():
        members = _class_of(cell, below.get(key, ()), below, ends) if owners[key] == key else None
        if members is not None:
            rows[key] = members
            for row in below[key]:
                owners |= {row.id: key} | {one.id: key for one in below.get(row.id, ())}
    return rows, owners


def _is_box(cell: Cell, figure: CellFigure) -> bool:
    named = named_figure(cell.style)
    is_box = named in BOXES or (named == "text" and is_seen(cell.style, "none"))
    if figure.stencil is not None:
        is_box = figure.stencil.is_box
    return is_box and figure.kind == "node"


def _may_hold(cell: Cell, figure: CellFigure) -> bool:
    """Whether a cell with children becomes a frame: a recognized shape outweighs containment, a bare box does not."""
    is_mere = figure.members.get("shape") in _MERE and figure.stencil is None and figure.kind == "node"
    return _is_box(cell, figure) or is_mere or cell.style.get("container") == "1"


def _own_holders(shapes: Mapping[str, Cell], cells: Mapping[str, Cell], frames: set[str]) -> dict[str, str]:
    """The nearest frame among the parents of each cell; the last cell of a cycle has none."""
    holders: dict[str, str] = {}
    tops: dict[str, str] = {}
    for key, cell in shapes.items():
        at = cell.parent
        for _ in range(_DEEPEST):
            if at in frames or at not in cells:
                break
            at = cells[at].parent
        if at in frames and top_of(at, tops) != key:
            holders[key] = tops[key] = at
    return holders


def _has_pale_ink(cell: Cell) -> bool:
    inks = (cell.style.get(name, "") for name in ("fontColor", "fillColor", "strokeColor"))
    return any(is_color(ink) and is_pale(ink) for ink in inks)


def _fills(shapes: Mapping[str, Cell]) -> dict[str, str]:
    """The colours of filled cells."""
    return {key: fill for key, cell in shapes.items() if is_color(fill := cell.style.get("fillColor", ""))}


def _is_ground_cell(cell: Cell, figure: CellFigure) -> bool:
    """Whether the cell can be a background: a plain visible box with its label at the top or none."""
    style = cell.style
    if not _is_box(cell, figure) or not is_seen(style) or "image" in style or style.get("rotation", "0") != "0":
        return False
    if not cell.label:
        return True
    return style.get("verticalAlign") == "top" and len(cell.label) <= _LONGEST_TITLE


def is_group(cell: Cell) -> bool:
    """Whether the cell only groups other cells."""
    return named_figure(cell.style) == "group" and cell.style.get("container") != "1"


def _may_be_touched(cell: Cell) -> bool:
    """Whether a near free end ends at the cell, which must have a visible part."""
    return not is_group(cell) and (bool(cell.label) or is_seen(cell.style))


def _labelled_inside(
    free: Mapping[str, Cell], figures: Mapping[str, CellFigure], painted: Sequence[str], areas: Mapping[str, CellArea]
) -> dict[str, CellFigure]:
    """The shapes whose label becomes a separate text, because their middle is covered."""
    labels = {key: label_area(cell, areas[key]) for key, cell in free.items() if _is_off_middle(cell, figures[key])}
    return {key: figures[key]._replace(side=INSIDE) for key in covered(labels, painted, areas)}


def _is_off_middle(cell: Cell, figure: CellFigure) -> bool:
    """Whether a label stands within its shape but above or below the middle, the place of a node's label."""
    is_inside = bool(cell.label) and figure.kind == "node" and figure.side is None
    return is_inside and cell.style.get("verticalAlign") in {"top", "bottom"}


def _fewest(cell: Cell) -> int:
    return _FEWEST_TITLED if cell.label else _FEWEST_UNTITLED


def corner_of(cell: Cell, cells: Mapping[str, Cell]) -> Point:
    """The corner on the page, through all parents."""
    x = y = 0.0
    at: Cell | None = cell
    for _ in range(_DEEPEST):
        if at is None:
            break
        holder = cells.get(at.parent)
        if at.is_vertex:
            dx, dy = at.at
            if at.is_relative and holder is not None and holder.is_vertex:
                dx, dy = dx * holder.size[0] + at.offset[0], dy * holder.size[1] + at.offset[1]
            x, y = x + dx, y + dy
        at = holder
    return min(max(x, -_OUTERMOST), _OUTERMOST), min(max(y, -_OUTERMOST), _OUTERMOST)


def part_of(cell: Cell, what: str, cells: Mapping[str, Cell]) -> str:
    """An unused source id for a part of a cell."""
    part = f"{cell.id} {what}"
    while part in cells:
        part += "+"
    return part
