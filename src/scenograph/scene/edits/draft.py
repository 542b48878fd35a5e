"""A document under edit.

The stored document is never changed: the draft shares every element with it until an edit replaces the element.
Look-ups of elements, containers and references take constant time in documents of any size. The draft also records the
writing operation of every place, for the attribution of broken references.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.description.fields import Problem, Problems
from scenograph.scene.document_index import children_member
from scenograph.scene.json_values import JsonObject, is_array, is_object, member, object_at
from scenograph.scene.limits import Limits
from scenograph.scene.model import EMPTY, LayoutStrategy
from scenograph.scene.reading import layout_strategy

# Elements to be placed anew by a batch, regardless of kept places (R-OP-19, R-KEEP-10).


class Relayout(NamedTuple):
    """The ids of these elements; with `every` all elements of the scene."""

    ids: frozenset[str] = frozenset()
    every: bool = False

    def joined(self, other: Relayout) -> Relayout:
        """The union of both."""
        return Relayout(self.ids | other.ids, self.every or other.every)


NO_RELAYOUT = Relayout()
_BY_ELEMENT = ("bounds", "edgePaths")


def sketch_without(sketch: JsonObject, ids: Collection[str]) -> dict[str, Any]:
    """The sketch without the bounds and edge paths of elements to be placed anew, which it names."""
    rest = {name: {key: row for key, row in object_at(sketch, name).items() if key not in ids} for name in _BY_ELEMENT}
    return {**sketch, **rest, "relaid": sorted(ids)}


def relaid_by_strategy(before: JsonObject, after: JsonObject) -> Relayout:
    """Every element, if the documents differ in algorithm, direction or page shape, or in the direction or the columns
    of a common frame; else none."""
    known, wanted = _arrangements(before), _arrangements(after)
    turned = any(known[frame] != wanted[frame] for frame in known.keys() & wanted.keys())
    return Relayout(every=turned or _way_to_lay_out(before) != _way_to_lay_out(after))


def _arrangements(document: JsonObject) -> dict[str, tuple[object, object]]:
    frames = (one for one in document.get("elements", ()) if one.get("kind") == "frame")
    return {
        one["id"]: (member(one, "extensions", "direction"), member(one, "extensions", "gridColumns")) for one in frames
    }


def _way_to_lay_out(document: JsonObject) -> tuple[str, str | None, float | None]:
    strategy = layout_strategy(document) or LayoutStrategy()
    return strategy.algorithm, strategy.direction, strategy.aspect_ratio


# An array of objects with ids, with look-up and change in constant time.


_EMPTY_SLOT: Final = object()


class IndexedArray:
    """An array of objects with ids: constant-time lookup, order kept, the array itself left alone."""

    def __init__(self, values: object) -> None:
        self._slots: list[object] = list(values) if is_array(values) else []
        self._slot_of: dict[str, int] = {}
        for slot, value in enumerate(self._slots):
            if is_object(value) and isinstance(value.get("id"), str):
                self._slot_of.setdefault(value["id"], slot)

    def __len__(self) -> int:
        return len(self._slot_of)

    def __contains__(self, name: object) -> bool:
        return name in self._slot_of

    def __iter__(self) -> Iterator[JsonObject]:
        for slot, value in enumerate(self._slots):
            if is_object(value) and self._slot_of.get(str(value.get("id"))) == slot:
                yield value

    def names(self) -> tuple[str, ...]:
        """Every id, in order."""
        return tuple(value["id"] for value in self)

    def get(self, name: str) -> JsonObject | None:
        """The object with this id."""
        slot = self._slot_of.get(name)
        value = None if slot is None else self._slots[slot]
        return value if is_object(value) else None

    def put(self, value: JsonObject) -> None:
        """Replace the object with the same id, or append it."""
        slot = self._slot_of.setdefault(value["id"], len(self._slots))
        self._slots[slot : slot + 1] = [value]

    def place(self, name: str, neighbour: str, *, after: bool) -> int:
        """Move the object to directly before or after another; returns how many slots it passes."""
        start = self._slot_of[name]
        value = self._slots.pop(start)
        goal = self._slot_of[neighbour] - (start < self._slot_of[neighbour]) + after
        self._slots.insert(goal, value)
        first, last = sorted((start, goal))
        for slot in range(first, last + 1):
            moved = self._slots[slot]
            if is_object(moved) and moved.get("id") in self._slot_of:
                self._slot_of[moved["id"]] = slot
        return last - first

    def remove(self, name: str) -> None:
        """Take the object away."""
        self._slots[self._slot_of.pop(name)] = _EMPTY_SLOT

    def values(self) -> list[object]:
        """The current array."""
        return [value for value in self._slots if value is not _EMPTY_SLOT]


# References: for each element, the members of holders that name it.


Names = Callable[[object], Iterator[str]]
Holder = tuple[str, str]  # the id of the referring object, and the member


def _end(value: object) -> Iterator[str]:
    element_id = member(value, "elementId")
    if isinstance(element_id, str):
        yield element_id


def _ids(value: object) -> Iterator[str]:
    return (item for item in (value if is_array(value) else ()) if isinstance(item, str))


def _target(value: object) -> Iterator[str]:
    target = member(value, "target") if member(value, "mode") == "relative" else None
    if isinstance(target, str):
        yield target


def _extensions(value: object) -> Iterator[str]:
    """A sequence note's lifelines, and the messages of a combined fragment's operands."""
    yield from _ids(member(value, "over"))
    operands = member(value, "operands")
    for operand in operands if is_array(operands) else ():
        yield from _ids(member(operand, "messages"))


def _one(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value


_CONTAINER: Mapping[str, Names] = MappingProxyType(
    {"children": _ids, "childIds": _ids, "layout": _target, "extensions": _extensions}
)
ATTACHED = "attachedTo"
_PLACED: Mapping[str, Names] = MappingProxyType({"layout": _target, "extensions": _extensions})
_NOTHING: Mapping[str, Names] = MappingProxyType({})

# By kind: the members that refer to elements.
_ELEMENT_MENTIONS: Mapping[str, Mapping[str, Names]] = MappingProxyType(
    {
        "node": MappingProxyType({**_PLACED, ATTACHED: _end}),
        "edge": MappingProxyType({"from": _end, "to": _end}),
        "frame": _CONTAINER,
        "group": _CONTAINER,
        "text": _PLACED,
        "image": _PLACED,
    }
)
_CONSTRAINT_MENTIONS: Mapping[str, Names] = MappingProxyType({"elements": _ids, "container": _one})


def _mentions_of_element(element: JsonObject, name: str) -> Iterator[str]:
    """The ids named by a member of an element; `childIds` is ignored beside `children`."""
    reader = _ELEMENT_MENTIONS.get(str(element.get("kind")), _NOTHING).get(name)
    if reader is None or (name == "childIds" and "children" in element):
        return iter(())
    return reader(element.get(name))


def _mentions_of_constraint(constraint: JsonObject, name: str) -> Iterator[str]:
    """The ids named by a member of a constraint."""
    reader = _CONSTRAINT_MENTIONS.get(name)
    return iter(()) if reader is None else reader(constraint.get(name))


class Mentions:
    """An index from an id to its holders. `read` gives the ids named by a member of a holder."""

    def __init__(self, read: Callable[[JsonObject, str], Iterator[str]]) -> None:
        self._read = read
        self._holders: dict[str, dict[Holder, None]] = {}

    def of(self, name: str) -> tuple[Holder, ...]:
        """The holders of references to `name`, in order of registration."""
        return tuple(self._holders.get(name, ()))

    def note(self, holder: str, members: JsonObject) -> None:
        """Register all references of a holder."""
        for key in members:
            for name in self._read(members, key):
                self.add(name, holder, key)

    def forget(self, holder: str, members: JsonObject) -> None:
        """Remove all references of a holder."""
        for key in members:
            for name in self._read(members, key):
                self.discard(name, holder, key)

    def replace(self, holder: str, before: JsonObject, after: JsonObject) -> None:
        """Update a changed holder; identical members are skipped."""
        for key in before:
            if after.get(key) is not before[key]:
                for name in self._read(before, key):
                    self.discard(name, holder, key)
        for key in after:
            if before.get(key) is not after[key]:
                for name in self._read(after, key):
                    self.add(name, holder, key)

    def add(self, name: str, holder: str, key: str) -> None:
        """Register a reference."""
        self._holders.setdefault(name, {})[holder, key] = None

    def discard(self, name: str, holder: str, key: str) -> None:
        """Remove a reference."""
        self._holders.get(name, {}).pop((holder, key), None)


def without(value: object, names: frozenset[str]) -> object:
    """A JSON value with `names` removed from its arrays of ids: for `extensions.over` and operands' messages."""
    if is_object(value):
        return {key: without(inner, names) for key, inner in value.items()}
    if is_array(value):
        return [without(item, names) for item in value if not (isinstance(item, str) and item in names)]
    return value


