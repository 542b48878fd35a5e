"""The typed tree behind SVG text, with one serializer and one escaping function.

Caller's text leaves here as well-formed XML 1.0: markup characters as references, control characters forbidden in XML
dropped, lone surrogates and noncharacters as U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from scenograph.engine.drawing import Gradient, GradientStop, LinearGradient, Paint, RadialGradient
from scenograph.engine.write.writer import decimal
from scenograph.scene.model import Color

_UNSAFE = re.compile('[&<>"\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]')
_REPLACEMENT_CHARACTER = "\ufffd"
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


class Markup(NamedTuple):
    """An XML element: name, attributes in order, children (a string is character data)."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Markup | str, ...] = ()


def serialized(*trees: Markup | str) -> str:
    """The XML text of the trees, concatenated."""
    parts: list[str] = []
    for tree in trees:
        _write(tree, parts)
    return "".join(parts)


def tags(around: Markup, *, is_empty: bool) -> tuple[str, str]:
    """The opening and closing tags of an element with serialized content; a single empty tag if `is_empty`."""
    alone = serialized(around)
    return (alone, "") if is_empty else (f"{alone.removesuffix('/>')}>", f"</{around.name}>")


def element(name: str, attributes: str, content: str) -> str:
    """An element from serialized attributes and content; a single empty tag without content."""
    return f"<{name}{attributes}>{content}</{name}>" if content else f"<{name}{attributes}/>"


def attributes_text(attributes: Iterable[tuple[str, str]]) -> str:
    """Attributes as written in a tag, each after a space."""
    return "".join([f' {name}="{escaped(value)}"' for name, value in attributes])


def escaped(text: str) -> str:
    """`text` as character data or between double quotes."""
    return _UNSAFE.sub(_reference, text) if _UNSAFE.search(text) else text


def _reference(match: re.Match[str]) -> str:
    letter = match[0]
    if letter in _REFERENCES:
        return _REFERENCES[letter]
    return _REPLACEMENT_CHARACTER if letter >= "\ud800" else ""


def _write(tree: Markup | str, parts: list[str]) -> None:
    if isinstance(tree, str):
        parts.append(escaped(tree))
        return
    attributes = attributes_text(tree.attributes)
    if not tree.children:
        parts.append(f"<{tree.name}{attributes}/>")
        return
    parts.append(f"<{tree.name}{attributes}>")
    for child in tree.children:
        _write(child, parts)
    parts.append(f"</{tree.name}>")


# Colours and gradients as SVG attributes and definitions. Every paint is printed from its parsed value.


Attributes = tuple[tuple[str, str], ...]
_ID_LENGTH = 10
_FULL = 255
_CACHED_PAINTS = 1024


def content_id(content: str) -> str:
    """An id derived from the content: two pictures on one page share an id only for equal content."""
    return f"sg{sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:_ID_LENGTH]}"


def hex_color(color: Color) -> str:
    """The colour without its alpha, in the shortest hexadecimal form."""
    channels = [min(max(round(channel), 0), _FULL) for channel in color[:3]]
    digits = "".join(f"{channel:02x}" for channel in channels)
    return f"#{digits[::2]}" if digits[::2] == digits[1::2] else f"#{digits}"


@lru_cache(maxsize=_CACHED_PAINTS)
def painted(property_name: str, paint: Paint | None) -> Attributes:
    """The attributes for `property_name` (fill or stroke); empty without paint."""
    if paint is None:
        return ()
    if isinstance(paint, LinearGradient | RadialGradient):
        return ((property_name, f"url(#{_gradient_id(paint)})"),)
    if paint.alpha <= 0:
        return ()
    plain = ((property_name, hex_color(paint)),)
    return plain if paint.alpha >= 1 else (*plain, (f"{property_name}-opacity", decimal(paint.alpha)))


def _gradient_id(gradient: Gradient) -> str:
    """The id a gradient is defined and used under."""
    return content_id(repr(gradient))


def gradient_definition(gradient: Gradient) -> Markup:
    """The definition of a gradient, in scene px."""
    shared = (("id", _gradient_id(gradient)), ("gradientUnits", "userSpaceOnUse"))
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
