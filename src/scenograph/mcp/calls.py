"""The tools' functions: checked arguments in, calls of the service, an Answer out. Refusals pass through."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from scenograph.mcp.answers import WHOLE, ToolAnswer, fits
from scenograph.mcp.api_client import Api, is_loopback
from scenograph.mcp.commenting import open_threads
from scenograph.mcp.outlines import elements_of, neighbourhood, outline
from scenograph.mcp.refusals import counted, cut, remark_lines, some
from scenograph.mcp.rendering import look_at

SCHEMA_VERSION = "0.1"
MOST_CHANGES = 20  # elements with their values in the text
PARTS = 'Read parts with view {"elements": ["<id>", …]}.'
Arguments = Mapping[str, Any]


def with_picture(arguments: Arguments) -> dict[str, Any]:
    """The members of a write's request that ask for the picture, unless the caller does without."""
    return {"render": {"format": "png"}} if arguments.get("picture", True) else {}


def moved_in(reply: Mapping[str, Any]) -> str:
    """The sentence about elements that an edit moved without touching them."""
    moved = cast("list[str]", reply.get("movedElementIds") or [])
    return f" Gave way, though not named: {some(moved)}." if moved else ""


async def create_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """Keep a document as revision 1."""
    query = "?render=png" if arguments.get("picture", True) else ""
    reply = await api.post(f"/v1/scenes{query}", arguments["scene"])
    look = await look_at(api, reply)
    return ToolAnswer(
        text=f"Stored {reply['sceneId']} as revision {reply['revision']}.",
        structured={**_members(reply, "sceneId", "revision", "movedElementIds"), "diagnostics": look.diagnostics},
        picture=look.picture,
        remarks=[*look.remarks, *remark_lines(look.diagnostics)],
    )


async def apply_ops(api: Api, arguments: Arguments) -> ToolAnswer:
    """A batch of operations as a new revision."""
    scene_id = arguments["sceneId"]
    sent = {name: value for name, value in arguments.items() if name != "picture"}
    body = {"schemaVersion": SCHEMA_VERSION, **sent, **with_picture(arguments)}
    reply = await api.post(f"/v1/scenes/{scene_id}/applyOps", body)
    look = await look_at(api, reply)
    count = reply["applied"]
    changed = [*cast("list[str]", reply["changedElementIds"]), *_of_scene(arguments["ops"])]
    return ToolAnswer(
        text=f"Applied {count} of {counted(len(arguments['ops']), 'operation')}: {scene_id} is now at revision "
        f"{reply['revision']}, the baseRevision of the next edit. Changed: {some(changed)}.{moved_in(reply)}",
        structured={
            "applied": True,
            "appliedOps": count,
            **_members(reply, "revision", "changedElementIds", "movedElementIds"),
            "diagnostics": look.diagnostics,
        },
        picture=look.picture,
        remarks=[*look.remarks, *remark_lines(look.diagnostics)],
        source="dsp_diff_scene tells what changed.",
    )


async def get_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """A revision of a stored document: whole, or the part selected by `view`."""
    view: Any = arguments.get("view", "document")
    wanted = _members(arguments, "revision", "asOf")
    reply = await api.get(f"/v1/scenes/{arguments['sceneId']}", wanted)
    if view == "outline":
        return _outlined(reply, "", await open_threads(api, reply["sceneId"]))
    if view != "document":
        if "since" in view:
            return await _changed(api, reply, view["since"])
        return _neighbours(reply, view["elements"], await open_threads(api, reply["sceneId"]))
    brief = reply["scene"].get("brief")
    answer = ToolAnswer(
        text=_read(reply),
        structured=_members(reply, "sceneId", "revision", "privacyStatus", "createdAt", "scene"),
        payload=("scene",),
        copied="scene",
        remarks=[f"brief: {brief}"] if brief else [],
    )
    return answer if fits(answer) else _outlined(reply, " Too large to be shown whole; this is its outline.")


def _read(reply: Mapping[str, Any]) -> str:
    count = len(elements_of(reply["scene"]))
    return f"{reply['sceneId']}, revision {reply['revision']}, {counted(count, 'element')}, {reply['privacyStatus']}."


def _outlined(reply: Mapping[str, Any], why: str, threads: Counter[str] | None = None) -> ToolAnswer:
    return ToolAnswer(
        text=f"{_read(reply)}{why} {PARTS}{_spoken_of(threads)}",
        structured={**_members(reply, "sceneId", "revision"), "outline": outline(reply["scene"], threads=threads)},
        payload=("outline",),
        copied="outline",
        source=PARTS,
    )


def _spoken_of(threads: Counter[str] | None) -> str:
    """The sentence on open threads; nothing without one."""
    return f" Open comment threads: {threads.total()}; dsp_list_comments reads them." if threads else ""


