"""The legend of a scene: samples of looks with their words, in a panel outside the content. px.

In: a laid-out scene with a legend, and its drawing. Out: the drawing with the legend at its corner. A sample is an
element of a small scene that runs through the same stages as the scene itself: a legend looks like the picture in
every theme, whatever palette and styles say. (R-PAINT-6)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, fsum
from typing import NamedTuple

from scenograph.diagnostics import Report
from scenograph.engine.draw.footers import small_font, text_on, with_panel
from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem
from scenograph.engine.extent import painted_extent
from scenograph.engine.families.catalog import CAST_KINDS, EDGE_KINDS, NODE_KINDS, kind_of, node_kind
from scenograph.engine.families.faces import is_cloud_icon
from scenograph.engine.families.family import FOLDED_TYPE, EdgeKind, NodeKind
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.laying_out import laid_out
from scenograph.engine.resolve import resolve
from scenograph.engine.sketch import NO_SKETCH
from scenograph.engine.style import finish_styles, with_heads
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.engine.themes import Theme
from scenograph.engine.views import NO_VIEW, viewed
from scenograph.late_dataclasses import replace
from scenograph.scene.model import (
    Canvas,
    Edge,
    Element,
    Endpoint,
    Frame,
    Group,
    Layout,
    Legend,
    LegendEntry,
    Node,
    Scene,
    Style,
)

SAMPLE, LARGE_SAMPLE = (36.0, 22.0), (52.0, 38.0)  # px; the room of a sample; of one with parts
PADDING, ROW_GAP, COLUMN_GAP, WORDS_GAP = 12.0, 8.0, 24.0, 10.0
LEAST_WIDTH = 320.0  # px; of the rows of a legend below a narrow content
MOST_WORDS = 220.0  # px; the wrap width of an entry
MOST_COLUMNS = 8
_LEAST_ENTRIES = 2
"""A legend taken from the scene has no fewer entries: a single look explains itself."""

_ABBREVIATED = frozenset({"cdn", "vpn"})
_UNSEEN = Style(dash=())
_BARE = "textBox"
_ICON = 20.0  # px; an icon without a type


class _Row(NamedTuple):
    """An entry with the laid-out words, the user of the style (None: a node), and the room of the sample."""

    entry: LegendEntry
    words: TextBlock
    user: Element | None
    sample: tuple[float, float]

    @staticmethod
    def of(entry: LegendEntry, scene: Scene, font: Font) -> _Row:
        user = _user_of(entry, scene)
        node_type = user.node_type if isinstance(user, Node) else entry.node_type
        has_parts = kind_of(Node(id="", kind="node", node_type=node_type)).measure is not None
        return _Row(entry, lay_text(entry.label, font, MOST_WORDS), user, LARGE_SAMPLE if has_parts else SAMPLE)

    @property
    def width(self) -> float:
        return self.sample[0] + WORDS_GAP + self.words.width

    @property
    def height(self) -> float:
        return max(self.sample[1], self.words.height)


def with_key(drawing: Drawing, of: LaidOutScene, theme: Theme) -> Drawing:
    """The drawing with the legend of its scene; unchanged without entries."""
    legend = of.scene.legend
    entries = () if legend is None else entries_of(of.scene, legend)
    if legend is None or not entries:
        return drawing
    font = small_font(theme)
    rows = [_Row.of(one, of.scene, font) for one in entries]
    title = lay_text(legend.title or "", font._replace(weight=600), MOST_WORDS)
    grid = _Grid.of(rows, title, max(painted_extent(drawing).width, LEAST_WIDTH) - 2 * PADDING)
    size = grid.width + 2 * PADDING, grid.height + 2 * PADDING
    drawing, panel, ground = with_panel(drawing, size, legend.corner, theme)
    places = [spot.moved(panel.x + PADDING, panel.y + PADDING) for spot in grid.spots]
    items = [*ground, *_samples(rows, places, of, theme)]
    if title.lines:
        at = Box(panel.x + PADDING, panel.y + PADDING, title.width, title.height)
        items.append(text_on(drawing, theme, title, at))
    for row, place in zip(rows, places, strict=True):
        beside = Box(place.x + row.sample[0] + WORDS_GAP, place.y, row.words.width, row.height)
        items.append(text_on(drawing, theme, row.words, beside))
    words = "; ".join(one.label for one in entries)
    group = DrawnGroup(id="", kind="scene", items=tuple(items), role="legend")
    description = f"{drawing.description} Legend: {words}.".strip()
    return replace(drawing, groups=(*drawing.groups, group), description=description)


class _Grid(NamedTuple):
    """The places of entries below the title, row by row, from the corner of the panel's inside."""

    width: float
    height: float
    spots: tuple[Box, ...]

    @staticmethod
    def of(rows: Sequence[_Row], title: TextBlock, room: float) -> _Grid:
        """As many columns as the room holds, filled from left to right."""
        wide = _columns(rows, room)
        y, spots = float(ceil(title.height)) + ROW_GAP if title.lines else 0.0, list[Box]()
        for first in range(0, len(rows), len(wide)):
            line = rows[first : first + len(wide)]
            height, x = float(ceil(max(row.height for row in line))), 0.0
            for row, width in zip(line, wide, strict=False):
                spots.append(Box(x, y + (height - row.height) / 2, row.width, row.height))
                x += width + COLUMN_GAP
            y += height + ROW_GAP
        width = max(fsum(wide) + COLUMN_GAP * (len(wide) - 1), ceil(title.width))
        return _Grid(float(width), y - ROW_GAP, tuple(spots))


