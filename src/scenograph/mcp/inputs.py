"""The arguments of the tools: their JSON Schemas for the host, and their checks before any call.

The official SDK ignores unknown arguments and coerces values; all arguments are therefore checked here. A check maps a
value to the sent value, or raises Wrong with a sentence that names the argument and the allowed values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

from scenograph.late_dataclasses import dataclass, replace
from scenograph.wire import members
from scenograph.wire.formats import FORMATS, PNG, SVG
from scenograph.wire.members import REVISION_NUMBER, Member, holds, requirement
from scenograph.wire.names import FAMILY_NAMES, FORM, ICON_QUERY_LENGTH, OPERATIONS, RESERVED, SEARCH_LENGTH

# REQUESTS: the App's calls of the service, by name; the rest of the API is out of its reach.


_NO_QUERY: Mapping[str, str] = MappingProxyType({})


class Request(NamedTuple):
    """A call of the API. `{about}` is the scene's id in the path, the search words in the query."""

    method: str
    path: str
    query: Mapping[str, str] = _NO_QUERY

    @property
    def is_about(self) -> bool:
        """Whether the call needs `about`."""
        return "{about}" in self.path or "{about}" in self.query.values()


REQUESTS: Mapping[str, Request] = MappingProxyType(
    {
        "read": Request("GET", "/v1/scenes/{about}", {"computed": "true"}),
        "draw": Request("POST", "/v1/scenes/render"),
        "place": Request("POST", "/v1/scenes/normalize"),
        "compare": Request("POST", "/v1/scenes/{about}/render"),
        "apply": Request("POST", "/v1/scenes/{about}/applyOps"),
        "restore": Request("POST", "/v1/scenes/{about}/restore"),
        "schema": Request("GET", "/schemas/scene.schema.json"),
        "icons": Request("GET", "/v1/icons", {"q": "{about}", "limit": "48"}),
    }
)


# Values of callers as quoted in sentences: short, on a line, in plain ASCII.


_MOST_QUOTED = 60
_LIKENESS = 0.6
_KINDS = ((dict, "an object"), (list, "an array"), (str, "text"), (bool, "true or false"), ((int, float), "a number"))


def quoted(value: Any) -> str:
    """`value` as JSON, cut to _MOST_QUOTED characters."""
    text = json.dumps(value) if isinstance(value, str | int | float | bool) or value is None else kind(value)
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 1]}…"


def kind(value: Any) -> str:
    """The JSON type of a value, with its article."""
    return next((words for sort, words in _KINDS if isinstance(value, sort)), "null")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, ignoring case; None without a near match."""
    by_plain = {_plain(name): name for name in known}
    found = get_close_matches(_plain(word[:_MOST_QUOTED]), by_plain, n=1, cutoff=_LIKENESS)
    return by_plain[found[0]] if found else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


# Common mistakes in passing a scene document or a batch, each with a sample of the right shape. A row recognizes a
# mistake from the value alone; faults inside a document are the service's to report.


DOCUMENT_SHAPE = (
    '{"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": {"id": "shop", "units": "px", "canvas": {}}, '
    '"elements": [{"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"}]}'
)
OPS_SHAPE = '[{"op": "updateNode", "id": "web", "label": "Shop"}, {"op": "deleteElement", "id": "old"}]'
_JSON_PATCH_NAMES = {"add", "remove", "replace", "move", "copy", "test"}
_FENCE = re.compile(r"\s*(```\w*\s*)?[\[{]")


@dataclass(frozen=True, slots=True)
class Mistake:
    """`recognizes` is asked with the value; `answer` makes the sentence."""

    recognizes: Callable[[Any], bool]
    answer: Callable[[Any], str]


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether the value is a JSON object."""
    return isinstance(value, Mapping)


def is_array(value: Any) -> TypeGuard[Sequence[Any]]:
    """Whether the value is a JSON array."""
    return isinstance(value, list)


def _looks_like_json(value: Any) -> bool:
    """Whether the text holds a JSON object or array, with or without a code fence."""
    return isinstance(value, str) and _FENCE.match(value) is not None


