"""A laid-out scene as the text of a Mermaid diagram; the node types decide the kind of diagram."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.families.catalog import authored_type, node_kind
from scenograph.engine.families.family import is_region
from scenograph.engine.families.sequence.diagram import (
    ACTIVATES,
    DEACTIVATES,
    is_fragment,
    operands_of,
    read_interaction,
    read_participants,
)
from scenograph.engine.tables import FinishedStyle, LaidOutScene
from scenograph.engine.write.markup import hex_color
from scenograph.engine.write.writer import ExportLosses, is_typed
from scenograph.late_dataclasses import dataclass
from scenograph.scene.document_index import ancestors
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Column, Edge, Element, Endpoint, Frame, Group, Guide, Image, Linked, Node, Text
from scenograph.scene.vocabulary import DIRECTIONS

# Names and texts as Mermaid takes them: no caller's text can end a string, begin a directive or become markup.
# Letters that mean something to Mermaid or to HTML are written as its character references (`#35;` is a number
# sign).


_UNSAFE = re.compile(r"[#\"<>&%`\\]|[\x00-\x1f\x7f\u2028\u2029]")
_UNSAFE_BARE = re.compile(_UNSAFE.pattern + r"|[;{}]|\bend\b", re.IGNORECASE)
_STRANGE = re.compile(r"[^\w]+")


Grammar = re.Pattern[str]
"""The valid names in a kind of diagram."""


def _grammar(words: str, whole: str, parts: str, *, anywhere: bool = False, any_case: bool = True) -> Grammar:
    """The grammar of names from letters, digits and `parts`. A name must not equal a word of `whole`, nor begin with a
    word of `words`, nor contain a part of `words` if `anywhere`."""
    before = r"(?:.*[.-])?" if anywhere else ""
    refused = rf"(?!{before}(?:{words.replace(' ', '|')})(?!\w))(?!(?:{whole.replace(' ', '|')})$)"
    return re.compile(rf"{refused}{parts}", re.IGNORECASE if any_case else 0)


# Words reserved by Mermaid's lexers, each tried individually.
_FLOWCHART = _grammar(
    "end graph flowchart subgraph style class classDef linkStyle",
    "click call href direction default accTitle accDescr",
    r"\w+(?:[.:-]\w+)*",
    any_case=False,
)
SEQUENCE = _grammar(
    "end note loop alt else opt par par_over and critical break rect participant actor box create destroy activate "
    "deactivate link links over option autonumber details properties",
    "title accTitle accDescr",
    r"\w+(?:\.\w+|-(?!x)\w+)*",
)
TABLES = _grammar(
    "end subgraph style class classDef to one many u erDiagram",
    "title direction accTitle accDescr",
    r"(?!\d)\w+(?:[.-]\w+)*",
)
STATES = _grammar(
    "style class classDef click default state note href as", "direction hide scale accTitle accDescr", r"\w+(?:\.\w+)*"
)
CLASSES = _grammar(
    "style class classDef cssClass click callback note namespace link href call direction accTitle accDescr o",
    "title",
    r"\w+(?:[.-]\w+)*",
    anywhere=True,
    any_case=False,
)


def quoted(text: str) -> str:
    """A text for use between quotation marks, on one line; line ends become `<br/>`."""
    return _on_one_line(text, _UNSAFE)


def bare(text: str) -> str:
    """A text without quotation marks, up to the end of its line."""
    return _on_one_line(text, _UNSAFE_BARE)


def _front_matter(text: str) -> str:
    """A text as a front matter value: a JSON string, read alike by YAML."""
    return json.dumps(text, ensure_ascii=False)


def _on_one_line(text: str, unsafe: re.Pattern[str]) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "<br/>".join(unsafe.sub(_reference, line) for line in lines)


def _reference(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) > 1:  # "end" would end a block
        return f"{found[:2]}#{ord(found[2])};"
    return f"#{ord(found)};" if found >= " " and found != "\x7f" else " "


def _names_of(ids: Iterable[str], grammar: Grammar) -> Mapping[str, str]:
    """A name for every id: the id itself if the grammar accepts it."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    rows = list(ids)
    kept = [row for row in rows if grammar.fullmatch(row)]
    for one in (*kept, *(row for row in rows if not grammar.fullmatch(row))):
        wished = one if grammar.fullmatch(one) else _cleaned(one, grammar)
        name, number = wished, 2
        while name in taken:
            name, number = f"{wished}_{number}", number + 1
        taken.add(name)
        names[one] = name
    return names


def _cleaned(text: str, grammar: Grammar) -> str:
    name = _STRANGE.sub("_", text).strip("_")
    return name if grammar.fullmatch(name) else f"n_{name}".rstrip("_")


# A laid-out scene prepared for every kind of Mermaid diagram: names, containers and common losses.


INDENT = "    "


