"""Pictures before and after a change, side by side on one page."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest
from review_pictures import main

IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@example.org")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of three pictures, and the folder it stands in as the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("same", "changed", "removed"):
        Path(f"{name}.svg").write_text(f"<svg>{name}</svg>")
    commit(tmp_path, "init")
    return tmp_path


def commit(folder: Path, message: str) -> None:
    for command in (["init", "-q"], ["add", "-A"], [*IDENTITY, "commit", "-q", "-m", message]):
        subprocess.run(["git", *command], cwd=folder, check=True)


def change() -> None:
    Path("changed.svg").write_text("<svg>later</svg>")
    Path("new.svg").write_text("<svg>new</svg>")
    Path("notes.txt").write_text("no picture")
    Path("removed.svg").unlink()


def read(page: Path) -> list[tuple[str, str]]:
    """The path and the sides of each pair: `none`, or the SVG."""
    pairs = []
    for row in page.read_text("utf-8").split("<h2>")[1:]:
        name, sides = row.split("</h2>")
        for part in sides.split('"')[1::2]:
            if part.startswith("data:"):
                sides = sides.replace(f'<img alt="" src="{part}">', base64.b64decode(part.split(",")[1]).decode())
        pairs.append((name, sides.strip()))
    return pairs


EXPECTED = [
    ("changed.svg", "<section><svg>changed</svg><svg>later</svg></section>"),
    ("new.svg", "<section><p>none</p><svg>new</svg></section>"),
    ("removed.svg", "<section><svg>removed</svg><p>none</p></section>"),
]


@pytest.mark.usefixtures("repository")
def test_files_as_they_stand_are_shown_beside_a_commit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change()
    assert main(["--out", str(tmp_path / "page.html"), "."]) == 0
    assert read(tmp_path / "page.html") == EXPECTED
    assert capsys.readouterr().out.startswith("3 pictures differ")


def test_two_commits_are_shown_side_by_side(repository: Path) -> None:
    change()
    commit(repository, "later")
    assert main(["--base", "HEAD~1", "--head", "HEAD", "--out", "page.html", "."]) == 0
    assert read(Path("page.html")) == EXPECTED
