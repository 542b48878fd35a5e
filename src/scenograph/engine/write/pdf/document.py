"""A drawing as a one-page PDF: vectors, embedded fonts, selectable text, working links.

In: a `Drawing` as its theme draws it. Out: the bytes of a PDF 1.7 file; one CSS px is 0.75 pt. No caller's text becomes
syntax: labels are glyph numbers, titles and addresses are hex strings. Same drawing, same bytes.
"""

from __future__ import annotations

from math import cos, radians, sin

from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, Paint, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.extent import bounds_of
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path
from scenograph.engine.write.glyphs import glyph_run
from scenograph.engine.write.pdf.fonts import FontPiece, Letter, PdfFonts, pieces_of
from scenograph.engine.write.pdf.objects import Name, PdfFile, Ref, Value, number
from scenograph.engine.write.pdf.paint import Matrix, Resources, moved_by, rgb, times
from scenograph.scene.model import Color

POINTS = 0.75  # pt in one CSS px (CSS Values 4, 6.2)
_EM = 1000
_CAPS = {"butt": "0 J", "round": "1 J", "square": "2 J"}


def write_pdf(drawing: Drawing) -> bytes:
    """The file."""
    file = PdfFile()
    page, points = drawing.page, POINTS * drawing.scale
    base = (points, 0.0, 0.0, -points, -page.x * points, (page.y + page.height) * points)
    sheet = _Sheet(file, base)
    body = [f"q {_matrix(base)} cm", *sheet.background(drawing), *(sheet.group(one) for one in drawing.groups), "Q"]
    content = file.stream("\n".join(body).encode("ascii"))
    resources, pages = sheet.finished(), file.reserve()
    leaf: dict[str, Value] = {
        "Type": Name("Page"),
        "Parent": pages,
        "MediaBox": [0, 0, page.width * points, page.height * points],
        "Resources": resources,
        "Contents": content,
        "Group": {"S": Name("Transparency"), "CS": Name("DeviceRGB")},
    }
    links: list[Value] = [file.add(_annotation(one, base)) for one in drawing.groups if one.link is not None]
    if links:
        leaf["Annots"] = links
    file.set(pages, {"Type": Name("Pages"), "Kids": [file.add(leaf)], "Count": 1})
    preferences: Value = {"DisplayDocTitle": True}
    root = file.add({"Type": Name("Catalog"), "Pages": pages, "ViewerPreferences": preferences})
    return file.finished(root, file.add({"Title": drawing.title, "Producer": "Scenograph"}))


class _Sheet:
    """A page under construction: operators and their resources."""

    def __init__(self, file: PdfFile, base: Matrix) -> None:
        self._file = file
        self._fonts = PdfFonts(file)
        self._resources = Resources(file, base)
        self._dictionary = file.reserve()
        self._base = base

    def finished(self) -> Ref:
        """The dictionary of all resources named by the operators."""
        return self._file.set(self._dictionary, {"Font": self._fonts.resources(), **self._resources.members()})

    def background(self, drawing: Drawing) -> list[str]:
        """The page's own paint."""
        x, y, width, height = drawing.page
        corners = (Point(x + width, y), Point(x + width, y + height), Point(x, y + height))
        path: Path = (Move(Point(x, y)), *map(Line, corners), Close())
        return [self._path(PathItem(path=path, fill=drawing.background))] if drawing.background.alpha > 0 else []

    def group(self, group: DrawnGroup) -> str:
        """The paint of one element; a translucent element becomes a form (11.6.6)."""
        body = "\n".join(filter(None, map(self._item, group.items)))
        if group.opacity >= 1 or not body:
            return body
        box = union(box for box in map(bounds_of, group.items) if box is not None) or Box(0.0, 0.0, 0.0, 0.0)
        box = box.grown(1.0)
        members: dict[str, Value] = {
            "Type": Name("XObject"),
            "Subtype": Name("Form"),
            "BBox": [box.x, box.y, box.right, box.bottom],
            "Resources": self._dictionary,
            "Group": {"S": Name("Transparency"), "CS": Name("DeviceRGB")},
        }
        name = self._resources.form(self._file.stream(body.encode("ascii"), members))
        return f"q /{self._resources.alpha(group.opacity)} gs /{name} Do Q"

    def _item(self, item: DrawnItem) -> str:
        if isinstance(item, PathItem):
            return self._path(item)
        return self._text(item) if isinstance(item, TextItem) else self._picture(item)

    def _path(self, item: PathItem) -> str:
        fill, stroke = item.fill, item.stroke if item.stroke_width > 0 else None
        paints = [self._paint(paint, word) for paint, word in ((fill, "fill"), (stroke, "stroke")) if paint is not None]
        if not paints:
            return ""
        form = []
        if stroke is not None:
            form = [f"{number(item.stroke_width)} w", "1 j" if item.round_joins else "0 j", _CAPS[item.cap]]
            form += [f"[{' '.join(map(number, item.dash))}] 0 d"] if item.dash else []
        rule = "*" if item.fill_rule == "evenodd" and fill is not None else ""
        end = {(True, True): "B", (True, False): "f", (False, True): "S"}[fill is not None, stroke is not None] + rule
        return " ".join(["q", *paints, *form, *_segments(item.path), end, "Q"])

    def _paint(self, paint: Paint, use: str) -> str:
        """The operators to choose a paint; its alpha holds until the graphics state is restored."""
        is_fill = use == "fill"
        if isinstance(paint, Color):
            state = f"/{self._resources.alpha(paint.alpha)} gs " if paint.alpha < 1 else ""
            return f"{state}{rgb(paint)} {'rg' if is_fill else 'RG'}"
        space, set_to = ("cs", "scn") if is_fill else ("CS", "SCN")
        return f"/Pattern {space} /{self._resources.pattern(paint)} {set_to}"

    def _text(self, item: TextItem) -> str:
        if not item.runs:
            return ""
        turned = f"{_matrix(_turning(item.turn, item.pivot))} cm " if item.turn else ""
        return f"q {turned}{' '.join(map(self._run, item.runs))} Q"

    def _run(self, run: TextRun) -> str:
        words = [self._piece(piece, run) for piece in pieces_of(run)]
        scale, _, missing = glyph_run(run.text, run.font, right_to_left=run.right_to_left)
        boxes = [" ".join((*_segments(box), "f")) for box in missing]
        if boxes:
            matrix = _matrix((scale, 0.0, 0.0, -scale, run.at.x, run.at.y))
            boxes = [f"q {matrix} cm", *boxes, "Q"]
        text = f"BT {' '.join(words)} ET" if words else ""
        return " ".join(filter(None, ("q", self._paint(run.color, "fill"), text, *boxes, "Q")))

    def _piece(self, piece: FontPiece, run: TextRun) -> str:
        """Letters of one font; the pen is set anew for letters above or below the baseline."""
        name, size = self._fonts.name(piece), run.font.size
        scale = size / piece.upem
        parts = [f"/{name} {number(size)} Tf"]
        row: list[Letter] = []
        for letter in piece.letters:
            if row and row[-1].y != letter.y:
                parts.append(_shown(row, run, scale))
                row = []
            row.append(letter)
        return " ".join([*parts, _shown(row, run, scale)] if row else parts)

    def _picture(self, item: PictureItem) -> str:
        """The raster in its box, by its fit; the overflow of `cover` is clipped."""
        box, (across, down) = item.box, item.pixels
        if item.fit == "stretch" or not across or not down:
            place = box
        else:
            sides = box.width / across, box.height / down
            scale = min(sides) if item.fit == "contain" else max(sides)
            width, height = across * scale, down * scale
            place = Box(box.center.x - width / 2, box.center.y - height / 2, width, height)
        clip = " ".join((*map(number, box), "re W n"))
        matrix = _matrix((place.width, 0.0, 0.0, -place.height, place.x, place.bottom))
        return f"q {clip} {matrix} cm /{self._resources.picture(item)} Do Q"


