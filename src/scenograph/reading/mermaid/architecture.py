"""Architecture diagrams, and C4 diagrams."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.c4 import BOUNDARIES, C4Chart, take_call
from scenograph.reading.mermaid.diagram import DIRECTIONS, Diagram, NotUnderstood, plain, read_all, skip_description
from scenograph.reading.source import Cursor, Losses, Place, Source, require_room, shown
from scenograph.scene.json_values import JsonObject

# Architecture diagrams: services and junctions in groups, and edges between their sides.

_ID = r"\w(?:[-\w]*\w)?"
_PART = re.compile(
    rf"(?P<kind>group|service|junction)[ \t]+(?P<id>{_ID})[ \t]*+"
    rf"(?:\(?\"(?P<text>[^\"\n]*)\"\)?|\((?P<icon>[^()\"\n]*)\))?"
    rf"[ \t]*+(?:\[(?:\"(?P<quoted>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>(?:[^'\\\n]|\\.)*+)'|(?P<title>[^\]\n]*+))\])?"
    rf"[ \t]*+(?:\bin[ \t]+(?P<home>{_ID}))?[ \t]*+(?=\n|;|$)"
)
_END = r"(?P<{0}>" + _ID + r")(?P<{0}_group>\{{group\}})?"
_EDGE = re.compile(
    _END.format("start") + r"[ \t]*+:[ \t]*+(?P<leaves>[LRTB])[ \t]*+(?P<tail><)?"
    r"(?:--|-[ \t]*+\[(?P<title>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|[^\]\n]*+)\][ \t]*+-)(?P<head>>)?"
    r"[ \t]*+(?P<enters>[LRTB])[ \t]*+:[ \t]*+" + _END.format("end") + r"[ \t]*+(?=\n|;|$)"
)
_TITLE = re.compile(r"title[ \t]+([^\n]*)")
_SIDES = {"L": "left", "R": "right", "T": "top", "B": "bottom"}
_ICONS: Mapping[str, str] = MappingProxyType(
    {
        "cloud": "lucide:cloud",
        "database": "lucide:database",
        "disk": "lucide:hard-drive",
        "internet": "lucide:globe",
        "server": "lucide:server",
    }
)
"""The icons that Mermaid has by itself."""
_BLANK = "blank"
_HEADLESS: JsonObject = {"edge": {"endpoints": {"endArrow": "none"}}}
_JUNCTION: JsonObject = {"mode": "auto", "width": 12, "height": 12}


@dataclass(slots=True)
class _Part:
    """A group, a service or a junction. `text` stands in place of an icon."""

    name: str
    kind: str
    place: Place
    home: str
    title: str
    icon: str = ""
    text: str = ""


@dataclass(slots=True)
class _Link:
    """An edge between sides. `by_group`: the end lies at the group round the part."""

    ends: tuple[str, str]
    sides: tuple[str, str]
    by_group: tuple[bool, bool]
    heads: tuple[bool, bool]
    title: str
    place: Place


@dataclass(slots=True)
class _Chart:
    losses: Losses
    source: Source
    title: str
    parts: dict[str, _Part] = field(default_factory=dict[str, _Part])
    links: list[_Link] = field(default_factory=list[_Link])

    def count(self) -> None:
        require_room(self.source.most_elements, self.parts, self.links)


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of an architecture diagram."""
    chart = _Chart(losses, diagram.source, diagram.title)
    read_all(diagram, losses, lambda place: _statement(diagram, chart, place))
    return _document_of(chart)


def _statement(diagram: Diagram, chart: _Chart, place: Place) -> None:
    cursor = diagram.cursor
    text, at = cursor.text, cursor.at
    if (part := _PART.match(text, at)) is not None:
        _add_part(part, chart, place)
        cursor.at = part.end()
    elif (edge := _EDGE.match(text, at)) is not None:
        _add_link(edge, chart, place)
        cursor.at = edge.end()
    elif (title := _TITLE.match(text, at)) is not None:
        chart.title = plain(title[1])
        cursor.at = title.end()
    elif (described := skip_description(cursor)) is not None:
        chart.title = chart.title or described
    else:
        raise NotUnderstood(at, f"{shown(text[at : cursor.line_end()])} is not a statement of an architecture diagram")