@dataclass(frozen=True)
class Graph:
    """The scene, and the collector of losses."""

    laid_out: LaidOutScene
    losses: ExportLosses
    grammar: Grammar

    @cached_property
    def elements(self) -> dict[str, Element]:
        """Every element by id, in document order."""
        return {element.id: element for element in self.laid_out.scene.elements}

    @cached_property
    def names(self) -> dict[str, str]:
        """The name of every node and container."""
        ids = (one.id for one in self.elements.values() if isinstance(one, Node | Frame | Group))
        return dict(_names_of(ids, self.grammar))

    @cached_property
    def homes(self) -> dict[str, str]:
        """The container of each contained element."""
        containers = (one for one in self.elements.values() if isinstance(one, Frame | Group))
        return {child: one.id for one in containers for child in one.children if child in self.elements}

    @property
    def nodes(self) -> list[Node]:
        """Nodes in document order."""
        return [one for one in self.elements.values() if isinstance(one, Node)]

    @property
    def edges(self) -> list[Edge]:
        """Edges in document order."""
        return [one for one in self.elements.values() if isinstance(one, Edge)]

    @cached_property
    def invisible_lines(self) -> list[Edge]:
        """Hidden edges between visible elements, in document order."""
        lines = (one for one in self.laid_out.scene.hidden if isinstance(one, Edge))
        return [line for line in lines if all(end in self.names for end in line.ends)]

    @property
    def direction(self) -> str:
        """The declared direction, or the direction of most edges."""
        strategy = self.laid_out.scene.layout_strategy
        if strategy is not None and strategy.direction is not None:
            return strategy.direction
        boxes, across, along = self.laid_out.placement.boxes, 0, 0
        for edge in self.edges:
            ends = boxes.get(edge.source.element_id), boxes.get(edge.target.element_id)
            if ends[0] is not None and ends[1] is not None:
                dx, dy = ends[1].center.x - ends[0].center.x, ends[1].center.y - ends[0].center.y
                across, along = across + (abs(dx) > abs(dy)), along + (abs(dx) <= abs(dy))
        return "LR" if across > along else "TB"

    def own_direction(self, container: Element) -> list[str]:
        """The direction statement inside a container with its own direction."""
        said = container.extensions.get("direction")
        return [f"direction {said}"] if isinstance(container, Frame) and said in DIRECTIONS else []

    def head(self, kind: str) -> list[str]:
        """The first lines: the title as front matter, the kind of the diagram."""
        title = self.laid_out.scene.title
        return [*(["---", f"title: {_front_matter(title)}", "---"] if title else []), kind]

    def children(self, container: str | None) -> Iterator[Element]:
        """Nodes and containers in a container; None: at the top."""
        for one in self.elements.values():
            if isinstance(one, Node | Frame | Group) and self.homes.get(one.id) == container:
                yield one

    def painted(self) -> Iterator[str]:
        """`style` and `click` lines of styled or linked elements; reports the links of edges as lost."""
        yield from self.styled()
        yield from self.links()
        self.tell("links of lines", (edge.id for edge in self.edges if edge.link is not None))

    def styled(self, *, whole: bool = False) -> Iterator[str]:
        """`style` lines of elements with authored colours; tables accept `whole` numbers only."""
        for one in self.elements.values():
            if not isinstance(one, Node | Frame) or one.id not in self.names:
                continue
            if _is_painted(one):
                yield f"style {self.names[one.id]} {_css(self.laid_out.styles.of[one.id], whole=whole)}"

    def links(self) -> Iterator[str]:
        """`click` lines; an address holds no quotation mark."""
        for one in self.elements.values():
            if isinstance(one, Linked) and one.link is not None and one.id in self.names:
                yield f'click {self.names[one.id]} href "{one.link.href}" _blank'

    def tell(self, what: str, element_ids: Iterable[str]) -> None:
        """Add a loss, if any element has it."""
        if found := list(element_ids):
            self.losses.add(what, *found)

    def tell_common_losses(self) -> None:
        """Report the losses common to all Mermaid diagrams."""
        rows = list(self.elements.values())
        boxed = [one for one in rows if isinstance(one, Node | Frame)]
        self.tell("given places", (one.id for one in boxed if one.layout.mode != "auto"))
        for what, kinds in (("free texts", Text), ("pictures", Image), ("guides", Guide)):
            self.tell(what, (one.id for one in rows if isinstance(one, kinds)))
        self.tell("icons", (one.id for one in boxed if one.icon))
        self.tell("tooltips", (one.id for one in rows if isinstance(one, Linked) and one.tooltip))
        self.tell("fonts and opacity", (one.id for one in rows if _has_other_style(one)))
        self.tell("corners, accents and grounds of labels", (one.id for one in rows if _has_details(one)))
        self.tell("waypoints", (edge.id for edge in self.edges if edge.waypoints))
        self.tell("kinds of routes", (edge.id for edge in self.edges if edge.router not in (None, "orthogonal")))
        self.tell("sides that lines end at", (one.id for one in self.edges if one.source.port or one.target.port))
        self.tell("given sizes", (one.id for one in boxed if _is_sized(one)))
        self.tell("orders from back to front", (one.id for one in rows if one.z_index))
        self.tell("locks", (one.id for one in rows if one.locked))
        self.tell("ids that Mermaid does not take", (key for key, name in self.names.items() if name != key))
        if self.laid_out.scene.constraints:
            self.losses.add("constraints")

    def tell_labels_at_ends(self) -> None:
        """Report end labels, for diagrams with one label per edge."""
        self.tell(
            "labels at the ends of lines", (edge.id for edge in self.edges if edge.source.label or edge.target.label)
        )

    def tell_painted_lines(self) -> None:
        """Report colours of edges, for diagrams without edge colours."""
        self.tell("colours and strokes of lines", (edge.id for edge in self.edges if _is_painted(edge)))


