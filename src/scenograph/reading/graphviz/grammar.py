"""The grammar of DOT (graphviz.org/doc/info/lang.html). A broken statement costs itself."""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.source import shown
from scenograph.reading.tokens import END, Token, Tokens, Unexpected

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
    """A value; `is_html` for one in angle brackets, which are left out."""

    __slots__ = ("is_html",)

    def __new__(cls, value: str, *, is_html: bool = False) -> DotText:
        """The text."""
        text = super().__new__(cls, value)
        text.is_html = is_html
        return text


Attributes = dict[str, DotText]


@dataclass(slots=True)
class DotNode:
    """A node with attributes; `home` is the cluster that first names it."""

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
    """A graph or subgraph: its cluster, the defaults within, and the nodes it names."""

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
        """Pass the rest of a broken statement: of its line, and of the brackets that it opened."""
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
                if len(edges) >= self._most:
                    raise TooLarge(self._most)
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
            if len(self._graph.nodes) >= self._most:
                raise TooLarge(self._most)
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
                if len(self._known) >= self._most:
                    raise TooLarge(self._most)
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
