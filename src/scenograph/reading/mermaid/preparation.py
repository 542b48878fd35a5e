"""What stands before and around a Mermaid diagram: a Markdown page, front matter, directives and comments.

Out: the same text with all of that blanked, so that every line keeps its number, and what it said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

# A line that opens a fence: with `mermaid` or {mermaid} (MyST) after three or more marks, or :::mermaid (Azure DevOps).
# In lists it is indented, in quotations it follows `>`.
_FENCE = re.compile(
    r"(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[ \t>]*)"
    r"(?P<marks>`{3,}|~{3,}|:{3,})[ \t]*(?P<word>\{?\.?[\w-]*\}?)[^\n`]*"
)
_WORD = re.compile(r"\{?\.?mermaid(?:-\w+)?\}?", re.IGNORECASE)
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)\n[ \t]*---[ \t]*(?:\n|$)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.{1,1000})$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*%%(?!\{)[^\n]*", re.MULTILINE)
_DIRECTIVE_START, _DIRECTIVE_END = "%%{", "}%%"


class Prepared(NamedTuple):
    """The diagram alone, in its old lines, the title that its front matter gives, and its line in the source."""

    text: str
    title: str
    line: int = 1


def prepared(source: str) -> tuple[Prepared, ...]:
    """The diagrams of a page without fences, front matter, directives and comments; a source that is no page is one.
    Lines end in \\n afterwards."""
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    fences = list(_fences(text.split("\n"))) if any(mark in text for mark in ("```", "~~~", ":::")) else []
    if not fences:
        return (_bare(text, 1),)
    return tuple(_bare("\n" * fence.first + "\n".join(fence.lines), fence.first + 1) for fence in fences)


def _bare(text: str, line: int) -> Prepared:
    title = ""
    front = _FRONT_MATTER.match(text) if text.lstrip().startswith("---") else None
    if front:
        found = _TITLE.search(front[1])
        title = _scalar(found[1].strip()) if found else ""
        text = _blank(front[0]) + text[front.end() :]
    return Prepared(_COMMENT.sub("", _without_directives(text)), title, line)


class _Fence(NamedTuple):
    """The lines inside a fence, from `first` on."""

    first: int
    lines: tuple[str, ...]


def _fences(lines: list[str]) -> Iterator[_Fence]:
    """The fences of a page that say Mermaid; one at its very beginning may say nothing."""
    at = 0
    while at < len(lines):
        found = _FENCE.fullmatch(lines[at])
        at += 1
        if found is None:
            continue
        first = at
        is_ours = _WORD.fullmatch(found["word"]) is not None
        if found["marks"][0] == ":" and not is_ours:
            continue  # a container, in which a fence may stand
        while at < len(lines) and not _closes(lines[at], found["marks"]):
            at += 1
        if is_ours or not (found["word"] or any(line.strip() for line in lines[: first - 1])):
            yield _Fence(first, _without_options([_inside(line, found["before"]) for line in lines[first:at]]))
        at += 1


def _closes(line: str, marks: str) -> bool:
    bare = line.strip(" \t>")
    return len(bare) >= len(marks) and not bare.strip(marks[0])


def _inside(line: str, before: str) -> str:
    """A line without what stands before its fence: the indentation, and the marks of a quotation."""
    at = 0
    for mark in before:
        if line[at : at + 1] == mark or (mark != ">" and line[at : at + 1] in {" ", "\t"}):
            at += 1
    return line[at:]


def _without_options(lines: list[str]) -> tuple[str, ...]:
    """The lines with the options of a MyST directive blanked, `:name: value`."""
    for number, line in enumerate(lines):
        if line.strip() and not _OPTION.match(line):
            break
        lines[number] = ""
    return tuple(lines)


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
