"""The description language of documents: fields and their types; each type reads, checks and publishes its values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

from scenograph.diagnostics import (
    FIELD_IGNORED,
    INVALID_COLOR,
    INVALID_ID,
    INVALID_TYPE,
    INVALID_VALUE,
    LIMIT_EXCEEDED,
    MISSING_FIELD,
    OUT_OF_RANGE,
    UNKNOWN_FIELD,
    Code,
)
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.colors import COLOR_NAMES, LONGEST, color_pattern, parse_color
from scenograph.scene.json_values import (
    LISTED,
    JsonObject,
    figure,
    is_array,
    is_number,
    is_object,
    kind_of,
    listed,
    pointer,
    shown,
    within,
)
from scenograph.scene.limits import Limits

# The description language of documents: fields, their types, and problems of values.
#
# A `FieldType` defines a kind of JSON value completely: its problems (`check`), its typed form (`read`), and its JSON
# Schema (`schema`). Validation, reading, the published schemas and the reference derive from these definitions.
# Checking a valid value allocates nothing.

Schema = dict[str, Any]
UNREAD: Final = object()  # the result of `read` for an unreadable value; the member then counts as absent


class Problem(NamedTuple):
    """A problem with a value.

    `path` is a JSON pointer relative to the value. `near` is a misspelt name and its candidates: suggestions are looked
    up only for reported problems. `not_meant` excludes candidates.
    """

    path: str
    code: Code
    holes: Mapping[str, object]
    data: Mapping[str, Any] | None = None
    near: tuple[str, Sequence[str]] | None = None
    not_meant: frozenset[str] = frozenset()

    def under(self, step: str | int) -> Problem:
        """The same problem as seen from the object or array with the value at `step`."""
        return self._replace(path=pointer(step) + self.path)


Problems = Sequence[Problem]
FINE: Problems = ()


class Lifted(dict[str, object]):
    """Attributes for the enclosing element, in place of an attribute for the member itself."""


class FieldType(Protocol):
    """A kind of JSON value."""

    @property
    def words(self) -> str:
        """The value in words, for sentences and the reference: "a string"."""
        ...

    def check(self, value: object, limits: Limits) -> Problems:
        """The problems of a value; empty for a valid value."""
        ...

    def read(self, value: object) -> object:
        """The typed form of a value, or UNREAD. Never raises."""
        ...

    def schema(self, book: SchemaBook) -> Schema:
        """The JSON Schema of the values."""
        ...


class Definition(Protocol):
    """A schema that a book defines once and refers to."""

    @property
    def name(self) -> str:
        """The name among the definitions."""
        ...

    def define(self, book: SchemaBook) -> Schema:
        """The schema, written out."""
        ...


@dataclass(slots=True)
class SchemaBook:
    """The definitions of a published schema. With `patching` the schema describes merge patches: no member is required,
    every member may be null."""

    limits: Limits
    definitions: dict[str, Schema] = field(default_factory=dict[str, Schema])
    patching: bool = False
    place: str = "#/$defs"

    def reference(self, definition: Definition) -> Schema:
        """A reference to a definition, which is written on first use."""
        name = definition.name + ("Patch" if self.patching else "")
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = definition.define(self)
        return {"$ref": f"{self.place}/{name}"}

    def for_patches(self) -> SchemaBook:
        """The same book, writing patches."""
        return SchemaBook(self.limits, self.definitions, patching=True, place=self.place)

    def for_values(self) -> SchemaBook:
        """The same book, writing whole values."""
        return SchemaBook(self.limits, self.definitions, patching=False, place=self.place)


@dataclass(frozen=True, slots=True)
class Field:
    """A member of an object.

    `attribute` is its name in the typed view; empty for lifted members and members outside the view. `default` is the
    value of an absent member, for the schemas and the reference. `aliases` are alternative names; the real name wins.
    `sample` is a first value, suggested for an absent required member.
    """

    name: str
    type: FieldType
    doc: str
    attribute: str = ""
    required: bool = False
    default: object = None
    aliases: tuple[str, ...] = ()
    deprecated: bool = False
    sample: object = None


MOST_CHOICES = 50  # names in a diagnostic


def choices(names: Sequence[str]) -> dict[str, Any]:
    """Known names as data of a diagnostic: `allowed` with at most MOST_CHOICES names and LISTED characters, and
    `allowedCount` if shortened."""
    allowed = list(within(names[:MOST_CHOICES], LISTED))
    data: dict[str, Any] = {"allowed": allowed}
    return data | {"allowedCount": len(names)} if len(names) > len(allowed) else data


def wrong_type(expected: str, value: object) -> tuple[Problem]:
    """The problem of a wrong JSON type."""
    return (Problem("", INVALID_TYPE, {"expected": expected, "given": kind_of(value)}),)


# The field types of single values: text, ids, numbers, booleans, choices, colours.

_HUGE = 1e9  # beyond, the view drops the value under any limits: no engine can draw it


def too_many(count: int, what: str, limit: int) -> Problem:
    """The problem of a count or a length beyond its limit."""
    return Problem("", LIMIT_EXCEEDED, {"count": count, "what": what, "limit": limit}, {"count": count, "limit": limit})


@dataclass(frozen=True, slots=True)
class TextType:
    """A string; `limit` names the row of Limits for its length."""

    limit: str
    words: str = "a string"

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        most: int = getattr(limits, self.limit)
        return FINE if len(value) <= most else (too_many(len(value), "characters", most),)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "string", "maxLength": getattr(book.limits, self.limit)}


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name: a non-empty string of a given pattern."""

    pattern: str = r"^[^\u0000-\u001f\u007f]+$"
    rule: str = "one or more characters, none of them a control character"
    limit: str = "id_length"
    words: str = "a string"
    _compiled: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", re.compile(self.pattern.removeprefix("^").removesuffix("$")))

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        if not self._compiled.fullmatch(value):
            return (Problem("", INVALID_ID, {"given": shown(value), "expected": self.rule}, {"pattern": self.pattern}),)
        most: int = getattr(limits, self.limit)
        return FINE if len(value) <= most else (too_many(len(value), "characters", most),)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) and value else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "string", "pattern": self.pattern, "maxLength": getattr(book.limits, self.limit)}


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from `low` to `high`; a string names a row of Limits. `low` None is `-high`."""

    low: float | None
    high: float | str
    whole: bool = False

    @property
    def words(self) -> str:
        return "an integer" if self.whole else "a number"

    def check(self, value: object, limits: Limits) -> Problems:
        if not is_number(value) or (self.whole and value != int(value)):
            return wrong_type(self.words, value) if not is_number(value) else self._not_whole(value)
        low, high = self.range(limits)
        if low <= value <= high:
            return FINE
        expected = f"from {figure(low)} to {figure(high)}"
        return (Problem("", OUT_OF_RANGE, {"expected": expected, "given": shown(value)}, {"min": low, "max": high}),)

    def _not_whole(self, value: float) -> Problems:
        return (Problem("", INVALID_VALUE, {"given": shown(value), "expected": "an integer"}),)

    def range(self, limits: Limits) -> tuple[float, float]:
        """The bounds under these limits."""
        high: float = getattr(limits, self.high) if isinstance(self.high, str) else self.high
        return (-high if self.low is None else self.low), high

    def read(self, value: object) -> object:
        if not is_number(value):
            return UNREAD
        high = _HUGE if isinstance(self.high, str) else self.high
        if not (-high if self.low is None else self.low) <= value <= high:
            return UNREAD
        if self.whole:
            return int(value) if value == int(value) else UNREAD
        return float(value) + 0.0  # -0.0 is 0.0, as it compares

    def schema(self, book: SchemaBook) -> Schema:
        low, high = self.range(book.limits)
        return {"type": "integer" if self.whole else "number", "minimum": low, "maximum": high}


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    words: str = "true or false"

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE if isinstance(value, bool) else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return value if isinstance(value, bool) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of strings. `blank` accepts the empty string as absent."""

    values: tuple[str, ...]
    code: Code = INVALID_VALUE
    blank: bool = False

    @property
    def words(self) -> str:
        return f"one of {listed(self.values)}" if len(self.values) > 1 else shown("".join(self.values))

    def check(self, value: object, limits: Limits) -> Problems:
        if isinstance(value, str):
            if value in self.values or (self.blank and not value):
                return FINE
            holes = {"given": shown(value), "expected": self.words, "allowed": listed(self.values)}
            return (Problem("", self.code, holes, {"allowed": list(self.values)}, (value, self.values)),)
        return (wrong_type(self.words, value)[0]._replace(data={"allowed": list(self.values)}),)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) and value in self.values else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"enum": [*self.values, *([""] if self.blank else [])]}


