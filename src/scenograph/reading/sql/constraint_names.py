"""Names given by databases to unnamed constraints, which a later statement may drop or rename.

RULES has a row for each dialect with predictable names. SQL Server ends its names in a random number: the known part
ends in `__` here. Oracle and Snowflake use numbers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

LONGEST_OF_POSTGRES = 63
PRIMARY, UNIQUE, INDEX, FOREIGN, CHECK = "primary", "unique", "index", "foreign", "check"
INDEXES = (PRIMARY, UNIQUE, INDEX)
_ENDING = {PRIMARY: "pkey", UNIQUE: "key", INDEX: "idx", FOREIGN: "fkey", CHECK: "check"}
_BEGINNING = {PRIMARY: "PK", UNIQUE: "UQ", INDEX: "UQ", FOREIGN: "FK", CHECK: "CK"}


def default_name(dialect: str, kind: str, table: str, columns: Sequence[str], taken: Collection[str]) -> str:
    """The name given by a database; "" if unpredictable. `taken` are the table's names, casefolded."""
    rule = RULES.get(dialect)
    return rule(kind, table, columns, taken) if rule else ""


def _of_postgres(kind: str, table: str, columns: Sequence[str], taken: Collection[str]) -> str:
    middle = "" if kind == PRIMARY else "_".join(columns)
    names = (_shortened(table, middle, f"{_ENDING[kind]}{number or ''}") for number in range(len(taken) + 1))
    return next((name for name in names if name.casefold() not in taken), "")


def _shortened(table: str, middle: str, ending: str) -> str:
    """The longer part gives way until the whole has room, in bytes."""
    parts = [table.encode(), middle.encode()]
    over = len(parts[0]) + len(parts[1]) + len(ending) + 1 + bool(middle) - LONGEST_OF_POSTGRES
    if over > 0:
        room = sum(map(len, parts)) - over
        shorter = min(map(len, parts))
        longest = max(room - shorter, (room + 1) // 2)
        first = min(len(parts[0]), longest)
        second = room - first if len(parts[1]) > room - first else len(parts[1])
        parts = [parts[0][: room - second if len(parts[0]) > room - second else len(parts[0])], parts[1][:second]]
    texts = [part.decode(errors="ignore") for part in parts]
    return "_".join(text for text in (*texts, ending) if text)


def _of_mysql(kind: str, table: str, columns: Sequence[str], taken: Collection[str]) -> str:
    if kind == PRIMARY:
        return "PRIMARY"
    if kind in {FOREIGN, CHECK}:
        stem = f"{table}_{'ibfk' if kind == FOREIGN else 'chk'}_".casefold()
        numbers = [name[len(stem) :] for name in taken if name.startswith(stem)]
        last = max((int(number) for number in numbers if number.isdecimal() and len(number) < 10), default=0)
        return f"{table}_{'ibfk' if kind == FOREIGN else 'chk'}_{last + 1}"
    first = columns[0] if columns else ""
    names = (first if number == 1 else f"{first}_{number}" for number in range(1, len(taken) + 2))
    return next((name for name in names if name.casefold() not in taken), "")


def _of_sql_server(kind: str, table: str, columns: Sequence[str], _taken: Collection[str]) -> str:
    column = f"__{columns[0][:5]}" if columns and kind in {FOREIGN, CHECK} else ""
    return f"{_BEGINNING[kind]}__{table[: 9 if column else 8]}{column}__"


RULES: Mapping[str, Callable[[str, str, Sequence[str], Collection[str]], str]] = MappingProxyType(
    {"postgres": _of_postgres, "mysql": _of_mysql, "mssql": _of_sql_server}
)
