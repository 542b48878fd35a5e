"""DOT of Graphviz to a document: the grammar, then the scene. Clusters are frames."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from itertools import pairwise, product
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.source import Losses, Place, Source, TooLarge, Unreadable, require_room, shown
from scenograph.reading.tokens import END, Token, Tokens, Unexpected
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link
from scenograph.scene.vocabulary import DIRECTIONS

# The grammar of DOT (graphviz.org/doc/info/lang.html). A broken statement costs itself.

# What is not closed is one token, of its line or of the rest: no text is searched twice.
_TOKENS = re.compile(
    r"""(?P<blank>[ \t\r\n\f\v\ufeff]+|//[^\n]*+|(?m:^)\#[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"""
    r"""|(?P<quoted>"(?:[^"\\]|\\[\s\S])*+")"""
    r"""|(?P<html><(?:[^<>]++|<[^<>]*+>)*+>)"""
    r"""|(?P<unclosed>"[\s\S]*+|<[^\n]*+)"""
    r"""|(?P<number>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![A-Za-z_\x80-\U0010ffff]))"""
    r"""|(?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*+)"""
    r"""|(?P<mark>->|--|[^\s"<])"""
    r"""|(?P<odd>[\s\S])"""
)
DEEPEST = 60
_IDS = ("word", "number", "quoted", "html")
_KEYWORDS = frozenset({"graph", "digraph", "node", "edge", "subgraph", "strict"})
_CONTINUED = re.compile(r"\\\r?\n")
_COMPASS = frozenset({"n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"})
_WORK_AN_ELEMENT = 20  # steps of copied defaults and held nodes, on average


class DotText(str):
    """A value; `is_html`: written in angle brackets, left out here."""

    __slots__ = ("is_html",)

    def __new__(cls, value: str, *, is_html: bool = False) -> DotText:
        """The text."""
        text = super().__new__(cls, value)
        text.is_html = is_html
        return text


Attributes = dict[str, DotText]


@dataclass(slots=True)
class DotNode:
    """A node with attributes; `home` is the first cluster with a mention."""

    name: str
    place: Place
    attributes: Attributes
    home: DotCluster | None


class EdgeEnd(NamedTuple):
    """An end of an edge: a node, and the words behind its colons."""

    node: str
    ports: tuple[str, ...] = ()

    @property
    def compass(self) -> str:
        """The point of the compass, "" for none."""
        return self.ports[-1] if self.ports and self.ports[-1] in _COMPASS else ""


@dataclass(slots=True)
class DotEdge:
    """An edge."""

    start: EdgeEnd
    end: EdgeEnd
    attributes: Attributes
    place: Place


@dataclass(slots=True, eq=False)
class DotCluster:
    """A subgraph that is drawn as a frame."""

    name: str
    place: Place
    parent: DotCluster | None
    attributes: Attributes


@dataclass(slots=True)
class DotGraph:
    """The content of a source, in its order."""

    name: str = ""
    is_directed: bool = True
    is_strict: bool = False
    attributes: Attributes = field(default_factory=Attributes)
    nodes: dict[str, DotNode] = field(default_factory=dict[str, DotNode])
    edges: list[DotEdge] = field(default_factory=list[DotEdge])
    clusters: list[DotCluster] = field(default_factory=list[DotCluster])


@dataclass(slots=True)
class _Scope:
    """A graph or subgraph: the cluster, the defaults within, and the named nodes."""

    cluster: DotCluster | None
    own: Attributes
    nodes: Attributes
    edges: Attributes
    named: dict[str, None] = field(default_factory=dict[str, None])


def parse(text: str, losses: Losses, most: int) -> DotGraph | None:
    """The first graph of a text; None without one. Raises TooLarge beyond `most` nodes, edges or clusters."""
    return _Parser(text, losses, most).graph()


