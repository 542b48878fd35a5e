"""Texts, looks and statements of every kind of PlantUML diagram."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.plantuml.script import PumlLine, PumlScript
from scenograph.reading.source import Losses, Place, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

# PlantUML's texts and looks: Creole and HTML as plain labels, colours and line styles as a scene's style. A kind of
# loss is told once.

_MARK = re.compile(
    r"(?P<mark>\*\*|//|__|~~|--|\"\")(?=\S)(?P<text>(?:(?!(?P=mark))[^\n]){1,500}?)(?<=\S)(?P=mark)(?![\w/*_-])"
)
_UNMARKED = re.compile(r"(?:[^\W_]|_(?!_)|[ ,.:;()!?+'{}@%$^]|-(?!-))*+")
"""A text without marks, as most are."""
_TAG = re.compile(
    r"</?(?:b|i|u|s|w|del|strike|sub|sup|plain|font|code|back|color|size|text|math|latex)(?:[:=\s][^<>\n]{0,100})?>"
    r"|<#[^<>\n]{1,40}>|<!--[^\n]{0,500}?-->",
    re.IGNORECASE,
)
_SPRITE = re.compile(
    r"<(?:&(?P<icon>[\w-]{1,60})|\$[\w/,:=. -]{1,80}|:[\w-]{1,60}:|img[:\s][^<>\n]{1,500})>[ ]?", re.IGNORECASE
)
_KEYWORD = re.compile(r"<<[ \t]*([^<>\n]{1,200}?)[ \t]*>>")
_UNICODE = re.compile(r"<U\+(?P<code>[0-9A-Fa-f]{2,6})>|&#(?P<number>\d{1,7});")
_BREAK = re.compile(r"\\[nlr]|<br[ ]?/?>|%newline\(\)", re.IGNORECASE)
_LINK = re.compile(
    r"\[\[[ ]*(?P<address>[^\s\[\]{}]{1,2000})(?:[ ]*\{(?P<tip>[^{}\n]{0,500})\})?[ ]*(?P<label>[^\[\]\n]{0,500})\]\]"
)
_HEADING = re.compile(r"^[ \t]*={1,6}[ \t]*(?=\S)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:-{4,}|={4,}|_{4,}|\.{4,})[ \t]*$\n?", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|(?P<cells>.*)\|[ \t]*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?P<marks>[*#]+)[ \t]+(?=\S)", re.MULTILINE)
_ESCAPED = re.compile(r"~(?=[*/_\"<#\[-])")
_SPACES = re.compile(r"[ \t]{2,}")

_COLOR = re.compile(r"#?(?P<color>[A-Za-z0-9]{1,40})")
_PAINTS: Mapping[str, str] = {"back": "fill", "line": "stroke", "text": "textColor", "header": "accentColor"}
_DASHES: Mapping[str, tuple[int, ...]] = {"dashed": (6, 4), "dotted": (2, 4)}
_THICKNESS = re.compile(r"thickness=(?P<width>\d{1,2})")
_HIDDEN = "hidden"


class LineLook(NamedTuple):
    """The style of a line, and whether the line is hidden."""

    style: JsonObject
    is_hidden: bool = False


@dataclass(slots=True)
class PumlWords:
    """Reads texts and looks. Each kind of loss is reported once."""

    losses: Losses
    _told: set[str] = field(default_factory=set[str])

    def tell(self, kind: str, place: Place, what: str) -> None:
        """Report the first loss of a kind."""
        if kind not in self._told:
            self._told.add(kind)
            self.losses.formless(place, what)

    def plain(self, text: str, place: Place, *, has_lists: bool = True) -> str:
        """The text as displayed, without marks and pictures."""
        if _UNMARKED.fullmatch(text):
            return text.strip()
        bare = _BREAK.sub("\n", text).replace("\\t", " ").replace("\\\\", "\\")
        if "<" in bare or "[[" in bare:
            bare = self._without_pictures(bare, place)
        bare = _UNICODE.sub(_character, bare)
        if has_lists:
            bare = _BULLET.sub(lambda found: "  " * (len(found["marks"]) - 1) + "• ", bare)
        bare = _ROW.sub(_cells, _HEADING.sub("", _RULE.sub("", bare)))
        for _ in range(3):
            bare = _MARK.sub(lambda found: found["text"], bare)
        bare = _ESCAPED.sub("", bare)
        return "\n".join(line.rstrip() for line in html.unescape(bare).strip().split("\n")).strip()

    def _without_pictures(self, text: str, place: Place) -> str:
        def sprite(found: re.Match[str]) -> str:
            self.tell("sprite", place, f"the picture {shown(found[0])} in a label")
            return ""

        def link(found: re.Match[str]) -> str:
            label = found["label"].strip() or found["tip"] or found["address"]
            self.tell("link in label", place, f"the link to {shown(found['address'])} in a label")
            return str(label)

        return _TAG.sub("", _LINK.sub(link, _SPRITE.sub(sprite, _KEYWORD.sub("«\\1»", text))))

    def link(self, text: str, place: Place) -> JsonObject | None:
        """The link of an element, `[[address{title} label]]`. Invalid addresses are reported."""
        found = _LINK.search(text)
        if found is None:
            return None
        if is_link(found["address"]):
            title = (found["tip"] or found["label"]).strip()
            return {"href": found["address"], **({"title": title} if title else {})}
        self.tell("link", place, f"the link {shown(found['address'])} is no http, https or mailto address")
        return None

    def paint(self, text: str, place: Place) -> JsonObject | None:
        """The style of a colour such as `#red`, `#line:red;text:blue` or `#palegreen;line.dashed`."""
        style: JsonObject = {}
        for part in text.strip().split(";"):
            word, _, value = part.strip().lstrip("#").partition(":")
            member = _PAINTS.get(word.lower()) if value else "fill"
            dash = word.lower().removeprefix("line.")
            if word.lower().startswith("line."):
                style |= (
                    {"dash": list(_DASHES[dash])} if dash in _DASHES else {"strokeWidth": 2} if dash == "bold" else {}
                )
            elif member is not None and (known := self.color(value or word, place)) is not None:
                style[member] = known
        return style or None

    def color(self, word: str, place: Place) -> str | None:
        """A colour, or the first colour of a gradient. Unknown colours are reported."""
        parts = re.split(r"[|/\\-]", word.strip().lstrip("#"))
        if len(parts) > 1:
            self.tell("gradient", place, "gradients are drawn in their first colour")
        found = _COLOR.fullmatch(parts[0])
        for known in (found["color"], f"#{found['color']}") if found is not None else ():
            if parse_color(known) is not None:
                return known
        if word.strip("# "):
            self.tell("color", place, f"the colour {shown(word)} is not known")
        return None

    def line(self, text: str, place: Place) -> LineLook:
        """The look of `[#red,dashed,thickness=2]`."""
        style: JsonObject = {}
        is_hidden = False
        for part in re.split(r"[,;]", text.strip("[] ")):
            word = part.strip()
            thickness = _THICKNESS.fullmatch(word)
            if word.startswith("#"):
                style |= {"stroke": known} if (known := self.color(word, place)) else {}
            elif word in _DASHES:
                style["dash"] = list(_DASHES[word])
            elif word == "bold" or thickness:
                style["strokeWidth"] = int(thickness["width"]) if thickness else 2
            elif word in {_HIDDEN, "norank", "single", "plain"}:
                is_hidden = is_hidden or word == _HIDDEN
            elif (known := self.color(word, place)) is not None:
                style["stroke"] = known
        return LineLook(style, is_hidden)


def _character(found: re.Match[str]) -> str:
    code = int(found["code"], 16) if found["code"] else int(found["number"])
    return chr(code) if 31 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _cells(found: re.Match[str]) -> str:
    return _SPACES.sub(" ", " | ".join(cell.strip().lstrip("=").strip() for cell in found["cells"].split("|")))


def unquoted(text: str) -> str:
    """A text without its quotation marks."""
    bare = text.strip()
    return bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare


# Statements of every kind of PlantUML diagram: titles, legends, directions, and settings of looks.

DEEPEST = 100
"""Containers within each other."""
_TITLE = re.compile(r"title(?:[ \t]+(?P<text>\S.*))?", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:(?:left|right|center)[ \t]+)?(?P<word>header|footer|caption|legend|mainframe)\b[ \t:]*(?P<text>.*)",
    re.IGNORECASE,
)
_SIDES = frozenset(
    {"", "left", "right", "center", "top", "bottom", "top left", "top right", "bottom left", "bottom right"}
)
_DIRECTION = re.compile(
    r"(?P<word>left to right|top to bottom|right to left|bottom to top)[ \t]+direction", re.IGNORECASE
)
_DIRECTIONS = {"left to right": "LR", "top to bottom": "TB", "right to left": "RL", "bottom to top": "BT"}
_SILENT = re.compile(
    r"(?:!include|skin(?:param(?:locked)?)?|scale|allow_?mixing|rotate|sprite|page|dpi|minwidth|maxwidth"
    r"|set[ \t]+separator|set[ \t]+namespaceseparator|autolayout|listsprites?|ignore|footbox|legend[ \t]*off)\b.*",
    re.IGNORECASE,
)
_HIDING = re.compile(r"(?:hide|show|remove|restore)\b(?P<what>.*)", re.IGNORECASE)
_PRESENTATION = re.compile(
    r"(?:empty|members?|methods?|fields?|attributes?|circle|footbox|stereotypes?|unlinked|time|description|"
    r"private|public|protected|package|@unlinked|\s)+",
    re.IGNORECASE,
)


class LineNotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """A line outside of the grammar of a kind of diagram."""


@dataclass(slots=True)
class PumlSheet:
    """The common parts of a diagram under construction. `direction` is "" unless said."""

    script: PumlScript
    losses: Losses
    most: int
    words: PumlWords = field(init=False)
    title: str = ""
    direction: str = ""

    def __post_init__(self) -> None:
        self.words = PumlWords(self.losses)


@dataclass(slots=True)
class LineReader:
    """The part of a reader that every kind of diagram has."""

    sheet: PumlSheet

    def plain(self, text: str | None, line: PumlLine) -> str:
        """A text as displayed."""
        return self.sheet.words.plain(text or "", line.place)


R = TypeVar("R")
Statements = Sequence[tuple[re.Pattern[str], Callable[[R, re.Match[str], PumlLine], None]]]
"""The statements of a kind of diagram in order of precedence: the pattern of a line, and its reading."""


def first_of(statements: Statements[R], reader: R) -> Callable[[PumlLine], None]:
    """The reading of a line by the first statement with a pattern for the whole line. Raises LineNotUnderstood without
    a match."""

    def take(line: PumlLine) -> None:
        for pattern, read in statements:
            found = pattern.fullmatch(line.text)
            if found is not None:
                read(reader, found, line)
                return
        raise LineNotUnderstood

    return take


def read_lines(sheet: PumlSheet, statement: Callable[[PumlLine], None], name: str) -> None:
    """Read all lines. A line without a meaning is reported, the rest is read; `name` is the kind of diagram."""
    while (line := sheet.script.next()) is not None:
        if sheet.losses.too_many(line.place):
            return
        at = sheet.script.at
        try:
            statement(line)
        except LineNotUnderstood as wrong:
            sheet.script.at = at
            if not _take_common(line, sheet):
                what = str(wrong) or f"{shown(line.text)} is not a statement of {name}"
                sheet.losses.unread(line.place, what)


def _take_common(line: PumlLine, sheet: PumlSheet) -> bool:
    """Take a statement of every kind of diagram; False for another line."""
    text = line.text
    if (found := _TITLE.fullmatch(text)) is not None:
        said = [PumlLine(line.number, found["text"])] if found["text"] else _block("title", sheet.script)
        if said is None:
            return False
        sheet.title = sheet.words.plain("\n".join(one.text for one in said), line.place).replace("\n", " ")
        return True
    if (found := _ASIDE.fullmatch(text)) is not None:
        return _aside(found, line, sheet)
    if (found := _DIRECTION.fullmatch(text)) is not None:
        sheet.direction = _DIRECTIONS[found["word"].lower()]
        return True
    if (found := _HIDING.fullmatch(text)) is not None:
        if not _PRESENTATION.fullmatch(found["what"]):
            sheet.words.tell("hide", line.place, f"{shown(text)}: everything is shown")
        return True
    return _SILENT.fullmatch(text) is not None


def _aside(found: re.Match[str], line: PumlLine, sheet: PumlSheet) -> bool:
    """Pass a text beside the diagram, and report it."""
    word = found["word"].lower()
    if found["text"].strip().lower() in _SIDES and word != "mainframe":
        if word == "caption" or _block(word, sheet.script) is None:
            return False
    elif word == "legend":
        return False
    sheet.words.tell(word, line.place, f"the {word}")
    return True


def _block(word: str, script: PumlScript) -> list[PumlLine] | None:
    return script.block(re.compile(rf"end[ \t]*{word}", re.IGNORECASE))