@dataclass(frozen=True, slots=True)
class ColorText:
    """A colour (R-ELEMENT-14)."""

    name: str = "Color"
    words: str = "a colour"

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        if parse_color(value) is not None:
            return FINE
        return (Problem("", INVALID_COLOR, {"given": shown(value)}, near=(value, tuple(COLOR_NAMES))),)

    def read(self, value: object) -> object:
        color = parse_color(value) if isinstance(value, str) else None
        return UNREAD if color is None else color

    def schema(self, book: SchemaBook) -> Schema:
        return book.for_values().reference(self)

    def define(self, book: SchemaBook) -> Schema:
        doc = "Hex (3, 4, 6 or 8 digits), rgb(), rgba(), hsl(), hsla(), a CSS colour name, none or transparent."
        return {"type": "string", "description": doc, "maxLength": LONGEST, "pattern": color_pattern()}


@dataclass(frozen=True, slots=True)
class Weight:
    """A font weight: 1 to 1000, or a named weight."""

    number: Number = Number(1, 1000, whole=True)
    names: Mapping[str, int] = field(default_factory=lambda: {"normal": 400, "bold": 700})
    words: str = "an integer from 1 to 1000, normal or bold"

    def check(self, value: object, limits: Limits) -> Problems:
        if isinstance(value, str):
            return FINE if value in self.names else self._unnamed(value)
        return self.number.check(value, limits) if is_number(value) else wrong_type(self.words, value)

    def _unnamed(self, value: str) -> Problems:
        names = tuple(self.names)
        holes = {"given": shown(value), "expected": self.words}
        return (Problem("", INVALID_VALUE, holes, {"allowed": list(names)}, (value, names)),)

    def read(self, value: object) -> object:
        return self.names.get(value, UNREAD) if isinstance(value, str) else self.number.read(value)

    def schema(self, book: SchemaBook) -> Schema:
        return {"anyOf": [self.number.schema(book), {"enum": list(self.names)}]}


