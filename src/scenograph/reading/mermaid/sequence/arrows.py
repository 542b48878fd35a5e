"""ARROWS: the marks between two participants, and the edges that they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.scene.json_values import JsonObject

MESSAGE, REPLY, ASYNC = "sequence.message", "sequence.reply", "sequence.async"
DASH: JsonObject = {"dash": [4, 4]}


class Arrow(NamedTuple):
    """An edge's type and what differs from it; `exact` is False where the head is drawn as another."""

    edge_type: str
    endpoints: JsonObject | None = None
    style: JsonObject | None = None
    exact: bool = True


def _ends(start: str, end: str) -> JsonObject:
    return {"startArrow": start, "endArrow": end}


def _half(mark: str) -> tuple[tuple[str, Arrow], ...]:
    """The half arrow of a mark such as `|\\`: solid, dashed, and the two that point back."""
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
