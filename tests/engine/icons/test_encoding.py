"""What is packed comes out again, rounded to the grid."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.drawing import GradientStop, LinearGradient, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Quadratic
from scenograph.engine.geometry.paths import Path as Outline
from scenograph.engine.icons.icon import GRID, IconLayer, read_path, read_record, step_of, write_path, write_record
from scenograph.engine.icons.registry import BLOCK, PackEntry, open_pack, write_pack
from scenograph.scene.model import Color

VIEW_BOX = Box(0, 0, 24, 18)
STEP = step_of(VIEW_BOX)
points = st.builds(Point, *[st.integers(-GRID, 2 * GRID).map(lambda n: n * STEP)] * 2)
drawn = st.one_of(
    st.builds(Line, points), st.builds(Quadratic, points, points), st.builds(Cubic, points, points, points)
)
subpaths = st.builds(
    lambda start, segments, closed: (Move(start), *segments, *((Close(),) if closed else ())),
    points,
    st.lists(drawn, min_size=1, max_size=6),
    st.booleans(),
)
paths = st.lists(subpaths, min_size=1, max_size=3).map(lambda parts: tuple(s for part in parts for s in part))
channels = st.integers(0, 255)
colors = st.builds(Color, channels, channels, channels, channels.map(lambda n: n / 255))
stops = st.lists(st.builds(GradientStop, st.integers(0, 1000).map(lambda n: n / 1000), colors), min_size=2).map(tuple)
paints = st.one_of(
    st.just("current"),
    colors,
    st.builds(LinearGradient, points, points, stops),
    st.builds(RadialGradient, points, points, points, stops),
)
layers = st.builds(
    IconLayer,
    path=paths,
    fill=st.none() | paints,
    stroke=paints,
    stroke_width=st.integers(1, 5000).map(lambda n: n * STEP),
    cap=st.sampled_from(["butt", "round", "square"]),
    round_joins=st.booleans(),
    fill_rule=st.sampled_from(["nonzero", "evenodd"]),
)


@settings(deadline=None)
@given(paths)
def test_a_path_on_the_grid_comes_out_as_it_went_in(path: Outline) -> None:
    assert read_path(write_path(path, STEP), STEP) == path


@settings(deadline=None)
@given(st.lists(st.builds(Point, st.floats(-10, 40), st.floats(-10, 40)), min_size=1, max_size=200))
def test_rounding_never_adds_up(corners: list[Point]) -> None:
    path = (Move(corners[0]), *map(Line, corners[1:]))
    for segment, corner in zip(read_path(write_path(path, STEP), STEP), corners, strict=True):
        assert not isinstance(segment, Close)
        assert segment.to == pytest.approx(corner, abs=0.51 * STEP)


@settings(deadline=None)
@given(st.lists(layers, min_size=1, max_size=3))
def test_layers_come_out_as_they_went_in(rows: list[IconLayer]) -> None:
    assert read_record(write_record(VIEW_BOX, rows)) == (VIEW_BOX, tuple(rows))


def test_a_pack_gives_every_icon_back(tmp_path: Path) -> None:
    def drawing(number: int) -> tuple[IconLayer, ...]:
        return (
            IconLayer(path=(Move(Point(0, 0)), Line(Point(number * STEP, 0))), stroke="current", stroke_width=STEP),
        )

    names = [f"icon-{number}" for number in range(2 * BLOCK + 3)]
    entries = [PackEntry(name, f"kind-{i % 3}", f"word-{i}", VIEW_BOX, drawing(i)) for i, name in enumerate(names)]
    file = tmp_path / "set.icons"
    assert write_pack(file, entries[::-1], {"other": "icon-5"}) == file.stat().st_size
    pack = open_pack(file)
    assert list(pack.order) == sorted(names)
    assert pack.aliases == {"other": "icon-5"}
    for i, name in enumerate(names):
        assert pack.category(name) == f"kind-{i % 3}"
        assert pack.words[pack.order[name]] == f"word-{i}"
        assert pack.drawing(name) == (VIEW_BOX, drawing(i))


def test_packing_the_same_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    row = PackEntry("a", "b", "c", VIEW_BOX, (IconLayer(path=(Move(Point(1, 2)), Line(Point(3, 4))), fill="current"),))
    for name in ("one", "two"):
        write_pack(tmp_path / name, [row], {"z": "a", "y": "a"})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
