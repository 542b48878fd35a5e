"""PlantUML's text before its diagrams: blocks between `@start…` and `@end…`, comments, and the preprocessor.

No file is read and no function is run. Definitions without arguments and variables with plain values are put in place
within bounds; each other instruction is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.source import Losses, Place, TooLarge, Unreadable, shown

LONGEST_LINE = 4_000  # characters
_MOST_REPLACED = 1_000_000  # characters of lines with values in place
_LONGEST_VALUE = 2_000
_MOST_NAMES = 1_000
_DEEPEST = 20  # passes of replacement over a line
_STATEMENTS_AN_ELEMENT = 8

_SPACES = re.compile(r"[ \t]{2,}|\t")
_START = re.compile(r"\s*@start(?P<kind>[a-z0-9]+)\b(?P<rest>[^\n]*)", re.IGNORECASE)
_END = re.compile(r"\s*@end[a-z0-9]*\b", re.IGNORECASE)
_NAME = re.compile(r"\(\s*id\s*=\s*\"?(?P<id>[^)\"]*)\"?\s*\)|(?P<name>\S[^\n]*)")


class PumlLine(NamedTuple):
    """A line of a statement, and the line number in the source."""

    number: int
    text: str

    @property
    def place(self) -> Place:
        """The place of the line."""
        return Place(self.number)


class PumlBlock(NamedTuple):
    """A diagram of a source: the word after `@start`, a name, and lines."""

    kind: str
    name: str
    lines: tuple[PumlLine, ...]
    number: int = 1


def blocks(text: str) -> list[PumlBlock]:
    """The diagrams of a source. A text without `@start` is a single diagram of the kind `uml`."""
    found: list[PumlBlock] = []
    held: list[PumlLine] | None = None
    head = ("", "", 1)
    rows = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, row in enumerate(rows, 1):
        start = _START.match(row)
        if start is not None:
            if held is not None:
                found.append(PumlBlock(*head[:2], tuple(held), head[2]))
            held, head = [], (start["kind"].lower(), _name_in(start["rest"]), number)
        elif _END.match(row) and held is not None:
            found.append(PumlBlock(*head[:2], tuple(held), head[2]))
            held = None
        elif held is not None:
            held.append(PumlLine(number, row))
    if held is not None:
        found.append(PumlBlock(*head[:2], tuple(held), head[2]))
    if found:
        return found
    return [PumlBlock("uml", "", tuple(PumlLine(number, row) for number, row in enumerate(rows, 1)))]


def _name_in(rest: str) -> str:
    found = _NAME.search(rest.strip())
    return ((found["id"] or found["name"] or "").strip().strip('"')) if found else ""


class PumlScript:
    """A position in the lines of a diagram. Raises TooLarge for more lines than `most` elements can need."""

    def __init__(self, lines: Sequence[PumlLine], most: int) -> None:
        self.lines = lines
        self.at = 0
        self._most = most
        self._left = _STATEMENTS_AN_ELEMENT * most
        self._endless = set[str]()

    def next(self) -> PumlLine | None:
        """Pass and return the next line, with single spaces; None at the end."""
        if self.at >= len(self.lines):
            return None
        if self._left == 0:
            raise TooLarge(self._most)
        self._left -= 1
        self.at += 1
        line = self.lines[self.at - 1]
        return PumlLine(line.number, _SPACES.sub(" ", line.text))

    def block(self, end: re.Pattern[str], most: int | None = None) -> list[PumlLine] | None:
        """Pass and return the lines before an `end`, and pass the `end`. None, with nothing passed, without an
        `end` among the next `most` lines."""
        if end.pattern in self._endless:
            return None
        reach = len(self.lines) if most is None else min(len(self.lines), self.at + most)
        for at in range(self.at, reach):
            if end.fullmatch(self.lines[at].text.strip()):
                found = list(self.lines[self.at : at])
                self.at = at + 1
                return found
        if reach == len(self.lines):
            self._endless.add(end.pattern)
        return None


# The preprocessor.

_INCLUDE = re.compile(r"!(?:include\w*|import)\b[ \t]*(?P<what>.*)", re.IGNORECASE)
_STANDARD_C4 = re.compile(r"C4[/_-]|[/<]C4\b|C4\.puml|C4_\w+", re.IGNORECASE)
_DEFINE = re.compile(r"!define\b[ \t]+(?P<name>\w+)(?P<arguments>\([^)]*\))?(?:[ \t]+(?P<value>.*))?")
_VARIABLE = re.compile(r"!(?:global[ \t]+|local[ \t]+)?(?P<name>\$?\w+)[ \t]*(?P<maybe>\??)=[ \t]*(?P<value>.*)")
_UNDEFINE = re.compile(r"!undef(?:ine)?[ \t]+(?P<name>\$?\w+)")
_BRANCH = re.compile(r"!(?P<word>ifdef|ifndef|elseif|if|else|endif)\b[ \t]*(?P<rest>.*)", re.IGNORECASE)
_BODY = re.compile(
    r"!(?:unquoted[ \t]+)?(?:final[ \t]+)?(?P<word>procedure|function|definelong|foreach|while)\b"
    r"[ \t]*(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_SILENT = re.compile(r"!(?:pragma|theme|startsub|endsub|log|assert|dump_memory|option|return)\b.*", re.IGNORECASE)
_THEME = re.compile(r"!theme\b.*", re.IGNORECASE)
_WORD = re.compile(r"\$\w+|\b[A-Za-z_]\w*\b")
_LITERAL = re.compile(
    r"\"(?P<text>[^\"]*)\"|'(?P<single>[^']*)'|(?P<number>-?\d{1,18}(?:\.\d{1,9})?)|"
    r"(?P<name>\$?\w+)"
)
_COMPARED = re.compile(r"\(?[ \t]*(?P<one>[^=!<>()]+?)[ \t]*(?P<mark>==|!=)[ \t]*(?P<two>[^=!<>()]+?)[ \t]*\)?")
_ASKED = re.compile(r"\(?[ \t]*%(?P<word>not|variable_exists)\((?P<what>[^()]*(?:\([^()]*\)[^()]*)?)\)[ \t]*\)?")
_HOLDING = re.compile(
    r"(?:class|abstract|interface|enum|entity|object|state|package|rectangle|node|folder|frame|cloud|database|component"
    r"|namespace|partition|map|json|\w+\([^)\n]*\)$)\b",
    re.IGNORECASE,
)
"""The beginning of a declaration whose brace may stand in the next line."""
_NEWLINE = re.compile(r"%newline\(\)|%n\(\)")
_CALLED = re.compile(r"(?P<name>\$?\w+)\((?P<said>.*)\)[ \t]*")
_PARAMETERS = re.compile(r"(?P<name>\$?\w+)[ \t]*\((?P<all>[^)]*)\)")
_PIECE = re.compile(r"[ \t]*(?:\$(?P<name>\w+)[ \t]*=[ \t]*)?(?P<value>\"[^\"]*\"|[^,\"]*)[ \t]*(?:,|$)")

_DEFINITION = r"(?:procedure|function|definelong)"
_BLOCKS: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("procedure", "function", "definelong"),
            (
                re.compile(
                    rf"!(?:unquoted[ \t]+)?(?:final[ \t]+)?{_DEFINITION}\b(?!.*\)[ \t]*!?return\b)", re.IGNORECASE
                ),
                re.compile(rf"!end\s*{_DEFINITION}\b", re.IGNORECASE),
            ),
        ),
        "foreach": (re.compile(r"!foreach\b", re.IGNORECASE), re.compile(r"!end\s*for(?:each)?\b", re.IGNORECASE)),
        "while": (re.compile(r"!while\b", re.IGNORECASE), re.compile(r"!end\s*while\b", re.IGNORECASE)),
        "if": (re.compile(r"!(?:if|ifdef|ifndef)\b", re.IGNORECASE), re.compile(r"!endif\b", re.IGNORECASE)),
        "<style>": (re.compile(r"<style>(?!.*</style>)", re.IGNORECASE), re.compile(r"</style>", re.IGNORECASE)),
        "{": (re.compile(r".*\{$"), re.compile(r"[^{]*\}$")),
    }
)
"""The first and the last line of each kind of block. Braces count at the end of a line alone, not in `|o--o{`."""
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_SEQUENCE_OF_C4 = re.compile(r"C4_Sequence", re.IGNORECASE)

_MUTED = re.compile(r"(?:skinparam\b[^{]*|<style>|sprite\b[^{]*|skinparamlocked\b[^{]*)\{?", re.IGNORECASE)


class _Procedure(NamedTuple):
    """Lines that a call stands for; `parameters` are names with their default values."""

    parameters: tuple[tuple[str, str | None], ...]
    lines: tuple[PumlLine, ...]


@dataclass(slots=True)
class _Branch:
    """An open `!if`. `is_live`: the lines of the branch count. `is_taken`: a branch was live before."""

    is_live: bool
    is_taken: bool


@dataclass(slots=True)
class _State:
    losses: Losses
    values: dict[str, str] = field(default_factory=dict[str, str])
    procedures: dict[str, _Procedure] = field(default_factory=dict[str, _Procedure])
    branches: list[_Branch] = field(default_factory=list[_Branch])
    told: set[str] = field(default_factory=set[str])
    left: int = _MOST_REPLACED

    def tell(self, kind: str, place: Place, what: str) -> None:
        """Report a kind of loss once."""
        if kind not in self.told:
            self.told.add(kind)
            self.losses.formless(place, what)


def preprocess(lines: Sequence[PumlLine], losses: Losses) -> list[PumlLine]:
    """The lines of a diagram without comments, instructions and settings of looks; trimmed, none of them empty."""
    state = _State(losses)
    found: list[PumlLine] = []
    for line in _carried_out(_Queue(_joined(_uncommented(lines, losses))), state, 0):
        if line.text == "{" and found and _HOLDING.match(found[-1].text) and not found[-1].text.endswith("{"):
            found[-1] = PumlLine(found[-1].number, f"{found[-1].text} {{")
        elif line.text:
            found.append(line)
    return found


def _uncommented(lines: Sequence[PumlLine], losses: Losses) -> Iterator[PumlLine]:
    """The lines without comments: `'` before a line's text, and `/' … '/`."""
    opened: PumlLine | None = None
    for line in lines:
        text = line.text
        if len(text) > LONGEST_LINE:
            losses.unread(line.place, f"a line of {len(text)} characters, more than {LONGEST_LINE}")
            continue
        if opened is not None:
            end = text.find("'/")
            if end < 0:
                continue
            text, opened = text[end + 2 :], None
        while (start := text.find("/'")) >= 0:
            end = text.find("'/", start + 2)
            if end < 0:
                if text[:start].strip() and text.strip()[:2] != "/'":
                    break
                opened, text = line, text[:start]
                break
            text = text[:start] + text[end + 2 :]
        if not text.lstrip().startswith("'"):
            yield PumlLine(line.number, text.strip())
    if opened is not None:
        losses.unread(opened.place, "a comment without an end '/")


