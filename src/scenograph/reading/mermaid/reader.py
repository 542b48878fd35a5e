"""READ_BY_KEYWORD: the reader of each kind of Mermaid diagram, by its first keyword."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading.markdown import Fence, fences
from scenograph.reading.mermaid import architecture, classes, entities, flowcharts, requirements, states
from scenograph.reading.mermaid.diagram import Diagram, formless_parts
from scenograph.reading.mermaid.flowcharts import read_flowchart, read_swimlanes
from scenograph.reading.mermaid.sequence import read_sequence
from scenograph.reading.source import Cursor, Formless, Losses, Place, Source, Unreadable
from scenograph.scene.json_values import JsonObject, listed

# The surroundings of a Mermaid diagram: a Markdown page, front matter, directives and comments. Out: the same text
# with the surroundings blanked, which keeps line numbers, and their content.


_WORD = re.compile(r"\{?\.?mermaid(?:-\w+)?\}?", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)\n[ \t]*---[ \t]*(?:\n|$)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.{1,1000})$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*%%(?!\{)[^\n]*", re.MULTILINE)
_DIRECTIVE_START, _DIRECTIVE_END = "%%{", "}%%"


class Prepared(NamedTuple):
    """The diagram alone in its original lines, the title of the front matter, and the first line's number in the
    source."""

    text: str
    title: str
    line: int = 1


def prepared(source: str) -> tuple[Prepared, ...]:
    r"""The diagrams of a page without fences, front matter, directives and comments; a source other than a page is a
    single diagram. Lines end in \n afterwards."""
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = list(_diagrams(text.split("\n"))) if any(mark in text for mark in ("```", "~~~", ":::")) else []
    if not found:
        return (_bare(text, 1),)
    return tuple(_bare(fence.text, fence.first + 1) for fence in found)


def _bare(text: str, line: int) -> Prepared:
    title = ""
    front = _FRONT_MATTER.match(text) if text.lstrip().startswith("---") else None
    if front:
        found = _TITLE.search(front[1])
        title = _scalar(found[1].strip()) if found else ""
        text = _blank(front[0]) + text[front.end() :]
    return Prepared(_COMMENT.sub("", _without_directives(text)), title, line)


def _diagrams(lines: list[str]) -> Iterator[Fence]:
    """Mermaid's fences of a page; a fence in the first line may lack the word."""
    for fence in fences(lines, _says_mermaid):
        if _says_mermaid(fence.word) or not (fence.word or any(line.strip() for line in lines[: fence.first - 1])):
            yield fence


def _says_mermaid(word: str) -> bool:
    return _WORD.fullmatch(word) is not None


def _scalar(written: str) -> str:
    """A plain or quoted YAML scalar on a single line. YAML escapes unknown to JSON stay unchanged."""
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


_KEYWORD = re.compile(r"[ \t\n;]*([A-Za-z][\w-]*)")


KindReader = Callable[[Diagram, Losses], JsonObject]

READ_BY_KEYWORD: Mapping[str, KindReader] = MappingProxyType(
    {
        "flowchart": read_flowchart,
        "flowchart-elk": read_flowchart,
        "graph": read_flowchart,
        "swimlane": read_swimlanes,
        "swimlane-beta": read_swimlanes,
        "sequenceDiagram": read_sequence,
        "erDiagram": entities.read,
        "stateDiagram": states.read,
        "stateDiagram-v2": states.read,
        "classDiagram": classes.read,
        "classDiagram-v2": classes.read,
        **dict.fromkeys(("C4Context", "C4Container", "C4Component", "C4Deployment"), architecture.read_c4),
        "C4Dynamic": architecture.read_dynamic,
        **dict.fromkeys(("architecture", "architecture-beta"), architecture.read),
        **dict.fromkeys(("block", "block-beta"), flowcharts.read_blocks),
        **dict.fromkeys(("requirement", "requirementDiagram"), requirements.read),
        "mindmap": flowcharts.read_mind_map,
    }
)

