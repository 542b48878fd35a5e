"""A workspace of Structurizr: elements of the C4 model, relationships and views, read from the DSL or from JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.c4 import COMPONENT_TITLE, CONTAINER_TITLE, NODE_TITLE, PERSON_TITLE, SYSTEM_TITLE
from scenograph.reading.source import Losses, Place, TooLarge, require_room, shown
from scenograph.reading.tokens import END, Token, Tokens
from scenograph.scene.json_values import JsonObject, is_array, is_object, object_at, text_at

# A workspace of Structurizr: elements of the C4 model, relationships, views and styles.

PERSON, SYSTEM, CONTAINER, COMPONENT = "person", "softwaresystem", "container", "component"
NODE, INFRASTRUCTURE, CUSTOM = "deploymentnode", "infrastructurenode", "element"
_INSTANCES = frozenset({"softwaresysteminstance", "containerinstance", "instanceof"})
TITLES = {
    PERSON: PERSON_TITLE,
    SYSTEM: SYSTEM_TITLE,
    CONTAINER: CONTAINER_TITLE,
    COMPONENT: COMPONENT_TITLE,
    NODE: NODE_TITLE,
    INFRASTRUCTURE: "Infrastructure Node",
}
"""The words for kinds of elements, which are their tags as well."""
_WORK_AN_ELEMENT = 60  # steps of implied relationships and expressions, on average


@dataclass(slots=True, eq=False)
class C4Element:
    """An element. `group` is a path of names, `origin` the element of an instance, `deployed` its deployment groups."""

    kind: str
    name: str
    place: Place
    parent: C4Element | None = None
    description: str = ""
    technology: str = ""
    url: str = ""
    tags: list[str] = field(default_factory=list[str])
    group: tuple[str, ...] = ()
    environment: str = ""
    origin: C4Element | None = None
    number: int = 1
    instances: str = ""
    deployed: frozenset[str] = frozenset()

    @property
    def shown(self) -> C4Element:
        """The element with the shown name and texts; for an instance, the origin."""
        return self.origin or self

    @property
    def all_tags(self) -> list[str]:
        """Tags, with the tags of the kind in front."""
        title = TITLES.get(self.shown.kind)
        return ["Element", *([title] if title else []), *self.shown.tags, *(self.tags if self.origin else ())]

    def chain(self) -> Iterator[C4Element]:
        """The element and those around it."""
        at: C4Element | None = self
        while at is not None:
            yield at
            at = at.parent

    @property
    def key(self) -> str:
        """The path of names, the environment first."""
        names = [one.shown.name + (f" #{one.number}" if one.number > 1 else "") for one in self.chain()]
        return "/".join((*((self.environment,) if self.environment else ()), *reversed(names)))


@dataclass(slots=True, eq=False)
class C4Relation:
    """A relationship. `base` implies a relationship between elements around its own ends."""

    start: C4Element
    end: C4Element
    place: Place
    description: str = ""
    technology: str = ""
    tags: list[str] = field(default_factory=list[str])
    base: C4Relation | None = None

    @property
    def all_tags(self) -> list[str]:
        """Tags, with the tag of every relationship in front."""
        return ["Relationship", *self.tags]


@dataclass(slots=True, eq=False)
class C4Group:
    """A named group of elements."""

    parent: C4Element | None
    path: tuple[str, ...]
    environment: str = ""

    def holds(self, one: C4Element) -> bool:
        """Whether an element stands in the group."""
        is_near = one.parent is self.parent and one.environment == self.environment
        return is_near and one.group[: len(self.path)] == self.path


Named = C4Element | C4Relation | C4Group


@dataclass(slots=True)
class C4View:
    """A view. `rules` are expressions to include (True) and exclude (False), in order; `elements` and `relations` are
    those of a JSON workspace. `steps` are the relationships of a dynamic view. A filtered view shows of the view with
    the key `base` only, or `is_without`, elements and relationships with any of its `tags`."""

    kind: str
    place: Place
    key: str = ""
    scope: C4Element | None = None
    environment: str = ""
    title: str = ""
    rules: list[tuple[bool, str]] = field(default_factory=list[tuple[bool, str]])
    direction: str = ""
    steps: list[C4Relation] = field(default_factory=list[C4Relation])
    elements: list[C4Element] | None = None
    relations: list[C4Relation] | None = None
    base: str = ""
    tags: tuple[str, ...] = ()
    is_without: bool = False


@dataclass(slots=True)
class Workspace:
    """The content of a source, in its order. Raises TooLarge beyond `most` parts of a kind."""

    losses: Losses
    most: int
    name: str = ""
    elements: list[C4Element] = field(default_factory=list[C4Element])
    relations: list[C4Relation] = field(default_factory=list[C4Relation])
    views: list[C4View] = field(default_factory=list[C4View])
    element_styles: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    relation_styles: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    _pairs: dict[tuple[int, int], list[C4Relation]] = field(default_factory=dict[tuple[int, int], "list[C4Relation]"])
    _numbers: dict[str, int] = field(default_factory=dict[str, int])
    _work: int = 0

    def add(self, element: C4Element) -> C4Element:
        """Add an element, numbered if the key is taken."""
        require_room(self.most, self.elements)
        wanted = element.key
        while element.key in self._numbers:
            self._numbers[wanted] = element.number = max(self._numbers[wanted], element.number) + 1
        self._numbers[element.key] = element.number
        self.elements.append(element)
        return element

    def relate(self, relation: C4Relation) -> None:
        """Add a relationship."""
        require_room(self.most, self.relations)
        self.relations.append(relation)
        self._pairs.setdefault((id(relation.start), id(relation.end)), []).append(relation)

    def between(self, start: C4Element, end: C4Element) -> list[C4Relation]:
        """The relationships between two elements."""
        return self._pairs.get((id(start), id(end)), [])

    def imply(self, one: C4Relation) -> None:
        """Add an implied relationship between the elements around both ends, unless already related."""
        if one.start.environment or one.end.environment:
            return
        for start in one.start.chain():
            for end in one.end.chain():
                self.spend(1)
                is_nested = any(each is end for each in start.chain()) or any(each is start for each in end.chain())
                if not is_nested and not self.between(start, end):
                    tags = list(one.tags)
                    self.relate(C4Relation(start, end, one.place, one.description, one.technology, tags, one))

    def spend(self, steps: int) -> None:
        """Count work out of proportion to the source. Raises TooLarge beyond the limit."""
        self._work += steps
        if self._work > _WORK_AN_ELEMENT * self.most:
            raise TooLarge(self.most)


# The DSL of Structurizr (docs.structurizr.com/dsl/language). A broken line costs itself with its brackets.

_TOKENS = re.compile(
    r"""(?P<blank>[ \t\r\f\v\ufeff]+|\\[ \t\r]*\n|//[^\n]*+|(?<![^\s])\#(?![0-9A-Fa-f]{3,8}\b)[^\n]*+"""
    r"""|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"""
    r"""|(?P<newline>\n)"""
    r"""|(?P<text>\"\"\"(?:[^"]|"(?!""))*+\"\"\"|"(?!"")(?:[^"\\\n]|\\[^\n])*+"|"")"""
    r"""|(?P<unclosed>\"\"\"[\s\S]*+|"[^\n]*+)"""
    r"""|(?P<mark>[{}])"""
    r"""|(?P<word>[^\s"{}]++)"""
    r"""|(?P<odd>[\s\S])"""
)
DEEPEST = 40
_ARROW = re.compile(r"(?:--)?(?P<name>[\w-]*?)-?->")
_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        PERSON: ("description", "tags"),
        SYSTEM: ("description", "tags"),
        CONTAINER: ("description", "technology", "tags"),
        COMPONENT: ("description", "technology", "tags"),
        NODE: ("description", "technology", "tags", "instances"),
        INFRASTRUCTURE: ("description", "technology", "tags"),
        CUSTOM: ("metadata", "description", "tags"),
    }
)
"""Kinds of elements, with the words behind their name."""
_VIEWS = frozenset({"systemlandscape", "systemcontext", "container", "component", "dynamic", "deployment", "custom"})
_UNSEEN_VIEWS = frozenset({"image"})
_DIRECTIONS = {"tb": "TB", "bt": "BT", "lr": "LR", "rl": "RL"}
_SILENT = frozenset(
    {"properties", "perspectives", "configuration", "documentation", "branding", "terminology", "animation", "default"}
    | {"users", "theme", "themes", "healthcheck", "!docs", "!adrs", "!decisions", "!identifiers"}
)


