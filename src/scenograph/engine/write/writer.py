"""The interface of the writers. A writer knows neither stages nor families, only the laid-out scene and its paint.

In: a `Finished` scene, the `WriteOptions`, a collector for losses. Out: a `Written` file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from scenograph.diagnostics import EXPORT_LOSS, Report
from scenograph.engine.drawing import Drawing, DrawnGroup, LinearGradient, PathItem, RadialGradient
from scenograph.engine.families.catalog import authored_type
from scenograph.engine.kernels.path_text import decimal
from scenograph.engine.tables import LaidOutScene
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Edge, Element, Frame, Node, Scene
from scenograph.scene.vocabulary import DEFAULT_CONTAINER_TYPE, DEFAULT_EDGE_TYPE

# The one number format of the writers: at most two decimals, no trailing zeros, no "-0".


__all__ = ["decimal"]


MOST_LISTED = 20  # element ids in one loss


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """What a caller chose: `scale` of a raster, letters as `outlines` (else as text with embedded fonts), how many
    pixels a raster may have (None: any number), the columns and rows of the page that it is fitted into, whatever its
    scale (None: its own page), and whether an SVG or a PNG carries its document (`embed`)."""

    scale: float = 1.0
    outlines: bool = False
    max_pixels: int | None = None
    page_pixels: tuple[int, int] | None = None
    embed: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A file: text or bytes, the size of its page, px, and the length of a scene px on it, px."""

    content: str | bytes
    width: float
    height: float
    scale: float = 1.0


class RasterTooLarge(Exception):  # noqa: N818 - a state, named as the replies say it
    """The raster would exceed the pixel limit. Holds the page size in px and the number of pixels."""

    def __init__(self, width: float, height: float, pixels: int) -> None:
        super().__init__(f"{width:g} x {height:g} px make {pixels} pixels.")
        self.width, self.height, self.pixels = width, height, pixels


@dataclass(frozen=True)
class Finished:
    """A laid-out scene on its way into a file. `hand_drawn`: its theme draws with a pen. Paint is made on demand:
    `drawing` with clean lines, `inked` with the theme's pen, `revealed` with hidden elements laid out around visible
    elements (None without hidden elements)."""

    laid_out: LaidOutScene
    hand_drawn: bool
    _draw: Callable[[], Drawing] = field(repr=False)
    _ink: Callable[[Drawing], Drawing] = field(repr=False)
    _reveal: Callable[[], tuple[LaidOutScene, Drawing]] = field(repr=False)

    @cached_property
    def drawing(self) -> Drawing:
        """The paint before any pen."""
        return self._draw()

    @cached_property
    def inked(self) -> Drawing:
        """The paint with the strokes of the theme."""
        return self._ink(self.drawing) if self.hand_drawn else self.drawing

    @property
    def has_legend(self) -> bool:
        """Whether the picture shows the legend of its scene."""
        wanted = self.laid_out.scene.legend is not None and self.laid_out.changes is None
        return wanted and any(group.role == "legend" for group in self.drawing.groups)

    @cached_property
    def revealed(self) -> tuple[LaidOutScene, Drawing] | None:
        """A layout of all elements with its paint before any pen, or None without hidden elements."""
        return self._reveal() if self.laid_out.scene.hidden else None


class ExportLosses:
    """The losses of a format, collected during writing and reported once."""

    def __init__(self) -> None:
        self._of: dict[str, list[str]] = {}

    def add(self, what: str, *element_ids: str) -> None:
        """Add a loss: `what`, a plural noun phrase in plain words, is missing from the file for these elements."""
        self._of.setdefault(what, []).extend(element_ids)

    def add_rows(self, rows: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Add each loss that any element has."""
        for what, ids in rows:
            if found := list(ids):
                self.add(what, *found)

    def add_hidden(self, scene: Scene, kept: Collection[str] = ()) -> None:
        """Add the hidden elements of a scene as a loss, except elements `kept` in the file."""
        if lost := [one.id for one in scene.hidden if one.id not in kept]:
            self.add("hidden elements", *lost)

    def tell(self, report: Report, form: str) -> None:
        """EXPORT_LOSS (R-OUT-4), if anything was lost."""
        if self._of:
            rows = [
                {"elementIds": list(dict.fromkeys(ids))[:MOST_LISTED], "what": what} for what, ids in self._of.items()
            ]
            data = {"format": form, "losses": rows}
            report.add(EXPORT_LOSS, path="/elements", data=data, form=form, what="; ".join(self._of))


# What most drawing programs show, and keep no trace of.

_ROWS = ("attributes", "methods", "values", "operands", "regions", "over")


def is_typed(one: Element, keeps: Callable[[Node], bool] = lambda _: False) -> bool:
    """Whether an element has a type of its own; nodes with a type that the format `keeps` have none."""
    if isinstance(one, Node):
        return bool(authored_type(one)) and not keeps(one)
    if isinstance(one, Edge):
        return one.edge_type not in {None, DEFAULT_EDGE_TYPE}
    return isinstance(one, Frame) and one.container_type not in {None, DEFAULT_CONTAINER_TYPE}


def has_rows(one: Element) -> bool:
    """Whether an element has columns, compartments, operands or regions."""
    return any(name in one.extensions for name in _ROWS) or (isinstance(one, Node) and bool(one.columns))


WEIGHTS = "weights of fonts (they are bold or not)"


def is_weighted(one: Element) -> bool:
    """Whether the author gave a weight between or beyond regular and bold."""
    return one.style is not None and one.style.font_weight not in {None, 400, 700}


def groups_with(drawing: Drawing, has: Callable[[DrawnGroup], bool]) -> Iterator[str]:
    """The ids of elements with a property of their paint."""
    return (group.id for group in drawing.groups if group.role == "element" and has(group))


def has_gradient(group: DrawnGroup) -> bool:
    """Whether a shape is filled with a gradient."""
    return any(
        isinstance(item, PathItem) and item.is_outline and isinstance(item.fill, LinearGradient | RadialGradient)
        for item in group.items
    )


Writer = Callable[[Finished, WriteOptions, ExportLosses], Written]
