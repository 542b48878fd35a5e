"""Class diagrams: classes with attributes and methods, their relations, namespaces and notes."""

from __future__ import annotations

import re

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.charts import classifier, relation
from scenograph.reading.mermaid.diagram import (
    DEFAULT_CLASS,
    DIRECTIONS,
    Diagram,
    NotUnderstood,
    Rows,
    link_of,
    plain,
    read_all,
    skip_description,
    style_by_classes,
    style_of,
)
from scenograph.reading.source import Cursor, Losses, Place, require_room, shown
from scenograph.scene.json_values import JsonObject

_FAMILY = "architecture"
_BETWEEN = " \t\r\n;"
_NAME = r"(?:`[^`]{1,500}`|[^\W]+(?:(?:\.(?!\.)|-(?!-)|::)[^\W]+)*)(?:~[^\n]*?~(?=[\s:{\[\"]|$))?"
_OPEN, _SHUT = "(?:<<|&lt;&lt;)", "(?:>>|&gt;&gt;?)"  # as text, or as HTML entities
_CLASS = re.compile(
    rf"class[ \t]+(?P<name>{_NAME})[ \t]*(?:\[\"(?P<label>[^\"]{{0,2000}})\"\])?"
    rf"[ \t]*(?:{_OPEN}(?P<stereotype>[^>\n&]+){_SHUT})?"
    r"[ \t]*(?::::[ \t]*(?P<css>[\w-]+))?[ \t]*(?P<opens>\{)?"
)
_RELATION = re.compile(
    rf"(?P<one>{_NAME})[ \t]*(?P<css1>:::[\w-]+)?[ \t]*(?:\"(?P<near>[^\"\n]*)\")?[ \t]*"
    r"(?P<start><\||<|\|>|>|\*|o(?=--|\.\.)|\(\))?(?P<line>--|\.\.)(?P<end>\|>|>|<\||<|\*|o(?=[\s\"`])|\(\))?"
    r"[ \t]*(?:\"(?P<far>[^\"\n]*)\")?[ \t]*"
    rf"(?P<two>{_NAME})(?P<css2>:::[\w-]+)?[ \t]*(?::(?P<label>(?:#\w{{1,10}};|[^\n;])*))?"
)
_MEMBER = re.compile(rf"(?P<name>{_NAME})[ \t]*:(?!:)[ \t]*(?P<member>[^\n]+)")
_BARE = re.compile(rf"(?P<name>{_NAME})(?::::(?P<css>[\w-]+))?[ \t]*(?=\n|;|$)")
_STEREOTYPE = re.compile(rf"{_OPEN}(?P<stereotype>[^>\n&]+){_SHUT}[ \t]*(?P<name>{_NAME})")
_NAMESPACE = re.compile(rf"namespace[ \t]+(?P<name>{_NAME})[ \t]*(?:\[\"(?P<label>[^\"\n]*)\"\])?\s*\{{")
_NOTE = re.compile(
    rf"note(?:[ \t]+for[ \t]+(?P<name>{_NAME}))?[ \t]+\"(?P<text>(?:[^\"]|\"(?![ \t]*(?:[\n;]|%%|$))){{0,4000}})\""
)
_STYLED = re.compile(r"(classDef|cssClass|style)[ \t]+(\"[^\"\n]*\"|\S+(?:[ \t]*,[ \t]*[^\s,]+)*)[ \t]+([^\n]*)")
_CLICK = re.compile(
    rf"(?:(?P<verb>click|link|callback))[ \t]+(?P<name>{_NAME})[ \t]+"
    r"(?P<href>href[ \t]+)?(?:\"(?P<address>[^\"\n]*)\")?(?:[ \t]+\"(?P<title>[^\"\n]*)\")?[^\n]*"
)
_DIRECTION = re.compile(r"direction[ \t]+(TB|TD|BT|RL|LR)\b[^\n]*")
_TITLE = re.compile(r"title[ \t]+([^\n]+)")
_METHOD = re.compile(r"(?P<head>[^)]*\(.*\))[ \t]*(?P<early>[*$])?[ \t]*(?P<type>[^*$:\s(][^*$]*)?(?P<late>[*$])?")
_LONGEST_MEMBER = 1_000
_CLASSIFIERS = {"*": "abstract", "$": "static"}


