"""Answers of the tools within the limits of a session, and refusals in words for an agent (R-TOOL-7)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from scenograph.late_dataclasses import dataclass, field
from scenograph.mcp.api_client import (
    BARRED,
    BROKEN_WAY,
    FALLEN,
    RESTARTED,
    STRANGE,
    THROTTLED,
    TOO_SLOW,
    UNREACHABLE,
    Refusal,
)

# Answers of the tools within the limits of a session (R-TOOL-7).
#
# In: an Answer of any size. Out: a protocol result with at most MAX_CHARACTERS characters on the wire in its texts and
# structured content together. Excess is removed in this order: the copy of the payload in the text, the payload itself,
# the data of remarks, then the largest members, unknown and nested ones included. The result names the missing parts
# and their source. The picture is limited separately (`pictures.py`).

MAX_CHARACTERS = 100_000
_ENVELOPE = 2_000  # the protocol's own characters, and the note on missing parts
WHOLE = "*"  # as `copied`: the whole structured content
_MOST_DATA = 2_000
_MAX_ERROR_CHARACTERS = 20_000
_MOST_PASSES = 60  # each removes the excess, or shortens an obstructing list
_LIST_ROOM = 0.9
SMALL = 500  # small members explain the rest, and stay while larger ones can go
MOST_MISSING, MOST_NAMED = 12, 80


class ImageBlock(NamedTuple):
    """A PNG for the model, base64."""

    data: str
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """A tool's answer.

    `payload` names the large, removable members of `structured`, the largest first. `copied` is a member of `payload`,
    or WHOLE, repeated in the text. `source` tells where to get removed parts, `link` is a resource of this server with
    them. `shown_instead` is drawn only without the payload, `picture` always. `files` are added unchanged; their maker
    keeps them small. `room` is the limit in characters.
    """

    text: str
    structured: Mapping[str, Any]
    payload: tuple[str, ...] = ()
    copied: str | None = None
    source: str = ""
    link: ResourceLink | None = None
    picture: ImageBlock | None = None
    remarks: Sequence[str] = field(default_factory=tuple[str, ...])
    files: Sequence[ContentBlock] = ()
    room: int = MAX_CHARACTERS


def result_of(answer: ToolAnswer) -> CallToolResult:
    """The answer within the limits."""
    copy = _copy_of(answer)
    structured = dict(answer.structured)
    if _size([_text_of(answer, ""), copy], structured) > answer.room - _ENVELOPE:
        copy = ""
    note = _shrink(answer, structured) if _too_large(answer, structured) else ""
    if note and _too_large(answer, structured):
        return error_result(f"It was done, but what the service answered is too large to be told. {answer.source}")
    if note:
        structured["note"] = note
    blocks: list[ContentBlock] = [TextContent(text=_text_of(answer, note))]
    if copy and not note:
        blocks.append(TextContent(text=copy))
    if answer.picture:
        blocks.append(ImageContent(data=answer.picture.data, mime_type="image/png"))
    blocks += answer.files
    if note and answer.link:
        blocks.append(answer.link)
    return CallToolResult(content=blocks, structured_content=structured)


def fits(answer: ToolAnswer) -> bool:
    """Whether the answer keeps its payload."""
    return not _too_large(answer, answer.structured)


def error_result(text: str) -> CallToolResult:
    """A refusal, without structured content, which a host would check against the tool's output schema."""
    if len(text) > _MAX_ERROR_CHARACTERS:
        text = f"{text[: _MAX_ERROR_CHARACTERS - 1]}…"
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _text_of(answer: ToolAnswer, note: str) -> str:
    said = "\n".join(part for part in (answer.text, *answer.remarks) if part)
    said = said if len(said) <= _MAX_ERROR_CHARACTERS else f"{said[: _MAX_ERROR_CHARACTERS - 1]}…"
    return f"{said}\n{note}" if note else said


def _copy_of(answer: ToolAnswer) -> str:
    if answer.copied == WHOLE:
        return json.dumps(answer.structured, ensure_ascii=False, separators=(",", ":"))
    value = answer.structured.get(answer.copied) if answer.copied else None
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _size(texts: Sequence[str], structured: Mapping[str, Any]) -> int:
    """Characters on the wire."""
    return sum(_written(text) for text in texts if text) + _written(structured)


