"""Colours and gradients as SVG attributes and definitions. Every paint is printed from its parsed value."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from scenograph.engine.drawing import Gradient, GradientStop, LinearGradient, Paint, RadialGradient
from scenograph.engine.write.markup import Markup
from scenograph.engine.write.writer import decimal
from scenograph.scene.model import Color

Attributes = tuple[tuple[str, str], ...]
_ID_LENGTH = 10
_FULL = 255
_CACHED_PAINTS = 1024


def content_id(content: str) -> str:
    """An id made from what it names: two pictures on one page share an id only where they share the thing."""
    return f"sg{sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:_ID_LENGTH]}"


def hex_color(color: Color) -> str:
    """The colour without its alpha, in the shortest hexadecimal form."""
    channels = [min(max(round(channel), 0), _FULL) for channel in color[:3]]
    digits = "".join(f"{channel:02x}" for channel in channels)
    return f"#{digits[::2]}" if digits[::2] == digits[1::2] else f"#{digits}"


@lru_cache(maxsize=_CACHED_PAINTS)
def painted(property_name: str, paint: Paint | None) -> Attributes:
    """The attributes that set `property_name` (fill or stroke); none for no paint."""
    if paint is None:
        return ()
    if isinstance(paint, LinearGradient | RadialGradient):
        return ((property_name, f"url(#{gradient_id(paint)})"),)
    if paint.alpha <= 0:
        return ()
    plain = ((property_name, hex_color(paint)),)
    return plain if paint.alpha >= 1 else (*plain, (f"{property_name}-opacity", decimal(paint.alpha)))


def gradient_id(gradient: Gradient) -> str:
    """The id a gradient is defined and used under."""
    return content_id(repr(gradient))


def gradient_definition(gradient: Gradient) -> Markup:
    """The definition of a gradient, in scene px."""
    shared = (("id", gradient_id(gradient)), ("gradientUnits", "userSpaceOnUse"))
    stops = tuple(map(_stop, gradient.stops))
    if isinstance(gradient, LinearGradient):
        start, end = gradient.start, gradient.end
        numbers = {"x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y}
        line = tuple((name, decimal(value)) for name, value in numbers.items())
        return Markup("linearGradient", shared + line, stops)
    matrix = " ".join(decimal(value) for value in (*gradient.across, *gradient.down, *gradient.center))
    circle = (("cx", "0"), ("cy", "0"), ("r", "1"), ("gradientTransform", f"matrix({matrix})"))
    return Markup("radialGradient", shared + circle, stops)


def _stop(stop: GradientStop) -> Markup:
    offset = ("offset", decimal(stop.offset))
    opacity = () if stop.color.alpha >= 1 else (("stop-opacity", decimal(stop.color.alpha)),)
    return Markup("stop", (offset, ("stop-color", hex_color(stop.color)), *opacity))
