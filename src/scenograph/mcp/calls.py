"""What each tool does: checked arguments in, calls of the service, an Answer out. Refusals pass through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from scenograph.mcp.answers import WHOLE, Answer
from scenograph.mcp.api_client import Api
from scenograph.mcp.refusals import remark_lines, some

SCHEMA_VERSION = "0.1"
Arguments = Mapping[str, Any]


async def create_scene(api: Api, arguments: Arguments) -> Answer:
    """Keep a document as revision 1."""
    reply = await api.post("/v1/scenes", arguments["scene"])
    return Answer(
        text=f"Stored {reply['sceneId']} as revision {reply['revision']}. "
        "Next: dsp_render_scene with format png, and look at it.",
        structured=_members(reply, "sceneId", "revision", "diagnostics"),
        remarks=_remarks(reply),
    )


async def apply_ops(api: Api, arguments: Arguments) -> Answer:
    """One batch of operations as one new revision."""
    scene_id = arguments["sceneId"]
    body = {"schemaVersion": SCHEMA_VERSION, **arguments}
    reply = await api.post(f"/v1/scenes/{scene_id}/applyOps", body)
    count, changed = reply["applied"], cast("list[str]", reply["changedElementIds"])
    return Answer(
        text=f"Applied {count} of {len(arguments['ops'])} operations: {scene_id} is now at revision "
        f"{reply['revision']}, the baseRevision of the next edit. Changed: {some(changed)}.",
        structured={
            "applied": True,
            "appliedOps": count,
            **_members(reply, "revision", "changedElementIds", "diagnostics"),
        },
        remarks=_remarks(reply),
        source="dsp_diff_scene tells what changed.",
    )


async def get_scene(api: Api, arguments: Arguments) -> Answer:
    """One revision of a stored document."""
    scene_id = arguments["sceneId"]
    wanted = {"revision": arguments["revision"]} if "revision" in arguments else {}
    reply = await api.get(f"/v1/scenes/{scene_id}", wanted)
    revision = reply["revision"]
    count = len(reply["scene"].get("elements", ()))
    return Answer(
        text=f"{scene_id}, revision {revision}, {count} elements, {reply['privacyStatus']}.",
        structured=_members(reply, "sceneId", "revision", "privacyStatus", "createdAt", "scene"),
        payload=("scene",),
        copied="scene",
        source=f"Read the resource scene://{scene_id}/revisions/{revision}, or GET "
        f"{api.address}/v1/scenes/{scene_id}?revision={revision} with the API key.",
    )


async def validate_scene(api: Api, arguments: Arguments) -> Answer:
    """Every problem of a document."""
    reply = await api.post("/v1/scenes/validate", arguments["scene"])
    rows = cast("list[dict[str, Any]]", reply["diagnostics"])
    errors = sum(row["severity"] == "error" for row in rows)
    outcome = "Valid" if reply["ok"] else f"Not valid: {errors} to correct"
    return Answer(
        text=f"{outcome}; further remarks: {len(rows) - errors}.",
        structured=_members(reply, "ok", "diagnostics"),
        remarks=_remarks(reply),
        source="Correct what is shown and validate again.",
    )


async def normalize_scene(api: Api, arguments: Arguments) -> Answer:
    """The document with every default and place written in."""
    reply = await api.post("/v1/scenes/normalize", arguments["scene"])
    canvas = cast("dict[str, Any]", reply["computed"]).get("canvas", {})
    return Answer(
        text=f"Normalized {len(reply['elements'])} elements; canvas {canvas.get('width')} × {canvas.get('height')} px.",
        structured=reply,
        payload=("computed", "elements", "assets", "styles", "constraints", "extensions", "diagnostics"),
        copied=WHOLE,
        remarks=_remarks(reply),
        source=f"POST the document to {api.address}/v1/scenes/normalize (no key needed).",
    )


async def diff_scene(api: Api, arguments: Arguments) -> Answer:
    """What changed between two revisions."""
    reply = await api.get(f"/v1/scenes/{arguments['sceneId']}/diff", _members(arguments, "from", "to"))
    said = [f"{name}: {some(reply[name])}." for name in ("added", "removed", "modified") if reply[name]]
    if reply["changedConstraintIds"]:
        said.append(f"Constraints: {some(reply['changedConstraintIds'])}.")
    if reply["scene"]:
        said.append(f"Of the scene: {some(reply['scene'])}.")
    return Answer(
        text=f"{reply['sceneId']}, revision {reply['fromRevision']} to {reply['toRevision']}: "
        + (" ".join(said) or "no element differs."),
        structured=reply,
        source=f"GET {api.address}/v1/scenes/{reply['sceneId']}/diff?from={reply['fromRevision']}"
        f"&to={reply['toRevision']} with the API key.",
    )


async def list_revisions(api: Api, arguments: Arguments) -> Answer:
    """The history, newest first."""
    reply = await api.get(f"/v1/scenes/{arguments['sceneId']}/revisions")
    rows = cast("list[dict[str, Any]]", reply["revisions"])
    oldest = rows[-1]["revision"] if rows else 1
    older = f"Older ones: GET {api.address}/v1/scenes/{reply['sceneId']}/revisions?before={oldest} with the API key."
    note = {"note": older} if oldest > 1 else {}
    return Answer(
        text=f"{reply['sceneId']} is at revision {reply['currentRevision']}. {note.get('note', '')}".rstrip(),
        structured={**reply, **note},
        remarks=[f"- {row['revision']} of {row['createdAt']}: {_described(row)}" for row in rows[:20]],
        source=older,
    )


async def delete_scene(api: Api, arguments: Arguments) -> Answer:
    """Soft deletion."""
    reply = await api.delete(f"/v1/scenes/{arguments['sceneId']}")
    return Answer(text=f"Deleted {reply['sceneId']}. {reply['note']}", structured=reply)


async def undelete_scene(api: Api, arguments: Arguments) -> Answer:
    """Back from the list of deleted scenes."""
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/undelete")
    return Answer(text=f"Restored {reply['sceneId']} at revision {reply['revision']}; it is private.", structured=reply)


async def list_recently_deleted(api: Api, _arguments: Arguments) -> Answer:
    """What can be restored."""
    reply = await api.get("/v1/deleted-scenes")
    items = cast("list[dict[str, Any]]", reply["items"])
    return Answer(
        text=f"Can be restored with dsp_undelete_scene: {len(items)}."
        if items
        else "No scene can be restored: none was deleted within the last 24 hours.",
        structured=reply,
        remarks=[f"- {item['sceneId']}, deleted {item['deletedAt']}, until {item['expiresAt']}" for item in items[:50]],
        source=f"GET {api.address}/v1/deleted-scenes with the API key.",
    )


async def submit_to_support(api: Api, arguments: Arguments) -> Answer:
    """A snapshot for support."""
    body = {"problem": arguments["problem"], "anonymize": arguments.get("anonymize", False)}
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/support", body)
    hidden = "anonymized" if reply["supportAnonymized"] else "as it is"
    return Answer(
        text=f"Support may now see {reply['sceneId']}, {hidden}. Who looked: {reply['auditUrl']}. "
        "dsp_make_scene_private withdraws it.",
        structured=reply,
    )


async def publish_scene(api: Api, arguments: Arguments) -> Answer:
    """A public address."""
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/publish")
    return Answer(
        text=f"Anyone can see {reply['sceneId']} at {reply['publicUrl']}, always the latest revision. "
        "dsp_make_scene_private ends that.",
        structured=reply,
    )


async def make_scene_private(api: Api, arguments: Arguments) -> Answer:
    """Neither public nor with support any more."""
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/make-private")
    return Answer(text=f"{reply['sceneId']} is private.", structured=reply)


def _members(reply: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: reply[name] for name in names if name in reply}


def _remarks(reply: Mapping[str, Any]) -> list[str]:
    return remark_lines(cast("list[dict[str, Any]]", reply.get("diagnostics") or []))


def _described(row: Mapping[str, Any]) -> str:
    """A revision in a few words: its message, and the counts of what it changed."""
    counts = cast("dict[str, int] | None", row.get("summary"))
    change = ", ".join(f"{count} {name}" for name, count in (counts or {}).items() if count)
    return "; ".join(part for part in (str(row.get("message") or ""), change) if part) or "no message"
