"""The way into this room: a workspace of Structurizr to a document, drawn as one of its views."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.c4 import described, related, titled
from scenograph.reading.source import Losses, Place, Source, Unreadable, shown
from scenograph.reading.structurizr.workspace import (
    COMPONENT,
    CONTAINER,
    CUSTOM,
    INFRASTRUCTURE,
    NODE,
    PERSON,
    SYSTEM,
    TITLES,
    C4Element,
    C4Group,
    C4Relation,
    C4View,
    Named,
    Workspace,
    parse,
    read_workspace,
)
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject, is_object, object_at
from scenograph.scene.links import is_link
from scenograph.scene.strict_json import StrictJsonError
from scenograph.scene.strict_json import parse as parse_json

# The elements and relationships that a view shows, by its kind and its expressions.

_STATIC = frozenset({PERSON, SYSTEM, CUSTOM})
_ALLOWED = {
    "systemlandscape": _STATIC,
    "systemcontext": _STATIC,
    "container": _STATIC | {CONTAINER},
    "component": _STATIC | {CONTAINER, COMPONENT},
    "custom": frozenset({CUSTOM}),
}
"""Kinds of elements that a view may show."""
_CONDITION = re.compile(
    r"(?P<what>element|relationship)\.?(?P<member>[\w.]*)\s*(?P<mark>==|!=)\s*\"?(?P<value>[^\"]*)\"?"
)
_LONGEST_RULE = 2_000  # characters of an expression
_TYPES = {
    "person": PERSON,
    "softwaresystem": SYSTEM,
    "container": CONTAINER,
    "component": COMPONENT,
    "custom": CUSTOM,
    "deploymentnode": NODE,
    "infrastructurenode": INFRASTRUCTURE,
}


class _Selection:
    """The content of a view: elements and relationships in the order of the model."""

    def __init__(self, view: C4View, workspace: Workspace, names: dict[str, Named]) -> None:
        self._view = view
        self._workspace = workspace
        self._names = names
        self._held: dict[int, C4Element] = {}
        self.relations: list[C4Relation] = []
        if view.elements is not None:
            self._held = {id(one): one for one in view.elements}
            self.relations = [*(view.relations or ()), *view.steps]
        elif view.kind == "dynamic":
            self.relations = view.steps
            self._held = {id(end): end for one in view.steps for end in (one.start, one.end)}
        else:
            self._choose()
        self.elements = [one for one in workspace.elements if id(one) in self._held]

    def filter(self, view: C4View) -> None:
        """Keep only elements with a tag of a filtered view, or only elements without."""
        tags = set(view.tags)
        self.elements = [one for one in self.elements if tags.isdisjoint(one.all_tags) == view.is_without]
        held = set(map(id, self.elements))
        self.relations = [
            one
            for one in self.relations
            if tags.isdisjoint(one.all_tags) == view.is_without and {id(one.start), id(one.end)} <= held
        ]

    def _choose(self) -> None:
        gone: set[int] = set()
        for is_included, rule in self._view.rules:
            named = self._names.get(rule.lower())
            if isinstance(named, C4Relation):
                own = {id(one) for one in self._workspace.relations if one is named or one.base is named}
                self._workspace.spend(len(self._workspace.relations))
                gone = gone - own if is_included else gone | own
            elif is_included:
                self._held |= {id(one): one for one in self._included(rule)}
            else:
                self._exclude(rule, gone)
        if self._view.kind == "deployment":
            self._with_nodes()
            self.relations = [
                one for one in (*self._workspace.relations, *self._between_instances()) if self._shows(one)
            ]
        else:
            self.relations = [one for one in self._workspace.relations if self._shows(one)]
        self.relations = [one for one in self.relations if id(one) not in gone]

    def _shows(self, one: C4Relation) -> bool:
        return id(one.start) in self._held and id(one.end) in self._held

    def _may(self, one: C4Element) -> bool:
        """Whether the view may show an element: not the containers of the scope."""
        view = self._view
        if view.kind == "deployment":
            return one.environment == view.environment and bool(one.environment)
        around = [] if view.scope is None or view.kind == "systemcontext" else list(view.scope.chain())
        return (
            one.kind in _ALLOWED.get(view.kind, ()) and not one.environment and not any(one is each for each in around)
        )

    # Expressions.

    def _included(self, rule: str) -> Iterable[C4Element]:
        found = self._default() if rule in {"*", "*?"} else self._matched(rule)
        if self._view.kind == "deployment":
            wanted = set(map(id, found))
            found = [one for one in self._workspace.elements if id(one) in wanted or id(one.origin) in wanted]
        return [one for one in found if self._may(one)]

    def _default(self) -> list[C4Element]:
        """The elements of `include *`."""
        view, everything = self._view, self._workspace.elements
        scope = view.scope
        if view.kind == "deployment":
            return [one for one in everything if one.origin is None or scope is None or self._is_of(one, scope)]
        if scope is None:
            return list(everything)
        own = [scope] if view.kind == "systemcontext" else [one for one in everything if one.parent is scope]
        wanted = _STATIC if view.kind != "component" else _STATIC | {CONTAINER}
        near = self._near(own)
        if view.kind == "component":
            near = [one for one in near if one.kind != CONTAINER or one.parent is scope.parent]
        return [*own, *(one for one in near if one.kind in wanted)]

    def _is_of(self, one: C4Element, scope: C4Element) -> bool:
        """Whether an instance belongs to a system, or is a system related to it."""
        origin = one.shown
        if any(each is scope for each in origin.chain()):
            return True
        return origin.kind == SYSTEM and bool(
            self._workspace.between(scope, origin) or self._workspace.between(origin, scope)
        )

    def _near(self, own: list[C4Element]) -> list[C4Element]:
        held = set(map(id, own))
        found = list[C4Element]()
        for one in self._workspace.relations:
            if id(one.start) in held:
                found.append(one.end)
            if id(one.end) in held:
                found.append(one.start)
        self._workspace.spend(len(self._workspace.relations))
        return found

    def _matched(self, rule: str) -> list[C4Element]:
        """The elements that an expression names."""
        if len(rule) > _LONGEST_RULE:
            self._workspace.losses.formless(self._view.place, "an expression of a view is too long")
            return []
        for mark, holds in (("||", any), ("&&", all)):
            if mark in rule:
                parts = [{id(one) for one in self._matched(part.strip())} for part in rule.split(mark)]
                return [one for one in self._workspace.elements if holds(id(one) in part for part in parts)]
        self._workspace.spend(len(self._workspace.elements))
        condition = _CONDITION.fullmatch(rule.strip())
        if condition is None or condition["what"] != "element":
            return self._around(rule) if "->" in rule else self._named(rule)
        member, value = condition["member"].lower(), condition["value"].strip()
        if not member:
            return self._matched(value)
        is_wanted = condition["mark"] == "=="
        return [one for one in self._workspace.elements if self._has(one, member, value) == is_wanted]

    def _named(self, rule: str) -> list[C4Element]:
        found = self._names.get(rule.lower())
        if isinstance(found, C4Group):
            return [one for one in self._workspace.elements if found.holds(one)]
        if isinstance(found, C4Element):
            return [found]
        what = f"the expression {shown(rule, 40)} of a view is not understood"
        self._workspace.losses.formless(self._view.place, what)
        return []

    def _around(self, rule: str) -> list[C4Element]:
        """The elements of `->x->`: all elements with a relationship to or from x."""
        start, _, rest = rule.partition("->")
        middle, _, _ = (rest if not start.strip() else rule).partition("->")
        name = middle.strip() or start.strip() or rest.strip()
        known = self._names.get(name.lower())
        if isinstance(known, C4Group):
            found = [one for one in self._workspace.elements if known.holds(one)]
        elif isinstance(known, C4Element):
            found = [known]
        else:
            return list(self._workspace.elements) if name == "*" else []
        own = [one for one in self._workspace.elements if any(each in found for each in one.chain())]
        self._workspace.spend(len(self._workspace.elements) * len(found))
        held = set(map(id, own))
        for one in self._workspace.relations:
            if rule.startswith("->") and id(one.end) in held:
                found.append(one.start)
            if rule.endswith("->") and id(one.start) in held:
                found.append(one.end)
        return found

    def _has(self, one: C4Element, member: str, value: str) -> bool:
        words = [part.strip() for part in value.split(",")]
        if member in {"tag", "tags"}:
            return all(word in one.all_tags for word in words)
        if member == "type":
            return one.kind == _TYPES.get(value.lower())
        if member == "parent":
            parent = self._names.get(value.lower())
            return one.parent is not None and one.parent is parent
        if member == "technology":
            return one.technology == value
        return member == "group" and "/".join(one.group) == value

    def _exclude(self, rule: str, gone: set[int]) -> None:
        condition = _CONDITION.fullmatch(rule.strip())
        if (condition is not None and condition["what"] == "relationship") or (
            "->" in rule and not rule.startswith("->") and not rule.endswith("->")
        ):
            gone |= {id(one) for one in self._excluded(rule, condition)}
            self._workspace.spend(len(self._workspace.relations))
            return
        for one in list(self._held.values()) if rule == "*" else self._matched(rule):
            self._held.pop(id(one), None)

    def _excluded(self, rule: str, condition: re.Match[str] | None) -> list[C4Relation]:
        """The relationships that an expression names."""
        everything = self._workspace.relations
        if condition is not None and (member := condition["member"].lower()):
            value, is_wanted = condition["value"].strip(), condition["mark"] == "=="
            if member in {"source", "destination"}:
                end = self._names.get(value.lower())
                ends = ((one, one.start if member == "source" else one.end) for one in everything)
                return [one for one, each in ends if (each is end) == is_wanted]
            held = ((one, one.all_tags if member == "tag" else [one.technology]) for one in everything)
            return [one for one, words in held if (value in words) == is_wanted]
        path = condition["value"] if condition is not None else rule
        if path.strip() == "*":
            return list(everything)
        start, _, end = path.partition("->")
        starts, ends = ({id(one) for one in self._end(word.strip())} for word in (start, end))
        return [one for one in everything if id(one.start) in starts and id(one.end) in ends]

    def _end(self, word: str) -> list[C4Element]:
        return list(self._workspace.elements) if word == "*" else self._matched(word)

    # Deployments.

    def _with_nodes(self) -> None:
        """The nodes around shown elements, without empty nodes."""
        leaves = [one for one in self._held.values() if one.origin is not None or one.kind == INFRASTRUCTURE]
        keep = {id(each): each for one in leaves for each in one.chain()}
        scope = self._view.scope
        self._held = keep if scope is not None or leaves else self._held

    def _between_instances(self) -> list[C4Relation]:
        """The relationships of elements, between their instances."""
        by_origin: dict[int, list[C4Element]] = {}
        for one in self._held.values():
            if one.origin is not None:
                by_origin.setdefault(id(one.origin), []).append(one)
        found = list[C4Relation]()
        for one in self._workspace.relations:
            starts, ends = by_origin.get(id(one.start), ()), by_origin.get(id(one.end), ())
            self._workspace.spend(len(starts) * len(ends))
            found += [
                C4Relation(start, end, one.place, one.description, one.technology, one.tags)
                for start in starts
                for end in ends
                if start is not end and start.deployed == end.deployed
            ]
        return found


# The front door: a workspace of Structurizr to a document. One view is drawn: the first of containers, else the
# first.

_FAMILY = "architecture"
_BEGINS = re.compile(
    r"\A(?:[\s\ufeff]|//[^\n]*+|#[^\n]*+|/\*(?:(?!\*/)[\s\S])*+\*/|!\w+[^\n{]*+\n)*+workspace\b[^\n{]{0,2000}(?:\\\n[^\n{]{0,500})?\{",
    re.IGNORECASE,
)
_MODEL = re.compile(r"^[ \t]*(?:model|views)[ \t\r]*\{", re.MULTILINE | re.IGNORECASE)
_FIRST_KINDS = ("container", "systemcontext", "systemlandscape")
_SHAPES = {
    **dict.fromkeys(("roundedbox", "folder", "webbrowser", "window", "mobiledeviceportrait"), "roundedRect"),
    **dict.fromkeys(("mobiledevicelandscape", "component", "terminal", "shell"), "roundedRect"),
    "circle": "ellipse",
    "ellipse": "ellipse",
    "hexagon": "hexagon",
    "diamond": "diamond",
    "cylinder": "cylinder",
    "bucket": "cylinder",
    "pipe": "tube",
}
_PAINTS = {"background": "fill", "stroke": "stroke", "color": "textColor"}
_LONGEST_LINK = 2_000
_DASHED = {"dash": [6, 4]}
_FILTERED = "filtered"
_EVERYTHING = C4View("systemlandscape", Place(1), rules=[(True, "*")])
_KIND_WORDS = {"systemlandscape": "SystemLandscape", "systemcontext": "SystemContext"} | {
    kind: kind.capitalize() for kind in ("container", "component", "dynamic", "deployment", "custom", _FILTERED)
}
_MOST_NAMED = 40


def recognizes(text: str) -> bool:
    """Whether a text is a workspace of Structurizr, in its language or as JSON."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return '"views"' in text and _json(text) is not None
    return _BEGINS.match(text) is not None and _MODEL.search(text) is not None


