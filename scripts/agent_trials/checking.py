"""Whether a task was done, read off what is stored afterwards and off the record. No judge is asked.

A goal's members are in README.md; each has one check in CHECKS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent_trials.graphs import Graph, differences, graph_of, plain
from agent_trials.recording import Record
from agent_trials.tasks import Task
from scenograph.mcp.api_client import Api, Refusal

MOST_CALLS = 8
MOST_MOVED = 0.25
STILL = 1.0
"""px; the service rounds places."""

PAGE_TOLERANCE = 0.01
SHOWING = frozenset({"dsp_render_scene", "dsp_export_scene", "dsp_get_scene"})
_SIZE = re.compile(r"(\d+(?:\.\d+)?) × (\d+(?:\.\d+)?) px")
EVERY = "*"
ADDING = EVERY
"""Under `touched`: new elements may be added, whatever their ids."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is there after a task: the goal's scene as it was before (None for a new one) and as it is now."""

    task: Task
    record: Record
    before: Row | None
    after: Row
    moved: float | None
    """Share of the elements there before and after that do not stand where they stood; None for a new scene."""
    public: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """`problems` is empty for a task that was done."""

    problems: tuple[str, ...]
    moved: float | None


async def judged(api: Api, task: Task, record: Record) -> Verdict:
    """The verdict on a task after an agent worked on it."""
    try:
        outcome = await _outcome(api, task, record)
    except Refusal as refused:
        return Verdict((f"scene {task.goal['scene']}: {refused.sentence}",), None)
    return Verdict(tuple(said for check in CHECKS for said in check(outcome)), outcome.moved)


async def _outcome(api: Api, task: Task, record: Record) -> Outcome:
    scene_id = task.goal["scene"]
    path = f"/v1/scenes/{scene_id}"
    latest = await api.get(path, {"computed": "true"})
    kept = next((one for one in task.kept if one.scene["scene"]["id"] == scene_id), None)
    before = moved = None
    if kept is not None:
        known = task.goal.get("restored", 1 + len(kept.edits))
        former = await api.get(path, {"computed": "true", "revision": known})
        before, moved = former["scene"], _share_moved(former["computed"], latest["computed"])
    try:
        await api.for_key(None).get(f"/v1/public/scenes/{scene_id}")
        public = True
    except Refusal:
        public = False
    return Outcome(task=task, record=record, before=before, after=latest["scene"], moved=moved, public=public)


def _share_moved(before: Row, after: Row) -> float:
    """Of the boxes that are in both."""
    old, new = before["bounds"], after["bounds"]
    both = old.keys() & new.keys()
    gone = [name for name in both if any(abs(old[name][axis] - new[name][axis]) > STILL for axis in ("x", "y"))]
    return round(len(gone) / len(both), 3) if both else 0.0


def _graph(outcome: Outcome) -> Iterator[str]:
    goal = outcome.task.goal
    if "graph" in goal:
        yield from differences(goal["graph"], graph_of(outcome.after))
    if "change" in goal and outcome.before is not None:
        yield from differences(_changed(graph_of(outcome.before), goal["change"]), graph_of(outcome.after))


def _changed(graph: Graph, change: Row) -> dict[str, Any]:
    """A goal's graph from the one before: what is renamed, then removed, then added; `into` puts into frames."""
    names = {plain(old): plain(new) for old, new in change.get("renamed", {}).items()}
    removed = {plain(name) for name in change.get("removed", ())}
    nodes = {names.get(name, name): kind for name, kind in graph.nodes.items() if name not in removed}
    nodes |= {plain(name): kinds for name, kinds in change.get("nodes", {}).items()}
    edges = [(names.get(start, start), names.get(end, end), words) for start, end, words in graph.edges]
    cut = {tuple(map(plain, row)) for row in change.get("cut", ())}
    edges = [edge for edge in edges if not {edge[0], edge[1]} & removed and edge[:2] not in cut]
    frames = {
        names.get(name, name): {names.get(one, one) for one in inside} - removed
        for name, inside in graph.frames.items()
        if name not in removed
    }
    for name, inside in change.get("into", {}).items():
        taken = {plain(one) for one in inside}
        frames = {other: held - taken for other, held in frames.items()}
        frames[plain(name)] = frames.get(plain(name), set()) | taken
    return {"nodes": nodes, "edges": [*edges, *change.get("edges", ())], "frames": frames}