def _joined(lines: Iterator[PumlLine]) -> Iterator[PumlLine]:
    """The lines, each joined to the next after a backslash at the end."""
    held: PumlLine | None = None
    for line in lines:
        text = line.text if held is None else held.text + line.text
        number = line.number if held is None else held.number
        if text.endswith("\\") and not text.endswith("\\\\") and len(text) < LONGEST_LINE:
            held = PumlLine(number, text[:-1])
        else:
            held = None
            yield PumlLine(number, text)
    if held is not None:
        yield held


class _Queue:
    """Lines passed in turn, each with the block below."""

    def __init__(self, lines: Iterable[PumlLine]) -> None:
        self._lines = tuple(lines)
        self._at = 0
        self._ends: dict[re.Pattern[str], dict[int, int]] = {}

    def __iter__(self) -> Iterator[PumlLine]:
        while self._at < len(self._lines):
            self._at += 1
            yield self._lines[self._at - 1]

    def has_end(self, word: str) -> bool:
        """Whether the block begun by the latest line is closed."""
        return self._at - 1 in self._closed(word)

    def body(self, word: str) -> list[PumlLine] | None:
        """Pass the lines of the block begun by the latest line, and its end. None, with nothing passed, without an
        end."""
        end = self._closed(word).get(self._at - 1)
        if end is None:
            return None
        found = list(self._lines[self._at : end])
        self._at = end + 1
        return found

    def _closed(self, word: str) -> dict[int, int]:
        """The index of the last line by the index of the first, for all closed blocks of a word."""
        first, last = _BLOCKS[word]
        if first not in self._ends:
            ends = self._ends[first] = {}
            begun: list[int] = []
            for at, line in enumerate(self._lines):
                if first.match(line.text):
                    begun.append(at)
                elif begun and last.match(line.text):
                    ends[begun.pop()] = at
        return self._ends[first]


