"""What each element is in a sequence scene: lifeline, note, message, fragment or box.
(R-SEQ-1, R-SEQ-12)

In: a resolved scene. Out: `Participants`. Promises: every message joins two lifelines; every id stands once; an element
is at most one of lifeline, note, message, fragment, box; everything in document order, but that lifelines of one box
stand together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scenograph.late_dataclasses import dataclass
from scenograph.scene.family_traits import FRAGMENT_TYPE, NOTE_TYPES
from scenograph.scene.model import Edge, Element, Frame, Group, Node, Scene
from scenograph.scene.nesting import ancestors

ACTOR = "sequence.actor"
LIFELINE_TYPES = frozenset({"sequence.lifeline", ACTOR})
CREATE, DESTROY, REPLY = "sequence.create", "sequence.destroy", "sequence.reply"

Container = Frame | Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Participants:
    """`lifelines` from left to right as the document has them, `boxes` the frames and groups round some of them, the
    outer before the inner; `ties` are edges between a note and a lifeline."""

    lifelines: tuple[Node, ...]
    notes: tuple[Node, ...]
    messages: tuple[Edge, ...]
    ties: tuple[Edge, ...]
    fragments: tuple[Frame, ...]
    boxes: tuple[Container, ...]


def read_participants(scene: Scene) -> Participants:
    """A lifeline is a node of a lifeline's type, or one that an edge joins to another node; notes are neither. A
    message is an edge between lifelines, whatever its type."""
    elements = _once(scene.elements)
    nodes = {element.id: element for element in elements if isinstance(element, Node)}
    notes = {key: node for key, node in nodes.items() if node.node_type in NOTE_TYPES}
    edges = [element for element in elements if isinstance(element, Edge)]
    players = {key for key, node in nodes.items() if key not in notes and node.node_type in LIFELINE_TYPES}
    for edge in edges:
        ends = edge.ends
        if all(end in nodes and end not in notes for end in ends):
            players.update(ends)
    fragments = tuple(element for element in elements if is_fragment(element))
    containers = [element for element in elements if isinstance(element, Container) and not is_fragment(element)]
    boxes = _boxes(containers, players)
    lifelines = [node for key, node in nodes.items() if key in players]
    return Participants(
        lifelines=tuple(_gathered(lifelines, boxes)),
        notes=tuple(notes.values()),
        messages=tuple(edge for edge in edges if all(end in players for end in edge.ends)),
        ties=tuple(edge for edge in edges if _is_tie(edge, notes, players)),
        fragments=tuple(element for element in fragments if isinstance(element, Frame)),
        boxes=boxes,
    )


def is_fragment(element: Element) -> bool:
    """Whether an element is a combined fragment."""
    return isinstance(element, Frame) and element.container_type == FRAGMENT_TYPE


def _is_tie(edge: Edge, notes: Mapping[str, Node], players: set[str]) -> bool:
    one, other = edge.ends
    return (one in notes and other in players) or (other in notes and one in players)


def _once(elements: Iterable[Element]) -> list[Element]:
    """Without later bearers of an id that is taken, which validation refuses."""
    found: dict[str, Element] = {}
    for element in elements:
        found.setdefault(element.id, element)
    return list(found.values())


def parents_of(boxes: Iterable[Container]) -> dict[str, str]:
    """The first container that lists each element."""
    found: dict[str, str] = {}
    for box in boxes:
        for child in box.children:
            found.setdefault(child, box.id)
    return found


def around(element_id: str, parents: Mapping[str, str]) -> tuple[str, ...]:
    """The containers round an element, the outermost first; a circle, which validation refuses, is walked once."""
    return tuple(ancestors(element_id, parents.get))[::-1]


def _boxes(containers: list[Container], players: set[str]) -> tuple[Container, ...]:
    parents = parents_of(containers)
    used = {box for player in sorted(players) for box in around(player, parents)}
    found = [box for box in containers if box.id in used]
    return tuple(sorted(found, key=lambda box: len(around(box.id, parents))))


def _gathered(lifelines: list[Node], boxes: Iterable[Container]) -> Iterator[Node]:
    """The lifelines of a box beside each other, at the place of its first."""
    parents = parents_of(boxes)
    first: dict[str, int] = {}
    for turn, node in enumerate(lifelines):
        for box in around(node.id, parents):
            first.setdefault(box, turn)
    keys = {node.id: (*(first[box] for box in around(node.id, parents)), turn) for turn, node in enumerate(lifelines)}
    return iter(sorted(lifelines, key=lambda node: keys[node.id]))
