"""Answers of the tools and the limits that keep a session safe (decisions: section 14).

In: an Answer, as large as the service made it. Out: a protocol result whose texts and structured content together
have at most MAX_CHARACTERS characters as written on the wire. What does not fit is left out in this order: the copy
of the payload in the text, the payload itself, the tail of long lists; the result then says what is missing and
where to get it. The picture is counted on its own (`pictures.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

MAX_CHARACTERS = 100_000
ENVELOPE = 1_000  # what the protocol adds round the parts, and the note on what was left out
MOST_DATA = 2_000
MAX_ERROR_CHARACTERS = 20_000


class Picture(NamedTuple):
    """A PNG that a model can look at, base64."""

    data: str
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool found out. `payload` names the members of `structured` that are large and may be left out, the
    first one first; `copied` is one of them that stands in the text as well; `source` says where to get what is
    left out, `link` is a resource of this server that holds it. `shown_instead` is drawn only when the payload is
    left out, `picture` always."""

    text: str
    structured: Mapping[str, Any]
    payload: tuple[str, ...] = ()
    copied: str | None = None
    source: str = ""
    link: ResourceLink | None = None
    picture: Picture | None = None
    remarks: Sequence[str] = field(default_factory=tuple[str, ...])


def result_of(answer: Answer) -> CallToolResult:
    """The answer within the limits."""
    copy = _copy_of(answer)
    structured = dict(answer.structured)
    if _size([_text_of(answer, ""), copy], structured) > MAX_CHARACTERS - ENVELOPE:
        copy = ""
    note = _shrink(answer, structured) if _too_large(answer, structured) else ""
    if note:
        structured["note"] = note
    blocks: list[ContentBlock] = [TextContent(text=_text_of(answer, note))]
    if copy and not note:
        blocks.append(TextContent(text=copy))
    if answer.picture:
        blocks.append(ImageContent(data=answer.picture.data, mime_type="image/png"))
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
    return "\n".join(part for part in (answer.text, *answer.remarks, note) if part)


def _copy_of(answer: Answer) -> str:
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
    return _size([_text_of(answer, "")], structured) > MAX_CHARACTERS - ENVELOPE


def _shrink(answer: Answer, structured: dict[str, Any]) -> str:
    """Take out of `structured` what does not fit; gives the sentence that says what is missing."""
    missing: list[str] = []
    for member in answer.payload:
        if member in structured and _too_large(answer, structured):
            missing.append(f"{member} ({_written(structured.pop(member))} characters)")
    if _too_large(answer, structured):
        missing += _without_data(structured)
    while _too_large(answer, structured) and (longest := _longest_list(structured)):
        kept = cast("list[Any]", structured[longest])
        structured[longest] = kept[: len(kept) // 2]
        said = f"the end of {longest}"
        missing += [] if said in missing else [said]
    source = f" {answer.source}" if answer.source else ""
    return f"Left out, because a result holds at most {MAX_CHARACTERS} characters: {', '.join(missing)}.{source}"


def _without_data(structured: dict[str, Any]) -> list[str]:
    """Drop what programs read of remarks that are very long."""
    rows: Any = structured.get("diagnostics")
    if not isinstance(rows, list):
        return []
    known = cast("list[dict[str, Any]]", rows)
    structured["diagnostics"] = [
        row if _written(row) <= MOST_DATA else {name: row[name] for name in row if name != "data"} for row in known
    ]
    return ["data of long diagnostics"]


def _longest_list(structured: Mapping[str, Any]) -> str | None:
    sizes = {name: _written(value) for name, value in structured.items() if isinstance(value, list) and value}
    return max(sizes, key=lambda name: sizes[name]) if sizes else None