def _nothing_else(outcome: Outcome) -> Iterator[str]:
    """Elements and members of the root that the goal does not name under `touched` are as they were."""
    if outcome.before is None or "touched" not in outcome.task.goal:
        return
    touched = set(outcome.task.goal["touched"])
    before, after = _elements(outcome.before), _elements(outcome.after)
    changed = {name for name, row in before.items() if row != after.get(name)}
    added = set() if ADDING in touched else after.keys() - before.keys()
    members = (outcome.before.keys() | outcome.after.keys()) - {"elements"}
    of_root = {name for name in members if outcome.before.get(name) != outcome.after.get(name)}
    for name in sorted((changed | added | of_root) - touched):
        yield f"{name} was not to be changed or added"


def _elements(document: Row) -> dict[str, Row]:
    return {row["id"]: row for row in document["elements"]}


def _same_as(outcome: Outcome) -> Iterator[str]:
    if "restored" in outcome.task.goal and outcome.before != outcome.after:
        yield f"the document is not that of revision {outcome.task.goal['restored']}"


def _members(outcome: Outcome) -> Iterator[str]:
    """`members`: address within the document (an element by its id, then names) to the value there; "*" for any."""
    for address, wanted in outcome.task.goal.get("members", {}).items():
        first, *names = address.split("/")
        rows = _elements(outcome.after)
        found: Any = rows[first] if first in rows else outcome.after.get(first)
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        if found != wanted and not (wanted == "*" and found):
            yield f"{address} is {found!r}, not {wanted!r}"


def _contents(outcome: Outcome) -> Iterator[str]:
    """`columns`: entity to the names of its columns. `edge_types`: "start>end" to a type. `icons`: id, or "*" for every
    node, to the prefix of its icon."""
    goal, rows = outcome.task.goal, _elements(outcome.after)
    words = {plain(row.get("label")): row for row in rows.values() if row["kind"] == "node"}
    for name, wanted in goal.get("columns", {}).items():
        columns = words.get(plain(name), {}).get("extensions", {}).get("columns", ())
        if [column["name"] for column in columns] != wanted:
            yield f"{name} has the columns {[column['name'] for column in columns]}, not {wanted}"
    ends = {f"{_label(rows, row['from'])}>{_label(rows, row['to'])}": row for row in rows.values() if "from" in row}
    for name, wanted in goal.get("edge_types", {}).items():
        if (found := ends.get(plain(name), {}).get("edgeType")) != wanted:
            yield f"the edge {name} is of type {found}, not {wanted}"
    for name, prefix in goal.get("icons", {}).items():
        nodes = [row for row in rows.values() if row["kind"] == "node" and name in {row["id"], EVERY}]
        yield from (f"{row['id']} has no icon of {prefix}" for row in nodes if not _icon(row).startswith(prefix))


def _label(rows: Mapping[str, Row], end: Row) -> str:
    return plain(rows.get(str(end.get("elementId")), {}).get("label"))


def _icon(row: Row) -> str:
    return str(row.get("icon", ""))


def _shape(outcome: Outcome) -> Iterator[str]:
    """`holds`: words with which nodes or frames begin, whatever else is. `count`: of nodes. `joins`: pairs with an
    edge, in that direction unless `either`. `differ`: addresses whose values differ from one another."""
    goal, graph = outcome.task.goal, graph_of(outcome.after)
    there = {*graph.nodes, *graph.frames}
    yield from (f"missing: {name}" for name in goal.get("holds", ()) if not _begun(name, there))
    if "count" in goal and len(graph.nodes) != goal["count"]:
        yield f"{len(graph.nodes)} nodes, not {goal['count']}"
    ends = {edge[:2] for edge in graph.edges}
    ends |= {(end, start) for start, end in ends} if goal.get("either") else set()
    for start, end in goal.get("joins", ()):
        if not any(_begun(start, {one}) and _begun(end, {other}) for one, other in ends):
            yield f"no edge from {start} to {end}"
    rows = _elements(outcome.after)
    places = [address.partition("/") for address in goal.get("differ", ())]
    found = [rows.get(name, {}).get(member) for name, _, member in places]
    if any(one == found[0] for one in found[1:]):
        yield f"{goal['differ']} do not differ"