# A document under edit. The stored document is never changed: the draft shares every element with it until an edit
# replaces the element. Look-ups of elements, containers and references take constant time in documents of any size.
# The draft also records the writing operation of every place, for the attribution of broken references.


ComputedBounds = Callable[[JsonObject], Mapping[str, Mapping[str, float]]]
REMOVED = object()  # as the value of a root member: removes the member
_MOST_LAYOUTS = 4  # layouts of a batch's own intermediate states


def _nothing() -> Mapping[str, Any]:
    return EMPTY


class Refused(Exception):  # noqa: N818 - what an operation is, not an error of the program
    """An operation cannot be carried out and left no change."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems = problems


class OrderMove(NamedTuple):
    """An element moves within `elements` to directly `after` or before a neighbour."""

    name: str
    neighbour: str
    after: bool


class ChildMove(NamedTuple):
    """A child moves to the container `parent` (None: the top level), at index `place` (None: last). The index does not
    count the child itself."""

    child: str
    parent: str | None
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The effect of an operation.

    `created` elements were checked with the operation; `updated` elements are checked where changed. `bare` ids are
    removed despite remaining references. Paths of `problems` are relative to the operation.
    """

    created: tuple[JsonObject, ...] = ()
    updated: tuple[JsonObject, ...] = ()
    removed: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    moves: tuple[ChildMove, ...] = ()
    ordered: tuple[OrderMove, ...] = ()
    constraints: tuple[JsonObject, ...] = ()
    dropped_constraints: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    root: Mapping[str, object] = field(default_factory=_nothing)
    relayout: Relayout = NO_RELAYOUT
    problems: Problems = ()


