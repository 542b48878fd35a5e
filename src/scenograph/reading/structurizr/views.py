"""The elements and relationships that a view shows, by its kind and its expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scenograph.reading.source import shown
from scenograph.reading.structurizr.model import (
    COMPONENT,
    CONTAINER,
    CUSTOM,
    INFRASTRUCTURE,
    NODE,
    PERSON,
    SYSTEM,
    C4Element,
    C4Group,
    C4Relation,
    C4View,
    Named,
    Workspace,
)

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


class Selection:
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
        """Keep only what has a tag of a filtered view, or only what has none."""
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
        """Whether the view may show an element: none that its scope stands in."""
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
        """The elements of `->x->`: those with a relationship to or from one."""
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
        """The nodes around what is shown, and none that holds nothing."""
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
