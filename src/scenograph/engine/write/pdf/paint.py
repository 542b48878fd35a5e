"""Colours, gradients and pictures as resources of a PDF page (ISO 32000-1, 8.6, 8.7, 8.9, 11)."""

from __future__ import annotations

from base64 import b64decode
from itertools import pairwise

from scenograph.engine.drawing import Gradient, GradientStop, LinearGradient, PictureItem
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.write.pdf.objects import Name, PdfFile, Ref, Value, number
from scenograph.engine.write.png import straight_pixels
from scenograph.scene.model import Color

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


def moved_by(point: Point) -> Matrix:
    """A shift."""
    return 1.0, 0.0, 0.0, 1.0, point.x, point.y
