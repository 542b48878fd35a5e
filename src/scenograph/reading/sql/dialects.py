"""DIALECTS: the kinds of SQL that are read, and the marks by which each is guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass

LOOKED_AT = 100_000  # characters of a source from which its dialect is guessed


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One row. `parser` is sqlglot's name for it; a table in `default_schema` is known without it; `marks` are what
    hardly any other dialect writes. A backslash escapes in strings where `escapes`; `brackets` quote names, `dollars`
    bodies. Tables whose names differ in case are two where `case_sensitive`; bodies of routines need no BEGIN where
    `bodies_without_begin`."""

    name: str
    parser: str
    default_schema: str
    marks: re.Pattern[str]
    escapes: bool = False
    dollars: bool = False
    case_sensitive: bool = False
    bodies_without_begin: bool = False
    brackets: bool = False
    hash_comments: bool = False


def _marks(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_ROWS = (
    Dialect(
        name="postgres",
        parser="postgres",
        default_schema="public",
        marks=_marks(
            r"\b(?:big|small)?serial\b",
            r"\bjsonb\b",
            r"\btimestamptz\b",
            r"::\w",
            r"\bpublic\.",
            r"\bALTER TABLE ONLY\b",
            r"\buuid\b",
            r"\bbytea\b",
            r"\bUSING btree\b",
            r"\bcharacter varying\b",
            r"\bOWNER TO\b",
            r"\$\$",
        ),
        dollars=True,
    ),
    Dialect(
        name="mysql",
        parser="mysql",
        default_schema="",
        marks=_marks(
            r"`\w",
            r"\bENGINE\s*=",
            r"\bAUTO_INCREMENT\b",
            r"\bunsigned\b",
            r"\bUNIQUE KEY\b",
            r"\bDEFAULT CHARSET\b",
            r"\btinyint\(",
            r"\bDELIMITER\b",
            r"(?<!AS )\benum\s*\(",
            r"/\*!\d",
        ),
        escapes=True,
        case_sensitive=True,
        hash_comments=True,
    ),
    Dialect(
        name="mssql",
        parser="tsql",
        default_schema="dbo",
        marks=_marks(
            r"\[[A-Za-z_]\w*\]",
            r"\bIDENTITY\s*\(",
            r"\bNVARCHAR\b",
            r"^\s*GO\s*$",
            r"\bdbo\.",
            r"\bUNIQUEIDENTIFIER\b",
            r"\bDATETIME2\b",
            r"\bCLUSTERED\b",
            r"\bWITH CHECK\b",
            r"\bEXEC\b",
        ),
        bodies_without_begin=True,
        brackets=True,
    ),
    Dialect(
        name="oracle",
        parser="oracle",
        default_schema="",
        marks=_marks(
            r"\bVARCHAR2\b",
            r"\bNUMBER\s*\(",
            r"\bCLOB\b",
            r"\bSYSDATE\b",
            r"\bNVARCHAR2\b",
            r"\bENABLE\b",
            r"^\s*/\s*$",
        ),
        bodies_without_begin=True,
    ),
    Dialect(
        name="snowflake",
        parser="snowflake",
        default_schema="public",
        marks=_marks(
            r"\bVARIANT\b",
            r"\bTIMESTAMP_(?:NTZ|LTZ|TZ)\b",
            r"\bTRANSIENT\b",
            r"\bCLUSTER BY\b",
            r"\bCREATE OR REPLACE TABLE\b",
            r"\bAUTOINCREMENT START\b",
            r"\bNUMBER\(38",
        ),
        escapes=True,
        dollars=True,
    ),
    Dialect(
        name="sqlite",
        parser="sqlite",
        default_schema="main",
        marks=_marks(r"\bAUTOINCREMENT\b", r"\bPRAGMA\b", r"\bWITHOUT ROWID\b", r"\bSTRICT\b"),
        brackets=True,
    ),
)
DIALECTS: Mapping[str, Dialect] = MappingProxyType({row.name: row for row in _ROWS})
_STATEMENT = re.compile(
    r"^[ \t]*(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|TRANSIENT|UNLOGGED)\s+)*TABLE"
    r"|ALTER\s+TABLE|CREATE\s+UNIQUE\s+|COMMENT\s+ON|CREATE\s+SCHEMA)\b",
    re.IGNORECASE | re.MULTILINE,
)


def recognizes(text: str) -> bool:
    """Whether a text has a statement that defines tables."""
    return not text.lstrip().startswith("<") and _STATEMENT.search(text) is not None


def guessed(text: str) -> Dialect:
    """The dialect with the most marks in the text; the first of the table where none has any."""
    looked_at = text[:LOOKED_AT]
    found = {row.name: len({match[0].lower() for match in row.marks.finditer(looked_at)}) for row in _ROWS}
    return max(_ROWS, key=lambda row: found[row.name])
