"""The way into this room: D2 to a document. Objects are nodes, frames or tables; in a sequence diagram, lifelines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from math import ceil
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.d2.language import (
    BOARDS,
    MOST_LETTERS,
    WITH_ROWS,
    D2Block,
    D2Connection,
    D2Field,
    D2Map,
    D2Statement,
    Scalar,
    chain_of,
    evaluate,
    parse,
)
from scenograph.reading.source import Losses, Place, Source, TooLarge, Unreadable, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

# Shapes, line ends, styles and texts of D2 (d2lang.com/tour/shapes, /style) in the words of scenes.

Attributes = dict[str, Scalar]
"""Keywords with their values; those of a style are `style.fill` and so on."""

_ALIKE: Mapping[str, str] = {
    "rect": "rectangle square",
    "ellipse": "oval circle",
    "diamond": "diamond",
    "cylinder": "cylinder",
    "hexagon": "hexagon",
    "parallelogram": "parallelogram",
    "cloud": "cloud",
    "tube": "queue",
    "textBox": "text code",
    "iconBox": "image",
}
_NEARLY: Mapping[str, str] = {"rect": "page document package callout", "tube": "stored_data", "hexagon": "step"}
SHAPES = MappingProxyType({word: shape for shape, words in _ALIKE.items() for word in words.split()})
NEAR_SHAPES = MappingProxyType({word: shape for shape, words in _NEARLY.items() for word in words.split()})
TYPES: Mapping[str, str] = MappingProxyType(
    {"person": "user", "c4-person": "user", "sql_table": "er.entity", "class": "uml.class"}
)
"""Shapes that are node types here."""
MEANINGS: Mapping[str, str] = MappingProxyType({"cylinder": "database", "stored_data": "database", "queue": "queue"})
"""Node types that keep their shape: data and queues have a tone."""
_ARROWS: Mapping[str, str] = {
    "triangle": "triangle",
    "arrow": "triangle",
    "diamond": "diamond",
    "circle": "circle",
    "box": "bar",
    "cross": "bar",
    "none": "none",
}
_CARDINALITIES: Mapping[str, str] = {
    "cf-one": "zero-or-one",
    "cf-one-required": "one",
    "cf-many": "zero-or-many",
    "cf-many-required": "one-or-many",
}
_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,6})?")
_SILENT = frozenset({"style.font", "style.animated", "style.filled", "style.italic", "style.underline"})
_HEADING = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?)", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)[-*+][ \t]+", re.MULTILINE)
_MARKS = re.compile(
    r"(\*\*|__|`+|~~)(?=\S)([^*_`~\n]{1,500})\1|(?<![\w*])([*_])(?=\S)([^*_\n]{1,500})(?<=\S)\3(?![\w*])"
)
_ANCHOR = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,500}\)")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n?", re.MULTILINE)
_HTML = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")


def text_of(said: Scalar) -> str:
    """A label as plain text."""
    text = said.text
    if said.tag in {"md", "markdown"}:
        text = _ANCHOR.sub(r"\1", _HEADING.sub("", _FENCE.sub("", text)))
        text = _HTML.sub("", _MARKS.sub(lambda found: found[2] or found[4], _BULLET.sub(r"\1• ", text)))
    return text.strip("\n")


def _color(text: str) -> str | None:
    return text if text and parse_color(text) is not None else None


def _number(least: float, most: float) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        known = float(text) if _NUMBER.fullmatch(text) else None
        return known if known is not None and least <= known <= most else None

    return read


def _dash(text: str) -> list[float] | None:
    length = _number(0, 10)(text)
    return [max(2.0, length), max(2.0, length)] if length else None


def _weight(text: str) -> str | None:
    return {"true": "bold", "false": "normal"}.get(text.lower())


_MEMBERS: Mapping[str, tuple[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "fill": ("fill", _color),
        "stroke": ("stroke", _color),
        "font-color": ("textColor", _color),
        "stroke-width": ("strokeWidth", _number(0, 15)),
        "stroke-dash": ("dash", _dash),
        "border-radius": ("cornerRadius", _number(0, 200)),
        "font-size": ("fontSize", _number(8, 100)),
        "opacity": ("opacity", _number(0, 1)),
        "bold": ("fontWeight", _weight),
    }
)
_PLAIN = frozenset({"false", "none", "0", ""})


def style_of(said: Attributes) -> tuple[JsonObject | None, list[str]]:
    """The style, and the names of what has no form."""
    style: JsonObject = {}
    lost = list[str]()
    for name, value in said.items():
        word, text = name.removeprefix("style."), value.text.strip()
        if word == name or name in _SILENT:
            continue
        member, read = _MEMBERS.get(word, ("", lambda _: None))
        known = read(text)
        if known is not None:
            style[member] = known
        elif text.lower() not in _PLAIN and word not in {"text-transform", "3d"}:
            lost.append(word)
    return style or None, lost


def _transformed(text: str, said: Attributes) -> str:
    """A text with its `text-transform`."""
    wish = said["style.text-transform"].text.lower() if "style.text-transform" in said else ""
    change = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": str.title}.get(wish)
    return change(text) if change is not None else text


def head(word: str) -> tuple[str, str | None]:
    """The marker and the cardinality of an end of a connection."""
    if word in _CARDINALITIES:
        return "none", _CARDINALITIES[word]
    return _ARROWS.get(word, "triangle"), None


# Sequence diagrams of D2: objects are lifelines, objects within them spans or notes, containers of messages groups.

_FAMILY = "sequence"
_LIFELINES = {"person": "sequence.actor", "c4-person": "sequence.actor", "cylinder": "database", "queue": "queue"}
_OPERATOR = "opt"  # the frame of a group, which names no operator
_LONGEST_GUARD = 500


class _SequenceParts:
    """The parts of a sequence diagram. `actors` by name in lower case, in the order of their first place; `groups` and
    `steps`, messages and notes, in the order of the source."""

    def __init__(self, scope: D2Map, holder: D2Field | None) -> None:
        self._scope = scope
        self.holder = holder
        self.messages = sorted(connections(scope), key=lambda one: one.order)
        ends = {id(end) for one in self.messages for end in (one.start, one.end)}
        self._groups: set[int] = set()
        for link in self.messages:
            outside_in = reversed(list(self._around(link.scope)))
            self._groups |= {id(one) for one in takewhile(lambda one: id(one) not in ends, outside_in)}
        self._used = {id(part) for one in self.messages for end in (one.start, one.end) for part in self.chain(end)}
        self.actors: dict[str, D2Field] = {}
        self.groups: list[D2Field] = []
        notes = list(self._gather(scope))
        self.steps: list[D2Connection | D2Field] = sorted((*self.messages, *notes), key=lambda one: one.order)

    def chain(self, one: D2Field) -> list[D2Field]:
        """The actor of an object and its parts, from the outside in."""
        found = list[D2Field]()
        for each in chain_of(one):
            if id(each) in self._groups or each is self.holder:
                break
            found.append(each)
            if each.owner is self._scope:
                break
        return found[::-1]

    def actor_of(self, one: D2Field) -> D2Field:
        """The actor of an object, by its first place."""
        return self.actors[self.chain(one)[0].name.text.lower()]

    def groups_of(self, step: D2Connection | D2Field) -> list[D2Field]:
        """The groups around a step, from the inside out."""
        scope = step.scope if isinstance(step, D2Connection) else step.owner
        return [one for one in self._around(scope) if id(one) in self._groups]

    def _around(self, scope: D2Map | None) -> Iterator[D2Field]:
        """The fields around a map, up to the diagram."""
        holder = scope.owner if scope is not None and scope is not self._scope else None
        for one in chain_of(holder) if isinstance(holder, D2Field) else ():
            if one is self.holder:
                return
            yield one
            if one.owner is self._scope:
                return

    def _gather(self, scope: D2Map) -> Iterator[D2Field]:
        """Collect actors and groups of a map in order; the notes."""
        for one in scope.objects():
            if one.is_suspended:
                continue
            if id(one) in self._groups:
                self.groups.append(one)
                yield from self._gather(one.body)
                continue
            self.actors.setdefault(one.name.text.lower(), one)
            for inner in _within(one) if one.text("shape") not in WITH_ROWS else ():
                if id(inner) not in self._used and not (inner.map is not None and any(inner.map.objects())):
                    yield inner


def _sequence_of(drawing: _BoardDrawing, chart: _SequenceParts) -> JsonObject:
    """The document of a sequence diagram."""
    return _Lifelines(drawing, chart).document()


@dataclass(slots=True)
class _Group:
    """The element ids of a group's messages and notes, in order; its own notes alone."""

    steps: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])


