"""Elements and documents in few words: a node is labelled with its id, an edge named after its ends."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def node(id_: str, **members: Any) -> Json:
    """A node labelled with its id."""
    return {"id": id_, "kind": "node", "label": id_} | members


def edge(source: str, target: str, **members: Any) -> Json:
    """An edge from `source` to `target`, its id the two ends."""
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": f"{source}-{target}", "kind": "edge"} | ends | members


def frame(id_: str, *children: str, **members: Any) -> Json:
    """A frame titled with its id."""
    return {"id": id_, "kind": "frame", "title": id_, "children": list(children)} | members


def task(id_: str, **members: Any) -> Json:
    """A task of a workflow."""
    return node(id_, nodeType="workflow.task") | members


def flow(source: str, target: str, **members: Any) -> Json:
    """A sequence flow of a workflow."""
    return edge(source, target, edgeType="workflow.sequenceFlow") | members


def container(id_: str, kind: str, *children: str, **members: Any) -> Json:
    """A frame of a kind, such as `pool`."""
    return frame(id_, *children, containerType=kind) | members


def at(x: float, y: float, width: float | None = None, height: float | None = None) -> Json:
    """An absolute place in px, with a size if given."""
    sizes = {"width": width, "height": height}
    return {"mode": "absolute", "x": x, "y": y} | {name: size for name, size in sizes.items() if size is not None}


def document_of(*elements: Json, family: str = "architecture", canvas: Json | None = None, **members: Any) -> Json:
    """A document of the elements, with further members of its root."""
    scene = {"id": "s", "units": "px", "canvas": canvas or {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": list(elements)} | members
