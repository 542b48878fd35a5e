"""Answers of the tools within the limits of a session (R-TOOL-7).

In: an Answer of any size. Out: a protocol result with at most MAX_CHARACTERS characters on the wire in its texts and
structured content together. Excess is removed in this order: the copy of the payload in the text, the payload itself,
the data of remarks, then the largest members, unknown and nested ones included. The result names the missing parts and
their source. The picture is limited separately (`pictures.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from scenograph.late_dataclasses import dataclass, field

MAX_CHARACTERS = 100_000
ENVELOPE = 2_000  # the protocol's own characters, and the note on missing parts
WHOLE = "*"  # as `copied`: the whole structured content
MOST_DATA = 2_000
MAX_ERROR_CHARACTERS = 20_000
MOST_PASSES = 60  # each removes the excess, or shortens an obstructing list
LIST_ROOM = 0.9
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
    if _size([_text_of(answer, ""), copy], structured) > answer.room - ENVELOPE:
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
    if len(text) > MAX_ERROR_CHARACTERS:
        text = f"{text[: MAX_ERROR_CHARACTERS - 1]}…"
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _text_of(answer: ToolAnswer, note: str) -> str:
    said = "\n".join(part for part in (answer.text, *answer.remarks) if part)
    said = said if len(said) <= MAX_ERROR_CHARACTERS else f"{said[: MAX_ERROR_CHARACTERS - 1]}…"
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
    return _size([_text_of(answer, "")], structured) > answer.room - ENVELOPE


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
    for _ in range(MOST_PASSES):
        excess = _size([_text_of(answer, "")], structured) - (answer.room - ENVELOPE)
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
            value[name] = rows[: max(0, int(len(rows) * (1 - excess / sizes[name]) * LIST_ROOM))]
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
        row if _written(row) <= MOST_DATA else {name: row[name] for name in row if name != "data"} for row in known
    ]
    return ["data of long diagnostics"]
