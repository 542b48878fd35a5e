"""Entity-relationship: entities, attributes, relationships. (R-ER-1, R-ER-2)"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from scenograph.diagnostics import EDGE_COLUMN_NOT_FOUND, EDGE_LABEL_SUPPRESSED_REDUNDANT, Report
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.faces import (
    Heights,
    Inks,
    double_border,
    flat_bottomed,
    inks_of,
    sharp,
    shown_icon,
    stacked,
)
from scenograph.engine.families.family import (
    BOX_SHAPES,
    CheckHeight,
    EdgeKind,
    Family,
    KindOf,
    NodeFace,
    NodeKind,
    by_name,
    decision,
    may_hold_a_face,
)
from scenograph.engine.geometry.boxes import Box, Point, on_grid
from scenograph.engine.geometry.directions import DOWNWARDS, RIGHTWARDS
from scenograph.engine.geometry.paths import rectangle, rounded_rectangle, segment
from scenograph.engine.icons import find
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text, line_metrics, text_width
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import replace
from scenograph.scene.description.fields import choices
from scenograph.scene.json_values import listed, shown
from scenograph.scene.model import Column, Edge, Element, Endpoint, Node, Scene
from scenograph.scene.near_names import NameBudget, nearest

# The size of an entity that is drawn as a table: a header with its name, and a row a column. px. In: a node with
# columns and its style. Out: `Size` with the parts `label` and `header`, for every row `row:<n>`, `name:<n>`,
# `type:<n>` and `badge:<n>:<key>`, for every column name `column:<name>` (where edges are anchored), and `more`
# where a given height leaves rows out. Promises: the blocks depend on nothing but the final width, so a table of
# the size that was measured comes out the same; no text leaves the box. (R-ER-1, R-ER-10)


PADDING = 10.0  # beside the text
ROW_PADDING, HEADER_PADDING = 4.0, 7.0  # above and below it
BADGE_PADDING, BADGE_GAP, BADGE_ROOM = 3.5, 3.0, 7.0  # beside the letters, between badges, between badges and name
_BADGE_HEIGHT = 1.45  # of its letters' size
_TYPE_GAP = 18.0  # between name and type
HEADER_ICON, ICON_GAP = 24.0, 4.0
LEAST_WIDTH = 120.0
NAME_WRAP, TYPE_WRAP, TITLE_WRAP = 280.0, 200.0, 320.0  # a table is not made wider for longer texts
LEAST_ROOM, LEAST_ROOM_FOR_BOTH = 24.0, 66.0  # for a name; for name and type
_NULLABLE = "?"
_WEAK_INSET = 4.0
"""Of the inner border of a weak entity (R-ER-2)."""

_TYPE_SHARE = 0.4  # of the room for name and type when both do not fit
_TYPE_SIZE, _BADGE_SIZE = 0.92, 0.7  # of the name's letters
_BOLD, _KEY_WEIGHT, _PLAIN_WEIGHT = 700, 600, 400


class _TableFonts(NamedTuple):
    """The letters of a table."""

    title: Font
    key: Font
    plain: Font
    type: Font
    badge: Font


class _Rooms(NamedTuple):
    """The left edges and widths of a table's texts, all determined by the table's width."""

    width: float
    left: float
    badges: float
    name: float
    type: float


def _measure_table(node: Node, style: FinishedStyle, check: CheckHeight) -> Size:
    """An entity."""
    return _measured(node, style, check, 0.0)


def _measure_weak_table(node: Node, style: FinishedStyle, check: CheckHeight) -> Size:
    """The size of a weak entity: the table inside the second border."""
    return _measured(node, style, check, _WEAK_INSET)


def _fonts_of(font: Font) -> _TableFonts:
    """The name bold, keys a little bolder than the rest, types and badges smaller."""
    heavy = font.weight >= _KEY_WEIGHT
    return _TableFonts(
        title=font._replace(weight=max(_BOLD, font.weight)),
        key=font._replace(weight=max(_KEY_WEIGHT, font.weight)),
        plain=font if heavy else font._replace(weight=_PLAIN_WEIGHT),
        type=font._replace(size=font.size * _TYPE_SIZE, weight=_PLAIN_WEIGHT),
        badge=font._replace(size=font.size * _BADGE_SIZE, weight=_BOLD),
    )


def _badges_of(column: Column) -> tuple[str, ...]:
    """The key badges of a column; a primary key is unique anyway."""
    rows = (("PK", column.pk), ("FK", column.fk), ("UK", column.unique and not column.pk))
    return tuple(name for name, holds in rows if holds)


def _type_text(column: Column) -> str:
    """The type, with a question mark when the column may be null."""
    return (column.type or "") + (_NULLABLE if column.nullable else "")


def _measured(node: Node, style: FinishedStyle, check: CheckHeight, inset: float) -> Size:
    fonts = _fonts_of(style.font)
    width = node.layout.width if node.layout.width is not None else _natural_width(node, fonts, inset)
    rooms = _rooms(node, fonts, width, inset)
    title = lay_text(node.label or "", fonts.title, max(width - 2 * rooms.left, 1.0), balanced=True)
    icon = HEADER_ICON if shown_icon(node) is not None else 0.0
    texts = dict(_texts(node, fonts, rooms))
    heights = stacked(_header_heights(title, icon), _row_heights(node, fonts, texts), node.layout.height, 2 * inset)
    if node.layout.height is not None:
        check(heights.least, node.layout.height)
    parts = dict(_parts(node, fonts, rooms, heights, inset))
    if title.lines:
        parts |= _header_parts(title, icon, Box(inset, inset, width - 2 * inset, heights.header))
        texts["label"] = title
    if heights.hidden:
        texts["more"] = lay_text(f"… {heights.hidden} more", fonts.type)
    label = title if title.lines else None
    shown = {name: text for name, text in texts.items() if name in parts}
    return Size(width=width, height=heights.total, label=label, parts=parts, texts=shown)


def _natural_width(node: Node, fonts: _TableFonts, inset: float) -> float:
    names, types = _widest(node, fonts)
    kinds = _TYPE_GAP + min(types, TYPE_WRAP) if types else 0.0
    row = _badge_room(node, fonts) + min(names, NAME_WRAP) + kinds
    title = lay_text(node.label or "", fonts.title, TITLE_WRAP, balanced=True).width
    return on_grid(max(row, title, LEAST_WIDTH - 2 * PADDING) + 2 * (PADDING + inset))


def _widest(node: Node, fonts: _TableFonts) -> tuple[float, float]:
    """The widths of the widest name and the widest type, each on one line."""
    names = max(text_width(column.name, _name_font(column, fonts)) for column in node.columns)
    return names, max(text_width(_type_text(column), fonts.type) for column in node.columns)


def _name_font(column: Column, fonts: _TableFonts) -> Font:
    return fonts.key if column.pk else fonts.plain


def _badge_width(badge: str, fonts: _TableFonts) -> float:
    return math.ceil(text_width(badge, fonts.badge) + 2 * BADGE_PADDING)


def _badge_room(node: Node, fonts: _TableFonts) -> float:
    """The width of the widest row of badges, with the gap to the names; 0 for a table without keys."""
    widths = (
        math.fsum(_badge_width(badge, fonts) + BADGE_GAP for badge in _badges_of(column)) for column in node.columns
    )
    widest = max(widths)
    return widest - BADGE_GAP + BADGE_ROOM if widest else 0.0


def _rooms(node: Node, fonts: _TableFonts, width: float, inset: float) -> _Rooms:
    """The room for names and types. Names come first; when both do not fit, types keep a share, and both wrap. In a box
    too narrow for both, first the types give way, then the badges."""
    left, badges = min(PADDING + inset, width / 4), _badge_room(node, fonts)
    names, types = _widest(node, fonts)
    if width - 2 * left - badges < LEAST_ROOM:
        badges = 0.0
    both = max(width - 2 * left - badges, 1.0)
    if not types or both < LEAST_ROOM_FOR_BOTH:
        return _Rooms(width, left, badges, both, 0.0)
    kinds = min(types, max(_TYPE_SHARE * both, both - _TYPE_GAP - names))
    return _Rooms(width, left, badges, both - _TYPE_GAP - kinds, kinds)


def _texts(node: Node, fonts: _TableFonts, rooms: _Rooms) -> Iterator[tuple[str, TextBlock]]:
    for number, column in enumerate(node.columns):
        yield f"name:{number}", lay_text(column.name, _name_font(column, fonts), rooms.name)
        kind = _type_text(column)
        if kind and rooms.type:
            yield f"type:{number}", lay_text(kind, fonts.type, rooms.type)
        for badge in _badges_of(column):
            yield f"badge:{number}:{badge}", lay_text(badge, fonts.badge)


def _header_heights(title: TextBlock, icon: float) -> tuple[float, float]:
    """The least and the natural height of the header; none without a name."""
    if not title.lines:
        return 0.0, 0.0
    content = title.height + (icon + ICON_GAP if icon else 0.0)
    return math.ceil(content), math.ceil(content + 2 * HEADER_PADDING)


def _row_heights(node: Node, fonts: _TableFonts, texts: dict[str, TextBlock]) -> tuple[tuple[float, float], ...]:
    """The least and the natural height of every row: at least one line."""
    found: list[tuple[float, float]] = []
    for number in range(len(node.columns)):
        blocks = (texts.get(f"name:{number}"), texts.get(f"type:{number}"))
        content = max(line_metrics(fonts.plain)[0], *(block.height for block in blocks if block is not None))
        found.append((math.ceil(content), math.ceil(content + 2 * ROW_PADDING)))
    return tuple(found)


def _header_parts(title: TextBlock, icon: float, header: Box) -> dict[str, Box]:
    top = header.center.y - (title.height + (icon + ICON_GAP if icon else 0.0)) / 2
    label = Box(header.center.x - title.width / 2, top + (icon + ICON_GAP if icon else 0.0), title.width, title.height)
    parts = {"header": header, "label": label}
    return parts | {"icon": Box(header.center.x - icon / 2, top, icon, icon)} if icon else parts


def _parts(node: Node, fonts: _TableFonts, rooms: _Rooms, heights: Heights, inset: float) -> Iterator[tuple[str, Box]]:
    """Rows from top to bottom; columns beyond a given height share the last row."""
    y, inner = inset + heights.header, rooms.width - 2 * inset
    rows: list[Box] = []
    for number, height in enumerate(heights.rows):
        rows.append(Box(inset, y, inner, height))
        yield f"row:{number}", rows[-1]
        yield from _cells(number, node.columns[number], fonts, rooms, rows[-1])
        y += height
    last = rows[-1] if rows else Box(inset, inset, inner, heights.header)
    if heights.more:
        last = Box(inset, y, inner, heights.more)
        yield "more", last
    # From the last to the first: of two columns with the same name, the upper counts.
    for number in reversed(range(len(node.columns))):
        yield f"column:{node.columns[number].name}", rows[number] if number < len(rows) else last


def _cells(number: int, column: Column, fonts: _TableFonts, rooms: _Rooms, row: Box) -> Iterator[tuple[str, Box]]:
    x = rooms.left
    height = min(math.ceil(fonts.badge.size * _BADGE_HEIGHT), row.height)
    for badge in _badges_of(column) if rooms.badges else ():
        width = _badge_width(badge, fonts)
        yield f"badge:{number}:{badge}", Box(x, row.y + math.floor((row.height - height) / 2), width, height)
        x += width + BADGE_GAP
    name = rooms.left + rooms.badges
    yield f"name:{number}", Box(name, row.y, rooms.name, row.height)
    if _type_text(column) and rooms.type:
        yield f"type:{number}", Box(rooms.width - rooms.left - rooms.type, row.y, rooms.type, row.height)


# An entity as a table: outline, name band, and rows with keys, names and types. In: a face with the parts measured by
# `tabling`. Out: paint. Every text is as readable on its ground as the text colour on the entity's fill. (R-ER-1,
# R-ER-2)


_BADGE_RADIUS = 3.0
_SOLID_BADGE = "PK"
_HAIRLINE = 1.0
_WEAK_LINE = 1.5


def paint_table(face: NodeFace) -> Iterator[DrawnItem]:
    """An entity."""
    yield from _painted(face, 0.0)


def paint_weak_table(face: NodeFace) -> Iterator[DrawnItem]:
    """The paint of a weak entity, with its second border."""
    yield from _painted(face, _WEAK_INSET)


def _painted(face: NodeFace, inset: float) -> Iterator[DrawnItem]:
    style, inks = face.style, inks_of(face.style)
    radius = style.corner_radius if face.node.shape == "roundedRect" else min(style.corner_radius, face.box.height / 4)
    outline = rounded_rectangle(face.box, radius)
    yield PathItem(path=outline, fill=style.fill)
    yield from _header(face, inks, inset, radius)
    yield from _rules(face, inks, inset)
    if inset:
        yield PathItem(path=rectangle(face.box.grown(-inset)), stroke=style.stroke, stroke_width=_WEAK_LINE)
    yield PathItem(path=outline, stroke=style.stroke, stroke_width=style.stroke_width, dash=style.dash)
    yield from _writing(face, inks)


def _header(face: NodeFace, inks: Inks, inset: float, radius: float) -> Iterator[DrawnItem]:
    """The header band with the line below."""
    header = face.parts.get("header")
    if header is None:
        return
    inner, level = face.box.grown(-inset), sharp(header.bottom)
    band = Box(inner.x, inner.y, inner.width, max(level - inner.y, 0.0))
    if inks.band is not None:
        yield PathItem(path=flat_bottomed(band, 0.0 if inset else radius), fill=inks.band)
    if level < inner.bottom:
        path = segment(Point(inner.x, level), Point(inner.right, level))
        yield PathItem(path=path, stroke=inks.line, stroke_width=_HAIRLINE)


def _rules(face: NodeFace, inks: Inks, inset: float) -> Iterator[DrawnItem]:
    """A quiet line above every row but the first."""
    inner = face.box.grown(-inset)
    rows = [part for name, part in face.parts.items() if name.startswith("row:") or name == "more"]
    for row in rows[1:]:
        path = segment(Point(inner.x, sharp(row.y)), Point(inner.right, sharp(row.y)))
        yield PathItem(path=path, stroke=inks.rule, stroke_width=_HAIRLINE)


def _writing(face: NodeFace, inks: Inks) -> Iterator[DrawnItem]:
    """The icon and the name of an entity, then the texts of its rows, all in their parts."""
    icon = find(face.node.icon) if face.node.icon and "icon" in face.parts else None
    if icon is not None:
        yield from icon.items(face.parts["icon"], face.style.text_color)
    quiet = replace(face.style, text_color=face.style.muted_color)
    solid = replace(face.style, text_color=inks.on_line)
    for name, block in face.size.texts.items():
        part, key = face.parts[name], name.split(":")
        match key[0]:
            case "name":
                yield text_item(block, part, face.style, "start")
            case "type":
                yield text_item(block, part, quiet, "end")
            case "badge":
                yield _badge(part, inks, solid=key[2] == _SOLID_BADGE)
                yield text_item(block, part, solid if key[2] == _SOLID_BADGE else face.style)
            case _:
                yield text_item(block, part, quiet if name == "more" else face.style)


def _badge(part: Box, inks: Inks, *, solid: bool) -> DrawnItem:
    """A filled plate for the primary key, an outlined plate for foreign and unique keys."""
    if solid:
        return PathItem(path=rounded_rectangle(part, _BADGE_RADIUS), fill=inks.line)
    x, y = sharp(part.x), sharp(part.y)
    frame = Box(x, y, math.floor(part.width) - 1.0, math.floor(part.height) - 1.0)
    return PathItem(path=rounded_rectangle(frame, _BADGE_RADIUS), stroke=inks.frame, stroke_width=_HAIRLINE)


# Cardinalities derived from the flags of a column. (R-ER-4) In: a column and its entity's columns. Out: the cardinality
# at an edge's end on this column. The whole table is printed in docs/entity-relationship.md.


def inferred_cardinality(column: Column, entity: Iterable[Column]) -> str | None:
    """The cardinality implied by a column: one row for a column unique by itself, many for a part of a composite key or
    a reference to another table, none without a flag."""
    is_only_key = column.pk and sum(each.pk for each in entity) == 1
    if column.unique or is_only_key:
        return "zero-or-one" if column.nullable else "one"
    if column.fk or column.pk:
        return "zero-or-many" if column.nullable else "many"
    return None


# Which column an end of an edge means. (R-ER-4, R-ER-5) In: elements of a scene. Out: columns of an entity by name,
# and the one that stands for the whole entity.


Declared = Mapping[str, Mapping[str, Column]]
"""Element id -> column name -> column, in the order of the rows; elements without columns are left out."""


def _declared_columns(nodes: Iterable[Node]) -> Declared:
    """The columns of every node with columns; of two columns with equal names the first."""
    found: dict[str, Mapping[str, Column]] = {}
    for node in nodes:
        if node.columns:
            named: dict[str, Column] = {}
            for column in node.columns:
                named.setdefault(column.name, column)
            found[node.id] = named
    return found


def _resolved_column(end: Endpoint, declared: Declared) -> Column | None:
    """The column named by an end, or the single primary key of the entity if the end names no column."""
    columns = declared.get(end.element_id)
    if columns is None:
        return None
    if end.column is not None:
        return columns.get(end.column)
    keys = [column for column in columns.values() if column.pk]
    return keys[0] if len(keys) == 1 else None


# What edges make of the columns at their ends: steps of the stage `resolve`. In: a scene. Out: the same scene with
# labels that only repeat a column's name turned into anchors, ends that name no column freed, and cardinalities
# written in where a column tells them. They apply wherever nodes have columns, whatever the family. (R-ER-4,
# R-ER-7, R-VALID-11)


_NONE_AVAILABLE = "none"

_EdgeChange = Callable[[Edge], Edge]


def promote_column_labels(scene: Scene, report: Report, kind_of: KindOf) -> Scene:
    """Turn a label equal to a column name at either end into the anchor of the end, unless the author forces the label.
    An end with another authored column keeps it. An edge from an entity to itself leads from the column to the primary
    key. At an outline without rows the label stays: the column name would not be visible."""
    declared = _declared_columns(node for node in scene.nodes if node.columns and _may_hold_rows(node, kind_of))
    if not declared:
        return scene
    suppressed: dict[str, str] = {}

    def promote(edge: Edge) -> Edge:
        if not edge.label or _is_forced(edge, scene):
            return edge
        source = _on_column(edge.source, edge.label, declared)
        target = _on_column(edge.target, edge.label, declared)
        if source is not edge.source and source.element_id == target.element_id:
            target = _on_key(edge.target, declared)
        if edge.label not in (_named(source, declared), _named(target, declared)):
            return edge
        suppressed[edge.id] = edge.label
        return replace(edge, source=source, target=target, label=None)

    promoted = _with_edges(scene, promote)
    if suppressed:
        data = {"suppressedEdgeIds": sorted(suppressed), "suppressedLabels": sorted(set(suppressed.values()))}
        report.add(EDGE_LABEL_SUPPRESSED_REDUNDANT, path="/elements", data=data, count=len(suppressed))
    return promoted


def infer_cardinalities(scene: Scene, _report: Report, _kind_of: KindOf) -> Scene:
    """Give ends without a cardinality the cardinality of their column, and `zero-or-one` to the end referred to by a
    nullable foreign key. An edge from an entity to itself has no glyphs, hence no cardinalities. Runs before unknown
    column names are dropped: such an end does not mean the key."""
    declared = _declared_columns(scene.nodes)

    def infer(edge: Edge) -> Edge:
        if edge.source.element_id == edge.target.element_id:
            return edge
        source = _with_cardinality(edge.source, edge.target, declared, is_target=False)
        target = _with_cardinality(edge.target, edge.source, declared, is_target=True)
        return edge if (source, target) == (edge.source, edge.target) else replace(edge, source=source, target=target)

    return _with_edges(scene, infer) if declared else scene


def free_unknown_columns(scene: Scene, report: Report, _kind_of: KindOf) -> Scene:
    """Anchor ends with an unknown column as if no column were named, and report them."""
    if all(edge.source.column is None and edge.target.column is None for edge in scene.edges):
        return scene
    declared, budget = _declared_columns(scene.nodes), NameBudget()

    def free(edge: Edge) -> Edge:
        ends: list[Endpoint] = []
        for name, end in (("from", edge.source), ("to", edge.target)):
            is_known = end.column is None or end.column in declared.get(end.element_id, ())
            if not is_known:
                _report_unknown(end, f"/elements/{edge.id}/{name}/column", declared, (report, budget))
            ends.append(end if is_known else replace(end, column=None))
        source, target = ends
        return edge if (source, target) == (edge.source, edge.target) else replace(edge, source=source, target=target)

    return _with_edges(scene, free)


def _with_edges(scene: Scene, change: _EdgeChange) -> Scene:
    elements = tuple(change(element) if isinstance(element, Edge) else element for element in scene.elements)
    unchanged = all(one is other for one, other in zip(elements, scene.elements, strict=True))
    return scene if unchanged else replace(scene, elements=elements)


def _may_hold_rows(node: Node, kind_of: KindOf) -> bool:
    return (node.shape or kind_of(node).shape) in BOX_SHAPES


def _is_forced(edge: Edge, scene: Scene) -> bool:
    style = edge.style or scene.styles.get(edge.style_id or "")
    return style is not None and bool(style.force_label)


def _on_column(end: Endpoint, name: str, declared: Declared) -> Endpoint:
    """The end anchored at the named column, if present and if the author chose neither column nor port."""
    is_free = end.column is None and end.port is None
    return replace(end, column=name) if is_free and name in declared.get(end.element_id, ()) else end


def _on_key(end: Endpoint, declared: Declared) -> Endpoint:
    """The end anchored at the single primary key of its element, if the author left the end open."""
    key = _resolved_column(end, declared) if end.port is None else None
    return end if key is None else replace(end, column=key.name)


def _named(end: Endpoint, declared: Declared) -> str | None:
    """The column of an end, if declared."""
    return end.column if end.column in declared.get(end.element_id, ()) else None


def _with_cardinality(end: Endpoint, other: Endpoint, declared: Declared, *, is_target: bool) -> Endpoint:
    if end.cardinality is not None or end.element_id not in declared:
        return end
    column, referring = _resolved_column(end, declared), _resolved_column(other, declared)
    entity = declared[end.element_id].values()
    is_free = referring is not None and referring.fk and referring.nullable
    if is_free and _may_be_referred_to(end, column, is_target=is_target):
        return replace(end, cardinality="zero-or-one")
    inferred = inferred_cardinality(column, entity) if column is not None else None
    return end if inferred is None else replace(end, cardinality=inferred)


def _may_be_referred_to(end: Endpoint, column: Column | None, *, is_target: bool) -> bool:
    """Whether the foreign key at the opposite end may refer to this end. Of two foreign keys the edge refers to the one
    that is also a key."""
    if column is None:
        return end.column is None
    return not column.fk or (is_target and (column.pk or bool(column.unique)))


def _report_unknown(end: Endpoint, path: str, declared: Declared, to: tuple[Report, NameBudget]) -> None:
    report, budget = to
    columns, asked = tuple(declared.get(end.element_id, ())), end.column or ""
    suggestion = nearest(asked, columns, budget)
    report.add(
        EDGE_COLUMN_NOT_FOUND,
        path=path,
        data=choices(columns) | ({"suggestion": suggestion} if suggestion is not None else {}),
        id=shown(end.element_id),
        column=shown(asked),
        available=listed(columns) or _NONE_AVAILABLE,
    )


# The default direction of entity-relationship diagrams. Lines leave a row only at its left or right end. Stacked tables
# force every line into a hook round the boxes; between tables side by side, the line crosses the gap. Figures behind
# the decision: docs/entity-relationship.md.


_ENOUGH = 0.5  # of the edges between two elements


def reading_direction(scene: Scene) -> str:
    """Sideways when at least half of the edges stand on a row, downwards as everywhere otherwise."""
    edges = [
        element
        for element in scene.elements
        if isinstance(element, Edge) and element.source.element_id != element.target.element_id
    ]
    on_rows = sum(edge.source.column is not None or edge.target.column is not None for edge in edges)
    return RIGHTWARDS if on_rows and on_rows >= _ENOUGH * len(edges) else DOWNWARDS


# Entity-relationship: entities, attributes, relationships. (R-ER-1, R-ER-2)


ENTITY = "er.entity"


def is_table(node: Node) -> bool:
    """Whether an entity is drawn as a table; an entity without columns is a plain box."""
    return bool(node.columns) and may_hold_a_face(node)


def _with_tables(scene: Scene) -> Scene:
    """Make nodes with columns entities, if without a type or of a free-text type and in a box shape."""
    return replace(scene, elements=tuple(map(_as_entity, scene.elements)))


def _as_entity(element: Element) -> Element:
    if not isinstance(element, Node) or "." in (element.node_type or "") or not is_table(element):
        return element
    return replace(element, node_type=ENTITY)


ENTITY_RELATIONSHIP = Family(
    name="entityRelationship",
    recast=_with_tables,
    reading_direction=reading_direction,
    node_kinds=by_name(
        NodeKind(
            name=ENTITY,
            shape="rect",
            tone="table",
            min_size=(120.0, 48.0),
            measure=_measure_table,
            paint=paint_table,
            has_own_face=is_table,
        ),
        NodeKind(
            name="er.weakEntity",
            shape="rect",
            tone="table",
            min_size=(120.0, 48.0),
            padding=(18.0, 14.0),
            glyph=double_border,
            measure=_measure_weak_table,
            paint=paint_weak_table,
            has_own_face=is_table,
        ),
        NodeKind(name="er.attribute", shape="ellipse", min_size=(88.0, 44.0), padding=(6.0, 4.0), belongs=True),
        decision("er.relationship"),
    ),
    edge_kinds=by_name(
        EdgeKind(name="er.identifying"),
        EdgeKind(name="er.nonIdentifying", dash=(6.0, 4.0)),
    ),
    has_clusters=True,
    resolving=(promote_column_labels, infer_cardinalities, free_unknown_columns),
)
