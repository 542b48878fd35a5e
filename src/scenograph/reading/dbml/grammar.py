"""The grammar of DBML (dbml.org/docs). A broken line of a table costs itself, any other broken part its element."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from textwrap import dedent
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading.dbml.model import (
    OPERATORS,
    PUBLIC,
    SAME,
    DbmlColumn,
    DbmlName,
    DbmlSchema,
    DbmlTable,
    Enumeration,
    Index,
    Reference,
    ReferenceEnd,
    Sticky,
    TableGroup,
)
from scenograph.reading.losses import Place
from scenograph.reading.source import shown
from scenograph.reading.tokens import END, Token, Tokens, Unexpected

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


class DbmlSetting(NamedTuple):
    """A setting in square brackets: its value as text, and where a `ref` leads to."""

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
        """The lines of a body up to its closing bracket, a broken one passed over."""
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

    def _set(self, column: DbmlColumn, setting: DbmlSetting) -> None:
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

    def _settings(self) -> list[DbmlSetting]:
        """The settings in square brackets, if any."""
        tokens, found = self._tokens, list[DbmlSetting]()
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

    def _setting(self) -> DbmlSetting:
        tokens = self._tokens
        first, words = tokens.peek(), list[str]()
        while tokens.peek().kind == "word":
            words.append(tokens.next().text.lower())
        name, place = " ".join(words), tokens.place(first.at)
        if not words:
            raise Unexpected(first, "a setting")
        if not tokens.take(":"):
            return DbmlSetting(name, "", place)
        if name == "ref":
            return DbmlSetting(name, "", place, (self._operator(), self._end(is_inline=True), place))
        value = ""
        while not tokens.is_at(",", "]"):
            token = tokens.next()
            if token.kind == END:
                raise Unexpected(token, "']'")
            if token.text == "(":
                self._closing(")")
            value = value or (_text(token.text) if token.kind in _VALUES else "")
        return DbmlSetting(name, value, place)

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
        """Pass the rest of a line, with the blocks that begin in it."""
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