def _json(text: str) -> JsonObject | None:
    try:
        root = parse_json(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))
    except StrictJsonError:
        return None
    if not is_object(root) or not is_object(root.get("views")):
        return None
    return root if object_at(root, "model").keys() & {"people", "softwareSystems", "deploymentNodes"} else None


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a workspace's view. Unreadable without an element, TooLarge."""
    workspace = Workspace(losses, source.most_elements)
    names: dict[str, Named] = {}
    root = _json(source.text) if source.text.lstrip("\ufeff \t\r\n").startswith("{") else None
    if root is not None:
        read_workspace(root, workspace)
    else:
        names = parse(source.text, workspace)
    if not workspace.elements:
        expected = 'a workspace with a model: workspace { model { a = softwareSystem "A" } }'
        raise Unreadable(losses.first or Place(1, 1), expected)
    views = _keyed(workspace.views)
    key = _chosen(views, source.view or source.kept_view, losses)
    view = views[key] if key else _EVERYTHING
    base = views.get(view.base, _EVERYTHING)
    selection = _Selection(base if view.kind == _FILTERED else view, workspace, names)
    if view.kind == _FILTERED:
        selection.filter(view)
        view.title = view.title or base.title
        view.direction = view.direction or base.direction
    return _Sheet(workspace, view, selection, source, key).document()


