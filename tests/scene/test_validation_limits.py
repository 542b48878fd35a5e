"""The limits of a document: what is refused beyond them, and only beyond them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.scene.invalid_documents import SCENE, A, Json, Make, codes, nested

from scenograph.scene.limits import Limits
from scenograph.scene.validation import validate

TIGHT = Limits(elements=3, constraints=2, label_length=5, title_length=4, nesting=3, image_bytes=40, image_pixels=12)


@pytest.mark.parametrize(("over", "beyond"), [(-1, False), (0, False), (1, True)])
def test_counts_and_lengths_are_refused_only_beyond_their_limit(
    document: Make, png: Callable[..., str], over: int, *, beyond: bool
) -> None:
    def refused(scene: Json, path: str) -> bool:
        rows = validate(scene, TIGHT)
        assert all((row.code, row.path) == ("LIMIT_EXCEEDED", path) for row in rows), rows
        return bool(rows)

    wish = [{"id": f"c{n}", "type": "noOverlap", "elements": ["a"]} for n in range(2 + over)]
    asset = {"x": {"mimeType": "image/png", "data": png(size=40 + over)}}
    pixels = {"x": {"mimeType": "image/png", "data": png(width=12 + over, height=1)}}
    title = SCENE | {"title": "x" * (4 + over)}
    assert refused(document(*[{"id": f"n{n}", "kind": "node"} for n in range(3 + over)]), "/elements") is beyond
    assert refused(document(A, constraints=wish), "/constraints") is beyond
    assert refused(document(A | {"label": "x" * (5 + over)}), "/elements/0/label") is beyond
    assert refused(document(scene=title), "/scene/title") is beyond
    assert refused(document(assets=asset), "/assets/x/data") is beyond
    assert refused(document(assets=pixels), "/assets/x/data") is beyond


@pytest.mark.parametrize(("over", "beyond"), [(-1, False), (0, False), (1, True)])
def test_nesting_is_refused_only_beyond_its_limit(document: Make, over: int, *, beyond: bool) -> None:
    limits = Limits(nesting=6)
    rows = validate(document(*nested(6 + over)), limits)
    assert [(row.code, row.path) for row in rows] == ([("LIMIT_EXCEEDED", "/elements/6")] if beyond else [])


@pytest.mark.parametrize(("over", "beyond"), [(-1, False), (0, False), (1, True)])
def test_texts_are_refused_only_beyond_their_limit_together(document: Make, over: int, *, beyond: bool) -> None:
    ends = {"from": {"elementId": "a", "label": "12"}, "to": {"elementId": "b", "label": "3"}}
    nodes = [{"id": name, "kind": "node", "label": "x" * (5 + over * (name == "b"))} for name in "ab"]
    texts = [{"id": "t", "kind": "text", "content": "12345"}, {"id": "e", "kind": "edge", "label": "12", **ends}]
    rows = validate(document(*nodes, *texts), Limits(text_length=20))
    assert [(row.code, row.path) for row in rows] == ([("LIMIT_EXCEEDED", "/elements")] if beyond else [])


@pytest.mark.parametrize(
    ("member", "low", "high"),
    [
        ("layout.x", -1e6, 1e6),
        ("layout.width", 0, 1e5),
        ("style.strokeWidth", 0, 100),
        ("style.fontSize", 1, 512),
        ("style.opacity", 0, 1),
        ("style.fontWeight", 1, 1000),
        ("zIndex", -1e6, 1e6),
    ],
)
def test_numbers_are_refused_only_beyond_their_range(document: Make, member: str, low: float, high: float) -> None:
    outer, _, inner = member.partition(".")

    def found(value: float) -> list[str]:
        node: Json = A | {outer: {inner: value} if inner else value}
        if inner == "x":
            node["layout"]["y"] = 0
        return codes(validate(document(node)))

    assert found(low) == found(high) == found((low + high) / 2 // 1) == []
    assert found(low - 1) == found(high + 1) == ["OUT_OF_RANGE"]


def test_the_documented_limits_are_the_defaults() -> None:
    limits = Limits()
    assert (limits.elements, limits.operations, limits.label_length, limits.title_length) == (5000, 1000, 2000, 500)
    assert (limits.coordinate, limits.size, limits.stroke_width, limits.font_size) == (1_000_000, 100_000, 100, 512)
    assert (limits.nesting, limits.image_bytes, limits.image_pixels) == (64, 512 * 1024, 16_000_000)
    assert limits.text_length == 400_000


@pytest.mark.parametrize(("count", "beyond"), [(4999, False), (5000, False), (5001, True)])
def test_five_thousand_elements_are_read_and_one_more_is_refused(document: Make, count: int, *, beyond: bool) -> None:
    rows = validate(document(*[{"id": f"n{n}", "kind": "node"} for n in range(count)]))
    assert codes(rows) == (["LIMIT_EXCEEDED"] if beyond else [])
