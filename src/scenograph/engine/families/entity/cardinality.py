"""Cardinalities that the flags of a column tell. (specification: "Entity-relationship family"; decisions: section 14)

In: a column. Out: the cardinality at the end of an edge that stands on it. The whole truth table is printed in
docs/entity-relationship.md.
"""

from __future__ import annotations

from scenograph.scene.model import Column


def inferred_cardinality(column: Column) -> str | None:
    """What the first flag of pk, unique, fk says; a column without any says nothing."""
    if column.pk:
        return "one"
    if column.unique:
        return "zero-or-one" if column.nullable else "one"
    if column.fk:
        return "zero-or-many" if column.nullable else "many"
    return None