def _keyed(views: Iterable[C4View]) -> dict[str, C4View]:
    """The views by key; without a key, by Structurizr's own: the kind with a number."""
    found: dict[str, C4View] = {}
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
    for view in views:
        numbered = (f"{_KIND_WORDS.get(view.kind, view.kind)}-{number:03}" for number in numbers[view.kind])
        found.setdefault(view.key or next(key for key in numbered if key not in found), view)
    return found


def _chosen(views: Mapping[str, C4View], wanted: str | None, losses: Losses) -> str:
    """The key of the requested view, else of the first of containers, of the context, the landscape or any kind; "" for
    a workspace without views. Unreadable for an unknown key."""
    named = ", ".join([*views][:_MOST_NAMED]) + (", …" if len(views) > _MOST_NAMED else "")
    if wanted is not None:
        if wanted not in views:
            told = f"Its views are: {named}." if views else "It has none."
            raise Unreadable(Place(1), f"a workspace with the view {shown(wanted)}", told)
        return wanted
    ranks = {kind: rank for rank, kind in enumerate(_FIRST_KINDS)}
    first = min(views, key=lambda key: ranks.get(views[key].kind, len(ranks)), default="")
    if len(views) > 1:
        told = f"one view is drawn, {shown(first)}; `view` chooses one of: {named}"
        losses.formless(views[first].place, told)
    return first