def _is_document(value: Any) -> bool:
    return is_object(value) and ("elements" in value or "schemaVersion" in value)


def _is_reply(value: Any) -> bool:
    return is_object(value) and "revision" in value and _is_document(value.get("scene"))


def _is_wrapped(value: Any) -> bool:
    return is_object(value) and "elements" not in value and _is_document(value.get("scene"))


def _is_inner_scene(value: Any) -> bool:
    return (
        is_object(value)
        and not {"scene", "elements", "schemaVersion"} & value.keys()
        and bool({"id", "canvas", "units", "title"} & value.keys())
    )


SCENE_MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        _looks_like_json,
        lambda _value: "scene is text that holds JSON. Pass the object itself, without quotes round it.",
    ),
    Mistake(
        lambda value: isinstance(value, str),
        lambda value: (
            f"scene is the text {quoted(value)}; an id is not a document. The whole document belongs here; "
            "a stored one is read with dsp_get_scene and rendered by dsp_render_scene with sceneId."
        ),
    ),
    Mistake(is_array, lambda _value: "scene is an array. Elements belong in the document's member elements."),
    Mistake(
        lambda value: not is_object(value),
        lambda value: f"scene must be a scene document, an object, not {kind(value)}.",
    ),
    Mistake(
        _is_reply,
        lambda _value: "scene is the whole reply of dsp_get_scene. Pass only its member scene, the document.",
    ),
    Mistake(
        _is_wrapped,
        lambda _value: 'scene is wrapped twice: {"scene": {"scene": …}}. Pass what is inside.',
    ),
    Mistake(
        _is_inner_scene,
        lambda _value: (
            "scene is only the inner part with id and canvas. The whole document belongs here: that part is its "
            "member scene, beside schemaVersion and elements."
        ),
    ),
)

_OPS_MISTAKES: tuple[Mistake, ...] = (
    Mistake(_looks_like_json, lambda _value: "ops is text that holds JSON. Pass the array itself."),
    Mistake(is_object, lambda _value: "ops is one object. Pass an array, also for a single operation."),
    Mistake(lambda value: not is_array(value), lambda value: f"ops must be an array of operations, not {kind(value)}."),
    Mistake(
        lambda value: any(_is_json_patch(op) for op in value),
        lambda _value: "ops looks like JSON Patch (op, path, value). The operations here name elements by id.",
    ),
    Mistake(
        lambda value: any(not _names_an_operation(op) for op in value),
        lambda value: (
            f"ops[{next(at for at, op in enumerate(value) if not _names_an_operation(op))}] has no op: every operation "
            'is an object whose member op is its name, such as {"op": "createNode", …}.'
        ),
    ),
)


def _is_json_patch(op: Any) -> bool:
    return is_object(op) and op.get("op") in _JSON_PATCH_NAMES and "path" in op


def _names_an_operation(op: Any) -> bool:
    return is_object(op) and isinstance(op.get("op"), str)


def _found_in(value: Any, mistakes: Sequence[Mistake]) -> str | None:
    """The answer to the first recognized mistake, or None."""
    return next((mistake.answer(value) for mistake in mistakes if mistake.recognizes(value)), None)


def _spread_document(arguments: Mapping[str, Any]) -> str | None:
    """The answer to a document spread over the arguments, or None."""
    if not {"schemaVersion", "elements"} & arguments.keys() or "ops" in arguments:
        return None
    return "The document's members were given as arguments. Pass one argument, scene, that holds the whole document."


def _with_shape(sentence: str, name: str, shape: str) -> str:
    """The sentence, followed by a sample of the argument."""
    return f"{sentence}\nRight shape: {json.dumps(name)}: {shape}"