class _Parser:
    def __init__(self, text: str, losses: Losses, most: int) -> None:
        self._tokens = Tokens(text, _TOKENS)
        self._losses = losses
        self._most = most
        self._work = _WORK_AN_ELEMENT * most
        self._graph = DotGraph()
        self._known: dict[str, DotCluster] = {}
        self._ranks: list[Place] = []
        self._strict_edges: dict[tuple[str, str], DotEdge] = {}

    def graph(self) -> DotGraph | None:
        """The first graph."""
        tokens, graph = self._tokens, self._graph
        graph.is_strict = self._take_word("strict")
        if not self._take_word("digraph"):
            if not self._take_word("graph"):
                return None
            graph.is_directed = False
        if tokens.peek().kind in _IDS:
            graph.name = self._id()
        if not tokens.take("{"):
            return None
        scope = _Scope(None, graph.attributes, Attributes(), Attributes())
        self._statements(scope, 0)
        if self._ranks:
            self._losses.formless(self._ranks[0], f"ranks are left to the layout ({len(self._ranks)})")
        if tokens.peek().kind != END:
            what = "only the first graph is read" if self._is_word("graph", "digraph", "strict") else "expected the end"
            self._losses.unread(self._place(), what)
        return graph

    def _statements(self, scope: _Scope, depth: int) -> None:
        """The statements up to the closing bracket, which is passed."""
        tokens = self._tokens
        while not tokens.take("}"):
            token = tokens.peek()
            if token.kind == END or self._losses.too_many(self._place()):
                self._losses.unread(self._place(), "expected '}', not the end")
                return
            if tokens.take(";", ","):
                continue
            inside = tokens.depth
            try:
                self._statement(scope, depth)
            except Unexpected as wrong:
                self._tell(wrong)
                self._recover(inside, token)

    def _recover(self, inside: int, first: Token) -> None:
        """Pass the rest of a broken statement: to the end of the line, and of all opened brackets."""
        tokens = self._tokens
        line = tokens.place(max(tokens.passed, first.at)).line
        if tokens.peek().at == first.at:
            tokens.next()
        while (token := tokens.peek()).kind != END:
            if tokens.depth <= inside and (token.text in {";", "}"} or tokens.place(token.at).line > line):
                return
            tokens.next()

    def _statement(self, scope: _Scope, depth: int) -> None:
        tokens = self._tokens
        for word, held in (("graph", scope.own), ("node", scope.nodes), ("edge", scope.edges)):
            if self._is_word(word):
                tokens.next()
                held.update(self._attributes())
                return
        first = tokens.peek()
        if first.kind in _IDS and tokens.peek(1).text == "=" and not self._is_word("subgraph"):
            name = self._id()
            tokens.next()
            scope.own[name] = self._value()
            return
        chain = [self._ends(scope, depth)]
        while tokens.is_at("->", "--"):
            tokens.next()
            chain.append(self._ends(scope, depth))
        attributes = self._attributes()
        if len(chain) > 1:
            self._connect(chain, {**scope.edges, **attributes}, tokens.place(first.at))
        elif attributes and len(chain[0]) == 1:
            self._graph.nodes[chain[0][0].node].attributes.update(attributes)

    def _connect(self, chain: list[list[EdgeEnd]], attributes: Attributes, place: Place) -> None:
        edges = self._graph.edges
        for starts, ends in pairwise(chain):
            for start, end in product(starts, ends):
                self._spend(len(attributes) + 1)
                key = (start.node, end.node)
                if self._graph.is_strict and not self._graph.is_directed:
                    key = (min(key), max(key))
                if self._graph.is_strict and key in self._strict_edges:
                    self._strict_edges[key].attributes.update(attributes)
                    continue
                require_room(self._most, edges)
                edges.append(DotEdge(start, end, dict(attributes), place))
                self._strict_edges.setdefault(key, edges[-1])

    def _ends(self, scope: _Scope, depth: int) -> list[EdgeEnd]:
        """A node, or the nodes of a subgraph."""
        if self._is_word("subgraph") or self._tokens.is_at("{"):
            return self._subgraph(scope, depth)
        place = self._place()
        name, ports = self._id(), list[str]()
        while self._tokens.take(":"):
            ports.append(self._id())
        self._name(name, scope, place)
        return [EdgeEnd(name, tuple(ports))]

    def _name(self, name: str, scope: _Scope, place: Place) -> None:
        scope.named[name] = None
        known = self._graph.nodes.get(name)
        if known is None:
            require_room(self._most, self._graph.nodes)
            self._spend(len(scope.nodes))
            self._graph.nodes[name] = DotNode(name, place, dict(scope.nodes), scope.cluster)
        elif scope.cluster is not None and (known.home is None or _is_within(scope.cluster, known.home)):
            known.home = scope.cluster

    def _subgraph(self, scope: _Scope, depth: int) -> list[EdgeEnd]:
        tokens, place, name = self._tokens, self._place(), ""
        if depth >= DEEPEST:
            raise Unexpected(tokens.peek(), f"subgraphs nested at most {DEEPEST} deep")
        if self._take_word("subgraph") and tokens.peek().kind in _IDS:
            name = self._id()
        if not tokens.is_at("{"):
            if name:
                return []
            raise Unexpected(tokens.peek(), "'{'")
        tokens.next()
        self._spend(len(scope.nodes) + len(scope.edges) + 1)
        cluster = scope.cluster
        own = Attributes()
        if name.startswith("cluster"):
            if name not in self._known:
                require_room(self._most, self._known)
                self._known[name] = DotCluster(name, place, scope.cluster, own)
                self._graph.clusters.append(self._known[name])
            cluster = self._known[name]
            own = cluster.attributes
        inner = _Scope(cluster, own, dict(scope.nodes), dict(scope.edges))
        self._statements(inner, depth + 1)
        self._spend(len(inner.named))
        if "rank" in own:
            self._ranks.append(place)
        scope.named.update(inner.named)
        return [EdgeEnd(one) for one in inner.named]

    def _attributes(self) -> Attributes:
        tokens, found = self._tokens, Attributes()
        while tokens.take("["):
            while not tokens.take("]"):
                if tokens.take(",", ";"):
                    continue
                name = self._id()
                found[name] = self._value() if tokens.take("=") else DotText("true")
        return found

    def _value(self) -> DotText:
        is_html = self._tokens.peek().kind == "html"
        return DotText(self._id(), is_html=is_html)

    def _id(self) -> str:
        """A name or a value; quoted pieces are joined by `+`."""
        tokens = self._tokens
        token = tokens.expect_kind(_IDS, "a name")
        if token.kind == "word" and token.text.lower() in _KEYWORDS:
            raise Unexpected(token, "a name")
        if token.kind == "html":
            return token.text[1:-1]
        if token.kind != "quoted":
            return token.text
        pieces = [_unquoted(token.text)]
        while tokens.is_at("+") and tokens.peek(1).kind == "quoted":
            tokens.next()
            pieces.append(_unquoted(tokens.next().text))
        return "".join(pieces)

    def _is_word(self, *words: str) -> bool:
        token = self._tokens.peek()
        return token.kind == "word" and token.text.lower() in words

    def _take_word(self, word: str) -> bool:
        if not self._is_word(word):
            return False
        self._tokens.next()
        return True

    def _spend(self, steps: int) -> None:
        """Count work out of proportion to the source. Raises TooLarge beyond the limit."""
        self._work -= steps
        if self._work < 0:
            raise TooLarge(self._most)

    def _place(self) -> Place:
        return self._tokens.place(self._tokens.peek().at)

    def _tell(self, wrong: Unexpected) -> None:
        found = "the end" if wrong.token.kind == END else shown(wrong.token.text, 20)
        self._losses.unread(self._tokens.place(wrong.token.at), f"expected {wrong.expected}, not {found}")


