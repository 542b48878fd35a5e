"""Entity-relationship diagrams: entities are tables, relationships edges with a cardinality at each end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.mermaid.diagram import (
    DEFAULT_CLASS,
    DIRECTIONS,
    Diagram,
    NotUnderstood,
    Rows,
    Subgraphs,
    plain,
    read_all,
    skip_description,
    style_by_classes,
    style_of,
)
from scenograph.reading.source import Cursor, Losses, Place, require_room, shown
from scenograph.scene.json_values import JsonObject

_ONE, _MANY = "one", "zero-or-many"
_CARDINALITIES: Mapping[str, str] = MappingProxyType(
    {
        "one or zero": "zero-or-one",
        "zero or one": "zero-or-one",
        "one or more": "one-or-many",
        "one or many": "one-or-many",
        "zero or more": _MANY,
        "zero or many": _MANY,
        "only one": _ONE,
        "many(0)": _MANY,
        "many(1)": "one-or-many",
        "many": _MANY,
        "one": _ONE,
        "1+": "one-or-many",
        "0+": _MANY,
        "1": _ONE,
        "||": _ONE,
        "|o": "zero-or-one",
        "o|": "zero-or-one",
        "}o": _MANY,
        "o{": _MANY,
        "}|": "one-or-many",
        "|{": "one-or-many",
        "u": _ONE,
    }
)
_LINES: Mapping[str, str] = MappingProxyType(
    {
        "--": "er.identifying",
        "..": "er.nonIdentifying",
        ".-": "er.nonIdentifying",
        "-.": "er.nonIdentifying",
        "optionally to": "er.nonIdentifying",
        "to": "er.identifying",
    }
)
_END = "|".join(re.escape(word) for word in _CARDINALITIES)
_LINE = "|".join(map(re.escape, _LINES))
_RELATION = re.compile(
    rf"[ \t]*(?P<left>{_END})[ \t]*(?P<line>{_LINE})[ \t]*(?P<right>{_END})(?=[\s\"\w])[ \t]*",
    re.IGNORECASE,
)
_NAME = re.compile(r'"([^"\n]{1,500})"|((?:(?!--|\.\.|\.-|-\.|:::)[^\s{}\[\]":|;,]){1,500})')
_CLASSES = re.compile(r"[ \t]*:::[ \t]*([\w*,-]+)")
_ROLE = re.compile(r'[ \t]*:[ \t]*(?:"([^"\n]*)"|(\S[^\n]*?))?[ \t]*(?=;|\n|$)')
_ATTRIBUTE = re.compile(
    r"(?P<type>~[^\n\"{}~]{1,300}~|[^\s\"{}~]{1,300}(?:~[^\n\"{}]{0,300}~[^\s\"{}~]{0,100})?)[ \t]+"
    r"(?P<name>\*?\"[^\"\n]{1,500}\"|[^\s\"{},]{1,500})"
    r"(?P<keys>(?:[ \t]*,?[ \t]*\b(?:PK|FK|UK)\b){0,6})[ \t]*(?P<comment>\"[^\"]{0,2000}\")?[ \t]*,?[ \t]*"
)
_STYLE = re.compile(r"(classDef|class|style)[ \t]+([^\s]+(?:[ \t]*,[ \t]*[^\s,]+)*)[ \t]+([^\n]*)")
_DIRECTION = re.compile(r"direction[ \t]+(TB|TD|BT|RL|LR)\b")
_SUBGRAPH = re.compile(r"(?P<begins>subgraph\b[ \t]*)|end\b(?=[ \t]*(?:\n|;|%%|$))")
_FAMILY = "entityRelationship"
_BETWEEN = " \t\r\n;"


@dataclass(slots=True)
class _Entity:
    name: str
    label: str = ""
    columns: list[JsonObject] = field(default_factory=list[JsonObject])
    classes: list[str] = field(default_factory=list[str])
    style: JsonObject = field(default_factory=dict[str, object])


@dataclass(slots=True)
class _Relation:
    source: str
    target: str
    found: re.Match[str]
    role: str


@dataclass(slots=True)
class _Chart:
    losses: Losses
    most: int
    rows: Rows
    direction: str | None = None
    title: str = ""
    entities: dict[str, _Entity] = field(default_factory=dict[str, _Entity])
    relations: list[_Relation] = field(default_factory=list[_Relation])
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    subgraphs: Subgraphs = field(default_factory=Subgraphs)

    def entity(self, name: str) -> _Entity:
        self.subgraphs.mention(name)
        if name not in self.entities:
            self.count()
            self.entities[name] = _Entity(name)
        return self.entities[name]

    def known(self, names: list[str], place: Place) -> Iterator[_Entity]:
        """The entities of these names; unknown names are reported."""
        for name in names:
            if name in self.entities:
                yield self.entities[name]
            else:
                self.losses.formless(place, f"there is no entity {shown(name)} to give a style")

    def count(self) -> None:
        require_room(self.most, self.entities, self.relations, self.subgraphs.rows)


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of an entity-relationship diagram."""
    cursor = diagram.cursor
    chart = _Chart(losses, diagram.source.most_elements, Rows(diagram.source.most_elements), title=diagram.title)
    read_all(diagram, losses, lambda place: _read_statement(cursor, chart, place))
    chart.subgraphs.finish_all(losses)
    return _document_of(chart, diagram)