ID_FORM = re.compile(FORM)
_MAX_TEXT = 500
_MOST_UNKNOWN = 5
LOOKS = (SVG.name, PNG.name)
MAX_QUERIES, MAX_LISTED = 20, 100
_GET_VIEWS = ("document", "outline")
TOPICS = ("start", "operations", *FAMILY_NAMES, "classes", "states")
_UNTOLD = ("description", "pattern")  # of a row: replaced by words for agents
# Bounds are checked, and rarely met by an agent, who pays for each character of a schema.
_POSSIBLE_COMMENT = re.compile(r"cmt_[0-9a-f]{24}")
BOUNDS = ("minLength", "maxLength", "minimum", "maximum")
# The meaning of wrong argument names without a similar right name; None: no meaning here.
MEANT: Mapping[str, str | None] = MappingProxyType(
    {"diff": "diffFromRevision", "fromRevision": "from", "since": "from", "id": "sceneId"}
)
# Where a wish is met that an argument stands for which the tool lacks.
WAYS: Mapping[str, str] = MappingProxyType(
    {
        "theme": "A theme is chosen where a scene is drawn: dsp_render_scene, dsp_export_scene.",
        "title": "A scene goes by its sceneId; dsp_list_scenes with query finds it by its title. To change a title: "
        "updateScene.",
        "name": "A scene goes by its sceneId; dsp_list_scenes with query finds it by its title.",
        "query": "dsp_list_scenes finds scenes by words of their title.",
        "confirm": "Ask the user instead; no argument is needed.",
        "path": "dsp_export_scene writes files.",
        "legend": "A legend belongs to the scene: legend at the root, or updateScene (auto, or entries).",
        "direction": "layoutStrategy of the document, or updateScene, sets the direction.",
        "layout": "layoutStrategy of the document, or updateScene, sets the layout; operation relayout places anew.",
        **dict.fromkeys(
            ("width", "height", "size", "page"),
            'The size of a picture: view {"page": {"width": 1920, "height": 1080}}; for png also scale.',
        ),
        **dict.fromkeys(("undo", "redo"), "dsp_restore_revision makes an earlier revision the latest again."),
        **dict.fromkeys(
            ("elements", "nodes", "edges"), "Elements stand in the document, or are made by operations (ops)."
        ),
        **dict.fromkeys(("operations", "operation"), "The operations are the array ops."),
    }
)
# Where an argument's value comes from.
_FINDING: Mapping[str, str] = MappingProxyType(
    {
        "baseRevision": "dsp_list_revisions tells the latest revision.",
        "revision": "dsp_list_revisions tells the revisions.",
        "from": "dsp_list_revisions tells the revisions; a time will do.",
        "sceneId": "dsp_list_scenes with query finds a scene by its title.",
    }
)
_ID_IN_ADDRESS = re.compile(rf"(?:scene://|/s/|/scenes/)({FORM})")


Check = Callable[[str, Any], Any]


class Wrong(Exception):  # noqa: N818
    """An argument is wrong; the text is for the agent."""


@dataclass(frozen=True, slots=True)
class Input:
    """An argument: name, JSON Schema, optional check, and whether required."""

    name: str
    schema: Mapping[str, Any]
    own_check: Check | None = None
    required: bool = True

    @property
    def check(self) -> Check:
        """The argument's own check, or a check by its schema."""
        return self.own_check or _as_told(self.schema)

    @property
    def told(self) -> dict[str, Any]:
        """The schema for hosts: without BOUNDS, and without a default of false."""
        return {name: value for name, value in self.schema.items() if name not in BOUNDS and value is not False}

    @property
    def optional(self) -> Input:
        """The same argument, optional."""
        return replace(self, required=False)


