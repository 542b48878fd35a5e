"""What a host may read and offer besides tools: instructions, PROMPTS, RESOURCES and TEMPLATES, and the App."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import cache
from importlib import resources
from typing import Any, cast
from urllib.parse import quote, unquote

from mcp.server import ServerRequestContext
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, client_supports_apps
from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, Resource, ResourceTemplate, TextContent

from scenograph.late_dataclasses import dataclass
from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import ID_FORM, REQUESTS, SCALE, TOPICS, Wrong
from scenograph.mcp.rendering import exported
from scenograph.wire.formats import FORMATS
from scenograph.wire.members import THEME, requirement
from scenograph.wire.names import FAMILY_NAMES, THEME_NAMES

# The teaching texts: the server's instructions, for callers with and without a key, and the guide.

FILES = resources.files("scenograph.mcp")
_WITH_KEY = {
    "short": "Short way: Mermaid (or SQL …) by dsp_import_scene with keep; for large edits change that source and "
    "dsp_sync_scene; for small ones dsp_apply_ops. Icons, looks: the scene itself, dsp_create_scene. Each reply shows "
    "the picture: heed it and the remarks.\n\n",
    "look": "",
    "more": "Find a scene: dsp_list_scenes. Undo: dsp_restore_revision. More: dsp_read_guide.",
    "risks": "\n\nDelete, publish, submit to support only once the user agreed.",
}
_WITHOUT_KEY = {
    "short": "",
    "look": "Then dsp_render_scene with format png, and look: is all readable, nothing missing? Nothing is stored: "
    "keep the document, mend it, pass it whole as scene again.",
    "more": "More: the resources scenograph://guide, scenograph://examples/<family>, scenograph://icons/<word>.",
    "risks": "\n\nTo store, edit and publish scenes the user sets SERVICE_API_KEY in the host's configuration.",
}


@cache
def instructions(*, key: bool) -> str:
    """How to work with the tools, in at most 500 tokens."""
    whole = text("texts/instructions.md")
    for name, words in (_WITH_KEY if key else _WITHOUT_KEY).items():
        whole = whole.replace(f"{{{{{name}}}}}", words)
    return whole.strip()


@cache
def guide() -> str:
    """The scene guide as Markdown: its pages in order."""
    return "\n".join(map(guide_page, TOPICS))


def guide_page(topic: str) -> str:
    """A page of the guide as Markdown."""
    return text(f"texts/guide/{topic}.md")


def text(name: str) -> str:
    """A file of this package."""
    return FILES.joinpath(name).read_text("utf-8")


# PROMPTS: common jobs for a user's menu.

_MOST_GIVEN = 300_000  # characters; even fully escaped a message stays far below 4 MB
KEEP = "Then {keep}render it as png{theme}, look at the image, and mend what is unclear before you show it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A row. `text` may use the arguments in braces; `missing` holds replacements for absent arguments. A job with
    `key` needs stored scenes."""

    name: str
    title: str
    description: str
    text: str
    required: Mapping[str, str]
    optional: Mapping[str, str]
    missing: Mapping[str, str]
    key: bool = False


_THEME = {"theme": "clean, dark, blueprint or sketch."}

