"""RESOURCES and TEMPLATES: readable (and attachable) content for hosts, without a tool call. A row has its address, its
description, and its reader: from a text of this package or from the service. Static resources need no key; stored
scenes do."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, cast
from urllib.parse import unquote

from mcp_types import Resource, ResourceTemplate

from scenograph.late_dataclasses import dataclass
from scenograph.mcp.api_client import Api
from scenograph.mcp.apps import LOOKS, MIME_TYPE, PAGE, VIEWER
from scenograph.mcp.exporting import exported
from scenograph.mcp.inputs import ID_FORM, SCALE, Wrong
from scenograph.mcp.instructions import guide, text
from scenograph.wire.formats import FORMATS
from scenograph.wire.members import requirement
from scenograph.wire.names import FAMILY_NAMES

BY_FORMAT = "application/octet-stream"  # the answer has the actual type
JSON, MARKDOWN, SVG = "application/json", "text/markdown", "image/svg+xml"
MAX_BYTES = 3_900_000  # as written in a message, which has less than 4 MB
MOST_FOUND = 200
MOST_OF_A_PART = 8_000  # characters of a schema: a model reads a part to write one element or operation
_REFERENCE = re.compile(r'"#/\$defs/(\w+)"')

Values = Mapping[str, str]
Read = Callable[[Api, Values], Awaitable[str]]


class NoSuchResource(Exception):  # noqa: N818
    """No resource has this address; the text lists those available."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRow:
    """A row. An address with a variable in braces is a template."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Read
    key: bool = False
    meta: Mapping[str, Any] | None = None

    @property
    def is_template(self) -> bool:
        """Whether the address has variables."""
        return "{" in self.uri

    def match(self, uri: str) -> Values | None:
        """The variables' values when `uri` is of this form."""
        form = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/?#]+)", re.escape(self.uri))
        found = re.fullmatch(form, uri)
        return {name: unquote(value) for name, value in found.groupdict().items()} if found else None


async def _viewer(api: Api, _values: Values) -> str:
    return await api.text(PAGE)


async def _guide(_api: Api, _values: Values) -> str:
    return guide()


def _from_service(path: str) -> Read:
    async def read(api: Api, _values: Values) -> str:
        return _json(await api.get(path))

    return read


def _part_of(path: str, address: str, names: Callable[[Mapping[str, Any]], Mapping[str, str]]) -> Read:
    """A part of a published schema, by a name of `names` or of a definition, with its definitions."""

    async def read(api: Api, values: Values) -> str:
        schema = await api.get(path)
        known, wanted = names(schema), values["part"]
        part = known.get(wanted, wanted)
        if part not in schema["$defs"]:
            raise NoSuchResource(f"There are: {', '.join(known)}.")
        return _with_definitions(schema, part, address)

    return read


