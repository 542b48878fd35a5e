"""Two revisions of a scene, and what is read off their visual diff."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

from scenograph.engine.pipeline import Extras, render_svg

Json = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"
THEMES = ("clean", "dark", "blueprint", "sketch")
GREEN, RED, AMBER = "#22c55e", "#ef4444", "#f59e0b"


def scene(*elements: Json, **members: Any) -> Json:
    canvas = members.pop("canvas", {})
    head = {"id": "s", "title": "Shop", "units": "px", "canvas": canvas}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": [*elements]} | members


def node(id_: str, x: float | None = None, y: float | None = None, **members: Any) -> Json:
    layout = {} if x is None else {"layout": {"mode": "absolute", "x": x, "y": y, "width": 100, "height": 60}}
    return {"id": id_, "kind": "node", "label": id_} | layout | members


def edge(id_: str, source: str, target: str, **members: Any) -> Json:
    return {"id": id_, "kind": "edge", "from": {"elementId": source}, "to": {"elementId": target}} | members


def picture(new: Json, old: Json, theme: str = "clean") -> ET.Element:
    return ET.fromstring(render_svg(new, theme=theme, extras=Extras(before=old)).content)  # noqa: S314 - our own


def group(root: ET.Element, id_: str, attribute: str = "data-element-id") -> ET.Element:
    (found,) = (one for one in root.iter(f"{SVG}g") if one.get(attribute) == id_)
    return found


def strokes(of: ET.Element) -> list[tuple[str | None, float, str | None]]:
    """Colour, width and dash of every stroke in a group; what the group says holds for its paths."""
    rows = []
    for path in of.iter(f"{SVG}path"):
        said = {**of.attrib, **path.attrib}
        if "stroke" in said:
            rows.append((said["stroke"], float(said.get("stroke-width", "1.5")), said.get("stroke-dasharray")))
    return rows


def opacity(of: ET.Element) -> float:
    return float(of.get("opacity", "1"))


def start_of(of: ET.Element) -> tuple[float, float]:
    """The first point of the first path."""
    path = next(of.iter(f"{SVG}path")).get("d", "")
    x, y = re.match(r"M(-?[\d.]+)[ ]?(-?[\d.]+)", path).groups()  # type: ignore[union-attr]
    return float(x), float(y)


def extent(root: ET.Element) -> tuple[float, float, float, float]:
    x, y, width, height = map(float, root.get("viewBox", "").split())
    return x, y, x + width, y + height


OLD = scene(node("same"), node("gone"), node("other"), edge("kept", "same", "other"), edge("lost", "same", "gone"))
NEW = scene(
    node("same"),
    node("other", label="renamed"),
    node("fresh"),
    edge("kept", "same", "other"),
    edge("link", "other", "fresh", endpoints={"endArrow": "triangle"}),
)
