"""A flowchart as a scene document: vertices are nodes, subgraphs frames, lines edges; lanes stand in a pool."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.mermaid.flowchart.model import Flowchart, Link, Subgraph, Vertex
from scenograph.reading.mermaid.flowchart.shapes import SHAPES, Shape
from scenograph.reading.mermaid.styles import DEFAULT_CLASS, merged, style_by_classes
from scenograph.reading.source import Source
from scenograph.scene.json_values import JsonObject

POOL, CROSS = "(pool)", "bar"
_PLAIN = Shape(None)
_STROKES: Mapping[str, JsonObject] = {"thick": {"strokeWidth": 3}, "dotted": {"dash": [4, 4]}}
_FAMILY = "workflow"


def document_of(chart: Flowchart, source: Source, *, lanes: bool) -> JsonObject:
    """The document; with `lanes` the subgraphs at the top are the lanes of one pool."""
    assembly = Assembly("mermaid", source)
    _tell_shapes(chart)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    for vertex in chart.vertices.values():
        if vertex.name not in chart.subgraphs:
            assembly.node(vertex.name, **_node(vertex, chart))
    _add_frames(chart, assembly, lanes=lanes)
    for link in chart.links:
        _add_edge(link, chart, assembly)
    strategy = {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(_FAMILY, title=chart.title, layoutStrategy=strategy, defaults=HEADS)


def _tell_shapes(chart: Flowchart) -> None:
    """Say once a shape that it was drawn as another."""
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
    parents = _parents(chart)
    children: dict[str | None, list[str]] = {}
    for name in (*chart.vertices, *chart.subgraphs):
        if name not in chart.subgraphs or name in parents:
            home = parents[name] if name in chart.subgraphs else _home_of(name, chart)
            children.setdefault(home, []).append(assembly.name(name))
    for subgraph in chart.subgraphs.values():
        lane = lanes and parents[subgraph.name] is None
        assembly.frame(
            subgraph.name,
            title=subgraph.title,
            children=list(dict.fromkeys(children.get(subgraph.name, []))),
            containerType="lane" if lane else None,
            style=style_by_classes(subgraph.classes, subgraph.style, chart.class_styles),
            extensions={"direction": subgraph.direction} if subgraph.direction else None,
        )
    tops = [assembly.name(name) for name, parent in parents.items() if parent is None]
    if lanes and tops:
        rows = "horizontal" if chart.direction in {"LR", "RL"} else "vertical"
        assembly.frame(POOL, title=chart.title, children=tops, containerType="pool", laneDirection=rows)


def _home_of(name: str, chart: Flowchart) -> str | None:
    home = chart.homes.get(name)
    return home.name if home else None


def _parents(chart: Flowchart) -> dict[str, str | None]:
    """The subgraph that each subgraph stands in: the one around it, or one that names it as a member."""
    parents: dict[str, str | None] = {}
    for subgraph in chart.subgraphs.values():
        wanted = subgraph.parent or chart.homes.get(subgraph.name)
        parents[subgraph.name] = None if wanted is None or _within(wanted, subgraph, parents) else wanted.name
    return parents


def _within(inner: Subgraph, outer: Subgraph, parents: Mapping[str, str | None]) -> bool:
    """Whether `inner` is `outer` or stands in it, as far as parents are known."""
    name: str | None = inner.name
    while name is not None:
        if name == outer.name:
            return True
        name = parents.get(name)
    return False


def _add_edge(link: Link, chart: Flowchart, assembly: Assembly) -> None:
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


def _class_styles(link: Link, chart: Flowchart) -> list[JsonObject]:
    styles = [chart.class_styles.get(name, {}) for name in link.classes]
    return [{name: value for name, value in style.items() if name != "fill"} for style in styles]
