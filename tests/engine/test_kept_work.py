"""What engine and reading keep of earlier pictures never shows: a scene is drawn the same with it and without it."""

from __future__ import annotations

import copy
import gc
from collections.abc import Iterator
from typing import Any

import pytest
from chance.scenes import Recipe, Seeded
from chance.scenes import document as made_up
from chance.section_edits import KINDS
from measure_edits import anew

from scenograph.engine.draw import painting
from scenograph.engine.drawing import DrawnGroup
from scenograph.engine.families.catalog import FAMILIES
from scenograph.engine.pipeline import places_of, render
from scenograph.engine.place import inventory
from scenograph.engine.write import svg
from scenograph.engine.write.svg import (
    PageDefaults,
    _written,  # pyright: ignore[reportPrivateUsage]
)
from scenograph.scene import reading
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.memo import Latest
from scenograph.scene.model import Element

Json = dict[str, Any]


def _scene() -> Json:
    nodes = [{"id": one, "kind": "node", "nodeType": "service", "label": f"Service {one}"} for one in "abcdef"]
    pairs = ("ab", "bc", "bd", "de", "ef", "cf", "ae")
    edges = [
        {
            "id": pair,
            "kind": "edge",
            "from": {"elementId": pair[0]},
            "to": {"elementId": pair[1]},
            "label": f"to {pair}",
        }
        for pair in pairs
    ]
    frame = {"id": "frame", "kind": "frame", "title": "Inner", "children": ["d", "e", "f"]}
    return {"diagramFamily": "architecture", "scene": {"title": "T"}, "elements": [*nodes, frame, *edges]}


def _element(document: Json, element_id: str) -> Json:
    return next(one for one in document["elements"] if one["id"] == element_id)


def _edits() -> Iterator[Json]:
    """The scene, edited step by step: what an element looks like follows from itself, from others, from the page."""
    document = _scene()
    yield document
    for element_id, member, value in (
        ("a", "label", "Another label that is longer"),
        ("frame", "style", {"fill": "#102030"}),
        ("frame", "style", {"fill": "#f0e0d0", "opacity": 0.5}),
        ("ef", "label", ""),
        ("ae", "style", {"dash": "4 2", "strokeWidth": 1}),
        ("ae", "style", {"dash": "4 2", "strokeWidth": 1.0}),
        ("ae", "style", {"labelBackground": "#ffffff"}),
        ("ab", "router", "curved"),
        ("ab", "router", "straight"),
        ("b", "icon", "database"),
        ("b", "tooltip", "Words"),
        ("c", "zIndex", 3),
        ("c", "visible", False),
        ("frame", "title", "A title of another length"),
    ):
        document = copy.deepcopy(document)
        _element(document, element_id)[member] = value
        yield document
    for member, value in (
        ("palette", {"background": "#000000", "containerFill": "#203040"}),
        ("defaults", {"node": {"style": {"fontSize": 17}}}),
        ("styles", {"loud": {"fill": "#ff0000"}}),
        ("diagramFamily", "network"),
        ("scene", {"title": "T", "canvas": {"background": "#eeeeee"}}),
    ):
        document = copy.deepcopy(document)
        document[member] = value
        yield document
    document = copy.deepcopy(document)
    document["elements"] = [one for one in document["elements"] if one["id"] not in {"b", "ab", "bc", "bd"}]
    yield document


def _nothing(_kept: object, _key: object) -> None:
    return None


