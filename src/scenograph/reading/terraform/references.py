"""The relations between resources, from the dependent to what it needs. A plan refers by the expressions of its
configuration, through variables and outputs of modules; a state names all that a resource depends on, also by way of
others, which is reduced to the direct relations (Aho, Garey, Ullman 1972). What is folded is led through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scenograph.reading.losses import Losses, Place, TooLarge, Unreadable
from scenograph.reading.terraform.looks import ATTACHED, FRAME_RANKS, OWNERS, PASSED, folding_of
from scenograph.reading.terraform.model import ROOT, BlockKey, Infrastructure, ResourceBlock, without_indexes
from scenograph.scene.json_values import JsonObject, is_array, is_object, member, object_at

MOST_STEPS = 200_000  # references that are followed
_MOST_CHAINED = 64  # references through variables and outputs
_LONGEST_REFERENCE = 500
_DATA = "data"
_RANKED = {name: rank for rank, name in enumerate(OWNERS)}
_NAME = re.compile(r"[\w-]{1,200}")

_Around = Sequence[Mapping[str, Any]]  # the configurations of the modules around a resource, its own last
Target = BlockKey | str
"""A block, or the address of a module."""


class _Reference(NamedTuple):
    """A reference: the attribute that holds it, "" for another place."""

    attribute: str
    target: Target


class TerraformReferences:
    """The references of all blocks, and the lines between drawn blocks. Unreadable beyond MOST_STEPS, TooLarge beyond
    `most` lines."""

    def __init__(self, found: Infrastructure, losses: Losses, most: int) -> None:
        self._found = found
        self._losses = losses
        self._most = most
        self._steps = 0
        self._locals = 0
        self._known: dict[tuple[str, str], tuple[Target, ...]] = {}
        self._open: set[tuple[str, str]] = set()
        self._all: dict[BlockKey, list[_Reference]] = {key: [] for key in found.blocks}
        self._owner: dict[BlockKey, Target] = {}
        self.folded: dict[BlockKey, str] = {}
        """Blocks that are not drawn, and how they are folded."""
        self.lines: dict[tuple[Target, Target], None] = {}

    def find(self) -> None:
        """Collect references, folded blocks and lines."""
        if self._found.configuration:
            self._declare_data(self._found.configuration, ROOT)
            self._read_module(self._found.configuration, (self._found.configuration,), ROOT)
        else:
            self._read_dependencies()
        for key, rows in self._all.items():
            how = PASSED if key.is_data else folding_of(key.type)
            if how == PASSED and (key.is_data or rows):
                self.folded[key] = how
            elif how == ATTACHED and rows:
                self.folded[key] = how
                self._owner[key] = min(rows, key=lambda one: _RANKED.get(one.attribute, len(_RANKED))).target
        for key in self._found.blocks:
            if key in self._owner:
                owner = self._owner[key]
                self._draw([owner], [one.target for one in self._all[key] if one.target != owner])
            elif key not in self.folded:
                self._draw([key], [one.target for one in self._all[key]])
        if self._locals:
            what = f"references through local values are not known ({self._locals})"
            self._losses.formless(Place(1, 1), what)

    def home(self, key: BlockKey) -> BlockKey | None:
        """The frame around a block: the innermost referenced frame of the same module, further out than the block's own
        rank, and without another of equal rank."""
        own = FRAME_RANKS.get(key.type, len(FRAME_RANKS))
        near = [one for one in self._led(one.target for one in self._all[key]) if isinstance(one, BlockKey)]
        frames = [one for one in near if one.type in FRAME_RANKS and one.module == key.module]
        ranks = sorted({FRAME_RANKS[one.type] for one in frames if FRAME_RANKS[one.type] < own}, reverse=True)
        for rank in ranks:
            inner = {one for one in frames if FRAME_RANKS[one.type] == rank}
            if len(inner) == 1:
                return inner.pop()
        return None

    def _draw(self, starts: Iterable[Target], ends: Iterable[Target]) -> None:
        targets = list(self._led(ends))
        for start in self._led(starts):
            for end in targets:
                self._step()
                if start != end and (start, end) not in self.lines:
                    if len(self.lines) >= self._most:
                        raise TooLarge(self._most)
                    self.lines[start, end] = None

    def _led(self, targets: Iterable[Target]) -> Iterator[Target]:
        """The drawn targets, and the drawn targets behind folded ones, each once."""
        waiting, seen = list(targets)[::-1], set[Target]()
        while waiting:
            self._step()
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if isinstance(one, str):
                if one in self._found.modules:
                    yield one
            elif one in self._owner:
                waiting.append(self._owner[one])
            elif one in self.folded:
                waiting += [row.target for row in self._all[one]][::-1]
            else:
                yield one

    # The configuration of a plan.

    def _declare_data(self, said: Mapping[str, Any], module: str) -> None:
        """Note the data of a module and those within: a plan's values lack what is known already."""
        for row in _rows(said):
            key = _key(row, module)
            if key is not None and key.is_data:
                self._all.setdefault(key, [])
        for address, inner in _modules(said, module):
            self._declare_data(inner, address)

    def _read_module(self, said: Mapping[str, Any], around: _Around, module: str) -> None:
        for row in _rows(said):
            key = _key(row, module)
            if key is not None and key in self._all:
                self._all[key] += self._of_resource(row, around, module)
        for address, inner in _modules(said, module):
            self._read_module(inner, (*around, inner), address)

    def _of_resource(self, row: Mapping[str, Any], around: _Around, module: str) -> list[_Reference]:
        found: dict[_Reference, None] = {}
        for attribute, expression in object_at(row, "expressions").items():
            for target in self._targets(expression, around, module):
                found[_Reference(attribute, target)] = None
        for name in ("count_expression", "for_each_expression"):
            for target in self._targets(row.get(name), around, module):
                found.setdefault(_Reference("", target))
        depends_on = row.get("depends_on")
        for one in depends_on if is_array(depends_on) else ():
            if isinstance(one, str):
                for target in self._named(one, around, module):
                    found.setdefault(_Reference("", target))
        named = {one.target for one in found if one.attribute}
        return [one for one in found if one.attribute or one.target not in named]

    def _targets(self, expression: object, around: _Around, module: str) -> Iterator[Target]:
        """The targets of an expression with those of the blocks in it."""
        self._step()
        if is_array(expression):
            for one in expression:
                yield from self._targets(one, around, module)
        elif is_object(expression):
            rows = expression.get("references")
            if is_array(rows):
                names = [one for one in rows if isinstance(one, str) and len(one) <= _LONGEST_REFERENCE]
                longer = {one.rpartition(".")[0] for one in names}
                for name in names:
                    if name not in longer or not name.startswith("module."):
                        yield from self._named(name, around, module)
                return
            for name, one in expression.items():
                if name != "constant_value":
                    yield from self._targets(one, around, module)

    def _named(self, name: str, around: _Around, module: str) -> Iterable[Target]:
        """What a reference in a module leads to."""
        self._step()
        at = (module, name)
        if at not in self._known:
            if at in self._open:
                return ()
            if len(self._open) >= _MOST_CHAINED:
                raise Unreadable(Place(1, 1), f"at most {_MOST_CHAINED} variables and outputs that lead to each other")
            self._open.add(at)
            self._known[at] = tuple(dict.fromkeys(self._looked_up(name, around, module)))
            self._open.remove(at)
        self._step(len(self._known[at]))
        return self._known[at]

    def _looked_up(self, name: str, around: _Around, module: str) -> Iterator[Target]:
        parts = without_indexes(name).split(".")
        if parts[0] == "local":
            self._locals += 1
        elif parts[0] == "var" and len(parts) > 1 and len(around) > 1:
            outer, own = _split(module)
            call = object_at(around[-2], "module_calls", own)
            yield from self._targets(member(call, "expressions", parts[1]), around[:-1], outer)
        elif parts[0] == "module" and len(parts) > 1:
            address = f"{module}.module.{parts[1]}" if module else f"module.{parts[1]}"
            inner = object_at(around[-1], "module_calls", parts[1], "module")
            if len(parts) == 2:
                yield address
            else:
                said = member(inner, "outputs", parts[2])
                yield from self._targets(member(said, "expression"), (*around, inner), address)
        else:
            is_data = parts[0] == _DATA
            kind, name, *_ = (*parts[is_data:], "", "")
            key = BlockKey(module, kind, name, is_data)
            if key in self._all:
                yield key

    # The dependencies of a state.

    def _read_dependencies(self) -> None:
        by_address = {key.address: key for key in self._found.blocks}
        by_id: dict[str, BlockKey] = {}
        for key, block in self._found.blocks.items():
            for one in block.ids():
                by_id.setdefault(one, key)
        needs = {key: self._depended_on(block, by_address) for key, block in self._found.blocks.items()}
        for key, targets in _reduced(needs, self._step).items():
            named = {by_id[value]: name for name, value in self._owners(self._found.blocks[key]) if value in by_id}
            self._all[key] = [_Reference(named.get(one, ""), one) for one in targets]

    def _depended_on(self, block: ResourceBlock, by_address: Mapping[str, BlockKey]) -> list[BlockKey]:
        found: dict[BlockKey, None] = {}
        for address in block.depends_on:
            self._step()
            inner = f"{block.key.module}.{address}" if block.key.module else address
            key = by_address.get(address) or by_address.get(inner)
            if key is not None and key != block.key:
                found[key] = None
        return list(found)

    @staticmethod
    def _owners(block: ResourceBlock) -> Iterator[tuple[str, str]]:
        for said in block.values[:1]:
            yield from ((name, value) for name in reversed(OWNERS) if isinstance(value := said.get(name), str))

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MOST_STEPS:
            raise Unreadable(Place(1, 1), f"a source of at most {MOST_STEPS} references to follow")


