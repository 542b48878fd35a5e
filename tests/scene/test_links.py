"""Which addresses an element may lead to."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import render, render_svg
from scenograph.scene.anonymizing import anonymized
from scenograph.scene.validation import validate


def document(**members: Any) -> dict[str, Any]:
    node = {"id": "n", "kind": "node", "label": "Shop"} | members
    scene = {"id": "s", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": [node]}


@pytest.mark.parametrize(
    "href",
    [
        "http://a",
        "https://example.com/a?b=c&d=%20#e",
        "HTTPS://EXAMPLE.COM",
        "mailto:a@example.com",
        "https://bücher.example/ü",
        " https://a.example ",
        "https://a.example/my file.pdf?q=a b#c d",
        "https://a.example/\u200b",
        "mailto:a@example.com?subject=Good day",
    ],
)
def test_web_and_mail_addresses_are_taken(href: str) -> None:
    assert not validate(document(link={"href": href}))


@pytest.mark.parametrize(
    "href",
    [
        "",
        "example.com",
        "//example.com",
        "/a",
        "https:",
        "https://",
        "https:///a",
        "https:/example.com",
        "https:\\\\example.com",
        "https://example.com\\a",
        "https://a b",
        "https://a\tb",
        "https://a\n",
        "https://a\u202eb.example/",
        "https://a\u200bb.example",
        "https://ab%E2%80%AEc.example/a",
        "https://good.example\u2066@bad.example/",
        "https://\u3164.example",
        "mailto:a@b\u200b.example",
        "java\nscript:alert(1)",
        "javascript:alert(1)",
        "data:text/html,a",
        "ftp://a",
        "file:///etc/passwd",
        "vbscript:a",
        "mailto:",
        'https://a"onload=b',
        "https://a<b>",
        "https://a\u0085",
    ],
)
def test_every_other_address_is_refused_with_its_place_and_what_is_allowed(href: str) -> None:
    rows = validate(document(link={"href": href}))
    assert [(row.code, row.path) for row in rows] == [("INVALID_LINK", "/elements/0/link/href")]
    assert rows[0].data == {"allowed": ["http:", "https:", "mailto:"]}


def test_a_link_wraps_what_is_drawn_and_its_words_are_a_title() -> None:
    svg = str(render_svg(document(link={"href": "https://a.example/?x=1&y=2", "title": "More"})).content)
    assert (
        '<title>More</title><a href="https://a.example/?x=1&amp;y=2" target="_blank" rel="noopener noreferrer">' in svg
    )


def test_a_blank_in_an_address_is_encoded_where_it_is_followed_and_stays_as_written() -> None:
    given = document(link={"href": " https://a.example/my file.pdf?q=a\u00a0b "})
    assert 'href="https://a.example/my%20file.pdf?q=a%C2%A0b"' in str(render_svg(given).content)
    assert given["elements"][0]["link"]["href"].startswith(" ")


def test_a_tooltip_is_told_before_the_title_of_a_link() -> None:
    svg = str(render_svg(document(tooltip="<Shop>", link={"href": "https://a.example", "title": "More"})).content)
    assert "<title>&lt;Shop&gt;&#10;More</title>" in svg
    same = str(render_svg(document(tooltip="More", link={"href": "https://a.example", "title": "More"})).content)
    assert "<title>More</title>" in same


def test_a_link_goes_along_to_excalidraw() -> None:
    text = str(render(document(link={"href": "https://a.example/"}), "excalidraw").content)
    assert '"link":"https://a.example/"' in text


def test_an_anonymous_document_tells_neither_address_nor_words() -> None:
    said = document(link={"href": "https://secret.example/plans", "title": "Secret plans"}, tooltip="Secret plans")
    hidden = str(anonymized(said, lambda n: n // 2))
    assert "ecret" not in hidden
    assert "plans" not in hidden
