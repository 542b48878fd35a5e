"""Stacks and tables of draw.io that are classes or tables here: a box whose children are nothing but rows of text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from scenograph.reading.drawio.cells import Cell
from scenograph.reading.drawio.figures import named_figure
from scenograph.scene.json_values import JsonObject

_SEPARATOR = "line"
_ROWS = frozenset({"text", "partialRectangle", _SEPARATOR})
_SLACK = 2.0  # px that a row may be narrower than its box
_STACKS = frozenset({"stackLayout", "tableLayout"})
_KEYS: Mapping[str, str] = {"PK": "pk", "FK": "fk"}
MOST_ROWS = 200
_LONGEST = 500  # characters of a row


def class_of(
    cell: Cell, children: Sequence[Cell], below: Mapping[str, Sequence[Cell]], ends: Collection[str]
) -> JsonObject | None:
    """The members of a class with its rows, or of a table whose rows have keys or are `ends` of lines; None where a box
    is neither."""
    is_stack = cell.style.get("childLayout") in _STACKS and cell.style.get("horizontalStack") != "1"
    if not is_stack or not cell.label or not 0 < len(children) <= MOST_ROWS:
        return None
    has_cells = any(below.get(one.id) for one in children)
    if has_cells or cell.style.get("shape") == "table":
        return _table(children, below)
    if any(named_figure(one.style) not in _ROWS or one.size[0] < cell.size[0] - _SLACK for one in children):
        return None
    return (_listed if any(one.id in ends for one in children) else _compartments)(children)


def column_of(row: Cell, below: Mapping[str, Sequence[Cell]]) -> str:
    """The name of the column that a row is."""
    return next((text for text in _texts(row, below) if text and not _is_key(text)), "")[:_LONGEST]


def _listed(rows: Sequence[Cell]) -> JsonObject | None:
    """Rows that lines end at, as columns of a table; rows of one name could not be told apart."""
    names = [row.label.replace("\n", " ")[:_LONGEST] for row in rows]
    if len(set(names)) < len(names) or not all(names):
        return _compartments(rows)
    return {"nodeType": "er.entity", "extensions": {"columns": [{"name": name} for name in names]}}


def _texts(row: Cell, below: Mapping[str, Sequence[Cell]]) -> list[str]:
    """The labels of a row and of its cells."""
    return [text for text in (*(one.label for one in below.get(row.id, ())), row.label) if text]


def _compartments(rows: Sequence[Cell]) -> JsonObject | None:
    """The lines of text of a class, those after the first separator as its methods."""
    parts: tuple[list[str], list[str]] = ([], [])
    at = 0
    for row in rows:
        if named_figure(row.style) == _SEPARATOR:
            at = 1
        else:
            parts[at].extend(line[:_LONGEST] for line in row.label.split("\n") if line)
    extensions = {name: lines for name, lines in zip(("attributes", "methods"), parts, strict=True) if lines}
    return {"nodeType": "uml.class", "extensions": extensions} if extensions else None


def _table(rows: Sequence[Cell], below: Mapping[str, Sequence[Cell]]) -> JsonObject | None:
    """The columns of a table of a data model: rows of keys and names. Other tables are none."""
    columns: list[JsonObject] = []
    for row in rows:
        cells = below.get(row.id, ())
        texts = _texts(row, below)
        keys = [text for text in texts if _is_key(text)]
        names = [text[:_LONGEST] for text in texts if text and not _is_key(text)]
        if len(names) > 2 or len(keys) > 1 or any(below.get(one.id) for one in cells):
            return None
        if names:
            flags = {_KEYS[word.rstrip("0123456789")]: True for word in _words(keys[0])} if keys else {}
            columns.append({"name": names[0], **({"type": names[1]} if names[1:] else {}), **flags})
    has_key = any("pk" in column or "fk" in column for column in columns)
    return {"nodeType": "er.entity", "extensions": {"columns": columns}} if has_key else None


def _is_key(text: str) -> bool:
    words = _words(text)
    return bool(words) and all(word.rstrip("0123456789") in _KEYS for word in words)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()[:4]