def _add_part(found: re.Match[str], chart: _Chart, place: Place) -> None:
    name, home = found["id"], found["home"] or ""
    if name in chart.parts:
        chart.losses.unread(place, f"{shown(name)} is defined a second time")
        return
    if home and (home not in chart.parts or chart.parts[home].kind != "group"):
        chart.losses.unread(place, f"{shown(name)} stands in {shown(home)}, which is no group defined before")
        home = ""
    chart.count()
    title = _unquoted(found["quoted"] or found["single"] or found["title"] or "")
    chart.parts[name] = _Part(name, found["kind"], place, home, title, found["icon"] or "", plain(found["text"] or ""))


def _add_link(found: re.Match[str], chart: _Chart, place: Place) -> None:
    unknown = next((found[end] for end in ("start", "end") if found[end] not in chart.parts), None)
    if unknown is not None:
        chart.losses.unread(place, f"an edge of {shown(unknown)}, which is not defined before")
        return
    chart.count()
    chart.links.append(
        _Link(
            ends=(found["start"], found["end"]),
            sides=(found["leaves"], found["enters"]),
            by_group=(found["start_group"] is not None, found["end_group"] is not None),
            heads=(found["tail"] is not None, found["head"] is not None),
            title=_unquoted((found["title"] or "").strip("\"'")),
            place=place,
        )
    )


def _unquoted(text: str) -> str:
    return plain(re.sub(r"\\([\"'])", r"\1", text).strip())


def _document_of(chart: _Chart) -> JsonObject:
    assembly = Assembly("mermaid", chart.source)
    children: dict[str, list[str]] = {}
    for part in chart.parts.values():
        children.setdefault(part.home, []).append(assembly.name(part.name))
        if part.kind != "group":
            assembly.node(part.name, **_node(part, chart))
    for part in chart.parts.values():
        if part.kind == "group":
            assembly.frame(
                part.name,
                title=part.title or part.name,
                children=children.get(part.name, []),
                icon=_icon(part, chart),
            )
    for link in chart.links:
        start, end = (_end(link, at, chart, assembly) for at in (0, 1))
        tail, head = ("triangle" if has_head else "none" for has_head in link.heads)
        heads = {"startArrow": tail, "endArrow": head} if any(link.heads) else None
        assembly.edge(start, end, label=link.title, endpoints=heads)
    sketch = {"bounds": {assembly.name(name): box for name, box in _Sketch(chart).boxes().items()}}
    return assembly.document("architecture", title=chart.title, defaults=_HEADLESS, computed=sketch)


def _node(part: _Part, chart: _Chart) -> JsonObject:
    if part.kind == "junction":
        return {"shape": "ellipse", "layout": dict(_JUNCTION)}
    return {
        "icon": _icon(part, chart),
        "label": "\n".join(text for text in (part.text, part.title or ("" if part.text else part.name)) if text),
    }


def _icon(part: _Part, chart: _Chart) -> str | None:
    """The icon of a part: one of Mermaid's own, or a registered one for a product of a vendor."""
    if part.icon in {"", _BLANK}:
        return None
    if part.icon in _ICONS:
        return _ICONS[part.icon]
    icons, word = chart.source.icons, part.icon.rpartition(":")[2]
    if icons is not None:
        for wanted in (word, word.partition("-")[2]):
            if wanted and (found := icons.product(wanted)) is not None:
                return found
    chart.losses.formless(part.place, f"the icon {shown(part.icon)} is of another registry")
    return None


def _end(link: _Link, at: int, chart: _Chart, assembly: Assembly) -> JsonObject:
    part = chart.parts[link.ends[at]]
    owner = part.home if link.by_group[at] and part.home and part.kind != "group" else part.name
    return {"elementId": assembly.name(owner), "port": _SIDES[link.sides[at]]}


# Places. Mermaid puts the other end of an edge beside the side where the edge leaves: to the right of a right side.
# Each group is a sheet of cells of its own, which is one cell in the sheet of the group around it.