def _is_within(inner: DotCluster, outer: DotCluster) -> bool:
    """Whether a cluster stands in another one, at any depth."""
    around = inner.parent
    while around is not None:
        if around is outer:
            return True
        around = around.parent
    return False


def _unquoted(text: str) -> str:
    return _CONTINUED.sub("", text[1:-1]).replace('\\"', '"')


# Labels of DOT as plain text: escapes, records, and HTML without its tags.


_ESCAPE = re.compile(r"\\([\s\S])")
_BREAKS = {"n": "\n", "l": "\n", "r": "\n"}
_RECORD = re.compile(r"\\[\s\S]|<[^<>\\]*+>|[{}|]|[^\\<{}|]++|<")
_TAG = re.compile(r"<!--(?:(?!-->)[\s\S])*+(?:-->|\Z)|<(?P<close>/?)(?P<name>[A-Za-z]+)[^<>]*+>")
_SPACES = re.compile(r"[ \t\r\n]+")
_ROUND_BREAKS = re.compile(r"[ ]*\n[ \n]*")
_BREAK, _CELL = "\0", "\1"


def length(label: DotText, name: str, graph: str) -> int:
    """The letters of a label with names written out, or somewhat more."""
    names = label.count("\\N") + label.count("\\E")
    return len(label) + (0 if label.is_html else names * len(name) + label.count("\\G") * len(graph))


