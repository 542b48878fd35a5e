"""The page and the notebook "Your first diagram in Python", followed to the letter."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from scenograph import Picture, Scene

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "first-diagram.md").read_text("utf-8")
    told: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "first-diagram.md", "exec"), told)  # noqa: S102 - our own page
    assert isinstance(told["later"], Scene)
    assert isinstance(told["picture"], Picture)
    written = {path.name for path in tmp_path.iterdir()}
    assert {"shop.svg", "shop.png", "shop-dark.png", "what-changed.svg", "flow.svg", "schema.svg"} <= written


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of Jupyter's own packages
def test_the_notebook_runs_and_shows_its_pictures(tmp_path: Path) -> None:
    notebook = nbformat.read(DOCS / "first-diagram.ipynb", as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [set(output["data"]) for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    assert [sorted(kinds & {"image/svg+xml", "image/png"}) for kinds in shown] == [["image/svg+xml"]] * 4 + [
        ["image/png"]
    ]
