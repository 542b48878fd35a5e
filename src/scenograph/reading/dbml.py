"""DBML to a document: the grammar, the schema, and the scene. Tables are entities, references edges."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sized
from textwrap import dedent
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.source import Losses, Place, Source, TooLarge, Unreadable, require_room, shown
from scenograph.reading.tokens import END, Token, Tokens, Unexpected
from scenograph.scene.json_values import JsonObject

# A schema of DBML: tables with columns and keys, references, enumerations, groups and notes.

PUBLIC = "public"
SAME = ""  # the table of a column, where a reference names none
COLUMNS_A_TABLE = 8  # at most, on average
OPERATORS = ("<>", "<", ">", "-")


class DbmlName(NamedTuple):
    """The name of a table or an enumeration, with its schema."""

    schema: str
    own: str

    @property
    def shown(self) -> str:
        """The name as displayed: without the schema `public`."""
        return self.own if self.schema == PUBLIC else f"{self.schema}.{self.own}"


class ReferenceEnd(NamedTuple):
    """An end of a reference: a table, or the alias of a table, and its columns."""

    table: DbmlName
    columns: tuple[str, ...]


class Reference(NamedTuple):
    """A reference. `operator` is one of OPERATORS; `is_inline`: the left end is the column of the definition."""

    left: ReferenceEnd
    operator: str
    right: ReferenceEnd
    place: Place
    is_inline: bool = False


@dataclass(slots=True)
class DbmlColumn:
    """A column. `is_null`: the source declares null values."""

    name: str
    type: str = ""
    is_key: bool = False
    is_unique: bool = False
    is_required: bool = False
    note: str = ""
    references: list[tuple[str, ReferenceEnd, Place]] = field(default_factory=list[tuple[str, ReferenceEnd, Place]])


class Index(NamedTuple):
    """A primary key or a unique index, by the names of its columns."""

    columns: tuple[str, ...]
    is_key: bool


@dataclass(slots=True)
class DbmlTable:
    """A table, or a partial table. `parts` are its columns, and the names of the partial tables injected, in order."""

    name: DbmlName
    place: Place
    alias: str = ""
    note: str = ""
    parts: list[DbmlColumn | tuple[str, Place]] = field(default_factory=list["DbmlColumn | tuple[str, Place]"])
    indexes: list[Index] = field(default_factory=list[Index])
    columns: dict[str, DbmlColumn] = field(default_factory=dict[str, DbmlColumn])
    key: frozenset[str] = frozenset()
    """The columns of the primary key, settled with the columns."""
    unique: dict[str, set[frozenset[str]]] = field(default_factory=dict[str, set[frozenset[str]]])
    """Columns whose values together appear once, by the first of them; settled likewise."""

    def settle_keys(self) -> None:
        """Collect `key` and `unique` from columns and indexes."""
        named = {name for index in self.indexes if index.is_key for name in index.columns}
        self.key = frozenset(named | {column.name for column in self.columns.values() if column.is_key})
        for index in self.indexes:
            if not index.is_key and index.columns:
                self.unique.setdefault(index.columns[0], set()).add(frozenset(index.columns))
        for column in self.columns.values():
            if column.is_unique:
                self.unique.setdefault(column.name, set()).add(frozenset({column.name}))


class Enumeration(NamedTuple):
    """An enumeration with its values."""

    name: DbmlName
    values: tuple[str, ...]
    place: Place


class TableGroup(NamedTuple):
    """A group of tables."""

    name: str
    tables: tuple[tuple[DbmlName, Place], ...]
    note: str
    place: Place


class Sticky(NamedTuple):
    """A note beside the tables."""

    name: str
    text: str


@dataclass(slots=True)
class DbmlSchema:
    """The content of a source, in its order. Raises TooLarge beyond `most` parts of a kind."""

    losses: Losses
    most: int
    title: str = ""
    tables: dict[DbmlName, DbmlTable] = field(default_factory=dict[DbmlName, DbmlTable])
    partials: dict[str, DbmlTable] = field(default_factory=dict[str, DbmlTable])
    references: list[Reference] = field(default_factory=list[Reference])
    enumerations: dict[DbmlName, Enumeration] = field(default_factory=dict[DbmlName, Enumeration])
    groups: list[TableGroup] = field(default_factory=list[TableGroup])
    notes: list[Sticky] = field(default_factory=list[Sticky])
    untold: dict[str, Place] = field(default_factory=dict[str, Place])
    _aliases: dict[str, DbmlTable] = field(default_factory=dict[str, DbmlTable])
    _columns: int = 0

    def add_table(self, table: DbmlTable) -> None:
        """Add a table; a second table of a name is told."""
        if table.name in self.tables:
            self.losses.formless(table.place, f"table {table.name.shown} is defined again; the first counts")
            return
        self.count(self.tables)
        self.tables[table.name] = table
        if table.alias:
            self._aliases.setdefault(table.alias, table)

    def count(self, held: Sized) -> None:
        """Refuse one more part of a kind beyond the limit."""
        require_room(self.most, held)

    def find(self, name: DbmlName) -> DbmlTable | None:
        """The table of a name or an alias."""
        return self.tables.get(name) or (self._aliases.get(name.own) if name.schema == PUBLIC else None)

    def settle(self) -> None:
        """Give each table the columns of its own and of its partial tables, and collect the references of columns."""
        for table in self.tables.values():
            self._settle_columns(table)
            table.settle_keys()
            for column in table.columns.values():
                for operator, end, place in column.references:
                    own = ReferenceEnd(table.name, (column.name,))
                    if end.table.own == SAME:
                        end = ReferenceEnd(table.name, end.columns)  # noqa: PLW2901 - completed
                    self.count(self.references)
                    self.references.append(Reference(own, operator, end, place, is_inline=True))

    def _settle_columns(self, table: DbmlTable) -> None:
        own = {part.name for part in table.parts if isinstance(part, DbmlColumn)}
        for part in table.parts:
            if isinstance(part, DbmlColumn):
                self._add_column(table, part)
                continue
            name, place = part
            partial = self.partials.get(name)
            if partial is None:
                self.losses.formless(
                    place, f"table {table.name.shown} injects a partial table that is not defined here"
                )
                continue
            for column in partial.parts:
                if isinstance(column, DbmlColumn) and column.name not in own:
                    table.columns.pop(column.name, None)
                    self._add_column(table, column)
            table.indexes += partial.indexes
            table.note = table.note or partial.note

    def _add_column(self, table: DbmlTable, column: DbmlColumn) -> None:
        if column.name in table.columns:
            what = f"table {table.name.shown} has a column twice; the first counts"
            self.losses.formless(table.place, what)
            return
        self._columns += 1
        if self._columns > COLUMNS_A_TABLE * self.most:
            raise TooLarge(self.most)
        table.columns[column.name] = column


# The grammar of DBML (dbml.org/docs). A broken line of a table costs itself, any other broken part its element.

# What is not closed is one token, of its line or of the rest: no text is searched twice.
_TOKENS = re.compile(
    r"""(?P<blank>[ \t\r\f\v\u00a0\ufeff]+|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"""
    r"""|(?P<newline>\n)"""
    r"""|(?P<text>'''(?:[^'\\]|\\[\s\S]|'(?!''))*+'''|'(?!'')(?:[^'\\\n]|\\[^\n])*+')"""
    r"""|(?P<quoted>"(?:[^"\\\n]|\\[^\n])*+")"""
    r"""|(?P<expression>`[^`]*+`)"""
    r"""|(?P<unclosed>'''[\s\S]*+|['"][^\n]*+)"""
    r"""|(?P<word>\w++)"""
    r"""|(?P<mark><>|[^\s`])"""
    r"""|(?P<odd>[\s\S])"""
)
_NAMES = ("word", "quoted")
_VALUES = ("text", "quoted", "expression", "word")
_ELEMENTS = re.compile(r"(?:table|tablepartial|tablegroup|ref|enum|project|note|records|use|reuse|diagramview)\b", re.I)
_ESCAPE = re.compile(r"\\([\s\S])")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_LINE_MARKS = ("[", "(", "{")
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class _DbmlSetting(NamedTuple):
    """A setting in square brackets: the value as text, and the target of a `ref`."""

    name: str
    value: str
    place: Place
    reference: tuple[str, ReferenceEnd, Place] | None = None


