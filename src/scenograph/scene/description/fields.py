"""The description language of documents: fields, their types, and problems of values.

A `FieldType` defines a kind of JSON value completely: its problems (`check`), its typed form (`read`), and its JSON
Schema (`schema`). Validation, reading, the published schemas and the reference derive from these definitions. Checking
a valid value allocates nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from scenograph.diagnostics import INVALID_TYPE, Code
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import LISTED, kind_of, pointer, within
from scenograph.scene.limits import Limits

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
