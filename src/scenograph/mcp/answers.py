"""Answers of the tools and the limits that keep a session safe (R-TOOL-7).

In: an Answer, as large as the service made it. Out: a protocol result whose texts and structured content together
have at most MAX_CHARACTERS characters as written on the wire. What does not fit is left out in this order: the copy
of the payload in the text, the payload itself, the data of remarks, then whatever is largest, be it a member that
nobody here knows or one inside another; the result then says what is missing and where to get it. The picture is
counted on its own (`pictures.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from scenograph.late_dataclasses import dataclass, field

MAX_CHARACTERS = 100_000
ENVELOPE = 2_000  # what the protocol adds round the parts, and the note on what was left out
WHOLE = "*"  # as `copied`: all of the structured content
MOST_DATA = 2_000
MAX_ERROR_CHARACTERS = 20_000
MOST_PASSES = 60  # each takes out what is too much, or shortens the list that is in the way
LIST_ROOM = 0.9
SMALL = 500  # such members say what the rest is about, and stay while anything larger can go
MOST_MISSING, MOST_NAMED = 12, 80


class Picture(NamedTuple):
    """A PNG that a model can look at, base64."""

    data: str
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool found out. `payload` names the members of `structured` that are large and may be left out, the
    largest first; `copied` is one of them, or WHOLE, that stands in the text as well; `source` says where to get what
    is left out, `link` is a resource of this server that holds it. `shown_instead` is drawn only when the payload is
    left out, `picture` always; `files` are added as they are, their size is their maker's to keep small. `room` is the
    number of characters that it may have."""

    text: str
    structured: Mapping[str, Any]
    payload: tuple[str, ...] = ()
    copied: str | None = None
    source: str = ""
    link: ResourceLink | None = None
    picture: Picture | None = None
    remarks: Sequence[str] = field(default_factory=tuple[str, ...])
    files: Sequence[ContentBlock] = ()
    room: int = MAX_CHARACTERS


def result_of(answer: Answer) -> CallToolResult:
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


def fits(answer: Answer) -> bool:
    """Whether the answer goes out with its payload."""
    return not _too_large(answer, answer.structured)


def error_result(text: str) -> CallToolResult:
    """A refusal; it has no structured content, for a host would compare that with the tool's output schema."""
    if len(text) > MAX_ERROR_CHARACTERS:
        text = f"{text[: MAX_ERROR_CHARACTERS - 1]}…"
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _text_of(answer: Answer, note: str) -> str:
    said = "\n".join(part for part in (answer.text, *answer.remarks) if part)
    said = said if len(said) <= MAX_ERROR_CHARACTERS else f"{said[: MAX_ERROR_CHARACTERS - 1]}…"
    return f"{said}\n{note}" if note else said


def _copy_of(answer: Answer) -> str:
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


def _too_large(answer: Answer, structured: Mapping[str, Any]) -> bool:
    return _size([_text_of(answer, "")], structured) > answer.room - ENVELOPE


def _shrink(answer: Answer, structured: dict[str, Any]) -> str:
    """Take out of `structured` what does not fit; gives the sentence that says what is missing."""
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
    """Take some `excess` characters out of an object, the largest member first: of a list its end, of an object its
    own members, else the member itself; what has fewer than `least` characters stays. Gives what was taken out."""
    missing: list[str] = []
    sizes = {name: _written(member) for name, member in value.items()}
    for name in sorted(sizes, key=lambda each: sizes[each], reverse=True):
        if excess <= 0 or sizes[name] < least:
            break
        member: Any = value[name]
        if isinstance(member, list) and len(cast("list[Any]", member)) > 1:
            rows = cast("list[Any]", member)
            value[name] = rows[: max(0, int(len(rows) * (1 - excess / sizes[name]) * LIST_ROOM))]
            return [*missing, f"the end of {within}{name}"]  # rows differ in size: the next pass sees what it took
        if isinstance(member, dict) and member:
            value[name] = dict(cast("dict[str, Any]", member))
            missing += _trim(value[name], excess, least, f"{within}{name}.")
        else:
            del value[name]
            missing.append(f"{within}{name} ({sizes[name]} characters)")
        excess -= sizes[name] - _written(value[name]) if name in value else sizes[name] + _written(name) + 2
    return missing


def _without_data(structured: dict[str, Any]) -> list[str]:
    """Drop what programs read of remarks that are very long."""
    rows: Any = structured.get("diagnostics")
    if not isinstance(rows, list):
        return []
    known = [cast("dict[str, Any]", row) for row in cast("list[Any]", rows) if isinstance(row, dict)]
    structured["diagnostics"] = [
        row if _written(row) <= MOST_DATA else {name: row[name] for name in row if name != "data"} for row in known
    ]
    return ["data of long diagnostics"]
