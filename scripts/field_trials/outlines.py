"""Independent readers: how many boxes, lines and containers a source has, and which names stand on them.

Each is as plain as the format allows and shares nothing with the product's reader. It counts what is certainly meant to
be seen; of what needs the format's own rules it says None, and the trial compares nothing.
"""

from __future__ import annotations

import base64
import html
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

Json = dict[str, Any]
_WORD = re.compile(r"[^\W_]+", re.UNICODE)


class Outline(NamedTuple):
    """What a source holds at least; None where that cannot be told without its whole grammar. `names` are labels."""

    boxes: int | None = None
    lines: int | None = None
    containers: int | None = None
    names: frozenset[str] = frozenset()


def words(text: str) -> frozenset[str]:
    """The words of a text, in lower case."""
    return frozenset(word.lower() for word in _WORD.findall(text))


def missing(names: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The names whose words none of the texts have, wherever these break a word."""
    said = list(texts)
    known, whole = words(" ".join(said)), "\n".join("".join(text.lower().split()) for text in said)
    lost = (name for name in names if not words(name) <= known)
    return sorted(name for name in lost if "".join(name.lower().split()) not in whole)


def of_document(document: Json) -> tuple[int, int, int]:
    """The boxes, lines and containers of a scene. A container is a box."""
    kinds = Counter(one["kind"] for one in document["elements"])
    holding = sum(one["kind"] in ("frame", "group") for one in document["elements"])
    boxes = sum(kinds[kind] for kind in ("node", "frame", "group", "text", "image"))
    return boxes, kinds["edge"], holding


def texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def of_source(form: str, text: str) -> Outline:
    """The outline of a source of a format; an empty one where it cannot be read."""
    try:
        return READERS[form](text)
    except (ParseError, DefusedXmlException, ValueError, zlib.error, KeyError, RecursionError):
        return Outline()


def drawio_root(text: str) -> Element:
    """The element that holds the cells of the first page, decompressed."""
    top = fromstring(text.lstrip("\ufeff").strip())
    page = top if top.tag != "mxfile" else top.find("diagram")
    if page is None:
        raise ValueError("no page")
    model = page if page.tag == "mxGraphModel" else page.find("mxGraphModel")
    if model is None:
        packed = base64.b64decode("".join((page.text or "").split()))
        model = fromstring(unquote(zlib.decompress(packed, -15).decode("latin-1")))
    root = model.find("root")
    if root is None:
        raise ValueError("no cells")
    return root


def _drawio(text: str) -> Outline:
    cells = dict[str, tuple[Element, str]]()
    for row in drawio_root(text):
        cell = row if row.tag == "mxCell" else row.find("mxCell")
        if cell is not None:
            cells[row.get("id") or cell.get("id") or ""] = cell, row.get("label") or row.get("value") or ""
    edges = {key for key, (cell, _) in cells.items() if cell.get("edge") == "1"}
    boxes = {
        key: (cell, value)
        for key, (cell, value) in cells.items()
        if cell.get("vertex") == "1"
        and cell.get("parent") not in edges
        and _is_shown(cell, cells)
        and not _is_part(cell, cells)
        and not ((cell.get("style") or "").startswith("text") and not _plain(value))
    }
    homes = {cell.get("parent") for cell, _ in boxes.values()} & boxes.keys()
    shown = [cells[key][0] for key in edges if _is_shown(cells[key][0], cells)]
    bound = [cell for cell in shown if cell.get("source") in boxes and cell.get("target") in boxes]
    names = frozenset(_plain(value) for _, value in boxes.values() if value and not _UNTOLD.search(value))
    return Outline(len(boxes), len(bound), len(homes), names)


def _is_shown(cell: Element, cells: Mapping[str, tuple[Element, str]]) -> bool:
    """Whether a cell and all round it are visible, and no collapsed one is round it."""
    seen = set[str]()
    here: Element | None = cell
    while here is not None:
        if here.get("visible") == "0" or (here is not cell and here.get("collapsed") == "1"):
            return False
        home = here.get("parent") or ""
        if home in seen:
            return False
        seen.add(home)
        here = cells[home][0] if home in cells else None
    return True


def _is_part(cell: Element, cells: Mapping[str, tuple[Element, str]]) -> bool:
    """Whether a cell is a part of another one: of its picture, or a row of a list or of a table."""
    style, seen = cell.get("style") or "", set[str]()
    if "part=1" in style:
        return True
    home = cell.get("parent") or ""
    while home in cells and home not in seen:
        seen.add(home)
        around = cells[home][0].get("style") or ""
        is_row = style.startswith(("text", "line")) or "shape=tableRow" in style or "shape=partialRectangle" in style
        is_bar = "shape=umlLifeline" in around and not cell.get("value")
        if is_bar or "shape=table" in around or ("childLayout=" in around and is_row):
            return True
        home = cells[home][0].get("parent") or ""
    return False


_UNTOLD = re.compile(r"shape=|%[^%]+%")  # of a shape within a label, and of placeholders, which are filled


def _plain(value: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", value)).strip()


_FLOW_NODES = re.compile(
    r"(?!global)(?:.*[tT]ask|.*Event|.*Gateway|subProcess|adHocSubProcess|transaction|callActivity)$"
)
_ARTIFACTS = {"dataObjectReference", "dataStoreReference", "textAnnotation"}


def _bpmn(text: str) -> Outline:
    top = fromstring(text.lstrip("\ufeff").strip().encode())
    nodes, flows, containers, names = 0, 0, 0, set[str]()
    ids = {one.get("id") for one in top.iter()}
    for one in top.iter():
        kind = one.tag.rpartition("}")[2] if isinstance(one.tag, str) and "omg.org" in one.tag else ""
        is_node = kind in _ARTIFACTS or (_FLOW_NODES.match(kind) is not None and one.get("id") is not None)
        is_flow = kind in {"sequenceFlow", "messageFlow"} and {one.get("sourceRef"), one.get("targetRef")} <= ids
        is_container = kind in {"participant", "lane"}
        nodes, flows, containers = nodes + is_node, flows + is_flow, containers + is_container
        if (is_node or is_container or is_flow) and one.get("name"):
            names.add(str(one.get("name")))
    return Outline(nodes + containers, flows, containers, frozenset(names))


_SQL_NOISE = re.compile(r"--[^\n]*|#[^\n]*|/\*.*?\*/|'(?:[^'\\]|''|\\.)*'|\$(\w*)\$.*?\$\1\$", re.S)
_CREATE = re.compile(
    r"\bcreate\s+(?:or\s+replace\s+)?(?P<aside>(?:global\s+|local\s+|temporary\s+|temp\s+|external\s+|foreign\s+)*)"
    r"(?:unlogged\s+|transient\s+|virtual\s+)?table\s+(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"`\[\]$@{}]+)\s*(?P<next>\(|\w*)",
    re.I,
)
_LATER = re.compile(r"\b(?:drop\s+table|rename\s+to|sp_rename|partition\s+of|rename\s+table|inherits)\b", re.I)


def _sql(text: str) -> Outline:
    code = _SQL_NOISE.sub(" ", text)
    made = [row for row in _CREATE.finditer(code) if row["next"] == "(" and not row["aside"].strip()]
    names = frozenset(re.split(r"\.", row["name"])[-1].strip('"`[]') for row in made)
    sure = not _LATER.search(code) and "{" not in "".join(names) and "@" not in "".join(names)
    return Outline(boxes=len(names) if sure else None, names=names if sure else frozenset())


_MERMAID_HEAD = re.compile(r"^\s*(flowchart|graph|sequenceDiagram|erDiagram|classDiagram|stateDiagram)", re.M)
_MESSAGE = re.compile(
    r"^\s*[\w .]+?\s*(?:<<)?-{1,2}(?:>>|>|x|\)|\|\\|\|/)\s*[+-]?[\w .]+[ \t]*:[ \t]*(?:(?:no)?wrap:)?(?P<label>.*)$",
    re.M,
)
_RELATION = re.compile(
    r"^\s*[\w\"-]+\s+(?:\|o|\|\||\}o|\}\||o\||o\{)(?:--|\.\.)(?:o\||\|\||o\{|\|\{|\}o)\s+[\w\"-]+\s*:", re.M
)
_BOXED = re.compile(r"\b[\w-]+(?:\[\"(?P<quoted>[^\"<&`#\]]+)\"\]|\[(?P<plain>[\w ]+)\])")


def _mermaid(text: str) -> Outline:
    body = re.sub(r"%%[^\n]*", "", text)
    head = _MERMAID_HEAD.search(body)
    if head is None:
        return Outline()
    if head[1] == "sequenceDiagram":
        rows = list(_MESSAGE.finditer(body))
        return Outline(
            lines=len(rows),
            names=frozenset(html.unescape(row["label"].split("<")[0]) for row in rows if "#" not in row["label"]),
        )
    if head[1] == "erDiagram":
        return Outline(lines=len(_RELATION.findall(body)))
    if head[1] in ("flowchart", "graph"):
        names = frozenset(row["quoted"] or row["plain"] for row in _BOXED.finditer(body))
        return Outline(names=frozenset(name for name in names if name))
    return Outline()


READERS: Mapping[str, Callable[[str], Outline]] = {"drawio": _drawio, "bpmn": _bpmn, "sql": _sql, "mermaid": _mermaid}