@dataclass(slots=True)
class _Class:
    name: str
    label: str = ""
    stereotypes: list[str] = field(default_factory=list[str])
    members: list[str] = field(default_factory=list[str])
    classes: list[str] = field(default_factory=list[str])
    style: JsonObject = field(default_factory=dict[str, object])
    link: JsonObject | None = None
    namespace: str | None = None


@dataclass(slots=True)
class _Chart:
    losses: Losses
    most: int
    rows: Rows
    direction: str = "TB"
    title: str = ""
    classes: dict[str, _Class] = field(default_factory=dict[str, _Class])
    relations: list[tuple[re.Match[str], Place]] = field(default_factory=list[tuple[re.Match[str], Place]])
    namespaces: dict[str, tuple[str, str | None]] = field(default_factory=dict[str, tuple[str, str | None]])
    notes: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    open: list[str] = field(default_factory=list[str])

    def class_named(self, word: str) -> _Class:
        """The class of a name; `List~int~` names the class List."""
        name, _, generic = word.strip("`").partition("~")
        name = name.strip("`")
        found = self.classes.get(name)
        if found is None:
            self.count()
            found = self.classes[name] = _Class(name)
        if generic and not found.label:
            found.label = f"{name}<{_generic(generic.removesuffix('~'))}>"
        return found

    def count(self) -> None:
        require_room(self.most, self.classes, self.relations, self.notes, self.namespaces)


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a class diagram."""
    cursor = diagram.cursor
    chart = _Chart(losses, diagram.source.most_elements, Rows(diagram.source.most_elements), title=diagram.title)
    read_all(diagram, losses, lambda place: _read_statement(cursor, chart, place))
    if chart.open:
        losses.unread(cursor.place(), f"the namespace {shown(chart.open[-1])} is not closed by }}")
    return _document_of(chart, diagram)


def _read_statement(cursor: Cursor, chart: _Chart, place: Place) -> None:
    if (title := skip_description(cursor)) is not None:
        chart.title = chart.title or title
        return
    for pattern, take in _STATEMENTS:
        found = pattern.match(cursor.text, cursor.at)
        if found is not None:
            cursor.at = found.end()
            take(found, cursor, chart, place)
            _expect_end(cursor)
            return
    rest = cursor.text[cursor.at : cursor.line_end()]
    raise NotUnderstood(cursor.at, f"{shown(rest)} is not a statement of a class diagram")


def _expect_end(cursor: Cursor) -> None:
    cursor.skip()
    rest = cursor.text[cursor.at : cursor.line_end()]
    if rest.startswith("%%"):
        cursor.rest_of_line()
    elif rest and not rest.startswith((";", "}")) and not _is_after_brace(cursor):
        raise NotUnderstood(cursor.at, f"{shown(rest)} was not expected here")


def _is_after_brace(cursor: Cursor) -> bool:
    """Whether a statement may begin here, since a brace was passed last."""
    at = cursor.at
    while at and cursor.text[at - 1] in " \t":
        at -= 1
    return cursor.text[at - 1 : at] in {"{", "}"}


def _direction(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    chart.direction = DIRECTIONS[found[1]]


def _title(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    chart.title = found[1].strip()


def _namespace(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    full = chart.open[-1] if chart.open else None
    for word in [found["name"].strip("`")] if found["name"].startswith("`") else found["name"].split("."):
        outer, full = full, f"{full}.{word}" if full else word
        if full not in chart.namespaces:
            chart.count()
            chart.namespaces[full] = (word, outer)
    if full and found["label"]:
        chart.namespaces[full] = (found["label"], chart.namespaces[full][1])
    chart.open.append(full or "")


def _close(_found: re.Match[str], cursor: Cursor, chart: _Chart, _place: Place) -> None:
    if not chart.open:
        raise NotUnderstood(cursor.at, "there is no namespace to close")
    chart.open.pop()


def _class(found: re.Match[str], cursor: Cursor, chart: _Chart, place: Place) -> None:
    one = chart.class_named(found["name"])
    one.namespace = one.namespace or (chart.open[-1] if chart.open else None)
    one.label = plain(found["label"]) if found["label"] else one.label
    one.stereotypes += [found["stereotype"].strip()] if found["stereotype"] else []
    one.classes += [found["css"]] if found["css"] else []
    if found["opens"]:
        _read_members(cursor, one, chart, place)


def _read_members(cursor: Cursor, one: _Class, chart: _Chart, place: Place) -> None:
    while True:
        cursor.skip(_BETWEEN)
        if cursor.take("}"):
            return
        if cursor.done:
            chart.losses.unread(place, f"the class {shown(one.name)} is not closed by }}")
            return
        line = cursor.text[cursor.at : cursor.line_end()]
        member, closes, _ = line.partition("}")
        chart.rows.count()
        _add_member(member, one)
        cursor.at += len(member) if closes else len(line)


def _add_member(text: str, one: _Class) -> None:
    member = text.partition("%%")[0].strip().rstrip(";").strip()
    stereotype = re.fullmatch(rf"{_OPEN}\s*([^>&]+?)\s*{_SHUT}", member)
    if stereotype:
        one.stereotypes.append(stereotype[1])
    elif member:
        one.members.append(_generic(_in_uml(plain(member))))


def _in_uml(member: str) -> str:
    """A member in UML notation: `sum(a) int$` is `sum(a): int {static}`."""
    method = _METHOD.fullmatch(member[:_LONGEST_MEMBER])
    if method is None or len(member) > _LONGEST_MEMBER:
        mark = _CLASSIFIERS.get(member[-1:]) if "(" not in member else None
        return f"{member[:-1].rstrip()} {{{mark}}}" if mark else member
    kind = f": {method['type'].strip()}" if method["type"] else ""
    mark = method["early"] or method["late"]
    return f"{method['head']}{kind}{f' {{{_CLASSIFIERS[mark]}}}' if mark else ''}"


def _generic(text: str) -> str:
    """`List~List~int~~` as `List<List<int>>`: a tilde opens between two words, or outermost before a later tilde."""
    parts: list[str] = []
    depth = 0
    for at, mark in enumerate(text):
        if mark != "~":
            parts.append(mark)
        elif _opens(text, at, depth):
            parts.append("<")
            depth += 1
        elif depth:
            parts.append(">")
            depth -= 1
        else:
            parts.append(mark)
    return "".join(parts)


def _opens(text: str, at: int, depth: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    between_words = (before.isalnum() or before == "_") and (after.isalnum() or after in {"_", "?", "$"})
    return between_words or (depth == 0 and "~" in text[at + 1 :])


def _member(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    _add_member(found["member"], chart.class_named(found["name"]))


def _bare(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    chart.class_named(found["name"]).classes += [found["css"]] if found["css"] else []


def _stereotype(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    chart.class_named(found["name"]).stereotypes.append(found["stereotype"].strip())


def _note(found: re.Match[str], _cursor: Cursor, chart: _Chart, _place: Place) -> None:
    chart.count()
    on = chart.class_named(found["name"]).name if found["name"] else None
    chart.notes.append((plain(found["text"]), on))


def _styled(found: re.Match[str], _cursor: Cursor, chart: _Chart, place: Place) -> None:
    names = [name.strip() for name in found[2].strip('"').split(",") if name.strip()]
    if found[1] == "cssClass":
        for name in names:
            if name in chart.classes:
                chart.classes[name].classes.append(found[3].strip().rstrip(";"))
            else:
                chart.losses.formless(place, f"there is no class {shown(name)} to give a style")
        return
    style = style_of(found[3].rstrip(";"), place, chart.losses)
    for name in names:
        if found[1] == "style":
            chart.class_named(name).style |= style
        else:
            chart.class_styles[name] = chart.class_styles.get(name, {}) | style


def _click(found: re.Match[str], _cursor: Cursor, chart: _Chart, place: Place) -> None:
    one = chart.class_named(found["name"])
    if found["address"] and (found["verb"] == "link" or found["href"]):
        one.link = link_of(found["address"], found["title"] or "", place, chart.losses)
    else:
        chart.losses.formless(place, f"the function that a click on {shown(one.name)} calls")


def _relation(found: re.Match[str], _cursor: Cursor, chart: _Chart, place: Place) -> None:
    for name, css in (("one", "css1"), ("two", "css2")):
        chart.class_named(found[name]).classes += [found[css][3:]] if found[css] else []
    for name, mark in (("one", "start"), ("two", "end")):
        if found[mark] == "()":
            chart.class_named(found[name]).stereotypes.append("interface")
    chart.count()
    chart.relations.append((found, place))


_STATEMENTS = (
    (_DIRECTION, _direction),
    (_NAMESPACE, _namespace),
    (re.compile(r"\}"), _close),
    (_NOTE, _note),
    (_STYLED, _styled),
    (_CLASS, _class),
    (_STEREOTYPE, _stereotype),
    (_RELATION, _relation),
    (_CLICK, _click),
    (_TITLE, _title),
    (_MEMBER, _member),
    (_BARE, _bare),
)


def _document_of(chart: _Chart, diagram: Diagram) -> JsonObject:
    assembly = Assembly("mermaid", diagram.source)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    for one in chart.classes.values():
        assembly.node(one.name, **_node(one, chart))
    for text, on in chart.notes:
        note = assembly.node(assembly.numbered(f"note {on or ''}".strip()), nodeType="note", label=text)
        if on is not None:
            assembly.edge({"elementId": note["id"]}, {"elementId": assembly.name(on)}, style={"dash": [3, 3]})
    _add_namespaces(chart, assembly)
    for found, place in chart.relations:
        _add_relation(found, place, chart, assembly)
    strategy = {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(_FAMILY, title=chart.title, layoutStrategy=strategy)


def _node(one: _Class, chart: _Chart) -> JsonObject:
    members = classifier(one.label or one.name, one.stereotypes, one.members)
    return {**members, "link": one.link, "style": _style(one, chart)}


def _style(one: _Class, chart: _Chart) -> JsonObject | str | None:
    return style_by_classes((DEFAULT_CLASS, *one.classes), one.style, chart.class_styles)


def _add_namespaces(chart: _Chart, assembly: Assembly) -> None:
    children: dict[str, list[str]] = {name: [] for name in chart.namespaces}
    for one in chart.classes.values():
        if one.namespace is not None:
            children[one.namespace].append(assembly.name(one.name))
    for name, (_, outer) in chart.namespaces.items():
        if outer is not None:
            children[outer].append(assembly.name(f"namespace {name}"))
    for name, (label, _) in chart.namespaces.items():
        frame = {"title": label, "children": children[name], "containerType": "package"}
        assembly.frame(f"namespace {name}", **frame)


def _add_relation(found: re.Match[str], place: Place, chart: _Chart, assembly: Assembly) -> None:
    look = relation(found["start"] or "", found["end"] or "", dashed=found["line"] == "..")
    if look.lost:
        chart.losses.formless(place, f"the mark {shown(look.lost)} at the other end of a relation")
    source, target = (_endpoint(found, *end, chart, assembly) for end in (("one", "near"), ("two", "far")))
    ends = (target, source) if look.is_turned else (source, target)
    assembly.edge(*ends, edgeType=look.edge_type, label=plain(found["label"] or ""), endpoints=look.heads)


def _endpoint(found: re.Match[str], name: str, label: str, chart: _Chart, assembly: Assembly) -> JsonObject:
    end = {"elementId": assembly.name(chart.class_named(found[name]).name)}
    return end | ({"label": found[label]} if found[label] else {})
