"""What field trials are made of: inputs of a folder, independent readers, parts of a source, edits by chance."""

from __future__ import annotations

from pathlib import Path

import pytest
from chance.operations import DOINGS
from chance.scenes import Recipe, Seeded, document
from field_trials.files import inputs
from field_trials.parts import smallest, without

from field_trials import outlines
from scenograph.scene.edits.operations import apply_operations

CELLS = """<mxfile><diagram><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="g" value="Zone" vertex="1" parent="1"/>
<mxCell id="a" value="&lt;b&gt;Web&lt;/b&gt; shop" vertex="1" parent="g"/>
<object id="b" label="Orders"><mxCell vertex="1" parent="1"/></object>
<mxCell id="h" value="Hidden" vertex="1" visible="0" parent="1"/>
<mxCell id="e" edge="1" source="a" target="b" parent="1"/><mxCell id="l" value="calls" vertex="1" parent="e"/>
<mxCell id="free" edge="1" source="a" parent="1"/></root></mxGraphModel></diagram></mxfile>"""
PROCESS = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
<collaboration><participant id="p" name="Shop"/></collaboration>
<process><laneSet><lane id="l" name="Desk"/></laneSet>
<startEvent id="s"><timerEventDefinition/></startEvent><userTask id="t" name="Check order"/>
<sequenceFlow id="f" sourceRef="s" targetRef="t"/></process></definitions>"""
TABLES = """-- CREATE TABLE not_this (id int);
CREATE TABLE IF NOT EXISTS shop."orders" (id int, note text DEFAULT 'create table nor_this (');
create temporary table gone (id int);
CREATE TABLE people (id int);"""
CHART = "sequenceDiagram\n A->>B: one more\n B-->>A: two\n Note over A: x"


def test_every_text_of_a_format_in_a_folder_is_an_input_once(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(TABLES)
    (tmp_path / "again.sql").write_text(TABLES)
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "b.xml").write_text(PROCESS)
    (tmp_path / "c.xml").write_text(CELLS)
    (tmp_path / "d.xml").write_text("<other/>")
    (tmp_path / "e.md").write_text(
        "# A\n\n```mermaid\ngraph LR\n a --> b\n```\n\n- x\n\n  ```mermaid\n  graph TD\n  ```\n"
    )
    found = {one.name: one for one in inputs(tmp_path)}
    assert {name: one.form for name, one in found.items()} == {
        "a.sql": "sql",
        "b.xml": "bpmn",
        "c.xml": "drawio",
        "e.md#1": "mermaid",
        "e.md#2": "mermaid",
    }
    assert found["e.md#2"].text == "graph TD\n"


@pytest.mark.parametrize(
    ("form", "text", "outline"),
    [
        ("drawio", CELLS, outlines.Outline(3, 1, 1, frozenset({"Zone", "Web  shop", "Orders"}))),
        ("bpmn", PROCESS, outlines.Outline(4, 1, 2, frozenset({"Shop", "Desk", "Check order"}))),
        ("sql", TABLES, outlines.Outline(boxes=2, names=frozenset({"orders", "people"}))),
        ("sql", TABLES + "DROP TABLE people;", outlines.Outline()),
        ("mermaid", CHART, outlines.Outline(lines=2, names=frozenset({"one more", "two"}))),
        (
            "mermaid",
            'graph LR\n a["Web shop"] --> b[Orders]',
            outlines.Outline(names=frozenset({"Web shop", "Orders"})),
        ),
        ("drawio", "<mxfile", outlines.Outline()),
        ("bpmn", '<!DOCTYPE x [<!ENTITY e "e">]><x>&e;</x>', outlines.Outline()),
    ],
)
def test_an_independent_reader_counts_what_is_certainly_seen(form: str, text: str, outline: outlines.Outline) -> None:
    found = outlines.of_source(form, text)
    assert found[:3] == outline[:3]
    assert {outlines.words(name) for name in found.names} == {outlines.words(name) for name in outline.names}


@pytest.mark.parametrize(
    ("form", "text", "word"), [("sql", TABLES, "people"), ("drawio", CELLS, "Orders"), ("bpmn", PROCESS, "Desk")]
)
def test_the_smallest_source_that_fails_still_fails_and_has_nothing_to_spare(form: str, text: str, word: str) -> None:
    found = smallest(form, text, lambda tried: word in tried)
    assert word in found
    assert len(found) < len(text) / 2


@pytest.mark.parametrize(("form", "text"), [("sql", TABLES), ("drawio", CELLS), ("bpmn", PROCESS), ("mermaid", CHART)])
def test_a_changed_source_lacks_a_part_the_same_for_the_same_seed(form: str, text: str) -> None:
    found = [without(form, text, Seeded(seed)) for seed in (1, 1, 2, 3)]
    assert found[0] == found[1] != text
    assert len({*found}) > 1


def test_every_kind_of_edit_by_chance_is_one_that_a_scene_takes() -> None:
    kinds = set[str]()
    for seed in range(12):
        scene = document(Seeded(seed), Recipe(families=("workflow",), most_nodes=6))
        for kind, doing in DOINGS.items():
            ops = doing(scene, Seeded(seed))
            places = {one["id"]: {"x": 10.0, "y": 10.0, "width": 90.0, "height": 60.0} for one in scene["elements"]}
            batch = apply_operations(scene, ops, computed_bounds=lambda _, places=places: places)
            assert batch.succeeded, (kind, batch.diagnostics)
            kinds |= {kind} if ops else set()
    assert kinds == set(DOINGS)
