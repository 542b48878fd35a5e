#!/usr/bin/env python3
"""Draws a first diagram in the studio as a person does: eight boxes, two frames and seven lines, from an empty canvas,
by mouse and keyboard, without text.

`uv run python scripts/draw_by_hand.py [--pace 1] [--picture drawn.png]` prints the seconds. The pace is that of the
keystroke-level model (Card, Moran, Newell 1980): seconds for a key, for pointing, for a hand that changes between mouse
and keyboard, and for thinking of the next step. `--pace 0` waits for the studio alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from local_servers.browser import running_browser
from local_servers.service import running_services
from playwright.sync_api import Page, expect

KEY, POINT, HOME, THINK = 0.2, 1.1, 0.4, 1.35  # s
SIZE = {"width": 1280, "height": 800}


class Box(NamedTuple):
    """A box to draw, its middle in px of the page."""

    name: str
    x: float
    y: float


BOXES = (
    Box("Browser", 620, 190),
    Box("Phone", 620, 330),
    Box("Partner", 620, 470),
    Box("Gateway", 830, 260),
    Box("Orders", 1010, 190),
    Box("Billing", 1010, 330),
    Box("Catalog", 1010, 470),
    Box("Store", 1170, 260),
)
FRAMES = (("Outside", (560, 130), (690, 520)), ("Inside", (760, 130), (1240, 520)))
LINES = (
    ("Browser", "Gateway"),
    ("Phone", "Gateway"),
    ("Partner", "Gateway"),
    ("Gateway", "Orders"),
    ("Gateway", "Billing"),
    ("Gateway", "Catalog"),
    ("Orders", "Store"),
)


class Person:
    """Hands at a page. `modelled` sums the seconds that the gestures take a person, at any `pace`."""

    def __init__(self, page: Page, pace: float) -> None:
        self.page = page
        self.pace = pace
        self.modelled = 0.0

    def takes(self, seconds: float) -> None:
        """Let the time of a person pass."""
        self.modelled += seconds
        if self.pace:
            time.sleep(seconds * self.pace)

    def point(self, x: float, y: float) -> None:
        """Move the mouse to a place."""
        self.page.mouse.move(x, y, steps=5)
        self.takes(POINT)

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)
        self.takes(KEY)

    def write(self, words: str) -> None:
        """Write words and end with Enter."""
        self.takes(HOME)
        for letter in words:
            self.page.keyboard.type(letter)
            self.takes(KEY)
        self.press("Enter")
        self.takes(HOME)


def drawn_by(person: Person) -> None:
    """Draw the boxes, the frames and the lines."""
    page = person.page
    for box in BOXES:
        person.takes(THINK)
        person.point(box.x, box.y)
        page.mouse.dblclick(box.x, box.y)
        person.takes(2 * KEY)
        person.write(box.name)
    for name, start, end in FRAMES:
        person.takes(THINK)
        person.press("r")
        person.point(*start)
        page.mouse.down()
        person.point(*end)
        page.mouse.up()
        person.takes(KEY)
        person.write(name)
    person.press("Escape")
    places = {box.name: (box.x, box.y) for box in BOXES}
    for begins, ends in LINES:
        person.takes(THINK)
        person.point(*places[begins])
        person.press("c")
        person.point(*places[ends])
        page.mouse.click(*places[ends])
        person.takes(KEY)
    expect(page.locator(".picture [data-kind=edge]")).to_have_count(len(LINES))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")


def opened(page: Page, address: str) -> Page:
    """The studio's empty canvas, once it takes gestures."""
    page.goto(address)
    expect(page.get_by_role("toolbar", name="Palette").get_by_role("button").nth(3)).to_be_visible()
    return page


def main() -> None:
    """Draw, and print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pace", type=float, default=1.0)
    parser.add_argument("--picture", type=Path, default=None)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        environment = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db"}
        with running_services(1, Path(folder), **environment) as [service]:
            page = browser.new_context(viewport=SIZE).new_page()  # type: ignore[arg-type]
            person = Person(opened(page, service.url), asked.pace)
            begun = time.monotonic()
            drawn_by(person)
            took = time.monotonic() - begun
            sys.stdout.write(f"{took:.0f} s; a person takes {person.modelled:.0f} s at pace 1\n")
            if asked.picture:
                page.screenshot(path=asked.picture)


if __name__ == "__main__":
    main()