JOBS: tuple[Job, ...] = (
    Job(
        name="architecture_from_repository",
        title="Architecture from a repository",
        description="Read a code base and draw its parts and how they talk.",
        text="Draw the architecture of the repository at {path}. Read its build files, configuration and entry points; "
        "find what runs on its own (services, clients, functions), where data is kept (databases, queues, buckets) and "
        "which outside systems are called. Draw only what the code shows: at most 20 nodes, one frame for each part "
        "that is deployed together, an arrow from caller to callee with the protocol or purpose in two words. {focus}"
        "Use diagramFamily architecture, layoutStrategy hierarchical and, so that every line shows its direction, "
        "defaults.edge.endpoints with endArrow triangle. " + KEEP + " At the end list what you were not sure of.",
        required={},
        optional={"path": "Folder of the repository.", "focus": "A part to look at closely.", **_THEME},
        missing={"path": "the current folder"},
    ),
    Job(
        name="er_from_sql",
        title="Entity-relationship diagram from SQL",
        description="Draw the tables of a schema with columns, keys and relationships.",
        text="Draw an entity-relationship diagram of this SQL schema:\n\n{sql}\n\nOne er.entity a table, its columns "
        "in extensions.columns with name, type, pk, fk, unique and nullable as declared. One edge a foreign key, from "
        "the referencing column to the referenced one, er.identifying where it is part of the primary key, else "
        "er.nonIdentifying. Use diagramFamily entityRelationship. " + KEEP,
        required={"sql": "CREATE TABLE statements, or the path of a file with them."},
        optional=_THEME,
        missing={},
    ),
    Job(
        name="sequence_from_trace",
        title="Sequence diagram from a trace",
        description="Draw who called whom, in order, from a trace or a log.",
        text="Draw a sequence diagram of this trace:\n\n{trace}\n\nOne lifeline a service in the order of first use, a "
        "sequence.actor for whoever starts. Messages in the order of time, a sequence.reply where an answer comes "
        "back, sequence.async where nobody waits. Put retries and branches into frames with containerType fragment. "
        "Leave out what repeats without saying anything new, and say so. Use diagramFamily sequence. " + KEEP,
        required={"trace": "Spans, log lines or a description."},
        optional=_THEME,
        missing={},
    ),
    Job(
        name="review_diff",
        title="Review what changed in a scene",
        description="Compare two revisions and explain the change.",
        text="Review what changed in the scene {sceneId} from revision {from} to {to}. Call dsp_list_revisions and "
        "dsp_diff_scene with from and to. Where the later one is the latest, call dsp_render_scene with format png and "
        "diffFromRevision as well, and look at it (it always shows the latest): green was added, "
        "red removed, amber modified. Tell in plain words what the change means for what the diagram describes, and "
        "name what looks wrong or incomplete. Change nothing.",
        required={"sceneId": "The scene."},
        optional={"from": "The earlier revision.", "to": "The later revision."},
        missing={"from": "the one before the latest", "to": "the latest"},
        key=True,
    ),
)


class WrongPrompt(Exception):  # noqa: N818
    """The prompt is unknown, or an argument is missing; the text tells."""


def listed_prompts(*, key: bool) -> list[Prompt]:
    """The prompts offered to a caller."""
    return [
        Prompt(
            name=job.name,
            title=job.title,
            description=job.description,
            arguments=[
                *(PromptArgument(name=name, description=text, required=True) for name, text in job.required.items()),
                *(PromptArgument(name=name, description=text, required=False) for name, text in job.optional.items()),
            ],
        )
        for job in offered(key=key)
    ]


def offered(*, key: bool) -> tuple[Job, ...]:
    """The jobs available with or without a key."""
    return tuple(job for job in JOBS if key or not job.key)


def written(name: str, arguments: Mapping[str, str], *, key: bool) -> GetPromptResult:
    """The prompt with its arguments filled in. Raises WrongPrompt."""
    job = next((job for job in offered(key=key) if job.name == name), None)
    if job is None:
        raise WrongPrompt(f"There are the prompts {', '.join(each.name for each in offered(key=key))}.")
    absent = [argument for argument in job.required if not arguments.get(argument, "").strip()]
    if absent:
        raise WrongPrompt(f"{name} wants: {', '.join(absent)}.")
    unknown = [argument for argument in arguments if argument not in {**job.required, **job.optional}]
    if unknown:
        raise WrongPrompt(f"{name} takes: {', '.join({**job.required, **job.optional})}; not {', '.join(unknown)}.")
    theme = arguments.get("theme", "").strip()
    if theme and theme not in THEME_NAMES:
        raise WrongPrompt(f"theme must be {requirement(THEME.schema)}.")
    if sum(map(len, arguments.values())) > _MOST_GIVEN:
        raise WrongPrompt(f"The arguments have more than {_MOST_GIVEN} characters; give the path of a file instead.")
    keep = "create the scene, heed its remarks, " if key else "validate the scene, "
    words = {**dict.fromkeys(job.optional, ""), **job.missing, "keep": keep}
    text = _filled(job, {**words, **_given(arguments)})
    return GetPromptResult(
        description=job.description, messages=[PromptMessage(role="user", content=TextContent(text=text))]
    )


def _given(arguments: Mapping[str, str]) -> dict[str, str]:
    given = {name: value for name, value in arguments.items() if value.strip()}
    if "theme" in given:
        given["theme"] = f" with theme {given['theme']}"
    if "focus" in given:
        given["focus"] = f"Look closely at {given['focus']}. "
    return given


def _filled(job: Job, values: Mapping[str, str]) -> str:
    """`job.text` with each name in braces replaced once; braces within a value stay unchanged."""
    pieces: list[str] = []
    for number, piece in enumerate(job.text.replace("}", "{").split("{")):
        pieces.append(values.get(piece, "") if number % 2 else piece)
    return "".join(pieces)


