"""Font lists: the first family that the service has is taken, and a list without any is remarked."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out
from scenograph.engine.style import embedded_family


def remarks(*elements: dict[str, Any], **root: Any) -> list[tuple[str | None, Any]]:
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "s", "units": "px", "canvas": {}},
        "elements": list(elements),
        **root,
    }
    rows = lay_out(document).diagnostics
    return [(row.element_id, row.data) for row in rows if row.code == "FONT_SUBSTITUTED"]


def lettered(font: str, name: str = "a") -> dict[str, Any]:
    return {"id": name, "kind": "node", "label": "A", "style": {"fontFamily": font}}


@pytest.mark.parametrize(
    ("asked", "family"),
    [
        ("Helvetica, Arial, sans-serif", "sans"),
        ("Comic Sans MS, Inter", "sans"),
        ("Foo Mono, serif, Kalam", "sans"),
        ("Foo, 'JetBrains Mono', cursive", "mono"),
        ("Kalam, monospace", "hand"),
        ("cursive", "hand"),
    ],
)
def test_the_first_family_or_generic_word_that_there_is_counts(asked: str, family: str) -> None:
    assert embedded_family(asked) == family
    assert remarks(lettered(asked)) == []


@pytest.mark.parametrize(
    ("asked", "used"), [("Papyrus", "Inter"), ("Courier New, Consolas", "JetBrains Mono"), ("Comic Sans MS", "Kalam")]
)
def test_a_list_of_which_nothing_is_there_is_remarked_with_what_is_drawn(asked: str, used: str) -> None:
    assert remarks(lettered(asked)) == [("a", {"asked": asked, "used": used})]


def test_a_named_style_is_remarked_at_each_element_that_uses_it() -> None:
    users = [{"id": name, "kind": "node", "style": "odd"} for name in "ab"]
    told = remarks(*users, styles={"odd": {"fontFamily": "Papyrus"}, "unused": {"fontFamily": "Jokerman"}})
    assert [element for element, _ in told] == ["a", "b"]


def test_no_font_is_no_remark() -> None:
    assert remarks(lettered("")) == []