@dataclass(frozen=True, slots=True)
class AnyValue:
    """The caller's own data; `an_object` requires an object."""

    an_object: bool = False

    @property
    def words(self) -> str:
        return "an object" if self.an_object else "any value"

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE if is_object(value) or not self.an_object else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return cast("object", value) if is_object(value) or not self.an_object else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "object"} if self.an_object else {}


@dataclass(frozen=True, slots=True)
class Null:
    """null."""

    words: str = "null"

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE if value is None else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return None if value is None else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "null"}


def missing(name: str, why: str = "", allowed: tuple[str, ...] = ()) -> Problem:
    """The problem of an absent member."""
    data = {"allowed": list(allowed)} if allowed else None
    return Problem("", MISSING_FIELD, {"why": f" {why}" if why else "", "hint": ""}, data).under(name)


# Conditions between the members of an object: requirements and exclusions.


@dataclass(frozen=True, slots=True)
class Requirement:
    """Required members: all of `needs`, or with `any_of` at least one; with `when` only beside that member, with
    `equals` only beside that value."""

    needs: tuple[str, ...]
    when: str = ""
    equals: str = ""
    any_of: bool = False

    def check(self, members: JsonObject) -> Problems:
        """MISSING_FIELD for absent members."""
        if self.when and (self.when not in members or (self.equals and members[self.when] != self.equals)):
            return FINE
        absent = tuple(name for name in self.needs if name not in members)
        if not absent or (self.any_of and len(absent) < len(self.needs)):
            return FINE
        if self.any_of:
            return (missing(self.needs[0], f"unless {' or '.join(self.needs[1:])} is given"),)
        return tuple(missing(name, self._why()) for name in absent)

    def _why(self) -> str:
        if not self.when:
            return ""
        return f"when {self.when} is {self.equals}" if self.equals else f"together with {self.when}"

    def schema(self) -> Schema:
        """The same as a JSON Schema."""
        needs: Schema = {"anyOf": [{"required": [name]} for name in self.needs]}
        needs = needs if self.any_of else {"required": list(self.needs)}
        if not self.when:
            return needs
        condition: Schema = {"required": [self.when]}
        if self.equals:
            condition["properties"] = {self.when: {"const": self.equals}}
        return {"if": condition, "then": needs}


