"""A short run of the workflows with hostile words, and that their checker finds what gets out of its place."""

from __future__ import annotations

import pytest
from chaos.processes import checked, export, hostile
from chaos.scenes import Broken

from scenograph.engine.pipeline import render
from scenograph.engine.write import markup


def test_nothing_of_a_caller_becomes_markup_of_a_process() -> None:
    found = export(25)
    assert found.documents == 25
    assert found.words > 250


def test_a_writer_that_escapes_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    document = hostile(1)
    monkeypatch.setattr(markup, "escaped", str)
    text = str(render(document, "bpmn").content)
    with pytest.raises(Broken):
        checked(text, document)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('isExecutable="false"', 'isExecutable="false" onload="x"'),
        ('<process id="', '<script/><process id="'),
        ('sourceRef="', 'sourceRef="nowhere-'),
        ("</process>", "words</process>"),
        ("</process>", "<!-- words --></process>"),
    ],
)
def test_a_file_that_says_more_than_its_document_is_found_out(true: str, false: str) -> None:
    document = hostile(3)
    text = str(render(document, "bpmn").content)
    assert true in text
    checked(text, document)
    with pytest.raises(Broken):
        checked(text.replace(true, false, 1), document)
