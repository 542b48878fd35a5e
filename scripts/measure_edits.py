#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Measures how local edits are: one edit of every kind in scenes of every family, and what it moves that it must not.

    uv run scripts/measure_edits.py                                   # golden and generated scenes
    uv run scripts/measure_edits.py --seeds 3 --files scene.json process.bpmn drawing.drawio
    uv run scripts/measure_edits.py --brief                           # a few scenes only
    uv run scripts/measure_edits.py --kinds "delete node" nudge --show
    uv run scripts/measure_edits.py --times --sizes 12 30 100 300      # what an edit costs, by kind, family and size

A row counts, for one kind of edit in one family: edits made; `moved`: untouched nodes that moved by an edit that adds,
grows or places nothing (goal 0), as `elements/edits`; `pushed`: untouched ones that moved by another, and the largest
of their moves with the room that the edit asked for, px; `both`: of these, the nodes that moved on both axes; `turned`:
pairs that stood beside or above each other in another order afterwards; `shrank`: frames that lost width or height;
`on`: boxes that came to lie on others; `redraw`: elements that move when the picture is drawn from its own places;
`fault`: edits that could not be drawn from the former places. Ends with 1 where anything but `pushed` is not 0.

With `--times` the scenes are those of `benchmarks/graphs.py`, of every family in each size, and a second table has the
CPU time of each picture after an edit, with all that is kept of the picture before it: median / largest of the edits of
a kind, ms, each the least of three draws.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "benchmarks")]

from chance.scenes import Recipe, Seeded, document  # noqa: E402
from chance.section_edits import KINDS, ends_of  # noqa: E402
from golden_scenes import golden_scenes  # noqa: E402

from graphs import FAMILY_GRAPHS, family_graph, service_graph  # noqa: E402
from scenograph.engine.families.catalog import FAMILIES  # noqa: E402
from scenograph.engine.families.sequence.diagram import read_participants  # noqa: E402
from scenograph.engine.pipeline import LaidOut, lay_out, places_of, render_svg  # noqa: E402
from scenograph.reading.readers import read_source  # noqa: E402
from scenograph.reading.source import (  # noqa: E402
    Source,
    TooLarge,
    Unreadable,
)
from scenograph.scene.edits.operations import Batch, apply_operations  # noqa: E402

Json = dict[str, Any]
Box = Mapping[str, float]
NEARLY = 0.011  # px; places are written with two decimals
SPACING = 48.0
SIZES = (12, 30, 60, 100, 300)
BRIEF_SIZES = (12,)
DRAWS = 3  # of an edit that is timed; the least counts
MOST_COMPARED = 160  # elements; of larger scenes pairs are not compared


@dataclass(slots=True)
class Row:
    """What edits of one kind did in one family."""

    edits: int = 0
    moved: int = 0
    moving: int = 0
    pushed: int = 0
    push: float = 0.0
    asked: float = 0.0
    found: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        rest = " ".join(f"{self.found[name]:6d}" for name in COUNTED)
        moved = f"{self.moved:6d}/{self.moving:<4d} {self.pushed:6d} {self.push:6.0f} {self.asked:6.0f}"
        return f"{self.edits:6d} {moved} {rest}"


COUNTED = ("both", "turned", "shrank", "on", "redraw", "fault")
HEAD = f"{'edits':>6} {'moved':>6}/{'by':<4} {'pushed':>6} {'most':>6} {'asked':>6} " + " ".join(
    f"{name:>6}" for name in COUNTED
)


def anew(sketch: Json, batch: Batch) -> Json | None:
    """The sketch of a revision: places of the one before, and which elements lose theirs."""
    if batch.relayout.every:
        return {}
    gone = batch.relayout.ids
    rest = {
        name: {key: row for key, row in sketch[name].items() if key not in gone} for name in ("bounds", "edgePaths")
    }
    return {**sketch, **rest, "relaid": sorted(gone)}


def _boxes(laid_out: LaidOut) -> dict[str, Json]:
    return places_of(laid_out)["bounds"]


def _homes(scene: Json) -> dict[str, str]:
    return {child: one["id"] for one in scene["elements"] for child in one.get("children", ())}


def _above(one: str, homes: Mapping[str, str]) -> Iterator[str]:
    seen = {one}
    while (home := homes.get(one)) is not None and home not in seen:
        seen.add(home)
        yield home
        one = home


