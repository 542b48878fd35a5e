"""Paint that an element remembers: given again for all that it follows from, and made anew for anything else."""

from __future__ import annotations

import pytest

from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import DrawnGroup
from scenograph.engine.families.sequence.chart import BAR, TAIL
from scenograph.engine.families.sequence.timeline import TAB
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Line, Move, Path
from scenograph.engine.tables import LaidOutScene
from scenograph.late_dataclasses import replace
from scenograph.scene.memo import kept
from scenograph.scene.model import Color, Frame

NIGHT, GLASS = Color(15, 23, 42), Color(240, 230, 255, 0.5)


def remembering(laid_out: LaidOutScene) -> LaidOutScene:
    elements = tuple(kept(replace(element)) for element in laid_out.scene.elements)
    return replace(laid_out, scene=replace(laid_out.scene, elements=elements))


def forgetful(laid_out: LaidOutScene) -> LaidOutScene:
    elements = tuple(map(replace, laid_out.scene.elements))
    return replace(laid_out, scene=replace(laid_out.scene, elements=elements))


def painted(laid_out: LaidOutScene) -> tuple[DrawnGroup, ...]:
    return draw(laid_out).groups


def forms(groups: tuple[DrawnGroup, ...]) -> str:
    """What tells commands apart that lead to one point, which are equal."""
    return repr(groups)


def assert_both_are_painted_as_if_anew(one: LaidOutScene, other: LaidOutScene) -> None:
    """Two scenes of the same elements, each painted after the other, and again."""
    alone = [forms(painted(forgetful(each))) for each in (one, other)]
    assert alone[0] != alone[1], "what differs is seen"
    for first, second in ((one, other), (other, one)):
        groups = painted(first)
        assert all(again is before for again, before in zip(painted(first), groups, strict=True)), "it is remembered"
        assert [forms(painted(second)), forms(painted(first))] == (alone[::-1] if first is one else alone)


@pytest.fixture
def lifeline(bench) -> LaidOutScene:
    """A lifeline with a tail and a translucent bar on it."""
    bench.node("a", Box(0, 0, 100, 40), "Alpha", kind="sequence.lifeline", fill=GLASS)
    bench.parts["a"] |= {TAIL: Box(50, 40, 0, 200), f"{BAR}0": Box(45, 60, 10, 80)}
    return remembering(bench.laid_out(diagram_family="sequence"))


@pytest.fixture
def fragment(bench) -> LaidOutScene:
    """A translucent fragment with the tab of its operator."""
    bench.frame("f", Box(0, 0, 200, 100), "loop", fill=GLASS)
    bench.elements[0] = Frame(id="f", kind="frame", title="loop", container_type="fragment")
    bench.parts["f"] = {TAB: Box(0, 0, 50, 20)}
    return remembering(bench.laid_out(diagram_family="sequence"))


@pytest.mark.parametrize("box", ["lifeline", "fragment"])
def test_a_box_is_not_shown_as_it_was_on_a_page_of_another_colour(box: str, request: pytest.FixtureRequest) -> None:
    by_day: LaidOutScene = request.getfixturevalue(box)
    assert_both_are_painted_as_if_anew(by_day, replace(by_day, styles=replace(by_day.styles, background=NIGHT)))


def test_a_node_is_not_shown_as_it_was_in_a_diagram_of_another_family(lifeline: LaidOutScene) -> None:
    elsewhere = replace(lifeline, scene=replace(lifeline.scene, diagram_family="architecture"))
    assert_both_are_painted_as_if_anew(lifeline, elsewhere)


def test_a_line_with_a_gap_is_not_shown_as_the_one_that_runs_through_the_same_points(bench) -> None:
    through = remembering(bench.edge("e", [(0, 50), (250, 50)]).laid_out())
    start, *inner, end = (Point(x, 50) for x in (0, 100, 150, 250))
    unbroken: Path = (Move(start), *map(Line, inner), Line(end))
    with_a_gap: Path = (Move(start), Line(inner[0]), Move(inner[1]), Line(end))

    def drawn_by(line: Path) -> LaidOutScene:
        return replace(through, routes={"e": through.routes["e"]._replace(line=line)})

    assert_both_are_painted_as_if_anew(drawn_by(unbroken), drawn_by(with_a_gap))
