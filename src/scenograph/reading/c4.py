"""The C4 model (c4model.com) for all of its readers: the words of its boxes and lines, and the macros of C4-PlantUML,
which are the language of Mermaid's C4 diagrams as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.source import Cursor, Losses, Place, require_room, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

PERSON_TITLE, SYSTEM_TITLE = "Person", "Software System"
CONTAINER_TITLE, COMPONENT_TITLE = "Container", "Component"
NODE_TITLE = "Deployment Node"


def titled(name: str, kind: str, technology: str) -> str:
    """The name of a box; kind and technology in a second line."""
    told = ": ".join(part for part in (kind, technology) if part)
    return "\n".join(part for part in (name, f"[{told}]" if told else "") if part)


def described(title: str, description: str) -> str:
    """The title of a box with its description below."""
    return f"{title}\n{description}" if description else title


def related(description: str, technology: str) -> str:
    """The label of a relationship: the description, and the technology in a second line."""
    return "\n".join(part for part in (description, f"[{technology}]" if technology else "") if part)


# Macros.

Arguments = Mapping[str, str]
_BOX = ("alias", "label", "descr", "sprite", "tags", "link", "type")
_TECHNICAL_BOX = ("alias", "label", "techn", "descr", "sprite", "tags", "link")
_TITLED_BOUNDARY = ("alias", "label", "tags", "link")
_NODE = ("alias", "label", "type", "descr", "sprite", "tags", "link")
_RELATION = ("from", "to", "label", "techn", "descr", "sprite", "tags", "link")
_LONGEST_CALL = 4_000  # characters


class BoxMacro(NamedTuple):
    """A macro of a box. `members` are its arguments in order; `node_type` is that of the node."""

    kind: str
    members: tuple[str, ...]
    node_type: str | None = None
    shape: str | None = None


class BoundaryMacro(NamedTuple):
    """A macro of a boundary, with calls in braces."""

    kind: str
    members: tuple[str, ...]


class RelationMacro(NamedTuple):
    """A macro of a relationship. `heads` are the ends with an arrow."""

    members: tuple[str, ...] = _RELATION
    heads: tuple[bool, bool] = (False, True)


def _boxes() -> dict[str, BoxMacro]:
    """A row for each kind of box, each as a store or a queue, and each within or outside of the enterprise."""
    rows = {
        "Person": BoxMacro(PERSON_TITLE, _BOX, "user"),
        "Person_Ext": BoxMacro(f"External {PERSON_TITLE}", _BOX, "user"),
    }
    kinds = {
        "System": (SYSTEM_TITLE, _BOX),
        "Container": (CONTAINER_TITLE, _TECHNICAL_BOX),
        "Component": (COMPONENT_TITLE, _TECHNICAL_BOX),
    }
    looks = {"": (None, "rect"), "Db": ("database", "cylinder"), "Queue": ("queue", "tube")}
    for word, (title, members) in kinds.items():
        for ending, (node_type, shape) in looks.items():
            rows[word + ending] = BoxMacro(title, members, node_type, None if node_type else shape)
            rows[f"{word}{ending}_Ext"] = BoxMacro(f"External {title}", members, "external", shape)
    return rows


BOXES: Mapping[str, BoxMacro] = MappingProxyType(_boxes())
BOUNDARIES: Mapping[str, BoundaryMacro] = MappingProxyType(
    {
        "Boundary": BoundaryMacro("", ("alias", "label", "type", "tags", "link")),
        "Enterprise_Boundary": BoundaryMacro("Enterprise", _TITLED_BOUNDARY),
        "System_Boundary": BoundaryMacro(SYSTEM_TITLE, _TITLED_BOUNDARY),
        "Container_Boundary": BoundaryMacro(CONTAINER_TITLE, _TITLED_BOUNDARY),
        **dict.fromkeys(
            ("Node", "Node_L", "Node_R", "Deployment_Node", "Deployment_Node_L", "Deployment_Node_R"),
            BoundaryMacro(NODE_TITLE, _NODE),
        ),
    }
)
_SIDES = ("U", "Up", "D", "Down", "L", "Left", "R", "Right", "Neighbor")
RELATIONS: Mapping[str, RelationMacro] = MappingProxyType(
    {
        **dict.fromkeys(("Rel", *(f"Rel_{side}" for side in _SIDES)), RelationMacro()),
        **dict.fromkeys(("Rel_Back", "Rel_Back_Neighbor"), RelationMacro(heads=(True, False))),
        **dict.fromkeys(("BiRel", *(f"BiRel_{side}" for side in _SIDES)), RelationMacro(heads=(True, True))),
        **dict.fromkeys(("RelIndex", *(f"RelIndex_{side}" for side in _SIDES)), RelationMacro(("index", *_RELATION))),
    }
)
_ELEMENT_STYLE = ("alias", "bgColor", "fontColor", "borderColor", "shadowing", "shape")
_RELATION_STYLE = ("from", "to", "textColor", "lineColor", "offsetX", "offsetY")
_ELEMENT_TAG = ("tag", "bgColor", "fontColor", "borderColor", "shadowing", "shape", "sprite", "techn", "legendText")
_RELATION_TAG = ("tag", "textColor", "lineColor", "lineStyle", "sprite", "techn", "legendText")
_TAGGING = frozenset(
    f"Add{kind}Tag"
    for kind in (
        *("Element", "Rel", "Boundary", "Person", "ExternalPerson", "System", "ExternalSystem", "Container"),
        *("ExternalContainer", "Component", "ExternalComponent", "Node"),
    )
)
_ELEMENT_PAINTS = {"bgColor": "fill", "fontColor": "textColor", "borderColor": "stroke"}
_RELATION_PAINTS = {"textColor": "textColor", "lineColor": "stroke"}


class MacroCall(NamedTuple):
    """A call: name of the macro, arguments in order, and named arguments."""

    macro: str
    said: Sequence[str]
    named: Arguments

    def arguments(self, members: Sequence[str]) -> dict[str, str]:
        """The arguments by the names of the macro's members."""
        return dict(zip(members, self.said, strict=False)) | dict(self.named)