def plain(label: DotText, name: str, graph: str) -> str:
    """The text of a label; `name` is the node's or edge's name."""
    if label.is_html:
        return _without_tags(label)

    def unescaped(found: re.Match[str]) -> str:
        mark = found[1]
        return {"N": name, "E": name, "G": graph}.get(mark) or _BREAKS.get(mark, mark)

    return html.unescape(_ESCAPE.sub(unescaped, label)).rstrip("\n")


def _of_record(label: DotText, name: str, graph: str, *, turned: bool = False) -> str:
    """The fields of a record, neighbours in a common line. `turned`: ranks run across the page, and the outer fields
    are stacked."""
    if label.is_html:
        return _without_tags(label)
    rows: list[list[str]] = [[]]
    depth, text = 0, list[str]()

    def end_field() -> None:
        field = plain(DotText("".join(text)), name, graph).strip()
        text.clear()
        if field:
            rows[-1].append(field)
        if (depth + turned) % 2 and rows[-1]:
            rows.append([])

    for found in _RECORD.finditer(label):
        piece = found[0]
        if piece == "|":
            end_field()
        elif piece in {"{", "}"}:
            end_field()
            depth += 1 if piece == "{" else -1
            if rows[-1]:
                rows.append([])
        elif not (piece.startswith("<") and len(piece) > 1):
            text.append(piece)
    end_field()
    return "\n".join(" | ".join(row) for row in rows if row)


def _without_tags(text: str) -> str:
    def shown(tag: re.Match[str]) -> str:
        word = (tag["name"] or "").lower()
        if word == "br" or (word in {"tr", "table"} and tag["close"]):
            return _BREAK
        return _CELL if word == "td" and tag["close"] else ""

    flat = _SPACES.sub(" ", _TAG.sub(shown, text)).replace(_CELL, " ").replace(_BREAK, "\n")
    return html.unescape(_ROUND_BREAKS.sub("\n", flat)).strip()


# Shapes, line ends, lines and colours of Graphviz (graphviz.org/doc/info) in the words of scenes.


