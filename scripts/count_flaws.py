#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Counts in pictures whatever makes a label or a line say something false.

    uv run scripts/count_flaws.py                                    # golden and generated scenes
    uv run scripts/count_flaws.py --files docs/examples diagram.mmd --show beside far
    uv run scripts/count_flaws.py --every 8 --files FOLDER --only-files --keep flaws.json

Folders count with all files below; of a kind of file `--every` takes one of so many. A row is a group of scenes, a
column a kind of flaw (FLAWS). Sequence charts have rules of their own and are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parent)]

from golden_scenes import golden_scenes  # noqa: E402
from measure_edits import read  # noqa: E402

from scenograph.engine.geometry.boxes import Box, Point  # noqa: E402
from scenograph.engine.geometry.paths import clipped, distance, quadratic  # noqa: E402
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, widened  # noqa: E402
from scenograph.engine.markers import MARKERS  # noqa: E402
from scenograph.engine.pipeline import lay_out  # noqa: E402
from scenograph.engine.shapes import chain_of, shape_named  # noqa: E402
from scenograph.engine.tables import DrawnRoute, LaidOutScene  # noqa: E402
from scenograph.scene.model import Edge, Frame, Node  # noqa: E402

Json = dict[str, Any]
Piece = tuple[Point, Point]

OWN_REACH = 12.0  # px; a label farther off belongs to nobody
BESIDE = 6.0  # px; labels nearer to each other read as one phrase
OFF_MARKER = 2.0  # px
NEAR_DECISION = 80.0  # px along the line
TOGETHER = 16.0  # px; parallel lines on shorter stretches only pass each other
LINE_GAP = 12.0  # px
SEEN = 12.0  # px of a stretch, beside the label on it
TOUCH = 0.5  # px; less is rounding
STRAIGHT_PART = 3.0  # px; kept by a head from the corners of an outline
CHORDS = 24
SLANTED = frozenset({"hexagon", "parallelogram", "diamond"})


@dataclass
class Drawn:
    """A laid-out scene, taken apart into lines, labels and boxes."""

    laid: LaidOutScene

    @cached_property
    def edges(self) -> dict[str, Edge]:
        """The drawn edges by id."""
        routes = self.laid.routes
        return {one.id: one for one in self.laid.scene.elements if isinstance(one, Edge) and one.id in routes}

    @cached_property
    def lines(self) -> dict[str, tuple[Point, ...]]:
        """The corners of every line; of a curve its chords."""
        return {name: _polyline(self.laid.routes[name]) for name in self.edges}

    @cached_property
    def labels(self) -> dict[str, Box]:
        """The box of every label that is drawn."""
        found = {name: self.laid.routes[name].label for name in self.edges}
        return {name: box for name, box in found.items() if box is not None}

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """The visible nodes with a place."""
        boxes = self.laid.placement.boxes
        return {one.id: one for one in self.laid.scene.elements if isinstance(one, Node) and one.id in boxes}

    @cached_property
    def titles(self) -> dict[str, Box]:
        """The titles of frames."""
        parts = self.laid.placement.parts
        frames = [one.id for one in self.laid.scene.elements if isinstance(one, Frame)]
        return {name: parts[name]["title"] for name in frames if "title" in parts.get(name, {})}

    @cached_property
    def frames(self) -> dict[str, Box]:
        """The boxes of frames."""
        boxes = self.laid.placement.boxes
        return {one.id: boxes[one.id] for one in self.laid.scene.elements if isinstance(one, Frame) and one.id in boxes}

    @cached_property
    def markers(self) -> list[tuple[str, Bounds]]:
        """The areas of all markers, with the edge of each."""
        found: list[tuple[str, Bounds]] = []
        for name, edge in self.edges.items():
            tips, style = self.laid.routes[name].tips, self.laid.styles.of[name]
            for tip, marker in zip(tips or (), (edge.start_arrow, edge.end_arrow), strict=False):
                row = MARKERS.get(marker or "none")
                reach = 0.0 if row is None else row.length_at(style.stroke_width)
                if reach:
                    (x, y), (dx, dy) = tip.at, tip.direction
                    across, down = 5.0 * abs(dy), 5.0 * abs(dx)
                    xs, ys = (x, x - dx * reach), (y, y - dy * reach)
                    found.append((name, Bounds(min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down)))
        return found

    def fellows(self, name: str) -> set[str]:
        """The edges that one label may speak for: of equal label and end."""
        edge = self.edges[name]
        return {
            other
            for other, one in self.edges.items()
            if other == name or (one.label == edge.label and one.target == edge.target and other not in self.labels)
        }

    def foreign(self, name: str) -> Iterator[tuple[str, Piece]]:
        """The pieces of other lines that the label's own line, and lines it speaks for, do not share."""
        ours = self.fellows(name)
        own = [piece for one in ours for piece in pairwise(self.lines[one])]
        for other, points in self.lines.items():
            if other not in ours:
                for piece in pairwise(points):
                    yield from ((other, part) for part in _without(piece, own))


