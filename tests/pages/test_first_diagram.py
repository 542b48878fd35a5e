"""A first diagram by hand: eight boxes, two frames, seven lines from an empty canvas in under two minutes."""

from __future__ import annotations

from collections.abc import Callable

from draw_by_hand import BOXES, FRAMES, LINES, Person, drawn_by
from tests.pages.tab import Tab

TWO_MINUTES = 120.0


def test_a_person_draws_eight_boxes_two_frames_and_seven_lines_in_two_minutes(draw: Callable[[], Tab]) -> None:
    studio = draw()
    person = Person(studio.page, pace=0.0)
    drawn_by(person)
    elements = {row["id"]: row for row in studio.document()["elements"]}
    names = {row.get("label") or row.get("title"): row for row in elements.values() if row["kind"] != "edge"}
    assert set(names) == {box.name for box in BOXES} | {name for name, *_ in FRAMES}
    lines = [row for row in elements.values() if row["kind"] == "edge"]
    ends = [tuple(elements[line[end]["elementId"]]["label"] for end in ("from", "to")) for line in lines]
    assert ends == list(LINES)
    assert len(names["Outside"]["children"]) == 3
    assert len(names["Inside"]["children"]) == 5
    for box in BOXES:
        x, y = studio.middle(names[box.name]["id"])
        assert abs(x - box.x) + abs(y - box.y) <= 3
    assert person.modelled < TWO_MINUTES
