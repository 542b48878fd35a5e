"""Which column an end of an edge means. (R-ER-4, R-ER-5)

In: elements of a scene. Out: columns of an entity by name, and the one that stands for the whole entity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenograph.scene.model import Column, Element, Endpoint, Node

Declared = Mapping[str, Mapping[str, Column]]
"""Element id -> column name -> column, in the order of the rows; elements without columns are left out."""


def declared_columns(elements: Iterable[Element]) -> Declared:
    """The columns of every node that has any; of two with one name the first."""
    found: dict[str, Mapping[str, Column]] = {}
    for element in elements:
        if isinstance(element, Node) and element.columns:
            named: dict[str, Column] = {}
            for column in element.columns:
                named.setdefault(column.name, column)
            found[element.id] = named
    return found


def resolved_column(end: Endpoint, declared: Declared) -> Column | None:
    """The column that an end names, or the primary key where it names none and the entity has a single one."""
    columns = declared.get(end.element_id)
    if columns is None:
        return None
    if end.column is not None:
        return columns.get(end.column)
    keys = [column for column in columns.values() if column.pk]
    return keys[0] if len(keys) == 1 else None
