"""CONTAINER_TYPES: layout role, passability and border of each container type. No stage names a type."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Element, Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerType:
    """A container type. `tiled`: lanes fill the container side by side, with the title in a header; `divisible`: tiled
    when lanes are present, though placed like any element (`Frame.divided`); `tile`: a lane; `headed`: title in a
    header above the content; `passable`: foreign routes pass through. The border has a `dash` and may be `rounded`;
    `grounded`: the container has a ground, deeper with depth; `hued`: outermost containers differ in hue."""

    tiled: bool = False
    divisible: bool = False
    tile: bool = False
    headed: bool = False
    passable: bool = False
    dash: tuple[float, ...] = ()
    rounded: bool = False
    grounded: bool = True
    hued: bool = False


DASHED_BORDER = (6.0, 4.0)
DOTTED_BORDER = (2.0, 4.0)
BOUNDARY_DASH = (10.0, 4.0, 2.0, 4.0)

DIVIDED_STATE, FIRST_REGION, REGION = "divided state", "first region", "region"
"""Container types of a resolved state with regions; not part of any document."""

CONTAINER_TYPES: Mapping[str, ContainerType] = MappingProxyType(
    {
        "generic": ContainerType(dash=DASHED_BORDER, rounded=True, hued=True),
        "pool": ContainerType(tiled=True, grounded=False),
        "lane": ContainerType(tile=True, divisible=True, passable=True, grounded=False),
        "subprocess": ContainerType(rounded=True, divisible=True),
        "eventSubprocess": ContainerType(rounded=True, divisible=True, dash=DOTTED_BORDER),
        "transaction": ContainerType(rounded=True, divisible=True),
        "partition": ContainerType(passable=True, dash=DASHED_BORDER),
        "package": ContainerType(hued=True),
        "boundary": ContainerType(dash=BOUNDARY_DASH, rounded=True, hued=True),
        "fragment": ContainerType(grounded=False),
        "state": ContainerType(headed=True, rounded=True),
        DIVIDED_STATE: ContainerType(tiled=True, headed=True, rounded=True),
        FIRST_REGION: ContainerType(tile=True, grounded=False),
        REGION: ContainerType(tile=True, grounded=False),
    }
)
_ORDINARY = CONTAINER_TYPES["generic"]


def is_tiled(element: Element | None) -> bool:
    """Whether lanes tile the element: a pool, or a container divided by lanes."""
    return _type_of(element).tiled or is_divided(element)


def is_divided(element: Element | None) -> bool:
    """Whether lanes tile the element though no pool."""
    return isinstance(element, Frame) and element.divided


def is_tile(element: Element | None) -> bool:
    """Whether the element is a lane, at any place."""
    return _type_of(element).tile


def is_headed(element: Element | None) -> bool:
    """Whether the title stands in a header above the content."""
    return _type_of(element).headed


def is_divisible(element: Element | None) -> bool:
    """Whether lanes, if present, tile the element."""
    return _type_of(element).divisible


def is_region(element: Element | None) -> bool:
    """Whether the element is a region made by dividing a state; no document has such a frame."""
    return isinstance(element, Frame) and element.container_type in {FIRST_REGION, REGION}


def is_passable(element: Element | None) -> bool:
    """Whether foreign routes pass through: lanes are stripes of a divided container."""
    return _type_of(element).passable


def container_type(frame: Frame) -> ContainerType:
    """The row of a frame's type; the row of `generic` for an unknown type."""
    return CONTAINER_TYPES.get(frame.container_type or "", _ORDINARY)


def _type_of(element: Element | None) -> ContainerType:
    return container_type(element) if isinstance(element, Frame) else _ORDINARY
