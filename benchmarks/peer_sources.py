"""A normalized scene as the input of other tools: dot, D2, ELK, dagre.

In: a normalized scene, for the sizes of its boxes and labels. Out: the text that the tool reads. Every tool gets plain
boxes of our sizes, the frames round them, the labels of the lines, and its own defaults.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
DOT_INCH = 72.0


def dot_source(scene: Json) -> str:
    """For Graphviz; splines."""
    lines = ["digraph G { graph [compound=true]; node [shape=box, fixedsize=true];", *_dot_inside(scene, None)]
    for edge, (source, target) in with_ends(scene):
        label = f', label="{html.escape(edge["label"])}", fontsize=11' if edge.get("label") else ""
        lines.append(f'"{source}" -> "{target}" [id="{edge["id"]}"{label}];')
    return "\n".join([*lines, "}"])


def d2_source(scene: Json) -> str:
    """For D2."""
    paths = d2_paths(scene)
    text = [*_d2_inside(scene, None)]
    text += [f"{paths[a]} -> {paths[b]}: {json.dumps(edge.get('label', ''))}" for edge, (a, b) in with_ends(scene)]
    return "\n".join(text)


def elk_source(scene: Json) -> str:
    """For ELK Layered across containers, orthogonal."""
    graph = {
        "id": "root",
        "layoutOptions": {
            "elk.algorithm": "layered",
            "elk.direction": "DOWN",
            "elk.hierarchyHandling": "INCLUDE_CHILDREN",
            "elk.edgeRouting": "ORTHOGONAL",
        },
        "children": list(_elk_inside(scene, None)),
        "edges": [
            {"id": edge["id"], "sources": [source], "targets": [target], "labels": _labels(edge)}
            for edge, (source, target) in with_ends(scene)
        ],
    }
    return json.dumps(graph)


def dagre_source(scene: Json) -> str:
    """For dagre: rows of nodes, of frames and of edges, whose names are those of dagre's own members."""
    parents, bounds = _parents(scene), scene["computed"]["bounds"]
    nodes = [
        {"id": one["id"], "parent": parents.get(one["id"]), "width": box["width"], "height": box["height"]}
        for one in of_kind(scene, "node")
        if (box := bounds.get(one["id"]))
    ]
    frames = [{"id": one["id"], "parent": parents.get(one["id"])} for one in of_kind(scene, "frame")]
    edges = [
        {"id": edge["id"], "from": source, "to": target, **(_labels(edge) or [{}])[0]}
        for edge, (source, target) in with_ends(scene)
    ]
    return json.dumps({"nodes": nodes, "frames": frames, "edges": edges})


def of_kind(scene: Json, kind: str) -> list[Json]:
    """The elements of a kind."""
    return [element for element in scene["elements"] if element["kind"] == kind]


def with_ends(scene: Json) -> list[tuple[Json, tuple[str, str]]]:
    """The edges, each with the ids of both ends."""
    return [(edge, (edge["from"]["elementId"], edge["to"]["elementId"])) for edge in of_kind(scene, "edge")]


def d2_paths(scene: Json) -> dict[str, str]:
    """D2's name of every node and frame: its id behind those of its frames."""
    parents = _parents(scene)

    def path(name: str) -> str:
        return f"{path(parents[name])}.{name}" if name in parents else name

    return {one["id"]: path(one["id"]) for one in scene["elements"] if one["kind"] in ("node", "frame")}


def _parents(scene: Json) -> dict[str, str]:
    return {child: frame["id"] for frame in of_kind(scene, "frame") for child in frame.get("children", ())}


def _inside(scene: Json, frame: str | None) -> Iterator[tuple[Json, Mapping[str, float]]]:
    parents, bounds = _parents(scene), scene["computed"]["bounds"]
    for element in scene["elements"]:
        if element["kind"] in ("node", "frame") and parents.get(element["id"]) == frame and element["id"] in bounds:
            yield element, bounds[element["id"]]


def _dot_inside(scene: Json, frame: str | None) -> Iterator[str]:
    for one, box in _inside(scene, frame):
        if one["kind"] == "frame":
            yield f'subgraph "cluster_{one["id"]}" {{ label="{html.escape(one.get("title") or "")}";'
            yield from _dot_inside(scene, one["id"])
            yield "}"
        else:
            yield f'"{one["id"]}" [width={box["width"] / DOT_INCH:.4f}, height={box["height"] / DOT_INCH:.4f}];'


def _elk_inside(scene: Json, frame: str | None) -> Iterator[dict[str, Any]]:
    for one, box in _inside(scene, frame):
        if one["kind"] == "frame":
            title = {"text": one.get("title") or "", "width": 80, "height": 16}
            placed = {
                "elk.nodeLabels.placement": "INSIDE V_TOP H_LEFT",
                "elk.padding": "[top=34,left=20,bottom=20,right=20]",
            }
            children = list(_elk_inside(scene, one["id"]))
            yield {"id": one["id"], "labels": [title], "layoutOptions": placed, "children": children}
        else:
            yield {"id": one["id"], "width": box["width"], "height": box["height"]}


def _labels(edge: Json) -> list[dict[str, Any]]:
    text = edge.get("label")
    return [{"text": text, "width": 6.6 * len(text) + 4, "height": 16}] if text else []


def _d2_inside(scene: Json, frame: str | None) -> Iterator[str]:
    for one, box in _inside(scene, frame):
        yield f"{one['id']}: {json.dumps(one.get('label') or one.get('title') or '')} {{"
        if one["kind"] == "frame":
            yield from _d2_inside(scene, one["id"])
        else:
            yield f"width: {round(box['width'])}; height: {round(box['height'])}"
        yield "}"
