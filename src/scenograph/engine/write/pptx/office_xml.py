"""The vocabulary of a slide and the file around it: DrawingML and Open Packaging (ECMA-376)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from itertools import groupby, pairwise
from math import hypot
from typing import NamedTuple
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from scenograph.engine.drawing import LinearGradient, Paint, PathItem, RadialGradient, TextRun
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import (
    Close,
    Cubic,
    Line,
    Move,
    Path,
    Quadratic,
    ellipse,
    polygon,
    rounded_rectangle,
)
from scenograph.engine.text.blocks import Font
from scenograph.engine.write.foreign import gaps, joined
from scenograph.engine.write.markup import Markup, escaped, serialized
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color

# DrawingML: fills, lines, outlines and texts of a slide (ECMA-376 part 1, 20.1 and 21.1).
#
# In: paint in scene px. Out: `Markup`. Lengths are EMU (914,400 an inch, 9,525 a CSS px), font sizes hundredths of a
# point, angles 60,000ths of a degree clockwise, shares 1,000ths of a percent.

EMU = 9525
"""EMU in a CSS px."""
FULL = 100_000
_DEGREE = 60_000
_WIDEST_LINE = 20_116_800
_SMALLEST_FONT, _LARGEST_FONT = 100, 400_000
_POINTS = 75  # hundredths of a point in a px
_BOLD = 600


def el(name: str, attributes: Mapping[str, object] | None = None, *children: Markup | str) -> Markup:
    """An element."""
    rows = tuple((key, str(value)) for key, value in (attributes or {}).items())
    return Markup(name, rows, children)


class SlideScale(NamedTuple):
    """Scene px to the slide: the scene point at its corner, and the scale, 1 unless the page exceeds a slide."""

    origin: Point
    scale: float

    def length(self, px: float) -> int:
        """A length in EMU."""
        return round(px * self.scale * EMU)

    def box(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, width and height of a box in EMU."""
        left, top = self.length(box.x - self.origin.x), self.length(box.y - self.origin.y)
        return left, top, max(self.length(box.width), 0), max(self.length(box.height), 0)

    def points(self, px: float) -> int:
        """A length in hundredths of a point."""
        return round(px * self.scale * _POINTS)


def transform(ruler: SlideScale, box: Box, turn: float = 0.0, *, flips: Mapping[str, object] | None = None) -> Markup:
    """The place of an object, turned about its middle by `turn` degrees."""
    turned = {"rot": round(turn % 360 * _DEGREE)} if turn % 360 else {}
    return el("a:xfrm", {**turned, **(flips or {})}, *_place(ruler, box, "a:off", "a:ext"))


def group_transform(ruler: SlideScale, box: Box) -> Markup:
    """The place of a group whose members keep the coordinates of the slide."""
    return el("a:xfrm", None, *_place(ruler, box, "a:off", "a:ext"), *_place(ruler, box, "a:chOff", "a:chExt"))


def _place(ruler: SlideScale, box: Box, offset: str, extent: str) -> tuple[Markup, Markup]:
    left, top, width, height = ruler.box(box)
    return el(offset, {"x": left, "y": top}), el(extent, {"cx": width, "cy": height})


# Fills and lines.


def first_color(paint: Paint | None) -> Color | None:
    """A colour; the first colour of a gradient; None without visible paint."""
    if isinstance(paint, LinearGradient | RadialGradient):
        paint = paint.stops[0].color if paint.stops else None
    return None if paint is None or paint.alpha <= 0 else paint


def color(of: Color, opacity: float = 1.0) -> Markup:
    """A colour with its alpha."""
    channels = "".join(f"{min(max(round(channel), 0), 255):02X}" for channel in of[:3])
    alpha = min(max(of.alpha * opacity, 0.0), 1.0)
    inner = () if alpha >= 1 else (el("a:alpha", {"val": round(alpha * FULL)}),)
    return el("a:srgbClr", {"val": channels}, *inner)


def fill(paint: Paint | None, opacity: float = 1.0) -> Markup:
    """A solid fill, or none."""
    found = first_color(paint)
    return el("a:noFill") if found is None else el("a:solidFill", None, color(found, opacity))


