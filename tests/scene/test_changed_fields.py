"""Which fields a difference names."""

from __future__ import annotations

from typing import Any

from scenograph.scene.difference import changed_element_fields, changed_scene_fields, difference

Json = dict[str, Any]
SCENE = {"id": "s", "units": "px", "canvas": {"width": 100}}


def document(*elements: Json, **members: Any) -> Json:
    return {"schemaVersion": "0.1", "scene": SCENE, "elements": [*elements], **members}


def fields(old: Json, new: Json) -> dict[str, tuple[str, ...]]:
    return dict(changed_element_fields(old, new, difference(old, new)))


def test_the_differing_members_are_named_and_those_inside_an_object() -> None:
    old = {"id": "a", "kind": "node", "label": "A", "style": {"fill": "red", "stroke": "red"}, "extensions": {"m": 1}}
    new = {
        "id": "a",
        "kind": "node",
        "label": "B",
        "style": {"fill": "blue", "stroke": "red"},
        "extensions": {"m": 1, "columns": []},
        "layout": {"mode": "auto"},
    }
    assert fields(document(old), document(new)) == {"a": ("extensions.columns", "label", "layout.mode", "style.fill")}


def test_the_members_of_an_object_that_comes_or_goes_are_named() -> None:
    plain = {"id": "a", "kind": "node"}
    styled = plain | {"style": {"fill": "red", "stroke": "blue"}, "metadata": {"team": {"name": "T"}, "tags": []}}
    named = {"a": ("metadata.tags", "metadata.team.name", "style.fill", "style.stroke")}
    assert fields(document(plain), document(styled)) == named
    assert fields(document(styled), document(plain)) == named
    bare = {"schemaVersion": "0.1", "elements": []}
    assert changed_scene_fields(bare, document(palette={"nodeFill": "red"})) == (
        "canvas.width",
        "id",
        "palette.nodeFill",
        "units",
    )


def test_a_value_that_becomes_an_object_and_an_empty_object_are_named_themselves() -> None:
    plain = {"id": "a", "kind": "node", "label": "A"}
    named, inline, empty = (plain | {"style": style} for style in ("warning", {"fill": "red"}, {}))
    assert fields(document(named), document(inline)) == {"a": ("style",)}
    assert fields(document(plain), document(empty)) == {"a": ("style",)}
    assert fields(document(inline), document(empty)) == {"a": ("style.fill",)}


def test_another_container_and_another_turn_have_a_name() -> None:
    a, b = {"id": "a", "kind": "node"}, {"id": "b", "kind": "node"}
    frame = {"id": "f", "kind": "frame", "children": []}
    moved = fields(document(a, b, frame), document(a, b, frame | {"children": ["a"]}))
    assert moved == {"a": ("parent",)}
    (turned,) = fields(document(a, b), document(b, a)).values()
    assert turned == ("order",)


def test_at_most_twenty_fields_of_an_element_are_named() -> None:
    old = {"id": "a", "kind": "node", "metadata": {}}
    new = old | {"metadata": {f"m{number:02}": number for number in range(30)}}
    assert len(fields(document(old), document(new))["a"]) == 20


def test_what_belongs_to_no_element_is_named_by_where_it_stands() -> None:
    old = document(diagramFamily="network", palette={"nodeFill": "red"}, styles={"s": {"fill": "red"}})
    new = document(
        scene=SCENE | {"title": "T", "canvas": {"width": 200}},
        diagramFamily="workflow",
        palette={"nodeFill": "blue"},
        layoutStrategy={"algorithm": "grid"},
        styles={"s": {"fill": "red"}, "t": {}},
        computed={"canvas": {}},
    )
    assert changed_scene_fields(old, new) == (
        "canvas.width",
        "diagramFamily",
        "layoutStrategy.algorithm",
        "palette.nodeFill",
        "styles.t",
        "title",
    )
    assert changed_scene_fields(old, old) == ()


def test_inside_a_strategy_that_both_have_the_member_is_named() -> None:
    old, new = (document(layoutStrategy={"algorithm": name}) for name in ("grid", "flow"))
    assert changed_scene_fields(old, new) == ("layoutStrategy.algorithm",)
