"""State diagrams: states, composite states with regions, choices, forks, notes, transitions."""

from __future__ import annotations

import re

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.mermaid.diagram import (
    DIRECTIONS,
    Diagram,
    NotUnderstood,
    link_of,
    read_all,
    skip_description,
    style_of,
)
from scenograph.reading.mermaid.labels import plain
from scenograph.reading.mermaid.styles import DEFAULT_CLASS, style_by_classes
from scenograph.reading.source import Cursor, shown
from scenograph.scene.json_values import JsonObject

_FAMILY = "workflow"
_BETWEEN = " \t\r\n;"
_EDGE_STATE = "[*]"
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


@dataclass(slots=True)
class _State:
    name: str
    place: Place
    home: _Scope
    kind: str = "state.state"
    texts: list[str] = field(default_factory=list[str])
    label: str = ""
    classes: list[str] = field(default_factory=list[str])
    style: JsonObject = field(default_factory=dict[str, object])
    link: JsonObject | None = None
    inside: _Scope | None = None


@dataclass(slots=True)
class _Scope:
    """The diagram, or the inside of a composite state; `regions` are lists of names, `direction` its flow."""

    owner: str
    direction: str = ""
    regions: list[dict[str, None]] = field(default_factory=lambda: [{}])


@dataclass(slots=True)
class _Transition:
    source: str
    target: str
    text: str


@dataclass(slots=True)
class _Note:
    name: str
    text: str
    on: str | None
    side: str


