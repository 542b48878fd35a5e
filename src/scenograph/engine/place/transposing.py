"""Pools whose lanes are columns are laid out as rows: x and y are exchanged on the way in and out. px."""

from __future__ import annotations

from typing import TypeVar

from scenograph.engine.geometry.boxes import Box, Outset

T = TypeVar("T", Box, Outset)


def as_rows(shape: T, *, upright: bool) -> T:
    """A box or an outset of an upright pool as that of a row, or the other way round; of other pools itself."""
    return shape.transposed if upright else shape
