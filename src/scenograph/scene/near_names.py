# ruff: noqa: PLC0415 (most processes compare no names)
"""The probable meaning of a misspelt name.

Names are compared without case and separators, then by edit distance with swaps (Damerau 1964, the restricted form), in
British and American spelling alike. Another tool's word for a name precedes all similar names. Without a near name, a
part ("spacing" for nodeSpacing, "x" for layout.x) or initials may match. The work is bounded: a `NameBudget` of
characters, shared by many look-ups, runs out instead of growing with errors times names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass, field

# Words of other tools and of everyday speech for the names of the format: candidates for an unknown name. They are
# written in the form of comparison: in American spelling, without case, hyphens, underscores and spaces.
_SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "*": ("many",),
        "0..*": ("zero-or-many",),
        "0..1": ("zero-or-one",),
        "0..n": ("zero-or-many",),
        "1": ("one",),
        "1..*": ("one-or-many",),
        "1..1": ("one",),
        "1..n": ("one-or-many",),
        "activity": ("workflow",),
        "activitydiagram": ("workflow",),
        "addedge": ("createEdge",),
        "addframe": ("createFrame",),
        "addnode": ("createNode",),
        "alpha": ("opacity",),
        "arrow": ("endpoints.endArrow", "endArrow", "triangle", "edge"),
        "arrowhead": ("endpoints.endArrow", "endArrow", "triangle"),
        "arrowtype": ("endpoints.endArrow", "endArrow"),
        "association": ("edge",),
        "background": ("fill",),
        "backgroundcolor": ("fill", "background"),
        "bendpoints": ("waypoints",),
        "bezier": ("curved",),
        "bgcolor": ("fill", "background"),
        "block": ("triangle",),
        "bold": ("fontWeight",),
        "border": ("stroke",),
        "bordercolor": ("stroke", "nodeStroke"),
        "borderradius": ("cornerRadius",),
        "borderstyle": ("dash",),
        "borderwidth": ("strokeWidth",),
        "bottomtotop": ("BT",),
        "box": ("rect", "node"),
        "bpmn": ("workflow",),
        "c4": ("architecture",),
        "caption": ("label", "title", "content"),
        "cells": ("elements",),
        "circle": ("ellipse",),
        "class": ("architecture", "uml.class", "style"),
        "classdiagram": ("architecture",),
        "classes": ("style",),
        "classic": ("triangle",),
        "cluster": ("frame", "generic"),
        "color": ("textColor", "background"),
        "comment": ("text",),
        "connection": ("edge",),
        "connector": ("edge",),
        "container": ("frame",),
        "contains": ("children",),
        "cube": ("box3d",),
        "curve": ("router", "curved"),
        "dagre": ("hierarchical",),
        "dashed": ("dash",),
        "dashpattern": ("dash",),
        "database": ("cylinder",),
        "datatype": ("type",),
        "default": ("clean",),
        "deployment": ("architecture",),
        "direct": ("straight",),
        "directed": ("endpoints.endArrow", "endArrow"),
        "document": ("rect",),
        "dot": ("circle",),
        "down": ("TB",),
        "edgecolor": ("edgeStroke",),
        "edgestyle": ("router",),
        "elbow": ("orthogonal",),
        "element": ("elementId",),
        "elements": ("children",),
        "elk": ("hierarchical",),
        "end": ("to",),
        "engine": ("algorithm",),
        "entity": ("node",),
        "erd": ("entityRelationship",),
        "erdiagram": ("entityRelationship",),
        "filled": ("triangle",),
        "filleddiamond": ("diamond",),
        "fixed": ("absolute",),
        "flowchart": ("workflow",),
        "foreign": ("fk",),
        "foreignkey": ("fk",),
        "h": ("height",),
        "handdrawn": ("sketch",),
        "hcyl": ("tube",),
        "horizontal": ("LR", "x"),
        "horizontalcylinder": ("tube",),
        "id": ("elementId",),
        "infrastructure": ("network",),
        "items": ("children", "elements"),
        "label": ("text",),
        "layered": ("hierarchical",),
        "left": ("RL", "x", "start"),
        "lefttoright": ("LR",),
        "light": ("clean",),
        "line": ("straight", "edge"),
        "linecolor": ("stroke", "edgeStroke"),
        "linestyle": ("dash",),
        "linewidth": ("strokeWidth",),
        "link": ("edge",),
        "manhattan": ("orthogonal",),
        "manual": ("absolute",),
        "markerend": ("endpoints.endArrow", "endArrow"),
        "markerstart": ("endpoints.startArrow", "startArrow"),
        "members": ("children",),
        "middle": ("center",),
        "n": ("many",),
        "node": ("elementId",),
        "nodecolor": ("nodeFill",),
        "nodes": ("children", "elements"),
        "normal": ("triangle",),
        "open": ("triangle",),
        "organic": ("forceDirected",),
        "organizationchart": ("orgchart",),
        "orgdiagram": ("orgchart",),
        "ortho": ("orthogonal",),
        "outline": ("stroke",),
        "oval": ("ellipse", "circle"),
        "penwidth": ("strokeWidth",),
        "picture": ("image",),
        "pipe": ("tube",),
        "points": ("waypoints",),
        "pos": ("layout",),
        "position": ("layout", "relation"),
        "primary": ("pk",),
        "primarycolor": ("accentPrimary",),
        "primarykey": ("pk",),
        "process": ("workflow", "rect"),
        "queue": ("tube",),
        "rankdir": ("direction",),
        "rectangle": ("rect", "node"),
        "relation": ("edge",),
        "relationship": ("edge",),
        "relativeto": ("target",),
        "rhombus": ("diamond",),
        "right": ("LR",),
        "rightangle": ("orthogonal",),
        "righttoleft": ("RL",),
        "rounded": ("cornerRadius", "roundedRect"),
        "routing": ("router",),
        "rx": ("cornerRadius",),
        "shape": ("node",),
        "shapes": ("elements",),
        "smooth": ("curved",),
        "source": ("from",),
        "spline": ("curved",),
        "spring": ("forceDirected",),
        "sqltable": ("rect",),
        "square": ("rect",),
        "stadium": ("pill",),
        "start": ("from",),
        "state": ("workflow", "state.state"),
        "statechart": ("workflow",),
        "statediagram": ("workflow",),
        "statemachine": ("workflow",),
        "step": ("orthogonal",),
        "storeddata": ("tube",),
        "strokedash": ("dash",),
        "strokedasharray": ("dash",),
        "strokestyle": ("dash",),
        "subgraph": ("frame", "generic"),
        "subroutine": ("rect",),
        "swimlane": ("lane", "frame"),
        "target": ("to",),
        "td": ("TB",),
        "tee": ("bar",),
        "text": ("label", "title", "content", "text"),
        "textcolor": ("foreground",),
        "thickness": ("strokeWidth",),
        "title": ("label",),
        "top": ("y", "start"),
        "topbottom": ("TB",),
        "topdown": ("TB",),
        "toptobottom": ("TB",),
        "trapezoid": ("hexagon",),
        "tree": ("hierarchical",),
        "type": ("algorithm",),
        "uml": ("architecture",),
        "up": ("BT",),
        "usecase": ("architecture",),
        "value": ("label",),
        "vee": ("triangle",),
        "vertex": ("node",),
        "vertical": ("TB", "y"),
        "vertices": ("waypoints",),
        "w": ("width",),
        "wireframe": ("uiflow",),
        "zone": ("boundary", "frame"),
    }
)

_CLASSES = ("architecture", "Classes are nodes of type uml.class there, with edges such as uml.inherits.")
_STATES = ("workflow", "States are nodes of type state.state there, with edges of type state.transition.")
# Additional hints where a family is meant by the name of a notation without its own family.
NOTATIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "class": _CLASSES,
        "classdiagram": _CLASSES,
        "uml": _CLASSES,
        "state": _STATES,
        "statediagram": _STATES,
        "statemachine": _STATES,
        "statechart": _STATES,
    }
)


LONGEST = 48  # longer names are not compared by letters
CHARACTERS = 1_000_000
_LEAST_MISSPELT = 5  # letters; a shorter word is easily another word
LEAST_PART = 3  # letters of a part in place of the whole
_SPELLINGS = (("colour", "color"), ("centre", "center"), ("grey", "gray"), ("isation", "ization"), ("labell", "label"))
# The cost of a step for each name, as an equivalent number of compared characters.
_HEAD = 12  # passed to the distance, or compared at both ends
_ENTRY = 40  # prepared, or reported
_PARTED = 200  # for the initials


@dataclass(slots=True)
class NameBudget:
    """The remaining characters of names to compare, and the prepared lists of names. Lists are cached by identity and
    must not change."""

    left: int = CHARACTERS
    _known: dict[int, _Known] = field(default_factory=dict[int, "_Known"])

    def known(self, names: Sequence[str]) -> _Known | None:
        """The prepared names; None when the budget does not suffice."""
        found = self._known.get(id(names))
        if found is None and self.spend(_ENTRY * len(names)) and self.spend(sum(map(len, names))):
            found = self._known[id(names)] = _Known(names)
        return found

    def spend(self, characters: int) -> bool:
        """Spend characters; whether the budget sufficed."""
        if characters > self.left:
            self.left = 0
        else:
            self.left -= characters
        return self.left > 0


class _Known:
    """Names prepared for comparison: `folded` in order, and the first position of each."""

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

    def within(self, reach: int, wanted: str, budget: NameBudget) -> list[tuple[int, int]]:
        """(edits, position) of the names within `reach` of a folded name, as far as the budget allows."""
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


def nearest(name: str, names: Sequence[str], budget: NameBudget, not_meant: frozenset[str] = frozenset()) -> str | None:
    """The nearest of `names` outside `not_meant`, or None."""
    found = nearest_few(name, names, 1 + len(not_meant), budget)
    return next((each for each in found if each not in not_meant), None)


def notation(name: str, suggested: str) -> str:
    """The suggested family's way of drawing the notation `name`; empty for other names."""
    family, how = NOTATIONS.get(_folded(name), ("", ""))
    return f" {how}" if family == suggested else ""


