"""The hands of the studio by real gestures: sizes, lines, order, and a panel that hides nothing of what it is about."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from local_servers.service import Service
from playwright.sync_api import FloatRect, expect
from tests.pages.tab import Tab, kept, opened, scene, stored

Make = Callable[[], Tab]


def elements(server: Service, scene_id: str) -> dict[str, Any]:
    return {element["id"]: element for element in stored(server, scene_id)["scene"]["elements"]}


def box_of(tab: Tab, element_id: str) -> FloatRect:
    box = tab.element(element_id).bounding_box()
    assert box is not None
    return box


def pull(tab: Tab, grip: str, dx: float, dy: float) -> None:
    """Drag the middle of a mark, once the picture is drawn, without keeping to what stands near."""
    expect(tab.page.locator("#stage")).to_have_attribute("aria-busy", "false")
    box = tab.page.locator(grip).first.bounding_box()
    assert box is not None
    x, y, mouse = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, tab.page.mouse
    tab.page.keyboard.down("Alt")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + dx / 2, y + dy / 2, steps=4)
    mouse.move(x + dx, y + dy, steps=4)
    mouse.up()
    tab.page.keyboard.up("Alt")


def test_a_grip_gives_a_node_a_size_and_moves_nothing_else(tab: Make, server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    before = stored(server, scene_id)["computed"]["bounds"]
    studio.element("gamma").click()
    pull(studio, "[data-grip=sw]", -40, 30)
    studio.state("Kept, revision 2")
    after = stored(server, scene_id)["computed"]["bounds"]
    was = before["gamma"]
    grown = {"x": was["x"] - 40, "y": was["y"], "width": was["width"] + 40, "height": was["height"] + 30}
    assert after["gamma"] == pytest.approx(grown, abs=1)
    assert {name for name, box in after.items() if box != before[name]} == {"gamma"}
    studio.page.get_by_role("button", name="Let the engine size it").click()
    studio.state("Kept, revision 3")
    assert "width" not in elements(server, scene_id)["gamma"]["layout"]
    studio.page.locator("#stage").press("Control+z")
    studio.state("Kept, revision 4")
    assert stored(server, scene_id)["computed"]["bounds"] == after


def test_a_frame_is_resized_round_content_that_stands_still_and_never_into_it(tab: Make, server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    before = stored(server, scene_id)["computed"]["bounds"]
    studio.page.locator("[data-element-id=box] text").first.click()
    pull(studio, "[data-grip=nw]", -30, -20)
    studio.state("Kept, revision 2")
    after = stored(server, scene_id)["computed"]["bounds"]
    for inner in ("beta", "delta"):
        assert after[inner] == before[inner]
    assert (after["box"]["x"], after["box"]["y"]) == (before["box"]["x"] - 30, before["box"]["y"] - 20)
    pull(studio, "[data-grip=se]", 60, 50)
    studio.state("Kept, revision 3")
    pull(studio, "[data-grip=se]", -300, -300)
    studio.state("Kept, revision 4")
    expect(studio.page.locator("#notes")).to_contain_text("as small as its content allows")
    least = stored(server, scene_id)["computed"]["bounds"]
    for inner in ("beta", "delta"):
        assert least[inner] == before[inner]
        assert least[inner]["x"] + least[inner]["width"] <= least["box"]["x"] + least["box"]["width"]
        assert least[inner]["y"] + least[inner]["height"] <= least["box"]["y"] + least["box"]["height"]


def test_a_size_that_is_too_small_for_its_words_is_told(tab: Make, server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    studio.element("gamma").click()
    grip = studio.page.locator("[data-grip=se]").bounding_box()
    assert grip is not None
    mouse = studio.page.mouse
    mouse.move(grip["x"] + 9, grip["y"] + 9)
    mouse.down()
    mouse.move(grip["x"] - 300, grip["y"] - 300, steps=5)
    expect(studio.page.locator(".marks .size")).to_have_text("16 × 16: as small as it can be")
    mouse.move(grip["x"] - 60, grip["y"] - 15, steps=5)
    expect(studio.page.locator(".marks .size")).to_contain_text("its words need a height of")
    studio.page.keyboard.press("Escape")
    mouse.up()
    expect(studio.page.locator(".marks .size")).to_have_count(0)
    studio.state("Kept, revision 1")


def test_keys_alone_resize_and_connect(tab: Make, server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    before = stored(server, scene_id)["computed"]["bounds"]["gamma"]
    press = studio.page.keyboard.press
    studio.page.locator("#stage").focus()
    press("/")
    expect(studio.page.get_by_role("dialog")).to_be_visible()
    studio.page.keyboard.type("gamm")
    press("Enter")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        press(f"Shift+Alt+{key}")
    studio.state("Kept, revision 2")
    after = stored(server, scene_id)["computed"]["bounds"]["gamma"]
    assert after == before | {"width": before["width"] + 16, "height": before["height"] + 8}
    press("c")
    press("Alt+ArrowUp")
    press("Enter")
    studio.state("Kept, revision 3")
    line = elements(server, scene_id)["line-1"]
    assert (line["from"]["elementId"], line["to"]["elementId"]) == ("gamma", "alpha")


def test_a_line_is_drawn_from_a_handle_to_another_node(tab: Make, server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    studio.element("gamma").click()
    handle = studio.page.locator("[data-handle=right]").bounding_box()
    assert handle is not None
    x, y = studio.middle("delta")
    mouse = studio.page.mouse
    mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    mouse.down()
    mouse.move(x, y, steps=6)
    expect(studio.page.locator(".marks .aim")).to_have_count(1)
    mouse.up()
    studio.state("Kept, revision 2")
    line = elements(server, scene_id)["line-1"]
    assert (line["from"]["elementId"], line["to"]["elementId"]) == ("gamma", "delta")
    expect(studio.page.locator("#details h2")).to_have_text("line-1")


def test_what_is_selected_is_aligned_and_each_is_one_step_back(tab: Make, server: Service) -> None:
    made = scene()
    places = {"alpha": (0, 0), "gamma": (60, 110), "beta": (300, 220), "delta": (300, 340)}
    for element in made["elements"][:4]:
        x, y = places[element["id"]]
        element["layout"] = {"mode": "absolute", "x": x, "y": y, "width": 100 + y / 10, "height": 40 + x / 10}
    scene_id = kept(server, made)
    before = stored(server, scene_id)["computed"]["bounds"]
    studio = opened(tab(), scene_id)
    studio.element("alpha").click()
    studio.element("gamma").click(modifiers=["Shift"])
    lines = [
        ("Left edges", "x", "width", 0.0),
        ("Centres", "x", "width", 0.5),
        ("Right edges", "x", "width", 1.0),
        ("Top edges", "y", "height", 0.0),
        ("Middles", "y", "height", 0.5),
        ("Bottom edges", "y", "height", 1.0),
    ]
    for number, (row, axis, size, share) in enumerate(lines):
        studio.page.get_by_role("button", name="Align").click()
        studio.page.get_by_role("menuitem", name=row).click()
        studio.state(f"Kept, revision {2 * number + 2}")
        bounds = stored(server, scene_id)["computed"]["bounds"]
        aligned = [bounds[name][axis] + share * bounds[name][size] for name in ("alpha", "gamma")]
        assert aligned[0] == pytest.approx(aligned[1], abs=1), row
        studio.page.locator("#stage").press("Control+z")
        studio.state(f"Kept, revision {2 * number + 3}")
        assert stored(server, scene_id)["computed"]["bounds"] == before, row


def test_gaps_become_equal(tab: Make, server: Service) -> None:
    made = scene(elements=scene()["elements"][:4])
    for element, x in zip(made["elements"], (0, 130, 400, 700), strict=True):
        element["layout"] = {"mode": "absolute", "x": x, "y": x / 7, "width": 96, "height": 48}
    scene_id = kept(server, made)
    studio = opened(tab(), scene_id)
    studio.page.locator("#stage").press("Control+a")
    studio.page.get_by_role("button", name="Align").click()
    studio.page.get_by_role("menuitem", name="Equal gaps across").click()
    studio.state("Kept, revision 2")
    bounds = stored(server, scene_id)["computed"]["bounds"]
    lefts = [bounds[name]["x"] for name in ("alpha", "beta", "gamma", "delta")]
    gaps = [after - before for before, after in pairwise(lefts)]
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("size", [(1280, 800), (700, 600), (360, 640)])
def test_the_panel_hides_nothing_of_what_is_selected(tab: Make, server: Service, size: tuple[int, int]) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    if studio.page.locator("#source").is_visible() and size[0] < 900:
        studio.page.get_by_role("button", name="Text", exact=True).click()
    studio.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in ("alpha", "beta", "delta", "gamma", "alpha-beta"):
        studio.page.locator("#stage").press("/")
        expect(studio.page.get_by_role("dialog")).to_be_visible()
        studio.page.keyboard.type(name)
        studio.page.keyboard.press("Enter")
        expect(studio.page.locator("#details .fields")).to_be_visible()
        assert studio.page.evaluate(COMES_FREE, name), name


COMES_FREE = """async (id) => {
  const covered = () => {
    const panel = document.querySelector("#details").getBoundingClientRect();
    const box = document.querySelector(`.picture [data-element-id="${id}"]`).getBoundingClientRect();
    return box.right > panel.left && box.left < panel.right && box.bottom > panel.top && box.top < panel.bottom;
  };
  for (const end = performance.now() + 5000; covered(); await new Promise(requestAnimationFrame)) {
    if (performance.now() > end) return false;
  }
  return true;
}"""
