"""Organization charts: cards, tidy trees, dotted lines apart. (R-ORG-1, R-ORG-2, R-ORG-3)"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import at
from tests.engine.families.conftest import Plan, edge, extent, node, plan

from scenograph.engine.geometry.boxes import Box

Json = dict[str, Any]

SHARP = 0.5  # a line stands on whole pixels: so far from the middle of an outline, px


def person(id_: str, label: str | None = None, kind: str = "person", **members: Any) -> Json:
    return node(id_, f"org.{kind}", label or f"{id_.upper()}\nEngineer", **members)


def staff(lines: str, *, upwards: bool = False, dotted: str = "", **outer: Any) -> Plan:
    """`a>b a>c`: who leads whom; `upwards` writes the same as reports."""
    pairs = [line.split(">") for line in lines.split()]
    names = list(dict.fromkeys(name for line in (*lines.split(), *dotted.split()) for name in line.split(">")))
    rows = [edge(">".join(reversed(pair) if upwards else pair), "org.reportsTo") for pair in pairs]
    rows += [edge(line, "org.dottedLine") for line in dotted.split()]
    return plan("orgchart", *map(person, names), *rows, **outer)


@pytest.mark.parametrize("kind", ["person", "vacant", "department"])
def test_the_first_line_is_bold_and_the_others_are_smaller_and_muted(kind: str) -> None:
    found = plan("orgchart", person("a", "Ada Marchetti\nChief Executive\nZurich", kind))
    name, *role = found.runs("a")
    assert name.text == "Ada Marchetti"
    assert name.font.weight >= 600
    assert name.color == found.style("a").text_color
    assert [run.text for run in role] == ["Chief Executive", "Zurich"]
    assert all(run.font.weight <= 400 and run.font.size < name.font.size for run in role)
    assert {run.color for run in role} == {found.style("a").muted_color}
    assert len({run.at.x for run in (name, *role)}) == 1


def test_all_writing_lies_within_the_card_clear_of_the_stripe() -> None:
    found = plan(
        "orgchart", person("a", "A name that is long enough to be wrapped\nAnd a role that is even longer than it")
    )
    stripe = extent(found.marks("a")[1].path)
    for run in found.runs("a"):
        assert run.at.x > stripe.right
        assert run.at.x + run.width < found.box("a").right


def test_the_stripe_has_the_accent_that_the_author_or_the_theme_gives() -> None:
    found = plan("orgchart", person("a", style={"accentColor": "#0f766e"}), person("b"))
    own, theirs = found.marks("a")[1], found.marks("b")[1]
    assert own.fill == found.style("a").accent_color
    assert own.fill != theirs.fill
    assert theirs.fill == found.style("b").accent_color
    box, stripe = found.box("a"), extent(own.path)
    assert stripe.x == pytest.approx(box.x, abs=1)
    assert stripe.height >= box.height - 2 * found.style("a").corner_radius
    assert stripe.width < 10


def test_a_vacancy_is_dashed_and_a_person_is_not() -> None:
    found = plan("orgchart", person("a"), person("b", kind="vacant"))
    assert found.outline("a").dash == ()
    assert found.outline("b").dash


def test_a_portrait_stands_between_stripe_and_name() -> None:
    found = plan("orgchart", person("a", icon="lucide:user"))
    portrait, name = found.part("a", "icon"), found.part("a", "name")
    assert portrait.right < name.x
    assert found.box("a").contains(portrait)


def test_a_card_that_is_too_small_says_so() -> None:
    found = plan("orgchart", person("a", "Ada\nOne\nTwo\nThree\nFour", layout=at(0, 0, width=100, height=40)))
    assert "TEXT_OVERFLOW" in found.codes


@pytest.mark.parametrize("upwards", [False, True])
def test_managers_stand_above_whichever_way_the_lines_are_written(upwards: bool) -> None:
    found = staff("a>b a>c b>d b>e", upwards=upwards)
    assert found.box("a").bottom < found.box("b").y == found.box("c").y < found.box("d").y


def test_lines_that_lead_up_are_drawn_like_lines_that_lead_down_and_keep_their_ends() -> None:
    down, up = staff("a>b a>c b>d b>e"), staff("a>b a>c b>d b>e", upwards=True)
    assert up.route("b>a").points == down.route("a>b").points[::-1]
    assert up.route("e>b").points == down.route("b>e").points[::-1]


def test_in_a_chain_whoever_is_named_first_stands_above() -> None:
    rows = [person("boss"), person("clerk")]
    for line in ("clerk>boss", "boss>clerk"):
        found = plan("orgchart", *rows, edge(line, "org.reportsTo"))
        assert found.box("boss").bottom < found.box("clerk").y


def test_parents_stand_over_the_middle_of_their_children_which_stand_evenly() -> None:
    found = staff("a>b a>c a>d b>e b>f d>g d>h")
    for parent, children in {"a": "bcd", "b": "ef", "d": "gh"}.items():
        middles = [found.box(child).center.x for child in children]
        assert found.box(parent).center.x == pytest.approx((middles[0] + middles[-1]) / 2, abs=1)
    leaves = [found.box(leaf) for leaf in "efgh"]
    assert len({round(b.x - a.right) for a, b in pairwise(leaves[:2])}) == 1
    assert leaves[1].x - leaves[0].right == pytest.approx(leaves[3].x - leaves[2].right)


def test_one_trunk_leaves_a_manager_and_one_bus_runs_above_the_reports() -> None:
    found = staff("a>b a>c a>d a>e c>f c>g")
    middle = found.box("a").center.x
    starts = {found.route(f"a>{name}").points[0] for name in "bcde"}
    (start,) = starts
    assert start == pytest.approx((middle, found.box("a").bottom), abs=SHARP)
    (level,) = {found.route(f"a>{name}").points[1].y for name in "bcde"}
    assert level == pytest.approx((found.box("a").bottom + found.box("b").y) / 2, abs=SHARP)
    for name in "bcde":
        end = found.box(name).center.x, found.box(name).y
        assert found.route(f"a>{name}").points[-1] == pytest.approx(end, abs=SHARP)


def test_cards_of_one_rank_begin_at_one_height_and_are_equally_wide() -> None:
    rows = (person("a"), person("b", "B\nOne"), person("c", "C\nOne\nTwo\nThree\nFour\nFive"), person("d", "D"))
    found = plan("orgchart", *rows, *(edge(f"a>{name}", "org.reportsTo") for name in "bcd"))
    assert len({found.box(name).y for name in "bcd"}) == 1
    assert len({found.box(name).width for name in "abcd"}) == 1
    assert found.box("c").height > found.box("b").height


def test_siblings_are_equally_wide_whatever_their_type_unless_a_width_is_given() -> None:
    labels = {"b": "Registry", "c": "Office of the Vice-Chancellor", "d": "IT"}
    units = [node(name, "service", label, shape="rect") for name, label in labels.items()]
    given = node("e", "service", "Press", layout={"mode": "auto", "width": 90})
    lines = [edge(f"a>{name}", "org.reportsTo") for name in "bcde"]
    found = plan("orgchart", person("a"), *units, given, *lines)
    assert found.box("b").width == found.box("c").width == found.box("d").width > found.box("e").width == 90
    for name in "bcd":
        (run, *_) = found.runs(name)
        assert run.at.x + run.width / 2 == pytest.approx(found.box(name).center.x, abs=1)


def test_a_wide_chart_is_folded_into_rows_round_a_trunk() -> None:
    groups = [f"g{i}" for i in range(14)]
    found = staff(" ".join([*(f"r>{g}" for g in groups), *(f"{g}>{g}-{i}" for g in groups for i in range(3))]))
    tops = {found.box(group).y for group in groups}
    assert len(tops) > 1
    trunk = found.box("r").center.x
    for group in groups:
        points, box = found.route(f"r>{group}").points, found.box(group)
        assert points[0] == pytest.approx((trunk, found.box("r").bottom), abs=SHARP)
        assert points[-1] == pytest.approx((box.center.x, box.y), abs=SHARP)
        assert len(points) <= 4
    left = [box for box in map(found.box, groups) if box.right < trunk]
    assert 0.3 < len(left) / len(groups) < 0.7
    crossed = [box for box in found.laid_out.placement.boxes.values() if box.x < trunk < box.right]
    assert [box for box in crossed if box.y < max(tops)] == [found.box("r")]


def test_reports_one_below_the_other_hang_on_a_rail_beside_them() -> None:
    groups = [f"g{i}" for i in range(14)]
    found = staff(" ".join([*(f"r>{g}" for g in groups), *(f"{g}>{g}-{i}" for g in groups for i in range(3))]))
    for group in groups:
        boxes = [found.box(f"{group}-{i}") for i in range(3)]
        assert len({box.x for box in boxes}) == 1
        assert all(one.bottom < other.y for one, other in pairwise(boxes))
        routes = [found.route(f"{group}>{group}-{i}").points for i in range(3)]
        (rail,) = {points[0].x for points in routes}
        assert found.box(group).x < rail < boxes[0].x
        for points, box in zip(routes, boxes, strict=True):
            assert points[-1] == pytest.approx((box.x, box.center.y), abs=SHARP)


def test_a_chart_that_runs_sideways_lists_its_leaves_one_below_the_other() -> None:
    lines = " ".join([*(f"r>m{i}" for i in range(4)), *(f"m{i}>w{i}{j}" for i in range(4) for j in range(3))])
    found = staff(lines, layoutStrategy={"algorithm": "hierarchical", "direction": "LR"})
    assert len({found.box(f"w{i}{j}").x for i in range(4) for j in range(3)}) == 1
    points = found.route("m0>w00").points
    assert points[0] == pytest.approx((found.box("m0").right, found.box("m0").center.y), abs=SHARP)
    assert points[-1] == pytest.approx((found.box("w00").x, found.box("w00").center.y), abs=SHARP)


def test_reports_keep_their_order_whoever_leads_others() -> None:
    downwards = {"algorithm": "hierarchical", "direction": "TB"}
    found = staff("a>b a>c a>d a>e c>f c>g c>h e>i e>j e>k e>l e>m", layoutStrategy=downwards)
    middles = [found.box(name).center.x for name in "bcde"]
    assert middles == sorted(middles)
    assert len({found.box(name).y for name in "bcde"}) == 1


@pytest.mark.parametrize("algorithm", ["hierarchical", "flow"])
def test_both_layered_algorithms_put_a_manager_in_the_middle(algorithm: str) -> None:
    strategy = {"algorithm": algorithm, "direction": "TB"}
    found = staff("a>b a>c b>d b>e b>f c>g", layoutStrategy=strategy)
    assert found.box("b").center.x == pytest.approx(found.box("e").center.x)
    assert found.box("a").center.x == pytest.approx((found.box("b").center.x + found.box("c").center.x) / 2)


def test_a_bus_stays_outside_the_container_of_a_report() -> None:
    squad = {"id": "f", "kind": "frame", "title": "Squad", "children": ["b", "d", "e"]}
    rows = [edge(line, "org.reportsTo") for line in ("a>b", "a>c", "b>d", "b>e")]
    found = plan("orgchart", *map(person, "abcde"), squad, *rows)
    (level,) = {found.route(line).points[1].y for line in ("a>b", "a>c")}
    assert found.box("a").bottom < level < found.box("f").y


@pytest.mark.parametrize("x", [-99, -60, -30, 30, 75, 99])
def test_the_line_to_an_only_report_is_straight_wherever_the_report_reaches_so_far(x: int) -> None:
    rows = [
        person(name, layout=at(*place, width=200, height=60))
        for name, place in (("a", (200, 0)), ("b", (200 + x, 200)))
    ]
    found = plan("orgchart", *rows, edge("a>b", "org.reportsTo"))
    head = found.box("a")
    first, last = found.route("a>b").points
    assert first.x == last.x == pytest.approx(head.center.x, abs=SHARP)


def test_a_line_whose_way_is_barred_finds_another() -> None:
    placed = {"a": (0, 0), "c": (200, 300), "wall": (60, 120)}
    rows = [person(name, layout=at(x, y, width=160, height=60)) for name, (x, y) in placed.items()]
    barred = plan("orgchart", *rows, edge("a>c", "org.reportsTo"))
    wall = barred.box("wall").grown(-1)
    for one, other in pairwise(barred.route("a>c").points):
        low, high = (min(one.x, other.x), min(one.y, other.y)), (max(one.x, other.x), max(one.y, other.y))
        assert high[0] < wall.x or low[0] > wall.right or high[1] < wall.y or low[1] > wall.bottom


def test_a_dotted_line_moves_nobody_and_stays_off_the_trunks() -> None:
    lines = "a>b a>c b>d b>e c>f"
    plain, dotted = staff(lines), staff(lines, dotted="d>c f>b e>a")
    assert dotted.laid_out.placement.boxes == plain.laid_out.placement.boxes
    assert all(dotted.paths(line)[0].dash for line in ("d>c", "f>b", "e>a"))
    solid = [segment for line in lines.split() for segment in pairwise(dotted.route(line).points)]
    for line in ("d>c", "f>b", "e>a"):
        for one in pairwise(dotted.route(line).points):
            assert not any(_lie_on_each_other(one, other) for other in solid), line


def test_somebody_tied_by_a_dotted_line_alone_stands_by_their_only_contact() -> None:
    found = staff("a>b a>c", dotted="b>z")
    assert found.box("z").y > found.box("b").y


def test_several_heads_circles_and_loners_are_laid_out_without_overlap() -> None:
    found = staff("a>b b>c c>b d>e d>f x>x")
    boxes = list(found.laid_out.placement.boxes.values())
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=40), st.sampled_from(["TB", "BT", "LR", "RL"]))
def test_no_tree_overlaps_and_every_report_stands_beyond_its_manager(parents: list[int], direction: str) -> None:
    lines = " ".join(f"p{pick % (child + 1)}>p{child + 1}" for child, pick in enumerate(parents))
    found = staff(lines, layoutStrategy={"algorithm": "hierarchical", "direction": direction})
    boxes = list(found.laid_out.placement.boxes.values())
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    for line in lines.split():
        above, below = (found.box(name) for name in line.split(">"))
        assert _beyond(above, below, direction)


def test_three_hundred_people_stand_without_overlap() -> None:
    lines = " ".join(f"p{(child - 1) // 5}>p{child}" for child in range(1, 300))
    found = staff(lines)
    boxes = sorted(found.laid_out.placement.boxes.values(), key=lambda box: box.y)
    assert len(boxes) == 300
    for number, one in enumerate(boxes):
        near = (other for other in boxes[number + 1 :] if other.y < one.bottom)
        assert not any(one.overlaps(other) for other in near)


def _beyond(above: Box, below: Box, direction: str) -> bool:
    return {
        "TB": below.center.y > above.center.y,
        "BT": below.center.y < above.center.y,
        "LR": below.center.x > above.center.x,
        "RL": below.center.x < above.center.x,
    }[direction]


def _lie_on_each_other(one: Any, other: Any) -> bool:
    (a, b), (c, d) = one, other
    for axis, across in ((0, 1), (1, 0)):
        level = a[across] == b[across] == c[across] == d[across]
        begin, end = (
            max(min(a[axis], b[axis]), min(c[axis], d[axis])),
            min(max(a[axis], b[axis]), max(c[axis], d[axis])),
        )
        if level and end - begin > 1:
            return True
    return False


def test_a_chart_too_wide_for_its_page_is_folded_and_not_turned() -> None:
    chart = "m>a m>b m>c m>d a>e a>f a>g e>h e>i e>j e>k f>l f>n g>o g>p b>q b>r b>s c>t c>u t>v t>w t>x d>y d>z d>aa"
    found = staff(chart)
    for line in chart.split():
        manager, report = line.split(">")
        assert found.box(manager).bottom < found.box(report).y


def test_the_bus_of_a_row_below_another_stays_within_thirty_six_px_of_it() -> None:
    cards = {"boss": (300, 0), "a": (100, 200), "b": (500, 200), "c": (50, 400), "d": (550, 400)}
    people = [node(name, "org.person", layout=at(x, y, width=120, height=60)) for name, (x, y) in cards.items()]
    found = plan("orgchart", *people, *(edge(f"boss>{name}", "org.reportsTo") for name in "abcd"))
    buses = {name: found.route(f"boss>{name}").points[1].y for name in "abcd"}
    assert buses == pytest.approx({"a": 130, "b": 130, "c": 364, "d": 364}, abs=1)