@dataclass(slots=True)
class _Chart:
    losses: Losses
    most: int
    direction: str = "TB"
    title: str = ""
    states: dict[str, _State] = field(default_factory=dict[str, _State])
    transitions: list[_Transition] = field(default_factory=list[_Transition])
    notes: list[_Note] = field(default_factory=list[_Note])
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    open: list[_Scope] = field(default_factory=lambda: [_Scope("")])

    def state(self, name: str, place: Place) -> _State:
        """The state of a name, made in the innermost open scope on first use. It belongs to the last composite state
        that mentions it."""
        scope = self.open[-1]
        state = self.states.get(name)
        if state is None:
            self.count()
            state = self.states[name] = _State(name, place, scope)
            scope.regions[-1][name] = None
        elif scope.owner and scope is not state.home and not self._holds(name, scope):
            self._move(state, scope, place)
        return state

    def _holds(self, name: str, scope: _Scope) -> bool:
        """Whether a scope is inside the state of this name."""
        owner = scope.owner
        while owner and owner != name:
            owner = self.states[owner].home.owner
        return owner == name

    def _move(self, state: _State, scope: _Scope, place: Place) -> None:
        for region in state.home.regions:
            region.pop(state.name, None)
        if state.home.owner:
            what = f"{shown(state.name)} stands in {shown(scope.owner)}, which mentions it last"
            self.losses.formless(place, f"{what}, and no longer in {shown(state.home.owner)}")
        state.home = scope
        scope.regions[-1][state.name] = None

    def end_of(self, mark: str, place: Place, *, final: bool) -> _State:
        """The initial or final state of the innermost region, or the state of a name."""
        if not mark.startswith(_EDGE_STATE):
            return self.state(mark, place)
        scope = self.open[-1]
        region = f" {len(scope.regions)}" if len(scope.regions) > 1 else ""
        name = f"{scope.owner}{region} {'end' if final else 'start'}".strip()
        state = self.state(f"[*] {name}", place)
        state.kind = "state.final" if final else "state.initial"
        return state

    def count(self) -> None:
        if len(self.states) + len(self.transitions) + len(self.notes) >= self.most:
            raise TooLarge(self.most)


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a state diagram."""
    cursor = diagram.cursor
    chart = _Chart(losses, diagram.source.most_elements, title=diagram.title)
    read_all(diagram, losses, lambda place: _read_statement(cursor, chart, place))
    for scope in chart.open[1:]:
        losses.unread(chart.states[scope.owner].place, f"the state {shown(scope.owner)} is not closed by }}")
    return _document_of(chart, diagram)


def _read_statement(cursor: Cursor, chart: _Chart, place: Place) -> None:
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


def _direction(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    if len(chart.open) == 1:
        chart.direction = DIRECTIONS[found[1]]
    else:
        chart.open[-1].direction = DIRECTIONS[found[1]]


def _nothing(_found: re.Match[str], _cursor: Cursor, _chart: _Chart, _place: Place) -> None:
    """Ignore a statement about presentation elsewhere."""


def _styled(found: re.Match[str], _cursor: Cursor, chart: _Chart, place: Place) -> None:
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


def _state(found: re.Match[str], cursor: Cursor, chart: _Chart, place: Place) -> None:
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
        state.inside = state.inside or _Scope(state.name)
        chart.open.append(state.inside)


def _close(_found: re.Match[str], cursor: Cursor, chart: _Chart, _place: Place) -> None:
    if len(chart.open) == 1:
        raise NotUnderstood(cursor.at, "there is no state to close")
    chart.open.pop()


def _divide(_found: re.Match[str], cursor: Cursor, chart: _Chart, _place: Place) -> None:
    if len(chart.open) == 1:
        raise NotUnderstood(cursor.at, "regions are parts of a state")
    chart.open[-1].regions.append({})


def _note(found: re.Match[str], cursor: Cursor, chart: _Chart, place: Place) -> None:
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
    chart.notes.append(_Note(f"note {who}", plain(text), who, _SIDES[found["side"]]))


def _floating(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    chart.count()
    chart.notes.append(_Note(f"note {found['name'] or ''}".strip(), plain(found["text"]), None, ""))


def _click(found: re.Match[str], _cursor: Cursor, chart: _Chart, place: Place) -> None:
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


def _read_transition(cursor: Cursor, chart: _Chart, place: Place) -> None:
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
    chart.transitions.append(_Transition(source.name, target.name, text))
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


def _take_description(cursor: Cursor, state: _State) -> None:
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


def _document_of(chart: _Chart, diagram: Diagram) -> JsonObject:
    assembly = Assembly("mermaid", diagram.source)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    for state in chart.states.values():
        if state.inside is None:
            assembly.node(
                state.name, nodeType=state.kind, label=_label(state), link=state.link, style=_style(state, chart)
            )
    notes = [(note, _add_note(note, assembly)) for note in chart.notes]
    for state in chart.states.values():
        if state.inside is not None:
            _add_composite(state, state.inside, notes, chart, assembly)
    for transition in chart.transitions:
        source, target = ({"elementId": assembly.name(name)} for name in (transition.source, transition.target))
        assembly.edge(source, target, edgeType="state.transition", label=transition.text)
    for note, element in notes:
        if note.on is not None:
            ends = {"elementId": element["id"]}, {"elementId": assembly.name(note.on)}
            assembly.edge(*ends, edgeType="workflow.association")
    strategy = {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(_FAMILY, title=chart.title, layoutStrategy=strategy)


def _add_note(note: _Note, assembly: Assembly) -> JsonObject:
    on = None if note.on is None else assembly.name(note.on)
    beside = {"mode": "relative", "relation": note.side, "target": on}
    return assembly.node(
        assembly.numbered(note.name), nodeType="note", label=note.text, layout=None if on is None else beside
    )


def _label(state: _State) -> str | None:
    if state.kind != "state.state":
        return state.label or "\n".join(state.texts) or None
    return "\n".join([*([state.label] if state.label else []), *state.texts]) or state.name


def _add_composite(
    state: _State, inside: _Scope, notes: list[tuple[_Note, JsonObject]], chart: _Chart, assembly: Assembly
) -> None:
    of: dict[str, list[str]] = {}
    for note, element in notes:
        of.setdefault(note.on or "", []).append(element["id"])
    extensions: JsonObject = {"direction": inside.direction} if inside.direction else {}
    regions = [
        [*map(assembly.name, region), *(one for name in region for one in of.get(name, ()))]
        for region in inside.regions
    ]
    assembly.frame(
        state.name,
        title=_label(state),
        children=[child for region in regions for child in region],
        containerType="state",
        style=_style(state, chart),
        extensions=extensions | ({"regions": regions} if len(regions) > 1 else {}) or None,
    )


def _style(state: _State, chart: _Chart) -> JsonObject | str | None:
    return style_by_classes((DEFAULT_CLASS, *state.classes), state.style, chart.class_styles)
