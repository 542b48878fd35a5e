"""The tools that read and keep scenes: checked arguments in, calls of the service, an answer out."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from scenograph.mcp.answers import WHOLE, ToolAnswer, counted, cut, first, fits, remark_lines, some
from scenograph.mcp.api_client import Api, Refusal, is_loopback
from scenograph.mcp.outlines import elements_of, neighbourhood, outline
from scenograph.mcp.rendering import WriteLook, draw_png, look_at
from scenograph.mcp.resources import guide_page
from scenograph.wire.source_formats import SOURCE_FORMATS

# Tools for comments: threads read, answered, resolved and begun (R-PEOPLE-8). Checked arguments in, calls of the
# service, an Answer out.

Row = Mapping[str, Any]

_MOST_THREADS = 50  # of an answer
_MOST_OPEN = 100  # threads read for an outline: the largest page


def _path(scene_id: str, tail: str = "") -> str:
    return f"/v1/scenes/{scene_id}/comments{tail}"


async def list_comments(api: Api, arguments: Arguments) -> ToolAnswer:
    """A page of the threads of a scene."""
    scene_id = arguments["sceneId"]
    wanted = {name: arguments[name] for name in ("elementId", "cursor") if name in arguments}
    if "resolved" in arguments:
        wanted["resolved"] = str(arguments["resolved"]).lower()
    reply = await api.get(_path(scene_id), {"limit": _MOST_THREADS, **wanted})
    items = cast("list[Row]", reply["items"])
    more = " There are more: pass nextCursor as cursor." if reply.get("nextCursor") else ""
    still_open = sum(not thread["resolved"] for thread in items)
    said = (
        f"{counted(len(items), 'thread')}, {still_open} of them open.{more} dsp_reply_comment answers by the commentId."
    )
    return ToolAnswer(
        text=said if items else "No thread was found.",
        structured=reply,
        remarks=[line for thread in items for line in _thread(thread)],
        source="Ask for those of an element with elementId, or for the open ones with resolved: false.",
    )


def _thread(thread: Row) -> list[str]:
    at = cast("Mapping[str, float] | None", thread["at"])
    place = f"at {at['x']:g}, {at['y']:g}" if at else "the scene"
    about = f"on {thread['elementId']}" if thread["elementId"] else place
    state = "resolved" if thread["resolved"] else "open"
    first = f"- {thread['commentId']} {about}, {state}, revision {thread['revision']}: {_said(thread)}"
    return [first, *(f"  - {_said(reply)}" for reply in thread["replies"])]


def _said(comment: Row) -> str:
    author = cast("Mapping[str, str | None]", comment["author"])
    return cut(f"{author.get('name') or author['accountId']}: {comment['text']}")


async def reply_comment(api: Api, arguments: Arguments) -> ToolAnswer:
    """Begin or answer a thread, then resolve or reopen the thread."""
    scene_id, thread, text = arguments["sceneId"], arguments.get("commentId"), arguments.get("text")
    _require_sense(arguments)
    done, structured = list[str](), dict[str, Any]()
    if text is not None:
        element = {"elementId": arguments["elementId"]} if "elementId" in arguments else {}
        address = _path(scene_id, f"/{thread}/replies" if thread else "")
        structured = await api.post(address, {"text": text, **element})
        done.append("Replied." if thread else f"Began the thread {structured['commentId']}.")
    if "resolved" in arguments:
        thread = thread or structured["commentId"]
        try:
            structured = await api.patch(_path(scene_id, f"/{thread}"), {"resolved": arguments["resolved"]})
        except Refusal as refusal:
            if not done:
                raise
            done.append(f"But the thread stays as it was: {refusal.sentence}")
        else:
            done.append("The thread is resolved." if structured["resolved"] else "The thread is open.")
    return ToolAnswer(text=" ".join(done), structured=structured)


def _require_sense(arguments: Arguments) -> None:
    """Raises Refusal for arguments without a meaning together."""
    thread, text, element = (arguments.get(name) for name in ("commentId", "text", "elementId"))
    problem = None
    if text is None and (thread is None or "resolved" not in arguments):
        problem = "Give text, or commentId with resolved."
    elif thread is not None and element is not None:
        problem = "A reply stands where its thread does: give commentId or elementId, not both."
    if problem:
        raise Refusal(code="invalid_request", sentence=problem)


async def _open_threads(api: Api, scene_id: str) -> Counter[str]:
    """The number of open threads by element, "" for those on places and the scene; empty where they cannot be read.
    Counts the first _MOST_OPEN."""
    try:
        reply = await api.get(_path(scene_id), {"resolved": "false", "limit": _MOST_OPEN})
    except Refusal:  # of an extra: the scene is told without it
        return Counter()
    return Counter(str(thread["elementId"] or "") for thread in cast("list[Row]", reply["items"]))


# The tools' functions: checked arguments in, calls of the service, an Answer out. Refusals pass through.

SCHEMA_VERSION = "0.1"
_MOST_CHANGES = 20  # elements with their values in the text
PARTS = 'Read parts with view {"elements": ["<id>", …]}.'
Arguments = Mapping[str, Any]


def _with_picture(arguments: Arguments) -> dict[str, Any]:
    """The members of a write's request that ask for the picture, unless the caller does without."""
    return {"render": {"format": "png"}} if arguments.get("picture", True) else {}


def _moved_in(reply: Mapping[str, Any]) -> str:
    """The sentence about elements moved by an edit of others."""
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
    body = {"schemaVersion": SCHEMA_VERSION, **sent, **_with_picture(arguments)}
    reply = await api.post(f"/v1/scenes/{scene_id}/applyOps", body)
    look = await look_at(api, reply)
    count = reply["applied"]
    changed = [*cast("list[str]", reply["changedElementIds"]), *_of_scene(arguments["ops"])]
    return ToolAnswer(
        text=f"Applied {count} of {counted(len(arguments['ops']), 'operation')}: {scene_id} is now at revision "
        f"{reply['revision']}, the baseRevision of the next edit. Changed: {some(changed)}.{_moved_in(reply)}",
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
        return _outlined(reply, "", await _open_threads(api, reply["sceneId"]))
    if view != "document":
        if "since" in view:
            return await _changed(api, reply, view["since"])
        return _neighbours(reply, view["elements"], await _open_threads(api, reply["sceneId"]))
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
            for name, rows in list(changes.items())[:_MOST_CHANGES]
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


# Tools for finding, restoring, importing and following: lists of scenes, earlier revisions, other tools' sources, icons
# and the guide. Checked arguments in, calls of the service, an Answer out.

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
    body = {name: arguments[name] for name in ("revision", "baseRevision")} | _with_picture(arguments)
    path = f"/v1/scenes/{arguments['sceneId']}"
    reply = await api.post(f"{path}/restore", body)
    look = await look_at(api, reply)
    changed = list(cast("list[str]", reply["changedElementIds"]))
    if not changed:  # the change concerned the scene itself
        ends = {"from": arguments["baseRevision"], "to": reply["revision"]}
        changed = [f"the scene's {name}" for name in (await api.get(f"{path}/diff", ends))["scene"]]
    return ToolAnswer(
        text=f"Revision {reply['restoredRevision']} of {reply['sceneId']} is the latest again, as revision "
        f"{reply['revision']}. Changed: {some(changed)}.{_moved_in(reply)}",
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
    reply = await api.post(f"/v1/scenes/{scene_id}/sync", sent | ({} if dry else _with_picture(arguments)))
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
        text=f"{said}{_moved_in(reply)}",
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
