"""DIALECTS: the supported kinds of SQL, and the marks for guessing each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass

LOOKED_AT = 200_000  # characters of a source used for guessing its dialect


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A row.

    `default_schema` may be omitted from names. Each of `marks` is rare in other dialects. With `escapes` a backslash
    escapes in strings; `brackets` quote names, `dollars` bodies. `same_name` normalizes names for comparison, quoted
    names too with `quotes_fold`. With `bodies_without_begin` routines need no BEGIN. With `batches` statements need no
    semicolons. With `key_is_reserved` `KEY` and `INDEX` are no column names; with `goes_on` an alteration continues
    after a comma without a verb; with `redefines` a redefined column resets its unstated options.
    """

    name: str
    default_schema: str
    marks: tuple[re.Pattern[str], ...]
    escapes: bool = False
    dollars: bool = False
    same_name: Callable[[str], str] = str.casefold
    quotes_fold: bool = False
    bodies_without_begin: bool = False
    brackets: bool = False
    hash_comments: bool = False
    nested_comments: bool = False
    batches: bool = False
    key_is_reserved: bool = False
    goes_on: bool = False
    redefines: bool = False


class QuotedForms(NamedTuple):
    """Patterns of quoted text: strings, bodies between dollars, and names. An unclosed quote extends to the end of the
    text."""

    strings: str
    bodies: str
    names: str


@cache
def quoted_forms(dialect: Dialect) -> QuotedForms:
    """The quoted forms of a dialect. Possessive quantifiers prevent backtracking."""
    strings = [r"(?<![\w$])[eE]'(?:[^'\\]|\\.|'')*+(?:'|\Z)"]
    if dialect.name == "oracle":
        pairs = (("[", "]"), ("{", "}"), ("(", ")"), ("<", ">"), ("!", "!"), ("|", "|"), ("~", "~"))
        strings += [
            rf"[qQ]'{re.escape(a)}(?:[^{re.escape(b)}]|{re.escape(b)}(?!'))*+(?:{re.escape(b)}'|\Z)" for a, b in pairs
        ]
    prefix = r"(?:(?<![\w$])[nNxXbB])?"
    plain = r"'(?:[^'\\]|\\.|'')*+(?:'|\Z)" if dialect.escapes else r"'(?:[^']|'')*+(?:'|\Z)"
    names = [r'"(?:[^"]|"")*+(?:"|\Z)', r"`(?:[^`]|``)*+(?:`|\Z)"]
    if dialect.escapes:
        names[0] = r'"(?:[^"\\]|\\.|"")*+(?:"|\Z)'
    if dialect.brackets:
        names.append(r"\[(?:[^\]\n]|\]\])*+(?:\]|(?=\n)|\Z)")
    bodies = (
        r"\$(?P<tag>(?:[^\W\d]\w*+)?)\$(?:[^$]|\$(?!(?P=tag)\$))*+(?:\$(?P=tag)\$|\Z)"
        if dialect.dollars
        else r"(?P<tag>(?!))"
    )
    return QuotedForms("|".join([*strings, prefix + plain]), bodies, "|".join(names))


def _marks(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in patterns)


_ROWS = (
    Dialect(
        name="postgres",
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
            r"\$body\$",
            r"\bplpgsql\b",
            r"\bregclass\b",
            r"\w\[\]",
            r"\bSET search_path\b",
            r"\bAS ENUM\b",
            r"\bwith(?:out)? time zone\b",
            r"\btstzrange\b",
            r"\bWITHOUT OVERLAPS\b",
        ),
        dollars=True,
        nested_comments=True,
    ),
    Dialect(
        name="mysql",
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
        same_name=str,
        hash_comments=True,
        key_is_reserved=True,
        redefines=True,
    ),
    Dialect(
        name="mssql",
        default_schema="dbo",
        marks=_marks(
            r"\[[A-Za-z_]\w*\]",
            r"(?<!\bAS )\bIDENTITY\s*\(",
            r"\bNVARCHAR\b",
            r"^\s*GO\s*$",
            r"\bdbo\.",
            r"\bUNIQUEIDENTIFIER\b",
            r"\bDATETIME2\b",
            r"\bCLUSTERED\b",
            r"\bWITH (?:NO)?CHECK ADD\b",
            r"\bEXEC\b",
        ),
        bodies_without_begin=True,
        quotes_fold=True,
        brackets=True,
        nested_comments=True,
        batches=True,
        key_is_reserved=True,
        goes_on=True,
        redefines=True,
    ),
    Dialect(
        name="oracle",
        default_schema="",
        marks=_marks(
            r"\bVARCHAR2\b",
            r"\bNUMBER\s*\(",
            r"\bCLOB\b",
            r"\bSYSDATE\b",
            r"\bNVARCHAR2\b",
            r"\bENABLE\s*[,)]",
            r"^\s*/\s*$",
        ),
        bodies_without_begin=True,
        same_name=str.upper,
    ),
    Dialect(
        name="snowflake",
        default_schema="public",
        same_name=str.upper,
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
        goes_on=True,
    ),
    Dialect(
        name="sqlite",
        default_schema="main",
        marks=_marks(r"\bAUTOINCREMENT\b", r"\bPRAGMA\b", r"\bWITHOUT ROWID\b", r"\bSTRICT\b"),
        quotes_fold=True,
        brackets=True,
    ),
)
DIALECTS: Mapping[str, Dialect] = MappingProxyType({row.name: row for row in _ROWS})
_STATEMENT = re.compile(
    r"^[ \t\ufeff]*(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|TRANSIENT|UNLOGGED)\s+)*TABLE"
    r"|ALTER\s+TABLE|CREATE\s+UNIQUE\s+|COMMENT\s+ON|CREATE\s+SCHEMA)\b",
    re.IGNORECASE | re.MULTILINE,
)


_NO_CODE = re.compile(
    r"(?P<comment>--[^\n]*+|/\*(?!M?!)(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    r"|(?P<string>'(?:[^']|'')*+(?:'|\Z))"
    r"|(?P<body>\$(?P<tag>(?:[^\W\d]\w*+)?)\$(?:[^$]|\$(?!(?P=tag)\$))*+(?:\$(?P=tag)\$|\Z))",
    re.DOTALL,
)
_LEFT_OF = {"string": "''", "body": "$body$"}


def recognizes(text: str) -> bool:
    """Whether a text contains a statement that defines tables."""
    return not text.lstrip().startswith("<") and _STATEMENT.search(text) is not None


def guessed(text: str, other: Dialect = _ROWS[0]) -> Dialect:
    """The dialect with the most marks outside of comments, strings and bodies; the `other` where none has more."""
    code = _NO_CODE.sub(lambda found: _LEFT_OF.get(found.lastgroup or "", " "), text[:LOOKED_AT])
    rows = (other, *(row for row in _ROWS if row is not other))
    return max(rows, key=lambda row: sum(mark.search(code) is not None for mark in row.marks))