@dataclass(frozen=True, slots=True)
class Excludes:
    """Mutually exclusive members."""

    one: str
    others: tuple[str, ...]

    def check(self, members: JsonObject) -> Problems:
        """INVALID_VALUE for a member beside an excluding member."""
        beside = [name for name in self.others if name in members]
        if self.one not in members or not beside:
            return FINE
        expected = f"left out beside {listed(beside)}"
        return (Problem(pointer(self.one), INVALID_VALUE, {"given": kind_of(members[self.one]), "expected": expected}),)

    def schema(self) -> Schema:
        """The same as a JSON Schema."""
        others = [{"required": [name]} for name in self.others]
        return {"if": {"required": [self.one]}, "then": {"not": {"anyOf": others}}}


# The field types of objects and arrays: records with described members, variants told apart by a tag, lists, maps.


_UNKNOWN_UNKEPT = replace(UNKNOWN_FIELD, wording="{name} is not a known field of {owner}; it has no effect.")


def plain(**members: object) -> object:
    """The model of records kept as plain mappings by the view."""
    return members


_Reader = tuple[Callable[[object], object], str, str]
"""The reader of a member, its attribute, and the name that overrides the member."""


def _reader(row: Field, name: str) -> _Reader:
    return row.type.read, row.attribute, row.name if row.name != name else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An object with described members. `model` makes the typed value from the read attributes. `open` accepts unknown
    members without a remark, `stored` keeps them. `keep` is the attribute for the whole object."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    model: Callable[..., object] = plain
    requirements: tuple[Requirement | Excludes, ...] = ()
    open: bool = False
    stored: bool = True
    keep: str = ""
    words: str = "an object"
    members: Mapping[str, Field] = field(init=False, repr=False, compare=False)
    conditions: tuple[Requirement | Excludes, ...] = field(init=False, repr=False, compare=False)
    aliased: tuple[Field, ...] = field(init=False, repr=False, compare=False)
    meant: tuple[str, ...] = field(init=False, repr=False, compare=False)
    required: frozenset[str] = field(init=False, repr=False, compare=False)
    readers: Mapping[str, _Reader] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        members = {name: row for row in self.fields for name in (row.name, *row.aliases)}
        required = tuple(row.name for row in self.fields if row.required)
        always = (Requirement(required),) if required else ()
        object.__setattr__(self, "members", members)
        object.__setattr__(self, "required", frozenset(required))
        object.__setattr__(self, "readers", {name: _reader(row, name) for name, row in members.items()})
        object.__setattr__(self, "aliased", tuple(row for row in self.fields if row.aliases))
        object.__setattr__(self, "meant", (*members, *_inner_names(self.fields)))
        object.__setattr__(self, "conditions", (*always, *self.requirements))

    def with_samples(self, samples: Mapping[str, object]) -> Record:
        """The same record with other samples for the named members."""
        if not samples:
            return self
        return replace(
            self, fields=tuple(replace(row, sample=samples.get(row.name, row.sample)) for row in self.fields)
        )

    def check(self, value: object, limits: Limits, *, whole: JsonObject | None = None) -> Problems:
        if not is_object(value):
            return wrong_type(self.words, value)
        found: list[Problem] = []
        known, unknown = self.members, 0
        for name, member in value.items():
            row = known.get(name)
            if row is None:
                unknown += 1
                if not self.open and unknown <= limits.diagnostics + 1:  # no more could be shown
                    found.append(self._unknown(name))
                continue
            problems = row.type.check(member, limits)
            if problems:
                found.extend(problem.under(name) for problem in problems)
        found.extend(self._outdone_aliases(value))
        found.extend(self.broken_conditions(value if whole is None else whole))
        return found

    def _outdone_aliases(self, value: JsonObject) -> Iterator[Problem]:
        for row in self.aliased:
            for alias in row.aliases if row.name in value else ():
                if alias in value:
                    yield Problem(pointer(alias), FIELD_IGNORED, {"kept": f"'{row.name}'"}, {"counts": row.name})

    def broken_conditions(self, value: JsonObject) -> list[Problem]:
        """Absent required members, and members beside an excluding member. A single problem for each path, even for
        several conditions."""
        found: list[Problem] = []
        for condition in self.conditions:
            for problem in condition.check(value):
                if all(problem.path != earlier.path for earlier in found):
                    found.append(self._with_choices(problem))
        return found

    def _with_choices(self, problem: Problem) -> Problem:
        """A missing member with its choices, and the text to add if equal for every document."""
        row = self.members.get(problem.path.removeprefix("/"))
        if problem.code is not MISSING_FIELD or row is None:
            return problem
        if row.sample is not None:
            text = f"{json.dumps(row.name)}: {json.dumps(row.sample)}"
            problem = problem._replace(holes={**problem.holes, "hint": f" Add {text}."}, data={"add": text})
        if not isinstance(row.type, Choice):
            return problem
        return problem._replace(data={**(problem.data or {}), "allowed": list(row.type.values)})

    def check_changed(self, value: JsonObject, changed: Sequence[str], limits: Limits) -> Problems:
        """The problems of a value with possible faults in the given members (and required members) alone."""
        return self.check({name: value[name] for name in changed if name in value}, limits, whole=value)

    def _unknown(self, name: str) -> Problem:
        code = UNKNOWN_FIELD if self.stored else _UNKNOWN_UNKEPT
        return Problem(pointer(name), code, {"owner": self.name}, None, (name, self.meant))

    def read(self, value: object) -> object:
        if not is_object(value) or not self.required <= value.keys():
            return UNREAD
        readers = self.readers
        found: dict[str, object] = {self.keep: value} if self.keep else {}
        for name, member in value.items():
            reader = readers.get(name)
            if reader is None:
                continue
            read, attribute, outdone_by = reader
            if outdone_by and outdone_by in value:
                continue
            made = read(member)
            if made is UNREAD:
                if name in self.required:
                    return UNREAD
            elif type(made) is Lifted:
                found.update(made)
            elif attribute:
                found[attribute] = made
        return self.model(**found)

    def schema(self, book: SchemaBook) -> Schema:
        return book.reference(self)

    def define(self, book: SchemaBook) -> Schema:
        schema: Schema = {"type": "object", "description": self.doc, "properties": dict(self._properties(book))}
        if book.patching:
            return schema
        conditions = [condition.schema() for condition in self.conditions]
        if conditions and set(conditions[0]) == {"required"}:
            schema |= conditions.pop(0)
        return schema | ({"allOf": conditions} if conditions else {})

    def _properties(self, book: SchemaBook) -> Iterator[tuple[str, Schema]]:
        for name, row in self.members.items():
            schema = row.type.schema(book)
            if book.patching:
                schema = {"anyOf": [schema, {"type": "null"}]}
            if "$ref" in schema:
                schema = {"allOf": [schema]}
            yield name, schema | _annotations(name, row, patching=book.patching)


