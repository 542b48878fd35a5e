"""What people have made in the studio stays theirs until they say otherwise; menus and files are for every reader."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from local_servers.service import Service
from playwright.sync_api import Browser, expect
from tests.pages.tab import Tab, kept, opened, scene, stored

QUESTION = "Replace this diagram?"


@pytest.mark.parametrize("text", ["{}", '{"elements": [null]}', '{"scene": {}, "elements": 7}'])
def test_keys_that_edit_do_nothing_in_what_is_no_scene_yet(tab: Callable[[], Tab], text: str) -> None:
    studio = tab().open()
    studio.write(text)
    expect(studio.page.locator(".findings")).to_contain_text("error")
    studio.page.locator("#stage").focus()
    for key in ("n", "t", "g", "c", "Delete"):
        studio.page.keyboard.press(key)
    expect(studio.page.get_by_label("Text of the diagram")).to_have_value(text)
    studio.faults = [fault for fault in studio.faults if "422" not in fault]  # what is no scene is refused


def test_the_undo_of_a_message_takes_back_its_own_edit_alone(tab: Callable[[], Tab], server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    studio.element("gamma").click()
    studio.page.keyboard.press("Delete")
    studio.state("Kept, revision 2")
    studio.element("alpha").dblclick()
    studio.page.keyboard.type("Renamed")
    studio.page.keyboard.press("Enter")
    studio.state("Kept, revision 3")
    studio.page.locator(".note").get_by_role("button", name="Undo").click()
    studio.state("Kept, revision 4")
    labels = {row["id"]: row.get("label") for row in stored(server, scene_id)["scene"]["elements"]}
    assert labels["gamma"] == "Gamma"
    assert labels["alpha"] == "Renamed"
    assert "alpha-gamma" in labels


def test_work_that_is_not_kept_is_replaced_only_after_a_question(tab: Callable[[], Tab], server: Service) -> None:
    scene_id = kept(server, scene())
    studio = tab().open().sign_in()
    studio.write(json.dumps(scene()))
    expect(studio.element("delta")).to_be_visible()
    question = studio.page.get_by_role("dialog", name=QUESTION)

    def example() -> None:
        studio.page.get_by_role("button", name="Examples").click()
        studio.page.get_by_role("menuitem", name="A web shop").click()

    def paste() -> None:
        studio.page.evaluate("navigator.clipboard.writeText('flowchart LR\\n tea --> cup')")
        studio.page.locator("#stage").focus()
        studio.page.keyboard.press("Control+v")

    def choose() -> None:
        studio.page.get_by_role("button", name="Scenes").click()
        studio.page.get_by_role("dialog", name="Your scenes").get_by_role("button", name="Four boxes").first.click()

    for act in (example, paste, choose):
        act()
        question.get_by_role("button", name="Go on with it").click()
        expect(question).to_have_count(0)
        expect(studio.element("delta")).to_be_visible()
        studio.state("Not kept")
    example()
    question.get_by_role("button", name="Replace").click()
    expect(studio.element("gateway")).to_be_visible()
    choose()
    expect(question).to_have_count(0)
    expect(studio.page.locator("#state")).to_contain_text("Kept, revision")
    assert scene_id


@pytest.mark.parametrize("size", [(1280, 800), (360, 420)])
def test_menus_are_as_wide_as_all_their_entries_and_stay_within_the_window(
    browser: Browser, server: Service, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    studio = Tab(context.new_page(), server).open()
    if size[0] < 900:
        studio.page.get_by_role("button", name="Text", exact=True).click()
    studio.page.get_by_role("button", name="Examples").click()
    menu = studio.page.get_by_role("menu")
    box = menu.bounding_box()
    assert box is not None
    assert box["width"] <= min(420, size[0])
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size[1]
    assert menu.evaluate("menu => menu.scrollWidth <= menu.clientWidth")
    over = "menu => [...menu.querySelectorAll('button')].every((row) => row.scrollWidth <= row.clientWidth)"
    assert menu.evaluate(over)
    context.close()


def test_files_have_the_scenes_own_theme_and_not_the_desktops(browser: Browser, server: Service) -> None:
    context = browser.new_context(color_scheme="dark", accept_downloads=True)
    studio = Tab(context.new_page(), server).open()
    studio.write(json.dumps(scene()))
    expect(studio.element("delta")).to_be_visible()
    asked: list[str | None] = []
    studio.page.on(
        "request",
        lambda request: (
            asked.append((request.post_data_json or {}).get("theme"))
            if request.url.endswith("/v1/scenes/render") and (request.post_data_json or {}).get("format") == "svg"
            else None
        ),
    )
    with studio.page.expect_download():
        studio.page.locator("#tools").get_by_role("button", name="Download").click()
        studio.page.get_by_role("menuitem", name="SVG").last.click()
    assert asked == [None]
    assert studio.faults == []
    context.close()
