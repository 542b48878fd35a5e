"""The check of the lock file against advisories: it passes only where every package was looked up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import audit_lock
import pytest
import yaml

FINE = {"name": "click", "version": "8.2.0", "vulns": []}
OPEN = {"name": "h11", "version": "0.14.0", "vulns": [{"id": "GHSA-vqfr-h8mv-ghfj", "fix_versions": ["0.16.0"]}]}
SKIPPED = {"name": "anyio", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("rows", "code", "told"),
    [
        ([FINE], audit_lock.CLEAN, "1 of 1 packages looked up, 0 advisories."),
        ([FINE, OPEN], audit_lock.FOUND, "h11 0.14.0: GHSA-vqfr-h8mv-ghfj, mended in 0.16.0"),
        ([OPEN, SKIPPED], audit_lock.FOUND, "Not looked up: anyio."),
        ([FINE, SKIPPED], audit_lock.UNKNOWN, "1 of 2 packages looked up, 0 advisories."),
        ([], audit_lock.UNKNOWN, "0 of 0 packages looked up, 0 advisories."),
    ],
)
def test_what_was_not_looked_up_does_not_pass(rows: list[Any], code: int, told: str) -> None:
    found, lines = audit_lock.judged({"dependencies": rows})
    assert found == code
    assert told in lines


def test_a_weekly_job_runs_it() -> None:
    workflow = yaml.safe_load((Path(__file__).parents[1] / ".github" / "workflows" / "weekly.yml").read_text("utf-8"))
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert "python3 scripts/audit_lock.py" in steps
