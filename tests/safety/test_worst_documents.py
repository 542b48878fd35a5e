"""The documents that cost the engine the most are such as the service takes: their table means something."""

from __future__ import annotations

import json

import pytest
from worst_documents import WORST

from scenograph.scene.validation import validate

VALIDATED = 100_000
"""Bytes; validating the larger ones as well would take most of a minute."""


@pytest.mark.parametrize("name", WORST)
def test_a_worst_document_is_within_the_published_limits(name: str) -> None:
    made = WORST[name]()
    assert len(made["elements"]) <= 5_000
    if len(json.dumps(made)) < VALIDATED:
        assert not [row for row in validate(made) if row.severity == "error"]
