"""The language in which a document is described: fields, their types, and what is wrong with a value.

A `FieldType` says three things about one kind of JSON value, and nothing else knows them: what is wrong with it
(`check`), what the typed view makes of it (`read`), and its JSON Schema (`schema`). Validation, reading, the published
schemas and the reference are all derived from these. Checking a sound value builds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from scenograph.diagnostics import INVALID_TYPE, Code
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import LISTED, kind_of, pointer, within
from scenograph.scene.limits import Limits

Schema = dict[str, Any]
UNREAD: Final = object()  # what `read` answers for a value it cannot use; the member then counts as unsaid


class Problem(NamedTuple):
    """One thing wrong with a value. `path` is a JSON pointer relative to that value.

    `near` is a misspelt name and the names it may have meant: the suggestion is looked up only for problems that are
    reported. `not_meant` are names among them that would be no better.
    """

    path: str
    code: Code
    holes: Mapping[str, object]
    data: Mapping[str, Any] | None = None
    near: tuple[str, Sequence[str]] | None = None
    not_meant: frozenset[str] = frozenset()

    def under(self, step: str | int) -> Problem:
        """The same problem as seen from the object or array that holds the value at `step`."""
        return self._replace(path=pointer(step) + self.path)


Problems = Sequence[Problem]
FINE: Problems = ()


class Lifted(dict[str, object]):
    """Attributes that a member gives to the element that holds it, instead of one attribute of its own."""


class FieldType(Protocol):
    """One kind of JSON value."""

    @property
    def words(self) -> str:
        """The value in words, for sentences and the reference: "a string"."""
        ...

    def check(self, value: object, limits: Limits) -> Problems:
        """What is wrong with a value; empty when nothing is."""
        ...

    def read(self, value: object) -> object:
        """What the typed view holds for it, or UNREAD. Never raises."""
        ...

    def schema(self, book: SchemaBook) -> Schema:
        """Its JSON Schema."""
        ...


class Definition(Protocol):
    """What a schema book can define once and refer to."""

    @property
    def name(self) -> str:
        """Its name among the definitions."""
        ...

    def define(self, book: SchemaBook) -> Schema:
        """Its schema, written out."""
        ...


@dataclass(slots=True)
class SchemaBook:
    """The definitions of one published schema.

    `patching` asks for the form that a merge patch takes: nothing required, every member may be null.
    """

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
    """One member of an object.

    `attribute` is where the typed view keeps it; empty when the view does not hold it or it is lifted. `default` is
    what a left out member means, for the schemas and the reference. `aliases` are other names under which it is read;
    the real name wins. `sample` is a value to begin with, told to who leaves out a required member.
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


MOST_CHOICES = 50  # names that one diagnostic carries


def choices(names: Sequence[str]) -> dict[str, Any]:
    """Known names as a diagnostic's data: the first `MOST_CHOICES`, or so many as a sentence lists, as `allowed`, and
    how many there are when more."""
    allowed = list(within(names[:MOST_CHOICES], LISTED))
    data: dict[str, Any] = {"allowed": allowed}
    return data | {"allowedCount": len(names)} if len(names) > len(allowed) else data


def wrong_type(expected: str, value: object) -> tuple[Problem]:
    """The problem that a value is of another JSON type."""
    return (Problem("", INVALID_TYPE, {"expected": expected, "given": kind_of(value)}),)