def _inner_names(rows: Iterable[Field]) -> Iterator[str]:
    """Nested members: a misplaced member's problem names the object it belongs to."""
    for row in rows:
        kinds = (
            row.type.records.values() if isinstance(row.type, Variants) else (getattr(row.type, "inline", row.type),)
        )
        names = (inner.name for kind in kinds if isinstance(kind, Record) for inner in kind.fields)
        yield from dict.fromkeys(f"{row.name}.{name}" for name in names)


def _annotations(name: str, row: Field, *, patching: bool) -> Schema:
    notes: Schema = {"description": row.doc if name == row.name else f"Read as {row.name}."}
    if row.default is not None and not patching and name == row.name:
        notes["default"] = row.default
    if row.deprecated or name != row.name:
        notes["deprecated"] = True
    return notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """Objects whose member `tag` selects their record."""

    name: str
    doc: str
    tag: str
    records: Mapping[str, Record]
    words: str = "an object"

    def check(self, value: object, limits: Limits) -> Problems:
        if not is_object(value):
            return wrong_type(self.words, value)
        tag = value.get(self.tag)
        record = self.records.get(tag) if isinstance(tag, str) else None
        return record.check(value, limits) if record is not None else (self._untagged(value),)

    def _untagged(self, value: JsonObject) -> Problem:
        names = tuple(self.records)
        if self.tag not in value:
            return missing(self.tag, allowed=names)
        tag = value[self.tag]
        if not isinstance(tag, str):
            return wrong_type(f"one of {listed(names)}", tag)[0]._replace(data={"allowed": list(names)}).under(self.tag)
        holes = {"given": shown(tag), "expected": f"one of {listed(names)}"}
        return Problem("", INVALID_VALUE, holes, {"allowed": list(names)}, (tag, names)).under(self.tag)

    def read(self, value: object) -> object:
        tag = value.get(self.tag) if is_object(value) else None
        record = self.records.get(tag) if isinstance(tag, str) else None
        return UNREAD if record is None else record.read(value)

    def schema(self, book: SchemaBook) -> Schema:
        return book.reference(self)

    def define(self, book: SchemaBook) -> Schema:
        branches = [
            {
                "if": {"properties": {self.tag: {"const": tag}}, "required": [self.tag]},
                "then": record.schema(book),
            }
            for tag, record in self.records.items()
        ]
        return {
            "type": "object",
            "description": self.doc,
            "properties": {self.tag: {"enum": list(self.records)}},
            "required": [self.tag],
            "allOf": branches,
        }


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array; `limit` names the row of Limits that bounds it, and items beyond the limit are skipped."""

    item: FieldType
    limit: str = ""
    least: int = 0
    what: str = "items"

    @property
    def words(self) -> str:
        return "an array"

    def check(self, value: object, limits: Limits) -> Problems:
        if not is_array(value):
            return wrong_type(self.words, value)
        found: list[Problem] = []
        most: int = getattr(limits, self.limit) if self.limit else len(value)
        if len(value) > most:
            found.append(too_many(len(value), self.what, most))
        if len(value) < self.least:
            expected = f"an array of at least {self.least} {self.what}"
            found.append(Problem("", INVALID_VALUE, {"given": f"an array of {len(value)}", "expected": expected}))
        check = self.item.check
        for index, item in enumerate(value if len(value) <= most else value[:most]):
            problems = check(item, limits)
            if problems:
                found.extend(problem.under(index) for problem in problems)
        return found

    def read(self, value: object) -> object:
        if not is_array(value):
            return UNREAD
        read = self.item.read
        return tuple(made for item in value if (made := read(item)) is not UNREAD)

    def schema(self, book: SchemaBook) -> Schema:
        # A patch replaces a whole array (RFC 7396): its items are no patches.
        schema: Schema = {"type": "array", "items": self.item.schema(book.for_values())}
        if self.limit:
            schema["maxItems"] = getattr(book.limits, self.limit)
        return schema | ({"minItems": self.least} if self.least else {})


_KEY = Identifier()


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object from ids to values of a type."""

    value: FieldType
    key: Identifier = _KEY
    words: str = "an object"

    def check(self, value: object, limits: Limits) -> Problems:
        if not is_object(value):
            return wrong_type(self.words, value)
        found: list[Problem] = []
        for name, member in value.items():
            problems = (*self.key.check(name, limits), *self.value.check(member, limits))
            if problems:
                found.extend(problem.under(name) for problem in problems)
        return found

    def read(self, value: object) -> object:
        if not is_object(value):
            return UNREAD
        read = self.value.read
        return {name: made for name, member in value.items() if (made := read(member)) is not UNREAD}

    def schema(self, book: SchemaBook) -> Schema:
        return {
            "type": "object",
            "propertyNames": self.key.schema(book),
            "additionalProperties": self.value.schema(book),
        }


