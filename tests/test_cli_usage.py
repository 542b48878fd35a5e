"""How the command line is called: help, completion, wrong usage, a standard output that takes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import run_here

FULL = Path("/dev/full")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "scenograph", *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, env=os.environ | environment)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_be_taught_to_complete_commands(shell: str) -> None:
    assert b"_SCENOGRAPH_COMPLETE" in run(_SCENOGRAPH_COMPLETE=f"{shell}_source").stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [(("rendr", "scene.json"), b"Did you mean 'render'?"), (("render", "scene.json", "--them", "dark"), b"'--theme'")],
)
def test_a_misspelt_command_or_option_is_wrong_usage_and_names_the_nearest(
    arguments: tuple[str, ...], hint: bytes
) -> None:
    done = run_here(*arguments)
    assert done.returncode == 2
    assert hint in done.stderr


@pytest.mark.parametrize("group", [(), ("keys",)])
def test_a_bare_group_shows_its_help(group: tuple[str, ...]) -> None:
    done = run_here(*group)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Commands:" in done.stdout


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
def test_a_full_disk_under_standard_output_is_told_in_one_line() -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scenograph", "settings"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, b"Standard output: No space left on device.\n")


def test_the_list_of_commands_shows_whole_sentences() -> None:
    assert b"..." not in run_here("--help").stdout.partition(b"Commands:")[2]
