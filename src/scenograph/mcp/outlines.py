"""Parts of a document for a conversation: its outline, some elements with their neighbours, their changes. In: a stored
document. Out: text and rows; only ids, children and ends are interpreted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, cast

from scenograph.mcp.answers import counted

Row = Mapping[str, Any]

LONGEST_LABEL = 48  # characters of a label in a line of an outline
MOST_LINES = 1_000
_MOST_REST = 20_000  # characters of the bare ids after the lines
_HEADS_WANTED = (
    "No edge shows a direction. If they should: "
    '{"op": "updateScene", "defaults": {"edge": {"endpoints": {"endArrow": "triangle"}}}}'
)


def elements_of(document: Row) -> list[Row]:
    """The elements of a document."""
    return [cast("Row", row) for row in document.get("elements") or () if isinstance(row, dict)]


def outline(document: Row, threads: Mapping[str, int] | None = None, *, most: int = MOST_LINES, way: str = "") -> str:
    """A line for each element, at most `most`, with a container's children below it; the brief first. The rest is told
    by `way`, a sentence, else by bare ids. `threads` counts the open comment threads by element id."""
    rows = elements_of(document)
    known = {str(row.get("id")): row for row in rows}
    children = {name: [one for one in _children(row) if one in known] for name, row in known.items()}
    inside = {child for names in children.values() for child in names}
    roots = [name for name, row in known.items() if name not in inside and row.get("kind") != "edge"]
    said = threads or {}
    found = [*_nested(roots, known, children, said)]
    found += [(str(row.get("id")), f"{_edge(row)}{_commented(row, said)}") for row in rows if row.get("kind") == "edge"]
    lines = [line for _, line in found[:most]]
    if rest := [name for name, _ in found[most:]]:
        lines.append(f"… {counted(len(rest), 'more element')}: {way or _joined(rest)}")
    head = [f"brief: {document['brief']}"] if document.get("brief") else []
    tail = [_HEADS_WANTED] if _is_undirected(document, rows) else []
    scene = cast("Row", document.get("scene") or {})
    parts = [scene.get("title"), document.get("diagramFamily"), counted(len(rows), "element")]
    about = ", ".join(str(part) for part in parts if part)
    return "\n".join([*head, about, *lines, *tail])


def _joined(ids: Sequence[str]) -> str:
    """The ids with a comma between, of _MOST_REST characters at most; the rest is counted."""
    ends = accumulate(len(name) + 2 for name in ids)
    shown = sum(end <= _MOST_REST for end in ends)
    more = f" and {len(ids) - shown} more, read with their neighbours" if shown < len(ids) else ""
    return f"{', '.join(ids[:shown])}{more}"


def neighbourhood(document: Row, ids: Sequence[str]) -> tuple[list[Row], list[str]]:
    """These elements with their edges, the other ends of the edges, and their containers, in document order; and the
    unknown ids."""
    rows = elements_of(document)
    known = {str(row.get("id")) for row in rows}
    wanted = set(ids) & known
    edges = [row for row in rows if row.get("kind") == "edge" and wanted & {*_ends(row)}]
    named = [row for row in rows if str(row.get("id")) in wanted]
    found = wanted | {str(row.get("id")) for row in edges}
    found |= {end for row in (*edges, *named) for end in _ends(row)}
    found |= {str(row.get("id")) for row in rows if wanted & {*_children(row)}}
    return [row for row in rows if str(row.get("id")) in found], [one for one in ids if one not in known]


def frames_of(document: Row, opened: Sequence[str] = ()) -> list[str]:
    """The ids of the outermost frames; of the frames that are `opened` or hold an opened element, the frames inside."""
    rows = elements_of(document)
    parents = {child: str(row.get("id")) for row in rows for child in _children(row)}
    passed = set[str]()
    for name in opened:
        here: str | None = name
        while here is not None and here not in passed:
            passed.add(here)
            here = parents.get(here)
    frames = [str(row.get("id")) for row in rows if row.get("kind") == "frame"]
    return [name for name in frames if name not in passed and (name not in parents or parents[name] in passed)]


def hubs_of(document: Row, inside: Sequence[str] = ()) -> list[str]:
    """The ids of the nodes, those with most edges first; only of nodes in the containers `inside` that hold any."""
    rows = elements_of(document)
    ends = Counter(end for row in rows for end in _ends(row))
    nodes = [str(row.get("id")) for row in rows if row.get("kind") == "node"]
    children = {str(row.get("id")): _children(row) for row in rows}
    held = set[str]().union(*(_held(name, children) for name in inside))
    return sorted([name for name in nodes if name in held] or nodes, key=lambda name: -ends[name])


def fullest_first(document: Row, frames: Sequence[str]) -> list[str]:
    """The frames by the number of contained elements, at every depth."""
    children = {str(row.get("id")): _children(row) for row in elements_of(document)}
    return sorted(frames, key=lambda frame: -len(_held(frame, children)))


def _held(frame: str, children: Mapping[str, list[str]]) -> set[str]:
    seen, waiting = {frame}, [frame]
    while waiting:
        inside = [name for name in children.get(waiting.pop(), ()) if name not in seen]
        seen.update(inside)
        waiting += inside
    return seen - {frame}


def _nested(
    roots: list[str], known: Mapping[str, Row], children: Mapping[str, list[str]], threads: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Id and line of the roots and of each element below."""
    seen: set[str] = set()
    waiting = [(name, 0) for name in reversed(roots)]
    while waiting:
        name, depth = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name, f"{'  ' * depth}{_node(known[name])}{_commented(known[name], threads)}"
        waiting += [(child, depth + 1) for child in reversed(children[name])]


def _commented(row: Row, threads: Mapping[str, int]) -> str:
    count = threads.get(str(row.get("id")), 0)
    return f" ({count} open comment{'s' if count > 1 else ''})" if count else ""


def _node(row: Row) -> str:
    what = row.get("nodeType") or row.get("containerType") or row.get("kind")
    label = row.get("label") or row.get("title") or row.get("content")
    return f"{row.get('id')} [{what}]{_words(label)}"


def _edge(row: Row) -> str:
    start, end = [*_ends(row), "?", "?"][:2]
    kind = f" [{row['edgeType']}]" if row.get("edgeType") else ""
    return f"{row.get('id')}: {start} > {end}{kind}{_words(row.get('label'))}"


def _words(label: object) -> str:
    text = " ".join(label.split()) if isinstance(label, str) else ""
    text = text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"
    return f" {text}" if text else ""


def _ends(row: Row) -> Iterator[str]:
    for name in ("from", "to"):
        end = row.get(name)
        if isinstance(end, dict):
            yield str(cast("Row", end).get("elementId"))


def _children(row: Row) -> list[str]:
    found = row.get("children")
    return [str(one) for one in cast("list[Any]", found)] if isinstance(found, list) else []


def _is_undirected(document: Row, rows: list[Row]) -> bool:
    """Whether edges exist and none has a type, an arrowhead or a default arrowhead."""
    edges = [row for row in rows if row.get("kind") == "edge"]
    defaults = cast("Row", cast("Row", document.get("defaults") or {}).get("edge") or {})
    rows = [defaults, *edges]
    return bool(edges) and not any(row.get("endpoints") or row.get("edgeType") for row in rows)
