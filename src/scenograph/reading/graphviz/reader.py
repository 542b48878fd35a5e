"""The way into this room: a graph of DOT to a document. Clusters are frames, ranks are left to the layout."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.reading.assembly import Assembly
from scenograph.reading.graphviz.grammar import (
    Attributes,
    DotCluster,
    DotEdge,
    DotGraph,
    DotNode,
    DotText,
    EdgeEnd,
    parse,
)
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link
from scenograph.scene.vocabulary import DIRECTIONS

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
    """The text of a label; `name` is that of its node or edge."""
    if label.is_html:
        return _without_tags(label)

    def unescaped(found: re.Match[str]) -> str:
        mark = found[1]
        return {"N": name, "E": name, "G": graph}.get(mark) or _BREAKS.get(mark, mark)

    return html.unescape(_ESCAPE.sub(unescaped, label)).rstrip("\n")


def of_record(label: DotText, name: str, graph: str, *, turned: bool = False) -> str:
    """The fields of a record: those beside each other in one line. `turned`: ranks run across the page, and the outer
    fields stand below each other."""
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


DEFAULT_SHAPE = "ellipse"
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
