"""Batches of operations: all or nothing, or best effort (R-OP-5, R-OP-6, R-OP-7).

In: a document, operations, a mode, and a function for computed boxes. Out: a `Batch`: the new document, which shares
unchanged parts with the old; the changes; diagnostics with paths `/ops/<i>/...`. The given document is never changed; a
failed batch returns it as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from scenograph.diagnostics import DANGLING_REFERENCE, LIMIT_EXCEEDED, Diagnostic, Severity
from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.fields import Problem
from scenograph.scene.description.operations import REQUEST
from scenograph.scene.difference import Difference, difference
from scenograph.scene.edits.draft import (
    NO_RELAYOUT,
    BatchEffort,
    Boxes,
    ComputedBounds,
    Draft,
    Relayout,
    no_bounds,
    relaid_by_strategy,
)
from scenograph.scene.edits.geometry import drop_idle_places
from scenograph.scene.edits.table import Attribution, BatchRun, attribute_problems, carry_out, has_error
from scenograph.scene.json_values import JsonObject, is_object, listed, pointer, shown, steps_of
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.validation import diagnostics_of, element_at

MAX_ROUNDS = 6  # rounds of bestEffort, each without the operations found to fail at the end
MAX_TRIALS = 40  # trials of further operations after that
_NOTHING: Mapping[int, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The outcome of a batch. `applied` counts operations, `changed_ids` are sorted element ids. On failure `document`
    is the given document and nothing was applied. `relayout` names the elements to be placed anew."""

    succeeded: bool
    document: JsonObject
    applied: int
    difference: Difference
    diagnostics: tuple[Diagnostic, ...]
    relayout: Relayout = NO_RELAYOUT

    @property
    def changed_ids(self) -> tuple[str, ...]:
        """Added, removed and modified elements, sorted."""
        return self.difference.changed_ids


@dataclass(slots=True)
class _Attempt:
    """A batch in progress: problems by operation, and the document's own problems."""

    document: JsonObject
    ops: Sequence[object]
    limits: Limits
    boxes: Boxes
    effort: BatchEffort
    sources: Mapping[str, JsonObject | None]

    def run(self, skipped: Mapping[int, object], *, lenient: bool) -> tuple[BatchRun, Attribution]:
        draft = Draft(self.document, self.limits, self.boxes, self.effort, self.sources)
        run = carry_out(draft, self.ops, skipped, lenient=lenient)
        return run, attribute_problems(run.draft, run.done)

    def succeeded(self, run: BatchRun, problems: Mapping[int, list[Problem]]) -> Batch:
        drop_idle_places(run.draft)
        new = run.draft.document()
        return Batch(
            succeeded=True,
            document=new,
            applied=len(run.done),
            difference=difference(self.document, new),
            diagnostics=self._in_words(problems, ()),
            relayout=run.draft.relayout.joined(relaid_by_strategy(self.document, new)),
        )

    def failed(self, problems: Mapping[int, list[Problem]], unattributed: Iterable[Problem]) -> Batch:
        words = self._in_words(problems, unattributed)
        return Batch(succeeded=False, document=self.document, applied=0, difference=Difference(), diagnostics=words)

    def _in_words(
        self, problems: Mapping[int, list[Problem]], unattributed: Iterable[Problem]
    ) -> tuple[Diagnostic, ...]:
        located = (
            problem._replace(path=pointer("ops", index) + problem.path)
            for index in sorted(problems)
            for problem in problems[index]
        )
        return diagnostics_of(chain(located, unattributed), self._element_of, self.limits)

    def _element_of(self, problem: Problem) -> str | None:
        steps = steps_of(problem.path)
        if steps[:1] != ("ops",):
            return element_at(problem.path, self.document)
        op = self.ops[int(steps[1])]
        name = op.get("id") if is_object(op) else None
        return name if isinstance(name, str) else None


def apply_operations(
    document: JsonObject,
    ops: Sequence[object],
    mode: str = "allOrNothing",
    computed_bounds: ComputedBounds = no_bounds,
    *,
    limits: Limits = LIMITS,
    sources: Mapping[str, JsonObject | None] = MappingProxyType({}),
) -> Batch:
    """Apply a batch. `mode` is allOrNothing or bestEffort; `computed_bounds` gives the computed box of every element of
    a document as {id: {x, y, width, height}}, px, and is called only when an operation needs one. `sources` are the
    documents of `sources_named`, None for a missing scene."""
    boxes, effort = Boxes(computed_bounds, document), BatchEffort(limits.batch_values)
    return _MODES[mode](_Attempt(document, ops, limits, boxes, effort, sources))


def _all_or_nothing(attempt: _Attempt) -> Batch:
    run, verdict = attempt.run(_NOTHING, lenient=True)
    problems = _joined(run.problems, verdict.by_op)
    if any(map(has_error, problems.values())) or verdict.unattributed:
        return attempt.failed(_without_consequences(problems, run.lost), verdict.unattributed)
    return attempt.succeeded(run, problems)


