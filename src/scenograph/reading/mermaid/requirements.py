"""Requirement diagrams: requirements and elements as classes with their members, and dashed relationships between them
(SysML 1.7, 16)."""

from __future__ import annotations

import re

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.mermaid.diagram import (
    DEFAULT_CLASS,
    DIRECTIONS,
    Diagram,
    NotUnderstood,
    Rows,
    quoted,
    read_all,
    skip_description,
    style_by_classes,
    style_of,
)
from scenograph.reading.source import Losses, Place, require_room, shown
from scenograph.scene.json_values import JsonObject

_KINDS = {
    "requirement": "Requirement",
    "functionalrequirement": "Functional Requirement",
    "interfacerequirement": "Interface Requirement",
    "performancerequirement": "Performance Requirement",
    "physicalrequirement": "Physical Requirement",
    "designconstraint": "Design Constraint",
    "element": "Element",
}
_MEMBERS = {
    "id": "ID",
    "text": "Text",
    "risk": "Risk",
    "verifymethod": "Verification",
    "type": "Type",
    "docref": "Doc Ref",
}
_NAME = r"(?:\"[^\"\n]*\"|\w[^:,\r\n{<>=\-]*+)"
_CLASSES = r"(?::::(?P<classes>[\w, \t]+))?"
_HEAD = re.compile(rf"(?P<kind>\w+)[ \t]+(?P<name>{_NAME})[ \t]*{_CLASSES}[ \t]*\{{", re.IGNORECASE)
_MEMBER = re.compile(r"(?P<word>\w+)[ \t]*:[ \t]*(?P<value>\"[^\"]*\"|[^\n}]*)")
_VERB = r"(?P<verb>contains|copies|derives|satisfies|verifies|refines|traces)"
_RELATION = re.compile(
    rf"(?P<one>{_NAME})[ \t]*(?:<-[ \t]*{_VERB}[ \t]*-|-[ \t]*{_VERB.replace('verb', 'onward')}[ \t]*->)[ \t]*"
    rf"(?P<two>{_NAME})",
    re.IGNORECASE,
)
_STYLED = re.compile(
    r"(?P<word>classDef|class|style)[ \t]+(?P<names>[^\s,]+(?:[ \t]*,[ \t]*[^\s,]+)*)[ \t]+(?P<said>[^\n]*)"
)
_CLASSED = re.compile(rf"(?P<name>{_NAME})[ \t]*:::(?P<classes>[\w, \t]+)")
_TITLE = re.compile(r"title[ \t]+([^\n]*)")
_DIRECTION = re.compile(r"direction[ \t]+(TB|BT|LR|RL)\b[^\n]*")
_CONTAINS = "contains"


@dataclass(slots=True)
class _Box:
    name: str
    kind: str
    members: list[str] = field(default_factory=list[str])
    classes: list[str] = field(default_factory=list[str])
    style: JsonObject = field(default_factory=dict[str, object])


