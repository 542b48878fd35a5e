"""TOOLS: every tool, in an agent's order of use (R-TOOL-1). A row holds a tool completely: its description for the
host, its checks, its function. Callers without a key are offered KEYLESS_TOOLS."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp_types import Tool as ToolDescription
from mcp_types import ToolAnnotations

from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.mcp import calls, inputs, keeping
from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import BROKEN_WAY, STRANGE, TOO_SLOW, Api
from scenograph.mcp.apps import APP_ONLY, MODEL_ONLY, OPENS, app_request
from scenograph.mcp.exporting import export_scene
from scenograph.mcp.inputs import Input
from scenograph.mcp.rendering import render_document, render_scene

# The output schemas of each tool's structured content (R-TOOL-3). `note` is present when parts were removed for size;
# removable members are not required.


TEXT, WHOLE, TRUTH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
IDS = {"type": "array", "items": TEXT}
ROWS = {"type": "array", "items": {"type": "object"}}
DOCUMENT = {"type": "object"}
REMARKS = {
    "type": "array",
    "items": {"type": "object", "required": ["severity", "code", "message"]},
}
COUNTS = {"type": "object", "required": ["added", "removed", "modified"]}


def output(*optional: str, **members: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these members, all required except `optional`."""
    return {
        "type": "object",
        "properties": members,
        "required": [name for name in members if name not in optional],
    }


CREATED = output(sceneId=TEXT, revision=WHOLE, diagnostics=REMARKS)
APPLIED = output(applied=TRUTH, appliedOps=WHOLE, revision=WHOLE, changedElementIds=IDS, diagnostics=REMARKS)
READ = output("scene", "outline", "elements", sceneId=TEXT, revision=WHOLE, scene=DOCUMENT, outline=TEXT, elements=ROWS)
VALIDATED = output(ok=TRUTH, diagnostics=REMARKS)
NORMALIZED = output("elements", "computed", schemaVersion=TEXT, scene=DOCUMENT, elements=ROWS, computed=DOCUMENT)
RENDERED = output("content", mimeType=TEXT, content=TEXT)
COMPARED = output(
    sceneId=TEXT,
    fromRevision=WHOLE,
    toRevision=WHOLE,
    summary=COUNTS,
    added=IDS,
    removed=IDS,
    modified=IDS,
    changedConstraintIds={"type": "array"},
)
HISTORY = output(sceneId=TEXT, currentRevision=WHOLE, revisions=ROWS)
DELETED = output(deleted=TRUTH, sceneId=TEXT, soft=TRUTH, note=TEXT)
RESTORED = output(restored=TRUTH, sceneId=TEXT, revision=WHOLE)
RECOVERABLE = output(items=ROWS)
SUBMITTED = output(sceneId=TEXT, privacyStatus=TEXT, supportSubmittedAt=TEXT, supportAnonymized=TRUTH, auditUrl=TEXT)
PUBLISHED = output(sceneId=TEXT, privacyStatus=TEXT, madePublicAt=TEXT, publicUrl=TEXT)
PRIVATE = output(sceneId=TEXT, privacyStatus=TEXT)
LISTED = output(items=ROWS)
TAKEN_BACK = output(sceneId=TEXT, revision=WHOLE, restoredRevision=WHOLE, changedElementIds=IDS)
IMPORTED = output("sceneId", "revision", "scene", sceneId=TEXT, revision=WHOLE, scene=DOCUMENT, diagnostics=REMARKS)
SYNCHRONIZED = output("ops", sceneId=TEXT, revision=WHOLE, applied=WHOLE, ops=ROWS, diagnostics=REMARKS)
EXPORTED = output("path", mimeType=TEXT, bytes=WHOLE, path=TEXT, diagnostics=REMARKS)
ICONS = output(icons=DOCUMENT)
FORWARDED = output("reply", status=WHOLE, reply=DOCUMENT)
PAGE = output(topic=TEXT)


