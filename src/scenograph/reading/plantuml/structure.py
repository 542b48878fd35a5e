"""Class, object, component, deployment, use case and entity diagrams: elements, containers, relations and notes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.charts import classifier, relation
from scenograph.reading.plantuml.script import PumlLine
from scenograph.reading.plantuml.sheet import (
    DEEPEST,
    LineNotUnderstood,
    LineReader,
    PumlSheet,
    Statements,
    first_of,
    read_lines,
    unquoted,
)
from scenograph.reading.source import Place, TooLarge, require_room, shown
from scenograph.scene.json_values import JsonObject

CLASSES = frozenset(
    {
        *("class", "abstract class", "abstract", "interface", "annotation", "enum", "protocol", "struct", "exception"),
        *("metaclass", "stereotype", "dataclass", "record", "object", "map", "json", "static class"),
    }
)
"""PumlWords of elements with members."""
_HOLDERS = frozenset(
    {
        *("package", "rectangle", "node", "folder", "frame", "cloud", "database", "storage", "queue", "component"),
        *("artifact", "card", "stack", "agent", "hexagon", "file", "process", "namespace", "together", "action"),
        *("actor", "boundary", "control", "person", "usecase", "collections", "archimate"),
    }
)
"""PumlWords of elements that may hold others in braces."""
_WORDS = "|".join(
    sorted(
        (
            *(word.replace(" ", r"[ \t]+") for word in CLASSES),
            *(_HOLDERS - {"together", "archimate"}),
            *("entity", "circle", "diamond", "label", "actor/", "usecase/", "portin", "portout", "port"),
        ),
        key=len,
        reverse=True,
    )
)
_PLAIN = r"(?:[^\s{}\[\]()\"<>#:,]|::)+"
_QUOTED = r"\"[^\"\n]*\""
_BRACKETED = r"\[(?!\*\]|\[)[^\[\]\n]+\]"
_ROUND = r"\((?![ \t]*\)|\*)[^()\n]+\)/?"
_COLONS = r":[^:\n]+:/?"
_CIRCLE = rf"\(\)[ \t]*(?:{_QUOTED}|[\w.$@]+)"
_GENERIC = r"<(?!<)[^<>\n]*(?:<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>[^<>\n]*)*>"
_REST = (
    r"(?P<rest>(?:[ \t]*(?:<<(?:[^<>\n]|<[^<>\n]*>|<<[^<>\n]*>>)*+>>|\[\[[^\[\]\n]*\]\]|\$[\w-]+"
    r"|(?-i:[A-Z][A-Z0-9_]{2,}\b)|##?"
    r"(?:\[\w+\])?[\w:;.|/\\#-]*+"
    r"|\b(?:extends|implements)[ \t]+[^\n{#\[<]+?(?:<[^\n{}]*?>[^\n{#\[<]*?)?(?=[ \t]*"
    r"(?:<<|\{|#|\bimplements\b|\[\[|$))))*+)"
)
_DECLARED = re.compile(
    rf"(?P<visible>[-+#~])?(?P<kind>{_WORDS})(?:[ \t]+|(?=[\[(:\"{{]))(?:"
    rf"(?P<label>{_QUOTED}|{_BRACKETED}|{_ROUND}|{_COLONS}|{_PLAIN})[ \t]+as[ \t]+"
    rf"(?P<alias>{_CIRCLE}|{_BRACKETED}|{_ROUND}|{_COLONS}|{_PLAIN}|{_QUOTED})"
    rf"|(?P<name>{_CIRCLE}|{_QUOTED}|{_BRACKETED}|{_ROUND}|{_COLONS}|{_PLAIN}))?"
    rf"(?P<generic>[ \t]*{_GENERIC})?{_REST}[ \t]*(?:(?P<opens>\{{)[ \t]*(?P<closes>\}})?|(?P<text>\[)|:[ \t]*"
    rf"(?P<member>.*))?",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"(?P<name>{_CIRCLE}|{_BRACKETED}|{_ROUND}|{_COLONS}(?![ \t]*[-.=<]))(?:[ \t]+as[ \t]+"
    rf"(?P<alias>{_PLAIN}|{_QUOTED}|{_BRACKETED}|{_ROUND}))?{_REST}[ \t]*",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"(?P<name>{_QUOTED})[ \t]+as[ \t]+(?P<alias>{_BRACKETED}|{_ROUND}|{_COLONS}){_REST}", re.IGNORECASE
)
_TOGETHER = re.compile(r"(?:together)[ \t]*\{")
_MANY_LINES = re.compile(
    rf"(?P<kind>{_WORDS})[ \t]+(?P<name>{_PLAIN})[ \t]+as[ \t]+\""
    rf"(?P<text>[^\"]*)",
    re.IGNORECASE,
)
_TEXT_END = re.compile(r"[^\"]*\"(?P<rest>.*)")
_STEREOTYPE = re.compile(r"<<[ \t]*(?:\([^()\n]*\)[ \t]*)?(?P<text>[^<>\n]*?)[ \t]*>>")
_PAINT = re.compile(r"(?<![\w\[/#])#(?P<paint>[\w:;.|/\\#-]+)")
_HEIRS = re.compile(
    r"\b(?P<word>extends|implements)[ \t]+(?P<names>.+?)(?=\b(?:extends|implements)\b|$)", re.IGNORECASE
)
_NAMES = re.compile(rf"(?P<name>[\w.$@\\]+|{_QUOTED})(?:{_GENERIC})?")
_END = rf"(?:{_CIRCLE}|{_QUOTED}|{_BRACKETED}|{_ROUND}|{_COLONS}|(?:[\w.$@\\]|::)+)"
_LEFT = r"\(\)|<\|\||<\|:?|<<?_?|\}[o|0]|\|[o|0]|o\||[|}]\||\}|\{|\^|\*|\+|#|@|0\)|[()]|[ox0]"
_RIGHT = (
    r"\(\)(?=[ \t]+[\w\"\[(:])|\|\|>|:?\|>|_?>>?|[o|0]\{|[o|0]\||\|o|\|\{|\{|\}|\^|\*|\+|#|@|\(0|[()]"
    r"|[ox0](?=[ \t\"\[(:]|$)"
)
_WAY = r"left|right|up|down|le|ri|do|l|r|u|d"
_RELATION = re.compile(
    rf"(?P<one>{_END})(?:[ \t]*<<[^<>\n]*>>)?(?:[ \t]*\[(?P<qualifier>[^\[\]\n]*)\](?=[ \t]*"
    rf"(?:\"|[-.<*o#+^}}|])))?[ \t]*(?P<near>{_QUOTED})?[ \t]*"
    rf"(?P<start>{_LEFT})?(?P<b1>[-.=~]++|(?=\[[^\]\n]*\][-.=~]))(?P<p1>\[[^\]\n]*\])?(?P<middle>\(?0\)?)?(?:"
    rf"(?P<way>{_WAY})(?=[-.=~\[]))?"
    rf"(?P<p2>\[[^\]\n]*\])?(?P<b2>[-.=~]*)(?P<end>{_RIGHT})?"
    rf"[ \t]*(?P<far>{_QUOTED})?[ \t]*(?P<two>{_END})(?:[ \t]*<<[^<>\n]*>>)?(?P<tone>[ \t]*#[\w:;.|/\\#-]+)?[ \t]*"
    rf"(?::[ \t]*(?P<text>.*))?",
    re.IGNORECASE,
)
_COUPLE = re.compile(r"\([ \t]*(?P<one>[^,()\n]+?)[ \t]*,[ \t]*(?P<two>[^,()\n]+?)[ \t]*\)")
_MEMBER = re.compile(rf"(?P<name>{_QUOTED}|(?:[\w.$@\\]|::)+)[ \t]*:(?!:)[ \t]*(?P<member>.+)")
_LOLLIPOP = re.compile(r"\(\)[ \t]*(?P<name>.*)")
_NOTE = re.compile(
    rf"note[ \t]+(?:(?P<side>left|right|top|bottom)(?:[ \t]+of[ \t]+(?P<who>{_END}))?|(?P<link>(?:"
    rf"(?:left|right|top|bottom)[ \t]+)?on[ \t]+link)|(?P<said>\"[^\"\n]*\")[ \t]+as[ \t]+(?P<alias>[\w.$@]+)"
    rf"|as[ \t]+(?P<name>[\w.$@]+))[ \t]*(?:<<[^<>\n]*>>[ \t]*)?(?P<paint>#[\w:;.|/\\#-]+)?[ \t]*"
    rf"(?:\[\[[^\[\]\n]*\]\])?[ \t]*(?:(?P<brace>\{{)|:[ \t]*(?P<text>.*))?",
    re.IGNORECASE,
)
_NOTE_END = re.compile(r"end[ \t]*note", re.IGNORECASE)
_BRACE_END = re.compile(r"\}")
_SEPARATOR = re.compile(r"set[ \t]+(?:namespace)?separator[ \t]+(?P<mark>\S+)", re.IGNORECASE)
_MODIFIER = re.compile(r"\{(?P<word>static|classifier|abstract|method|field)\}", re.IGNORECASE)
_RULE = re.compile(r"(?P<mark>--|\.\.|==|__)(?:.*(?P=mark))?[-.=_]?")
_WAYS = {"l": "left", "r": "right", "u": "up", "d": "down"}


@dataclass(slots=True)
class PumlElement:
    """A node or a container. `kind` is the source's word, "" for a name without a declaration; `home` is the code of
    the container, "" for none."""

    code: str
    place: Place
    kind: str = ""
    label: str = ""
    home: str = ""
    stereotypes: list[str] = field(default_factory=list[str])
    members: list[str] = field(default_factory=list[str])
    style: JsonObject | None = None
    link: JsonObject | None = None
    generic: str = ""
    keys: int = 0
    """The number of members above the first rule."""


@dataclass(slots=True)
class PumlRelation:
    """A relation between two codes, with the marks `start` and `end` and the texts `near` and `far` at both ends."""

    one: str
    two: str
    start: str
    end: str
    place: Place
    is_dashed: bool = False
    near: str = ""
    far: str = ""
    text: str = ""
    style: JsonObject = field(default_factory=dict[str, object])


@dataclass(slots=True)
class PumlNote:
    """A note, on an element at a side, or alone."""

    code: str
    text: str
    place: Place
    on: str = ""
    side: str = ""
    style: JsonObject | None = None
    home: str = ""


@dataclass(slots=True)
class PumlStructure:
    """A diagram under construction. Raises TooLarge beyond `most` parts."""

    sheet: PumlSheet
    elements: dict[str, PumlElement] = field(default_factory=dict[str, PumlElement])
    relations: list[PumlRelation] = field(default_factory=list[PumlRelation])
    notes: dict[str, PumlNote] = field(default_factory=dict[str, PumlNote])
    separator: str = "."

    def count(self) -> None:
        """Count a further part."""
        require_room(self.sheet.most, self.elements, self.relations, self.notes)


@dataclass(slots=True)
class _Reader(LineReader):
    chart: PumlStructure
    open: list[str] = field(default_factory=list[str])
    """The codes of the open containers, "" for `together` outside of any."""
    places: list[Place] = field(default_factory=list[Place])
    latest: str = ""
    rows: int = 0
    stems: dict[str, int] = field(default_factory=dict[str, int])
    aliases: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def home(self) -> str:
        """The code of the innermost container."""
        return self.open[-1] if self.open else ""

    # Elements.

    def element(self, written: str, line: PumlLine) -> PumlElement:
        """The element of an end of a relation, made on first use: `[a]` is a component, `(a)` a use case."""
        name, kind = _bare(written)
        if "::" in name and name not in self.chart.elements:
            name = name.split("::")[0] if name.split("::")[0] in self.chart.elements else name
        return self.named(name, kind, line)

    def named(self, name: str, kind: str, line: PumlLine) -> PumlElement:
        """The element of a name, sought in the innermost namespace first."""
        code = self.aliases.get(name, name)
        namespace = self.namespace()
        if (namespace and f"{namespace}.{code}" in self.chart.elements) or (
            namespace and code not in self.chart.elements and "." not in code
        ):
            code = f"{namespace}.{code}"
        code = code.removeprefix(".")
        found = self.chart.elements.get(code)
        if found is None:
            self.chart.count()
            found = self.chart.elements[code] = PumlElement(code, line.place, kind, home=self.home)
            found.label = self.plain(name.removeprefix(".") if namespace else name, line)
        elif kind and not found.kind:
            found.kind = kind
        return found

    def move(self, one: PumlElement) -> None:
        """Move an element to the innermost container, unless this is within the element."""
        code, seen = self.home, set[str]()
        while code and code not in seen:
            if code == one.code:
                return
            seen.add(code)
            code = self.chart.elements[code].home
        one.home = self.home

    def namespace(self) -> str:
        """The innermost namespace."""
        for code in reversed(self.open):
            if code and self.chart.elements[code].kind == "namespace":
                return code
        return ""

    def declare(self, found: re.Match[str], line: PumlLine) -> None:
        kind = re.sub(r"\s+", " ", found["kind"].lower())
        if found["name"] is None and found["alias"] is None:
            if not found["opens"]:
                raise LineNotUnderstood
            name, label = f"{kind} {line.number}", ""
        else:
            name, label = _name_and_label(found)
        own = _bare(found["name"] or found["alias"] or "")[1]
        kind = "interface" if own == "()" else kind
        if kind in CLASSES and name in self.open:
            self.aliases[name] = f"{name} in {name}"  # a class may be called as its package
        one = self.named(name, kind, line)
        self.dress(one, found["rest"] or "", line)
        one.kind = kind
        one.label = self.plain(label, line) if label or not one.label else one.label
        self.move(one)
        one.generic = (found["generic"] or "").strip() or one.generic
        if found["member"]:
            self.add_member(one, found["member"], line)
        self.latest = one.code
        self.content(found, one, line)

    def content(self, found: re.Match[str], one: PumlElement, line: PumlLine) -> None:
        """The members or the content in the braces of a declaration, or its text in brackets."""
        if found["text"]:
            rows = self.sheet.script.block(re.compile(r"(?P<text>.*)\]"))
            if rows is None:
                raise LineNotUnderstood("a text without an end ]")
            last = self.sheet.script.lines[self.sheet.script.at - 1].text.removesuffix("]")
            one.label = self.plain("\n".join([*(row.text for row in rows), last]), line)
        elif found["opens"] and not found["closes"]:
            if one.kind in CLASSES or one.kind == "entity":
                self.body(one, line)
            elif one.kind in _HOLDERS:
                if len(self.open) >= DEEPEST:
                    raise LineNotUnderstood(f"containers are at most {DEEPEST} deep")
                if one.code in self.open:
                    raise LineNotUnderstood(f"{shown(one.code)} holds itself")
                self.open.append(one.code)
                self.places.append(line.place)
            else:
                raise LineNotUnderstood

    def dress(self, one: PumlElement, rest: str, line: PumlLine) -> None:
        """Stereotypes, link, colour and general types of a declaration."""
        one.stereotypes += [row["text"] for row in _STEREOTYPE.finditer(rest) if row["text"]]
        one.link = self.sheet.words.link(rest, line.place) or one.link
        bare = re.sub(r"\[\[[^\[\]]*\]\]", "", _STEREOTYPE.sub("", rest))
        paint = _PAINT.search(bare)
        if paint is not None:
            one.style = self.sheet.words.paint(paint["paint"], line.place)
        for heirs in _HEIRS.finditer(bare.partition("#")[0]):
            is_realized = heirs["word"].lower() == "implements"
            for row in _NAMES.finditer(re.sub(_GENERIC, "", heirs["names"])):
                other = self.element(row["name"], line)
                other.kind = other.kind or ("interface" if is_realized else "class")
                self.chart.count()
                self.chart.relations.append(
                    PumlRelation(one.code, other.code, "", "|>", line.place, is_dashed=is_realized)
                )

    def body(self, one: PumlElement, line: PumlLine) -> None:
        """The members in the braces of a class."""
        depth = 1
        while (row := self.sheet.script.next()) is not None:
            depth += row.text.endswith("{") - row.text.startswith("}")
            if depth == 0:
                return
            self.add_member(one, row.text, row)
        raise LineNotUnderstood(f"{shown(line.text)} is not closed by }}")

    def add_member(self, one: PumlElement, text: str, line: PumlLine) -> None:
        rule = _RULE.fullmatch(text)
        if rule is not None:
            one.keys = one.keys or len(one.members)
            if text.strip("-.=_ \t"):
                self.sheet.words.tell("section", line.place, "titles between members")
            return
        self.rows += 1
        if self.rows > 8 * self.sheet.most:
            raise TooLarge(self.sheet.most)
        marks = [found["word"].lower() for found in _MODIFIER.finditer(text)]
        member = self.sheet.words.plain(_MODIFIER.sub("", text).strip(), line.place, has_lists=False)
        classifier = next((mark for mark in marks if mark in {"static", "classifier", "abstract"}), "")
        word = {"classifier": "static"}.get(classifier, classifier)
        if member:
            one.members.append(f"{member} {{{word}}}" if word else member)

    def short(self, found: re.Match[str], line: PumlLine) -> None:
        """`[a] as b` and its like."""
        name, kind = _bare(found["name"])
        alias = _bare(found["alias"])[0] if found["alias"] else name
        one = self.named(alias, kind, line)
        one.kind, one.label = kind, self.plain(name, line)
        self.move(one)
        self.dress(one, found["rest"] or "", line)
        self.latest = one.code

    def labelled(self, found: re.Match[str], line: PumlLine) -> None:
        """`"a" as (b)` and its like."""
        name, kind = _bare(found["alias"])
        one = self.named(name, kind, line)
        one.kind, one.label = kind, self.plain(unquoted(found["name"]), line)
        self.dress(one, found["rest"] or "", line)
        self.latest = one.code

    def many_lines(self, found: re.Match[str], line: PumlLine) -> None:
        """A declaration with a label of several lines."""
        rows = self.sheet.script.block(_TEXT_END)
        if rows is None:
            raise LineNotUnderstood('a text without an end "')
        last = self.sheet.script.lines[self.sheet.script.at - 1]
        head, _, rest = last.text.partition('"')
        one = self.named(found["name"], found["kind"].lower(), line)
        texts = [found["text"], *(row.text for row in rows), head]
        kept = [text for text in texts if not _RULE.fullmatch(text)]
        one.kind, one.label = found["kind"].lower(), self.plain("\n".join(kept), line)
        self.move(one)
        self.dress(one, rest, line)
        self.latest = one.code

    def together(self, _found: re.Match[str], line: PumlLine) -> None:
        self.open.append(self.home)
        self.places.append(line.place)

    def close(self, _found: re.Match[str], _line: PumlLine) -> None:
        if not self.open:
            raise LineNotUnderstood("there is nothing to close")
        self.open.pop()
        self.places.pop()

    def member(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.element(found["name"], line)
        if one.kind and one.kind not in CLASSES and one.kind != "entity":
            raise LineNotUnderstood
        self.add_member(one, found["member"], line)
        self.latest = one.code

    # Relations and notes.

    def relate(self, found: re.Match[str], line: PumlLine) -> None:
        ends = [self.end(found[name], line) for name in ("one", "two")]
        strokes = found["b1"] + found["b2"]
        look = self.sheet.words.line(f"{(found['p1'] or '')[1:-1]},{(found['p2'] or '')[1:-1]}", line.place)
        style = dict(look.style)
        if found["tone"]:
            style |= self.sheet.words.line(found["tone"].strip(), line.place).style
        if look.is_hidden:
            self.sheet.words.tell("hidden", line.place, "hidden lines, which only arrange, are left out")
            return
        if "=" in strokes:
            style.setdefault("strokeWidth", 2)
        start, end = found["start"] or "", found["end"] or ""
        if (found["way"] or "").lower()[:1] in {"u", "l"}:
            self.sheet.words.tell("way", line.place, "the layout chooses the sides of lines")
        self.chart.count()
        is_dashed = "." in strokes or "~" in strokes or style.get("dash") == [6, 4]
        near, far = (self.plain(unquoted(found[name] or ""), line) for name in ("near", "far"))
        near = near or self.plain(found["qualifier"], line)
        text = self.plain(_directed(found["text"] or ""), line)
        self.chart.relations.append(
            PumlRelation(ends[0], ends[1], start, end, line.place, is_dashed, near, far, text, style)
        )

    def end(self, written: str, line: PumlLine) -> str:
        """The code of an end; an association of two classes `(A, B)` is the first of them."""
        couple = _COUPLE.fullmatch(written)
        if couple is not None and written[0] == "(":
            self.sheet.words.tell("couple", line.place, "a line to another line is drawn to an end of it")
            written = couple["two"]
        if written in self.chart.notes:
            return written
        return self.element(written, line).code

    def note(self, found: re.Match[str], line: PumlLine) -> None:
        if found["said"]:
            text = unquoted(found["said"])
        elif found["text"] is not None:
            text = found["text"]
        else:
            rows = self.sheet.script.block(_BRACE_END if found["brace"] else _NOTE_END)
            if rows is None:
                raise LineNotUnderstood("a note without a text after a colon and without an end")
            text = "\n".join(row.text for row in rows)
        style = self.sheet.words.paint(found["paint"], line.place) if found["paint"] else None
        if found["link"]:
            self.on_relation(self.plain(text, line), line)
            return
        name = found["alias"] or found["name"]
        on = ""
        if found["side"]:
            on = self.element(found["who"], line).code if found["who"] else self.latest
            if not on:
                raise LineNotUnderstood("a note beside nothing")
        self.chart.count()
        home = self.chart.elements[on].home if on else self.home
        code = name or self.numbered(f"note {on}")
        side = (found["side"] or "").lower()
        self.chart.notes[code] = PumlNote(code, self.plain(text, line), line.place, on, side, style, home)

    def numbered(self, stem: str) -> str:
        """A code for a note without a name."""
        self.stems[stem] = count = self.stems.get(stem, 0) + 1
        return f"{stem} #{count}" if count > 1 else stem

    def part_names(self) -> None:
        """Give each note with the code of an element a code of its own."""
        notes = list(self.chart.notes.values())
        taken = self.chart.elements.keys() | self.chart.notes.keys()
        for note in notes:
            if note.code in self.chart.elements:
                stem = f"note {note.code}"
                while note.code in taken:
                    note.code = self.numbered(stem)
                taken.add(note.code)
        self.chart.notes = {note.code: note for note in notes}

    def on_relation(self, text: str, line: PumlLine) -> None:
        """A note on the latest relation, as a second line of its label."""
        if not self.chart.relations:
            raise LineNotUnderstood("a note on no relation")
        one = self.chart.relations[-1]
        one.text = f"{one.text}\n{text}".strip()
        self.sheet.words.tell("note on link", line.place, "a note on a line is part of its label")


def _bare(written: str) -> tuple[str, str]:
    """The name of an element without its marks, and the kind of the marks."""
    text = written.strip()
    if (circle := _LOLLIPOP.fullmatch(text)) is not None and text.startswith("()"):
        return unquoted(circle["name"]), "interface"
    for opening, closing, kind in (("[", "]", "component"), ("(", ")", "usecase"), (":", ":", "actor")):
        bare = text.removesuffix("/")
        if bare.startswith(opening) and bare.endswith(closing) and len(bare) > 2:
            return bare[1:-1].strip(), kind if bare == text else f"{kind}/"
    return unquoted(text), ""


def _name_and_label(found: re.Match[str]) -> tuple[str, str]:
    """The code and the label of a declaration; of `"long name" as a` and of `a as "long name"`."""
    if found["alias"] is None:
        name = _bare(found["name"])[0]
        return name, name
    first, second = found["label"], found["alias"]
    if second.startswith('"') and not first.startswith('"'):
        first, second = second, first
    return _bare(second)[0], _bare(first)[0]


def _directed(text: str) -> str:
    """The label of a relation. `>` at the end and `<` at the beginning say the direction of reading."""
    bare = text.strip()
    if re.search(r"(?<=\s)>$", bare):
        return f"{bare[:-1].rstrip()} ▸"
    return f"◂ {bare[1:].lstrip()}" if re.match(r"<\s", bare) else bare


_STATEMENTS: Statements[_Reader] = (
    (_BRACE_END, _Reader.close),
    (_NOTE, _Reader.note),
    (_DECLARED, _Reader.declare),
    (_TOGETHER, _Reader.together),
    (_MANY_LINES, _Reader.many_lines),
    (_RELATION, _Reader.relate),
    (_LABELLED, _Reader.labelled),
    (_SHORT, _Reader.short),
    (_MEMBER, _Reader.member),
)


def parse(sheet: PumlSheet) -> PumlStructure:
    """The chart of a diagram."""
    said = (_SEPARATOR.fullmatch(line.text) for line in sheet.script.lines)
    separator = next((found["mark"] for found in said if found is not None), ".")
    reader = _Reader(sheet, PumlStructure(sheet, separator="" if separator.lower() == "none" else separator))
    read_lines(sheet, first_of(_STATEMENTS, reader), "a class or component diagram")
    reader.part_names()
    for place in reader.places:
        sheet.losses.unread(place, "what begins here is not closed by }")
    return reader.chart


# A structure as a scene document: nodes, frames, edges and notes. A diagram of entities alone has tables.

_FAMILY, _ENTITIES = "architecture", "entityRelationship"
_MARKS: Mapping[str, str] = MappingProxyType(
    {
        **{mark: mark for mark in ("", "<|", "|>", "*", "o", "<", ">", "()")},
        **dict.fromkeys(("<||", "<|:"), "<|"),
        **dict.fromkeys(("||>", ":|>"), "|>"),
        **dict.fromkeys(("<<", "<_"), "<"),
        **dict.fromkeys((">>", "_>", "_>>"), ">"),
    }
)
"""The marks of relations with the shared mark of each."""
_FEET: Mapping[str, str] = MappingProxyType(
    {
        "||": "one",
        **dict.fromkeys(("|o", "o|", "|0", "0|"), "zero-or-one"),
        **dict.fromkeys(("}o", "o{", "}0", "0{"), "zero-or-many"),
        **dict.fromkeys(("}|", "|{"), "one-or-many"),
        **dict.fromkeys(("}", "{"), "many"),
    }
)
_OPENING, _CLOSING = "start", "end"
_NODES: Mapping[str, JsonObject] = MappingProxyType(
    {
        "actor": {"nodeType": "actor"},
        "actor/": {"nodeType": "actor"},
        "person": {"nodeType": "user"},
        "component": {"nodeType": "component"},
        "node": {"nodeType": "container"},
        "database": {"nodeType": "database"},
        "queue": {"nodeType": "queue"},
        "storage": {"nodeType": "storage"},
        "usecase": {"shape": "ellipse"},
        "usecase/": {"shape": "ellipse"},
        "interface": {"shape": "ellipse"},
        "circle": {"shape": "ellipse"},
        "cloud": {"shape": "cloud"},
        "hexagon": {"shape": "hexagon"},
        "diamond": {"shape": "diamond"},
        "label": {"shape": "textBox"},
        "process": {"shape": "roundedRect"},
        "action": {"shape": "roundedRect"},
        "card": {"shape": "roundedRect"},
    }
)
_PLAIN_BOXES = frozenset({"rectangle", "agent", "package", "namespace", "frame", "portin", "portout", "port"})
_SILENT_WORDS = frozenset({"interface", "enum", "class", "object", "map", "json"})
_PLAIN_FRAMES = frozenset(
    {"package", "namespace", "rectangle", "frame", "folder", "node", "component", "card", "agent"}
)
_SIDES = {"left": "leftOf", "right": "rightOf", "top": "above", "bottom": "below"}
_TIED: JsonObject = {"dash": [3, 3]}
_COLUMN = re.compile(
    r"(?P<mark>[*+#~-])?[ \t]*(?P<name>[^:<>\n]+?)[ \t]*(?::[ \t]*(?P<type>[^<>\n]+?(?:<[^<>\n]*>)?))?"
    r"[ \t]*(?P<notes>(?:(?:«|<<)[^<>«»\n]*(?:»|>>)[ \t]*)*)"
)


def draw(chart: PumlStructure, assembly: Assembly) -> JsonObject:
    """The document of a structure."""
    return _Drawing(chart, assembly).document()


class _Drawing:
    def __init__(self, chart: PumlStructure, assembly: Assembly) -> None:
        self._chart = chart
        self._assembly = assembly
        self._tell = chart.sheet.words.tell
        kinds = {one.kind for one in chart.elements.values()}
        leaves = kinds - CLASSES - {"", "entity", "package", "namespace", "together", "circle", "diamond"}
        self._is_described = bool(leaves - (_HOLDERS - {"actor", "usecase", "component"})) or (
            not kinds & CLASSES and bool(leaves)
        )
        self._unknown = "actor" if kinds & {"usecase", "usecase/"} else "interface"
        self._namespaces: dict[str, str] = {}
        self._children: dict[str, list[str]] = {}
        for one in chart.elements.values():
            self._hold(self._home(one), one.code)
        for note in chart.notes.values():
            self._hold(note.home, note.code)
        self._is_of_entities = self._entities_alone()

    def _hold(self, home: str, code: str) -> None:
        if home:
            self._children.setdefault(home, []).append(code)

    def _entities_alone(self) -> bool:
        """Whether all elements are entities, with columns or crow's feet."""
        nodes = [one for one in self._chart.elements.values() if not self._is_frame(one)]
        is_drawn = any(one.members for one in nodes) or any(
            {one.start, one.end} & _FEET.keys() for one in self._chart.relations
        )
        return is_drawn and all(one.kind == "entity" for one in nodes)

    def document(self) -> JsonObject:
        """The document."""
        chart, assembly = self._chart, self._assembly
        for one in chart.elements.values():
            if not self._is_frame(one):
                assembly.node(one.code, **self._node(one))
        placed = set[tuple[str, str]]()
        for note in chart.notes.values():
            self._draw_note(note, placed)
        for one in chart.elements.values():
            if self._is_frame(one):
                self._draw_frame(one)
        for path, title in self._namespaces.items():
            children = [assembly.name(code) for code in self._children[path]]
            assembly.frame(path, title=title, children=children, containerType="package")
        for link in chart.relations:
            self._relate(link)
        for note in chart.notes.values():
            if note.on:
                source, target = ({"elementId": assembly.name(code)} for code in (note.code, note.on))
                assembly.edge(source, target, style=_TIED)
        sheet = chart.sheet
        strategy = {"algorithm": "hierarchical", "direction": sheet.direction or "TB"}
        family = _ENTITIES if self._is_of_entities else _FAMILY
        return assembly.document(family, title=sheet.title, shows_title=bool(sheet.title), layoutStrategy=strategy)

    # Elements.

    def _is_frame(self, one: PumlElement) -> bool:
        return one.code in self._children and one.kind in _HOLDERS

    def _home(self, one: PumlElement) -> str:
        """The container of an element; of a class `a.b.C` the namespace `a.b`."""
        separator = self._chart.separator
        home = self._chart.elements.get(one.home)
        is_named = home is not None and home.kind == "namespace"
        if self._is_described or not separator or is_named or not (one.kind in CLASSES or not one.kind):
            return one.home
        path, mark, name = one.code.rpartition(separator)
        if not mark or not path or not name or " " in one.code:
            return one.home
        if one.label == one.code:
            one.label = name
        if path in self._chart.elements:
            return path if self._chart.elements[path].kind in _HOLDERS else one.home
        if path not in self._namespaces:
            self._chart.count()
            self._namespaces[path] = path
            self._hold(one.home, path)
        return path

    def _node(self, one: PumlElement) -> JsonObject:
        label = f"{one.label}{one.generic}"
        common: JsonObject = {"style": one.style, "link": one.link}
        if self._is_of_entities:
            columns = [_column(row, at < one.keys) for at, row in enumerate(one.members)]
            return {
                "nodeType": "er.entity",
                "label": label,
                "extensions": {"columns": columns} if columns else None,
                **common,
            }
        kind = one.kind or (self._unknown if self._is_described else "class")
        is_class = kind in CLASSES and not (kind == "interface" and self._is_described and not one.members)
        if is_class or one.members or kind == "entity":
            word = "abstract" if kind == "abstract class" else kind
            words = [*([] if word in _SILENT_WORDS - {"interface", "enum"} else [word]), *one.stereotypes]
            return {**classifier(label, words, one.members), **common}
        look = _NODES.get(kind)
        if look is None:
            look = {"shape": "rect"}
            if kind not in _PLAIN_BOXES:
                self._tell(f"symbol {kind}", one.place, f"the symbol of a {shown(kind)}")
        words = [f"«{word}»" for word in one.stereotypes]
        return {**look, "label": "\n".join((*words, label)), **common}

    def _draw_frame(self, one: PumlElement) -> None:
        assembly = self._assembly
        if one.kind not in _PLAIN_FRAMES:
            self._tell("frame", one.place, "containers of other shapes are drawn as frames")
        words = [f"«{word}»" for word in one.stereotypes]
        assembly.frame(
            one.code,
            title=" ".join((*words, one.label.replace("\n", " "))).strip(),
            children=[assembly.name(code) for code in self._children[one.code]],
            containerType="package",
            style=one.style,
            link=one.link,
        )

    def _draw_note(self, note: PumlNote, placed: set[tuple[str, str]]) -> None:
        on = self._chart.elements.get(note.on)
        layout = None
        if on is not None and not self._is_frame(on) and (note.on, note.side) not in placed:
            placed.add((note.on, note.side))
            layout = {"mode": "relative", "relation": _SIDES[note.side], "target": self._assembly.name(note.on)}
        self._assembly.node(note.code, nodeType="note", label=note.text, style=note.style, layout=layout)

    # Relations.

    def _relate(self, link: PumlRelation) -> None:
        assembly = self._assembly
        ends: list[JsonObject] = []
        for code, label, mark in ((link.one, link.near, link.start), (link.two, link.far, link.end)):
            foot = {"cardinality": _FEET[mark]} if mark in _FEET else {}
            ends.append({"elementId": assembly.name(code), **foot, **({"label": label} if label else {})})
        if link.one in self._chart.notes or link.two in self._chart.notes:
            assembly.edge(ends[0], ends[1], label=link.text, style=_TIED | link.style)
            return
        if self._is_of_entities:
            kind = "er.nonIdentifying" if link.is_dashed else "er.identifying"
            assembly.edge(ends[0], ends[1], edgeType=kind, label=link.text, style=link.style or None)
            return
        start, end = (self._mark(mark, link) for mark in (link.start, link.end))
        look = relation(start, end, dashed=link.is_dashed)
        if look.lost:
            self._tell(f"mark {look.lost}", link.place, f"the mark {shown(look.lost)} at the other end of a relation")
        source, target = ends[::-1] if look.is_turned else ends
        assembly.edge(
            source,
            target,
            edgeType=look.edge_type,
            label=link.text,
            endpoints=look.heads,
            style=link.style or None,
        )

    def _mark(self, mark: str, link: PumlRelation) -> str:
        """The shared mark for a mark at an end; one without a form is reported."""
        if mark in _FEET:
            return ""
        if mark == "^":
            return "<|" if link.start == "^" else "|>"
        known = _MARKS.get(mark.lower())
        if known is None:
            self._tell(f"mark {mark}", link.place, f"the mark {shown(mark)} at an end of a relation")
        return known or ""


def _column(text: str, is_key: bool) -> JsonObject:  # noqa: FBT001 - a comparison
    """A column: `* id : number <<generated>>`; a column above the first rule is a key."""
    found = _COLUMN.fullmatch(text)
    if found is None:
        return {"name": text[:500]}
    words = {word.strip().upper() for word in re.findall(r"(?:«|<<)([^<>«»\n]*)", found["notes"])}
    flags = {"pk": is_key or "PK" in words, "fk": "FK" in words, "unique": bool(words & {"UNIQUE", "UK", "UQ"})}
    kind = {"type": found["type"][:500]} if found["type"] else {}
    return {"name": found["name"][:500], **kind, **{flag: True for flag, is_on in flags.items() if is_on}}
