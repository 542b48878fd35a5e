"""What one parsed statement says of the tables: a row of EFFECTS for each kind of statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from sqlglot import expressions as exp

from scenograph.reading.losses import Place
from scenograph.reading.source import shown
from scenograph.reading.sql.model import Column, ForeignKey, Schema, Table, TableName

_NAMED = (exp.Identifier, exp.Column)
_TYPE = re.compile(
    r"[\s\"`\]]*([A-Za-z_][\w.]*(?:\s+(?:precision|varying|unsigned|zerofill|signed)\b)*(?:\s*\((?:[^()']|'[^']*')*\))?"
    r"(?:\s*(?:\[\d*\]|unsigned\b|zerofill\b|varying\b|with(?:out)?\s+(?:local\s+)?time\s+zone))*)",
    re.IGNORECASE,
)


class Unsupported(Exception):  # noqa: N818 - it ends one statement, not the reading
    """A part of a statement that says nothing to a diagram, or was not understood."""


def carry_out(statement: exp.Expression, text: str, place: Place, schema: Schema) -> None:
    """Note what a statement says. Unsupported when it is of another kind; `text` is the statement's own."""
    for kind, effect in _EFFECTS:
        if isinstance(statement, kind):
            effect(statement, text, place, schema)
            return
    raise Unsupported("a statement of a kind that is not read")


def _create(statement: exp.Expression, text: str, place: Place, schema: Schema) -> None:
    made = _part(statement, "this")
    if statement.args.get("kind") == "INDEX":
        _create_index(statement, made, place, schema)
    elif isinstance(made, exp.Schema):
        table = Table(_table_name(_part(made, "this")), place)
        schema.add(table)
        for part in _parts(made, "expressions"):
            _define(part, table, text, schema)
        _table_comment(statement, table)
    else:
        raise Unsupported("a table without a list of columns")


def _table_comment(statement: exp.Expression, table: Table) -> None:
    properties = _part(statement, "properties")
    for part in _parts(properties, "expressions") if properties else ():
        if isinstance(part, exp.SchemaCommentProperty):
            table.comments[""] = _text(part)


def _create_index(statement: exp.Expression, index: exp.Expression | None, place: Place, schema: Schema) -> None:
    parameters = _part(index, "params")
    table = schema.find(_table_name(_part(index, "table")))
    if not statement.args.get("unique"):
        return
    if table is None:
        raise Unsupported("a unique index of a table that is not defined")
    columns = _names(_parts(parameters, "columns"))
    if columns is None or (parameters is not None and parameters.args.get("where")):
        schema.losses.formless(place, f"a unique index over a part or an expression of {shown(table.name.name)}")
    else:
        table.unique.append(table.own(columns))


def _define(part: exp.Expression, table: Table, text: str, schema: Schema) -> None:
    """A column, or a constraint of the table."""
    if isinstance(part, exp.ColumnDef):
        _add_column(part, table, text, schema)
    else:
        _constrain(part, table, schema)


def _add_column(part: exp.Expression, table: Table, text: str, schema: Schema) -> None:
    name = part.name
    column = Column(name, _type_of(part, text))
    table.columns[name] = column
    for constraint in _parts(part, "constraints"):
        _constrain_column(_part(constraint, "kind") or constraint, column, table, schema)


def _type_of(part: exp.Expression, text: str) -> str:
    """The type in the source's own words."""
    kind, identifier = _part(part, "kind"), _part(part, "this")
    if kind is None or identifier is None:
        return ""
    end = cast("int | None", identifier.meta.get("end"))
    found = _TYPE.match(text, end + 1) if end is not None else None
    return " ".join(found[1].split()) if found else kind.sql()


def _constrain_column(kind: exp.Expression, column: Column, table: Table, schema: Schema) -> None:
    if isinstance(kind, exp.PrimaryKeyColumnConstraint):
        table.key = (*table.key, column.name)
    elif isinstance(kind, exp.NotNullColumnConstraint):
        column.not_null = not kind.args.get("allow_null")
    elif isinstance(kind, exp.UniqueColumnConstraint):
        table.unique.append((column.name,))
    elif isinstance(kind, exp.GeneratedAsIdentityColumnConstraint):
        column.not_null = True
    elif isinstance(kind, exp.CommentColumnConstraint):
        table.comments[column.name] = _text(kind)
    elif isinstance(kind, exp.Reference):
        _refer(kind, (column.name,), table, schema)


def _constrain(part: exp.Expression, table: Table, schema: Schema) -> None:
    """A constraint of the table: named ones hold others. An index or a check says nothing to a diagram."""
    if isinstance(part, exp.Constraint):
        inner = list(_parts(part, "expressions"))
        if isinstance(inner[0] if inner else None, exp.PrimaryKeyColumnConstraint | exp.UniqueColumnConstraint):
            _clustered(inner, table, schema)
        else:
            for one in inner:
                _constrain(one, table, schema)
    elif isinstance(part, exp.PrimaryKey):
        table.key = table.own(_names(_parts(part, "expressions")) or ())
    elif isinstance(part, exp.UniqueColumnConstraint):
        names = _names(_parts(_part(part, "this"), "expressions"))
        if names:
            table.unique.append(table.own(names))
    elif isinstance(part, exp.ForeignKey):
        reference = _part(part, "reference")
        columns = _names(_parts(part, "expressions"))
        if reference is not None and columns:
            _refer(reference, table.own(columns), table, schema)


def _clustered(inner: list[exp.Expression], table: Table, schema: Schema) -> None:
    """`PRIMARY KEY CLUSTERED (…)` and `UNIQUE NONCLUSTERED (…)`: the columns stand in the word after."""
    names = next((names for part in inner[1:] if (names := _names(_parts(part, "this")))), None)
    if names is None:
        names = _names(_parts(_part(inner[0], "this"), "expressions"))
    if not names:
        raise Unsupported("a key without columns")
    if isinstance(inner[0], exp.PrimaryKeyColumnConstraint):
        table.key = table.own(names)
    else:
        table.unique.append(table.own(names))


