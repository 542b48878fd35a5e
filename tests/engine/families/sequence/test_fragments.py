"""Combined fragments round their messages. (R-SEQ-11)"""

from __future__ import annotations

import pytest
from tests.engine.families.sequence.conftest import Chart, chart, drawn, fragment, lifeline, message, note

LINES = lifeline("a"), lifeline("b"), lifeline("c")
MESSAGES = tuple(message(f"m{i}", ends, f"call {i}") for i, ends in enumerate(("a>b", "b>c", "b>a", "a>b")))


def rows_inside(found: Chart, frame: str, *messages: str) -> bool:
    box = found.box(frame)
    return all(box.contains(found.label(id_)) and box.y < found.y(id_) < box.bottom for id_ in messages)


def test_fragments_whose_sides_nearly_agree_agree() -> None:
    rows = [
        *map(lifeline, "ab"),
        message("m", "a>b"),
        message("n", "a>b"),
        message("o", "b>b", "something to think of"),
    ]
    parts = fragment("f", "opt", ("x", ["m"])), fragment("g", "loop", ("y", ["n", "o"]))
    found = chart(*rows, *parts)
    assert found.box("f").x == found.box("g").x
    assert found.box("f").right < found.box("g").right - 16


def test_a_fragment_is_drawn_round_its_messages_and_no_others() -> None:
    found = chart(*LINES, *MESSAGES, fragment("f", "opt", ("if", ["m1", "m2"])))
    assert rows_inside(found, "f", "m1", "m2")
    box = found.box("f")
    assert found.y("m0") < box.y
    assert box.bottom < found.label("m3").y
    assert box.x < found.x("a")
    assert found.x("c") < box.right


def test_a_fragment_reaches_only_as_far_as_its_messages() -> None:
    found = chart(*LINES, *MESSAGES, fragment("f", "opt", ("if", ["m1"])))
    assert found.x("a") < found.box("f").x < found.x("b")


def test_the_operator_stands_in_a_tab_and_guards_in_brackets() -> None:
    rows = *LINES, *MESSAGES, fragment("f", "alt", ("yes", ["m1"]), ("[no]", ["m2"]))
    assert drawn(*rows).texts("f") == ["alt", "[yes]", "[no]"]
    found = chart(*rows)
    assert found.part("f", "tab")[:2] == found.box("f")[:2]
    assert found.part("f", "tab").contains(found.part("f", "operator"))


def test_a_dashed_line_parts_the_operands() -> None:
    rows = *LINES, *MESSAGES, fragment("f", "alt", ("yes", ["m1"]), ("no", ["m2", "m3"]))
    found = chart(*rows)
    line = found.part("f", "separator:1")
    assert found.y("m1") < line.y < found.part("f", "guard:1").y
    assert found.part("f", "guard:1").bottom <= found.label("m2").y
    assert (line.x, line.right) == (found.box("f").x, found.box("f").right)
    assert any(path.get("stroke-dasharray") for path in drawn(*rows).paths("f"))


def test_an_operand_without_messages_has_room_of_its_own() -> None:
    found = chart(*LINES, *MESSAGES, fragment("f", "alt", ("a", ["m1"]), ("b", []), ("c", ["m2"]), ("d", [])))
    lines = [found.part("f", f"separator:{k}").y for k in (1, 2, 3)]
    assert found.y("m1") < lines[0] < lines[1] < found.y("m2") < lines[2] < found.box("f").bottom


@pytest.mark.parametrize("inner_first", [True, False])
def test_a_fragment_inside_another_by_its_messages_lies_inside_it(*, inner_first: bool) -> None:
    outer = fragment("out", "alt", ("x", ["m0", "m1", "m2"]), ("y", ["m3"]))
    inner = fragment("in", "loop", ("z", ["m1", "m2"]))
    frames = (inner, outer) if inner_first else (outer, inner)
    found = chart(*frames, *LINES, *MESSAGES)
    assert found.box("out").contains(found.box("in"))
    assert found.box("in").bottom < found.part("out", "separator:1").y
    order = drawn(*frames, *LINES, *MESSAGES).groups()
    assert order.index("out") < order.index("in") < order.index("a")


def test_an_outer_fragment_may_list_the_inner_one_instead_of_its_messages() -> None:
    outer = fragment("out", "opt", ("x", ["m0"]), children=["in"])
    found = chart(*LINES, *MESSAGES, outer, fragment("in", "loop", ("z", ["m2", "m3"])))
    assert found.box("out").contains(found.box("in"))
    assert rows_inside(found, "out", "m0", "m1", "m2", "m3")


def test_fragments_that_overlap_are_nested() -> None:
    found = chart(
        *LINES, *MESSAGES, fragment("f", "opt", ("x", ["m0", "m1"])), fragment("g", "opt", ("y", ["m1", "m2"]))
    )
    assert found.box("f").contains(found.box("g"))


def test_a_note_that_a_fragment_lists_stands_inside_it() -> None:
    found = chart(
        *LINES,
        note("n", "mind", over=["b"]),
        *MESSAGES,
        fragment("f", "opt", ("x", ["m2", "m3"]), children=["n"]),
    )
    assert found.box("f").contains(found.box("n"))
    assert found.y("m1") < found.box("f").y


