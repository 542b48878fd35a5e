"""Hypothesis strategies for documents and batches, walked from the descriptions themselves.

`Drawn documents` are mostly sound and partly spoilt: wrong types, odd values, unknown members, missing ones, ids from a
small pool so that references often meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.document import DOCUMENT
from scenograph.scene.description.elements import STYLE, StyleOrName
from scenograph.scene.description.fields import (
    AnyOf,
    AnyValue,
    Choice,
    ColorText,
    FieldType,
    Flag,
    Identifier,
    ListOf,
    MapOf,
    Named,
    Null,
    Number,
    PatchOf,
    Record,
    SchemaOnly,
    TextType,
    Variants,
    Weight,
)
from scenograph.scene.description.operations import OPERATION_RECORDS
from scenograph.scene.image_data import AssetRecord, Base64, ImageHref
from scenograph.scene.links import LinkHref

Json = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

IDS = tuple("abcdefgh")
NEW_IDS = ("p", "q", "h")
# Where an element of the right kind is in the sound documents below.
TARGETS = {"updateNode": "ad", "updateEdge": "e", "updateFrame": "dc", "ungroupElements": "b", "setText": "abcde"}
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADAAAAAAAAAAAA"
COLORS = ("#fff", "red", "none", "rgba(1,2,3,0.5)", "hsl(10 20% 30%)")

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=6)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


def _number(kind: Number) -> st.SearchStrategy[Any]:
    high = 1_000 if isinstance(kind.high, str) else kind.high
    low = -high if kind.low is None else kind.low
    whole = st.integers(int(low), int(high))
    return whole if kind.whole else whole | st.floats(low, high, allow_nan=False)


def _targets(name: str) -> str:
    return TARGETS.get(name, "a" if "Constraint" in name else "abcdefg")


def _leaf(kind: FieldType) -> st.SearchStrategy[Any]:
    """Sound values of a type that is not made of others."""
    table: list[tuple[type, Callable[[Any], st.SearchStrategy[Any]]]] = [
        (TextType, lambda _: words),
        (Identifier, lambda _: st.sampled_from(IDS)),
        (Number, _number),
        (Flag, lambda _: st.booleans()),
        (Choice, lambda choice: st.sampled_from(choice.values)),
        (ColorText, lambda _: st.sampled_from(COLORS)),
        (Weight, lambda _: st.sampled_from([400, "bold"])),
        (AnyValue, lambda value: st.dictionaries(words, words, max_size=2) if value.an_object else json_values),
        (Null, lambda _: st.none()),
        (Base64, lambda _: st.just(PNG)),
        (LinkHref, lambda _: st.sampled_from(["https://a.example/b?c=d", "mailto:a@example.com"])),
        (ImageHref, lambda _: st.just(f"data:image/png;base64,{PNG}")),
    ]
    return next(make(kind) for cls, make in table if isinstance(kind, cls))


@dataclass
class Maker:
    """Draws values of described types. `spoil` is how likely a value is junk, in percent."""

    draw: Draw
    spoil: int

    def chance(self, percent: int) -> bool:
        return percent > 0 and self.draw(st.integers(1, 100)) <= percent

    def value(self, kind: FieldType) -> Any:
        if self.chance(self.spoil):
            return self.draw(json_values)
        if isinstance(kind, Record):
            return self.record(kind)
        if isinstance(kind, Variants):
            return self.record(kind.records[self.draw(st.sampled_from(list(kind.records)))])
        if isinstance(kind, ListOf):
            count = self.draw(st.integers(kind.least, 3))
            return [self.value(kind.item) for _ in range(count)]
        if isinstance(kind, MapOf):
            return {name: self.value(kind.value) for name in self.draw(st.sets(st.sampled_from(IDS[:3]), max_size=2))}
        return self._made_of_others(kind)

    def _made_of_others(self, kind: FieldType) -> Any:
        if isinstance(kind, StyleOrName):
            return self.record(STYLE) if self.chance(70) else self.draw(st.sampled_from(IDS[:3]))
        if isinstance(kind, PatchOf):
            return None if self.chance(10) else self.value(kind.value)
        if isinstance(kind, AnyOf | Named):
            options = kind.options if isinstance(kind, AnyOf) else (Choice(tuple(kind.values)), kind.record)
            return self.value(self.draw(st.sampled_from(options)))
        if isinstance(kind, SchemaOnly):
            return self.value(kind.value)
        if isinstance(kind, AssetRecord):
            return {"mimeType": "image/png", "data": PNG}
        return self.draw(_leaf(kind))

    def record(self, record: Record) -> Json:
        made: Json = {}
        for row in record.fields:
            if row.required and not self.chance(self.spoil // 2):
                made[row.name] = self.value(row.type)
            elif self.chance(14):
                name = self.draw(st.sampled_from((row.name, *row.aliases)))
                made[name] = self.value(row.type)
        if self.chance(self.spoil):
            made[self.draw(words)] = self.draw(json_values)
        return made

    def document(self) -> Json:
        return self.record(DOCUMENT)

    def batch(self) -> list[Any]:
        return [self.operation() for _ in range(self.draw(st.integers(1, 6)))]

    def operation(self) -> Any:
        """An operation; mostly with an id that suits it: a new one for what it makes, one of the right kind else."""
        name = self.draw(st.sampled_from(list(OPERATION_RECORDS)))
        op = self.value(OPERATION_RECORDS[name])
        if isinstance(op, dict) and "id" in op and self.chance(75):
            op["id"] = self.draw(st.sampled_from(NEW_IDS if name.startswith(("create", "group")) else _targets(name)))
        return op


@st.composite
def drawn_documents(draw: Draw, spoil: int = 4) -> Json:
    return Maker(draw, spoil).document()


@st.composite
def drawn_batches(draw: Draw) -> list[Any]:
    return Maker(draw, draw(st.sampled_from([0, 0, 3]))).batch()


NODES = [{"id": name, "kind": "node", "label": name} for name in "abc"]
SOUND: list[Json] = [
    {
        "schemaVersion": "0.1",
        "scene": {"id": "s", "units": "px", "canvas": {}},
        "elements": [
            *NODES,
            {"id": "d", "kind": "frame", "title": "D", "children": ["a", "b"]},
            {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "c"}},
            {
                "id": "f",
                "kind": "text",
                "text": "T",
                "layout": {"mode": "relative", "target": "a", "relation": "below"},
            },
        ],
        "styles": {"a": {"fill": "red"}},
        "assets": {"b": {"mimeType": "image/png", "data": PNG}},
        "constraints": [{"id": "a", "type": "align", "axis": "x", "elements": ["a", "c"]}],
    },
    {
        "schemaVersion": "0.1",
        "diagramFamily": "sequence",
        "scene": {"id": "s", "units": "px", "canvas": {"width": 100}, "palette": {"nodeFill": "red"}},
        "elements": [
            {"id": "a", "kind": "node", "style": "a", "zIndex": 2, "layout": {"mode": "absolute", "x": 1, "y": 2}},
            {"id": "b", "kind": "group", "childIds": ["c", "a"]},
            {"id": "c", "kind": "frame", "label": "C", "children": ["d"]},
            {"id": "d", "kind": "node", "ports": [{"id": "a"}]},
            {
                "id": "e",
                "kind": "edge",
                "from": {"elementId": "d", "port": "a"},
                "to": {"elementId": "c"},
                "waypoints": [{"x": 1, "y": 1}],
            },
            {"id": "f", "kind": "image", "assetId": "a"},
            {"id": "g", "kind": "guide"},
        ],
        "styles": {"a": {}, "b": {}},
        "assets": {"a": {"mimeType": "image/png", "data": PNG}},
    },
]


@dataclass(frozen=True)
class Strategies:
    """What the tests draw from."""

    documents: st.SearchStrategy[Json]
    sound_documents: st.SearchStrategy[Json]
    batches: st.SearchStrategy[list[Any]]
    json_values: st.SearchStrategy[Any]


@pytest.fixture(scope="session")
def drawn() -> Strategies:
    return Strategies(drawn_documents(), st.sampled_from(SOUND), drawn_batches(), json_values)
