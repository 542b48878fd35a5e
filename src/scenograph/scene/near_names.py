"""The known name that a misspelt one most likely meant.

Names are compared first without case and separators, then by edit distance with swaps (Damerau 1964, the restricted
form), in British and American spelling alike. A word of another tool for a name comes before all that resembles it.
Where none is near, a part ("spacing" for nodeSpacing, "x" for layout.x) or the initials may say what was meant. The
work is bounded: a `Budget` shared by many look-ups runs out instead of growing with errors times names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scenograph.late_dataclasses import dataclass
from scenograph.scene.synonyms import NOTATIONS, SYNONYMS

LONGEST = 48  # longer names are not compared letter by letter
COMPARISONS = 10_000
GLANCES = 200_000  # names passed by for their length alone
LEAST_MISSPELT = 5  # letters; a shorter word is easily another word
LEAST_PART = 3  # letters of a part that stands for the whole
_SPELLINGS = (("colour", "color"), ("centre", "center"), ("grey", "gray"), ("isation", "ization"), ("labell", "label"))


@dataclass(slots=True)
class Budget:
    """How many comparisons, and how many names to pass by, are left."""

    left: int = COMPARISONS
    glances: int = GLANCES


def nearest(name: str, names: Sequence[str], budget: Budget, not_meant: frozenset[str] = frozenset()) -> str | None:
    """The nearest of `names` that is not among `not_meant`, or None when none is near."""
    found = nearest_few(name, names, 1 + len(not_meant), budget)
    return next((each for each in found if each not in not_meant), None)


def notation(name: str, suggested: str) -> str:
    """How the notation that `name` stands for is drawn in the family that was suggested for it; empty for others."""
    family, how = NOTATIONS.get(_folded(name), ("", ""))
    return f" {how}" if family == suggested else ""


def misspelt(name: str, names: Sequence[str], budget: Budget, most: int | None = None) -> str | None:
    """The one of `names` that differs from `name` by few letters, at most by `most`, or None; no other kinship counts,
    and a short word is a misspelling only by its case or its separators."""
    same_letters = next((each for each in names if _folded(each) == _folded(name)), None)
    if same_letters is not None or not LEAST_MISSPELT <= len(name) <= LONGEST:
        return same_letters
    for candidate in names:
        if budget.left <= 0:
            break
        reach = _reach(name) if most is None else min(most, _reach(name))
        if abs(len(candidate) - len(name)) <= reach:
            budget.left -= 1
            if _distance(_folded(name), _folded(candidate), reach) <= reach:
                return candidate
    return None


def nearest_few(name: str, names: Sequence[str], most: int, budget: Budget) -> tuple[str, ...]:
    """Up to `most` near names, nearest first; ties keep the order of `names`."""
    if not 0 < len(name) <= LONGEST or min(budget.left, budget.glances) <= 0:
        return ()
    wanted, reach = _folded(name), _reach(name)
    meant: list[str] = []
    ranked: list[tuple[int, int, str]] = []
    related: list[tuple[int, int, str]] = []
    for index, candidate in enumerate(names):
        budget.glances -= 1
        if budget.glances < 0:
            break
        if candidate == name:
            continue
        if candidate in SYNONYMS.get(wanted, ()):
            meant.append(candidate)
        if not ranked and (kinship := _kinship(wanted, candidate)) is not None:
            related.append((kinship, index, candidate))
        if abs(len(candidate) - len(name)) > reach + 2:
            continue
        budget.left -= 1
        if budget.left < 0:
            break
        distance = _distance(wanted, _folded(candidate), reach)
        if distance <= reach and distance * 2 < max(len(name), len(candidate)):
            ranked.append((distance, index, candidate))
    near = sorted(ranked or related)
    return tuple(dict.fromkeys((*meant, *(candidate for _, _, candidate in near))))[:most]


def _kinship(wanted: str, candidate: str) -> int | None:
    """How a name may stand for another that it does not resemble, the surest first; None when it does not."""
    folded = _folded(candidate)
    tail = folded.rpartition(".")[2]
    if tail != folded and wanted.rpartition(".")[2] == tail:
        return 0
    if tail != folded and candidate.rpartition(".")[2] in SYNONYMS.get(wanted, ()):
        return 1
    if len(wanted) < LEAST_PART:
        return 2 if len(wanted) > 1 and wanted == _initials(candidate) else None
    if folded.startswith(wanted) or folded.endswith(wanted):
        return 3
    return 4 if len(folded) > LEAST_PART and wanted.startswith(folded) else None


def _initials(name: str) -> str:
    firsts = (here for before, here in pairwise(f" {name}") if before in " -_" or here.isupper())
    return "".join(firsts).lower()


def _reach(name: str) -> int:
    return min(max(len(name) // 3, 1), 3)


def _folded(name: str) -> str:
    folded = name.casefold().replace("-", "").replace("_", "").replace(" ", "")
    for british, american in _SPELLINGS:
        folded = folded.replace(british, american)
    return folded


def _distance(one: str, other: str, reach: int) -> int:
    """Edits from one to the other; some number above `reach` as soon as it must be above."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > reach:
        return reach + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, counterpart in enumerate(other, 1):
            edits = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != counterpart))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == counterpart:
                edits = min(edits, earlier[j - 2] + 1)
            row.append(edits)
        if min(row) > reach:
            return reach + 1
    return row[-1]
