"""The graph that a document shows, with ids forgotten: elements go by their words.

Two elements of a kind without words go by their type; those with the same words are told apart by a number in the order
of the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]


@dataclass(slots=True)
class Graph:
    """`nodes`: name to type. `edges`: name of the start, name of the end, words, in the order of the document.
    `frames`: name to the names of what they hold."""

    nodes: dict[str, str] = field(default_factory=dict[str, str])
    edges: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    frames: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


def graph_of(document: Row) -> Graph:
    """The graph of a document's nodes, frames and edges."""
    rows: list[Row] = list(document["elements"])
    names = _names(rows)
    graph = Graph()
    for row in rows:
        name = names.get(row["id"], "")
        if row["kind"] == "node":
            graph.nodes[name] = str(row.get("nodeType", ""))
        elif row["kind"] == "frame":
            graph.frames[name] = {names[child] for child in row.get("children", ()) if child in names}
        elif row["kind"] == "edge":
            start, end = (names.get(row[side].get("elementId"), "?") for side in ("from", "to"))
            graph.edges.append((start, end, plain(row.get("label", ""))))
    return graph


def plain(words: object) -> str:
    """Words without capitals, line breaks and double blanks: these are the writer's own affair."""
    return " ".join(str(words or "").split()).casefold()


def differences(wanted: Mapping[str, Any], found: Graph) -> Iterator[str]:
    """What of `wanted` (the members `nodes`, `edges`, `frames` of a goal) the graph lacks or has beyond it."""
    nodes = {plain(name): kinds for name, kinds in wanted.get("nodes", {}).items()}
    yield from _beside("node", set(nodes), set(found.nodes))
    for name, kinds in nodes.items():
        if kinds and name in found.nodes and found.nodes[name] not in kinds.split("|"):
            yield f"{name} is of type {found.nodes[name] or 'none'}, not {kinds}"
    yield from _edges(wanted, found)
    if "frames" in wanted:
        frames = {plain(name): {plain(one) for one in inside} for name, inside in wanted["frames"].items()}
        yield from _beside("frame", set(frames), set(found.frames))
        for name in frames.keys() & found.frames.keys():
            yield from _beside(f"in {name}", frames[name], found.frames[name])


def _edges(wanted: Mapping[str, Any], found: Graph) -> Iterator[str]:
    """Edges with words in the goal must have these; those without may have any."""
    rows = [[plain(part) for part in row] for row in wanted.get("edges", ())]
    ends = [(row[0], row[1]) for row in rows]
    have = [edge[:2] for edge in found.edges]
    yield from _beside("edge", Counter(ends), Counter(have))
    for start, end, words in (row for row in rows if len(row) > 2):
        if (start, end, words) not in found.edges and (start, end) in have:
            yield f"no edge from {start} to {end} says {words}"
    if wanted.get("ordered") and have != ends:
        yield f"the edges do not come in the order {ends}"


def _beside(what: str, wanted: Any, found: Any) -> Iterator[str]:
    for missing in sorted(wanted - found, key=str):
        yield f"missing {what}: {missing}"
    for extra in sorted(found - wanted, key=str):
        yield f"not asked for, {what}: {extra}"


def _names(rows: list[Row]) -> dict[str, str]:
    names: dict[str, str] = {}
    for row in rows:
        if row["kind"] not in {"node", "frame"}:
            continue
        words = plain(row.get("label") or row.get("title")) or f"[{row.get('nodeType') or row['kind']}]"
        alike = sum(name.rpartition(" #")[0] == words or name == words for name in names.values())
        names[row["id"]] = f"{words} #{alike + 1}" if alike else words
    return names
