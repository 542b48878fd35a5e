"""Comments in the studio, by two people in two browsers: written, answered, resolved, deleted, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services
from playwright.sync_api import Locator, Page, expect
from tests.pages.axe import grave_findings
from tests.pages.people import account, browsing, opened, share
from tests.pages.tab import kept, scene
from tests.pages.windows import Windows

NUMBERS = count()
ATTACK = "<img src=x onerror=alert(1)> & <b>bold</b>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("comments")


@pytest.fixture(scope="module")
def database_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'scenes.db'}"


@pytest.fixture(scope="module")
def server(folder: Path, database_url: str) -> Iterator[Service]:
    with running_services(1, folder, DATABASE_URL=database_url) as services:
        yield services[0]


class Two:
    """Ann, who owns the scene, and bo, with whom it is shared."""

    def __init__(self, server: Service, scene_id: str, name: str, ann: Page, bo: Page) -> None:
        self.server = server
        self.scene = scene_id
        self.name = name
        self.ann = ann
        self.bo = bo

    def edit(self, **op: object) -> None:
        """An edit by somebody else."""
        path = f"{self.server.url}/v1/scenes/{self.scene}"
        base = httpx2.get(path, headers=HEADERS, timeout=30).json()["revision"]
        body = {"schemaVersion": "0.1", "sceneId": self.scene, "baseRevision": base, "ops": [op]}
        httpx2.post(f"{path}/applyOps", json=body, headers=HEADERS, timeout=30).raise_for_status()


@pytest.fixture
def two(windows: Windows, server: Service, database_url: str, request: pytest.FixtureRequest) -> Iterator[Two]:
    role = getattr(request, "param", "commenter")
    faults: list[str] = []
    name = f"bo{next(NUMBERS)}"
    key = account(database_url, name)
    scene_id = kept(server, scene())
    share(server, scene_id, name, role)
    with browsing(windows, server, faults) as ann, browsing(windows, server, faults) as bo:
        opened(ann, server, scene_id)
        opened(bo, server, scene_id, key, "operator")
        yield Two(server, scene_id, name, ann, bo)
    assert faults == []


def on(page: Page, element: str) -> Locator:
    return page.locator(f"[data-element-id={element}]").first


def say(page: Page, words: str) -> None:
    """What is selected, or the pointer, is commented on by key."""
    page.keyboard.press("k")
    field = page.get_by_label("Write a comment")
    expect(field).to_be_focused()
    field.fill(words)
    page.keyboard.press("Control+Enter")
    expect(field).to_have_value("")


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Comments")


def pins(page: Page) -> Locator:
    return page.get_by_role("group", name="Comments on the picture").get_by_role("button")


def test_a_comment_is_seen_at_once_answered_resolved_and_opened_again(two: Two) -> None:
    ann, bo = two.ann, two.bo
    on(bo, "alpha").click()
    say(bo, ATTACK)
    pin = pins(ann)
    expect(pin).to_have_accessible_name("Comment on Alpha")
    expect(ann.locator("#spoken")).to_contain_text(f"{two.name}@example.org commented on Alpha.")
    expect(ann.get_by_role("button", name="Comments, 1 open")).to_be_visible()
    pin.click()
    expect(panel(ann).get_by_text(ATTACK)).to_be_visible()
    expect(panel(ann).locator("img, .words b")).to_have_count(0)
    expect(panel(ann).get_by_text(f"{two.name}@example.org")).to_be_visible()
    ann.get_by_label("Write a reply").fill("Because.")
    ann.keyboard.press("Control+Enter")
    expect(panel(bo).get_by_text("Because.")).to_be_visible()
    expect(panel(bo).locator(".by b")).to_have_text(["You", "operator"])
    panel(bo).get_by_role("button", name="Resolve on Alpha").click()
    expect(pins(ann)).to_have_count(0)
    panel(ann).get_by_role("button", name="Resolved (1)").click()
    panel(ann).get_by_role("button", name="Open again on Alpha").click()
    expect(pins(bo)).to_have_count(1)


def test_what_is_being_written_and_the_focus_stay_when_others_write(two: Two) -> None:
    on(two.ann, "beta").click()
    two.ann.keyboard.press("k")
    field = two.ann.get_by_label("Write a comment")
    field.press_sequentially("Half a sen")
    on(two.bo, "gamma").click()
    say(two.bo, "First!")
    expect(panel(two.ann).get_by_text("First!")).to_be_visible()
    expect(field).to_be_focused()
    field.press_sequentially("tence.")
    expect(field).to_have_value("Half a sentence.")
    two.ann.keyboard.press("Control+Enter")
    expect(panel(two.bo).get_by_text("Half a sentence.")).to_be_visible()
    expect(pins(two.bo)).to_have_count(2)


def test_a_comment_is_deleted_by_its_author_or_the_owner_alone(two: Two) -> None:
    on(two.bo, "alpha").click()
    say(two.bo, "Of bo")
    on(two.ann, "beta").click()
    say(two.ann, "Of ann")
    expect(panel(two.bo).get_by_text("Of ann")).to_be_visible()
    expect(panel(two.bo).get_by_role("button", name="Delete the comment")).to_have_count(1)
    expect(panel(two.ann).get_by_role("button", name="Delete the comment")).to_have_count(2)
    panel(two.bo).get_by_role("button", name="Delete the comment of You").click()
    expect(panel(two.ann).get_by_text("Of bo")).to_have_count(0)
    expect(panel(two.bo).locator(".threads")).to_be_focused()


@pytest.mark.parametrize("two", ["viewer"], indirect=True)
def test_a_viewer_reads_comments_and_can_change_nothing(two: Two) -> None:
    on(two.ann, "alpha").click()
    say(two.ann, "Look.")
    pins(two.bo).click()
    expect(panel(two.bo).get_by_text("Look.")).to_be_visible()
    for name in ("Reply", "Resolve", "Delete", "Comment"):
        expect(panel(two.bo).get_by_role("button", name=name, exact=True)).to_have_count(0)
    on(two.bo, "beta").click()
    two.bo.keyboard.press("Delete")
    expect(on(two.bo, "beta")).to_be_visible()
    expect(two.bo.get_by_label("Title")).not_to_be_editable()
    expect(two.bo.get_by_label("Text of the diagram")).not_to_be_editable()
    expect(two.bo.locator("#state")).to_have_text("Kept, revision 1 · yours to look at")
    share(two.server, two.scene, two.name, "editor")
    expect(two.bo.get_by_label("Title")).to_be_editable()
    on(two.bo, "beta").click()
    two.bo.keyboard.press("Delete")
    expect(two.bo.locator("#state")).to_have_text("Kept, revision 2")


def test_a_pin_follows_its_element_and_a_thread_of_what_was_deleted_says_so(two: Two) -> None:
    on(two.ann, "gamma").click()
    say(two.ann, "This one.")
    pin = pins(two.bo)
    expect(pin).to_have_count(1)

    def apart() -> tuple[float, float]:
        box, mark = on(two.bo, "gamma").bounding_box(), pin.bounding_box()
        assert box is not None
        assert mark is not None
        return box["x"] + box["width"] - mark["x"], box["y"] - mark["y"]

    before, at = apart(), pin.bounding_box()
    two.edit(op="moveElement", id="gamma", x=600, y=420)
    expect(two.bo.locator("#state")).to_contain_text("revision 2")
    two.bo.wait_for_function(
        "before => Math.abs(document.querySelector('.pin').getBoundingClientRect().y - before) > 40", arg=at and at["y"]
    )
    assert apart() == pytest.approx(before, abs=2)
    two.edit(op="deleteElement", id="gamma")
    expect(pins(two.bo).locator("visible=true")).to_have_count(0)
    two.bo.get_by_role("button", name="Comments, 1 open").click()
    expect(panel(two.bo).get_by_text("On something that was deleted (gamma)")).to_be_visible()
    expect(panel(two.bo).get_by_text("This one.")).to_be_visible()


def test_places_and_the_scene_have_threads_by_the_menu_and_the_panel(two: Two) -> None:
    stage = two.bo.get_by_role("application", name="Picture")
    stage.click(position={"x": 640, "y": 560}, button="right")
    two.bo.get_by_role("menuitem", name="Comment").click()
    expect(panel(two.bo).get_by_text("At a place")).to_be_visible()
    two.bo.get_by_label("Write a comment").fill("Here is room.")
    two.bo.keyboard.press("Control+Enter")
    expect(pins(two.ann)).to_have_accessible_name("Comment at a place")
    two.bo.get_by_role("button", name="On the whole scene instead").click()
    two.bo.get_by_label("Write a comment").fill("Good work.")
    two.bo.get_by_role("button", name="Comment", exact=True).click()
    expect(pins(two.ann)).to_have_count(2)
    names = {pins(two.ann).nth(at).get_attribute("aria-label") for at in range(2)}
    assert names == {"Comment at a place", "Comment on the scene"}


def test_no_download_and_no_published_picture_has_a_comment(two: Two) -> None:
    on(two.ann, "alpha").click()
    say(two.ann, "Quixotic remark")
    two.ann.get_by_role("button", name="Copy or download").click()
    with two.ann.expect_download() as download:
        two.ann.get_by_role("menuitem", name="SVG").last.click()
    assert "Quixotic" not in Path(download.value.path()).read_text("utf-8")
    httpx2.post(f"{two.server.url}/v1/scenes/{two.scene}/publish", headers=HEADERS, timeout=30).raise_for_status()
    page = httpx2.get(f"{two.server.url}/s/{two.scene}", timeout=30).text
    assert "Alpha" in page
    assert "Quixotic" not in page


def test_beside_open_comments_a_selection_is_what_a_comment_is_about(two: Two) -> None:
    ann = two.ann
    details = ann.get_by_role("complementary", name="Element")
    on(ann, "alpha").click()
    expect(details).to_be_visible()
    ann.get_by_role("button", name="Comments", exact=True).click()
    expect(details).to_be_hidden()
    on(ann, "beta").click()
    expect(panel(ann).get_by_text("On Beta")).to_be_visible()
    expect(details).to_be_hidden()
    ann.get_by_role("button", name="Close the comments").click()
    expect(details).to_be_visible()


def test_what_a_thread_is_about_is_shown_beside_the_list_that_lies_over_the_picture(two: Two) -> None:
    on(two.ann, "delta").click()
    say(two.ann, "Why?")
    for size in ({"width": 900, "height": 700}, {"width": 360, "height": 720}):
        two.bo.set_viewport_size(size)  # type: ignore[arg-type]
        two.bo.get_by_role("button", name="Comments, 1 open").click()
        panel(two.bo).get_by_role("button", name="Show: on Delta").click()
        box, over = on(two.bo, "delta").bounding_box(), panel(two.bo).bounding_box()
        assert box is not None
        assert over is not None
        assert box["x"] + box["width"] <= over["x"] or box["y"] + box["height"] <= over["y"]
        two.bo.get_by_role("button", name="Close the comments").click()
        if two.bo.locator("#source").is_visible():
            two.bo.get_by_role("button", name="Text", exact=True).click()


def test_comments_on_a_phone_and_for_everybody(two: Two) -> None:
    on(two.ann, "alpha").click()
    say(two.ann, "Why?")
    bo = two.bo
    bo.set_viewport_size({"width": 360, "height": 720})
    bo.get_by_role("button", name="Text", exact=True).click()
    bo.get_by_role("button", name="Comments, 1 open").click()
    expect(panel(bo).get_by_text("Why?")).to_be_visible()
    box = panel(bo).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert bo.evaluate("document.documentElement.scrollWidth") <= 360
    assert grave_findings(bo) == []
    bo.get_by_role("button", name="Close the comments").click()
    expect(panel(bo)).to_be_hidden()
    expect(bo.get_by_role("application", name="Picture")).to_be_focused()
    assert grave_findings(two.ann) == []


@pytest.mark.parametrize("two", ["viewer"], indirect=True)
def test_who_is_here_is_named_with_selection_and_pointer_until_they_go(two: Two) -> None:
    here = two.ann.get_by_role("list", name="Here now")
    expect(here.get_by_role("listitem")).to_have_text([f"B{two.name}@example.org, can look"])
    on(two.bo, "beta").click()
    expect(two.ann.locator(".marks .person")).to_have_count(1)
    stage = two.bo.get_by_role("application", name="Picture")
    stage.hover(position={"x": 600, "y": 500})
    expect(two.ann.locator(".pointer")).to_have_text(two.name)
    two.bo.mouse.move(10, 10)
    expect(two.ann.locator(".pointer")).to_have_count(0)
    expect(two.bo.get_by_role("list", name="Here now")).to_contain_text("operator, owner")
    address = f"{two.server.url}/v1/scenes/{two.scene}/grants/{two.name}"
    httpx2.delete(address, headers=HEADERS, timeout=30).raise_for_status()
    expect(here).to_be_hidden()
    expect(two.ann.locator(".marks .person")).to_have_count(0)
    expect(two.bo.locator("#spoken")).to_contain_text("not shared with you any more")
    expect(two.bo.get_by_role("list", name="Here now")).to_be_hidden()


def test_who_is_alone_tells_nobody_where(windows: Windows, server: Service) -> None:
    faults: list[str] = []
    with browsing(windows, server, faults) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        opened(page, server, kept(server, scene()))
        on(page, "alpha").click()
        page.mouse.move(500, 500, steps=8)
        page.get_by_role("button", name="Comments").click()
        expect(panel(page)).to_be_visible()
        assert not [url for url in asked if url.endswith("/presence")]
        assert [url for url in asked if "/events?presence=" in url]
    assert faults == []


def test_who_leaves_a_shared_scene_has_it_in_the_list_no_more(two: Two) -> None:
    bo = two.bo
    bo.get_by_role("button", name="Scenes").click()
    bo.get_by_role("button", name="Leave Four boxes").click()
    expect(bo.get_by_role("dialog", name="Leave this scene?")).to_contain_text("operator shares Four boxes")
    bo.get_by_role("button", name="Leave", exact=True).click()
    expect(bo.get_by_role("dialog", name="Your scenes").get_by_text("There are no scenes yet.")).to_be_visible()
    bo.keyboard.press("Escape")
    expect(on(bo, "alpha")).to_be_visible()
    expect(two.ann.get_by_role("list", name="Here now")).to_be_hidden()
