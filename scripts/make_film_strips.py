#!/usr/bin/env python3
"""Photographs the gestures of the studio, a strip of pictures each, with a real mouse, keyboard and touch in Chromium.

    uv run scripts/make_film_strips.py [FOLDER, docs/studio/gestures by default] [--only NAME]

Look at them: a strip shows a person what a gesture does, and a reviewer where it fails. A new gesture is a function and
a row of STRIPS.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
from local_servers.browser import running_browser
from local_servers.service import HEADERS, KEY, Service, running_services
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

ROOT = Path(__file__).parents[1]
WIDE, PHONE = {"width": 1120, "height": 700}, {"width": 360, "height": 640}
SHOWN, GAP = 440, 6  # px of a picture in a strip, and between two
LEFT, RIGHT, LOWER = (620, 260), (880, 260), (880, 450)
GUEST, GUEST_KEY = "support", "dsp_sk_" + "5" * 32  # of a second account
FLOW = "flowchart LR\n  order[Order] --> paid{Paid?}\n  paid -->|yes| ship[Ship it]\n"

# The pointer, which headless browsers do not draw.
POINTER = """() => {
  const made = document.createElement("div");
  Object.assign(made.style, { position: "fixed", zIndex: 99, width: "14px", height: "14px", pointerEvents: "none",
    border: "2px solid #fff", borderRadius: "50%", background: "#d6336c", transform: "translate(-50%, -50%)" });
  const follow = ({ clientX: x, clientY: y }) => Object.assign(made.style, { left: `${x}px`, top: `${y}px` });
  document.body.append(made);
  for (const name of ["pointermove", "pointerdown"]) addEventListener(name, follow, true);
}"""


class Film:
    """Hands in a page, and the pictures that were taken of it."""

    def __init__(self, context: BrowserContext, service: Service) -> None:
        self.context = context
        self.service = service
        self.page = self.opened()
        self.shots: list[Image.Image] = []

    def opened(self, path: str = "/") -> Page:
        """A page of the studio, once it takes gestures."""
        page = self.context.new_page()
        page.goto(f"{self.service.url}{path}")
        expect(page.locator("#palette button").nth(3)).to_be_attached()
        page.evaluate(POINTER)
        if page.locator("#source").is_visible():
            page.get_by_role("button", name="Text", exact=True).click()
        return page

    def shot(self, page: Page | None = None) -> None:
        """A picture more, once what is asked for is drawn."""
        shown = page or self.page
        expect(shown.locator("#stage")).to_have_attribute("aria-busy", "false", timeout=20_000)
        shown.wait_for_timeout(550)
        image = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
        width = SHOWN if image.width > image.height else SHOWN // 2
        self.shots.append(image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS))

    def keys(self, *names: str) -> None:
        """Press keys."""
        for name in names:
            self.page.keyboard.press(name)

    def button(self, name: str) -> None:
        """Click a button."""
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def box(self, at: tuple[float, float], name: str) -> None:
        """A box by a double click."""
        self.page.mouse.dblclick(*at)
        self.page.keyboard.type(f"{name}\n")
        expect(self.page.locator(".picture").get_by_text(name, exact=True)).to_be_visible()

    def pull(self, start: tuple[float, float], end: tuple[float, float], *, shows: bool = True) -> None:
        """A drag, with a picture before the drop."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        if shows:
            self.shot()
        mouse.up()

    def handle(self, name: str) -> tuple[float, float]:
        """The middle of a handle of what is selected."""
        handle = self.page.locator(f"[data-handle={name}]").first
        expect(handle).to_be_visible()
        found = handle.bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
        return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2

    def two(self, *, joined: bool = True) -> None:
        """Two boxes, with a line between them."""
        self.box(LEFT, "Shop")
        self.box(RIGHT, "Store")
        self.keys("Escape")
        if joined:
            self.page.mouse.move(*LEFT)
            self.keys("c")
            self.page.mouse.click(*RIGHT)
            self.keys("Escape")
            expect(self.page.locator(".picture [data-kind=edge]")).to_have_count(1)

    def write(self, text: str) -> None:
        """Write the text of the diagram."""
        if not self.page.locator("#source").is_visible():
            self.button("Text")
        self.page.get_by_label("Text of the diagram").fill(text)
        expect(self.page.locator(".picture [data-element-id]").first).to_be_visible()

    def sign_in(self, page: Page | None = None, key: str = KEY) -> None:
        """Sign in by key."""
        shown = page or self.page
        shown.get_by_role("button", name="Sign in").click()
        shown.get_by_label("API key").fill(key)
        shown.keyboard.press("Enter")
        expect(shown.get_by_role("button", name="Scenes")).to_be_visible()

    def kept(self, name: str) -> str:
        """A kept scene of two boxes; its id."""
        ends = {"from": {"elementId": "shop"}, "to": {"elementId": "store"}}
        boxes = [{"id": id_, "kind": "node", "label": id_.title()} for id_ in ("shop", "store")]
        document: dict[str, Any] = {
            "schemaVersion": "0.1",
            "diagramFamily": "architecture",
            "scene": {"id": name, "title": "Two boxes", "units": "px", "canvas": {}},
            "elements": [*boxes, {"id": "line", "kind": "edge", **ends}],
        }
        httpx2.post(f"{self.service.url}/v1/scenes", json=document, headers=HEADERS, timeout=30).raise_for_status()
        return name

    def strip(self) -> Image.Image:
        """The pictures side by side."""
        width = sum(shot.width for shot in self.shots) + GAP * (len(self.shots) - 1)
        made = Image.new("RGB", (width, max(shot.height for shot in self.shots)), "#8a94a6")
        at = 0
        for shot in self.shots:
            made.paste(shot, (at, 0))
            at += shot.width + GAP
        return made.quantize(128, dither=Image.Dither.NONE)


