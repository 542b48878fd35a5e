"""The way into this room: an OpenAPI description to a document. Lines run from an operation to the schemas of its
request and success responses, and from a schema to the schemas of its rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scenograph.reading.assembly import Assembly
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source
from scenograph.reading.yaml_documents import EXPECTED, documents, has_members_alone
from scenograph.scene.json_values import JsonObject, is_object, text_at
from scenograph.scene.strict_json import StrictJsonError, parse

if TYPE_CHECKING:
    from scenograph.reading.openapi.model import ApiDescription, ApiOperation, ApiSchema, SchemaNeed

MOST_CHARACTERS = 1 << 20  # of a source

_FAMILY = "entityRelationship"
_LONGEST_NAME = 500  # of a row
_HEAD = {"endArrow": "triangle"}
_DASHED = {"dash": [4, 4]}
_EXPECTED = "a description of OpenAPI 3: openapi, and paths, webhooks or components"
_VERSION = re.compile(r"3\.[0-9]+(?:\.[0-9]+)?(?:-[\w.]+)?")
_BODY = ("paths", "webhooks", "components")
_SAID_VERSION = re.compile(
    rf"^[\"']?openapi[\"']?[ \t]*:[ \t]*[\"']?{_VERSION.pattern}[\"']?[ \t\r]*(?:#|$)", re.MULTILINE
)
_SAID_BODY = re.compile(r"^[\"']?(?:paths|webhooks|components)[\"']?[ \t]*:", re.MULTILINE)


def recognizes(text: str) -> bool:
    """Whether a text is a description of OpenAPI 3."""
    if "openapi" not in text:
        return False
    body = text.lstrip("\ufeff \t\r\n")
    if body.startswith("{"):
        try:
            return _is_description(parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")))
        except StrictJsonError:
            return False
    if not _SAID_VERSION.search(text) or not _SAID_BODY.search(text):
        return False
    return has_members_alone(text)


def _is_description(root: object) -> bool:
    if not is_object(root) or not any(is_object(root.get(name)) for name in _BODY):
        return False
    return _VERSION.fullmatch(text_at(root, "openapi") or "") is not None


def read(source: Source, losses: Losses) -> JsonObject:
    """The scene document of an OpenAPI description. Raises Unreadable for other YAML or JSON, TooLarge."""
    from scenograph.reading.openapi.model import PLACED_DEPTH, gather  # noqa: PLC0415 - most sources need no YAML

    found = list(documents(source.text, PLACED_DEPTH, MOST_CHARACTERS))
    if found and found[0].fault is not None:
        raise Unreadable(found[0].fault, EXPECTED)
    if not found or not _is_description(found[0].value):
        raise Unreadable(Place(1, 1), _EXPECTED)
    first, *others = found
    if others:
        losses.unread(Place(others[0].first_line), "further documents of the file are not read")
    description = gather(first, losses, source.most_elements)
    if not description.operations and not description.schemas:
        raise Unreadable(losses.first or Place(1, 1), "operations or schemas")
    return _document(description, source)


def _document(description: ApiDescription, source: Source) -> JsonObject:
    assembly = Assembly("openapi", source)
    children: dict[str, list[str]] = {}
    for one in description.operations:
        children.setdefault(one.tag, []).append(assembly.node(source_id(one), **_looks(one))["id"])
    for schema in description.schemas.values():
        assembly.node(
            _schema(schema.name),
            nodeType="er.entity",
            label=schema.name,
            tooltip=schema.note,
            extensions={"columns": [_column(*row) for row in schema.rows.values()]} if schema.rows else None,
        )
    for tag, note in description.tags.items():
        assembly.frame(f"tag {tag}", title=tag, tooltip=note, children=children[tag])
    for one in description.operations:
        own = {"elementId": assembly.name(source_id(one))}
        for target, labels in one.needs.items():
            end = {"elementId": assembly.name(_schema(target))}
            assembly.edge(own, end, f"{source_id(one)} -> {target}", label="\n".join(labels), endpoints=_HEAD)
    for schema in description.schemas.values():
        for need in schema.needs.values():
            _connect(schema, need, assembly)
    strategy = {"algorithm": "hierarchical", "direction": "LR"}
    return assembly.document(_FAMILY, title=description.title, layoutStrategy=strategy)


def source_id(one: ApiOperation) -> str:
    """The id of an operation in its source: method and path."""
    return f"webhook {one.method} {one.path}" if one.is_webhook else f"{one.method} {one.path}"


def _schema(name: str) -> str:
    return f"schema {name}"


def _looks(one: ApiOperation) -> JsonObject:
    state = "deprecated" if one.is_deprecated else ""
    lines = (f"{one.method} {one.path}", one.summary, state)
    return {
        "shape": "roundedRect",
        "label": "\n".join(line for line in lines if line),
        "tooltip": one.note,
        "style": _DASHED if one.is_deprecated else None,
    }


def _column(name: str, kind: str, is_nullable: bool) -> JsonObject:  # noqa: FBT001 - the fields of a row
    typed = {"type": kind} if kind else {}
    return {"name": name[:_LONGEST_NAME] or '""', **typed, **({"nullable": True} if is_nullable else {})}


def _connect(schema: ApiSchema, need: SchemaNeed, assembly: Assembly) -> None:
    own: JsonObject = {"elementId": assembly.name(_schema(schema.name))}
    end: JsonObject = {"elementId": assembly.name(_schema(need.target))}
    stem = f"schema {schema.name} -> {need.target}"
    if need.row:
        many, one = ("zero-or-many", "zero-or-many") if need.is_many else ("zero-or-one", "one")
        own["column"] = need.row[:_LONGEST_NAME]
        end["cardinality"] = many if need.is_optional else one
        assembly.edge(own, end, f"schema {schema.name}.{need.row} -> {need.target}", edgeType="er.nonIdentifying")
    elif need.is_many and not need.how:  # a list or a map of them is none of them
        assembly.edge(own, end | {"cardinality": "zero-or-many"}, stem, edgeType="er.nonIdentifying")
    elif need.how:
        assembly.edge(own, end, f"{stem} {need.how}", label=need.how, endpoints=_HEAD)
    else:
        assembly.edge(own, end, stem, edgeType="uml.inherits")
