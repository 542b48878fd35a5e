"""A drawing as a one-page PDF (ISO 32000-1): vectors, embedded fonts, selectable text."""

from __future__ import annotations

import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import pairwise
from math import cos, fsum, radians, sin
from typing import Any, NamedTuple

import uharfbuzz as hb

from scenograph.engine.drawing import (
    Drawing,
    DrawnGroup,
    DrawnItem,
    Gradient,
    GradientStop,
    LinearGradient,
    Paint,
    PathItem,
    PictureItem,
    TextItem,
    TextRun,
)
from scenograph.engine.extent import extent_of
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path
from scenograph.engine.text.shaping import (
    PINNED_AXES,
    FontFace,
    Stretch,
    advances,
    face_of,
    harfbuzz_face,
    shaped,
    shaping_font,
    stretches,
)
from scenograph.engine.write.glyphs import glyph_run
from scenograph.engine.write.png import straight_pixels
from scenograph.scene.model import Color

# PDF objects and their syntax (ISO 32000-1, 7.3 and 7.5).
#
# `File.add` builds a file and returns the reference of each object; a caller's strings leave here only as hex strings.
# Same objects, same bytes.

_LEVEL = 6
_REGULAR = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+.")


class Name(NamedTuple):
    """A name object, without the slash."""

    text: str


class Ref(NamedTuple):
    """A reference to an object of the file."""

    number: int


Value = Name | Ref | str | bytes | int | float | bool | list["Value"] | dict[str, "Value"]


def written(value: Value) -> str:
    """The syntax of a value."""
    return _SYNTAX[type(value)](value)


def _name(value: Name) -> str:
    return "/" + "".join(chr(byte) if byte in _REGULAR else f"#{byte:02X}" for byte in value.text.encode())


def _dictionary(value: dict[str, Value]) -> str:
    return f"<<{''.join(f'{_name(Name(key))} {written(inner)}' for key, inner in value.items())}>>"


def number(value: float) -> str:
    """A number without an exponent and without needless digits."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


_SYNTAX: Mapping[type, Callable[[Any], str]] = {
    Name: _name,
    Ref: lambda value: f"{value.number} 0 R",
    bool: lambda value: "true" if value else "false",
    str: lambda value: f"<FEFF{value.encode('utf-16-be', 'replace').hex().upper()}>",
    bytes: lambda value: f"<{value.hex().upper()}>",
    int: str,
    float: number,
    list: lambda value: f"[{' '.join(map(written, value))}]",
    dict: _dictionary,
}


class PdfFile:
    """A file under construction."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def reserve(self) -> Ref:
        """A reference to an object set later."""
        self._objects.append(b"")
        return Ref(len(self._objects))

    def add(self, value: Value) -> Ref:
        """A new object."""
        return self.set(self.reserve(), value)

    def set(self, ref: Ref, value: Value) -> Ref:
        """The object of a reserved reference."""
        self._objects[ref.number - 1] = written(value).encode("ascii")
        return ref

    def stream(self, data: bytes, members: Mapping[str, Value] | None = None, *, compressed: bool = True) -> Ref:
        """A new stream; deflated if `compressed`, else encoded as its members declare."""
        row: dict[str, Value] = dict(members or {})
        if compressed:
            data = zlib.compress(data, _LEVEL)
            row["Filter"] = Name("FlateDecode")
        head = written({**row, "Length": len(data)}).encode("ascii")
        self._objects.append(head + b"stream\n" + data + b"\nendstream")
        return Ref(len(self._objects))

    def finished(self, root: Ref, info: Ref) -> bytes:
        """The whole file."""
        parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
        at, offsets = len(parts[0]), list[int]()
        for index, content in enumerate(self._objects, start=1):
            offsets.append(at)
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (index, content))
            at += len(parts[-1])
        count = len(self._objects) + 1
        rows = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
        identity = sha256(b"".join(parts)).digest()[:16]
        trailer = written({"Size": count, "Root": root, "Info": info, "ID": [identity, identity]})
        parts.append(
            f"xref\n0 {count}\n0000000000 65535 f \n{rows}trailer\n{trailer}\nstartxref\n{at}\n%%EOF\n".encode()
        )
        return b"".join(parts)


# The letters of a PDF: glyphs in embedded subsets, each with its text.
#
# A face at a weight is one Type 0 font with a TrueType subset (ISO 32000-1, 9.7). Text is written as glyph numbers of
# the subset, exactly as measured; the ToUnicode map returns the words for search and copying.

_EM = 1000
_SYMBOLIC = 4
_MOST_IN_A_BLOCK = 100  # entries of one bfchar block (Adobe technical note 5411)


