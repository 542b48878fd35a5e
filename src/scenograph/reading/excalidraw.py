"""Excalidraw files to a document. Boxes keep their places, arrows the elements that they are bound to. px."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import LONGEST_LABEL, Assembly
from scenograph.reading.source import Losses, Place, Source, Unreadable, shown
from scenograph.reading.yaml_documents import Document, documents
from scenograph.scene.colors import parse_color
from scenograph.scene.image_data import check_image
from scenograph.scene.json_values import JsonObject, is_array, is_number, is_object, object_at, text_at
from scenograph.scene.limits import LIMITS
from scenograph.scene.links import is_link
from scenograph.scene.strict_json import StrictJsonError, parse

# The elements of an Excalidraw file: boxes, texts, pictures, frames and lines, with their places, bindings and
# groups. px.


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


MOST_CHARACTERS = 1 << 20  # of a source

_FAMILY = "architecture"
_TYPES = frozenset({"excalidraw", "excalidraw/clipboard"})
_EXPECTED = "a file of Excalidraw: type, and elements that are drawn"
_HEADS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("arrow", "triangle", "triangle_outline"), "triangle"),
        **dict.fromkeys(("dot", "circle", "circle_outline"), "circle"),
        **dict.fromkeys(("diamond", "diamond_outline"), "diamond"),
        **dict.fromkeys(("bar", "crowfoot_one"), "bar"),
    }
)
_DASHES: Mapping[str, list[int]] = MappingProxyType({"dashed": [8, 6], "dotted": [2, 4]})
_ALIGNED: Mapping[str, str] = MappingProxyType({"left": "start", "center": "center", "right": "end"})
_NONE, _WHITE = "none", "#ffffff"
_INK, _FONT_SIZE, _STROKE_WIDTH = "#1e1e1e", 20.0, 2.0
_UNSEEN: JsonObject = {"fill": "none", "stroke": "none"}
_LONGEST_LINK = 2_000
_POINT = 1.0  # the size of a node at a free end
_MOST_NESTED = 24  # groups in groups
_MOST_PICTURES = 2 << 20  # characters of pictures in a document
_MOST_PAIRS = 500_000  # boxes compared for overlaps
_SLACK = 1.0
_BAND = 32.0  # the height of the title of a frame
_LETTER = 0.62  # the width of most letters, in font sizes


def recognizes(text: str) -> bool:
    """Whether a text is a file of Excalidraw."""
    if "excalidraw" not in text or not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return False
    try:
        return _is_file(parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")))
    except StrictJsonError:
        return False


def _is_file(root: object) -> bool:
    return is_object(root) and text_at(root, "type") in _TYPES and is_array(root.get("elements"))


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a file. Unreadable without an element that is drawn, TooLarge."""

    found = list(documents(source.text, PLACED_DEPTH, MOST_CHARACTERS))
    if len(found) != 1 or found[0].fault is not None or not _is_file(found[0].value):
        place = found[0].fault if found else None
        raise Unreadable(place or Place(1, 1), _EXPECTED)
    sketch = gather(found[0], losses)
    if not sketch.drawn:
        raise Unreadable(losses.first or Place(1, 1), _EXPECTED)
    root: JsonObject = found[0].value if is_object(found[0].value) else {}
    return _Page(sketch, root, source, losses).document()


