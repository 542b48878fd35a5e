"""Cardinalities that the flags of a column tell. (R-ER-4)

In: a column and those of its entity. Out: the cardinality at the end of an edge that stands on it. The whole table is
printed in docs/entity-relationship.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from scenograph.scene.model import Column


def inferred_cardinality(column: Column, entity: Iterable[Column]) -> str | None:
    """What a column of an entity says: one row where its values are unique by themselves, many where it is a part of a
    composite key or refers to another table, nothing without a flag."""
    is_only_key = column.pk and sum(each.pk for each in entity) == 1
    if column.unique or is_only_key:
        return "zero-or-one" if column.nullable else "one"
    if column.fk or column.pk:
        return "zero-or-many" if column.nullable else "many"
    return None
