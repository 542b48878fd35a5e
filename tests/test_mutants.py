"""The mutation run of `scripts/mutate.py`: a number that is held, one that is not, and a sample of the rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mutate import PACKAGE, choices_in, numbers_in, removals_in

SCRIPT = Path(__file__).parents[1] / "scripts" / "mutate.py"
COSTS = "engine/costs.py"
PRICES = "tests/engine/route/test_prices.py"


def run(*words: str) -> tuple[int, str]:
    """The exit code and what is printed."""
    command = [sys.executable, SCRIPT, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    return done.returncode, done.stdout + done.stderr


def test_every_number_is_changed_by_half_and_by_double_and_told_with_its_rule() -> None:
    changed = [one.text for one in numbers_in(PACKAGE / COSTS) if one.text.startswith("AWAY:")]
    assert changed == ["AWAY: 90.0 -> 45.0", "AWAY: 90.0 -> 180.0"]
    assert {rule for one in numbers_in(PACKAGE / "engine" / "canvas.py") for rule in one.rules} >= {"R-PAGE-3"}


def test_comparisons_and_choices_are_changed_one_at_a_time() -> None:
    told = [one.text for one in choices_in(PACKAGE / "engine" / "route" / "sides.py")]
    assert "gap_y >= LAYER_GAP -> gap_y > LAYER_GAP" in told
    assert "abs(dx) >= abs(dy) -> abs(dx) > abs(dy)" in told


def test_what_stands_below_a_condition_is_left_out_and_told_with_the_rule_of_its_function() -> None:
    left_out = {one.text: one.rules for one in removals_in(PACKAGE / "engine" / "families" / "catalog.py")}
    assert left_out["no `if family.reading_direction is None`"] == ["R-PLACE-4"]


@pytest.mark.long
def test_a_change_that_a_test_notices_is_killed_and_survives_without_that_test() -> None:
    number = "AWAY: 90.0 -> 45.0"
    holds, another = (
        f"{PRICES}::test_sides_cost_more_the_farther_they_are_turned_away",
        f"{PRICES}::test_on_a_diagonal_the_longer_way_decides_and_of_two_alike_the_level_one",
    )
    code, told = run(COSTS, "--only", number, "--tests", holds)
    assert (code, told.splitlines()[-1]) == (0, "killed 1 of 1"), told
    code, told = run(COSTS, "--only", number, "--tests", another)
    assert (code, told.splitlines()[-1]) == (1, "killed 0 of 1"), told
    assert number in told


@pytest.mark.long
def test_the_tests_of_a_rule_notice_a_change_of_its_number() -> None:
    """A sample: clearance, curves and the page. `scripts/mutate.py engine --rules` tries all."""
    targets = ("engine/costs.py", "engine/route", "engine/canvas.py")
    code, told = run(*targets, "--rules", "--only", "^(CLEARANCE|LONG_WAY|OFFSET_SHARE)")
    assert (code, told.splitlines()[-1]) == (0, "killed 6 of 6"), told
