"""Sequences written in a few words, and what became of them as numbers."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.builders import document_of

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out, render_svg
from scenograph.engine.tables import LaidOutScene
from scenograph.late_dataclasses import dataclass

Json = dict[str, Any]


def lifeline(id_: str, label: str | None = None, kind: str = "lifeline", **members: Any) -> Json:
    return {"id": id_, "kind": "node", "nodeType": f"sequence.{kind}", "label": label or id_, **members}


def message(id_: str, ends: str, label: str | None = None, kind: str = "message", **members: Any) -> Json:
    source, target = ends.split(">")
    row = {"id": id_, "kind": "edge", "edgeType": f"sequence.{kind}", **members}
    row |= {"from": {"elementId": source}, "to": {"elementId": target}}
    return row | ({"label": label} if label else {})


def note(id_: str, text: str, **extensions: Any) -> Json:
    return lifeline(id_, text, "note", extensions=extensions)


def fragment(id_: str, operator: str, *operands: tuple[str | None, list[str]], **members: Any) -> Json:
    rows = [{"messages": names} | ({"guard": guard} if guard else {}) for guard, names in operands]
    extensions = {"operator": operator, "operands": rows}
    return {"id": id_, "kind": "frame", "containerType": "fragment", "extensions": extensions, **members}


def frame(id_: str, title: str, *children: str) -> Json:
    return {"id": id_, "kind": "frame", "title": title, "children": list(children)}


def document(*elements: Json, canvas: Json | None = None, **outer: Any) -> Json:
    return document_of(*elements, family="sequence", canvas=canvas, **outer)


@dataclass
class Chart:
    """A laid-out sequence, asked by ids."""

    laid_out: LaidOutScene
    codes: list[str]

    def box(self, id_: str) -> Box:
        return self.laid_out.placement.boxes[id_]

    def part(self, id_: str, name: str) -> Box:
        part = self.laid_out.placement.part(id_, name)
        assert part is not None, f"{id_} has no part {name}"
        return part

    def parts(self, id_: str) -> dict[str, Box]:
        return dict(self.laid_out.placement.parts.get(id_, {}))

    def x(self, lifeline_id: str) -> float:
        return self.box(lifeline_id).center.x

    def points(self, id_: str) -> list[tuple[float, float]]:
        return [tuple(point) for point in self.laid_out.routes[id_].points]

    def y(self, id_: str) -> float:
        return self.laid_out.routes[id_].points[0].y

    def label(self, id_: str) -> Box:
        label = self.laid_out.routes[id_].label
        assert label is not None, f"{id_} has no label"
        return label


def chart(*elements: Json, canvas: Json | None = None, **outer: Any) -> Chart:
    return charted(document(*elements, canvas=canvas, **outer))


def charted(scene: Json) -> Chart:
    result = lay_out(scene)
    return Chart(result.scene, [row.code for row in result.diagnostics])


@dataclass
class Drawn:
    """An SVG, asked by element ids."""

    root: ET.Element

    def groups(self) -> list[str]:
        return [found for group in self.root.iter() if (found := group.get("data-element-id"))]

    def paths(self, id_: str) -> list[ET.Element]:
        return [path for path in self._group(id_).iter() if path.tag.endswith("path")]

    def texts(self, id_: str) -> list[str]:
        found = [text for text in self._group(id_).iter() if text.tag.endswith("tspan") or text.tag.endswith("text")]
        return [text.text for text in found if text.text and text.text.strip()]

    def _group(self, id_: str) -> ET.Element:
        return next(group for group in self.root.iter() if group.get("data-element-id") == id_)


def drawn(*elements: Json, theme: str = "clean", **outer: Any) -> Drawn:
    svg = render_svg(document(*elements, **outer), theme=theme).content
    return Drawn(ET.fromstring(svg))  # noqa: S314 - our own output


@pytest.fixture
def pair() -> tuple[Json, Json]:
    return lifeline("a", "Alice"), lifeline("b", "Bob")