def _carried_out(queue: _Queue, state: _State, depth: int) -> Iterator[PumlLine]:
    for line in queue:
        if line.text.startswith("!") and _instruction(line, queue, state):
            if "C4_Dynamic" in line.text and all(branch.is_live for branch in state.branches):
                yield line
            continue
        if not all(branch.is_live for branch in state.branches):
            continue
        if _muted(line, queue, state):
            continue
        text = _replaced(line, state)
        if text is None:
            continue
        called = _CALLED.fullmatch(text)
        procedure = state.procedures.get(called["name"]) if called is not None else None
        if called is not None and procedure is not None:
            yield from _called(procedure, called, line, state, depth)
        elif text.startswith("!") and _instruction(PumlLine(line.number, text), queue, state):
            continue
        else:
            yield PumlLine(line.number, text)


def _muted(line: PumlLine, queue: _Queue, state: _State) -> bool:
    """Whether a line sets looks. The block after the line is passed; without an end, the line alone."""
    found = _MUTED.match(line.text)
    if found is None:
        return False
    word = "<style>" if line.text.lower().startswith("<style>") else "{"
    if _BLOCKS[word][0].match(line.text) and queue.body(word) is None:
        state.losses.unread(line.place, f"{shown(line.text)} without an end")
    return True


def _instruction(line: PumlLine, queue: _Queue, state: _State) -> bool:
    """Carry out an instruction; False for another line."""
    branch = _BRANCH.match(line.text)
    if branch is not None:
        _turn(branch["word"].lower(), branch["rest"], line, queue, state)
        return True
    if not all(one.is_live for one in state.branches):
        return True
    for pattern, take in _INSTRUCTIONS:
        found = pattern.fullmatch(line.text)
        if found is not None:
            take(found, line, queue, state)
            return True
    return False


