"""Tools for comments: threads read, answered, resolved and begun (R-PEOPLE-8). Checked arguments in, calls of the
service, an Answer out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.refusals import counted, cut

Arguments = Mapping[str, Any]
Row = Mapping[str, Any]

MOST_THREADS = 50  # of an answer
MOST_OPEN = 100  # threads read for an outline: the largest page


def _path(scene_id: str, tail: str = "") -> str:
    return f"/v1/scenes/{scene_id}/comments{tail}"


async def list_comments(api: Api, arguments: Arguments) -> ToolAnswer:
    """A page of the threads of a scene."""
    scene_id = arguments["sceneId"]
    wanted = {name: arguments[name] for name in ("elementId", "cursor") if name in arguments}
    if "resolved" in arguments:
        wanted["resolved"] = str(arguments["resolved"]).lower()
    reply = await api.get(_path(scene_id), {"limit": MOST_THREADS, **wanted})
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
    """Begin or answer a thread, then resolve it or open it again."""
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


async def open_threads(api: Api, scene_id: str) -> Counter[str]:
    """The number of open threads by element, "" for those on places and the scene; empty where they cannot be read.
    Counts the first MOST_OPEN."""
    try:
        reply = await api.get(_path(scene_id), {"resolved": "false", "limit": MOST_OPEN})
    except Refusal:  # of an extra: the scene is told without it
        return Counter()
    return Counter(str(thread["elementId"] or "") for thread in cast("list[Row]", reply["items"]))
