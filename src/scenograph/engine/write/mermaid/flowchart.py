"""Flowcharts: any scene that is not a sequence, tables, states or classes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.engine.write.mermaid.graph import Graph, css_of_line, indented, is_painted, label_of
from scenograph.engine.write.mermaid.text import quoted
from scenograph.scene.model import Edge, Element, Frame, Group, Node

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
        "box3d": ('[["', '"]]'),
        "tube": ('@{ shape: h-cyl, label: "', '" }'),
        "textBox": ('["', '"]'),
        "iconBox": ('["', '"]'),
        "cloud": ('("', '")'),
    }
)
_LIKE_ANOTHER = frozenset({"cloud", "textBox"})  # an icon without a box is told among the icons
_PLAIN_HEADS: Mapping[str, str] = MappingProxyType(
    {"none": "", "triangle": ">", "openTriangle": ">", "arrow": ">", "circle": "o", "openCircle": "o", "cross": "x"}
)
_THICK = 3.0


def write_flowchart(graph: Graph) -> list[str]:
    """The lines of a flowchart; containers are subgraphs."""
    body = [line for one in graph.children(None) for line in _element(graph, one)]
    body += [_edge(graph, edge) for edge in graph.edges]
    body += [
        f"linkStyle {number} {css_of_line(graph.laid_out.styles.of[edge.id])}"
        for number, edge in enumerate(graph.edges)
        if is_painted(edge)
    ]
    graph.tell("shapes that Mermaid does not have", (node.id for node in graph.nodes if node.shape in _LIKE_ANOTHER))
    graph.tell("types of nodes", (node.id for node in graph.nodes if node.node_type))
    graph.tell("rows of tables and cards", (node.id for node in graph.nodes if node.columns))
    graph.tell_labels_at_ends()
    return [*graph.head(f"flowchart {graph.direction}"), *indented([*body, *graph.painted()])]


def _element(graph: Graph, one: Element) -> list[str]:
    name = graph.names[one.id]
    text = quoted(one.title or "") if isinstance(one, Frame) else quoted(label_of(one))
    if isinstance(one, Frame | Group):
        inner = [line for child in graph.children(one.id) for line in _element(graph, child)]
        lines = indented([*graph.own_direction(one), *inner])
        return [f'subgraph {name}["{text or " "}"]', *lines, "end"]
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
    text = f'|"{quoted(edge.label)}"|' if edge.label else ""
    return f"{graph.names[first]} {begins}{line}{end}{text} {graph.names[second]}"


def _head(graph: Graph, edge: Edge, marker: str | None) -> str:
    if marker not in _PLAIN_HEADS and marker is not None:
        graph.losses.add("arrow markers that Mermaid does not have", edge.id)
    return _PLAIN_HEADS.get(marker or "none", ">")