class Entry(NamedTuple):
    """An entry of a root registry (`styles`, `assets`) and its new value, REMOVED for removal."""

    registry: str
    name: str
    value: object


@dataclass(slots=True)
class BatchEffort:
    """The remaining number of JSON values a batch may rewrite: bounds the cost of many small operations on large
    containers."""

    left: int


@dataclass(slots=True)
class Boxes:
    """Computed boxes for edits: those of the base document, as seen by the caller. Elements made by the batch itself
    are laid out on demand, at most _MOST_LAYOUTS times."""

    compute: ComputedBounds
    base: JsonObject
    _known: Mapping[str, Mapping[str, float]] | None = None
    _recent: Mapping[str, Mapping[str, float]] = field(default_factory=_nothing)
    _layouts_left: int = _MOST_LAYOUTS

    def of(self, element_id: str, draft: Draft) -> Mapping[str, float] | None:
        """The box of an element: x, y, width, height in px; None if unplaced."""
        if self._known is None:
            self._known = self.compute(self.base)
        box = self._known.get(element_id) or self._recent.get(element_id)
        if box is None and not draft.in_base(element_id) and self._layouts_left > 0:
            self._layouts_left -= 1
            self._recent = self.compute(draft.document())
            box = self._recent.get(element_id)
        return box


