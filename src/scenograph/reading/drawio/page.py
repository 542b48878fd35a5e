"""The cells of a page by what they are here, and who holds whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

from scenograph.reading.drawio.cells import FARTHEST, Cell, Point
from scenograph.reading.drawio.ends import End, Land, ends_of_lines
from scenograph.reading.drawio.figures import BOXES, Figure, figure_of, named_figure
from scenograph.reading.drawio.holding import Area, area_of, covered, flattened, heights, on_dark, standing_on, top_of
from scenograph.reading.drawio.labels import INSIDE, label_area
from scenograph.reading.drawio.painting import is_color, is_pale, is_seen
from scenograph.reading.drawio.rows import class_of
from scenograph.reading.drawio.stencils import Stencils, is_line
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import LIMITS, IconRegistry

DECORATION = "decoration"  # a style that an exported scene gives to what only completes a picture
_DEEPEST = 100
_OUTERMOST = 5 * FARTHEST  # px: what is placed from a corner stays within a document too
_HOLDING = frozenset({"group", "swimlane", "umlFrame"})  # shapes that stand round others, whatever is in them
_MERE = frozenset({"rect", "roundedRect"})
_FEWEST_TITLED, _FEWEST_UNTITLED = 1, 2  # things that have to stand on a background
_LONGEST_TITLE = 120  # characters of a label at the top of a background


class Page(NamedTuple):
    """`shapes` are the cells that become elements, in the order of painting; `figures` what each is, `corners` where it
    is. `frames` are those that hold, `holders` which one, `held` what, `below` the children that the file says;
    `hidden` are not seen; `ends` are the elements where lines end, `lines` both ends of each, `areas` the boxes of
    elements. `owners` are the elements that lines to a cell end at: itself, or the class whose row it is. `rows` are
    the members of classes, `heights` the `zIndex` of what has to rise; what is `on_dark` may be pale. What was
    `too_deep` stands beside what would hold it."""

    cells: Mapping[str, Cell]
    shapes: Mapping[str, Cell]
    figures: Mapping[str, Figure]
    corners: Mapping[str, Point]
    holders: Mapping[str, str]
    held: Mapping[str, Sequence[str]]
    hidden: Set[str]
    below: Mapping[str, Sequence[Cell]]
    ends: frozenset[str]
    lines: Mapping[str, tuple[End, End]]
    areas: Mapping[str, Area]
    frames: frozenset[str]
    owners: Mapping[str, str]
    rows: Mapping[str, JsonObject]
    heights: Mapping[str, int]
    on_dark: Set[str]
    is_own: bool
    left_out: tuple[Cell, ...]
    too_deep: tuple[Cell, ...]


def page_of(
    cells: Mapping[str, Cell], icons: IconRegistry | None, background: str | None = None, *, is_own: bool
) -> Page:
    """What the cells are, on a page of this colour; of a file that was written here no more than it says."""
    vertices = {key: cell for key, cell in cells.items() if cell.is_vertex and not _is_part(cell, cells)}
    below: dict[str, list[Cell]] = {}
    for cell in vertices.values():
        below.setdefault(cell.parent, []).append(cell)
    ends = {name for cell in cells.values() if cell.is_edge for name in (cell.source, cell.target)}
    lines = {key for key, cell in vertices.items() if is_line(cell.style) and not cell.label and key not in ends}
    rows, owners = _classes(vertices, below, ends)
    shapes = {key: cell for key, cell in vertices.items() if owners[key] == key and key not in lines}
    stencils = Stencils(icons)
    figures = {key: figure_of(cell, stencils, is_end=key in ends) for key, cell in shapes.items()}
    if is_own:
        figures = {key: figure._replace(side=None) for key, figure in figures.items()}
    frames = _own_frames(shapes, figures, rows)
    shapes = {key: cell for key, cell in shapes.items() if key in frames or cell.label or figures[key].kind != "text"}
    corners = {key: corner_of(cell, cells) for key, cell in shapes.items()}
    areas = {key: area_of(cell, corners[key]) for key, cell in shapes.items()}
    holders = _own_holders(shapes, cells, frames)
    hidden = {key for key, cell in cells.items() if _is_hidden(cell, cells)}
    if not is_own:
        free = {key: cell for key, cell in shapes.items() if key not in frames | rows.keys() | hidden}
        grounds = {key: _fewest(cell) for key, cell in free.items() if _is_ground(cell, figures[key])}
        holders |= standing_on([key for key in shapes if key not in hidden], areas, holders, grounds)
        frames |= set(holders.values())
        free = {key: cell for key, cell in free.items() if key not in frames}
        figures |= _labelled_inside(free, figures, [key for key in shapes if key not in hidden], areas)
    texts = {key for key in shapes if key not in frames and figures[key].kind == "text"}
    boxes = tuple(key for key, cell in shapes.items() if key not in texts | hidden and _may_be_touched(cell))
    places = {key: corners.get(key) or corner_of(cell, cells) for key, cell in cells.items() if cell.is_vertex}
    seen = {key: area for key, area in areas.items() if key not in texts}
    ended = ends_of_lines(Land(cells, owners, seen, frozenset(frames), boxes, places, {}, is_own))
    drawn_ends = frozenset(owners[end.cell] for pair in ended.values() for end in pair if end.cell)
    nests = frames | {key for key in shapes if figures[key].kind == "image" and key in drawn_ends}
    holders, too_deep = flattened(holders, nests, LIMITS.nesting)
    painted = [key for key in shapes if key not in hidden]
    pale = {key for key in painted if _has_pale_ink(shapes[key])}
    return Page(
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


def _held(shapes: Mapping[str, Cell], holders: Mapping[str, str]) -> dict[str, list[str]]:
    """What each holder holds, in the order of painting."""
    found: dict[str, list[str]] = {}
    for key in shapes:
        if key in holders:
            found.setdefault(holders[key], []).append(key)
    return found


def _own_frames(shapes: Mapping[str, Cell], figures: Mapping[str, Figure], rows: Mapping[str, JsonObject]) -> set[str]:
    """The cells with children of their own, those that are to have some, and groups, which are not seen without."""
    parents = {cell.parent for cell in shapes.values()}
    return {
        key
        for key, cell in shapes.items()
        if key not in rows and _may_hold(cell, figures[key]) and (key in parents or _is_to_hold(cell))
    }


def _is_to_hold(cell: Cell) -> bool:
    return cell.style.get("container") == "1" or named_figure(cell.style) in _HOLDING


def _is_part(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    """Whether it is a label of a connector, or completes the picture of another cell of an exported scene."""
    holder = cells.get(cell.parent)
    return DECORATION in cell.style or "edgeLabel" in cell.style or (holder is not None and holder.is_edge)


def _is_hidden(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    """Whether a cell, what holds it, or its layer is switched off."""
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
        members = class_of(cell, below.get(key, ()), below, ends) if owners[key] == key else None
        if members is not None:
            rows[key] = members
            for row in below[key]:
                owners |= {row.id: key} | {one.id: key for one in below.get(row.id, ())}
    return rows, owners


def _is_box(cell: Cell, figure: Figure) -> bool:
    named = named_figure(cell.style)
    is_box = named in BOXES or (named == "text" and is_seen(cell.style, "none"))
    if figure.stencil is not None:
        is_box = figure.stencil.is_box
    return is_box and figure.kind == "node"


def _may_hold(cell: Cell, figure: Figure) -> bool:
    """Whether a cell with children of its own is a frame: a shape that is drawn here is worth more than the holding,
    one that would be a mere box is not."""
    is_mere = figure.members.get("shape") in _MERE and figure.stencil is None and figure.kind == "node"
    return _is_box(cell, figure) or is_mere or cell.style.get("container") == "1"


def _own_holders(shapes: Mapping[str, Cell], cells: Mapping[str, Cell], frames: set[str]) -> dict[str, str]:
    """The nearest frame among the parents of each cell; of a circle the last one has none."""
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
    """The colours of what is filled."""
    return {key: fill for key, cell in shapes.items() if is_color(fill := cell.style.get("fillColor", ""))}


def _is_ground(cell: Cell, figure: Figure) -> bool:
    """Whether others may stand on it: a plain box that is seen, its label at the top or none."""
    style = cell.style
    if not _is_box(cell, figure) or not is_seen(style) or "image" in style or style.get("rotation", "0") != "0":
        return False
    if not cell.label:
        return True
    return style.get("verticalAlign") == "top" and len(cell.label) <= _LONGEST_TITLE


def is_group(cell: Cell) -> bool:
    """Whether a cell only holds others together."""
    return named_figure(cell.style) == "group" and cell.style.get("container") != "1"


def _may_be_touched(cell: Cell) -> bool:
    """Whether a free end that is near a cell ends at it: something of it has to be seen."""
    return not is_group(cell) and (bool(cell.label) or is_seen(cell.style))


def _labelled_inside(
    free: Mapping[str, Cell], figures: Mapping[str, Figure], painted: Sequence[str], areas: Mapping[str, Area]
) -> dict[str, Figure]:
    """The shapes whose label is a text in them, because their middle is covered."""
    labels = {key: label_area(cell, areas[key]) for key, cell in free.items() if _is_off_middle(cell, figures[key])}
    return {key: figures[key]._replace(side=INSIDE) for key in covered(labels, painted, areas)}


def _is_off_middle(cell: Cell, figure: Figure) -> bool:
    """Whether a label stands in its shape, above or below the middle, where a node would have it."""
    is_inside = bool(cell.label) and figure.kind == "node" and figure.side is None
    return is_inside and cell.style.get("verticalAlign") in {"top", "bottom"}


def _fewest(cell: Cell) -> int:
    return _FEWEST_TITLED if cell.label else _FEWEST_UNTITLED


def corner_of(cell: Cell, cells: Mapping[str, Cell]) -> Point:
    """The corner on the page, through all cells that hold it."""
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
    """A source id that no cell has, for a part of one."""
    part = f"{cell.id} {what}"
    while part in cells:
        part += "+"
    return part
