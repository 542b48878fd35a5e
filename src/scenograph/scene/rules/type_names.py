"""Node and edge types that the families do not know (R-VALID-9).

A value with a prefix is one of the tables' or a mistake. One without is free text, unless it is near a known name: a
misspelling, a family's name with the prefix left out, or a product that has an icon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from scenograph.diagnostics import UNKNOWN_EDGE_TYPE, UNKNOWN_NODE_TYPE, Code
from scenograph.scene.document_index import DocumentIndex, IndexEntry
from scenograph.scene.element_fields import KINDS
from scenograph.scene.fields import Problem, choices
from scenograph.scene.json_values import listed, shown
from scenograph.scene.limits import Limits
from scenograph.scene.near_names import Budget, misspelt, nearest
from scenograph.scene.vocabulary import DEFAULT_EDGE_TYPE, EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES

_PREFIXED = re.compile(r"\w+\.\S+")


def node_types_are_known(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A type of the tables, or free text that is near none of them."""
    types = _Types(NODE_TYPES, GENERIC_NODE_TYPES)
    product = limits.icons.product if limits.icons else None
    for node in index.of_kind("node"):
        yield from _problem(node, "nodeType", UNKNOWN_NODE_TYPE, types, product)


def edge_types_are_known(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A type of the tables, or free text that is near none of them."""
    types = _Types(EDGE_TYPES, (DEFAULT_EDGE_TYPE,))
    for edge in index.of_kind("edge"):
        yield from _problem(edge, "edgeType", UNKNOWN_EDGE_TYPE, types, None)


class _Guess(NamedTuple):
    """The nearest known name, and all that may stand there."""

    nearest: str | None
    known: tuple[str, ...]


class _Types:
    """The types of a kind of element: those under the prefixes of families, and the plain ones."""

    def __init__(self, families: Mapping[str, tuple[str, ...]], plain: tuple[str, ...]) -> None:
        self._families = families
        self._plain = plain
        self._prefixed = tuple(chain.from_iterable(families.values()))
        self._all = frozenset((*self._prefixed, *plain))
        # Where two families share a name, the first one's is meant.
        self._by_tail = {name.partition(".")[2].casefold(): name for name in reversed(self._prefixed)}
        self._tails = tuple(self._by_tail)
        self._by_plain = {name.casefold(): name for name in plain}
        self._budget = Budget()

    def guess(self, name: str, product: Callable[[str], str | None] | None) -> _Guess | None:
        """What an unknown name may have meant; None when it is known or free text."""
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
    # The nearest name comes first, so that a long list is never cut before it.
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