def _turn(word: str, rest: str, line: PumlLine, queue: _Queue, state: _State) -> None:
    """Open, turn or close a branch. A branch without an end is not opened."""
    if word in {"ifdef", "ifndef", "if"}:
        if not queue.has_end("if"):
            state.losses.unread(line.place, f"!{word} without !endif")
            return
        is_live = _holds(word, rest, line, state)
        state.branches.append(_Branch(is_live, is_live))
    elif not state.branches:
        state.losses.unread(line.place, f"!{word} without !if")
    elif word == "endif":
        state.branches.pop()
    else:
        branch = state.branches[-1]
        branch.is_live = not branch.is_taken and (word == "else" or _holds("if", rest, line, state))
        branch.is_taken = branch.is_taken or branch.is_live


def _holds(word: str, rest: str, line: PumlLine, state: _State) -> bool:
    """Whether a condition holds; an unknown one is reported and does not."""
    if word != "if":
        return (rest.strip() in state.values or rest.strip() in state.procedures) == (word == "ifdef")
    held = _truth(rest, state)
    if held is None:
        state.losses.unread(line.place, f"the condition {shown(rest)} is not evaluated, and its lines are left out")
    return bool(held)


def _truth(text: str, state: _State) -> bool | None:
    """Whether an expression holds: a comparison, a value, `%not(…)`, `%variable_exists(…)`; None for any other."""
    bare = text.strip()
    for mark, several in (("||", any), ("&&", all)):
        if mark in bare:
            parts = [_truth(part.strip(" \t()"), state) for part in bare.split(mark)]
            return None if None in parts else several(bool(part) for part in parts)
    asked = _ASKED.fullmatch(bare)
    if asked is not None:
        if asked["word"] == "not":
            inner = _truth(asked["what"], state)
            return None if inner is None else not inner
        return asked["what"].strip("\"' ") in state.values
    compared = _COMPARED.fullmatch(bare)
    if compared is not None:
        values = [_value(part, state) for part in (compared["one"], compared["two"])]
        return None if None in values else (values[0] == values[1]) == (compared["mark"] == "==")
    value = _value(bare.strip("()"), state)
    return None if value is None else value not in {"", "0", "false"}