def _is_painted(element: Element) -> bool:
    """Whether the author set colours, a stroke or a style id."""
    given = element.style
    said = given is not None and any(
        (given.fill, given.stroke, given.text_color, given.stroke_width is not None, given.dash)
    )
    return said or element.style_id is not None


def _has_other_style(element: Element) -> bool:
    given = element.style
    return given is not None and any(
        one is not None for one in (given.font_family, given.font_size, given.font_weight, given.opacity)
    )


def _has_details(element: Element) -> bool:
    given = element.style
    return given is not None and any(
        one is not None for one in (given.corner_radius, given.accent_color, given.label_background, given.line_jumps)
    )


def _is_sized(one: Node | Frame) -> bool:
    band = (one.head_height, one.title_inset) if isinstance(one, Frame) else ()
    return any(length is not None for length in (one.layout.width, one.layout.height, *band))


def label_of(element: Element) -> str:
    """The text of a node or a container; the id of a container without text."""
    if isinstance(element, Frame):
        return element.title or element.id
    if isinstance(element, Node | Group):
        return element.label or ("" if isinstance(element, Node) else element.id)
    return element.id


def indented(lines: Sequence[str]) -> list[str]:
    """The lines, indented by one step."""
    return [INDENT + line for line in lines]


def _css_of_line(style: FinishedStyle) -> str:
    """The look of an edge and its text as CSS for Mermaid."""
    return f"stroke:{hex_color(style.stroke)},color:{hex_color(style.text_color)},{_stroke(style)}"


def _css(style: FinishedStyle, *, whole: bool) -> str:
    colors = f"fill:{hex_color(style.fill)},stroke:{hex_color(style.stroke)},color:{hex_color(style.text_color)}"
    return f"{colors},{_stroke(style, whole=whole)}"


def _stroke(style: FinishedStyle, *, whole: bool = False) -> str:
    width, *dash = (max(round(one), 1) if whole else one for one in (style.stroke_width, *style.dash))
    dashes = f",stroke-dasharray:{' '.join(f'{part:g}' for part in dash)}" if dash else ""
    return f"stroke-width:{width:g}px{dashes}"


# Class diagrams: classes with compartments, relations with multiplicities.

_CLASS_ARROWS: Mapping[str, str] = MappingProxyType(
    {
        "uml.inherits": "--|>",
        "uml.implements": "..|>",
        "uml.composes": "*--",
        "uml.aggregates": "o--",
        "uml.depends": "..>",
    }
)
_STEREOTYPES: Mapping[str, str] = MappingProxyType({"uml.interface": "interface", "uml.enum": "enumeration"})
_RETURNS = re.compile(r"(\([^()]*\))\s*:\s*(?=\S)")
_CLASSIFIERS: Mapping[str, str] = MappingProxyType({"{abstract}": "*", "{static}": "$"})
_CLASS_NOTE = "note"
_COMPARTMENTS = ("attributes", "values", "methods")


def _write_classes(graph: Graph) -> list[str]:
    """The lines of a classDiagram; containers are namespaces."""
    body = [
        f"direction {graph.direction}",
        *(line for one in graph.children(None) for line in _class_element(graph, one)),
    ]
    notes = [node for node in graph.nodes if node.node_type == _CLASS_NOTE]
    ties = {note.id: [edge for edge in graph.edges if note.id in edge.ends] for note in notes}
    tied = [edge for row in ties.values() for edge in row]
    body += [line for note in notes for line in _class_note(graph, note, ties[note.id])]
    body += [_class_relation(graph, edge) for edge in graph.edges if edge not in tied]
    graph.tell("ids of notes", ties)
    graph.tell("empty containers", (one for one in graph.names if _is_empty(graph, one)))
    graph.tell_painted_lines()
    return [*graph.head("classDiagram"), *indented([*body, *graph.painted()])]


def _class_note(graph: Graph, note: Node, ties: Sequence[Edge]) -> list[str]:
    text = f'"{quoted(note.label or "") or " "}"'
    others = [one for edge in ties for one in edge.ends if one != note.id]
    return [f"note for {graph.names[one]} {text}" for one in others] or [f"note {text}"]


