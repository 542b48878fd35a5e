"""All problems of a document at once (R-VALID-2, R-VALID-3).

In: any JSON value. Out: diagnostics, each with a JSON pointer. The document's shape is checked by its description, the
rest by RULES. Linear in the size of the document; lesser remarks never crowd out errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from scenograph.diagnostics import TOO_MANY_DIAGNOSTICS, Diagnostic, Severity
from scenograph.scene.description.document import DOCUMENT
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import DocumentIndex
from scenograph.scene.json_values import is_array, is_object, member, steps_of
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.near_names import NameBudget, nearest, notation
from scenograph.scene.rules.table import RULES


def validate(document: object, limits: Limits = LIMITS) -> tuple[Diagnostic, ...]:
    """Every diagnostic of a document; at most `limits.diagnostics`, then TOO_MANY_DIAGNOSTICS."""
    return diagnostics_of(all_problems(document, limits), lambda problem: element_at(problem.path, document), limits)


def all_problems(document: object, limits: Limits) -> Iterator[Problem]:
    """Every problem, with its path relative to the document."""
    yield from DOCUMENT.check(document, limits)
    if is_object(document):
        yield from rule_problems(DocumentIndex.of(_bounded(document, limits), limits.elements), limits)


def rule_problems(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """The violations of all rules."""
    return chain.from_iterable(rule(index, limits) for rule in RULES)


def _bounded(document: dict[str, object], limits: Limits) -> dict[str, object]:
    """The document without the elements beyond the limit, which are refused anyway."""
    elements = document.get("elements")
    if is_array(elements) and len(elements) > limits.elements:
        return document | {"elements": elements[: limits.elements]}
    return document


def diagnostics_of(
    problems: Iterable[Problem], element_of: Callable[[Problem], str | None], limits: Limits
) -> tuple[Diagnostic, ...]:
    """Problems in words, each with its element; errors first when shortened."""
    kept = list(problems)
    if len(kept) > limits.diagnostics:
        kept.sort(key=lambda problem: problem.code.severity is not Severity.ERROR)
    budget = NameBudget()
    shown = [_diagnostic(problem, element_of(problem), budget) for problem in kept[: limits.diagnostics]]
    if len(kept) > limits.diagnostics:
        count = len(kept) - limits.diagnostics
        code = TOO_MANY_DIAGNOSTICS
        message = code.wording.format(count=count, limit=limits.diagnostics)
        too_many = Diagnostic(
            code.name, code.severity, message, "", None, {"count": count, "limit": limits.diagnostics}
        )
        shown.append(too_many)
    return tuple(shown)


def _diagnostic(problem: Problem, element_id: str | None, budget: NameBudget) -> Diagnostic:
    """A problem in words, with a suggested name."""
    code, data = problem.code, dict(problem.data or {})
    message = code.wording.format_map({"name": named(problem.path), **problem.holes})
    if problem.near is not None:
        wanted, names = problem.near
        suggestion = nearest(wanted, names, budget, problem.not_meant)
        if suggestion is not None:
            data["suggestion"] = suggestion
            message += f" Did you mean '{suggestion}'?{notation(wanted, suggestion)}"
    return Diagnostic(code.name, code.severity, message, problem.path, element_id, data or None)


def named(path: str) -> str:
    """A value's name in sentences: its key, with the index in an array."""
    name = ""
    for step in reversed(steps_of(path)):
        if not step.isdecimal():
            return f"'{step}{name}'"
        name = f"[{step}]{name}"
    return f"'{name}'" if name else "the document"


def element_at(path: str, document: object) -> str | None:
    """The id of the element on a path."""
    steps = steps_of(path)
    elements = member(document, "elements")
    if len(steps) < 2 or steps[0] != "elements" or not steps[1].isdecimal() or not is_array(elements):
        return None
    index = int(steps[1])
    element_id = member(elements[index], "id") if index < len(elements) else None
    return element_id if isinstance(element_id, str) else None
