"""A page of lifelines and messages as a sequence diagram with automatic layout: the order of participants, and of
events from top to bottom. px."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.drawio.cells import Cell, Point, number
from scenograph.reading.drawio.document import linked
from scenograph.reading.drawio.figures import named_figure
from scenograph.reading.drawio.holding import MOST_HOLDERS, CellArea, area_of
from scenograph.reading.drawio.page import TOUCH, corner_of, is_group, is_hidden
from scenograph.reading.drawio.painting import framed, painted
from scenograph.reading.losses import Losses
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.vocabulary import FRAGMENT_OPERATORS

LIFELINE = "umlLifeline"
_ACTOR, _FRAME, _CROSS, _TEXT = "umlActor", "umlFrame", "umlDestroy", "text"
_NOTES = frozenset({"note", "note2"})
_BARE = frozenset({"", "rect", "rectangle"})
_WIDEST_BAR = 24.0
_HEAD = 40.0  # default height of a lifeline's head
_GUARD = 45.0  # below the top of an operand: a text within is its guard
_NAME = 60.0  # from an unnamed head: a text within is its name
_CROSSED = 40.0  # from a cross: a message that ends within destroys
_SLACK = 5.0
_OPEN_HEADS = frozenset({"open", "openThin", "openAsync", "async"})
_NO_HEAD = "none"
_OUTSIDE = ("outside left", "outside right")
_NOBODY = "…"
_BRACKETS = re.compile(r"\[(.*)\]", re.DOTALL)
_SD = "sd"


class Moment(NamedTuple):
    """A message: height, lifelines, and activation bars at both ends ("" for none)."""

    y: float
    cell: Cell
    ends: tuple[str, str]
    bars: tuple[str, str]


class Aside(NamedTuple):
    """A note: height, and connected lifelines."""

    y: float
    cell: Cell
    tied: tuple[str, ...]


@dataclass(slots=True)
class LifelineCells:
    """The cells of a page by their role in a chart. `axes` are the lifelines by id, each with the x of its tail;
    `labels` are texts on connectors, each with its position along; cells without a role are in `strangers`."""

    cells: Mapping[str, Cell]
    areas: dict[str, CellArea] = field(default_factory=dict[str, CellArea])
    axes: dict[str, float] = field(default_factory=dict[str, float])
    bars: dict[str, str] = field(default_factory=dict[str, str])
    crosses: dict[str, str] = field(default_factory=dict[str, str])
    labels: dict[str, list[tuple[float, str]]] = field(default_factory=dict[str, list[tuple[float, str]]])
    frames: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    strangers: list[str] = field(default_factory=list[str])

    def lifeline_at(self, at: Point) -> str:
        """The lifeline with its tail or a bar at a point; "" if none."""
        near = [(abs(x - at[0]), key) for key, x in self.axes.items() if self.areas[key].top <= at[1]]
        near = [row for row in near if row[0] <= TOUCH + _SLACK and at[1] <= self.areas[row[1]].bottom + TOUCH]
        return min(near, default=(0.0, ""))[1]

    def owner(self, key: str) -> str:
        """The lifeline of a cell, as itself or as its part; "" for any other cell."""
        return key if key in self.axes else self.bars.get(key) or self.crosses.get(key, "")

    def frame_at(self, at: Point) -> str:
        """The innermost frame around a point; "" if none."""
        return next((key for key in reversed(self.frames) if self.areas[key].has(*at)), "")


def chart_of(cells: Mapping[str, Cell]) -> LifelineCells | None:
    """The chart on a page; None for a page without lifelines, with further content or with over MOST_HOLDERS heads."""
    shapes = {key: cell for key, cell in cells.items() if cell.is_vertex and not _is_label(cell, cells)}
    lifelines = {key for key, cell in shapes.items() if cell.style.get("shape") == LIFELINE}
    if not lifelines:
        return None
    chart = LifelineCells(cells)
    chart.areas = {key: area_of(cell, corner_of(cell, cells)) for key, cell in shapes.items()}
    actors = {key for key, cell in shapes.items() if named_figure(cell.style) == _ACTOR}
    heads = sorted(lifelines | actors, key=lambda key: chart.areas[key].middle[0])
    if len(heads) > MOST_HOLDERS:  # before every cell looks for its lifeline
        return None
    chart.axes = {key: chart.areas[key].middle[0] for key in heads}
    end = max(chart.areas[one].bottom for one in lifelines)
    for key in actors:  # a figure in place of a lifeline is as long as the lifelines
        chart.areas[key] = chart.areas[key]._replace(bottom=max(chart.areas[key].bottom, end))
    for key, cell in shapes.items():
        if key not in chart.axes and not is_group(cell):
            _sort(key, cell, chart)
    for cell in cells.values():
        if cell.is_vertex and cell.label and _is_label(cell, cells):
            chart.labels.setdefault(cell.parent, []).append((cell.at[0], cell.label))
    chart.frames.sort(key=lambda key: -chart.areas[key].size)
    return None if chart.strangers or len(chart.frames) > MOST_HOLDERS else chart


def _is_label(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    holder = cells.get(cell.parent)
    return holder is not None and holder.is_edge


def _sort(key: str, cell: Cell, chart: LifelineCells) -> None:
    """Note the role of a cell in the chart."""
    figure, area = named_figure(cell.style), chart.areas[key]
    home = chart.lifeline_at(area.middle)
    if figure == _FRAME:
        chart.frames.append(key)
    elif figure in _NOTES:
        chart.notes.append(key)
    elif figure == _TEXT:
        if cell.label:
            chart.texts.append(key)
    elif figure == _CROSS and home:
        chart.crosses[key] = home
    elif figure in _BARE and not cell.label and home and area.right - area.left <= _WIDEST_BAR:
        chart.bars[key] = home
    else:
        chart.strangers.append(key)


def tell_boxes(cells: Mapping[str, Cell], losses: Losses) -> None:
    """Report the lifelines of a page that is more than a sequence."""
    found = [cell for cell in cells.values() if cell.style.get("shape") == LIFELINE]
    if found:
        first = found[0]
        what = f"{len(found)} lifelines, such as {shown(first.label or first.id)}, are drawn as boxes"
        losses.formless(first.place, f"{what}: the page holds more than a sequence of at most {MOST_HOLDERS} lifelines")


def chart_document(chart: LifelineCells, source: Source, losses: Losses, title: str) -> JsonObject:
    """The document."""
    return _Reading(chart, Assembly("drawio", source), losses).document(title)


class _Reading:
    """The conversion of a chart into a document."""

    def __init__(self, chart: LifelineCells, assembly: Assembly, losses: Losses) -> None:
        self._chart, self._assembly, self._losses = chart, assembly, losses
        self._dividers: dict[str, list[float]] = {}
        self._ties: dict[str, list[str]] = {}
        self._moments = sorted(self._messages(), key=lambda one: one.y)
        self._last = {end: one for one in self._moments for end in one.ends}
        self._destroyed = {key: self._last_at(key) for key in chart.crosses}
        self._names = self._named()
        self._guards = self._guarded()
        self._homes = {one.cell.id: self._home(one) for one in self._moments}

    # --- roles of connectors -----------------------------------------------------------------------------------------

    def _messages(self) -> Iterator[Moment]:
        """The messages. Connectors to notes and dividers of frames are noted on the way; any other connector is a
        loss."""
        for cell in self._chart.cells.values():
            if not cell.is_edge:
                continue
            ends = self._end(cell, at=0), self._end(cell, at=1)
            owners = [self._chart.owner(name) for name, _ in ends]
            if not any(owners) and not self._is_aside(cell, ends):
                what = f"the line {shown(_worded(cell, self._chart) or cell.id)} is left out"
                self._losses.formless(cell.place, f"{what}: it is at no lifeline")
            elif any(owners) and (all(owners) or not self._is_aside(cell, ends)):
                y = self._level(cell)
                first, second = (owners[at] or self._outside(cell, ends[at][1], owners[1 - at]) for at in (0, 1))
                bars = (self._bar(ends[0][0], first, y), self._bar(ends[1][0], second, y))
                yield Moment(y, cell, (first, second), bars)

    def _outside(self, cell: Cell, at: Point | None, other: str) -> str:
        """An extra lifeline for free ends, to the left or the right of all lifelines."""
        chart = self._chart
        is_right = at is not None and at[0] > chart.axes[other]
        name = _OUTSIDE[is_right]
        if name not in chart.axes:
            what = f"an end of the message {shown(_worded(cell, chart) or cell.id)} is at no lifeline"
            self._losses.formless(cell.place, f"{what}, and stands at one of its own; so do others at that side")
            edge = max if is_right else min
            x = edge(chart.axes.values()) + (_NAME if is_right else -_NAME)
            chart.axes[name] = x
            ends = [chart.areas[key] for key in chart.axes if key in chart.areas]
            top, bottom = min(area.top for area in ends), max(area.bottom for area in ends)
            chart.areas[name] = CellArea(x - _SLACK, top, x + _SLACK, bottom)
        return name

    def _end(self, cell: Cell, at: int) -> tuple[str, Point | None]:
        """The cell at an end, or the lifeline touched by a free end; and the end's point if known."""
        name, kind = ((cell.source, "exit"), (cell.target, "entry"))[at]
        area = self._chart.areas.get(name)
        if area is not None:
            across, down = (number(cell.style.get(f"{kind}{axis}", ""), -1.0) for axis in "XY")
            if f"{kind}Y" not in cell.style:
                return name, None
            x, y = area.left + across * (area.right - area.left), area.top + down * (area.bottom - area.top)
            return name, (x, y + number(cell.style.get(f"{kind}Dy", "")))
        said = (cell.start, cell.finish)[at]
        if said is None:
            return "", None
        point = self._on_page(cell, said)
        return self._chart.lifeline_at(point), point

    def _on_page(self, cell: Cell, point: Point) -> Point:
        holder = self._chart.cells.get(cell.parent)
        dx, dy = corner_of(holder, self._chart.cells) if holder is not None and holder.is_vertex else (0.0, 0.0)
        return point[0] + dx, point[1] + dy

    def _level(self, cell: Cell) -> float:
        """The height of a message: of its first bend, else of its ends, else of the overlap of both lifelines."""
        if cell.points:
            return self._on_page(cell, cell.points[0])[1]
        ends = [self._end(cell, at) for at in (0, 1)]
        known = [point[1] for _, point in ends if point is not None]
        if known:
            return sum(known) / len(known)
        first, second = (self._chart.areas[name] for name, _ in ends)
        top, bottom = max(first.top, second.top), min(first.bottom, second.bottom)
        return (top + max(bottom, top)) / 2

    def _bar(self, name: str, owner: str, y: float) -> str:
        """The activation bar at an end: the bound bar, else the smallest bar there."""
        chart = self._chart
        if name in chart.bars:
            return name
        inside = [key for key, home in chart.bars.items() if home == owner and chart.areas[key].top <= y + _SLACK]
        inside = [key for key in inside if y - _SLACK <= chart.areas[key].bottom]
        return min(inside, key=lambda key: chart.areas[key].size, default="")

    def _is_aside(self, cell: Cell, ends: tuple[tuple[str, Point | None], tuple[str, Point | None]]) -> bool:
        """Whether a line ties a note, or divides a frame."""
        chart = self._chart
        for (name, _), (other, point) in (ends, ends[::-1]):
            if name in chart.notes or name in chart.texts:
                owner = chart.owner(other) or ("" if point is None else chart.lifeline_at(point))
                self._ties.setdefault(name, []).extend([owner] if owner else [])
                return True
        points = [point for _, point in ends if point is not None]
        is_bare = cell.style.get("endArrow", "classic") == _NO_HEAD
        if not is_bare or len(points) < len(ends) or abs(points[0][1] - points[1][1]) > TOUCH:
            return False
        middle = (points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2
        frame = chart.frame_at(middle)
        area = chart.areas.get(frame)
        if area is None or abs(points[0][0] - points[1][0]) < (area.right - area.left) / 2:
            return False
        self._dividers.setdefault(frame, []).append(middle[1])
        return True

    # --- roles of texts ----------------------------------------------------------------------------------------------

    def _last_at(self, cross: str) -> str:
        """The message at the end of a lifeline; "" if none is near."""
        last = self._last.get(self._chart.crosses[cross])
        if last is None or last.ends[1] != self._chart.crosses[cross]:
            return ""
        return last.cell.id if abs(self._chart.areas[cross].middle[1] - last.y) <= _CROSSED else ""

    def _tell_crosses(self) -> None:
        """Report ends of lifelines without a message."""
        lost = [self._chart.cells[key] for key, message in self._destroyed.items() if not message]
        if lost:
            name = self._names.get(self._chart.crosses[lost[0].id], "") or lost[0].id
            what = f"{len(lost)} crosses at ends of lifelines, such as that of {shown(name)}, are left out"
            self._losses.formless(lost[0].place, f"{what}: no message arrives there")

    def _named(self) -> dict[str, str]:
        """The names of lifelines; for an unnamed head, a text right above or below it."""
        chart = self._chart
        names = {key: chart.cells[key].label for key in chart.axes if key in chart.cells}
        for key in [key for key, name in names.items() if not name]:
            head = chart.areas[key]
            near = [
                (abs(area.middle[1] - head.top), text)
                for text in chart.texts
                if abs((area := chart.areas[text]).middle[0] - chart.axes[key]) <= _NAME
                and head.top - _NAME <= area.middle[1] <= head.top + _NAME
            ]
            if near:
                names[key] = chart.cells[min(near)[1]].label
                chart.texts.remove(min(near)[1])
        return names

    def _guarded(self) -> dict[tuple[str, int], str]:
        """The guards of operands, by frame and number."""
        chart = self._chart
        found: dict[tuple[str, int], str] = {}
        for text in [*chart.texts]:
            middle = chart.areas[text].middle
            frame = chart.frame_at(middle)
            if not frame:
                continue
            at = self._operand(frame, middle[1])
            if middle[1] - self._operands_of(frame)[at] <= _GUARD and (frame, at) not in found:
                found[frame, at] = chart.cells[text].label
                chart.texts.remove(text)
        return found

    def _operand(self, frame: str, y: float) -> int:
        return sum(divider <= y for divider in self._dividers.get(frame, ()))

    # --- the document ------------------------------------------------------------------------------------------------

    def document(self, title: str) -> JsonObject:
        """The document: lifelines from left to right, then events from top to bottom."""
        chart = self._chart
        whole = next((key for key in chart.frames if self._is_whole(key)), None)
        if whole is not None:
            chart.frames.remove(whole)
            title = chart.cells[whole].label.partition(" ")[2].strip() or title
            self._homes = {one.cell.id: self._home(one) for one in self._moments}
        for key in sorted(chart.axes, key=chart.axes.__getitem__):
            if key in chart.cells:
                self._participant(key)
            else:
                self._assembly.node(key, nodeType="sequence.lifeline", label=_NOBODY)
        self._tell_crosses()
        marks = self._marks()
        notes = [*self._asides()]
        frames = [(chart.areas[key].top, key) for key in chart.frames]
        listed: dict[str, list[list[str]]] = {key: [[] for _ in self._operands_of(key)] for key in chart.frames}
        rows: list[tuple[float, int, Moment | Aside | str]] = [(y, 0, key) for y, key in frames]
        rows += [(one.y, 1, one) for one in (*self._moments, *notes)]
        made: dict[str, JsonObject] = {}
        for y, _, one in sorted(rows, key=lambda row: row[:2]):
            element, home = self._made(one, marks)
            if isinstance(one, str):
                made[one] = element
            if home:
                listed[home][self._operand(home, y)].append(element["id"])
        for key, element in made.items():
            self._fill(key, element, listed[key], made)
        return self._assembly.document("sequence", title=title)

    def _made(self, one: Moment | Aside | str, marks: Mapping[str, JsonObject]) -> tuple[JsonObject, str]:
        """The element of a row, and its frame."""
        if isinstance(one, str):
            cell = self._chart.cells[one]
            style = framed(cell.style, on_color=False)
            del style["dash"], style["cornerRadius"]
            return self._assembly.frame(cell.id, containerType="fragment", style=style or None, **self._told(cell)), (
                self._frame_round(one)
            )
        if isinstance(one, Aside):
            return self._note(one), self._chart.frame_at(self._chart.areas[one.cell.id].middle)
        return self._message(one, marks), self._homes[one.cell.id]

    def _is_whole(self, frame: str) -> bool:
        """Whether a frame is the border of the chart, as `sd` says."""
        is_named = self._chart.cells[frame].label.partition(" ")[0].lower() == _SD
        return is_named and all(self._homes[one.cell.id] for one in self._moments)

    def _participant(self, key: str) -> None:
        cell, name = self._chart.cells[key], self._names[key]
        symbol = cell.style.get("participant", "")
        if symbol and symbol != _ACTOR:
            what = f"the symbol {shown(symbol)} of the lifeline {shown(name or key)}"
            self._losses.formless(cell.place, f"{what} is drawn as a head")
        kind = "sequence.actor" if _ACTOR in (symbol, named_figure(cell.style)) else "sequence.lifeline"
        self._assembly.node(key, nodeType=kind, label=name, style=painted(cell.style) or None, **self._told(cell))

    def _message(self, one: Moment, marks: Mapping[str, JsonObject]) -> JsonObject:
        cell, chart = one.cell, self._chart
        heads = [cell.style.get("startArrow", _NO_HEAD), cell.style.get("endArrow", "classic")]
        ends = one.ends
        if heads[1] == _NO_HEAD and heads[0] not in {_NO_HEAD, "oval"}:
            ends, heads = (ends[1], ends[0]), heads[::-1]
        is_open = heads[1] in _OPEN_HEADS
        kind = "reply" if cell.style.get("dashed") == "1" else "async" if is_open else "message"
        kind = self._ending(one, ends) or kind
        style = painted(cell.style, line=True)
        style.pop("dash", None)
        drawn = None
        if heads[0] != _NO_HEAD or heads[1] == _NO_HEAD:
            start = {_NO_HEAD: _NO_HEAD, "oval": "circle"}.get(heads[0], "triangle")
            drawn = {"startArrow": start, "endArrow": _NO_HEAD if heads[1] == _NO_HEAD else "triangle"}
        source, target = ({"elementId": self._assembly.name(end)} for end in ends)
        return self._assembly.edge(
            source,
            target,
            cell.id,
            identified=True,
            edgeType=f"sequence.{kind}",
            label=_worded(cell, chart),
            endpoints=drawn,
            style=style or None,
            extensions=marks.get(cell.id),
            **self._told(cell),
        )

    def _ending(self, one: Moment, ends: tuple[str, str]) -> str:
        """Whether a message creates or destroys its target lifeline."""
        chart = self._chart
        target = chart.areas[ends[1]]
        first = min(chart.areas[key].top for key in chart.axes)
        if target.top > first + _HEAD and one.y <= target.top + number(
            chart.cells[ends[1]].style.get("size", ""), _HEAD
        ):
            return "create"
        return "destroy" if one.cell.id in self._destroyed.values() and self._last[ends[1]] is one else ""

    def _marks(self) -> dict[str, JsonObject]:
        """The messages at which activation bars begin and end. If a bar lacks either message, no bar is stored, and the
        loss is reported once."""
        chart = self._chart
        touching: dict[str, list[tuple[Moment, str]]] = {}
        for one in self._moments:
            sides = ("source", "target") if one.ends[0] != one.ends[1] else ("", "target")
            for bar, side in zip(one.bars, sides, strict=True):
                if bar and side:
                    touching.setdefault(bar, []).append((one, side))
        bars = sorted(chart.bars, key=lambda key: chart.areas[key].top)
        lone = [bar for bar in bars if len(touching.get(bar, ())) < len(("first", "last"))]
        found: dict[str, JsonObject] = {}
        if lone:
            first = chart.cells[lone[0]]
            what = f"{len(bars)} bars, such as that of {shown(self._names[chart.bars[first.id]] or first.id)},"
            self._losses.formless(
                first.place, f"{what} are drawn from calls and replies: messages do not say their ends"
            )
            return found
        for bar in bars:
            for (one, side), member in ((touching[bar][0], "activates"), (touching[bar][-1], "deactivates")):
                said = found.setdefault(one.cell.id, {}).setdefault(member, [])
                if side not in said:
                    said.append(side)
        return found

    def _asides(self) -> Iterator[Aside]:
        """The notes, including texts that are neither names nor guards."""
        chart = self._chart
        if chart.texts:
            first = chart.cells[chart.texts[0]]
            what = f"{len(chart.texts)} texts, such as {shown(first.label)}, stand as notes"
            self._losses.formless(first.place, what)
        for key in (*chart.notes, *chart.texts):
            yield Aside(chart.areas[key].middle[1], chart.cells[key], tuple(dict.fromkeys(self._ties.get(key, ()))))

    def _note(self, one: Aside) -> JsonObject:
        chart, cell = self._chart, one.cell
        area = chart.areas[cell.id]
        across = [key for key, x in chart.axes.items() if area.left - _SLACK <= x <= area.right + _SLACK]
        over = across or list(one.tied)
        side = {}
        if not across:
            over = over or [min(chart.axes, key=lambda key: abs(chart.axes[key] - area.middle[0]))]
            side = {"side": "left" if area.middle[0] < chart.axes[over[0]] else "right"}
        extensions = {"over": [self._assembly.name(key) for key in over], **side}
        style = painted(cell.style) if cell.id in chart.notes else {}
        return self._assembly.node(
            cell.id,
            nodeType="sequence.note",
            label=cell.label,
            style=style or None,
            extensions=extensions,
            **self._told(cell),
        )

    def _told(self, cell: Cell) -> JsonObject:
        """Visibility, link and tooltip of a cell."""
        seen = {"visible": False if is_hidden(cell, self._chart.cells) else None}
        return seen | linked(cell, self._losses)

    def _home(self, one: Moment) -> str:
        """The innermost frame around both ends of a message."""
        chart = self._chart
        for key in reversed(chart.frames):
            area = chart.areas[key]
            if area.top <= one.y <= area.bottom and all(
                area.left - _SLACK <= chart.axes[end] <= area.right + _SLACK for end in one.ends
            ):
                return key
        return ""

    def _frame_round(self, key: str) -> str:
        chart = self._chart
        around = (other for other in reversed(chart.frames) if chart.areas[other].holds(chart.areas[key]))
        return next((other for other in around if other != key), "")

    def _operands_of(self, key: str) -> Sequence[float]:
        return (self._chart.areas[key].top, *sorted(self._dividers.get(key, ())))

    def _fill(
        self, key: str, frame: JsonObject, listed: Sequence[Sequence[str]], made: Mapping[str, JsonObject]
    ) -> None:
        """Fill a frame with its operands; a first word other than an operator becomes the first guard."""
        word, _, rest = self._chart.cells[key].label.strip().partition(" ")
        is_operator = word.lower() in FRAGMENT_OPERATORS
        said = rest.strip() if is_operator else self._chart.cells[key].label
        operands: list[JsonObject] = []
        for at, row in enumerate(listed):
            texts = [said] if said and not at else []
            guard = " ".join([*texts, *([self._guards[key, at]] if (key, at) in self._guards else [])])
            bracketed = _BRACKETS.fullmatch(guard.strip())
            guard = bracketed[1].strip() if bracketed is not None else guard
            operands.append({**({"guard": guard[:500]} if guard else {}), "messages": list(row)})
        edges = {one["id"] for one in self._assembly.elements if one["kind"] == "edge"}
        frame["children"] = [name for row in listed for name in row if name not in edges]
        frame["extensions"] = {**({"operator": word.lower()} if is_operator else {}), "operands": operands}


def _worded(cell: Cell, chart: LifelineCells) -> str:
    """The labels of a connector along its length: its own label and all label cells."""
    own = [(cell.at[0], cell.label)] if cell.label else []
    return " ".join(text for _, text in sorted([*own, *chart.labels.get(cell.id, ())]))
