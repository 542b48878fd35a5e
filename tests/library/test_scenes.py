"""Scenes built, read, edited and drawn in a Python program, without the service."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

import scenograph
from scenograph import OperationError, Scene, SourceError

PAGE = """# Shop

```mermaid
flowchart LR
  a --> b
```

## Tables

```sql
CREATE TABLE users (id int PRIMARY KEY);
```

```sql
SELECT 1;
```
"""


@pytest.fixture
def shop() -> Scene:
    """A scene with a frame round two of its three nodes."""
    made = Scene("shop", family="architecture", title="Shop")
    web = made.node("web", "Web shop", type="client")
    with made.frame("backend", "Backend"):
        api = made.node("api", "API", type="service")
        made.node("db", "Orders", type="database")
    made.edge(web, api, "orders")
    made.edge(api, "db")
    return made


def boxes(scene: Scene) -> dict[str, object]:
    assert scene.places is not None
    return scene.places["bounds"]


def test_elements_come_into_the_frame_that_is_open(shop: Scene) -> None:
    rows = {row["id"]: row for row in shop.document["elements"]}
    assert rows["backend"]["children"] == ["api", "db"]
    assert rows["web--api"] == {
        "id": "web--api",
        "kind": "edge",
        "from": {"elementId": "web"},
        "to": {"elementId": "api"},
        "label": "orders",
    }


def test_frames_nest_and_a_parent_can_be_named(shop: Scene) -> None:
    with shop.frame("outer") as outer, shop.frame("inner"):
        shop.node("deep")
        shop.node("beside", parent=outer)
    shop.node("free")
    rows = {row["id"]: row.get("children") for row in shop.document["elements"]}
    assert rows["outer"] == ["inner", "beside"]
    assert rows["inner"] == ["deep"]
    assert not any("free" in (children or ()) for children in rows.values())


def test_members_may_be_written_with_underscores() -> None:
    scene = Scene("x", family="workflow", layout_strategy={"nodeSpacing": 60}, direction="LR")
    scene.frame("p", "Pool", type="pool", lane_direction="vertical")
    assert scene.document["layoutStrategy"] == {"nodeSpacing": 60, "direction": "LR"}
    assert scene.document["elements"][0]["laneDirection"] == "vertical"


def test_lines_between_the_same_elements_get_ids_of_their_own(shop: Scene) -> None:
    assert [shop.edge("api", "db"), shop.edge("api", "db"), shop.edge("db", "api", id="back")] == [
        "api--db-2",
        "api--db-3",
        "back",
    ]


@pytest.mark.parametrize(
    ("wrong", "kind", "word"),
    [
        (lambda scene: scene.node("web"), ValueError, "'web' already"),
        (lambda scene: scene.frame("api"), ValueError, "'api' already"),
        (lambda scene: scene.node("n", lable="N"), TypeError, "'label'"),
        (lambda scene: scene.node("n", shape="rec"), ValueError, "'rect'"),
        (lambda scene: scene.node("n", label=1), TypeError, "a string"),
        (lambda scene: scene.node("n", parent="nowhere"), ValueError, "frames: backend"),
        (lambda scene: scene.node("n", style={"width": object()}), TypeError, "JSON"),
        (lambda _: Scene("x", family="architectur"), ValueError, "'architecture'"),
        (lambda _: Scene("x y", family="workflow"), ValueError, "'id'"),
        (lambda _: Scene("x", family="workflow", direction="L"), ValueError, "TB, BT, LR, RL"),
        (lambda scene: scenograph.render(scene, theme="drk"), ValueError, "'dark'"),
        (lambda scene: scenograph.render(scene, format="gif"), ValueError, "svg, png"),
        (lambda scene: scenograph.render(scene, format="bpmn"), ValueError, "not available"),
        (lambda scene: scenograph.render(scene, scale=9), ValueError, "0.1 to 8"),
        (lambda scene: scenograph.render(scene, scale="2"), TypeError, "a number"),
        (lambda scene: scenograph.render(scene, view={"focs": ["a"]}), ValueError, "'focus'"),
        (lambda scene: scenograph.render(scene, view={"colapse": ["a"]}), ValueError, "A view has no member 'colapse'"),
        (lambda scene: scenograph.render(scene, view=["a"]), TypeError, "a mapping, not list"),
        (lambda scene: scenograph.render(scene, format=None), TypeError, "format must be text"),
        (lambda scene: scenograph.render(scene, format="pdf", embed=True), ValueError, "svg and png"),
        (lambda _: scenograph.render(3), TypeError, "not int"),
        (lambda scene: scenograph.render(scene, outlines="x"), TypeError, "outlines must be True or False"),
        (lambda scene: scenograph.render(scene, watermark=5), TypeError, "watermark must be text"),
        (lambda _: scenograph.read("a", title=5), TypeError, "title must be text"),
        (lambda _: scenograph.read("a", page="2"), TypeError, "page must be a number"),
        (lambda _: scenograph.read("a", view=3), TypeError, "view must be text"),
        (lambda _: scenograph.read("a", format="mermade"), ValueError, "'mermaid'"),
    ],
)
def test_a_wrong_argument_raises_where_it_stands(shop: Scene, wrong: object, kind: type[Exception], word: str) -> None:
    before = shop.document
    with pytest.raises(kind, match=r".") as refused:
        wrong(shop)  # type: ignore[operator]
    assert word in str(refused.value)
    assert shop.document == before


def test_what_was_drawn_keeps_its_places_when_something_joins(shop: Scene) -> None:
    scenograph.render(shop)
    before = boxes(shop)
    shop.node("mail", "Mails", type="queue")
    shop.edge("api", "mail")
    scenograph.render(shop)
    assert {name: box for name, box in boxes(shop).items() if name in before and name != "backend"} == {
        name: box for name, box in before.items() if name != "backend"
    }


def test_apply_gives_a_new_scene_that_keeps_the_picture(shop: Scene) -> None:
    scenograph.render(shop)
    later = shop.apply([{"op": "createNode", "id": "log", "label": "Log"}])
    scenograph.render(later)
    assert {name: boxes(later)[name] for name in boxes(shop)} == boxes(shop)
    assert "log" not in {row["id"] for row in shop.document["elements"]}


def test_an_operation_that_needs_places_has_them(shop: Scene) -> None:
    scenograph.render(shop)
    box = boxes(shop)["web"]
    moved = shop.apply({"op": "moveElement", "id": "web", "delta": {"dx": 30}})
    layout = moved.document["elements"][0]["layout"]
    assert (layout["mode"], layout["x"]) == ("absolute", box["x"] + 30)  # type: ignore[index]


def test_a_relayout_forgets_the_places(shop: Scene) -> None:
    scenograph.render(shop)
    assert shop.apply({"op": "relayout"}).places is None
    some = shop.apply({"op": "relayout", "ids": ["web"]}).places
    assert some is not None
    assert "web" not in some["bounds"]
    assert "api" in some["bounds"]


def test_a_refused_batch_changes_nothing_and_says_what_is_wrong(shop: Scene) -> None:
    before = shop.document
    with pytest.raises(OperationError, match=r"/ops/1/id") as refused:
        shop.apply([{"op": "deleteElement", "id": "web"}, {"op": "setText", "id": "appi", "text": "x"}])
    assert "OP_TARGET_NOT_FOUND" in {row.code for row in refused.value.diagnostics}
    assert shop.document == before


def test_a_document_given_out_is_a_copy(shop: Scene) -> None:
    shop.document["elements"].clear()
    assert shop.document["elements"]


@pytest.mark.parametrize("name", ["shop.json", "shop.svg", "shop.png"])
def test_a_saved_scene_is_read_again(shop: Scene, tmp_path: Path, name: str) -> None:
    shop.save(tmp_path / "plain.json")
    if name == "shop.json":
        scenograph.render(shop)
        shop.save(tmp_path / name)
    else:
        scenograph.render(shop, format=name[-3:], embed=True).save(tmp_path / name)
    again = scenograph.read(tmp_path / name)
    assert again.document == shop.document
    assert again.places is not None
    assert boxes(again) == boxes(shop)
    assert scenograph.read(shop.to_json()).document == shop.document


def test_a_picture_without_embed_carries_no_document(shop: Scene) -> None:
    assert "metadata" not in str(scenograph.render(shop).content)
    with pytest.raises(SourceError, match="--embed"):
        scenograph.read(scenograph.render(shop, format="png").content)


def test_a_label_that_looks_like_markup_comes_back_from_an_svg() -> None:
    scene = Scene("x", family="architecture")
    scene.node("n", "</metadata> & <script> ]]> é 😀")
    assert scenograph.read(scenograph.render(scene, embed=True).content).document == scene.document


def test_a_picture_wants_the_suffix_of_its_format_and_shows_itself(shop: Scene, tmp_path: Path) -> None:
    svg, png = scenograph.render(shop), scenograph.render(shop, format="png")
    with pytest.raises(ValueError, match=r"must end in \.png"):
        png.save(tmp_path / "shop.svg")
    with pytest.raises(ValueError, match=r"\.json or one of"):
        shop.save(tmp_path / "shop.doc")
    assert list(tmp_path.iterdir()) == []
    assert svg._repr_svg_() == svg.content == shop._repr_svg_()
    assert (svg._repr_png_(), png._repr_svg_(), png._repr_png_()) == (None, None, png.content)


def test_a_picture_is_shown_by_its_size_and_not_by_its_content(shop: Scene) -> None:
    picture = scenograph.render(shop)
    assert repr(picture) == f"<Picture svg: {picture.width:g} × {picture.height:g} px, 0 diagnostics>"


def test_a_file_in_a_folder_that_is_missing_names_the_folder(shop: Scene, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as refused:
        scenograph.render(shop).save(tmp_path / "none" / "shop.svg")
    assert refused.value.filename == str(tmp_path / "none")
    assert "No such folder" in str(refused.value)


def test_a_depth_without_a_focus_is_told(shop: Scene) -> None:
    (told,) = scenograph.render(shop, view={"depth": 2}).diagnostics
    assert (told.code, told.path) == ("NO_EFFECT", "/view/depth")
    assert scenograph.render(shop, view={"depth": 2, "focus": ["db"]}).diagnostics == ()


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("flowchart LR\n a[größe]".encode("latin-1"), "Byte 19 is not UTF-8: save the text as UTF-8."),
        (b"\xff\xfeg\x00\x00\xd8", "is not UTF-16"),
        (b"\x89ELF\x00\x01\xff", "a binary file"),
    ],
)
def test_bytes_that_are_no_text_are_told_from_text_in_another_encoding(raw: bytes, told: str) -> None:
    with pytest.raises(SourceError) as refused:
        scenograph.read(raw)
    assert told in str(refused.value)


def test_of_two_wishes_for_the_shape_of_the_page_the_other_is_told(shop: Scene) -> None:
    rows = scenograph.render(shop, view={"page": {"width": 800, "height": 600}, "aspectRatio": 3}).diagnostics
    assert ("FIELD_IGNORED", "/view/aspectRatio") in [(row.code, row.path) for row in rows]


@pytest.mark.parametrize(
    ("form", "wish", "path"),
    [("svg", {"scale": 2}, "/scale"), ("pdf", {"outlines": True}, "/text"), ("png", {"scale": 2}, None)],
)
def test_an_option_that_a_format_does_not_read_is_told(
    shop: Scene, form: str, wish: dict[str, object], path: str | None
) -> None:
    rows = [row.path for row in scenograph.render(shop, format=form, **wish).diagnostics if row.code == "NO_EFFECT"]
    assert rows == ([] if path is None else [path])


def test_a_block_of_a_source_that_is_no_page_is_told() -> None:
    with pytest.raises(SourceError, match="It looks like mermaid alone: leave out the block"):
        scenograph.read("flowchart LR\n a --> b", block=2)


def test_a_dialect_of_a_source_without_dialects_is_told() -> None:
    (told,) = scenograph.read("flowchart LR\n a --> b", dialect="mysql").diagnostics
    assert "the dialect 'mysql' is not used" in told.message.replace('"', "'")


def test_a_diagram_without_a_form_is_named_before_what_is_read() -> None:
    with pytest.raises(SourceError) as refused:
        scenograph.read('pie\n "a": 3')
    assert str(refused.value).index("a pie chart") < str(refused.value).index("sequenceDiagram")


def test_a_view_draws_a_part_and_leaves_the_places_alone(shop: Scene) -> None:
    scenograph.render(shop)
    before = shop.places
    part = scenograph.render(shop, view={"focus": ["db"], "depth": 1})
    assert shop.places == before
    assert 'data-element-id="web"' not in str(part.content)


def test_a_difference_is_drawn_where_things_stood(shop: Scene) -> None:
    later = shop.apply({"op": "createNode", "id": "new", "label": "New"})
    picture = scenograph.diff(shop, later)
    assert 'data-element-id="new"' in str(picture.content)
    assert scenograph.diff(shop.document, later.document, format="png").content[:4] == b"\x89PNG"


def test_validate_lists_everything_and_raises_for_what_is_no_source(shop: Scene) -> None:
    assert scenograph.validate(shop) == []
    assert {row.code for row in scenograph.validate({"elements": []})} >= {"MISSING_FIELD"}
    assert scenograph.validate("flowchart LR\n a --> b") == []
    with pytest.raises(SourceError):
        scenograph.validate("once upon a time")


def test_an_invalid_scene_is_refused_when_it_is_drawn(shop: Scene) -> None:
    shop.edge("api", "nowhere")
    with pytest.raises(SourceError, match="nowhere") as refused:
        scenograph.render(shop)
    assert refused.value.diagnostics[0].path == "/elements/6/to/elementId"


def test_a_text_that_names_a_file_is_told_to_be_a_path() -> None:
    with pytest.raises(SourceError, match=r"pathlib\.Path"):
        scenograph.render("schema.sql")


def test_losses_of_a_source_stand_in_its_scene_and_in_its_picture() -> None:
    scene = scenograph.read("flowchart LR\n a --> b\n ]]\n", title="Flow")
    assert scene.document["scene"]["title"] == "Flow"
    assert [row.code for row in scene.diagnostics] == ["IMPORT_LOSS"]
    assert "IMPORT_LOSS" in {row.code for row in scenograph.render(scene).diagnostics}


def test_a_block_of_a_page_is_chosen_by_number_or_heading() -> None:
    assert scenograph.read(PAGE, block=1).document["elements"][0]["id"] == "a"
    assert scenograph.read(PAGE, block="tables").document["elements"][0]["id"] == "users"
    with pytest.raises(SourceError, match=r"1 'Shop' \(mermaid, line 3\); 2 'Tables' \(sql, line 10\)"):
        scenograph.read(PAGE)
    with pytest.raises(SourceError, match="The page has 2"):
        scenograph.read(PAGE, block=3)


def test_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(scenograph, raise_on_error=True).attempted > 4


MEASURED = """
import socket, subprocess, sys, time, json
def refuse(*_, **__): raise AssertionError("not in the library")
socket.socket.__init__ = refuse
subprocess.Popen.__init__ = refuse
import os; os.fork = refuse
before = {name for name in sys.modules}
start = time.process_time()
import scenograph
assert "scenograph.engine" not in sys.modules
scene = scenograph.Scene("ten", family="architecture")
for n in range(10):
    scene.node(f"n{n}", f"Node {n}", type="service")
    if n: scene.edge(f"n{n-1}", f"n{n}")
scenograph.render(scene)
print(json.dumps({"seconds": time.process_time() - start, "modules": [*sys.modules]}))
"""


def test_the_library_starts_no_process_opens_no_socket_and_imports_no_service() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    packages = {name.partition(".")[0] for name in told["modules"]}
    assert not packages & {"sqlalchemy", "fastapi", "starlette", "pydantic", "anyio", "httpx2", "click", "yaml"}
    rooms = {name.removeprefix("scenograph.") for name in told["modules"]}
    assert not {"http", "service", "storage", "workers", "reading.readers"} & rooms
