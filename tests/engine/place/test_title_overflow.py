"""Titles that do not fit into their frames are reported as labels of nodes are (R-FRAME-3)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.place.conftest import Place

LONG = "A title with far more words than this small frame could ever hold"
CHILD = {"id": "a", "kind": "node", "label": "A"}


def titled(title: str, width: float | None = None, height: float | None = None, **members: Any) -> dict[str, Any]:
    sides = {"width": width, "height": height}
    layout = {"mode": "absolute", "x": 10, "y": 10} | {name: side for name, side in sides.items() if side is not None}
    row = {"id": "f", "kind": "frame", "title": title, "children": ["a"], **members}
    return row if width is None is height else row | {"layout": layout}


@pytest.mark.parametrize("size", [(100, 50), (60, 60)])
@pytest.mark.parametrize("title", ["Kubernetes cluster in the north", "x" * 160])
def test_a_title_that_leaves_its_frame_is_reported_with_both_heights(
    placed: Place, title: str, size: tuple[int, int]
) -> None:
    found = placed(CHILD, titled(title, *size))
    row, label = found.said("TEXT_OVERFLOW"), found.sizes["f"].label
    assert label is not None
    assert (row.element_id, row.severity) == ("f", "warning")
    assert row.data is not None
    assert set(row.data) == {"requiredHeight", "availableHeight"}
    assert row.data["requiredHeight"] == round(label.height, 2) > row.data["availableHeight"]
    assert row.data["availableHeight"] < size[1]


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_a_title_longer_than_the_header_of_its_pool_is_reported(placed: Place, direction: str) -> None:
    found = placed(CHILD, titled(LONG, 200, 120, containerType="pool", laneDirection=direction))
    assert found.said("TEXT_OVERFLOW").element_id == "f"
    short = placed(CHILD, titled("Shop", 200, 120, containerType="pool", laneDirection=direction))
    assert "TEXT_OVERFLOW" not in short.codes


def test_a_title_higher_than_its_lane_is_reported(placed: Place) -> None:
    pool = {"id": "p", "kind": "frame", "containerType": "pool", "laneDirection": "vertical", "children": ["f"]}
    found = placed(CHILD, titled("Customer service for returns", 60, 50, containerType="lane"), pool)
    assert found.placement.parts["f"]["title"].height > found.box("f").height
    assert found.said("TEXT_OVERFLOW").element_id == "f"


def test_the_title_of_a_frame_that_is_not_seen_is_not_reported(placed: Place) -> None:
    assert "TEXT_OVERFLOW" not in placed(CHILD, titled(LONG, 60, 60, visible=False)).codes


@pytest.mark.parametrize("height", [32, 60])
def test_a_title_in_one_line_fits_into_a_low_frame(placed: Place, height: int) -> None:
    assert "TEXT_OVERFLOW" not in placed(CHILD, titled("Cluster", 200, height)).codes


@settings(deadline=None, max_examples=40)
@given(title=st.text("Wil mn", max_size=120))
def test_a_frame_of_free_size_always_holds_its_title(placed: Place, title: str) -> None:
    assert "TEXT_OVERFLOW" not in placed(CHILD, titled(title)).codes