def _columns(rows: Sequence[_Row], room: float) -> list[float]:
    """The widths of the most columns that fit into the room; of one column if none fit."""
    for count in range(min(len(rows), MOST_COLUMNS), 0, -1):
        wide = [float(ceil(max(row.width for row in rows[number::count]))) for number in range(count)]
        if count == 1 or fsum(wide) + COLUMN_GAP * (count - 1) <= room:
            return wide
    return []


# Entries: authored, or taken from the scene. The named styles in use come first, else the types whose looks differ;
# types that look the same share an entry.


def entries_of(scene: Scene, legend: Legend) -> tuple[LegendEntry, ...]:
    """The rows of a legend, possibly none."""
    if legend.entries is not None:
        return legend.entries
    styles = dict.fromkeys(one.style_id for one in scene.elements if one.style is None and one.style_id in scene.styles)
    named = tuple(LegendEntry(label=name, style_id=name) for name in styles if name is not None)
    found = named if len(named) >= _LEAST_ENTRIES else tuple(_by_type(scene.elements))
    return found if len(found) >= _LEAST_ENTRIES else ()


def _by_type(elements: Iterable[Element]) -> Iterator[LegendEntry]:
    """One entry for each look of a type in use: nodes first, each in the order of the document."""
    nodes: dict[tuple[object, ...], dict[str, None]] = {}
    edges: dict[tuple[object, ...], dict[str, None]] = {}
    for one in elements:
        if isinstance(one, Node) and _shows_its_type(one):
            nodes.setdefault(_node_look(node_kind(one.node_type)), {})[one.node_type or ""] = None
        elif isinstance(one, Edge) and (kind := EDGE_KINDS.get(one.edge_type or "")) is not None:
            edges.setdefault(_edge_look(kind), {})[kind.name] = None
    for types in nodes.values():
        yield LegendEntry(label=_together(types), node_type=next(iter(types)))
    plain = _edge_look(EdgeKind(name=""))
    for look, types in edges.items():
        if look != plain:
            yield LegendEntry(label=_together(types), edge_type=next(iter(types)))


def _shows_its_type(node: Node) -> bool:
    name = node.node_type or ""
    return (name in NODE_KINDS or name in CAST_KINDS) and name != FOLDED_TYPE and not is_cloud_icon(node)


def _node_look(kind: NodeKind) -> tuple[object, ...]:
    marks = kind.glyph, kind.symbol, kind.paint, kind.dash, kind.stroke_width, kind.filled_with_stroke
    return kind.shape, kind.tone, *marks


def _edge_look(kind: EdgeKind) -> tuple[object, ...]:
    return kind.dash, kind.start_marker, kind.end_marker


