"""Drawing by hand from an empty canvas: what is made, where it is made, and that nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services
from playwright.sync_api import Browser, FloatRect, Route, expect
from tests.pages.tab import Tab, kept, ready, scene, stored

WIDE = {"width": 1280, "height": 800}
LEFT, RIGHT, LOWER = (620.0, 240.0), (900.0, 240.0), (900.0, 460.0)
Draw = Callable[[], Tab]


def drawn(tab: Tab) -> dict[str, Any]:
    """The elements of the document, by id, once its picture is drawn."""
    expect(tab.page.locator("#stage")).to_have_attribute("aria-busy", "false")
    return {element["id"]: element for element in tab.document()["elements"]}


def middle(box: FloatRect | None) -> tuple[float, float]:
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def box_at(tab: Tab, at: tuple[float, float], name: str) -> None:
    tab.page.mouse.dblclick(*at)
    tab.page.keyboard.type(name)
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".picture").get_by_text(name, exact=True)).to_be_visible()


def pull(tab: Tab, start: tuple[float, float], end: tuple[float, float], *, drop: bool = True) -> None:
    mouse = tab.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    mouse.move(*end, steps=4)
    if drop:
        mouse.up()


def handle(tab: Tab, name: str) -> tuple[float, float]:
    return middle(tab.page.locator(f"[data-handle={name}]").first.bounding_box())


@pytest.mark.parametrize("name", ["API", "A name that is much longer than the box was at first"])
@pytest.mark.parametrize("by", ["double click", "key"])
def test_a_new_box_has_its_middle_where_the_pointer_was_and_the_name_that_is_typed(
    draw: Draw, by: str, name: str
) -> None:
    studio = draw()
    if by == "key":
        studio.page.mouse.move(*RIGHT)
        studio.page.keyboard.press("n")
    else:
        studio.page.mouse.dblclick(*RIGHT)
    studio.page.keyboard.type(name)
    studio.page.keyboard.press("Enter")
    expect(studio.element("node-1")).to_contain_text(name.split(maxsplit=1)[0])
    assert [element["label"] for element in drawn(studio).values()] == [name]
    assert studio.middle("node-1") == pytest.approx(RIGHT, abs=1.5)
    expect(studio.page.locator("body")).to_have_attribute("data-state", "unkept")


@pytest.mark.parametrize("family", ["Architecture", "Sequence"])
def test_a_name_is_typed_without_a_pause_after_the_key_that_makes_a_joined_box(draw: Draw, family: str) -> None:
    studio = draw()
    studio.page.get_by_title("Kind of diagram").click()
    studio.page.get_by_role("menuitemradio", name=family).click()
    studio.page.mouse.move(*LEFT)
    studio.page.keyboard.type("nOne\n")
    expect(studio.element("node-1")).to_contain_text("One")
    studio.page.keyboard.type("nTwo\n")
    expect(studio.element("node-2")).to_contain_text("Two")
    assert sorted(element.get("label", "line") for element in drawn(studio).values())[:2] == ["One", "Two"]


def test_making_and_naming_a_box_is_one_step_back(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "First")
    box_at(studio, RIGHT, "Second")
    studio.page.keyboard.press("Control+z")
    expect(studio.element("node-2")).to_have_count(0)
    assert [element["label"] for element in drawn(studio).values()] == ["First"]
    studio.page.keyboard.press("Control+y")
    expect(studio.element("node-2")).to_contain_text("Second")


def test_escape_leaves_the_name_and_not_the_box(draw: Draw) -> None:
    studio = draw()
    studio.page.mouse.dblclick(*LEFT)
    studio.page.keyboard.type("Never mind")
    studio.page.keyboard.press("Escape")
    expect(studio.element("node-1")).to_be_visible()
    assert drawn(studio)["node-1"]["label"] == "New"


def test_a_button_of_the_palette_makes_its_type_by_a_click_and_by_a_drag(draw: Draw) -> None:
    studio = draw()
    palette = studio.page.get_by_role("toolbar", name="Palette")
    palette.get_by_role("button", name="Database").click()
    studio.page.keyboard.press("Escape")
    pull(studio, middle(palette.get_by_role("button", name="Queue").bounding_box()), LOWER)
    studio.page.keyboard.type("Orders")
    studio.page.keyboard.press("Enter")
    expect(studio.element("node-2")).to_contain_text("Orders")
    made = drawn(studio)
    assert [made[name]["nodeType"] for name in ("node-1", "node-2")] == ["database", "queue"]
    assert studio.middle("node-2") == pytest.approx(LOWER, abs=1.5)


def test_the_palette_has_the_types_of_the_chosen_kind_of_diagram(draw: Draw) -> None:
    studio = draw()
    palette = studio.page.get_by_role("toolbar", name="Palette")
    palette.get_by_role("button", name="Architecture").click()
    studio.page.get_by_role("menuitemradio", name="Workflow").click()
    palette.get_by_role("button", name="Task", exact=True).click()
    studio.page.keyboard.type("Pack")
    studio.page.keyboard.press("Enter")
    expect(studio.element("node-1")).to_contain_text("Pack")
    assert studio.document()["diagramFamily"] == "workflow"
    assert drawn(studio)["node-1"]["nodeType"] == "workflow.task"


def test_a_line_from_a_handle_ends_at_a_box_at_a_side_or_at_a_new_box(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "From")
    box_at(studio, RIGHT, "To")
    studio.page.mouse.click(*LEFT)
    pull(studio, handle(studio, "right"), RIGHT)
    expect(studio.element("line-1")).to_be_visible()
    studio.page.keyboard.press("Escape")
    studio.page.mouse.click(*LEFT)
    box = studio.element("node-2").bounding_box()
    assert box is not None
    pull(studio, handle(studio, "bottom"), (box["x"] + box["width"] / 2, box["y"] + box["height"] - 1))
    expect(studio.element("line-2")).to_be_visible()
    studio.page.keyboard.press("Escape")
    studio.page.mouse.click(*LEFT)
    pull(studio, handle(studio, "bottom"), (LEFT[0], LOWER[1]))
    studio.page.keyboard.type("New one")
    studio.page.keyboard.press("Enter")
    expect(studio.element("node-3")).to_contain_text("New one")
    made = drawn(studio)
    ends = [(made[name]["from"], made[name]["to"]) for name in ("line-1", "line-2", "line-3")]
    assert ends == [
        ({"elementId": "node-1"}, {"elementId": "node-2"}),
        ({"elementId": "node-1"}, {"elementId": "node-2", "port": "bottom"}),
        ({"elementId": "node-1"}, {"elementId": "node-3"}),
    ]
    assert studio.middle("node-3") == pytest.approx((LEFT[0], LOWER[1]), abs=1.5)


def test_a_frame_is_dragged_out_and_takes_what_lies_wholly_inside(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Inside")
    box_at(studio, RIGHT, "Outside")
    studio.page.keyboard.press("Escape")
    studio.page.keyboard.press("r")
    pull(studio, (LEFT[0] - 90, LEFT[1] - 70), (RIGHT[0], LEFT[1] + 70))
    studio.page.keyboard.type("Zone")
    studio.page.keyboard.press("Enter")
    expect(studio.element("frame-1")).to_contain_text("Zone")
    frame = drawn(studio)["frame-1"]
    assert (frame["title"], frame["children"]) == ("Zone", ["node-1"])
    assert studio.middle("node-1") == pytest.approx(LEFT, abs=1.5)


def test_a_drop_goes_into_the_lit_frame_and_out_of_it_and_back_by_undo(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Wanderer")
    studio.page.keyboard.press("Escape")
    studio.page.keyboard.press("r")
    pull(studio, (RIGHT[0] - 150, LOWER[1] - 90), (RIGHT[0] + 150, LOWER[1] + 90))
    studio.page.keyboard.press("Escape")
    expect(studio.element("frame-1")).to_be_visible()
    pull(studio, LEFT, LOWER, drop=False)
    expect(studio.page.locator("[data-drop-target]")).to_have_attribute("data-element-id", "frame-1")
    studio.page.mouse.up()
    expect(studio.page.locator("[data-drop-target]")).to_have_count(0)
    assert drawn(studio)["frame-1"]["children"] == ["node-1"]
    assert studio.middle("node-1") == pytest.approx(LOWER, abs=8)
    pull(studio, studio.middle("node-1"), LEFT)
    assert drawn(studio)["frame-1"]["children"] == []
    studio.page.keyboard.press("Control+z")
    assert drawn(studio)["frame-1"]["children"] == ["node-1"]


def test_a_line_by_its_key_ends_at_a_click_and_its_own_box_makes_a_loop(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "From")
    box_at(studio, RIGHT, "To")
    details = studio.page.locator("#details")
    for end in (RIGHT, LEFT):
        studio.page.mouse.click(*LEFT)
        expect(details).to_be_visible()
        studio.page.keyboard.press("c")
        expect(details).to_have_css("pointer-events", "none")  # what lies under the panel can be chosen
        studio.page.mouse.click(*end)
        expect(details).to_have_css("pointer-events", "auto")
        studio.page.keyboard.press("Escape")
    expect(studio.element("line-2")).to_be_visible()
    made = drawn(studio)
    assert {name for name in made if name.startswith("node")} == {"node-1", "node-2"}
    ends = [[made[name][end]["elementId"] for end in ("from", "to")] for name in ("line-1", "line-2")]
    assert ends == [["node-1", "node-2"], ["node-1", "node-1"]]


def test_lines_follow_what_is_dragged_and_the_view_stays(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Still")
    box_at(studio, RIGHT, "Moving")
    studio.page.mouse.click(*LEFT)
    studio.page.keyboard.down("Shift")
    studio.page.mouse.click(*RIGHT)
    studio.page.keyboard.up("Shift")
    studio.page.keyboard.press("c")
    expect(studio.element("line-1")).to_be_visible()
    pull(studio, RIGHT, LOWER, drop=False)
    line = studio.page.locator(".marks :is(.following, .routed)").first.bounding_box()
    assert line is not None
    assert line["y"] + line["height"] > LOWER[1] - 40
    studio.page.mouse.up()
    assert drawn(studio)
    assert studio.middle("node-1") == pytest.approx(LEFT, abs=1.5)
    assert studio.middle("node-2") == pytest.approx(LOWER, abs=8)


def test_copies_go_where_the_pointer_is_also_into_another_tab_and_keep_their_lines(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    box_at(studio, RIGHT, "Two")
    studio.page.keyboard.press("Control+a")
    studio.page.keyboard.press("c")
    expect(studio.element("line-1")).to_be_visible()
    studio.page.keyboard.press("Control+a")
    studio.page.keyboard.press("Control+c")
    studio.page.mouse.move((LEFT[0] + RIGHT[0]) / 2, LOWER[1])
    studio.page.keyboard.press("Control+v")
    expect(studio.page.locator(".picture").get_by_text("Two", exact=True)).to_have_count(2)
    made = drawn(studio)
    assert (made["line-2"]["from"]["elementId"], made["line-2"]["to"]["elementId"]) == ("node-3", "node-4")
    assert studio.middle("node-3") == pytest.approx((LEFT[0], LOWER[1]), abs=2)
    studio.page.keyboard.press("Control+x")
    expect(studio.element("node-3")).to_have_count(0)
    other = draw()
    other.page.get_by_role("button", name="New", exact=True).click()
    other.page.mouse.move(*LEFT)
    other.page.keyboard.press("Control+v")
    expect(other.page.locator(".picture").get_by_text("Two", exact=True)).to_be_visible()
    assert len(drawn(other)) == 3
    other.page.keyboard.press("Control+d")
    expect(other.page.locator(".picture").get_by_text("Two", exact=True)).to_have_count(2)


def test_the_ends_and_the_bends_of_a_line_go_where_they_are_pulled(draw: Draw) -> None:
    studio = draw()
    for at, name in ((LEFT, "A"), (RIGHT, "B"), (LOWER, "C")):
        box_at(studio, at, name)
    studio.page.mouse.click(*LEFT)
    pull(studio, handle(studio, "right"), RIGHT)
    expect(studio.page.locator("[data-handle=to]")).to_be_visible()
    x, y = handle(studio, "bend")
    pull(studio, (x, y), (x, y + 80))
    expect(studio.page.locator("[data-bend]")).to_have_count(1)
    line = drawn(studio)["line-1"]
    assert (line["router"], len(line["waypoints"])) == ("polyline", 1)
    pull(studio, handle(studio, "to"), LOWER)
    assert drawn(studio)["line-1"]["to"] == {"elementId": "node-3"}
    studio.page.locator("#stage").press("ContextMenu")
    studio.page.get_by_role("menuitem", name="Straighten").click()
    assert "waypoints" not in drawn(studio)["line-1"]
    studio.page.keyboard.press("Control+z")
    assert len(drawn(studio)["line-1"]["waypoints"]) == 1


def test_the_menu_of_what_is_under_the_pointer_and_of_blank(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Only")
    studio.page.mouse.click(*LEFT, button="right")
    menu = studio.page.get_by_role("menu")
    box = menu.bounding_box()
    assert box is not None
    assert box["width"] <= 420
    menu.get_by_role("menuitem", name="Duplicate").click()
    expect(studio.page.locator(".picture").get_by_text("Only", exact=True)).to_have_count(2)
    studio.page.mouse.click(*LOWER, button="right")
    studio.page.get_by_role("menuitem", name="New text").click()
    studio.page.keyboard.type("A remark")
    studio.page.keyboard.press("Enter")
    expect(studio.element("text-1")).to_contain_text("A remark")
    assert studio.middle("text-1") == pytest.approx(LOWER, abs=1.5)


def test_what_was_drawn_is_back_after_a_reload_with_its_steps_and_in_another_tab_after_a_crash(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    box_at(studio, RIGHT, "Two")
    studio.page.reload()
    expect(studio.element("node-2")).to_contain_text("Two")
    studio.page.locator("#stage").press("Control+z")
    expect(studio.element("node-2")).to_have_count(0)
    box_at(studio, LOWER, "Three")
    studio.page.close()
    again = draw()
    expect(again.page.locator(".picture").get_by_text("Three", exact=True)).to_be_visible()
    other = draw()
    expect(other.page.locator("#hint")).to_be_visible()
    expect(other.element("node-1")).to_have_count(0)


def test_nothing_is_drawn_or_written_until_the_draft_is_back(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Mine")
    studio.page.add_init_script(
        """if (location.protocol !== "about:" && sessionStorage.getItem("slow")) {
            const request = navigator.locks.request.bind(navigator.locks);
            const go = new Promise((resolve) => { window.find = resolve; });
            navigator.locks.request = (...given) => go.then(() => request(...given));
        }"""
    )
    studio.page.evaluate("sessionStorage.setItem('slow', '1')")
    studio.page.reload()
    text = studio.page.get_by_label("Text of the diagram")
    expect(text).not_to_be_editable()
    studio.page.mouse.dblclick(*RIGHT)
    studio.page.evaluate("window.find()")
    expect(text).to_have_value(re.compile("Mine"))
    expect(studio.element("node-2")).to_have_count(0)
    studio.write("flowchart LR\n  a[Written] --> b")
    expect(studio.page.locator(".picture").get_by_text("Written", exact=True)).to_be_visible()


def test_what_is_replaced_after_the_question_is_one_step_back(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Mine")
    studio.page.get_by_role("button", name="New", exact=True).click()
    studio.page.get_by_role("button", name="Replace").click()
    expect(studio.element("node-1")).to_have_count(0)
    box_at(studio, RIGHT, "Other")
    studio.page.keyboard.press("Control+z")
    studio.page.keyboard.press("Control+z")
    expect(studio.page.locator(".picture").get_by_text("Mine", exact=True)).to_be_visible()


def test_the_keyboard_goes_through_the_elements_and_leaves_the_picture(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    box_at(studio, RIGHT, "Two")
    studio.page.keyboard.press("Escape")
    stage, press = studio.page.locator("#stage"), studio.page.keyboard.press
    press("Tab")  # Escape was the last key: out of the picture
    expect(stage).not_to_be_focused()
    stage.focus()
    press("Tab")
    expect(studio.element("node-1")).to_have_attribute("aria-selected", "true")
    expect(stage).to_have_attribute("aria-activedescendant", studio.element("node-1").get_attribute("id") or "")
    press("Tab")
    expect(studio.element("node-1")).to_have_attribute("aria-selected", "false")
    expect(studio.element("node-2")).to_have_attribute("aria-selected", "true")
    press("Tab")
    expect(stage).not_to_be_focused()


def test_keep_makes_a_scene_with_an_address_that_opens_it_again(draw: Draw, server: Service) -> None:
    studio = draw()
    box_at(studio, LEFT, "Kept")
    studio.page.get_by_label("Title").fill("A plan")
    studio.page.keyboard.press("Enter")
    studio.sign_in()
    studio.page.locator("#stage").press("Control+s")
    studio.state("Kept, revision 1")
    expect(studio.page.locator("body")).to_have_attribute("data-state", "kept")
    scene_id = studio.page.url.rpartition("/scenes/")[2]
    assert stored(server, scene_id)["scene"]["scene"]["title"] == "A plan"
    box_at(studio, RIGHT, "Later")
    expect(studio.page.locator("#state")).to_contain_text("Kept, revision")
    studio.page.reload()
    expect(studio.page.locator("#wanted")).to_be_visible()
    studio.sign_in()
    expect(studio.page.locator(".picture").get_by_text("Later", exact=True)).to_be_visible()
    expect(studio.page.get_by_label("Title")).to_have_value("A plan")
    studio.page.get_by_role("button", name="Account").click()
    studio.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(studio.page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(studio.page.locator(".picture [data-element-id]")).to_have_count(0)


def kept_drawing(studio: Tab) -> str:
    """Signed in and kept; its id."""
    studio.sign_in()
    studio.page.locator("#stage").press("Control+s")
    studio.state("Kept, revision 1")
    return studio.page.url.rpartition("/scenes/")[2]


def asked(tab: Tab) -> list[str]:
    """Calls of the API from now on, as they happen."""
    calls: list[str] = []
    tab.page.on("request", lambda request: calls.append(request.url) if "/v1/" in request.url else None)
    return calls


def test_an_edit_is_one_request_that_brings_its_picture_kept_or_not(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "Alone")
    calls = asked(studio)
    pull(studio, LEFT, RIGHT)
    drawn(studio)
    assert [call.rpartition("/v1/")[2] for call in calls] == ["scenes/render"]
    kept_drawing(studio)
    calls.clear()
    pull(studio, RIGHT, LOWER)
    studio.state("Kept, revision 2")
    assert studio.middle("node-1") == pytest.approx(LOWER, abs=8)
    studio.page.keyboard.press("Control+z")
    studio.state("Kept, revision 3")
    assert studio.middle("node-1") == pytest.approx(RIGHT, abs=8)
    edits = [call for call in calls if "/events" not in call and "/comments" not in call]
    assert [call.rpartition("/")[2] for call in edits] == ["applyOps", "restore"]


COPIED_FOUR_TIMES = """for (let press = 0; press < 4; press++) document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key: "d", code: "KeyD", ctrlKey: true, bubbles: true, cancelable: true }))"""


def test_edits_in_quick_succession_go_together(draw: Draw, server: Service) -> None:
    studio = draw()
    box_at(studio, LEFT, "Alone")
    scene_id = kept_drawing(studio)
    calls = asked(studio)
    studio.page.mouse.click(*LEFT)
    studio.page.evaluate(COPIED_FOUR_TIMES)  # in one moment, also on a slow machine
    expect(studio.page.locator(".picture").get_by_text("Alone", exact=True)).to_have_count(5)
    drawn(studio)
    assert len(stored(server, scene_id)["scene"]["elements"]) == 5
    assert sum(call.endswith("/applyOps") for call in calls) == 1


def refusal(trouble: int | str) -> Callable[[Route], None]:
    if trouble == "away":
        return lambda route: route.abort()
    return lambda route: route.fulfill(status=int(trouble), json={"error": "Later."})


def test_the_text_follows_the_picture_and_whoever_is_about_to_write_has_it_at_once(draw: Draw) -> None:
    studio = draw()
    for at, name in ((LEFT, "Stays"), (RIGHT, "Goes")):
        box_at(studio, at, name)
    assert {"node-1", "node-2"} <= set(drawn(studio))
    studio.page.mouse.click(*studio.middle("node-2"))
    studio.page.keyboard.press("Delete")
    written = studio.page.evaluate(
        "() => { const text = document.querySelector('#text'); text.focus(); return text.value; }"
    )
    assert "Stays" in written
    assert "Goes" not in written
    studio.page.mouse.click(*studio.middle("node-1"))
    studio.page.keyboard.press("Delete")
    expect(studio.page.get_by_label("Text of the diagram")).not_to_have_value(re.compile("Stays"))


@pytest.mark.long
def test_edits_wait_while_the_service_is_away_or_busy_and_are_sent_afterwards(draw: Draw, server: Service) -> None:
    studio = draw()
    box_at(studio, LEFT, "Alone")
    scene_id = kept_drawing(studio)
    for trouble in ("away", 503, 429):
        number = stored(server, scene_id)["revision"]

        studio.page.route("**/applyOps", refusal(trouble))
        studio.page.mouse.click(*studio.middle("node-1"))
        studio.page.keyboard.press("ArrowDown")
        state = "offline" if trouble == "away" else "keeping"
        expect(studio.page.locator("body")).to_have_attribute("data-state", state)
        text = studio.page.get_by_label("Text of the diagram")
        expect(text).not_to_have_attribute("aria-busy", "true")
        before = text.input_value()
        studio.page.keyboard.press("ArrowDown")
        expect(text).not_to_have_value(before)  # steps of the keys are an edit once they rest
        studio.page.unroute("**/applyOps")
        expect(studio.page.locator("body")).to_have_attribute("data-state", "kept")
        assert stored(server, scene_id)["revision"] > number
    assert stored(server, scene_id)["computed"]["bounds"]["node-1"]["y"] == pytest.approx(
        drawn(studio)["node-1"]["layout"]["y"]
    )
    studio.faults.clear()  # the browser tells of each refusal


def test_edits_that_were_not_sent_come_back_with_the_scene(draw: Draw, server: Service) -> None:
    studio = draw()
    box_at(studio, LEFT, "Alone")
    scene_id = kept_drawing(studio)
    studio.page.route("**/applyOps", lambda route: route.abort())
    studio.page.mouse.dblclick(*RIGHT)
    studio.page.keyboard.type("Unsent")
    studio.page.keyboard.press("Enter")
    expect(studio.page.locator("body")).to_have_attribute("data-state", "offline")
    studio.page.wait_for_function(IS_REMEMBERED, arg="Unsent")
    address = studio.page.url
    studio.page.close()
    again = draw()
    again.page.goto(address)
    again.sign_in()
    expect(again.page.locator(".picture").get_by_text("Unsent", exact=True)).to_be_visible()
    again.state("Kept, revision 2")
    labels = [element.get("label") for element in stored(server, scene_id)["scene"]["elements"]]
    assert labels == ["Alone", "Unsent"]
    studio.faults.clear()


IS_REMEMBERED = """(label) => new Promise((resolve) => {
  indexedDB.open("scenograph").onsuccess = ({ target }) => {
    target.result.transaction("drafts").objectStore("drafts").getAll().onsuccess = (found) => {
      target.result.close();
      resolve(found.target.result.some(({ document }) => document.elements.some((element) => element.label === label)));
    };
  };
})"""


@pytest.mark.long
def test_a_minute_of_one_gesture_a_second_in_two_tabs_meets_no_refusal(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """At the default limits; a quarter of a minute shows whether the pace holds, since the burst is gone after ten."""
    folder = tmp_path_factory.mktemp("limits")
    limits = {"RATE_LIMIT_RPM": "60", "RATE_LIMIT_BURST": "10"}
    with running_services(1, folder, DATABASE_URL=f"sqlite:///{folder / 'scenes.db'}", **limits) as [limited]:
        context = browser.new_context(viewport=WIDE)  # type: ignore[arg-type]
        here, there = Tab(context.new_page(), limited), Tab(context.new_page(), limited)
        refused: list[str] = []
        for tab in (here, there):
            tab.page.on("response", lambda reply: refused.append(reply.url) if reply.status in (429, 503) else None)
        box_at(ready(here), LEFT, "Busy")
        kept_drawing(here)
        there.page.goto(here.page.url)
        there.sign_in()
        expect(there.element("node-1")).to_be_visible()
        here.page.bring_to_front()
        begun = monotonic()
        for count in range(1, 16):
            pull(here, here.middle("node-1"), (560 + 37 * count % 300, 300 + 20 * (count % 4)))
            here.page.wait_for_timeout(max(0, begun + count - monotonic()) * 1000)
        expect(here.page.locator("body")).to_have_attribute("data-state", "kept")
        assert refused == here.faults == there.faults == []
        context.close()


def test_a_fragment_shows_an_element_or_a_view_in_the_studio_and_on_the_published_page(
    draw: Draw, server: Service
) -> None:
    scene_id = kept(server, scene())
    httpx2.post(f"{server.url}/v1/scenes/{scene_id}/publish", headers=HEADERS, timeout=30)
    studio = draw()
    studio.open(f"/scenes/{scene_id}#gamma").sign_in()
    expect(studio.element("gamma")).to_have_attribute("aria-selected", "true")
    studio.page.evaluate("location.hash = '#focus=gamma&depth=1'")
    expect(studio.element("delta")).to_have_count(0)
    expect(studio.element("alpha")).to_be_visible()
    studio.page.evaluate("location.hash = '#collapse=box'")
    expect(studio.element("delta")).to_have_count(0)
    expect(studio.element("gamma")).to_be_visible()
    for fragment, gone in (("#gamma", None), ("#focus=gamma&depth=1", "delta"), ("#collapse=box", "delta")):
        studio.open("/docs").open(f"/s/{scene_id}{fragment}")
        expect(studio.element("gamma")).to_be_visible()
        if gone:
            expect(studio.element(gone)).to_have_count(0)
        else:
            expect(studio.page.locator("#details h2")).to_have_text("Gamma")


def test_scenes_are_made_duplicated_and_deleted_in_the_list(draw: Draw, server: Service) -> None:
    title = "Only of this test"
    made = scene()
    made["scene"]["title"] = title
    scene_id = kept(server, made)
    studio = draw().sign_in()
    studio.page.get_by_role("button", name="Scenes").click()
    dialog = studio.page.get_by_role("dialog", name="Your scenes")
    dialog.get_by_label("Title or id").fill(title)
    expect(dialog.locator(".scene")).to_have_count(1)
    dialog.get_by_role("button", name=f"Duplicate {title}").click()
    expect(dialog.locator(".scene")).to_have_count(2)
    copy = stored(server, f"{scene_id}-copy")
    assert copy["scene"]["elements"] == made["elements"]
    assert copy["computed"]["bounds"] == stored(server, scene_id)["computed"]["bounds"]
    dialog.get_by_role("button", name=f"Delete {title} (copy)").click()
    studio.page.get_by_role("dialog", name="Delete this scene?").get_by_role("button", name="Delete").click()
    expect(dialog.locator(".scene")).to_have_count(1)
    dialog.get_by_role("button", name="New scene").click()
    expect(studio.page.locator("#hint")).to_be_visible()


def test_double_clicks_and_drags_mark_no_words_of_the_page(draw: Draw) -> None:
    studio = draw()
    studio.page.mouse.dblclick(*LEFT)
    studio.page.keyboard.press("Escape")
    pull(studio, (560.0, 560.0), (1000.0, 90.0))
    assert studio.page.evaluate("String(getSelection())") == ""


def test_several_are_coloured_in_one_click_and_deleted_together(draw: Draw) -> None:
    studio = draw()
    box_at(studio, (1180.0, 240.0), "One")
    box_at(studio, (1100.0, 460.0), "Two")
    studio.page.keyboard.press("Control+a")
    panel = studio.page.locator("#details")
    expect(panel).to_contain_text("2 elements")
    covered = panel.bounding_box()
    assert covered is not None
    for name in ("node-1", "node-2"):
        x, _ = studio.middle(name)
        assert not covered["x"] <= x <= covered["x"] + covered["width"]
    panel.get_by_role("button", name="Green").click()
    made = drawn(studio)
    assert [made[name]["style"] for name in ("node-1", "node-2")] == [{"fill": "#dcfce7", "stroke": "#15803d"}] * 2
    studio.page.locator("#stage").press("Delete")
    expect(studio.page.locator("#hint")).to_be_visible()
    studio.page.locator("#stage").press("Control+z")
    expect(studio.element("node-2")).to_be_visible()


def test_several_get_a_type_and_an_icon_together_and_each_is_one_step_back(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    box_at(studio, LOWER, "Two")
    studio.page.keyboard.press("Control+a")
    panel = studio.page.locator("#details")
    panel.get_by_label("Type").select_option(label="Database")
    made = drawn(studio)
    assert [made[name]["nodeType"] for name in ("node-1", "node-2")] == ["database"] * 2
    panel.get_by_role("searchbox", name="Icon").fill("queue")
    icons = panel.get_by_role("list", name="Icons").get_by_role("button")
    expect(icons.nth(2).locator("svg")).to_be_visible()
    for _ in range(2):
        studio.page.keyboard.press("ArrowDown")
        expect(panel.get_by_role("searchbox", name="Icon")).to_be_focused()
    expect(icons.nth(1)).to_have_attribute("aria-pressed", "true")
    made = drawn(studio)
    assert {made[name]["icon"] for name in ("node-1", "node-2")} == {icons.nth(1).get_attribute("title")}
    studio.page.locator("#stage").press("Control+z")
    made = drawn(studio)
    assert [made[name].get("icon") for name in ("node-1", "node-2")] == [None, None]
    assert made["node-2"]["nodeType"] == "database"


def test_the_panel_keeps_the_focus_and_what_is_written_while_the_picture_is_drawn_anew(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    studio.element("node-1").click()
    panel = studio.page.locator("#details")
    text = panel.get_by_label("Text", exact=True).first
    text.fill("Changed")
    panel.get_by_label("Type").fill("queue")
    expect(studio.element("node-1")).to_contain_text("Changed")
    expect(studio.page.locator("#stage")).to_have_attribute("aria-busy", "false")
    expect(panel.get_by_label("Type")).to_be_focused()
    expect(panel.get_by_label("Type")).to_have_value("queue")
    text.focus()
    assert {name: drawn(studio)["node-1"].get(name) for name in ("label", "nodeType")} == {
        "label": "Changed",
        "nodeType": "queue",
    }


def test_the_keyboard_alone_selects_several(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    box_at(studio, RIGHT, "Two")
    box_at(studio, LOWER, "Three")
    stage = studio.page.locator("#stage")
    for key in ("m", "Alt+ArrowUp", "Alt+ArrowLeft"):
        stage.press(key)
    expect(studio.page.locator("[aria-selected=true]")).to_have_count(3)
    for key in ("m", "Alt+ArrowRight"):
        stage.press(key)
    expect(studio.page.locator("[aria-selected=true]")).to_have_count(1)


def test_a_download_has_the_theme_background_scale_and_page_that_are_chosen(draw: Draw) -> None:
    studio = draw()
    box_at(studio, LEFT, "One")
    drawn(studio)
    sent: list[Any] = []
    studio.page.on(
        "request", lambda request: sent.append(request.post_data_json) if request.url.endswith("/render") else None
    )
    studio.page.get_by_role("button", name="Copy or download").click()
    studio.page.get_by_role("menuitem", name="Theme, background").click()
    dialog = studio.page.get_by_role("dialog", name="Download")
    dialog.get_by_label("Theme").select_option("dark")
    dialog.get_by_label("Background").select_option("#ffffff")
    dialog.get_by_label("Scale").select_option("3")
    dialog.get_by_label("Page").select_option("16:9")
    with studio.page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".png")
    [asked_for] = sent
    wished = {name: asked_for.get(name) for name in ("format", "theme", "scale", "view")}
    assert wished == {"format": "png", "theme": "dark", "scale": 3, "view": {"page": "16:9"}}
    assert asked_for["scene"]["scene"]["canvas"]["background"] == "#ffffff"


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
def test_a_picture_that_is_opened_stands_clear_of_the_palette_and_the_tools(
    browser: Browser, server: Service, size: tuple[int, int]
) -> None:
    scene_id = kept(server, scene())
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    studio = Tab(context.new_page(), server).open(f"/scenes/{scene_id}").sign_in()
    expect(studio.element("delta")).to_be_visible()
    for toolbar in ("Palette", "Edit", "View"):
        panel = studio.page.get_by_role("toolbar", name=toolbar).bounding_box()
        assert panel is not None
        for name in ("alpha", "beta", "gamma", "delta"):
            box = studio.element(name).bounding_box()
            assert box is not None
            apart = box["x"] >= panel["x"] + panel["width"] or box["x"] + box["width"] <= panel["x"]
            apart = apart or box["y"] >= panel["y"] + panel["height"] or box["y"] + box["height"] <= panel["y"]
            assert apart, (toolbar, name, box, panel)
    assert studio.faults == []
    context.close()
