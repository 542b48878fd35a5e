"""Sequence diagrams that were drawn in draw.io: who talks to whom, in which order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.pipeline import render
from scenograph.reading.drawio.document import LifelineCells
from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source
from scenograph.scene.validation import validate

Json = dict[str, Any]
LIFELINE = "shape=umlLifeline;perimeter=lifelinePerimeter;container=1"
BAR = "points=[];perimeter=orthogonalPerimeter"


def vertex(key: str, box: tuple[float, ...], style: str, label: str = "", parent: str = "1") -> str:
    x, y, width, height = box
    place = f'<mxGeometry x="{x}" y="{y}" width="{width}" height="{height}" as="geometry"/>'
    return f'<mxCell id="{key}" value="{label}" style="{style};" vertex="1" parent="{parent}">{place}</mxCell>'


def lifeline(key: str, x: float, label: str = "", extra: str = "", top: float = 40) -> str:
    return vertex(key, (x, top, 100, 400 - top), f"{LIFELINE};{extra}", label or key.upper())


def line(key: str, ends: str, y: float, label: str = "", style: str = "endArrow=block") -> str:
    """A message between two cells, at a height of the page."""
    source, target = (f'{name}="{end}"' for name, end in zip(("source", "target"), ends.split(), strict=True))
    points = f'<Array as="points"><mxPoint x="1" y="{y}"/></Array>'
    geometry = f'<mxGeometry relative="1" as="geometry">{points}</mxGeometry>'
    said = f'value="{label or key}" style="edgeStyle=elbowEdgeStyle;elbow=vertical;{style}"'
    return f'<mxCell id="{key}" {said} edge="1" parent="1" {source} {target}>{geometry}</mxCell>'


def free(key: str, first: tuple[float, float], second: tuple[float, float], style: str = "endArrow=block") -> str:
    """A line between two points of the page."""
    ends = zip(("sourcePoint", "targetPoint"), (first, second), strict=True)
    points = "".join(f'<mxPoint x="{x}" y="{y}" as="{name}"/>' for name, (x, y) in ends)
    return (
        f'<mxCell id="{key}" value="{key}" style="{style}" edge="1" parent="1">'
        f'<mxGeometry relative="1" as="geometry">{points}</mxGeometry></mxCell>'
    )


def read(*cells: str) -> Import:
    head = '<mxCell id="0"/><mxCell id="1" parent="0"/>'
    return read_source(Source(text=f"<mxGraphModel><root>{head}{''.join(cells)}</root></mxGraphModel>"))


def told(found: Import) -> list[str]:
    return [str(row.data["what"]) for row in found.diagnostics if row.data is not None]


def elements(found: Import) -> dict[str, Json]:
    assert found.document["diagramFamily"] == "sequence"
    return {one["id"]: one for one in found.document["elements"]}


def test_lifelines_stand_from_left_to_right_and_messages_from_top_to_bottom() -> None:
    found = read(
        lifeline("b", 300),
        lifeline("a", 100, extra="participant=umlActor"),
        line("late", "a b", 200),
        line("back", "b a", 150, style="endArrow=open;dashed=1"),
        line("soon", "a b", 100, style="endArrow=open"),
        line("self", "b b", 250),
        line("turned", "a b", 300, style="startArrow=block;endArrow=none"),
    )
    rows = elements(found)
    assert [*rows] == ["a", "b", "soon", "back", "late", "self", "turned"]
    assert (rows["a"]["nodeType"], rows["b"]["nodeType"]) == ("sequence.actor", "sequence.lifeline")
    types = {key: one["edgeType"].partition(".")[2] for key, one in rows.items() if one["kind"] == "edge"}
    assert types == {"soon": "async", "back": "reply", "late": "message", "self": "message", "turned": "message"}
    assert (rows["turned"]["from"]["elementId"], rows["turned"]["to"]["elementId"]) == ("b", "a")
    assert not told(found)
    assert not [row for row in validate(found.document) if row.severity == "error"]


def test_bars_say_at_which_messages_they_begin_and_end() -> None:
    bars = [vertex("x", (45, 60, 10, 100), BAR, parent="a"), vertex("y", (345, 110, 10, 40), BAR)]
    found = read(lifeline("a", 100), lifeline("b", 300), *bars, line("call", "x y", 115), line("done", "y x", 145))
    rows = elements(found)
    assert [*rows] == ["a", "b", "call", "done"]
    assert rows["call"]["extensions"] == {"activates": ["source", "target"]}
    assert rows["done"]["extensions"] == {"deactivates": ["target", "source"]}
    assert not told(found)


def test_bars_that_no_message_ends_are_told() -> None:
    found = read(
        lifeline("a", 100), lifeline("b", 300), vertex("y", (45, 60, 10, 40), BAR, parent="b"), line("m", "a y", 110)
    )
    assert "extensions" not in elements(found)["m"]
    assert told(found) == [
        "1 bars, such as that of 'B', are drawn from calls and replies: messages do not say their ends"
    ]


def test_free_ends_are_at_the_lifeline_they_touch_or_at_one_of_their_own() -> None:
    found = read(
        lifeline("a", 100),
        lifeline("b", 300),
        free("touches", (150, 100), (352, 100)),
        free("found", (20, 120), (150, 120)),
        free("lost", (350, 140), (420, 140)),
    )
    rows = elements(found)
    ends = {
        key: (one["from"]["elementId"], one["to"]["elementId"]) for key, one in rows.items() if one["kind"] == "edge"
    }
    assert ends == {"touches": ("a", "b"), "found": ("outside-left", "a"), "lost": ("b", "outside-right")}
    assert [*rows][:4] == ["outside-left", "a", "b", "outside-right"]
    assert [what.partition(" is at")[0] for what in told(found)] == [
        "an end of the message 'found'",
        "an end of the message 'lost'",
    ]


def test_frames_are_fragments_with_their_guards_dividers_and_what_is_in_them() -> None:
    found = read(
        vertex("sd", (0, 0, 600, 500), "shape=umlFrame", "sd Orders"),
        vertex("f", (90, 90, 400, 200), "shape=umlFrame", "alt"),
        vertex("g", (95, 110, 80, 20), "text", "[in stock]"),
        vertex("h", (95, 200, 60, 20), "text", "[else]"),
        free("divider", (90, 190), (490, 190), "endArrow=none;dashed=1"),
        vertex("i", (100, 230, 380, 50), "shape=umlFrame", "loop twice"),
        lifeline("a", 100),
        lifeline("b", 300),
        line("before", "a b", 80),
        line("yes", "a b", 150),
        line("no", "a b", 250),
        line("after", "a b", 350),
    )
    rows = elements(found)
    assert found.document["scene"]["title"] == "Orders"
    assert rows["f"]["extensions"] == {
        "operator": "alt",
        "operands": [{"guard": "in stock", "messages": ["yes"]}, {"guard": "else", "messages": ["i"]}],
    }
    assert rows["f"]["children"] == ["i"]
    assert rows["i"]["extensions"] == {"operator": "loop", "operands": [{"guard": "twice", "messages": ["no"]}]}
    assert "divider" not in rows
    assert not told(found)


def test_notes_stand_over_or_beside_lifelines_and_other_texts_as_notes_which_is_told() -> None:
    found = read(
        lifeline("a", 100),
        lifeline("b", 300),
        line("m", "a b", 100),
        vertex("over", (110, 120, 260, 30), "shape=note", "Both"),
        vertex("beside", (380, 160, 60, 30), "shape=note", "One"),
        vertex("tied", (220, 200, 40, 30), "shape=note2", "Tied"),
        line("tie", "tied b", 215, style="endArrow=none;dashed=1"),
        vertex("text", (380, 300, 60, 20), "text", "Loose"),
    )
    rows = elements(found)
    assert rows["over"]["extensions"] == {"over": ["a", "b"]}
    assert rows["beside"]["extensions"] == {"over": ["b"], "side": "right"}
    assert rows["tied"]["extensions"] == {"over": ["b"], "side": "left"}
    assert rows["text"]["nodeType"] == "sequence.note"
    assert told(found) == ["1 texts, such as 'Loose', stand as notes"]


def test_lifelines_begin_and_end_with_messages() -> None:
    crosses = [
        vertex(f"x{key}", (45, y, 10, 10), "shape=umlDestroy", parent=key) for key, y in (("b", 100), ("c", 300))
    ]
    found = read(
        lifeline("a", 100),
        lifeline("b", 300, top=140),
        lifeline("c", 500),
        line("make", "a b", 150),
        line("end", "a b", 240),
        *crosses,
    )
    rows = elements(found)
    assert (rows["make"]["edgeType"], rows["end"]["edgeType"]) == ("sequence.create", "sequence.destroy")
    assert told(found) == [
        "1 crosses at ends of lifelines, such as that of 'C', are left out: no message arrives there"
    ]


def test_a_head_without_a_name_has_the_text_beside_it() -> None:
    name = vertex("t", (110, 10, 80, 20), "text", "Clerk")
    unnamed = vertex("a", (100, 40, 100, 300), LIFELINE)
    rows = elements(read(unnamed, lifeline("b", 300), line("m", "a b", 100), name))
    assert rows["a"]["label"] == "Clerk"
    assert "t" not in rows


def test_on_a_page_that_holds_more_lifelines_are_boxes_which_is_told() -> None:
    found = read(lifeline("a", 100), lifeline("b", 300), vertex("other", (500, 0, 80, 40), "rounded=0", "Box"))
    assert found.document["diagramFamily"] == "architecture"
    why = "the page holds more than a sequence of at most 200 lifelines"
    assert told(found) == [f"2 lifelines, such as 'A', are drawn as boxes: {why}"]


def test_beyond_200_lifelines_they_are_boxes_before_each_bar_looks_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(LifelineCells, "lifeline_at", lambda _chart, at: asked.append(at))
    heads = [lifeline(f"l{number}", 120 * number) for number in range(201)]
    found = read(*heads, *(vertex(f"b{number}", (120 * number + 45, 100, 10, 40), BAR) for number in range(201)))
    assert [row.split(",")[0] for row in told(found)] == ["201 lifelines"]
    assert not asked


@settings(max_examples=40)
@given(
    boxes=st.lists(
        st.tuples(
            st.sampled_from([BAR, "shape=umlFrame", "shape=note", "text", "shape=umlDestroy", LIFELINE, "umlActor"]),
            st.tuples(*(st.integers(0, 400) for _ in range(4))),
            st.sampled_from(["", "alt", "sd all", "[x]"]),
        ),
        max_size=8,
    ),
    lines=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 400)), max_size=6),
)
def test_whatever_stands_on_the_page_makes_a_scene_that_can_be_drawn(
    boxes: list[tuple[str, tuple[int, ...], str]], lines: list[tuple[int, int, int]]
) -> None:
    cells = [vertex(f"v{number}", box, style, label) for number, (style, box, label) in enumerate(boxes)]
    messages = [line(f"m{number}", f"v{one} v{other}", y) for number, (one, other, y) in enumerate(lines)]
    found = read(lifeline("a", 100), *cells, *messages, free("f", (150, 90), (20, 90)))
    assert not [row for row in validate(found.document) if row.severity == "error"]
    assert render(found.document).content
