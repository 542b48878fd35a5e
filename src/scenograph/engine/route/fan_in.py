"""Fan-in: edges with equal labels at one target share a trunk.

In: the edges of a scene with their styles, and the members of every frame. Out: the groups. A group whose sources are
one conceptual unit shows its label once, on the edge with the lowest id (suppressed); a group of unrelated sources
keeps all labels (bundled). Only edges of equal look that may be drawn together and end at the same place of the target
form a group. Rules R-FAN-1, R-FAN-2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from scenograph.diagnostics import (
    EDGE_LABEL_FANIN_BUNDLED,
    EDGE_LABEL_SUPPRESSED_FANIN,
    LABEL_DUPLICATION_DETECTED,
    Code,
    Report,
)
from scenograph.engine.families.catalog import edge_kind, node_kind
from scenograph.engine.tables import FinishedStyle
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Edge, Frame, Group, Node, Scene

# Ids in natural order: runs of digits by their number, so that `e2` comes before `e10` (R-ID-5).


_PARTS = re.compile(r"([0-9]+)")


NaturalKey = tuple[tuple[tuple[str, int], ...], str]


def natural_key(name: str) -> NaturalKey:
    """The sort key of an id. Names that differ in leading zeros alone follow the order of their characters."""
    parts = _PARTS.split(name)
    numbered = zip(parts[::2], (*parts[1::2], "0"), strict=True)
    # A name followed by a number in a longer name comes first: its number is below every number.
    ends = [(text, int(number)) for text, number in numbered]
    ends[-1] = (ends[-1][0], -1)
    return tuple(ends), name


# Equal labels on several edges of one source: a reader cannot tell the edges apart. In: a scene. Out: a remark for each
# source and text; edges with only a common target do not count, loops do. Drawn labels do not matter: edges drawn as
# one may still be one edge written twice. Rule R-FAN-5.


def report_duplicate_labels(scene: Scene, report: Report) -> None:
    """Report each label that leaves one element more than once, in the order of elements and labels."""
    alike: dict[tuple[str, str], list[str]] = {}
    for edge in scene.edges:
        if edge.label:
            alike.setdefault((edge.source.element_id, edge.label), []).append(edge.id)
    for (source, label), edges in sorted(alike.items()):
        if len(edges) > 1:
            report.add(
                LABEL_DUPLICATION_DETECTED,
                data={
                    "labelText": label,
                    "sharedEndpoint": {"kind": "source", "elementId": source},
                    "edgeIds": sorted(edges),
                },
                count=len(edges),
                id=source,
                label=label,
            )


LEAST_GROUP = 2  # edges; a single edge has no trunk
_MERGING = frozenset({None, "orthogonal"})  # the routers with mergeable lines

LabelGroup = list[Edge]


class FanGroup(NamedTuple):
    """Edges with equal label and target: the elected edge, with the lowest id, and all ids in natural order."""

    target: str
    label: str
    elected: str
    edges: tuple[str, ...]


class Voice(NamedTuple):
    """The label group of an edge and its place in the group by id. A group shows its label once per trunk."""

    label_group: int
    place: int


@dataclass(frozen=True, slots=True)
class FanIn:
    """The fan-in of a scene. `crowds` holds one entry per label and target: the label groups of its sources, each with
    its edges by id. `trunks` names the trunk of every edge allowed to share a trunk, `voices` the label group of every
    edge in a group of at least two."""

    crowds: tuple[tuple[LabelGroup, ...], ...] = ()
    trunks: Mapping[str, str] = field(default_factory=dict[str, str])
    voices: Mapping[str, Voice] = field(default_factory=dict[str, Voice])

    def drawn(self, place_of: Callable[[str], Hashable]) -> tuple[list[FanGroup], list[FanGroup]]:
        """The drawn groups, suppressed and bundled, sorted by target, label and elected edge. Only edges with one
        place, given by `place_of` (None outside a trunk), form a group."""
        suppressed: list[FanGroup] = []
        bundled: list[FanGroup] = []
        for groups in self.crowds:
            elected: dict[Hashable, LabelGroup] = {}
            for group in groups:
                for place, edges in _by_place(group, place_of).items():
                    elected.setdefault(place, []).append(edges[0])
                    suppressed += [_group(edges)] if len(edges) >= LEAST_GROUP else []
            bundled += [_group(sorted(edges, key=_by_id)) for edges in elected.values() if len(edges) >= LEAST_GROUP]
        return sorted(suppressed), sorted(bundled)


class _Kinship(NamedTuple):
    """The relations that join sources into one unit: the children of each frame, and the predecessors of each
    element."""

    frames: Sequence[frozenset[str]]
    predecessors: Mapping[str, frozenset[str]]


def find_fan_in(scene: Scene, styles: Mapping[str, FinishedStyle]) -> FanIn:
    """Find the edges that may share a trunk, independent of document order."""
    together: dict[tuple[object, ...], list[Edge]] = {}
    edges = scene.edges
    for edge in _equally_labelled(edges):
        style = styles.get(edge.id)
        if _may_join(edge, style):
            together.setdefault((edge.target, edge.label, edge.end_arrow, look(style)), []).append(edge)
    crowds = [sorted(crowd, key=_by_id) for crowd in together.values() if len(crowd) >= LEAST_GROUP]
    if not crowds:
        return FanIn()
    kinship = _Kinship(_frames(scene), _predecessors(edges))
    parted = tuple(tuple(_label_groups(crowd, kinship)) for crowd in crowds)
    trunks = {edge.id: crowd[0].id for crowd in crowds for edge in crowd}
    shared = [group for groups in parted for group in groups if len(group) >= LEAST_GROUP]
    voices = {edge.id: Voice(number, place) for number, group in enumerate(shared) for place, edge in enumerate(group)}
    return FanIn(parted, trunks, voices)


def _equally_labelled(edges: Sequence[Edge]) -> list[Edge]:
    """The edges with a label that another edge to their target has as well: most edges are alone with theirs."""
    counts = Counter([(edge.target.element_id, edge.label) for edge in edges if edge.label])
    return [edge for edge in edges if edge.label and counts[edge.target.element_id, edge.label] >= LEAST_GROUP]


def plain_trunks(scene: Scene, styles: Mapping[str, FinishedStyle]) -> dict[str, str]:
    """The trunk of every unlabelled edge that joins edges of equal type and look at one target."""
    together: dict[tuple[object, ...], list[str]] = {}
    for edge in scene.edges:
        if edge_kind(edge.edge_type).gathers and _is_plain(edge):
            key = (edge.target, edge.end_arrow, look(styles.get(edge.id)))
            together.setdefault(key, []).append(edge.id)
    crowds = (crowd for crowd in together.values() if len(crowd) >= LEAST_GROUP)
    return {name: f"type:{crowd[0]}" for crowd in crowds for name in crowd}


def _is_plain(edge: Edge) -> bool:
    is_loop = edge.source.element_id == edge.target.element_id
    return not edge.label and not edge.target.label and edge.router in _MERGING and not is_loop


def report_fan_in(found: FanIn, report: Report, place_of: Callable[[str], Hashable]) -> None:
    """Report at most one diagnostic of each kind for the drawn trunks. `place_of` gives the place at which an edge
    enters its trunk, None for an edge without a trunk."""
    suppressed, bundled = found.drawn(place_of)
    quiet = sorted(edge for group in suppressed for edge in group.edges if edge != group.elected)
    _report(EDGE_LABEL_SUPPRESSED_FANIN, "suppressedEdgeIds", (quiet, suppressed), report, with_elected=False)
    joined = sorted({edge for group in bundled for edge in group.edges})
    _report(EDGE_LABEL_FANIN_BUNDLED, "bundledEdgeIds", (joined, bundled), report, with_elected=True)


def _by_place(group: LabelGroup, place_of: Callable[[str], Hashable]) -> dict[Hashable, LabelGroup]:
    """The edges of a label group drawn in a trunk, by the trunk's place."""
    found: dict[Hashable, LabelGroup] = {}
    for edge in group:
        place = place_of(edge.id)
        if place is not None:
            found.setdefault(place, []).append(edge)
    return found