def _include(found: re.Match[str], line: PumlLine, _queue: _Queue, state: _State) -> None:
    """Report an include. Macros of C4 need none, and the standard library holds pictures and macros alone."""
    if _SEQUENCE_OF_C4.search(found["what"]):
        told = "a sequence diagram of C4 is drawn as boxes and relationships, without the order of messages"
        state.tell("sequence of C4", line.place, f"{shown(line.text)}: {told}")
    elif found["what"].startswith("<"):
        state.tell("library", line.place, f"{shown(line.text)}: the standard library is not read")
    elif not _STANDARD_C4.search(found["what"]):
        state.losses.unread(line.place, f"{shown(line.text)}: other files are not read")


def _define(found: re.Match[str], line: PumlLine, _queue: _Queue, state: _State) -> None:
    if found["arguments"]:
        body = (PumlLine(line.number, found["value"] or ""),)
        state.procedures[found["name"]] = _Procedure(_parameters(found["arguments"][1:-1]), body)
    else:
        _set(found["name"], found["value"] or "", line, state)


def _assign(found: re.Match[str], line: PumlLine, _queue: _Queue, state: _State) -> None:
    name = found["name"]
    if found["maybe"] and name in state.values:
        return
    value = _value(found["value"], state)
    if value is None:
        state.tell("value", line.place, f"the value {shown(found['value'])} is not evaluated")
        state.values.pop(name, None)
    else:
        _set(name, value, line, state)


def _set(name: str, value: str, line: PumlLine, state: _State) -> None:
    if len(value) > _LONGEST_VALUE or len(state.values) >= _MOST_NAMES:
        raise Unreadable(line.place, f"at most {_MOST_NAMES} values of {_LONGEST_VALUE} characters")
    state.values[name] = value


def _value(text: str, state: _State) -> str | None:
    """The value of an expression of texts, numbers, names and `+`; None for any other expression."""
    parts: list[str] = []
    at, bare = 0, text.strip()
    while True:
        found = _LITERAL.match(bare, at)
        if found is None:
            return None
        name = found["name"]
        if name is not None and name not in state.values and name.startswith("$"):
            return None
        literal = found["text"] if found["text"] is not None else found["single"]
        parts.append(literal if literal is not None else found["number"] or state.values.get(name or "", name or ""))
        rest = bare[found.end() :].lstrip()
        if not rest:
            break
        if rest[0] != "+" or sum(map(len, parts)) > _LONGEST_VALUE:
            return None
        at = len(bare) - len(rest[1:].lstrip())
    if len(parts) == 2 and all(_INTEGER.fullmatch(part) for part in parts) and '"' not in bare:
        return str(int(parts[0]) + int(parts[1]))
    return "".join(parts)


def _undefine(found: re.Match[str], _line: PumlLine, _queue: _Queue, state: _State) -> None:
    state.values.pop(found["name"], None)