def _neighbours(reply: Mapping[str, Any], ids: list[str], threads: Counter[str]) -> ToolAnswer:
    rows, unknown = neighbourhood(reply["scene"], ids)
    missing = f" Unknown ids: {some(unknown)}." if unknown else ""
    about = Counter({name: count for name, count in threads.items() if name in ids})
    named = ", ".join(f"{name} ({count})" for name, count in about.items())
    talk = f"{_spoken_of(about)} On {named}." if about else ""
    return ToolAnswer(
        text=f"{_read(reply)} {len(rows)} of them are shown.{missing}{talk}",
        structured={**_members(reply, "sceneId", "revision"), "elements": rows},
        payload=("elements",),
        copied="elements",
        source="Ask for fewer elements.",
    )


async def _changed(api: Api, reply: Mapping[str, Any], since: int) -> ToolAnswer:
    ends = {"from": since, "to": reply["revision"]}
    change = await api.get(f"/v1/scenes/{reply['sceneId']}/diff", ends)
    wanted = {*change["added"], *change["modified"]}
    rows = [row for row in elements_of(reply["scene"]) if row.get("id") in wanted]
    said = [f"{name}: {some(change[name])}." for name in ("added", "removed", "modified") if change[name]]
    said += [f"Of the scene: {some(change['scene'])}."] if change["scene"] else []
    return ToolAnswer(
        text=f"{_read(reply)} Since revision {since}: {' '.join(said) or 'nothing changed.'}",
        structured={**_members(reply, "sceneId", "revision"), "elements": rows, "change": change},
        payload=("elements", "change"),
        copied="elements",
        source="Ask for some of the elements by id.",
    )


async def validate_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """Every problem of a document."""
    reply = await api.post("/v1/scenes/validate", arguments["scene"])
    rows = cast("list[dict[str, Any]]", reply["diagnostics"])
    errors = sum(row["severity"] == "error" for row in rows)
    outcome = "Valid" if reply["ok"] else f"Not valid: {errors} to correct"
    return ToolAnswer(
        text=f"{outcome}; further remarks: {len(rows) - errors}.",
        structured=_members(reply, "ok", "diagnostics"),
        remarks=_remarks(reply),
        source="Correct what is shown and validate again.",
    )


async def normalize_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """The document with every default and place written in."""
    reply = await api.post("/v1/scenes/normalize", arguments["scene"])
    canvas = cast("dict[str, Any]", reply["computed"]).get("canvas", {})
    return ToolAnswer(
        text=f"Normalized {counted(len(reply['elements']), 'element')}; "
        f"canvas {canvas.get('width')} × {canvas.get('height')} px.",
        structured=reply,
        payload=("computed", "elements", "assets", "styles", "constraints", "extensions", "diagnostics"),
        copied=WHOLE,
        remarks=_remarks(reply),
        source="Normalize a part of it, or render it to see the places.",
    )


async def diff_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """The difference between two revisions."""
    reply = await api.get(f"/v1/scenes/{arguments['sceneId']}/diff", _members(arguments, "from", "to"))
    said = [f"{name}: {some(reply[name])}." for name in ("added", "removed", "modified") if reply[name]]
    if reply["changedConstraintIds"]:
        said.append(f"Constraints: {some(reply['changedConstraintIds'])}.")
    if reply["scene"]:
        said.append(f"Of the scene: {some(reply['scene'])}.")
    said += [f"Stand elsewhere: {some(reply['moved'])}."] if reply.get("moved") else []
    changes = cast("dict[str, dict[str, list[Any]]]", reply.get("changes") or {})
    return ToolAnswer(
        text=f"{reply['sceneId']}, revision {reply['fromRevision']} to {reply['toRevision']}: "
        + (" ".join(said) or "no element differs."),
        structured=reply,
        payload=("changes", "fields"),
        remarks=[
            f"- {name}: {'; '.join(f'{field} {_value(old)} → {_value(new)}' for field, (old, new) in rows.items())}"
            for name, rows in list(changes.items())[:MOST_CHANGES]
        ],
        source="Compare revisions that lie nearer to each other.",
    )


async def list_revisions(api: Api, arguments: Arguments) -> ToolAnswer:
    """The history, newest first."""
    reply = await api.get(f"/v1/scenes/{arguments['sceneId']}/revisions")
    rows = cast("list[dict[str, Any]]", reply["revisions"])
    oldest = rows[-1]["revision"] if rows else 1
    older = f"Revisions before {oldest} can be read and restored by their number."
    note = {"note": older} if oldest > 1 else {}
    return ToolAnswer(
        text=f"{reply['sceneId']} is at revision {reply['currentRevision']}. {note.get('note', '')}".rstrip(),
        structured={**reply, **note},
        remarks=[f"- {row['revision']} of {row['createdAt']}: {_described(row)}" for row in rows[:20]],
        source=older,
    )