def _tagged(tag: str) -> Callable[[Mapping[str, Any]], Mapping[str, str]]:
    """The definitions of a schema, by their value of `tag`."""

    def names(schema: Mapping[str, Any]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for row in cast("Mapping[str, Any]", schema["$defs"]).values():
            for case in row.get("allOf", ()):
                value: Any = case.get("if", {}).get("properties", {}).get(tag, {}).get("const")
                target: Any = case.get("then", {}).get("$ref")
                if isinstance(value, str) and isinstance(target, str):
                    found[value] = target.rpartition("/")[2]
        return found

    return names


def _with_definitions(schema: Mapping[str, Any], name: str, address: str) -> str:
    """A definition as JSON text of at most MOST_OF_A_PART characters, with as many of the definitions it needs as fit,
    the smallest first; a reference to another is the address of that part."""
    definitions = cast("Mapping[str, Any]", schema["$defs"])
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in definitions and one not in found:
            found[one] = json.dumps(definitions[one], ensure_ascii=False, separators=(",", ":"))
            waiting += _REFERENCE.findall(found[one])
    others = sorted((one for one in found if one != name), key=lambda one: len(found[one]))
    while True:
        told = {name, *others}
        text = ",".join(f'"{one}":{_referring(found[one], told, address)}' for one in found if one in told)
        part = f'{{"$ref":"#/$defs/{name}","$defs":{{{text}}}}}'
        if len(part) <= MOST_OF_A_PART or not others:
            return part
        others.pop()


def _referring(definition: str, told: Collection[str], address: str) -> str:
    """The text of a definition whose references lead to the definitions beside it, or to their addresses."""
    return _REFERENCE.sub(lambda found: found[0] if found[1] in told else f'"{address}/{found[1]}"', definition)


async def _exported(api: Api, values: Values) -> str:
    """The file's text, or its bytes as base64."""
    if values["format"] not in FORMATS:
        raise NoSuchResource(f"There are the formats {', '.join(FORMATS)}.")
    try:
        options: dict[str, Any] = {"scale": SCALE.check("scale", float(values["scale"]))} if "scale" in values else {}
        given: Any = json.loads(values.get("options", "{}"))
        options |= {name: given[name] for name in ("theme", "view") if name in given}
    except (Wrong, ValueError, TypeError) as wrong:
        raise NoSuchResource(f"scale must be {requirement(SCALE.schema)}, the options a JSON object.") from wrong
    return (await exported(api, _id(values), values["format"], options)).text


def _example(family: str) -> Read:
    async def read(_api: Api, _values: Values) -> str:
        return text(f"examples/{family}.json")

    return read


async def _icons(api: Api, _values: Values) -> str:
    """All keys, a line a category of a set: `aws: storage: key, key`."""
    found = await api.get("/v1/icons")
    groups: dict[tuple[str, str], list[str]] = {}
    for item in cast("list[dict[str, str]]", found["items"]):
        prefix, _, name = item["key"].partition(":")
        groups.setdefault((prefix, item["category"]), []).append(name)
    lines = [
        f"{prefix}: {category}: {', '.join(sorted(names))}" for (prefix, category), names in sorted(groups.items())
    ]
    return "\n".join(["A key is set:name, such as lucide:database. One line a set and category.", *lines])


async def _icons_like(api: Api, values: Values) -> str:
    found = await api.get("/v1/icons", {"q": values["query"], "limit": MOST_FOUND})
    keys = [str(item["key"]) for item in found["items"]]
    return "\n".join(keys) if keys else f"No icon is like {values['query']}."


async def _scene(api: Api, values: Values) -> str:
    reply = await api.get(f"/v1/scenes/{_id(values)}")
    return _json(reply["scene"])


async def _revisions(api: Api, values: Values) -> str:
    return _json(await api.get(f"/v1/scenes/{_id(values)}/revisions"))


async def _revision(api: Api, values: Values) -> str:
    if not values["revision"].isdecimal():
        raise NoSuchResource("A revision is a number.")
    reply = await api.get(f"/v1/scenes/{_id(values)}", {"revision": values["revision"]})
    return _json(reply["scene"])


async def _picture(api: Api, values: Values) -> str:
    reply = await api.post(f"/v1/scenes/{_id(values)}/render", {"format": "svg"})
    return str(reply["output"]["content"])


def _id(values: Values) -> str:
    if not ID_FORM.fullmatch(values["sceneId"]):
        raise NoSuchResource("A sceneId has 1 to 128 letters, digits or . _ ~ : -.")
    return values["sceneId"]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


PLACES: tuple[ResourceRow, ...] = (
    ResourceRow(
        uri="scenograph://guide",
        name="guide",
        title="How to write a scene",
        description="Elements, families with their types, layouts, looks, operations. Read it before the first scene.",
        mime_type=MARKDOWN,
        read=_guide,
    ),
    ResourceRow(
        uri="scenograph://schemas/scene",
        name="scene.schema.json",
        title="JSON Schema of a scene document",
        description="Every field of a document.",
        mime_type=JSON,
        read=_from_service("/schemas/scene.schema.json"),
    ),
    ResourceRow(
        uri="scenograph://schemas/operations",
        name="ops.schema.json",
        title="JSON Schema of a batch of operations",
        description="Every operation of dsp_apply_ops with its members.",
        mime_type=JSON,
        read=_from_service("/schemas/ops.schema.json"),
    ),
    ResourceRow(
        uri=VIEWER,
        name="viewer",
        title="Viewer",
        description="Shows a scene in the chat, to explore and edit by hand (MCP Apps).",
        mime_type=MIME_TYPE,
        read=_viewer,
        meta=LOOKS,
    ),
    ResourceRow(
        uri="scenograph://icons",
        name="icons",
        title="All icons",
        description="The keys for the member icon of a node. Large; scenograph://icons/<word> finds some.",
        mime_type="text/plain",
        read=_icons,
    ),
    *(
        ResourceRow(
            uri=f"scenograph://examples/{family}",
            name=f"{family}.json",
            title=f"Example: {family}",
            description=f"A whole document of the family {family}.",
            mime_type=JSON,
            read=_example(family),
        )
        for family in FAMILY_NAMES
    ),
    ResourceRow(
        uri="scenograph://schemas/scene/{part}",
        name="scene-schema-part",
        title="JSON Schema of one kind of element",
        description="node, edge, frame, group, text, image or guide.",
        mime_type=JSON,
        read=_part_of("/schemas/scene.schema.json", "scenograph://schemas/scene", _tagged("kind")),
    ),
    ResourceRow(
        uri="scenograph://schemas/operations/{part}",
        name="operation-schema",
        title="JSON Schema of one operation",
        description="By its op, such as createNode.",
        mime_type=JSON,
        read=_part_of("/schemas/ops.schema.json", "scenograph://schemas/operations", _tagged("op")),
    ),
    ResourceRow(
        uri="scenograph://icons/{query}",
        name="icons-found",
        title="Find icons",
        description="Icon keys for a word, the best first. A prefix such as aws: keeps to one set.",
        mime_type="text/plain",
        read=_icons_like,
    ),
    ResourceRow(
        uri="scene://{sceneId}",
        name="scene",
        title="A stored scene",
        description="The document, latest revision.",
        mime_type=JSON,
        read=_scene,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/revisions",
        name="scene-revisions",
        title="A scene's revisions",
        description="Newest first, with time, message and counts of changes.",
        mime_type=JSON,
        read=_revisions,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/revisions/{revision}",
        name="scene-revision",
        title="A revision of a stored scene",
        description="The document as it was.",
        mime_type=JSON,
        read=_revision,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/picture.svg",
        name="scene-picture",
        title="A stored scene's picture",
        description="The latest revision as a self-contained SVG file.",
        mime_type=SVG,
        read=_picture,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/export/{format}",
        name="scene-export",
        title="A stored scene as a file",
        description="The latest revision in any export format.",
        mime_type=BY_FORMAT,
        read=_exported,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/export/{format}/{scale}",
        name="scene-export-scaled",
        title="A stored scene as a file of another scale",
        description="The latest revision as a png, with so many pixels for each px of the scene.",
        mime_type=BY_FORMAT,
        read=_exported,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/export/{format}/{scale}/{options}",
        name="scene-export-with-options",
        title="A stored scene as a file in another theme or view",
        description="Options: a JSON object with theme and view, as in dsp_export_scene.",
        mime_type=BY_FORMAT,
        read=_exported,
        key=True,
    ),
)


def listed(*, key: bool) -> list[Resource]:
    """The single resources offered to a caller."""
    return [
        Resource(
            uri=place.uri,
            name=place.name,
            title=place.title,
            description=place.description,
            mime_type=place.mime_type,
            _meta=dict(place.meta) if place.meta else None,
        )
        for place in PLACES
        if not place.is_template and (key or not place.key)
    ]


def templates(*, key: bool) -> list[ResourceTemplate]:
    """The resource templates offered to a caller."""
    return [
        ResourceTemplate(
            uri_template=place.uri,
            name=place.name,
            title=place.title,
            description=place.description,
            mime_type=place.mime_type,
        )
        for place in PLACES
        if place.is_template and (key or not place.key)
    ]


async def read(api: Api, uri: str) -> tuple[str, str]:
    """Text and media type of the resource at `uri`. Raises NoSuchResource for an unknown address, Refusal from the
    service."""
    for place in PLACES:
        values = place.match(uri)
        if values is None or (place.key and not api.key):
            continue
        owner, at, scene_id = values.get("sceneId", "").rpartition("@")
        if at:  # a shared scene
            api, values = api.for_owner(owner), {**values, "sceneId": scene_id}
        found = await place.read(api, values)
        size = len(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
        if size > MAX_BYTES:
            raise NoSuchResource(f"It takes {size} bytes, more than fit into a message; ask {api.address}.")
        form = FORMATS.get(values.get("format", "")) if place.mime_type == BY_FORMAT else None
        return found, place.mime_type if form is None else form.media_type
    raise NoSuchResource(f"Nothing is at this address. There are: {', '.join(_offered(api))}.")


def looks_of(uri: str) -> dict[str, Any] | None:
    """A page's display metadata for hosts, or None."""
    meta = next((place.meta for place in PLACES if place.uri == uri), None)
    return dict(meta) if meta else None


def _offered(api: Api) -> list[str]:
    return [place.uri for place in PLACES if api.key or not place.key]
