"""Attribution of broken rules to operations. References are checked once, at the end of a batch.

A broken rule names places in the document. The last operation that wrote at such a place broke the rule: by a bad
reference, or by removing the target of a good reference. A rule broken by no operation of the batch is attributed to
the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from scenograph.diagnostics import DANGLING_REFERENCE, MULTIPLE_PARENTS, Severity
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import DocumentIndex
from scenograph.scene.edits.draft import Draft
from scenograph.scene.json_values import JsonObject, is_array, is_object, listed, pointer, shown, steps_of
from scenograph.scene.validation import rule_problems

Place = tuple[str, str, str]  # a key of Draft.writers: registry, id, member

# For an unknown name: the registry of the removed entry.
_REGISTRY_OF = {"STYLE_NOT_FOUND": "styles", "ASSET_NOT_FOUND": "assets"}


@dataclass(slots=True)
class Attribution:
    """The rules' findings about a finished batch. Problems are by operation, with relative paths; `unattributed` ones
    are the document's own, with paths in the document."""

    by_op: dict[int, list[Problem]] = field(default_factory=dict[int, list[Problem]])
    unattributed: list[Problem] = field(default_factory=list[Problem])

    def failed_ops(self) -> tuple[int, ...]:
        """The operations with an error."""
        return tuple(op for op, problems in self.by_op.items() if has_error(problems))


def has_error(problems: Iterable[Problem]) -> bool:
    """Whether any problem is an error."""
    return any(problem.code.severity is Severity.ERROR for problem in problems)


def attribute_problems(draft: Draft, ops: Mapping[int, JsonObject]) -> Attribution:
    """Check every rule and attribute the problems. Lesser remarks about places without a writer are not repeated."""
    attribution = Attribution()
    index = DocumentIndex.of(draft.document(), draft.limits.elements)
    dangling: dict[tuple[int, str], list[str]] = {}
    for problem in rule_problems(index, draft.limits):
        culprits = _culprits(problem, index, draft.writers)
        if not culprits and has_error((problem,)):
            attribution.unattributed.append(problem)
        for op, place, path in culprits:
            if place[2]:
                attribution.by_op.setdefault(op, []).append(_seen_from(problem._replace(path=path), ops[op], index))
            else:
                dangling.setdefault((op, place[1]), []).append(_holder(problem, index))
    for (op, name), holders in dangling.items():
        attribution.by_op.setdefault(op, []).append(_dangling(name, holders))
    return attribution


def _dangling(name: str, holders: list[str]) -> Problem:
    references = sorted(set(holders))
    holes = {"id": shown(name), "references": listed(references)}
    return Problem("", DANGLING_REFERENCE, holes, {"references": references})


def _culprits(problem: Problem, index: DocumentIndex, writers: Mapping[Place, int]) -> list[tuple[int, Place, str]]:
    """(operation, place, path of the place) of the last writer at a place of the problem. For several claims on a
    single parent, all claims except the first: operations need not fail one after another."""
    written = [(writers[place], place, path) for place, path in _places(problem, index) if place in writers]
    if problem.code is not MULTIPLE_PARENTS:
        return [max(written)] if written else []
    claims = {op: (op, place, path) for op, place, path in sorted(written, reverse=True)}
    claimed_before = len({path for _, _, path in written}) < len((problem.data or {})["paths"])
    ordered = [claims[op] for op in sorted(claims)]
    return ordered if claimed_before or len(ordered) == 1 else ordered[1:]


def _places(problem: Problem, index: DocumentIndex) -> Iterator[tuple[Place, str]]:
    """(place, path of the problem as seen from the place)."""
    data = problem.data or {}
    chain = data.get("cycle") or data.get("containers") or ()
    for path in () if chain else dict.fromkeys((problem.path, *data.get("paths", ()))):
        yield from ((place, path) for place in _places_at(path, index))
    for name in chain:
        yield from ((("elements", name, member), problem.path) for member in ("children", "childIds", "layout"))
    if problem.near:
        yield (_REGISTRY_OF.get(problem.code.name, "removed"), problem.near[0], ""), problem.path
    if "elementId" in data:
        yield ("elements", data["elementId"], "ports"), problem.path


def _places_at(path: str, index: DocumentIndex) -> Iterator[Place]:
    registry, _, *members = *steps_of(path), "", ""
    holder = _object_at(path, index)
    for member in members[:1] if members[0] else holder:
        yield registry, str(holder.get("id")), member


def _object_at(path: str, index: DocumentIndex) -> JsonObject:
    """The element or constraint on a path; empty when missing."""
    registry, position, *_ = *steps_of(path), "", ""
    values = index.document.get(registry)
    holder = values[int(position)] if is_array(values) and position.isdecimal() else None
    return holder if is_object(holder) else {}


def _holder(problem: Problem, index: DocumentIndex) -> str:
    return str(_object_at(problem.path, index).get("id"))


def _seen_from(problem: Problem, op: JsonObject, index: DocumentIndex) -> Problem:
    """The problem at the operation's own member if possible, else at the operation."""
    own = op.get("op") == "addConstraint" or _object_at(problem.path, index).get("id") == op.get("id")
    return problem._replace(path=path_in(op, steps_of(problem.path)[2:], own=own))


def path_in(op: JsonObject, inner: Sequence[str], *, own: bool) -> str:
    """The operation's member behind `inner` of an element or constraint, as a pointer into the operation; "" if none.
    `own`: the element or constraint has the operation's id."""
    rename = _SAID_AS.get(str(op.get("op")))
    steps = rename(op, inner) if rename else tuple(inner) if own else ("parentId",)
    return pointer(*steps) if steps and steps[0] in op else ""


def _style(op: JsonObject, inner: Sequence[str]) -> tuple[str, ...]:
    return ("styleId",) if "styleId" in op else tuple(inner)


def _move(op: JsonObject, inner: Sequence[str]) -> tuple[str, ...]:
    return ("delta",) if "delta" in op else tuple(inner[-1:])


def _resize(_op: JsonObject, inner: Sequence[str]) -> tuple[str, ...]:
    return ("size", *inner[1:]) if inner[-1:] in (("width",), ("height",)) else ("anchor",)


# The operations with members named differently from the written member.
_SAID_AS: Mapping[str, Callable[[JsonObject, Sequence[str]], tuple[str, ...]]] = MappingProxyType(
    {
        "setStyle": _style,
        "setText": lambda _op, _inner: ("text",),
        "moveElement": _move,
        "resizeElement": _resize,
        "reparentElement": lambda _op, _inner: ("parentId",),
        "addConstraint": lambda _op, inner: ("constraint", *inner),
    }
)
