"""TOOLS: every tool, in an agent's order of use (R-TOOL-1). A row holds a tool completely: its description for the
host, its checks, its function. Callers without a key are offered KEYLESS_TOOLS."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp_types import Tool as ToolDescription
from mcp_types import ToolAnnotations

from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.mcp import calls, inputs
from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import BROKEN_WAY, STRANGE, TOO_SLOW, Api
from scenograph.mcp.calls import list_comments, reply_comment
from scenograph.mcp.inputs import Input
from scenograph.mcp.rendering import export_scene, render_document, render_scene
from scenograph.mcp.resources import APP_ONLY, MODEL_ONLY, OPENS, app_request

# The output schemas of the structured content (R-TOOL-3): the members that are always there. What may be removed for
# size, as `note` tells then, is not among them. A model pays for each character of a schema.


def output(*always: str) -> dict[str, Any]:
    """The schema of an object with the given members, open to more."""
    return {"type": "object", "required": [*always]} if always else {"type": "object"}


_CREATED = output("sceneId", "revision", "diagnostics")
_APPLIED = output("applied", "revision", "changedElementIds", "diagnostics")
READ = output("sceneId", "revision")
VALIDATED = output("ok", "diagnostics")
_NORMALIZED = output("schemaVersion", "scene")
_RENDERED = output("mimeType")
_COMPARED = output("fromRevision", "toRevision", "summary", "added", "removed", "modified")
_HISTORY = output("sceneId", "currentRevision", "revisions")
DELETED = output("deleted", "sceneId", "soft", "note")
RESTORED = output("restored", "sceneId", "revision")
LISTED = output("items")
_SUBMITTED = output("sceneId", "privacyStatus", "auditUrl")
PUBLISHED = output("sceneId", "privacyStatus", "publicUrl", "markdown")
PRIVATE = output("sceneId", "privacyStatus")
TAKEN_BACK = output("sceneId", "revision", "restoredRevision", "changedElementIds")
_IMPORTED = output("diagnostics")
_SYNCHRONIZED = output("sceneId", "revision", "applied", "diagnostics")
_EXPORTED = output("mimeType", "bytes", "diagnostics")
_THREADS = output("items")
_COMMENTED = output("commentId")
ICONS = output("icons")
_FORWARDED = output("status")
PAGE = output("topic")


Call = Callable[[Api, Mapping[str, Any]], Awaitable[ToolAnswer]]
LOOK = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADD = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
CHANGE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
SWITCH = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_EXPOSE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
_SHOW_SUPPORT = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
)
DESTROY = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
_BATCH_WRONG = (
    "Correct what is named above (/ops/<number> is an operation, counted from 0; another path or name is that "
    "argument), then call again. Nothing was applied."
)
_UNSURE = ("internal_error", TOO_SLOW, STRANGE, BROKEN_WAY)
_LOOK_FIRST = "It may have been applied: look with dsp_list_revisions (or dsp_get_scene) before you call again."
_CHECK_ID = "Check the id and whose key this is: the scene may be misspelt, deleted, or belong to another workspace."


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A row. `next_steps` is the tool's advice by code of refusal. `in_apps` is the metadata for hosts with support for
    Apps: whether its result opens the App, and whether the model or the App may call the tool."""

    name: str
    title: str
    description: str
    inputs: tuple[Input, ...]
    output: Mapping[str, Any]
    annotations: ToolAnnotations
    call: Call
    next_steps: Mapping[str, str] = field(default_factory=dict[str, str])
    in_apps: Mapping[str, Any] | None = None

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments, closed."""
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {each.name: each.told for each in self.inputs},
            "additionalProperties": False,
        }
        required = [each.name for each in self.inputs if each.required]
        return {**schema, "required": required} if required else schema

    def described(self, *, apps: bool = False, writes_files: bool = True) -> ToolDescription:
        """The tool's description for the host; `apps` marks a host with support for Apps. Without a folder for files no
        path is offered."""
        schema = self.input_schema
        if not writes_files:
            unwanted = inputs.PATH.name
            schema = {**schema, "properties": {k: v for k, v in schema["properties"].items() if k != unwanted}}
        return ToolDescription(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema,
            output_schema=dict(self.output),
            annotations=self.annotations,
            _meta=dict(self.in_apps) if apps and self.in_apps else None,
        )


VALIDATE = Tool(
    name="dsp_validate_scene",
    title="Validate a scene",
    description="Check a document: every problem at once, with its place and the nearest right name. "
    "dsp_create_scene reports the same.",
    inputs=(inputs.DRAFT,),
    output=VALIDATED,
    annotations=LOOK,
    call=calls.validate_scene,
)
_NORMALIZE = Tool(
    name="dsp_normalize_scene",
    title="Normalize a scene",
    description="The document with all defaults and places written in. To see a scene, render it instead.",
    inputs=(inputs.SCENE,),
    output=_NORMALIZED,
    annotations=LOOK,
    call=calls.normalize_scene,
)
RENDER = Tool(
    name="dsp_render_scene",
    title="Render a scene",
    description="Draw a stored scene (sceneId) or a document (scene), one of them. png: you see the picture; "
    "svg: text. diffFromRevision colours what changed since. view shows a part: focus (ids and what "
    "is within depth edges), crop, collapse (frames as boxes).",
    inputs=(
        inputs.SCENE_ID.optional,
        inputs.OWNER,
        inputs.SCENE.optional,
        inputs.FORMAT,
        inputs.THEME,
        inputs.SCALE,
        inputs.REVISION,
        inputs.AS_OF,
        inputs.DIFF_FROM,
        inputs.RENDER_VIEW,
        inputs.AS_DATA,
    ),
    output=_RENDERED,
    annotations=LOOK,
    call=render_scene,
    in_apps=OPENS,
)
_RENDER_KEYLESS = replace(
    RENDER,
    description="Draw a scene document. Use format png to see the picture yourself and check it; svg gives the text "
    "of a self-contained file. Nothing is stored.",
    inputs=(inputs.SCENE, inputs.FORMAT, inputs.THEME, inputs.SCALE, inputs.RENDER_VIEW, inputs.AS_DATA),
    call=render_document,
)

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="dsp_create_scene",
        title="Create a scene",
        description="Store a new document as revision 1 and see it. Shorter: Mermaid or another source by "
        "dsp_import_scene. No layout: the engine places. Change it with dsp_apply_ops, not by "
        "creating again.",
        inputs=(inputs.SCENE, inputs.PICTURE),
        output=_CREATED,
        annotations=ADD,
        call=calls.create_scene,
        in_apps=OPENS,
        next_steps=dict.fromkeys(_UNSURE, "It may have been stored: look with dsp_get_scene before you call again."),
    ),
    Tool(
        name="dsp_apply_ops",
        title="Edit a scene",
        description="Edit a stored scene by operations, as one new revision, and see it. Each is {op, ...}: "
        "createNode|createEdge|createFrame|createText (id, the element's fields, parentId?, after|before?: "
        "an id), updateNode|updateEdge|updateFrame|updateElement (id, changed fields; null removes one; "
        "objects such as extensions are merged; a list (columns, methods, children) is replaced: send all "
        "of it), deleteElement (id; edges go along), setText (id, text), setStyle (id, style), moveElement "
        "(id, x, y), resizeElement (id, size), reorderElement (id, after|before), reparentElement (id, "
        "parentId), groupElements (id, children), ungroupElements (id), copyElements (fromSceneId, ids, "
        "prefix?), updateScene (title, canvas, layoutStrategy, palette, legend, defaults, brief), relayout (ids?). "
        "All: scenograph://schemas/operations/<op>. If somebody edited since baseRevision, nothing is "
        "applied and you learn what changed.",
        inputs=(
            inputs.SCENE_ID,
            inputs.OWNER,
            inputs.BASE_REVISION,
            inputs.OPS,
            inputs.TRANSACTION_MODE,
            inputs.MESSAGE,
            inputs.PICTURE,
        ),
        output=_APPLIED,
        annotations=CHANGE,
        call=calls.apply_ops,
        in_apps=OPENS,
        next_steps={
            "validation_failed": _BATCH_WRONG,
            "invalid_request": _BATCH_WRONG,
            **dict.fromkeys(_UNSURE, _LOOK_FIRST),
        },
    ),
    Tool(
        name="dsp_get_scene",
        title="Read a scene",
        description="Read a stored scene: the document, its outline (a line an element), some elements with "
        "neighbours, or what changed since a revision.",
        inputs=(inputs.SCENE_ID, inputs.OWNER, inputs.REVISION, inputs.AS_OF, inputs.GET_VIEW),
        output=READ,
        annotations=LOOK,
        call=calls.get_scene,
    ),
    VALIDATE,
    _NORMALIZE,
    RENDER,
    Tool(
        name="dsp_diff_scene",
        title="Compare revisions",
        description="What differs between two revisions: ids, values before and after, what stands elsewhere. "
        "To see it, render with diffFromRevision.",
        inputs=(inputs.SCENE_ID, inputs.OWNER, inputs.FROM, inputs.TO),
        output=_COMPARED,
        annotations=LOOK,
        call=calls.diff_scene,
    ),
    Tool(
        name="dsp_list_revisions",
        title="List revisions",
        description="A scene's revisions, newest first: time, message, counts of changes.",
        inputs=(inputs.SCENE_ID, inputs.OWNER),
        output=_HISTORY,
        annotations=LOOK,
        call=calls.list_revisions,
    ),
    Tool(
        name="dsp_delete_scene",
        title="Delete a scene",
        description="Delete a stored scene, also its public address; it can be restored for 24 hours. Only once "
        "the user agreed.",
        inputs=(inputs.SCENE_ID, inputs.CONFIRM),
        output=DELETED,
        annotations=DESTROY,
        call=calls.delete_scene,
        in_apps=MODEL_ONLY,
    ),
    Tool(
        name="dsp_undelete_scene",
        title="Restore a deleted scene",
        description="Restore a scene deleted within 24 hours; it comes back private.",
        inputs=(inputs.SCENE_ID,),
        output=RESTORED,
        annotations=SWITCH,
        call=calls.undelete_scene,
        in_apps=MODEL_ONLY,
        next_steps={
            "scene_not_found": "There is nothing to restore under this id: it never existed, or its 24 hours are over. "
            "dsp_list_recently_deleted shows what can be restored."
        },
    ),
    Tool(
        name="dsp_list_recently_deleted",
        title="List deleted scenes",
        description="The scenes that can still be restored.",
        inputs=(),
        output=LISTED,
        annotations=LOOK,
        call=calls.list_recently_deleted,
    ),
    Tool(
        name="dsp_submit_to_support",
        title="Submit a scene to support",
        description="Let support staff see a copy of the scene; a public scene stops being public. Only once "
        "the user, told what support will see, agreed.",
        inputs=(inputs.SCENE_ID, inputs.PROBLEM, inputs.ANONYMIZE),
        output=_SUBMITTED,
        annotations=_SHOW_SUPPORT,
        call=calls.submit_to_support,
        in_apps=MODEL_ONLY,
        next_steps={"scene_not_found": _CHECK_ID},
    ),
    Tool(
        name="dsp_publish_scene",
        title="Publish a scene",
        description="Put the scene, picture and source, at a public address; you get a Markdown image line too. "
        "Only once the user agreed.",
        inputs=(inputs.SCENE_ID,),
        output=PUBLISHED,
        annotations=_EXPOSE,
        call=calls.publish_scene,
        in_apps=MODEL_ONLY,
        next_steps={"scene_not_found": _CHECK_ID},
    ),
    Tool(
        name="dsp_make_scene_private",
        title="Make a scene private",
        description="End a publication, or withdraw a submission to support.",
        inputs=(inputs.SCENE_ID,),
        output=PRIVATE,
        annotations=DESTROY,
        call=calls.make_scene_private,
        in_apps=MODEL_ONLY,
        next_steps={"scene_not_found": _CHECK_ID},
    ),
    Tool(
        name="dsp_list_scenes",
        title="List scenes",
        description="Find stored scenes, the latest change first; owner.accountId of a shared one is owner elsewhere.",
        inputs=(inputs.QUERY, inputs.LIMIT, inputs.CURSOR),
        output=LISTED,
        annotations=LOOK,
        call=calls.list_scenes,
    ),
    Tool(
        name="dsp_restore_revision",
        title="Go back to a revision",
        description="Undo: make an earlier revision the latest again, as a new one.",
        inputs=(inputs.SCENE_ID, inputs.OWNER, inputs.RESTORED, inputs.BASE_REVISION, inputs.PICTURE),
        output=TAKEN_BACK,
        annotations=CHANGE,
        call=calls.restore_revision,
        next_steps=dict.fromkeys(_UNSURE, _LOOK_FIRST),
    ),
    Tool(
        name="dsp_import_scene",
        title="Import a diagram",
        description="The short way to a scene: Mermaid, SQL or another listed source in, picture back (format "
        "is recognized). keep stores it. Told: what was not understood.",
        inputs=(
            inputs.SOURCE,
            inputs.SOURCE_FORMAT,
            inputs.DIALECT,
            inputs.PAGE,
            inputs.SOURCE_VIEW,
            inputs.NEW_ID,
            inputs.TITLE,
            inputs.SOURCE_NAME,
            inputs.KEEP,
        ),
        output=_IMPORTED,
        annotations=ADD,
        call=calls.import_scene,
        in_apps=OPENS,
        next_steps={
            "scene_exists": "To bring the stored scene to this source use dsp_sync_scene with baseRevision set to "
            "currentRevision; for another scene leave out sceneId, or choose another.",
            "scene_recently_deleted": "Restore it with dsp_undelete_scene, or choose another sceneId.",
        },
    ),
    Tool(
        name="dsp_sync_scene",
        title="Follow a source",
        description="Bring an imported scene to its changed source: also the short way for large edits. Places, "
        "styles and what people added stay.",
        inputs=(
            inputs.SCENE_ID,
            inputs.OWNER,
            inputs.SOURCE,
            inputs.BASE_REVISION,
            inputs.SAME_FORMAT,
            inputs.SAME_DIALECT,
            inputs.PAGE,
            inputs.SOURCE_VIEW,
            inputs.SOURCE_NAME,
            inputs.DRY_RUN,
            inputs.PRUNE,
            inputs.MESSAGE,
            inputs.PICTURE,
        ),
        output=_SYNCHRONIZED,
        annotations=CHANGE,
        call=calls.sync_scene,
        next_steps=dict.fromkeys(_UNSURE, _LOOK_FIRST),
    ),
    Tool(
        name="dsp_export_scene",
        title="Export a file",
        description="A stored scene as a file.",
        inputs=(
            inputs.SCENE_ID,
            inputs.OWNER,
            inputs.EXPORT_FORMAT,
            inputs.SAME_THEME,
            inputs.RENDER_VIEW,
            inputs.SCALE,
            inputs.PATH,
        ),
        output=_EXPORTED,
        annotations=ADD,
        call=export_scene,
    ),
    Tool(
        name="dsp_list_comments",
        title="List comments",
        description="Comments on a scene, in threads.",
        inputs=(inputs.SCENE_ID, inputs.OWNER, inputs.RESOLVED, inputs.COMMENTED_ELEMENT, inputs.CURSOR),
        output=_THREADS,
        annotations=LOOK,
        call=list_comments,
    ),
    Tool(
        name="dsp_reply_comment",
        title="Reply to a comment",
        description="Answer a thread (text), resolve or reopen it (resolved). Without commentId: begin one, on "
        "elementId or the scene.",
        inputs=(
            inputs.SCENE_ID,
            inputs.OWNER,
            inputs.COMMENT_ID,
            inputs.COMMENT_TEXT,
            inputs.RESOLVED,
            inputs.COMMENTED_ELEMENT,
        ),
        output=_COMMENTED,
        annotations=ADD,
        call=reply_comment,
        next_steps={
            "not_found": "dsp_list_comments shows the threads; the commentId is that of a thread's first comment.",
            **dict.fromkeys(_UNSURE, "It may have been written: look with dsp_list_comments before you call again."),
        },
    ),
    Tool(
        name="dsp_find_icons",
        title="Find icons",
        description="The three best icon keys for each query, for the member icon.",
        inputs=(inputs.QUERIES,),
        output=ICONS,
        annotations=LOOK,
        call=calls.find_icons,
    ),
    Tool(
        name="dsp_read_guide",
        title="Read the guide",
        description="How to write a scene (start), edit it (operations), and the types of a family.",
        inputs=(inputs.TOPIC,),
        output=PAGE,
        annotations=LOOK,
        call=calls.read_guide,
    ),
)

KEYLESS_TOOLS: tuple[Tool, ...] = (VALIDATE, _NORMALIZE, _RENDER_KEYLESS)


APP_REQUEST = Tool(
    name="dsp_app_request",
    title="Requests of the viewer",
    description="For the viewer in the chat alone: reads, draws, places and edits what it shows.",
    inputs=(inputs.APP_REQUEST, inputs.ABOUT, inputs.BODY),
    output=_FORWARDED,
    annotations=CHANGE,
    call=app_request,
    in_apps=APP_ONLY,
)


def tools_for(*, key: bool, apps: bool = False) -> tuple[Tool, ...]:
    """The tools offered to a caller; `apps` marks a host with support for Apps."""
    if not key:
        return KEYLESS_TOOLS
    return (*TOOLS, APP_REQUEST) if apps else TOOLS