def _best_effort(attempt: _Attempt) -> Batch:
    left_out: dict[int, list[Problem]] = {}
    for _ in range(MAX_ROUNDS):
        run, verdict = attempt.run(left_out, lenient=False)
        failed = verdict.failed_ops()
        if not failed:
            problems = _joined(run.problems, verdict.by_op, left_out)
            hopeless = not run.done and any(map(has_error, problems.values()))
            if hopeless or verdict.unattributed:
                return attempt.failed(problems, verdict.unattributed)
            return attempt.succeeded(run, problems)
        left_out.update((index, verdict.by_op[index]) for index in failed)
        left_out.update(_dependents(run, failed))
    return _bit_by_bit(attempt, left_out)


def _bit_by_bit(attempt: _Attempt, failed: Mapping[int, list[Problem]]) -> Batch:
    """Find a working subset when failures hide one another: the remaining operations join a few at a time, twice as
    many after each success, half as many after each failure. Operations without a trial left are dropped."""
    waiting = [index for index in range(len(attempt.ops)) if index not in failed]
    taken: list[int] = []
    refused = dict(failed)
    few = 1
    for _ in range(MAX_TRIALS):
        if not waiting:
            break
        tried = waiting[:few]
        verdict = attempt.run(_all_but(attempt, [*taken, *tried]), lenient=False)[1]
        if not verdict.failed_ops() and not verdict.unattributed:
            taken.extend(tried)
            del waiting[:few]
            few *= 2
        elif few > 1:
            few //= 2
        else:
            refused[waiting.pop(0)] = [row for rows in verdict.by_op.values() for row in rows if has_error((row,))]
    refused.update((index, [_untried(attempt)]) for index in waiting)
    run, verdict = attempt.run(refused, lenient=False)
    problems = _joined(run.problems, verdict.by_op, refused)
    return attempt.succeeded(run, problems) if run.done else attempt.failed(problems, verdict.unattributed)


def _all_but(attempt: _Attempt, taken: Sequence[int]) -> dict[int, object]:
    kept = frozenset(taken)
    return {index: None for index in range(len(attempt.ops)) if index not in kept}


def _untried(attempt: _Attempt) -> Problem:
    most = MAX_ROUNDS + MAX_TRIALS
    holes = {"name": "the batch", "count": f"{len(attempt.ops)} operations that need more than {most}"}
    return Problem("", LIMIT_EXCEEDED, holes | {"what": "attempts", "limit": most}, {"limit": most})


_MODES: Mapping[str, Callable[[_Attempt], Batch]] = MappingProxyType(
    {"allOrNothing": _all_or_nothing, "bestEffort": _best_effort}
)


def _joined(*parts: Mapping[int, list[Problem]]) -> dict[int, list[Problem]]:
    joined: dict[int, list[Problem]] = {}
    for index, problems in chain.from_iterable(part.items() for part in parts):
        joined.setdefault(index, []).extend(problems)
    return joined


def _without_consequences(problems: Mapping[int, list[Problem]], lost: set[str]) -> dict[int, list[Problem]]:
    """The problems without mere consequences of elements that failed to be created."""
    return {
        index: [problem for problem in rows if not (problem.near and problem.near[0] in lost)]
        for index, rows in problems.items()
    }


def _dependents(run: BatchRun, failed: Sequence[int]) -> dict[int, list[Problem]]:
    """The operations that refer to elements of failed operations, transitively."""
    made: dict[int, list[str]] = {}
    for name, index in run.made.items():
        made.setdefault(index, []).append(name)
    found: dict[int, list[Problem]] = {}
    waiting = list(failed)
    while waiting:
        for name in made.get(waiting.pop(), ()):
            for index, holder in _writers_of_mentions(run, name):
                if index not in found and index not in failed:
                    holes = {"id": f"{shown(name)}, which could not be made,", "references": listed([holder])}
                    found[index] = [Problem("", DANGLING_REFERENCE, holes, {"references": [holder]})]
                    waiting.append(index)
    return found


def _writers_of_mentions(run: BatchRun, name: str) -> Iterable[tuple[int, str]]:
    draft = run.draft
    for registry, mentions in (("elements", draft.mentions), ("constraints", draft.constraint_mentions)):
        for holder, member in mentions.of(name):
            index = draft.writers.get((registry, holder, member))
            if index is not None:
                yield index, holder


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """A well-formed applyOps body (R-OP-1), with unchecked operations; of a `dry` run nothing is stored; `remarks`
    concern unknown members."""

    scene_id: str
    base_revision: int
    ops: tuple[object, ...]
    mode: str = "allOrNothing"
    message: str | None = None
    dry: bool = False
    remarks: tuple[Diagnostic, ...] = ()


def read_batch_request(body: object, limits: Limits = LIMITS) -> BatchRequest | tuple[Diagnostic, ...]:
    """The request, or all of its errors; pointers lead into the body."""
    found = judge_batch_request(body, limits)
    if not is_object(body) or any(row.severity is Severity.ERROR for row in found):
        return found
    return BatchRequest(
        scene_id=body["sceneId"],
        base_revision=int(body["baseRevision"]),
        ops=tuple(body["ops"]),
        mode=body.get("transactionMode", "allOrNothing"),
        message=body.get("message"),
        dry=body.get("dryRun", False),
        remarks=found,
    )


def judge_batch_request(
    body: object, limits: Limits = LIMITS, samples: Mapping[str, object] = MappingProxyType({})
) -> tuple[Diagnostic, ...]:
    """The diagnostics of a body; `samples` are values suggested for absent required members."""
    return diagnostics_of(REQUEST.with_samples(samples).check(body, limits), lambda _problem: None, limits)