def misspelt(name: str, names: Sequence[str], budget: NameBudget, most: int | None = None) -> str | None:
    """The first of `names` within few edits of `name`, at most `most`, or None. No other similarity counts, and a short
    word is a misspelling only by case or separators."""
    known = budget.known(names) if len(name) <= LONGEST else None
    if known is None:
        return None
    wanted = _folded(name)
    place = known.place.get(wanted)
    if place is None and len(name) >= _LEAST_MISSPELT:
        reach = _reach(name) if most is None else min(most, _reach(name))
        place = min((place for _, place in known.within(reach, wanted, budget)), default=None)
    return None if place is None else names[place]


def nearest_few(name: str, names: Sequence[str], most: int, budget: NameBudget) -> tuple[str, ...]:
    """Up to `most` near names, nearest first; ties keep the order of `names`."""
    known = budget.known(names) if 0 < len(name) <= LONGEST and budget.left > 0 else None
    if known is None:
        return ()
    wanted = _folded(name)
    said = (place for word in _SYNONYMS.get(wanted, ()) if (place := known.own_place.get(word)) is not None)
    meant = [names[place] for place in sorted(said) if names[place] != name]
    ranked = [
        (edits, place)
        for edits, place in known.within(_reach(name), wanted, budget)
        if names[place] != name and edits * 2 < max(len(name), len(names[place]))
    ]
    near = sorted(ranked) or _related(name, wanted, known, budget)
    return tuple(dict.fromkeys((*meant, *(names[place] for _, place in near))))[:most]


def _related(name: str, wanted: str, known: _Known, budget: NameBudget) -> list[tuple[int, int]]:
    """(kinship, position) of names related without resemblance, the surest first."""
    if not budget.spend(_HEAD * len(known.folded)):
        return []
    found: dict[int, int] = {}
    tail, words = wanted.rpartition(".")[2], _SYNONYMS.get(wanted, ())
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
    """The edit distance at which names are unrelated: 1, from six letters 2, from nine 3."""
    return min(max(len(name) // 3, 1), 3)


def _all_folded(names: Sequence[str]) -> list[str]:
    """Every name folded, in a single pass if no name contains a line break."""
    folded = _folded("\n".join(names)).split("\n")
    return folded if len(folded) == len(names) else [_folded(name) for name in names]


def _folded(name: str) -> str:
    folded = name.casefold().replace("-", "").replace("_", "").replace(" ", "")
    for british, american in _SPELLINGS:
        folded = folded.replace(british, american)
    return folded
