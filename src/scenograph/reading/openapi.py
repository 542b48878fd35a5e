"""OpenAPI 3 to a document: operations and schemas are gathered, then drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.source import Losses, Place, Source, TooLarge, Unreadable, shown
from scenograph.reading.yaml_documents import EXPECTED, Document, documents, has_members_alone
from scenograph.scene.json_values import (
    JsonObject,
    Path,
    is_array,
    is_object,
    listed,
    member,
    object_at,
    steps_of,
    text_at,
)
from scenograph.scene.json_values import shown as shown_value
from scenograph.scene.strict_json import StrictJsonError, parse

# The operations and schemas of an OpenAPI description. Examples and defaults are not looked at, and never quoted: they
# may be secrets.

PLACED_DEPTH = 5  # components, schemas, Pet, properties, name
MOST_STEPS = 200_000  # schemas, references and targets that are followed
_MOST_HOPS = 10  # references in a row
_COLUMNS_A_SCHEMA = 8  # at most, on average
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_ANY_KEY = "*"  # the row of a schema for members of any name

_FURTHER = "additionalOperations"
_SCHEMAS = ("components", "schemas")
_READ = frozenset({"openapi", "info", "tags", "paths", "webhooks", "components", "jsonSchemaDialect", "$self"})
_COMPONENTS = frozenset({"schemas", "responses", "requestBodies", "pathItems", "mediaTypes"})
_OPERATION = frozenset(
    {"tags", "summary", "description", "operationId", "requestBody", "responses", "deprecated", "externalDocs"}
)
_STRUCTURE = frozenset(
    {"type", "format", "properties", "required", "items", "enum", "const", "nullable", "description", "title", "xml"}
    | {"additionalProperties", "allOf", "oneOf", "anyOf", "$ref", "discriminator", "patternProperties", "prefixItems"}
)
_EXTENSION = "x-"
_SUCCESS = re.compile(r"2(?:[0-9]{2}|XX)")
_ONE_OF, _ANY_OF = "one of", "any of"
_CHOICES: Mapping[str, str] = MappingProxyType({"oneOf": _ONE_OF, "anyOf": _ANY_OF})
_PARTS = ("allOf", "oneOf", "anyOf")
_SINGLE = ("if", "then", "else")
_MANY = ("items", "contains", "additionalProperties", "unevaluatedItems", "unevaluatedProperties")
_TYPES_SHOWN = 3
_LONGEST_NAME, _LONGEST_TYPE, _LONGEST_TEXT = 500, 60, 2_000
_LONGEST_REFERENCE, _LONGEST_INDEX = 2_000, 8
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]{0,40}")


class Property(NamedTuple):
    """A row of a schema."""

    name: str
    type: str = ""
    is_nullable: bool = False


class SchemaNeed(NamedTuple):
    """What a schema needs another one for. `row` is the name of a row, "" for the schema itself; `how` is the label of
    a choice, or "" for a part of the schema."""

    row: str
    target: str
    how: str = ""
    is_many: bool = False
    is_optional: bool = False


@dataclass(slots=True)
class ApiSchema:
    """A named schema with its rows and needs, each need once."""

    name: str
    place: Place
    note: str = ""
    rows: dict[str, Property] = field(default_factory=dict[str, Property])
    needs: dict[tuple[str, str, str], SchemaNeed] = field(default_factory=dict[tuple[str, str, str], SchemaNeed])


@dataclass(slots=True)
class ApiOperation:
    """An operation: `needs` are labels by the schemas of its request and success responses, each once."""

    method: str
    path: str
    place: Place
    is_webhook: bool = False
    summary: str = ""
    note: str = ""
    tag: str = ""
    is_deprecated: bool = False
    needs: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])


@dataclass(slots=True)
class ApiDescription:
    """The content of a description, in document order. `tags`: the tags of operations, with descriptions."""

    title: str = ""
    tags: dict[str, str] = field(default_factory=dict[str, str])
    operations: list[ApiOperation] = field(default_factory=list[ApiOperation])
    schemas: dict[str, ApiSchema] = field(default_factory=dict[str, ApiSchema])


class _Reached(NamedTuple):
    """A schema reached from another one; `is_many`: through an array or a map."""

    target: str
    is_many: bool


def gather(document: Document, losses: Losses, most: int) -> ApiDescription:
    """The description in a document. Unreadable beyond MOST_STEPS, TooLarge for more than `most` parts."""
    return _Gathering(document, losses, most).description()


class _Gathering:
    def __init__(self, document: Document, losses: Losses, most: int) -> None:
        self._document = document
        self._losses = losses
        self._most = most
        self._root: JsonObject = document.value if is_object(document.value) else {}
        self._declared = {name for name, said in object_at(self._root, *_SCHEMAS).items() if _is_schema(name, said)}
        self._found = ApiDescription(text_at(self._root, "info", "title") or "")
        self._untold: dict[str, tuple[Place, int]] = {}
        self._members: dict[str, Place] = {}
        self._steps = 0
        self._columns = 0

    def description(self) -> ApiDescription:
        tags = self._root.get("tags")
        for tag in tags if is_array(tags) else ():
            name = text_at(tag, "name")
            if name is not None:
                self._found.tags.setdefault(name[:_LONGEST_NAME], _text(tag, "description"))
        for section in ("paths", "webhooks"):
            for path, item in self._entries(section):
                self._read_path(section, path, item)
        for name, said in self._entries(*_SCHEMAS):
            self._count(len(self._found.schemas))
            self._found.schemas[name] = self._schema(name, said)
        used = {one.tag for one in self._found.operations}
        self._found.tags = {name: note for name, note in self._found.tags.items() if name in used}
        self._tell_rest()
        return self._found

    # Paths and operations.

    def _entries(self, *path: str) -> Iterator[tuple[str, JsonObject]]:
        """Names and members of a section in turn."""
        rows = member(self._root, *path)
        if rows is None:
            return
        if not is_object(rows):
            self._losses.unread(self._place(*path), f"{path[-1]} is not a mapping")
            return
        for name, said in rows.items():
            if len(name) > _LONGEST_NAME:
                self._losses.unread(
                    self._place(*path), f"a name in {path[-1]} has more than {_LONGEST_NAME} characters"
                )
            elif path == _SCHEMAS and isinstance(said, bool):
                yield name, {}
            elif is_object(said):
                yield name, said
            elif not name.startswith(_EXTENSION):
                self._losses.unread(self._place(*path, name), f"an entry of {path[-1]} is not a mapping")

    def _read_path(self, section: str, path: str, item: JsonObject) -> None:
        if path.startswith(_EXTENSION):
            return
        at: Path = (section, path)
        layers = self._layers(item, at)
        further = next((rows for one in layers if (rows := object_at(one, _FURTHER))), object_at({}))
        self._step(len(further))
        for method in (*METHODS, *further):
            said = next((one[method] for one in layers if one.get(method) is not None), further.get(method))
            if is_object(said) and _PLAIN.fullmatch(method):
                self._count(len(self._found.operations))
                self._found.operations.append(self._operation(method, (*at, method), said))
            elif said is not None:
                self._losses.unread(self._place(*at, method), "an operation is not a mapping")
        if any(one.get("parameters") for one in layers):
            self._tell("parameters of paths", self._place(*at))

    def _layers(self, item: JsonObject, at: Path) -> list[JsonObject]:
        """A path item and the referenced items, in turn; members of earlier items win."""
        layers = [item]
        while isinstance(layers[-1].get("$ref"), str) and len(layers) <= _MOST_HOPS:
            self._step()
            _, found = self._pointed(layers[-1]["$ref"])
            if not is_object(found):
                self._losses.unread(self._place(*at), self._missing(layers[-1]["$ref"]))
                break
            layers.append(found)
        return layers

    def _operation(self, method: str, at: Path, said: JsonObject) -> ApiOperation:
        place = self._place(*at)
        one = ApiOperation(method.upper(), str(at[1]), place, is_webhook=at[0] == "webhooks")
        one.summary, one.note = _text(said, "summary"), _text(said, "description")
        one.is_deprecated = said.get("deprecated") is True
        tags, responses = said.get("tags"), object_at(said, "responses")
        self._step(len(said) + len(responses) + (len(tags) if is_array(tags) else 0))
        names = [tag[:_LONGEST_NAME] for tag in tags if isinstance(tag, str) and tag] if is_array(tags) else []
        if names:
            one.tag = names[0]
            self._found.tags.setdefault(one.tag, "")
        if names[1:]:
            self._tell("further tags of operations", place)
        self._need(one, "request", said.get("requestBody"), at)
        good = {code for code in responses if _SUCCESS.fullmatch(code)} or responses.keys() & {"default"}
        for code, response in responses.items():
            if code in good:
                self._need(one, code, response, at)
        if any(code not in good and not code.startswith(_EXTENSION) for code in responses):
            self._tell("responses to errors", place)
        for name in said:
            if name not in _OPERATION and not name.startswith(_EXTENSION) and _PLAIN.fullmatch(name):
                self._tell(f"{name} of operations", place)
        return one

    def _need(self, one: ApiOperation, label: str, message: object, at: Path) -> None:
        """Note the schemas of the content of a request or a response."""
        if not is_object(message):
            return
        said, _ = self._resolved(message, at)
        for row in object_at(said, "content").values():
            content, _ = self._resolved(row, at) if is_object(row) else ({}, "")
            for name in ("schema", "itemSchema"):
                for found in self._reached(content.get(name), at):
                    one.needs.setdefault(found.target, {})[label] = None

    # Schemas.

    def _schema(self, name: str, said: JsonObject) -> ApiSchema:
        at: Path = (*_SCHEMAS, name)
        one = ApiSchema(name, self._place(*at), _text(said, "description"))
        self._add_parts(one, said, at)
        if not one.rows and not one.needs and is_array(said.get("enum")):
            for value in said["enum"]:
                text = value if isinstance(value, str) else shown_value(value)
                self._add_row(one, Property(text[:_LONGEST_NAME]))
        elif not one.rows and "properties" not in said and not any(said.get(part) for part in _PARTS):
            self._add_row(one, Property(self._type(said, at, 0)))
            self._add_needs(one, "", self._reached(said, at), is_optional=False)
        return one

    def _add_parts(self, one: ApiSchema, said: JsonObject, at: Path) -> None:
        """Add the rows of a schema and of the schemas that it is put together from."""
        self._step()
        self._note_members(said, at)
        required = said.get("required")
        needed = {name for name in required if isinstance(name, str)} if is_array(required) else set[str]()
        for name, row in object_at(said, "properties").items():
            is_optional = name not in needed
            self._add_row(one, Property(name, self._type(row, at, 0), is_optional or _is_nullable(row)))
            place: Path = (*at, "properties", name)
            self._add_needs(one, name, self._reached(row, place), is_optional=is_optional or _is_nullable(row))
        rest = said.get("additionalProperties")
        if is_object(rest) and rest and (one.rows or said.get("type") != "array"):
            self._add_row(one, Property(_ANY_KEY, self._type(rest, at, 0)))
            self._add_needs(one, _ANY_KEY, [row._replace(is_many=True) for row in self._reached(rest, at)])
        for keyword in _PARTS:
            parts = said.get(keyword)
            for part in parts if is_array(parts) else ():
                self._add_part(one, part, at, _CHOICES.get(keyword, ""))
        if isinstance(said.get("$ref"), str):
            self._add_part(one, {"$ref": said["$ref"]}, at, "")

    def _add_part(self, one: ApiSchema, part: object, at: Path, how: str) -> None:
        if not is_object(part):
            return
        if isinstance(part.get("$ref"), str):
            self._add_needs(one, "", self._reached({"$ref": part["$ref"]}, at), how=how)
        elif how:
            self._add_needs(one, "", self._reached(part, at), how=how)
            if not any(self._reached(part, at)):
                self._tell("choices without a name", self._place(*at))
        else:
            self._add_parts(one, part, at)

    def _add_row(self, one: ApiSchema, row: Property) -> None:
        if row.name not in one.rows:
            self._columns += 1
            if self._columns > self._most * _COLUMNS_A_SCHEMA:
                raise TooLarge(self._most * _COLUMNS_A_SCHEMA)
            one.rows[row.name] = row

    def _add_needs(
        self,
        one: ApiSchema,
        row: str,
        reached: Iterator[_Reached] | list[_Reached],
        how: str = "",
        *,
        is_optional: bool = True,
    ) -> None:
        for found in reached:
            need = SchemaNeed(row, found.target, how, found.is_many, is_optional)
            known = one.needs.setdefault((row, found.target, how), need)
            if found.is_many and not known.is_many:
                one.needs[row, found.target, how] = known._replace(is_many=True)

    def _reached(self, said: object, at: Path, hops: int = 0, *, is_many: bool = False) -> Iterator[_Reached]:
        """The named schemas referenced by a schema, directly or in inner parts."""
        self._step()
        if not is_object(said):
            return
        if isinstance(said.get("$ref"), str):
            whole, name = self._resolved(said, at)
            if name:
                yield _Reached(name, is_many)
            elif hops < _MOST_HOPS:
                yield from self._reached(whole, at, hops + 1, is_many=is_many)
            return
        for part, many in _parts(said):
            yield from self._reached(part, at, hops, is_many=is_many or many)

    def _type(self, said: object, at: Path, depth: int) -> str:
        """The type of a value as a row shows it."""
        self._step()
        if not is_object(said) or depth > _TYPES_SHOWN:
            return "any"
        if isinstance(said.get("$ref"), str):
            return _short(_last_name(said["$ref"]))
        kinds = _kinds(said)
        if "array" in kinds or (not kinds and "items" in said):
            return _short(f"{self._type(said.get('items'), at, depth + 1)}[]")
        for keyword in ("oneOf", "anyOf", "allOf"):
            rows = said.get(keyword)
            parts = [part for part in rows if is_object(part) and _kinds(part) != ["null"]] if is_array(rows) else []
            names = dict.fromkeys(self._type(part, at, depth + 1) for part in parts[:_TYPES_SHOWN])
            joined = " & " if keyword == "allOf" else " | "
            if names:
                return _short(joined.join([*names, *(["…"] if len(parts) > _TYPES_SHOWN else [])]))
        rest = said.get("additionalProperties")
        if is_object(rest) and rest and "properties" not in said:
            return _short(f"map of {self._type(rest, at, depth + 1)}")
        return _short(_plain_type(said, kinds))

    # References.

    def _resolved(self, said: JsonObject, at: Path) -> tuple[JsonObject, str]:
        """The object behind a reference, and its name if it is a named schema; else the object itself."""
        for _ in range(_MOST_HOPS):
            reference = said.get("$ref")
            if not isinstance(reference, str):
                return said, ""
            self._step()
            path, found = self._pointed(reference)
            if path[:2] == _SCHEMAS and len(path) == len(_SCHEMAS) + 1 and path[2] in self._declared:
                return {}, path[2]
            if not is_object(found):
                self._losses.formless(self._place(*at), self._missing(reference))
                return {}, ""
            said = found
        self._losses.formless(self._place(*at), "references lead in a circle")
        return {}, ""

    @staticmethod
    def _missing(reference: str) -> str:
        where = "nothing in this source" if reference.startswith("#") else "a file that is not opened"
        return f"a reference leads to {where}: {shown(reference)}"

    def _pointed(self, reference: str) -> tuple[tuple[str, ...], object]:
        """The keys and the value of a reference within the source."""
        if not reference.startswith("#/") or len(reference) > _LONGEST_REFERENCE:
            return (), (self._root if reference == "#" else None)
        path = steps_of(unquote(reference[1:]))
        found: object = self._root
        for step in path:
            if is_array(found):
                at = int(step) if step.isdecimal() and len(step) < _LONGEST_INDEX else len(found)
                found = found[at] if at < len(found) else None
            else:
                found = member(found, step)
        return path, found

    # Losses and bounds.

    def _tell_rest(self) -> None:
        """Tell what is not drawn, once each."""
        for name in self._root:
            if name not in _READ and not name.startswith(_EXTENSION) and _PLAIN.fullmatch(name):
                self._losses.formless(self._place(name), f"{name}: not drawn")
        for name, rows in object_at(self._root, "components").items():
            if name not in _COMPONENTS and _PLAIN.fullmatch(name) and is_object(rows):
                self._losses.formless(self._place("components", name), f"{name} ({len(rows)}): not drawn")
        for what, (place, count) in self._untold.items():
            self._losses.formless(place, f"{what} ({count}): not drawn")
        if self._members:
            names = listed(sorted(self._members))
            self._losses.formless(next(iter(self._members.values())), f"of schemas are not drawn: {names}")

    def _note_members(self, said: JsonObject, at: Path) -> None:
        rows = [said, *(row for row in object_at(said, "properties").values() if is_object(row))]
        for row in rows:
            for name in row:
                if name not in _STRUCTURE and _PLAIN.fullmatch(name) and len(self._members) < _MOST_HOPS * 4:
                    self._members.setdefault(name, self._place(*at))

    def _tell(self, what: str, place: Place) -> None:
        first, count = self._untold.get(what, (place, 0))
        self._untold[what] = (first, count + 1)

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MOST_STEPS:
            raise Unreadable(Place(1, 1), f"a description of at most {MOST_STEPS} schemas and references to follow")

    def _count(self, held: int) -> None:
        if held >= self._most:
            raise TooLarge(self._most)

    def _place(self, *path: str | int) -> Place:
        return self._document.place(*path)


def _is_schema(name: str, said: object) -> bool:
    """Whether an entry of the named schemas is drawn."""
    return len(name) <= _LONGEST_NAME and (isinstance(said, bool) or is_object(said))


def _parts(said: JsonObject) -> Iterator[tuple[object, bool]]:
    """The schemas within a schema, and whether a value may hold several of each."""
    for keyword in (*_PARTS, "prefixItems"):
        rows = said.get(keyword)
        yield from ((row, keyword == "prefixItems") for row in (rows if is_array(rows) else ()))
    for keyword in (*_SINGLE, *_MANY):
        yield said.get(keyword), keyword in _MANY
    for keyword in ("properties", "dependentSchemas", "patternProperties"):
        yield from ((row, keyword == "patternProperties") for row in object_at(said, keyword).values())


def _kinds(said: JsonObject) -> list[str]:
    """The types named by a schema, null included."""
    kinds = said.get("type")
    rows = kinds[:_MOST_HOPS] if is_array(kinds) else [kinds]
    return [kind[:_LONGEST_TYPE] for kind in rows if isinstance(kind, str)]


def _is_nullable(said: object) -> bool:
    if not is_object(said):
        return False
    rows = [rows for keyword in _CHOICES if is_array(rows := said.get(keyword))]
    choices = [part for parts in rows for part in parts if is_object(part)]
    return said.get("nullable") is True or any("null" in _kinds(one) for one in (said, *choices))


def _plain_type(said: JsonObject, kinds: list[str]) -> str:
    names = [kind for kind in kinds if kind != "null"]
    text = " | ".join(names) or ("object" if "properties" in said else "any")
    form = said.get("format")
    if is_array(said.get("enum")):
        return f"{text} enum" if names else "enum"
    return f"{text} ({form[:_LONGEST_TYPE]})" if isinstance(form, str) and form else text


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TYPE else f"{text[: _LONGEST_TYPE - 1]}…"


def _last_name(reference: str) -> str:
    return unquote(reference[-_LONGEST_REFERENCE:]).rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _text(said: object, name: str) -> str:
    return (text_at(said, name) or "")[:_LONGEST_TEXT]


# The front door: an OpenAPI description to a document. Lines run from an operation to the schemas of its
# request and success responses, and from a schema to the schemas of its rows.

MOST_CHARACTERS = 1 << 20  # of a source

_FAMILY = "entityRelationship"
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
