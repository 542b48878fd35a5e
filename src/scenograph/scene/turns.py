"""The order of a sequence diagram that follows a source: participants from left to right, messages and notes in time.

In: the stored elements, the order that the source says, the operations of a sync. Out: the operations with which that
order comes about. What people added stays behind what it stood behind. From the first element in a wrong place on, all
are taken out and brought back in turn: nothing that refers to them is touched, for they come back under their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenograph.scene.family_traits import NOTE_TYPES, takes_a_turn
from scenograph.scene.json_values import JsonObject

_FIRST = ("defineStyle", "createFrame")


def in_turn(stored: Sequence[JsonObject], said: Sequence[JsonObject], ops: Sequence[JsonObject]) -> list[JsonObject]:
    """The operations, ordered and completed. `said` is what the source says, with the ids of the stored document."""
    gone = {op["id"] for op in ops if op["op"] == "deleteElement"}
    result = list(ops)
    for counts in (_is_participant, takes_a_turn):
        present = {one["id"]: one for one in stored if counts(one) and one["id"] not in gone}
        result = _ordered(present, [one["id"] for one in said if counts(one)], result, counts)
    return result


def _ordered(
    present: dict[str, JsonObject],
    wanted: Sequence[str],
    ops: Sequence[JsonObject],
    counts: Callable[[JsonObject], bool],
) -> list[JsonObject]:
    created = {op["id"]: op for op in ops if op["op"] in _KINDS and counts({**op, "kind": _KINDS[op["op"]]})}
    target = _target([*present], wanted)
    reached = [*present, *created]
    wrong = next((at for at, names in enumerate(zip(reached, target, strict=True)) if names[0] != names[1]), None)
    if wrong is None:
        return list(ops)
    turned = target[wrong:]
    behind = [op for op in ops if op["op"] not in _FIRST and op.get("id") not in created]
    first = [op for op in ops if op["op"] in _FIRST or (op.get("id") in created and op["id"] not in turned)]
    removals = [{"op": "deleteElement", "id": name, "cascade": False} for name in turned if name in present]
    anew = [created[name] if name in created else _creation(present[name]) for name in turned]
    return [*first, *removals, *anew, *behind]


def _target(present: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """What is wanted in its order; each other one stays behind what it stood behind."""
    followers: dict[str | None, list[str]] = {None: []}
    said, last = set(wanted), None
    for name in present:
        if name in said:
            last = name
        else:
            followers.setdefault(last, []).append(name)
    return [*followers[None], *(one for name in wanted for one in (name, *followers.get(name, ())))]


def _is_participant(element: JsonObject) -> bool:
    return element.get("kind") == "node" and element.get("nodeType") not in NOTE_TYPES


_KINDS = {"createNode": "node", "createEdge": "edge"}


def _creation(element: JsonObject) -> JsonObject:
    members = {name: value for name, value in element.items() if name != "kind"}
    return {"op": f"create{element['kind'].capitalize()}", **members}
