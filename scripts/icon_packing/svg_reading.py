"""An SVG file as the flat list of what it paints, in icon units: styles resolved, transforms applied, references
followed. What cannot be said that way raises ValueError, and the icon is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from icon_packing.affine import IDENTITY, Affine, read_transform
from icon_packing.bounds import bounds
from icon_packing.outlines import OUTLINES, length
from icon_packing.paints import XLINK, Definitions, local_name, read_color, read_paint, reference
from icon_packing.styles import Properties, Rules, cascade, initial, own_properties, read_rules
from scenograph.engine.drawing import Cap, FillRule
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Path
from scenograph.engine.icons.icon import IconLayer
from scenograph.late_dataclasses import dataclass, replace

CAPS: dict[str, Cap] = {"butt": "butt", "round": "round", "square": "square"}
ROUND_JOINS = {"miter": False, "round": True}
RULES: dict[str, FillRule] = {"nonzero": "nonzero", "evenodd": "evenodd"}
CONTAINERS = {"g", "a", "svg"}
SILENT = {
    "title",
    "desc",
    "metadata",
    "defs",
    "style",
    "clipPath",
    "mask",
    "linearGradient",
    "radialGradient",
    "filter",
}
_NUMBERS = re.compile(r"[\s,]+")
_LIGHT, _DARK = 250, 5


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a clip or mask: inside its path the picture is shown (`shown`) or hidden, over what came before."""

    path: Path
    fill_rule: FillRule
    shown: bool = True


Clip = tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Pen:
    """What a layer's stroke has besides; a layer holds strokes of a plain pen only."""

    dash: tuple[float, ...] = ()
    dash_offset: float = 0.0
    miter_limit: float = 4.0


PLAIN = Pen()


@dataclass(frozen=True, slots=True)
class Shape:
    """A layer, the clips that cut it (all of them) and the pen of its stroke."""

    layer: IconLayer
    clips: tuple[Clip, ...] = ()
    pen: Pen = PLAIN


@dataclass(frozen=True, slots=True)
class Sheet:
    """A read file."""

    view_box: Box
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class _Context:
    definitions: Definitions
    rules: Rules
    to_icon: Affine
    properties: Properties
    opacity: float = 1.0
    clips: tuple[Clip, ...] = ()


def read_svg(text: str) -> Sheet:
    """Everything an SVG text paints. ValueError when it needs something that is not supported."""
    root = ET.fromstring(text)  # noqa: S314 (files of a maintainer's choosing, read while packing)
    definitions = {name: element for element in root.iter() if (name := element.get("id"))}
    css = "".join("".join(element.itertext()) for element in root.iter() if local_name(element) == "style")
    context = _Context(definitions, read_rules(css), IDENTITY, initial())
    return Sheet(_view_box(root), tuple(_painted(root, context)))


def _view_box(root: Element) -> Box:
    numbers = [float(n) for n in _NUMBERS.split(root.get("viewBox", "").strip()) if n]
    box = Box(*numbers) if len(numbers) == 4 else Box(0, 0, length(root.get("width")), length(root.get("height")))
    if box.width <= 0 or box.height <= 0:
        raise ValueError("no view box")
    return box


def _painted(element: Element, context: _Context) -> Iterator[Shape]:
    tag = local_name(element)
    own = own_properties(tag, element.attrib, context.rules)
    here = _entered(element, own, context)
    if tag in SILENT or not _is_svg(element) or here.properties["display"] == "none":
        return
    if tag in CONTAINERS:
        for child in element:
            yield from _painted(child, here)
    elif tag == "use":
        yield from _used(element, here)
    elif tag in OUTLINES:
        yield from _drawn(element, here)
    else:
        raise ValueError(f"unsupported element {tag}")


def _is_svg(element: Element) -> bool:
    namespace = str(element.tag).rpartition("}")[0]
    return namespace in ("", "{http://www.w3.org/2000/svg")


def _entered(element: Element, own: Properties, context: _Context) -> _Context:
    properties = cascade(context.properties, own)
    if properties["filter"] != "none":
        raise ValueError("a filter")
    to_icon = context.to_icon.after(read_transform(element.get("transform")))
    here = replace(
        context, to_icon=to_icon, properties=properties, opacity=context.opacity * float(properties["opacity"])
    )
    clips = [_clip(name, here) for key in ("clip-path", "mask") if (name := reference(properties[key]))]
    return replace(here, clips=context.clips + tuple(clips))