_Cell = tuple[int, int]
_CELL_WIDTH, _CELL_HEIGHT = 104.0, 76.0
_GAP, _INSET, _TITLE_HEIGHT = 96.0, 28.0, 36.0
_LETTER = 7.5
_LEAST_LETTERS = 10
_STEPS = {"L": (-1, 0), "R": (1, 0), "T": (0, -1), "B": (0, 1)}


class _Sheet(NamedTuple):
    """The size of a group's content, and the boxes in it by name: left, top, width, height."""

    width: float
    height: float
    boxes: Mapping[str, tuple[float, float, float, float]]


class _Sketch:
    """The places of all parts."""

    def __init__(self, chart: _Chart) -> None:
        self._parts = chart.parts
        self._children: dict[str, list[str]] = {}
        self._depths: dict[str, int] = {"": 0}
        for part in chart.parts.values():
            self._children.setdefault(part.home, []).append(part.name)
            self._depths[part.name] = self._depths[part.home] + 1
        self._steps: dict[str, list[tuple[str, _Cell]]] = {}
        for link in chart.links:
            self._lift(link)

    def boxes(self) -> dict[str, JsonObject]:
        """The box of each part."""
        sheets: dict[str, _Sheet] = {}
        for home in sorted(self._children, key=lambda name: -self._depths[name]):
            sheets[home] = self._sheet(self._children[home], sheets)
        found: dict[str, JsonObject] = {}
        waiting = [("", 0.0, 0.0)]
        while waiting:
            home, left, top = waiting.pop()
            for name, (x, y, width, height) in sheets[home].boxes.items() if home in sheets else ():
                found[name] = {"x": left + x, "y": top + y, "width": width, "height": height}
                if name in sheets:
                    waiting.append((name, left + x + _INSET, top + y + _INSET + _TITLE_HEIGHT))
        return found

    def _lift(self, link: _Link) -> None:
        """Note an edge under the two parts of the innermost common group around both ends."""
        one, other = link.ends
        while self._parts[one].home != self._parts[other].home:
            if self._depths[one] >= self._depths[other]:
                one = self._parts[one].home
            else:
                other = self._parts[other].home
            if not one or not other:
                return
        if one != other:
            (x, y), (back_x, back_y) = (_STEPS[side] for side in link.sides)
            step = (x or -back_x, y or -back_y)
            self._steps.setdefault(one, []).append((other, step))
            self._steps.setdefault(other, []).append((one, (-step[0], -step[1])))

    def _sheet(self, names: Sequence[str], sheets: Mapping[str, _Sheet]) -> _Sheet:
        cells = self._cells(names)
        sizes = {name: self._size(name, sheets) for name in names}
        columns = _tracks({name: (cells[name][0], sizes[name][0]) for name in names})
        rows = _tracks({name: (cells[name][1], sizes[name][1]) for name in names})
        boxes: dict[str, tuple[float, float, float, float]] = {}
        for name in names:
            (left, wide), (top, high) = columns[cells[name][0]], rows[cells[name][1]]
            width, height = sizes[name]
            boxes[name] = (left + (wide - width) / 2, top + (high - height) / 2, width, height)
        ends = [(x + width, y + height) for x, y, width, height in boxes.values()]
        return _Sheet(max(end[0] for end in ends), max(end[1] for end in ends), boxes)

    def _size(self, name: str, sheets: Mapping[str, _Sheet]) -> tuple[float, float]:
        part = self._parts[name]
        if part.kind == "junction":
            return float(_JUNCTION["width"]), float(_JUNCTION["height"])
        if name not in sheets:
            letters = max(len(line) for line in (part.title or name).split("\n"))
            return max(_CELL_WIDTH, _LETTER * min(letters, 2 * _LEAST_LETTERS)), _CELL_HEIGHT
        sheet = sheets[name]
        return sheet.width + 2 * _INSET, sheet.height + 2 * _INSET + _TITLE_HEIGHT

    def _cells(self, names: Sequence[str]) -> dict[str, _Cell]:
        """The cells of the parts of a group: from the first one of each connected few, along its edges."""
        found: dict[str, _Cell] = {}
        taken: set[_Cell] = set()
        for first in names:
            if first in found:
                continue
            below = max((y for _, y in taken), default=-1) + 1
            waiting, few = deque([first]), {first: (0, 0)}
            used = {(0, 0)}
            while waiting:
                name = waiting.popleft()
                for other, step in self._steps.get(name, ()):
                    if other not in few:
                        few[other] = _free(few[name], step, used)
                        used.add(few[other])
                        waiting.append(other)
            top = min(y for _, y in used)
            found |= {name: (x, y - top + below) for name, (x, y) in few.items()}
            taken |= {found[name] for name in few}
        return found


