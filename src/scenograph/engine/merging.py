"""Two revisions of a scene merged for a visual diff: the new scene with its removed elements.

In: both scenes, resolved, and the removed ids. Out: one scene in document order, with each removed element after its
former predecessor and in its former container. Promises: nothing of the new scene is changed except the children of its
containers; containers never contain one another in a cycle. (R-DIFF-2)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property
from typing import TypeVar

from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Asset, Boxed, Edge, Element, Frame, Group, Image, Node, Scene

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def merge(old: Scene, new: Scene, removed: Collection[str]) -> Scene:
    """Add the removed elements of the old scene to the new scene."""
    merging = _Merging(old, new, frozenset(removed))
    elements = _woven(old.elements, new.elements, lambda element: element.id, merging.lost)
    kept = tuple(merging.finished(element) for element in elements)
    ends = {element.id for element in kept if isinstance(element, Node | Frame | Group)}
    return replace(new, elements=tuple(element for element in kept if _is_whole(element, ends)), assets=merging.assets)


@dataclass(frozen=True)
class _Merging:
    """The data of both scenes needed for merging."""

    old: Scene
    new: Scene
    removed: frozenset[str]

    @cached_property
    def lost(self) -> frozenset[str]:
        """The removed elements that were visible."""
        return frozenset(element.id for element in self.old.elements if element.id in self.removed)

    @cached_property
    def assets(self) -> Mapping[str, Asset]:
        """Both registries; a new asset wins over an old asset, and removed pictures carry their own data."""
        return {**self.old.assets, **self.new.assets}

    @cached_property
    def _old_containers(self) -> Mapping[str, Frame | Group]:
        return _containers(self.old.elements)

    @cached_property
    def _old_homes(self) -> Mapping[str, str]:
        return _homes(self.old.elements)

    @cached_property
    def _new_homes(self) -> Mapping[str, str]:
        return _homes(self.new.elements)

    @cached_property
    def _standing(self) -> Mapping[str, Frame | Group]:
        return _containers(self.new.elements)

    @cached_property
    def _homes_of_lost(self) -> Mapping[str, str | None]:
        """The nearest container in the merged scene for each removed element."""
        return {key: self._home(key, lambda at: at in self._standing or at in self.lost) for key in self.lost}

    @cached_property
    def _adopted(self) -> Mapping[str, str]:
        """Elements that replaced their removed container in place, otherwise unchanged: shown inside the container."""
        layouts = {element.id: element.layout for element in self.new.elements if isinstance(element, Boxed)}
        found: dict[str, str] = {}
        for element in self.old.elements:
            parent = self._old_homes.get(element.id)
            if element.id not in layouts or parent not in self.lost or not isinstance(element, Boxed):
                continue
            survivor = self._home(element.id, self._standing.__contains__)
            if self._new_homes.get(element.id) == survivor and layouts[element.id] == element.layout:
                found[element.id] = parent
        return found

    def finished(self, element: Element) -> Element:
        """An element as present in the merged scene."""
        if element.id in self.lost:
            return self._lost(element)
        return self._with_lost_children(element) if isinstance(element, Frame | Group) else element

    def _home(self, element_id: str, is_there: Callable[[str], bool]) -> str | None:
        """The nearest ancestor in the old scene that still exists."""
        seen = {element_id}
        at = self._old_homes.get(element_id)
        while at is not None and at not in seen and not is_there(at):
            seen.add(at)
            at = self._old_homes.get(at)
        return at if at not in seen else None

    def _with_lost_children(self, container: Frame | Group) -> Element:
        before = self._old_containers.get(container.id)
        mine = [key for key, home in self._homes_of_lost.items() if home == container.id]
        listed = tuple(child for child in (before.children if before else ()) if child in self._old_homes)
        woven = _woven(listed, container.children, lambda child: child, frozenset(mine))
        rest = sorted(set(mine) - set(woven))
        children = (*(child for child in woven if child not in self._adopted), *rest)
        return container if children == container.children else replace(container, children=children)

    def _lost(self, element: Element) -> Element:
        if isinstance(element, Image):
            element = self._with_own_picture(element)
        if isinstance(element, Frame | Group):
            mine = tuple(
                child
                for child in element.children
                if self._adopted.get(child) == element.id or self._homes_of_lost.get(child) == element.id
            )
            element = replace(element, children=mine)
        return element

    def _with_own_picture(self, image: Image) -> Image:
        asset = self.old.assets.get(image.asset_id or "")
        if asset is None:
            return image
        return replace(image, asset_id=None, href=f"data:{asset.mime_type};base64,{asset.data}")


def _woven(old: Iterable[Row], new: Iterable[Row], key: Callable[[Row], Key], lost: Collection[Key]) -> tuple[Row, ...]:
    """The new rows, with each lost row after its former predecessor."""
    rows = tuple(new)
    there = {key(row) for row in rows}
    followers: dict[Key | None, list[Row]] = {}
    anchor: Key | None = None
    for row in old:
        if key(row) in lost:
            followers.setdefault(anchor, []).append(row)
        elif key(row) in there:
            anchor = key(row)
    return (*followers.get(None, ()), *(one for row in rows for one in (row, *followers.get(key(row), ()))))


def _containers(elements: Iterable[Element]) -> Mapping[str, Frame | Group]:
    return {element.id: element for element in elements if isinstance(element, Frame | Group)}


def _homes(elements: Iterable[Element]) -> Mapping[str, str]:
    """The container of each child; of several the first."""
    found: dict[str, str] = {}
    for container in _containers(elements).values():
        for child in container.children:
            found.setdefault(child, container.id)
    return found


def _is_whole(element: Element, ends: Collection[str]) -> bool:
    """Whether an edge has both ends: a removed edge may lead to an element hidden now."""
    return not isinstance(element, Edge) or (element.source.element_id in ends and element.target.element_id in ends)
