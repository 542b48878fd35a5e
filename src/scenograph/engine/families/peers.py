"""Links between peers: two devices of one kind that stand equally far from where the network begins back each other up
(a redundant pair, a cluster). Such a link says nothing of who stands above whom.

In: a scene. Out: the ids of those links. A link that holds parts of the network together is none: the two must hang
together without it.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.flow_direction import depths
from scenograph.scene.model import Edge, Node, Scene


def peer_links(scene: Scene) -> frozenset[str]:
    """The ids of all links between peers."""
    kinds = {row.id: row.node_type for row in scene.elements if isinstance(row, Node) and row.node_type}
    links = [row for row in scene.elements if isinstance(row, Edge)]
    alike = {link.id for link in links if kinds.get(link.source.element_id) == kinds.get(link.target.element_id, "")}
    if not alike or len(alike) == len(links):
        return frozenset()
    others = [link for link in links if link.id not in alike]
    depth, part = depths(scene, others), _parts(others)
    return frozenset(
        link.id
        for link in links
        if link.id in alike and _are_peers(link.source.element_id, link.target.element_id, depth, part)
    )


def _are_peers(one: str, other: str, depth: Mapping[str, int], part: Mapping[str, str]) -> bool:
    is_linked = one in part and part[one] == part.get(other)
    return one != other and is_linked and depth.get(one) == depth.get(other)


def _parts(links: list[Edge]) -> dict[str, str]:
    """By element, one element that stands for all it is linked with, directly or not."""
    near: dict[str, list[str]] = {}
    for link in links:
        near.setdefault(link.source.element_id, []).append(link.target.element_id)
        near.setdefault(link.target.element_id, []).append(link.source.element_id)
    part: dict[str, str] = {}
    for first in near:
        waiting = [] if first in part else [first]
        part.setdefault(first, first)
        while waiting:
            for other in near[waiting.pop()]:
                if other not in part:
                    part[other] = first
                    waiting.append(other)
    return part