def _polyline(route: DrawnRoute) -> tuple[Point, ...]:
    is_curve = route.router == "curved" and len(route.points) == 3
    return quadratic(*route.points, CHORDS) if is_curve else route.points


def _without(piece: Piece, own: Sequence[Piece]) -> list[Piece]:
    """The parts of a level or upright piece that lie on no piece of `own`; a slanted piece as it is."""
    parts = [piece]
    for along, across in ((0, 1), (1, 0)):
        if abs(piece[0][across] - piece[1][across]) > TOUCH or piece[0] == piece[1]:
            continue
        for a, b in own:
            if max(abs(p[across] - piece[0][across]) for p in (a, b)) <= TOUCH:
                low, high = sorted((a[along], b[along]))
                parts = [rest for part in parts for rest in _cut(part, along, low, high)]
    return parts


def _cut(piece: Piece, along: int, low: float, high: float) -> Iterator[Piece]:
    begin, end = sorted(piece, key=lambda point: point[along])
    if end[along] <= low or begin[along] >= high:
        yield piece
        return
    if begin[along] < low - TOUCH:
        yield begin, _at(begin, along, low)
    if end[along] > high + TOUCH:
        yield _at(begin, along, high), end


def _at(point: Point, along: int, place: float) -> Point:
    return Point(place, point.y) if along == 0 else Point(point.x, place)


def _overlap(a: Bounds, b: Bounds, least: float = TOUCH) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > least and min(a[3], b[3]) - max(a[1], b[1]) > least


def _crosses(piece: Piece, bounds: Bounds) -> bool:
    if bounds[0] >= bounds[2] or bounds[1] >= bounds[3]:
        return False
    return clipped(*piece, bounds) is not None


def _length(points: Sequence[Point]) -> float:
    return sum(hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(points))


# One function for each kind of flaw: from a picture to the names of whatever has it.


def on_foreign(drawn: Drawn) -> Iterator[str]:
    """A label on a line of another edge."""
    for name, box in drawn.labels.items():
        inside = widened(bounds_of(box), -TOUCH)
        others = {other for other, piece in drawn.foreign(name) if _crosses(piece, inside)}
        yield from (f"{name} on {other}" for other in sorted(others))


def nearer(drawn: Drawn) -> Iterator[str]:
    """A label nearer to another line than to its own."""
    for name, box in drawn.labels.items():
        bounds = bounds_of(box)
        own = min(distance(*piece, bounds) for one in drawn.fellows(name) for piece in pairwise(drawn.lines[one]))
        inside = widened(bounds, -TOUCH)
        rest = [(other, piece) for other, piece in drawn.foreign(name) if not _crosses(piece, inside)]
        others = {other for other, piece in rest if distance(*piece, bounds) < own - TOUCH}
        yield from (f"{name} nearer to {other}" for other in sorted(others))