_DEFAULT_SHAPE = "ellipse"
RECORDS = frozenset({"record", "Mrecord"})
_ALIKE: Mapping[str, str] = {
    "rect": "box rect rectangle square record",
    "roundedRect": "Mrecord Msquare",
    "ellipse": "ellipse oval circle point",
    "diamond": "diamond Mdiamond",
    "cylinder": "cylinder",
    "hexagon": "hexagon",
    "parallelogram": "parallelogram",
    "textBox": "plaintext none plain",
    "box3d": "box3d",
}
_NEARLY: Mapping[str, str] = {
    "ellipse": "doublecircle egg Mcircle",
    "hexagon": "octagon doubleoctagon tripleoctagon septagon pentagon",
    "diamond": "star triangle invtriangle",
    "parallelogram": "trapezium invtrapezium",
    "rect": "polygon underline",
}
SHAPES = MappingProxyType({word: shape for shape, words in _ALIKE.items() for word in words.split()})
NEAR_SHAPES = MappingProxyType({word: shape for shape, words in _NEARLY.items() for word in words.split()})
TYPES: Mapping[str, str] = MappingProxyType({"note": "note", "component": "component"})
"""Shapes that are node types here."""
_ARROWS: Mapping[str, str] = {
    "triangle": "normal vee empty inv open halfopen onormal oinv crow curve icurve",
    "diamond": "diamond odiamond ediamond",
    "circle": "dot odot",
    "bar": "tee box obox",
    "none": "none",
}
_ARROW_OF = MappingProxyType({word: arrow for arrow, words in _ARROWS.items() for word in words.split()})
_MARKED = re.compile(r"(?:o|[lr])?(?=normal|inv|dot|diamond|tee|box|vee|crow|curve)")
_DASHES: Mapping[str, list[float]] = {"dashed": [6, 4], "dotted": [2, 3]}
_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{0,6})?|\.[0-9]{1,6}")
_DIGITS = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")
_GREY = re.compile(r"gr[ae]y([0-9]{1,3})")
_SHADE = re.compile(r"([A-Za-z]{3,20})[1-4]")
_PX_A_POINT = 4 / 3


def words_of(attributes: Attributes) -> frozenset[str]:
    """The words of `style`."""
    return frozenset(word.strip().partition("(")[0] for word in attributes.get("style", "").split(","))


def color(text: str) -> str | None:
    """A colour by digits or by a name; the first of a list. None for one that has no form."""
    word = text.partition(":")[0].partition(";")[0].strip()
    if _DIGITS.fullmatch(word):
        return word
    grey = _GREY.fullmatch(word)
    if grey and int(grey[1]) <= 100:
        return f"#{round(int(grey[1]) * 2.55):02x}" + f"{round(int(grey[1]) * 2.55):02x}" * 2
    shade = _SHADE.fullmatch(word)
    for name in (word.lower(), shade[1].lower() if shade else ""):
        if name and name.isalpha() and parse_color(name) is not None:
            return name
    return None


def style_of(attributes: Attributes, *, line: bool = False) -> JsonObject | None:
    """The style of a node, a cluster or a line."""
    style: JsonObject = {}
    words = words_of(attributes)
    stroke, pen = color(attributes.get("color", "")), color(attributes.get("pencolor", ""))
    fill = color(attributes.get("fillcolor", "") or attributes.get("color", ""))
    if "filled" in words and fill and not line:
        style["fill"] = fill
    if not line and "bgcolor" in attributes and (ground := color(attributes["bgcolor"])):
        style["fill"] = ground
    if pen or stroke:
        style["stroke"] = pen or stroke
    if letters := color(attributes.get("fontcolor", "")):
        style["textColor"] = letters
    for word, dash in _DASHES.items():
        if word in words:
            style["dash"] = dash
    width = attributes.get("penwidth", "")
    if _NUMBER.fullmatch(width):
        style["strokeWidth"] = round(float(width) * _PX_A_POINT, 2)
    elif "bold" in words:
        style["strokeWidth"] = 3
    size = attributes.get("fontsize", "")
    if _NUMBER.fullmatch(size) and 4 <= float(size) <= 100:
        style["fontSize"] = round(float(size) * _PX_A_POINT, 1)
    return style or None


