"""All problems of a document at once: RULES, the rules between its parts in reporting order (R-VALID-2, R-VALID-3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from scenograph.diagnostics import (
    ASSET_NOT_FOUND,
    ATTACHMENT_HOST_NOT_ALLOWED,
    ATTACHMENT_HOST_NOT_FOUND,
    CHILD_KIND_NOT_ALLOWED,
    CHILD_NOT_FOUND,
    CONSTRAINT_ELEMENT_NOT_FOUND,
    CONTAINMENT_CYCLE,
    DUPLICATE_CONSTRAINT_ID,
    DUPLICATE_ID,
    DUPLICATE_PORT_ID,
    EDGE_COLUMN_NOT_FOUND,
    ENDPOINT_KIND_NOT_ALLOWED,
    ENDPOINT_NOT_FOUND,
    LAYOUT_TARGET_CYCLE,
    LAYOUT_TARGET_NOT_CONTAINER,
    LAYOUT_TARGET_NOT_FOUND,
    LIMIT_EXCEEDED,
    MISSING_DIAGRAM_FAMILY,
    MISSING_FIELD,
    MULTIPLE_PARENTS,
    ORPHAN_SCREEN,
    OUTER_FIELD_NESTED,
    PORT_NOT_FOUND,
    SELF_CONTAINMENT,
    SELF_LOOP,
    STYLE_NOT_FOUND,
    TOO_MANY_DIAGNOSTICS,
    UNKNOWN_EDGE_TYPE,
    UNKNOWN_ICON,
    UNKNOWN_NODE_TYPE,
    Code,
    Diagnostic,
    Severity,
)
from scenograph.scene import effects, sequence_rules
from scenograph.scene.description.document import DOCUMENT
from scenograph.scene.description.elements import KINDS
from scenograph.scene.description.fields import Problem, choices
from scenograph.scene.document_index import (
    CONTAINERS,
    END_NAMES,
    DocumentIndex,
    IndexEntry,
    ancestors,
    children_of,
    cycles,
    ends_of,
    host_of,
    target_of,
)
from scenograph.scene.json_values import (
    JsonObject,
    is_array,
    is_number,
    is_object,
    listed,
    member,
    object_at,
    pointer,
    shown,
    steps_of,
)
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.near_names import NameBudget, misspelt, nearest, notation
from scenograph.scene.reading import READ_FROM_SCENE, nested_fields, outdone_fields
from scenograph.scene.vocabulary import (
    DEFAULT_EDGE_TYPE,
    DIAGRAM_FAMILIES,
    EDGE_TYPES,
    FRAGMENT_TYPE,
    GENERIC_NODE_TYPES,
    NODE_TYPES,
    SIDES,
    traits_of,
)

# The total length of a document's labels.


_NAMES = ("label", "content", "text")  # the last is an alias of the second
_WHAT = "characters in labels and text contents together"


def _texts_are_bounded(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Bound the total text: setting, wrapping and drawing cost work for each character."""
    count = sum(map(_length, index.entries))
    if count > limits.text_length:
        holes = {"count": count, "what": _WHAT, "limit": limits.text_length}
        yield Problem("/elements", LIMIT_EXCEEDED, holes, {"count": count, "limit": limits.text_length})


def _length(entry: IndexEntry) -> int:
    texts = [entry.members.get(name) for name in _NAMES]
    texts += [member(entry.members, end, "label") for end in END_NAMES]
    return sum(len(text) for text in texts if isinstance(text, str))


# Remarks about scenes that still render (R-VALID-10, R-VALID-13).


_IGNORED = "those at the root count"
ICON_CHARACTERS = 160  # of unknown keys: each letter is compared with thousands of names


