"""What is in the packs: finite, inside the view box, typed through and through, in the colours of their owners."""

import math
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from scenograph.engine import icons
from scenograph.engine.drawing import LinearGradient, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Quadratic, flatten
from scenograph.engine.icons import Icon, IconLayer, IconPaint
from scenograph.engine.icons.registry import PACKS, SETS
from scenograph.scene.model import Color

PREFIXES = [row.prefix for row in SETS]
CLOUDS = ["aws", "gcp", "azure"]
MAX_DATA = 2_500_000


@cache
def packed(prefix: str) -> Sequence[Icon]:
    found = [icons.find(row.key) for row in icons.search(f"{prefix}:")]
    assert None not in found
    return [icon for icon in found if icon]


def painted_box(layer: IconLayer) -> Box:
    points = list(chain.from_iterable(flatten(layer.path)))
    left, top = min(p.x for p in points), min(p.y for p in points)
    box = Box(left, top, max(p.x for p in points) - left, max(p.y for p in points) - top)
    return box.grown(layer.stroke_width / 2)


def numbers_of(paint: IconPaint | None) -> list[float]:
    match paint:
        case LinearGradient(start, end, stops):
            return [*start, *end, *(n for stop in stops for n in (stop.offset, *stop.color))]
        case RadialGradient(center, across, down, stops):
            return [*center, *across, *down, *(n for stop in stops for n in (stop.offset, *stop.color))]
        case Color():
            return list(paint)
        case _:
            assert paint in (None, "current")
            return []


@pytest.mark.parametrize("prefix", PREFIXES)
def test_every_icon_is_finite_and_lies_in_its_view_box(prefix: str) -> None:
    for icon in packed(prefix):
        assert icon.layers, icon.key
        around = icon.view_box.grown(0.03 * max(icon.view_box.width, icon.view_box.height))
        for layer in icon.layers:
            numbers = [n for segment in layer.path for point in segment for n in point]
            numbers += [layer.stroke_width, *numbers_of(layer.fill), *numbers_of(layer.stroke)]
            assert all(map(math.isfinite, numbers)), icon.key
            assert around.contains(painted_box(layer)), icon.key


@pytest.mark.parametrize("prefix", PREFIXES)
def test_an_icon_is_typed_data_and_nothing_else(prefix: str) -> None:
    for icon in packed(prefix):
        for layer in icon.layers:
            assert isinstance(layer.path[0], Move), icon.key
            assert {type(segment) for segment in layer.path} <= {Move, Line, Cubic, Quadratic, Close}
            assert layer.fill is not None or (layer.stroke is not None and layer.stroke_width > 0), icon.key
            assert layer.cap in ("butt", "round", "square")
            assert layer.fill_rule in ("nonzero", "evenodd")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_gradients_run_from_0_to_1_without_turning_back(prefix: str) -> None:
    for icon in packed(prefix):
        for layer in icon.layers:
            if isinstance(layer.fill, LinearGradient | RadialGradient):
                offsets = [stop.offset for stop in layer.fill.stops]
                assert len(offsets) >= 2
                assert offsets == sorted(offsets)
                assert 0 <= offsets[0] <= offsets[-1] <= 1


@pytest.mark.parametrize("prefix", CLOUDS)
def test_cloud_icons_keep_their_own_colours(prefix: str) -> None:
    for icon in packed(prefix):
        assert not icon.recolorable
        assert all("current" not in (layer.fill, layer.stroke) for layer in icon.layers), icon.key


def test_line_icons_take_the_colour_of_their_node() -> None:
    for icon in packed("lucide"):
        assert icon.recolorable
        assert {layer.stroke for layer in icon.layers} | {layer.fill for layer in icon.layers} <= {"current", None}


def test_a_brand_has_its_colour() -> None:
    icon = icons.find("simple:docker")
    assert icon is not None
    assert [layer.fill for layer in icon.layers] == [Color(0x24, 0x96, 0xED)]


def test_a_masked_icon_was_cut_when_it_was_packed() -> None:
    # Its one layer is the whole page, seen through the shape of a cloud.
    icon = icons.find("gcp:my-cloud")
    assert icon is not None
    (layer,) = icon.layers
    box = painted_box(layer)
    assert box.height < 0.6 * icon.view_box.height
    assert any(isinstance(segment, Cubic) for segment in layer.path)


def test_an_icon_fits_into_a_box_with_its_proportions_and_colours() -> None:
    icon = icons.find("azure:azure-cosmos-db")
    assert icon is not None
    box = Box(100, 200, 64, 32)
    room = icon.fitted(box)
    assert box.contains(room)
    assert room.height == pytest.approx(32)
    assert room.center == pytest.approx(box.center)
    items = icon.items(box, Color(1, 2, 3))
    assert len(items) == len(icon.layers)
    for item, layer in zip(items, icon.layers, strict=True):
        assert type(item.fill) is type(layer.fill)
        assert room.grown(1).contains(painted_box(IconLayer(path=item.path, stroke_width=item.stroke_width)))


def test_the_current_colour_becomes_the_nodes() -> None:
    icon = icons.find("lucide:database")
    assert icon is not None
    ink = Color(10, 20, 30)
    items = icon.items(Box(0, 0, 48, 48), ink)
    assert {item.stroke for item in items} == {ink}
    assert [item.stroke_width for item in items] == pytest.approx([4.0] * len(items))
    assert all(item.round_joins and item.cap == "round" for item in items)


def test_a_radial_gradient_goes_along_when_an_icon_is_placed() -> None:
    icon = next(i for i in packed("azure") if any(isinstance(layer.fill, RadialGradient) for layer in i.layers))
    index = next(n for n, layer in enumerate(icon.layers) if isinstance(layer.fill, RadialGradient))
    before = icon.layers[index].fill
    after = icon.items(Box(10, 20, 2 * icon.view_box.width, 2 * icon.view_box.height), Color(0, 0, 0))[index].fill
    assert isinstance(before, RadialGradient)
    assert isinstance(after, RadialGradient)
    assert after.across == pytest.approx((2 * before.across.x, 2 * before.across.y))
    shifted = Point(10 + 2 * (before.center.x - icon.view_box.x), 20 + 2 * (before.center.y - icon.view_box.y))
    assert after.center == pytest.approx(shifted)


def test_the_packs_stay_small_and_no_markup_is_in_them() -> None:
    assert sum(file.stat().st_size for file in PACKS.glob("*.icons")) < MAX_DATA
    for prefix in PREFIXES:
        for icon in packed(prefix):
            assert re.fullmatch(r"[a-z0-9-]+", icon.category), icon.key
            assert re.fullmatch(r"[a-z0-9]+:[a-z0-9-]+", icon.key)


def test_the_notice_counts_what_is_packed() -> None:
    notice = (PACKS / "NOTICE.md").read_text("utf-8")
    counts = {name: int(count) for name, count in re.findall(r"`(\w+)\.icons` \| (\d+)", notice)}
    assert counts == {prefix: len(icons.search(f"{prefix}:")) for prefix in PREFIXES}
    for licence in re.findall(r"`(LICENSES?-[\w.-]+)`", notice):
        assert (PACKS / licence).is_file(), licence


SHOW = """
from scenograph.engine import icons
print(icons.find("azure:azure-cosmos-db"))
print([icons.nearest(key) for key in ("lucide:databse", "nosuch:queue", "aws:load-balanser")])
print(icons.search("database server"))
"""


def test_every_process_sees_the_same_icons_in_the_same_order() -> None:
    def shown(seed: str) -> str:
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(icons.__file__).parents[3])}
        return subprocess.run(
            [sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert shown("1") == shown("2")
