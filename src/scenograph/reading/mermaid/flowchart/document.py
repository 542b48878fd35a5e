"""A flowchart as a scene document: vertices are nodes, subgraphs frames, lines edges; lanes stand in a pool."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.mermaid.flowchart.model import Flowchart, FlowchartLink, Vertex
from scenograph.reading.mermaid.flowchart.shapes import SHAPES, VertexShape
from scenograph.reading.mermaid.styles import DEFAULT_CLASS, merged, style_by_classes
from scenograph.reading.mermaid.subgraphs import FrameStatement
from scenograph.reading.source import Source
from scenograph.scene.json_values import JsonObject

POOL, CROSS = "(pool)", "bar"
_IN_LANES: Mapping[str, str] = dict.fromkeys(("fr-rect", "framed-rectangle", "subroutine"), "subprocess")
"""Shapes with the meaning of a process step in a chart with lanes, and of a bare outline elsewhere."""
_PLAIN = VertexShape(None)
_STROKES: Mapping[str, JsonObject] = {"thick": {"strokeWidth": 3}, "dotted": {"dash": [4, 4]}}


def document_of(chart: Flowchart, source: Source, *, lanes: bool = False, family: str = "workflow") -> JsonObject:
    """The document; with `lanes` the top-level subgraphs are the lanes of a pool."""
    assembly = Assembly("mermaid", source)
    for vertex in chart.vertices.values() if lanes else ():
        vertex.shape = _IN_LANES.get(vertex.shape, vertex.shape)
    _tell_shapes(chart)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    for vertex in chart.vertices.values():
        if vertex.name not in chart.subgraphs.rows:
            assembly.node(vertex.name, **_node(vertex, chart))
    _add_frames(chart, assembly, lanes=lanes)
    for link in chart.links:
        _add_edge(link, chart, assembly)
    strategy = chart.strategy or {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(family, title=chart.title, layoutStrategy=strategy, defaults=HEADS)


def _tell_shapes(chart: Flowchart) -> None:
    """Report substituted shapes, each once."""
    told: set[str] = set()
    for vertex in chart.vertices.values():
        shape = SHAPES.get(vertex.shape, _PLAIN)
        if not shape.exact and vertex.shape not in told:
            told.add(vertex.shape)
            chart.losses.formless(
                vertex.place, f"the shape {vertex.shape} is drawn as {shape.outline or shape.node_type}"
            )
    crossed = next((link for link in chart.links if CROSS in (link.start, link.end)), None)
    if crossed is not None:
        chart.losses.formless(chart.vertices[crossed.source].place, "a cross at the end of a line is drawn as a bar")


def _node(vertex: Vertex, chart: Flowchart) -> JsonObject:
    shape = SHAPES.get(vertex.shape, _PLAIN)
    return {
        "nodeType": shape.node_type,
        "shape": shape.outline,
        "label": vertex.name if vertex.text is None else vertex.text,
        "icon": vertex.icon,
        "link": vertex.link,
        "tooltip": vertex.tooltip,
        "style": style_by_classes((DEFAULT_CLASS, *vertex.classes), vertex.style, chart.class_styles),
    }


def _add_frames(chart: Flowchart, assembly: Assembly, *, lanes: bool) -> None:
    subgraphs = chart.subgraphs.rows
    parents = chart.subgraphs.parents()
    children: dict[str | None, list[str]] = {}
    for name in (*chart.vertices, *subgraphs):
        if name not in subgraphs or name in parents:
            home = parents[name] if name in subgraphs else chart.subgraphs.home_of(name)
            children.setdefault(home, []).append(assembly.name(name))
    for subgraph in subgraphs.values():
        lane = lanes and parents[subgraph.name] is None
        assembly.frame(
            subgraph.name,
            title=subgraph.title,
            children=list(dict.fromkeys(children.get(subgraph.name, []))),
            containerType="lane" if lane else None,
            style=style_by_classes(subgraph.classes, subgraph.style, chart.class_styles),
            extensions=_arrangement(subgraph) or None,
        )
    tops = [assembly.name(name) for name, parent in parents.items() if parent is None]
    if lanes and tops:
        rows = "horizontal" if chart.direction in {"LR", "RL"} else "vertical"
        assembly.frame(POOL, title=chart.title, children=tops, containerType="pool", laneDirection=rows)


def _arrangement(subgraph: FrameStatement) -> JsonObject:
    """The members by which the content of a subgraph is arranged."""
    direction: JsonObject = {"direction": subgraph.direction} if subgraph.direction else {}
    return direction | ({"gridColumns": subgraph.columns} if subgraph.columns else {})


def _add_edge(link: FlowchartLink, chart: Flowchart, assembly: Assembly) -> None:
    heads = (link.start, link.end)
    style = merged([_STROKES.get(link.stroke, {}), chart.link_style, *_class_styles(link, chart), link.style])
    assembly.edge(
        {"elementId": assembly.name(link.source)},
        {"elementId": assembly.name(link.target)},
        link.name,
        label=link.text,
        endpoints=None if heads == ("none", "triangle") else {"startArrow": heads[0], "endArrow": heads[1]},
        style=style or None,
        visible=False if link.stroke == "invisible" else None,
    )


def _class_styles(link: FlowchartLink, chart: Flowchart) -> list[JsonObject]:
    styles = [chart.class_styles.get(name, {}) for name in link.classes]
    return [{name: value for name, value in style.items() if name != "fill"} for style in styles]