def _blank_start(film: Film) -> None:
    film.shot()
    film.page.mouse.dblclick(*LEFT)
    film.shot()
    film.page.keyboard.type("Shop\n")
    film.shot()


def _palette(film: Film) -> None:
    found = film.page.get_by_role("button", name="Database", exact=True).bounding_box()
    if found:
        film.pull((found["x"] + 20, found["y"] + 12), RIGHT)
    film.page.keyboard.type("Orders\n")
    film.shot()
    film.page.get_by_title("Kind of diagram").click()
    film.shot()


def _draw_at_pointer(film: Film) -> None:
    film.page.mouse.move(*LEFT)
    film.keys("n")
    film.shot()
    film.page.keyboard.type("Here\n")
    film.page.mouse.move(*RIGHT)
    film.keys("t")
    film.page.keyboard.type("Words\n")
    film.shot()


def _drag(film: Film) -> None:
    film.two()
    film.shot()
    film.pull(RIGHT, LOWER)
    film.shot()


def _frames(film: Film) -> None:
    film.box(LEFT, "Shop")
    film.keys("Escape", "r")
    film.pull((760, 160), (1020, 480), shows=False)
    film.page.keyboard.type("Inside\n")
    film.keys("Escape")
    film.shot()
    film.pull(LEFT, (890, 320))
    film.shot()
    film.pull((890, 320), LEFT)
    film.shot()


def _connect(film: Film) -> None:
    film.two(joined=False)
    film.page.mouse.click(*LEFT)
    film.shot()
    film.pull(film.handle("right"), (RIGHT[0] - 44, RIGHT[1]))
    film.page.mouse.click(*LEFT)
    film.pull(film.handle("bottom"), (620, 450))
    film.page.keyboard.type("New here\n")
    film.shot()


def _bends(film: Film) -> None:
    film.two()
    film.page.mouse.click((LEFT[0] + RIGHT[0]) / 2, LEFT[1])
    film.shot()
    film.pull(film.handle("bend"), (750, 400))
    film.shot()
    film.keys("Escape")
    film.box(LOWER, "Third")
    film.keys("Escape")
    film.page.mouse.click(750, 400)
    film.pull(film.handle("to"), LOWER)
    film.shot()


def _rename(film: Film) -> None:
    film.box(LEFT, "Shop")
    film.keys("Enter")
    film.shot()
    film.page.keyboard.type("A shop for everything")
    film.shot()
    film.keys("Enter")
    film.shot()


def _copies(film: Film) -> None:
    film.two()
    film.keys("Control+a", "Control+c")
    film.shot()
    film.page.mouse.move(750, 460)
    film.keys("Control+v")
    film.shot()
    film.keys("Control+d")
    film.shot()


def _several(film: Film) -> None:
    film.two()
    film.page.keyboard.down("Shift")
    film.pull((540, 200), (960, 320))
    film.page.keyboard.up("Shift")
    film.shot()
    film.page.locator("#details").get_by_role("combobox", name="Type", exact=True).select_option(label="Database")
    film.page.locator("#details").get_by_role("button", name="Green").click()
    film.shot()