def _shown(row: list[Letter], run: TextRun, scale: float) -> str:
    """The text operator of adjacent letters, each at its measured place: adjustments are thousandths of the font
    size."""
    first = row[0]
    start = _matrix((1.0, 0.0, 0.0, -1.0, run.at.x + first.x * scale, run.at.y - first.y * scale))
    parts: list[str] = []
    for letter, following in zip(row, [*row[1:], None], strict=True):
        parts.append(f"<{letter.number:04X}>")
        if following is not None and (beyond := letter.width - (following.x - letter.x)):
            parts.append(number(beyond * scale / run.font.size * _EM))
    return f"{start} Tm [{''.join(parts)}] TJ"


def _segments(path: Path) -> list[str]:
    """The operators of a path (8.5.2); a quadratic curve is written as the equal cubic curve."""
    parts: list[str] = []
    pen = start = Point(0.0, 0.0)
    for segment in path:
        if isinstance(segment, Close):
            parts.append("h")
            pen = start
            continue
        if isinstance(segment, Move):
            parts.append(f"{_at(segment.to)} m")
            start = segment.to
        elif isinstance(segment, Line):
            parts.append(f"{_at(segment.to)} l")
        elif isinstance(segment, Cubic):
            parts.append(f"{_at(segment.control1)} {_at(segment.control2)} {_at(segment.to)} c")
        else:
            near, far = _towards(pen, segment.control), _towards(segment.to, segment.control)
            parts.append(f"{_at(near)} {_at(far)} {_at(segment.to)} c")
        pen = segment.to
    return parts


def _towards(point: Point, control: Point) -> Point:
    """Two thirds from a point to the control point: a control point of the equal cubic curve."""
    return Point(point.x + (control.x - point.x) * 2 / 3, point.y + (control.y - point.y) * 2 / 3)


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _matrix(matrix: Matrix) -> str:
    return " ".join(map(number, matrix))


def _turning(degrees: float, pivot: Point) -> Matrix:
    """A turn about a point, clockwise as y grows downwards."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    back = moved_by(Point(-pivot.x, -pivot.y))
    return times(times(back, (c, s, -s, c, 0.0, 0.0)), moved_by(pivot))


def _annotation(group: DrawnGroup, base: Matrix) -> Value:
    """A link annotation over the bounds of a group (12.5.6.5)."""
    box = union(box for box in map(bounds_of, group.items) if box is not None) or Box(0.0, 0.0, 0.0, 0.0)
    (left, top), (right, bottom) = (_mapped(corner, base) for corner in ((box.x, box.y), (box.right, box.bottom)))
    address = group.link.href if group.link is not None else ""
    row: dict[str, Value] = {
        "Type": Name("Annot"),
        "Subtype": Name("Link"),
        "Rect": [left, bottom, right, top],
        "Border": [0, 0, 0],
        "A": {"S": Name("URI"), "URI": _address(address)},
    }
    return {**row, "Contents": group.tooltip} if group.tooltip else row


def _address(href: str) -> bytes:
    """An address in ASCII: other letters are percent-encoded as in browsers (RFC 3987, 3.1)."""
    return b"".join(bytes((byte,)) if byte < 0x80 else b"%%%02X" % byte for byte in href.encode("utf-8", "replace"))


def _mapped(point: tuple[float, float], matrix: Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f
