"""The table of source formats and the readers behind it."""

from __future__ import annotations

import pytest

from scenograph.reading.losses import Unreadable
from scenograph.reading.readers import READERS, read_source
from scenograph.reading.source import Source
from scenograph.reading.sql.dialects import DIALECTS
from scenograph.wire.source_formats import SOURCE_FORMATS


def test_every_format_that_is_told_of_has_a_reader() -> None:
    assert SOURCE_FORMATS.keys() == READERS.keys()
    assert SOURCE_FORMATS["sql"].dialects == tuple(DIALECTS)


@pytest.mark.parametrize(
    "kind", ["gantt", "gitGraph", "sankey-beta", "pie title Pets", "journey", "timeline", "kanban"]
)
def test_diagrams_of_mermaid_that_are_not_read_are_told_which_are(kind: str) -> None:
    with pytest.raises(Unreadable, match=r"flowchart.*sequenceDiagram"):
        read_source(Source(text=f"{kind}\n    section A\n"))