@dataclass
class Draft:
    """The document being edited. `sources` are documents of other scenes, to copy from; `indexes` are made of these
    once a batch (see `copying`). `idle`: layouts not in force, by node (see `geometry`)."""

    base: JsonObject
    limits: Limits
    boxes: Boxes
    effort: BatchEffort
    sources: Mapping[str, JsonObject | None] = field(default_factory=_nothing)
    indexes: dict[str, Any] = field(default_factory=dict[str, Any])
    root: JsonObject = field(init=False)
    relayout: Relayout = NO_RELAYOUT
    idle: Mapping[str, JsonObject] | None = None
    elements: IndexedArray = field(init=False)
    constraints: IndexedArray = field(init=False)
    writers: dict[tuple[str, str, str], int] = field(default_factory=dict[tuple[str, str, str], int])
    _mentions: Mentions | None = None
    _constraint_mentions: Mentions | None = None
    _own_lists: set[str] = field(default_factory=set[str])
    _own_registries: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.root = dict(self.base)
        self.elements = IndexedArray(self.base.get("elements"))
        self.constraints = IndexedArray(self.base.get("constraints"))
        self._base_ids = frozenset(element["id"] for element in self.elements)

    def document(self) -> JsonObject:
        """The current document; it shares parts with the draft."""
        document = self.root | {"elements": self.elements.values()}
        if "constraints" in self.base or len(self.constraints):
            document["constraints"] = self.constraints.values()
        return document

    def in_base(self, element_id: str) -> bool:
        """Whether the stored document has the element."""
        return element_id in self._base_ids

    @property
    def mentions(self) -> Mentions:
        """References to each element; built on first use."""
        if self._mentions is None:
            self._mentions = Mentions(_mentions_of_element)
            for element in self.elements:
                self._mentions.note(element["id"], element)
        return self._mentions

    @property
    def constraint_mentions(self) -> Mentions:
        """The constraints on each element; built on first use."""
        if self._constraint_mentions is None:
            self._constraint_mentions = Mentions(_mentions_of_constraint)
            for constraint in self.constraints:
                self._constraint_mentions.note(constraint["id"], constraint)
        return self._constraint_mentions

    def parent_of(self, element_id: str) -> str | None:
        """The container of the element."""
        for holder, name in self.mentions.of(element_id):
            if name in {"children", "childIds"} and holder != element_id:
                return holder
        return None

    def children_of(self, element_id: str) -> list[str]:
        """The children a container lists."""
        element = self.elements.get(element_id) or {}
        children = element.get(children_member(element))
        return [child for child in children if isinstance(child, str)] if is_array(children) else []

    def commit(self, edit: Edit, op: int) -> None:
        """Carry an edit out in the name of operation number `op`."""
        for element in (*edit.created, *edit.updated):
            self._put_element(element, op)
        self._reorder(edit.ordered)
        for move in edit.moves:
            self._move(move, op)
        for element_id in edit.removed:
            self._remove_element(element_id)
            self.writers.pop(("removed", element_id, ""), None)
        for element_id in edit.bare:
            self.writers["removed", element_id, ""] = op
        for constraint in edit.constraints:
            self._put_constraint(constraint, op)
        for constraint_id in edit.dropped_constraints:
            self._drop_constraint(constraint_id)
        for entry in edit.entries:
            self._write_entry(entry, op)
        self.relayout = self.relayout.joined(edit.relayout)
        for name, value in edit.root.items():
            if value is REMOVED:
                self.root.pop(name, None)
            else:
                self.root[name] = value

    def _reorder(self, ordered: tuple[OrderMove, ...]) -> None:
        for order in ordered:
            self.spend(self.elements.place(order.name, order.neighbour, after=order.after))

    def _put_element(self, element: JsonObject, op: int) -> None:
        name = element["id"]
        old = self.elements.get(name)
        before = old if old is not None else {}
        for changed in changed_members(before, element):
            self.writers["elements", name, changed] = op
        if self._mentions is not None:
            self._mentions.replace(name, before, element)
        self._own_lists.discard(name)
        self.elements.put(element)

    def _remove_element(self, name: str) -> None:
        element = self.elements.get(name)
        if element is None:
            return
        if self._mentions is not None:
            self._mentions.forget(name, element)
        self._own_lists.discard(name)
        self.elements.remove(name)

    def _put_constraint(self, constraint: JsonObject, op: int) -> None:
        name = constraint["id"]
        before = self.constraints.get(name) or {}
        for changed in changed_members(before, constraint):
            self.writers["constraints", name, changed] = op
        if self._constraint_mentions is not None:
            self._constraint_mentions.replace(name, before, constraint)
        self.constraints.put(constraint)

    def _drop_constraint(self, name: str) -> None:
        constraint = self.constraints.get(name)
        if constraint is None:
            return
        if self._constraint_mentions is not None:
            self._constraint_mentions.forget(name, constraint)
        self.constraints.remove(name)

    def _move(self, move: ChildMove, op: int) -> None:
        old = self.parent_of(move.child)
        if old is not None:
            self._own_children(old, op).remove(move.child)
            self.mentions.discard(move.child, old, "children")
        if move.parent is not None:
            children = self._own_children(move.parent, op)
            children.insert(len(children) if move.place is None else move.place, move.child)
            self.mentions.add(move.child, move.parent, "children")

    def _own_children(self, container: str, op: int) -> list[object]:
        """The container's list of children, copied on first use for in-place changes."""
        element = self.elements.get(container) or {}
        if container not in self._own_lists:
            children = element.get(children_member(element))
            element = {name: value for name, value in element.items() if name != "childIds"}
            element["children"] = list(children) if is_array(children) else []
            self._put_element(element, op)
            self._own_lists.add(container)
        self.writers["elements", container, "children"] = op
        return element["children"]

    def _write_entry(self, entry: Entry, op: int) -> None:
        registry = self.root.get(entry.registry)
        if not is_object(registry) or entry.registry not in self._own_registries:
            registry = dict(registry) if is_object(registry) else {}
            self.root[entry.registry] = registry
            self._own_registries.add(entry.registry)
        if entry.value is REMOVED:
            registry.pop(entry.name, None)
        else:
            registry[entry.name] = entry.value
        self.writers[entry.registry, entry.name, ""] = op

    def spend(self, values: int) -> None:
        """Count work against the batch's effort."""
        self.effort.left -= values


EditMaker = Callable[[Draft, JsonObject], Edit]  # an operation's effect on a draft; may raise Refused


def changed_members(before: JsonObject, after: JsonObject) -> list[str]:
    """The names of members that are not identical objects in both."""
    changed = [name for name, value in after.items() if name not in before or before[name] is not value]
    changed.extend(name for name in before if name not in after)
    return changed


def no_bounds(_document: JsonObject) -> Mapping[str, Mapping[str, float]]:
    """For drafts without an engine: no element has a computed box."""
    return {}


def layout_of(element: JsonObject) -> JsonObject:
    """The element's layout object; empty if absent."""
    layout = member(element, "layout")
    return layout if is_object(layout) else {}