class _Reader:
    def __init__(self, diagram: Diagram, losses: Losses) -> None:
        self._cursor = diagram.cursor
        self._losses = losses
        self._most = diagram.source.most_elements
        self._rows = Rows(self._most)
        self.title = diagram.title
        self.direction = "TB"
        self.boxes: dict[str, _Box] = {}
        self.relations: list[tuple[str, str, str, Place]] = []
        self.class_styles: dict[str, JsonObject] = {}

    def statement(self, place: Place) -> None:
        """A definition, a relationship, or a remark on looks."""
        cursor = self._cursor
        text, at = cursor.text, cursor.at
        if (direction := _DIRECTION.match(text, at)) is not None:
            self.direction = DIRECTIONS[direction[1]]
            cursor.at = direction.end()
        elif (described := skip_description(cursor)) is not None:
            self.title = self.title or described
        elif text.startswith("#", at):
            cursor.rest_of_line()
        elif (head := _HEAD.match(text, at)) is not None and head["kind"].lower() in _KINDS:
            cursor.at = head.end()
            self._define(head)
        elif (relation := _RELATION.match(text, at)) is not None:
            cursor.at = relation.end()
            self._relate(relation, place)
        elif (styled := _STYLED.match(text, at)) is not None:
            cursor.at = styled.end()
            self._paint(styled, place)
        elif (classed := _CLASSED.match(text, at)) is not None:
            cursor.at = classed.end()
            self._classify([classed["name"]], classed["classes"], place)
        elif (title := _TITLE.match(text, at)) is not None:
            self.title = quoted(title[1])
            cursor.at = title.end()
        else:
            rest = text[at : cursor.line_end()]
            raise NotUnderstood(at, f"{shown(rest)} is not a statement of a requirement diagram")

    def _count(self) -> None:
        require_room(self._most, self.boxes, self.relations)

    def _define(self, head: re.Match[str]) -> None:
        name = quoted(head["name"])
        box = self.boxes.get(name)
        if box is None:
            self._count()
            box = self.boxes[name] = _Box(name, _KINDS[head["kind"].lower()])
        box.classes += _words(head["classes"])
        self._take_members(box)

    def _take_members(self, box: _Box) -> None:
        cursor = self._cursor
        while True:
            cursor.skip(" \t\r\n;")
            place = cursor.place()
            if cursor.done:
                self._losses.unread(place, f"{shown(box.name)} is not closed by }}")
                return
            if cursor.take("}") or self._losses.too_many(place):
                return
            self._rows.count()
            found = _MEMBER.match(cursor.text, cursor.at)
            if found is None or found["word"].lower() not in _MEMBERS:
                self._losses.unread(place, f"{shown(cursor.rest_of_line())} is no member of a requirement")
                continue
            cursor.at = found.end()
            value = quoted(found["value"])
            if value:
                box.members.append(f"{_MEMBERS[found['word'].lower()]}: {value}")

    def _relate(self, found: re.Match[str], place: Place) -> None:
        ends = [quoted(found["one"]), quoted(found["two"])]
        if found["verb"]:
            ends.reverse()
        self._count()
        self.relations.append((ends[0], ends[1], (found["verb"] or found["onward"]).lower(), place))

    def _paint(self, found: re.Match[str], place: Place) -> None:
        if found["word"] == "class":
            self._classify(found["names"].split(","), found["said"], place)
            return
        style = style_of(found["said"].strip().rstrip(";"), place, self._losses)
        for name in _words(found["names"]):
            if found["word"] == "classDef":
                self.class_styles[name] = self.class_styles.get(name, {}) | style
            elif (box := self._known(name, place)) is not None:
                box.style |= style

    def _classify(self, names: list[str], classes: str, place: Place) -> None:
        for name in names:
            if (box := self._known(quoted(name), place)) is not None:
                box.classes += _words(classes.strip().rstrip(";"))

    def _known(self, name: str, place: Place) -> _Box | None:
        box = self.boxes.get(name)
        if box is None:
            self._losses.formless(place, f"there is no requirement {shown(name)} to style")
        return box

    def document(self, assembly: Assembly) -> JsonObject:
        """The document of all statements."""
        assembly.styles.update({name: style for name, style in self.class_styles.items() if style})
        for box in self.boxes.values():
            style = style_by_classes((DEFAULT_CLASS, *box.classes), box.style, self.class_styles)
            extensions = {"attributes": box.members} if box.members else None
            label = f"«{box.kind}»\n{box.name}"
            assembly.node(box.name, nodeType="uml.class", label=label, style=style, extensions=extensions)
        for start, end, verb, place in self.relations:
            unknown = next((name for name in (start, end) if name not in self.boxes), None)
            if unknown is not None:
                self._losses.unread(place, f"a relationship of {shown(unknown)}, which is not defined")
                continue
            source, target = ({"elementId": assembly.name(name)} for name in (start, end))
            kind = "uml.associates" if verb == _CONTAINS else "uml.depends"
            assembly.edge(source, target, edgeType=kind, label=f"«{verb}»")
        strategy = {"algorithm": "hierarchical", "direction": self.direction}
        return assembly.document("architecture", title=self.title, layoutStrategy=strategy)


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a requirement diagram."""
    reader = _Reader(diagram, losses)
    read_all(diagram, losses, reader.statement)
    return reader.document(Assembly("mermaid", diagram.source))


def _words(text: str | None) -> list[str]:
    return [word.strip() for word in (text or "").split(",") if word.strip()]