def _class_element(graph: Graph, one: Element) -> list[str]:
    name, label = graph.names[one.id], label_of(one)
    if isinstance(one, Frame | Group):
        inner = [line for child in graph.children(one.id) for line in _class_element(graph, child)]
        return [f"namespace {_namespace(graph, one)} {{", *indented(inner), "}"] if inner else []
    if isinstance(one, Node) and one.node_type == _CLASS_NOTE:
        return []
    head = f"class {name}" if label in ("", name) else f'class {name}["{quoted(label)}"]'
    stereotype = _STEREOTYPES.get(one.node_type or "") if isinstance(one, Node) else None
    rows: list[str] = [f"<<{stereotype}>>"] if stereotype else []
    for compartment in _COMPARTMENTS:
        said = one.extensions.get(compartment)
        rows += [_member(str(text)) for text in (said if is_array(said) else ())]
    return [f"{head} {{", *indented(rows), "}"] if rows else [head]


def _is_empty(graph: Graph, container: str) -> bool:
    is_container = isinstance(graph.elements[container], Frame | Group)
    return is_container and not any(_class_element(graph, child) for child in graph.children(container))


def _namespace(graph: Graph, one: Element) -> str:
    """The name of a namespace, with a quoted title if the title is no valid name. Mermaid keeps no id of a namespace,
    and splits a name at a dot."""
    title = label_of(one)
    if CLASSES.fullmatch(title) and "." not in title:
        return title
    return f'{graph.names[one.id].replace(".", "_")}["{quoted(title)}"]'


def _member(text: str) -> str:
    """A member on one line in Mermaid's syntax: `sum(a): int {static}` becomes `sum(a) int$`. Brackets stay: they tell
    methods from attributes."""
    text = _RETURNS.sub(r"\1 ", text)
    for word, mark in _CLASSIFIERS.items():
        if text.rstrip().endswith(word):
            text = f"{text.rstrip().removesuffix(word).rstrip()}{mark}"
    return " ".join(text.replace("{", "(").replace("}", ")").replace("%%", "% %").split())


def _class_relation(graph: Graph, edge: Edge) -> str:
    arrow = _CLASS_ARROWS.get(edge.edge_type or "") or ("-->" if edge.end_arrow not in (None, "none") else "--")
    if arrow.endswith(("->", ".>")):
        arrow = f"{arrow[:2]}{'' if edge.end_arrow == 'none' else '>'}"
        arrow = f"<{arrow}" if edge.start_arrow not in (None, "none") else arrow
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    text = f" : {bare(edge.label)}" if edge.label else ""
    return f"{source}{_said(edge.source)} {arrow}{_said(edge.target)} {target}{text}"


def _said(end: Endpoint) -> str:
    label: str | None = getattr(end, "label", None)
    return f' "{quoted(label)}"' if label else ""


# Flowcharts: any scene except sequences, tables, states and classes.

SHAPES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "rect": ('["', '"]'),
        "roundedRect": ('("', '")'),
        "ellipse": ('(("', '"))'),
        "diamond": ('{"', '"}'),
        "cylinder": ('[("', '")]'),
        "pill": ('(["', '"])'),
        "hexagon": ('{{"', '"}}'),
        "parallelogram": ('[/"', '"/]'),
        "iconBox": ('["', '"]'),
        **{
            outline: (f'@{{ shape: {shape}, label: "', '" }')
            for outline, shape in (("box3d", "st-rect"), ("tube", "h-cyl"), ("textBox", "text"), ("cloud", "cloud"))
        },
    }
)
_SHAPES_OF_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "workflow.start": "sm-circ",
        "workflow.end": "fr-circ",
        "workflow.subprocess": "subproc",
        "workflow.dataObject": "doc",
        "workflow.annotation": "brace",
        "state.fork": "fork",
    }
)
_PLAIN_HEADS: Mapping[str, str] = MappingProxyType(
    {"none": "", "triangle": ">", "openTriangle": ">", "arrow": ">", "circle": "o", "openCircle": "o", "cross": "x"}
)
_THICK = 3.0


def _write_flowchart(graph: Graph) -> list[str]:
    """The lines of a flowchart; containers are subgraphs. A pool around everything with lanes becomes a swimlane
    diagram."""
    pool = _only_pool(graph)
    body = [line for one in graph.children(pool.id if pool else None) for line in _vertex(graph, one)]
    if pool is not None:
        body += [line for one in graph.children(None) if one is not pool for line in _vertex(graph, one)]
    body += [_edge(graph, edge) for edge in graph.edges]
    body += [_link(graph, edge, "~~~") for edge in graph.invisible_lines]
    body += [
        f"linkStyle {number} {_css_of_line(graph.laid_out.styles.of[edge.id])}"
        for number, edge in enumerate(graph.edges)
        if _is_painted(edge)
    ]
    types = {node.id: authored_type(node) for node in graph.nodes}
    graph.tell("types of nodes", (one for one, name in types.items() if name and name not in _SHAPES_OF_TYPES))
    framed = (one for one in graph.elements.values() if isinstance(one, Frame) and one is not pool)
    graph.tell("types of frames", (one.id for one in framed if is_typed(one)))
    graph.tell("types of lines", (edge.id for edge in graph.edges if is_typed(edge)))
    graph.tell("rows of tables and cards", (node.id for node in graph.nodes if node.columns))
    graph.tell_labels_at_ends()
    if pool is None:
        return [*graph.head(f"flowchart {graph.direction}"), *indented([*body, *graph.painted()])]
    graph.tell("ids and titles of pools", [pool.id])
    rows = "TB" if pool.lane_direction == "vertical" else "LR"
    return [*graph.head(f"swimlane-beta {rows}"), *indented([*body, *graph.painted()])]