@dataclass(slots=True)
class _Line:
    """A line of words. `opens`: a bracket follows."""

    words: list[Token]
    place: Place
    opens: bool = False

    def text(self, at: int) -> str:
        """The text of a word, "" beyond the last."""
        return _plain(self.words[at]) if at < len(self.words) else ""

    @property
    def first(self) -> str:
        """The first word in lower case."""
        return self.words[0].text.lower() if self.words else ""


@dataclass(slots=True)
class _Scope:
    """The place of a line in the model: the element around, its groups and environment."""

    element: C4Element | None = None
    group: tuple[str, ...] = ()
    environment: str = ""
    path: str = ""


@dataclass(slots=True)
class _Archetype:
    """A kind of element or relationship with defaults."""

    kind: str
    technology: str = ""
    description: str = ""
    tags: list[str] = field(default_factory=list[str])


def parse(text: str, workspace: Workspace) -> dict[str, Named]:
    """Add the content of a text to a workspace; all that has an identifier. Raises TooLarge, Unreadable."""
    parser = _Parser(text, workspace)
    parser.run()
    return parser.names


class _Parser:
    def __init__(self, text: str, workspace: Workspace) -> None:
        self._tokens = Tokens(text, _TOKENS)
        self._workspace = workspace
        self._losses = workspace.losses
        self.names: dict[str, Named] = {}
        self._archetypes: dict[str, _Archetype] = {}
        self._variables: dict[str, str] = {}
        self._environments: dict[str, str] = {}
        self._groups: set[str] = set()
        self._implies = True
        self._held: dict[int, list[C4Element]] = {}

    def run(self) -> None:
        """All lines of the text."""
        while (line := self._line()) is not None:
            if line.first == "workspace":
                self._open_workspace(line)
            elif line.first in {"!const", "!constant", "!var"}:
                self._variables[line.text(1)] = self._said(line, 2)
            elif line.first == "!include":
                self._unread(line, "other files are not read")
            elif line.words:
                self._unread(line, "expected workspace { … }")

    # Lines.

    def _line(self) -> _Line | None:
        """The next line with words, up to a bracket; None at the end of the text or behind a closing bracket."""
        tokens = self._tokens
        while tokens.take("\n"):
            pass
        first = tokens.peek()
        if first.kind == END or self._losses.too_many(tokens.place(first.at)):
            return None
        if tokens.take("}"):
            return None
        line = _Line([], tokens.place(first.at))
        while tokens.peek().kind != END and not tokens.is_at("\n", "{", "}"):
            line.words.append(tokens.next())
        line.opens = tokens.take("{")
        return line

    def _block(self, line: _Line, read: Callable[[_Line], None], depth: int = 0) -> None:
        """The lines of a line's brackets; none without."""
        if not line.opens:
            return
        if self._tokens.depth > DEEPEST:
            self._unread(line, f"brackets nest at most {DEEPEST} deep")
            return
        while (inner := self._line()) is not None:
            read(inner)
        if self._tokens.peek().kind == END and self._tokens.depth > depth:
            self._losses.unread(line.place, "a bracket is not closed")
            self._tokens.depth = depth

    def _pass(self, line: _Line) -> None:
        """Pass the brackets of a line, whatever they hold."""
        tokens = self._tokens
        if not line.opens:
            return
        outside = tokens.depth - 1
        while tokens.peek().kind != END and tokens.depth > outside:
            tokens.next()

    def _unread(self, line: _Line, what: str) -> None:
        self._losses.unread(line.place, f"{what}: {shown(' '.join(word.text for word in line.words[:6]), 60)}")
        self._pass(line)

    def _said(self, line: _Line, at: int) -> str:
        """A word of a line with the values of its variables."""
        text = line.text(at)
        if "${" not in text:
            return text
        found = _VARIABLE.sub(lambda each: self._variables.get(each[1], each[0]), text)[:_LONGEST]
        self._workspace.spend(len(found) // 100)
        return found

    # Workspace.

    def _open_workspace(self, line: _Line) -> None:
        at = 1
        if line.text(1).lower() == "extends":
            self._losses.unread(line.place, "the workspace that is extended is in another file, which is not read")
            at = 3
        self._workspace.name = self._said(line, at)

        def read(inner: _Line) -> None:
            if inner.first == "name":
                self._workspace.name = self._said(inner, 1)
            elif inner.first == "model":
                self._block(inner, lambda each: self._model_line(each, _Scope()))
            elif inner.first == "views":
                self._block(inner, self._view_line)
            else:
                self._common(inner)

        self._block(line, read)

    def _common(self, line: _Line) -> None:
        """A line that may stand anywhere."""
        if line.first in {"!const", "!constant", "!var"}:
            self._variables[line.text(1)] = self._said(line, 2)
        elif line.first == "!impliedrelationships":
            self._implies = line.text(1).lower() != "false"
        elif line.first in {"!include", "!script", "!plugin", "!components"}:
            self._unread(line, "other files and programs are not read")
        elif line.first in _SILENT or line.first in {"description", "name"}:
            self._pass(line)
        else:
            self._unread(line, "this line is not understood")

    # Model.

    def _model_line(self, line: _Line, scope: _Scope) -> None:
        name = ""
        if line.text(1) == "=" and len(line.words) > 2:
            name, line.words = line.text(0), line.words[2:]
        arrow = next((at for at in (0, 1) if _ARROW.fullmatch(line.text(at))), None)
        kind = self._archetypes[line.first].kind if line.first in self._archetypes else line.first
        if arrow is not None:
            self._relation(line, arrow, name, scope)
        elif kind in _KINDS:
            self._element(line, kind, name, scope)
        elif kind in _INSTANCES:
            self._instance(line, name, scope)
        elif kind in _HOLDERS:
            self._holder(line, kind, name, scope)
        elif scope.element is not None and kind in _PROPERTIES:
            self._property(line, scope.element)
        else:
            self._common(line)

    def _holder(self, line: _Line, kind: str, name: str, scope: _Scope) -> None:
        """A line of the model that is no element itself."""
        if kind in {"group", "enterprise"}:
            inner = _Scope(scope.element, (*scope.group, self._said(line, 1)), scope.environment, scope.path)
            inner.path = self._register(name, C4Group(scope.element, inner.group, scope.environment), scope)
            self._block(line, lambda each: self._model_line(each, inner))
        elif kind == "deploymentenvironment":
            environment = self._said(line, 1)
            self._environments[name.lower() or environment.lower()] = environment
            inner = _Scope(None, (), environment, name)
            self._block(line, lambda each: self._model_line(each, inner))
        elif kind == "archetypes":
            self._block(line, self._archetype)
        elif kind == "deploymentgroup":
            self._groups.add(name.lower())
        elif kind in {"!element", "!ref", "!extend"} and isinstance(
            known := self._find(line.text(1), scope), C4Element
        ):
            self._block(line, lambda each: self._model_line(each, _Scope(known, (), known.environment, line.text(1))))
        elif kind == "!relationship":
            self._pass(line)
        else:
            self._unread(line, "members of elements that are chosen here are not read")

    def _element(self, line: _Line, kind: str, name: str, scope: _Scope) -> None:
        archetype = self._archetypes.get(line.first, _Archetype(kind))
        made = C4Element(kind, self._said(line, 1), line.place, scope.element, group=scope.group)
        if not made.name:
            self._unread(line, "expected a name")
            return
        if kind in {CONTAINER, COMPONENT} and scope.element is None:
            self._unread(line, "expected within an element")
            return
        made.environment = scope.environment
        made.description, made.technology, made.tags = archetype.description, archetype.technology, [*archetype.tags]
        for at, member in enumerate(_KINDS[kind], 2):
            said = self._said(line, at)
            if member == "tags":
                made.tags += _tags(said)
            elif member == "metadata":
                made.technology = said
            elif said:
                setattr(made, member, said)
        self._workspace.add(made)
        path = self._register(name, made, scope)
        self._block(line, lambda each: self._model_line(each, _Scope(made, (), scope.environment, path)))

    def _instance(self, line: _Line, name: str, scope: _Scope) -> None:
        origin = self._find(line.text(1), scope)
        if not isinstance(origin, C4Element) or scope.element is None:
            self._unread(line, "an instance of an element that is not defined here")
            return
        siblings = [one for one in self._instances(scope.element) if one.origin is origin]
        made = C4Element(line.first, origin.name, line.place, scope.element, group=scope.group)
        made.environment, made.origin, made.number = scope.environment, origin, len(siblings) + 1
        groups = [word.lower() for word in line.text(2).split(",") if word.strip().lower() in self._groups]
        made.deployed = frozenset(groups)
        made.tags = _tags(self._said(line, 3 if groups else 2)) + (_tags(self._said(line, 3)) if not groups else [])
        self._workspace.add(made)
        self._held.setdefault(id(scope.element), []).append(made)
        self._register(name, made, scope)
        self._block(line, lambda each: self._model_line(each, _Scope(made, (), scope.environment, scope.path)))

    def _instances(self, node: C4Element) -> list[C4Element]:
        found = self._held.get(id(node), [])
        self._workspace.spend(len(found))
        return found

    def _register(self, name: str, made: Named, scope: _Scope) -> str:
        """Name an element; the path of names for inner elements."""
        if not name:
            return scope.path
        path = f"{scope.path}.{name}".strip(".").lower()
        self.names.setdefault(path, made)
        self.names.setdefault(name.lower(), made)
        return path

    def _find(self, word: str, scope: _Scope) -> Named | None:
        """What an identifier names, from the innermost place outwards."""
        low = word.lower()
        if low == "this":
            return scope.element
        path = scope.path.lower()
        while path:
            if (found := self.names.get(f"{path}.{low}")) is not None:
                return found
            path = path.rpartition(".")[0]
        return self.names.get(low)

    def _relation(self, line: _Line, arrow: int, name: str, scope: _Scope) -> None:
        start = self._find(line.text(0), scope) if arrow else scope.element
        end = self._find(line.text(arrow + 1), scope)
        if not isinstance(start, C4Element) or not isinstance(end, C4Element):
            self._unread(line, "a relationship with an element that is not defined here")
            return
        found = _ARROW.fullmatch(line.words[arrow].text)
        word = found["name"].lower() if found is not None else ""
        archetype = self._archetypes.get(word, self._archetypes.get("->", _Archetype("->")))
        said = [self._said(line, arrow + 2 + at) for at in range(3)]
        made = C4Relation(start, end, line.place, said[0] or archetype.description, said[1] or archetype.technology)
        made.tags = [*archetype.tags, *_tags(said[2])]
        if any(one.description == made.description for one in self._workspace.between(start, end)):
            self._pass(line)
            return
        self._workspace.relate(made)
        self._register(name, made, _Scope())
        self._block(line, lambda each: self._property(each, made))
        if self._implies:
            self._workspace.imply(made)

    def _archetype(self, line: _Line) -> None:
        name = line.text(0).lower()
        kind = line.text(2).lower() if line.text(1) == "=" else name
        known = self._archetypes.get(kind.strip("-").removesuffix("->"), _Archetype(kind))
        made = _Archetype(known.kind, known.technology, known.description, [*known.tags])
        self._archetypes[name] = made

        def read(inner: _Line) -> None:
            if inner.first in {"technology", "description"}:
                setattr(made, inner.first, self._said(inner, 1))
            elif inner.first in {"tag", "tags"}:
                for at in range(1, len(inner.words)):
                    made.tags += _tags(self._said(inner, at))
            else:
                self._pass(inner)

        self._block(line, read)

    def _property(self, line: _Line, owner: C4Element | C4Relation) -> None:
        if line.first in {"tag", "tags"}:
            for at in range(1, len(line.words)):
                owner.tags += _tags(self._said(line, at))
        elif line.first in {"description", "technology"} or (line.first == "url" and isinstance(owner, C4Element)):
            setattr(owner, line.first, self._said(line, 1))
        elif line.first in {"url", "instances"}:
            self._pass(line)
        else:
            self._common(line)

    # Views.

    def _view_line(self, line: _Line) -> None:
        if line.first == "styles":
            self._block(line, self._style)
        elif line.first in _UNSEEN_VIEWS:
            self._losses.formless(line.place, f"{line.first} views are not drawn")
            self._pass(line)
        elif line.first == "filtered":
            self._filtered(line)
        elif line.first in _VIEWS:
            self._view(line)
        else:
            self._common(line)

    def _view(self, line: _Line) -> None:
        view = C4View(line.first, line.place)
        at = 1
        if line.first not in {"systemlandscape", "custom"}:
            scope = self._find(line.text(1), _Scope())
            view.scope = scope if isinstance(scope, C4Element) else None
            if view.scope is None and line.text(1) != "*":
                self._unread(line, "a view of an element that is not defined here")
                return
            at = 2
        if line.first == "deployment":
            word = line.text(2)
            view.environment = self._environments.get(word.lower(), self._said(line, 2))
            at = 3
        view.key = self._said(line, at)
        view.title = self._said(line, at + 1) if line.first == "custom" else ""
        self._workspace.views.append(view)
        self._block(line, lambda each: self._rule(each, view))

    def _filtered(self, line: _Line) -> None:
        """filtered <base> <include|exclude> <tags> [key] [description]"""
        view = C4View("filtered", line.place, self._said(line, 4), base=self._said(line, 1))
        view.tags, view.is_without = tuple(_tags(self._said(line, 3))), line.text(2).lower() == "exclude"
        self._workspace.views.append(view)
        self._block(line, lambda each: self._rule(each, view))

    def _rule(self, line: _Line, view: C4View) -> None:
        if line.first in {"include", "exclude"}:
            said = " ".join(_plain(word) for word in line.words[1:])
            rules = [said] if any(mark in said for mark in ("==", "!=", "->")) else said.split()
            view.rules += [(line.first == "include", rule) for rule in rules]
            self._block(line, lambda each: self._listed(each, view, line.first == "include"))
        elif line.first == "autolayout":
            view.direction = _DIRECTIONS.get(line.text(1).lower(), "TB")
        elif line.first == "title":
            view.title = self._said(line, 1)
        elif view.kind == "dynamic" and line.first not in {"description", *_SILENT}:
            self._step(line, view)
        else:
            self._common(line)

    def _listed(self, line: _Line, view: C4View, is_included: bool) -> None:  # noqa: FBT001 - from a closure
        view.rules += [(is_included, _plain(word)) for word in line.words]
        self._pass(line)

    def _step(self, line: _Line, view: C4View) -> None:
        if not line.words:
            self._block(line, lambda each: self._rule(each, view))
            return
        if line.text(0).endswith(":"):
            line.words = line.words[1:]
        if line.text(1) == "->":
            start, end = (self._find(line.text(at), _Scope()) for at in (0, 2))
            if isinstance(start, C4Element) and isinstance(end, C4Element):
                known = self._workspace.between(start, end)
                said = self._said(line, 3) or (known[0].description if known else "")
                view.steps.append(C4Relation(start, end, line.place, said, self._said(line, 4)))
                self._pass(line)
                return
        elif isinstance(known := self._find(line.text(0), _Scope()), C4Relation):
            said = self._said(line, 1) or known.description
            view.steps.append(C4Relation(known.start, known.end, line.place, said, known.technology))
            self._pass(line)
            return
        self._unread(line, "a step between elements that are not defined here")

    def _style(self, line: _Line) -> None:
        if line.first in {"element", "relationship"}:
            styles = self._workspace.element_styles if line.first == "element" else self._workspace.relation_styles
            held = styles.setdefault(self._said(line, 1), {})

            def read(inner: _Line) -> None:
                if inner.first not in _SILENT:
                    held.setdefault(inner.first.replace("colour", "color"), self._said(inner, 1))
                self._pass(inner)

            self._block(line, read)
        elif line.first == "light":
            self._block(line, self._style)
        elif line.first in {"dark", "theme", "themes"}:
            self._pass(line)
        else:
            self._common(line)


_HOLDERS = frozenset(
    {"group", "enterprise", "deploymentenvironment", "archetypes", "deploymentgroup"}
    | {"!element", "!ref", "!extend", "!relationship", "!elements", "!relationships"}
)
_PROPERTIES = frozenset({"description", "technology", "tag", "tags", "url", "instances"})
_VARIABLE = re.compile(r"\$\{([\w.-]{1,200})\}")
_LONGEST = 4_000
_ESCAPE = re.compile(r"\\(.)")


def _plain(token: Token) -> str:
    """The text of a word, without its quotation marks."""
    if token.kind != "text":
        return token.text
    if token.text.startswith('"""'):
        return "\n".join(row.strip() for row in token.text[3:-3].strip().split("\n"))
    return _ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], token.text[1:-1])