def _refer(reference: exp.Expression, columns: tuple[str, ...], table: Table, schema: Schema) -> None:
    target = _part(reference, "this")
    columns_of_target: tuple[str, ...] = ()
    if isinstance(target, exp.Schema):
        columns_of_target = _names(_parts(target, "expressions")) or ()
        target = _part(target, "this")
    schema.refer(table, ForeignKey(columns, _table_name(target), columns_of_target, table.place))


def _alter(statement: exp.Expression, text: str, _place: Place, schema: Schema) -> None:
    table = schema.find(_table_name(_part(statement, "this")))
    if table is None:
        raise Unsupported("a change of a table that is not defined")
    for action in _parts(statement, "actions"):
        _act(action, table, text, schema)


def _act(action: exp.Expression, table: Table, text: str, schema: Schema) -> None:
    if isinstance(action, exp.AddConstraint | exp.Schema):
        for part in _parts(action, "expressions"):
            _define(part, table, text, schema)
    elif isinstance(action, exp.ColumnDef):
        _define(action, table, text, schema)
    elif isinstance(action, exp.AlterRename):
        schema.rename(table, _table_name(_part(action, "this")).name)
    elif isinstance(action, exp.RenameColumn):
        _rename_column(action, table)
    elif isinstance(action, exp.Drop):
        _drop_part(action, table)
    elif isinstance(action, exp.AlterColumn):
        _alter_column(action, table)
    elif isinstance(action, exp.Constraint | exp.PrimaryKey | exp.UniqueColumnConstraint | exp.ForeignKey):
        _constrain(action, table, schema)


def _rename_column(action: exp.Expression, table: Table) -> None:
    old, new = action.name or _first_name(action.this), _first_name(action.args.get("to"))
    column = table.column(old)
    if column is None or not new:
        raise Unsupported("another name for a column that is not defined")
    before = column.name
    column.name = new
    table.columns = {one.name: one for one in table.columns.values()}
    table.key = tuple(new if name == before else name for name in table.key)
    table.unique = [tuple(new if name == before else name for name in names) for names in table.unique]
    for reference in table.foreign_keys:
        reference.columns = tuple(new if name == before else name for name in reference.columns)


def _drop_part(action: exp.Expression, table: Table) -> None:
    if action.args.get("kind") != "COLUMN":
        return
    for part in (action.this, *_parts(action, "tables")):
        column = table.column(_first_name(part)) if part is not None else None
        if column is not None:
            del table.columns[column.name]
            table.foreign_keys = [row for row in table.foreign_keys if column.name not in row.columns]
            table.unique = [names for names in table.unique if column.name not in names]
            table.key = tuple(name for name in table.key if name != column.name)


def _alter_column(action: exp.Expression, table: Table) -> None:
    column = table.column(action.name)
    if column is None:
        raise Unsupported("a change of a column that is not defined")
    if action.args.get("allow_null") is not None:
        column.not_null = not action.args["allow_null"]
    kind = _part(action, "dtype")
    if kind is not None:
        column.type = kind.sql().lower()


def _comment(statement: exp.Expression, _text_of_statement: str, _place: Place, schema: Schema) -> None:
    owner, text = _part(statement, "this"), _part(statement, "expression")
    if isinstance(owner, exp.Column):
        table = schema.find(TableName(owner.text("db"), owner.text("table")))
        column = table.column(owner.name) if table else None
        if table is not None and column is not None and text is not None:
            table.comments[column.name] = text.name
    elif isinstance(owner, exp.Table):
        table = schema.find(_table_name(owner))
        if table is not None and text is not None:
            table.comments[""] = text.name


def _drop(statement: exp.Expression, _text_of_statement: str, _place: Place, schema: Schema) -> None:
    for target in (statement.this, *_parts(statement, "tables")):
        table = schema.find(_table_name(target)) if isinstance(target, exp.Table) else None
        if table is not None:
            schema.remove(table)


_EFFECTS: tuple[tuple[type[exp.Expression], Callable[[exp.Expression, str, Place, Schema], None]], ...] = (
    (exp.Create, _create),
    (exp.Alter, _alter),
    (exp.Comment, _comment),
    (exp.Drop, _drop),
)


def _part(node: exp.Expression | None, name: str) -> exp.Expression | None:
    found: Any = node.args.get(name) if node is not None else None
    return found if isinstance(found, exp.Expression) else None


def _parts(node: exp.Expression | None, name: str) -> Iterator[exp.Expression]:
    found: Any = node.args.get(name) if node is not None else None
    for one in cast("list[object]", found) if isinstance(found, list) else ():
        if isinstance(one, exp.Expression):
            yield one


def _names(parts: Iterable[exp.Expression]) -> tuple[str, ...] | None:
    """The names of columns; None when one is an expression."""
    names: list[str] = []
    for part in parts:
        bare = _part(part, "this") if isinstance(part, exp.Ordered | exp.ColumnPrefix) else part
        if not isinstance(bare, _NAMED):
            return None
        names.append(bare.name)
    return tuple(names)


def _first_name(part: object) -> str:
    found = part.find(exp.Identifier) if isinstance(part, exp.Expression) else None
    return found.name if found is not None else ""


def _text(part: exp.Expression) -> str:
    literal = _part(part, "this")
    return literal.name if literal is not None else part.name


def _table_name(part: exp.Expression | None) -> TableName:
    if not isinstance(part, exp.Table) or not part.name:
        raise Unsupported("a statement without a table's name")
    return TableName(part.text("db"), part.name)
