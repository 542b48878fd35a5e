"""The inputs of a trial: every file of a folder that is of a format which can be read.

A format is told by a file's name, or by its content where the name says only XML, YAML or JSON. Each Mermaid block of a
Markdown file is an input of its own, named by its number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scenograph.reading.readers import READERS
from scenograph.wire.source_formats import SOURCE_FORMATS

MARKDOWN = (".md", ".mdx", ".markdown")
XML = ".xml"
TOLD_BY_CONTENT = (".yaml", ".yml", ".json")
MARKS = {"drawio": ("<mxfile", "<mxGraphModel"), "bpmn": ("http://www.omg.org/spec/BPMN/20100524/MODEL",)}
HEAD = 4000  # characters in which an XML file says what it is
SUFFIXES = {suffix: row.name for row in SOURCE_FORMATS.values() for suffix in row.suffixes}
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>```+|~~~+)[ \t]*mermaid[^\n]*\n(?P<text>.*?)^[ \t]*(?P=fence)", re.M | re.S
)


class Input(NamedTuple):
    """A source: `name` is its path below the folder, with the number of its block; `form` the format that it is of."""

    name: str
    form: str
    text: str

    @property
    def mark(self) -> str:
        """A name for this text, the same wherever it lies."""
        return hashlib.sha256(f"{self.form} {self.text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def inputs(folder: Path) -> Iterator[Input]:
    """Every input below a folder, by name, each text once."""
    seen = set[str]()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for one in _inputs_of(path, str(path.relative_to(folder))):
            if one.mark not in seen:
                seen.add(one.mark)
                yield one


def _inputs_of(path: Path, name: str) -> Iterator[Input]:
    suffix = path.suffix.lower()
    if suffix not in {*SUFFIXES, *MARKDOWN, *TOLD_BY_CONTENT, XML}:
        return
    text = path.read_bytes().decode("utf-8", "replace")
    if suffix in MARKDOWN:
        for number, block in enumerate(_FENCE.finditer(text), 1):
            yield Input(f"{name}#{number}", "mermaid", _unindented(block["text"], block["indent"]))
        return
    if suffix in TOLD_BY_CONTENT:
        form = next((form for form in READERS if READERS[form].recognizes(text)), None)
    else:
        form = SUFFIXES.get(suffix) or next((form for form, marks in MARKS.items() if _has(text[:HEAD], marks)), None)
    if form is not None:
        yield Input(name, form, text)


def _has(head: str, marks: tuple[str, ...]) -> bool:
    return any(mark in head for mark in marks)


def _unindented(text: str, indent: str) -> str:
    return "".join(line.removeprefix(indent) for line in text.splitlines(keepends=True))