def _tags(text: str) -> list[str]:
    return [one for part in text.split(",") if (one := part.strip())]


# A workspace of Structurizr as JSON (the file that its tools export): its views name their elements.

_HELD = (
    ("people", PERSON),
    ("softwareSystems", SYSTEM),
    ("containers", CONTAINER),
    ("components", COMPONENT),
    ("customElements", CUSTOM),
    ("deploymentNodes", NODE),
    ("children", NODE),
    ("infrastructureNodes", INFRASTRUCTURE),
    ("softwareSystemInstances", "softwaresysteminstance"),
    ("containerInstances", "containerinstance"),
)
_JSON_VIEWS = ("systemLandscape", "systemContext", "container", "component", "dynamic", "deployment", "custom")
_JSON_DIRECTIONS = {"TopBottom": "TB", "BottomTop": "BT", "LeftRight": "LR", "RightLeft": "RL"}
_PLACE = Place(1)
_DEEPEST = 60


def read_workspace(root: JsonObject, workspace: Workspace) -> None:
    """Add the content of a JSON workspace. TooLarge."""
    workspace.name = text_at(root, "name") or ""
    elements: dict[str, C4Element] = {}
    said: list[tuple[C4Element, JsonObject]] = []
    for made, row in _elements(object_at(root, "model"), None, workspace, 0):
        elements[_id(row, "id")] = made
        said.append((made, row))
    for made, row in said:
        origin = elements.get(_id(row, "softwareSystemId") or _id(row, "containerId"))
        if made.kind.endswith("instance") and origin is not None:
            made.origin, made.name = origin, origin.name
    relations = {key: one for made, row in said for key, one in _relations(made, row, elements)}
    for one in relations.values():
        workspace.relate(one)
    views = object_at(root, "views")
    for kind in _JSON_VIEWS:
        for row in _rows(views, f"{kind}Views"):
            workspace.views.append(_view(kind.lower(), row, elements, relations))
    for row in _rows(views, "filteredViews"):
        view = C4View("filtered", _PLACE, text_at(row, "key") or "", title=text_at(row, "title") or "")
        view.base, view.is_without = text_at(row, "baseViewKey") or "", text_at(row, "mode") == "Exclude"
        tags = row.get("tags")
        view.tags = tuple(map(str, tags)) if is_array(tags) else tuple(_json_tags(row))
        workspace.views.append(view)
    styles = object_at(object_at(views, "configuration"), "styles")
    for name, held in (("elements", workspace.element_styles), ("relationships", workspace.relation_styles)):
        for row in _rows(styles, name):
            held[text_at(row, "tag") or ""] = {key.lower(): str(value) for key, value in row.items()}