class _Letter(NamedTuple):
    """A glyph of a face: position on the baseline and advance width, in font units, and the text of its cluster."""

    number: int
    x: float
    y: float
    width: float
    text: str


class _FontPiece(NamedTuple):
    """Letters of a single face and weight, `upem` font units per em."""

    face: FontFace
    weight: int
    upem: int
    letters: tuple[_Letter, ...]


def _pieces_of(run: TextRun) -> Iterator[_FontPiece]:
    """The letters of a run from left to right, each piece beginning at the end of the last."""
    level = int(run.right_to_left)
    parts: list[Stretch] = [part._replace(level=level) for part in stretches(run.text, run.font)]
    pen = 0.0
    for part in parts[::-1] if run.right_to_left else parts:
        face = face_of(part.font)
        font = shaping_font(face, part.font.weight)
        if not part.known:
            pen += fsum(advances(part)) * font.face.upem / part.font.size
            continue
        letters, pen = _letters(part, pen)
        yield _FontPiece(face, part.font.weight, font.face.upem, letters)


def _letters(part: Stretch, pen: float) -> tuple[tuple[_Letter, ...], float]:
    infos, positions = shaped(part)
    font = shaping_font(face_of(part.font), part.font.weight)
    text_of = {
        start: part.text[start:end]
        for start, end in pairwise([*sorted({info.cluster for info in infos}), len(part.text)])
    }
    told: set[int] = set()
    letters: list[_Letter] = []
    for info, position in zip(infos, positions, strict=True):
        text = "" if info.cluster in told else text_of[info.cluster]
        told.add(info.cluster)
        at = pen + position.x_offset
        width = font.get_glyph_h_advance(info.codepoint)
        letters.append(_Letter(info.codepoint, at, position.y_offset, width, text))
        pen += position.x_advance
    return tuple(letters), pen


class _PdfFonts:
    """The fonts of one file: collected while the page is written, embedded after all letters are known."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._used: dict[tuple[FontFace, int], dict[int, str]] = {}
        self._names: dict[tuple[FontFace, int], str] = {}

    def name(self, piece: _FontPiece) -> str:
        """The resource name of a piece's font; adds its letters to the subset."""
        key = piece.face, piece.weight
        texts = self._used.setdefault(key, {})
        for letter in piece.letters:
            texts[letter.number] = texts.get(letter.number) or letter.text
        return self._names.setdefault(key, f"F{len(self._names) + 1}")

    def resources(self) -> dict[str, Value]:
        """All fonts by resource name, embedded."""
        return {self._names[key]: self._embedded(*key, texts) for key, texts in self._used.items()}

    def _embedded(self, face: FontFace, weight: int, texts: dict[int, str]) -> Ref:
        font = shaping_font(face, weight)
        upem, name = font.face.upem, _subset_name(face, weight, texts)
        scale = _EM / upem
        extents = font.get_font_extents("ltr")
        data = _subset(face, weight, texts)
        descriptor = self._file.add(
            {
                "Type": Name("FontDescriptor"),
                "FontName": Name(name),
                "Flags": _SYMBOLIC,
                "FontBBox": [0, round(extents.descender * scale), _EM, round(extents.ascender * scale)],
                "ItalicAngle": -10 if face.italic else 0,
                "Ascent": round(extents.ascender * scale),
                "Descent": round(extents.descender * scale),
                "CapHeight": round(0.7 * _EM),
                "StemV": 80,
                "FontFile2": self._file.stream(data, {"Length1": len(data)}),
            }
        )
        numbers = sorted(texts)
        widths: list[Value] = []
        for glyph in numbers:
            advance: list[Value] = [round(font.get_glyph_h_advance(glyph) * scale, 2)]
            widths += [glyph, advance]
        descendant = self._file.add(
            {
                "Type": Name("Font"),
                "Subtype": Name("CIDFontType2"),
                "BaseFont": Name(name),
                "CIDSystemInfo": {"Registry": b"Adobe", "Ordering": b"Identity", "Supplement": 0},
                "FontDescriptor": descriptor,
                "CIDToGIDMap": Name("Identity"),
                "W": widths,
            }
        )
        return self._file.add(
            {
                "Type": Name("Font"),
                "Subtype": Name("Type0"),
                "BaseFont": Name(name),
                "Encoding": Name("Identity-H"),
                "DescendantFonts": [descendant],
                "ToUnicode": self._file.stream(_to_unicode(texts)),
            }
        )