def parse(text: str, schema: DbmlSchema) -> None:
    """Add the elements of a text to a schema. TooLarge."""
    _Parser(text, schema).elements()


class _Parser:
    def __init__(self, text: str, schema: DbmlSchema) -> None:
        self._tokens = Tokens(text, _TOKENS)
        self._schema = schema

    def elements(self) -> None:
        """All elements of the text."""
        tokens = self._tokens
        while True:
            self._pass_newlines()
            first = tokens.peek()
            if first.kind == END or self._schema.losses.too_many(tokens.place(first.at)):
                return
            try:
                self._element()
            except Unexpected as wrong:
                self._tell(wrong)
                self._recover(first)

    def _element(self) -> None:
        first = self._tokens.peek()
        read = _READERS.get(first.text.lower()) if first.kind == "word" else None
        if read is None:
            raise Unexpected(first, "Table, Ref, Enum, TableGroup, TablePartial, Project or Note")
        self._tokens.next()
        read(self, self._tokens.place(first.at))
        self._line_end()

    def _tell(self, wrong: Unexpected) -> None:
        found = "the end" if wrong.token.kind == END else "a line end" if wrong.token.text == "\n" else "another word"
        found = shown(wrong.token.text, 20) if wrong.token.kind in {"word", "mark"} else found
        place = self._tokens.place(wrong.token.at)
        self._schema.losses.unread(place, f"expected {wrong.expected}, not {found}")

    def _recover(self, first: Token) -> None:
        """Pass the rest of a broken element: to its closing bracket, or to an element that begins a line."""
        tokens = self._tokens
        if tokens.peek().at == first.at:
            tokens.next()
        while (token := tokens.peek()).kind != END:
            begins = _ELEMENTS.match(token.text) is not None and tokens.place(token.at).column == 1
            if token.text == "\n" and tokens.depth <= 0:
                break
            if begins and token.kind == "word":
                break
            tokens.next()
        tokens.depth = 0

    # Elements.

    def table(self, place: Place) -> None:
        """A table."""
        self._schema.add_table(self._table_body(DbmlTable(self._name(), place)))

    def partial(self, place: Place) -> None:
        """A partial table."""
        table = self._table_body(DbmlTable(self._name(), place))
        self._schema.count(self._schema.partials)
        self._schema.partials.setdefault(table.name.own, table)

    def _table_body(self, table: DbmlTable) -> DbmlTable:
        tokens = self._tokens
        if tokens.peek().text.lower() == "as":
            tokens.next()
            table.alias = self._plain_name()
        self._pass_newlines()
        for setting in self._settings():
            if setting.name == "note":
                table.note = setting.value
            else:
                self._untold(setting.name, setting.place)
        self._pass_newlines()
        tokens.expect("{")
        self._lines(lambda: self._table_line(table))
        return table

    def _lines(self, read: Callable[[], None]) -> None:
        """The lines of a body up to the closing bracket, broken lines passed over."""
        tokens, depth = self._tokens, self._tokens.depth
        while True:
            self._pass_newlines()
            if tokens.take("}"):
                return
            if tokens.peek().kind == END or self._schema.losses.too_many(tokens.place(tokens.peek().at)):
                raise Unexpected(tokens.peek(), "'}'")
            try:
                read()
                if not tokens.is_at("}"):
                    self._line_end()
            except Unexpected as wrong:
                self._tell(wrong)
                while tokens.peek().kind != END and not (tokens.depth <= depth and tokens.is_at("\n", "}")):
                    tokens.next()

    def _table_line(self, table: DbmlTable) -> None:
        tokens = self._tokens
        first, second = tokens.peek(), tokens.peek(1)
        word = first.text.lower()
        if first.text == "~":
            tokens.next()
            place = tokens.place(first.at)
            table.parts.append((self._plain_name(), place))
        elif word == "note" and second.text in {":", "{"}:
            tokens.next()
            table.note = self._note_value()
        elif word in {"indexes", "checks"} and self._opens_block(1):
            tokens.next()
            self._pass_newlines()
            tokens.expect("{")
            self._lines((lambda: self._index(table)) if word == "indexes" else self._check)
        elif word == "records" and second.text in {"{", "("}:
            tokens.next()
            self.records(tokens.place(first.at))
        else:
            table.parts.append(self._column())

    def _opens_block(self, ahead: int) -> bool:
        while self._tokens.peek(ahead).text == "\n":
            ahead += 1
            if ahead > 3:
                return False
        return self._tokens.peek(ahead).text == "{"

    def _column(self) -> DbmlColumn:
        tokens = self._tokens
        column = DbmlColumn(self._plain_name())
        start = tokens.peek()
        while tokens.peek().kind in _NAMES or tokens.is_at("."):
            tokens.next()
        if tokens.is_at("("):
            self._balanced()
        while tokens.is_at("[") and (tokens.peek(1).text == "]" or tokens.peek(2).text == "]"):
            if tokens.peek(1).text != "]" and not tokens.peek(1).text.isdecimal():
                break
            self._balanced()
        if tokens.passed <= start.at:
            raise Unexpected(start, "the type of a column")
        column.type = _bare(tokens.between(start.at, tokens.passed))
        for setting in self._settings():
            self._set(column, setting)
        return column

    def _set(self, column: DbmlColumn, setting: _DbmlSetting) -> None:
        if setting.reference is not None:
            column.references.append(setting.reference)
        elif setting.name == "note":
            column.note = setting.value
        elif setting.name in {"pk", "primary key"}:
            column.is_key = True
        elif setting.name == "unique":
            column.is_unique = True
        elif setting.name == "not null":
            column.is_required = True
        elif setting.name != "null":
            self._untold(setting.name, setting.place)

    def _index(self, table: DbmlTable) -> None:
        tokens = self._tokens
        start, columns, is_plain = tokens.peek(), list[str](), True
        if tokens.take("("):
            while not tokens.take(")"):
                self._pass_newlines()
                part = tokens.expect_kind((*_NAMES, "expression"), "a column or an expression")
                is_plain &= part.kind != "expression"
                columns.append(_bare(part.text))
                self._pass_newlines()
                if not tokens.is_at(")"):
                    tokens.expect(",")
        else:
            part = tokens.expect_kind((*_NAMES, "expression"), "a column or an expression")
            is_plain, columns = part.kind != "expression", [_bare(part.text)]
        names = {setting.name for setting in self._settings()}
        if is_plain and names & {"pk", "unique", "primary key"}:
            table.indexes.append(Index(tuple(columns), bool(names & {"pk", "primary key"})))
        else:
            self._untold("indexes that are not unique", tokens.place(start.at))

    def _check(self) -> None:
        start = self._tokens.expect_kind(("expression",), "an expression")
        self._settings()
        self._untold("check", self._tokens.place(start.at))

    def records(self, place: Place) -> None:
        """Pass sample data, which may be secrets."""
        tokens = self._tokens
        while not tokens.is_at("{", "\n") and tokens.peek().kind != END:
            tokens.next()
        self._pass_newlines()
        self._block()
        self._untold("records", place)

    def reference(self, _place: Place) -> None:
        """A reference, or a block of references."""
        tokens = self._tokens
        if not tokens.is_at(":", "{"):
            self._dotted()
        self._settings()
        self._pass_newlines()
        if tokens.take("{"):
            self._lines(self._relation)
        else:
            tokens.expect(":")
            self._relation()

    def _relation(self) -> None:
        tokens = self._tokens
        place = tokens.place(tokens.peek().at)
        left = self._end()
        operator = self._operator()
        right = self._end()
        for setting in self._settings():
            self._untold(setting.name, setting.place)
        self._schema.count(self._schema.references)
        self._schema.references.append(Reference(left, operator, right, place))

    def _operator(self) -> str:
        if not self._tokens.is_at(*OPERATORS):
            raise Unexpected(self._tokens.peek(), "one of <, >, -, <>")
        return self._tokens.next().text

    def _end(self, *, is_inline: bool = False) -> ReferenceEnd:
        """An end of a reference; within a column also a column of the same table."""
        tokens = self._tokens
        parts = [self._plain_name()]
        while tokens.take("."):
            if tokens.take("("):
                columns = [self._plain_name()]
                while tokens.take(","):
                    columns.append(self._plain_name())
                tokens.expect(")")
                return ReferenceEnd(_name(parts), tuple(columns))
            parts.append(self._plain_name())
        if len(parts) == 1 and not is_inline:
            raise Unexpected(tokens.peek(), "a column of a table")
        return ReferenceEnd(_name(parts[:-1] or [SAME]), (parts[-1],))

    def enumeration(self, place: Place) -> None:
        """An enumeration."""
        name, values = self._name(), list[str]()
        self._pass_newlines()
        self._tokens.expect("{")

        def value() -> None:
            values.append(self._plain_name())
            self._settings()

        self._lines(value)
        self._schema.count(self._schema.enumerations)
        self._schema.enumerations.setdefault(name, Enumeration(name, tuple(values), place))

    def group(self, place: Place) -> None:
        """A group of tables."""
        tokens, name, notes = self._tokens, self._plain_name(), list[str]()
        tables: list[tuple[DbmlName, Place]] = []
        for setting in self._settings():
            if setting.name == "note":
                notes.append(setting.value)
            else:
                self._untold(setting.name, setting.place)
        self._pass_newlines()
        tokens.expect("{")

        def line() -> None:
            first = tokens.peek()
            if first.text.lower() == "note" and tokens.peek(1).text in {":", "{"}:
                tokens.next()
                notes.append(self._note_value())
            else:
                tables.append((self._name(), tokens.place(first.at)))

        self._lines(line)
        self._schema.count(self._schema.groups)
        self._schema.groups.append(TableGroup(name, tuple(tables), "\n".join(notes), place))

    def project(self, _place: Place) -> None:
        """The properties of the project."""
        tokens = self._tokens
        if tokens.peek().kind in _NAMES:
            self._schema.title = self._schema.title or self._plain_name()
        self._pass_newlines()
        tokens.expect("{")

        def line() -> None:
            first = tokens.next()
            if tokens.is_at(":", "{") and first.kind in _NAMES:
                self._note_value()
            else:
                raise Unexpected(first, "a property")
            if first.text.lower() != "database_type":
                self._untold("properties of the project", tokens.place(first.at))

        self._lines(line)

    def sticky(self, _place: Place) -> None:
        """A note beside the tables."""
        if self._tokens.is_at(":"):
            raise Unexpected(self._tokens.peek(), "the name of a note")
        name = self._plain_name()
        self._settings()
        self._pass_newlines()
        self._schema.count(self._schema.notes)
        self._schema.notes.append(Sticky(name, self._note_value()))

    def imported(self, place: Place) -> None:
        """Other files, of which none is opened."""
        self._schema.losses.unread(place, "other files are not read: give their elements in this text")
        self._rest()

    def view(self, place: Place) -> None:
        """A view of some of the tables."""
        self._rest()
        self._untold("views", place)

    # Parts.

    def _settings(self) -> list[_DbmlSetting]:
        """The settings in square brackets, if any."""
        tokens, found = self._tokens, list[_DbmlSetting]()
        while tokens.is_at("["):
            tokens.next()
            while True:
                self._pass_newlines()
                if tokens.take("]"):
                    break
                if tokens.take(","):
                    continue
                found.append(self._setting())
        return found

    def _setting(self) -> _DbmlSetting:
        tokens = self._tokens
        first, words = tokens.peek(), list[str]()
        while tokens.peek().kind == "word":
            words.append(tokens.next().text.lower())
        name, place = " ".join(words), tokens.place(first.at)
        if not words:
            raise Unexpected(first, "a setting")
        if not tokens.take(":"):
            return _DbmlSetting(name, "", place)
        if name == "ref":
            return _DbmlSetting(name, "", place, (self._operator(), self._end(is_inline=True), place))
        value = ""
        while not tokens.is_at(",", "]"):
            token = tokens.next()
            if token.kind == END:
                raise Unexpected(token, "']'")
            if token.text == "(":
                self._closing(")")
            value = value or (_text(token.text) if token.kind in _VALUES else "")
        return _DbmlSetting(name, value, place)

    def _note_value(self) -> str:
        """A value behind a colon, or in curly brackets."""
        tokens = self._tokens
        if tokens.take("{"):
            self._pass_newlines()
            value = _text(tokens.expect_kind(("text", "quoted"), "a text").text)
            self._pass_newlines()
            tokens.expect("}")
            return value
        tokens.expect(":")
        return _text(tokens.expect_kind(_VALUES, "a text").text)

    def _name(self) -> DbmlName:
        return _name(self._dotted())

    def _dotted(self) -> list[str]:
        parts = [self._plain_name()]
        while self._tokens.take("."):
            parts.append(self._plain_name())
        return parts

    def _plain_name(self) -> str:
        return _bare(self._tokens.expect_kind(_NAMES, "a name").text)

    def _balanced(self) -> None:
        """Pass an opening bracket and everything up to the closing one, within the line."""
        self._closing(_CLOSING[self._tokens.next().text])

    def _closing(self, mark: str) -> None:
        waiting = [mark]
        while waiting:
            token = self._tokens.next()
            if token.kind == END or token.text == "\n":
                raise Unexpected(token, f"'{waiting[-1]}'")
            if token.text in _LINE_MARKS:
                waiting.append(_CLOSING[token.text])
            elif token.text == waiting[-1]:
                waiting.pop()

    def _block(self) -> None:
        """Pass a block in curly brackets."""
        tokens, depth = self._tokens, self._tokens.depth
        tokens.expect("{")
        while tokens.depth > depth:
            if tokens.next().kind == END:
                raise Unexpected(tokens.peek(), "'}'")

    def _rest(self) -> None:
        """Pass the rest of a line, with all blocks begun there."""
        tokens = self._tokens
        while not tokens.is_at("\n") and tokens.peek().kind != END:
            if tokens.is_at("{"):
                self._block()
            else:
                tokens.next()

    def _line_end(self) -> None:
        if not self._tokens.is_at("\n", "") and not self._tokens.peek().kind == END:
            raise Unexpected(self._tokens.peek(), "the end of the line")

    def _pass_newlines(self) -> None:
        while self._tokens.take("\n"):
            pass

    def _untold(self, what: str, place: Place) -> None:
        """Note a setting without a form in scenes, told once."""
        self._schema.untold.setdefault(what, place)


