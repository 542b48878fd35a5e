"""draw.io files that come near what a document may hold, or that contradict themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scenograph.engine.icons import DOCUMENT_LIMITS, KnownIcons
from scenograph.reading.drawio.cells import plain
from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source
from scenograph.scene.limits import LIMITS
from scenograph.scene.validation import validate

BESIDE = "shape=mxgraph.aws4.lambda;verticalLabelPosition=top"
PICTURE = "shape=image;image=data:image/png,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAA"
FRAME = "container=1"


def cell(name: str, style: str, label: str = "", parent: str = "1", size: float = 40) -> str:
    box = f'<mxGeometry x="1" y="1" width="{size}" height="{size}"/>'
    return f'<mxCell id="{name}" value="{label}" style="{style}" vertex="1" parent="{parent}">{box}</mxCell>'


def imported(*cells: str) -> Import:
    text = f'<mxGraphModel><root><mxCell id="1"/>{"".join(cells)}</root></mxGraphModel>'
    found = read_source(Source(text=text, icons=KnownIcons()))
    assert not [row for row in validate(found.document, DOCUMENT_LIMITS) if row.severity == "error"]
    return found


@pytest.mark.parametrize(("style", "part"), [(BESIDE, "label"), (PICTURE, "label"), (PICTURE, "picture")])
def test_a_part_of_a_cell_takes_no_id_of_another_cell(style: str, part: str) -> None:
    line = f'<mxCell id="e" edge="1" source="a" target="a {part}"/>'
    rows = imported(cell("a", style, "L"), cell(f"a {part}", "", "X"), line).document["elements"]
    sources = [row["metadata"]["source"]["id"] for row in rows]
    assert len(sources) == len(set(sources))
    ends = {row["id"]: row.get("label") for row in rows}
    assert [ends[row["to"]["elementId"]] for row in rows if row["kind"] == "edge"] == ["X"]


@pytest.mark.parametrize("label", ["a" * 20_000, "A " * 20_000, "A&#10;" * 20_000])
@pytest.mark.parametrize("style", ["text;fontSize=72", "text;fontSize=72;whiteSpace=wrap;align=right"])
def test_a_text_of_any_length_has_a_size_that_a_document_may_hold(style: str, label: str) -> None:
    (row,) = imported(cell("a", style, label)).document["elements"]
    assert row["layout"]["width"] <= LIMITS.size


def test_places_in_shares_of_large_cells_are_within_a_document() -> None:
    far = '<mxGeometry x="1e5" y="-1e5" width="1e5" height="1e5" relative="1"/>'
    child = f'<mxCell id="b" vertex="1" parent="a" value="B">{far}</mxCell>'
    (_, row) = imported(cell("a", FRAME, "A", size=1e5), child).document["elements"]
    assert row["layout"]["x"] == -row["layout"]["y"] < LIMITS.coordinate


def test_labels_beside_more_shapes_than_fit_stand_in_the_shapes() -> None:
    count = LIMITS.elements // 2 + 100
    found = imported(*(cell(f"a{n}", BESIDE, f"L{n}") for n in range(count)))
    assert [row["label"] for row in found.document["elements"]] == [f"L{n}" for n in range(count)]
    assert [row.data["what"] for row in found.diagnostics if row.data] == [
        f"{count} labels beside their shapes, such as 'L0', stand in them"
    ]


@pytest.mark.parametrize("count", [2, 60, 101, 300])
def test_parents_in_a_circle_of_any_length_are_cut(count: int) -> None:
    rows = imported(*(cell(f"a{n}", FRAME, "A", f"a{(n + 1) % count}") for n in range(count))).document["elements"]
    held = [name for row in rows for name in row.get("children", ())]
    assert len(held) == len(set(held)) == count - 1


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("innermost", ["", PICTURE])
def test_frames_deeper_than_a_document_allows_stand_beside_each_other(innermost: str, *, backwards: bool) -> None:
    names = ["1", *(f"a{n}" for n in range(LIMITS.nesting + 6))]
    cells = [cell(name, FRAME, "A", above) for above, name in pairwise(names)]
    cells.append(cell("z", innermost, "", names[-1]))
    found = imported(*(reversed(cells) if backwards else cells), '<mxCell id="e" edge="1" source="z" target="a0"/>')
    children = {row["id"]: row.get("children", []) for row in found.document["elements"]}
    assert set(children[f"a{LIMITS.nesting - 2}"]) >= set(names[LIMITS.nesting :])
    assert children[names[-1]] == ([] if innermost else ["z"])
    told = [row.data["what"] for row in found.diagnostics if row.data]
    assert told[0].startswith(f"{6 + bool(innermost)} shapes, such as 'A', are too deep in others")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a &lt; b<br/>c < d", "a < b\nc < d"),
        ("<a title='x > y' href=\"?a=b&c\">in</a> <3 <b", "in <3 <b"),
        ("<p class=it's>one</p><!-- <b>no</b> -->two", "one\ntwo"),
        ("<STYLE>p > a {} <p></STYLE>seen<script>never", "seen"),
    ],
)
def test_html_is_read_as_its_text(html: str, text: str) -> None:
    assert plain(html) == text
