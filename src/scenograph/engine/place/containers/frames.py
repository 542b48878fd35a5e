"""Containers round their content: padding, titles, header bands (R-FRAME-1, R-POOL-2). px."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor

from scenograph.engine.families.family import is_headed, is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.tables import Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.scene.model import Boxed, Frame, Group

PADDING = 24.0  # px; between a container and its content (R-FRAME-1)
HEADER = 24.0  # px; of a pool (R-POOL-2)
MOST_HEADER = 40.0  # px; the greatest height of a header with a long title
TITLE_LEFT, TITLE_TOP = 16.0, 12.0  # px; from the corner of a frame to its title
LANE_TITLE_LEFT, LANE_TITLE_TOP = 8.0, 6.0  # px; from the corner of a lane to its title: lanes are tighter
TITLE_GAP = 8.0  # px; below a title
LABEL_ABOVE = 4.0  # px; between a group and its label above
LEAST_POOL = (240.0, 96.0)  # px; an empty pool can still be seen as one
SLIGHT = 0.02  # px; a smaller lack is rounding
UPRIGHT_LANES = "vertical"


def inset_of(element: Boxed, size: Size) -> Outset:
    """The margin between a container's border and its content; none for a group."""
    if not isinstance(element, Frame):
        return Outset()
    title = ceil(size.label.height) if size.label is not None else 0.0
    if not is_tiled(element):
        return Outset(PADDING + max(title, element.head_height or 0.0), PADDING, PADDING, PADDING)
    if element.lane_direction == UPRIGHT_LANES:
        return Outset(HEADER + PADDING, PADDING, PADDING, PADDING)
    return Outset(PADDING, PADDING, PADDING, HEADER + PADDING)


def outset_of(element: Boxed, size: Size) -> Outset:
    """Room round a container: a group's label stands above its box."""
    if not isinstance(element, Group) or size.label is None:
        return size.outset
    aside = max(0.0, size.label.width - size.width)
    return Outset(size.label.height + LABEL_ABOVE, aside, 0.0, 0.0)


def lane_inset(inventory: Inventory, lane: str | None) -> Outset:
    """The margin of a lane; None: of the inside of a pool without lanes."""
    label = None if lane is None else inventory.size(lane).label
    title = 0.0 if label is None else 2 * LANE_TITLE_TOP + ceil(label.height) + TITLE_GAP
    return Outset(max(PADDING, title), PADDING, PADDING, PADDING)


def title_room(inventory: Inventory, one: str, *, upright: bool) -> tuple[float, float]:
    """The least length along the flow, and the least depth across the lanes, of a pool or lane for its title on one
    line, px: a pool's title runs across the lanes, along its header. 0 for a side of a pool whose size the author
    gave."""
    element, label = inventory.elements[one], inventory.size(one).label
    if label is None:
        return 0.0, 0.0
    line = label.width + 2 * LANE_TITLE_LEFT
    is_level = (is_tile(element) and not is_tiled(element)) or _shows_title_level(element)
    runs_along = is_level and not upright
    layout = element.layout
    given = (layout.height, layout.width) if upright else (layout.width, layout.height)
    along, across = (line, 0.0) if runs_along else (0.0, line)
    if is_tile(element):  # its pool sets its size
        return along, across
    return along if given[0] is None else 0.0, across if given[1] is None else 0.0


def _shows_title_level(element: Boxed) -> bool:
    """Whether the title of a pool without content may stand level in its middle."""
    return isinstance(element, Frame) and element.lane_direction != UPRIGHT_LANES and not element.children


def wrap(inset: Outset, content: Box | None, least: tuple[float, float]) -> Box:
    """The box of a container round its content, on whole pixels, with at least this width and height; spare room lies
    on both sides."""
    box = (content or Box(0.0, 0.0, 0.0, 0.0)).with_outset(inset)
    left, right = _stretched(box.x, box.right, least[0])
    top, bottom = _stretched(box.y, box.bottom, least[1])
    return Box(left, top, right - left, bottom - top)


def _stretched(start: float, end: float, least: float) -> tuple[float, float]:
    start, end = floor(start), ceil(end)
    spare = max(0.0, least - (end - start))
    before = spare // 2
    return start - before, end + spare - before


