"""The known name that a misspelt one most likely meant.

Names are compared first without case and separators, then by edit distance with swaps (Damerau 1964, the restricted
form), in British and American spelling alike. A word of another tool for a name comes before all that resembles it.
Where none is near, a part ("spacing" for nodeSpacing, "x" for layout.x) or the initials may say what was meant. The
work is bounded: a `Budget` of characters, shared by many look-ups, runs out instead of growing with errors times names.
"""

# ruff: noqa: PLC0415 (most processes compare no names)

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.synonyms import NOTATIONS, SYNONYMS

LONGEST = 48  # longer names are not compared letter by letter
CHARACTERS = 1_000_000
LEAST_MISSPELT = 5  # letters; a shorter word is easily another word
LEAST_PART = 3  # letters of a part that stands for the whole
_SPELLINGS = (("colour", "color"), ("centre", "center"), ("grey", "gray"), ("isation", "ization"), ("labell", "label"))
# What is done once for each name takes as long as comparing so many characters.
_HEAD = 12  # that are passed to the distance, or of which the ends are looked at
_ENTRY = 40  # that are made ready, or reported
_PARTED = 200  # of which the initials are taken


@dataclass(slots=True)
class Budget:
    """How many characters of names may still be looked at, and the lists of names that were made ready. A list counts
    as known while it is the same object: it must not change."""

    left: int = CHARACTERS
    _known: dict[int, _Known] = field(default_factory=dict[int, "_Known"])

    def known(self, names: Sequence[str]) -> _Known | None:
        """The names made ready to be compared; None where nothing is left for that."""
        found = self._known.get(id(names))
        if found is None and self.spend(_ENTRY * len(names)) and self.spend(sum(map(len, names))):
            found = self._known[id(names)] = _Known(names)
        return found

    def spend(self, characters: int) -> bool:
        """Whether so many characters may be looked at; they count as looked at then."""
        if characters > self.left:
            self.left = 0
        else:
            self.left -= characters
        return self.left > 0


class _Known:
    """Names as they are compared: `folded` ones in their order, and the first place of each."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.folded = _all_folded(names)
        self.place = {name: place for place, name in reversed([*enumerate(self.folded)])}
        self.own_place = {name: place for place, name in reversed([*enumerate(names)])}
        self.tails = [
            (place, name.rpartition(".")[2], names[place].rpartition(".")[2])
            for place, name in enumerate(self.folded)
            if "." in name
        ]
        self._by_length: dict[int, tuple[list[int], list[str]]] = {}
        for place, name in enumerate(self.folded):
            places, alike = self._by_length.setdefault(len(name), ([], []))
            places.append(place)
            alike.append(name)

    def within(self, reach: int, wanted: str, budget: Budget) -> list[tuple[int, int]]:
        """(edits, place) of the names that are so near to a folded one, as far as the budget goes."""
        from rapidfuzz.distance.OSA import distance
        from rapidfuzz.process import extract

        near: list[tuple[int, int]] = []
        for length in sorted(range(len(wanted) - reach, len(wanted) + reach + 1), key=lambda n: abs(n - len(wanted))):
            places, alike = self._by_length.get(length, ((), ()))
            if not alike or not budget.spend((length + _HEAD) * len(alike)):
                continue
            found = extract(wanted, alike, scorer=distance, score_cutoff=reach, limit=None)
            budget.spend(_ENTRY * len(found))
            near += [(int(edits), places[index]) for _, edits, index in found]
        return near


def nearest(name: str, names: Sequence[str], budget: Budget, not_meant: frozenset[str] = frozenset()) -> str | None:
    """The nearest of `names` that is not among `not_meant`, or None when none is near."""
    found = nearest_few(name, names, 1 + len(not_meant), budget)
    return next((each for each in found if each not in not_meant), None)


def notation(name: str, suggested: str) -> str:
    """How the notation that `name` stands for is drawn in the family that was suggested for it; empty for others."""
    family, how = NOTATIONS.get(_folded(name), ("", ""))
    return f" {how}" if family == suggested else ""


def misspelt(name: str, names: Sequence[str], budget: Budget, most: int | None = None) -> str | None:
    """The first of `names` that differs from `name` by few letters, at most by `most`, or None; no other kinship
    counts, and a short word is a misspelling only by its case or its separators."""
    known = budget.known(names) if len(name) <= LONGEST else None
    if known is None:
        return None
    wanted = _folded(name)
    place = known.place.get(wanted)
    if place is None and len(name) >= LEAST_MISSPELT:
        reach = _reach(name) if most is None else min(most, _reach(name))
        place = min((place for _, place in known.within(reach, wanted, budget)), default=None)
    return None if place is None else names[place]


def nearest_few(name: str, names: Sequence[str], most: int, budget: Budget) -> tuple[str, ...]:
    """Up to `most` near names, nearest first; ties keep the order of `names`."""
    known = budget.known(names) if 0 < len(name) <= LONGEST and budget.left > 0 else None
    if known is None:
        return ()
    wanted = _folded(name)
    said = (place for word in SYNONYMS.get(wanted, ()) if (place := known.own_place.get(word)) is not None)
    meant = [names[place] for place in sorted(said) if names[place] != name]
    ranked = [
        (edits, place)
        for edits, place in known.within(_reach(name), wanted, budget)
        if names[place] != name and edits * 2 < max(len(name), len(names[place]))
    ]
    near = sorted(ranked) or _related(name, wanted, known, budget)
    return tuple(dict.fromkeys((*meant, *(names[place] for _, place in near))))[:most]


def _related(name: str, wanted: str, known: _Known, budget: Budget) -> list[tuple[int, int]]:
    """(kinship, place) of the names for which one that it does not resemble may stand, the surest first."""
    if not budget.spend(_HEAD * len(known.folded)):
        return []
    found: dict[int, int] = {}
    tail, words = wanted.rpartition(".")[2], SYNONYMS.get(wanted, ())
    for place, folded_tail, own_tail in known.tails:
        if folded_tail == tail or own_tail in words:
            found[place] = 0 if folded_tail == tail else 1
    if len(wanted) < LEAST_PART:
        if len(wanted) > 1 and budget.spend(_PARTED * len(known.names)):
            alike = (place for place, each in enumerate(known.names) if _initials(each) == wanted)
            found = {**dict.fromkeys(alike, 2), **found}
    else:
        parts = [place for place, each in enumerate(known.folded) if each.startswith(wanted) or each.endswith(wanted)]
        starts = (known.place.get(wanted[:length]) for length in range(LEAST_PART + 1, len(wanted)))
        budget.spend(_ENTRY * len(parts))
        found = {
            **dict.fromkeys((place for place in starts if place is not None), 4),
            **dict.fromkeys(parts, 3),
            **found,
        }
    return sorted((kinship, place) for place, kinship in found.items() if known.names[place] != name)


def _initials(name: str) -> str:
    firsts = (here for before, here in pairwise(f" {name}") if before in " -_" or here.isupper())
    return "".join(firsts).lower()


def _reach(name: str) -> int:
    """Edits after which a name is another: 1, from six letters on 2, from nine on 3."""
    return min(max(len(name) // 3, 1), 3)


def _all_folded(names: Sequence[str]) -> list[str]:
    """Every name folded, in one go where no name breaks a line."""
    folded = _folded("\n".join(names)).split("\n")
    return folded if len(folded) == len(names) else [_folded(name) for name in names]


def _folded(name: str) -> str:
    folded = name.casefold().replace("-", "").replace("_", "").replace(" ", "")
    for british, american in _SPELLINGS:
        folded = folded.replace(british, american)
    return folded
