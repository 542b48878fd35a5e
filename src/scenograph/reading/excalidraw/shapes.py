"""The elements of an Excalidraw file: boxes, texts, pictures, frames and lines, with their places, bindings and groups.
px."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import LONGEST_LABEL
from scenograph.reading.losses import Losses, Place
from scenograph.reading.yaml_documents import Document
from scenograph.scene.json_values import JsonObject, is_array, is_number, is_object, text_at

PLACED_DEPTH = 2  # elements, 3
BOXES: Mapping[str, str] = MappingProxyType({"rectangle": "rect", "diamond": "diamond", "ellipse": "ellipse"})
LINES = ("arrow", "line")
FRAMES = ("frame", "magicframe")
EMBEDDED = ("embeddable", "iframe")
TEXT, IMAGE = "text", "image"
_STROKES = ("freedraw", "draw")
FARTHEST, LARGEST = 900_000.0, 100_000.0
_LONGEST_ID, _MOST_POINTS = 200, 1_000

Point = tuple[float, float]


@dataclass(slots=True)
class Drawn:
    """An element that is read, with its box. `points` of a line are places on the page; `starts_at` and `ends_at` are
    the ids of bound elements; `label` is the text bound to the element."""

    key: str
    kind: str
    said: JsonObject
    place: Place
    x: float
    y: float
    width: float
    height: float
    points: list[Point] = field(default_factory=list[Point])
    starts_at: str = ""
    ends_at: str = ""
    label: Drawn | None = None

    @property
    def groups(self) -> list[str]:
        """The groups around the element, the innermost first."""
        rows = self.said.get("groupIds")
        return [one for one in (rows if is_array(rows) else ()) if isinstance(one, str) and len(one) <= _LONGEST_ID]

    @property
    def words(self) -> str:
        """The words of a text as they were written."""
        said = text_at(self.said, "originalText") or text_at(self.said, "text") or ""
        return said[: LONGEST_LABEL + 1].strip("\n")

    @property
    def is_turned(self) -> bool:
        """Whether the element is turned by a visible angle."""
        angle = self.said.get("angle")
        return is_number(angle) and abs(angle) > 0.01

    def number(self, name: str, default: float, least: float, most: float) -> float:
        """A number within bounds."""
        found = self.said.get(name)
        return min(max(float(found), least), most) if is_number(found) else default


@dataclass(slots=True)
class Whiteboard:
    """The drawn elements of a file in paint order, by id; texts bound to others are their labels."""

    drawn: dict[str, Drawn] = field(default_factory=dict[str, Drawn])


def gather(document: Document, losses: Losses) -> Whiteboard:
    """The elements of a document that is an Excalidraw file."""
    root: JsonObject = document.value if is_object(document.value) else {}
    rows = root.get("elements")
    found, untold = Whiteboard(), dict[str, tuple[Place, int]]()
    for index, said in enumerate(rows if is_array(rows) else ()):
        place = document.place("elements", index)
        if is_object(said) and said.get("isDeleted") is True:
            continue
        kind = text_at(said, "type") or ""
        if kind in _STROKES:
            first, count = untold.get("freehand strokes", (place, 0))
            untold["freehand strokes"] = (first, count + 1)
            continue
        one = _read(kind, said, place) if is_object(said) else None
        if one is None or one.key in found.drawn:
            why = "is not understood" if one is None else "has the id of another one"
            losses.unread(place, f"an element {why}")
            continue
        found.drawn[one.key] = one
    for what, (place, count) in untold.items():
        losses.formless(place, f"{what} ({count}): not drawn")
    _bind_labels(found)
    return found


def _read(kind: str, said: JsonObject, place: Place) -> Drawn | None:
    key = said.get("id")
    is_known = kind in BOXES or kind in LINES or kind in FRAMES or kind in EMBEDDED or kind in (TEXT, IMAGE)
    numbers = [said.get(name, 0) for name in ("x", "y", "width", "height")]
    if not is_known or not isinstance(key, str) or not 0 < len(key) <= _LONGEST_ID or not all(map(is_number, numbers)):
        return None
    x, y, width, height = map(float, numbers)
    x, y = min(x, x + width), min(y, y + height)
    if max(abs(x), abs(y)) > FARTHEST or max(abs(width), abs(height)) > LARGEST:
        return None
    one = Drawn(key, kind, said, place, x, y, max(abs(width), 1.0), max(abs(height), 1.0))
    if kind in LINES:
        one.points = list(_points(said))
        one.starts_at, one.ends_at = (text_at(said, name, "elementId") or "" for name in ("startBinding", "endBinding"))
        if len(one.points) < 2:
            return None
    return one


def _points(said: JsonObject) -> Iterator[Point]:
    """The points of a line on the page; at most _MOST_POINTS, evenly chosen."""
    rows = said.get("points")
    rows = rows if is_array(rows) else []
    if len(rows) > _MOST_POINTS:
        rows = [*rows[: -1 : len(rows) // _MOST_POINTS + 1], rows[-1]]
    left, top = float(said.get("x", 0)), float(said.get("y", 0))
    for row in rows:
        if is_array(row) and len(row) >= 2 and is_number(row[0]) and is_number(row[1]):
            at = left + row[0], top + row[1]
            if max(map(abs, at)) <= FARTHEST:
                yield at


def _bind_labels(found: Whiteboard) -> None:
    """Give each container its bound text. A text whose container is missing, or has a text already, stays free."""
    for key, one in list(found.drawn.items()):
        holder = found.drawn.get(text_at(one.said, "containerId") or "")
        if one.kind == TEXT and holder is not None and holder.label is None and holder.kind in (*BOXES, *LINES):
            holder.label = one
            del found.drawn[key]
