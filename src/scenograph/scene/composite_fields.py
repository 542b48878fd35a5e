"""The field types that are made of others: one of several, a patch for one, one that is judged later."""

from __future__ import annotations

from scenograph.late_dataclasses import dataclass
from scenograph.scene.fields import FINE, UNREAD, FieldType, Problems, Schema, SchemaBook, wrong_type
from scenograph.scene.json_values import is_object
from scenograph.scene.limits import Limits


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A value of one of several types."""

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
    """A value that somebody else checks; only its schema is told here."""

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
