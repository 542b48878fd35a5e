"""A brief field trial over the project's own samples: what the scenes of the tests are exported to, and some tables."""

from __future__ import annotations

import json
from pathlib import Path

from run_field_trials import Wishes, run

from scenograph.engine.pipeline import render
from scenograph.wire.formats import FORMATS

SCENES = Path(__file__).parents[1] / "scenes"
SAMPLES = {
    "pools-and-lanes": ("drawio", "bpmn"),
    "texts-images-guides": ("drawio",),
    "sequence-order": ("mermaid",),
    "nested-frames": ("mermaid", "drawio"),
}
TABLES = """CREATE TABLE shop (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (id int PRIMARY KEY, shop_id int NOT NULL REFERENCES shop (id), note text);
"""


def test_nothing_goes_wrong_with_our_own_samples_and_a_second_run_finds_them_tried(tmp_path: Path) -> None:
    folder, out = tmp_path / "samples", tmp_path / "results"
    folder.mkdir()
    (folder / "shop.sql").write_text(TABLES)
    for name, forms in SAMPLES.items():
        scene = json.loads((SCENES / f"{name}.json").read_text("utf-8"))
        for form in forms:
            (folder / f"{name}{FORMATS[form].suffix}").write_text(str(render(scene, form).content), "utf-8")
    wishes = Wishes(edits=3, shrink=False)
    assert run(folder, out, wishes) == 0
    kept = (out / "results.jsonl").read_text("utf-8")
    assert len(kept.splitlines()) == 1 + sum(map(len, SAMPLES.values()))
    assert run(folder, out, wishes) == 0
    assert (out / "results.jsonl").read_text("utf-8") == kept
