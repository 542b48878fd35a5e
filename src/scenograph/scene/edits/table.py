"""OPERATIONS: the operations of a batch, their effect on a draft, and the blame for a broken rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from scenograph.diagnostics import (
    DANGLING_REFERENCE,
    LIMIT_EXCEEDED,
    MULTIPLE_PARENTS,
    UNKNOWN_FIELD,
    UNKNOWN_OP,
    Severity,
)
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.description.document import CONSTRAINT, DOCUMENT, ROOT_FIELDS, SCENE
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.description.fields import Problem, Problems, Record, missing, wrong_type
from scenograph.scene.description.operations import OPERATION_RECORDS
from scenograph.scene.document_index import DocumentIndex
from scenograph.scene.edits import elements
from scenograph.scene.edits.draft import (
    REMOVED,
    Draft,
    Edit,
    EditMaker,
    Entry,
    Refused,
    changed_members,
)
from scenograph.scene.edits.elements import exists_already, not_found
from scenograph.scene.edits.geometry import move, relayout, resize
from scenograph.scene.json_values import (
    JsonObject,
    is_array,
    is_object,
    listed,
    merge_patch,
    merged,
    object_at,
    pointer,
    shown,
    steps_of,
    weight,
)
from scenograph.scene.validation import rule_problems

# Attribution of broken rules to operations. References are checked once, at the end of a batch.
#
# A broken rule names places in the document. The last operation that wrote at such a place broke the rule: by a bad
# reference, or by removing the target of a good reference. A rule broken by no operation of the batch is attributed to
# the document.

_MemberKey = tuple[str, str, str]  # a key of Draft.writers: registry, id, member

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


def _culprits(
    problem: Problem, index: DocumentIndex, writers: Mapping[_MemberKey, int]
) -> list[tuple[int, _MemberKey, str]]:
    """(operation, place, path of the place) of the last writer at a place of the problem. For several claims on a
    single parent, all claims except the first: operations need not fail one after another."""
    written = [(writers[place], place, path) for place, path in _places(problem, index) if place in writers]
    if problem.code is not MULTIPLE_PARENTS:
        return [max(written)] if written else []
    claims = {op: (op, place, path) for op, place, path in sorted(written, reverse=True)}
    claimed_before = len({path for _, _, path in written}) < len((problem.data or {})["paths"])
    ordered = [claims[op] for op in sorted(claims)]
    return ordered if claimed_before or len(ordered) == 1 else ordered[1:]


def _places(problem: Problem, index: DocumentIndex) -> Iterator[tuple[_MemberKey, str]]:
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


def _places_at(path: str, index: DocumentIndex) -> Iterator[_MemberKey]:
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
    return problem._replace(path=_path_in(op, steps_of(problem.path)[2:], own=own))


def _path_in(op: JsonObject, inner: Sequence[str], *, own: bool) -> str:
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


# Data beside the elements: constraints, styles, assets, and the scene's own members (R-OP-17, R-OP-18).

_SCENE_MEMBERS = ("title", "showTitle", "canvas", "extensions")
"""The members of updateScene kept inside `scene`; all others stand at the root."""

_ROOT_NAMES = tuple(row.name for row in ROOT_FIELDS)


def _add_constraint(draft: Draft, op: JsonObject) -> Edit:
    """addConstraint."""
    constraint = op["constraint"]
    if constraint["id"] in draft.constraints:
        raise exists_already("constraint", constraint["id"], "/constraint/id")
    most = draft.limits.constraints
    if len(draft.constraints) >= most:
        holes = {"name": "the document", "count": len(draft.constraints) + 1, "what": "constraints", "limit": most}
        raise Refused(Problem("", LIMIT_EXCEEDED, holes, {"limit": most}))
    return Edit(constraints=(constraint,))


def _update_constraint(draft: Draft, op: JsonObject) -> Edit:
    """updateConstraint: a merge patch."""
    constraint = _constraint(draft, op)
    patch = {name: value for name, value in op.items() if name not in {"op", "id"}}
    patched = merged(constraint, patch)
    draft.spend(weight(patched))
    return Edit(constraints=(patched,), problems=tuple(_seen_from_member(op, CONSTRAINT.check(patched, draft.limits))))


def _seen_from_member(op: JsonObject, problems: Problems) -> Iterator[Problem]:
    """Problems of the patched constraint, at the operation's member if present; conflicts with another type are
    reported at the new type."""
    for problem in problems:
        said = steps_of(problem.path)[:1]
        yield problem if said and said[0] in op else problem._replace(path="/type" if "type" in op else "")


def _remove_constraint(draft: Draft, op: JsonObject) -> Edit:
    """removeConstraint."""
    return Edit(dropped_constraints=(_constraint(draft, op)["id"],))


def _constraint(draft: Draft, op: JsonObject) -> JsonObject:
    constraint = draft.constraints.get(op["id"])
    if constraint is None:
        raise not_found("constraint", op["id"], "id", draft.constraints.names())
    return constraint


def defines(registry: str, key: str, entry: str) -> EditMaker:
    """defineStyle, defineAsset: a new or replaced entry of a root registry."""

    def define(_draft: Draft, op: JsonObject) -> Edit:
        return Edit(entries=(Entry(registry, op[key], op[entry]),))

    return define


def removes(registry: str, key: str) -> EditMaker:
    """removeStyle, removeAsset: remove an entry of a root registry; remaining uses are dangling references."""

    def remove(draft: Draft, op: JsonObject) -> Edit:
        entries = object_at(draft.root, registry)
        if op[key] not in entries:
            raise not_found(registry.removesuffix("s"), op[key], key, tuple(entries))
        return Edit(entries=(Entry(registry, op[key], REMOVED),))

    return remove


def _update_scene(draft: Draft, op: JsonObject) -> Edit:
    """updateScene: a merge patch on the scene's members and on the outer fields, which move to the root."""
    scene = object_at(draft.root, "scene")
    inner = merged(dict(scene), {name: op[name] for name in _SCENE_MEMBERS if name in op})
    root: dict[str, object] = {}
    for name in _ROOT_NAMES:
        if name in op:
            value = merge_patch(draft.root.get(name, inner.pop(name, None)), op[name])
            inner.pop(name, None)
            root[name] = REMOVED if op[name] is None else value
    draft.spend(sum(weight(inner.get(name)) + weight(root.get(name)) for name in op))
    problems = _problems(op, inner, root, draft)
    return Edit(root={**root, "scene": inner}, problems=problems)