@pytest.mark.parametrize("output", ["svg", "png"])
@pytest.mark.parametrize("theme", ["clean", "dark", "sketch"])
def test_a_picture_is_the_same_with_all_that_was_kept_and_without(
    monkeypatch: pytest.MonkeyPatch, output: str, theme: str
) -> None:
    places: Json | None = None
    for document in _edits():
        kept = render(document, output, theme=theme, sketch=places)
        with monkeypatch.context() as forgetful:
            forgetful.setattr(Latest, "get", _nothing)
            anew = render(document, output, theme=theme, sketch=places)
        assert kept.content == anew.content
        assert kept.diagnostics == anew.diagnostics
        places = places_of(kept.laid_out)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_edit_of_any_kind_is_drawn_the_same_with_all_that_was_kept_and_without(
    monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    recipe = Recipe(most_nodes=12, families=(family,), algorithms=("hierarchical", "flow"))
    scene = next(one for seed in range(99) if len((one := made_up(Seeded(seed), recipe))["elements"]) > 16)
    drawn = 0
    for number, kind in enumerate(KINDS):
        places = places_of(render(scene).laid_out)
        ops = KINDS[kind].ops(scene, places["bounds"], Seeded(number))
        batch = apply_operations(scene, ops, computed_bounds=lambda _, places=places: places["bounds"])
        if not ops or not batch.succeeded:
            continue
        kept = render(batch.document, sketch=anew(places, batch))
        with monkeypatch.context() as forgetful:
            forgetful.setattr(Latest, "get", _nothing)
            fresh = render(batch.document, sketch=anew(places, batch))
        assert kept.content == fresh.content, kind
        assert kept.diagnostics == fresh.diagnostics, kind
        drawn += 1
    assert drawn > len(KINDS) / 2


def test_the_text_of_a_group_is_not_that_of_another_format() -> None:
    document = _scene()
    pictures = [render(document, output).content for output in ("svg", "png", "svg", "png")]
    assert pictures[:2] == pictures[2:]


def test_a_new_letter_on_the_page_writes_no_group_anew_that_has_the_pages_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = _scene()
    render(document)
    written: list[str] = []

    def counted(group: DrawnGroup, page: PageDefaults) -> str:
        written.append(group.id)
        return _written(group, page)

    monkeypatch.setattr(svg, "_written", counted)
    changed = copy.deepcopy(document)
    _element(changed, "a")["label"] = "Service Ω"
    render(changed, sketch=places_of(render(document).laid_out))
    assert "a" in written
    assert not {"b", "c", "d", "e", "f"} & set(written)


def test_letters_that_no_font_has_are_written_by_the_fonts_that_a_page_embeds(monkeypatch: pytest.MonkeyPatch) -> None:
    def node(element_id: str, at: float, label: str, **style: str) -> Json:
        place = {"mode": "absolute", "x": at, "y": 100, "width": 120, "height": 60}
        return {"id": element_id, "kind": "node", "label": label, "layout": place, "style": style}

    strange = "\U00013000"
    nodes = [node(one, at, strange) for one, at in (("a", 0), ("b", 150), ("c", 300))]
    nodes.append(node("x", 450, strange, fontFamily="monospace"))
    document = {"diagramFamily": "architecture", "elements": nodes}
    render(document)
    document = document | {"elements": [*nodes, node("y", 600, "abc", fontFamily="monospace")]}
    kept = render(document).content
    monkeypatch.setattr(Latest, "get", _nothing)
    assert kept == render(document).content


def test_what_is_kept_of_an_element_goes_with_it_without_a_look_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_READ", Latest[bytes, Element](1))
    nodes = [
        {"id": "gone-a", "kind": "node", "label": "A"},
        {"id": "gone-b", "kind": "node", "label": "B", "shape": "rect"},
        {"id": "gone-f", "kind": "frame", "title": "F", "children": ["gone-a"]},
        {"id": "gone-t", "kind": "text", "content": "T"},
    ]
    gc.collect()
    gc.disable()
    try:
        render({"elements": nodes})
        render(_scene())
        left = [one.id for one in gc.get_objects() if isinstance(one, Element) and one.id.startswith("gone")]
    finally:
        gc.enable()
    assert not left


def test_a_picture_drawn_again_from_its_places_looks_up_the_edges_between_containers_of_no_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = _scene()
    first = render(document)
    lifted: list[object] = []
    monkeypatch.setattr(inventory, "_lifted", lifted.append)
    again = render(document, sketch=places_of(first.laid_out))
    assert not lifted
    assert again.content == first.content


def test_the_ground_behind_labels_is_blended_once_for_all_pictures_with_the_same_frames(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = _scene()
    first = render(document)
    blended: list[object] = []
    monkeypatch.setattr(painting, "_common", lambda *boxes: blended.append(boxes))
    assert render(document, sketch=places_of(first.laid_out)).content == first.content
    assert not blended