def _together(types: Iterable[str]) -> str:
    """The words for types of one look, each once."""
    first, *others = dict.fromkeys(map(_words, types))
    return ", ".join((first, *(other.lower() for other in others)))


def _words(name: str) -> str:
    """A type's name in words: `workflow.userTask` is "User task"."""
    plain = name.partition(" ")[0].rpartition(".")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).lower()
    return words.upper() if words in _ABBREVIATED else words[:1].upper() + words[1:]


def _user_of(entry: LegendEntry, scene: Scene) -> Element | None:
    """The first element with the style of an entry that names nothing else: its sample is an element of this kind."""
    if entry.style_id is None or entry.node_type or entry.edge_type or entry.icon:
        return None
    return next((one for one in scene.elements if one.style is None and one.style_id == entry.style_id), None)


# Samples: elements of a scene of their own, at their places on the page.


def _samples(rows: Sequence[_Row], places: Sequence[Box], of: LaidOutScene, theme: Theme) -> Iterator[DrawnItem]:
    elements = [
        one
        for number, (row, place) in enumerate(zip(rows, places, strict=True))
        for one in _sample(row, Box(place.x, place.center.y - row.sample[1] / 2, *row.sample), str(number))
    ]
    own = of.scene
    scene = Scene(
        canvas=Canvas(background=of.styles.background), palette=own.palette, styles=own.styles, elements=tuple(elements)
    )
    ground, report = replace(theme, keeps_canvas=True), Report()
    shown = viewed(with_heads(resolve(scene, report), theme), NO_VIEW, report)
    styles = finish_styles(shown.scene, ground)
    for group in draw(laid_out(shown, styles, NO_SKETCH, NO_VIEW, report)).groups:
        yield from group.items


def _sample(row: _Row, room: Box, name: str) -> Iterator[Element]:
    entry, user = row.entry, row.user
    if entry.edge_type is not None or isinstance(user, Edge):
        yield from _line(entry, user, room, name)
    elif isinstance(user, Frame | Group):
        kind = user.container_type if isinstance(user, Frame) else None
        yield Frame(
            id=name, kind="frame", layout=_at(room), container_type=kind, style=entry.style, style_id=entry.style_id
        )
    elif entry.node_type or entry.icon or entry.style or entry.style_id:
        node_type = user.node_type if isinstance(user, Node) else entry.node_type
        is_icon = bool(entry.icon) and entry.node_type is None
        kind = node_kind(node_type)
        box = _amid(room, (_ICON, _ICON)) if is_icon else _amid(room, kind.fixed_size or row.sample)
        shape = _BARE if is_icon else user.shape if isinstance(user, Node) else None
        yield Node(
            id=name,
            kind="node",
            node_type=node_type,
            icon=entry.icon,
            shape=shape,
            layout=_at(box),
            style=entry.style,
            style_id=entry.style_id,
        )


def _line(entry: LegendEntry, user: Element | None, room: Box, name: str) -> Iterator[Element]:
    """An edge between two unseen ends."""
    ends = (f"{name} from", f"{name} to")
    for end, x in zip(ends, (room.x, room.right), strict=True):
        yield Node(id=end, kind="node", shape=_BARE, style=_UNSEEN, layout=_at(Box(x, room.y, 0.0, room.height)))
    like = user if isinstance(user, Edge) else None
    yield Edge(
        id=name,
        kind="edge",
        source=Endpoint(element_id=ends[0]),
        target=Endpoint(element_id=ends[1]),
        edge_type=entry.edge_type if like is None else like.edge_type,
        start_arrow=None if like is None else like.start_arrow,
        end_arrow=None if like is None else like.end_arrow,
        router="straight",
        style=entry.style,
        style_id=entry.style_id,
    )


def _amid(room: Box, size: tuple[float, float]) -> Box:
    """A box of the proportions of `size` in the middle of a room, no larger than either."""
    scale = min(room.width / size[0], room.height / size[1], 1.0)
    width, height = size[0] * scale, size[1] * scale
    return Box(room.center.x - width / 2, room.center.y - height / 2, width, height)


def _at(box: Box) -> Layout:
    return Layout(mode="absolute", x=box.x, y=box.y, width=box.width, height=box.height)
