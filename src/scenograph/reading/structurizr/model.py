"""A workspace of Structurizr: elements of the C4 model, relationships, views and styles."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.c4 import COMPONENT_TITLE, CONTAINER_TITLE, NODE_TITLE, PERSON_TITLE, SYSTEM_TITLE
from scenograph.reading.losses import Losses, Place, TooLarge

PERSON, SYSTEM, CONTAINER, COMPONENT = "person", "softwaresystem", "container", "component"
NODE, INFRASTRUCTURE, CUSTOM = "deploymentnode", "infrastructurenode", "element"
INSTANCES = frozenset({"softwaresysteminstance", "containerinstance", "instanceof"})
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
        """The element whose name and texts are shown: that of an instance is its origin."""
        return self.origin or self

    @property
    def all_tags(self) -> list[str]:
        """Tags with those that the kind has by itself."""
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
        """Tags with the one that every relationship has."""
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
        """Add an element, numbered if another one has its key."""
        if len(self.elements) >= self.most:
            raise TooLarge(self.most)
        wanted = element.key
        while element.key in self._numbers:
            self._numbers[wanted] = element.number = max(self._numbers[wanted], element.number) + 1
        self._numbers[element.key] = element.number
        self.elements.append(element)
        return element

    def relate(self, relation: C4Relation) -> None:
        """Add a relationship."""
        if len(self.relations) >= self.most:
            raise TooLarge(self.most)
        self.relations.append(relation)
        self._pairs.setdefault((id(relation.start), id(relation.end)), []).append(relation)

    def between(self, start: C4Element, end: C4Element) -> list[C4Relation]:
        """The relationships between two elements."""
        return self._pairs.get((id(start), id(end)), [])

    def imply(self, one: C4Relation) -> None:
        """Add a relationship between the elements around the ends of one, unless they have any."""
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
