"""A scene in the language of D2."""

from __future__ import annotations

from collections.abc import Iterator

from peers.outline import Outline, columns, ends, label, name

_SHAPES = {
    "diamond": "diamond",
    "ellipse": "oval",
    "cylinder": "cylinder",
    "tube": "queue",
    "hexagon": "hexagon",
    "parallelogram": "parallelogram",
    "cloud": "cloud",
}
_KEYS = {"PK": "primary_key", "FK": "foreign_key"}


def d2(scene: Outline) -> str:
    """The text of the diagram."""
    head = ["shape: sequence_diagram"] if scene.family == "sequence" else []
    return "\n".join([*head, *_inside(scene, None), *_lines(scene)]) + "\n"


def _inside(scene: Outline, frame: str | None) -> Iterator[str]:
    for one in scene.inside(frame):
        if one["kind"] == "node" and one.get("nodeType") == "sequence.note":
            continue
        yield f"{name(one['id'])}: {label(one)} {{"
        if one["kind"] == "frame":
            yield from _inside(scene, one["id"])
        rows = [*columns(one)]
        shape = "sql_table" if rows else _SHAPES.get(one.get("shape", ""))
        yield from [f"shape: {shape}"] if shape else []
        for type_, column, key in rows:
            yield f"{column}: {type_}" + (f" {{constraint: {_KEYS[key]}}}" if key else "")
        yield "}"


def _lines(scene: Outline) -> Iterator[str]:
    for edge in scene.edges:
        source, target = map(scene.path, ends(edge))
        dash = " {style.stroke-dash: 4}" if edge.get("style", {}).get("dash") else ""
        yield f"{source} -> {target}: {label(edge)}{dash}"