def _relations(
    start: C4Element, row: Mapping[str, Any], elements: Mapping[str, C4Element]
) -> Iterator[tuple[str, C4Relation]]:
    """The relationships of an element by their ids."""
    for one in _rows(row, "relationships"):
        end = elements.get(_id(one, "destinationId"))
        if end is not None:
            description, technology = text_at(one, "description") or "", text_at(one, "technology") or ""
            yield _id(one, "id"), C4Relation(start, end, _PLACE, description, technology, _json_tags(one))


def _elements(
    row: Mapping[str, Any], parent: C4Element | None, workspace: Workspace, depth: int
) -> Iterator[tuple[C4Element, JsonObject]]:
    """The elements in a row, with their own rows, from the outside in."""
    for member, kind in _HELD if depth < _DEEPEST else ():
        for one in _rows(row, member):
            made = C4Element(kind, text_at(one, "name") or "", _PLACE, parent)
            made.description, made.technology = text_at(one, "description") or "", text_at(one, "technology") or ""
            if kind == CUSTOM:
                made.technology = text_at(one, "metadata") or ""
            made.url, made.environment = text_at(one, "url") or "", text_at(one, "environment") or ""
            made.tags = [tag for tag in _json_tags(one) if tag != "Element"]
            made.group = tuple(part for part in (text_at(one, "group") or "").split("/") if part)
            number = one.get("instanceId")
            made.number = number if isinstance(number, int) and number > 0 else 1
            workspace.add(made)
            yield made, one
            yield from _elements(one, made, workspace, depth + 1)