def _problems(op: JsonObject, inner: JsonObject, root: JsonObject, draft: Draft) -> Problems:
    """Problems of the touched members, and of forbidden removals."""
    found: list[Problem] = []
    for name, value in (inner | root).items():
        if name in op and value is not REMOVED:
            members = SCENE.members if name in SCENE.members else DOCUMENT.members
            problems = members[name].type.check(value, draft.limits)
            found.extend(problem.under(name) for problem in problems)
    found.extend(problem for problem in SCENE.broken_conditions(inner) if problem.path.lstrip("/") in op)
    return found


# OPERATIONS: the operations of a batch, and their effect on a draft (R-OP-1, R-OP-4).

# Documents keep unknown members; an operation is a command, and a misspelt command must not take effect partially.
_UNKNOWN_IN_OPERATION = replace(
    UNKNOWN_FIELD, severity=Severity.ERROR, wording="{name} is not a known field of {owner}; the operation is refused."
)
_NOT_KNOWN = "{name} is not a known field of {owner}."
_ORDER = (
    "To move an element within the order of elements, as messages in time, use reorderElement with after or before; "
    "reparentElement takes an index among children."
)
_BESIDE = "Give the changed members beside id."
# Where a wish is met, by the member that stands for it in an operation without it.
_ELSEWHERE = MappingProxyType(
    {
        **dict.fromkeys(("index", "after", "before", "order", "position"), _ORDER),
        **dict.fromkeys(("changes", "patch", "set", "fields", "properties", "members", "updates"), _BESIDE),
        **dict.fromkeys(("color", "fill", "stroke"), "Colours stand in style: fill, stroke, textColor."),
        **dict.fromkeys(("parent", "parentId", "frame"), "reparentElement puts an element into a frame or group."),
        "ids": "An operation names one element by id; a batch has as many operations as wanted.",
        "theme": "A theme is chosen where the scene is drawn, by the request for the picture.",
    }
)
_TAKING_BACK = frozenset({"undo", "redo", "revert", "rollback", "restore", "restorerevision"})
_UNDONE = replace(
    UNKNOWN_OP,
    wording="{given} is not an operation: dsp_restore_revision, or restore over HTTP, makes an earlier revision the "
    "latest again.",
)
_CALLED = replace(UNKNOWN_OP, wording="{given} is not an operation. Did you mean {meant}?")
# Operations by the words of other tools.
_MEANT = MappingProxyType(
    {
        word: name
        for name, words in {
            "createNode": "node insertnode newnode addelement createelement add create insert",
            "createEdge": "connect link addedge addlink createlink addconnection createconnection addmessage",
            "createFrame": "addgroup addcontainer createcontainer addframe addsubgraph createboundary",
            "createText": "addtext addnote createnote addlabel",
            "updateElement": "update edit set change modify patch updatelabel updateelements",
            "deleteElement": "delete remove deletenode removenode deleteedge removeedge disconnect deleteframe",
            "setText": "rename relabel setlabel renamenode renameelement settitle",
            "setStyle": "style recolor setcolor updatestyle restyle color",
            "moveElement": "move movenode position setposition moveto",
            "resizeElement": "resize setsize resizenode",
            "reparentElement": "reparent moveinto addtoframe addtogroup setparent movetoframe",
            "reorderElement": "reorder moveafter movebefore sort order insertafter insertbefore",
            "copyElements": "copy merge import paste duplicate copyelement mergescene",
            "groupElements": "group creategroup",
            "updateScene": "setlayout setdirection setlegend addlegend updatelayout setpalette",
            "relayout": "layout autolayout arrange rearrange tidy",
        }.items()
        for word in words.split()
    }
)