def heads(attributes: Attributes, *, is_directed: bool) -> JsonObject:
    """The markers of an edge's ends."""
    way = attributes.get("dir", "forward" if is_directed else "none")
    ends = {"startArrow": "arrowtail" if way in {"back", "both"} else "", "endArrow": "arrowhead"}
    if way in {"back", "none"}:
        ends["endArrow"] = ""
    return {end: _arrow(attributes.get(name, "normal")) if name else "none" for end, name in ends.items()}


def _arrow(word: str) -> str:
    if word in _ARROW_OF:
        return _ARROW_OF[word]
    bare = _MARKED.sub("", word, count=1)
    known = next((arrow for name, arrow in _ARROW_OF.items() if name != "none" and bare.startswith(name)), None)
    return known or "triangle"


# The front door: a graph of DOT to a document. Clusters are frames, ranks are left to the layout.


_FAMILY = "architecture"
_LONGEST_LINK = 2_000
_BEGINS = re.compile(
    r"\A(?:[\s\ufeff]|//[^\n]*+|#[^\n]*+|/\*(?:(?!\*/)[\s\S])*+\*/)*+"
    r"(?:strict\s+)?(?:di)?graph(?:[ \t]+[\w.\x80-\U0010ffff-]{1,200}|[ \t]*\"[^\"\n]{0,300}\")?\s*"
    r"(?:/\*(?:(?!\*/)[\s\S])*+\*/\s*|(?://|#)[^\n]*\s*)*+\{",
    re.IGNORECASE,
)
_SIDES = {"n": "top", "s": "bottom", "e": "right", "w": "left"}
MOST_LETTERS = 4_000_000  # in labels, those of defaults and names written out at each element
_FORCES = frozenset({"neato", "fdp", "sfdp"})
_ROUNDED = {"rect": "roundedRect"}


def recognizes(text: str) -> bool:
    """Whether a text begins as a graph of DOT does."""
    return _BEGINS.match(text) is not None


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source's first graph. Unreadable without a node, TooLarge."""
    graph = parse(source.text, losses, source.most_elements)
    if graph is None or not (graph.nodes or graph.clusters):
        raise Unreadable(losses.first or Place(1, 1), "a graph of DOT with nodes: digraph NAME { a -> b }")
    return _Drawing(graph, source, losses).document()