# Composite field types: one of several types, a patch of a type, a type checked elsewhere.


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A value of any of several types."""

    options: tuple[FieldType, ...]

    @property
    def words(self) -> str:
        return " or ".join(dict.fromkeys(option.words for option in self.options))

    def check(self, value: object, limits: Limits) -> Problems:
        if all(option.check(value, limits) for option in self.options):
            return wrong_type(self.words, value)
        return FINE

    def read(self, value: object) -> object:
        return next((made for option in self.options if (made := option.read(value)) is not UNREAD), UNREAD)

    def schema(self, book: SchemaBook) -> Schema:
        return {"anyOf": [option.schema(book) for option in self.options]}


@dataclass(frozen=True, slots=True)
class Named:
    """A value with a name of its own, or a record, described in place."""

    values: Mapping[str, object]
    record: Record

    @property
    def words(self) -> str:
        return f"{self._names.words}, or {self.record.words}"

    @property
    def _names(self) -> Choice:
        return Choice(tuple(self.values))

    def check(self, value: object, limits: Limits) -> Problems:
        if isinstance(value, str):
            return self._names.check(value, limits)
        return self.record.check(value, limits) if is_object(value) else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return self.values.get(value, UNREAD) if isinstance(value, str) else self.record.read(value)

    def schema(self, book: SchemaBook) -> Schema:
        return {"anyOf": [self._names.schema(book), self.record.define(book)]}


@dataclass(frozen=True, slots=True)
class PatchOf:
    """A merge patch (RFC 7396) for a value; the patched value is checked, not the patch. `an_object` allows only an
    object or null."""

    value: FieldType
    an_object: bool = False

    @property
    def words(self) -> str:
        return f"a patch for {self.value.words}"

    def check(self, value: object, limits: Limits) -> Problems:
        if self.an_object and value is not None and not is_object(value):
            return wrong_type("an object or null", value)
        return FINE

    def read(self, value: object) -> object:
        return value

    def schema(self, book: SchemaBook) -> Schema:
        return {"anyOf": [self.value.schema(book.for_patches()), {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class SchemaOnly:
    """A value checked elsewhere; only its schema is described here."""

    value: FieldType

    @property
    def words(self) -> str:
        return self.value.words

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE

    def read(self, value: object) -> object:
        return value

    def schema(self, book: SchemaBook) -> Schema:
        return self.value.schema(book)
