"""Labels of DOT as plain text: escapes, records, and HTML without its tags."""

from __future__ import annotations

import html
import re

from scenograph.reading.graphviz.grammar import DotText

_ESCAPE = re.compile(r"\\([\s\S])")
_BREAKS = {"n": "\n", "l": "\n", "r": "\n"}
_RECORD = re.compile(r"\\[\s\S]|<[^<>\\]*+>|[{}|]|[^\\<{}|]++|<")
_TAG = re.compile(r"<!--(?:(?!-->)[\s\S])*+(?:-->|\Z)|<(?P<close>/?)(?P<name>[A-Za-z]+)[^<>]*+>")
_SPACES = re.compile(r"[ \t\r\n]+")
_ROUND_BREAKS = re.compile(r"[ ]*\n[ \n]*")
_BREAK, _CELL = "\0", "\1"


def length(label: DotText, name: str, graph: str) -> int:
    """The letters of a label with names written out, or somewhat more."""
    names = label.count("\\N") + label.count("\\E")
    return len(label) + (0 if label.is_html else names * len(name) + label.count("\\G") * len(graph))


def plain(label: DotText, name: str, graph: str) -> str:
    """The text of a label; `name` is that of its node or edge."""
    if label.is_html:
        return _without_tags(label)

    def unescaped(found: re.Match[str]) -> str:
        mark = found[1]
        return {"N": name, "E": name, "G": graph}.get(mark) or _BREAKS.get(mark, mark)

    return html.unescape(_ESCAPE.sub(unescaped, label)).rstrip("\n")


def of_record(label: DotText, name: str, graph: str, *, turned: bool = False) -> str:
    """The fields of a record: those beside each other in one line. `turned`: ranks run across the page, and the outer
    fields stand below each other."""
    if label.is_html:
        return _without_tags(label)
    rows: list[list[str]] = [[]]
    depth, text = 0, list[str]()

    def end_field() -> None:
        field = plain(DotText("".join(text)), name, graph).strip()
        text.clear()
        if field:
            rows[-1].append(field)
        if (depth + turned) % 2 and rows[-1]:
            rows.append([])

    for found in _RECORD.finditer(label):
        piece = found[0]
        if piece == "|":
            end_field()
        elif piece in {"{", "}"}:
            end_field()
            depth += 1 if piece == "{" else -1
            if rows[-1]:
                rows.append([])
        elif not (piece.startswith("<") and len(piece) > 1):
            text.append(piece)
    end_field()
    return "\n".join(" | ".join(row) for row in rows if row)


def _without_tags(text: str) -> str:
    def shown(tag: re.Match[str]) -> str:
        word = (tag["name"] or "").lower()
        if word == "br" or (word in {"tr", "table"} and tag["close"]):
            return _BREAK
        return _CELL if word == "td" and tag["close"] else ""

    flat = _SPACES.sub(" ", _TAG.sub(shown, text)).replace(_CELL, " ").replace(_BREAK, "\n")
    return html.unescape(_ROUND_BREAKS.sub("\n", flat)).strip()
