"""A source split into statements, a statement into words, and what its first word says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scenograph.reading.sql.dialects import Dialect, quoted_forms
from scenograph.reading.sql.model import Quoted, TableName

# A source split into statements without parsing: comments, data and bodies of routines are left out.
#
# A single pass over the text; unclosed quotes and comments extend to its end. A statement ends at a semicolon, at a
# line that sends a batch, at a byte order mark (where files were joined), and at the next statement's opening: T-SQL
# needs no semicolons, and standard `CREATE SCHEMA` contains statements.

LONGEST_OPENING = 200  # characters that identify a kind of statement
_ROUTINE = re.compile(
    r"(?:CREATE|ALTER)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:(?:NON)?EDITIONABLE\s+|AGGREGATE\s+)?"
    r"(?:TRIGGER|PROCEDURE|PROC|FUNCTION|PACKAGE|TYPE\s+BODY|EVENT(?!\s+TRIGGER))\b",
    re.IGNORECASE,
)
_BLOCK_OPENS = re.compile(
    r"(?:DECLARE\s+\w+\s+(?!\w*\s*CURSOR\b)\w"
    r"|BEGIN\s+(?!TRAN|WORK|ISOLATION|READ|DEFERRED|IMMEDIATE|EXCLUSIVE|CONCURRENT|NOT|COMMIT|ROLLBACK)\w)",
    re.IGNORECASE,
)
_BLOCK = re.compile(
    r"\b(?:(?P<neither>BEGIN\s+(?:TRAN\w*|WORK)|END\s+(?:IF|LOOP|WHILE|REPEAT|FOR))"
    r"|(?P<opens>BEGIN|CASE)|(?P<closes>END(?:\s+CASE)?))\b",
    re.IGNORECASE,
)
_ENDS_ITSELF = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+)?(?:PACKAGE|TYPE\s+BODY)\b", re.IGNORECASE)
_BODY = re.compile(r"\bBEGIN\b", re.IGNORECASE)
_BODY_WITHOUT_BEGIN = re.compile(r"\b(?:BEGIN|IS|AS)\b", re.IGNORECASE)  # declarations first, or no block at all
_AS_BLOCK = re.compile(r"\bAS\s+BEGIN\b", re.IGNORECASE)
_AS_LAST = re.compile(r"\bAS\s*\Z", re.IGNORECASE)
_TABLE_AGAIN = re.compile(r"(?:CREATE|ALTER)\s+TABLE\b", re.IGNORECASE)
_COPIES_DATA = re.compile(r"COPY\b.*\bFROM\s+STDIN\b", re.IGNORECASE | re.DOTALL)
_DATA_END = re.compile(r"^\\\.[ \t]*$|\Z", re.MULTILINE)
_COMMENT_MARKS = re.compile(r"/\*|\*/")
_HOLDS_STATEMENTS = re.compile(r"CREATE\s+SCHEMA\b", re.IGNORECASE)
_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)[^\n]*$", re.IGNORECASE | re.MULTILINE)
_BEFORE_CODE = re.compile(r"(?:\s++|--[^\n]*+(?:\n|\Z)|#[^\n]*+(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_GUARD = re.compile(r"(?:IF|BEGIN|ELSE)\b", re.IGNORECASE)


class Statement(NamedTuple):
    """A statement without its comments. `line` is its first line, `depth` the nesting of its brackets. `sent`: a line
    that sends a batch follows; `continues`: the next statement follows without a separator; `guarded`: its execution
    depends on the content of a database."""

    text: str
    line: int
    depth: int
    sent: bool = False
    continues: bool = False
    guarded: bool = False


def statements(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The statements of a text, in order; bodies of routines are left out."""
    routine, block = _Body(dialect, _ROUTINE), _Body(dialect, _BLOCK_OPENS)
    guarded = False
    for statement in _Splitter(text, dialect).statements():
        if not routine.holds(statement):
            inside = not dialect.batches and (block.holds(statement) or block.is_open)
            guarded = guarded or (dialect.batches and _GUARD.match(statement.text) is not None)
            text = block.without_its_end(statement.text) if dialect.batches and guarded else statement.text
            if text:
                yield statement._replace(text=text, guarded=guarded or inside)
        guarded = guarded and not statement.sent


