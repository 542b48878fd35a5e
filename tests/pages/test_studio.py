"""The studio and published pages in a real browser, by real gestures: text to picture, editing by hand, keeping, two
people at once, the keyboard alone, small screens, no scripts."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, Service
from playwright.sync_api import Browser, Response, Route, expect
from tests.pages.tab import Tab, kept, opened, scene, stored

from scenograph import read

NARROW = {"width": 360, "height": 640}


def test_pasted_text_is_a_picture_at_once(tab: Callable[[], Tab]) -> None:
    studio = tab().open()
    studio.write("flowchart LR\n  tea[Tea] --> cup[Cup]\n")
    expect(studio.element("cup")).to_be_visible()
    studio.write("flowchart LR\n  tea[Tea] --> cup[Cup] --> spoon[Spoon]\n")
    expect(studio.element("spoon")).to_be_visible()
    studio.write("{")
    expect(studio.page.locator(".findings")).to_contain_text("1 error")
    studio.write(json.dumps(scene()))
    expect(studio.element("delta")).to_be_visible()
    studio.state("Not kept")


def test_the_studio_loads_at_most_200_kb_beside_its_text_editor(tab: Callable[[], Tab]) -> None:
    studio = tab()
    sizes: dict[str, int] = {}
    replies: list[Response] = []
    studio.page.on("response", lambda reply: replies.append(reply))  # noqa: PLW0108 - playwright marks its handlers
    studio.open()
    for reply in replies:
        if "/v1/" not in reply.url:
            sizes[reply.url.rsplit("/", 1)[-1]] = len(reply.body())
    assert {"", "studio.js", "source.js", "studio.css"} <= sizes.keys()
    assert sum(size for name, size in sizes.items() if name not in {"source.js", "language.js"}) <= 200_000, sizes


def test_every_example_is_drawn_without_a_warning(tab: Callable[[], Tab]) -> None:
    studio = tab().open()
    names = studio.page.locator(".examples button b").all_inner_texts()
    assert len(names) == 8
    for name in names:
        studio.page.evaluate("document.querySelector('.picture svg')?.remove()")  # so that the next one is waited for
        studio.page.get_by_role("button", name="Examples").click()
        studio.page.get_by_role("menuitem", name=name).click()
        expect(studio.page.locator(".picture svg [data-element-id]").first).to_be_visible()
        expect(studio.page.locator("#stage")).to_have_attribute("aria-busy", "false")
        findings = studio.page.locator(".findings").text_content()
        assert "warning" not in (findings or ""), (name, findings)


def test_a_drag_is_one_revision_moves_nothing_else_and_is_undone_with_its_place(
    tab: Callable[[], Tab], server: Service
) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    before = stored(server, scene_id)["computed"]["bounds"]
    away = 1 if before["gamma"]["x"] > before["box"]["x"] else -1
    studio.drag("gamma", 90 * away, 50)
    studio.state("Kept, revision 2")
    after = stored(server, scene_id)
    moved = {name for name, box in after["computed"]["bounds"].items() if box != before[name]}
    assert moved == {"gamma"}
    assert after["scene"]["elements"][2]["layout"]["mode"] == "absolute"
    studio.page.keyboard.press("Control+z")
    studio.state("Kept, revision 3")
    assert stored(server, scene_id)["computed"]["bounds"] == before
    studio.page.keyboard.press("Control+y")
    studio.state("Kept, revision 4")
    assert stored(server, scene_id)["computed"]["bounds"] == after["computed"]["bounds"]


def test_two_people_see_each_other_within_a_second_and_conflicts_are_settled(
    tab: Callable[[], Tab], server: Service
) -> None:
    scene_id = kept(server, scene())
    ann, bob = opened(tab(), scene_id), opened(tab(), scene_id)
    ann.element("alpha").dblclick()
    ann.page.keyboard.type("Hello")
    ann.page.keyboard.press("Enter")
    expect(bob.element("alpha")).to_contain_text("Hello")
    expect(bob.page.locator("#spoken")).to_have_text(re.compile(r"\w.* changed Hello\."))
    expect(bob.page.locator(".marks rect.others")).to_have_count(1)
    expect(ann.page.locator(".marks rect.others")).to_have_count(0)
    held: list[Any] = []
    bob.page.route("**/events", lambda route: route.abort())
    bob.page.route("**/applyOps", lambda route: held.append(route))  # noqa: PLW0108 - the driver binds itself to it
    bob.page.bring_to_front()
    bob.element("beta").dblclick()
    bob.page.keyboard.type("Bob's")
    bob.page.keyboard.press("Enter")
    bob.state("Keeping…")
    ann.page.bring_to_front()
    ann.element("beta").dblclick()
    ann.page.keyboard.type("Ann's")
    ann.page.keyboard.press("Enter")
    ann.state("Kept, revision 3")
    bob.page.bring_to_front()
    bob.page.unroute("**/applyOps")
    held[0].continue_()
    expect(bob.page.get_by_role("dialog")).to_contain_text("Theirs Ann's")
    bob.page.get_by_role("button", name="All mine").click()
    bob.page.get_by_role("button", name="Merge").click()
    bob.state("Kept, revision 4")
    labels = {element["id"]: element.get("label") for element in stored(server, scene_id)["scene"]["elements"]}
    assert (labels["alpha"], labels["beta"]) == ("Hello", "Bob's")


def test_keyboard_alone_finds_moves_renames_adds_connects_and_deletes(tab: Callable[[], Tab], server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    press, write = studio.page.keyboard.press, studio.page.keyboard.type
    studio.page.locator("#stage").focus()
    press("/")
    expect(studio.page.get_by_role("dialog")).to_be_visible()
    write("gamm")
    press("Enter")
    expect(studio.page.locator("#details h2")).to_have_text("Gamma")
    press("ArrowRight")
    press("ArrowRight")
    studio.state("Kept, revision 2")
    press("Enter")
    write("Third")
    press("Enter")
    studio.state("Kept, revision 3")
    press("n")
    expect(studio.page.locator(".caption")).to_be_focused()
    write("Fifth")
    press("Enter")
    state = studio.page.locator("#state")
    expect(studio.page.locator(".picture").get_by_text("Fifth", exact=True)).to_be_visible()
    expect(state).to_have_text(re.compile("Kept, revision [45]"))  # the box and its name may be one edit
    named = int(state.inner_text().split()[-1])
    press("Delete")
    studio.state(f"Kept, revision {named + 1}")
    elements = {element["id"]: element for element in stored(server, scene_id)["scene"]["elements"]}
    assert elements["gamma"]["label"] == "Third"
    assert elements["gamma"]["layout"]["mode"] == "absolute"
    assert set(elements) == {element["id"] for element in scene()["elements"]}


def test_history_slides_shows_what_changed_and_restores(tab: Callable[[], Tab], server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    studio.element("gamma").click()
    studio.page.keyboard.press("Delete")
    studio.state("Kept, revision 2")
    studio.page.get_by_role("button", name="History").click()
    expect(studio.page.locator("#timeline output")).to_contain_text("by bootstrap")
    expect(studio.page.locator("#timeline output")).to_contain_text("2 removed")
    studio.page.get_by_label("Revision", exact=True).focus()
    studio.page.keyboard.press("ArrowLeft")
    expect(studio.page.locator("#timeline output")).to_contain_text("Revision 1")
    studio.page.get_by_role("button", name="Restore").click()
    studio.state("Kept, revision 3")
    expect(studio.element("gamma")).to_be_visible()


def test_properties_come_from_the_schema_and_folding_changes_nothing(tab: Callable[[], Tab], server: Service) -> None:
    scene_id = kept(server, scene())
    studio = opened(tab(), scene_id)
    studio.element("gamma").click()
    studio.page.locator("#details").get_by_label("Shape").select_option("diamond")
    studio.state("Kept, revision 2")
    studio.page.get_by_role("button", name="Find").click()
    studio.page.keyboard.type("Inside")
    studio.page.keyboard.press("Enter")
    studio.page.get_by_role("button", name="Fold", exact=True).click()
    expect(studio.element("delta")).to_have_count(0)
    studio.page.get_by_role("button", name="Unfold").click()
    expect(studio.element("delta")).to_be_visible()
    read = stored(server, scene_id)
    assert (read["revision"], read["scene"]["elements"][2]["shape"]) == (2, "diamond")


def test_every_format_is_downloaded_and_the_scene_is_copied(tab: Callable[[], Tab]) -> None:
    studio = tab().open()
    studio.write(json.dumps(scene()))
    expect(studio.element("delta")).to_have_text("Delta")  # rather than the draft of an earlier tab
    menu = studio.page.get_by_role("button", name="Copy or download")
    for name, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("Excalidraw", b"{"), ("Scene", b"{")):
        menu.click()
        rows = studio.page.get_by_role("menuitem").filter(has_text=f"{name}.")
        with studio.page.expect_download() as download:
            rows.last.click()
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(begins), name
        if name in ("SVG", "PNG"):
            assert read(content).document["elements"] == scene()["elements"]
    menu.click()
    studio.page.get_by_role("menuitem", name="Scene (JSON)").click()
    expect(studio.page.locator("#notes")).to_contain_text("clipboard")
    copied = json.loads(studio.page.evaluate("navigator.clipboard.readText()"))
    assert len(copied["elements"]) == len(scene()["elements"])


def test_a_published_page_is_explored_without_a_key_and_shows_without_scripts(
    tab: Callable[[], Tab], browser: Browser, server: Service
) -> None:
    scene_id = kept(server, scene())
    httpx2.post(f"{server.url}/v1/scenes/{scene_id}/publish", headers=HEADERS, timeout=30)
    page = tab().open(f"/s/{scene_id}")
    page.element("beta").click()
    expect(page.page.locator("#details")).to_contain_text("Delta")
    page.page.get_by_role("button", name="Theme").click()
    page.page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.page.locator(".picture svg > rect")).to_have_attribute("fill", "#1a1a22")
    zoom = page.page.locator(".percent").inner_text()
    page.page.locator("#stage").hover()
    page.page.mouse.wheel(0, -120)
    expect(page.page.locator(".percent")).not_to_have_text(zoom)
    still = browser.new_context(java_script_enabled=False, viewport=NARROW)  # type: ignore[arg-type]
    plain = still.new_page()
    plain.goto(f"{server.url}/s/{scene_id}")
    expect(plain.locator(".picture svg")).to_be_visible()
    still.close()


def test_letters_typed_while_the_document_loads_are_words_to_find(tab: Callable[[], Tab], server: Service) -> None:
    scene_id = kept(server, scene())
    httpx2.post(f"{server.url}/v1/scenes/{scene_id}/publish", headers=HEADERS, timeout=30)
    published = tab().open(f"/s/{scene_id}")
    held: list[Route] = []
    address = f"**/v1/public/scenes/{scene_id}"
    published.page.route(address, lambda route: held.append(route))  # noqa: PLW0108 - the driver binds itself to it
    published.page.locator("#stage").press("/")
    published.page.keyboard.type("gamm")
    published.page.keyboard.press("Enter")
    expect(published.page.get_by_role("dialog")).to_contain_text("Loading")
    expect(published.page.get_by_role("combobox")).to_have_value("gamm")
    held[0].continue_()
    expect(published.page.locator("#details h2")).to_have_text("Gamma")
    expect(published.page.get_by_role("dialog")).to_have_count(0)


def test_a_frame_on_another_site_shows_the_picture_and_is_of_no_origin(
    tab: Callable[[], Tab], server: Service, other_site: Callable[[Path], str], tmp_path: Path
) -> None:
    scene_id = kept(server, scene())
    httpx2.post(f"{server.url}/v1/scenes/{scene_id}/publish", headers=HEADERS, timeout=30)
    host = tab()
    embedding = (
        f"<link rel=icon href=data:,><iframe src='{server.url}/s/{scene_id}/embed' width=800 height=500></iframe>"
    )
    (tmp_path / "index.html").write_text(embedding)
    host.also = other_site(tmp_path)
    host.page.goto(host.also)
    frame = host.page.frame_locator("iframe")
    expect(frame.get_by_role("button", name="Fit")).to_be_visible()
    frame.locator("[data-element-id=beta]").click()
    expect(frame.locator("#details")).to_contain_text("Delta")
    assert host.page.frames[1].evaluate("self.origin") == "null"


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"', 'sandbox=""'])
def test_a_frame_in_a_page_of_a_file_and_in_a_sandbox_shows_the_picture(
    browser: Browser, server: Service, tmp_path: Path, sandbox: str
) -> None:
    scene_id = kept(server, scene())
    httpx2.post(f"{server.url}/v1/scenes/{scene_id}/publish", headers=HEADERS, timeout=30)
    file = tmp_path / "index.html"
    file.write_text(f"<iframe {sandbox} src='{server.url}/s/{scene_id}/embed' width=800 height=500></iframe>")
    page, faults = browser.new_page(), list[str]()
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-element-id=beta]")).to_be_visible()
    if sandbox == 'sandbox=""':  # the browser tells of the scripts that it was asked not to run
        faults = [fault for fault in faults if "Blocked script execution" not in fault]
    else:
        zoom = frame.locator(".percent").inner_text()
        frame.get_by_role("button", name="Zoom in").click()
        expect(frame.locator(".percent")).not_to_have_text(zoom)
    page.close()
    assert faults == []


@pytest.fixture
def other_site() -> Iterator[Callable[[Path], str]]:
    """Serves a folder from another origin."""
    with ExitStack() as stack:

        def serve(folder: Path) -> str:
            handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
            site = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), handler))
            threading.Thread(target=site.serve_forever, daemon=True).start()
            stack.callback(site.shutdown)
            return f"http://127.0.0.1:{site.server_address[1]}/"

        yield serve


HOSTILE = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>{{7*7}}javascript:alert(1)'


def test_hostile_words_do_nothing(tab: Callable[[], Tab]) -> None:
    document = scene()
    document["scene"]["title"] = HOSTILE
    for element in document["elements"]:
        element["title" if element["kind"] == "frame" else "label"] = HOSTILE
    document["elements"].append({"id": HOSTILE, "kind": "node", "label": "Odd id"})
    studio = tab().open()
    studio.write(json.dumps(document))
    expect(studio.page.locator(".picture").get_by_text("Odd id", exact=True)).to_be_visible()
    studio.element("beta").click()
    expect(studio.page.locator("#details h2")).to_have_text(HOSTILE)
    studio.page.locator("#stage").press("/")
    expect(studio.page.get_by_role("dialog")).to_be_visible()
    studio.page.keyboard.type("Odd")
    studio.page.keyboard.press("Enter")
    studio.page.keyboard.press("Delete")
    assert studio.page.evaluate("window.hacked") is None
    assert studio.page.locator(".picture script, .picture foreignObject, #details img, dialog img").count() == 0


@pytest.mark.parametrize("path", ["/", "/docs", "/s/none"])
def test_a_small_screen_needs_no_sideways_scroll_and_buttons_have_names(
    browser: Browser, server: Service, path: str
) -> None:
    context = browser.new_context(viewport=NARROW)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}{path}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    nameless = "[...document.querySelectorAll('button, a, input, textarea')].filter(e => e.checkVisibility() &&"
    nameless += " !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    assert page.evaluate(nameless) == []
    context.close()