def checked(inputs: Sequence[Input], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments to send. Raises Wrong with all problems in a single text. null counts as absent for an optional
    argument."""
    known = {each.name: each for each in inputs}
    spread = _spread_document(arguments) if "scene" in known else None
    if spread:
        raise Wrong(_with_shape(spread, "scene", DOCUMENT_SHAPE))
    strange = [name for name in arguments if name not in known]
    problems = [_unknown(name, known) for name in strange[:_MOST_UNKNOWN]]
    if len(strange) > _MOST_UNKNOWN:
        problems.append(f"{len(strange) - _MOST_UNKNOWN} more arguments are unknown.")
    values: dict[str, Any] = {}
    for each in inputs:
        given = arguments.get(each.name)
        if given is None and not each.required:
            continue
        try:
            values[each.name] = each.check(each.name, given)
        except Wrong as wrong:
            problems.append(
                str(wrong) if given is not None else _missing(each.name, wrong, null=each.name in arguments)
            )
    if problems:
        raise Wrong("\n".join(problems))
    return values


def _missing(name: str, wrong: Wrong, *, null: bool) -> str:
    """The sentence for a missing argument, with its requirement; null is mentioned only if given."""
    sentence = str(wrong) if null else str(wrong).replace("; it is null", "").replace(", not null", "")
    found = f" {_FINDING[name]}" if name in _FINDING and _FINDING[name] not in sentence else ""
    return f"{name} is missing. {sentence}{found}"


def _unknown(name: str, known: Mapping[str, Input]) -> str:
    near = MEANT.get(name) if name in MEANT else nearest(name, known)
    near = near if near in known else None
    allowed = f"Known: {', '.join(known)}." if known else "This tool takes no arguments."
    if name == "sceneId" and "scene" in known:
        allowed += " Here the whole document is wanted, as scene."
    way = "" if near or name not in WAYS else f"{WAYS[name]} "
    return f"There is no argument {quoted(name)}. " + (f"Did you mean {near}? " if near else way) + allowed


def _shaped(mistakes: Sequence[Mistake], shape: str) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        problem = _found_in(value, mistakes)
        if problem:
            raise Wrong(_with_shape(problem, name, shape))
        return value

    return check


def _batch(name: str, value: Any) -> Any:
    batch = _shaped(_OPS_MISTAKES, OPS_SHAPE)(name, value)
    if len(batch) > OPERATIONS:
        raise Wrong(
            f"{name} holds {len(batch)} operations; a batch has {OPERATIONS} at most. Send them in several calls."
        )
    return batch


def _comment_id(name: str, value: Any) -> str:
    if isinstance(value, str) and _POSSIBLE_COMMENT.fullmatch(value):
        return value
    raise Wrong(f"{name} must be a commentId of dsp_list_comments; it is {quoted(value)}.")


def _scene_id(name: str, value: Any) -> str:
    if isinstance(value, str) and ID_FORM.fullmatch(value) and value not in RESERVED:
        return value
    hint = _id_hint(value)
    raise Wrong(
        f"{name} must be the scene's id: 1 to 128 letters, digits or . _ ~ : - that begin with a letter or digit, and "
        f"none of {', '.join(RESERVED)}; it is {quoted(value)}. "
        + (f"Use {quoted(hint)}." if hint else _FINDING["sceneId"])
    )


def _id_hint(value: Any) -> str | None:
    """The probably meant scene id: in an address, in a document, or surrounded by blanks."""
    if isinstance(value, str):
        found = _ID_IN_ADDRESS.search(value) or ID_FORM.fullmatch(value.strip())
        meant = found[found.lastindex or 0] if found else None
        return None if meant in RESERVED else meant
    if is_object(value):
        inner = value.get("scene", value)
        hint = value.get("sceneId") or (inner.get("id") if is_object(inner) else None)
        return hint if isinstance(hint, str) and ID_FORM.fullmatch(hint) and hint not in RESERVED else None
    return None


def _as_told(schema: Mapping[str, Any]) -> Callable[[str, Any], Any]:
    """The check of an argument fully described by its schema."""

    def check(name: str, value: Any) -> Any:
        if schema.get("type") == "integer" and isinstance(value, float) and value.is_integer():
            value = int(value)
        if holds(schema, value):
            return value
        raise Wrong(f"{name} must be {requirement(schema)}; {_found(schema, value)}.{_meant(schema, value)}")

    return check


def _found(schema: Mapping[str, Any], value: Any) -> str:
    if "maxLength" in schema and isinstance(value, str):
        return f"it has {len(value)}"
    is_plain = "enum" in schema or schema["type"] in {"integer", "number", "boolean"}
    return f"it is {quoted(value) if is_plain else kind(value)}"


def _meant(schema: Mapping[str, Any], value: Any) -> str:
    if not isinstance(value, str):
        return ""
    if schema.get("type") == "integer" and value.strip().isdecimal():
        return f" Use {value.strip()} without quotes."
    near = nearest(value, schema["enum"]) if "enum" in schema else None
    return f" Did you mean {near}?" if near else ""


def _trimmed(name: str, value: Any) -> str:
    return _as_told(members.PROBLEM.schema)(name, value.strip() if isinstance(value, str) else value)


def _true(name: str, value: Any) -> bool:
    if value is True:
        return True
    raise Wrong(
        f"{name} must be exactly true; it is {quoted(value)}. Nothing was deleted. Ask the user first; once they have "
        f"agreed, call again with {quoted(name)}: true."
    )


def _queries(name: str, value: Any) -> list[str]:
    given = [value] if isinstance(value, str) else value
    rows: list[Any] = list(given) if is_array(given) else []
    longest = ICON_QUERY_LENGTH
    if not 1 <= len(rows) <= MAX_QUERIES or not all(isinstance(row, str) and 0 < len(row) <= longest for row in rows):
        raise Wrong(f"{name} must be an array of 1 to {MAX_QUERIES} texts, each of 1 to {longest} characters.")
    return list(dict.fromkeys(rows))


def _get_view(name: str, value: Any) -> Any:
    """A word, or an object with `elements` or `since`."""
    if isinstance(value, str):
        return _as_told({"enum": _GET_VIEWS})(name, value)
    names = list(value) if is_object(value) else []
    ids: Any = value["elements"] if names == ["elements"] else None
    if is_array(ids) and ids:
        return {"elements": [str(one) for one in ids]}
    if names == ["since"]:
        return {"since": _as_told(REVISION_NUMBER)(f"{name}.since", value["since"])}
    raise Wrong(f'{name} must be "document", "outline", {{"elements": [ids]}} or {{"since": revision}}.')


def _of(member: Member, description: str = "", check: Check | None = None, **also: Any) -> Input:
    """An argument from a member of a service request, with a description for agents."""
    schema = {name: value for name, value in member.schema.items() if name not in _UNTOLD} | also
    return Input(member.name, {**schema, "description": description} if description else schema, check)


def _text(name: str, longest: int, description: str = "") -> Input:
    schema = {"type": "string", "minLength": 1, "maxLength": longest}
    return Input(name, {**schema, "description": description} if description else schema)


def _flag(name: str, description: str) -> Input:
    return Input(name, {"type": "boolean", "description": description})


def _look(name: str, value: Any) -> str:
    """A format for models to look at; all further formats are files."""
    try:
        return _as_told({"enum": LOOKS})(name, value)
    except Wrong as wrong:
        files = isinstance(value, str) and value in FORMATS
        raise Wrong(f"{wrong} dsp_export_scene makes a file as {value}." if files else str(wrong)) from None


def _unlisted(known: Input) -> Input:
    """The same argument for another tool, checked alike, without its list of values."""
    return Input(known.name, {"type": "string"}, known.check, known.required)


def _revision_or_time(name: str, description: str) -> Input:
    return Input(name, {"type": ["integer", "string"], "description": description}, _named_revision)


def _named_revision(name: str, value: Any) -> Any:
    """A number, or a time, which the service reads."""
    if isinstance(value, str) and not value.strip().isdecimal() and value[:1].isdecimal():
        return value
    return _as_told(REVISION_NUMBER)(name, value)


SCENE = Input(
    "scene",
    {
        "type": "object",
        "description": "The whole document, an object.",
        "required": ["schemaVersion", "scene", "elements"],
    },
    _shaped(SCENE_MISTAKES, DOCUMENT_SHAPE),
)
DRAFT = replace(SCENE, schema={name: value for name, value in SCENE.schema.items() if name != "required"})
OPS = Input(
    "ops",
    {
        "type": "array",
        "maxItems": OPERATIONS,
        "items": {"type": "object", "required": ["op"], "properties": {"op": {"type": "string"}}},
    },
    _batch,
)
SCENE_ID = Input("sceneId", {"type": "string"}, _scene_id)
OWNER = Input("owner", {"type": "string", "maxLength": 128, "description": "Of a shared scene."}).optional
NEW_ID = Input("sceneId", {"type": "string", "description": "Of the new scene."}, _scene_id).optional
BASE_REVISION = _of(members.BASE_REVISION, "The latest revision you know.")
REVISION = _of(members.REVISION, "Default: the latest.").optional
RESTORED = _of(members.RESTORED_REVISION, "The revision to go back to.")
FROM = _revision_or_time("from", "The earlier revision, or a time.")
TO = _revision_or_time("to", "Default: the latest.").optional
AS_OF = _of(members.AS_OF, "Instead of revision: a time, ISO 8601.").optional
PICTURE = Input("picture", {"type": "boolean", "default": True, "description": "See the result."}).optional
DIFF_FROM = _revision_or_time("diffFromRevision", "Colour what changed since.").optional
FORMAT = _of(members.FORMAT, "", _look, enum=list(LOOKS), default=SVG.name).optional
EXPORT_FORMAT = _of(members.FORMAT)
THEME = _of(members.THEME).optional
SAME_THEME = _unlisted(THEME)
SCALE = _of(members.SCALE, "For png, 0.1 to 8.").optional
RENDER_VIEW = Input(
    "view",
    {
        "type": "object",
        "description": "collapse, focus, crop (ids), depth, aspectRatio, page (16:9, a4 …)",
    },
).optional
GET_VIEW = Input(
    "view",
    {"description": '"document", "outline", {"elements": [ids]} with neighbours, or {"since": revision}.'},
    _get_view,
).optional
AS_DATA = _flag("asData", "png: adds the base64; svg: keeps its fonts.").optional
TRANSACTION_MODE = _of(
    members.TRANSACTION_MODE,
).optional
MESSAGE = _of(members.MESSAGE, "For the history.").optional
CONFIRM = Input("confirm", {"type": "boolean", "const": True, "description": "Once the user agreed."}, _true)
PROBLEM = _of(members.PROBLEM, "", _trimmed)
ANONYMIZE = _of(members.ANONYMIZE, "Scramble words and ids first.").optional
COMMENT_ID = Input("commentId", {"type": "string"}, _comment_id).optional
COMMENTED_ELEMENT = Input("elementId", {"type": "string", "maxLength": _MAX_TEXT}).optional
RESOLVED = Input("resolved", {"type": "boolean"}).optional
COMMENT_TEXT = _of(members.COMMENT_TEXT).optional
QUERY = _text("query", SEARCH_LENGTH, "Words of title or id.").optional
LIMIT = Input("limit", {"type": "integer", "minimum": 1, "maximum": MAX_LISTED}).optional
CURSOR = _text("cursor", _MAX_TEXT).optional
SOURCE = _of(members.SOURCE, "The text.")
SOURCE_FORMAT = _of(members.SOURCE_FORMAT).optional
SAME_FORMAT = _unlisted(SOURCE_FORMAT)
DIALECT = _of(members.DIALECT).optional
SAME_DIALECT = _unlisted(DIALECT)
PAGE = _of(members.PAGE, "For drawio.").optional
SOURCE_VIEW = _of(members.SOURCE_VIEW, "For structurizr, d2.").optional
TITLE = _of(members.TITLE).optional
SOURCE_NAME = _of(members.SOURCE_NAME, "Its name, the same in import and sync.").optional
KEEP = Input("keep", {"type": "boolean", "default": False, "description": "Store it."}).optional
DRY_RUN = _of(members.DRY_RUN, "Only tell.").optional
PRUNE = _of(members.PRUNE, "Remove what is gone though a part was not understood.").optional
PATH = _text("path", _MAX_TEXT, "A new file below EXPORT_DIR; else it comes back.").optional
QUERIES = Input(
    "queries",
    {"type": "array", "items": {"type": "string"}, "maxItems": MAX_QUERIES, "description": "Such as aws s3."},
    _queries,
)
TOPIC = Input("topic", {"type": "string", "enum": list(TOPICS), "default": "start"}).optional
APP_REQUEST = Input("request", {"type": "string", "enum": list(REQUESTS)})
ABOUT = _text("about", ICON_QUERY_LENGTH, "A sceneId, or words.").optional
BODY = Input("body", {"type": "object"}).optional