def _only_pool(graph: Graph) -> Frame | None:
    """The single top-level pool divided into lanes; None with any other container, or an edge at the pool."""
    tops = [one for one in graph.children(None) if isinstance(one, Frame | Group)]
    pool = tops[0] if len(tops) == 1 else None
    if not isinstance(pool, Frame) or pool.container_type != "pool":
        return None
    inside = list(graph.children(pool.id))
    are_lanes = inside and all(isinstance(one, Frame) and one.container_type == "lane" for one in inside)
    return pool if are_lanes and not any(pool.id in edge.ends for edge in graph.edges) else None


def _vertex(graph: Graph, one: Element) -> list[str]:
    name = graph.names[one.id]
    text = quoted(one.title or "") if isinstance(one, Frame) else quoted(label_of(one))
    if isinstance(one, Frame | Group):
        inner = [line for child in graph.children(one.id) for line in _vertex(graph, child)]
        lines = indented([*graph.own_direction(one), *inner])
        return [f'subgraph {name}["{text or " "}"]', *lines, "end"]
    shape = _SHAPES_OF_TYPES.get(authored_type(one) or "") if isinstance(one, Node) else None
    if shape is not None:
        return [f'{name}@{{ shape: {shape}, label: "{text or " "}" }}']
    opens, closes = SHAPES.get(one.shape or "", SHAPES["roundedRect"]) if isinstance(one, Node) else SHAPES["rect"]
    return [f"{name}{opens}{text or ' '}{closes}"]


def _edge(graph: Graph, edge: Edge) -> str:
    start, end = _head(graph, edge, edge.start_arrow), _head(graph, edge, edge.end_arrow)
    style = graph.laid_out.styles.of[edge.id]
    line = "-.-" if style.dash else "==" if style.stroke_width >= _THICK else "--"
    if not end:
        line = {"-.-": "-.-", "==": "===", "--": "---"}[line]
    # A head at the start alone has no form: the line is told the other way round.
    first, second = edge.ends
    if start and not end:
        graph.losses.add("lines with a head at their start alone (they run the other way)", edge.id)
        first, second, start, end = second, first, "", start
        line = {"---": "--", "===": "=="}.get(line, line)
    begins = {">": "<"}.get(start, start)
    return _link(graph, edge, f"{begins}{line}{end}", (first, second))


def _link(graph: Graph, edge: Edge, line: str, ends: tuple[str, str] | None = None) -> str:
    first, second = ends or edge.ends
    text = f'|"{quoted(edge.label)}"|' if edge.label else ""
    return f"{graph.names[first]} {line}{text} {graph.names[second]}"


def _head(graph: Graph, edge: Edge, marker: str | None) -> str:
    if marker not in _PLAIN_HEADS and marker is not None:
        graph.losses.add("arrow markers that Mermaid does not have", edge.id)
    return _PLAIN_HEADS.get(marker or "none", ">")


# Sequence diagrams: participants, messages in their order, notes, fragments as blocks.

_ACTOR, _NOTE, _LIFELINE = "sequence.actor", "sequence.note", "sequence.lifeline"
_SYMBOLS = frozenset({"database", "queue"})
_MESSAGE_ARROWS: Mapping[str, str] = MappingProxyType(
    {"sequence.reply": "-->>", "sequence.async": "-)", "sequence.destroy": "-x", "sequence.create": "->>"}
)
# Further heads of a message; a reply has the same head with an additional hyphen.
_HEADED: Mapping[tuple[str, str], str] = MappingProxyType(
    {("none", "none"): "->", ("none", "bar"): "-x", ("triangle", "triangle"): "<<->>"}
)
_USUAL_HEADS = frozenset({"triangle", "arrow"})
_FURTHER: Mapping[str, str] = MappingProxyType({"alt": "else", "par": "and", "critical": "option"})


def _write_interaction(graph: Graph) -> list[str]:
    """The lines of a sequenceDiagram."""
    created = {edge.target.element_id for edge in graph.edges if edge.edge_type == "sequence.create"}
    body = [line for one in graph.children(None) for line in _participants(graph, one, created)]
    body += _events(graph)
    rows = graph.elements.values()
    graph.tell("colours", (one.id for one in rows if _is_painted(one)))
    graph.tell("links", (one.id for one in rows if isinstance(one, Linked) and one.link is not None))
    unnamed = (one.id for one in rows if isinstance(one, Frame) or (isinstance(one, Node) and not _lives(one)))
    graph.tell("ids of boxes, fragments and notes", unnamed)
    titled = (one.id for one in rows if is_fragment(one) and isinstance(one, Frame) and one.title)
    graph.tell("titles of fragments", titled)
    plain = (None, _ACTOR, _NOTE, _LIFELINE, *_SYMBOLS)
    graph.tell("types of nodes", (node.id for node in graph.nodes if node.node_type not in plain))
    graph.tell("shapes of participants", (node.id for node in graph.nodes if _is_shaped(node)))
    boxes = (one for one in rows if isinstance(one, Frame) and not is_fragment(one))
    graph.tell("types of boxes", (one.id for one in boxes if is_typed(one)))
    graph.tell_labels_at_ends()
    return [*graph.head("sequenceDiagram"), *indented(body)]


