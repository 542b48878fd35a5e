"""Faults and consequences of operations (R-OP-4)."""

from __future__ import annotations

from scenograph.diagnostics.rows import OPERATION, Code, Severity

UNKNOWN_OP = Code(
    "UNKNOWN_OP",
    Severity.ERROR,
    "{given} is not an operation. The operations are: {allowed}.",
    when="The name of an operation is not known.",
    path=OPERATION,
    data=(
        "allowed",
        "suggestion",
    ),
)
OP_TARGET_NOT_FOUND = Code(
    "OP_TARGET_NOT_FOUND",
    Severity.ERROR,
    "There is no {what} {id}.",
    when="An operation names an element, constraint, style or asset that does not exist.",
    path=OPERATION,
    data=("suggestion",),
)
OP_ID_EXISTS = Code(
    "OP_ID_EXISTS",
    Severity.ERROR,
    "The {what} {id} exists already; choose another id or update it.",
    when="An operation makes an id that exists.",
    path=OPERATION,
)
OP_WRONG_KIND = Code(
    "OP_WRONG_KIND",
    Severity.ERROR,
    "{id} is of kind {kind}; {rule}.",
    when="An operation does not serve elements of this kind.",
    path=OPERATION,
    data=(
        "kind",
        "allowed",
    ),
)
OP_NOT_PLACED = Code(
    "OP_NOT_PLACED",
    Severity.ERROR,
    "The place of {id} is not known, so it cannot be moved from there; give x and y.",
    when="An element is to be moved by a distance, and the engine has no place for it.",
    path=OPERATION,
)
DANGLING_REFERENCE = Code(
    "DANGLING_REFERENCE",
    Severity.ERROR,
    "{id} is still referred to by: {references}.",
    when="Something still refers to what is to be removed.",
    path=OPERATION,
    data=("references",),
)
CASCADE_DELETED = Code(
    "CASCADE_DELETED",
    Severity.INFO,
    "With {id}, {what}.",
    when="Edges, memberships or references went along with a deleted element.",
    path=OPERATION,
    data=(
        "deletedIds",
        "movedUpIds",
        "changedIds",
        "changedConstraintIds",
    ),
)
