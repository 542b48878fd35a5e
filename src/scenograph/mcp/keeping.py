"""Tools for finding, restoring, importing and following: lists of scenes, earlier revisions, other tools' sources,
icons and the guide. Checked arguments in, calls of the service, an Answer out."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast

from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.calls import moved_in, with_picture
from scenograph.mcp.instructions import guide_page
from scenograph.mcp.outlines import outline
from scenograph.mcp.pictures import draw_png
from scenograph.mcp.refusals import counted, first, remark_lines, some
from scenograph.mcp.rendering import WriteLook, look_at
from scenograph.wire.source_formats import SOURCE_FORMATS

Arguments = Mapping[str, Any]

MOST_LISTED = 50
BEST = 3
TAKEN = {"scene_exists", "scene_recently_deleted"}
MOST_KEPT, FREE_BYTES = 120, 3  # characters of a taken id, and random bytes after them: within the form of ids
REST = {True: 'dsp_get_scene with view "outline" lists them.', False: "scene holds them."}  # by whether it is stored
VERBS = {"delete": "removed", "create": "added"}  # by prefix of the operation's name; all others change
UNSEEN = "There is no picture: {why}"


async def list_scenes(api: Api, arguments: Arguments) -> ToolAnswer:
    """A page of the caller's scenes, the latest change first."""
    names = {"query": "q", "limit": "limit", "cursor": "cursor"}
    query = {names[name]: value for name, value in arguments.items()}
    reply = await api.get("/v1/scenes", {"limit": MOST_LISTED, **query})
    items = cast("list[dict[str, Any]]", reply["items"])
    more = " There are more: pass nextCursor as cursor." if reply.get("nextCursor") else ""
    return ToolAnswer(
        text=f"{counted(len(items), 'scene')}, the latest change first.{more}" if items else "No scene was found.",
        structured=reply,
        remarks=[_listed(row) for row in items],
        source="Ask for fewer with limit, or with a narrower query.",
    )


def _listed(row: Mapping[str, Any]) -> str:
    """A scene of a list in a line; of a shared one how it is reached."""
    owner = cast("Mapping[str, str]", row.get("owner") or {})
    shared = f", shared by {owner['name']} (owner {owner['accountId']}; you are {row['role']})" if owner else ""
    return f"- {row['sceneId']}: {row.get('title') or 'no title'}, {row['updatedAt']}{shared}"


async def restore_revision(api: Api, arguments: Arguments) -> ToolAnswer:
    """Restore an earlier revision as the latest."""
    body = {name: arguments[name] for name in ("revision", "baseRevision")} | with_picture(arguments)
    path = f"/v1/scenes/{arguments['sceneId']}"
    reply = await api.post(f"{path}/restore", body)
    look = await look_at(api, reply)
    changed = list(cast("list[str]", reply["changedElementIds"]))
    if not changed:  # the change concerned the scene itself
        ends = {"from": arguments["baseRevision"], "to": reply["revision"]}
        changed = [f"the scene's {name}" for name in (await api.get(f"{path}/diff", ends))["scene"]]
    return ToolAnswer(
        text=f"Revision {reply['restoredRevision']} of {reply['sceneId']} is the latest again, as revision "
        f"{reply['revision']}. Changed: {some(changed)}.{moved_in(reply)}",
        structured=_told(reply, look),
        picture=look.picture,
        remarks=[*look.remarks, *remark_lines(look.diagnostics)],
        source="dsp_diff_scene tells what changed.",
    )


def _told(reply: Mapping[str, Any], look: WriteLook) -> dict[str, Any]:
    """The members of a write's reply for the model: the picture is an image block."""
    members = {name: value for name, value in reply.items() if name not in {"output", "computed"}}
    return {**members, "diagnostics": look.diagnostics}