# The App of MCP Apps (2026-01-26): the results that open it, and its tool for drawing and editing.
#
# The App is the service's own page, passed on as the resource VIEWER. Hosts with support for Apps announce the support
# on connecting; only such hosts learn of the App. Its tool is hidden from the model and limited to REQUESTS: no
# deletion, no publication, no submission.

VIEWER, PAGE, MIME_TYPE = "ui://scenograph/viewer", "/app", APP_MIME_TYPE
OPENS: Mapping[str, Any] = {"ui": {"resourceUri": VIEWER, "visibility": ["model", "app"]}}
MODEL_ONLY: Mapping[str, Any] = {"ui": {"visibility": ["model"]}}
APP_ONLY: Mapping[str, Any] = {"ui": {"resourceUri": VIEWER, "visibility": ["app"]}}
# The App loads nothing; a chat's own frame suits a picture.
LOOKS: Mapping[str, Any] = {"ui": {"csp": {}, "permissions": {"clipboardWrite": {}}, "prefersBorder": True}}
MOST_CHARACTERS = 3_800_000
"""Of an answer to the App, which no model reads; a message has less than 4 MB."""

DONE = 200


EXTENSION: Mapping[str, Mapping[str, Any]] = {EXTENSION_ID: {}}
"""The server's extension announced to a connecting host."""


def shows_apps(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the host shows Apps."""
    return client_supports_apps(context)


async def app_request(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A request of the App, with the service's status; a refusal is no failure of the call."""
    name = arguments["request"]
    request, about = REQUESTS[name], arguments.get("about", "")
    if request.is_about and not about:
        raise Wrong(f"about is missing: {name} needs it.")
    path = request.path.format(about=quote(about, safe=""))
    query = {key: value.format(about=about) for key, value in request.query.items()}
    try:
        reply = await (api.get(path, query) if request.method == "GET" else api.post(path, arguments.get("body")))
        status = DONE
    except Refusal as refusal:
        if not refusal.status:
            raise
        status, reply = refusal.status, {"error": refusal.sentence, "code": refusal.code, **refusal.body}
    return ToolAnswer(
        text=f"{name}: {status}",
        structured={"status": status, "reply": reply},
        payload=("reply",),
        source="Ask for a smaller part of it.",
        room=MOST_CHARACTERS,
    )


# RESOURCES and TEMPLATES: readable (and attachable) content for hosts, without a tool call. A row has its address, its
# description, and its reader: from a text of this package or from the service. Static resources need no key; stored
# scenes do.

_BY_FORMAT = "application/octet-stream"  # the answer has the actual type
JSON, MARKDOWN, SVG = "application/json", "text/markdown", "image/svg+xml"
_MAX_BYTES = 3_900_000  # as written in a message, which has less than 4 MB
_MOST_FOUND = 200
_MOST_OF_A_PART = 8_000  # characters of a schema: a model reads a part to write one element or operation
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
    """A definition as JSON text of at most _MOST_OF_A_PART characters, with as many of the definitions it needs as fit,
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
        if len(part) <= _MOST_OF_A_PART or not others:
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
    found = await api.get("/v1/icons", {"q": values["query"], "limit": _MOST_FOUND})
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
        mime_type=_BY_FORMAT,
        read=_exported,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/export/{format}/{scale}",
        name="scene-export-scaled",
        title="A stored scene as a file of another scale",
        description="The latest revision as a png, with so many pixels for each px of the scene.",
        mime_type=_BY_FORMAT,
        read=_exported,
        key=True,
    ),
    ResourceRow(
        uri="scene://{sceneId}/export/{format}/{scale}/{options}",
        name="scene-export-with-options",
        title="A stored scene as a file in another theme or view",
        description="Options: a JSON object with theme and view, as in dsp_export_scene.",
        mime_type=_BY_FORMAT,
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
        if size > _MAX_BYTES:
            raise NoSuchResource(f"It takes {size} bytes, more than fit into a message; ask {api.address}.")
        form = FORMATS.get(values.get("format", "")) if place.mime_type == _BY_FORMAT else None
        return found, place.mime_type if form is None else form.media_type
    raise NoSuchResource(f"Nothing is at this address. There are: {', '.join(_offered(api))}.")


def looks_of(uri: str) -> dict[str, Any] | None:
    """A page's display metadata for hosts, or None."""
    meta = next((place.meta for place in PLACES if place.uri == uri), None)
    return dict(meta) if meta else None


def _offered(api: Api) -> list[str]:
    return [place.uri for place in PLACES if api.key or not place.key]