def _free(start: _Cell, step: _Cell, used: set[_Cell]) -> _Cell:
    """The first free cell from a cell on."""
    x, y = start[0] + step[0], start[1] + step[1]
    while (x, y) in used:
        x, y = x + (step[0] or (0 if step[1] else 1)), y + step[1]
    return x, y


def _tracks(sized: Mapping[str, tuple[int, float]]) -> dict[int, tuple[float, float]]:
    """The begin and the extent of each column or row that holds anything."""
    extents: dict[int, float] = {}
    for number, extent in sized.values():
        extents[number] = max(extents.get(number, 0.0), extent)
    found: dict[int, tuple[float, float]] = {}
    at = 0.0
    for number in sorted(extents):
        found[number] = (at, extents[number])
        at += extents[number] + _GAP
    return found


# C4 diagrams: calls of macros, boundaries in braces, and remarks on styles and layout.

_C4_TITLE = re.compile(r"title[ \t]+([^\n#;]*)|accDescription[ \t][^\n]*")
_DIRECTION = re.compile(r"direction[ \t]+(TB|BT|LR|RL)\b[^\n]*")
_BRACE = re.compile(r"\s*\{")
_ARRANGING = frozenset({"UpdateLayoutConfig"})


class _Reader:
    def __init__(self, diagram: Diagram, losses: Losses, *, is_numbered: bool) -> None:
        self._cursor = diagram.cursor
        self.chart = C4Chart(losses, diagram.source.most_elements, plain, is_numbered)
        self.title = diagram.title
        self.direction = "TB"

    def statement(self, place: Place) -> None:
        """A title, a direction, the end of a boundary, or a call."""
        cursor = self._cursor
        if (title := _C4_TITLE.match(cursor.text, cursor.at)) is not None:
            cursor.at = title.end()
            self.title = plain(title[1] or "") or self.title
        elif (direction := _DIRECTION.match(cursor.text, cursor.at)) is not None:
            cursor.at = direction.end()
            self.direction = DIRECTIONS[direction[1]]
        elif (described := skip_description(cursor)) is not None:
            self.title = self.title or described
        elif cursor.at_mark("}"):
            self._close(cursor)
        else:
            self._call(cursor, place)

    def _close(self, cursor: Cursor) -> None:
        if not self.chart.close():
            raise NotUnderstood(cursor.at, "there is no boundary to close")
        cursor.take("}")

    def _call(self, cursor: Cursor, place: Place) -> None:
        start = cursor.at
        call = take_call(cursor)
        if call is None or (call.macro not in _ARRANGING and not self.chart.take(call, place)):
            rest = cursor.text[start : cursor.line_end()]
            raise NotUnderstood(start, f"{shown(rest)} is not a statement of a C4 diagram")
        if call.macro in BOUNDARIES:
            brace = _BRACE.match(cursor.text, cursor.at)
            if brace is None:
                self.chart.close()
            else:
                cursor.at = brace.end()


def read_c4(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a C4 diagram."""
    return _read(diagram, losses, is_numbered=False)


def read_dynamic(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a C4 diagram with numbered relationships."""
    return _read(diagram, losses, is_numbered=True)


def _read(diagram: Diagram, losses: Losses, *, is_numbered: bool) -> JsonObject:
    reader = _Reader(diagram, losses, is_numbered=is_numbered)
    read_all(diagram, losses, reader.statement)
    reader.chart.finish()
    return reader.chart.draw(Assembly("mermaid", diagram.source), reader.title, reader.direction)