def _written(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _too_large(answer: ToolAnswer, structured: Mapping[str, Any]) -> bool:
    return _size([_text_of(answer, "")], structured) > answer.room - _ENVELOPE


def _shrink(answer: ToolAnswer, structured: dict[str, Any]) -> str:
    """Remove the excess from `structured`; the sentence about missing parts."""
    missing: list[str] = []
    payload = [member for member in answer.payload if member in structured]
    for member in sorted(payload, key=lambda name: _written(structured[name]), reverse=True):
        if _too_large(answer, structured):
            missing.append(f"{member} ({_written(structured.pop(member))} characters)")
    if _too_large(answer, structured):
        missing += _without_data(structured)
    least = SMALL
    for _ in range(_MOST_PASSES):
        excess = _size([_text_of(answer, "")], structured) - (answer.room - _ENVELOPE)
        if excess <= 0:
            break
        taken = _trim(structured, excess, least, "")
        least = least if taken else 0
        missing += [said for said in taken if said not in missing]
    named = [said if len(said) <= MOST_NAMED else f"{said[: MOST_NAMED - 1]}…" for said in missing[:MOST_MISSING]]
    further = f" and {len(missing) - MOST_MISSING} more" if len(missing) > MOST_MISSING else ""
    source = f" {answer.source}" if answer.source else ""
    return f"Left out, because a result holds at most {answer.room} characters: {', '.join(named)}{further}.{source}"


def _trim(value: dict[str, Any], excess: int, least: int, within: str) -> list[str]:
    """Remove about `excess` characters from an object, the largest member first: the end of a list, members of an
    object, else the member itself. Members below `least` characters stay. Returns the removed parts."""
    missing: list[str] = []
    sizes = {name: _written(member) for name, member in value.items()}
    for name in sorted(sizes, key=lambda each: sizes[each], reverse=True):
        if excess <= 0 or sizes[name] < least:
            break
        member: Any = value[name]
        if isinstance(member, list) and len(cast("list[Any]", member)) > 1:
            rows = cast("list[Any]", member)
            value[name] = rows[: max(0, int(len(rows) * (1 - excess / sizes[name]) * _LIST_ROOM))]
            return [*missing, f"the end of {within}{name}"]  # rows differ in size: the next pass measures again
        if isinstance(member, dict) and member:
            value[name] = dict(cast("dict[str, Any]", member))
            missing += _trim(value[name], excess, least, f"{within}{name}.")
        else:
            del value[name]
            missing.append(f"{within}{name} ({sizes[name]} characters)")
        excess -= sizes[name] - _written(value[name]) if name in value else sizes[name] + _written(name) + 2
    return missing


def _without_data(structured: dict[str, Any]) -> list[str]:
    """Remove `data` from very long remarks."""
    rows: Any = structured.get("diagnostics")
    if not isinstance(rows, list):
        return []
    known = [cast("dict[str, Any]", row) for row in cast("list[Any]", rows) if isinstance(row, dict)]
    structured["diagnostics"] = [
        row if _written(row) <= _MOST_DATA else {name: row[name] for name in row if name != "data"} for row in known
    ]
    return ["data of long diagnostics"]


# A refusal in words for an agent: the service's sentence, its code, the diagnostics, the next step.

_MOST_REMARKS = 25
_MOST_IDS = 100
_MOST_BLAMED = 5
MOST_CHARACTERS = 400

NEXT_STEPS: Mapping[str, str] = MappingProxyType(
    {
        "missing_api_key": "Ask the user to set SERVICE_API_KEY in the host's configuration of this server.",
        "invalid_api_key": "The key is unknown or revoked. Ask the user to set another as SERVICE_API_KEY.",
        "account_suspended": "Ask the user to talk to the operator of the service; calling again does not help.",
        "email_not_verified": "Ask the user to verify the account's email address. Until then pass the document itself "
        "as scene instead of sceneId: inline renders are never gated.",
        "role_forbidden": "The scene is another's, shared in a lesser role. Ask the user to ask its owner, or keep a "
        "copy under an id of your own.",
        "not_found": "Nothing is there; check the id that the call names.",
        "forbidden": "This key's role does not reach here. Ask the user.",
        "scene_not_found": "Check the id: it may be misspelt, deleted, or belong to another workspace. "
        "dsp_list_scenes with query finds a scene by its title; a shared one needs its owner. "
        "dsp_list_recently_deleted shows what can be restored.",
        "revision_not_found": "dsp_list_revisions shows which revisions there are.",
        "revision_conflict": "Somebody edited the scene. Read it again with dsp_get_scene, see that your operations "
        "still fit, and call again with baseRevision set to currentRevision.",
        "scene_exists": "To change the stored scene use dsp_apply_ops with baseRevision set to currentRevision; "
        "for another scene choose another scene.id.",
        "scene_recently_deleted": "Restore it with dsp_undelete_scene, or choose another scene.id.",
        "scene_not_deleted": "The scene is active; there is nothing to restore.",
        "scene_in_support": "Make it private first with dsp_make_scene_private (this withdraws the submission; "
        "the user must agree), then publish.",
        "public_id_taken": "Another owner published this id first. Create the scene under another scene.id and publish "
        "that one.",
        "quota_exceeded": "Nothing was stored. Ask the user which scenes may be deleted; deleted ones take bytes until "
        "they are purged, 24 hours later.",
        "validation_failed": "Correct every line of severity error above, then call again. Nothing was stored.",
        "invalid_request": "Correct the argument that the sentence names, then call again.",
        "scene_too_large": "Make the scene smaller, or render parts of it with view; a key raises the limit.",
        "format_not_available": "Choose one of the formats that the sentence names.",
        "unreadable_source": "See that format names what the source is, and correct the place that is named.",
        "invalid_json": "Correct the place that the sentence names, then call again.",
        "body_too_large": "Make the document smaller: fewer or smaller images, shorter labels, or two scenes.",
        "request_timeout": "Call again; if it stays, the way to the service is slow: send less at once.",
        "unsupported_media_type": "The tool server and the service do not fit together: ask the user to run "
        "scenograph doctor.",
        "rate_limited": "Wait that long, then call again.",
        "overloaded": "Wait a moment, then call again.",
        "render_timeout": "Simplify the scene (fewer elements or edges), or try again.",
        "render_failed": "Try again; if it stays, simplify the scene. The stored scene is safe.",
        "storage_unavailable": "Wait a moment, then call again.",
        "internal_error": "A fault of the service. Try again; if it stays, tell the user the request id.",
        UNREACHABLE: "Ask the user to start the service (scenograph serve) or to correct SERVICE_API_URL; "
        "scenograph doctor tells what is wrong.",
        FALLEN: "Ask the user to read in the host's log of this server why it ended (scenograph doctor --local shows "
        "the same), and to start this server again.",
        RESTARTED: "Read first whether a change was made after all, then call again.",
        BARRED: "Ask the user: a proxy or gateway stands before the service, or SERVICE_API_URL is wrong.",
        THROTTLED: "Wait, then call again, less often.",
        BROKEN_WAY: "Wait a moment, then call again; if it stays, ask the user to see whether the service runs "
        "(scenograph doctor).",
        TOO_SLOW: "Try again; if it stays, ask the user to run scenograph doctor.",
        STRANGE: "Ask the user to correct SERVICE_API_URL; scenograph doctor tells what is wrong.",
    }
)


def explained(refusal: Refusal, own_steps: Mapping[str, str], base: object = None) -> str:
    """The text of an error result. `own_steps` are the tool's next steps by code, before NEXT_STEPS. `base` is the sent
    baseRevision."""
    lines = [f"{refusal.sentence} ({refusal.code})"]
    body = refusal.body
    if isinstance(body.get("currentRevision"), int):
        lines.append(f"currentRevision: {body['currentRevision']}")
        if isinstance(base, int) and base > body["currentRevision"]:
            lines.append(f"baseRevision {base} does not exist yet: nobody edited the scene, the number is too high.")
    changed = body.get("changedElementIds")
    if isinstance(changed, list):
        lines.append(f"Changed since your base: {some(cast('list[Any]', changed))}")
    lines += remark_lines(body.get("diagnostics"))
    if refusal.retry_after:  # seconds, or a date
        unit = " s" if refusal.retry_after.strip().isdecimal() else ""
        lines.append(f"Retry after {cut(refusal.retry_after)}{unit}.")
    if refusal.code == "internal_error" and body.get("requestId"):
        lines.append(f"Request id: {body['requestId']}")
    step = own_steps.get(refusal.code) or NEXT_STEPS.get(refusal.code)
    return "\n".join([*lines, f"Next: {step}"] if step else lines)


def remark_lines(diagnostics: object) -> list[str]:
    """A line for each diagnostic, errors first, at most _MOST_REMARKS; the rest is counted. Malformed rows are
    skipped."""
    found = cast("list[Any]", diagnostics) if isinstance(diagnostics, list) else []
    rows = [cast("Mapping[str, Any]", row) for row in found if isinstance(row, dict)]
    order = {"error": 0, "warning": 1}
    ranked = sorted(rows, key=lambda row: order.get(str(row.get("severity")), 2))
    lines = [_remark(row) for row in ranked[:_MOST_REMARKS]]
    if len(ranked) > _MOST_REMARKS:
        lines.append(f"… and {len(ranked) - _MOST_REMARKS} more.")
    return lines


def _remark(row: Mapping[str, Any]) -> str:
    place = row.get("path") or row.get("elementId") or "/"
    line = cut(f"- {row.get('severity')} {row.get('code')} at {place}: {row.get('message')}")
    return line + _hint(row, line)


def _hint(row: Mapping[str, Any], line: str) -> str:
    """The nearest right name, unless the (possibly cut) line names the same."""
    data: Any = row.get("data")
    near: Any = cast("dict[str, Any]", data).get("suggestion") if isinstance(data, dict) else None
    told = not isinstance(near, str) or "Did you mean" in line
    return "" if told else f" Did you mean {cut(near)}?"


def some(ids: Sequence[Any]) -> str:
    """The ids with a comma between, _MOST_IDS at most; the rest is counted."""
    shown = ", ".join(str(each) for each in ids[:_MOST_IDS]) or "nothing"
    return shown if len(ids) <= _MOST_IDS else f"{shown} and {len(ids) - _MOST_IDS} more"


def first(ids: Sequence[Any]) -> str:
    """The first MOST_NAMED ids with a comma between; the rest is counted."""
    shown = ", ".join(cut(str(each)) for each in ids[:_MOST_BLAMED])
    return shown if len(ids) <= _MOST_BLAMED else f"{shown} and {len(ids) - _MOST_BLAMED} more"


def counted(count: int, noun: str) -> str:
    """A count with its noun, in the plural but after 1."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def cut(text: str) -> str:
    """A single line of at most MOST_CHARACTERS characters."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 1]}…"