def _participants(graph: Graph, one: Element, created: set[str]) -> list[str]:
    if isinstance(one, Frame):
        inner = [line for child in graph.children(one.id) for line in _participants(graph, child, created)]
        boxed = inner and not is_fragment(one)
        return [f"box {bare(one.title or '')}".rstrip(), *indented(inner), "end"] if boxed else inner
    return [_participant(graph, one)] if _lives(one) and one.id not in created else []


def _lives(one: Element) -> bool:
    return isinstance(one, Node) and one.node_type != _NOTE


def _is_shaped(node: Node) -> bool:
    return node.shape != node_kind(node.node_type).shape


def _participant(graph: Graph, one: Element) -> str:
    kind = one.node_type if isinstance(one, Node) else None
    name, text = graph.names[one.id], bare(label_of(one))
    symbol = f'@{{ "type": "{kind}" }}' if kind in _SYMBOLS else ""
    word = "actor" if kind == _ACTOR else "participant"
    return f"{word} {name}{symbol}" + ("" if text in ("", name) else f" as {text}")


def _events(graph: Graph) -> Iterator[str]:
    """All events from top to bottom as drawn, in the blocks of their fragments."""
    scene = graph.laid_out.scene
    participants = read_participants(scene)
    interaction = read_interaction(scene, participants)
    drawn = {event.id for event in interaction.events}
    stray = (edge.id for edge in graph.edges if edge.id not in drawn)
    graph.tell("lines that end at no participant", stray)
    depth = 0
    for turn, fragment, operand in interaction.steps():
        if fragment is None:
            lines = _event(graph, interaction.events[turn])
        elif operand is None:
            lines, depth = ["end"], depth - 1
        else:
            lines = _opening(graph, fragment.frame, operand)
        further = fragment is not None and operand
        yield from (f"{INDENT * (depth - bool(further))}{line}" for line in lines)
        depth += fragment is not None and operand == 0


def _opening(graph: Graph, frame: Frame, operand: int) -> list[str]:
    """The lines before an operand; an operator without further operands ends, and another block begins."""
    operator, word = frame.extensions.get("operator"), "opt"
    if isinstance(operator, str) and operator in {"alt", "opt", "loop", "par", "break", "critical"}:
        word = operator
    guard = operands_of(frame)[operand].get("guard") if operands_of(frame) else None
    text = bare(str(guard or (frame.title if not operand else None) or ""))
    if not operand:
        return [f"{word} {text}".rstrip()]
    if word not in _FURTHER:
        graph.losses.add("further operands of fragments that Mermaid does not part", frame.id)
        return ["end", f"{word} {text}".rstrip()]
    return [f"{_FURTHER[word]} {text}".rstrip()]


def _event(graph: Graph, one: Element) -> list[str]:
    if isinstance(one, Edge):
        return _message(graph, one)
    return _note(graph, one) if isinstance(one, Node) and one.node_type == _NOTE else []


def _message(graph: Graph, edge: Edge) -> list[str]:
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    line = f"{source}{_arrow(graph, edge)}{target}: {bare(edge.label or '') or ' '}"
    lines = [line, *_activations(edge, source, target)]
    if edge.edge_type == "sequence.create":
        return [f"create {_participant(graph, graph.elements[edge.target.element_id])}", *lines]
    return [f"destroy {target}", *lines] if edge.edge_type == "sequence.destroy" else lines


def _activations(edge: Edge, source: str, target: str) -> Iterator[str]:
    """The statements after a message that end and begin activation bars."""
    ends = {"source": source, "target": target}
    for word, member in (("deactivate", DEACTIVATES), ("activate", ACTIVATES)):
        said = edge.extensions.get(member)
        yield from (f"{word} {name}" for end, name in ends.items() if is_array(said) and end in said)


def _arrow(graph: Graph, edge: Edge) -> str:
    usual = _MESSAGE_ARROWS.get(edge.edge_type or "", "->>")
    start, end = edge.start_arrow or "none", edge.end_arrow or "none"
    if usual.endswith("->>") and edge.edge_type != "sequence.create" and (start, end) in _HEADED:
        headed = _HEADED[start, end]
        return headed.replace("-", "--", 1) if usual == "-->>" else headed
    if start != "none" or (end not in _USUAL_HEADS and edge.edge_type != "sequence.destroy"):
        graph.losses.add("arrow markers that Mermaid does not have", edge.id)
    return usual


def _note(graph: Graph, note: Node) -> list[str]:
    over, side = note.extensions.get("over"), note.extensions.get("side")
    rows = [str(one) for one in over] if is_array(over) else []
    if not rows and note.layout.target is not None:
        rows, side = [note.layout.target], "left" if note.layout.relation == "leftOf" else "right"
    known = [graph.names[one] for one in rows if one in graph.elements and _lives(graph.elements[one])]
    if not known:
        graph.losses.add("notes without a participant", note.id)
        return []
    text = bare(note.label or "") or " "
    if side in ("left", "right"):
        return [f"Note {side} of {known[0]}: {text}"]
    return [f"Note over {','.join(dict.fromkeys((known[0], known[-1])))}: {text}"]