def _view(
    kind: str, row: Mapping[str, Any], elements: dict[str, C4Element], relations: dict[str, C4Relation]
) -> C4View:
    view = C4View(kind, _PLACE, text_at(row, "key") or "", title=text_at(row, "title") or "")
    view.scope = elements.get(_id(row, "containerId") or _id(row, "softwareSystemId") or _id(row, "elementId"))
    view.environment = text_at(row, "environment") or ""
    view.elements = [found for one in _rows(row, "elements") if (found := elements.get(_id(one, "id"))) is not None]
    view.relations = []
    for one in _rows(row, "relationships"):
        known = relations.get(_id(one, "id"))
        if known is not None:
            said = text_at(one, "description") or known.description
            start, end = (known.end, known.start) if one.get("response") is True else (known.start, known.end)
            made = C4Relation(start, end, _PLACE, said, known.technology, known.tags)
            (view.steps if kind == "dynamic" else view.relations).append(made)
    layout = object_at(row, "automaticLayout")
    view.direction = _JSON_DIRECTIONS.get(text_at(layout, "rankDirection") or "", "")
    return view


def _id(row: Mapping[str, Any], member: str) -> str:
    """An id, which is a text or a number."""
    found = row.get(member)
    return str(found) if isinstance(found, str | int) else ""


def _rows(row: Mapping[str, Any], member: str) -> list[JsonObject]:
    held = row.get(member)
    return [one for one in held if is_object(one)] if is_array(held) else []


def _json_tags(row: Mapping[str, Any]) -> list[str]:
    return [one for part in (text_at(row, "tags") or "").split(",") if (one := part.strip())]
