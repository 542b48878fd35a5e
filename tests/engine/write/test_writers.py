"""Every format of the table has a writer, and every surface reads the table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.pipeline import RenderedPicture, WriteOptions, render
from scenograph.engine.themes import THEMES
from scenograph.engine.write.writer import MOST_LISTED, ExportLosses
from scenograph.engine.write.writers import WRITERS
from scenograph.wire.formats import BY_MEDIA_TYPE, BY_SUFFIX, FORMATS, SVG, Format, not_available
from scenograph.wire.names import THEME_NAMES

DOCUMENT: dict[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "workflow",
    "scene": {"id": "small", "units": "px", "canvas": {}},
    "elements": [{"id": "a", "kind": "node", "label": "Check"}, {"id": "b", "kind": "node", "label": "Send"}],
}


def drawn(form: Format, theme: str | None = None, **options: Any) -> RenderedPicture:
    return render(DOCUMENT, form.name, theme=theme, options=WriteOptions(**options))


def test_every_row_has_a_writer_and_every_writer_a_row() -> None:
    assert set(WRITERS) == set(FORMATS)


def test_no_two_formats_share_a_name_a_media_type_or_a_suffix() -> None:
    assert len(FORMATS) == len(BY_MEDIA_TYPE) == len(BY_SUFFIX)


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.name)
def test_a_format_is_text_or_bytes_as_its_row_says(form: Format) -> None:
    picture = drawn(form)
    assert isinstance(picture.content, bytes if form.binary else str)
    assert picture.content
    assert min(picture.width, picture.height) > 0


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.name)
def test_the_same_scene_gives_the_same_file(form: Format) -> None:
    assert drawn(form, "sketch").content == drawn(form, "sketch").content


def test_outlines_leave_no_letter_to_a_font() -> None:
    text, outlines = str(drawn(SVG).content), str(drawn(SVG, outlines=True).content)
    assert "<text" in text
    assert "@font-face" in text
    assert "<text" not in outlines
    assert "@font-face" not in outlines


def test_the_names_of_the_themes_are_those_of_the_engine() -> None:
    assert tuple(THEMES) == THEME_NAMES


def test_who_asks_for_a_form_that_there_is_not_hears_of_the_others() -> None:
    only_workflow = Format(
        name="x", media_type="a/x", suffix=".x", label="X", title="X.", families=frozenset({"workflow"})
    )
    assert only_workflow.holds("workflow")
    assert not only_workflow.holds("sequence")
    assert not only_workflow.holds(None)
    others = [row.name for row in FORMATS.values() if row.holds("sequence")]
    sentence = not_available(only_workflow, "sequence")
    assert sentence == f"x is not available for scenes of the family sequence; there are: {', '.join(others)}."


class TestLosses:
    """What a file cannot hold."""

    def test_nothing_lost_is_nothing_said(self) -> None:
        report = Report()
        ExportLosses().tell(report, "x")
        assert report.rows == ()

    def test_they_are_told_once_by_what_was_lost(self) -> None:
        losses, report = ExportLosses(), Report()
        losses.add("icons", "a")
        losses.add("gradients", "b")
        losses.add("icons", *(f"n{number}" for number in range(2 * MOST_LISTED)))
        losses.tell(report, "x")
        (row,) = report.rows
        assert (row.code, row.path) == ("EXPORT_LOSS", "/elements")
        assert row.message == "x cannot represent: icons; gradients."
        data = json.loads(json.dumps(row.data))
        assert data["format"] == "x"
        assert [(loss["what"], len(loss["elementIds"])) for loss in data["losses"]] == [
            ("icons", MOST_LISTED),
            ("gradients", 1),
        ]


@pytest.mark.parametrize("form", ["mermaid", "excalidraw", "bpmn"])
def test_what_is_hidden_is_told_by_files_that_have_no_form_for_it(form: str) -> None:
    hidden = {"id": "h", "kind": "node", "label": "Hidden", "visible": False}
    line = {"id": "ah", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "h"}}
    document = {**DOCUMENT, "elements": [*DOCUMENT["elements"], hidden, line]}
    picture = render(document, form)
    assert "Hidden" not in str(picture.content)
    (told,) = (row.data for row in picture.diagnostics if row.code == "EXPORT_LOSS")
    assert told is not None
    assert {"elementIds": ["h", "ah"], "what": "hidden elements"} in told["losses"]
