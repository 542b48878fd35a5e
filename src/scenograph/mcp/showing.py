"""How values of a caller are quoted in sentences: short, on one line, in plain ASCII."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

MOST_QUOTED = 60
LIKENESS = 0.6
_KINDS = ((dict, "an object"), (list, "an array"), (str, "text"), (bool, "true or false"), ((int, float), "a number"))


def quoted(value: Any) -> str:
    """`value` as JSON, cut to MOST_QUOTED characters."""
    text = json.dumps(value) if isinstance(value, str | int | float | bool) or value is None else kind(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def kind(value: Any) -> str:
    """What sort of JSON value it is, with its article."""
    return next((words for sort, words in _KINDS if isinstance(value, sort)), "null")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, letter case aside; None when none is near."""
    by_plain = {_plain(name): name for name in known}
    found = get_close_matches(_plain(word[:MOST_QUOTED]), by_plain, n=1, cutoff=LIKENESS)
    return by_plain[found[0]] if found else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")
