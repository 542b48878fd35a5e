"""The table of source formats and the readers behind it."""

from __future__ import annotations

from scenograph.reading.readers import READERS
from scenograph.reading.sql.dialects import DIALECTS
from scenograph.wire.source_formats import SOURCE_FORMATS


def test_every_format_that_is_told_of_has_a_reader() -> None:
    assert list(SOURCE_FORMATS) == list(READERS)
    assert SOURCE_FORMATS["sql"].dialects == tuple(DIALECTS)