# State diagrams: states, composite states, choices, forks, transitions.

_STATE_STEREOTYPES = {"state.choice": "<<choice>>", "state.fork": "<<fork>>"}
_STATE_NOTE = "note"
_BORDERS = ("state.initial", "state.final")


def _write_states(graph: Graph) -> list[str]:
    """The lines of a stateDiagram-v2; a transition belongs to the innermost state around both ends."""
    unnamed = (node.id for node in graph.nodes if node.node_type in (*_BORDERS, _STATE_NOTE))
    graph.tell("ids of starts, ends and notes", unnamed)
    graph.tell_labels_at_ends()
    graph.tell_painted_lines()
    return [
        *graph.head("stateDiagram-v2"),
        *indented([f"direction {graph.direction}", *_scope(graph, None), *graph.painted()]),
    ]


def _scope(graph: Graph, container: str | None) -> list[str]:
    """The content of a state, or of the top level; regions are separated by `--`."""
    lines: list[str] = []
    for one in graph.children(container):
        if is_region(one):
            lines += [*(["--"] if lines else []), *_scope(graph, one.id)]
        else:
            lines += _state(graph, one)
    inside = (edge for edge in graph.edges if _home(graph, edge) == container and not _is_tie(graph, edge))
    return lines + [_transition(graph, edge) for edge in inside]


def _is_note(graph: Graph, element_id: str) -> bool:
    element = graph.elements.get(element_id)
    return isinstance(element, Node) and element.node_type == _STATE_NOTE


def _is_tie(graph: Graph, edge: Edge) -> bool:
    """Whether an edge attaches a note to a state."""
    return _is_note(graph, edge.source.element_id) or _is_note(graph, edge.target.element_id)


def _state_note(graph: Graph, note: Node) -> list[str]:
    for edge in graph.edges:
        ends = edge.ends
        if note.id in ends:
            on = ends[ends[0] == note.id]
            side = "left" if note.layout.relation == "leftOf" else "right"
            return [f"note {side} of {graph.names[on]} : {bare(note.label or '') or ' '}"]
    return [f'note "{quoted(note.label or "")}" as {graph.names[note.id]}']


def _state(graph: Graph, one: Element) -> list[str]:
    name, text = graph.names[one.id], quoted(label_of(one))
    if isinstance(one, Frame | Group):
        lines = indented([*graph.own_direction(one), *_scope(graph, one.id)])
        return [f'state "{text}" as {name} {{', *lines, "}"]
    kind = one.node_type if isinstance(one, Node) else None
    if isinstance(one, Node) and kind == _STATE_NOTE:
        return _state_note(graph, one)
    if kind in _BORDERS:
        return []
    if kind in _STATE_STEREOTYPES:
        return [f"state {name} {_STATE_STEREOTYPES[kind or '']}"]
    return [name if text in ("", name) else f'state "{text}" as {name}']


def _transition(graph: Graph, edge: Edge) -> str:
    ends = (_state_end(graph, end.element_id) for end in (edge.source, edge.target))
    text = f" : {bare(edge.label)}" if edge.label else ""
    return f"{' --> '.join(ends)}{text}"


def _state_end(graph: Graph, element_id: str) -> str:
    element = graph.elements[element_id]
    return "[*]" if isinstance(element, Node) and element.node_type in _BORDERS else graph.names[element_id]


def _home(graph: Graph, edge: Edge) -> str | None:
    """The innermost container round both ends."""
    around = [[*ancestors(end, graph.homes.get)] for end in edge.ends]
    return next((one for one in around[0] if one in around[1]), None)


# Entity-relationship diagrams: tables with their columns, lines with a cardinality at each end.

_LEFT: Mapping[str, str] = MappingProxyType(
    {"one": "||", "zero-or-one": "|o", "many": "}|", "one-or-many": "}|", "zero-or-many": "}o"}
)
_RIGHT: Mapping[str, str] = MappingProxyType(
    {"one": "||", "zero-or-one": "o|", "many": "|{", "one-or-many": "|{", "zero-or-many": "o{"}
)
_TYPES = frozenset({"er.identifying", "er.nonIdentifying"})
_STRANGE_IN_TYPES = re.compile(r"[^A-Za-z0-9_\-()\[\]]+")


