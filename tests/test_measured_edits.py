"""How local edits are, by the script that measures it, in a few scenes of every family (R-KEEP-6)."""

from __future__ import annotations

import argparse

import pytest
from chance.section_edits import KINDS
from measure_edits import measured

NOTHING = argparse.Namespace(
    brief=True, seeds=1, sizes=(), files=(), only_files=False, show=False, pushed=False, times=False
)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not KINDS[kind].pushes])
def test_no_edit_moves_what_it_does_not_touch(kind: str) -> None:
    rows = measured(argparse.Namespace(**{**vars(NOTHING), "kinds": [kind]}))
    assert sum(row.edits for row in rows.values()) > len(rows)
    assert not {at: str(row) for at, row in rows.items() if row.moved or row.found.total()}
