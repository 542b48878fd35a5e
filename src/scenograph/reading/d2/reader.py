"""The way into this room: D2 to a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scenograph.reading.d2.drawing import SEQUENCE, BoardDrawing
from scenograph.reading.d2.evaluation import BOARDS, D2Field, D2Map, evaluate
from scenograph.reading.d2.grammar import D2Block, D2Statement, parse
from scenograph.reading.d2.looks import NEAR_SHAPES, SHAPES, TYPES
from scenograph.reading.d2.sequence import sequence_of
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject

# Recognition.
_LOOKED_AT = 20_000  # characters from the beginning
_SIGN = re.compile(r"->|<-|--|\||\$\{|\bshape[ \t]*:|\bgrid-|\bstyle\b|^[ \t]*(?:vars|classes)[ \t]*:", re.MULTILINE)
_TEXTS = re.compile(
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
    bare = _TEXTS.sub("q", head)
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
    found = [_weight(one, is_inside) for one, is_inside in said]
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


def _weight(said: D2Statement, is_inside: bool) -> int:  # noqa: FBT001 - a pair from a loop
    """1 for a statement that D2 alone has, -1 for one of another language or of prose, 0 for others."""
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


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source. Unreadable without an object, TooLarge."""
    body, wanted = parse(source.text, losses), source.view or source.kept_view
    inherited = _inherited(body, wanted or "")
    root = evaluate(inherited or body, losses, source.most_elements)
    key, board = _board(root, wanted, losses) if inherited is None else (wanted or "", root)
    if not any(board.objects()):
        raise Unreadable(losses.first or Place(1, 1), "an object or a connection of D2: a -> b: label")
    drawing = BoardDrawing(board, root, source, losses)
    drawing.assembly.view = key
    chart = drawing.sequence()
    return sequence_of(drawing, chart) if chart is not None else drawing.document()


def _inherited(body: D2Block, path: str) -> D2Block | None:
    """The statements of a scenario or a step of the root, behind those that it inherits: of the root, and of the steps
    before. None for other boards."""
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