def _body(found: re.Match[str], line: PumlLine, queue: _Queue, state: _State) -> None:
    word = found["word"].lower()
    if word == "function" and re.search(r"\)[ \t]*!?return\b", found["rest"]):
        body: list[PumlLine] | None = []  # a function in a line
    else:
        body = queue.body(word)
    if body is None:
        state.losses.unread(line.place, f"!{word} without an end")
        return
    head = _PARAMETERS.match(found["rest"])
    name = found["rest"].strip()
    if word in {"procedure", "definelong"} and head is not None:
        state.procedures[head["name"]] = _Procedure(_parameters(head["all"]), tuple(body))
    elif word == "definelong" and name.isidentifier():
        state.procedures[name] = _Procedure((), tuple(body))
    elif word == "function":
        state.tell(word, line.place, f"!{word}: no function is run")
    else:
        state.losses.unread(line.place, f"!{word}: its lines are left out")


def _parameters(text: str) -> tuple[tuple[str, str | None], ...]:
    rows: list[tuple[str, str | None]] = []
    for part in text.split(","):
        name, has_default, default = part.partition("=")
        if name.strip():
            rows.append((name.strip(), default.strip().strip('"') if has_default else None))
    return tuple(rows)


def _theme(_found: re.Match[str], line: PumlLine, _queue: _Queue, state: _State) -> None:
    state.tell("theme", line.place, f"{shown(line.text)}: a scene has themes of its own")


def _pass(_found: re.Match[str], _line: PumlLine, _queue: _Queue, _state: _State) -> None:
    """Pass over an instruction without an effect on the picture."""


_INSTRUCTIONS: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str], PumlLine, _Queue, _State], None]]] = (
    (_INCLUDE, _include),
    (_THEME, _theme),
    (_DEFINE, _define),
    (_BODY, _body),
    (_UNDEFINE, _undefine),
    (_SILENT, _pass),
    (_VARIABLE, _assign),
)


def _replaced(line: PumlLine, state: _State) -> str | None:
    """A line with values in place of names; None for a line grown too long, reported as unread."""
    text = _NEWLINE.sub(r"\\n", line.text)
    values = state.values
    if not values:
        return text
    for _ in range(_DEEPEST):
        longer = _WORD.sub(lambda found: values.get(found[0], found[0]), text)
        if longer == text:
            return text
        state.left -= len(longer)
        if len(longer) > LONGEST_LINE or state.left < 0:
            state.losses.unread(line.place, f"a line that definitions make longer than {LONGEST_LINE} characters")
            return None
        text = longer
    state.losses.unread(line.place, "a line with definitions that name each other")
    return None


def _called(
    procedure: _Procedure, called: re.Match[str], line: PumlLine, state: _State, depth: int
) -> Iterator[PumlLine]:
    """The lines of a procedure in place of a call."""
    if depth >= _DEEPEST:
        state.losses.unread(line.place, f"{shown(called['name'])} is called within itself")
        return
    said, named = _arguments(called["said"], state)
    held: dict[str, str | None] = {}
    for number, (name, default) in enumerate(procedure.parameters):
        value = named.get(name.lstrip("$"), said[number] if number < len(said) else default or "")
        held[name] = state.values.get(name)
        state.values[name] = value[:_LONGEST_VALUE]
    state.left -= 1_000 + sum(len(one.text) for one in procedure.lines)
    if state.left < 0:
        raise Unreadable(line.place, "fewer calls of procedures")
    inner = (PumlLine(line.number, one.text) for one in procedure.lines)
    yield from _carried_out(_Queue(inner), state, depth + 1)
    for name, value in held.items():
        if value is None:
            state.values.pop(name, None)
        else:
            state.values[name] = value


def _arguments(text: str, state: _State) -> tuple[list[str], dict[str, str]]:
    """The arguments of a call, by position and by name."""
    said: list[str] = []
    named: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = _PIECE.match(text, at)
        if found is None or found.end() == at:
            break
        value = found["value"].strip()
        value = _value(value, state) if value.startswith("$") else value
        bare = (value or found["value"]).strip().strip('"')
        if found["name"]:
            named[found["name"]] = bare
        else:
            said.append(bare)
        at = found.end()
    return said, named