def _write_tables(graph: Graph) -> list[str]:
    """The lines of an erDiagram; containers are subgraphs."""
    body = [line for one in graph.children(None) for line in _table_element(graph, one)]
    body += [_relation(graph, edge) for edge in graph.edges if _is_between_tables(graph, edge)]
    left_out = [edge.id for edge in graph.edges if not _is_between_tables(graph, edge)]
    graph.tell("lines that end at a container", left_out)
    strategy = graph.laid_out.scene.layout_strategy
    if strategy is not None and strategy.direction is not None:
        body.insert(0, f"direction {strategy.direction}")
    graph.tell(
        "columns that may be null", (node.id for node in graph.nodes if any(row.nullable for row in node.columns))
    )
    graph.tell(
        "cardinalities of many (written as one or many)",
        (edge.id for edge in graph.edges if "many" in (edge.source.cardinality, edge.target.cardinality)),
    )
    graph.tell("lines without a type (written as identifying, dashed ones as not)", _untyped(graph))
    graph.tell(
        "types of frames", (one.id for one in graph.elements.values() if isinstance(one, Frame) and is_typed(one))
    )
    graph.tell("ends of lines at rows", (edge.id for edge in graph.edges if edge.source.column or edge.target.column))
    graph.tell("links", (one.id for one in graph.elements.values() if isinstance(one, Linked) and one.link is not None))
    graph.tell_labels_at_ends()
    graph.tell_painted_lines()
    return [*graph.head("erDiagram"), *indented([*body, *graph.styled(whole=True)])]


def _table_element(graph: Graph, one: Element) -> list[str]:
    if isinstance(one, Node):
        return _table(graph, one)
    inner = [line for child in graph.children(one.id) for line in _table_element(graph, child)]
    lines = indented([*graph.own_direction(one), *inner])
    return [f'subgraph {graph.names[one.id]} ["{quoted(label_of(one)) or " "}"]', *lines, "end"]


def _table(graph: Graph, node: Node) -> list[str]:
    name, label = graph.names[node.id], label_of(node)
    head = name if label in ("", name) else f'{name}["{quoted(label)}"]'
    return [f"{head} {{", *indented([_column(graph, node, column) for column in node.columns]), "}"]


def _column(graph: Graph, node: Node, column: Column) -> str:
    kind, name = _word(column.type or "any"), _word(column.name)
    if name != column.name or (column.type is not None and kind != column.type):
        graph.losses.add("letters of column names and types that Mermaid does not take", node.id)
    keys = ", ".join(key for key, is_set in (("PK", column.pk), ("FK", column.fk), ("UK", column.unique)) if is_set)
    return f"{kind} {name}{f' {keys}' if keys else ''}"


def _word(text: str) -> str:
    word = _STRANGE_IN_TYPES.sub("_", text)
    return word if word[:1].isalpha() or word[:1] == "_" else f"_{word}"


def _relation(graph: Graph, edge: Edge) -> str:
    ends = _cardinality(graph, edge, edge.source, _LEFT), _cardinality(graph, edge, edge.target, _RIGHT)
    line = ".." if graph.laid_out.styles.of[edge.id].dash else "--"
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    return f'{source} {ends[0]}{line}{ends[1]} {target} : "{quoted(edge.label or "")}"'


def _cardinality(graph: Graph, edge: Edge, end: Endpoint, marks: Mapping[str, str]) -> str:
    if end.cardinality not in marks:
        graph.losses.add("ends without a cardinality (written as one)", edge.id)
    return marks.get(end.cardinality or "", "||")


def _untyped(graph: Graph) -> Iterator[str]:
    return (edge.id for edge in graph.edges if edge.edge_type not in _TYPES)


def _is_between_tables(graph: Graph, edge: Edge) -> bool:
    return all(isinstance(graph.elements.get(end.element_id), Node) for end in (edge.source, edge.target))


# A laid-out scene as Mermaid; the node types decide the kind of diagram.
#
# In: the laid-out scene. Out: text readable by Mermaid. Ids are kept wherever Mermaid accepts them. Features beyond the
# diagram kind are collected as losses.


class _DiagramKind(NamedTuple):
    """A kind of diagram: prefix of its node types, writer, and grammar of names."""

    types: str
    write: Callable[[Graph], list[str]]
    grammar: Grammar


_NOTES = frozenset({"note", "sequence.note"})
# The first row whose types make up at least half of the nodes; flowcharts hold everything.
KINDS = (
    _DiagramKind("sequence.", _write_interaction, SEQUENCE),
    _DiagramKind("er.", _write_tables, TABLES),
    _DiagramKind("state.", _write_states, STATES),
    _DiagramKind("uml.", _write_classes, CLASSES),
)
ANY = _DiagramKind("", _write_flowchart, _FLOWCHART)


def write_mermaid(laid_out: LaidOutScene, losses: ExportLosses) -> str:
    """The text of the diagram."""
    nodes = [one for one in laid_out.scene.elements if isinstance(one, Node)]
    types = [one.node_type or "" for one in nodes if one.node_type not in _NOTES]
    fitting = (row for row in KINDS if 0 < len(types) <= 2 * sum(one.startswith(row.types) for one in types))
    kind = KINDS[0] if laid_out.scene.diagram_family == "sequence" else next(fitting, ANY)
    graph = Graph(laid_out, losses, kind.grammar)
    graph.tell_common_losses()
    lines = kind.write(graph)
    losses.add_hidden(laid_out.scene, kept={edge.id for edge in graph.invisible_lines} if kind is ANY else ())
    return "\n".join(lines) + "\n"
