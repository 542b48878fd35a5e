"""A laid-out scene prepared for every kind of Mermaid diagram: names, containers and common losses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from scenograph.engine.tables import FinishedStyle, LaidOutScene
from scenograph.engine.write.markup import hex_color
from scenograph.engine.write.writer import ExportLosses
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Edge, Element, Frame, Group, Guide, Image, Linked, Node, Text
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
FLOWCHART = _grammar(
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


def front_matter(text: str) -> str:
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


def names_of(ids: Iterable[str], grammar: Grammar) -> Mapping[str, str]:
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
        return dict(names_of(ids, self.grammar))

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
        return [*(["---", f"title: {front_matter(title)}", "---"] if title else []), kind]

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
            if is_painted(one):
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
        self.tell("colours and strokes of lines", (edge.id for edge in self.edges if is_painted(edge)))


def is_painted(element: Element) -> bool:
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


def css_of_line(style: FinishedStyle) -> str:
    """The look of an edge and its text as CSS for Mermaid."""
    return f"stroke:{hex_color(style.stroke)},color:{hex_color(style.text_color)},{_stroke(style)}"


def _css(style: FinishedStyle, *, whole: bool) -> str:
    colors = f"fill:{hex_color(style.fill)},stroke:{hex_color(style.stroke)},color:{hex_color(style.text_color)}"
    return f"{colors},{_stroke(style, whole=whole)}"


def _stroke(style: FinishedStyle, *, whole: bool = False) -> str:
    width, *dash = (max(round(one), 1) if whole else one for one in (style.stroke_width, *style.dash))
    dashes = f",stroke-dasharray:{' '.join(f'{part:g}' for part in dash)}" if dash else ""
    return f"stroke-width:{width:g}px{dashes}"