Call = Callable[[Api, Mapping[str, Any]], Awaitable[ToolAnswer]]
LOOK = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADD = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
CHANGE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
SWITCH = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
EXPOSE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
SHOW_SUPPORT = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True)
DESTROY = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
BATCH_WRONG = (
    "Correct what is named above (/ops/<number> is an operation, counted from 0; another path or name is that "
    "argument), then call again. Nothing was applied."
)
UNSURE = ("internal_error", TOO_SLOW, STRANGE, BROKEN_WAY)
LOOK_FIRST = "It may have been applied: look with dsp_list_revisions (or dsp_get_scene) before you call again."
CHECK_ID = "Check the id and whose key this is: the scene may be misspelt, deleted, or belong to another workspace."


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
            "properties": {each.name: dict(each.schema) for each in self.inputs},
            "additionalProperties": False,
        }
        required = [each.name for each in self.inputs if each.required]
        return {**schema, "required": required} if required else schema

    def described(self, *, apps: bool = False) -> ToolDescription:
        """The tool's description for the host; `apps` marks a host with support for Apps."""
        return ToolDescription(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.input_schema,
            output_schema=dict(self.output),
            annotations=self.annotations,
            _meta=dict(self.in_apps) if apps and self.in_apps else None,
        )


VALIDATE = Tool(
    name="dsp_validate_scene",
    title="Validate a scene",
    description="Check a scene document and get every problem at once, each with its place and the nearest right "
    "name. Nothing is stored. dsp_create_scene reports the same problems.",
    inputs=(inputs.DRAFT,),
    output=VALIDATED,
    annotations=LOOK,
    call=calls.validate_scene,
)
NORMALIZE = Tool(
    name="dsp_normalize_scene",
    title="Normalize a scene",
    description="Get the document with all defaults and positions written in, and computed: bounds of every element, "
    "paths of every edge. Nothing is stored. To see how a scene looks, render it instead.",
    inputs=(inputs.SCENE,),
    output=NORMALIZED,
    annotations=LOOK,
    call=calls.normalize_scene,
)
RENDER = Tool(
    name="dsp_render_scene",
    title="Render a scene",
    description="Draw a scene: give exactly one of sceneId (stored) and scene (a whole document). Use format png to "
    "see the picture yourself and check it; svg gives the text of a self-contained file. diffFromRevision (with "
    "sceneId) marks what was added, removed and modified since that revision. view shows a part: focus (these ids and "
    "everything within depth edges of them), crop, or frames collapsed to one box each.",
    inputs=(
        inputs.SCENE_ID.optional,
        inputs.SCENE.optional,
        inputs.FORMAT,
        inputs.THEME,
        inputs.DIFF_FROM,
        inputs.RENDER_VIEW,
        inputs.AS_DATA,
    ),
    output=RENDERED,
    annotations=LOOK,
    call=render_scene,
    in_apps=OPENS,
)
RENDER_KEYLESS = replace(
    RENDER,
    description="Draw a scene document. Use format png to see the picture yourself and check it; svg gives the text "
    "of a self-contained file. Nothing is stored.",
    inputs=(inputs.SCENE, inputs.FORMAT, inputs.THEME, inputs.RENDER_VIEW, inputs.AS_DATA),
    call=render_document,
)

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="dsp_create_scene",
        title="Create a scene",
        description="Store a new scene document as revision 1; its scene.id becomes the sceneId. Leave out layout: the "
        "engine places everything. Change a stored scene with dsp_apply_ops, not by creating it again.",
        inputs=(inputs.SCENE,),
        output=CREATED,
        annotations=ADD,
        call=calls.create_scene,
        in_apps=OPENS,
        next_steps=dict.fromkeys(UNSURE, "It may have been stored: look with dsp_get_scene before you call again."),
    ),
    Tool(
        name="dsp_apply_ops",
        title="Edit a scene",
        description="Apply operations to a stored scene as one new revision. Each is an object with op and the "
        "members of that op: createNode|createEdge|createFrame|createText (id, the element's fields, parentId?), "
        "updateNode|updateEdge|updateFrame|updateElement (id, changed fields; null removes one; objects such as "
        "extensions are merged; a list (columns, methods, children) is replaced: send all of it), deleteElement (id), "
        "setText (id, text), setStyle (id, style), moveElement (id, x, y), resizeElement (id, size), "
        "reparentElement (id, parentId), groupElements (id, children), ungroupElements (id), updateScene (title, "
        "canvas, layoutStrategy, palette, legend, defaults, brief), relayout (ids?). deleteElement takes attached "
        "edges along. Constraints, shared styles and images have operations too: scenograph://schemas/operations/<op>. "
        "Later operations may name what earlier ones made. If somebody edited "
        "since baseRevision nothing is applied, and you learn the current revision and what changed.",
        inputs=(inputs.SCENE_ID, inputs.BASE_REVISION, inputs.OPS, inputs.TRANSACTION_MODE, inputs.MESSAGE),
        output=APPLIED,
        annotations=CHANGE,
        call=calls.apply_ops,
        in_apps=OPENS,
        next_steps={
            "validation_failed": BATCH_WRONG,
            "invalid_request": BATCH_WRONG,
            **dict.fromkeys(UNSURE, LOOK_FIRST),
        },
    ),
    Tool(
        name="dsp_get_scene",
        title="Read a scene",
        description="Read a stored scene, the latest or an earlier revision: the document, its outline (one line for "
        "each element), some elements with their neighbours, or what changed since a revision.",
        inputs=(inputs.SCENE_ID, inputs.REVISION, inputs.GET_VIEW),
        output=READ,
        annotations=LOOK,
        call=calls.get_scene,
    ),
    VALIDATE,
    NORMALIZE,
    RENDER,
    Tool(
        name="dsp_diff_scene",
        title="Compare revisions",
        description="List the ids of elements added, removed and modified between two revisions. To see them, render "
        "with diffFromRevision.",
        inputs=(inputs.SCENE_ID, inputs.FROM, inputs.TO),
        output=COMPARED,
        annotations=LOOK,
        call=calls.diff_scene,
    ),
    Tool(
        name="dsp_list_revisions",
        title="List revisions",
        description="List a scene's revisions, newest first, with time, message and counts of changes.",
        inputs=(inputs.SCENE_ID,),
        output=HISTORY,
        annotations=LOOK,
        call=calls.list_revisions,
    ),
    Tool(
        name="dsp_delete_scene",
        title="Delete a scene",
        description="Delete a stored scene; its public address stops working at once. Ask the user first and call only "
        "once they agreed to deleting this scene. It can be restored for 24 hours.",
        inputs=(inputs.SCENE_ID, inputs.CONFIRM),
        output=DELETED,
        annotations=DESTROY,
        call=calls.delete_scene,
        in_apps=MODEL_ONLY,
    ),
    Tool(
        name="dsp_undelete_scene",
        title="Restore a deleted scene",
        description="Restore a scene deleted within the last 24 hours. It comes back private, with its revisions.",
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
        description="List the scenes that can still be restored.",
        inputs=(),
        output=RECOVERABLE,
        annotations=LOOK,
        call=calls.list_recently_deleted,
    ),
    Tool(
        name="dsp_submit_to_support",
        title="Submit a scene to support",
        description="Let support staff view a copy of the scene, to look into a problem; a public scene stops being "
        "public. Tell the user what support will see and call only once they agreed.",
        inputs=(inputs.SCENE_ID, inputs.PROBLEM, inputs.ANONYMIZE),
        output=SUBMITTED,
        annotations=SHOW_SUPPORT,
        call=calls.submit_to_support,
        in_apps=MODEL_ONLY,
        next_steps={"scene_not_found": CHECK_ID},
    ),
    Tool(
        name="dsp_publish_scene",
        title="Publish a scene",
        description="Put the scene, its picture and its source, at a public address that anyone can read. Call only "
        "once the user agreed to making it public.",
        inputs=(inputs.SCENE_ID,),
        output=PUBLISHED,
        annotations=EXPOSE,
        call=calls.publish_scene,
        in_apps=MODEL_ONLY,
        next_steps={"scene_not_found": CHECK_ID},
    ),
    Tool(
        name="dsp_make_scene_private",
        title="Make a scene private",
        description="End a publication or withdraw a submission to support, at once.",
        inputs=(inputs.SCENE_ID,),
        output=PRIVATE,
        annotations=DESTROY,
        call=calls.make_scene_private,
        in_apps=MODEL_ONLY,
        next_steps={"scene_not_found": CHECK_ID},
    ),
    Tool(
        name="dsp_list_scenes",
        title="List scenes",
        description="Find stored scenes, the latest change first.",
        inputs=(inputs.QUERY, inputs.LIMIT, inputs.CURSOR),
        output=LISTED,
        annotations=LOOK,
        call=keeping.list_scenes,
    ),
    Tool(
        name="dsp_restore_revision",
        title="Go back to a revision",
        description="Undo: make an earlier revision the latest again, as a new revision.",
        inputs=(inputs.SCENE_ID, inputs.RESTORED, inputs.BASE_REVISION),
        output=TAKEN_BACK,
        annotations=CHANGE,
        call=keeping.restore_revision,
        next_steps=dict.fromkeys(UNSURE, LOOK_FIRST),
    ),
    Tool(
        name="dsp_import_scene",
        title="Import a diagram",
        description="Turn the source of another tool into a scene and see it. The answer names what was lost.",
        inputs=(
            inputs.SOURCE,
            inputs.SOURCE_FORMAT,
            inputs.DIALECT,
            inputs.PAGE,
            inputs.NEW_ID,
            inputs.TITLE,
            inputs.SOURCE_NAME,
            inputs.KEEP,
        ),
        output=IMPORTED,
        annotations=ADD,
        call=keeping.import_scene,
        in_apps=OPENS,
    ),
    Tool(
        name="dsp_sync_scene",
        title="Follow a source",
        description="Update an imported scene from its changed source; places, styles and what people added stay.",
        inputs=(
            inputs.SCENE_ID,
            inputs.SOURCE,
            inputs.BASE_REVISION,
            inputs.SOURCE_FORMAT,
            inputs.DIALECT,
            inputs.PAGE,
            inputs.SOURCE_NAME,
            inputs.DRY_RUN,
            inputs.PRUNE,
            inputs.MESSAGE,
        ),
        output=SYNCHRONIZED,
        annotations=CHANGE,
        call=keeping.sync_scene,
        next_steps=dict.fromkeys(UNSURE, LOOK_FIRST),
    ),
    Tool(
        name="dsp_export_scene",
        title="Export a file",
        description="Export a stored scene as a file.",
        inputs=(inputs.SCENE_ID, inputs.EXPORT_FORMAT, inputs.SCALE, inputs.PATH),
        output=EXPORTED,
        annotations=ADD,
        call=export_scene,
    ),
    Tool(
        name="dsp_find_icons",
        title="Find icons",
        description="The best three icon keys for each query, for the member icon of a node.",
        inputs=(inputs.QUERIES,),
        output=ICONS,
        annotations=LOOK,
        call=keeping.find_icons,
    ),
    Tool(
        name="dsp_read_guide",
        title="Read the guide",
        description="How to write a scene (start), edit it (operations), and the types of a family.",
        inputs=(inputs.TOPIC,),
        output=PAGE,
        annotations=LOOK,
        call=keeping.read_guide,
    ),
)

KEYLESS_TOOLS: tuple[Tool, ...] = (VALIDATE, NORMALIZE, RENDER_KEYLESS)


APP_REQUEST = Tool(
    name="dsp_app_request",
    title="Requests of the viewer",
    description="For the viewer in the chat alone: reads, draws, places and edits what it shows.",
    inputs=(inputs.APP_REQUEST, inputs.ABOUT, inputs.BODY),
    output=FORWARDED,
    annotations=CHANGE,
    call=app_request,
    in_apps=APP_ONLY,
)


def tools_for(*, key: bool, apps: bool = False) -> tuple[Tool, ...]:
    """The tools offered to a caller; `apps` marks a host with support for Apps."""
    if not key:
        return KEYLESS_TOOLS
    return (*TOOLS, APP_REQUEST) if apps else TOOLS