def far(drawn: Drawn) -> Iterator[str]:
    """A label off its own line."""
    for name, box in drawn.labels.items():
        own = min(
            distance(*piece, bounds_of(box)) for one in drawn.fellows(name) for piece in pairwise(drawn.lines[one])
        )
        if own > OWN_REACH + TOUCH:
            yield f"{name} {own:.0f} px off"


def on_marker(drawn: Drawn) -> Iterator[str]:
    """A label over an arrowhead or a crow's foot."""
    for name, box in drawn.labels.items():
        near = widened(bounds_of(box), OFF_MARKER)
        yield from (f"{name} on the marker of {other}" for other, marker in drawn.markers if _overlap(near, marker))


def on_title(drawn: Drawn) -> Iterator[str]:
    """A label over the title of a frame."""
    for name, box in drawn.labels.items():
        yield from (
            f"{name} on {frame}" for frame, at in drawn.titles.items() if _overlap(bounds_of(box), bounds_of(at))
        )


def on_box(drawn: Drawn) -> Iterator[str]:
    """A label over a node, or over the label below one."""
    places = drawn.laid.placement
    for name, box in drawn.labels.items():
        for node in drawn.nodes:
            if _overlap(bounds_of(box), bounds_of(places.boxes[node])) and not _is_beside_slope(drawn, node, box):
                yield f"{name} on {node}"
            text = places.part(node, "label")
            if text is not None and _overlap(bounds_of(box), bounds_of(text), 1.0):
                yield f"{name} on the label of {node}"


def _is_beside_slope(drawn: Drawn, node: str, label: Box) -> bool:
    """Whether a label stands in a corner of a node's box that the outline leaves free."""
    box = drawn.laid.placement.boxes[node]
    xs, ys = _outline(drawn, node)
    corners = [Point(x, y) for x, y in zip(xs, ys, strict=True)]
    area = bounds_of(label)
    if any(_crosses(piece, area) for piece in pairwise([*corners, corners[0]])):
        return False
    return not (area[0] <= box.center.x <= area[2] and area[1] <= box.center.y <= area[3]) and not _holds(
        corners, label.center
    )


def _holds(corners: Sequence[Point], place: Point) -> bool:
    found = False
    for a, b in pairwise([*corners, corners[0]]):
        if (a.y > place.y) != (b.y > place.y) and place.x < a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x):
            found = not found
    return found