class _Sheet:
    def __init__(self, workspace: Workspace, view: C4View, selection: _Selection, source: Source, key: str) -> None:
        self._workspace = workspace
        self._view = view
        self._selection = selection
        self._assembly = Assembly("structurizr", source)
        self._assembly.view = key
        self._shown = {id(one) for one in selection.elements}
        self._children: dict[str, list[str]] = {}
        self._styles: dict[tuple[object, ...], dict[str, str]] = {}
        self._frames: dict[str, tuple[str, C4Element | None]] = {}

    def document(self) -> JsonObject:
        """The document of the view."""
        assembly, view = self._assembly, self._view
        for one in self._selection.elements:
            frame = self._home(one)
            if not self._is_frame(one):
                assembly.node(one.key, **self._node(one))
            if frame:
                self._children[frame].append(assembly.name(one.key))
        for key, (title, owner) in self._frames.items():
            style, link = (self._style(owner, ("stroke",)), self._link(owner)) if owner is not None else (None, None)
            kind = "boundary" if owner is not None else None
            children = list(dict.fromkeys(self._children[key]))
            assembly.frame(key, title=title, children=children, style=style, containerType=kind, link=link)
        for number, one in enumerate(self._selection.relations, 1):
            self._draw(one, number)
        return assembly.document(
            _FAMILY,
            title=view.title or self._title(),
            layoutStrategy={"algorithm": "hierarchical", "direction": view.direction or "TB"},
            defaults=HEADS,
        )

    def _title(self) -> str:
        scope = f"{self._view.scope.name}: " if self._view.scope is not None else ""
        return f"{scope}{self._view.key}" if self._view.key else self._workspace.name

    # Frames.

    def _is_frame(self, one: C4Element) -> bool:
        return one.kind == NODE and any(each.parent is one for each in self._selection.elements)

    def _home(self, one: C4Element) -> str:
        """Make the frames around an element; the innermost, "" for none."""
        key = self._boundary(one.parent)
        if self._is_frame(one):
            self._frames.setdefault(one.key, (_title(one), one))
            self._children.setdefault(one.key, [])
        outer = key
        for at in range(1, len(one.group) + 1):
            path = "/".join(one.group[:at])
            group = f"group {key}/{path}" if key else f"group {path}"
            self._add(group, one.group[at - 1], None, outer)
            outer = group
        return outer

    def _boundary(self, owner: C4Element | None) -> str:
        """The frame of an element that is not drawn as a node itself."""
        if owner is None or (owner.kind == NODE and id(owner) not in self._shown):
            return ""
        if owner.kind not in {CONTAINER, COMPONENT, NODE} and id(owner) in self._shown:
            return ""
        if owner.kind == NODE:
            return owner.key
        self._add(owner.key, _title(owner), owner, self._boundary(owner.parent))
        return owner.key

    def _add(self, key: str, title: str, owner: C4Element | None, outer: str) -> None:
        if key not in self._frames:
            self._frames[key] = (title, owner)
            self._children[key] = []
            if outer:
                self._children[outer].append(self._assembly.name(key))

    # Elements and relationships.

    def _node(self, one: C4Element) -> JsonObject:
        said = self._said(one.all_tags, self._workspace.element_styles)
        shape = said.get("shape", "").lower()
        kind = one.shown.kind
        is_person = kind == PERSON and shape in {"", "person"}
        return {
            "nodeType": "user" if is_person else None,
            "shape": None if is_person else _SHAPES.get(shape, "rect"),
            "label": _label(one),
            "style": self._style(one, ("background", "stroke") if is_person else _PAINTS),
            "link": self._link(one),
        }

    def _style(self, one: C4Element, paints: Iterable[str]) -> JsonObject | None:
        said = self._said(one.all_tags, self._workspace.element_styles)
        style: JsonObject = {
            _PAINTS[word]: said[word] for word in paints if parse_color(said.get(word, "")) is not None
        }
        if said.get("border", "").lower() in {"dashed", "dotted"}:
            style |= _DASHED
        return style or None

    def _said(self, tags: list[str], styles: dict[str, dict[str, str]]) -> dict[str, str]:
        """The style of tags: a later tag wins over an earlier tag."""
        key = id(styles), *tags
        if key not in self._styles:
            self._styles[key] = {name: value for tag in tags for name, value in styles.get(tag, {}).items()}
        return self._styles[key]

    def _link(self, one: C4Element) -> JsonObject | None:
        """The link of an element; an invalid address is told."""
        address = one.url or one.shown.url
        if not address[:8].lower().startswith(("http://", "https://")):
            return None
        if is_link(address) and len(address) <= _LONGEST_LINK:
            return {"href": address}
        self._workspace.losses.formless(one.place, f"the link {shown(address, 40)} is left out: it is no valid address")
        return None

    def _draw(self, one: C4Relation, number: int) -> None:
        said = self._said(one.all_tags, self._workspace.relation_styles)
        label = related(one.description, one.technology)
        if self._view.kind == "dynamic":
            label = f"{number}: {label}"
        style: JsonObject = {"stroke": said["color"]} if parse_color(said.get("color", "")) is not None else {}
        if said.get("dashed", "true").lower() == "true" and said.get("style", "dashed").lower() != "solid":
            style |= _DASHED
        self._assembly.edge(
            {"elementId": self._assembly.name(one.start.key)},
            {"elementId": self._assembly.name(one.end.key)},
            f"{one.start.key} -> {one.end.key}",
            label=label,
            style=style or None,
        )


def _label(one: C4Element) -> str:
    """Name, kind with technology, and description."""
    return described(_title(one), one.description or one.shown.description)


def _title(one: C4Element) -> str:
    """Name, and kind with technology."""
    told = one.shown
    name = f"{told.name} ×{one.instances}" if one.instances not in {"", "1"} else told.name
    return titled(name, TITLES.get(told.kind, ""), one.technology or told.technology)