def _report(
    code: Code, name: str, found: tuple[list[str], Sequence[FanGroup]], report: Report, *, with_elected: bool
) -> None:
    edges, groups = found
    if not groups:
        return
    rows = [
        {
            "targetId": group.target,
            "label": group.label,
            "electedEdgeId": group.elected,
            name: [edge for edge in group.edges if with_elected or edge != group.elected],
        }
        for group in groups
    ]
    report.add(code, path="/elements", data={name: edges, "groups": rows}, count=len(edges), groups=len(groups))


def _by_id(edge: Edge) -> NaturalKey:
    return natural_key(edge.id)


def _may_join(edge: Edge, style: FinishedStyle | None) -> bool:
    is_loop = edge.source.element_id == edge.target.element_id
    is_free = edge.router in _MERGING and edge_kind(edge.edge_type).mergeable
    return bool(edge.label) and is_free and not is_loop and not _is_forced(edge, style)


def _is_forced(edge: Edge, style: FinishedStyle | None) -> bool:
    return style.force_label if style is not None else bool(edge.style and edge.style.force_label)


def look(style: FinishedStyle | None) -> tuple[object, ...]:
    """The style values required equal for two edges in a common line."""
    return () if style is None else (style.stroke, style.stroke_width, style.dash, style.opacity)


def _group(edges: LabelGroup) -> FanGroup:
    first = edges[0]
    return FanGroup(first.target.element_id, first.label or "", first.id, tuple(edge.id for edge in edges))


