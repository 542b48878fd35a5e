"""A label that says something false makes the candidates of a fresh layout judged anew. (R-LABEL-2)"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.builders import Json, document_of, edge, frame, node

from scenograph.engine import laying_out
from scenograph.engine.pipeline import lay_out, places_of

PAIRS = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("a", "e")]


def labelled() -> Json:
    edges = (edge(*pair, label=f"asks {number}") for number, pair in enumerate(PAIRS))
    return document_of(*map(node, "abcde"), frame("f", "b", "c"), *edges)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Whether lines gave way to labels in each placing of a scene."""
    found: list[bool] = []
    place = laying_out.place

    def noted(*values: object, **named: object) -> object:
        found.append(values[4].__self__.is_thorough)  # type: ignore[attr-defined]
        return place(*values, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(laying_out, "place", noted)
    return found


def test_a_layout_without_a_false_label_is_placed_once(judged: list[bool]) -> None:
    lay_out(labelled())
    assert judged == [False]


def test_a_layout_with_a_false_label_is_placed_again_with_lines_that_give_way(
    judged: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laying_out, "false_labels", lambda _routes: 1)
    places = places_of(lay_out(labelled()))
    assert judged == [False, True]
    monkeypatch.undo()
    assert places_of(lay_out(labelled())) == places  # as many as before: the first stays


def test_an_edited_layout_is_placed_once(judged: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    former = places_of(lay_out(labelled()))
    judged.clear()
    monkeypatch.setattr(laying_out, "false_labels", lambda _routes: 1)
    lay_out(labelled(), sketch=former)
    assert judged == [False]
