"""Labels of Mermaid: HTML in any nesting, entities, formulas, icons. (R-IN-2, R-IN-6)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.reading.readers import Import

Read = Callable[[str], Import]


def label(mermaid: Read, text: str) -> str | None:
    found: Any = mermaid(f'flowchart TB\n  a["{text}"]').document["elements"][0].get("label")
    return found


def told(found: Import) -> list[tuple[int, str]]:
    return [((row.data or {})["line"], (row.data or {})["what"]) for row in found.diagnostics]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ("<div><p>One <b>and</b> a half</p></div>\n<div>Two</div>", "One and a half\nTwo"),
        ("<ul><li>red</li><li>green<ol><li>dark</li></ol></li></ul>after", "red\ngreen\ndark\nafter"),
        ("<table><tr><th>k</th><td>v</td></tr><tr><td>l</td><td> w </td></tr></table>", "k v\nl w"),
        ("tools<hr/><small><em>stop = <u>before</u></em></small>", "tools\nstop = before"),
        ("<h3>Title</h3>text<br>more<BR/>and<br class='x' />on", "Title\ntext\nmore\nand\non"),
        ("<img src='x.png' width='30'/> with picture", "with picture"),
        ("before <!-- note --> after", "before after"),
        ("List<String> of <name> and a < b", "List<String> of <name> and a < b"),
        ("&lt;b&gt; #lt;i#gt; &#8364; #9829; &mdash;", "<b> <i> € ♥ —"),
        ("fa:fa-car Car <i class='fa fa-ban'></i> Ban", "Car Ban"),
    ],
)
def test_words_in_html_are_neither_glued_nor_dropped(mermaid: Read, text: str, shown: str) -> None:
    assert label(mermaid, text) == shown


def test_what_a_label_cannot_hold_is_told_with_its_line(mermaid: Read) -> None:
    found = mermaid(
        "flowchart TB\n"
        "  a[\"<img src='x.png'> A\"] --> b[\"<a href='https://x.org/y'>B</a>\"]\n"
        '  b -->|fa:fa-car| c["$$x^2$$"]\n'
        '  c --> d["up<hr>down"]'
    )
    assert told(found) == [
        (2, "a picture in a label"),
        (2, "the link to 'https://x.org/y' in a label"),
        (3, "the icon 'fa:fa-car' is of an icon font"),
        (3, "the formula '$$x^2$$' is shown as it is written"),
        (4, "a line across a label is drawn as a line break"),
    ]
    assert found.whole


def test_labels_of_every_kind_of_diagram_are_read_alike(mermaid: Read) -> None:
    html = "<p>One</p><p>Two</p>"
    sources = (
        f"sequenceDiagram\n A->>B: {html}",
        f"stateDiagram-v2\n A --> B: {html}",
        f"classDiagram\n A --> B: {html}",
        f'erDiagram\n A ||--o{{ B : "{html}"',
    )
    for source in sources:
        edge = next(one for one in mermaid(source).document["elements"] if one["kind"] == "edge")
        assert edge["label"] == "One\nTwo"
