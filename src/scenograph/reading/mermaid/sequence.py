"""Sequence diagrams, read statement by statement, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading.assembly import Assembly
from scenograph.reading.charts import (
    ASYNC,
    MESSAGE,
    REPLY,
    Arrow,
    CombinedFragment,
    Message,
    Note,
    Operand,
    ParticipantBox,
    SequenceChart,
    sequence_document_of,
)
from scenograph.reading.mermaid.diagram import (
    Diagram,
    NotUnderstood,
    plain,
    skip_description,
    statement_starts,
    take_properties,
)
from scenograph.reading.source import Cursor, Losses, Place, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject

# ARROWS: the marks between two participants, and their edges.


_DASH: JsonObject = {"dash": [4, 4]}


def _ends(start: str, end: str) -> JsonObject:
    return {"startArrow": start, "endArrow": end}


def _half(mark: str) -> tuple[tuple[str, Arrow], ...]:
    r"""The half arrows of a mark such as `|\`: solid, dashed, and both reversed."""
    back = {"|\\": "/|", "|/": "\\|", "\\\\": "//", "//": "\\\\"}[mark]
    return (
        (f"-{mark}", Arrow(MESSAGE, exact=False)),
        (f"--{mark}", Arrow(REPLY, exact=False)),
        (f"{back}-", Arrow(MESSAGE, _ends("triangle", "none"), exact=False)),
        (f"{back}--", Arrow(REPLY, _ends("triangle", "none"), exact=False)),
    )


ARROWS: Mapping[str, Arrow] = MappingProxyType(
    {
        "->>": Arrow(MESSAGE),
        "-->>": Arrow(REPLY),
        "->": Arrow(MESSAGE, _ends("none", "none")),
        "-->": Arrow(REPLY, _ends("none", "none")),
        "-x": Arrow(MESSAGE, _ends("none", "bar"), exact=False),
        "--x": Arrow(REPLY, _ends("none", "bar"), exact=False),
        "-)": Arrow(ASYNC),
        "--)": Arrow(ASYNC, style=_DASH),
        "<<->>": Arrow(MESSAGE, _ends("triangle", "triangle")),
        "<<-->>": Arrow(REPLY, _ends("triangle", "triangle")),
        **dict(_half("|\\")),
        **dict(_half("|/")),
        **dict(_half("\\\\")),
        **dict(_half("//")),
    }
)
ARROW = re.compile("|".join(re.escape(mark) for mark in sorted(ARROWS, key=len, reverse=True)), re.IGNORECASE)


# The statements of a sequence diagram, line by line. An ungrammatical statement costs only its line, and is reported.


_STATEMENT = re.compile(r"((?:[^;\n#%]|#\w{1,10};|%(?!%))*+)(?:(?:#|%%)[^\n]*+)?;?")
_ALIAS = re.compile(r"(?P<name>.+?)\s+as\s+(?P<label>.+)", re.IGNORECASE)
_NOTE = re.compile(r"(?P<where>left of|right of|over)\s+(?P<who>[^:]+?)\s*:(?P<text>.*)", re.IGNORECASE | re.DOTALL)
_FIGURES = re.compile(r"(\d{1,6}(?:\.\d{1,2})?)?\s*(\d{1,6}(?:\.\d{1,2})?)?")
_WRAP = re.compile(r":?(?:no)?wrap:", re.IGNORECASE)
_BOX_COLOR = re.compile(r"((?:rgba?|hsla?)\s*\([^)]{0,80}\)|\w+)\s*(.*)", re.IGNORECASE)
_CONTINUES = {"else": "alt", "and": "par", "option": "critical"}
_OPERATORS = {
    "loop": "loop",
    "opt": "opt",
    "alt": "alt",
    "par": "par",
    "par_over": "par",
    "critical": "critical",
    "break": "break",
}


def read_statements(cursor: Cursor, chart: SequenceChart) -> None:
    """Read all statements to the end of the text."""
    for place in statement_starts(cursor, chart.losses, chart.most):
        try:
            if (title := skip_description(cursor)) is None:
                _read_statement(_statement(cursor), place, chart)
            else:
                chart.title = chart.title or title
        except NotUnderstood as wrong:
            chart.losses.unread(place, wrong.what)
    chart.tell_unfinished()


def _statement(cursor: Cursor) -> str:
    """The next statement, without a trailing comment: to the end of the line or a semicolon outside an entity."""
    found = _STATEMENT.match(cursor.text, cursor.at)
    if found is None or found.end() == cursor.at:
        return cursor.rest_of_line()
    cursor.at = found.end()
    return found[1].strip()


def _read_statement(statement: str, place: Place, chart: SequenceChart) -> None:
    word, _, rest = statement.partition(" ")
    keyword = _KEYWORDS.get(word.lower().rstrip(":"))
    if keyword is not None and not _is_message(rest):
        keyword(rest.strip(), place, chart)
    elif word.lower() in _OPERATORS:
        operator = _OPERATORS[word.lower()]
        guard = rest.strip()
        fragment = CombinedFragment(operator, place, [Operand(_text(guard))])
        chart.add(fragment)
        chart.open.append(fragment)
    elif word.lower() in _CONTINUES:
        _continue_fragment(word.lower(), rest.strip(), chart)
    elif statement:
        _message(statement, place, chart)


def _is_message(rest: str) -> bool:
    """Whether the text after a keyword shows that the keyword is a participant's name: `link ->> b: text`."""
    return ARROW.match(rest.strip()) is not None


def _text(text: str) -> str:
    return plain(_WRAP.sub("", text.strip(), count=1))


def _participant(kind: str) -> Callable[[str, Place, SequenceChart], None]:
    def read(rest: str, place: Place, chart: SequenceChart) -> None:
        rest, properties = _without_properties(rest)
        alias = _ALIAS.fullmatch(rest)
        name, label = (alias["name"], _text(alias["label"])) if alias else (rest, "")
        if not name.strip():
            raise NotUnderstood(0, "a participant's name was expected")
        found = chart.participant(name.strip(), place)
        found.kind = properties.get("type", kind)
        found.label = label or properties.get("alias", "") or found.label
        chart.join_box(found.name)

    return read


def _without_properties(rest: str) -> tuple[str, dict[str, str]]:
    at = rest.find("@{")
    if at < 0:
        return rest, {}
    cursor = Cursor(rest)
    cursor.at = at + 1
    properties = take_properties(cursor)
    return f"{rest[:at]}{rest[cursor.at :]}", properties


def _create(rest: str, place: Place, chart: SequenceChart) -> None:
    kind, _, name = rest.partition(" ")
    if kind.lower() not in {"participant", "actor"}:
        kind, name = "participant", rest
    known = set(chart.participants)
    _participant(kind.lower())(name.strip(), place, chart)
    chart.created |= set(chart.participants) - known


def _destroy(rest: str, place: Place, chart: SequenceChart) -> None:
    chart.participant(rest, place)
    chart.destroyed[rest] = place


def _message(statement: str, place: Place, chart: SequenceChart) -> None:
    head, colon, text = statement.partition(":")
    arrow = ARROW.search(head)
    ends = [_End.read(head[: arrow.start()]), _End.read(head[arrow.end() :])] if arrow is not None else []
    if arrow is None or not all(end.name for end in ends):
        raise NotUnderstood(0, f"{shown(statement)} is not a statement of a sequence diagram")
    (source, one, _), (target, other, sign) = ends
    if one or other:
        chart.losses.formless(place, "the circle () at the middle of a lifeline")
    if not colon:
        chart.losses.unread(place, f"the message {shown(statement)} has no text after a colon")
    for name in (source, target):
        chart.participant(name, place)
    mark = arrow[0].lower()
    message = Message(source, target, mark, ARROWS[mark], _text(text), place)
    _begin_and_end_lives(message, chart)
    if chart.numbering is not None:
        number, step = chart.numbering
        message.text = f"{number:g}. {message.text}"
        chart.numbering = (number + step, step)
    chart.add(message)
    for name in {source, target} & set(chart.awaited):
        message.activates.add(name)
        del chart.awaited[name]
    if sign:
        chart.change_activation(target if sign == "+" else source, message, place, begins=sign == "+")


class _End(NamedTuple):
    """A participant at an end of a message: name, circle, and sign of an activation."""

    name: str
    circle: bool
    sign: str

    @classmethod
    def read(cls, text: str) -> _End:
        word = text.strip()
        bare = word.removesuffix("()").removeprefix("()").strip()
        sign = bare[:1] if bare[:1] in {"+", "-"} else ""
        name = bare.removeprefix(sign).strip()
        return cls(name.removeprefix("()").strip(), "()" in word, sign)


def _begin_and_end_lives(message: Message, chart: SequenceChart) -> None:
    """Mark the creation and destruction of participants by a message, after `create` and `destroy` statements."""
    message.creates = message.target in chart.created
    message.destroys = message.target in chart.destroyed
    chart.created.discard(message.target)
    for name in {message.source, message.target} & set(chart.destroyed):
        if name == message.source:
            chart.losses.formless(message.place, f"{shown(name)} ends with a message of its own")
        del chart.destroyed[name]


def _activation(*, begins: bool) -> Callable[[str, Place, SequenceChart], None]:
    def read(rest: str, place: Place, chart: SequenceChart) -> None:
        chart.participant(rest, place)
        message = chart.latest(rest)
        if message is not None:
            chart.change_activation(rest, message, place, begins=begins)
        elif begins:
            chart.active.setdefault(rest, []).append(place)
            chart.awaited[rest] = place
        else:
            raise NotUnderstood(0, f"{shown(rest)} is not active")

    return read


def _note(rest: str, place: Place, chart: SequenceChart) -> None:
    found = _NOTE.fullmatch(rest)
    if found is None:
        raise NotUnderstood(0, f"{shown(rest)} does not say where the note is, and its text after a colon")
    over = [name.strip() for name in found["who"].split(",") if name.strip()]
    for name in over:
        chart.participant(name, place)
    where = found["where"].lower()
    chart.add(Note(_text(found["text"]), over, None if where == "over" else where.split()[0], place))


def _continue_fragment(word: str, guard: str, chart: SequenceChart) -> None:
    fragment = chart.open[-1] if chart.open else None
    if not isinstance(fragment, CombinedFragment) or fragment.operator != _CONTINUES[word]:
        raise NotUnderstood(0, f"there is no {_CONTINUES[word]} that {word} could go on with")
    fragment.operands.append(Operand(_text(guard)))


def _rect(rest: str, place: Place, chart: SequenceChart) -> None:
    chart.losses.formless(place, f"the coloured ground {shown(rest)} behind messages")
    chart.open.append(None)


def _box(rest: str, place: Place, chart: SequenceChart) -> None:
    colored = _BOX_COLOR.fullmatch(rest)
    fill, title = (colored[1], colored[2]) if colored and parse_color(colored[1]) else (None, rest)
    if fill and fill.lower() == "transparent":
        fill = None
    box = ParticipantBox(_text(title), fill, place)
    chart.boxes.append(box)
    chart.open.append(box)


def _end(_rest: str, _place: Place, chart: SequenceChart) -> None:
    if not chart.open:
        raise NotUnderstood(0, "there is nothing to end")
    chart.open.pop()


def _autonumber(rest: str, _place: Place, chart: SequenceChart) -> None:
    found = _FIGURES.fullmatch(rest)
    start, step = (found[1], found[2]) if found else (None, None)
    chart.numbering = None if rest.lower() == "off" else (float(start or 1), float(step or 1))


def _title(rest: str, _place: Place, chart: SequenceChart) -> None:
    chart.title = chart.title or _text(rest)


def _formless(rest: str, place: Place, chart: SequenceChart) -> None:
    chart.losses.formless(place, f"menus and properties of participants: {shown(rest)}")


_KEYWORDS: Mapping[str, Callable[[str, Place, SequenceChart], None]] = MappingProxyType(
    {
        "participant": _participant("participant"),
        "actor": _participant("actor"),
        "create": _create,
        "destroy": _destroy,
        "activate": _activation(begins=True),
        "deactivate": _activation(begins=False),
        "note": _note,
        "rect": _rect,
        "box": _box,
        "end": _end,
        "autonumber": _autonumber,
        "title": _title,
        "links": _formless,
        "link": _formless,
        "properties": _formless,
        "details": _formless,
    }
)


def read_sequence(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a sequence diagram."""
    chart = SequenceChart(losses, diagram.source.most_elements, title=diagram.title)
    read_statements(diagram.cursor, chart)
    return sequence_document_of(chart, Assembly("mermaid", diagram.source))