def _label_groups(crowd: Sequence[Edge], kinship: _Kinship) -> list[LabelGroup]:
    """The edges by conceptual source: edges that share a source element, a whole frame, or a predecessor of all
    sources. Larger sets come first; groups, and the edges of each group, are sorted by id."""
    by_source: dict[str, LabelGroup] = {}
    for edge in crowd:
        by_source.setdefault(edge.source.element_id, []).append(edge)
    groups: list[LabelGroup] = []
    for sources in _sets_of_sources(by_source, kinship):
        inside = [source for source in by_source if source in sources]
        if len(inside) >= LEAST_GROUP:
            groups.append(sorted((edge for source in inside for edge in by_source.pop(source)), key=_by_id))
    return sorted([*groups, *by_source.values()], key=lambda group: natural_key(group[0].id))


def _sets_of_sources(by_source: Mapping[str, LabelGroup], kinship: _Kinship) -> list[frozenset[str]]:
    """The sets of sources: whole frames, and the direct successors of one element."""
    led: dict[str, list[str]] = {}
    for source in by_source:
        for predecessor in sorted(kinship.predecessors.get(source, ())):
            led.setdefault(predecessor, []).append(source)
    found = [members for members in kinship.frames if members <= by_source.keys()]
    found += [frozenset(sources) for sources in led.values()]
    return sorted((one for one in found if len(one) >= LEAST_GROUP), key=lambda one: (-len(one), sorted(one)))


def _frames(scene: Scene) -> list[frozenset[str]]:
    ends = {element.id for element in scene.elements if isinstance(element, Node | Frame | Group)}
    frames = scene.frames
    return [frozenset(child for child in frame.children if child in ends) for frame in frames]


def _predecessors(edges: Iterable[Edge]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for edge in edges:
        if edge.source.element_id != edge.target.element_id:
            found.setdefault(edge.target.element_id, set()).add(edge.source.element_id)
    return {target: frozenset(sources) for target, sources in found.items()}


# Edges with a common end: at a row with more ends than fit side by side, and at an entity for its attributes. In: the
# edges of a scene with their styles. Out: the fan of every edge with a common end. A key referred to by half of the
# tables would otherwise lie under a heap of crow's feet; joined, one glyph serves all. Only lines of the same look with
# the same marker at this end are joined; their labels stand on each line's own part. The lines of an
# entity's attributes carry no distinction: plain lines are joined.


PLAIN = "none"
PLACES = 2  # edges that have room side by side at the end of a row

_LookKey = tuple[object, ...]


def row_fans(scene: Scene, styles: Mapping[str, FinishedStyle]) -> dict[str, str]:
    """The shared fan of each edge, by edge id. An edge with two crowded ends joins the fan of the target's row."""
    edges = [edge for edge in scene.edges if edge.source.element_id != edge.target.element_id]
    found = _hanging(edges, scene, styles)
    for is_target in (False, True):
        for numbers in _crowded(edges, is_target=is_target):
            found.update(_fans([edges[number] for number in numbers], styles, is_target=is_target))
    return found


def _hanging(edges: list[Edge], scene: Scene, styles: Mapping[str, FinishedStyle]) -> dict[str, str]:
    """The plain edges of nodes belonging to a common element, grouped by the element."""
    belonging = {one.id for one in scene.nodes if node_kind(one.node_type).belongs}
    groups: dict[_LookKey, list[Edge]] = {}
    for edge in edges if belonging else ():
        source, target = edge.ends
        is_plain = not edge.label and edge.start_arrow == edge.end_arrow == PLAIN
        is_free = edge.router in _MERGING
        if is_plain and is_free and (source in belonging) != (target in belonging):
            owner = target if source in belonging else source
            groups.setdefault((owner, *look(styles.get(edge.id))), []).append(edge)
    return {edge.id: f"of:{group[0].id}" for group in groups.values() if len(group) > 1 for edge in group}


def _crowded(edges: list[Edge], *, is_target: bool) -> list[list[int]]:
    """The edges of every row with more than `PLACES` of them, by number."""
    rows: dict[tuple[str, str], list[int]] = {}
    for number, edge in enumerate(edges):
        end = edge.target if is_target else edge.source
        if end.column is not None:
            rows.setdefault((end.element_id, end.column), []).append(number)
    return [numbers for numbers in rows.values() if len(numbers) > PLACES]


def _fans(edges: list[Edge], styles: Mapping[str, FinishedStyle], *, is_target: bool) -> dict[str, str]:
    """The edges of one row, grouped by marker and look."""
    groups: dict[_LookKey, list[Edge]] = {}
    for edge in edges:
        if edge.router in _MERGING:
            marker = edge.end_arrow if is_target else edge.start_arrow
            groups.setdefault((marker, *look(styles.get(edge.id))), []).append(edge)
    shared = (group for group in groups.values() if len(group) > 1)
    return {edge.id: f"row:{group[0].id}" for group in shared for edge in group}