def test_no_tail_runs_through_what_is_written_in_a_fragment() -> None:
    guards = ("a guard of many words that goes on and on", "another one, which is no shorter")
    found = chart(
        *LINES,
        *MESSAGES,
        fragment("f", "critical", (guards[0], ["m1"]), (guards[1], ["m2"]), title="A title"),
        canvas={"width": 320, "height": 300},
    )
    written = [part for name, part in found.parts("f").items() if name in ("tab", "title", "guard:0", "guard:1")]
    assert len(written) == 4
    for part in written:
        assert not any(part.x <= found.x(id_) <= part.right for id_ in "abc")
    for one, other in (("title", "guard:0"), ("tab", "guard:0")):
        assert not found.part("f", one).overlaps(found.part("f", other))


def test_a_fragment_with_nothing_in_it_stands_in_its_turn() -> None:
    found = chart(*LINES, MESSAGES[0], fragment("f", "loop", ("never", [])), MESSAGES[1])
    assert found.y("m0") < found.box("f").y
    assert found.box("f").bottom < found.label("m1").y


def test_fragments_lie_behind_everything() -> None:
    rows = *LINES, *MESSAGES, fragment("f", "opt", ("x", ["m0"]))
    assert drawn(*rows).groups()[0] == "f"


def test_references_to_nothing_are_passed_over() -> None:
    found = chart(*LINES, MESSAGES[0], fragment("f", "alt", ("x", ["gone", "a"]), (None, ["m0", "f"])))
    assert rows_inside(found, "f", "m0")


BOTH = pytest.mark.parametrize("inner_first", [True, False])


def in_order(inner_first: bool, *frames: dict[str, object]) -> tuple[dict[str, object], ...]:
    return frames[::-1] if inner_first else frames


@BOTH
def test_a_fragment_that_an_operand_lists_lies_in_it_although_nothing_else_happens_there(*, inner_first: bool) -> None:
    loop = fragment("out", "loop", ("every day", ["in"]), children=["in"])
    alt = fragment("in", "alt", ("yes", ["m1"]), ("no", ["m2"]))
    found = chart(*in_order(inner_first, loop, alt), *LINES, *MESSAGES)
    assert found.box("out").contains(found.box("in"))
    assert found.box("out").y < found.box("in").y
    line = found.part("in", "separator:1")
    assert (line.x, line.right) == (found.box("in").x, found.box("in").right)


@BOTH
def test_of_fragments_round_the_same_messages_the_one_with_fewer_operands_is_outside(*, inner_first: bool) -> None:
    loop = fragment("out", "loop", ("every day", ["m1", "m2"]))
    alt = fragment("in", "alt", ("yes", ["m1"]), ("no", ["m2"]))
    found = chart(*in_order(inner_first, loop, alt), *LINES, *MESSAGES)
    assert found.box("out").contains(found.box("in"))
    assert found.box("out").y < found.box("in").y


@BOTH
def test_an_operand_may_begin_with_a_fragment_hold_only_one_or_be_empty(*, inner_first: bool) -> None:
    alt = fragment("out", "alt", ("a", []), ("b", ["loop", "m1"]), ("c", ["opt"]), ("d", []), children=["loop", "opt"])
    inner = fragment("loop", "loop", ("x", ["m0"])), fragment("opt", "opt", ("y", ["m2"]))
    found = chart(*in_order(inner_first, alt, *inner), *LINES, *MESSAGES)
    lines = [found.part("out", f"separator:{operand}").y for operand in (1, 2, 3)]
    top, bottom = found.box("out").y, found.box("out").bottom
    loop, opt = found.box("loop"), found.box("opt")
    levels = [top, lines[0], loop.y, loop.bottom, found.y("m1"), lines[1], opt.y, opt.bottom, lines[2], bottom]
    assert levels == sorted(levels)
    assert bottom < found.label("m3").y


@BOTH
def test_an_empty_fragment_stands_where_an_operand_lists_it(*, inner_first: bool) -> None:
    alt = fragment("out", "alt", ("a", ["m0", "none"]), ("b", ["deep"]), children=["none", "deep"])
    inner = (
        fragment("none", "opt", ("never", [])),
        fragment("deep", "loop", ("x", ["deeper"]), children=["deeper"]),
        fragment("deeper", "loop", ("y", [])),
    )
    found = chart(*LINES, *MESSAGES, *in_order(inner_first, alt, *inner))
    none, deep, deeper = (found.box(name) for name in ("none", "deep", "deeper"))
    levels = [found.y("m0"), none.y, none.bottom, found.part("out", "separator:1").y, deep.y, deeper.y, deeper.bottom]
    assert levels == sorted(levels)
    assert deep.contains(deeper)
    assert found.box("out").contains(deep)
    assert found.box("out").bottom < found.label("m1").y


def test_a_note_stands_where_an_operand_lists_it() -> None:
    alt = fragment("out", "alt", ("a", ["m0"]), ("b", ["n"]), ("c", ["m1"]))
    found = chart(*LINES, *MESSAGES, alt, note("n", "by hand", over=["b"]))
    levels = [found.part("out", "separator:1").y, found.box("n").y, found.part("out", "separator:2").y, found.y("m1")]
    assert levels == sorted(levels)


def test_no_operand_begins_within_a_fragment_inside() -> None:
    alt = fragment("out", "alt", ("a", ["m0"]), ("b", ["m2", "m3"]))
    found = chart(*LINES, *MESSAGES, alt, fragment("in", "loop", ("x", ["m1", "m2"])))
    assert found.part("out", "separator:1").y < found.box("in").y


def test_fragments_that_list_each_other_are_drawn() -> None:
    f, g = fragment("f", "opt", ("x", ["g", "m0"])), fragment("g", "opt", ("y", ["f", "m1"]))
    found = chart(*LINES, *MESSAGES, f, g)
    assert found.box("f").contains(found.box("g"))