_CALL = re.compile(r"(?P<macro>[A-Za-z]\w{0,60})[ \t]*\(")
_ARGUMENT = re.compile(
    r"""\s*+(?:\$(?P<name>\w{1,60})\s*+=\s*+)?(?:"(?P<text>[^"]*+)"[^,()"]*+|(?P<word>[^,()"]*+"""
    r"""(?:\([^()]*+\)[^,()"]*+)*+))(?P<end>[,)])"""
)


def take_call(cursor: Cursor) -> MacroCall | None:
    """Pass `Name(…)`; None, with nothing passed, for other text."""
    found = _CALL.match(cursor.text, cursor.at)
    if found is None:
        return None
    said: list[str] = []
    named: dict[str, str] = {}
    at, reach = found.end(), found.end() + _LONGEST_CALL
    while (argument := _ARGUMENT.match(cursor.text, at, reach)) is not None:
        value = argument["word"] if argument["text"] is None else argument["text"]
        if argument["name"] is None:
            said.append(value.strip())
        else:
            named[argument["name"]] = value.strip()
        at = argument.end()
        if argument["end"] == ")":
            cursor.at = at
            return MacroCall(found["macro"], said, named)
    return None


# The chart.


@dataclass(slots=True)
class C4Box:
    """A box, or a boundary with its content. `home` is the alias of the boundary around it, "" for none."""

    alias: str
    macro: BoxMacro | BoundaryMacro
    said: Arguments
    place: Place
    home: str
    is_open: bool = False
    style: JsonObject = field(default_factory=dict[str, object])


@dataclass(slots=True)
class C4Line:
    """A relationship between two aliases."""

    ends: tuple[str, str]
    macro: RelationMacro
    said: Arguments
    place: Place
    style: JsonObject = field(default_factory=dict[str, object])


