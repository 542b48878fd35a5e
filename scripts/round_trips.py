#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Writes scenes as Mermaid, draw.io and BPMN, reads them back, and compares the graphs.

    uv run scripts/round_trips.py [scene.json ...]

Without scenes it takes those of tests/scenes. Compared are nodes, containers and what they hold, and lines with their
ends and labels, all known by their labels without spaces: ids that a format does not take are told as a loss, and
where a label is wrapped is a matter of drawing. Ends with 1 when a graph differs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scenograph.engine.pipeline import RenderedPicture, render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source
from scenograph.wire.formats import FORMATS

SCENES = Path(__file__).parents[1] / "tests" / "scenes"
FORMS = ("mermaid", "drawio", "bpmn")
UNTITLED = "titles of fragments"
TURNED = "lines with a head at their start alone (they run the other way)"
_BOXES = {"node": "node", "frame": "frame", "group": "frame"}
_BESIDE = ("text", "image", "guide")
Json = dict[str, Any]
Row = tuple[str, ...]


class Graph(NamedTuple):
    """Boxes by kind and label, what holds what, lines by the labels of their ends and their own."""

    boxes: Counter[Row]
    holds: Counter[Row]
    lines: Counter[Row]


def graph_of(document: Json, turned: frozenset[str] = frozenset(), untitled: frozenset[str] = frozenset()) -> Graph:
    """The graph of a document; lines that are `turned` run from their target to their source."""
    known = {one["id"]: one for one in document["elements"]}
    labels = {key: _squeezed(one.get("label") or one.get("title")) for key, one in known.items()}
    names = labels | dict.fromkeys(untitled, "")
    boxes: Counter[Row] = Counter(
        (_BOXES[one["kind"]], names[key]) for key, one in known.items() if one["kind"] in _BOXES
    )
    holds: Counter[Row] = Counter(
        (names[key], names[child]) for key, one in known.items() for child in set(_held(one, known))
    )
    lines: Counter[Row] = Counter()
    for key, one in known.items():
        if one["kind"] == "edge":
            ends = [names[one[side]["elementId"]] for side in ("from", "to")]
            columns = {row["name"] for end in (one["from"], one["to"]) for row in _columns(known[end["elementId"]])}
            label = "" if one.get("label") in columns else _squeezed(one.get("label"))  # a row tells it
            lines[*(reversed(ends) if key in turned else ends), label] += 1
    return Graph(boxes, holds, lines)


def _columns(box: Json) -> list[Json]:
    return box.get("extensions", {}).get("columns", [])


def _squeezed(text: object) -> str:
    return "".join(str(text or "").split())


def _held(one: Json, known: Mapping[str, Json]) -> Iterator[str]:
    """The boxes in a container, fragments in the operands of others too."""
    if one["kind"] in _BOXES:
        yield from one.get("children", one.get("childIds", ()))
        for row in _operands(one):
            inside = set(row["messages"])
            yield from (key for key in inside if known[key]["kind"] == "frame")
            for key, other in known.items():
                own = {message for row in _operands(other) for message in row["messages"]}
                if own and own < inside and key not in inside:
                    yield key


def _operands(box: Json) -> list[Json]:
    return box.get("extensions", {}).get("operands", [])


def differences(document: Json, form: str) -> list[str]:
    """How the graph differs after it was written and read back; empty where it is the same."""
    picture = render(document, form)
    before = graph_of(document, _told(picture, TURNED), _told(picture, UNTITLED))
    after = graph_of(read_source(Source(text=str(picture.content)), form).document)
    texts = Counter(_squeezed(one.get("content")) for one in document["elements"] if one["kind"] in _BESIDE)
    found: list[str] = []
    for what, one, other in zip(Graph._fields, before, after, strict=True):
        more = other - one
        for row in list(more):
            if what == "boxes" and texts[row[1]]:
                more -= Counter[Row]({row: texts[row[1]]})
        found += [f"{what} lost {row}" for row in one - other] + [f"{what} gained {row}" for row in more]
    return found


def _told(picture: RenderedPicture, what: str) -> frozenset[str]:
    """The elements that a loss names."""
    told = (row.data for row in picture.diagnostics if row.code == "EXPORT_LOSS" and row.data)
    return frozenset(key for data in told for row in data["losses"] if row["what"] == what for key in row["elementIds"])


def main(files: list[Path]) -> int:
    """Compare every scene in every format that holds its family."""
    same = differing = 0
    for file in files:
        document = json.loads(file.read_text("utf-8"))
        for form in FORMS:
            if not FORMATS[form].holds(document["diagramFamily"]):
                continue
            found = differences(document, form)
            same, differing = same + (not found), differing + bool(found)
            for row in found:
                print(f"{file.stem} as {form}: {row}")
    print(f"{same} round trips gave the same graph, {differing} another")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]] or sorted(SCENES.glob("*.json"))))
