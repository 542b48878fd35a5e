"""Sources read in a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source

Elements = dict[str, dict[str, Any]]


@pytest.fixture
def mermaid() -> Callable[[str], Import]:
    """Reads Mermaid."""
    return lambda text: read_source(Source(text=text), "mermaid")


@pytest.fixture
def sql() -> Callable[..., Import]:
    """Reads SQL, by default of a guessed dialect."""
    return lambda text, dialect=None: read_source(Source(text=text, dialect=dialect), "sql")