@dataclass(frozen=True, slots=True)
class Operation:
    """A row of OPERATIONS. `makes` is the kind of the created element, under the operation's `id`; `of_constraints`:
    the `id` is a constraint's."""

    name: str
    edit: EditMaker
    makes: str = ""
    of_constraints: bool = False

    @property
    def record(self) -> Record:
        """The described members of the operation."""
        return OPERATION_RECORDS[self.name]


_ROWS = (
    Operation("createNode", elements.creates("node"), makes="node"),
    Operation("createEdge", elements.creates("edge"), makes="edge"),
    Operation("createFrame", elements.creates("frame"), makes="frame"),
    Operation("createText", elements.creates("text"), makes="text"),
    Operation("createImage", elements.creates("image"), makes="image"),
    Operation("createGuide", elements.creates("guide"), makes="guide"),
    Operation("updateNode", elements.updates("node")),
    Operation("updateEdge", elements.updates("edge")),
    Operation("updateFrame", elements.updates("frame")),
    Operation("updateElement", elements.updates()),
    Operation("deleteElement", elements.delete),
    Operation("moveElement", move),
    Operation("resizeElement", resize),
    Operation("setStyle", elements.set_style),
    Operation("setText", elements.set_text),
    Operation("groupElements", elements.group, makes="group"),
    Operation("ungroupElements", elements.ungroup),
    Operation("reparentElement", elements.reparent),
    Operation("reorderElement", elements.reorder),
    Operation("copyElements", elements.copy_elements),
    Operation("addConstraint", _add_constraint),
    Operation("updateConstraint", _update_constraint, of_constraints=True),
    Operation("removeConstraint", _remove_constraint),
    Operation("defineStyle", defines("styles", "styleId", "style")),
    Operation("removeStyle", removes("styles", "styleId")),
    Operation("defineAsset", defines("assets", "assetId", "asset")),
    Operation("removeAsset", removes("assets", "assetId")),
    Operation("updateScene", _update_scene),
    Operation("relayout", relayout),
)
OPERATIONS: Mapping[str, Operation] = MappingProxyType({row.name: row for row in _ROWS})


@dataclass(slots=True)
class BatchRun:
    """Operations carried out in order on a draft. `problems` are by operation, with relative paths; `made` maps
    elements to their creating operation; `lost` are ids of elements that failed to be created."""

    draft: Draft
    done: dict[int, JsonObject] = field(default_factory=dict[int, JsonObject])
    problems: dict[int, list[Problem]] = field(default_factory=dict[int, list[Problem]])
    made: dict[str, int] = field(default_factory=dict[str, int])
    lost: set[str] = field(default_factory=set[str])

    def failed_ops(self) -> tuple[int, ...]:
        """The operations with an error of their own."""
        return tuple(index for index, problems in self.problems.items() if has_error(problems))


def carry_out(draft: Draft, ops: Sequence[object], skipped: Mapping[int, object], *, lenient: bool) -> BatchRun:
    """Carry out all operations in order, except the skipped. A failing operation leaves the draft unchanged. With
    `lenient`, for batches to be refused anyway, the element of a failing operation is created all the same, which
    spares later operations consequential errors."""
    run = BatchRun(draft)
    for index, op in enumerate(ops):
        if index not in skipped:
            problems = _carry_out_one(run, index, op, lenient=lenient)
            if problems:
                run.problems[index] = problems
    return run


