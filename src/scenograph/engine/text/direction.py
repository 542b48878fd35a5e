"""The Unicode bidirectional algorithm (UAX #9) for one line without explicit formatting characters.

In: a line in reading order, and whether its paragraph runs from right to left. Out: the embedding level of each
character (odd: right to left), and the order in which stretches of levels are seen. Rule names are those of the annex.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_STRONG_RIGHT = frozenset({"R", "AL"})
_AS_RIGHT = frozenset({"R", "EN", "AN"})  # numbers count as right to left beside neutral characters (N0, N1)
_NEUTRAL = frozenset({"B", "S", "WS", "ON"})
_IGNORED = frozenset({"BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_SPACES = frozenset({"WS", "S", "B"})
_BRACKETS = dict(zip("([{⟨〈《「『【〔（［｛｟⟦⟪", ")]}⟩〉》」』】〕）］｝｠⟧⟫", strict=True))
_CLOSING = frozenset(_BRACKETS.values())
_OPEN_BRACKETS = 63  # BD16: pairing stops when so many stand open


def has_right_to_left(text: str) -> bool:
    """Whether anything in `text` could run from right to left; without it nothing here need be asked."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def runs_right_to_left(text: str) -> bool:
    """The direction of a paragraph: that of its first strong letter (P2, P3)."""
    if not has_right_to_left(text):
        return False
    strong = (kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL"))
    return next(strong, "L") != "L"


def levels(text: str, *, right_to_left: bool) -> tuple[int, ...]:
    """The embedding level of each character of a line."""
    base = int(right_to_left)
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in text]
    kept = [at for at, kind in enumerate(kinds) if kind not in _IGNORED]
    line = [kinds[at] for at in kept]
    outer = "R" if base else "L"
    _resolve_weak(line, outer)
    _resolve_brackets([text[at] for at in kept], [kinds[at] for at in kept], line, outer)
    _resolve_neutral(line, outer)
    found = dict(zip(kept, (_level(kind, base) for kind in line), strict=True))
    row: list[int] = []
    for at in range(len(text)):
        row.append(found.get(at, row[-1] if row else base))
    end = len(text)
    while end and (kinds[end - 1] in _SPACES or kinds[end - 1] in _IGNORED):  # L1
        end -= 1
        row[end] = base
    return tuple(row)


def seen_order(levels_of_parts: Sequence[int]) -> list[int]:
    """The places of the parts from left to right (L2)."""
    order = list(range(len(levels_of_parts)))
    odd = [level for level in levels_of_parts if level % 2]
    for level in range(max(levels_of_parts, default=0), min(odd, default=1) - 1, -1):
        rows = [(deep, list(group)) for deep, group in groupby(order, key=lambda at: levels_of_parts[at] >= level)]
        order = [at for deep, group in rows for at in (reversed(group) if deep else group)]
    return order


def _level(kind: str, base: int) -> int:
    """I1, I2."""
    if kind == "R":
        return base | 1
    if kind == "L":
        return base + base % 2
    return base + 2 - base % 2


def _resolve_weak(line: list[str], outer: str) -> None:
    """W1 to W7, in place."""
    _resolve_marks_and_numbers(line, outer)
    for at in range(1, len(line) - 1):  # W4
        before, after = line[at - 1], line[at + 1]
        if before == after and ((line[at] == "ES" and before == "EN") or (line[at] == "CS" and before in ("EN", "AN"))):
            line[at] = before
    for start, end in _stretches(line, frozenset({"ET"})):  # W5
        beside = {line[at] for at in (start - 1, end) if 0 <= at < len(line)}
        if "EN" in beside:
            line[start:end] = ["EN"] * (end - start)
    strong = outer
    for at, kind in enumerate(line):  # W6, W7
        if kind in ("ES", "ET", "CS"):
            line[at] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            line[at] = "L"


def _resolve_marks_and_numbers(line: list[str], outer: str) -> None:
    """W1 to W3, in place; W3 is delayed until the last Arabic letter has been asked for."""
    strong, before = outer, outer
    for at, kind in enumerate(line):
        if kind == "NSM":
            line[at] = before
        elif kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            line[at] = "AN"
        before = line[at]
    line[:] = ["R" if kind == "AL" else kind for kind in line]


def _resolve_brackets(text: Sequence[str], kinds: Sequence[str], line: list[str], outer: str) -> None:
    """N0, in place: both brackets of a pair take the direction of what they hold, or of what stands before them."""
    for opening, closing in sorted(_pairs(text, line)):
        inside = {_direction(line[at]) for at in range(opening + 1, closing)} - {""}
        if not inside:
            continue
        direction = outer
        if outer not in inside:
            strong = (_direction(line[at]) for at in range(opening - 1, -1, -1))
            direction = next(filter(None, strong), outer)
        for bracket in (opening, closing):
            line[bracket] = direction
            after = bracket + 1
            while after < len(line) and kinds[after] == "NSM":
                line[after] = direction
                after += 1


def _pairs(text: Sequence[str], line: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Opening and closing places of matching brackets (BD16)."""
    open_ones: list[tuple[str, int]] = []
    for at, letter in enumerate(text):
        if line[at] != "ON":
            continue
        if letter in _BRACKETS:
            if len(open_ones) == _OPEN_BRACKETS:
                return
            open_ones.append((_BRACKETS[letter], at))
        elif letter in _CLOSING:
            depth = next((d for d in range(len(open_ones) - 1, -1, -1) if open_ones[d][0] == letter), None)
            if depth is not None:
                yield open_ones[depth][1], at
                del open_ones[depth:]


def _resolve_neutral(line: list[str], outer: str) -> None:
    """N1, N2, in place: neutral characters go with both their neighbours, or with the paragraph."""
    for start, end in _stretches(line, _NEUTRAL):
        before = _direction(line[start - 1]) if start else outer
        after = _direction(line[end]) if end < len(line) else outer
        line[start:end] = [before if before == after else outer] * (end - start)


def _direction(kind: str) -> str:
    if kind == "L":
        return "L"
    return "R" if kind in _AS_RIGHT else ""


def _stretches(line: Sequence[str], kinds: frozenset[str]) -> list[tuple[int, int]]:
    """Start and end of every stretch of `kinds`."""
    found: list[tuple[int, int]] = []
    start = 0
    for inside, group in groupby(line, key=lambda kind: kind in kinds):
        end = start + sum(1 for _ in group)
        if inside:
            found.append((start, end))
        start = end
    return found
