"""A structure as a scene document: nodes, frames, edges and notes. A diagram of entities alone has tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.reading.assembly import Assembly
from scenograph.reading.classifiers import classifier, relation
from scenograph.reading.plantuml.structure import CLASSES, HOLDERS, PumlElement, PumlNote, PumlRelation, PumlStructure
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

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
        self._is_described = bool(leaves - (HOLDERS - {"actor", "usecase", "component"})) or (
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
        return one.code in self._children and one.kind in HOLDERS

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
            return path if self._chart.elements[path].kind in HOLDERS else one.home
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
