"""The published JSON Schemas, derived from the field descriptions used in validation (R-SCHEMA-1), in the dialect
2020-12 and as a draft-07 twin. A schema describes each value by itself; rules between the parts of a document (ids,
references, cycles) are checked only by the validator.
"""

from __future__ import annotations

from scenograph.scene.description.document import DOCUMENT
from scenograph.scene.description.fields import Schema, SchemaBook
from scenograph.scene.description.operations import REQUEST
from scenograph.scene.description.records import Record
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.vocabulary import SCHEMA_VERSIONS

MODERN = "https://json-schema.org/draft/2020-12/schema"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def scene_schema(limits: Limits = LIMITS) -> Schema:
    """A scene document, in 2020-12."""
    return _published(DOCUMENT, "scene", "Scene document", MODERN, limits)


def scene_schema_draft_07(limits: Limits = LIMITS) -> Schema:
    """A scene document, in draft-07."""
    return _published(DOCUMENT, "scene", "Scene document", DRAFT_07, limits)


def ops_schema(limits: Limits = LIMITS) -> Schema:
    """The body of applyOps with every operation, in 2020-12."""
    return _published(REQUEST, "ops", "Operations on a scene", MODERN, limits)


def ops_schema_draft_07(limits: Limits = LIMITS) -> Schema:
    """The body of applyOps with every operation, in draft-07."""
    return _published(REQUEST, "ops", "Operations on a scene", DRAFT_07, limits)


def _published(record: Record, name: str, title: str, dialect: str, limits: Limits) -> Schema:
    definitions = "$defs" if dialect == MODERN else "definitions"
    book = SchemaBook(limits, place=f"#/{definitions}")
    root = record.define(book)
    head = {
        "$schema": dialect,
        "$id": f"urn:scenograph:schema:{name}:{SCHEMA_VERSIONS[-1]}",
        "title": title,
    }
    return head | root | {definitions: dict(sorted(book.definitions.items()))}