def _carry_out_one(run: BatchRun, index: int, op: object, *, lenient: bool) -> list[Problem]:
    if not is_object(op):
        return list(wrong_type("an object", op))
    if run.draft.effort.left < 0:
        return [_too_much(run.draft)]
    operation = _operation(op)
    if isinstance(operation, Problem):
        _lose(run, op)
        return [operation]
    problems = [
        *(each for each in operation.record.check(op, run.draft.limits) if not _is_unknown_member(each)),
        *_unknown_members(run.draft, operation, op),
    ]
    if has_error(problems):
        if lenient and operation.makes:
            _stand_in(run, index, op, operation.makes)
        return problems
    try:
        edit = operation.edit(run.draft, op)
    except Refused as refusal:
        return [*problems, *refusal.problems]
    problems.extend(edit.problems)
    problems.extend(_problems_of_updates(run.draft, edit, op))
    run.draft.spend(len(edit.moves) + len(edit.removed) + sum(map(weight, edit.constraints)))
    if lenient or not has_error(problems):
        run.draft.commit(edit, index)
        run.done[index] = op
        run.made.update((element["id"], index) for element in edit.created)
    return problems


def _is_unknown_member(problem: Problem) -> bool:
    """Whether the problem is an unknown member of the object itself, not of a nested object."""
    return problem.code.name == UNKNOWN_FIELD.name and len(steps_of(problem.path)) == 1


def _unknown_members(draft: Draft, operation: Operation, op: JsonObject) -> Iterator[Problem]:
    """Members unknown to the operation. A patch may remove an unknown member of its target."""
    record = operation.record
    held = draft.constraints if operation.of_constraints else draft.elements
    target = held.get(str(op.get("id"))) if record.open else None
    for name, value in op.items():
        is_taken_away = value is None and target is not None and name in target
        if name not in record.members and not is_taken_away:
            if name in _ELSEWHERE:
                code = replace(_UNKNOWN_IN_OPERATION, wording=f"{_NOT_KNOWN} {_ELSEWHERE[name]}")
                yield Problem(pointer(name), code, {"owner": operation.name})
                continue
            yield Problem(pointer(name), _UNKNOWN_IN_OPERATION, {"owner": operation.name}, None, (name, record.meant))


def _stand_in(run: BatchRun, index: int, op: JsonObject, kind: str) -> None:
    """An invalid element as given, kept for the check of references from and to it."""
    name = op.get("id")
    if isinstance(name, str) and name not in run.draft.elements:
        left_out = {"op", "kind", "parentId", *elements.SIDES, *(("children",) if kind == "group" else ())}
        own = {key: value for key, value in op.items() if key not in left_out}
        run.draft.commit(Edit(created=({"kind": kind, **own},)), index)
        run.done[index] = op


def _operation(op: JsonObject) -> Operation | Problem:
    names = tuple(OPERATIONS)
    if "op" not in op:
        return missing("op", allowed=names)
    name = op["op"]
    if not isinstance(name, str):
        return wrong_type("the name of an operation", name)[0].under("op")
    found = OPERATIONS.get(name)
    if found is not None:
        return found
    plain = re.sub(r"[^a-z]", "", name.lower())
    if plain in _TAKING_BACK:
        return Problem("/op", _UNDONE, {"given": shown(name)}, {"allowed": list(names)})
    if plain in _MEANT:
        data = {"allowed": list(names), "suggestion": _MEANT[plain]}
        return Problem("/op", _CALLED, {"given": shown(name), "meant": _MEANT[plain]}, data)
    holes = {"given": shown(name), "allowed": listed(names)}
    return Problem("/op", UNKNOWN_OP, holes, {"allowed": list(names)}, (name, names))


def _too_much(draft: Draft) -> Problem:
    most = draft.limits.batch_values
    holes = {"name": "the batch", "count": f"operations that rewrite more than {most}", "what": "values", "limit": most}
    return Problem("", LIMIT_EXCEEDED, holes, {"limit": most})


def _lose(run: BatchRun, op: JsonObject) -> None:
    name = op.get("id")
    if isinstance(name, str) and name not in run.draft.elements:
        run.lost.add(name)


def _problems_of_updates(draft: Draft, edit: Edit, op: JsonObject) -> list[Problem]:
    """Problems of updated elements where changed, at the operation's own member if present."""
    found: list[Problem] = []
    for element in edit.updated:
        record = ELEMENT_RECORDS.get(str(element.get("kind")))
        before = draft.elements.get(element["id"]) or {}
        changed = changed_members(before, element)
        draft.spend(sum(weight(element.get(name)) for name in changed))
        for problem in record.check_changed(element, changed, draft.limits) if record else ():
            path = _path_in(op, steps_of(problem.path), own=element["id"] == op.get("id"))
            # Known to another kind of element, hence accepted by the operation's record.
            is_command = _is_unknown_member(problem) and path == problem.path and steps_of(path)[0] in op
            code = _UNKNOWN_IN_OPERATION if is_command else problem.code
            found.append(problem._replace(path=path, code=code))
    return found
