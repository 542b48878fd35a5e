"""State diagrams: states, composite states with regions, choices, forks, notes, transitions."""

from __future__ import annotations

import re

from scenograph.reading.assembly import Assembly
from scenograph.reading.charts import State, StateChart, StateNote, StateScope, StateTransition, state_document_of
from scenograph.reading.mermaid.diagram import (
    DEFAULT_CLASS,
    DIRECTIONS,
    Diagram,
    NotUnderstood,
    link_of,
    plain,
    read_all,
    skip_description,
    style_by_classes,
    style_of,
)
from scenograph.reading.source import Cursor, Losses, Place, shown
from scenograph.scene.json_values import JsonObject

_BETWEEN = " \t\r\n;"
_STEREOTYPES = {"fork": "state.fork", "join": "state.fork", "choice": "state.choice"}
_STATE = re.compile(
    r"state[ \t]+(?:\"(?P<text>[^\"]{0,2000})\"[ \t]+as[ \t]+(?P<alias>[^\s{:]+)|(?P<name>[^\s{:\"]+))[ \t]*"
    r"(?:(?:<<|\[\[|&lt;&lt;)(?P<kind>fork|join|choice)(?:>>|\]\]|&gt;&gt;))?(?:\s*(?P<opens>\{))?",
    re.IGNORECASE,
)
_ID = re.compile(r"\[\*\](?::::?[\w-]+)?|[^\s:{}\-]+(?:-(?!->)[^\s:{}\-]+)*")
_NOTE = re.compile(
    r"note[ \t]+(?P<side>left|right)[ \t]+of[ \t]+(?P<who>[^\s:]+)[ \t]*(?P<colon>:)?[ \t]*(?P<text>[^\n]*)"
)
_FLOATING = re.compile(r'note[ \t]+"(?P<text>[^"\n]*)"(?:[ \t]+as[ \t]+(?P<name>\S+))?')
_SIDES = {"left": "leftOf", "right": "rightOf"}
_NOTE_END = re.compile(r"^[ \t]*end note[ \t]*$", re.MULTILINE | re.IGNORECASE)
_STYLED = re.compile(r"(classDef|class|style)[ \t]+([^\s,]+(?:[ \t]*,[ \t]*[^\s,]+)*)[ \t]+([^\n]*)")
_CLICK = re.compile(
    r'click[ \t]+(?P<name>\S+)[ \t]+(?:href[ \t]+)?"(?P<address>[^"\n]*)"(?:[ \t]+"(?P<title>[^"\n]*)")?'
)
_DIRECTION = re.compile(r"direction[ \t]+(TB|TD|BT|RL|LR)\b[^\n]*")
_MEANINGLESS = re.compile(r"hide empty description|scale[ \t]+\d+[ \t]+width", re.IGNORECASE)
_LONGEST_NOTE = 4_000


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a state diagram."""
    cursor = diagram.cursor
    chart = StateChart(losses, diagram.source.most_elements, title=diagram.title)
    read_all(diagram, losses, lambda place: _read_statement(cursor, chart, place))
    for scope in chart.open[1:]:
        losses.unread(chart.states[scope.owner].place, f"the state {shown(scope.owner)} is not closed by }}")
    assembly = Assembly("mermaid", diagram.source)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    return state_document_of(chart, assembly, lambda state: _style(state, chart))


def _read_statement(cursor: Cursor, chart: StateChart, place: Place) -> None:
    text, at = cursor.text, cursor.at
    for pattern, take in _STATEMENTS:
        found = pattern.match(text, at)
        if found is not None:
            cursor.at = found.end()
            take(found, cursor, chart, place)
            return
    if (title := skip_description(cursor)) is not None:
        chart.title = chart.title or title
    else:
        _read_transition(cursor, chart, place)


def _direction(found: re.Match[str], _cursor: Cursor, chart: StateChart, _place: Place) -> None:
    if len(chart.open) == 1:
        chart.direction = DIRECTIONS[found[1]]
    else:
        chart.open[-1].direction = DIRECTIONS[found[1]]


def _nothing(_found: re.Match[str], _cursor: Cursor, _chart: StateChart, _place: Place) -> None:
    """Ignore a statement about presentation elsewhere."""


def _styled(found: re.Match[str], _cursor: Cursor, chart: StateChart, place: Place) -> None:
    names = [name.strip() for name in found[2].split(",")]
    if found[1] == "class":
        for name in names:
            if name in chart.states:
                chart.states[name].classes += found[3].strip().rstrip(";").split(",")
            else:
                chart.losses.formless(place, f"there is no state {shown(name)} to give a class")
        return
    style = style_of(found[3].rstrip(";"), place, chart.losses)
    for name in names:
        if found[1] == "style":
            chart.state(name, place).style |= style
        else:
            chart.class_styles[name] = chart.class_styles.get(name, {}) | style


def _state(found: re.Match[str], cursor: Cursor, chart: StateChart, place: Place) -> None:
    state = chart.state(found["alias"] or found["name"], place)
    if found["text"]:
        state.label = plain(found["text"])
    if found["kind"]:
        state.kind = _STEREOTYPES[found["kind"].lower()]
    opens = found["opens"] is not None
    if not opens:
        cursor.skip()
        if cursor.take(":"):
            state.texts.append(plain(cursor.rest_of_line()))
    if opens:
        state.inside = state.inside or StateScope(state.name)
        chart.open.append(state.inside)


def _close(_found: re.Match[str], cursor: Cursor, chart: StateChart, _place: Place) -> None:
    if len(chart.open) == 1:
        raise NotUnderstood(cursor.at, "there is no state to close")
    chart.open.pop()


def _divide(_found: re.Match[str], cursor: Cursor, chart: StateChart, _place: Place) -> None:
    if len(chart.open) == 1:
        raise NotUnderstood(cursor.at, "regions are parts of a state")
    chart.open[-1].regions.append({})


def _note(found: re.Match[str], cursor: Cursor, chart: StateChart, place: Place) -> None:
    who = found["who"]
    text = found["text"]
    if found["colon"] is None:
        end = _NOTE_END.search(cursor.text, found.start("text"), min(len(cursor.text), cursor.at + _LONGEST_NOTE))
        if end is None:
            raise NotUnderstood(cursor.at, f"the note on {shown(who)} has no text after a colon and no end")
        text = cursor.text[found.start("text") : end.start()]
        cursor.at = end.end()
    chart.state(who, place)
    chart.count()
    chart.notes.append(StateNote(f"note {who}", plain(text), who, _SIDES[found["side"]]))


def _floating(found: re.Match[str], _cursor: Cursor, chart: StateChart, _place: Place) -> None:
    chart.count()
    chart.notes.append(StateNote(f"note {found['name'] or ''}".strip(), plain(found["text"]), None, ""))


def _click(found: re.Match[str], _cursor: Cursor, chart: StateChart, place: Place) -> None:
    state = chart.state(found["name"], place)
    state.link = link_of(found["address"], found["title"] or "", place, chart.losses)


_STATEMENTS = (
    (_DIRECTION, _direction),
    (_MEANINGLESS, _nothing),
    (_STYLED, _styled),
    (_STATE, _state),
    (re.compile(r"\}"), _close),
    (re.compile(r"--(?=[ \t]*(?:\n|$))"), _divide),
    (_NOTE, _note),
    (_FLOATING, _floating),
    (_CLICK, _click),
)


def _read_transition(cursor: Cursor, chart: StateChart, place: Place) -> None:
    name, classes = _take_state(cursor)
    cursor.skip()
    if not cursor.take("-->"):
        state = chart.end_of(name, place, final=False)
        state.classes += classes
        _take_description(cursor, state)
        return
    source = chart.end_of(name, place, final=False)
    source.classes += classes
    cursor.skip()
    name, classes = _take_state(cursor)
    target = chart.end_of(name, place, final=True)
    target.classes += classes
    cursor.skip()
    text = plain(_line_text(cursor)) if cursor.take(":") else ""
    chart.count()
    chart.transitions.append(StateTransition(source.name, target.name, text))
    _expect_end(cursor)


def _take_state(cursor: Cursor) -> tuple[str, list[str]]:
    found = _ID.match(cursor.text, cursor.at)
    if found is None:
        rest = cursor.text[cursor.at : cursor.line_end()]
        raise NotUnderstood(cursor.at, f"{shown(rest)} is not a statement of a state diagram")
    cursor.at = found.end()
    name, _, own = found[0].partition(":::")
    if not own and cursor.take(":::"):
        style = _ID.match(cursor.text, cursor.at)
        own = style[0] if style else ""
        cursor.at += len(own)
    return name, [own] if own else []


def _take_description(cursor: Cursor, state: State) -> None:
    cursor.skip()
    if cursor.take(":"):
        state.texts.append(plain(_line_text(cursor)))
    elif cursor.take("{"):
        raise NotUnderstood(cursor.at, f"only after the word state can {shown(state.name)} be opened")
    _expect_end(cursor)


def _line_text(cursor: Cursor) -> str:
    return cursor.rest_of_line().partition("%%")[0].rstrip("; \t")


def _expect_end(cursor: Cursor) -> None:
    cursor.skip()
    rest = cursor.text[cursor.at : cursor.line_end()]
    if rest and not rest.startswith((";", "%%", "}")):
        raise NotUnderstood(cursor.at, f"{shown(rest)} was not expected here")
    if not rest.startswith("}"):
        cursor.rest_of_line()


def _style(state: State, chart: StateChart) -> JsonObject | str | None:
    return style_by_classes((DEFAULT_CLASS, *state.classes), state.style, chart.class_styles)