def _outline(drawn: Drawn, node: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    box, style = drawn.laid.placement.boxes[node], drawn.laid.styles.of[node]
    chain = chain_of(shape_named(drawn.nodes[node].shape), box.width, box.height, style.corner_radius)
    return tuple(x + box.x for x in chain[0]), tuple(y + box.y for y in chain[1])


def beside(drawn: Drawn) -> Iterator[str]:
    """Two labels that read as one phrase, or lie on each other."""
    for (one, a), (other, b) in combinations(drawn.labels.items(), 2):
        if _overlap(widened(bounds_of(a), 0.0), Bounds(b.x - BESIDE, b.y, b.right + BESIDE, b.bottom)):
            yield f"{one}, {other}"


def far_outcome(drawn: Drawn) -> Iterator[str]:
    """The label of an outcome far from its decision."""
    leaving = Counter(edge.source.element_id for edge in drawn.edges.values())
    for name, box in drawn.labels.items():
        source = drawn.edges[name].source.element_id
        node = drawn.nodes.get(source)
        if node is not None and node.shape == "diamond" and leaving[source] > 1:
            way = _way_to(drawn.lines[name], bounds_of(box))
            if way > NEAR_DECISION + TOUCH:
                yield f"{name} {way:.0f} px"


def _way_to(points: Sequence[Point], label: Bounds) -> float:
    """How far along a line its label begins."""
    passed, best = 0.0, (float("inf"), 0.0)
    for a, b in pairwise(points):
        span = hypot(b.x - a.x, b.y - a.y)
        steps = max(1, int(span / 2))
        for step in range(steps + 1):
            x, y = a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps
            off = hypot(max(label[0] - x, 0, x - label[2]), max(label[1] - y, 0, y - label[3]))
            if off < best[0] - TOUCH:
                best = off, passed + span * step / steps
        passed += span
    return best[1]


def slanted_head(drawn: Drawn) -> Iterator[str]:
    """A head on a corner or a slant of an outline, beside the middle of the side."""
    for name, edge in drawn.edges.items():
        tips = drawn.laid.routes[name].tips
        if tips is None:
            continue
        for end, marker, tip in ((edge.source, edge.start_arrow, tips[0]), (edge.target, edge.end_arrow, tips[1])):
            node = drawn.nodes.get(end.element_id)
            if node is None or (marker or "none") == "none" or node.shape not in SLANTED:
                continue
            if not _is_well_met(drawn, end.element_id, tip.at, tip.direction):
                yield f"{name} at {end.element_id}"


def _is_well_met(drawn: Drawn, node: str, at: Point, way: Point) -> bool:
    box = drawn.laid.placement.boxes[node]
    along = 1 if abs(way.x) > abs(way.y) else 0
    if abs(at[along] - box.center[along]) <= 1.0:
        return True
    xs, ys = _outline(drawn, node)
    corners = [Point(x, y) for x, y in zip(xs, ys, strict=True)]
    near = Bounds(at.x, at.y, at.x, at.y)
    for a, b in pairwise([*corners, corners[0]]):
        if distance(a, b, near) <= 1.5:
            span = hypot(b.x - a.x, b.y - a.y) or 1.0
            slope = abs((b.x - a.x) * way.x + (b.y - a.y) * way.y) / span
            ends = min(hypot(p.x - at.x, p.y - at.y) for p in (a, b))
            if slope < 0.1 and ends >= STRAIGHT_PART:
                return True
    return False


def too_near(drawn: Drawn) -> Iterator[str]:
    """Two lines of different bundles side by side at less than 12 px."""
    ends = {name: (points[0], points[-1]) for name, points in drawn.lines.items()}
    for (one, line), (other, another) in combinations(drawn.lines.items(), 2):
        if {*ends[one]} & {*ends[other]}:
            continue
        gaps = [gap for a in pairwise(line) for b in pairwise(another) if (gap := _gap(a, b)) is not None]
        if gaps and min(gaps) < LINE_GAP - TOUCH:
            yield f"{one}, {other}: {min(gaps):.1f} px"


def _gap(one: Piece, other: Piece) -> float | None:
    """The distance of two parallel pieces that run side by side."""
    for along, across in ((0, 1), (1, 0)):
        level = all(abs(a[across] - b[across]) <= TOUCH for a, b in (one, other))
        if level:
            low = max(min(p[along] for p in one), min(p[along] for p in other))
            high = min(max(p[along] for p in one), max(p[along] for p in other))
            if high - low > TOGETHER:
                return abs(one[0][across] - other[0][across])
    return None


def through_title(drawn: Drawn) -> Iterator[str]:
    """A line through the title of a frame."""
    for name, points in drawn.lines.items():
        for frame, box in drawn.titles.items():
            inside = widened(bounds_of(box), -1.0)
            if any(_crosses(piece, inside) for piece in pairwise(points)):
                yield f"{name} through {frame}"


def on_border(drawn: Drawn) -> Iterator[str]:
    """A label on the border of a frame."""
    for name, box in drawn.labels.items():
        left, top, right, bottom = widened(bounds_of(box), -TOUCH)
        for frame, at in drawn.frames.items():
            spans = min(right, at.right) - max(left, at.x) > 0, min(bottom, at.bottom) - max(top, at.y) > 0
            upright = spans[1] and any(left < x < right for x in (at.x, at.right))
            level = spans[0] and any(top < y < bottom for y in (at.y, at.bottom))
            if upright or level:
                yield f"{name} on {frame}"


def hides(drawn: Drawn) -> Iterator[str]:
    """A line of which its label leaves less than 6 px to be seen beside the markers."""
    for name, box in drawn.labels.items():
        points, edge, style = drawn.lines[name], drawn.edges[name], drawn.laid.styles.of[name]
        hidden = 0.0
        for a, b in pairwise(points):
            cut = clipped(a, b, widened(bounds_of(box), 2.0))
            if cut is not None:
                hidden += (cut[1] - cut[0]) * hypot(b.x - a.x, b.y - a.y)
        tips = [MARKERS.get(marker or "none") for marker in (edge.start_arrow, edge.end_arrow)]
        heads = sum(0.0 if row is None else row.length_at(style.stroke_width) for row in tips)
        if hidden and _length(points) - hidden - heads < 6.0:
            yield name


def swallows(drawn: Drawn) -> Iterator[str]:
    """A label over a whole stretch of its line between two corners, or over a corner."""
    for name, box in drawn.labels.items():
        if drawn.laid.routes[name].router == "curved":
            continue
        for a, b in pairwise(drawn.lines[name]):
            cut = clipped(a, b, widened(bounds_of(box), 2.0))
            span = hypot(b.x - a.x, b.y - a.y)
            if cut is not None and span > TOUCH and span * (1.0 - cut[1] + cut[0]) < SEEN:
                yield f"{name} over {span:.0f} px"


def astray(drawn: Drawn) -> Iterator[str]:
    """The one label of a fan-in beside or before the trunk, or on a trunk that it hides."""
    for name, box in drawn.labels.items():
        end = drawn.lines[name][-1]
        fellows = [drawn.lines[one] for one in drawn.fellows(name) if one != name and drawn.lines[one][-1] == end]
        if not fellows:
            continue
        bounds = bounds_of(box)
        off = max(min(distance(*piece, bounds) for piece in pairwise(line)) for line in fellows)
        if off > OWN_REACH:
            yield f"{name} {off:.0f} px off a line it speaks for"


def crossings(drawn: Drawn) -> Iterator[str]:
    """Two lines that cross; no flaw by itself, to be watched."""
    for (one, line), (other, another) in combinations(drawn.lines.items(), 2):
        for a in pairwise(line):
            for b in pairwise(another):
                if _meet(a, b):
                    yield f"{one} x {other}"


def _meet(one: Piece, other: Piece) -> bool:
    def turn(a: Point, b: Point, c: Point) -> float:
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    (a, b), (c, d) = one, other
    return turn(a, b, c) * turn(a, b, d) < -1.0 and turn(c, d, a) * turn(c, d, b) < -1.0


FLAWS: Mapping[str, Callable[[Drawn], Iterator[str]]] = {
    "foreign": on_foreign,
    "nearer": nearer,
    "far": far,
    "marker": on_marker,
    "title": on_title,
    "box": on_box,
    "beside": beside,
    "border": on_border,
    "hides": hides,
    "swallows": swallows,
    "astray": astray,
    "outcome": far_outcome,
    "slant": slanted_head,
    "too-near": too_near,
    "thr-title": through_title,
    "crossings": crossings,
}


class Case(NamedTuple):
    """A scene to look at: its group, its name, its document."""

    group: str
    name: str
    document: Json


LOOKS: Mapping[str, Json] = {
    "workflow": {"edgeType": "workflow.sequenceFlow"},
    "architecture": {"endArrow": "triangle"},
    "entityRelationship": {"edgeType": "er.nonIdentifying"},
}
WORDS = ("reads", "writes orders", "yes", "no", "asks for a quote", "Unix socket", "copies every night", "is part of")


def generated(seeds: int) -> Iterator[Case]:
    """Small graphs in which most lines have a label."""
    for family in ("workflow", "architecture", "entityRelationship"):
        for direction in ("TB", "LR"):
            for seed in range(seeds):
                yield Case(f"made {family} {direction}", f"{family}-{direction}-{seed}", _made(family, direction, seed))


def _made(family: str, direction: str, seed: int) -> Json:
    chance = Random(f"{family} {direction} {seed}")  # noqa: S311 (no secret)
    count = chance.randint(4, 14)
    elements: list[Json] = []
    for number in range(count):
        kind = {"workflow": chance.choice(("workflow.task", "workflow.task", "workflow.gateway"))}.get(family)
        kind = kind or ("er.entity" if family == "entityRelationship" else "service")
        elements.append({"id": f"n{number}", "kind": "node", "nodeType": kind, "label": f"Node {number}"})
    for number in range(int(count * 1.4)):
        first, second = chance.sample(range(count), 2)
        edge: Json = {"id": f"e{number}", "kind": "edge", **LOOKS[family]}
        edge |= {"from": {"elementId": f"n{first}"}, "to": {"elementId": f"n{second}"}}
        if family == "entityRelationship":
            edge["from"]["cardinality"], edge["to"]["cardinality"] = (
                chance.choice(("one", "one-or-many")),
                "zero-or-many",
            )
        if chance.random() < 0.8:
            edge["label"] = chance.choice(WORDS)
        elements.append(edge)
    return {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        "scene": {"id": "made", "units": "px", "canvas": {}},
        "layoutStrategy": {"algorithm": "hierarchical", "direction": direction},
        "elements": elements,
    }


READ = {".json", ".mmd", ".bpmn", ".drawio", ".sql", ".yml", ".yaml", ".md", ".d2", ".gv", ".dot", ".puml", ".dsl"}


def files(paths: Sequence[Path], every: int) -> Iterator[Case]:
    """The scenes of files, one of `every` in a folder."""
    for path in paths:
        found = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.suffix in READ)
        for one in found[::every] if path.is_dir() else found:
            try:
                document = read(one)
            except (ValueError, OSError):
                continue
            if isinstance(document, dict) and "elements" in document:
                yield Case(path.name, str(one), document)


