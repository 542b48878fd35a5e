"""The language D2 (d2lang.com/tour): the grammar of a text, and its statements carried out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from textwrap import dedent
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.source import Cursor, Losses, Place, TooLarge, Unreadable, shown

# The grammar of D2 (d2lang.com/tour). The words of a text depend on their place: a colon ends a key and not a value, a
# quotation mark begins a text only where a word begins. A broken statement costs its line.

DEEPEST = 40  # maps and lists within each other
_MOST_PARTS = 20  # of a name, parted by points
_MOST_STATEMENTS = 40_000
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
        """Whether the text is among the words, outside quotes."""
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
    """The statements of a text. Unreadable beyond _MOST_STATEMENTS."""
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
        """Pass the rest of a broken line, with all opened brackets."""
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
        if self._count > _MOST_STATEMENTS:
            raise Unreadable(self._cursor.place(), f"at most {_MOST_STATEMENTS} statements, connections and values")

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
            if len(found) > _MOST_PARTS:
                raise _Odd(cursor.at, f"a name of at most {_MOST_PARTS} parts")
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


# The statements of D2 carried out: fields with their values and connections, as D2's compiler leaves them. Patterns
# hold for fields that exist at their place and for later ones, where they give way to explicit values.

BOARDS = ("layers", "scenarios", "steps")
RESERVED = frozenset(
    {"label", "shape", "icon", "constraint", "tooltip", "link", "near", "width", "height", "direction", "top", "left"}
    | {"grid-rows", "grid-columns", "grid-gap", "vertical-gap", "horizontal-gap", "class", "classes", "vars", "style"}
    | {"source-arrowhead", "target-arrowhead", "opacity", "stroke", "fill", "fill-pattern", "stroke-width"}
    | {"stroke-dash", "border-radius", "font", "font-size", "font-color", "bold", "italic", "underline"}
    | {"text-transform", "shadow", "multiple", "double-border", "3d", "animated", "filled"}
)
WITH_ROWS = frozenset({"sql_table", "class"})  # shapes whose members are rows
KEYWORDS = RESERVED | frozenset(BOARDS)
_HOLDERS = frozenset((*BOARDS, "vars", "classes"))
_DEEP = frozenset({"**", "***"})  # patterns for all levels
_FIELDS_AN_ELEMENT = 12  # fields of a scene's element, on average
_WORK_A_FIELD = 3  # steps of copies, patterns and variables for a field, on average
_MOST_ROUNDS = 8  # of patterns that make fields for patterns
_MOST_CHAINED = 64  # variables of variables
MOST_LETTERS = 4_000_000  # of texts with variables


_Ends = tuple[int, int]


@dataclass(slots=True, eq=False)
class D2Field:
    """A field: an object, a keyword, or a variable. `is_soft` for a value of a pattern, which gives way to others;
    `maker` is the pattern that made the field. `uses` is the number of ends of connections that name it."""

    name: D2Name
    place: Place
    owner: D2Map | None = None
    order: int = 0
    primary: Scalar | None = None
    is_soft: bool = False
    map: D2Map | None = None
    items: list[Scalar] | None = None
    is_suspended: bool = False
    maker: D2Statement | None = None
    uses: int = 0

    @property
    def keyword(self) -> str:
        """The keyword that the field is, "" for an object."""
        word = self.name.text.lower()
        return word if word in KEYWORDS and not self.name.is_quoted else ""

    @property
    def key(self) -> str:
        """The key of the field in its map."""
        return _key(self.name)

    @property
    def body(self) -> D2Map:
        """The members, made on first use."""
        if self.map is None:
            self.map = D2Map(self)
        return self.map

    def text(self, name: str) -> str | None:
        """The text of a member."""
        found = self.map.find(name) if self.map is not None else None
        return None if found is None or found.primary is None else found.primary.text


@dataclass(slots=True, eq=False)
class D2Map:
    """Members in their order. Connections stand in the innermost map around both ends; `between` has them by ends."""

    owner: D2Field | D2Connection | None = None
    fields: dict[str, D2Field] = field(default_factory=dict[str, D2Field])
    connections: list[D2Connection] = field(default_factory=list["D2Connection"])
    between: dict[_Ends, list[D2Connection]] = field(default_factory=dict[_Ends, "list[D2Connection]"])
    spreads: list[tuple[Variable, Place]] = field(default_factory=list[tuple[Variable, Place]])

    def find(self, name: str) -> D2Field | None:
        """The keyword of this name."""
        found = self.fields.get(name)
        return found if found is not None and not found.name.is_quoted else None

    def objects(self) -> Iterator[D2Field]:
        """The members that are objects."""
        return (one for one in self.fields.values() if not one.keyword)


@dataclass(slots=True, eq=False)
class D2Connection:
    """A connection; `order` counts in the order of the source, with fields. `scope` is the map in which it is written,
    `owner` the innermost map around both ends."""

    start: D2Field
    end: D2Field
    start_arrow: bool
    end_arrow: bool
    place: Place
    owner: D2Map
    scope: D2Map
    order: int = 0
    primary: Scalar | None = None
    is_soft: bool = False
    map: D2Map | None = None
    is_suspended: bool = False

    @property
    def body(self) -> D2Map:
        """The members, made on first use."""
        if self.map is None:
            self.map = D2Map(self)
        return self.map


_Holder = D2Field | D2Connection


@dataclass(slots=True, eq=False)
class _Pattern:
    """A statement with a pattern, to hold for later fields as well. `done`: fields, connections and pairs of ends by
    their identity."""

    statement: D2Statement
    scope: D2Map
    done: set[int | _Ends] = field(default_factory=set["int | _Ends"])


def evaluate(body: D2Block, losses: Losses, most: int) -> D2Map:
    """The root of a text, variables in place. Raises TooLarge."""
    evaluation = _Evaluation(losses, most)
    root = D2Map()
    evaluation.run(root, body.statements)
    for _ in range(2):  # a variable may hold members for patterns, and a pattern variables
        evaluation.settle_patterns()
        evaluation.substitute(root, ())
    return root


class _Evaluation:
    def __init__(self, losses: Losses, most: int) -> None:
        self._losses = losses
        self._most = most
        self._fields = _FIELDS_AN_ELEMENT * most
        self._work = _WORK_A_FIELD * self._fields
        self._letters = MOST_LETTERS
        self._order = 0
        self._patterns: list[_Pattern] = []
        self._maker: D2Statement | None = None
        self._is_soft = False
        self._open: set[int] = set()
        self._chained = 0

    # Statements.

    def run(self, scope: D2Map, statements: Sequence[D2Statement]) -> None:
        """Carry out statements in a map."""
        for one in statements:
            if not one.filters:
                self._run_one(scope, one)

    def _run_one(self, scope: D2Map, said: D2Statement) -> None:
        self._spend(1)
        if said.spread is not None:
            scope.spreads.append((said.spread, said.place))
        elif _has_pattern(said):
            if self._maker is None:
                self._patterns.append(_Pattern(said, scope))
            self._match(self._patterns[-1] if self._maker is None else _Pattern(said, scope))
        elif said.links:
            self._connect(scope, said, set())
        else:
            found = self._ensure(scope, said.key, said.place)
            if found is not None:
                self._assign(found, said)

    def _assign(self, target: _Holder, said: D2Statement) -> None:
        """Give a field or a connection the value of a statement."""
        if not self._passes(target, said):
            return
        primary = said.primary
        if primary is not None and said.value is None and primary.is_word("null"):
            self._delete(target)
            return
        if primary is not None and primary.is_word("suspend", "unsuspend"):
            if not self._is_soft:
                _suspend(target, is_on=primary.is_word("suspend"))
            return
        if primary is not None and (not self._is_soft or target.primary is None or target.is_soft):
            target.primary, target.is_soft = primary, self._is_soft
        if isinstance(said.value, D2Block):
            self.run(target.body, said.value.statements)
        elif said.value is not None and isinstance(target, D2Field):
            target.items = said.value

    def _delete(self, target: _Holder) -> None:
        """Remove a field with its connections, or a connection."""
        if target.owner is None:
            return
        if isinstance(target, D2Connection):
            self._remove(target.owner, {id(target)})
            return
        target.owner.fields.pop(target.key, None)
        around: D2Map | None = target.owner
        while around is not None:
            self._spend(len(around.connections))
            lost = [one for one in around.connections if _is_within(one.start, target) or _is_within(one.end, target)]
            if lost:
                self._remove(around, {id(one) for one in lost})
            around = around.owner.owner if around.owner is not None else None

    def _remove(self, owner: D2Map, lost: set[int]) -> None:
        self._spend(len(owner.connections))
        owner.connections = [one for one in owner.connections if id(one) not in lost]
        owner.between.clear()
        for one in owner.connections:
            owner.between.setdefault((id(one.start), id(one.end)), []).append(one)

    def _ensure(self, scope: D2Map, path: Path, place: Place) -> D2Field | None:
        """The field of a path, made where missing; None, and told, for a path out of the text."""
        found: D2Field | None = None
        for name in path:
            if name.text == "_" and not name.is_quoted:
                outer = scope.owner
                scope = outer.owner if outer is not None and outer.owner is not None else scope
                found = scope.owner if isinstance(scope.owner, D2Field) else None
                continue
            if found is not None:
                scope = found.body
            found = self._member(scope, name, place)
        return found

    def _member(self, scope: D2Map, name: D2Name, place: Place) -> D2Field:
        key = _key(name)
        found = scope.fields.get(key)
        if found is None:
            self._fields -= 1
            if self._fields < 0:
                raise TooLarge(self._most)
            self._order += 1
            found = D2Field(D2Name(name.text, name.is_quoted), place, scope, self._order, maker=self._maker)
            scope.fields[key] = found
        return found

    # Connections.

    def _connect(self, scope: D2Map, said: D2Statement, done: set[int | _Ends]) -> None:
        """Make or choose connections, except the known ones in `done`, and assign the value of the statement."""
        for outer in list(self._matches(scope, said.key, said.place)) if said.key else [scope.owner]:
            inside = scope if outer is scope.owner or outer is None else outer.body
            for link in said.links:
                if said.index is not None:
                    chosen = self._chosen(inside, link, said.index)
                    if not chosen and not _has_pattern(said) and said.index >= 0:
                        self._losses.formless(said.place, "a connection of this number does not exist")
                else:
                    chosen = self._new_connections(inside, link, said.place, done)
                for one in chosen:
                    if id(one) not in done and self._passes(one, said):
                        done.add(id(one))
                        member = self._ensure(one.body, said.link_key, said.place) if said.link_key else one
                        if member is not None:
                            self._assign(member, said)

    def _new_connections(self, scope: D2Map, link: D2Arrow, place: Place, done: set[int | _Ends]) -> list[D2Connection]:
        starts, ends = (self._ends(scope, path, place) for path in (link.start, link.end))
        is_pattern = _is_pattern(link.start) or _is_pattern(link.end)
        self._spend(len(starts) * len(ends))
        found = list[D2Connection]()
        for start, end in product(starts, ends):
            is_odd = start is end or _is_within(start, end) or _is_within(end, start)
            if is_pattern and (is_odd or (id(start), id(end)) in done):
                continue
            done.add((id(start), id(end)))
            around = _common(start, end)
            if _is_keyed(start, around) or _is_keyed(end, around):
                self._tell_no_object(place, link.start if _is_keyed(start, around) else link.end)
                continue
            found.append(self._new_connection(scope, start, end, link, place))
        return found

    def _new_connection(self, scope: D2Map, start: D2Field, end: D2Field, link: D2Arrow, place: Place) -> D2Connection:
        self._fields -= 1
        if self._fields < 0:
            raise TooLarge(self._most)
        self._order += 1
        owner = _common(start, end) or scope
        made = D2Connection(start, end, link.start_arrow, link.end_arrow, place, owner, scope, self._order)
        start.uses += 1
        end.uses += 1
        owner.connections.append(made)
        owner.between.setdefault((id(start), id(end)), []).append(made)
        return made

    def _ends(self, scope: D2Map, path: Path, place: Place) -> list[D2Field]:
        if _is_pattern(path):
            is_deep = any(name.text in _DEEP for name in path)
            found_all = self._matches(scope, path, place)
            return [one for one in found_all if not (is_deep and one.map is not None and any(one.map.objects()))]
        found = self._ensure(scope, path, place)
        if found is None or _in_keyword(found):
            self._tell_no_object(place, path)
            return []
        return [found]

    def _tell_no_object(self, place: Place, path: Path) -> None:
        told = shown(".".join(one.text for one in path))
        self._losses.formless(place, f"a connection at {told}, which is no object")

    def _chosen(self, scope: D2Map, link: D2Arrow, index: int) -> list[D2Connection]:
        """Known connections between two ends: all, or one by number."""
        is_all = _is_pattern(link.start) or _is_pattern(link.end)
        if is_all:
            held = list(_all_connections(scope)) if _is_deep(link) else scope.connections
            self._spend(len(held))
            found = [one for one in held if _fits(scope, one.start, link.start) and _fits(scope, one.end, link.end)]
        else:
            start, end = (self._known(scope, path) for path in (link.start, link.end))
            if start is None or end is None:
                return []
            found = (_common(start, end) or scope).between.get((id(start), id(end)), [])
            self._spend(len(found))
        arrows = (link.start_arrow, link.end_arrow)
        found = [one for one in found if (one.start_arrow, one.end_arrow) == arrows]
        return found if index < 0 else found[index : index + 1]

    @staticmethod
    def _known(scope: D2Map, path: Path) -> D2Field | None:
        found: D2Field | None = None
        inside: D2Map | None = scope
        for name in path:
            if name.text == "_" and not name.is_quoted and inside is not None and inside.owner is not None:
                inside = inside.owner.owner
                continue
            found = inside.fields.get(name.text.lower()) if inside is not None else None
            if found is None:
                return None
            inside = found.map
        return found

    # Patterns.

    def settle_patterns(self) -> None:
        """Carry out each pattern for all later fields and connections."""
        self._is_soft = True
        for _ in range(_MOST_ROUNDS):
            before = self._order
            for pattern in self._patterns:
                self._match(pattern)
            if self._order == before:
                break
        self._is_soft = False

    def _match(self, pattern: _Pattern) -> None:
        said, scope = pattern.statement, pattern.scope
        outer, self._maker = self._maker, said
        try:
            if said.links:
                self._connect(scope, said, pattern.done)
                return
            for found in list(self._matches(scope, said.key, said.place)):
                if id(found) not in pattern.done and found.maker is not said and self._passes(found, said):
                    pattern.done.add(id(found))
                    self._assign(found, said)
        finally:
            self._maker = outer

    def _matches(self, scope: D2Map, path: Path, place: Place) -> Iterator[D2Field]:
        """The fields that a path with stars names; names behind the last star are made."""
        if not _is_pattern(path):
            found = self._ensure(scope, path, place)
            if found is not None:
                yield found
            return
        first, rest = path[0], path[1:]
        if first.pattern is None:
            if first.text == "_" and scope.owner is not None and scope.owner.owner is not None:
                yield from self._matches(scope.owner.owner, rest, place)
                return
            held = self._ensure(scope, path[:1], place)
            if held is not None:
                yield from self._matches(held.body, rest, place)
            return
        is_deep = first.text in _DEEP
        for one in list(_deep(scope) if is_deep else scope.objects()):
            self._spend(len(first.pattern))
            if is_deep or _matches_text(one.name.text, first.pattern):
                if not rest:
                    yield one
                elif rest:
                    yield from self._matches(one.body, rest, place)

    def _passes(self, target: _Holder, said: D2Statement) -> bool:
        """Whether a field or connection meets the conditions of a statement."""
        if not isinstance(said.value, D2Block):
            return True
        wanted = [one for one in said.value.statements if one.filters]
        self._spend(len(wanted))
        return all(_meets(target, one) == (one.filters > 0) for one in wanted)

    # Variables.

    def substitute(self, scope: D2Map, stack: tuple[D2Map, ...]) -> None:
        """Put the values of variables in their places; the innermost `vars` counts first."""
        own = scope.find("vars")
        if own is not None and own.map is not None:
            stack = (own.map, *stack)
        for wanted, place in scope.spreads:
            self._spread(scope, wanted, place, stack)
        scope.spreads.clear()
        for one in list(scope.fields.values()):
            self._spend(1)
            self._fill(one, stack)
        for link in scope.connections:
            self._fill(link, stack)

    def _fill(self, one: _Holder, stack: tuple[D2Map, ...]) -> None:
        if id(one) in self._open:
            return
        self._open.add(id(one))
        if one.primary is not None and any(isinstance(piece, Variable) for piece in one.primary.pieces):
            self._fill_text(one, one.primary, stack)
        if isinstance(one, D2Field) and one.items is not None:
            one.items = [row for item in one.items for row in self._item(item, stack, one.place)]
        if one.map is not None:
            self.substitute(one.map, stack)
        self._open.discard(id(one))

    def _fill_text(self, one: _Holder, said: Scalar, stack: tuple[D2Map, ...]) -> None:
        alone = said.pieces[0] if len(said.pieces) == 1 else None
        if isinstance(alone, Variable) and (found := self._variable(alone, stack, one)) is not None:
            one.primary = found.primary
            if found.map is not None:
                self._copy(found.map, one.body)
            if isinstance(one, D2Field):
                one.items = found.items
            return
        pieces = list[str]()
        for piece in said.pieces:
            found = self._variable(piece, stack, one) if isinstance(piece, Variable) else None
            if isinstance(piece, Variable) and found is None:
                self._losses.formless(one.place, f"the variable {shown('.'.join(piece.path))} is not defined here")
            pieces.append(piece if isinstance(piece, str) else _text_of(found, piece))
            self._letters -= len(pieces[-1])
            if self._letters < 0:
                raise TooLarge(self._most)
        one.primary = said._replace(pieces=("".join(pieces),))

    def _item(self, item: Scalar, stack: tuple[D2Map, ...], place: Place) -> list[Scalar]:
        if not any(isinstance(piece, Variable) for piece in item.pieces):
            return [item]
        held = D2Field(D2Name(""), place, primary=item)
        self._fill_text(held, item, stack)
        self._spend(len(held.items or ()))
        return held.items or ([held.primary] if held.primary is not None else [])

    def _variable(self, wanted: Variable, stack: tuple[D2Map, ...], user: _Holder | None) -> D2Field | None:
        for at, held in enumerate(stack):
            found: D2Field | None = None
            inside: D2Map | None = held
            for name in wanted.path:
                found = inside.fields.get(name.lower()) if inside is not None else None
                inside = found.map if found is not None else None
            if found is not None and found is not user and id(found) not in self._open:
                if self._chained >= _MOST_CHAINED:
                    raise Unreadable(found.place, f"at most {_MOST_CHAINED} variables that lead to each other")
                self._chained += 1
                self._fill(found, stack[at:])
                self._chained -= 1
                return found
        return None

    def _spread(self, scope: D2Map, wanted: Variable, place: Place, stack: tuple[D2Map, ...]) -> None:
        """Put the members of a variable in the place of `...${x}`."""
        found = self._variable(wanted, stack, scope.owner)
        if found is None or found.map is None:
            self._losses.formless(place, f"the variable {shown('.'.join(wanted.path))} has no members to put here")
            return
        self._copy(found.map, scope)

    def _copy(self, source: D2Map, target: D2Map) -> None:
        """Add copies of members and connections; members that exist stay."""
        for one in source.fields.values():
            known = one.keyword in {"vars", "classes"} or one.name.text.lower() in target.fields
            made = self._member(target, one.name, one.place)
            if not known:
                made.primary, made.items = one.primary, one.items
            if one.map is not None:
                self._copy(one.map, made.body)
        for link in source.connections:
            start, end = (_mirrored(one, source, target) for one in (link.start, link.end))
            if start is not None and end is not None:
                made = D2Arrow((), (), link.start_arrow, link.end_arrow)
                copied = self._new_connection(target, start, end, made, link.place)
                copied.primary = link.primary
                if link.map is not None:
                    self._copy(link.map, copied.body)

    def _spend(self, steps: int) -> None:
        """Count work out of proportion to the source. Raises TooLarge beyond the limit."""
        self._work -= steps
        if self._work < 0:
            raise TooLarge(self._most)


def _key(name: D2Name) -> str:
    """Names are alike in either case; a name in quotes is no keyword."""
    word = name.text.lower()
    return f'"{word}"' if name.is_quoted and word in KEYWORDS else word


def _text_of(found: D2Field | None, wanted: Variable) -> str:
    if found is None or found.primary is None:
        return f"${{{'.'.join(wanted.path)}}}"
    return found.primary.text


def _mirrored(one: D2Field, source: D2Map, target: D2Map) -> D2Field | None:
    """The field of another map at the same path."""
    path = list[str]()
    at: D2Field | None = one
    while at is not None and at.owner is not None:
        path.append(at.name.text.lower())
        if at.owner is source:
            break
        at = at.owner.owner if isinstance(at.owner.owner, D2Field) else None
    found: D2Field | None = None
    inside: D2Map | None = target
    for name in reversed(path):
        found = inside.fields.get(name) if inside is not None else None
        inside = found.map if found is not None else None
    return found


def _suspend(target: _Holder, *, is_on: bool) -> None:
    """Leave out a field or a connection between given ends, or take the omission back."""
    target.is_suspended = is_on
    if isinstance(target, D2Connection) and not is_on:
        for end in (target.start, target.end):
            for one in chain_of(end):
                one.is_suspended = False


def _is_within(inner: D2Field, outer: D2Field) -> bool:
    """Whether a field equals a second field, or lies within."""
    return any(one is outer for one in chain_of(inner))


def chain_of(one: D2Field) -> Iterator[D2Field]:
    """A field and the fields around it."""
    at: D2Field | None = one
    while at is not None:
        yield at
        holder = at.owner.owner if at.owner is not None else None
        at = holder if isinstance(holder, D2Field) else None


def _in_keyword(one: D2Field) -> bool:
    """Whether a field is a property, or stands in one."""
    return any(each.keyword and each.keyword not in _HOLDERS for each in chain_of(one))


def _is_keyed(one: D2Field, around: D2Map | None) -> bool:
    """Whether a field is a board, a class or a variable for a map: a keyword stands between the two."""
    for each in chain_of(one):
        holder = each.owner.owner if each.owner is not None else None
        if each.keyword or (each is one and isinstance(holder, D2Field) and holder.keyword):
            return True
        if each.owner is around:
            break
    return False


def _common(start: D2Field, end: D2Field) -> D2Map | None:
    """The innermost map around both ends."""
    around = {id(one.owner): one.owner for one in chain_of(start)}
    return next((one.owner for one in chain_of(end) if id(one.owner) in around), None)


def _has_pattern(said: D2Statement) -> bool:
    return _is_pattern(said.key) or any(_is_pattern(one.start) or _is_pattern(one.end) for one in said.links)


def _is_pattern(path: Path) -> bool:
    return any(name.pattern is not None for name in path)


def _is_deep(link: D2Arrow) -> bool:
    return any(name.text in _DEEP for name in (*link.start, *link.end))


def _deep(scope: D2Map) -> Iterator[D2Field]:
    for one in list(scope.objects()):
        yield one
        if one.map is not None:
            yield from _deep(one.map)


def _all_connections(scope: D2Map) -> Iterator[D2Connection]:
    yield from list(scope.connections)
    for one in list(scope.objects()):
        if one.map is not None:
            yield from _all_connections(one.map)


def _fits(scope: D2Map, one: D2Field, path: Path) -> bool:
    """Whether a path with stars names a field, seen from a map."""
    if path and path[0].text in _DEEP:
        return True
    names = list[D2Field]()
    for each in chain_of(one):
        names.append(each)
        if each.owner is scope:
            break
    if len(names) != len(path):
        return False
    pairs = zip(reversed(names), path, strict=True)
    return all(_matches_text(each.name.text, name.pattern or (name.text,)) for each, name in pairs)


def _matches_text(text: str, pattern: Sequence[str]) -> bool:
    """Whether a text has the pieces of a pattern in order, the first at its beginning and the last at its end."""
    low, pieces = text.lower(), [piece.lower() for piece in pattern]
    if len(pieces) == 1:
        return low == pieces[0]
    if not low.startswith(pieces[0]) or not low.endswith(pieces[-1]):
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:
        at = low.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return at + len(pieces[-1]) <= len(low)


def _meets(target: _Holder, said: D2Statement) -> bool:
    """Whether a field or a connection meets a condition."""
    wanted = said.primary
    if wanted is None or not said.key:
        return False
    word, rest = said.key[0].text.lower(), said.key[1:]
    if isinstance(target, D2Connection) and word in {"src", "dst"}:
        end = target.start if word == "src" else target.end
        if not rest:
            return ".".join(one.name.text for one in reversed(list(chain_of(end)))) == wanted.text
        return _meets(end, D2Statement(said.place, key=rest, primary=wanted))
    found = _condition(target, said.key)
    return any(_is_like(one, wanted) for one in found)


_UNSET: Mapping[str, str] = MappingProxyType(
    {
        "shape": "rectangle",
        "opacity": "1",
        "stroke-width": "2",
        **dict.fromkeys(("border-radius", "stroke-dash"), "0"),
        **dict.fromkeys(("icon", "tooltip", "link"), ""),
        **dict.fromkeys(("shadow", "multiple", "3d", "animated", "filled"), "false"),
    }
)
"""The values of properties that are not set."""
_STATES: Mapping[str, Callable[[D2Field], str]] = MappingProxyType(
    {
        "level": lambda one: str(sum(1 for _ in chain_of(one)) - 1),
        "leaf": lambda one: str(one.map is None or not any(one.map.objects())).lower(),
        "connected": lambda one: str(one.uses > 0).lower(),
    }
)
"""Conditions that are no properties."""


def _condition(target: _Holder, key: Path) -> list[str]:
    """The values of a property."""
    word = key[-1].text.lower()
    if isinstance(target, D2Field) and (known := _STATES.get(word)) is not None:
        return [known(target)]
    found: D2Field | None = None
    inside = target.map
    for name in key:
        found = inside.fields.get(name.text.lower()) if inside is not None else None
        inside = found.map if found is not None else None
    if found is not None:
        return [one.text for one in found.items or ([found.primary] if found.primary is not None else [])]
    if word == "label":
        name = target.name.text if isinstance(target, D2Field) else ""
        return [target.primary.text if target.primary is not None else name]
    return [_UNSET[word]] if word in _UNSET else []


def _is_like(text: str, wanted: Scalar) -> bool:
    if wanted.pattern is not None:
        return _matches_text(text, wanted.pattern) and bool(text or len(wanted.pattern) > 2)
    return text == wanted.text