class _Page:
    def __init__(self, sketch: Whiteboard, root: JsonObject, source: Source, losses: Losses) -> None:

        self._root = root
        self._losses = losses
        self._drawn = sketch.drawn
        self._assembly = Assembly("excalidraw", source)
        self._lines = [one for one in sketch.drawn.values() if one.kind in LINES]
        self._frames = {key: one for key, one in sketch.drawn.items() if one.kind in FRAMES}
        self._boxes = [one for one in sketch.drawn.values() if one.kind not in LINES and one.kind not in FRAMES]
        self._bound = {key for one in self._lines for key in (one.starts_at, one.ends_at)}
        self._heights = _heights(self._boxes)
        self._untold: dict[str, tuple[Place, int]] = {}
        self._pictures: dict[str, str | None] = {}
        self._room = _MOST_PICTURES

    def document(self) -> JsonObject:
        """The document of the page."""
        held = self._held()
        for key in self._frames:
            self._assembly.name(key, "frame")
        for key in held:
            self._assembly.name(key)
        for one in self._boxes:
            _ADDERS.get(one.kind, _Page.add_box)(self, one)
        for one in self._frames.values():
            self._assembly.frame(
                one.key,
                title=(text_at(one.said, "name") or "Frame")[:LONGEST_LABEL],
                layout=_banded(_layout(one)),
                children=[self._assembly.name(key) for key in held.get(one.key, ())],
                **self._linked(one),
            )
        for key, children in held.items():
            if key not in self._frames:
                self._assembly.group(key, children=[self._assembly.name(child) for child in children])
        for one in self._lines:
            self._add_line(one)
        for what, (place, count) in self._untold.items():
            self._losses.formless(place, f"{what} ({count})")
        ground = _color(object_at(self._root, "appState"), "viewBackgroundColor", _NONE)
        canvas = {"background": ground} if ground not in (_NONE, _WHITE) else None
        return self._assembly.document(_FAMILY, canvas=canvas)

    # Containment.

    def _held(self) -> dict[str, list[str]]:
        """The children of frames and groups, in paint order. A group stands in the frame of its first element."""
        outer: dict[str, str] = {}
        for one in self._boxes:
            frame = text_at(one.said, "frameId") or ""
            groups = [f"group {group}" for group in one.groups[:_MOST_NESTED]]
            inner = one.key
            for holder in [*groups, *([frame] if frame in self._frames else [])]:
                if inner in outer:
                    break
                outer[inner] = inner = holder
        _flatten(outer)
        holders = {*outer.values()}
        while empty := [key for key in outer if key not in self._drawn and key not in holders]:
            for key in empty:
                del outer[key]
            holders = {*outer.values()}
        held: dict[str, list[str]] = {}
        for key, holder in outer.items():
            held.setdefault(holder, []).append(key)
        return held

    # Boxes, texts and pictures.

    def add_box(self, one: Drawn) -> None:
        """A node, with the label bound to it."""

        label = one.label
        shape = BOXES.get(one.kind, "rect")
        if shape == "rect" and one.said.get("roundness"):
            shape = "roundedRect"
        style = _painted(one) | (_lettered(label) if label else {})
        words = label.words if label else ""
        if one.kind not in BOXES:
            words = (text_at(one.said, "link") or one.kind)[:LONGEST_LABEL]
        members = {"shape": shape, "label": words, "layout": _layout(one), "zIndex": self._heights.get(one.key)}
        self._assembly.node(one.key, **members, style=style, **self._linked(one))
        self._tell_turned(one)

    def add_text(self, one: Drawn) -> None:
        """A text; a text with arrows is a node without outline."""
        told = {**self._linked(one), "zIndex": self._heights.get(one.key)}
        self._tell_turned(one)
        if one.key in self._bound:
            style = {**_UNSEEN, **_lettered(one)}
            self._assembly.node(one.key, shape="rect", label=one.words, layout=_layout(one), style=style, **told)
            return
        align = _ALIGNED.get(text_at(one.said, "textAlign") or "left", "start")
        layout = _spread(one, align)
        self._assembly.text(one.key, content=one.words, align=align, layout=layout, style=_lettered(one), **told)

    def add_image(self, one: Drawn) -> None:
        """A picture; with arrows in a group."""
        url = self._picture(text_at(one.said, "fileId") or "")
        self._tell_turned(one)
        if url is None:
            self._tell("pictures that are missing, large or not png, jpeg, gif or webp are drawn as boxes", one.place)
            self._assembly.node(one.key, shape="rect", label="picture", layout=_layout(one), **self._linked(one))
            return
        key = one.key
        layout = _layout(one)
        if one.key in self._bound:
            key = f"picture of {one.key}"
            self._assembly.group(one.key, children=[self._assembly.name(key, "picture")], layout=layout)
        self._assembly.image(key, href=url, layout=layout, fit="stretch", zIndex=self._heights.get(one.key))

    def _picture(self, file: str) -> str | None:
        """The picture of a file as a data: URI; None for a missing, large or strange one."""
        if file not in self._pictures:
            url = text_at(self._root, "files", file, "dataURL") or ""
            head, _, data = url.partition(",")
            mime_type = head.removeprefix("data:").removesuffix(";base64")
            is_good = url.startswith("data:") and not check_image(mime_type, data, LIMITS)
            self._pictures[file] = url if is_good else None
        found = self._pictures[file]
        self._room -= len(found or "")
        return found if self._room >= 0 else None

    # Lines.

    def _add_line(self, one: Drawn) -> None:
        """An edge between the bound elements, or between invisible nodes at free ends."""
        start, end = one.points[0], one.points[-1]
        if one.kind == "line" and _color(one.said, "backgroundColor", _NONE) != _NONE:
            self._tell("fills of lines are not drawn", one.place)
        self._tell_turned(one)
        middle = [{"x": round(x, 2), "y": round(y, 2)} for x, y in one.points[1:-1]]
        router = "curved" if one.said.get("roundness") else "polyline" if middle else "straight"
        if one.said.get("elbowed") is True:
            router, middle = "orthogonal", []
        said = {side: text_at(one.said, f"{side}Arrowhead") for side in ("start", "end")}
        heads = {f"{side}Arrow": _HEADS.get(name, "triangle") if name else "none" for side, name in said.items()}
        style = _painted(one, is_line=True) | (_lettered(one.label) if one.label else {})
        self._assembly.edge(
            self._end(one, "start", one.starts_at, start),
            self._end(one, "finish", one.ends_at, end),
            one.key,
            identified=True,
            label=one.label.words if one.label else "",
            router=router,
            waypoints=middle if router == "polyline" and middle else None,
            endpoints=heads,
            style=style,
            zIndex=max(self._heights.get(one.starts_at, 0), self._heights.get(one.ends_at, 0)) or None,
            **self._linked(one),
        )

    def _end(self, one: Drawn, name: str, bound: str, at: Point) -> JsonObject:
        found = self._drawn.get(bound)
        if found is not None and found not in self._lines:
            return {"elementId": self._assembly.name(bound)}
        key = f"{name} of {one.key}"
        x, y = (round(place - _POINT / 2, 2) for place in at)
        layout = {"mode": "absolute", "x": x, "y": y, "width": _POINT, "height": _POINT}
        self._assembly.node(key, shape="ellipse", layout=layout, style=dict(_UNSEEN))
        return {"elementId": self._assembly.name(key)}

    # Links and losses.

    def _linked(self, one: Drawn) -> JsonObject:
        link = text_at(one.said, "link")
        if not link:
            return {}
        if len(link) > _LONGEST_LINK or not is_link(link):
            self._losses.formless(one.place, f"the link of {shown(_called(one))} is left out")
            return {}
        return {"link": {"href": link}}

    def _tell_turned(self, one: Drawn) -> None:
        if one.is_turned:
            self._tell("turned elements stand upright", one.place)

    def _tell(self, what: str, place: Place) -> None:
        first, count = self._untold.get(what, (place, 0))
        self._untold[what] = (first, count + 1)


