"""Flowcharts: any scene except sequences, tables, states and classes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.engine.families.catalog import authored_type
from scenograph.engine.write.mermaid.graph import Graph, css_of_line, indented, is_painted, label_of, quoted
from scenograph.engine.write.writer import is_typed
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


def write_flowchart(graph: Graph) -> list[str]:
    """The lines of a flowchart; containers are subgraphs. A pool around everything with lanes becomes a swimlane
    diagram."""
    pool = _only_pool(graph)
    body = [line for one in graph.children(pool.id if pool else None) for line in _element(graph, one)]
    if pool is not None:
        body += [line for one in graph.children(None) if one is not pool for line in _element(graph, one)]
    body += [_edge(graph, edge) for edge in graph.edges]
    body += [_link(graph, edge, "~~~") for edge in graph.invisible_lines]
    body += [
        f"linkStyle {number} {css_of_line(graph.laid_out.styles.of[edge.id])}"
        for number, edge in enumerate(graph.edges)
        if is_painted(edge)
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


def _element(graph: Graph, one: Element) -> list[str]:
    name = graph.names[one.id]
    text = quoted(one.title or "") if isinstance(one, Frame) else quoted(label_of(one))
    if isinstance(one, Frame | Group):
        inner = [line for child in graph.children(one.id) for line in _element(graph, child)]
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
