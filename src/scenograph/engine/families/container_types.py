"""CONTAINER_TYPES: what a container type means to the layout; its look is in `style/looks.py`. No stage names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scenograph.scene.model import Element, Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerType:
    """One row. `tiled`: lanes fill it side by side and its title stands in a header; `tile`: it is such a lane;
    `headed`: its title stands in a header above its content."""

    tiled: bool = False
    tile: bool = False
    headed: bool = False


DIVIDED_STATE, FIRST_REGION, REGION = "divided state", "first region", "region"
"""What resolving makes of a state that has regions; no document names these."""

CONTAINER_TYPES: Mapping[str, ContainerType] = MappingProxyType(
    {
        "pool": ContainerType(tiled=True),
        "lane": ContainerType(tile=True),
        "state": ContainerType(headed=True),
        DIVIDED_STATE: ContainerType(tiled=True, headed=True),
        FIRST_REGION: ContainerType(tile=True),
        REGION: ContainerType(tile=True),
    }
)
_ORDINARY = ContainerType()


def is_tiled(element: Element | None) -> bool:
    """Whether it is a pool: its lanes tile it."""
    return _type_of(element).tiled


def is_tile(element: Element | None) -> bool:
    """Whether it is a lane, wherever it stands."""
    return _type_of(element).tile


def is_headed(element: Element | None) -> bool:
    """Whether its title stands in a header above its content."""
    return _type_of(element).headed


def _type_of(element: Element | None) -> ContainerType:
    name = element.container_type if isinstance(element, Frame) else None
    return CONTAINER_TYPES.get(name or "", _ORDINARY)
