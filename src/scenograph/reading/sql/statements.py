"""A source split into statements without parsing: comments, data and bodies of routines are left out.

A single pass over the text; unclosed quotes and comments extend to its end. A statement ends at a semicolon, at a line
that sends a batch, at a byte order mark (where files were joined), and at the next statement's opening: T-SQL needs no
semicolons, and standard `CREATE SCHEMA` contains statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scenograph.reading.sql.dialects import Dialect, quoted_forms

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
        """A statement of a block without the block's end, which needs no separator before it."""
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
        """The statements. A comment keeps its line breaks, which keeps line numbers right."""
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
