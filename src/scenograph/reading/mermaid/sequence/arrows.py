"""ARROWS: the marks between two participants, and their edges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.reading.sequences import ASYNC, MESSAGE, REPLY, Arrow
from scenograph.scene.json_values import JsonObject

DASH: JsonObject = {"dash": [4, 4]}


def _ends(start: str, end: str) -> JsonObject:
    return {"startArrow": start, "endArrow": end}


def _half(mark: str) -> tuple[tuple[str, Arrow], ...]:
    r"""The half arrows of a mark such as `|\`: solid, dashed, and both reversed."""
    back = {"|\\": "/|", "|/": "\\|", "\\\\": "//", "//": "\\\\"}[mark]
    return (
        (f"-{mark}", Arrow(MESSAGE, exact=False)),
        (f"--{mark}", Arrow(REPLY, exact=False)),
        (f"{back}-", Arrow(MESSAGE, _ends("triangle", "none"), exact=False)),
        (f"{back}--", Arrow(REPLY, _ends("triangle", "none"), exact=False)),
    )


ARROWS: Mapping[str, Arrow] = MappingProxyType(
    {
        "->>": Arrow(MESSAGE),
        "-->>": Arrow(REPLY),
        "->": Arrow(MESSAGE, _ends("none", "none")),
        "-->": Arrow(REPLY, _ends("none", "none")),
        "-x": Arrow(MESSAGE, _ends("none", "bar"), exact=False),
        "--x": Arrow(REPLY, _ends("none", "bar"), exact=False),
        "-)": Arrow(ASYNC),
        "--)": Arrow(ASYNC, style=DASH),
        "<<->>": Arrow(MESSAGE, _ends("triangle", "triangle")),
        "<<-->>": Arrow(REPLY, _ends("triangle", "triangle")),
        **dict(_half("|\\")),
        **dict(_half("|/")),
        **dict(_half("\\\\")),
        **dict(_half("//")),
    }
)
ARROW = re.compile("|".join(re.escape(mark) for mark in sorted(ARROWS, key=len, reverse=True)), re.IGNORECASE)