class _Drawing:
    def __init__(self, graph: DotGraph, source: Source, losses: Losses) -> None:
        self._graph = graph
        self._losses = losses
        self._assembly = Assembly("graphviz", source)
        self._told: set[str] = set()
        self._letters = MOST_LETTERS
        self._clusters = {one.name: one for one in graph.clusters}
        rank = graph.attributes.get("rankdir", "TB").upper()
        self._direction = rank if rank in DIRECTIONS else "TB"

    def document(self) -> JsonObject:
        """The document of the graph."""
        graph, assembly = self._graph, self._assembly
        for node in graph.nodes.values():
            assembly.node(node.name, **self._node(node))
        self._draw_clusters()
        for edge in graph.edges:
            self._draw(edge)
        label = graph.attributes.get("label")
        title = self._plain(label, graph.name, Place(1, 1)).replace("\n", " ") if label else graph.name
        layout = {"algorithm": "hierarchical", "direction": self._direction}
        if graph.attributes.get("layout", "") in _FORCES:
            layout = {"algorithm": "forceDirected"}
        return assembly.document(_FAMILY, title=title, layoutStrategy=layout)

    def _node(self, node: DotNode) -> JsonObject:
        said = node.attributes
        word = said.get("shape", _DEFAULT_SHAPE)
        shape = SHAPES.get(word) or NEAR_SHAPES.get(word)
        if word not in SHAPES and word not in TYPES:
            self._tell(f"shape {word[:40]}", node.place, f"the shape {word[:40]} is drawn as {shape or 'rect'}")
        words = words_of(said)
        shape = None if word in TYPES else shape or "rect"
        if "rounded" in words:
            shape = _ROUNDED.get(shape or "", shape)
        if "pos" in said or "width" in said:
            self._tell("pos", node.place, "places and sizes are left to the layout")
        label = said.get("label", DotText("\\N"))
        text = self._plain(label, node.name, node.place)
        if word in RECORDS:
            text = _of_record(label, node.name, self._graph.name, turned=self._direction in {"LR", "RL"})
        return {
            "nodeType": TYPES.get(word),
            "shape": shape,
            "label": None if word == "point" else text,
            "style": style_of(said),
            "visible": False if "invis" in words else None,
            **self._linked(said, node.name, node.place),
        }

    def _plain(self, label: DotText, name: str, place: Place) -> str:
        """The text of a label. Unreadable beyond MOST_LETTERS of all labels."""
        self._letters -= length(label, name, self._graph.name)
        if self._letters < 0:
            raise Unreadable(place, f"labels of at most {MOST_LETTERS} characters together, defaults written out")
        return plain(label, name, self._graph.name)

    def _linked(self, said: dict[str, DotText], name: str, place: Place) -> JsonObject:
        link = said.get("URL") or said.get("href")
        tip = said.get("tooltip")
        address = str(link or "")
        is_kept = is_link(address) and len(address) <= _LONGEST_LINK
        if address[:8].lower().startswith(("http://", "https://", "mailto:")) and not is_kept:
            self._losses.formless(place, f"the link {shown(address, 40)} is left out: it is no valid address")
        return {
            "link": {"href": address} if is_kept else None,
            "tooltip": self._plain(tip, name, place) if tip else None,
        }

    def _draw_clusters(self) -> None:
        graph, assembly = self._graph, self._assembly
        children: dict[DotCluster, list[str]] = {one: [] for one in graph.clusters}
        for node in graph.nodes.values():
            if node.home is not None:
                children[node.home].append(assembly.name(node.name))
        for one in graph.clusters:
            if one.parent is not None:
                children[one.parent].append(assembly.name(_frame(one)))
        for one in graph.clusters:
            label = one.attributes.get("label")
            assembly.frame(
                _frame(one),
                title=self._plain(label, one.name, one.place) if label else "",
                style=style_of(one.attributes),
                children=children[one],
                **self._linked(one.attributes, one.name, one.place),
            )

    def _draw(self, edge: DotEdge) -> None:
        said = edge.attributes
        label = said.get("label") or said.get("xlabel")
        name = f"{edge.start.node}{'->' if self._graph.is_directed else '--'}{edge.end.node}"
        self._assembly.edge(
            self._end(edge, edge.start, "ltail", "taillabel"),
            self._end(edge, edge.end, "lhead", "headlabel"),
            label=self._plain(label, name, edge.place) if label else "",
            endpoints=heads(said, is_directed=self._graph.is_directed),
            style=style_of(said, line=True),
            visible=False if "invis" in words_of(said) else None,
            **self._linked(said, name, edge.place),
        )

    def _end(self, edge: DotEdge, end: EdgeEnd, cluster: str, label: str) -> JsonObject:
        """An end at a node, or at the frame of `lhead` or `ltail`."""
        named = edge.attributes.get(cluster, "")
        frame = self._clusters.get(named) if named else None
        element = self._assembly.name(end.node if frame is None else _frame(frame))
        side = _SIDES.get(end.compass)
        if side is None and end.ports:
            self._tell("port", edge.place, "lines to fields of records and to corners end at the node")
        text = edge.attributes.get(label)
        told = self._plain(text, "", edge.place)[:500] if text else ""
        return {
            "elementId": element,
            **({"port": side} if side and frame is None else {}),
            **({"label": told} if told else {}),
        }

    def _tell(self, what: str, place: Place, sentence: str) -> None:
        """Tell a loss once."""
        if what not in self._told:
            self._told.add(what)
            self._losses.formless(place, sentence)


def _frame(cluster: DotCluster) -> str:
    return f"subgraph {cluster.name}"
