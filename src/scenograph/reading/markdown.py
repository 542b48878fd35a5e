"""Markdown pages: their fences, and the diagrams among them.

A fence is a run of three or more marks with a word, as CommonMark has it, in lists and quotations too; `{mermaid}`
(MyST) and `:::mermaid` (Azure DevOps) count as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

# In lists a fence is indented, in quotations it follows `>`.
_FENCE = re.compile(
    r"(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[ \t>]*)"
    r"(?P<marks>`{3,}|~{3,}|:{3,})[ \t]*(?P<word>\{?\.?[\w-]*\}?)[^\n`]*"
)
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")


class Fence(NamedTuple):
    """Lines inside a fence, from index `first` on; `word` follows the opening marks, `heading` is the nearest heading
    above."""

    word: str
    first: int
    lines: tuple[str, ...]
    heading: str = ""

    @property
    def text(self) -> str:
        """The content on the line numbers of the page: line numbers in errors are those of the page."""
        return "\n" * self.first + "\n".join(self.lines)


def fences(lines: Sequence[str], known: Callable[[str], bool]) -> Iterator[Fence]:
    """Every fence of a page; colon fences, also used for other text, only with a `known` word."""
    at, heading = 0, ""
    while at < len(lines):
        found = _FENCE.fullmatch(lines[at])
        if found is None:
            heading = _heading_at(lines, at) or heading
            at += 1
            continue
        first = at = at + 1
        if found["marks"][0] == ":" and not known(found["word"]):
            continue  # a container, in which a fence may stand
        while at < len(lines) and not _closes(lines[at], found["marks"]):
            at += 1
        inside = _without_options([_inside(line, found["before"]) for line in lines[first:at]])
        yield Fence(found["word"], first, inside, heading)
        at += 1


def _heading_at(lines: Sequence[str], at: int) -> str:
    found = _HEADING.fullmatch(lines[at])
    if found:
        return found["title"]
    is_underlined = at + 1 < len(lines) and lines[at].strip() and _UNDERLINE.fullmatch(lines[at + 1])
    return lines[at].strip() if is_underlined else ""


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
