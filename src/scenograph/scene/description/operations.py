"""The described members of every operation and of the enclosing request (R-OP-1)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from scenograph.scene.description.document import (
    CONSTRAINT,
    CONSTRAINT_RECORDS,
    DOCUMENT,
    ROOT_FIELDS,
    SCENE,
    SCHEMA_VERSION,
)
from scenograph.scene.description.elements import (
    COORDINATE,
    ELEMENT_ID,
    ELEMENT_RECORDS,
    FLAG,
    IDS,
    KINDS,
    LABEL,
    LENGTH,
    STYLE,
)
from scenograph.scene.description.fields import (
    AnyOf,
    AnyValue,
    Choice,
    Excludes,
    Field,
    FieldType,
    ListOf,
    Null,
    Number,
    PatchOf,
    Record,
    Requirement,
    Schema,
    SchemaBook,
    SchemaOnly,
    TextType,
    Variants,
)
from scenograph.scene.image_data import ASSET
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.vocabulary import ANCHORS, SCHEMA_VERSIONS
from scenograph.wire.members import COMPUTED_AFTER, RENDER_AFTER, TRANSACTION_MODES

MAX_REVISION = 2**31 - 1

_ID = Field("id", ELEMENT_ID, "The element.", required=True)
_NEW_ID = Field("id", ELEMENT_ID, "Its id; must be new.", required=True)
_ANY_PARENT = Field(
    "parentId", AnyOf((ELEMENT_ID, Null())), "The frame or group to put it in; left out or null, the top level."
)
_NO_PARENT = Field("parentId", Null(), "null or left out: an edge is in no container.")
_FIXED = frozenset({"id", "kind"})
_IN_ORDER = (
    Field("after", ELEMENT_ID, "The element that it follows in `elements`, and so in time in a sequence."),
    Field("before", ELEMENT_ID, "The element that it precedes."),
)
_ONE_SIDE = Excludes("after", ("before",))


def _operation(
    name: str,
    doc: str,
    fields: tuple[Field, ...],
    requirements: tuple[Requirement | Excludes, ...] = (),
    *,
    stored: bool = False,
) -> Record:
    op = Field("op", Choice((name,)), f"`{name}`.", required=True)
    title = f"{name[0].upper()}{name[1:]}Operation"
    return Record(name=title, doc=doc, fields=(op, *fields), requirements=requirements, stored=stored)


def _create(name: str, kind: str) -> Record:
    """An operation with the members of an element of an implied kind."""
    record = ELEMENT_RECORDS[kind]
    own = tuple(row for row in record.fields if row.name not in _FIXED)
    kind_field = Field("kind", Choice((kind,)), f"`{kind}`; goes without saying.")
    fields = (_NEW_ID, kind_field, _NO_PARENT if kind == "edge" else _ANY_PARENT, *own, *_IN_ORDER)
    return _operation(name, f"Makes a new {kind}.", fields, (*record.requirements, _ONE_SIDE), stored=True)


def _patch(name: str, doc: str, records: tuple[Record, ...], fixed: frozenset[str]) -> Record:
    """An operation with a merge patch for every member of these records."""
    names = dict.fromkeys(row.name for record in records for row in record.fields if row.name not in fixed)
    members = tuple(_patch_field(each, records) for each in names)
    record = _operation(name, f"{doc}, by JSON Merge Patch (RFC 7396): null removes a member.", members)
    return Record(name=record.name, doc=record.doc, fields=record.fields, open=True)


def _patch_field(name: str, records: tuple[Record, ...]) -> Field:
    """A member of a patch; with differing types among the records, any of the types."""
    rows = [record.members[name] for record in records if name in record.members]
    types = tuple(dict.fromkeys(row.type for row in rows))
    kind: FieldType = types[0] if len(types) == 1 else AnyOf(types)
    aliases = rows[0].aliases if len(records) == 1 else ()
    return Field(name, PatchOf(kind), rows[0].doc, aliases=aliases)


def _update(name: str, *kinds: str) -> Record:
    what = kinds[0] if len(kinds) == 1 else "element of any kind"
    records = tuple(ELEMENT_RECORDS[kind] for kind in kinds)
    article = "an" if what[0] in "aeiou" else "a"
    patch = _patch(name, f"Changes members of {article} {what}", records, _FIXED)
    kind_field = Field("kind", PatchOf(Choice(kinds)), "The element's own kind; it cannot change.")
    op, *members = patch.fields
    return Record(name=patch.name, doc=patch.doc, fields=(op, _ID, kind_field, *members), open=True)


def _update_constraint() -> Record:
    records = tuple(CONSTRAINT_RECORDS.values())
    patch = _patch("updateConstraint", "Changes members of a constraint", records, frozenset({"id"}))
    op, *members = patch.fields
    row = Field("id", ELEMENT_ID, "The constraint.", required=True)
    return Record(name=patch.name, doc=patch.doc, fields=(op, row, *members), open=True)


_DELTA = Record(
    name="Delta",
    stored=False,
    doc="A way to move.",
    fields=(
        Field("dx", COORDINATE, "To the right, px.", default=0),
        Field("dy", COORDINATE, "Downwards, px.", default=0),
    ),
)
_SIZE = Record(
    name="Size",
    stored=False,
    doc="A size; what is left out stays.",
    fields=(Field("width", LENGTH, "px."), Field("height", LENGTH, "px.")),
    requirements=(Requirement(("width", "height"), any_of=True),),
)
_GROUP_MEMBERS = tuple(row for row in ELEMENT_RECORDS["group"].fields if row.name not in {*_FIXED, "children"})
_SCENE_MEMBERS = tuple(
    Field(row.name, PatchOf(row.type), row.doc)
    for row in (*(SCENE.members[name] for name in ("title", "showTitle", "canvas", "extensions")), *ROOT_FIELDS)
)
_STYLE_ID = Field("styleId", ELEMENT_ID, "The entry of `styles`.", required=True)
_ASSET_ID = Field("assetId", ELEMENT_ID, "The entry of `assets`.", required=True)

_RECORDS = (
    _create("createNode", "node"),
    _create("createEdge", "edge"),
    _create("createFrame", "frame"),
    _create("createText", "text"),
    _create("createImage", "image"),
    _create("createGuide", "guide"),
    _update("updateNode", "node"),
    _update("updateEdge", "edge"),
    _update("updateFrame", "frame"),
    _update("updateElement", *KINDS),
    _operation(
        "deleteElement",
        "Removes an element with its attached edges, its membership and the constraints' mentions of it; the children "
        "of a frame or group move up.",
        (_ID, Field("cascade", FLAG, "false refuses while anything still refers to it.", default=True)),
    ),
    _operation(
        "moveElement",
        "Moves an element with its content, by `delta` or to `x`, `y`; one that the engine placed becomes absolute.",
        (
            _ID,
            Field("delta", _DELTA, "How far."),
            Field("x", COORDINATE, "Where to: its left side, px."),
            Field("y", COORDINATE, "Where to: its top side, px."),
        ),
        (Requirement(("delta", "x", "y"), any_of=True), Excludes("delta", ("x", "y"))),
    ),
    _operation(
        "resizeElement",
        "Gives an element another size. With an anchor, one that the engine placed becomes absolute; without, the "
        "engine goes on placing it. A frame that the engine places is never smaller than its content.",
        (
            _ID,
            Field("size", _SIZE, "The new size.", required=True),
            Field("anchor", Choice(ANCHORS), "What stays put; left out, the top left corner."),
        ),
    ),
    _operation(
        "setStyle",
        "Styles an element: by a reference, which replaces its style, or by a patch, which merges into it.",
        (
            _ID,
            Field("styleId", ELEMENT_ID, "An entry of the document's `styles`."),
            Field("style", PatchOf(STYLE, an_object=True), "Members to set; null removes one, or the whole style."),
        ),
        (Requirement(("styleId", "style"), any_of=True), Excludes("styleId", ("style",))),
    ),
    _operation(
        "setText",
        "Sets the label of a node, edge or group, the title of a frame, the content of a text.",
        (_ID, Field("text", LABEL, "The text.", required=True)),
    ),
    _operation(
        "groupElements",
        "Makes a new group of elements, in the place of the first.",
        (_NEW_ID, Field("children", ListOf(ELEMENT_ID, least=1), "What to group.", required=True), *_GROUP_MEMBERS),
        stored=True,
    ),
    _operation("ungroupElements", "Removes a group; its children stay.", (_ID,)),
    _operation(
        "reparentElement",
        "Puts an element into a frame or group, at `index` among its children, or at the top level, which takes no "
        "`index`.",
        (
            _ID,
            Field("parentId", AnyOf((ELEMENT_ID, Null())), "The frame or group; null: the top level.", required=True),
            Field(
                "index",
                Number(0, "elements", whole=True),
                "Its place among the children; left out, the last. Not beside null.",
            ),
        ),
    ),
    _operation(
        "reorderElement",
        "Moves an element within `elements`: its place in a sequence, in a tie of layout, in paint. Beside a "
        "sibling, the container's list of children is reordered as well.",
        (_ID, *_IN_ORDER),
        (Requirement(("after", "before"), any_of=True), _ONE_SIDE),
    ),
    _operation(
        "copyElements",
        "Copies elements of another scene of yours, with the content of their frames and groups, the edges between "
        "them, and their styles and pictures. The engine places them.",
        (
            Field("fromSceneId", TextType("id_length"), "The scene, as it is now.", required=True),
            Field("ids", ListOf(ELEMENT_ID, least=1), "The elements.", required=True),
            Field("prefix", TextType("id_length"), "Before each id here, where ids would clash.", default=""),
            _ANY_PARENT,
        ),
    ),
    _operation(
        "addConstraint",
        "Adds a constraint.",
        (Field("constraint", CONSTRAINT, "The constraint; its id must be new.", required=True),),
    ),
    _update_constraint(),
    _operation(
        "removeConstraint", "Removes a constraint.", (Field("id", ELEMENT_ID, "The constraint.", required=True),)
    ),
    _operation(
        "defineStyle",
        "Adds or replaces a named style.",
        (_STYLE_ID, Field("style", STYLE, "The style.", required=True)),
    ),
    _operation("removeStyle", "Removes a named style that nothing uses.", (_STYLE_ID,)),
    _operation(
        "defineAsset",
        "Adds or replaces a picture.",
        (_ASSET_ID, Field("asset", ASSET, "The picture.", required=True)),
    ),
    _operation("removeAsset", "Removes a picture that nothing uses.", (_ASSET_ID,)),
    _operation(
        "updateScene",
        "Changes members of the scene, by JSON Merge Patch (RFC 7396): null removes a member.",
        _SCENE_MEMBERS,
    ),
    _operation(
        "relayout",
        "Places elements anew, as if the scene had never been laid out with them. Those with a place of their own keep "
        "it. So does a change of `layoutStrategy.algorithm` or `direction` with all elements.",
        (Field("ids", IDS, "The elements; left out, all of them. An empty list places none anew."),),
    ),
)

OPERATION_RECORDS: Mapping[str, Record] = MappingProxyType(
    {name: record for record in _RECORDS for name in cast("Choice", record.members["op"].type).values}
)
OPERATION = Variants(name="Operation", doc="One operation of a batch.", tag="op", records=OPERATION_RECORDS)

TRANSACTION_MODE = Choice(TRANSACTION_MODES)
REQUEST = Record(
    name="ApplyOpsRequest",
    stored=False,
    doc="A batch of operations against a base revision.",
    fields=(
        Field("schemaVersion", SCHEMA_VERSION, "`0.1`.", required=True, sample=SCHEMA_VERSIONS[0]),
        Field("sceneId", TextType("id_length"), "The scene.", required=True),
        Field("baseRevision", Number(1, MAX_REVISION, whole=True), "The revision it starts from.", required=True),
        Field(
            "ops",
            ListOf(SchemaOnly(OPERATION), "operations", what="operations"),
            "The operations, in order.",
            required=True,
            sample=(),
        ),
        Field(
            "transactionMode",
            TRANSACTION_MODE,
            "allOrNothing: any error leaves everything as it was. bestEffort: an operation that fails is left out.",
            default="allOrNothing",
        ),
        Field("message", TextType("message_length"), "What the revision is about."),
        Field("dryRun", FLAG, "Judges the operations and stores nothing: the reply has the revision as it is."),
        Field("computed", FLAG, COMPUTED_AFTER.schema["description"]),
        Field("render", AnyValue(an_object=True), RENDER_AFTER.schema["description"]),
    ),
)

# The published JSON Schemas, derived from the field descriptions used in validation (R-SCHEMA-1), in the dialect
# 2020-12 and as a draft-07 twin. A schema describes each value by itself; rules between the parts of a document (ids,
# references, cycles) are checked only by the validator.

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
