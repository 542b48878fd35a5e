"""BPMN DI: positions of elements in the diagrams of a file. Diagrams after the first are placed below one another.
px."""

from __future__ import annotations

import math
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.markup import Tag

GAP = 80.0  # between diagrams
FARTHEST = 1e5


class DrawnBounds(NamedTuple):
    """A box."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the box."""
        return (self.x + self.width / 2, self.y + self.height / 2)

    def grown(self, by: float) -> DrawnBounds:
        """The box, enlarged by `by` on every side."""
        return DrawnBounds(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def surrounds(self, other: DrawnBounds) -> bool:
        """Whether the box contains another box."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether the box contains a point."""
        return self.x <= point[0] <= self.x + self.width and self.y <= point[1] <= self.y + self.height


@dataclass(slots=True)
class Shown:
    """The diagrams' content: boxes by BPMN id, upright pools and lanes, closed subprocesses."""

    boxes: dict[str, DrawnBounds] = field(default_factory=dict[str, DrawnBounds])
    upright: set[str] = field(default_factory=set[str])
    closed: set[str] = field(default_factory=set[str])


def read_diagrams(definitions: Tag) -> Shown:
    """All diagrams of a file. An element in several diagrams stands where the first shows it."""
    shown = Shown()
    bottom = 0.0
    for diagram in definitions.all("BPMNDiagram"):
        boxes: dict[str, DrawnBounds] = {}
        for shape in diagram.walk():
            box = _bounds(shape) if shape.name == "BPMNShape" else None
            if box is not None:
                boxes[local(shape.get("bpmnElement"))] = box
                _note_look(shape, shown)
        top = min((box.y for box in boxes.values()), default=0.0)
        shift = bottom + GAP - top if shown.boxes else 0.0
        for name, box in boxes.items():
            shown.boxes.setdefault(name, box._replace(y=box.y + shift))
        bottom = max((box.y + box.height for box in shown.boxes.values()), default=0.0)
    return shown


def _note_look(shape: Tag, shown: Shown) -> None:
    name = local(shape.get("bpmnElement"))
    if shape.get("isHorizontal") == "false":
        shown.upright.add(name)
    if shape.get("isExpanded") == "false":
        shown.closed.add(name)


def local(name: str) -> str:
    """A reference without its namespace prefix."""
    return name.strip().rpartition(":")[2]


def _bounds(shape: Tag) -> DrawnBounds | None:
    said = shape.first("Bounds")
    values = [_number(said.get(name)) for name in DrawnBounds._fields] if said is not None else []
    known = [value for value in values if value is not None]
    return DrawnBounds(*known) if len(known) == len(DrawnBounds._fields) and min(known[2:]) >= 0 else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) <= FARTHEST else None