async def delete_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """Soft deletion."""
    reply = await api.delete(f"/v1/scenes/{arguments['sceneId']}")
    return ToolAnswer(text=f"Deleted {reply['sceneId']}. {reply['note']}", structured=reply)


async def undelete_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """Back from the list of deleted scenes."""
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/undelete")
    return ToolAnswer(
        text=f"Restored {reply['sceneId']} at revision {reply['revision']}; it is private.", structured=reply
    )


async def list_recently_deleted(api: Api, _arguments: Arguments) -> ToolAnswer:
    """The scenes within recovery."""
    reply = await api.get("/v1/deleted-scenes")
    items = cast("list[dict[str, Any]]", reply["items"])
    return ToolAnswer(
        text=f"Can be restored with dsp_undelete_scene: {len(items)}."
        if items
        else "No scene can be restored: none was deleted within the last 24 hours.",
        structured=reply,
        remarks=[f"- {item['sceneId']}, deleted {item['deletedAt']}, until {item['expiresAt']}" for item in items[:50]],
        source="Restore what is named by its id.",
    )


async def submit_to_support(api: Api, arguments: Arguments) -> ToolAnswer:
    """A snapshot for support."""
    body = {"problem": arguments["problem"], "anonymize": arguments.get("anonymize", False)}
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/support", body)
    hidden = "anonymized" if reply["supportAnonymized"] else "as it is"
    return ToolAnswer(
        text=f"Support may now see {reply['sceneId']}, {hidden}. Who looked: GET {reply['auditUrl']}, which takes "
        "the API key that this server calls with (Authorization: Bearer …), so no link for a browser. "
        "dsp_make_scene_private withdraws it.",
        structured=reply,
    )


async def publish_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """A public address."""
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/publish")
    page = reply["publicUrl"]
    title = str((await api.get(f"/v1/scenes/{arguments['sceneId']}"))["scene"]["scene"].get("title") or "")
    markdown = f"![{_plain(title or reply['sceneId'])}]({page}.svg)"
    return ToolAnswer(
        text=f"{_audience(page)} {reply['sceneId']} at {page}, always the latest revision. The picture alone: "
        f"{page}.svg and {page}.png. For a README or a wiki: {markdown}\ndsp_make_scene_private ends that.",
        structured={**reply, "svgUrl": f"{page}.svg", "pngUrl": f"{page}.png", "markdown": markdown},
    )


def _value(value: Any) -> str:
    return "none" if value is None else cut(json.dumps(value, ensure_ascii=False))


def _audience(address: str) -> str:
    """Who reaches an address."""
    near = is_loopback(urlsplit(address).hostname or "")
    return "Only on this machine, while the service runs, one can see" if near else "Anyone can see"


async def make_scene_private(api: Api, arguments: Arguments) -> ToolAnswer:
    """Neither public nor with support any more."""
    reply = await api.post(f"/v1/scenes/{arguments['sceneId']}/make-private")
    return ToolAnswer(text=f"{reply['sceneId']} is private.", structured=reply)


def _plain(title: str) -> str:
    """A title as the alternative text of a Markdown image."""
    return " ".join(title.translate({ord(mark): None for mark in "[]\\`<>"}).split())


def _of_scene(ops: Sequence[Mapping[str, Any]]) -> list[str]:
    """The members of the scene itself named by operations: such operations change no element's fields, and may move all
    elements."""
    named = [name for op in ops if op.get("op") == "updateScene" for name in op if name != "op"]
    placed = ["places" for op in ops if op.get("op") == "relayout"]
    return [f"the scene's {name}" for name in dict.fromkeys(named + placed)]


def _members(reply: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: reply[name] for name in names if name in reply}


def _remarks(reply: Mapping[str, Any]) -> list[str]:
    return remark_lines(cast("list[dict[str, Any]]", reply.get("diagnostics") or []))


def _described(row: Mapping[str, Any]) -> str:
    """A revision in a few words: message, counts of changes, and the name of the author's key."""
    counts = cast("dict[str, int] | None", row.get("summary"))
    change = ", ".join(f"{count} {name}" for name, count in (counts or {}).items() if count)
    if counts and not change:
        change = "no element, but the scene's own members"
    name = cast("Mapping[str, str | None]", row.get("author") or {}).get("keyName")
    parts = (str(row.get("message") or ""), change, f"by the key {name}" if name else "")
    return "; ".join(part for part in parts if part) or "no message"