def room_beside(box: Box, inset: Outset, held: Box | None, content: Box | None, *, may_leave: bool = False) -> Outset:
    """The extra width of a container with this former box on each side, to hold its content, in whole px. The content
    keeps the inset, or the former smaller margin of the `held` content; none if `may_leave` and the former content left
    the box."""
    if content is None:
        return Outset()
    stood = inset if held is None else _left(box, held)
    if not may_leave:
        stood = Outset(*(max(0.0, side) for side in stood))
    lacking = (kept - there for kept, there in zip(map(min, stood, inset), _left(box, content), strict=True))
    return Outset(*(float(ceil(side)) if side > SLIGHT else 0.0 for side in lacking))


def _left(box: Box, content: Box) -> Outset:
    """The gaps between a box and its content, by side."""
    return Outset(content.y - box.y, box.right - content.right, box.bottom - content.bottom, content.x - box.x)


def area_in(inset: Outset, box: Box) -> Box:
    """The room for content in a container's box; empty for a box smaller than the insets."""
    width = max(0.0, box.width - inset.left - inset.right)
    height = max(0.0, box.height - inset.top - inset.bottom)
    return Box(box.x + inset.left, box.y + inset.top, width, height)


def header_depth(pool: Frame, box: Box, lanes: Sequence[Box]) -> float:
    """How deep the header band of a pool is: 24 px, or up to lanes whose given places leave a little more."""
    side = 1 if pool.lane_direction == UPRIGHT_LANES else 0
    room = min((lane[side] - box[side] for lane in lanes), default=HEADER)
    return room if HEADER < room <= MOST_HEADER else HEADER


def container_parts(element: Frame | Group, box: Box, size: Size, depth: float = HEADER) -> Mapping[str, Box]:
    """The part boxes of a container: the `header` of a pool, of this depth; the `head` of a frame with a head height;
    the `title` of a labelled container. The title's box is axis-parallel on the page: for an upright header, the box of
    the turned text."""
    label = size.label
    if isinstance(element, Frame) and is_tiled(element):
        return _pool_parts(element, box, label, depth)
    if isinstance(element, Frame) and element.head_height is not None and not (is_tile(element) or is_headed(element)):
        return _headed_parts(element, box, label, element.head_height)
    if label is None:
        return {}
    if is_headed(element):
        header = Box(box.x, box.y, box.width, max(HEADER, ceil(label.height) + TITLE_GAP))
        middle = header.center
        title = Box(middle.x - label.width / 2, middle.y - label.height / 2, label.width, label.height)
        return {"header": header, "title": title}
    if isinstance(element, Group):
        return {"title": Box(box.x, box.y - LABEL_ABOVE - label.height, label.width, label.height)}
    left, top = (LANE_TITLE_LEFT, LANE_TITLE_TOP) if is_tile(element) else (TITLE_LEFT, TITLE_TOP)
    left = max(0.0, min(left, (box.width - label.width) / 2))
    if element.title_inset is not None:
        left = max(0.0, min(element.title_inset, box.width - label.width))
    return {"title": Box(box.x + left, box.y + top, label.width, label.height)}


def title_cell(box: Box, title: Box, *, whole: bool) -> Box:
    """The header cell round the title of a lane: of the title's size, or as wide as the `whole` lane."""
    width = title.right - box.x + LANE_TITLE_LEFT
    return Box(box.x, box.y, box.width if whole else min(width, box.width), title.bottom - box.y + LANE_TITLE_TOP)


def _headed_parts(frame: Frame, box: Box, label: TextBlock | None, height: float) -> Mapping[str, Box]:
    """The head of a frame with a given head height, and the title: centred, or at the title inset."""
    head = Box(box.x, box.y, box.width, min(height, box.height))
    if label is None:
        return {"head": head}
    left = (box.width - label.width) / 2 if frame.title_inset is None else frame.title_inset
    left = max(0.0, min(left, box.width - label.width))
    title = Box(box.x + left, head.center.y - label.height / 2, label.width, label.height)
    return {"head": head, "title": title}


def _pool_parts(pool: Frame, box: Box, label: TextBlock | None, depth: float) -> Mapping[str, Box]:
    turned = pool.lane_direction != UPRIGHT_LANES
    header = Box(box.x, box.y, depth, box.height) if turned else Box(box.x, box.y, box.width, depth)
    if label is None:
        return {"header": header}
    is_too_large = label.width > box.height or label.height > depth
    if _shows_title_level(pool) and is_too_large and box.height >= label.height:
        middle = box.center
        return {"title": Box(middle.x - label.width / 2, middle.y - label.height / 2, label.width, label.height)}
    width, height = (label.height, label.width) if turned else (label.width, label.height)
    title = Box(header.center.x - width / 2, header.center.y - height / 2, width, height)
    return {"header": header, "title": title}
