"""Excalidraw files: shapes with their places, bound arrows, frames and groups, and what is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.engine.icons import KnownIcons
from scenograph.reading.excalidraw import MOST_CHARACTERS
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate

Json = dict[str, Any]
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def box(key: str, kind: str = "rectangle", x: float = 0, y: float = 0, **members: Any) -> Json:
    return {"id": key, "type": kind, "x": x, "y": y, "width": 100, "height": 60, **members}


def words(key: str, text: str, holder: str | None = None, **members: Any) -> Json:
    return box(key, "text", text=text, originalText=text, containerId=holder, **members)


def arrow(key: str, start: str | None, end: str | None, *points: tuple[float, float], **members: Any) -> Json:
    bindings: Json = {
        name: {"elementId": one, "focus": 0, "gap": 1} if one else None
        for name, one in (("startBinding", start), ("endBinding", end))
    }
    way = [list(point) for point in points or ((0, 0), (50, 0))]
    return box(key, "arrow", points=way, endArrowhead="arrow", **bindings, **members)


def file(*elements: Json, **root: Any) -> str:
    return json.dumps({"type": "excalidraw", "version": 2, "elements": elements, **root}, indent=1)


def opened(text: str) -> Import:
    found = read_source(Text(text=text, icons=KnownIcons()), "excalidraw")
    assert [row.code for row in validate(found.document) if row.severity == "error"] == []
    return found


def elements(found: Import | Json) -> dict[str, Json]:
    document = found.document if isinstance(found, Import) else found
    return {one["metadata"]["source"]["id"]: one for one in document["elements"]}


def told(found: Import) -> list[str]:
    return [row.data["what"] for row in found.diagnostics if row.data]


def test_shapes_keep_their_places_looks_and_bound_texts() -> None:
    red: Json = {"strokeColor": "#e03131", "backgroundColor": "#ffc9c9", "strokeWidth": 4, "strokeStyle": "dashed"}
    here = elements(
        opened(
            file(
                box("a", x=10.126, y=-20, roundness={"type": 3}, opacity=50, **red),
                words("t", "Web\nserver", "a", fontSize=16, strokeColor="#1971c2"),
                box("b", "diamond", backgroundColor="transparent"),
                box("c", "ellipse", width=-100, x=100, strokeColor="no colour"),
            )
        )
    )
    assert [*here] == ["a", "b", "c"]
    assert (here["a"]["shape"], here["a"]["label"]) == ("roundedRect", "Web\nserver")
    assert here["a"]["layout"] == {"mode": "absolute", "x": 10.13, "y": -20.0, "width": 100.0, "height": 60.0}
    assert here["a"]["style"] == {
        "stroke": "#e03131",
        "strokeWidth": 4.0,
        "fill": "#ffc9c9",
        "dash": [8, 6],
        "opacity": 0.5,
        "fontSize": 16.0,
        "textColor": "#1971c2",
    }
    assert (here["b"]["shape"], here["b"]["style"]["fill"]) == ("diamond", "none")
    assert (here["c"]["shape"], here["c"]["layout"]["x"], here["c"]["style"]["stroke"]) == ("ellipse", 0.0, "#1e1e1e")


def test_arrows_end_at_the_elements_that_they_are_bound_to() -> None:
    found = opened(
        file(
            box("a"),
            box("b", x=300),
            arrow("e", "a", "b", startArrowhead="dot"),
            words("t", "calls", "e"),
            arrow("f", "a", None, (0, 0), (20, 40), (60, 40)),
            arrow("g", "gone", "b", elbowed=True),
            {**arrow("h", "a", "b", roundness={"type": 2}), "endArrowhead": None},
        )
    )
    here = elements(found)
    assert (here["e"]["from"], here["e"]["to"], here["e"]["label"]) == ({"elementId": "a"}, {"elementId": "b"}, "calls")
    assert here["e"]["endpoints"] == {"startArrow": "circle", "endArrow": "triangle"}
    assert (here["e"]["router"], here["f"]["router"]) == ("straight", "polyline")
    assert (here["g"]["router"], here["h"]["router"]) == ("orthogonal", "curved")
    assert here["f"]["waypoints"] == [{"x": 20.0, "y": 40.0}]
    assert here["f"]["to"] == {"elementId": here["finish of f"]["id"]}
    assert here["finish of f"]["layout"] == {"mode": "absolute", "x": 59.5, "y": 39.5, "width": 1.0, "height": 1.0}
    assert here["g"]["from"] == {"elementId": here["start of g"]["id"]}
    assert here["h"]["endpoints"]["endArrow"] == "none"


def test_texts_are_texts_and_nodes_where_arrows_end_at_them() -> None:
    here = elements(
        opened(file(words("t", "a long title of a page", textAlign="center"), words("u", "x"), arrow("e", "u", None)))
    )
    assert (here["t"]["kind"], here["t"]["align"]) == ("text", "center")
    assert here["t"]["layout"]["width"] > 100
    assert here["t"]["layout"]["x"] + here["t"]["layout"]["width"] / 2 == pytest.approx(50)
    assert (here["u"]["kind"], here["u"]["style"]["stroke"]) == ("node", "none")


def test_frames_and_groups_hold_their_elements() -> None:
    found = opened(
        file(
            box("f", "frame", name="Front", width=500, height=400),
            box("a", frameId="f", groupIds=["inner", "outer"]),
            words("t", "x", frameId="f", groupIds=["outer"]),
            box("b", frameId="f"),
            box("g", "frame", name=None),
            box("c", frameId="gone"),
        )
    )
    here = elements(found)
    names = {one["id"]: name for name, one in here.items()}
    held = {name: [names[child] for child in one["children"]] for name, one in here.items() if "children" in one}
    assert held == {"f": ["group outer", "b"], "group outer": ["group inner", "t"], "group inner": ["a"], "g": []}
    assert (here["f"]["title"], here["g"]["title"]) == ("Front", "Frame")
    assert here["f"]["layout"]["y"] + here["f"]["layout"]["height"] == 400


def test_groups_that_hold_each_other_or_nest_deeply_are_taken_apart() -> None:
    deep = [box(f"n{at}", groupIds=[f"g{at}", f"g{at + 1}"]) for at in range(60)]
    found = opened(file(box("a", groupIds=["x", "y"]), box("b", groupIds=["y", "x"]), *deep))
    assert {"a", "b", "n0", "n59"} <= elements(found).keys()


def test_lines_are_painted_above_the_box_that_their_ends_stand_on() -> None:
    here = elements(
        opened(file(box("back", width=900, height=900), box("a", x=9), box("b", x=300), arrow("e", "a", "b")))
    )
    assert (here["back"].get("zIndex", 0), here["a"]["zIndex"], here["e"]["zIndex"]) == (0, 1, 1)


def test_pictures_are_kept_once_and_strange_ones_are_boxes() -> None:
    files = {"p": {"dataURL": f"data:image/png;base64,{DOT}"}, "s": {"dataURL": "data:image/svg+xml;base64,AAAA"}}
    found = opened(
        file(
            box("i", "image", fileId="p"),
            box("j", "image", fileId="p"),
            arrow("e", "j", None),
            box("k", "image", fileId="s"),
            files=files,
        )
    )
    here = elements(found)
    assert (here["i"]["kind"], here["j"]["kind"], here["k"]["kind"]) == ("image", "group", "node")
    assert told(found) == ["pictures that are missing, large or not png, jpeg, gif or webp are drawn as boxes (1)"]


def test_what_has_no_form_is_told_with_its_number() -> None:
    found = opened(
        file(
            box("a", angle=1, link="javascript:alert(1)"),
            box("b", "embeddable", link="https://example.org"),
            box("p", "freedraw", points=[[0, 0]]),
            box("q", "freedraw", points=[[0, 0]]),
            {**arrow("l", None, None, (0, 0), (9, 9), (0, 0)), "type": "line", "backgroundColor": "#ffc9c9"},
            box("gone", isDeleted=True),
        )
    )
    assert told(found) == [
        "the link of 'a' is left out",
        "turned elements stand upright (1)",
        "freehand strokes (2): not drawn",
        "fills of lines are not drawn (1)",
    ]
    assert found.whole
    assert elements(found)["b"]["link"] == {"href": "https://example.org"}


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "rectangle", "id": "x", "x": "left"},
        box("x", "hologram"),
        box("a"),
        box("x", "arrow", points=[[0, 0]]),
        box("x", x=2e6),
        box(""),
    ],
)
def test_a_broken_element_costs_itself_and_keeps_a_sync_from_removing(broken: Json) -> None:
    found = opened(file(box("a"), broken, box("b")))
    assert [*elements(found)] == ["a", "b"]
    assert not found.whole
    assert found.diagnostics[0].data is not None
    assert found.diagnostics[0].data["line"] > 1


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (file(box("a")), "excalidraw"),
        ('{"type": "excalidraw/clipboard", "elements": []}', "excalidraw"),
        ('{"type": "excalidrawlib", "library": []}', None),
        ('{"elements": [], "source": "excalidraw"}', None),
        ('{"type": {}, "elements": [], "x": "excalidraw"}', None),
        ('{"type": ["excalidraw"], "elements": []}', None),
        ("An excalidraw file has a type and elements.", None),
    ],
)
def test_files_are_recognized_and_nothing_else(text: str, form: str | None) -> None:
    if form is not None:
        assert recognized(text) == form
        return
    with pytest.raises(Unreadable):
        recognized(text)


def test_a_whiteboard_as_long_as_a_source_may_be_is_read_whole() -> None:
    stroke = [[number, 0] for number in range(1_000)]
    text = json.loads(file(box("a"), box("b", x=300), *(box(f"s{n}", "freedraw", points=stroke) for n in range(60))))
    written = json.dumps(text, separators=(",", ":"))
    assert len(written) < MOST_CHARACTERS
    assert {"a", "b"} <= elements(opened(written)).keys()


def test_a_file_with_nothing_to_draw_is_refused() -> None:
    with pytest.raises(Unreadable, match="a file of Excalidraw"):
        opened(file(box("a", isDeleted=True)))


def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change() -> None:
    text = file(box("a"), words("t", "Web", "a"), box("b", x=300), words("u", "Shop", "b"), arrow("e", "a", "b"))
    more = file(*json.loads(text)["elements"], box("c", y=300))
    source = SourceIdentity("excalidraw", "")
    changes = {
        text.replace("Shop", "Store"): [("updateNode", "b")],
        text.replace('"x": 300', '"x": 400'): [],
        more: [("createNode", "c")],
        text.replace('"arrow"', '"bar"', 2): [],
    }
    assert synchronize(opened(text).document, opened(text).document, source, whole=True).ops == ()
    for changed, ops in list(changes.items())[:3]:
        stored = opened(text).document
        elements(stored)["a"]["layout"]["x"] = 77
        done = synchronize(stored, opened(changed).document, source, whole=True)
        assert [(op["op"], op["id"]) for op in done.ops] == ops
        batch = apply_operations(stored, done.ops)
        assert batch.succeeded
        assert elements(batch.document)["a"]["layout"]["x"] == 77