def _subset_name(face: FontFace, weight: int, texts: dict[int, str]) -> str:
    """The subset tag, six letters (ISO 32000-1, 9.6.4), followed by the font's name."""
    seed = sum((place + 1) * glyph for place, glyph in enumerate(sorted(texts)))
    tag = "".join(chr(65 + seed // 26**power % 26) for power in range(6))
    return f"{tag}+{face.css_name.replace(' ', '')}-{weight}{'Italic' if face.italic else ''}"


def _subset(face: FontFace, weight: int, texts: dict[int, str]) -> bytes:
    """The glyphs under their numbers in the whole font."""
    whole = harfbuzz_face(face)
    wish = hb.SubsetInput()
    wish.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_LAYOUT_CLOSURE
    wish.glyph_set.update(texts)
    wish.drop_table_tag_set.update(
        int.from_bytes(tag, "big") for tag in (b"GSUB", b"GPOS", b"GDEF", b"STAT", b"MVAR", b"meta", b"DSIG", b"name")
    )
    for axis in face.axes:
        wish.pin_axis_location(whole, axis, PINNED_AXES.get(axis, float(weight)))
    return bytes(hb.subset(whole, wish).blob.data)


def _to_unicode(texts: dict[int, str]) -> bytes:
    rows = [
        f"<{glyph:04X}><{text.encode('utf-16-be', 'replace').hex().upper()}>"
        for glyph, text in sorted(texts.items())
        if text
    ]
    blocks = [rows[start : start + _MOST_IN_A_BLOCK] for start in range(0, len(rows), _MOST_IN_A_BLOCK)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    ).encode("ascii")


# Colours, gradients and pictures as resources of a PDF page (ISO 32000-1, 8.6, 8.7, 8.9, 11).

Matrix = tuple[float, float, float, float, float, float]

JPEG = "image/jpeg"
_BITS = 8
_PARTS = {1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"}
_BARE_MARKERS = range(0xD0, 0xDA)
_FRAMES = frozenset({0xC0, 0xC1, 0xC2})


def times(first: Matrix, then: Matrix) -> Matrix:
    """The matrix product: `first`, then `then`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def rgb(color: Color) -> str:
    """The three numbers of a colour."""
    return " ".join(number(max(0.0, min(255.0, part)) / 255) for part in color[:3])


class Resources:
    """The named resources of a page, each once."""

    def __init__(self, file: PdfFile, base: Matrix) -> None:
        self.file = file
        self._base = base
        self._alphas: dict[float, str] = {}
        self._patterns: dict[Gradient, tuple[str, Ref]] = {}
        self._pictures: dict[tuple[str, str], tuple[str, Ref]] = {}
        self._forms: dict[str, Ref] = {}

    def alpha(self, value: float) -> str:
        """The name of a graphics state with the given alpha."""
        return self._alphas.setdefault(round(max(0.0, min(1.0, value)), 3), f"G{len(self._alphas)}")

    def pattern(self, gradient: Gradient) -> str:
        """The name of a gradient as a pattern in scene px."""
        if gradient not in self._patterns:
            self._patterns[gradient] = f"P{len(self._patterns)}", self.file.add(self._shading(gradient))
        return self._patterns[gradient][0]

    def picture(self, item: PictureItem) -> str:
        """The name of a raster as an image on the unit square."""
        key = item.mime_type, item.data
        if key not in self._pictures:
            self._pictures[key] = f"I{len(self._pictures)}", self._image(item)
        return self._pictures[key][0]

    def form(self, ref: Ref) -> str:
        """The name of a form."""
        name = f"X{len(self._forms)}"
        self._forms[name] = ref
        return name

    def members(self) -> dict[str, Value]:
        """All resources as members of the page's dictionary."""
        states: dict[str, Value] = {name: {"ca": value, "CA": value} for value, name in self._alphas.items()}
        objects: dict[str, Value] = dict(self._pictures.values())
        objects.update(self._forms)
        patterns: dict[str, Value] = dict(self._patterns.values())
        return {"ExtGState": states, "XObject": objects, "Pattern": patterns}

    def _shading(self, gradient: Gradient) -> Value:
        shading: dict[str, Value] = {
            "ColorSpace": Name("DeviceRGB"),
            "Extend": [True, True],
            "Function": _ramp(gradient.stops),
        }
        matrix = self._base
        if isinstance(gradient, LinearGradient):
            shading |= {"ShadingType": 2, "Coords": [*gradient.start, *gradient.end]}
        else:
            shading |= {"ShadingType": 3, "Coords": [0, 0, 0, 0, 0, 1]}
            (a, b), (c, d), (e, f) = gradient.across, gradient.down, gradient.center
            matrix = times((a, b, c, d, e, f), self._base)
        return {"PatternType": 2, "Matrix": list(matrix), "Shading": shading}

    def _image(self, item: PictureItem) -> Ref:
        data = b64decode(item.data)
        parts = _jpeg_parts(data) if item.mime_type == JPEG else None
        row: dict[str, Value] = {"Type": Name("XObject"), "Subtype": Name("Image"), "BitsPerComponent": _BITS}
        if parts in (1, 3):
            width, height = item.pixels
            row |= {"Width": width, "Height": height, "ColorSpace": Name(_PARTS[parts])}
            return self.file.stream(data, {**row, "Filter": Name("DCTDecode")}, compressed=False)
        colors, alphas, width, height = straight_pixels(item)
        row |= {"Width": width, "Height": height}
        if alphas is not None:
            row["SMask"] = self.file.stream(alphas, {**row, "ColorSpace": Name("DeviceGray")})
        return self.file.stream(colors, {**row, "ColorSpace": Name("DeviceRGB")})


def _ramp(stops: tuple[GradientStop, ...]) -> Value:
    """The colours of a gradient as one function of 0 to 1 (7.10.4)."""
    rows = [stop for stop in stops if 0 <= stop.offset <= 1] or [GradientStop(0.0, Color(0, 0, 0))]
    rows = [GradientStop(0.0, rows[0].color), *rows, GradientStop(1.0, rows[-1].color)]
    pairs = [(low, high) for low, high in pairwise(rows) if high.offset > low.offset]
    steps: list[Value] = [
        {"FunctionType": 2, "Domain": [0, 1], "N": 1, "C0": _parts(low.color), "C1": _parts(high.color)}
        for low, high in pairs
    ]
    if len(steps) == 1:
        return steps[0]
    bounds: list[Value] = [high.offset for _, high in pairs[:-1]]
    encode: list[Value] = [0, 1] * len(steps)
    return {"FunctionType": 3, "Domain": [0, 1], "Functions": steps, "Bounds": bounds, "Encode": encode}


def _parts(color: Color) -> list[Value]:
    return [round(part / 255, 4) for part in color[:3]]


def _jpeg_parts(data: bytes) -> int | None:
    """The number of components in the frame of a JPEG; None for frames decoded differently among PDF viewers."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            return data[at + 9]
        at += 2 if marker in _BARE_MARKERS else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _moved_by(point: Point) -> Matrix:
    """A shift."""
    return 1.0, 0.0, 0.0, 1.0, point.x, point.y


# A drawing as a one-page PDF: vectors, embedded fonts, selectable text, working links.
#
# In: a `Drawing` as its theme draws it. Out: the bytes of a PDF 1.7 file; one CSS px is 0.75 pt. No caller's text
# becomes syntax: labels are glyph numbers, titles and addresses are hex strings. Same drawing, same bytes.

_POINTS = 0.75  # pt in one CSS px (CSS Values 4, 6.2)
_CAPS = {"butt": "0 J", "round": "1 J", "square": "2 J"}


def write_pdf(drawing: Drawing) -> bytes:
    """The file."""
    file = PdfFile()
    page, points = drawing.page, _POINTS * drawing.scale
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
        self._fonts = _PdfFonts(file)
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
        box = union(box for box in map(extent_of, group.items) if box is not None) or Box(0.0, 0.0, 0.0, 0.0)
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
        words = [self._piece(piece, run) for piece in _pieces_of(run)]
        scale, _, missing = glyph_run(run.text, run.font, right_to_left=run.right_to_left)
        boxes = [" ".join((*_segments(box), "f")) for box in missing]
        if boxes:
            matrix = _matrix((scale, 0.0, 0.0, -scale, run.at.x, run.at.y))
            boxes = [f"q {matrix} cm", *boxes, "Q"]
        text = f"BT {' '.join(words)} ET" if words else ""
        return " ".join(filter(None, ("q", self._paint(run.color, "fill"), text, *boxes, "Q")))

    def _piece(self, piece: _FontPiece, run: TextRun) -> str:
        """Letters of one font; the pen is set anew for letters above or below the baseline."""
        name, size = self._fonts.name(piece), run.font.size
        scale = size / piece.upem
        parts = [f"/{name} {number(size)} Tf"]
        row: list[_Letter] = []
        for letter in piece.letters:
            if row and row[-1].y != letter.y:
                parts.append(_shown(row, run, scale))
                row = []
            row.append(letter)
        return " ".join([*parts, _shown(row, run, scale)] if row else parts)

    def _picture(self, item: PictureItem) -> str:
        """The raster in the image's box, by `fit`; the overflow of `cover` is clipped."""
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


def _shown(row: list[_Letter], run: TextRun, scale: float) -> str:
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
    back = _moved_by(Point(-pivot.x, -pivot.y))
    return times(times(back, (c, s, -s, c, 0.0, 0.0)), _moved_by(pivot))


def _annotation(group: DrawnGroup, base: Matrix) -> Value:
    """A link annotation over the bounds of a group (12.5.6.5)."""
    box = union(box for box in map(extent_of, group.items) if box is not None) or Box(0.0, 0.0, 0.0, 0.0)
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