def _align(film: Film) -> None:
    film.box(LEFT, "One")
    film.box((850, 350), "Two")
    film.box((740, 450), "Three")
    film.keys("Control+a")
    film.shot()
    film.button("Align")
    film.shot()
    film.page.get_by_role("menuitem", name="Left edges").click()
    film.shot()


def _undo(film: Film) -> None:
    film.two()
    film.page.mouse.click(*RIGHT)
    film.keys("Delete")
    film.shot()
    film.keys("Control+z")
    film.shot()
    film.keys("Control+y")
    film.shot()


def _menu_and_help(film: Film) -> None:
    film.two()
    film.page.mouse.click(*LEFT, button="right")
    film.shot()
    film.keys("Escape", "?")
    film.shot()


def _icons(film: Film) -> None:
    film.box(LEFT, "Shop")
    film.page.mouse.click(*LEFT)
    field = film.page.locator("#details").get_by_role("searchbox", name="Icon")
    field.fill("cart")
    expect(film.page.locator(".icons .drawn svg").first).to_be_visible()
    film.shot()
    for _ in range(2):
        film.keys("ArrowDown")
        film.shot()


def _styles(film: Film) -> None:
    film.two()
    film.page.mouse.click(*LEFT)
    film.shot()
    for name in ("Yellow", "Dashed"):
        film.page.locator("#details").get_by_role("button", name=name).click()
        film.shot()


def _find_fold_focus(film: Film) -> None:
    film.button("Text")
    film.button("Examples")
    film.page.get_by_role("menuitem", name="A web shop").click()
    expect(film.page.locator(".picture [data-element-id=platform]")).to_be_visible()
    film.page.locator("#stage").press("/")
    film.page.keyboard.type("plat")
    film.shot()
    film.keys("Enter")
    film.button("Fold")
    film.shot()
    film.button("Unfold")
    film.button("Focus")
    film.shot()


def _places_stay(film: Film) -> None:
    film.write(FLOW)
    film.shot()
    film.page.locator("#stage").press("0")
    found = film.page.locator(".picture [data-element-id=ship]").bounding_box()
    if found:
        x, y = found["x"] + found["width"] / 2, found["y"] + found["height"] / 2
        film.pull((x, y), (x, y + 140))
    film.page.get_by_label("Text of the diagram").fill(f"{FLOW}  ship --> done[Done]\n")
    expect(film.page.locator(".picture [data-element-id=done]")).to_be_visible()
    film.shot()


def _both_ways(film: Film) -> None:
    film.write(FLOW)
    film.shot()
    film.page.locator(".picture [data-element-id=ship] text").dblclick()
    film.page.keyboard.press("Control+a")
    film.page.keyboard.type("Send it\n")
    expect(film.page.get_by_label("Text of the diagram")).to_have_value(FLOW.replace("Ship it", "Send it"))
    film.shot()
    film.page.get_by_label("Text of the diagram").fill(f"{FLOW}  ship --> done[Done]\n")
    expect(film.page.locator(".picture [data-element-id=done]")).to_be_visible()
    film.shot()


def _autosave(film: Film) -> None:
    film.two()
    film.shot()
    film.page.reload()
    film.page.evaluate(POINTER)
    expect(film.page.locator(".picture [data-kind=edge]")).to_have_count(1)
    film.shot()


def _address(film: Film) -> None:
    name = film.kept("addressed")
    film.page.goto(f"{film.service.url}/scenes/{name}#store")
    film.shot()
    film.sign_in()
    expect(film.page.locator(".picture [data-element-id=store]")).to_be_visible()
    film.shot()


def _sign_in(film: Film) -> None:
    film.two()
    film.button("Keep")
    expect(film.page.get_by_label("API key")).to_be_visible()
    film.shot()
    film.page.get_by_label("API key").fill(KEY)
    film.keys("Enter")
    expect(film.page.locator("body")).to_have_attribute("data-state", "kept")
    film.shot()


def _live(film: Film) -> None:
    name = film.kept("live")
    pages = [film.page, film.opened()]
    for page in pages:
        page.goto(f"{film.service.url}/scenes/{name}")
        film.sign_in(page)
        expect(page.locator(".picture [data-element-id=store]")).to_be_visible()
    film.shot(pages[1])
    film.page.locator(".picture [data-element-id=store]").click()
    film.page.locator("#details").get_by_role("button", name="Red").click()
    film.shot()
    expect(pages[1].locator("#state")).to_have_text("Kept, revision 2")
    film.shot(pages[1])


