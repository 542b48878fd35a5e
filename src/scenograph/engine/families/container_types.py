"""CONTAINER_TYPES: what a container type means to the layout and to lines, and its border. No stage names one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Element, Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerType:
    """One row. `tiled`: lanes fill it side by side and its title stands in a header; `divisible`: so they do where it
    holds any, and it stands by itself among other elements (`Frame.divided`); `tile`: it is such a lane;
    `headed`: its title stands in a header above its content; `passable`: lines of strangers pass through it. The
    border has a `dash` and may be `rounded`; `grounded`: it has a ground of its own, which gets darker with depth."""

    tiled: bool = False
    divisible: bool = False
    tile: bool = False
    headed: bool = False
    passable: bool = False
    dash: tuple[float, ...] = ()
    rounded: bool = False
    grounded: bool = True


DASHED_BORDER = (6.0, 4.0)
DOTTED_BORDER = (2.0, 4.0)
BOUNDARY_DASH = (10.0, 4.0, 2.0, 4.0)

DIVIDED_STATE, FIRST_REGION, REGION = "divided state", "first region", "region"
"""What resolving makes of a state that has regions; no document names these."""

CONTAINER_TYPES: Mapping[str, ContainerType] = MappingProxyType(
    {
        "generic": ContainerType(dash=DASHED_BORDER, rounded=True),
        "pool": ContainerType(tiled=True, grounded=False),
        "lane": ContainerType(tile=True, divisible=True, passable=True, grounded=False),
        "subprocess": ContainerType(rounded=True, divisible=True),
        "eventSubprocess": ContainerType(rounded=True, divisible=True, dash=DOTTED_BORDER),
        "transaction": ContainerType(rounded=True, divisible=True),
        "partition": ContainerType(passable=True, dash=DASHED_BORDER),
        "package": ContainerType(),
        "boundary": ContainerType(dash=BOUNDARY_DASH, rounded=True),
        "fragment": ContainerType(grounded=False),
        "state": ContainerType(headed=True, rounded=True),
        DIVIDED_STATE: ContainerType(tiled=True, headed=True, rounded=True),
        FIRST_REGION: ContainerType(tile=True, grounded=False),
        REGION: ContainerType(tile=True, grounded=False),
    }
)
_ORDINARY = CONTAINER_TYPES["generic"]


def is_tiled(element: Element | None) -> bool:
    """Whether its lanes tile it: a pool, or what lanes divide."""
    return _type_of(element).tiled or is_divided(element)


def is_divided(element: Element | None) -> bool:
    """Whether it is no pool, but lanes tile it."""
    return isinstance(element, Frame) and element.divided


def is_tile(element: Element | None) -> bool:
    """Whether it is a lane, wherever it stands."""
    return _type_of(element).tile


def is_headed(element: Element | None) -> bool:
    """Whether its title stands in a header above its content."""
    return _type_of(element).headed


def is_divisible(element: Element | None) -> bool:
    """Whether lanes tile it where it holds any."""
    return _type_of(element).divisible


def is_region(element: Element | None) -> bool:
    """Whether it is one of the parts that a state was divided into; no document has such a frame."""
    return isinstance(element, Frame) and element.container_type in {FIRST_REGION, REGION}


def is_passable(element: Element | None) -> bool:
    """Whether lines of strangers pass through it: lanes and the like are stripes of what they divide."""
    return _type_of(element).passable


def container_type(frame: Frame) -> ContainerType:
    """The row of a frame's type; that of `generic` for an unknown one."""
    return CONTAINER_TYPES.get(frame.container_type or "", _ORDINARY)


def _type_of(element: Element | None) -> ContainerType:
    return container_type(element) if isinstance(element, Frame) else _ORDINARY
