"""Who holds whom: each element's chain of containers.

The chain is cut where a document nests in a circle, so that walking it ends whatever the document says.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.scene.model import Frame, Group, Scene

Container = Frame | Group


def parents(scene: Scene) -> Mapping[str, Container]:
    """The container of every contained element; of several the first, and none that would close a circle."""
    found: dict[str, Container] = {}
    for container in scene.elements:
        if not isinstance(container, Frame | Group):
            continue
        round_it = {container.id, *(ancestor.id for ancestor in ancestors(container.id, found))}
        for child in container.children:
            if child not in found and child not in round_it:
                found[child] = container
    return found


def common_container(first: str, second: str, parent_of: Mapping[str, Container]) -> Container | None:
    """The innermost container round both elements, one of them included: what a line between them runs over."""
    parent = parent_of.get(first)
    if parent is parent_of.get(second):
        return parent
    others = {second, *[container.id for container in ancestors(second, parent_of)]}
    while parent is not None and parent.id not in others:
        parent = parent_of.get(parent.id)
    return parent


def ancestors(element_id: str, parent_of: Mapping[str, Container]) -> tuple[Container, ...]:
    """The containers round an element, the nearest first."""
    chain: list[Container] = []
    parent = parent_of.get(element_id)
    while parent is not None:
        chain.append(parent)
        parent = parent_of.get(parent.id)
    return tuple(chain)
