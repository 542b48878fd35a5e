"""Where a column's type ends, and which words are types: one pass over the words after a column's name."""

from __future__ import annotations

from scenograph.reading.sql.words import Word, Words

# What ends a type. WITH may go on with a time zone.
_AFTER_TYPE = frozenset(
    [
        "NOT",
        "NULL",
        "PRIMARY",
        "UNIQUE",
        "REFERENCES",
        "DEFAULT",
        "CONSTRAINT",
        "CHECK",
        "COLLATE",
        "GENERATED",
        "AUTO_INCREMENT",
        "AUTOINCREMENT",
        "IDENTITY",
        "COMMENT",
        "ON",
        "ENCODE",
        "AS",
        "KEY",
        "SPARSE",
        "ROWGUIDCOL",
        "VISIBLE",
        "INVISIBLE",
        "STORAGE",
        "CHARSET",
        "MASKING",
        "MASKED",
        "TAG",
        "WITH",
        "ENABLE",
        "DISABLE",
        "VIRTUAL",
        "STORED",
        "FIRST",
        "AFTER",
        "INVERSE",
        "ORDER",
        "NOORDER",
        "FOREIGN",
        "COMPRESSION",
        "PERSISTED",
        "HIDDEN",
        "FILESTREAM",
        "SORT",
        "SET",
        "USING",
        "ALWAYS",
        "ENCRYPTED",
        "PROJECTION",
        "SERIAL_DEFAULT",
        "OPTIONS",
        "CODEC",
    ]
)
_TYPES = frozenset(
    [
        "INT",
        "INTEGER",
        "BIGINT",
        "SMALLINT",
        "TINYINT",
        "VARCHAR",
        "NVARCHAR",
        "CHAR",
        "NCHAR",
        "TEXT",
        "DATE",
        "DATETIME",
        "TIMESTAMP",
        "DECIMAL",
        "NUMERIC",
        "NUMBER",
        "BOOLEAN",
        "BOOL",
        "BIT",
        "FLOAT",
        "REAL",
        "DOUBLE",
        "JSON",
        "JSONB",
        "UUID",
        "BLOB",
        "CLOB",
        "VARCHAR2",
        "STRING",
        "VARIANT",
        "BINARY",
        "VARBINARY",
        "SERIAL",
    ]
)


def names_a_column(words: Words) -> bool:
    """Whether a word that begins a constraint is here a column's name: quoted, or with a type after it."""
    following: Word | None = words.words[words.at + 1] if words.at + 1 < len(words.words) else None
    return following is not None and following.upper in _TYPES


def column_type(words: Words) -> str:
    """Pass the type of a column and answer it in the source's own words."""
    start = words.at
    while not words.done:
        upper = words.upper
        if words.follows("CHARACTER", "SET") or (upper == "SERIAL" and words.at > start):
            break
        if upper in _AFTER_TYPE and not (upper == "WITH" and _time_zone(words)):
            break
        if words.group() is None:
            words.at += 1
    passed = words.words[start : words.at]
    return " ".join(words.text[passed[0].start : passed[-1].end + 1].split()) if passed else ""


def _time_zone(words: Words) -> bool:
    return words.follows("WITH", "TIME") or words.follows("WITH", "LOCAL")