def _comments(film: Film) -> None:
    name = film.kept("comments")
    address = f"{film.service.url}/v1/scenes/{name}/grants/{GUEST}"
    httpx2.put(address, json={"role": "commenter"}, headers=HEADERS, timeout=30).raise_for_status()
    guest = film.opened()
    for page, key, query in ((film.page, KEY, ""), (guest, GUEST_KEY, "?owner=operator")):
        page.goto(f"{film.service.url}/scenes/{name}{query}")
        film.sign_in(page, key)
        expect(page.locator(".picture [data-element-id=store]")).to_be_visible()
        if page.locator("#source").is_visible():
            page.get_by_role("button", name="Text", exact=True).click()
    guest.locator(".picture [data-element-id=store]").click()
    guest.keyboard.press("k")
    guest.get_by_label("Write a comment").fill("Does this need a backup?")
    film.shot(guest)
    guest.keyboard.press("Control+Enter")
    expect(film.page.locator(".pin")).to_have_count(1)
    guest.mouse.move(700, 480)
    expect(film.page.locator(".pointer")).to_be_visible()
    film.shot()
    film.page.locator(".pin").click()
    film.page.get_by_label("Write a reply").fill("Yes, every night.")
    film.keys("Control+Enter")
    expect(film.page.locator(".said")).to_have_count(2)
    film.shot()


def _history(film: Film) -> None:
    name = film.kept("history")
    film.page.goto(f"{film.service.url}/scenes/{name}")
    film.sign_in()
    film.page.locator(".picture [data-element-id=store]").click()
    film.page.locator("#details").get_by_role("button", name="Green").click()
    expect(film.page.locator("#state")).to_have_text("Kept, revision 2")
    film.button("History")
    film.shot()
    film.keys("ArrowLeft")
    film.shot()


def _share(film: Film) -> None:
    name = film.kept("shared")
    film.page.goto(f"{film.service.url}/scenes/{name}")
    film.sign_in()
    film.button("Share")
    film.shot()
    film.page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    film.shot()


def _exports(film: Film) -> None:
    film.two()
    film.button("Copy or download")
    film.shot()
    film.page.get_by_role("menuitem", name="Theme, background").click()
    film.shot()


def _touch(film: Film) -> None:
    film.page.locator("#palette button[aria-label=Service]").tap()
    film.page.keyboard.type("Shop\n")
    film.shot()
    film.button("Select several")
    film.shot()


STRIPS: dict[str, Callable[[Film], None]] = {
    "blank-start": _blank_start,
    "palette": _palette,
    "draw-at-the-pointer": _draw_at_pointer,
    "drag": _drag,
    "frames": _frames,
    "connect": _connect,
    "ends-and-bends": _bends,
    "rename": _rename,
    "copies": _copies,
    "several": _several,
    "align": _align,
    "undo-and-redo": _undo,
    "menu-and-help": _menu_and_help,
    "icons": _icons,
    "styles": _styles,
    "find-fold-focus": _find_fold_focus,
    "places-stay": _places_stay,
    "text-and-picture": _both_ways,
    "autosave": _autosave,
    "address": _address,
    "sign-in": _sign_in,
    "live": _live,
    "comments": _comments,
    "history": _history,
    "share": _share,
    "export": _exports,
    "touch": _touch,
}


def context_of(browser: Browser, name: str) -> BrowserContext:
    """A browser that nobody has drawn in; a phone for the strip of touch."""
    on_phone = name == "touch"
    context = browser.new_context(
        viewport=PHONE if on_phone else WIDE,  # type: ignore[arg-type]
        has_touch=on_phone,
        is_mobile=on_phone,
        permissions=["clipboard-read", "clipboard-write"],
        reduced_motion="reduce",
    )
    context.set_default_timeout(30_000)
    return context


def main() -> None:
    """Take the strips."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs/studio/gestures")
    parser.add_argument("--only", default=None)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", "PUBLIC_ENGINE_SECONDS": "0"}
        settings["BOOTSTRAP_SUPPORT_KEY"] = GUEST_KEY
        with running_services(1, Path(folder), **settings) as [service]:
            for name, gestures in STRIPS.items():
                if asked.only not in (None, name):
                    continue
                context = context_of(browser, name)
                film = Film(context, service)
                gestures(film)
                film.strip().save(asked.folder / f"{name}.png", optimize=True)
                context.close()


if __name__ == "__main__":
    main()
