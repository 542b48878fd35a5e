"""The page around content: margins, the wished shape, and the slack of a declared canvas. px.

Rules R-PAGE-1, R-PAGE-2, R-PAGE-3.
"""

from __future__ import annotations

from typing import Protocol

from scenograph.engine.geometry.boxes import Box, Point


class Sized(Protocol):
    """Anything with a width and a height, px."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...


MARGIN = 40.0  # px; from the edge of the page to content
TIGHT_ASPECT = 2.5  # width / height; flatter content is a strip
TIGHT_SLACK = 0.3  # of a page's height; more beside a strip is too much
TIGHT_CAP = 1.4  # of a strip's height; a loose page is cut down to it
NEAR_SHAPE = 1.25  # how far a page may be off a wished shape, as a factor


def is_missed(page: Sized, wish: float) -> bool:
    """Whether a page is off a wished width / height by more than NEAR_SHAPE; `page` has an extent."""
    got = page.width / page.height
    return max(got / wish, wish / got) > NEAR_SHAPE


def is_loose(declared_height: float, content: Box) -> bool:
    """Whether content is a flat strip (aspect above 2.5) on a page with more than 30 % slack below and above."""
    if content.height <= 0 or content.width / content.height <= TIGHT_ASPECT:
        return False
    return (declared_height - content.height) / declared_height > TIGHT_SLACK


def tightened_height(declared_height: float, content: Box) -> float:
    """The height of a loose page: 1.4 times the content's height, and at least enough for the content's margin."""
    return min(declared_height, max(content.height * TIGHT_CAP, content.bottom + MARGIN))


def _start_on_page(declared: float | None, length: float) -> float:
    """The begin of content along one side of the page: centred if the content fits with half the margin on both sides,
    else at the margin."""
    if declared is None or length + MARGIN > declared:
        return MARGIN
    return (declared - length) / 2


def corner_on_page(width: float | None, height: float | None, content: Box) -> Point:
    """The upper left corner of content placed by the engine alone: centred on the declared page, after tightening a
    loose page, or at the margin."""
    if height is not None and is_loose(height, content):
        height = tightened_height(height, Box(0.0, MARGIN, content.width, content.height))
    return Point(_start_on_page(width, content.width), _start_on_page(height, content.height))