def _begun(name: str, words: set[str]) -> bool:
    """Whether some of the words are a name, or begin with it: an image or a role may stand below."""
    wanted = plain(name)
    return any(one == wanted or one.startswith(f"{wanted} ") for one in words)


def _pictures(outcome: Outcome) -> Iterator[str]:
    """`page`: a picture or file of the scene with this ratio of sides was got. `views`: one whose view has one of these
    members. `asked`: a picture or document by these arguments."""
    goal = outcome.task.goal
    done = [
        (arguments, result)
        for (tool, arguments), result in zip(outcome.record.calls, outcome.record.results, strict=True)
        if not result.get("isError") and arguments.get("sceneId") == goal["scene"] and tool in SHOWING
    ]
    if "page" in goal:
        wide, high = goal["page"]
        sizes = [size for _, result in done for size in _sizes(result)]
        if not any(abs(width / height * high / wide - 1) <= PAGE_TOLERANCE for width, height in sizes):
            yield f"no picture of {wide}:{high}"
    if "views" in goal and not any(set(goal["views"]) & set(arguments.get("view") or ()) for arguments, _ in done):
        yield f"no picture with a view of {goal['views']}"
    if "asked" in goal and not any(goal["asked"].items() <= arguments.items() for arguments, _ in done):
        yield f"nothing was shown by {goal['asked']}"


def _sizes(result: Row) -> list[tuple[float, float]]:
    """The sizes that a result tells in words, px."""
    said = " ".join(str(block.get("text", "")) for block in result.get("content", ()))
    return [(float(width), float(height)) for width, height in _SIZE.findall(said)]


def _directed(outcome: Outcome) -> Iterator[str]:
    """`directed`: every edge shows which way it goes."""
    if not outcome.task.goal.get("directed"):
        return
    if outcome.after.get("defaults", {}).get("edge", {}).get("endpoints"):
        return
    for row in outcome.after["elements"]:
        if row["kind"] == "edge" and not row.get("endpoints") and not row.get("edgeType"):
            yield f"{row['id']} shows no direction"


def _handed_over(outcome: Outcome) -> Iterator[str]:
    """`exports`: formats of which a file was handed over. `public`: whether anybody can read the scene."""
    done = [
        (tool, arguments.get("sceneId"), arguments.get("format"))
        for (tool, arguments), result in zip(outcome.record.calls, outcome.record.results, strict=True)
        if not result.get("isError")
    ]
    for name in outcome.task.goal.get("exports", ()):
        if ("dsp_export_scene", outcome.task.goal["scene"], name) not in done:
            yield f"no file was handed over as {name}"
    if outcome.public != outcome.task.goal.get("public", False):
        yield "the scene is public" if outcome.public else "the scene is not public"


def _little_moved(outcome: Outcome) -> Iterator[str]:
    most = outcome.task.goal.get("moved", MOST_MOVED)
    if outcome.moved is not None and outcome.moved > most:
        yield f"{outcome.moved:.0%} of the elements moved; {most:.0%} may"


def _few_calls(outcome: Outcome) -> Iterator[str]:
    if len(outcome.record.calls) > MOST_CALLS:
        yield f"{len(outcome.record.calls)} calls; {MOST_CALLS} are enough"


CHECKS: tuple[Callable[[Outcome], Iterator[str]], ...] = (
    _graph,
    _nothing_else,
    _same_as,
    _members,
    _contents,
    _shape,
    _pictures,
    _directed,
    _handed_over,
    _little_moved,
    _few_calls,
)
