"""User interface flows: windows with a title, dialogs that differ, ways that differ. (R-UI-1, R-UI-3)"""

from __future__ import annotations

import pytest
from tests.builders import at
from tests.engine.families.conftest import edge, extent, node, plan

from scenograph.engine.colors import READABLE_CONTRAST, contrast, over
from scenograph.engine.themes import THEMES
from scenograph.scene.model import Color


@pytest.mark.parametrize("kind", ["screen", "modal"])
def test_the_first_line_is_the_title_in_a_bar_and_the_others_are_the_content(kind: str) -> None:
    found = plan("uiflow", node("s", f"uiflow.{kind}", "Log in\nE-mail\nPassword"))
    box, bar = found.box("s"), found.part("s", "bar")
    title, *content = found.runs("s")
    assert (bar.x, bar.y, bar.width) == (box.x, box.y, box.width)
    assert title.text == "Log in"
    assert title.font.weight >= 600
    assert bar.y < title.at.y < bar.bottom
    assert [run.text for run in content] == ["E-mail", "Password"]
    assert all(bar.bottom < run.at.y < box.bottom for run in content)
    assert all(box.x < run.at.x and run.at.x + run.width < box.right for run in found.runs("s"))


def test_a_screen_has_three_knobs_and_a_dialog_a_cross_at_the_other_end() -> None:
    found = plan("uiflow", node("s", "uiflow.screen", "Home"), node("m", "uiflow.modal", "Sure?"))
    knobs = [item for item in found.marks("s") if extent(item.path).width < 6]
    cross = [item for item in found.marks("m") if 0 < extent(item.path).width < 10]
    assert len(knobs) == 3
    assert max(extent(item.path).right for item in knobs) < found.box("s").center.x
    assert len(cross) == 2
    assert min(extent(item.path).x for item in cross) > found.box("m").center.x


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("fill", [None, "#b91c1c", "#fde68a", "#0f172a"])
def test_titles_can_be_read_on_their_bars(theme: str, fill: str | None) -> None:
    style = {} if fill is None else {"style": {"fill": fill}}
    found = plan("uiflow", node("m", "uiflow.modal", "Sure?", **style), theme=theme)
    band = next(item for item in found.marks("m")[1:] if isinstance(item.fill, Color))
    (title,) = found.runs("m")
    assert isinstance(band.fill, Color)
    assert contrast(over(title.color, band.fill), band.fill) >= READABLE_CONTRAST


def test_a_narrow_window_gives_its_knobs_for_the_title() -> None:
    layout = at(0, 0, width=120, height=100)
    found = plan("uiflow", node("s", "uiflow.screen", "A rather long title", layout=layout))
    assert "marks" not in found.laid_out.placement.parts["s"]
    assert "TEXT_OVERFLOW" not in found.codes


def test_a_window_that_is_too_low_says_so() -> None:
    layout = at(0, 0, width=160, height=50)
    found = plan("uiflow", node("s", "uiflow.screen", "Title\nOne\nTwo\nThree", layout=layout))
    assert "TEXT_OVERFLOW" in found.codes


def test_an_icon_stands_in_the_window_below_the_bar() -> None:
    found = plan("uiflow", node("s", "uiflow.screen", "Help\nAsk us", icon="lucide:life-buoy"))
    icon = found.part("s", "icon")
    assert found.part("s", "bar").bottom <= icon.y
    assert icon.bottom <= found.part("s", "content").y


def test_another_shape_holds_the_whole_label() -> None:
    found = plan("uiflow", node("s", "uiflow.screen", "Home\nFeed", shape="ellipse"))
    assert "bar" not in found.laid_out.placement.parts["s"]
    assert [run.text for run in found.runs("s")] == ["Home", "Feed"]


def test_entry_and_exit_are_circles_with_their_label_below_the_entry_filled() -> None:
    found = plan("uiflow", node("in", "uiflow.entry", "Launch"), node("out", "uiflow.exit", "Done"))
    assert found.outline("in").fill == found.outline("in").stroke
    assert found.outline("out").fill != found.outline("out").stroke
    for name in ("in", "out"):
        assert found.box(name).width == found.box(name).height
        assert found.part(name, "label").y >= found.box(name).bottom


def test_the_three_ways_between_screens_can_be_told_apart() -> None:
    pair = (node("a", "uiflow.screen", "A"), node("b", "uiflow.screen", "B"))
    found = [
        plan("uiflow", *pair, edge("a>b", f"uiflow.{name}")).paths("a>b") for name in ("navigate", "back", "action")
    ]
    assert len({line.dash for line, _ in found}) == 3
    assert [head.fill is not None for _, head in found] == [True, True, False]


def test_a_way_back_leads_to_what_stands_before() -> None:
    screens = [node(name, "uiflow.screen", name) for name in "abc"]
    ways = [edge("a>b", "uiflow.navigate"), edge("b>c", "uiflow.navigate"), edge("c>a", "uiflow.back")]
    found = plan("uiflow", *screens, *ways[::-1])
    assert found.box("a").x < found.box("b").x < found.box("c").x


def test_a_long_flow_runs_down_the_page() -> None:
    screens = [node(f"s{i}", "uiflow.screen", f"s{i}") for i in range(12)]
    ways = [edge(f"s{i}>s{i + 1}", "uiflow.navigate") for i in range(11)]
    found = plan("uiflow", *screens, *ways)
    assert found.box("s0").bottom < found.box("s1").y


def test_two_lines_that_are_one_phrase_are_both_title() -> None:
    found = plan("uiflow", node("a", "uiflow.screen", "Sign in or\nguest checkout"))
    bar = found.part("a", "bar")
    assert [run.text for run in found.runs("a")] == ["Sign in or", "guest checkout"]
    assert all(
        run.font.weight >= 600 and bar.y < found_y < bar.bottom for run in found.runs("a") if (found_y := run.at.y)
    )
    for label in ("Home\nfeed, tabs", "Home\nFeed", "Home\nfeed\nsearch"):
        other = plan("uiflow", node("a", "uiflow.screen", label))
        title, *content = other.runs("a")
        assert title.text == "Home"
        assert content
        assert all(run.font.weight <= 400 for run in content)


@pytest.mark.parametrize(("name", "is_high"), [("phone", True), ("tablet", False)])
def test_a_device_has_a_speaker_above_its_title_and_a_line_at_its_foot(name: str, is_high: bool) -> None:
    found = plan("uiflow", node("n", f"uiflow.{name}", "Sign in\nEmail"))
    box, title, content = found.box("n"), found.part("n", "title"), found.part("n", "content")
    assert (box.height > box.width) is is_high
    marks = [extent(item.path) for item in found.paths("n")]
    speaker = next(mark for mark in marks if mark.width < 30 and mark.height < 5)
    foot = next(mark for mark in marks if mark.height == 0 and mark.y > content.bottom)
    assert speaker.bottom <= title.y
    assert foot.y < box.bottom
    assert abs(speaker.center.x - box.center.x) < 1
    assert box.contains(content)


@pytest.mark.parametrize("name", ["phone", "tablet"])
def test_a_device_too_small_for_its_text_says_so(name: str) -> None:
    found = plan("uiflow", node("n", f"uiflow.{name}", "Sign in\nEmail", layout=at(0, 0, width=100, height=30)))
    assert "TEXT_OVERFLOW" in found.codes
