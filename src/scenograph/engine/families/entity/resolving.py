"""What edges make of the columns at their ends: steps of the stage `resolve`.

In: a scene. Out: the same scene with labels that only repeat a column's name turned into anchors, ends that name no
column freed, and cardinalities written in where a column tells them. They apply wherever nodes have columns, whatever
the family. (R-ER-4, R-ER-7, R-VALID-11)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scenograph.diagnostics import EDGE_COLUMN_NOT_FOUND, EDGE_LABEL_SUPPRESSED_REDUNDANT, Report
from scenograph.engine.families.family import BOX_SHAPES, KindOf
from scenograph.late_dataclasses import replace
from scenograph.scene.fields import choices
from scenograph.scene.json_values import listed, shown
from scenograph.scene.model import Column, Edge, Element, Endpoint, Node, Scene
from scenograph.scene.near_names import Budget, nearest

# Cardinalities that the flags of a column tell. (R-ER-4) In: a column and those of its entity. Out: the cardinality
# at the end of an edge that stands on it. The whole table is printed in docs/entity-relationship.md.


def inferred_cardinality(column: Column, entity: Iterable[Column]) -> str | None:
    """What a column of an entity says: one row where its values are unique by themselves, many where it is a part of a
    composite key or refers to another table, nothing without a flag."""
    is_only_key = column.pk and sum(each.pk for each in entity) == 1
    if column.unique or is_only_key:
        return "zero-or-one" if column.nullable else "one"
    if column.fk or column.pk:
        return "zero-or-many" if column.nullable else "many"
    return None


# Which column an end of an edge means. (R-ER-4, R-ER-5) In: elements of a scene. Out: columns of an entity by name,
# and the one that stands for the whole entity.


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


NONE_AVAILABLE = "none"

EdgeChange = Callable[[Edge], Edge]


def promote_column_labels(scene: Scene, report: Report, kind_of: KindOf) -> Scene:
    """A label equal to a column name at either end becomes the anchor there, unless its author forces it to be
    seen. An end whose author has named another column keeps it. An edge from an entity to itself leads from that column
    to the primary key. In an outline that holds no rows nobody would read the name: there the label stays."""
    declared = declared_columns(element for element in scene.elements if _may_hold_rows(element, kind_of))
    if not declared:
        return scene
    suppressed: dict[str, str] = {}

    def promote(edge: Edge) -> Edge:
        if not edge.label or _is_forced(edge, scene):
            return edge
        source = _on_column(edge.source, edge.label, declared)
        target = _on_column(edge.target, edge.label, declared)
        if source is not edge.source and source.element_id == target.element_id:
            target = _on_key(edge.target, declared)
        if edge.label not in (_named(source, declared), _named(target, declared)):
            return edge
        suppressed[edge.id] = edge.label
        return replace(edge, source=source, target=target, label=None)

    promoted = _with_edges(scene, promote)
    if suppressed:
        data = {"suppressedEdgeIds": sorted(suppressed), "suppressedLabels": sorted(set(suppressed.values()))}
        report.add(EDGE_LABEL_SUPPRESSED_REDUNDANT, path="/elements", data=data, count=len(suppressed))
    return promoted


def infer_cardinalities(scene: Scene, _report: Report, _kind_of: KindOf) -> Scene:
    """Ends without a cardinality take that of the column they resolve to, and the end that a nullable foreign key
    refers to is `zero-or-one`; an edge from an entity to itself has no glyphs and takes none. Before names that stand
    for nothing are forgotten: such an end does not mean the key."""
    declared = declared_columns(scene.elements)

    def infer(edge: Edge) -> Edge:
        if edge.source.element_id == edge.target.element_id:
            return edge
        source = _with_cardinality(edge.source, edge.target, declared, is_target=False)
        target = _with_cardinality(edge.target, edge.source, declared, is_target=True)
        return edge if (source, target) == (edge.source, edge.target) else replace(edge, source=source, target=target)

    return _with_edges(scene, infer) if declared else scene


def free_unknown_columns(scene: Scene, report: Report, _kind_of: KindOf) -> Scene:
    """Ends that name no column of their element are anchored as if they named none, and reported."""
    declared, budget = declared_columns(scene.elements), Budget()

    def free(edge: Edge) -> Edge:
        ends: list[Endpoint] = []
        for name, end in (("from", edge.source), ("to", edge.target)):
            is_known = end.column is None or end.column in declared.get(end.element_id, ())
            if not is_known:
                _report_unknown(end, f"/elements/{edge.id}/{name}/column", declared, (report, budget))
            ends.append(end if is_known else replace(end, column=None))
        source, target = ends
        return edge if (source, target) == (edge.source, edge.target) else replace(edge, source=source, target=target)

    return _with_edges(scene, free)


def _with_edges(scene: Scene, change: EdgeChange) -> Scene:
    elements = tuple(change(element) if isinstance(element, Edge) else element for element in scene.elements)
    unchanged = all(one is other for one, other in zip(elements, scene.elements, strict=True))
    return scene if unchanged else replace(scene, elements=elements)


def _may_hold_rows(element: Element, kind_of: KindOf) -> bool:
    return isinstance(element, Node) and (element.shape or kind_of(element).shape) in BOX_SHAPES


def _is_forced(edge: Edge, scene: Scene) -> bool:
    style = edge.style or scene.styles.get(edge.style_id or "")
    return style is not None and bool(style.force_label)


def _on_column(end: Endpoint, name: str, declared: Declared) -> Endpoint:
    """The end on the column of that name where there is one and the author has chosen neither column nor port."""
    is_free = end.column is None and end.port is None
    return replace(end, column=name) if is_free and name in declared.get(end.element_id, ()) else end


def _on_key(end: Endpoint, declared: Declared) -> Endpoint:
    """The end on the single primary key of its element, if its author left it open."""
    key = resolved_column(end, declared) if end.port is None else None
    return end if key is None else replace(end, column=key.name)


def _named(end: Endpoint, declared: Declared) -> str | None:
    """The column on which an end stands, if it exists."""
    return end.column if end.column in declared.get(end.element_id, ()) else None


def _with_cardinality(end: Endpoint, other: Endpoint, declared: Declared, *, is_target: bool) -> Endpoint:
    if end.cardinality is not None or end.element_id not in declared:
        return end
    column, referring = resolved_column(end, declared), resolved_column(other, declared)
    entity = declared[end.element_id].values()
    is_free = referring is not None and referring.fk and referring.nullable
    if is_free and _may_be_referred_to(end, column, is_target=is_target):
        return replace(end, cardinality="zero-or-one")
    inferred = inferred_cardinality(column, entity) if column is not None else None
    return end if inferred is None else replace(end, cardinality=inferred)


def _may_be_referred_to(end: Endpoint, column: Column | None, *, is_target: bool) -> bool:
    """Whether the foreign key at the other end refers to this one. Of two foreign keys the edge leads to the one that
    is a key as well."""
    if column is None:
        return end.column is None
    return not column.fk or (is_target and (column.pk or bool(column.unique)))


def _report_unknown(end: Endpoint, path: str, declared: Declared, to: tuple[Report, Budget]) -> None:
    report, budget = to
    columns, asked = tuple(declared.get(end.element_id, ())), end.column or ""
    suggestion = nearest(asked, columns, budget)
    report.add(
        EDGE_COLUMN_NOT_FOUND,
        path=path,
        data=choices(columns) | ({"suggestion": suggestion} if suggestion is not None else {}),
        id=shown(end.element_id),
        column=shown(asked),
        available=listed(columns) or NONE_AVAILABLE,
    )