class _Body:
    """The body of a routine or a block, which semicolons split into several statements."""

    def __init__(self, dialect: Dialect, opening: re.Pattern[str]) -> None:
        self._opening = opening
        self._batches = dialect.batches
        self._body = _BODY_WITHOUT_BEGIN if dialect.bodies_without_begin else _BODY
        forms = quoted_forms(dialect)
        self._quoted = re.compile(f"{forms.strings}|{forms.bodies}|{forms.names}", re.DOTALL)
        self._depth = 0
        self.is_open = self._has_begun = False
        self._has_end = self._may_begin = False  # of a batch: whether the body is one block, or may be

    def holds(self, statement: Statement) -> bool:
        """Whether a statement is inside of a body."""
        inside = self.is_open
        if inside and not self._has_begun and not self._batches and _TABLE_AGAIN.match(statement.text):
            inside = False
        if not inside:
            self.is_open, self._depth, self._has_begun = False, 0, False
            if not self._opening.match(statement.text):
                return False
        bare = self._quoted.sub("''", statement.text)
        if not inside:
            self._depth = int(_ENDS_ITSELF.match(bare) is not None)
            self._has_begun = self._depth > 0
            begun = self._body.search(bare)
            self.is_open = begun is not None and (self._batches or not bare[begun.end() :].lstrip().startswith("'"))
            self._has_end = not self._batches or _AS_BLOCK.search(bare) is not None
            self._may_begin = _AS_LAST.search(bare) is not None
        elif self._may_begin:
            self._has_end, self._may_begin = _BODY.match(bare) is not None, False
        self.is_open = self.is_open and not statement.sent and (self._goes_on(bare) or not self._has_end)
        return inside

    def without_its_end(self, text: str) -> str:
        """A statement of a block without the block's end (no separator needed before)."""
        depth = 0
        for found in _BLOCK.finditer(self._quoted.sub(lambda quoted: "'" * len(quoted[0]), text)):
            depth += {"opens": 1, "closes": -1}.get(found.lastgroup or "", 0)
            if depth < 0:
                return text[: found.start()].rstrip()
        return text

    def _goes_on(self, bare: str) -> bool:
        for found in _BLOCK.finditer(bare):
            self._depth += {"opens": 1, "closes": -1}.get(found.lastgroup or "", 0)
            self._has_begun = self._has_begun or found.lastgroup == "opens"
        return not self._has_begun or self._depth > 0