def _family_is_declared(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Ask for a declared family: without a family drawing is a guess."""
    nested = "diagramFamily" in nested_fields(index.document)
    said = member(index.document, "scene", "diagramFamily") if nested else index.document.get("diagramFamily", "")
    if said == "":
        data = {"allowedValues": list(DIAGRAM_FAMILIES)}
        yield Problem("/diagramFamily", MISSING_DIAGRAM_FAMILY, {"allowed": listed(DIAGRAM_FAMILIES)}, data)


def _outer_fields_are_outside(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Remark on root members inside `scene`, which are read unless also present at the root."""
    for outcome, names in ((READ_FROM_SCENE, nested_fields), (_IGNORED, outdone_fields)):
        nested = names(index.document)
        if nested:
            holes = {"fields": listed(nested), "outcome": outcome}
            yield Problem("/scene", OUTER_FIELD_NESTED, holes, {"nestedFields": list(nested)})


def _icons_are_known(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Remark on unknown icon keys; the nearest keys are looked up for the first few only."""
    if limits.icons is None:
        return
    nearest: dict[str, tuple[str, ...]] = {}
    characters = ICON_CHARACTERS
    for element in (*index.of_kind("node"), *index.of_kind("frame"), *index.legend_entries()):
        key = element.members.get("icon")
        if not isinstance(key, str) or limits.icons.knows(key):
            continue
        if key not in nearest:
            characters -= len(key)
            nearest[key] = limits.icons.nearest(key) if characters >= 0 else ()
        names = nearest[key]
        data = {"suggestion": names[0], "nearest": list(names)} if names else None
        holes = {"icon": shown(key), "nearest": listed(names) if names else "see GET /v1/icons"}
        yield Problem(element.at("icon"), UNKNOWN_ICON, holes, data)


def _screens_are_reached(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Every screen lies on some path from an entry. Without any entry nothing can be said."""
    ends = traits_of(index.family).reached
    if ends is None:
        return
    entry_type, screen_types = ends
    entries = [node.id for node in _of_type(index, (entry_type,))]
    if not entries:
        return
    reached = _reached(index, entries)
    for screen in _of_type(index, screen_types):
        if screen.id not in reached:
            yield Problem(screen.at(), ORPHAN_SCREEN, {"id": shown(screen.id)})


def _of_type(index: DocumentIndex, node_types: tuple[str, ...]) -> Iterator[IndexEntry]:
    return (node for node in index.of_kind("node") if node.members.get("nodeType") in node_types)


def _reached(index: DocumentIndex, starts: list[str]) -> frozenset[str]:
    """All elements reachable by edges from the starts; reaching a container reaches its content."""
    ways: dict[str, list[str]] = {}
    for edge in index.of_kind("edge"):
        ends = [element_id for _, _, element_id in ends_of(edge.members)]
        if len(ends) == 2:
            ways.setdefault(ends[0], []).append(ends[1])
    for entry in index.entries:
        if entry.kind in {"frame", "group"}:
            ways.setdefault(entry.id, []).extend(child for _, child in children_of(entry.members))
    reached = set(starts)
    waiting = list(starts)
    while waiting:
        for following in ways.get(waiting.pop(), ()):
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return frozenset(reached)


# Edges, their ends, ports and columns (R-VALID-8, R-VALID-11).

END_KINDS = ("node", "frame", "group")
_WITH_PORTS = frozenset({"node", "frame"})
_NO_END_KINDS = frozenset(KINDS) - frozenset(END_KINDS)


def _ends_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An edge ends at existing nodes, frames and groups."""
    meant: tuple[str, ...] = ()
    for edge in index.of_kind("edge"):
        for name, _, element_id in ends_of(edge.members):
            path, end = edge.at(name, "elementId"), index.by_id.get(element_id)
            holes = {"edge": shown(edge.id), "id": shown(element_id)}
            if end is None:
                meant = meant or tuple(entry.id for kind in END_KINDS for entry in index.of_kind(kind))
                yield Problem(path, ENDPOINT_NOT_FOUND, holes, None, (element_id, meant))
            elif end.kind in _NO_END_KINDS:
                holes["kind"] = end.kind
                yield Problem(path, ENDPOINT_KIND_NOT_ALLOWED, holes, {"allowed": list(END_KINDS)})


def _ports_exist(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A port named by an end is a port of the element, or a side."""
    names = _Names(lambda entry: (*(port_id for _, port_id in _ports(entry, limits)), *SIDES))
    for edge, name, end, entry in _joined(index):
        port = end.get("port")
        if not isinstance(port, str) or port in SIDES:
            continue
        known = names.of(entry)
        if port not in known.lookup:
            holes = {"port": shown(port), "id": shown(entry.id), "allowed": listed(known.names)}
            data = {**choices(known.names), "elementId": entry.id}
            yield Problem(edge.at(name, "port"), PORT_NOT_FOUND, holes, data, (port, known.names))


def _port_ids_are_unique(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """The port ids of a node or a frame are unique."""
    for node in (entry for kind in sorted(_WITH_PORTS) for entry in index.of_kind(kind)):
        seen: set[str] = set()
        for position, port_id in _ports(node, limits):
            if port_id in seen:
                holes = {"port": shown(port_id), "id": shown(node.id)}
                yield Problem(node.at("ports", position, "id"), DUPLICATE_PORT_ID, holes)
            seen.add(port_id)


def _columns_exist(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A column named by an end is a column of the entity."""
    names = _Names(lambda entry: _columns(entry, limits))
    for edge, name, end, entry in _joined(index):
        column = end.get("column")
        if not isinstance(column, str):
            continue
        known = names.of(entry)
        if column not in known.lookup:
            holes = {"column": shown(column), "id": shown(entry.id), "available": listed(known.names) or "none"}
            path = edge.at(name, "column")
            yield Problem(path, EDGE_COLUMN_NOT_FOUND, holes, choices(known.names), (column, known.names))


def _edges_lead_elsewhere(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An edge from an element to itself is worth a look, except among messages."""
    if traits_of(index.family).has_loops:
        return
    for edge in index.of_kind("edge"):
        ends = [element_id for _, _, element_id in ends_of(edge.members)]
        if len(ends) == 2 and ends[0] == ends[1]:
            yield Problem(edge.at(), SELF_LOOP, {"edge": shown(edge.id), "id": shown(ends[0])})


class _Known(NamedTuple):
    names: tuple[str, ...]
    lookup: frozenset[str]


class _Names:
    """Names an element offers to the ends of edges, gathered once for any number of edges."""

    def __init__(self, read: Callable[[IndexEntry], tuple[str, ...]]) -> None:
        self._read = read
        self._found: dict[str, _Known] = {}

    def of(self, entry: IndexEntry) -> _Known:
        found = self._found.get(entry.id)
        if found is None:
            names = tuple(dict.fromkeys(self._read(entry)))
            found = self._found[entry.id] = _Known(names, frozenset(names))
        return found


def _joined(index: DocumentIndex) -> Iterator[tuple[IndexEntry, str, JsonObject, IndexEntry]]:
    """(edge, end name, end, element) for every existing end."""
    for edge in index.of_kind("edge"):
        for name, end, element_id in ends_of(edge.members):
            entry = index.by_id.get(element_id)
            if entry is not None:
                yield edge, name, end, entry


def _ports(entry: IndexEntry, limits: Limits) -> Iterator[tuple[int, str]]:
    ports = entry.members.get("ports")
    for position, port in enumerate(ports[: limits.ports] if is_array(ports) and entry.kind in _WITH_PORTS else ()):
        port_id = port.get("id") if is_object(port) else None
        if isinstance(port_id, str):
            yield position, port_id


def _columns(entry: IndexEntry, limits: Limits) -> tuple[str, ...]:
    columns = member(entry.members, "extensions", "columns")
    names = [member(column, "name") for column in (columns[: limits.columns] if is_array(columns) else ())]
    return tuple(name for name in names if isinstance(name, str))


# Frames, groups and their content (R-VALID-6).


def _children_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A container lists existing elements other than edges."""
    for listing in index.memberships:
        child = index.by_id.get(listing.child)
        holes = {"id": shown(listing.child), "container": shown(listing.container.id)}
        if child is None:
            near = (listing.child, index.ids)
            yield Problem(listing.path, CHILD_NOT_FOUND, holes, None, near, frozenset((listing.container.id,)))
        elif child.kind == "edge":
            yield Problem(listing.path, CHILD_KIND_NOT_ALLOWED, holes | {"way": _way(listing.container)})


def _way(container: IndexEntry) -> str:
    """Where the messages of a combined fragment stand."""
    if container.members.get("containerType") != FRAGMENT_TYPE:
        return ""
    return ' The messages of a fragment stand in extensions: {"operands": [{"guard": "…", "messages": [ids]}]}.'


def _containers_do_not_list_themselves(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A container is not in itself."""
    for listing in index.memberships:
        if listing.child == listing.container.id:
            yield Problem(listing.path, SELF_CONTAINMENT, {"id": shown(listing.child)})


def _elements_have_one_parent(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Nothing is listed twice; the second listing is the problem, and all containers are named."""
    listings: dict[str, list[tuple[str, str]]] = {}
    for listing in index.memberships:
        listings.setdefault(listing.child, []).append((listing.container.id, listing.path))
    for child, places in listings.items():
        if len(places) > 1 and child in index.by_id:
            parents = [container for container, _ in places]
            data = {"parents": parents, "paths": [path for _, path in places]}
            yield Problem(places[1][1], MULTIPLE_PARENTS, {"id": shown(child), "parents": listed(parents)}, data)


def _containment_has_no_cycle(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Following parents ends."""
    parents = index.parents
    in_order = {entry.id: parents[entry.id] for entry in index.entries if entry.id in parents}
    for cycle in cycles(in_order):
        holes = {"cycle": listed(cycle)}
        yield Problem(index.by_id[cycle[0]].at(), CONTAINMENT_CYCLE, holes, {"cycle": list(cycle)})


def _nesting_is_bounded(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Nesting stays within the limit; only the outermost container beyond is reported."""
    depths: dict[str, int] = {}
    for entry in index.entries:
        if entry.kind in CONTAINERS and _depth(entry.id, index, depths) == limits.nesting + 1:
            holes = {"count": limits.nesting + 1, "what": "levels of frames and groups", "limit": limits.nesting}
            data = {"limit": limits.nesting, "containers": [entry.id, *ancestors(entry.id, index.parents.get)]}
            yield Problem(entry.at(), LIMIT_EXCEEDED, holes, data)


def _depth(element_id: str, index: DocumentIndex, depths: dict[str, int]) -> int:
    """1 at the top level, one more in each container; an element of a cycle counts as the top."""
    way: list[str] = []
    here: str | None = element_id
    on_way: set[str] = set()
    while here is not None and here not in depths and here not in on_way:
        way.append(here)
        on_way.add(here)
        here = index.parents.get(here)
    depth = 0 if here is None or here in on_way else depths[here]
    for passed in reversed(way):
        depth += 1
        depths[passed] = depth
    return depths[element_id]


# Cycles of relative layouts, also through containers (R-VALID-7). The size of a container without a fixed size
# depends on its content, and it moves with its content. A layout therefore makes two siblings in the nearest common
# container depend on each other: the placed element, or its container, depends on the target, or the target's
# container.


MOST_NAMES = 20_000  # in all cycles of a document: each name on a path may close a cycle of the path's length


class _LayoutDependency(NamedTuple):
    """`placed` refers to `target`; seen side by side, `behind` depends on `ahead`."""

    behind: str
    placed: str
    target: str
    ahead: str


def _layout_cycles(index: DocumentIndex, nesting: int) -> Iterator[tuple[str, ...]]:
    """Every cycle found by a walk along the layout dependencies, once, up to MOST_NAMES names in total; it begins with
    the element of the offending layout."""
    ties: dict[str, list[_LayoutDependency]] = {}
    for entry in index.entries:
        tie = _tie(entry, index, nesting)
        if tie is None:
            continue
        if tie.behind == tie.ahead:
            yield (tie.placed,) if tie.placed == tie.target else (tie.placed, tie.target)
        else:
            ties.setdefault(tie.behind, []).append(tie)
    left = MOST_NAMES
    for way in _round_trips(ties):
        circle = tuple(dict.fromkeys(name for tie in way for name in (tie.placed, tie.target, tie.ahead)))
        yield circle
        left -= len(circle)
        if left < 0:
            return


def _tie(entry: IndexEntry, index: DocumentIndex, nesting: int) -> _LayoutDependency | None:
    target = target_of(entry.members)
    if target is None or target not in index.by_id:
        return None
    own, other = (_way_up(name, index, nesting) for name in (entry.id, target))
    if target in own and target != entry.id:
        inside = member(entry.members, "layout", "relation") == "inside"
        fixed = any(map(_is_fixed, _between(own, target, index)))
        return None if inside or fixed else _LayoutDependency(target, entry.id, target, target)
    if entry.id in other:
        return _LayoutDependency(entry.id, entry.id, target, entry.id)
    shared = next((name for name in own if name in other), None)
    if any(_is_fixed(index.by_id[name]) for name in _below(own, shared)[1:]):
        return None
    return _LayoutDependency(_below(own, shared)[-1], entry.id, target, _below(other, shared)[-1])


def _way_up(name: str, index: DocumentIndex, nesting: int) -> dict[str, None]:
    """An element and its containers, up to the permitted nesting."""
    return dict.fromkeys((name, *islice(ancestors(name, index.parents.get), nesting)))


def _between(way: Mapping[str, None], last: str, index: DocumentIndex) -> list[IndexEntry]:
    """The containers on a way up to and including `last`."""
    names = list(way)
    return [index.by_id[name] for name in names[1 : names.index(last) + 1]]


def _below(way: Mapping[str, None], shared: str | None) -> list[str]:
    names = list(way)
    return names if shared is None else names[: names.index(shared)]


def _is_fixed(entry: IndexEntry) -> bool:
    """Whether place and size are the author's, whatever is inside."""
    layout = entry.members.get("layout")
    sized = all(is_number(member(layout, name)) for name in ("width", "height"))
    return sized and member(layout, "mode") == "absolute"


def _round_trips(ties: Mapping[str, list[_LayoutDependency]]) -> Iterator[list[_LayoutDependency]]:
    """The cycles closed by a depth-first walk."""
    done: set[str] = set()
    for start in ties:
        way: list[_LayoutDependency] = []
        on_way: dict[str, int] = {start: 0}
        waiting = [(start, iter(ties[start] if start not in done else ()))]
        while waiting:
            here, following = waiting[-1]
            tie = next(following, None)
            if tie is None:
                waiting.pop()
                done.add(here)
                on_way.pop(here, None)
                del way[max(len(waiting) - 1, 0) :]
            elif tie.ahead in on_way:
                yield [*way[on_way[tie.ahead] :], tie]
            elif tie.ahead not in done:
                way.append(tie)
                on_way[tie.ahead] = len(way)
                waiting.append((tie.ahead, iter(ties.get(tie.ahead, ()))))


# Relative layouts and attachments (R-VALID-7, R-VALID-8).


_BOXLESS_KINDS = frozenset({"edge", "guide"})
_HOST_KINDS = frozenset({"node", "frame"})
_NO_CONTAINER_KINDS = frozenset(KINDS) - CONTAINERS


def _layout_targets_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A relative layout refers to an element with a box, and `inside` to a container."""
    for entry in index.entries:
        target = target_of(entry.members)
        if target is None:
            continue
        path, found = entry.at("layout", "target"), index.by_id.get(target)
        holes = {"id": shown(entry.id), "target": shown(target)}
        if found is None or found.kind in _BOXLESS_KINDS:
            yield Problem(path, LAYOUT_TARGET_NOT_FOUND, holes, None, (target, index.ids), frozenset((entry.id,)))
        elif member(entry.members, "layout", "relation") == "inside" and found.kind in _NO_CONTAINER_KINDS:
            yield Problem(path, LAYOUT_TARGET_NOT_CONTAINER, holes)


def _layout_targets_have_no_cycle(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Following layout targets ends, also through containers and their content."""
    for cycle in _layout_cycles(index, limits.nesting):
        path = index.by_id[cycle[0]].at("layout", "target")
        yield Problem(path, LAYOUT_TARGET_CYCLE, {"cycle": listed(cycle)}, {"cycle": list(cycle)})


def _hosts_take_attachments(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A node is attached to an unattached node or frame."""
    for entry in index.entries:
        host = host_of(entry.members)
        if host is None:
            continue
        path, found = entry.at("attachedTo", "elementId"), index.by_id.get(host)
        holes = {"id": shown(entry.id), "host": shown(host)}
        if found is None:
            near = (host, index.ids)
            yield Problem(path, ATTACHMENT_HOST_NOT_FOUND, holes, None, near, frozenset((entry.id,)))
        elif why := _why_no_host(entry, found):
            yield Problem(path, ATTACHMENT_HOST_NOT_ALLOWED, {**holes, "why": why})


def _why_no_host(attached: IndexEntry, host: IndexEntry) -> str:
    if host.id == attached.id:
        return "is the node itself"
    if host.kind not in _HOST_KINDS:
        return f"is of kind {host.kind}"
    return "is attached itself" if host_of(host.members) is not None else ""


# Node and edge types unknown to the families (R-VALID-9). A value with a prefix is in the tables or a mistake. A
# value without prefix is free text, unless near a known name: a misspelling, a family's name without the prefix, or a
# product with an icon.


_PREFIXED = re.compile(r"\w+\.\S+")


def _node_types_are_known(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A node type of the tables, or free text unlike any of them."""
    types = _Types(NODE_TYPES, GENERIC_NODE_TYPES)
    product = limits.icons.product if limits.icons else None
    for node in (*index.of_kind("node"), *index.legend_entries()):
        yield from _problem(node, "nodeType", UNKNOWN_NODE_TYPE, types, product)


def _edge_types_are_known(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An edge type of the tables, or free text unlike any of them."""
    types = _Types(EDGE_TYPES, (DEFAULT_EDGE_TYPE,))
    for edge in (*index.of_kind("edge"), *index.legend_entries()):
        yield from _problem(edge, "edgeType", UNKNOWN_EDGE_TYPE, types, None)


class _Guess(NamedTuple):
    """The nearest known name, and all permitted names."""

    nearest: str | None
    known: tuple[str, ...]


class _Types:
    """The types of a kind of element: under the prefixes of families, and plain."""

    def __init__(self, families: Mapping[str, tuple[str, ...]], plain: tuple[str, ...]) -> None:
        self._families = families
        self._plain = plain
        self._prefixed = tuple(chain.from_iterable(families.values()))
        self._all = frozenset((*self._prefixed, *plain))
        # A name shared by two families means the first family's type.
        self._by_tail = {name.partition(".")[2].casefold(): name for name in reversed(self._prefixed)}
        self._tails = tuple(self._by_tail)
        self._by_plain = {name.casefold(): name for name in plain}
        self._budget = NameBudget()

    def guess(self, name: str, product: Callable[[str], str | None] | None) -> _Guess | None:
        """The probable meaning of an unknown name; None for a known name or free text."""
        if name in self._all or name in KINDS:
            return None
        if _PREFIXED.fullmatch(name):
            known = self._families.get(name.partition(".")[0], self._prefixed)
            near = nearest(name, known, self._budget)
            plain = None if near else misspelt(name.partition(".")[2], self._plain, self._budget)
            return _Guess(near, known) if plain is None else _Guess(plain, (plain, *known))
        near = self._by_plain.get(name.casefold()) or self._by_tail.get(name.casefold())
        near = near or misspelt(name, self._plain, self._budget)
        near = near or self._by_tail.get(misspelt(name, self._tails, self._budget, most=1) or "")
        near = near or (product(name) if product else None)
        return _Guess(near, (*self._plain, *self._prefixed)) if near else None


def _problem(
    entry: IndexEntry, field: str, code: Code, types: _Types, product: Callable[[str], str | None] | None
) -> Iterator[Problem]:
    name = entry.members.get(field)
    guess = types.guess(name, product) if isinstance(name, str) else None
    if guess is None:
        return
    # The nearest name comes first: shortening a long list never drops it.
    near = guess.nearest if guess.nearest in guess.known else None
    known = (near, *(each for each in guess.known if each != near)) if near else guess.known
    data = choices(known) | ({"suggestion": guess.nearest} if guess.nearest else {})
    yield Problem(entry.at(field), code, {"type": shown(name), "hint": _hint(guess), "allowed": listed(known)}, data)


def _hint(guess: _Guess) -> str:
    if guess.nearest is None:
        return ""
    if guess.nearest not in guess.known:
        return f" There is an icon '{guess.nearest}': write it as 'icon'."
    return f" Did you mean '{guess.nearest}'?"


# Ids are unique and names refer to something: elements, styles, assets, constraints (R-VALID-5, R-VALID-8).


def _element_ids_are_unique(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Element ids are unique: a remark for each id, with every place."""
    for element_id, indexes in index.repeated.items():
        paths = [pointer("elements", position, "id") for position in indexes]
        yield Problem(paths[1], DUPLICATE_ID, {"id": shown(element_id), "count": len(paths)}, {"paths": paths})


def _constraint_ids_are_unique(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Constraint ids are unique: a remark for each id, with every place."""
    places: dict[str, list[str]] = {}
    for position, constraint in index.constraints():
        constraint_id = constraint.get("id")
        if isinstance(constraint_id, str):
            places.setdefault(constraint_id, []).append(pointer("constraints", position, "id"))
    for constraint_id, paths in places.items():
        if len(paths) > 1:
            holes = {"id": shown(constraint_id), "count": len(paths)}
            yield Problem(paths[1], DUPLICATE_CONSTRAINT_ID, holes, {"paths": paths})


def _styles_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A style named by an element or by the legend is in `styles`."""
    known = index.names_in("styles")
    lookup = frozenset(known)
    for kind, members in object_at(index.document, "defaults").items():
        name = member(members, "style")
        if isinstance(name, str) and name not in lookup:
            holes = {"style": shown(name), "id": f"the defaults of every {kind}"}
            yield Problem(pointer("defaults", kind, "style"), STYLE_NOT_FOUND, holes, None, (name, known))
    for entry in (*index.entries, *index.legend_entries()):
        name = entry.members.get("style")
        if isinstance(name, str) and name not in lookup:
            holes = {"style": shown(name), "id": shown(entry.id) if entry.kind else entry.id}
            yield Problem(entry.at("style"), STYLE_NOT_FOUND, holes, None, (name, known))


def _assets_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An asset named by an image is in `assets`."""
    known = index.names_in("assets")
    lookup = frozenset(known)
    for image in index.of_kind("image"):
        name = image.members.get("assetId")
        if isinstance(name, str) and name not in lookup:
            holes = {"asset": shown(name), "id": shown(image.id)}
            yield Problem(image.at("assetId"), ASSET_NOT_FOUND, holes, None, (name, known))


def _constraints_name_elements(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A constraint names existing elements with a box."""
    for position, constraint in index.constraints():
        listed = frozenset(element_id for _, element_id in _named_by_constraint(constraint))
        for path, element_id in _named_by_constraint(constraint):
            entry = index.by_id.get(element_id)
            if entry is None or entry.kind in _BOXLESS_KINDS:
                holes = {"constraint": shown(constraint.get("id")), "id": shown(element_id)}
                place = pointer("constraints", position) + path
                near = (element_id, index.ids)
                yield Problem(place, CONSTRAINT_ELEMENT_NOT_FOUND, holes, None, near, listed)


def _named_by_constraint(constraint: JsonObject) -> Iterator[tuple[str, str]]:
    """(pointer within the constraint, element id) of all named elements."""
    elements = constraint.get("elements")
    for position, element_id in enumerate(elements if is_array(elements) else ()):
        if isinstance(element_id, str):
            yield pointer("elements", position), element_id
    container = constraint.get("container")
    if isinstance(container, str):
        yield "/container", container


# RULES: the rules between the parts of a document, in reporting order.

Rule = Callable[[DocumentIndex, Limits], Iterator[Problem]]

RULES: tuple[Rule, ...] = (
    _family_is_declared,
    _outer_fields_are_outside,
    _element_ids_are_unique,
    _children_exist,
    _containers_do_not_list_themselves,
    _elements_have_one_parent,
    _containment_has_no_cycle,
    _nesting_is_bounded,
    _texts_are_bounded,
    _ends_exist,
    _ports_exist,
    _port_ids_are_unique,
    _layout_targets_exist,
    _layout_targets_have_no_cycle,
    _hosts_take_attachments,
    _styles_exist,
    _assets_exist,
    _constraint_ids_are_unique,
    _constraints_name_elements,
    _columns_exist,
    sequence_rules.operands_name_messages,
    sequence_rules.notes_name_lifelines,
    _edges_lead_elsewhere,
    _node_types_are_known,
    _edge_types_are_known,
    _icons_are_known,
    _screens_are_reached,
    effects.members_have_effect,
    effects.strategies_have_effect,
)

# All problems of a document at once (R-VALID-2, R-VALID-3).
#
# In: any JSON value. Out: diagnostics, each with a JSON pointer. The document's shape is checked by its description,
# the rest by RULES. Linear in the size of the document; lesser remarks never crowd out errors.


def validate(document: object, limits: Limits = LIMITS) -> tuple[Diagnostic, ...]:
    """Every diagnostic of a document; at most `limits.diagnostics`, then TOO_MANY_DIAGNOSTICS."""
    return diagnostics_of(_all_problems(document, limits), lambda problem: element_at(problem.path, document), limits)


def _all_problems(document: object, limits: Limits) -> Iterator[Problem]:
    """Every problem, with its path relative to the document. A whole document inside a member of an object is a single
    problem."""
    if is_object(document) and (wrapper := _wrapper_of(document)) is not None:
        hint = f" The document stands in '{wrapper}'; send the content of this member."
        yield Problem("/elements", MISSING_FIELD, {"why": "", "hint": hint})
        return
    yield from DOCUMENT.check(document, limits)
    if is_object(document):
        yield from rule_problems(DocumentIndex.of(_bounded(document, limits), limits.elements), limits)


def _wrapper_of(value: JsonObject) -> str | None:
    """The member with a whole document, in an object other than a document."""
    inner = ((name, member) for name, member in value.items() if "elements" not in value and is_object(member))
    return next((name for name, member in inner if is_array(member.get("elements")) and "scene" in member), None)


def rule_problems(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """The violations of all rules."""
    return chain.from_iterable(rule(index, limits) for rule in RULES)


def _bounded(document: dict[str, object], limits: Limits) -> dict[str, object]:
    """The document without the elements beyond the limit, which are refused anyway."""
    elements = document.get("elements")
    if is_array(elements) and len(elements) > limits.elements:
        return document | {"elements": elements[: limits.elements]}
    return document


def diagnostics_of(
    problems: Iterable[Problem], element_of: Callable[[Problem], str | None], limits: Limits
) -> tuple[Diagnostic, ...]:
    """Problems in words, each with its element; errors first when shortened."""
    kept = list(problems)
    if len(kept) > limits.diagnostics:
        kept.sort(key=lambda problem: problem.code.severity is not Severity.ERROR)
    budget = NameBudget()
    shown = [_diagnostic(problem, element_of(problem), budget) for problem in kept[: limits.diagnostics]]
    if len(kept) > limits.diagnostics:
        count = len(kept) - limits.diagnostics
        code = TOO_MANY_DIAGNOSTICS
        message = code.wording.format(count=count, limit=limits.diagnostics)
        too_many = Diagnostic(
            code.name, code.severity, message, "", None, {"count": count, "limit": limits.diagnostics}
        )
        shown.append(too_many)
    return tuple(shown)


def _diagnostic(problem: Problem, element_id: str | None, budget: NameBudget) -> Diagnostic:
    """A problem in words, with a suggested name."""
    code, data = problem.code, dict(problem.data or {})
    message = code.wording.format_map({"name": named(problem.path), **problem.holes})
    if problem.near is not None:
        wanted, names = problem.near
        suggestion = nearest(wanted, names, budget, problem.not_meant)
        if suggestion is not None:
            data["suggestion"] = suggestion
            message += f" Did you mean '{suggestion}'?{notation(wanted, suggestion)}"
    return Diagnostic(code.name, code.severity, message, problem.path, element_id, data or None)


def named(path: str) -> str:
    """A value's name in sentences: its key, with the index in an array."""
    name = ""
    for step in reversed(steps_of(path)):
        if not step.isdecimal():
            return f"'{step}{name}'"
        name = f"[{step}]{name}"
    return f"'{name}'" if name else "the document"


def element_at(path: str, document: object) -> str | None:
    """The id of the element on a path."""
    steps = steps_of(path)
    elements = member(document, "elements")
    if len(steps) < 2 or steps[0] != "elements" or not steps[1].isdecimal() or not is_array(elements):
        return None
    index = int(steps[1])
    element_id = member(elements[index], "id") if index < len(elements) else None
    return element_id if isinstance(element_id, str) else None