def touched_by(
    before: Json, after: Json, relaid: frozenset[str], sizes: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> set[str]:
    """The elements that an edit creates, resizes, moves, reparents or relays out, or whose natural size it changes."""
    rows, homes, now = {one["id"]: one for one in before["elements"]}, _homes(before), _homes(after)
    found = set(relaid)
    for one in after["elements"]:
        name = one["id"]
        old, new = sizes[0].get(name), sizes[1].get(name)
        is_resized = old is not None and new is not None and _room_of(old) != _room_of(new)
        is_other = name not in rows or homes.get(name) != now.get(name) or rows[name].get("layout") != one.get("layout")
        if one["kind"] != "edge" and (is_other or (is_resized and one["kind"] != "frame")):
            found.add(name)
    rows = {one["id"]: one for one in after["elements"]}
    hosts = {name: one["attachedTo"]["elementId"] for name, one in rows.items() if "attachedTo" in one}
    hosts |= {
        name: one["layout"]["target"] for name, one in rows.items() if one.get("layout", {}).get("mode") == "relative"
    }
    bound = [{*one["elements"]} for scene in (before, after) for one in scene.get("constraints", ())]
    changed = found | {one["id"] for one in before["elements"] if one["id"] not in rows}
    found |= {one for group in bound if group & changed for one in group & rows.keys()}
    while more := {one for one, host in hosts.items() if host in found} - found:
        found |= more
    return found


def _is_nearer_to_given(element: Json, before: Box, after: Box) -> bool:
    """Whether a box drawn larger than its author asked for comes nearer to the given size."""
    layout = element.get("layout") or {}
    return all(
        after[side] >= min(before[side], layout.get(side, before[side])) - NEARLY for side in ("width", "height")
    )


def _room_of(size: Any) -> tuple[float, ...]:
    """Width and height, and the room for labels outside."""
    return (size.width, size.height, *size.outset)


def _room(before: Mapping[str, Json], after: Mapping[str, Json], touched: set[str]) -> float:
    """How much room touched elements may ask for on an axis, px."""
    found = 0.0
    for one in touched:
        if one not in after:
            continue
        box, was = after[one], before.get(one)
        for side, at in (("width", "x"), ("height", "y")):
            grown = box[side] + 2 * SPACING if was is None else abs(box[at] - was[at]) + abs(box[side] - was[side])
            found = max(found, grown)
    return found


class Edit(NamedTuple):
    """One edit: its kind, the scene before it, the batch that it was, and what was drawn before and after."""

    kind: str
    scene: Json
    batch: Batch
    drawn: tuple[LaidOut, LaidOut]


def judge(row: Row, edit: Edit) -> dict[str, Any]:
    """Add to a row what one edit did; what is wrong with it."""
    batch, (before, after) = edit.batch, map(_boxes, edit.drawn)
    sizes = edit.drawn[0].scene.sizes, edit.drawn[1].scene.sizes
    touched = touched_by(edit.scene, batch.document, batch.relayout.ids, sizes)
    chart = _Chart(edit) if batch.document.get("diagramFamily") == "sequence" else None
    touched |= chart.changed if chart is not None else set()
    homes, elements = _homes(batch.document), {one["id"]: one for one in batch.document["elements"]}
    holding = {up for one in touched for up in _above(one, homes)}
    boxed = [
        one for one in after if one in before and one in elements and elements[one]["kind"] not in ("edge", "guide")
    ]
    frames = {one for one in boxed if elements[one]["kind"] in ("frame", "group")}
    steps = {one: _step(before[one], after[one], frame=one in frames) for one in boxed if one not in touched}
    moved = {one: step for one, step in steps.items() if max(step) > NEARLY}
    following = {one for one in moved if chart is not None and chart.may_follow(one, before, after)}
    row.edits += 1
    wrong: dict[str, Any] = {}
    if not batch.relayout.every:
        if not KINDS[edit.kind].pushes or not touched:
            wrong["moved"] = {one: step for one, step in moved.items() if one not in following}
            row.moved, row.moving = row.moved + len(wrong["moved"]), row.moving + bool(wrong["moved"])
        else:
            row.pushed += len(moved)
            most = max((max(step) for step in moved.values()), default=0.0)
            if most > row.push:
                row.push, row.asked = most, _room(before, after, touched)
            wrong["pushed"] = moved
            wrong["both"] = [one for one, step in moved.items() if min(step) > NEARLY and one not in frames | following]
        wrong["shrank"] = [
            one
            for one in frames - touched - following - (holding if batch.relayout.ids else set())
            if not _is_nearer_to_given(elements[one], before[one], after[one])
        ]
        if len(boxed) <= MOST_COMPARED:
            kept = [one for one in boxed if one not in touched and one not in holding]
            kept = [one for one in kept if chart is None or chart.roles.get(one) in (None, LIFELINE)]
            wrong["turned"] = list(_turned(before, after, kept, homes))
            over = {} if chart is None else chart.roles
            pairs = _lying_on(before, after, elements, homes)
            wrong["on"] = [" on ".join(pair) for pair in pairs if not {over.get(one) for one in pair} & {*AROUND}]
    again = _boxes(lay_out(batch.document, sketch=places_of(edit.drawn[1])))
    wrong["redraw"] = [one for one in after if after[one] != again.get(one)]
    wrong["fault"] = [one.message for one in edit.drawn[1].diagnostics if one.code == "PLACES_NOT_KEPT"]
    for name in COUNTED:
        row.found[name] += len(wrong.get(name, ()))
    return {name: found for name, found in wrong.items() if found}


def _step(before: Box, after: Box, *, frame: bool) -> tuple[float, float]:
    """How far a box moved on each axis: a frame the corner that moved more."""
    found = []
    for at, side in (("x", "width"), ("y", "height")):
        low, high = after[at] - before[at], after[at] + after[side] - before[at] - before[side]
        found.append(max(abs(low), abs(high)) if frame else abs(low))
    return found[0], found[1]


def _turned(
    before: Mapping[str, Box], after: Mapping[str, Box], names: Sequence[str], homes: Mapping[str, str]
) -> Iterator[str]:
    """Siblings that stood beside or above each other and do so in another order. Of two that shared neither a row nor a
    column only those that stand in the way of an edit give way (section 25 of the decisions)."""
    for first, second in combinations(names, 2):
        if homes.get(first) != homes.get(second):
            continue
        for at, side, over, extent in (("x", "width", "y", "height"), ("y", "height", "x", "width")):
            low, high = before[first], before[second]
            if min(low[over] + low[extent], high[over] + high[extent]) <= max(low[over], high[over]):
                continue
            for low, high in ((first, second), (second, first)):
                if (
                    before[low][at] + before[low][side] <= before[high][at]
                    and after[low][at] > after[high][at] + NEARLY
                ):
                    yield f"{low}, {high}"


def _overlap(first: Box, second: Box) -> bool:
    return all(
        min(first[at] + first[side], second[at] + second[side]) - max(first[at], second[at]) > 0.06
        for at, side in (("x", "width"), ("y", "height"))
    )


def _lying_on(
    before: Mapping[str, Json],
    after: Mapping[str, Json],
    elements: Mapping[str, Json],
    homes: Mapping[str, str],
) -> Iterator[tuple[str, str]]:
    """Pairs of boxes that came to lie on each other, neither in the other, unless somebody put one there."""
    names = [one for one in after if one in elements and elements[one]["kind"] not in ("edge", "guide")]
    given = {one for one in names if (elements[one].get("layout") or {}).get("mode") in ("absolute", "relative")}
    given |= {one for one in names if "attachedTo" in elements[one] or elements[one].get("locked")}
    held = given | {up for one in given for up in _above(one, homes)}
    inner = set(homes)  # what somebody puts over a foreign frame moves nothing in it
    for first, second in combinations(names, 2):
        if (
            first in _above(second, homes)
            or second in _above(first, homes)
            or not _overlap(after[first], after[second])
        ):
            continue
        if first in before and second in before and _overlap(before[first], before[second]):
            continue
        if any(
            one in given and (other in held or elements[other]["kind"] in ("frame", "group") or other in inner)
            for one, other in ((first, second), (second, first))
        ):
            continue
        if {first, *_above(first, homes)} & held and {second, *_above(second, homes)} & held:
            continue
        yield first, second


LIFELINE, NOTE, MESSAGE, AROUND = "lifeline", "note", "message", ("fragment", "box")


class _Chart:
    """A sequence before and after an edit. Its elements follow what changes: a row that comes, goes or grows moves what
    is below, a participant or a label what is right of it, by its extent (section 25 of the decisions)."""

    def __init__(self, edit: Edit) -> None:
        old, self.roles = map(_roles, edit.drawn)
        documents = edit.scene, edit.batch.document
        rows = [{one["id"]: one for one in document["elements"]} for document in documents]
        edited = {one for one in rows[0].keys() | rows[1].keys() if rows[0].get(one) != rows[1].get(one)}
        events = {one for one in edited if MESSAGE in (old.get(one), self.roles.get(one))}
        self.changed = {one for one in old.keys() | self.roles.keys() if old.get(one) != self.roles.get(one)}
        self.changed |= {one for one in edited if self.roles.get(one) == LIFELINE}
        orders = [
            [one for one, role in found.items() if role == old.get(one) == LIFELINE] for found in (old, self.roles)
        ]
        if [one for one in orders[0] if one in self.roles] != orders[1]:  # a box gathered its participants
            self.changed |= {*orders[1]}
        ties = [ends_of(one) for one in documents[1]["elements"] if one["kind"] == "edge"]
        moving = {one for tie in ties if not self.changed.isdisjoint(tie) for one in tie}
        # A note stands at its participants, or at those of the message before.
        self.changed |= {one for one, role in self.roles.items() if role == NOTE and (events or one in moving)}
        homes = {**_homes(documents[0]), **_homes(documents[1])}
        self.changed |= {one for one in homes if not self.changed.isdisjoint(_above(one, homes))}
        self._across = self._down = 0.0
        for one in edited | self.changed:
            both = [drawn.scene.sizes[one] for drawn in edit.drawn if one in drawn.scene.sizes]
            wide, high = (max((row[side] for row in both), default=0.0) for side in (0, 1))
            self._across += wide + 2 * SPACING
            self._down += high + 2 * SPACING if one in events or old.get(one) != LIFELINE else high

    def may_follow(self, one: str, before: Mapping[str, Json], after: Mapping[str, Json]) -> bool:
        """Whether an element moved by no more than what changed."""
        step = [abs(after[one][at] - before[one][at]) for at in "xy"]
        if one in self.roles:
            return step[0] <= self._across and step[1] <= self._down
        return min(step) <= NEARLY and max(step) <= max(self._across, self._down) + SPACING


def _roles(drawn: LaidOut) -> dict[str, str]:
    """The part of each element in a chart."""
    found = read_participants(drawn.scene.scene)
    rows = (found.lifelines, found.notes, found.messages, found.fragments, found.boxes)
    names = (LIFELINE, NOTE, MESSAGE, *AROUND)
    return {one.id: name for name, row in zip(names, rows, strict=True) for one in row} if found.lifelines else {}


def _generated(sizes: Sequence[int], seeds: int) -> Iterator[tuple[str, Json]]:
    for nested in (False, True):
        for size in sizes:
            for seed in range(seeds if size < 300 else 1):
                yield f"{'nested' if nested else 'flat'} {size}", service_graph(size, nested=nested, seed=seed)
    for name in FAMILIES:
        for seed in range(seeds):
            recipe = Recipe(most_nodes=14, families=(name,), algorithms=("hierarchical", "flow"), positions=0)
            yield name, document(Seeded(seed), recipe)
            given = Recipe(most_nodes=10, families=(name,), algorithms=("hierarchical", "flow"), positions=6)
            yield f"{name} given", document(Seeded(seed + 500), given)


def _of_families(sizes: Sequence[int], seeds: int) -> Iterator[tuple[str, str, Json]]:
    for size in sizes:
        for family in FAMILY_GRAPHS:
            for seed in range(seeds if size < 300 else 1):
                yield f"{family} {size}", f"{family} {size}", family_graph(family, size, seed=seed)


def read(path: Path) -> Json | None:
    """A scene file, or one of another tool; None where nothing can be read of it."""
    text = path.read_text("utf-8", errors="replace")
    if path.suffix == ".json":
        return json.loads(text)
    try:
        return dict(read_source(Source(text=text)).document)
    except (Unreadable, TooLarge):
        return None


def scenes(asked: argparse.Namespace) -> Iterator[tuple[str, str, Json]]:
    """The scenes: their group, their name, the document."""
    if asked.times:
        yield from _of_families(asked.sizes, asked.seeds)
    elif not asked.only_files:
        for number, one in enumerate(golden_scenes()):
            if one.before is None and (not asked.brief or number % 12 == 0):
                of_messages = one.document.get("diagramFamily") == "sequence"
                yield "sequence golden" if of_messages else "golden", one.name, one.document
        for name, scene in _generated(BRIEF_SIZES if asked.brief else asked.sizes, 1 if asked.brief else asked.seeds):
            yield name, name, scene
    for path in asked.files:
        scene = read(path)
        if scene is not None:
            yield path.suffix[1:], str(path), scene


def measured(asked: argparse.Namespace) -> dict[tuple[str, str], Row]:
    """The rows, by group of scenes and kind of edit."""
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    for number, (group, name, scene) in enumerate(scenes(asked)):
        first = lay_out(scene)
        places = places_of(first)
        again = _boxes(lay_out(scene, sketch=places))
        own = [one for one, box in again.items() if places["bounds"].get(one) != box]
        rows[group, "none"].edits += 1
        rows[group, "none"].found["redraw"] += len(own)
        if own and asked.show:
            print(f"{group} | {name} | none: redraw {own[:6]}")
        for kind in asked.kinds or KINDS:
            chance = Seeded(1000 * number + list(KINDS).index(kind))
            ops = KINDS[kind].ops(scene, places["bounds"], chance)
            if not ops:
                continue
            batch = apply_operations(scene, ops, computed_bounds=lambda _, scene=scene, places=places: places["bounds"])
            if not batch.succeeded:
                continue
            after = lay_out(batch.document, sketch=anew(places, batch))
            if asked.times:
                rows[group, kind].times.append(cost((scene, places), (batch.document, anew(places, batch))))
            wrong = judge(rows[group, kind], Edit(kind, scene, batch, (first, after)))
            if asked.show and set(wrong) - ({"pushed"} if not asked.pushed else set()):
                print(f"{group} | {name} | {kind} {json.dumps(ops)[:240]}")
                for what, found in wrong.items():
                    print(f"    {what}: {str(found)[:400]}")
    return rows


def cost(before: tuple[Json, Json], after: tuple[Json, Json | None]) -> float:
    """The least CPU time, ms, of a picture from its document and sketch, drawn after the picture before it."""
    found: list[float] = []
    for _ in range(DRAWS):
        gc.collect()
        render_svg(before[0], sketch=before[1])
        start = time.process_time()
        render_svg(after[0], sketch=after[1])
        found.append((time.process_time() - start) * 1000)
    return min(found)


def print_times(rows: Mapping[tuple[str, str], Row]) -> None:
    """One line a kind: median / largest time of each group, and untouched elements moved that must not."""
    groups = list(dict.fromkeys(group for group, _ in rows))
    for kind in dict.fromkeys(kind for _, kind in rows):
        for group in groups:
            row = rows.get((group, kind), Row())
            if row.times:
                told = f"{statistics.median(row.times):8.1f} / {max(row.times):6.1f}"
                print(f"{kind:16s} {group:16s} {told}  moved {row.moved}/{row.edits}, pushed {row.pushed}")
    print()


def _sum(rows: Sequence[Row]) -> Row:
    whole = Row()
    for one in rows:
        whole.edits, whole.moved, whole.moving = (
            whole.edits + one.edits,
            whole.moved + one.moved,
            whole.moving + one.moving,
        )
        whole.pushed += one.pushed
        if one.push > whole.push:
            whole.push, whole.asked = one.push, one.asked
        whole.found += one.found
    return whole


def main(arguments: Sequence[str]) -> int:
    """Measure, and print one table by kind and one by group."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--seeds", type=int, default=4)
    reader.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    reader.add_argument("--kinds", nargs="*", choices=tuple(KINDS))
    reader.add_argument("--files", type=Path, nargs="*", default=())
    reader.add_argument("--only-files", action="store_true")
    reader.add_argument("--brief", action="store_true")
    reader.add_argument(
        "--times", action="store_true", help="CPU time of each edit, in scenes of every family and size"
    )
    reader.add_argument("--show", action="store_true", help="print each edit with something wrong")
    reader.add_argument("--pushed", action="store_true", help="and what is pushed")
    asked = reader.parse_args(arguments)
    rows = measured(asked)
    print_times(rows)
    for title, at in (("kind", 1), ("scenes", 0)):
        print(f"{title:28s} {HEAD}")
        for name in dict.fromkeys(key[at] for key in rows):
            print(f"{name:28s} {_sum([row for key, row in rows.items() if key[at] == name])}")
        print()
    whole = _sum(list(rows.values()))
    print(f"{'all':28s} {whole}")
    return 1 if whole.moved or any(whole.found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
