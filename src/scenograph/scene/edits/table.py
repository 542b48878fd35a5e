"""OPERATIONS: the operations of a batch, and their effect on a draft (R-OP-1, R-OP-4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from scenograph.diagnostics import LIMIT_EXCEEDED, UNKNOWN_FIELD, UNKNOWN_OP, Severity
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.description.fields import Problem, wrong_type
from scenograph.scene.description.operations import OPERATION_RECORDS
from scenograph.scene.description.records import Record
from scenograph.scene.description.values import missing
from scenograph.scene.edits import copying, elements, geometry, registries
from scenograph.scene.edits.attribution import has_error, path_in
from scenograph.scene.edits.draft import Draft, Edit, EditMaker, Refused, changed_members
from scenograph.scene.json_values import JsonObject, is_object, listed, pointer, shown, steps_of, weight

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
    Operation("moveElement", geometry.move),
    Operation("resizeElement", geometry.resize),
    Operation("setStyle", elements.set_style),
    Operation("setText", elements.set_text),
    Operation("groupElements", elements.group, makes="group"),
    Operation("ungroupElements", elements.ungroup),
    Operation("reparentElement", elements.reparent),
    Operation("reorderElement", elements.reorder),
    Operation("copyElements", copying.copy_elements),
    Operation("addConstraint", registries.add_constraint),
    Operation("updateConstraint", registries.update_constraint, of_constraints=True),
    Operation("removeConstraint", registries.remove_constraint),
    Operation("defineStyle", registries.defines("styles", "styleId", "style")),
    Operation("removeStyle", registries.removes("styles", "styleId")),
    Operation("defineAsset", registries.defines("assets", "assetId", "asset")),
    Operation("removeAsset", registries.removes("assets", "assetId")),
    Operation("updateScene", registries.update_scene),
    Operation("relayout", geometry.relayout),
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
            path = path_in(op, steps_of(problem.path), own=element["id"] == op.get("id"))
            # Known to another kind of element, hence accepted by the operation's record.
            is_command = _is_unknown_member(problem) and path == problem.path and steps_of(path)[0] in op
            code = _UNKNOWN_IN_OPERATION if is_command else problem.code
            found.append(problem._replace(path=path, code=code))
    return found