def line(item: PathItem, ruler: SlideScale, opacity: float = 1.0, ends: Sequence[Markup] = ()) -> Markup:
    """The line of a path, dashes in multiples of the width, with `ends`."""
    paint = first_color(item.stroke)
    if paint is None or item.stroke_width <= 0:
        return el("a:ln", None, el("a:noFill"))
    width = min(max(ruler.length(item.stroke_width), 1), _WIDEST_LINE)
    dashes = item.dash if len(item.dash) % 2 == 0 else item.dash * 2
    stops = [
        el("a:ds", {"d": _share(long, item.stroke_width), "sp": _share(gap, item.stroke_width)})
        for long, gap in zip(dashes[::2], dashes[1::2], strict=True)
    ]
    dashed = (el("a:custDash", None, *stops),) if stops else ()
    joins = el("a:round") if item.round_joins else el("a:miter", {"lim": 800_000})
    return el("a:ln", {"w": width}, el("a:solidFill", None, color(paint, opacity)), *dashed, joins, *ends)


def _share(length: float, of: float) -> int:
    return max(round(length / of * FULL), 0)


# Outlines: the preset recognized in a path, else the path itself.


_NEAR = 0.25  # px; equal points


class Preset(NamedTuple):
    """A preset geometry: name, adjustments, connection sites by index, and the text box."""

    name: str
    adjustments: Mapping[str, int]
    sites: tuple[Point | None, ...]
    text: Box


def preset_of(path: Path, box: Box, shape: str | None = None) -> Preset | None:
    """The preset drawn by an outline, by its form; `shape` is the author's word for outlines that no form tells."""
    found = _rounded(path, box) or _elliptic(path, box) or _cornered(path, box)
    return _can(path, box) if found is None and shape == "cylinder" else found


def sides_of(box: Box) -> tuple[Point, ...]:
    """Middles of the sides in the order of connection sites: top, left, bottom, right."""
    middle = box.center
    return Point(middle.x, box.y), Point(box.x, middle.y), Point(middle.x, box.bottom), Point(box.right, middle.y)


