"""A board of D2 on its way to a document: objects are nodes, those that hold objects are frames."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from urllib.parse import unquote, urlsplit

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.d2.evaluation import BOARDS, MOST_LETTERS, WITH_ROWS, D2Connection, D2Field, D2Map, chain_of
from scenograph.reading.d2.grammar import Scalar
from scenograph.reading.d2.looks import (
    MEANINGS,
    NEAR_SHAPES,
    SHAPES,
    TYPES,
    Attributes,
    head,
    style_of,
    text_of,
    transformed,
)
from scenograph.reading.d2.sequence import SequenceParts, connections
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

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
class D2Look:
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


class BoardDrawing:
    """A board on its way to a document."""

    def __init__(self, board: D2Map, root: D2Map, source: Source, losses: Losses) -> None:
        self.board = board
        self.assembly = Assembly("d2", source)
        self._source = source
        self._losses = losses
        classes = [held for one in (root, board) if (held := one.find("classes")) is not None and held.map is not None]
        self._classes = {name: one for held in classes for name, one in held.body.fields.items()}
        self._looks: dict[int, D2Look] = {}
        self._properties = _PROPERTIES_AN_ELEMENT * source.most_elements
        self._letters = MOST_LETTERS
        self._told: set[str] = set()
        self._children: dict[int, list[str]] = {}
        self._charts: dict[int, SequenceParts] = {}
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

    def sequence(self) -> SequenceParts | None:
        """The sequence diagram that the board is, or holds alone."""
        if self.board_look().shape == SEQUENCE:
            return SequenceParts(self.board, None)
        drawn = [one for one in self.objects(self.board) if self.look(one).shape not in _TEXTS]
        if len(drawn) == 1 and self.is_frame(drawn[0]) and self.look(drawn[0]).shape == SEQUENCE:
            return SequenceParts(drawn[0].body, drawn[0]) if not self.board.connections else None
        return None

    def board_look(self) -> D2Look:
        """The properties of the board itself."""
        look = D2Look()
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
    def _columns_of(look: D2Look, count: int) -> int:
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

    def look(self, one: D2Field | D2Connection) -> D2Look:
        """The properties of an object or a connection."""
        known = self._looks.get(id(one))
        if known is not None:
            return known
        look = self._looks[id(one)] = D2Look()
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
        """The label of an object, its name without one."""
        look = self.look(one)
        own = one.map is not None and one.map.find("label") is not None
        said = one.primary if one.primary is not None and not own else look.said.get("label", one.primary)
        return self._text(said if said is not None else Scalar((one.name.text,)), look)

    def _text(self, said: Scalar, look: D2Look) -> str:
        """A label as plain text. TooLarge beyond MOST_LETTERS of all labels."""
        self._letters -= sum(len(piece) for piece in said.pieces)
        if self._letters < 0:
            raise TooLarge(self._source.most_elements)
        return transformed(text_of(said), look.said)

    def _draw(self, one: D2Field) -> None:
        look = self.look(one)
        self._tell_lost(one, look)
        if self.is_frame(one):
            assert one.map is not None  # noqa: S101 - a frame has members
            held = list(self.objects(one.map))
            if look.shape == SEQUENCE:
                self._draw_nested(SequenceParts(one.map, one), one)
                return
            self._children[id(one)] = [self.name(each) for each in held]
            if columns := self._columns_of(look, len(held)):
                self._columns[id(one)] = columns
            for each in held:
                self._draw(each)
            return
        self.assembly.node(self.source_id(one), **self._node(one, look))

    def _draw_nested(self, chart: SequenceParts, holder: D2Field) -> None:
        """A sequence diagram beside other objects: its actors and notes."""
        drawn = [*chart.actors.values(), *(step for step in chart.steps if isinstance(step, D2Field))]
        self._children[id(holder)] = [self.name(one) for one in drawn]
        self._charts[id(holder)] = chart
        for one in drawn:
            self.assembly.node(self.source_id(one), **self._node(one, self.look(one)))

    def _node(self, one: D2Field, look: D2Look) -> JsonObject:
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

    def common(self, look: D2Look, one: D2Field | D2Connection) -> JsonObject:
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

    def _tell_lost(self, one: D2Field, look: D2Look) -> None:
        near = look.text("near")
        if near or look.text("top") or look.text("left"):
            self.tell("near", one.place, "places (near, top, left) are left to the layout")
        if look.text("direction"):
            self.tell("direction", one.place, "the direction within a container is left to the layout")
        if look.shape == SEQUENCE:
            self.tell("sequence", one.place, "a sequence diagram within another is drawn as nodes and lines")
        if self.is_frame(one) and look.shape not in {"", "rectangle", "square", "package", SEQUENCE}:
            self.tell("container", one.place, "containers are drawn as frames, whatever their shape")


def _gather(scope: D2Map, look: D2Look) -> None:
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
