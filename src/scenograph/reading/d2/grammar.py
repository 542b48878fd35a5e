"""The grammar of D2 (d2lang.com/tour). The words of a text depend on their place: a colon ends a key and not a value, a
quotation mark begins a text only where a word begins. A broken statement costs its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Cursor, shown

DEEPEST = 40  # maps and lists within each other
MOST_PARTS = 20  # of a name, parted by points
MOST_STATEMENTS = 40_000
LONGEST_NAME = 518  # characters, as in D2
_LONGEST_RUN = 2_000  # characters of a name as it is written

_SPACES = " \t\r\f\v\u00a0\ufeff"
_BETWEEN = re.compile(r"(?:[\s;\ufeff]++|#[^\n]*+)*+")
_IN_KEY = re.compile(r"(?:[^\n;#{}\[\]:.<>&\\*\-)]|-(?![->*]))++")
_IN_VALUE = re.compile(r"[^\n;#{}\[\]\\$*]++")
_IN_DOUBLE = re.compile(r"[^\"\\$\n]++")
_SINGLE = re.compile(r"'((?:[^'\n]|''|\\\n)*+)'")
_SUBSTITUTION = re.compile(r"\$\{[ \t]*([^{}\n]{1,200}?)[ \t]*\}")
_SPREAD = re.compile(r"\.\.\.\$\{[ \t]*([^{}\n]{1,200}?)[ \t]*\}")
_BLOCK = re.compile(r"\|([^\s\w]*+)([^\s]*+)([^\S\n]*+\n)?")
_ARROW = re.compile(r"(?P<start>[<*]|-)(?:-|\\\n[ \t]*)*+(?P<end>[>*]?)")
_INDEX = re.compile(r"\[[ \t]*(?:(?P<number>[0-9]{1,6})|(?P<all>\*))[ \t]*\]")
_ENDS_GROUP = re.compile(r"\)[^\S\n]*+(?=[\n#{}\[\]:.;]|\Z)")
_IMPORT = re.compile(r"(?:\.\.\.)?@[^\n;{}]*+")
_PARTS = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.]+)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "", "b": "", "f": "", "v": ""}
_AFTER = ("\n", ";", "}", "]", "#", "")


class D2Name(NamedTuple):
    """A part of a key. `pattern` has the pieces between the stars of a pattern; a name in quotes is never a keyword."""

    text: str
    is_quoted: bool = False
    pattern: tuple[str, ...] | None = None


Path = tuple[D2Name, ...]


class Variable(NamedTuple):
    """The use of a variable in a text."""

    path: tuple[str, ...]


class Scalar(NamedTuple):
    """A text with its variables. `tag` is the language of a block, "" outside blocks. `pattern` has the pieces between
    the stars of an unquoted text."""

    pieces: tuple[str | Variable, ...]
    is_quoted: bool = False
    tag: str = ""
    pattern: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """The text, variables as they are written."""
        return "".join(one if isinstance(one, str) else f"${{{'.'.join(one.path)}}}" for one in self.pieces)

    def is_word(self, *words: str) -> bool:
        """Whether the text is one of these words, outside quotes."""
        return not self.is_quoted and self.text.lower() in words


class D2Arrow(NamedTuple):
    """A connection of a statement."""

    start: Path
    end: Path
    start_arrow: bool
    end_arrow: bool


@dataclass(slots=True)
class D2Statement:
    """A key with its value, or connections. `index` chooses connections that exist: a number, or -1 for all.

    `filters`: 1 for a condition of a pattern, -1 for its opposite. A `spread` puts the members of a variable in its
    place."""

    place: Place
    key: Path = ()
    links: list[D2Arrow] = field(default_factory=list[D2Arrow])
    index: int | None = None
    link_key: Path = ()
    primary: Scalar | None = None
    value: D2Block | list[Scalar] | None = None
    filters: int = 0
    spread: Variable | None = None


@dataclass(slots=True)
class D2Block:
    """The statements between two brackets."""

    statements: list[D2Statement] = field(default_factory=list[D2Statement])


class _Odd(Exception):  # noqa: N818 - a state, as Unreadable is
    """A place where the grammar does not allow the next character. `expected` names the valid words."""

    def __init__(self, at: int, expected: str) -> None:
        super().__init__(expected)
        self.at = at
        self.expected = expected


def parse(text: str, losses: Losses) -> D2Block:
    """The statements of a text. Unreadable beyond MOST_STATEMENTS."""
    return _Parser(text, losses).body(0)


class _Parser:
    def __init__(self, text: str, losses: Losses) -> None:
        self._cursor = Cursor(text)
        self._losses = losses
        self._count = 0
        self._is_in_group = False

    def body(self, depth: int) -> D2Block:
        """The statements up to the closing bracket, which is passed, or to the end."""
        cursor, found = self._cursor, D2Block()
        start = cursor.at
        while True:
            self._pass_between()
            if cursor.done or self._losses.too_many(cursor.place()):
                if depth and cursor.done:
                    self._losses.unread(cursor.place(start), "the bracket '{' is not closed")
                cursor.at = len(cursor.text)
                return found
            if cursor.take("}"):
                if depth:
                    return found
                self._losses.unread(cursor.place(cursor.at - 1), "'}' closes no bracket")
                continue
            try:
                found.statements += self._statement(depth)
                self._end_of_statement("}")
            except _Odd as wrong:
                found_there = cursor.text[wrong.at : wrong.at + 80].partition("\n")[0].strip()
                told = shown(found_there, 20) if found_there else "the end of the line"
                self._losses.unread(cursor.place(wrong.at), f"expected {wrong.expected}, not {told}")
                self._recover(depth)

    def _pass_between(self) -> None:
        """Pass blanks and comments."""
        cursor = self._cursor
        while True:
            cursor.at = _BETWEEN.match(cursor.text, cursor.at).end()  # type: ignore[union-attr] - matches nothing as well
            if not cursor.take('"""'):
                return
            end = cursor.text.find('"""', cursor.at)
            if end < 0:
                self._losses.unread(cursor.place(cursor.at - 3), 'the comment """ is not closed')
            cursor.at = len(cursor.text) if end < 0 else end + 3

    def _recover(self, depth: int) -> None:
        """Pass the rest of a broken line, with the brackets that it opens."""
        cursor = self._cursor
        while (mark := cursor.peek()) not in {"", "\n", ";"}:
            cursor.at += 1
            if mark == "{" and depth < DEEPEST:
                self.body(depth + 1)
            elif mark == "}" and depth:
                cursor.at -= 1
                return

    def _end_of_statement(self, closing: str) -> None:
        cursor = self._cursor
        cursor.skip(_SPACES)
        if cursor.peek() not in {"\n", ";", "#", "", closing}:
            raise _Odd(cursor.at, "the end of the line")

    def _statement(self, depth: int) -> Iterator[D2Statement]:
        """A statement; none for an import, of which no file is opened."""
        cursor = self._cursor
        place = cursor.place()
        self._count_one()
        if (spread := _SPREAD.match(cursor.text, cursor.at)) is not None:
            cursor.at = spread.end()
            yield D2Statement(place, spread=_variable(spread[1]))
        elif cursor.at_mark("...@"):
            self._import()
        else:
            yield self._keyed(place, depth)

    def _count_one(self) -> None:
        self._count += 1
        if self._count > MOST_STATEMENTS:
            raise Unreadable(self._cursor.place(), f"at most {MOST_STATEMENTS} statements, connections and values")

    def _import(self) -> None:
        cursor = self._cursor
        found = _IMPORT.match(cursor.text, cursor.at)
        assert found is not None  # noqa: S101 - called at its marks
        self._losses.unread(cursor.place(), f"{shown(found[0].strip(), 40)}: other files are not read")
        cursor.at = found.end()

    def _keyed(self, place: Place, depth: int) -> D2Statement:
        cursor, made = self._cursor, D2Statement(place)
        if cursor.take("!&"):
            made.filters = -1
        elif cursor.take("&"):
            made.filters = 1
        if not cursor.at_mark("("):
            made.key = self._path()
            cursor.skip(_SPACES)
        if cursor.at_mark("(") and not made.links:
            self._group(made)
        elif _ARROW.match(cursor.text, cursor.at):
            made.links = self._links(made.key)
            made.key = ()
        if not made.key and not made.links:
            raise _Odd(cursor.at, "a name or a connection")
        self._value(made, depth)
        return made

    def _group(self, made: D2Statement) -> None:
        """A connection in parentheses, by its number."""
        cursor = self._cursor
        cursor.take("(")
        self._is_in_group = True
        try:
            made.links = self._links(self._path())
        finally:
            self._is_in_group = False
        cursor.skip(_SPACES)
        if not cursor.take(")"):
            raise _Odd(cursor.at, "')'")
        cursor.skip(_SPACES)
        if (index := _INDEX.match(cursor.text, cursor.at)) is not None:
            made.index = int(index["number"]) if index["number"] else -1
            cursor.at = index.end()
        cursor.skip(_SPACES)
        if cursor.take("."):
            made.link_key = self._path()

    def _links(self, start: Path) -> list[D2Arrow]:
        cursor, found = self._cursor, list[D2Arrow]()
        while True:
            cursor.skip(_SPACES)
            arrow = _ARROW.match(cursor.text, cursor.at)
            if arrow is None:
                if not found:
                    raise _Odd(cursor.at, "a connection: ->, <-, <-> or --")
                return found
            if not start:
                raise _Odd(cursor.at, "a name before the connection")
            cursor.at = arrow.end()
            end = self._path()
            if not end:
                raise _Odd(cursor.at, "a name behind the connection")
            self._count_one()
            found.append(D2Arrow(start, end, arrow["start"] == "<", arrow["end"] == ">"))
            start = end

    def _path(self) -> Path:
        """The names of a key, parted by points."""
        cursor, found = self._cursor, list[D2Name]()
        while True:
            cursor.skip(_SPACES)
            if cursor.take("."):
                continue
            name = self._name()
            if name is None:
                return tuple(found)
            if len(name.text) > LONGEST_NAME:
                raise _Odd(cursor.at, f"a name of at most {LONGEST_NAME} characters")
            found.append(name)
            if len(found) > MOST_PARTS:
                raise _Odd(cursor.at, f"a name of at most {MOST_PARTS} parts")
            cursor.skip(_SPACES)
            if not cursor.take("."):
                return tuple(found)

    def _name(self) -> D2Name | None:
        cursor = self._cursor
        mark = cursor.peek()
        if mark == '"':
            return D2Name(self._double(is_key=True).text, is_quoted=True)
        if mark == "'":
            return D2Name(self._single(), is_quoted=True)
        if mark == "|":
            return D2Name(self._block().text, is_quoted=True)
        if mark == "(":
            return None
        pieces, stars = self._unquoted_name()
        text = "*".join(pieces).strip()
        if not text:
            return None
        pattern = (pieces[0].lstrip(), *pieces[1:-1], pieces[-1].rstrip()) if stars else None
        return D2Name(text, pattern=pattern)

    def _unquoted_name(self) -> tuple[list[str], int]:
        """The pieces between stars, and the number of stars."""
        cursor, pieces, stars = self._cursor, [""], 0
        start = cursor.at
        while True:
            if cursor.at - start > _LONGEST_RUN:
                raise _Odd(cursor.at, f"a name of at most {LONGEST_NAME} characters")
            if (found := _IN_KEY.match(cursor.text, cursor.at)) is not None:
                pieces[-1] += found[0]
                cursor.at = found.end()
            elif cursor.at_mark("\\"):
                pieces[-1] += self._escape()
            elif cursor.take("*"):
                pieces.append("")
                stars += 1
            elif cursor.at_mark(")") and not (self._is_in_group and _ENDS_GROUP.match(cursor.text, cursor.at)):
                pieces[-1] += ")"
                cursor.at += 1
            else:
                return pieces, stars

    def _escape(self) -> str:
        """The character behind a backslash; "" for the end of a line with the blanks of the next one."""
        cursor = self._cursor
        mark = cursor.text[cursor.at + 1 : cursor.at + 2]
        cursor.at += 2
        if mark != "\n":
            return _ESCAPED.get(mark, mark)
        cursor.skip(_SPACES)
        return ""

    # Values.

    def _value(self, made: D2Statement, depth: int) -> None:
        cursor = self._cursor
        cursor.skip(_SPACES)
        if not cursor.take(":"):
            if cursor.at_mark("{"):
                made.value = self._map(depth)
            return
        cursor.skip(_SPACES)
        if cursor.at_mark("{"):
            made.value = self._map(depth)
        elif cursor.at_mark("["):
            made.value = self._list(depth)
        elif cursor.at_mark("@"):
            self._import()
        else:
            made.primary = self._scalar()
            if made.primary is None and cursor.peek() not in _AFTER:
                raise _Odd(cursor.at, "a value")
            cursor.skip(_SPACES)
            if cursor.at_mark("{"):
                made.value = self._map(depth)

    def _map(self, depth: int) -> D2Block:
        if depth >= DEEPEST:
            raise _Odd(self._cursor.at, f"brackets at most {DEEPEST} deep")
        self._cursor.take("{")
        return self.body(depth + 1)

    def _list(self, depth: int) -> list[Scalar]:
        """The texts of a list; lists and maps within it are passed over."""
        cursor, found = self._cursor, list[Scalar]()
        start = cursor.at
        cursor.take("[")
        while True:
            self._pass_between()
            if cursor.done:
                raise _Odd(start, "']' that closes the list")
            if cursor.take("]"):
                return found
            self._count_one()
            if (spread := _SPREAD.match(cursor.text, cursor.at)) is not None:
                cursor.at = spread.end()
                found.append(Scalar((_variable(spread[1]),)))
            elif cursor.at_mark("{") or cursor.at_mark("["):
                self._losses.formless(cursor.place(), "lists and maps within a list are left out")
                _ = self._map(depth) if cursor.at_mark("{") else self._nested_list(depth)
            elif (one := self._scalar()) is not None:
                found.append(one)
            else:
                raise _Odd(cursor.at, "a value of the list")
            self._end_of_statement("]")

    def _nested_list(self, depth: int) -> list[Scalar]:
        if depth >= DEEPEST:
            raise _Odd(self._cursor.at, f"lists at most {DEEPEST} deep")
        return self._list(depth + 1)

    def _scalar(self) -> Scalar | None:
        cursor = self._cursor
        mark = cursor.peek()
        if mark == '"':
            return self._double()
        if mark == "'":
            return Scalar((self._single(),), is_quoted=True)
        if mark == "|":
            return self._block()
        return self._unquoted()

    def _unquoted(self) -> Scalar | None:
        cursor, pieces, stars = self._cursor, list[str | Variable](), [""]
        while True:
            if (found := _IN_VALUE.match(cursor.text, cursor.at)) is not None:
                _append(pieces, found[0])
                stars[-1] += found[0]
                cursor.at = found.end()
            elif (found := _SUBSTITUTION.match(cursor.text, cursor.at)) is not None:
                pieces.append(_variable(found[1]))
                cursor.at = found.end()
            elif cursor.at_mark("\\"):
                _append(pieces, self._escape())
            elif cursor.at_mark("*"):
                stars.append("")
                _append(pieces, "*")
                cursor.at += 1
            elif cursor.at_mark("$"):
                _append(pieces, "$")
                cursor.at += 1
            else:
                break
        if pieces and isinstance(pieces[-1], str):
            pieces[-1] = pieces[-1].rstrip()
        stars[-1] = stars[-1].rstrip()
        pieces = [one for one in pieces if one != ""]
        return Scalar(tuple(pieces), pattern=tuple(stars) if len(stars) > 1 else None) if pieces else None

    def _double(self, *, is_key: bool = False) -> Scalar:
        cursor, pieces = self._cursor, list[str | Variable]()
        start = cursor.at
        cursor.take('"')
        while not cursor.take('"'):
            if (found := _IN_DOUBLE.match(cursor.text, cursor.at)) is not None:
                _append(pieces, found[0])
                cursor.at = found.end()
            elif not is_key and (found := _SUBSTITUTION.match(cursor.text, cursor.at)) is not None:
                pieces.append(_variable(found[1]))
                cursor.at = found.end()
            elif cursor.at_mark("\\"):
                _append(pieces, self._escape())
            elif cursor.take("$"):
                _append(pieces, "$")
            else:
                raise _Odd(start, "a text that ends with its quotation mark")
        return Scalar(tuple(pieces) or ("",), is_quoted=True)

    def _single(self) -> str:
        found = _SINGLE.match(self._cursor.text, self._cursor.at)
        if found is None:
            start, self._cursor.at = self._cursor.at, self._cursor.line_end()
            raise _Odd(start, "a text that ends with its quotation mark")
        self._cursor.at = found.end()
        return found[1].replace("''", "'").replace("\\\n", "")

    def _block(self) -> Scalar:
        """A text between bars; the marks behind the first bar come before the last one."""
        cursor = self._cursor
        start = cursor.at
        begins = _BLOCK.match(cursor.text, start)
        assert begins is not None  # noqa: S101 - called at a bar
        quote = begins[1]
        ends = f"{quote[-1:]}{quote[1:]}|" if quote else "|"
        end = cursor.text.find(ends, begins.end())
        if end < 0:
            cursor.at = len(cursor.text)
            self._losses.unread(cursor.place(start), f"the text before {shown(ends)} is not closed")
            return Scalar(("",), is_quoted=True)
        cursor.at = end + len(ends)
        text = dedent(cursor.text[begins.end() : end]).strip("\n").rstrip()
        return Scalar((text,), is_quoted=True, tag=begins[2] or "md")


def _append(pieces: list[str | Variable], text: str) -> None:
    if pieces and isinstance(pieces[-1], str):
        pieces[-1] += text
    else:
        pieces.append(text)


def _variable(text: str) -> Variable:
    return Variable(tuple((one[1] or one[2] or one[3]).strip() for one in _PARTS.finditer(text)))
