"""The way into this room: D2 to a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scenograph.reading.d2.drawing import SEQUENCE, BoardDrawing
from scenograph.reading.d2.evaluation import BOARDS, D2Map, evaluate
from scenograph.reading.d2.grammar import D2Block, D2Statement, parse
from scenograph.reading.d2.looks import NEAR_SHAPES, SHAPES, TYPES
from scenograph.reading.d2.sequence import sequence_of
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source
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
    r"-->|->>|<--|==>|-\.->|--\|>|<\|--|\bo--|\*--|~>|=>|::|:=|^[ \t]*(?:<|@|!(?!&)|-[ \t]|//|/\*|%%)"
    rf"|^[ \t]*(?:{'|'.join(_WORDS)})[ \t(](?![^\n]*(?:->|:))",
    re.MULTILINE,
)
"""Marks and first words of other languages."""
_NAME = re.compile(r"[\w*#+~(/-][\w /&#+*@$%^()'\u2019,~\n-]*[!?]?")
_PARDONED = ("other files are not read", "is not closed")  # of imports, and of a text that is cut off
_BLOCKS = frozenset({"md", "markdown", "latex", "tex"})
_MOST_WORDS, _BARE_WORDS = 7, 4  # of a name, and of a name that stands alone
_MOST_ODD = 10  # one odd statement of so many is allowed


def recognizes(text: str) -> bool:
    """Whether a text is D2 from its first line on: connections or properties of D2, and no line of another language."""
    head = text.removeprefix("\ufeff")[:_LOOKED_AT]
    if len(text) > _LOOKED_AT:
        head = head[: head.rfind("\n") + 1]
    if not _SIGN.search(head) or _FOREIGN.search(_TEXTS.sub("q", head)):
        return False
    losses = Losses()
    try:
        body = parse(head, losses)
    except Unreadable:
        return False
    whats = [str((row.data or {}).get("what")) for row in losses.rows()]
    if not all(what.endswith(_PARDONED) for what in whats):
        return False
    found = [_weight(one, is_inside) for one, is_inside in _all(body)]
    return 1 in found and found.count(-1) * _MOST_ODD <= len(found)


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
    if any(not _NAME.fullmatch(text) or len(text.split()) > most for text in plain):
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
    root = evaluate(parse(source.text, losses), losses, source.most_elements)
    board = _board(root, losses)
    if not any(board.objects()):
        raise Unreadable(losses.first or Place(1, 1), "an object or a connection of D2: a -> b: label")
    drawing = BoardDrawing(board, root, source, losses)
    chart = drawing.sequence()
    return sequence_of(drawing, chart) if chart is not None else drawing.document()


def _board(root: D2Map, losses: Losses) -> D2Map:
    """The root, or the first board where the root holds no object."""
    boards = [one for word in BOARDS if (held := root.find(word)) is not None for one in held.body.objects()]
    chosen = boards[0].body if boards and not any(root.objects()) else root
    rest = [one for one in boards if one.body is not chosen]
    if rest:
        told = f"one board is drawn, and {len(rest)} left out: a scene is one board"
        losses.formless(rest[0].place, told)
    return chosen
