"""Shapes, line ends, lines and colours of Graphviz (graphviz.org/doc/info) in the words of scenes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.reading.graphviz.grammar import Attributes
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject

DEFAULT_SHAPE = "ellipse"
RECORDS = frozenset({"record", "Mrecord"})
_ALIKE: Mapping[str, str] = {
    "rect": "box rect rectangle square record",
    "roundedRect": "Mrecord Msquare",
    "ellipse": "ellipse oval circle point",
    "diamond": "diamond Mdiamond",
    "cylinder": "cylinder",
    "hexagon": "hexagon",
    "parallelogram": "parallelogram",
    "textBox": "plaintext none plain",
    "box3d": "box3d",
}
_NEARLY: Mapping[str, str] = {
    "ellipse": "doublecircle egg Mcircle",
    "hexagon": "octagon doubleoctagon tripleoctagon septagon pentagon",
    "diamond": "star triangle invtriangle",
    "parallelogram": "trapezium invtrapezium",
    "rect": "polygon underline",
}
SHAPES = MappingProxyType({word: shape for shape, words in _ALIKE.items() for word in words.split()})
NEAR_SHAPES = MappingProxyType({word: shape for shape, words in _NEARLY.items() for word in words.split()})
TYPES: Mapping[str, str] = MappingProxyType({"note": "note", "component": "component"})
"""Shapes that are node types here."""
_ARROWS: Mapping[str, str] = {
    "triangle": "normal vee empty inv open halfopen onormal oinv crow curve icurve",
    "diamond": "diamond odiamond ediamond",
    "circle": "dot odot",
    "bar": "tee box obox",
    "none": "none",
}
_ARROW_OF = MappingProxyType({word: arrow for arrow, words in _ARROWS.items() for word in words.split()})
_MARKED = re.compile(r"(?:o|[lr])?(?=normal|inv|dot|diamond|tee|box|vee|crow|curve)")
_DASHES: Mapping[str, list[float]] = {"dashed": [6, 4], "dotted": [2, 3]}
_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{0,6})?|\.[0-9]{1,6}")
_DIGITS = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")
_GREY = re.compile(r"gr[ae]y([0-9]{1,3})")
_SHADE = re.compile(r"([A-Za-z]{3,20})[1-4]")
_PX_A_POINT = 4 / 3


def words_of(attributes: Attributes) -> frozenset[str]:
    """The words of `style`."""
    return frozenset(word.strip().partition("(")[0] for word in attributes.get("style", "").split(","))


def color(text: str) -> str | None:
    """A colour by digits or by a name; the first of a list. None for one that has no form."""
    word = text.partition(":")[0].partition(";")[0].strip()
    if _DIGITS.fullmatch(word):
        return word
    grey = _GREY.fullmatch(word)
    if grey and int(grey[1]) <= 100:
        return f"#{round(int(grey[1]) * 2.55):02x}" + f"{round(int(grey[1]) * 2.55):02x}" * 2
    shade = _SHADE.fullmatch(word)
    for name in (word.lower(), shade[1].lower() if shade else ""):
        if name and name.isalpha() and parse_color(name) is not None:
            return name
    return None


def style_of(attributes: Attributes, *, line: bool = False) -> JsonObject | None:
    """The style of a node, a cluster or a line."""
    style: JsonObject = {}
    words = words_of(attributes)
    stroke, pen = color(attributes.get("color", "")), color(attributes.get("pencolor", ""))
    fill = color(attributes.get("fillcolor", "") or attributes.get("color", ""))
    if "filled" in words and fill and not line:
        style["fill"] = fill
    if not line and "bgcolor" in attributes and (ground := color(attributes["bgcolor"])):
        style["fill"] = ground
    if pen or stroke:
        style["stroke"] = pen or stroke
    if letters := color(attributes.get("fontcolor", "")):
        style["textColor"] = letters
    for word, dash in _DASHES.items():
        if word in words:
            style["dash"] = dash
    width = attributes.get("penwidth", "")
    if _NUMBER.fullmatch(width):
        style["strokeWidth"] = round(float(width) * _PX_A_POINT, 2)
    elif "bold" in words:
        style["strokeWidth"] = 3
    size = attributes.get("fontsize", "")
    if _NUMBER.fullmatch(size) and 4 <= float(size) <= 100:
        style["fontSize"] = round(float(size) * _PX_A_POINT, 1)
    return style or None


def heads(attributes: Attributes, *, is_directed: bool) -> JsonObject:
    """The markers of an edge's ends."""
    way = attributes.get("dir", "forward" if is_directed else "none")
    ends = {"startArrow": "arrowtail" if way in {"back", "both"} else "", "endArrow": "arrowhead"}
    if way in {"back", "none"}:
        ends["endArrow"] = ""
    return {end: _arrow(attributes.get(name, "normal")) if name else "none" for end, name in ends.items()}


def _arrow(word: str) -> str:
    if word in _ARROW_OF:
        return _ARROW_OF[word]
    bare = _MARKED.sub("", word, count=1)
    known = next((arrow for name, arrow in _ARROW_OF.items() if name != "none" and bare.startswith(name)), None)
    return known or "triangle"