_READERS: Mapping[str, Callable[[_Parser, Place], None]] = MappingProxyType(
    {
        "table": _Parser.table,
        "tablepartial": _Parser.partial,
        "ref": _Parser.reference,
        "enum": _Parser.enumeration,
        "tablegroup": _Parser.group,
        "project": _Parser.project,
        "note": _Parser.sticky,
        "records": _Parser.records,
        "use": _Parser.imported,
        "reuse": _Parser.imported,
        "diagramview": _Parser.view,
    }
)


def _name(parts: list[str]) -> DbmlName:
    return DbmlName(".".join(parts[:-1]) or PUBLIC, parts[-1])


def _bare(text: str) -> str:
    """A name without its quotation marks."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in '"`' and text.find(text[0], 1) == len(text) - 1:
        return text[1:-1]
    return text


def _text(text: str) -> str:
    """The content of a text: without quotation marks and escapes, and the indentation of several lines."""
    if text.startswith("'''"):
        return dedent(_ESCAPE.sub(_unescaped, text[3:-3])).strip()
    if text[:1] in {"'", '"'}:
        return _ESCAPE.sub(_unescaped, text[1:-1])
    return text


def _unescaped(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[1], found[1])


# The front door: DBML to a document. Tables are entities, references edges between their rows, from the column
# that refers.

_FAMILY = "entityRelationship"
_LONGEST = 500
_VALUES_SHOWN = 40

_BEFORE = r"\A(?:\s|//[^\n]*+|/\*(?:(?!\*/)[\s\S])*+\*/|\ufeff)*+"
_FIRST = re.compile(
    _BEFORE + r"(?:project|table|tablepartial|tablegroup|ref|enum|note|records|use|reuse)\b", re.IGNORECASE
)
_NAME = r"(?:[\w.]|\"[^\"\n]{0,200}\"){1,200}+"
_DEFINITION = re.compile(
    rf"^[ \t]*(?:table|tablepartial|tablegroup)[ \t]+{_NAME}(?:[ \t]+as[ \t]+{_NAME})?"
    r"[ \t]*(?:\[[^\n]{0,500}\])?[ \t\r]*\n?[ \t]*\{"
    rf"|^[ \t]*ref(?:[ \t]+{_NAME})?[ \t]*(?:\[[^\n\]]{{0,200}}\])?[ \t]*[:{{]\s*"
    rf"(?=[^\n<>]{{0,300}}\.){_NAME}[^\n]{{0,300}}[<>-]",
    re.IGNORECASE | re.MULTILINE,
)


def recognizes(text: str) -> bool:
    """Whether a text begins with an element of DBML and defines tables or references."""
    return _FIRST.match(text) is not None and _DEFINITION.search(text) is not None


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source. Unreadable without a table, TooLarge."""
    schema = DbmlSchema(losses, source.most_elements)
    parse(source.text, schema)
    schema.settle()
    if not schema.tables and not schema.notes:
        raise Unreadable(losses.first or Place(1, 1), "a table: Table NAME { COLUMN TYPE }")
    return _Drawing(schema, source, losses).document()


