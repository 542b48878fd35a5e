"""SVG paints: colours and gradients (SVG 2, sections 13 and 14) as the engine's own paint types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from icon_packing.affine import Affine, read_transform
from icon_packing.outlines import length
from icon_packing.styles import declarations
from scenograph.engine.drawing import Gradient, GradientStop, LinearGradient, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.icons.icon import IconPaint
from scenograph.scene.colors import parse_color
from scenograph.scene.model import Color

XLINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
_MAX_LINKS = 8

Definitions = Mapping[str, Element]


def local_name(element: Element) -> str:
    """The tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def reference(value: str) -> str | None:
    """The id in `url(#id)`, or None."""
    match = _REFERENCE.match(value)
    return match[1] if match else None


def fraction(text: str) -> float:
    """A number or a percentage, kept within 0 and 1."""
    number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    return min(1.0, max(0.0, number))


def read_color(text: str, opacity: float = 1.0) -> Color:
    """A colour with its alpha times `opacity` (`none` has alpha 0); ValueError for what is no colour."""
    color = parse_color(text)
    if color is None:
        raise ValueError(f"unknown colour {text!r}")
    return color._replace(alpha=color.alpha * opacity)


def read_paint(value: str, opacity: float, where: tuple[Definitions, Affine, Box]) -> IconPaint | None:
    """The paint of a shape. `where` is the file's definitions, the shape's map to the icon and its box before that."""
    name = reference(value)
    if name is not None:
        definitions, to_icon, box = where
        return read_gradient(definitions[name], definitions, opacity, to_icon, box)
    if value.lower() == "currentcolor":
        if opacity < 1:
            raise ValueError("a translucent current colour")
        return "current"
    color = read_color(value, opacity)
    return color if color.alpha > 0 else None


def read_gradient(
    element: Element, definitions: Definitions, opacity: float, to_icon: Affine, box: Box
) -> IconPaint | None:
    """A gradient in icon units, its stops faded by `opacity`; a plain colour when it has one stop."""
    chain = list(_linked(element, definitions))
    said = {name: value for link in reversed(chain) for name, value in link.attrib.items()}
    stops = next((found for link in chain if (found := _stops(link, opacity))), ())
    if len(stops) < 2:
        return stops[0].color if stops else None
    if said.get("spreadMethod", "pad") != "pad":
        raise ValueError(f"spreadMethod {said['spreadMethod']}")
    own_units = said.get("gradientUnits", "objectBoundingBox") == "userSpaceOnUse"
    to_shape = Affine() if own_units else Affine(box.width, 0, 0, box.height, box.x, box.y)
    placing = to_icon.after(to_shape).after(read_transform(said.get("gradientTransform")))
    return GRADIENTS[local_name(element)](said, placing, stops)


def _linked(element: Element, definitions: Definitions) -> Iterator[Element]:
    for _ in range(_MAX_LINKS):
        yield element
        href = element.get("href", element.get(XLINK))
        if href is None:
            return
        element = definitions[href.removeprefix("#")]


def _stops(element: Element, opacity: float) -> tuple[GradientStop, ...]:
    stops: list[GradientStop] = []
    last = 0.0
    for child in element:
        if local_name(child) != "stop":
            continue
        said = dict(child.attrib) | declarations(child.get("style", ""))
        color = read_color(said.get("stop-color", "black"), float(said.get("stop-opacity", "1")) * opacity)
        last = max(last, fraction(said.get("offset", "0")))
        stops.append(GradientStop(last, color))
    return tuple(stops)


def _coordinate(said: Mapping[str, str], name: str, default: str) -> float:
    text = said.get(name, default)
    return float(text[:-1]) / 100 if text.endswith("%") else length(text)


def _linear(said: Mapping[str, str], placing: Affine, stops: tuple[GradientStop, ...]) -> Gradient:
    one = Point(_coordinate(said, "x1", "0%"), _coordinate(said, "y1", "0%"))
    two = Point(_coordinate(said, "x2", "100%"), _coordinate(said, "y2", "0%"))
    start, end = placing.point(one), placing.point(two)
    # A line of equal colour stays a line under any affine map, but no longer stands square on the vector: the end is
    # where the mapped line through it meets the perpendicular through the start.
    across = Point(-(two.y - one.y), two.x - one.x)
    level = Point(placing.a * across.x + placing.c * across.y, placing.b * across.x + placing.d * across.y)
    square = level.x * level.x + level.y * level.y
    if square == 0:
        raise ValueError("a gradient without direction")
    along = ((end.x - start.x) * level.x + (end.y - start.y) * level.y) / square
    return LinearGradient(start, Point(end.x - along * level.x, end.y - along * level.y), stops)


def _radial(said: Mapping[str, str], placing: Affine, stops: tuple[GradientStop, ...]) -> Gradient:
    x, y, r = (_coordinate(said, name, "50%") for name in ("cx", "cy", "r"))
    if any(name in said and _coordinate(said, name, "0") != at for name, at in (("fx", x), ("fy", y))):
        raise ValueError("a gradient with a focus of its own")
    across, down = Point(placing.a * r, placing.b * r), Point(placing.c * r, placing.d * r)
    return RadialGradient(placing.point(Point(x, y)), across, down, stops)


GRADIENTS = {"linearGradient": _linear, "radialGradient": _radial}