_ADDERS = MappingProxyType({"text": _Page.add_text, "image": _Page.add_image})


def _called(one: Drawn) -> str:
    return (one.label.words if one.label else one.words) or one.key


def _layout(one: Drawn) -> JsonObject:
    size = {"width": round(one.width, 2), "height": round(one.height, 2)}
    return {"mode": "absolute", "x": round(one.x, 2), "y": round(one.y, 2), **size}


def _banded(layout: JsonObject) -> JsonObject:
    """The layout of a frame with room for its title, which Excalidraw writes above the frame."""
    return layout | {"y": round(layout["y"] - _BAND, 2), "height": round(layout["height"] + _BAND, 2)}


def _spread(one: Drawn, align: str) -> JsonObject:
    """The layout of a text: fonts differ, and a text without a width of its own needs the width of its longest line."""
    longest = max(map(len, one.words.split("\n")))
    needed = min(longest, LONGEST_LABEL) * _LETTER * one.number("fontSize", _FONT_SIZE, 1, 512)
    wide = one.width if one.said.get("autoResize") is False else max(one.width, needed)
    spare = {"start": 0.0, "center": 0.5, "end": 1.0}[align] * (one.width - wide)
    return {"mode": "absolute", "x": round(one.x + spare, 2), "y": round(one.y, 2), "width": round(wide, 2)}


def _color(said: Mapping[str, Any], name: str, default: str) -> str:
    """A colour as documents write it; `default` for none and for a word that is no colour."""
    text = text_at(said, name) or ""
    found = parse_color(text)
    return default if found is None else _NONE if found.alpha == 0 else text


def _painted(one: Drawn, *, is_line: bool = False) -> JsonObject:
    """The style of a shape or a line."""
    style: JsonObject = {
        "stroke": _color(one.said, "strokeColor", _INK),
        "strokeWidth": one.number("strokeWidth", _STROKE_WIDTH, 0.1, 100),
    }
    if not is_line:
        style["fill"] = _color(one.said, "backgroundColor", _NONE)
    dash = _DASHES.get(text_at(one.said, "strokeStyle") or "")
    if dash:
        style["dash"] = list(dash)
    opacity = one.number("opacity", 100, 0, 100)
    return style | ({"opacity": round(opacity / 100, 2)} if opacity < 100 else {})


def _lettered(one: Drawn) -> JsonObject:
    """The style of letters."""
    ink = _color(one.said, "strokeColor", _INK)
    size = round(one.number("fontSize", _FONT_SIZE, 1, 512), 2)
    return {"fontSize": size} | ({} if ink == _NONE else {"textColor": ink})


def _flatten(outer: dict[str, str]) -> None:
    """Take out elements within themselves or deeper than _MOST_NESTED."""
    depths: dict[str, int] = {}
    for first in list(outer):
        way: dict[str, None] = {}
        at = first
        while at in outer and at not in depths and at not in way:
            way[at] = None
            at = outer[at]
        if at in way:
            del outer[at]
        for key in reversed(way):
            depths[key] = depths.get(outer[key], 0) + 1 if key in outer else 0
            if depths[key] > _MOST_NESTED:
                del outer[key]
                depths[key] = 0


def _heights(boxes: list[Drawn]) -> dict[str, int]:
    """The paint order of boxes on earlier boxes: lines run above a background."""
    found: dict[str, int] = {}
    left = _MOST_PAIRS
    for at, one in enumerate(boxes):
        left -= at
        if left < 0:
            break
        below = [found.get(other.key, 0) for other in boxes[:at] if _holds(other, one)]
        if below:
            found[one.key] = max(below) + 1
    return found


def _holds(one: Drawn, other: Drawn) -> bool:
    return (
        one.x - _SLACK <= other.x
        and one.y - _SLACK <= other.y
        and other.x + other.width <= one.x + one.width + _SLACK
        and other.y + other.height <= one.y + one.height + _SLACK
    )