UNREAD: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("eventmodeling", "eventmodeling-beta"), "an event model"),
        "gantt": "a Gantt chart",
        "gitGraph": "a Git graph",
        "info": "an info diagram",
        **dict.fromkeys(("ishikawa", "ishikawa-beta"), "a fishbone diagram"),
        "journey": "a user journey",
        "kanban": "a Kanban board",
        **dict.fromkeys(("packet", "packet-beta"), "a packet diagram"),
        "pie": "a pie chart",
        "quadrantChart": "a quadrant chart",
        **dict.fromkeys(("radar", "radar-beta"), "a radar chart"),
        **dict.fromkeys(("sankey", "sankey-beta"), "a Sankey diagram"),
        "timeline": "a timeline",
        **dict.fromkeys(("treemap", "treemap-beta"), "a treemap"),
        **dict.fromkeys(("treeView", "treeView-beta"), "a tree view"),
        **dict.fromkeys(("venn", "venn-beta"), "a Venn diagram"),
        **dict.fromkeys(("wardley", "wardley-beta"), "a Wardley map"),
        **dict.fromkeys(("xychart", "xychart-beta"), "an XY chart"),
        "zenuml": "a ZenUML diagram",
    }
)
"""Keywords of the diagrams of Mermaid that are not read, and their names."""
_OF_D2 = re.compile(r"[ \t]*(?:[^\n{}]{0,200}:[^\n{}]{0,200}\{[ \t]*(?:\n|\Z)|(?:->|<-)[ \t\w])")
"""The rest of a line of D2 whose first word is a keyword here."""
_WORDS = frozenset(
    {"architecture", "block", "graph", "flowchart", "info", "journey", "kanban", "mindmap", "packet", "pie", "radar"}
    | {"requirement", "sankey", "swimlane", "timeline", "treemap", "venn"}
)
"""Keywords that are words of a language: the first line says little beside them."""
_FIRST_LINE = re.compile(
    r"[ \t]*(?:(?:TB|TD|BT|RL|LR|[<>^v]|showData|showInfo|(?:title|accTitle|accDescr)\b[^\n]*|%%[^\n]*)[ \t]*)*"
    r"(?:[;\n{]|\Z)|(?![ \t]*=)[^\n]*(?:-->|---|-\.|==|--\s|~~~|[\[(]+[^\n]*[\])])"
)
_MOST_TOLD = 50  # parts of labels without a form


def recognizes(text: str) -> bool:
    """Whether a text begins as a Mermaid diagram of any kind, readable or not, or is a page with a diagram."""
    diagram = _chosen(prepared(text))
    keyword, end = _keyword(diagram)
    if keyword in _WORDS and not _FIRST_LINE.match(diagram.text, end):
        return False
    return (keyword in READ_BY_KEYWORD or keyword in UNREAD) and not _OF_D2.match(diagram.text, end)


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a Mermaid diagram. Raises Unreadable for an unknown kind, or if no part is understood."""
    diagrams = prepared(source.text)
    diagram = _chosen(diagrams)
    keyword, end = _keyword(diagram)
    kind = READ_BY_KEYWORD.get(keyword)
    cursor = Cursor(diagram.text)
    if kind is None:
        cursor.skip(" \t\n;")
        hint, known = _hint(keyword, diagram.text), listed(list(READ_BY_KEYWORD))
        if keyword in UNREAD:
            raise Formless(cursor.place(), "a diagram with a form in a scene", f"{hint} Read are: {known}.")
        raise Unreadable(cursor.place(), f"one of: {known}", hint)
    for other in diagrams:
        if other is not diagram:
            losses.formless(Place(other.line), "another diagram of the same page")
    for at, what in islice(formless_parts(diagram.text), _MOST_TOLD):
        losses.formless(cursor.place(at), what)
    cursor.at = end
    document = kind(Diagram(cursor, diagram.title, source), losses)
    if not document["elements"] and not losses.whole:
        raise Unreadable(losses.first or Place(1, 1), f"a statement of a {keyword}")
    return document


def _chosen(diagrams: Sequence[Prepared]) -> Prepared:
    """The first readable diagram of a page, else its first diagram."""
    return next((row for row in diagrams if _keyword(row)[0] in READ_BY_KEYWORD), diagrams[0])


def _hint(keyword: str, text: str) -> str:
    """The apparent kind of an unreadable diagram, and the next step."""
    if keyword in UNREAD:
        return (
            f"It looks like {UNREAD[keyword]} of Mermaid, which has no form in a scene. "
            "Write it as a flowchart, or draw it with Mermaid itself."
        )
    near = next((word for word in READ_BY_KEYWORD if word.lower() == keyword.lower()), None)
    if near is None and keyword:
        near = next(iter(get_close_matches(keyword, READ_BY_KEYWORD, 1, 0.8)), None)
    if near is not None:
        return f"It looks like Mermaid. Its first word is {near}, not {keyword}."
    return ""


def _keyword(diagram: Prepared) -> tuple[str, int]:
    found = _KEYWORD.match(diagram.text)
    return (found[1], found.end()) if found else ("", 0)