def main(arguments: Sequence[str]) -> int:
    """Print one table."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--seeds", type=int, default=20)
    reader.add_argument("--files", type=Path, nargs="*", default=())
    reader.add_argument("--only-files", action="store_true")
    reader.add_argument("--every", type=int, default=1)
    reader.add_argument("--most", type=int, default=60, help="nodes of a scene")
    reader.add_argument("--show", nargs="*", default=(), choices=tuple(FLAWS))
    reader.add_argument("--keep", type=Path, help="write what was found as JSON")
    asked = reader.parse_args(arguments)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    kept: dict[str, Json] = {}
    for case in cases(asked):
        if case.document.get("diagramFamily") == "sequence":
            continue
        laid = lay_out(case.document).scene
        drawn, row = Drawn(laid), rows[case.group]
        if len(drawn.nodes) > asked.most:
            continue
        found = {flaw: list(names(drawn)) for flaw, names in FLAWS.items()}
        row.update({"scenes": 1, "labels": len(drawn.labels), **{flaw: len(rest) for flaw, rest in found.items()}})
        row["area"] += int(laid.canvas.width * laid.canvas.height / 1000)
        kept[case.name] = {flaw: rest for flaw, rest in found.items() if rest}
        for flaw in asked.show:
            if found[flaw]:
                print(f"{flaw:10s} {case.name}: {'; '.join(found[flaw])[:300]}")
    if asked.keep:
        asked.keep.write_text(json.dumps(kept, indent=1), "utf-8")
    columns = ("scenes", "labels", *FLAWS, "area")
    print(f"{'':28s}" + "".join(f"{name:>10s}" for name in columns))
    total: Counter[str] = Counter()
    for name, row in rows.items():
        total += row
        print(f"{name[-27:]:28s}" + "".join(f"{row[column]:10d}" for column in columns))
    print(f"{'all':28s}" + "".join(f"{total[column]:10d}" for column in columns))
    return 0


def cases(asked: argparse.Namespace) -> Iterator[Case]:
    """All scenes asked for."""
    if not asked.only_files:
        yield from (Case("golden", one.name, one.document) for one in golden_scenes() if one.before is None)
        yield from generated(asked.seeds)
    yield from files(asked.files, asked.every)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
