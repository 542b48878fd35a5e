"""The benchmarks run: their figures mean nothing here, that they have them does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize(("png", "unused"), [(True, "write_svg"), (False, "write_opaque_png")])
def test_every_stage_is_timed(monkeypatch: pytest.MonkeyPatch, *, png: bool, unused: str) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    stages = __import__("stages")
    # Folds of a scene of this size are compared by their courses.
    figures = stages.measure_scene(__import__("graphs").service_graph(300, nested=True), 1, png=png)
    assert {*figures} == {*stages.STAGES, "whole"}
    assert [name for name in stages.STAGES if not figures[name]] == [unused]
    for name in ("stages", "graphs"):
        monkeypatch.delitem(sys.modules, name)
