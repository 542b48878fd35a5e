"""Whatever stands in a document, its picture holds the few elements and attributes that pictures are made of."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from scenograph.engine.pipeline import Extras, WriteOptions, render, render_svg
from scenograph.scene.description.operations import scene_schema

Json = dict[str, Any]
PAYLOADS: list[str] = json.loads((Path(__file__).parent / "payloads.json").read_text("utf-8"))

PAINT = {"fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width"}
STROKE = {"stroke-dasharray", "stroke-linejoin", "stroke-linecap"}
FONT = {"font-family", "font-size", "font-weight", "font-style"}
BOX = {"x", "y", "width", "height"}
OWNER = {"data-element-id", "data-kind", "data-label-for", "data-legend", "data-watermark", "data-change"}
NUMBER = r"-?\d*\.?\d+"
ADDRESS = r"(https?://|mailto:)[^\s\"<>\\]+"
NUMBERS = rf"{NUMBER}( {NUMBER})*"

ALLOWED: dict[str, set[str]] = {
    # element: what it may say about itself
    "svg": {*BOX, "viewBox", "role", "aria-labelledby", "preserveAspectRatio"},
    "title": {"id"},
    "desc": {"id"},
    "style": set(),
    "defs": set(),
    "g": {*OWNER, *PAINT, *STROKE, *FONT, "opacity", "text-rendering", "transform"},
    "rect": {*BOX, *PAINT},
    "path": {*PAINT, *STROKE, "d", "id"},
    "text": {*PAINT, *FONT, "x", "y", "transform", "{http://www.w3.org/XML/1998/namespace}space"},
    "tspan": {*PAINT, *FONT, "x", "y"},
    "image": {*BOX, "preserveAspectRatio", "href", "id"},
    "use": {"href", "x", "y"},
    "a": {"href", "target", "rel"},
    "linearGradient": {"id", "gradientUnits", "x1", "y1", "x2", "y2"},
    "radialGradient": {"id", "gradientUnits", "cx", "cy", "r", "gradientTransform"},
    "stop": {"offset", "stop-color", "stop-opacity"},
}
VALUES: dict[str, str] = {
    # attribute: what it may say, wholly
    "fill": r"none|#[0-9a-f]{3}([0-9a-f]{3})?|url\(#sg[0-9a-f]+\)",
    "stroke": r"#[0-9a-f]{3}([0-9a-f]{3})?|url\(#sg[0-9a-f]+\)",
    "stop-color": r"#[0-9a-f]{3}([0-9a-f]{3})?",
    "href": rf"#sg[0-9a-f]+|data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*|{ADDRESS}",
    "target": r"_blank",
    "rel": r"noopener noreferrer",
    "id": r"sg[0-9a-f]+[td]?",
    "font-family": r"(sg[0-9a-f]+,)?'[A-Za-z ]+',(('[A-Za-z ]+'|[A-Za-z]+),)*(sans-serif|monospace|cursive)",
    "transform": rf"(rotate|translate|scale|matrix)\({NUMBERS}\)",
    "d": r"[MmLlHhVvQqCcAaSsTtZz\d .-]*",
    "viewBox": NUMBERS,
    "stroke-dasharray": NUMBERS,
    "data-kind": r"node|edge|frame|group|text|image|guide",
    **dict.fromkeys(("x", "y", "width", "height", "font-size", "font-weight", "opacity", "stroke-width"), NUMBER),
}
FACES = re.compile(
    r"(@font-face\{font-family:sg[0-9a-f]{10};font-weight:\d+( \d+)?;(font-style:italic;)?"
    r"src:url\(data:font/ttf;base64,[A-Za-z0-9+/=]+\) format\('truetype'\)\})*"
)
SHARE = int(environ.get("SAFETY_SHARE", "8"))  # 1: every payload through every sink, 19,000 cases, ten minutes
SMALL = WriteOptions(scale=0.25)
WITH_TEXT = {"title", "desc", "style", "text", "tspan"}


def assert_harmless(svg: str) -> None:
    """`svg` is well-formed and holds nothing that is not in the lists above."""
    assert "<!" not in svg
    assert "<?" not in svg
    for element in ET.fromstring(svg.encode("utf-8")).iter():  # noqa: S314
        name = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
        assert name in ALLOWED, name
        assert set(element.attrib) <= ALLOWED[name], (name, element.attrib)
        for attribute, value in element.attrib.items():
            assert re.fullmatch(VALUES.get(attribute, r"[^\x00-\x08\x0b\x0c\x0e-\x1f]*"), value), (
                name,
                attribute,
                value,
            )
        assert name in WITH_TEXT or not (element.text or "").strip(), (name, element.text)
        assert not (element.tail or "").strip(), (name, element.tail)
        if name == "style":
            assert FACES.fullmatch(element.text or "")


def test_the_document_has_every_member_that_may_hold_a_string(every_member: Json) -> None:
    schema = scene_schema()
    records = [schema, *schema["$defs"].values()]
    rows = [row for record in records for row in record.get("properties", {}).items()]
    holding = {name for name, row in rows if may_hold_a_string(row, schema["$defs"])}
    assert holding <= set(member_names(every_member)), holding - set(member_names(every_member))


def may_hold_a_string(row: Json, definitions: Json) -> bool:
    if row.get("type") == "string" or any(isinstance(value, str) for value in row.get("enum", ())):
        return True
    inner = [
        *row.get("anyOf", ()),
        *row.get("allOf", ()),
        *([row["items"]] if isinstance(row.get("items"), dict) else []),
    ]
    inner += [definitions[part["$ref"].rsplit("/", 1)[1]] for part in [*inner, row] if "$ref" in part]
    return any(may_hold_a_string(part, definitions) for part in inner)


def member_names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for inner in value.values() for name in member_names(inner))]
    return [name for inner in value for name in member_names(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("turn", range(len(PAYLOADS)))
def test_nothing_gets_out_of_any_string_of_a_document(
    turn: int, sinks: list[Any], with_payload: Callable[[Any, str], Json]
) -> None:
    for sink in dealt(turn, sinks):
        assert_harmless(str(render_svg(with_payload(sink, PAYLOADS[turn])).content))


def dealt(turn: int, sinks: list[Any]) -> list[Any]:
    """The sinks that a payload goes through: every SHARE-th, another set each turn, so that every sink meets many."""
    return sinks[turn % SHARE :: SHARE]


def test_the_cases_are_many_and_every_sink_has_its_share(sinks: list[Any]) -> None:
    cases = Counter(sink for turn in range(len(PAYLOADS)) for sink in dealt(turn, sinks))
    assert sum(cases.values()) >= 2_000
    assert set(cases) == set(sinks)
    assert min(cases.values()) >= len(PAYLOADS) // SHARE


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_nor_in_another_theme_with_a_legend_and_a_watermark(
    payload: str, every_member: Json, full_of: Callable[[str], Json]
) -> None:
    extras = Extras(before=every_member, watermark=payload)
    for theme in ("dark", "blueprint", "sketch"):
        assert_harmless(str(render_svg(full_of(payload), theme=theme, extras=extras).content))


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_every_picture_can_be_rasterized(payload: str, full_of: Callable[[str], Json]) -> None:
    """At a quarter of the size: the picture of the longest payload has 254 megapixels."""
    assert bytes(render(full_of(payload), "png", options=SMALL).content).startswith(b"\x89PNG")


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_an_excalidraw_file_holds_payloads_as_text_only(payload: str, full_of: Callable[[str], Json]) -> None:
    content = str(render(full_of(payload), "excalidraw").content)
    file = json.loads(content.encode("utf-8"))
    links = {element["link"] for element in file["elements"]} - {None}
    assert all(re.fullmatch(ADDRESS, link, re.IGNORECASE) for link in links)
    assert {element["type"] for element in file["elements"]} <= {
        *("rectangle", "ellipse", "diamond", "line", "arrow", "text", "image", "frame", "freedraw"),
    }
    for picture in file.get("files", {}).values():
        assert re.match(r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,", picture["dataURL"])
    colors = [element[name] for element in file["elements"] for name in ("strokeColor", "backgroundColor")]
    assert all(re.fullmatch(r"transparent|#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?", color) for color in colors)