class _Splitter:
    """The parts of a text between the ends of statements."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._text = text
        self._dialect = dialect
        self._parts: list[str] = []
        self._head = ""
        self._at = self._depth = self._deepest = 0
        self._line = 1

    def statements(self) -> Iterator[Statement]:
        """The statements. Line breaks of comments stay, to keep line numbers right."""
        marks = _marks(self._dialect)
        while (found := marks.search(self._text, self._at)) is not None:
            self._add(self._text[self._at : found.start()])
            self._at = found.end()
            kind = found.lastgroup or ""
            if kind == "comment":
                self._pass_comment(found)
            elif kind == "sent" and (delimiter := _DELIMITER.match(found[0])) and delimiter[1] != ";":
                yield from self._ended(found)
                yield from self._delimited(delimiter[1])
            elif kind == "remark" and not self._head:
                self._add("\n" * found[0].count("\n"))
            elif kind == "remark":
                self._add(found[0][: len(found[0]) - len(found["remarked"])])
                self._at = found.start("remarked")
            elif kind in {"end", "sent", "opening"} or (kind == "inline" and self._may_open(found[0])):
                yield from self._ended(found)
            else:
                if kind == "bracket":
                    self._depth += found[0].count("(") - found[0].count(")")
                    self._deepest = max(self._deepest, self._depth)
                self._add(found[0])
        self._add(self._text[self._at :])
        yield from self._whole(sent=True, continues=False)

    def _delimited(self, delimiter: str) -> Iterator[Statement]:
        """The statements of a MySQL section with another delimiter. Routines are skipped unchanged."""
        following = _DELIMITER.search(self._text, self._at)
        section = self._text[self._at : following.start() if following else len(self._text)]
        self._at += len(section)
        for piece in section.split(delimiter):
            before = _BEFORE_CODE.match(piece)
            bare = piece[before.end() if before else 0 :]
            if _ROUTINE.match(bare):
                line = self._line + piece.count("\n", 0, len(piece) - len(bare))
                yield Statement(bare[:LONGEST_OPENING], line, 0, sent=True)
            else:
                for inner in _Splitter(piece, self._dialect).statements():
                    yield inner._replace(line=inner.line + self._line - 1)
            self._line += piece.count("\n")

    def _add(self, part: str) -> None:
        self._parts.append(part)
        if len(self._head) < LONGEST_OPENING:
            self._head = (self._head + part[:LONGEST_OPENING]).lstrip()

    def _pass_comment(self, found: re.Match[str]) -> None:
        """Pass a comment, perhaps with nested comments; an unclosed comment stays in the statement."""
        start = found.start()
        if found[0] == "/*":
            end = self._end_of_comment(start)
            self._at = end or len(self._text)
            if end is None:
                self._add(self._text[start:])
                return
        self._add("\n" * self._text.count("\n", start, self._at) or " ")

    def _end_of_comment(self, start: int) -> int | None:
        depth = 0
        for mark in _COMMENT_MARKS.finditer(self._text, start):
            if mark[0] == "*/":
                depth -= 1
            elif depth == 0 or self._dialect.nested_comments:
                depth += 1
            if depth == 0:
                return mark.end()
        return None

    def _may_open(self, piece: str) -> bool:
        """Whether a statement may begin without a separator after the previous."""
        if self._depth > 0 or not self._head:
            return False
        return self._dialect.batches or (piece[:1] in "cC" and _HOLDS_STATEMENTS.match(self._head) is not None)

    def _ended(self, found: re.Match[str]) -> Iterator[Statement]:
        opens = found.lastgroup in {"opening", "inline"}
        yield from self._whole(sent=found.lastgroup == "sent", continues=opens)
        copies = _COPIES_DATA.match("".join(self._parts).lstrip()) if self._head[:4].upper() == "COPY" else None
        self._line += sum(part.count("\n") for part in self._parts) + found[0].count("\n")
        self._parts, self._head, self._depth, self._deepest = [], "", 0, 0
        if copies:
            data = _DATA_END.search(self._text, self._at)
            end = data.end() if data else len(self._text)
            self._line += self._text.count("\n", self._at, end)
            self._at = end
        if opens:
            self._add(found[0])
            self._line -= found[0].count("\n")

    def _whole(self, *, sent: bool, continues: bool) -> Iterator[Statement]:
        """The statement between two separators. The end of a batch is reported even without a statement."""
        text = "".join(self._parts)
        bare = text.strip()
        if bare or sent:
            line = self._line + text[: len(text) - len(text.lstrip())].count("\n")
            yield Statement(bare, line, self._deepest, sent, continues)


@cache
def _marks(dialect: Dialect) -> re.Pattern[str]:
    """The marks relevant to a splitter. Possessive quantifiers prevent backtracking."""
    forms = quoted_forms(dialect)
    comments = [r"--[^\n]*+", r"/\*"]
    if dialect.hash_comments:  # MySQL executes a comment that begins with `!`
        comments = [r"/\*M?!\d*+", r"\*/", r"#(?!__\w|\{)[^\n]*+", *comments]
    openings = "TABLE|UNIQUE|INDEX|CLUSTERED|NONCLUSTERED|VIEW|TYPE|SEQUENCE|SCHEMA|PROC|PROCEDURE|FUNCTION|TRIGGER"
    batched = (
        r"|^[ \t]*+(?:EXEC|EXECUTE|INSERT|SELECT|UPDATE|DELETE|PRINT|DECLARE|IF|ELSE|BEGIN|END|USE|GRANT|TRUNCATE"
        r"|RAISERROR|SET(?=[ \t]+\w+[ \t]+O[NF]))\b"
    )
    remark = r"^[ \t]*+(?:REM|REMARK|PROMPT)\b(?P<remarked>[^\n]*+)" if dialect.name == "oracle" else r"(?!)"
    return re.compile(
        rf"(?P<comment>{'|'.join(comments)})|(?P<remark>{remark})"
        rf"|(?P<quoted>{forms.strings}|{forms.bodies}|{forms.names})"
        r"|(?P<end>;)"
        r"|(?P<sent>\ufeff|^[ \t]*+(?:GO(?:[ \t]+\d+)?|/|DELIMITER[^\n]*+|\\[^\n]*+)[ \t]*(?:$|(?=\ufeff)))"
        r"|(?P<opening>^[ \t]*+(?:CREATE(?=[ \t]+\w)|(?:ALTER|DROP)(?=[ \t]+TABLE\b)|COMMENT(?=[ \t]+ON\b)))"
        rf"|(?P<inline>(?<![\w.@#$])(?:CREATE(?=\s+(?:{openings})\b)|(?:ALTER|DROP)(?=\s+TABLE\b))"
        rf"{batched if dialect.batches else ''})"
        r"|(?P<bracket>\(++|\)++)",
        re.IGNORECASE | re.MULTILINE | re.DOTALL,
    )


# A statement as words, and a cursor over them. Statements come without comments (`statements.py`).
#
# Template placeholders before a name (`@cdm.person`, `${schema}.t`, `#__t`, `{0}.t`, `:schema.t`, `&owner..t`) are
# removed; a placeholder that is a whole name stays as the name.

_OPENING, _CLOSING = "([{", ")]}"
_NESTING = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}
_TYPES_IN_ANGLES = frozenset({"ARRAY", "MAP", "STRUCT", "UNIONTYPE", "ROW"})
_ANGLES = {"<": 1, ">": -1, ">>": -2}
_UNAMBIGUOUS = (
    r"\$\{[^{}\n]{1,80}\}|\$\([^()\n]{1,80}\)|[@#]\{[^{}\n]{1,80}\}|\{\{[^{}\n]{1,80}\}\}|\{\$?[\w.:-]{1,80}\}"
    r"|<%[^%\n]{1,80}%>|%\(\w{1,80}\)s|%(?:\d{1,2}\$)?s|%\w{1,80}%|#__(?=\w)"
)
_PLACEHOLDER = (
    r"(?<!\w)<\w{1,80}\s?,[^<>,\n]{0,80},[^<>\n]{0,80}>|"
    rf"{_UNAMBIGUOUS}|@\w{{1,80}}@|@\w{{1,80}}(?=\s*\.)|\$\w{{1,80}}(?=\.)|<[\w ,]{{1,80}}>(?=\.)|&&?\w{{1,80}}\.?"
    r"""|(?<![\w:\])'"]):(?:\w{1,80}|"\w{1,80}"|'\w{1,80}')"""
)
_IN_A_NAME = re.compile(_UNAMBIGUOUS)
_QUOTES = {'"': '"', "`": "`", "[": "]"}


class SqlNotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """An ungrammatical statement, or a part of a statement."""


class Word(NamedTuple):
    """A word or a mark. `upper` is "" for quoted words; `start` and `end` are positions in the statement."""

    text: str
    upper: str
    is_string: bool
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether the word can name a table or a column."""
        first = self.text[:1]
        return bool(first) and not self.is_string and (not self.upper or first.isalnum() or first in "_#@$")

    @property
    def is_text(self) -> bool:
        """Whether the word can be a text: a string, or a word in double quotes."""
        return self.is_string or not self.upper


def words_of(text: str, dialect: Dialect) -> list[Word]:
    """The words of a statement. NotUnderstood when a quote has no end."""
    words: list[Word] = []
    at = 0
    while (found := _pattern(dialect).search(text, at)) is not None:
        at, kind, piece = found.end(), found.lastgroup, found[0]
        if kind == "string":
            words.append(Word(_unquoted_string(found, text), "", is_string=True, start=found.start(), end=at))
            continue
        upper = piece.upper()
        if kind == "name":
            closing, piece, upper = _QUOTES[piece[0]], piece[1:-1].replace(2 * piece[-1], piece[-1]), ""
            if text[at - 1] != closing or at - found.start() < len('""'):
                raise SqlNotUnderstood("a quote has no end")
            piece, whole = _IN_A_NAME.sub("", piece), piece
            if whole and not piece:
                kind, piece = "placeholder", whole
        if kind == "placeholder":
            upper = ""
            if (after := _after_placeholder(text, at, words, found.start())) is not None:
                at = after
                continue
        words.append(Word(piece, upper, is_string=False, start=found.start(), end=at))
    return words


def _unquoted_string(found: re.Match[str], text: str) -> str:
    piece = found[0]
    if found["body"] is not None:
        tag = f"${found['tag']}$"
        if len(piece) < 2 * len(tag) or not piece.endswith(tag):
            raise SqlNotUnderstood("a quote has no end")
        return piece[len(tag) : -len(tag)]
    quote = piece.index("'")
    if len(piece) < quote + len("''") or text[found.end() - 1] != "'":
        raise SqlNotUnderstood("a quote has no end")
    inner = piece[quote + 1 : -1]
    if piece[:quote].lower().endswith("q"):
        return inner[1:-1]
    return inner.replace("''", "'").replace("\\'", "'")


def _after_placeholder(text: str, at: int, words: list[Word], start: int) -> int | None:
    """The continuation of a name after a placeholder within it; None for a placeholder that is the whole name."""
    qualified = _DOTS.match(text, at)
    if qualified:
        return qualified.end()
    if text[at : at + 1].isalnum() or text[at : at + 1] in {"_", '"', "`", "[", "{", "$", "@", "%", "#"}:
        return at
    return at if words and words[-1].end == start and words[-1].is_name else None


_DOTS = re.compile(r"\s*(?:\.\s*)+")


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    """The tokens of a statement. Possessive quantifiers prevent backtracking."""
    forms = quoted_forms(dialect)
    return re.compile(
        rf"(?P<placeholder>{_PLACEHOLDER})"
        rf"|(?P<string>{forms.strings}|(?P<body>{forms.bodies}))"
        rf"|(?P<name>{forms.names})"
        r"|(?P<word>[\w#@$][\w#@$]*+)"
        r"|(?P<mark>::|:=|>>|[^\s])",
        re.DOTALL,
    )


class Words:
    """A position among words."""

    def __init__(self, words: list[Word], text: str) -> None:
        self.words = words
        self.text = text
        self.at = 0

    @property
    def done(self) -> bool:
        """Whether everything has been passed."""
        return self.at >= len(self.words)

    @property
    def upper(self) -> str:
        """The next word in capitals; "" at the end and for quoted words."""
        return self.words[self.at].upper if self.at < len(self.words) else ""

    def peek(self, ahead: int = 0) -> Word:
        """The word `ahead` positions on; an empty mark at the end."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else _NOTHING

    def follows(self, *wanted: str) -> bool:
        """Whether the next words are `words`."""
        found = self.words[self.at : self.at + len(wanted)]
        return len(found) == len(wanted) and all(word.upper == want for word, want in zip(found, wanted, strict=True))

    def take(self, *wanted: str) -> bool:
        """Pass these words if next."""
        if not self.follows(*wanted):
            return False
        self.at += len(wanted)
        return True

    def take_any(self, *alternatives: str) -> str:
        """Pass the next word if among these; "" otherwise."""
        found = self.upper
        if not found or found not in alternatives:
            return ""
        self.at += 1
        return found

    def take_exists(self) -> bool:
        """Pass `IF EXISTS` or `IF NOT EXISTS`."""
        return self.take("IF", "NOT", "EXISTS") or self.take("IF", "EXISTS")

    def mentions(self, *alternatives: str) -> bool:
        """Whether any of these words comes later, outside brackets."""
        depth = 0
        for word in self.words[self.at :]:
            depth += _NESTING.get(word.upper, 0)
            if depth == 0 and word.upper in alternatives:
                return True
        return False

    def name(self, what: str) -> str:
        """Pass a name. Raises NotUnderstood if none comes next."""
        if self.done or not self.words[self.at].is_name:
            raise SqlNotUnderstood(f"the name of {what} was expected")
        self.at += 1
        word = self.words[self.at - 1]
        return word.text if word.upper else Quoted(word.text)

    def name_parts(self, what: str = "a table") -> list[str]:
        """Pass a qualified name; its parts."""
        parts = [self.name(what)]
        while self.take("."):
            while self.take("."):
                pass
            parts.append(self.name(what))
        return parts

    def table_name(self) -> TableName:
        """Pass a qualified table name."""
        return TableName.of(self.name_parts())

    def string(self) -> str | None:
        """Pass a string; None, and nothing passed, when none comes next."""
        if self.done or not self.words[self.at].is_text:
            return None
        self.at += 1
        return self.words[self.at - 1].text

    def group(self) -> Words | None:
        """Pass a pair of brackets; its content, or None if no bracket comes next. Raises NotUnderstood for an unclosed
        bracket."""
        return self._nested() if self.upper == "(" else None

    def pass_group(self) -> bool:
        """Pass a pair of brackets of any form, if next. Raises NotUnderstood for an unclosed bracket."""
        is_there = self.upper in {"(", "[", "{"}
        if is_there:
            self._nested()
        return is_there

    def _nested(self) -> Words:
        start, depth = self.at + 1, 0
        while not self.done:
            depth += _NESTING.get(self.upper, 0)
            self.at += 1
            if depth == 0:
                return Words(self.words[start : self.at - 1], self.text)
        raise SqlNotUnderstood("a bracket is not closed")

    def skip_to_group(self) -> None:
        """Pass the words before the next bracket."""
        while not self.done and self.upper != "(":
            self.at += 1

    def parts(self) -> Iterator[Words]:
        """The remaining words, split at commas outside brackets; all are passed."""
        start, depth, angles = self.at, 0, 0
        for at in range(self.at, len(self.words)):
            upper = self.words[at].upper
            depth += _NESTING.get(upper, 0)
            if upper in _ANGLES and (angles or (upper == "<" and self.words[at - 1].upper in _TYPES_IN_ANGLES)):
                angles = max(0, angles + _ANGLES[upper])
            if depth == 0 and angles == 0 and upper == ",":
                yield Words(self.words[start:at], self.text)
                start = at + 1
        if start < len(self.words):
            yield Words(self.words[start:], self.text)
        self.at = len(self.words)

    def names(self) -> tuple[str, ...] | None:
        """Pass a list of columns in brackets; None if an item is an expression. Raises NotUnderstood without a list."""
        group = self.group()
        if group is None:
            raise SqlNotUnderstood("a list of columns in brackets was expected")
        names: list[str] = []
        for part in group.parts():
            if part.upper == "PERIOD" and part.peek(1).is_name:
                part.at += 1
            if not part.peek().is_name:
                return None
            name = part.name("a column")
            length = part.group()
            is_call = length is not None and not all(word.text.isdecimal() for word in length.words)
            if is_call or any(not (word.is_name or word.upper == ".") for word in part.words[part.at :]):
                return None
            names.append(name)
        return tuple(names)

    def rest(self) -> str:
        """The text of the remaining words."""
        return self.text[self.words[self.at].start : self.words[-1].end] if not self.done else ""