class _Side(NamedTuple):
    """An end of a reference with its table."""

    table: DbmlTable
    end: ReferenceEnd


class _Drawing:
    def __init__(self, schema: DbmlSchema, source: Source, losses: Losses) -> None:
        self._schema = schema
        self._losses = losses
        self._assembly = Assembly("dbml", source)
        self._used: set[DbmlName] = set()
        self._sides = [self._sides_of(one) for one in schema.references]

    def document(self) -> JsonObject:
        """The document of the schema."""
        drawn = zip(self._sides, self._schema.references, strict=True)
        starts = [pair[0] for pair, one in drawn if pair is not None and one.operator != "<>"]
        referring = {(side.table.name, column) for side in starts for column in side.end.columns}
        for table in self._schema.tables.values():
            self._assembly.node(
                table.name.shown,
                nodeType="er.entity",
                label=table.name.shown,
                tooltip=self._comment(table),
                extensions={"columns": [self._column(table, one, referring) for one in table.columns.values()]},
            )
        for note in self._schema.notes:
            self._assembly.node(self._assembly.numbered(f"note {note.name}"), nodeType="note", label=note.text)
        self._draw_groups()
        for pair, reference in zip(self._sides, self._schema.references, strict=True):
            if pair is not None:
                self._draw(pair, reference)
        for what, place in self._schema.untold.items():
            self._losses.formless(place, f"{what}: not drawn")
        for one in self._schema.enumerations.values():
            if one.name not in self._used:
                self._losses.formless(one.place, f"enum {one.name.shown} is the type of no column")
        return self._assembly.document(_FAMILY, title=self._schema.title)

    def _comment(self, table: DbmlTable) -> str:
        """The notes on a table and its columns, and the values of columns of enumerations."""
        rows = [table.note]
        for column in table.columns.values():
            parts = column.type.replace('"', "").split(".")
            enumeration = self._schema.enumerations.get(DbmlName(".".join(parts[:-1]) or "public", parts[-1]))
            values = ""
            if enumeration is not None:
                self._used.add(enumeration.name)
                values = f"one of {', '.join(enumeration.values[:_VALUES_SHOWN])}"
                values += ", …" if len(enumeration.values) > _VALUES_SHOWN else ""
            said = "; ".join(part for part in (column.note, values) if part)
            if said:
                rows.append(f"{column.name}: {said}")
        return "\n".join(row for row in rows if row)

    @staticmethod
    def _column(table: DbmlTable, column: DbmlColumn, referring: set[tuple[DbmlName, str]]) -> JsonObject:
        is_key = column.name in table.key
        unique = frozenset({column.name}) in table.unique.get(column.name, ())
        flags = {
            "pk": is_key,
            "fk": (table.name, column.name) in referring,
            "unique": unique and not is_key,
            "nullable": not _is_required(table, column),
        }
        typed = {"type": column.type[:_LONGEST]} if column.type else {}
        return {"name": column.name[:_LONGEST], **typed, **{flag: True for flag, on in flags.items() if on}}

    def _draw_groups(self) -> None:
        grouped: set[DbmlName] = set()
        for group in self._schema.groups:
            children: list[str] = []
            for name, place in group.tables:
                table = self._schema.find(name)
                if table is None or table.name in grouped:
                    why = "is not defined here" if table is None else "is in a group already"
                    self._losses.formless(place, f"group {shown(group.name)} holds {shown(name.shown)}, which {why}")
                else:
                    grouped.add(table.name)
                    children.append(self._assembly.name(table.name.shown))
            name = self._assembly.numbered(f"group {group.name}")
            self._assembly.frame(name, title=group.name, tooltip=group.note, children=children)

    def _sides_of(self, reference: Reference) -> tuple[_Side, _Side] | None:
        """The referring and the referred end; None, and told, if a table is missing."""
        found: list[_Side] = []
        for end in (reference.left, reference.right):
            table = self._schema.find(end.table)
            if table is None:
                what = f"a reference leads to {shown(end.table.shown)}, which is not defined here"
                self._losses.formless(reference.place, what)
                return None
            missing = [name for name in end.columns if name not in table.columns]
            if missing:
                what = (
                    f"a reference leads to {shown(', '.join(missing))}, which {shown(table.name.shown)} does not have"
                )
                self._losses.formless(reference.place, what)
            found.append(_Side(table, end))
        left, right = found
        is_turned = reference.operator == "<" or (reference.operator == "-" and not reference.is_inline)
        return (right, left) if is_turned else (left, right)

    def _draw(self, pair: tuple[_Side, _Side], reference: Reference) -> None:
        start, target = pair
        own = {name for name in start.end.columns if name in start.table.columns}
        is_optional = any(not _is_required(start.table, start.table.columns[name]) for name in own)
        is_single = reference.operator == "-" or _is_unique(start)
        many, one = ("zero-or-one" if is_single else "zero-or-many"), ("zero-or-one" if is_optional else "one")
        if reference.operator == "<>":
            many = one = "zero-or-many"
        is_identifying = bool(own) and own <= start.table.key and reference.operator != "<>"
        self._assembly.edge(
            self._at(start, many),
            self._at(target, one),
            f"{_listed(start)} -> {_listed(target)}",
            edgeType="er.identifying" if is_identifying else "er.nonIdentifying",
        )

    def _at(self, side: _Side, cardinality: str) -> JsonObject:
        known = [name for name in side.end.columns if name in side.table.columns]
        row = {"column": known[0][:_LONGEST]} if known else {}
        return {"elementId": self._assembly.name(side.table.name.shown), **row, "cardinality": cardinality}


def _listed(side: _Side) -> str:
    return f"{side.table.name.shown}({','.join(side.end.columns)})"


def _is_required(table: DbmlTable, column: DbmlColumn) -> bool:
    return column.is_required or column.name in table.key


def _is_unique(side: _Side) -> bool:
    """Whether at most one row may refer to a row, by unique columns."""
    alone = set(side.end.columns)
    key, unique = side.table.key, side.table.unique
    return bool(key and key <= alone) or any(one <= alone for name in alone for one in unique.get(name, ()))
