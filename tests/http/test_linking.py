"""Modules of the pages as one script."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scenograph.http.pages import html
from scenograph.http.pages.html import ServedFile, Unlinkable, linked


def given(monkeypatch: pytest.MonkeyPatch, texts: Mapping[str, str]) -> None:
    found = {name: ServedFile(text.encode(), "text/javascript") for name, text in texts.items()}
    monkeypatch.setattr(html, "assets", lambda: found)
    linked.cache_clear()
    monkeypatch.setattr(html, "linked", linked)


@pytest.fixture(autouse=True)
def forgotten() -> object:
    yield
    linked.cache_clear()


def test_a_module_stands_before_those_that_use_it_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch,
        {
            "page.js": 'import { two } from "./two.js";\nimport { one, more } from "./one.js";\ntwo(one, more);',
            "two.js": 'import { one } from "./one.js";\nexport function two() { return one; }',
            "one.js": "const own = 1;\nexport const one = own;\nexport const more = 2;\n",
        },
    )
    text = linked("page.js")
    assert text.index('linked["one.js"] =') < text.index('linked["two.js"] =') < text.index('linked["page.js"] =')
    assert text.count('linked["one.js"] =') == 1
    assert 'const { one, more } = linked["one.js"];' in text
    assert "return { one, more };" in text
    assert "export" not in text


def test_a_module_for_later_is_part_of_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch,
        {"page.js": 'const { a } = await import("./a.js");\na();', "a.js": "export function a() {}"},
    )
    text = linked("page.js")
    assert 'const { a } = await Promise.resolve(linked["a.js"]);' in text
    assert text.index('linked["a.js"] =') < text.index('linked["page.js"] =')


@pytest.mark.parametrize(
    "texts",
    [
        {"page.js": 'import { a } from "./a.js";', "a.js": 'import { b } from "./page.js";'},
        {"page.js": 'import * as all from "./a.js";', "a.js": ""},
        {"page.js": "export default 1;"},
        {"page.js": "const text = '</script>';"},
    ],
    ids=["circle", "star", "default", "end of the script"],
)
def test_what_is_not_understood_is_refused(monkeypatch: pytest.MonkeyPatch, texts: Mapping[str, str]) -> None:
    given(monkeypatch, texts)
    with pytest.raises(Unlinkable):
        linked("page.js")
