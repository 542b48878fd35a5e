"""YAML read strictly (R-LIB-6): the JSON values that a text says, and nothing that YAML has besides them.

In: text. Out: the values of its documents. Tags, merge keys, keys that are no plain text, keys that appear twice, more
than `_MOST_ANCHORS` anchors, and nesting or aliases beyond what JSON bodies may hold end in a StrictYamlError. Scalars
follow the core schema of YAML 1.2: `no` and `2026-01-01` are text. `parse_placed` is for foreign sources: with merge
keys, and with the places of keys and items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

import yaml

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import JsonObject, Path, is_array, is_object
from scenograph.scene.strict_json import MAX_DEPTH

_MOST_ANCHORS = 100
_MOST_VALUES = 1_000_000  # keys and values of a text with its aliases written out
MOST_BYTES = 8 << 20
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_FLAGS = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_OTHER_BASES = re.compile(r"0o[0-7]{1,300}|0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MERGE = "<<"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class StrictYamlError(ValueError):
    """A text that is not strict YAML; `line` and `column` count from 1."""

    def __init__(self, sentence: str, line: int, column: int) -> None:
        super().__init__(f"{sentence} (line {line}, column {column})")
        self.sentence = sentence
        self.line = line
        self.column = column


class _Value(NamedTuple):
    """A finished value with the number of values, aliases expanded, and the depth."""

    value: object
    weight: int = 1
    depth: int = 0


@dataclass(slots=True)
class ValueCount:
    """How many keys and values may still be read, of one text or of several, aliases written out."""

    left: int

    def spend(self, count: int, event: yaml.Event) -> None:
        """Count keys and values; StrictYamlError beyond the budget."""
        self.left -= count
        if self.left < 0:
            raise _refused("The text holds more keys and values than allowed, its aliases written out.", event)


class LocatedValue(NamedTuple):
    """The value of a document, and the line and column (from 1) of its keys and items by their paths."""

    value: object
    places: Mapping[Path, tuple[int, int]]

    def place(self, *path: str | int) -> tuple[int, int]:
        """Line and column of a path, or of the nearest placed container around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return 1, 1


@dataclass(slots=True)
class _Open:
    """A mapping or a sequence that is being read; `merged` are the mappings of its merge key."""

    event: yaml.CollectionStartEvent
    values: list[object] = field(default_factory=list[object])
    members: dict[str, object] = field(default_factory=dict[str, object])
    key: str | None = None
    merged: list[JsonObject] | None = None
    weight: int = 1
    depth: int = 1

    @property
    def is_mapping(self) -> bool:
        """Whether the container is a mapping."""
        return isinstance(self.event, yaml.MappingStartEvent)

    def finished(self) -> _Value:
        """The finished value."""
        for members in self.merged or ():  # the mapping's own members win, then those of the first merged mapping
            for key, value in members.items():
                self.members.setdefault(key, value)
        return _Value(self.members if self.is_mapping else self.values, self.weight, self.depth)


def parse(text: str) -> object:
    """Value of a text with one document. Raises StrictYamlError."""
    documents = parse_all(text)
    if len(documents) > 1:
        raise StrictYamlError("The text holds several YAML documents; one was expected.", 1, 1)
    return documents[0] if documents else None


def parse_all(text: str) -> list[object]:
    """The values of all documents in a text; StrictYamlError."""
    return [reading.value for reading in _read(text)]


def parse_placed(text: str, depth: int, budget: ValueCount | None = None) -> list[LocatedValue]:
    """The documents of a text with merge keys, and with the places of the keys and items of `depth` levels;
    StrictYamlError, also beyond the budget."""
    found = _read(text, merges=True, placed_depth=depth, budget=budget)
    return [LocatedValue(reading.value, reading.places) for reading in found]


def _read(
    text: str, *, merges: bool = False, placed_depth: int = 0, budget: ValueCount | None = None
) -> list[_Reading]:
    if len(text) > MOST_BYTES:
        raise StrictYamlError(f"The text is larger than {MOST_BYTES} bytes.", 1, 1)
    try:
        first = _Reading(merges, placed_depth, budget or ValueCount(_MOST_VALUES))
        return list(_documents(yaml.parse(text, Loader=_LOADER), first))
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark
        sentence = f"The text is not YAML: {wrong.problem or 'it cannot be read'}."
        raise StrictYamlError(sentence, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1) from None
    except yaml.YAMLError:
        raise StrictYamlError("The text is not YAML: it holds characters that YAML does not allow.", 1, 1) from None


