"""Scenes in the languages of other tools: nothing is left out, and a tool that is missing is named."""

import re
from pathlib import Path

import pytest
from compare_drawings import main
from peers.d2 import d2
from peers.mermaid import mermaid
from peers.outline import name, outline

from scenograph.scene.examples import EXAMPLES


@pytest.mark.parametrize("write", [mermaid, d2])
@pytest.mark.parametrize("family", EXAMPLES)
def test_every_node_and_every_line_of_a_scene_is_told(family, write) -> None:
    scene = outline(EXAMPLES[family])
    text = write(scene)
    told = [node for node in scene.nodes if node.get("nodeType") != "sequence.note"]
    assert all(name(node["id"]) in text for node in told)
    lines = [line for line in text.splitlines() if re.search(r"n_\w+\S* ?\S*(--|->)", line)]
    assert len(lines) == len(scene.edges)
    assert text.count("{") == text.count("}") or write is mermaid


def test_what_is_not_installed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([str(tmp_path), "entityRelationship"]) == 1
    said = capsys.readouterr().out
    assert "mmdc is not installed" in said
    assert "d2 is not installed" in said
    assert (tmp_path / "entityRelationship.ours.png").read_bytes().startswith(b"\x89PNG")