def _rows(said: Mapping[str, Any]) -> Iterator[JsonObject]:
    """The resources of a module's configuration."""
    rows = said.get("resources")
    yield from (row for row in (rows if is_array(rows) else ()) if is_object(row))


def _modules(said: Mapping[str, Any], module: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The addresses and configurations of the modules that a module calls."""
    for name, call in object_at(said, "module_calls").items():
        inner = object_at(call, "module")
        if inner and _NAME.fullmatch(name):
            yield (f"{module}.module.{name}" if module else f"module.{name}"), inner


def _key(row: JsonObject, module: str) -> BlockKey | None:
    kind, name = row.get("type"), row.get("name")
    if not isinstance(kind, str) or not isinstance(name, str):
        return None
    return BlockKey(module, kind, name, row.get("mode") == _DATA)


def _split(module: str) -> tuple[str, str]:
    """The module around a module, and its name there."""
    outer, _, own = module.rpartition("module.")
    return outer.rstrip("."), own


def _reduced(needs: Mapping[BlockKey, list[BlockKey]], step: Callable[[], None]) -> dict[BlockKey, list[BlockKey]]:
    """The direct relations among all. Relations in a circle stay."""
    number = {key: at for at, key in enumerate(needs)}
    behind: dict[BlockKey, int] = {}
    for key in _from_the_ends(needs):
        bits = 0
        for one in needs[key]:
            bits |= behind.get(one, 0) | 1 << number[one]
        behind[key] = bits
    result: dict[BlockKey, list[BlockKey]] = {}
    for key, rows in needs.items():
        through = 0
        for one in rows:
            step()
            if not behind[one] >> number[key] & 1:
                through |= behind[one]
        result[key] = [one for one in rows if not through >> number[one] & 1 or behind[one] >> number[one] & 1]
    return result


def _from_the_ends(needs: Mapping[BlockKey, list[BlockKey]]) -> Iterator[BlockKey]:
    """The keys, each behind those that it needs, as far as the needs are no circles."""
    seen: set[BlockKey] = set()
    for first in needs:
        stack = [(first, iter(needs[first]))] if first not in seen else []
        seen.add(first)
        while stack:
            key, rest = stack[-1]
            following = next((one for one in rest if one not in seen), None)
            if following is None:
                stack.pop()
                yield key
            else:
                seen.add(following)
                stack.append((following, iter(needs[following])))