def _documents(events: Iterator[yaml.Event], first: _Reading) -> Iterator[_Reading]:
    reading = first
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            reading = _Reading(first.merges, first.placed_depth, first.budget)
        elif isinstance(event, yaml.DocumentEndEvent):
            yield reading
        elif isinstance(event, yaml.ScalarEvent):
            reading.scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            reading.alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            reading.open(event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            reading.close()


@dataclass(slots=True)
class _Reading:
    """A document under construction: open containers, innermost last, and anchored values."""

    merges: bool
    placed_depth: int
    budget: ValueCount
    value: object = None
    places: dict[Path, tuple[int, int]] = field(default_factory=dict[Path, tuple[int, int]])
    stack: list[_Open] = field(default_factory=list[_Open])
    anchors: dict[str, _Value] = field(default_factory=dict[str, _Value])
    anchored: int = 0

    def scalar(self, event: yaml.ScalarEvent) -> None:
        """A text, number, flag or null."""
        _refuse_tag(event)
        if _LONE_SURROGATE.search(event.value):
            raise _refused("A text holds a lone surrogate, which is not a Unicode character.", event)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.is_mapping and top.key is None:
            self._key(top, event)
            return
        is_plain = event.style in (None, "")
        self._place(event)
        self._add(_Value(_plain(event) if is_plain else event.value), event)

    def alias(self, event: yaml.AliasEvent) -> None:
        """Add the value of an anchor."""
        name = event.anchor or ""
        known = self.anchors.get(name)
        if known is None:
            raise _refused(f"The alias *{name[:40]} has no anchor before it.", event)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.is_mapping and top.key is None:
            raise _refused("A key must be a plain text, not an alias.", event)
        self._place(event)
        self.budget.spend(known.weight, event)
        self._add(known, event, is_alias=True)

    def open(self, event: yaml.CollectionStartEvent) -> None:
        """A mapping or a sequence begins."""
        _refuse_tag(event)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.is_mapping and top.key is None:
            raise _refused("A key must be a plain text.", event)
        if len(self.stack) >= MAX_DEPTH:
            raise _refused(f"The text nests deeper than {MAX_DEPTH} levels.", event)
        self._place(event)
        self.stack.append(_Open(event))

    def close(self) -> None:
        """The innermost container ends."""
        done = self.stack.pop()
        self._add(done.finished(), done.event)

    def _place(self, event: yaml.NodeEvent) -> None:
        """Note the place of a key, or of an item of a sequence."""
        self.budget.spend(1, event)
        if 0 < len(self.stack) <= self.placed_depth:
            path = tuple(len(outer.values) if outer.key is None else outer.key for outer in self.stack)
            self.places.setdefault(path, (event.start_mark.line + 1, event.start_mark.column + 1))

    def _key(self, top: _Open, event: yaml.ScalarEvent) -> None:
        if event.value == _MERGE and event.style in (None, ""):
            if not self.merges:
                raise _refused("Merge keys (<<) are not read; write the members out.", event)
            if top.merged is not None:
                raise _refused("The merge key (<<) appears twice in one mapping.", event)
            top.merged = []
            top.key = _MERGE
            return
        if event.anchor is not None:
            raise _refused("A key has no anchor.", event)
        if event.value in top.members:
            raise _refused(f"The key {event.value[:80]!r} appears twice in one mapping.", event)
        top.key = event.value
        self._place(event)

    def _add(self, done: _Value, event: yaml.NodeEvent, *, is_alias: bool = False) -> None:
        if event.anchor is not None and not is_alias:
            self.anchored += 1
            if self.anchored > _MOST_ANCHORS:
                raise _refused(f"The text has more than {_MOST_ANCHORS} anchors.", event)
            self.anchors[event.anchor] = done
        if not self.stack:
            self.value = done.value
            return
        top = self.stack[-1]
        top.weight += done.weight
        top.depth = max(top.depth, done.depth + 1)
        if len(self.stack) + done.depth > MAX_DEPTH:
            raise _refused(f"The text nests deeper than {MAX_DEPTH} levels.", event)
        if top.is_mapping:
            if top.merged == [] and top.key == _MERGE:
                top.merged = _mergeable(done.value, event)
            else:
                top.members[cast("str", top.key)] = done.value
            top.key = None
        else:
            top.values.append(done.value)


def _mergeable(value: object, event: yaml.NodeEvent) -> list[JsonObject]:
    """The mappings that a merge key names."""
    named = value if is_array(value) else [value]
    mappings = [one for one in named if is_object(one)]
    if len(mappings) < len(named):
        raise _refused("A merge key (<<) needs a mapping, or a list of mappings.", event)
    return mappings


def _refuse_tag(event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
    if event.tag is not None:
        raise _refused(f"Tags ({event.tag[:60]}) are not read.", event)


def _plain(event: yaml.ScalarEvent) -> object:
    """The value of a scalar without quotation marks."""
    text = event.value
    if text in _NULLS:
        return None
    if text in _FLAGS:
        return _FLAGS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OTHER_BASES.fullmatch(text):
        return int(text, 0)
    if _NO_NUMBER.fullmatch(text):
        raise _refused(f"{text} is not a number of JSON.", event)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if number - number != 0:
            raise _refused("A number is beyond what a double can hold.", event)
        return number
    return text


def _refused(sentence: str, event: yaml.Event) -> StrictYamlError:
    return StrictYamlError(sentence, event.start_mark.line + 1, event.start_mark.column + 1)