@dataclass(slots=True)
class C4Chart:
    """The boxes and relationships of macro calls, in their order. `words` reads a text as displayed. `is_numbered`: the
    relationships are steps. Raises TooLarge beyond `most` parts."""

    losses: Losses
    most: int
    words: Callable[[str], str]
    is_numbered: bool = False
    boxes: dict[str, C4Box] = field(default_factory=dict[str, C4Box])
    lines: list[C4Line] = field(default_factory=list[C4Line])
    open: list[C4Box] = field(default_factory=list[C4Box])
    tags: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    def take(self, call: MacroCall, place: Place) -> bool:
        """Add what a call makes; False for an unknown macro. A boundary stays open."""
        box = BOXES.get(call.macro) or BOUNDARIES.get(call.macro)
        if box is not None:
            self._box(box, call.arguments(box.members), place)
        elif (relation := RELATIONS.get(call.macro)) is not None:
            self._relate(relation, call.arguments(relation.members), place)
        elif call.macro == "UpdateElementStyle":
            self._paint_box(call.arguments(_ELEMENT_STYLE), place)
        elif call.macro == "UpdateRelStyle":
            self._paint_lines(call.arguments(_RELATION_STYLE), place)
        elif call.macro in _TAGGING:
            self._add_tag(call.macro, call, place)
        else:
            return False
        return True

    def finish(self) -> None:
        """Report boundaries that are still open."""
        for box in self.open:
            self.losses.unread(box.place, f"the boundary {shown(box.alias)} is not closed by }}")

    def close(self) -> bool:
        """Close the innermost boundary; False where none is open."""
        if self.open:
            self.open.pop().is_open = False
            return True
        return False

    def _count(self) -> None:
        require_room(self.most, self.boxes, self.lines)

    def _box(self, macro: BoxMacro | BoundaryMacro, said: Arguments, place: Place) -> None:
        alias = said.get("alias", "") or f"box {len(self.boxes) + 1}"
        home = self.open[-1].alias if self.open else ""
        box = self.boxes.get(alias)
        if box is None:
            self._count()
            box = self.boxes[alias] = C4Box(alias, macro, said, place, home)
        elif not box.is_open:
            box.macro, box.said, box.home = macro, said, home
        if isinstance(macro, BoundaryMacro):
            self.open.append(box)
            box.is_open = True
        if said.get("sprite"):
            self.losses.formless(place, f"the sprite {shown(said['sprite'])} is left out")
        self._paint_by_tags(said.get("tags", ""), box.style, place)

    def _relate(self, macro: RelationMacro, said: Arguments, place: Place) -> None:
        self._count()
        line = C4Line((said.get("from", ""), said.get("to", "")), macro, said, place)
        self.lines.append(line)
        self._paint_by_tags(said.get("tags", ""), line.style, place)

    def _paint_box(self, said: Arguments, place: Place) -> None:
        box = self.boxes.get(said.get("alias", ""))
        if box is None:
            self.losses.formless(place, f"there is no box {shown(said.get('alias', ''))} to paint")
        else:
            box.style |= self._style(said, _ELEMENT_PAINTS, place)

    def _add_tag(self, macro: str, call: MacroCall, place: Place) -> None:
        """A look for all boxes or relationships with a tag."""
        is_line = macro == "AddRelTag"
        said = call.arguments(_RELATION_TAG if is_line else _ELEMENT_TAG)
        self.tags[said.get("tag", "")] = self._style(said, _RELATION_PAINTS if is_line else _ELEMENT_PAINTS, place)

    def _paint_by_tags(self, tags: str, style: JsonObject, place: Place) -> None:
        """Add the looks of tags, joined by `+`; a tag without a look is reported."""
        for tag in filter(None, (word.strip() for word in tags.split("+"))):
            if tag in self.tags:
                style |= self.tags[tag]
            else:
                self.losses.formless(place, f"the tag {shown(tag)} has no look here")

    def _paint_lines(self, said: Arguments, place: Place) -> None:
        ends = (said.get("from", ""), said.get("to", ""))
        found = [line for line in self.lines if line.ends == ends]
        for line in found:
            line.style |= self._style(said, _RELATION_PAINTS, place)
        if not found:
            self.losses.formless(place, f"there is no relationship from {shown(ends[0])} to {shown(ends[1])} to paint")

    def _style(self, said: Arguments, paints: Mapping[str, str], place: Place) -> JsonObject:
        for name in paints.keys() & said.keys():
            if said[name] and parse_color(said[name]) is None:
                self.losses.formless(place, f"the colour {shown(said[name])} is not known")
        return {paint: said[name] for name, paint in paints.items() if parse_color(said.get(name, "")) is not None}

    # The document.

    def draw(self, assembly: Assembly, title: str, direction: str) -> JsonObject:
        """The document of the chart."""
        children: dict[str, list[str]] = {}
        for box in self.boxes.values():
            children.setdefault(box.home, []).append(assembly.name(box.alias))
            if isinstance(box.macro, BoxMacro):
                self._draw_node(box, box.macro, assembly)
        for box in self.boxes.values():
            if isinstance(box.macro, BoundaryMacro):
                assembly.frame(
                    box.alias,
                    title=self._label(box),
                    children=children.get(box.alias, []),
                    containerType="boundary",
                    style=box.style or None,
                    link=self._link(box),
                )
        for number, line in enumerate(self.lines, 1):
            self._draw_line(line, number, assembly)
        strategy = {"algorithm": "hierarchical", "direction": direction}
        return assembly.document("architecture", title=title, layoutStrategy=strategy, defaults=HEADS)

    def _draw_node(self, box: C4Box, macro: BoxMacro, assembly: Assembly) -> None:
        assembly.node(
            box.alias,
            nodeType=macro.node_type,
            shape=macro.shape,
            label=self._label(box),
            style=box.style or None,
            link=self._link(box),
        )

    def _label(self, box: C4Box) -> str:
        technology = box.said.get("techn") or box.said.get("type") or ""
        title = titled(self.words(box.said.get("label") or box.alias), box.macro.kind, self.words(technology))
        return described(title, self.words(box.said.get("descr", "")))

    def _link(self, box: C4Box) -> JsonObject | None:
        address = box.said.get("link", "")
        if not address or is_link(address):
            return {"href": address} if address else None
        self.losses.formless(box.place, f"the link {shown(address)} is no http, https or mailto address")
        return None

    def _draw_line(self, line: C4Line, number: int, assembly: Assembly) -> None:
        unknown = next((end for end in line.ends if end not in self.boxes), None)
        if unknown is not None:
            self.losses.unread(line.place, f"a relationship with {shown(unknown)}, which is not defined here")
            return
        label = related(*(self.words(line.said.get(member, "")) for member in ("label", "techn")))
        description = self.words(line.said.get("descr", ""))
        start, end = ("triangle" if has_head else "none" for has_head in line.macro.heads)
        source, target = ({"elementId": assembly.name(end)} for end in line.ends)
        assembly.edge(
            source,
            target,
            label=described(f"{number}: {label}" if self.is_numbered else label, description),
            endpoints=None if line.macro.heads == (False, True) else {"startArrow": start, "endArrow": end},
            style=line.style or None,
        )
