"""The way into this room: a graph of DOT to a document. Clusters are frames, ranks are left to the layout."""

from __future__ import annotations

import re

from scenograph.reading.assembly import Assembly
from scenograph.reading.graphviz.grammar import DotCluster, DotEdge, DotGraph, DotNode, DotText, EdgeEnd, parse
from scenograph.reading.graphviz.labels import length, of_record, plain
from scenograph.reading.graphviz.looks import (
    DEFAULT_SHAPE,
    NEAR_SHAPES,
    RECORDS,
    SHAPES,
    TYPES,
    heads,
    style_of,
    words_of,
)
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link
from scenograph.scene.vocabulary import DIRECTIONS

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
        word = said.get("shape", DEFAULT_SHAPE)
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
            text = of_record(label, node.name, self._graph.name, turned=self._direction in {"LR", "RL"})
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
        """An end at its node, or at the frame that `lhead` or `ltail` names."""
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