_NOTHING = Word("", "", is_string=False, start=0, end=0)

# VERBS: first words of statements that define no table; other first words are unknown. OTHER_ACTIONS: actions of `ALTER
# TABLE` on neither columns nor keys.

VERBS = frozenset(
    [
        "ABORT",
        "ACCEPT",
        "ADD",
        "ALTER",
        "ANALYZE",
        "APPROVE",
        "ASSERT",
        "ASSOCIATE",
        "ATTACH",
        "AUDIT",
        "BACKUP",
        "BEGIN",
        "BREAK",
        "BULK",
        "CACHE",
        "CALL",
        "CHANGE",
        "CHECKPOINT",
        "CLEAR",
        "CLOSE",
        "CLUSTER",
        "COLUMN",
        "COMMENT",
        "COMMIT",
        "CONNECT",
        "CONTINUE",
        "COPY",
        "CREATE",
        "DBCC",
        "DEALLOCATE",
        "DECLARE",
        "DEFINE",
        "DELETE",
        "DELIMITER",
        "DENY",
        "DESC",
        "DESCRIBE",
        "DETACH",
        "DISABLE",
        "DISCARD",
        "DO",
        "DROP",
        "ECHO",
        "ELSE",
        "ELSEIF",
        "ELSIF",
        "ENABLE",
        "END",
        "EXCEPTION",
        "EXEC",
        "EXECUTE",
        "EXIT",
        "EXPLAIN",
        "FETCH",
        "FLUSH",
        "FOR",
        "GET",
        "GO",
        "GOTO",
        "GRANT",
        "HANDLER",
        "HOST",
        "IDENTIFIED",
        "IF",
        "IMPORT",
        "INSERT",
        "INSTALL",
        "KILL",
        "LIST",
        "LISTEN",
        "LOAD",
        "LOCK",
        "LOOP",
        "MERGE",
        "MSCK",
        "NOAUDIT",
        "NOTIFY",
        "NULL",
        "OPEN",
        "OPTIMIZE",
        "PAUSE",
        "PERFORM",
        "PRAGMA",
        "PREPARE",
        "PRINT",
        "PROMPT",
        "PURGE",
        "PUT",
        "QUIT",
        "RAISE",
        "RAISERROR",
        "REASSIGN",
        "RECONFIGURE",
        "REFRESH",
        "REINDEX",
        "RELEASE",
        "REM",
        "REMARK",
        "REMOVE",
        "REPAIR",
        "REPLACE",
        "RESET",
        "RESTORE",
        "RETURN",
        "REVERT",
        "REVOKE",
        "ROLLBACK",
        "SAVEPOINT",
        "SECURITY",
        "SELECT",
        "SET",
        "SETUSER",
        "SETVAR",
        "SHOW",
        "SHUTDOWN",
        "SIGNAL",
        "SOURCE",
        "SPOOL",
        "SP_EXECUTESQL",
        "SP_RENAME",
        "START",
        "STOP",
        "SUMMARIZE",
        "SYNC",
        "THROW",
        "TRUNCATE",
        "TTITLE",
        "UNDROP",
        "UNLISTEN",
        "UNLOCK",
        "UNSET",
        "UPDATE",
        "UPSERT",
        "USE",
        "VACUUM",
        "VALUES",
        "WAITFOR",
        "WHEN",
        "WHENEVER",
        "WHILE",
        "WITH",
        "XA",
    ]
)
OTHER_ACTIONS = frozenset(
    [
        "ALGORITHM",
        "ALLOCATE",
        "ANALYZE",
        "APPEND",
        "ATTACH",
        "AUTO_INCREMENT",
        "CACHE",
        "CHANGE_TRACKING",
        "CHARACTER",
        "CHARSET",
        "CHECK",
        "CLUSTER",
        "COALESCE",
        "COLLATE",
        "COMMENT",
        "COMPRESS",
        "CONFIGURE",
        "CONVERT",
        "DEALLOCATE",
        "DEFAULT",
        "DELETE",
        "DETACH",
        "DISABLE",
        "DISCARD",
        "ENABLE",
        "ENGINE",
        "EXCHANGE",
        "FLASHBACK",
        "FORCE",
        "FREEZE",
        "IMPORT",
        "INHERIT",
        "INITRANS",
        "INMEMORY",
        "LOCK",
        "LOGGING",
        "MATERIALIZE",
        "MERGE",
        "MONITORING",
        "MOVE",
        "NO",
        "NOCACHE",
        "NOCHECK",
        "NOCOMPRESS",
        "NOLOGGING",
        "NOPARALLEL",
        "NOT",
        "OF",
        "ON",
        "OPTIMIZE",
        "ORDER",
        "OWNER",
        "PARALLEL",
        "PARTITION",
        "PCTFREE",
        "READ",
        "REBUILD",
        "RECLUSTER",
        "REMOVE",
        "REORGANIZE",
        "REPAIR",
        "REPLICA",
        "RESET",
        "RESUME",
        "ROW",
        "ROW_FORMAT",
        "SET",
        "SHRINK",
        "SPLIT",
        "STORAGE",
        "SUSPEND",
        "SWAP",
        "SWITCH",
        "TABLESPACE",
        "TRUNCATE",
        "UNION",
        "UNSET",
        "UPDATE",
        "UPGRADE",
        "VALIDATE",
        "WITH",
    ]
)