def _rounded(path: Path, box: Box) -> Preset | None:
    start = path[0]
    if not isinstance(start, Move) or len(path) not in {5, 10}:
        return None
    radius = start.to.x - box.x if len(path) == 10 else 0.0
    if not _alike(path, rounded_rectangle(box, radius)):
        return None
    if radius <= 0:
        return Preset("rect", {}, sides_of(box), box)
    share = round(radius / min(box.width, box.height) * FULL)
    return Preset("roundRect", {"adj": min(share, FULL // 2)}, sides_of(box), box.grown(-radius * _ROUND_TEXT))


_ROUND_TEXT = 0.29289  # of the radius: the text of a rounded rectangle
_INSCRIBED = 0.5**0.5


def _elliptic(path: Path, box: Box) -> Preset | None:
    if not _alike(path, ellipse(box)):
        return None
    across, down = box.width / 2 * _INSCRIBED, box.height / 2 * _INSCRIBED
    (x, y), (top, left, bottom, right) = box.center, sides_of(box)
    corners = Point(x - across, y - down), Point(x - across, y + down), Point(x + across, y + down)
    sites = top, corners[0], left, corners[1], bottom, corners[2], right, Point(x + across, y - down)
    return Preset("ellipse", {}, sites, Box(x - across, y - down, 2 * across, 2 * down))


def _cornered(path: Path, box: Box) -> Preset | None:
    """A diamond, hexagon or parallelogram."""
    corners = [segment.to for segment in path if isinstance(segment, Move | Line)]
    if len(corners) + 1 != len(path) or box.width <= 0 or box.height <= 0:
        return None
    top, left, bottom, right = sides_of(box)
    if _alike(path, polygon((top, right, bottom, left))):
        inner = Box(box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2)
        return Preset("diamond", {}, (top, left, bottom, right), inner)
    reach, short = corners[0].x - box.x, min(box.width, box.height)
    inner = Box(box.x + reach, box.y, max(box.width - 2 * reach, 0.0), box.height)
    share = {"adj": round(reach / short * FULL)}
    upper = Point(box.x + reach, box.y), Point(box.right - reach, box.y)
    lower = Point(box.right - reach, box.bottom), Point(box.x + reach, box.bottom)
    if _alike(path, polygon((*upper, right, *lower, left))):
        sites = right, lower[0], lower[1], left, upper[0], upper[1]
        return Preset("hexagon", share | {"vf": 115_470}, sites, inner)
    if _alike(path, polygon((upper[0], Point(box.right, box.y), lower[0], Point(box.x, box.bottom)))):
        return Preset("parallelogram", share, (), inner)
    return None


def _can(path: Path, box: Box) -> Preset | None:
    start = path[0]
    if not isinstance(start, Move) or box.width <= 0 or box.height <= 0:
        return None
    lid = start.to.y - box.y
    share = round(2 * lid / min(box.width, box.height) * FULL)
    text = Box(box.x, box.y + 2 * lid, box.width, max(box.height - 3 * lid, 0.0))
    return Preset("can", {"adj": share}, (), text)


def _alike(path: Path, other: Path) -> bool:
    if len(path) != len(other) or list(map(type, path)) != list(map(type, other)):
        return False
    near = (
        hypot(a.x - b.x, a.y - b.y) <= _NEAR for one, two in zip(path, other, strict=True) for a, b in _pairs(one, two)
    )
    return all(near)


def _pairs(one: object, two: object) -> Iterable[tuple[Point, Point]]:
    match one, two:
        case ((Move() | Line()), (Move() | Line())):
            return ((one.to, two.to),)
        case Cubic(), Cubic():
            return zip(one, two, strict=True)
        case _:
            return ()


def preset_geometry(name: str, adjustments: Mapping[str, int]) -> Markup:
    """A preset with its adjustments."""
    rows = (el("a:gd", {"name": key, "fmla": f"val {value}"}) for key, value in adjustments.items())
    return el("a:prstGeom", {"prst": name}, el("a:avLst", None, *rows))


class OwnOutline(NamedTuple):
    """An outline within a box: the filled path, strokes over the fill, the box of its text."""

    path: Path
    details: tuple[Path, ...]
    box: Box
    text: Box


def own_geometry(outline: OwnOutline, sites: Sequence[Point], ruler: SlideScale) -> Markup:
    """An outline of its own: the middles of the sides first, then further `sites`, as connection sites. Sites and text
    are shares of the width and height: they follow a change of the size."""
    box = outline.box
    _, _, width, height = ruler.box(box)
    guides: list[Markup] = []

    def shares(at: Point) -> dict[str, object]:
        names = f"x{len(guides)}", f"y{len(guides)}"
        across = ruler.length(at.x - box.x), ruler.length(at.y - box.y)
        for name, side, value, whole in zip(names, "wh", across, (width, height), strict=True):
            guides.append(el("a:gd", {"name": name, "fmla": f"*/ {side} {value} {max(whole, 1)}"}))
        return dict(zip("xy", names, strict=True))

    rows = [el("a:cxn", {"ang": _angle(at, box)}, el("a:pos", shares(at))) for at in (*sides_of(box), *sites)]
    text = outline.text
    first, last = shares(Point(text.x, text.y)), shares(Point(text.right, text.bottom))
    inside, size = ruler._replace(origin=Point(box.x, box.y)), {"w": width, "h": height}
    paths = [el("a:path", size, *_segments(outline.path, inside))]
    paths += [el("a:path", size | {"fill": "none"}, *_segments(path, inside)) for path in outline.details]
    return el(
        "a:custGeom",
        None,
        el("a:avLst"),
        el("a:gdLst", None, *guides),
        el("a:ahLst"),
        el("a:cxnLst", None, *rows),
        el("a:rect", {"l": first["x"], "t": first["y"], "r": last["x"], "b": last["y"]}),
        el("a:pathLst", None, *paths),
    )


def _angle(at: Point, box: Box) -> int:
    """The direction of a connector at a site: away from the nearest side."""
    aside = {180: at.x - box.x, 270: at.y - box.y, 0: box.right - at.x, 90: box.bottom - at.y}
    return min(aside, key=lambda angle: abs(aside[angle])) * _DEGREE


def open_geometry(path: Path, ruler: SlideScale) -> Markup:
    """A free line; the origin of `ruler` is the corner of the line's place."""
    drawn = el("a:path", {"fill": "none"}, *_segments(path, ruler))
    empty = (el(f"a:{name}Lst") for name in ("av", "gd", "ah", "cxn"))
    rect = el("a:rect", {"l": "0", "t": "0", "r": "r", "b": "b"})
    return el("a:custGeom", None, *empty, rect, el("a:pathLst", None, drawn))


def _segments(path: Path, ruler: SlideScale) -> list[Markup]:
    found: list[Markup] = []
    for segment in path:
        match segment:
            case Move():
                found.append(el("a:moveTo", None, _position("a:pt", segment.to, ruler)))
            case Line():
                found.append(el("a:lnTo", None, _position("a:pt", segment.to, ruler)))
            case Cubic():
                found.append(el("a:cubicBezTo", None, *(_position("a:pt", point, ruler) for point in segment)))
            case Quadratic():
                found.append(el("a:quadBezTo", None, *(_position("a:pt", point, ruler) for point in segment)))
            case Close():
                found.append(el("a:close"))
    return found


def _position(name: str, at: Point, ruler: SlideScale) -> Markup:
    return el(name, {"x": ruler.length(at.x - ruler.origin.x), "y": ruler.length(at.y - ruler.origin.y)})


# Texts: paragraphs with the author's breaks; the program breaks lines itself.


class OfficeFont(NamedTuple):
    """A font of the program or the system, and the size factor for the width of our font."""

    name: str
    size: float = 1.0


TYPEFACES: Mapping[str, OfficeFont] = {
    "sans": OfficeFont("Arial"),
    "mono": OfficeFont("Courier New"),
    "hand": OfficeFont("Comic Sans MS", 0.85),
}
"""Our families by fonts with like widths: Inter, JetBrains Mono and Kalam come with no office program."""
_THEME_FONT = "+mn-lt"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFrame:
    """The form of a text: its alignment (l, ctr, r), the vertical anchor (t, ctr, b), the insets (left, top, right,
    bottom) in px, the distance of its baselines in px, and whether the program may break lines."""

    align: str = "ctr"
    anchor: str = "ctr"
    insets: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    pitch: float | None = None
    wraps: bool = False


class Hand(NamedTuple):
    """The writer of a slide's letters: the ruler, the opacity, and the family of the slide's theme."""

    ruler: SlideScale
    opacity: float
    family: str


def text_body(lines: Sequence[Sequence[TextRun]], said: str, frame: TextFrame, hand: Hand) -> Markup:
    """The body of a text; `said` is the authored text, whose breaks are kept."""
    names = ("lIns", "tIns", "rIns", "bIns")
    insets = {name: hand.ruler.length(inset) for name, inset in zip(names, frame.insets, strict=True)}
    wrap = {"wrap": "square" if frame.wraps else "none"}
    body = el("a:bodyPr", wrap | insets | {"anchor": frame.anchor}, el("a:noAutofit"))
    rows = [_paragraph(runs, frame, hand) for runs in paragraphs(lines, said)]
    return el("p:txBody", None, body, el("a:lstStyle"), *(rows or [el("a:p")]))


def paragraphs(lines: Sequence[Sequence[TextRun]], said: str) -> list[list[TextRun]]:
    """The runs of each paragraph: lines joined as the author wrote them, runs of equal look joined."""
    found: list[list[TextRun]] = []
    breaks = ["\n", *gaps([joined(line) for line in lines], said)]
    for gap, line in zip(breaks, lines, strict=True):
        spaced = _spaced(line)
        if "\n" in gap:
            found += [[] for _ in range(gap.count("\n"))] if found else [[]]
            found[-1] = spaced
            continue
        last = found[-1][-1]
        found[-1] = [*found[-1][:-1], last._replace(text=last.text + gap), *spaced]
    return [_merged(runs) for runs in found]


def _spaced(line: Sequence[TextRun]) -> list[TextRun]:
    """The runs of a line, each with the space that follows."""
    found = [*line]
    for number, (run, following) in enumerate(pairwise(line)):
        gap = joined((run, following)).removeprefix(run.text).removesuffix(following.text)
        found[number] = run._replace(text=run.text + gap)
    return found


def _merged(runs: Sequence[TextRun]) -> list[TextRun]:
    same = groupby(runs, lambda run: (run.font, run.color))
    groups = [list(rows) for _, rows in same]
    return [rows[0]._replace(text="".join(run.text for run in rows)) for rows in groups]


def _paragraph(runs: Sequence[TextRun], frame: TextFrame, hand: Hand) -> Markup:
    ruled = (
        () if frame.pitch is None else (el("a:lnSpc", None, el("a:spcPts", {"val": hand.ruler.points(frame.pitch)})),)
    )
    right = {"rtl": 1} if runs and runs[0].right_to_left else {}
    head = el("a:pPr", {"algn": frame.align} | right, *ruled)
    return el("a:p", None, head, *(el("a:r", None, _look(run, hand), el("a:t", None, run.text)) for run in runs))


def _look(run: TextRun, hand: Hand) -> Markup:
    font: Font = run.font
    face = TYPEFACES.get(font.family, TYPEFACES["sans"])
    size = min(max(hand.ruler.points(font.size * face.size), _SMALLEST_FONT), _LARGEST_FONT)
    members: dict[str, object] = {"sz": size, "b": int(font.weight >= _BOLD), "i": int(font.italic), "dirty": 0}
    name = _THEME_FONT if font.family == hand.family else face.name
    return el("a:rPr", members, fill(run.color, hand.opacity), el("a:latin", {"typeface": name}))


# The file around a slide: parts, relationships and media of an Open Packaging container (ECMA-376, parts 1 and 2).
#
# In: the slide's XML and everything it names. Out: the bytes of a zip archive. Same parts, same bytes: entries carry no
# time.

_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (("xmlns:a", _DRAWING), ("xmlns:r", _LINKS), ("xmlns:p", _SLIDES))

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument"
_SLIDE_TYPES = f"{_TYPES}.presentationml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_LEVEL = 6
_OF_ADDRESSES = "%/:?#[]@!$&'()*+,;=~"
_ID = 40

MEDIA: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/gif": "gif",
    "image/svg+xml": "svg",
}
"""The pictures that slides hold: media type and suffix."""


class FileNames(NamedTuple):
    """The names of the file: title and description of its properties, and the typeface of its theme."""

    title: str
    description: str
    typeface: str


@dataclass
class Relations:
    """The targets named by the slide, each once: pictures within the file and addresses outside."""

    _ids: dict[tuple[str, str, bool], str] = field(default_factory=dict[tuple[str, str, bool], str])
    media: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def picture(self, mime_type: str, data: bytes) -> str:
        """The relationship id of a picture; equal pictures are stored once."""
        name = f"{sha256(data).hexdigest()[:_ID]}.{MEDIA[mime_type]}"
        self.media.setdefault(name, data)
        return self._add("image", f"../media/{name}", is_outside=False)

    def address(self, href: str) -> str:
        """The relationship id of an address, in ASCII as browsers write it (RFC 3987, 3.1)."""
        return self._add("hyperlink", quote(href, safe=_OF_ADDRESSES, errors="replace"), is_outside=True)

    def rows(self) -> Iterator[tuple[str, str, str, bool]]:
        """Id, type, target, and whether the target lies outside the file."""
        for (kind, target, is_outside), key in self._ids.items():
            yield key, kind, target, is_outside

    def _add(self, kind: str, target: str, *, is_outside: bool) -> str:
        return self._ids.setdefault((kind, target, is_outside), f"rId{len(self._ids) + 2}")


def packed(slide: Markup, relations: Relations, size: tuple[int, int], names: FileNames) -> bytes:
    """The bytes of the file; `size` is the slide's width and height in EMU."""
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _content_types(relations),
        "_rels/.rels": _relations(
            ("rId1", "officeDocument", "ppt/presentation.xml", False),
            ("rId2", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml", False),
        ),
        "docProps/core.xml": _properties(names),
        "ppt/presentation.xml": _presentation(*size),
        "ppt/_rels/presentation.xml.rels": _relations(
            ("rId1", "slideMaster", "slideMasters/slideMaster1.xml", False),
            ("rId2", "slide", "slides/slide1.xml", False),
            ("rId3", "theme", "theme/theme1.xml", False),
        ),
        "ppt/slideMasters/slideMaster1.xml": _MASTER,
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", False),
            ("rId2", "theme", "../theme/theme1.xml", False),
        ),
        "ppt/slideLayouts/slideLayout1.xml": _LAYOUT,
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(
            ("rId1", "slideMaster", "../slideMasters/slideMaster1.xml", False)
        ),
        "ppt/theme/theme1.xml": _theme(names.typeface),
        "ppt/slides/slide1.xml": serialized(slide),
        "ppt/slides/_rels/slide1.xml.rels": _relations(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", False), *relations.rows()
        ),
        **{f"ppt/media/{name}": data for name, data in relations.media.items()},
    }
    return _zipped(parts)


def _zipped(parts: Mapping[str, str | bytes]) -> bytes:
    found = BytesIO()
    with ZipFile(found, "w", compresslevel=_LEVEL) as archive:
        for name, content in parts.items():
            data = content if isinstance(content, bytes) else (_HEAD + content).encode()
            entry = ZipInfo(name)  # 1980, the earliest time of the format
            entry.compress_type = ZIP_STORED if name.endswith((".png", ".jpeg", ".gif")) else ZIP_DEFLATED
            entry.create_system = 0
            archive.writestr(entry, data)
    return found.getvalue()


def _content_types(relations: Relations) -> str:
    suffixes = sorted({name.rpartition(".")[2] for name in relations.media})
    types = {suffix: mime_type for mime_type, suffix in MEDIA.items()}
    parts = {
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
        "/ppt/presentation.xml": f"{_SLIDE_TYPES}.presentation.main+xml",
        "/ppt/slideMasters/slideMaster1.xml": f"{_SLIDE_TYPES}.slideMaster+xml",
        "/ppt/slideLayouts/slideLayout1.xml": f"{_SLIDE_TYPES}.slideLayout+xml",
        "/ppt/theme/theme1.xml": f"{_TYPES}.theme+xml",
        "/ppt/slides/slide1.xml": f"{_SLIDE_TYPES}.slide+xml",
    }
    rows = (
        Markup("Default", (("Extension", "rels"), ("ContentType", f"{_PACKAGE_TYPE}.relationships+xml"))),
        Markup("Default", (("Extension", "xml"), ("ContentType", "application/xml"))),
        *(Markup("Default", (("Extension", suffix), ("ContentType", types[suffix]))) for suffix in suffixes),
        *(Markup("Override", (("PartName", name), ("ContentType", kind))) for name, kind in parts.items()),
    )
    return serialized(Markup("Types", (("xmlns", f"{_PACKAGE}/content-types"),), rows))


_PACKAGE_TYPE = "application/vnd.openxmlformats-package"


def _relations(*rows: tuple[str, str, str, bool]) -> str:
    found: list[Markup] = []
    for key, kind, target, is_outside in rows:
        known = (("Id", key), ("Type", kind if "/" in kind else f"{_LINKS}/{kind}"), ("Target", target))
        found.append(Markup("Relationship", (*known, ("TargetMode", "External")) if is_outside else known))
    return serialized(Markup("Relationships", (("xmlns", f"{_PACKAGE}/relationships"),), tuple(found)))


def _properties(names: FileNames) -> str:
    namespaces = (
        ("xmlns:cp", f"{_PACKAGE}/metadata/core-properties"),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    )
    rows = (
        Markup("dc:title", (), (names.title,)),
        Markup("dc:description", (), (names.description,)),
        Markup("dc:creator", (), ("Scenograph",)),
    )
    return serialized(Markup("cp:coreProperties", namespaces, rows))


def _presentation(width: int, height: int) -> str:
    def listed(name: str, entry: str, key: str, relation: str) -> Markup:
        return Markup(name, (), (Markup(entry, (("id", key), ("r:id", relation))),))

    rows = (
        listed("p:sldMasterIdLst", "p:sldMasterId", "2147483648", "rId1"),
        listed("p:sldIdLst", "p:sldId", "256", "rId2"),
        Markup("p:sldSz", (("cx", str(width)), ("cy", str(height)))),
        Markup("p:notesSz", (("cx", "6858000"), ("cy", "9144000"))),
    )
    return serialized(Markup("p:presentation", NAMESPACES, rows))


# The fixed parts: a blank master and layout, and the standard theme; only its typeface is the picture's own.


_SPACES = "".join(f' {name}="{value}"' for name, value in NAMESPACES)
_EMPTY = (
    "<p:cSld{name}>{ground}<p:spTree><p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"
    "<p:grpSpPr/></p:spTree></p:cSld>"
)
_WHITE = "<p:bg><p:bgPr><a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill><a:effectLst/></p:bgPr></p:bg>"
_MAP = " ".join(
    f"{name}='{color}'"
    for name, color in (
        *(("bg1", "lt1"), ("tx1", "dk1"), ("bg2", "lt2"), ("tx2", "dk2"), ("hlink", "hlink"), ("folHlink", "folHlink")),
        *((f"accent{number}", f"accent{number}") for number in range(1, 7)),
    )
)
_TEXT_STYLE = "<a:lvl1pPr><a:defRPr sz='1800'><a:latin typeface='+mn-lt'/></a:defRPr></a:lvl1pPr>"
_MASTER = (
    f"<p:sldMaster{_SPACES}>{_EMPTY.format(name='', ground=_WHITE)}<p:clrMap {_MAP}/>"
    "<p:sldLayoutIdLst><p:sldLayoutId id='2147483649' r:id='rId1'/></p:sldLayoutIdLst><p:txStyles>"
    + "".join(f"<p:{name}Style>{_TEXT_STYLE}</p:{name}Style>" for name in ("title", "body", "other"))
    + "</p:txStyles></p:sldMaster>"
)
_LAYOUT = (
    f"<p:sldLayout{_SPACES} type='blank'>{_EMPTY.format(name=' name=' + chr(39) + 'Blank' + chr(39), ground='')}"
    "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
)
_COLORS = {
    "dk1": "000000",
    "lt1": "FFFFFF",
    "dk2": "44546A",
    "lt2": "E7E6E6",
    "accent1": "4472C4",
    "accent2": "ED7D31",
    "accent3": "A5A5A5",
    "accent4": "FFC000",
    "accent5": "5B9BD5",
    "accent6": "70AD47",
    "hlink": "0563C1",
    "folHlink": "954F72",
}


def _theme(typeface: str) -> str:
    colors = "".join(f"<a:{name}><a:srgbClr val='{value}'/></a:{name}>" for name, value in _COLORS.items())
    font = f"<a:latin typeface='{escaped(typeface)}'/><a:ea typeface=''/><a:cs typeface=''/>"
    fonts = f"<a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont>"
    fill = "<a:solidFill><a:schemeClr val='phClr'/></a:solidFill>"
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f"<a:theme xmlns:a='{_DRAWING}' name='Scenograph'><a:themeElements>"
        f"<a:clrScheme name='Office'>{colors}</a:clrScheme>"
        f"<a:fontScheme name='Scenograph'>{fonts}</a:fontScheme>"
        f"<a:fmtScheme name='Plain'><a:fillStyleLst>{fill * 3}</a:fillStyleLst>"
        f"<a:lnStyleLst>{f'<a:ln>{fill}</a:ln>' * 3}</a:lnStyleLst>"
        f"<a:effectStyleLst>{effect * 3}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst>"
        "</a:fmtScheme></a:themeElements></a:theme>"
    )