def _used(element: Element, context: _Context) -> Iterator[Shape]:
    target = context.definitions[element.get("href", element.get(XLINK, "")).removeprefix("#")]
    shift = Affine(e=length(element.get("x")), f=length(element.get("y")))
    yield from _painted(target, replace(context, to_icon=context.to_icon.after(shift)))


def _drawn(element: Element, context: _Context) -> Iterator[Shape]:
    outline = OUTLINES[local_name(element)](element.attrib)
    p = context.properties
    if not outline or p["visibility"] != "visible":
        return
    where = (context.definitions, context.to_icon, bounds(outline))
    fill = read_paint(p["fill"], float(p["fill-opacity"]) * context.opacity, where)
    stroke = read_paint(p["stroke"], float(p["stroke-opacity"]) * context.opacity, where)
    layer = IconLayer(
        path=context.to_icon.path(outline), fill=fill, fill_rule=RULES[p["fill-rule"]] if fill else "nonzero"
    )
    if stroke is not None and length(p["stroke-width"]) > 0:
        yield _stroked(replace(layer, stroke=stroke), context)
    elif fill is not None:
        yield Shape(layer, context.clips)


def _stroked(layer: IconLayer, context: _Context) -> Shape:
    p, scale = context.properties, context.to_icon.scale
    cap, round_joins = CAPS[p["stroke-linecap"]], ROUND_JOINS[p["stroke-linejoin"]]
    dash = "" if p["stroke-dasharray"] == "none" else p["stroke-dasharray"]
    pen = Pen(
        tuple(length(n) * scale for n in _NUMBERS.split(dash) if n),
        length(p["stroke-dashoffset"]) * scale if dash else 0.0,
        float(p["stroke-miterlimit"]) if not round_joins else PLAIN.miter_limit,
    )
    return Shape(
        replace(layer, stroke_width=length(p["stroke-width"]) * scale, cap=cap, round_joins=round_joins),
        context.clips,
        pen,
    )


def _clip(name: str, context: _Context) -> Clip:
    """The regions of a clip path or mask in icon units (CSS Masking 1: luminance masks of pure black and white)."""
    element = context.definitions[name]
    units = "clipPathUnits" if local_name(element) == "clipPath" else "maskContentUnits"
    if element.get(units, "userSpaceOnUse") != "userSpaceOnUse":
        raise ValueError(f"{units} of the shape's box")
    plain = replace(context, properties=initial(), opacity=1.0, clips=())
    if local_name(element) == "clipPath":
        return tuple(region for child in element for region in _clip_regions(child, plain))
    return tuple(_mask_regions(element, plain))


def _clip_regions(element: Element, context: _Context) -> Iterator[Region]:
    own = own_properties(local_name(element), element.attrib, context.rules)
    to_icon = context.to_icon.after(read_transform(element.get("transform")))
    if local_name(element) == "use":
        target = element.get("href", element.get(XLINK, "")).removeprefix("#")
        yield from _clip_regions(context.definitions[target], replace(context, to_icon=to_icon))
    elif local_name(element) in OUTLINES:
        outline = to_icon.path(OUTLINES[local_name(element)](element.attrib))
        yield Region(outline, RULES[own.get("clip-rule", "nonzero")])


def _mask_regions(mask: Element, context: _Context) -> Iterator[Region]:
    for child in mask.iter():
        own = own_properties(local_name(child), child.attrib, context.rules)
        name = reference(own.get("filter", "none"))
        if name and any(local_name(step) == "feFlood" for step in context.definitions[name]):
            # Such a filter lays white under the content: all is shown but what the content blackens.
            area = context.to_icon.path(OUTLINES["rect"](mask.attrib))
            yield Region(area, "nonzero")
        if local_name(child) in OUTLINES:
            yield Region(
                context.to_icon.path(OUTLINES[local_name(child)](child.attrib)),
                RULES[own.get("fill-rule", "nonzero")],
                shown=_is_light(own.get("fill", "black")),
            )


def _is_light(fill: str) -> bool:
    color = read_color(fill)
    if color.alpha < 1 or not (min(color[:3]) > _LIGHT or max(color[:3]) < _DARK):
        raise ValueError(f"a mask of {fill}, neither black nor white")
    return min(color[:3]) > _LIGHT
