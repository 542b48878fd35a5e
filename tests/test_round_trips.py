"""What is written for another tool is read back as the same graph: every scene of the tests, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from round_trips import FORMS, differences

from scenograph.wire.formats import FORMATS

SCENES = sorted(Path(__file__).parent.joinpath("scenes").glob("*.json"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_what_is_written_is_read_back_as_the_same_graph(path: Path, form: str) -> None:
    document = json.loads(path.read_text("utf-8"))
    if FORMATS[form].holds(document["diagramFamily"]):
        assert differences(document, form) == []
