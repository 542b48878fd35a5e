"""State diagrams between their statements and the document: states, composite states with regions, notes,
transitions."""

from __future__ import annotations

from collections.abc import Callable

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

EDGE_STATE = "[*]"
_FAMILY = "workflow"


@dataclass(slots=True)
class State:
    name: str
    place: Place
    home: StateScope
    kind: str = "state.state"
    texts: list[str] = field(default_factory=list[str])
    label: str = ""
    classes: list[str] = field(default_factory=list[str])
    style: JsonObject = field(default_factory=dict[str, object])
    link: JsonObject | None = None
    inside: StateScope | None = None


@dataclass(slots=True)
class StateScope:
    """The diagram, or the inside of a composite state; `regions` are lists of names, `direction` its flow."""

    owner: str
    direction: str = ""
    regions: list[dict[str, None]] = field(default_factory=lambda: [{}])


@dataclass(slots=True)
class StateTransition:
    source: str
    target: str
    text: str
    style: JsonObject | None = None


@dataclass(slots=True)
class StateNote:
    name: str
    text: str
    on: str | None
    side: str


@dataclass(slots=True)
class StateChart:
    losses: Losses
    most: int
    direction: str = "TB"
    title: str = ""
    states: dict[str, State] = field(default_factory=dict[str, State])
    transitions: list[StateTransition] = field(default_factory=list[StateTransition])
    notes: list[StateNote] = field(default_factory=list[StateNote])
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    open: list[StateScope] = field(default_factory=lambda: [StateScope("")])

    def state(self, name: str, place: Place) -> State:
        """The state of a name, made in the innermost open scope on first use. It belongs to the last composite state
        that mentions it."""
        scope = self.open[-1]
        state = self.states.get(name)
        if state is None:
            self.count()
            state = self.states[name] = State(name, place, scope)
            scope.regions[-1][name] = None
        elif scope.owner and scope is not state.home and not self._holds(name, scope):
            self._move(state, scope, place)
        return state

    def _holds(self, name: str, scope: StateScope) -> bool:
        """Whether a scope is inside the state of this name."""
        owner = scope.owner
        while owner and owner != name:
            owner = self.states[owner].home.owner
        return owner == name

    def _move(self, state: State, scope: StateScope, place: Place) -> None:
        for region in state.home.regions:
            region.pop(state.name, None)
        if state.home.owner:
            what = f"{shown(state.name)} stands in {shown(scope.owner)}, which mentions it last"
            self.losses.formless(place, f"{what}, and no longer in {shown(state.home.owner)}")
        state.home = scope
        scope.regions[-1][state.name] = None

    def end_of(self, mark: str, place: Place, *, final: bool) -> State:
        """The initial or final state of the innermost region, or the state of a name."""
        if not mark.startswith(EDGE_STATE):
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


StyleOf = Callable[[State], JsonObject | str | None]


def document_of(chart: StateChart, assembly: Assembly, style: StyleOf, *, shows_title: bool = False) -> JsonObject:
    """The document of a chart; `style` gives each state's style."""
    for state in chart.states.values():
        if state.inside is None:
            assembly.node(state.name, nodeType=state.kind, label=_label(state), link=state.link, style=style(state))
    notes = [(note, _add_note(note, assembly)) for note in chart.notes]
    for state in chart.states.values():
        if state.inside is not None:
            _add_composite(state, state.inside, notes, assembly, style)
    for transition in chart.transitions:
        source, target = ({"elementId": assembly.name(name)} for name in (transition.source, transition.target))
        assembly.edge(source, target, edgeType="state.transition", label=transition.text, style=transition.style)
    for note, element in notes:
        if note.on is not None:
            ends = {"elementId": element["id"]}, {"elementId": assembly.name(note.on)}
            assembly.edge(*ends, edgeType="workflow.association")
    strategy = {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(_FAMILY, title=chart.title, shows_title=shows_title, layoutStrategy=strategy)


def _add_note(note: StateNote, assembly: Assembly) -> JsonObject:
    on = None if note.on is None else assembly.name(note.on)
    beside = {"mode": "relative", "relation": note.side, "target": on}
    return assembly.node(
        assembly.numbered(note.name), nodeType="note", label=note.text, layout=None if on is None else beside
    )


def _label(state: State) -> str | None:
    if state.kind != "state.state":
        return state.label or "\n".join(state.texts) or None
    return "\n".join([*([state.label] if state.label else []), *state.texts]) or state.name


def _add_composite(
    state: State, inside: StateScope, notes: list[tuple[StateNote, JsonObject]], assembly: Assembly, style: StyleOf
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
        style=style(state),
        extensions=extensions | ({"regions": regions} if len(regions) > 1 else {}) or None,
    )
