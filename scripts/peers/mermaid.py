"""A scene in the language of Mermaid: a sequence diagram, an entity-relationship diagram, else a flowchart."""

from __future__ import annotations

from collections.abc import Iterator

from peers.outline import Json, Outline, columns, ends, label, name

_SHAPES = {
    "diamond": ("{", "}"),
    "ellipse": ("((", "))"),
    "cylinder": ("[(", ")]"),
    "pill": ("([", "])"),
    "tube": ("@{ shape: h-cyl, label: ", " }"),
    "hexagon": ("{{", "}}"),
    "parallelogram": ("[/", "/]"),
}
_FEET = {
    "one": ("||", "||"),
    "many": ("}o", "o{"),
    "zero-or-one": ("|o", "o|"),
    "zero-or-many": ("}o", "o{"),
    "one-or-many": ("}|", "|{"),
}
_PLAIN = ("[", "]")


def mermaid(scene: Outline) -> str:
    """The text of the diagram."""
    writers = {"sequence": _sequence, "entityRelationship": _entities}
    return "\n".join(writers.get(scene.family, _flowchart)(scene)) + "\n"


def _flowchart(scene: Outline) -> Iterator[str]:
    yield "flowchart TB"
    yield from _inside(scene, None)
    for edge in scene.edges:
        source, target = map(name, ends(edge))
        dashed = bool(edge.get("style", {}).get("dash"))
        text = f"|{label(edge)}|" if edge.get("label") else ""
        yield f"{source} {'-.->' if dashed else '-->'}{text} {target}"


def _inside(scene: Outline, frame: str | None) -> Iterator[str]:
    for one in scene.inside(frame):
        if one["kind"] == "frame":
            yield f"subgraph {name(one['id'])} [{label(one)}]"
            yield from _inside(scene, one["id"])
            yield "end"
        else:
            opening, closing = _SHAPES.get(one.get("shape", ""), _PLAIN)
            yield f"{name(one['id'])}{opening}{label(one)}{closing}"


def _sequence(scene: Outline) -> Iterator[str]:
    yield "sequenceDiagram"
    for node in scene.nodes:
        kind = {"sequence.actor": "actor", "sequence.lifeline": "participant"}.get(node.get("nodeType", ""))
        if kind:
            yield f"{kind} {name(node['id'])} as {label(node)[1:-1]}"
    for edge in scene.edges:
        source, target = map(name, ends(edge))
        arrow = "-->>" if edge.get("edgeType") == "sequence.reply" else "->>"
        yield f"{source}{arrow}{target}: {label(edge)[1:-1] or ' '}"


def _entities(scene: Outline) -> Iterator[str]:
    yield "erDiagram"
    for node in scene.nodes:
        yield f"{name(node['id'])}[{label(node)}] {{"
        yield from (f"  {type_} {column} {key}" for type_, column, key in columns(node))
        yield "}"
    for edge in scene.edges:
        source, target = map(name, ends(edge))
        yield f"{source} {_foot(edge, 'from', 0)}--{_foot(edge, 'to', 1)} {target} : {label(edge)}"


def _foot(edge: Json, side: str, at: int) -> str:
    return _FEET[edge[side].get("cardinality") or ("many" if side == "from" else "one")][at]
