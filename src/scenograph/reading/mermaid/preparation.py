"""What stands before and around a Mermaid diagram: front matter, directives and comments.

Out: the same text with all of that blanked, so that every line keeps its number, and what it said.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

_FENCE = re.compile(r"\s*```+\s*(?:mermaid)?[^\n`]*\n(.*?)\n\s*```+\s*", re.DOTALL)
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)\n[ \t]*---[ \t]*(?:\n|$)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.{1,1000})$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*%%(?!\{)[^\n]*", re.MULTILINE)
_DIRECTIVE_START, _DIRECTIVE_END = "%%{", "}%%"


class Prepared(NamedTuple):
    """The diagram alone, in its old lines, and the title that its front matter gives."""

    text: str
    title: str


def prepared(source: str) -> Prepared:
    """A diagram without fences, front matter, directives and comments. Lines end in \\n afterwards."""
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    fenced = _FENCE.match(text) if "```" in text[:2_000] else None
    if fenced:
        text = "\n" * text.count("\n", 0, fenced.start(1)) + fenced[1]
    title = ""
    front = _FRONT_MATTER.match(text) if text.lstrip().startswith("---") else None
    if front:
        found = _TITLE.search(front[1])
        title = _scalar(found[1].strip()) if found else ""
        text = _blank(front[0]) + text[front.end() :]
    return Prepared(_COMMENT.sub("", _without_directives(text)), title)


def _scalar(written: str) -> str:
    """A plain or quoted YAML scalar on one line. What JSON does not know of YAML's escapes stays as it is written."""
    if len(written) > 1 and written[0] == written[-1] == "'":
        return written[1:-1].replace("''", "'")
    if written.startswith('"'):
        try:
            return str(json.loads(written))
        except ValueError:
            pass
    return written.strip('"')


def _without_directives(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find(_DIRECTIVE_START, at)) >= 0:
        end = text.find(_DIRECTIVE_END, start)
        if end < 0:
            break
        parts += [text[at:start], _blank(text[start : end + len(_DIRECTIVE_END)])]
        at = end + len(_DIRECTIVE_END)
    return "".join((*parts, text[at:]))


def _blank(text: str) -> str:
    return "\n" * text.count("\n")
