"""Ids are unique and names refer to something: elements, styles, assets, constraints (R-VALID-5, R-VALID-8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from scenograph.diagnostics import (
    ASSET_NOT_FOUND,
    CONSTRAINT_ELEMENT_NOT_FOUND,
    DUPLICATE_CONSTRAINT_ID,
    DUPLICATE_ID,
    STYLE_NOT_FOUND,
    UNKNOWN_EDGE_TYPE,
    UNKNOWN_NODE_TYPE,
    Code,
)
from scenograph.scene.description.elements import KINDS
from scenograph.scene.description.fields import Problem, choices
from scenograph.scene.document_index import DocumentIndex, IndexEntry
from scenograph.scene.json_values import JsonObject, is_array, listed, member, object_at, pointer, shown
from scenograph.scene.limits import Limits
from scenograph.scene.near_names import NameBudget, misspelt, nearest
from scenograph.scene.rules.relative_layouts import BOXLESS_KINDS
from scenograph.scene.vocabulary import DEFAULT_EDGE_TYPE, EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES

# Node and edge types unknown to the families (R-VALID-9). A value with a prefix is in the tables or a mistake. A
# value without prefix is free text, unless near a known name: a misspelling, a family's name without the prefix, or a
# product with an icon.


_PREFIXED = re.compile(r"\w+\.\S+")


def node_types_are_known(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A node type of the tables, or free text unlike any of them."""
    types = _Types(NODE_TYPES, GENERIC_NODE_TYPES)
    product = limits.icons.product if limits.icons else None
    for node in (*index.of_kind("node"), *index.legend_entries()):
        yield from _problem(node, "nodeType", UNKNOWN_NODE_TYPE, types, product)


