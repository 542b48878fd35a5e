"""Which fields a difference names."""

from __future__ import annotations

from typing import Any

from scenograph.scene.changed_fields import changed_element_fields, changed_scene_fields
from scenograph.scene.difference import difference

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
    assert fields(document(old), document(new)) == {"a": ("extensions.columns", "label", "layout", "style.fill")}


def test_another_container_and_another_turn_have_a_name() -> None:
    a, b = {"id": "a", "kind": "node"}, {"id": "b", "kind": "node"}
    frame = {"id": "f", "kind": "frame", "children": []}
    moved = fields(document(a, b, frame), document(a, b, frame | {"children": ["a"]}))
    assert moved == {"a": ("parentId",), "f": ("children",)}
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
        "layoutStrategy",
        "palette.nodeFill",
        "styles.t",
        "title",
    )
    assert changed_scene_fields(old, old) == ()


def test_inside_a_strategy_that_both_have_the_member_is_named() -> None:
    old, new = (document(layoutStrategy={"algorithm": name}) for name in ("grid", "flow"))
    assert changed_scene_fields(old, new) == ("layoutStrategy.algorithm",)
