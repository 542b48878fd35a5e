"""The agent skill, followed literally: each of its commands in an empty folder, in order, with the base alone."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scenograph import read
from scenograph.scene.vocabulary import EDGE_TYPES, NODE_TYPES

SKILL = Path(__file__).parents[1] / "skills" / "scenograph" / "SKILL.md"
TEXT = SKILL.read_text("utf-8")
MOST_LINES = 500
MOST_DESCRIPTION = 1024  # characters, by the format of skills


def test_its_head_names_its_folder_and_it_is_short() -> None:
    head = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", TEXT)
    assert head is not None
    assert head[1] == SKILL.parent.name
    assert len(head[2]) <= MOST_DESCRIPTION
    assert len(TEXT.splitlines()) < MOST_LINES


def test_every_command_does_what_the_skill_says(tmp_path: Path) -> None:
    tools, folder = tmp_path / "tools", tmp_path / "folder"
    tools.mkdir()
    folder.mkdir()
    uvx = tools / "uvx"
    uvx.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m "$@"\n')
    uvx.chmod(0o755)
    program = "\n".join(re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
    done = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", program],
        cwd=folder,
        env=os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^(error|warning) ", done.stdout, re.MULTILINE), done.stdout
    named = re.findall(r"-o (\S+)", program)
    assert [name for name in named if not (folder / name).stat().st_size] == []
    before, after = (read(folder / name).document for name in ("before.json", "shop.json"))
    kept = {row["id"] for row in before["elements"]}
    assert kept < {row["id"] for row in after["elements"]}


@pytest.mark.parametrize(
    "word", sorted(set(re.findall(r"`((?:workflow|er|sequence|network|org|uiflow|uml|state)\.\w+)`", TEXT)))
)
def test_every_type_it_names_exists(word: str) -> None:
    assert word in {name for table in (NODE_TYPES, EDGE_TYPES) for names in table.values() for name in names}