def edge_types_are_known(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An edge type of the tables, or free text unlike any of them."""
    types = _Types(EDGE_TYPES, (DEFAULT_EDGE_TYPE,))
    for edge in (*index.of_kind("edge"), *index.legend_entries()):
        yield from _problem(edge, "edgeType", UNKNOWN_EDGE_TYPE, types, None)


class _Guess(NamedTuple):
    """The nearest known name, and all permitted names."""

    nearest: str | None
    known: tuple[str, ...]


class _Types:
    """The types of a kind of element: under the prefixes of families, and plain."""

    def __init__(self, families: Mapping[str, tuple[str, ...]], plain: tuple[str, ...]) -> None:
        self._families = families
        self._plain = plain
        self._prefixed = tuple(chain.from_iterable(families.values()))
        self._all = frozenset((*self._prefixed, *plain))
        # A name shared by two families means the first family's type.
        self._by_tail = {name.partition(".")[2].casefold(): name for name in reversed(self._prefixed)}
        self._tails = tuple(self._by_tail)
        self._by_plain = {name.casefold(): name for name in plain}
        self._budget = NameBudget()

    def guess(self, name: str, product: Callable[[str], str | None] | None) -> _Guess | None:
        """The probable meaning of an unknown name; None for a known name or free text."""
        if name in self._all or name in KINDS:
            return None
        if _PREFIXED.fullmatch(name):
            known = self._families.get(name.partition(".")[0], self._prefixed)
            near = nearest(name, known, self._budget)
            plain = None if near else misspelt(name.partition(".")[2], self._plain, self._budget)
            return _Guess(near, known) if plain is None else _Guess(plain, (plain, *known))
        near = self._by_plain.get(name.casefold()) or self._by_tail.get(name.casefold())
        near = near or misspelt(name, self._plain, self._budget)
        near = near or self._by_tail.get(misspelt(name, self._tails, self._budget, most=1) or "")
        near = near or (product(name) if product else None)
        return _Guess(near, (*self._plain, *self._prefixed)) if near else None


def _problem(
    entry: IndexEntry, field: str, code: Code, types: _Types, product: Callable[[str], str | None] | None
) -> Iterator[Problem]:
    name = entry.members.get(field)
    guess = types.guess(name, product) if isinstance(name, str) else None
    if guess is None:
        return
    # The nearest name comes first: shortening a long list never drops it.
    near = guess.nearest if guess.nearest in guess.known else None
    known = (near, *(each for each in guess.known if each != near)) if near else guess.known
    data = choices(known) | ({"suggestion": guess.nearest} if guess.nearest else {})
    yield Problem(entry.at(field), code, {"type": shown(name), "hint": _hint(guess), "allowed": listed(known)}, data)


def _hint(guess: _Guess) -> str:
    if guess.nearest is None:
        return ""
    if guess.nearest not in guess.known:
        return f" There is an icon '{guess.nearest}': write it as 'icon'."
    return f" Did you mean '{guess.nearest}'?"


def element_ids_are_unique(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Element ids are unique: a remark for each id, with every place."""
    for element_id, indexes in index.repeated.items():
        paths = [pointer("elements", position, "id") for position in indexes]
        yield Problem(paths[1], DUPLICATE_ID, {"id": shown(element_id), "count": len(paths)}, {"paths": paths})


def constraint_ids_are_unique(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Constraint ids are unique: a remark for each id, with every place."""
    places: dict[str, list[str]] = {}
    for position, constraint in index.constraints():
        constraint_id = constraint.get("id")
        if isinstance(constraint_id, str):
            places.setdefault(constraint_id, []).append(pointer("constraints", position, "id"))
    for constraint_id, paths in places.items():
        if len(paths) > 1:
            holes = {"id": shown(constraint_id), "count": len(paths)}
            yield Problem(paths[1], DUPLICATE_CONSTRAINT_ID, holes, {"paths": paths})


def styles_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A style named by an element or by the legend is in `styles`."""
    known = index.names_in("styles")
    lookup = frozenset(known)
    for kind, members in object_at(index.document, "defaults").items():
        name = member(members, "style")
        if isinstance(name, str) and name not in lookup:
            holes = {"style": shown(name), "id": f"the defaults of every {kind}"}
            yield Problem(pointer("defaults", kind, "style"), STYLE_NOT_FOUND, holes, None, (name, known))
    for entry in (*index.entries, *index.legend_entries()):
        name = entry.members.get("style")
        if isinstance(name, str) and name not in lookup:
            holes = {"style": shown(name), "id": shown(entry.id) if entry.kind else entry.id}
            yield Problem(entry.at("style"), STYLE_NOT_FOUND, holes, None, (name, known))


def assets_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An asset named by an image is in `assets`."""
    known = index.names_in("assets")
    lookup = frozenset(known)
    for image in index.of_kind("image"):
        name = image.members.get("assetId")
        if isinstance(name, str) and name not in lookup:
            holes = {"asset": shown(name), "id": shown(image.id)}
            yield Problem(image.at("assetId"), ASSET_NOT_FOUND, holes, None, (name, known))


def constraints_name_elements(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A constraint names existing elements with a box."""
    for position, constraint in index.constraints():
        listed = frozenset(element_id for _, element_id in named_by_constraint(constraint))
        for path, element_id in named_by_constraint(constraint):
            entry = index.by_id.get(element_id)
            if entry is None or entry.kind in BOXLESS_KINDS:
                holes = {"constraint": shown(constraint.get("id")), "id": shown(element_id)}
                place = pointer("constraints", position) + path
                near = (element_id, index.ids)
                yield Problem(place, CONSTRAINT_ELEMENT_NOT_FOUND, holes, None, near, listed)


def named_by_constraint(constraint: JsonObject) -> Iterator[tuple[str, str]]:
    """(pointer within the constraint, element id) of all named elements."""
    elements = constraint.get("elements")
    for position, element_id in enumerate(elements if is_array(elements) else ()):
        if isinstance(element_id, str):
            yield pointer("elements", position), element_id
    container = constraint.get("container")
    if isinstance(container, str):
        yield "/container", container