def _read_statement(cursor: Cursor, chart: _Chart, place: Place) -> None:
    if (direction := _DIRECTION.match(cursor.text, cursor.at)) is not None:
        holder = chart.subgraphs.open[-1] if chart.subgraphs.open else chart
        holder.direction = DIRECTIONS[direction[1]]
        cursor.at = direction.end()
    elif (word := _SUBGRAPH.match(cursor.text, cursor.at)) is not None:
        _read_subgraph(cursor, chart, word)
    elif (style := _STYLE.match(cursor.text, cursor.at)) is not None:
        _read_style(style, chart, place)
        cursor.at = style.end()
    elif cursor.word() == "title":
        cursor.at += len("title")
        chart.title = cursor.rest_of_line().strip()
    elif (title := skip_description(cursor)) is not None:
        chart.title = chart.title or title
    else:
        _read_entity(cursor, chart)


def _read_subgraph(cursor: Cursor, chart: _Chart, word: re.Match[str]) -> None:
    cursor.at = word.end()
    if word["begins"]:
        chart.count()
        chart.subgraphs.begin(cursor)
    elif chart.subgraphs.open:
        chart.subgraphs.finish()
    else:
        raise NotUnderstood(cursor.at, "there is no subgraph to end")


def _read_style(found: re.Match[str], chart: _Chart, place: Place) -> None:
    names = [name.strip() for name in found[2].split(",")]
    if found[1] == "classDef":
        style = style_of(found[3].rstrip(";"), place, chart.losses)
        for name in names:
            chart.class_styles[name] = chart.class_styles.get(name, {}) | style
        return
    for entity in chart.known(names, place):
        if found[1] == "class":
            entity.classes += [word for word in re.split(r"[\s,]+", found[3]) if word]
        else:
            entity.style |= style_of(found[3].rstrip(";"), place, chart.losses)


def _read_entity(cursor: Cursor, chart: _Chart) -> None:
    entity = chart.entity(_take_name(cursor, "an entity"))
    if cursor.take("["):
        cursor.skip()
        entity.label = _take_name(cursor, "another name of the entity")
        cursor.skip()
        if not cursor.take("]"):
            raise NotUnderstood(cursor.at, f"the other name of {shown(entity.name)} is not closed by ]")
    _take_classes(cursor, entity)
    cursor.skip()
    if (relation := _RELATION.match(cursor.text, cursor.at)) is not None:
        cursor.at = relation.end()
        _read_relation(cursor, chart, entity, relation)
    elif cursor.take("{"):
        _read_columns(cursor, chart, entity)
    else:
        _expect_end(cursor)


def _expect_end(cursor: Cursor) -> None:
    cursor.skip()
    rest = cursor.text[cursor.at : cursor.line_end()]
    if rest and not rest.startswith((";", "%%")):
        raise NotUnderstood(cursor.at, f"{shown(rest)} was not expected here")
    cursor.rest_of_line()


def _take_name(cursor: Cursor, what: str) -> str:
    found = _NAME.match(cursor.text, cursor.at)
    if found is None:
        rest = cursor.text[cursor.at : cursor.line_end()]
        raise NotUnderstood(cursor.at, f"the name of {what} was expected, not {shown(rest)}")
    cursor.at = found.end()
    return found[1] or found[2]