async def import_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """Another tool's source as a document with its picture, stored on request."""
    asked = {name: value for name, value in arguments.items() if name != "keep"}
    reply = await api.post("/v1/scenes/import", asked)
    document, remarks = cast("dict[str, Any]", reply["scene"]), list[str]()
    rows = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
    structured: dict[str, Any] = {"diagnostics": rows}
    count = len(document["elements"])
    if arguments.get("keep"):
        kept = await _stored(api, document, named="sceneId" in arguments)
        structured |= {"sceneId": kept["sceneId"], "revision": kept["revision"]}
        name = kept["sceneId"]
        taken = "" if name == document["scene"]["id"] else f" ({document['scene']['id']} was taken)"
        said = f"Imported {counted(count, 'element')}, stored as {name}{taken}, revision {kept['revision']}."
    else:
        structured["scene"] = document
        said = f"Imported {counted(count, 'element')}; nothing is stored. With keep: true they are, or pass scene on."
    picture = None
    try:
        picture = (await draw_png(api, "/v1/scenes/render", {"scene": document})).picture
    except Refusal as refusal:  # the import is done without its picture, an extra
        remarks.append(UNSEEN.format(why=refusal.sentence))
    return ToolAnswer(
        text=said,
        structured=structured,
        payload=("scene",),
        copied="scene",
        picture=picture,
        remarks=[
            *_unmet(arguments),
            *remark_lines(rows),
            *remarks,
            outline(document, most=MOST_LISTED, way=REST[bool(arguments.get("keep"))]),
        ],
        source="With keep: true the document is stored; dsp_get_scene then reads parts of it.",
    )


async def _stored(api: Api, document: Mapping[str, Any], *, named: bool) -> dict[str, Any]:
    """The reply to an import's creation, under a free id unless the caller named an id."""
    try:
        return await api.post("/v1/scenes", document)
    except Refusal as refusal:
        if named or refusal.code not in TAKEN:
            raise
    scene = document["scene"]
    free = f"{scene['id'][:MOST_KEPT]}-{secrets.token_hex(FREE_BYTES)}"
    return await api.post("/v1/scenes", {**document, "scene": {**scene, "id": free}})


def _unmet(arguments: Arguments) -> list[str]:
    """What a named format has no use for."""
    form = SOURCE_FORMATS.get(arguments.get("format", ""))
    if form is None:
        return []
    unmet = [f"page is for sources of several pages; {form.name} has one."] if not form.has_pages else []
    unmet += [f"view is for sources of several views; {form.name} has none."] if not form.has_views else []
    unmet += [f"dialect is for sql; {form.name} has none."] if not form.dialects else []
    return [said for said in unmet if said.partition(" ")[0] in arguments]


async def sync_scene(api: Api, arguments: Arguments) -> ToolAnswer:
    """Bring the stored scene to its source."""
    scene_id, dry = arguments["sceneId"], arguments.get("dryRun", False)
    sent = {name: value for name, value in arguments.items() if name not in {"sceneId", "picture"}}
    reply = await api.post(f"/v1/scenes/{scene_id}/sync", sent | ({} if dry else with_picture(arguments)))
    look = await look_at(api, reply)
    ops = cast("list[dict[str, Any]]", reply["ops"])
    if dry:
        said = f"Nothing was applied: {counted(len(ops), 'operation')} would carry {scene_id} to what the source says."
    elif reply["applied"]:
        said = f"{scene_id} follows its source and is now at revision {reply['revision']}."
    else:
        said = f"{scene_id} already says what the source says; it stays at revision {reply['revision']}."
    said += "".join(f" {verb.capitalize()}: {(first if dry else some)(ids)}." for verb, ids in _planned(ops).items())
    structured = _told(reply, look)
    return ToolAnswer(
        text=f"{said}{moved_in(reply)}",
        structured=structured if dry else {name: value for name, value in structured.items() if name != "ops"},
        payload=("ops",),
        picture=look.picture,
        remarks=[*_unmet(arguments), *look.remarks, *remark_lines(look.diagnostics)],
        source="dsp_diff_scene tells what changed.",
    )


def _planned(ops: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The ids affected by operations, by verb, the most important verb first."""
    planned: dict[str, list[str]] = {"removed": [], "added": [], "changed": []}
    for op in ops:
        name = str(op["op"])
        verb = next((verb for start, verb in VERBS.items() if name.startswith(start)), "changed")
        planned[verb].append(str(op.get("id") or "the scene"))
    return {verb: list(dict.fromkeys(ids)) for verb, ids in planned.items() if ids}


async def find_icons(api: Api, arguments: Arguments) -> ToolAnswer:
    """The best icons for each of several queries."""
    found: dict[str, list[str]] = {}
    for query in arguments["queries"]:
        reply = await api.get("/v1/icons", {"q": query, "limit": BEST})
        found[query] = [str(item["key"]) for item in reply["items"]]
    lines = [f"{query}: {', '.join(keys) or 'nothing; try another word'}" for query, keys in found.items()]
    return ToolAnswer(text="\n".join(lines), structured={"icons": found})


async def read_guide(_api: Api, arguments: Arguments) -> ToolAnswer:
    """A page of the guide."""
    topic = arguments.get("topic", "start")
    return ToolAnswer(text=guide_page(topic), structured={"topic": topic})