class _Lifelines:
    def __init__(self, drawing: _BoardDrawing, chart: _SequenceParts) -> None:
        self._drawing = drawing
        self._chart = chart
        self._groups = {id(one): _Group() for one in chart.groups}
        self._begins, self._ends = self._spans()

    def document(self) -> JsonObject:
        """The document."""
        drawing, chart = self._drawing, self._chart
        busy = {id(chart.actor_of(end)) for one in chart.messages for end in (one.start, one.end)}
        for actor in chart.actors.values():
            look = drawing.look(actor)
            kind = _LIFELINES.get(look.shape, "sequence.lifeline")
            # A symbol without messages would be no lifeline.
            known = kind if id(actor) in busy or kind.startswith(_FAMILY) else "sequence.lifeline"
            if look.shape not in {*_LIFELINES, "", "rectangle", "square"}:
                drawing.tell("actor", actor.place, "actors of other shapes are drawn as boxes")
            label = drawing.label(actor)
            drawing.assembly.node(drawing.source_id(actor), nodeType=known, label=label, **drawing.common(look, actor))
        for step in chart.steps:
            made = self._note(step) if isinstance(step, D2Field) else self._message(step)
            around = [self._groups[id(one)] for one in chart.groups_of(step)]
            for group in around:
                group.steps.append(made["id"])
            if around and isinstance(step, D2Field):
                around[0].notes.append(made["id"])
        for one in chart.groups:
            self._fragment(one)
        title = drawing.label(chart.holder).replace("\n", " ") if chart.holder is not None else ""
        heading = drawing.heading
        return drawing.assembly.document(_FAMILY, title=heading or title, shows_title=bool(heading))

    def _note(self, note: D2Field) -> JsonObject:
        drawing = self._drawing
        over = [drawing.name(self._chart.actor_of(note))]
        source_id = drawing.assembly.numbered(f"note {drawing.source_id(note)}")
        return drawing.assembly.node(
            source_id, nodeType="sequence.note", label=drawing.label(note), extensions={"over": over}
        )

    def _message(self, link: D2Connection) -> JsonObject:
        drawing = self._drawing
        ends = (link.end, link.start) if link.start_arrow and not link.end_arrow else (link.start, link.end)
        start, end = (self._chart.actor_of(one) for one in ends)
        heads = None
        if link.start_arrow == link.end_arrow:
            heads = dict.fromkeys(("startArrow", "endArrow"), "triangle" if link.start_arrow else "none")
        return drawing.assembly.edge(
            {"elementId": drawing.name(start)},
            {"elementId": drawing.name(end)},
            drawing.connection_id(link),
            edgeType="sequence.message",
            label=drawing.message(link),
            endpoints=heads,
            extensions=self._activations(link, start, end) or None,
            **drawing.line(link),
        )

    def _activations(self, link: D2Connection, start: D2Field, end: D2Field) -> JsonObject:
        sides = {"source": start, "target": end}
        if start is end:
            del sides["source"]
        said = {"activates": self._begins.get(id(link), set()), "deactivates": self._ends.get(id(link), set())}
        found = {member: [side for side, one in sides.items() if id(one) in actors] for member, actors in said.items()}
        return {member: held for member, held in found.items() if held}

    def _spans(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """The actors whose spans begin and end with a message, by the message."""
        begins: dict[int, tuple[int, int]] = {}
        ends: dict[int, tuple[int, int]] = {}
        for link in self._chart.messages:
            for end in (link.start, link.end):
                actor = id(self._chart.actor_of(end))
                for span in self._chart.chain(end)[1:]:
                    begins.setdefault(id(span), (id(link), actor))
                    ends[id(span)] = (id(link), actor)
        first, last = dict[int, set[int]](), dict[int, set[int]]()
        for found, held in ((begins, first), (ends, last)):
            for link_id, actor in found.values():
                held.setdefault(link_id, set()).add(actor)
        return first, last

    def _fragment(self, one: D2Field) -> None:
        drawing, group = self._drawing, self._groups[id(one)]
        inner = [drawing.name(each) for each in one.body.objects() if id(each) in self._groups]
        row = {"guard": drawing.label(one)[:_LONGEST_GUARD], "messages": group.steps}
        drawing.assembly.frame(
            drawing.source_id(one),
            children=[*group.notes, *inner],
            containerType="fragment",
            extensions={"operator": _OPERATOR, "operands": [row]},
            style=drawing.common(drawing.look(one), one)["style"],
        )


def connections(scope: D2Map) -> Iterator[D2Connection]:
    """The connections of a map, nested objects included."""
    for one in scope.connections:
        ends = (*chain_of(one.start), *chain_of(one.end))
        if not one.is_suspended and not any(each.is_suspended for each in ends):
            yield one
    for one in scope.objects():
        if one.map is not None:
            yield from connections(one.map)


def _within(one: D2Field) -> Iterator[D2Field]:
    """The objects within an object."""
    for inner in one.map.objects() if one.map is not None else ():
        yield inner
        yield from _within(inner)


# A board of D2 on its way to a document: objects are nodes, those that hold objects are frames.

_ARCHITECTURE, _TABLES = "architecture", "entityRelationship"
_DIRECTIONS = {"right": "LR", "left": "RL", "up": "BT", "down": "TB"}
_TABLE, _CLASS, SEQUENCE, _TEXTS = "sql_table", "class", "sequence_diagram", ("text", "code")
_KEYS = {"primary_key": "pk", "foreign_key": "fk", "unique": "unique"}
_SIZES = re.compile(r"[0-9]{1,4}")
_LONGEST = 500
_LONGEST_LINK = 2_000
_PROPERTIES_AN_ELEMENT = 40  # of classes, on average
_VENDOR = re.compile(r"^(?:aws|amazon|azure|gcp|google|[0-9]{1,4})[-_ ]+", re.IGNORECASE)
_VISIBILITY = ("+", "-", "#", "~")


@dataclass(slots=True)
class _D2Look:
    """Properties of an object or a connection, with those of its classes. `items` are lists by keyword."""

    said: Attributes = field(default_factory=Attributes)
    items: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def text(self, name: str) -> str:
        """The text of a property, "" for none."""
        return self.said[name].text.strip() if name in self.said else ""

    @property
    def shape(self) -> str:
        """The word of the shape."""
        return self.text("shape").lower()


class _BoardDrawing:
    """A board on its way to a document."""

    def __init__(self, board: D2Map, root: D2Map, source: Source, losses: Losses) -> None:
        self.board = board
        self.assembly = Assembly("d2", source)
        self._source = source
        self._losses = losses
        classes = [held for one in (root, board) if (held := one.find("classes")) is not None and held.map is not None]
        self._classes = {name: one for held in classes for name, one in held.body.fields.items()}
        self._looks: dict[int, _D2Look] = {}
        self._properties = _PROPERTIES_AN_ELEMENT * source.most_elements
        self._letters = MOST_LETTERS
        self._told: set[str] = set()
        self._children: dict[int, list[str]] = {}
        self._charts: dict[int, _SequenceParts] = {}
        self._columns: dict[int, int] = {}
        self.heading = self._take_heading() if sum(1 for _ in self.objects(board)) > 1 else ""

    def document(self) -> JsonObject:
        """The document of a board that is no sequence diagram."""
        everything = list(self._everything(self.board))
        if len(everything) > self._source.most_elements:
            raise TooLarge(self._source.most_elements)
        shapes = {self.look(one).shape for one in everything if not self.is_frame(one)}
        family = _TABLES if _TABLE in shapes and shapes <= {_TABLE, *_TEXTS} else _ARCHITECTURE
        for one in self.objects(self.board):
            self._draw(one)
        for one in everything:
            if id(one) in self._children:
                self._frame(one)
        for link in sorted(connections(self.board), key=lambda one: one.order):
            self._connect(link)
        return self.assembly.document(
            family,
            title=self.heading,
            shows_title=True,
            layoutStrategy=self._strategy(),
        )

    # Choices.

    def sequence(self) -> _SequenceParts | None:
        """The sequence diagram that the board is, or holds alone."""
        if self.board_look().shape == SEQUENCE:
            return _SequenceParts(self.board, None)
        drawn = [one for one in self.objects(self.board) if self.look(one).shape not in _TEXTS]
        if len(drawn) == 1 and self.is_frame(drawn[0]) and self.look(drawn[0]).shape == SEQUENCE:
            return _SequenceParts(drawn[0].body, drawn[0]) if not self.board.connections else None
        return None

    def board_look(self) -> _D2Look:
        """The properties of the board itself."""
        look = _D2Look()
        _gather(self.board, look)
        return look

    def _take_heading(self) -> str:
        """The text at the top of the picture, which becomes its title and is left out elsewhere."""
        for one in self.objects(self.board):
            look = self.look(one)
            is_text = look.shape in _TEXTS or (_block(one) and not look.shape)
            if is_text and look.text("near") == "top-center" and not one.uses and not self.is_frame(one):
                one.is_suspended = True
                return self.label(one).replace("\n", " ").strip()
        return ""

    def _strategy(self) -> JsonObject:
        look = self.board_look()
        if columns := self._columns_of(look, sum(1 for _ in self.objects(self.board))):
            return {"algorithm": "grid", "columns": columns}
        return {"algorithm": "hierarchical", "direction": _DIRECTIONS.get(look.text("direction"), "TB")}

    @staticmethod
    def _columns_of(look: _D2Look, count: int) -> int:
        """The columns of a grid, 0 for none."""
        columns, rows = look.text("grid-columns"), look.text("grid-rows")
        if _SIZES.fullmatch(columns):
            return max(1, min(int(columns), 100))
        return max(1, min(ceil(count / max(1, int(rows))), 100)) if _SIZES.fullmatch(rows) else 0

    # Objects.

    def objects(self, scope: D2Map) -> Iterator[D2Field]:
        """The objects of a map that are drawn."""
        return (one for one in scope.objects() if not one.is_suspended)

    def _everything(self, scope: D2Map) -> Iterator[D2Field]:
        for one in self.objects(scope):
            yield one
            if one.map is not None and self.look(one).shape not in {*WITH_ROWS, SEQUENCE}:
                yield from self._everything(one.map)

    def is_frame(self, one: D2Field) -> bool:
        """Whether an object holds others."""
        return one.map is not None and self.look(one).shape not in WITH_ROWS and any(self.objects(one.map))

    def look(self, one: D2Field | D2Connection) -> _D2Look:
        """The properties of an object or a connection."""
        known = self._looks.get(id(one))
        if known is not None:
            return known
        look = self._looks[id(one)] = _D2Look()
        if one.map is None:
            return look
        held = one.map.find("class")
        if held is not None:
            named = [row.text for row in held.items or ()] or ([held.primary.text] if held.primary is not None else [])
            for name in named:
                known_class = self._classes.get(name.strip().lower())
                if known_class is None:
                    self.tell("class", held.place, f"the class {shown(name, 40)} is not defined here")
                elif known_class.map is not None:
                    _gather(known_class.map, look)
                    self._properties -= len(look.said) + 1
                    if self._properties < 0:
                        raise TooLarge(self._source.most_elements)
        _gather(one.map, look)
        return look

    def name(self, one: D2Field) -> str:
        """The element id of an object."""
        return self.assembly.name(self.source_id(one))

    def source_id(self, one: D2Field) -> str:
        """The path of an object; names with a point are in quotes."""
        names = [each.name.text for each in reversed(list(chain_of(one))) if each.keyword not in BOARDS]
        return ".".join(f'"{name}"' if "." in name else name for name in names)

    def connection_id(self, link: D2Connection) -> str:
        """The ends of a connection with its arrow."""
        arrow = f"{'<' if link.start_arrow else '-'}{'>' if link.end_arrow else '-'}"
        return f"({self.source_id(link.start)} {arrow} {self.source_id(link.end)})"

    def label(self, one: D2Field) -> str:
        """The label of an object; without a label the name."""
        look = self.look(one)
        own = one.map is not None and one.map.find("label") is not None
        said = one.primary if one.primary is not None and not own else look.said.get("label", one.primary)
        return self._text(said if said is not None else Scalar((one.name.text,)), look)

    def _text(self, said: Scalar, look: _D2Look) -> str:
        """A label as plain text. TooLarge beyond MOST_LETTERS of all labels."""
        self._letters -= sum(len(piece) for piece in said.pieces)
        if self._letters < 0:
            raise TooLarge(self._source.most_elements)
        return _transformed(text_of(said), look.said)

    def _draw(self, one: D2Field) -> None:
        look = self.look(one)
        self._tell_lost(one, look)
        if self.is_frame(one):
            assert one.map is not None  # noqa: S101 - a frame has members
            held = list(self.objects(one.map))
            if look.shape == SEQUENCE:
                self._draw_nested(_SequenceParts(one.map, one), one)
                return
            self._children[id(one)] = [self.name(each) for each in held]
            if columns := self._columns_of(look, len(held)):
                self._columns[id(one)] = columns
            for each in held:
                self._draw(each)
            return
        self.assembly.node(self.source_id(one), **self._node(one, look))

    def _draw_nested(self, chart: _SequenceParts, holder: D2Field) -> None:
        """The actors and notes of a sequence diagram beside further objects."""
        drawn = [*chart.actors.values(), *(step for step in chart.steps if isinstance(step, D2Field))]
        self._children[id(holder)] = [self.name(one) for one in drawn]
        self._charts[id(holder)] = chart
        for one in drawn:
            self.assembly.node(self.source_id(one), **self._node(one, self.look(one)))

    def _node(self, one: D2Field, look: _D2Look) -> JsonObject:
        word = look.shape or self._implied(one)
        members: JsonObject = {"label": self.label(one), **self.common(look, one)}
        if word == _TABLE:
            members["extensions"] = {"columns": list(self._table_columns(one))} if one.map is not None else None
        elif word == _CLASS:
            members["extensions"] = self._class_members(one)
        shape = SHAPES.get(word) or NEAR_SHAPES.get(word)
        if word in NEAR_SHAPES or (word and shape is None and word not in TYPES):
            self.tell(f"shape {word}", one.place, f"the shape {word[:40]} is drawn as {shape or 'rect'}")
        if look.text("style.3d").lower() == "true" and word in {"", "rectangle", "square"}:
            shape = "box3d"
        if shape == "iconBox" and members.get("icon") is None:
            shape = "rect"
        members["nodeType"] = TYPES.get(word) or MEANINGS.get(word)
        members["shape"] = None if word in TYPES else shape
        sizes = {name: int(look.text(name)) for name in ("width", "height") if _SIZES.fullmatch(look.text(name))}
        sizes = {name: size for name, size in sizes.items() if size}
        if sizes and word not in TYPES:
            members["layout"] = {"mode": "auto", **sizes}
        return members

    @staticmethod
    def _implied(one: D2Field) -> str:
        """The shape of an object whose label is a block of text."""
        block = _block(one)
        return "" if not block else "text" if block in {"md", "markdown", "latex", "tex"} else "code"

    def common(self, look: _D2Look, one: D2Field | D2Connection) -> JsonObject:
        """The members of nodes, frames and lines alike: style, link, tooltip, icon."""
        style, lost = style_of(look.said)
        for word in lost:
            self.tell(f"style {word}", one.place, f"the style {shown(word, 40)} has no form here")
        link = look.text("link")
        is_kept = is_link(link) and len(link) <= _LONGEST_LINK
        if link[:8].lower().startswith(("http://", "https://", "mailto:")) and not is_kept:
            self.tell(f"link {link}", one.place, f"the link {shown(link, 40)} is left out: it is no valid address")
        elif link and not is_kept:
            self.tell("link", one.place, "links within the source and to files are left out")
        tip = look.said.get("tooltip")
        return {
            "style": style,
            "link": {"href": link} if is_kept else None,
            "tooltip": text_of(tip) if tip is not None else None,
            "icon": self._icon(look.text("icon"), one.place),
        }

    def _icon(self, address: str, place: Place) -> str | None:
        """The known icon of a file's name; no picture is fetched."""
        if not address:
            return None
        try:
            path = unquote(urlsplit(address).path)
        except ValueError:
            path = ""
        word = re.split(r"[/\\]", path)[-1].partition(".")[0].removesuffix("-icon")
        icons = self._source.icons
        if icons is not None and word:
            for wanted in (word, _VENDOR.sub("", word)):
                if (found := icons.product(wanted.replace("_", "-").lower())) is not None:
                    return found
        self.tell(f"icon {address}", place, f"the picture {shown(word or address, 40)} is not fetched")
        return None

    def _table_columns(self, one: D2Field) -> Iterator[JsonObject]:
        assert one.map is not None  # noqa: S101 - asked of tables with members
        for row in self.objects(one.map):
            look = self.look(row)
            words = look.items.get("constraint") or ([look.text("constraint")] if look.text("constraint") else [])
            flags = {_KEYS[word]: True for word in words if word in _KEYS}
            others = [word for word in words if word not in _KEYS and word]
            typed = " ".join(part for part in (row.primary.text if row.primary is not None else "", *others) if part)
            yield {"name": row.name.text[:_LONGEST], **({"type": typed[:_LONGEST]} if typed else {}), **flags}

    def _class_members(self, one: D2Field) -> JsonObject | None:
        rows: dict[str, list[str]] = {"attributes": [], "methods": []}
        for row in self.objects(one.map) if one.map is not None else ():
            name = row.name.text
            shown_name = name if name.startswith(_VISIBILITY) else f"+{name}"
            typed = row.primary.text if row.primary is not None else ""
            rows["methods" if "(" in name else "attributes"].append(f"{shown_name}: {typed}" if typed else shown_name)
        return {name: held for name, held in rows.items() if held} or None

    def _frame(self, one: D2Field) -> None:
        look = self.look(one)
        columns = self._columns.get(id(one))
        self.assembly.frame(
            self.source_id(one),
            title=self.label(one),
            children=self._children[id(one)],
            extensions={"gridColumns": columns} if columns else None,
            **self.common(look, one),
        )

    # Connections.

    def _connect(self, link: D2Connection) -> None:
        """A line from the object that the arrow leaves."""
        start, end = self._end(link.start), self._end(link.end)
        heads = dict[str, str]()
        for side, mark, at, has in (
            ("startArrow", "source-arrowhead", start, link.start_arrow),
            ("endArrow", "target-arrowhead", end, link.end_arrow),
        ):
            heads[side] = self._head(link, mark, at, has=has)
        if link.start_arrow and not link.end_arrow:
            start, end = end, start
            heads = {"startArrow": heads["endArrow"], "endArrow": heads["startArrow"]}
        self.assembly.edge(
            start, end, self.connection_id(link), label=self.message(link), endpoints=heads, **self.line(link)
        )

    def line(self, link: D2Connection) -> JsonObject:
        """The members of a line: style, link, tooltip."""
        members = self.common(self.look(link), link)
        if members.pop("icon", None) is not None:
            self.tell("line icon", link.place, "icons of connections have no form here")
        if members["style"] is not None and members["style"].pop("fill", None) is not None:
            self.tell("line fill", link.place, "the fill of connections has no form here")
            members["style"] = members["style"] or None
        return members

    def message(self, link: D2Connection) -> str:
        """The label of a connection."""
        look = self.look(link)
        own = link.map is not None and link.map.find("label") is not None
        said = look.said.get("label") if own or link.primary is None else link.primary
        return self._text(said, look) if said is not None else ""

    def _head(self, link: D2Connection, mark: str, at: JsonObject, *, has: bool) -> str:
        """The marker of an end; texts and cardinalities come into the end itself."""
        said = link.map.find(mark) if link.map is not None else None
        if said is None:
            return "triangle" if has else "none"
        look = self.look(said)
        label = said.primary if said.primary is not None else look.said.get("label")
        if label is not None and (text := text_of(label)):
            at["label"] = text[:_LONGEST]
        marker, cardinality = head(look.shape)
        if has and cardinality is not None:
            at["cardinality"] = cardinality
        return marker if has else "none"

    def _end(self, one: D2Field) -> JsonObject:
        """An end at its object, or at the row of a table."""
        chain = list(chain_of(one))
        for each in reversed(chain[1:]):
            if id(each) in self._charts:
                return {"elementId": self.name(self._charts[id(each)].actor_of(one))}
            if self.look(each).shape in WITH_ROWS:
                row = chain[chain.index(each) - 1]
                column = {"column": row.name.text[:_LONGEST]} if self.look(each).shape == _TABLE else {}
                return {"elementId": self.name(each), **column}
        return {"elementId": self.name(one)}

    # Losses.

    def tell(self, what: str, place: Place, sentence: str) -> None:
        """Tell a loss once."""
        if what not in self._told:
            self._told.add(what)
            self._losses.formless(place, sentence)

    def _tell_lost(self, one: D2Field, look: _D2Look) -> None:
        near = look.text("near")
        if near or look.text("top") or look.text("left"):
            self.tell("near", one.place, "places (near, top, left) are left to the layout")
        if look.text("direction"):
            self.tell("direction", one.place, "the direction within a container is left to the layout")
        if look.shape == SEQUENCE:
            self.tell("sequence", one.place, "a sequence diagram within another is drawn as nodes and lines")
        if self.is_frame(one) and look.shape not in {"", "rectangle", "square", "package", SEQUENCE}:
            self.tell("container", one.place, "containers are drawn as frames, whatever their shape")


def _gather(scope: D2Map, look: _D2Look) -> None:
    """Add the properties of a map."""
    for one in scope.fields.values():
        word = one.keyword
        if word == "style" and one.map is not None:
            for name, member in one.map.fields.items():
                if member.primary is not None:
                    look.said[f"style.{name}"] = member.primary
        elif word and one.items is not None:
            look.items[word] = [row.text for row in one.items]
        elif word and one.primary is not None:
            look.said[word] = one.primary


def _block(one: D2Field) -> str:
    """The language of a label that is a block of text."""
    label = one.map.find("label") if one.map is not None else None
    said = one.primary if one.primary is not None or label is None else label.primary
    return said.tag if said is not None else ""


# Recognition.
_LOOKED_AT = 20_000  # characters from the beginning
_SIGN = re.compile(r"->|<-|--|\||\$\{|\bshape[ \t]*:|\bgrid-|\bstyle\b|^[ \t]*(?:vars|classes)[ \t]*:", re.MULTILINE)
_QUOTED = re.compile(
    r"\"(?:[^\"\\\n]|\\[^\n])*+\"|'[^'\n]*+'|\|(?P<mark>[^\s\w]*)(?:(?!(?P=mark)\|)[\s\S])*+(?P=mark)\|"
    r"|^[ \t]*#[^\n]*+",
    re.MULTILINE,
)
_WORDS = (
    *(
        "participant",
        "activate",
        "deactivate",
        "autonumber",
        "note over",
        "note left",
        "note right",
        "actor",
        "subgraph",
    ),
    *(
        "graph",
        "digraph",
        "flowchart",
        "workspace",
        "model",
        "views",
        "def",
        "fn",
        "func",
        "function",
        "return",
        "import",
    ),
    *("from", "class", "public", "const", "let", "var", "if", "for", "while", "match", "case"),
)
_FOREIGN = re.compile(
    r"-->|->>|<--|==>|-\.->|--\|>|<\|--|\bo--|\*--|~>|=>|::|:=|^[ \t]*(?:<|@|!(?!&)|-[ \t]|//|/\*|%%)|[ \t]--[a-z]"
    rf"|^[ \t]*(?:{'|'.join(_WORDS)})[ \t(](?![^\n]*(?:->|:))"
    r"|^[ \t]*(?:(?:pub|async|export|static)[ \t]+)*(?:def|fn|func|function|fun)[ \t]+\w+[ \t]*[(<]",
    re.MULTILINE,
)
"""Marks and first words of other languages."""
_NAME = re.compile(r"[\w*#+~(/-][\w /&#+*@$%^()'\u2019,~\n-]*[!?]?")
_SENTENCE = re.compile(r"[.!?,][ \t]*$", re.MULTILINE)
_PARDONED = ("other files are not read", "is not closed")  # of imports, and of a text that is cut off
_BLOCKS = frozenset({"md", "markdown", "latex", "tex"})
_MOST_WORDS, _BARE_WORDS = 7, 4  # of a name, and of a name that stands alone
_CLAUSE = 3  # words of a name, from which on a sentence goes on behind the arrow
_GRAMMAR = frozenset(
    [
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "then",
        "we",
        "you",
        "they",
        "he",
        "she",
        "is",
        "are",
        "was",
        "were",
        "will",
        "please",
    ]
)
"""Words of sentences, not of names."""
_INHERITING = ("scenarios", _STEPS := "steps")
_MOST_NAMED = 40  # boards in a sentence
_MOST_ODD = 10  # one odd statement of so many is allowed


def recognizes(text: str) -> bool:
    """Whether a text is D2 from its first line on: connections or properties of D2, and no line of another language."""
    head = text.removeprefix("\ufeff")[:_LOOKED_AT]
    if len(text) > _LOOKED_AT:
        head = head[: head.rfind("\n") + 1]
    bare = _QUOTED.sub("q", head)
    if not _SIGN.search(head) or _FOREIGN.search(bare):
        return False
    losses = Losses()
    try:
        body = parse(head, losses)
    except Unreadable:
        return False
    whats = [str((row.data or {}).get("what")) for row in losses.rows()]
    if not all(what.endswith(_PARDONED) for what in whats):
        return False
    said = [*_all(body)]
    found = [_evidence(one, is_inside) for one, is_inside in said]
    odd = found.count(-1)
    if all(one.links or weight < 1 for (one, _), weight in zip(said, found, strict=True)) and _tells(said):
        odd += len(_SENTENCE.findall(bare))
    return 1 in found and odd * _MOST_ODD <= len(found)


def _tells(said: Iterable[tuple[D2Statement, bool]]) -> bool:
    """Whether a connection joins clauses of prose: names that are not quoted, and long or with words of sentences."""
    ends = (path[-1] for one, _ in said for link in one.links for path in link[:2] if path)
    words = (end.text.lower().split() for end in ends if not end.is_quoted)
    return any(len(row) > _CLAUSE or not _GRAMMAR.isdisjoint(row) for row in words)


def _all(body: D2Block, *, is_inside: bool = False) -> Iterator[tuple[D2Statement, bool]]:
    """All statements, and whether each stands in another one."""
    for one in body.statements:
        yield one, is_inside
        if isinstance(one.value, D2Block):
            yield from _all(one.value, is_inside=True)


def _evidence(said: D2Statement, is_inside: bool) -> int:  # noqa: FBT001 - a pair from a loop
    """1 for a statement of D2 alone, -1 for a statement of another language or prose, otherwise 0."""
    names = [name for path in (said.key, *(part for one in said.links for part in one[:2])) for name in path]
    plain = [name.text for name in names if not name.is_quoted]
    is_bare = not (said.links or said.primary or said.value)
    most = _BARE_WORDS if is_bare else _MOST_WORDS
    if any(not _NAME.fullmatch(text) or len(text.split()) > most or text.endswith(",") for text in plain):
        return -1
    word = said.key[-1].text.lower() if said.key else ""
    value = said.primary.text.lower() if said.primary is not None else ""
    if said.spread is not None or said.filters or (said.primary is not None and said.primary.tag in _BLOCKS):
        return 1
    if word == "shape":
        known = value in SHAPES or value in NEAR_SHAPES or value in TYPES
        return int(value == SEQUENCE or (known and (is_inside or len(said.key) > 1)))
    is_style = len(said.key) > 1 and said.key[-2].text == "style"
    is_holder = word in {"vars", "classes", "style"} and isinstance(said.value, D2Block)
    is_grid = word in {"grid-rows", "grid-columns"} and value.isdecimal()
    return int(bool(said.links) or is_style or is_holder or is_grid)


# The front door: D2 to a document.


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source. Unreadable without an object, TooLarge."""
    body, wanted = parse(source.text, losses), source.view or source.kept_view
    inherited = _inherited(body, wanted or "")
    root = evaluate(inherited or body, losses, source.most_elements)
    key, board = _board(root, wanted, losses) if inherited is None else (wanted or "", root)
    if not any(board.objects()):
        raise Unreadable(losses.first or Place(1, 1), "an object or a connection of D2: a -> b: label")
    drawing = _BoardDrawing(board, root, source, losses)
    drawing.assembly.view = key
    chart = drawing.sequence()
    return _sequence_of(drawing, chart) if chart is not None else drawing.document()


def _inherited(body: D2Block, path: str) -> D2Block | None:
    """The statements of a scenario or a step of the root, behind all inherited statements: of the root, and of earlier
    steps. None for any other board."""
    word, _, name = path.partition(".")
    holders = [one.value for one in body.statements if word in _INHERITING and _name_of(one) == word]
    boards = [one for held in holders if isinstance(held, D2Block) for one in held.statements]
    last = max((at for at, one in enumerate(boards) if name and _name_of(one) == name), default=None)
    if last is None:
        return None
    chosen = [one for one in boards[: last + 1] if word == _STEPS or _name_of(one) == name]
    own = [one for one in body.statements if _name_of(one) not in BOARDS]
    held = (one.value.statements for one in chosen if isinstance(one.value, D2Block))
    return D2Block([*own, *(one for statements in held for one in statements)])


def _name_of(said: D2Statement) -> str:
    """The single word of a statement's key, "" for another key."""
    return said.key[0].text if len(said.key) == 1 and not said.links else ""


def _board(root: D2Map, wanted: str | None, losses: Losses) -> tuple[str, D2Map]:
    """The path and the content of the requested board; without a wish of the root, or of the first board where the root
    holds no object. Unreadable for an unknown path."""
    boards = dict(_boards(root, ""))
    named = ", ".join([*boards][:_MOST_NAMED]) + (", …" if len(boards) > _MOST_NAMED else "")
    if wanted is not None:
        if wanted not in boards:
            told = f"Its boards are: {named}." if boards else "It has none."
            raise Unreadable(Place(1), f"a source with the board {shown(wanted)}", told)
        return wanted, boards[wanted].body
    chosen = "" if not boards or any(root.objects()) else next(iter(boards))
    rest = [key for key in boards if key != chosen]
    if rest:
        what = f"one board is drawn, and {len(rest)} left out; `view` chooses one of: {named}"
        losses.formless(boards[rest[0]].place, what)
    return chosen, boards[chosen].body if chosen else root


def _boards(scope: D2Map, path: str) -> Iterator[tuple[str, D2Field]]:
    """All boards by their paths, such as layers.x."""
    for word in BOARDS:
        held = scope.find(word)
        for one in held.body.objects() if held is not None else ():
            key = f"{path}{word}.{one.name.text}"
            yield key, one
            yield from _boards(one.body, f"{key}.")