def _take_classes(cursor: Cursor, entity: _Entity) -> None:
    found = _CLASSES.match(cursor.text, cursor.at)
    if found is not None:
        entity.classes += [word for word in found[1].split(",") if word]
        cursor.at = found.end()


def _read_relation(cursor: Cursor, chart: _Chart, entity: _Entity, found: re.Match[str]) -> None:
    other = chart.entity(_take_name(cursor, "the other entity"))
    _take_classes(cursor, other)
    role = _ROLE.match(cursor.text, cursor.at)
    if role is not None:
        cursor.at = role.end()
    chart.count()
    chart.relations.append(_Relation(entity.name, other.name, found, plain((role[1] or role[2] or "") if role else "")))
    _expect_end(cursor)


def _read_columns(cursor: Cursor, chart: _Chart, entity: _Entity) -> None:
    commented: Place | None = None
    while True:
        cursor.skip(_BETWEEN)
        if cursor.take("}"):
            break
        if cursor.done:
            chart.losses.unread(cursor.place(), f"the columns of {shown(entity.name)} are not closed by }}")
            break
        found = _ATTRIBUTE.match(cursor.text, cursor.at)
        if found is None:
            place = cursor.place()
            chart.losses.unread(place, f"{shown(cursor.rest_of_line())} is not a column; a column is a type and a name")
            continue
        commented = commented or (cursor.place() if found["comment"] else None)
        cursor.at = found.end()
        chart.rows.count()
        entity.columns.append(_column(found))
    if commented is not None:
        chart.losses.formless(commented, f"the comments on columns of {shown(entity.name)}")


def _column(found: re.Match[str]) -> JsonObject:
    name = found["name"]
    keys = set(re.findall(r"PK|FK|UK", found["keys"])) | ({"PK"} if name.rfind("*") == 0 else set[str]())
    flags = {"pk": "PK" in keys, "fk": "FK" in keys, "unique": "UK" in keys}
    column = {
        "name": plain(name.strip('"').lstrip("*"), markdown=True)[:500] or name,
        "type": _type(found["type"]),
    }
    return column | {flag: True for flag, on in flags.items() if on}


def _type(word: str) -> str:
    """`~with spaces~` between tildes; else `list~int~` has a type in brackets."""
    return word.strip("~") if word.startswith("~") else word.replace("~", "<", 1).replace("~", ">")


def _document_of(chart: _Chart, diagram: Diagram) -> JsonObject:
    assembly = Assembly("mermaid", diagram.source)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    for entity in chart.entities.values():
        if entity.name not in chart.subgraphs.rows:
            assembly.node(
                entity.name,
                nodeType="er.entity",
                label=plain(entity.label or entity.name),
                style=_style_of(entity, chart),
                extensions={"columns": entity.columns} if entity.columns else None,
            )
    _add_frames(chart, assembly)
    for relation in chart.relations:
        assembly.edge(
            {"elementId": assembly.name(relation.source), "cardinality": _cardinality(relation.found["left"])},
            {"elementId": assembly.name(relation.target), "cardinality": _cardinality(relation.found["right"])},
            edgeType=_LINES[relation.found["line"].lower()],
            label=relation.role,
        )
    strategy = {"algorithm": "hierarchical", "direction": chart.direction} if chart.direction else None
    return assembly.document(_FAMILY, title=chart.title, layoutStrategy=strategy)


def _add_frames(chart: _Chart, assembly: Assembly) -> None:
    subgraphs, parents = chart.subgraphs.rows, chart.subgraphs.parents()
    children: dict[str | None, list[str]] = {}
    for name in (*(name for name in chart.entities if name not in subgraphs), *subgraphs):
        home = parents[name] if name in subgraphs else chart.subgraphs.home_of(name)
        children.setdefault(home, []).append(assembly.name(name))
    for subgraph in subgraphs.values():
        assembly.frame(
            subgraph.name,
            title=subgraph.title,
            children=children.get(subgraph.name, []),
            extensions={"direction": subgraph.direction} if subgraph.direction else None,
        )


def _cardinality(word: str) -> str:
    return _CARDINALITIES[word.lower()]


def _style_of(entity: _Entity, chart: _Chart) -> JsonObject | str | None:
    return style_by_classes((DEFAULT_CLASS, *entity.classes), entity.style, chart.class_styles)
