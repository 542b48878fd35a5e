"""The commands import, sync and diff, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run_here

BEFORE = "CREATE TABLE users (id int PRIMARY KEY, name text);"
AFTER = f"{BEFORE} CREATE TABLE orders (id int PRIMARY KEY, user_id int REFERENCES users);"


def run(folder: Path, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = run_here(*arguments, given=stdin.encode(), folder=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a schema and the scene that was imported from it."""
    (tmp_path / "schema.sql").write_text(BEFORE)
    assert run(tmp_path, "import", "schema.sql", "-o", "scene.json", "--title", "Shop") == (0, "", "")
    return tmp_path


def test_a_source_from_standard_input_goes_to_standard_output(tmp_path: Path) -> None:
    code, out, _ = run(tmp_path, "import", "-", stdin="sequenceDiagram\n A->>B: hello\n")
    assert code == 0
    assert json.loads(out)["diagramFamily"] == "sequence"


def test_a_source_that_cannot_be_read_is_told_with_its_place(tmp_path: Path) -> None:
    code, out, remarks = run(tmp_path, "import", "-", "--format", "mermaid", stdin="graph LR\n ]")
    assert (code, out) == (1, "")
    assert remarks.startswith("-:2:2: expected")


def test_a_source_of_another_format_is_told_with_the_option_for_it(tmp_path: Path) -> None:
    remarks = run(tmp_path, "import", "-", "--from", "sql", stdin="flowchart LR\n a --> b")[2]
    assert "It looks like mermaid. Read it with --from mermaid." in remarks


def test_a_depth_without_a_focus_is_told(folder: Path) -> None:
    remarks = run(folder, "normalize", "scene.json", "--depth", "2")[2]
    assert "info NO_EFFECT /view/depth" in remarks


def test_a_normalized_document_is_written_to_a_file_and_never_over_its_source(folder: Path) -> None:
    assert run(folder, "normalize", "scene.json", "-o", "whole.json") == (0, "", "")
    assert json.loads((folder / "whole.json").read_text()) == json.loads(run(folder, "normalize", "scene.json")[1])
    code, _, remarks = run(folder, "normalize", "scene.json", "-o", "scene.json")
    assert (code, "was left as it is" in remarks) == (1, True)
    remarks = run(folder, "normalize", "scene.json", "-o", "none/whole.json")[2]
    assert remarks == "none/whole.json: No such folder.\n"


def test_an_import_writes_no_scene_that_is_not_valid(tmp_path: Path) -> None:
    code, out, remarks = run(tmp_path, "import", "-", "--scene-id", "no id", stdin="graph LR\n a")
    assert (code, out) == (1, "")
    assert "INVALID_ID /scene/id" in remarks


def test_a_depth_that_is_none_is_refused_with_and_without_a_focus(folder: Path) -> None:
    for focus in ([], ["--focus", "users"]):
        code, out, remarks = run(folder, "normalize", "scene.json", "--depth", "-1", *focus)
        assert (code, out) == (1, "")
        assert "'depth' must be from 0" in remarks


def bounds(folder: Path, name: str = "scene.json") -> dict[str, object]:
    return json.loads((folder / name).read_text())["computed"]["bounds"]


MANY = "".join(f"CREATE TABLE t{n} (id int PRIMARY KEY, up int REFERENCES t{n // 2} (id));" for n in range(1, 24))
MORE = f"{MANY} CREATE TABLE late (id int PRIMARY KEY, a int REFERENCES t3 (id), b int REFERENCES t17 (id));"


def test_a_scene_file_keeps_where_everything_stands_when_it_follows_its_source(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(MANY)
    assert run(tmp_path, "import", "schema.sql", "-o", "scene.json")[0] == 0
    before = bounds(tmp_path)
    (tmp_path / "before.json").write_text((tmp_path / "scene.json").read_text())
    assert run(tmp_path, "sync", "scene.json", "-", stdin=MORE)[0] == 0
    after = bounds(tmp_path)
    assert set(after) - set(before) == {"late"}
    moved = [one for one, box in before.items() if after[one] != box]
    assert len(moved) <= 2
    assert run(tmp_path, "render", "scene.json", "-o", "after.svg")[0] == 0
    code, out, _ = run(tmp_path, "normalize", "scene.json")
    assert (code, json.loads(out)["computed"]["bounds"]) == (0, after)
    code, out, _ = run(tmp_path, "diff", "before.json", "scene.json", "--format", "json")
    assert (code, json.loads(out)["summary"]) == (0, {"added": 3, "removed": 0, "modified": 0})


def test_a_scene_file_without_places_keeps_those_of_its_picture(folder: Path) -> None:
    (folder / "schema.sql").write_text(MANY)
    assert run(folder, "import", "schema.sql", "-o", "bare.json", "--no-places")[0] == 0
    assert "computed" not in json.loads((folder / "bare.json").read_text())
    pictured = json.loads(run(folder, "normalize", "bare.json")[1])["computed"]["bounds"]
    assert run(folder, "sync", "bare.json", "-", stdin=MORE)[0] == 0
    after = bounds(folder, "bare.json")
    assert len([one for one, box in pictured.items() if after[one] != box]) <= 2
    assert run(folder, "sync", "bare.json", "schema.sql", "--no-places")[0] == 0
    assert "computed" not in json.loads((folder / "bare.json").read_text())


def test_a_check_tells_what_is_behind_and_changes_nothing(folder: Path) -> None:
    before = (folder / "scene.json").read_text()
    code, out, _ = run(folder, "sync", "scene.json", "-", "--check", stdin=AFTER)
    assert (code, out.splitlines()) == (1, ["createNode orders", "createEdge orders--users"])
    assert (folder / "scene.json").read_text() == before
    assert run(folder, "sync", "scene.json", "-", "--dry-run", stdin=AFTER)[0] == 1
    assert (folder / "scene.json").read_text() == before
    assert run(folder, "sync", "scene.json", "schema.sql", "--check")[0] == 0


def test_a_sync_rewrites_the_scene_and_a_diff_shows_what_changed(folder: Path) -> None:
    (folder / "before.json").write_text((folder / "scene.json").read_text())
    assert run(folder, "sync", "scene.json", "-", stdin=AFTER)[0] == 0
    assert run(folder, "sync", "scene.json", "-", "--check", stdin=AFTER)[0] == 0
    code, out, _ = run(folder, "diff", "before.json", "scene.json", "--format", "json")
    assert (code, json.loads(out)["summary"]) == (0, {"added": 2, "removed": 0, "modified": 0})
    assert run(folder, "diff", "before.json", "scene.json", "-o", "diff.svg")[0] == 0
    assert "orders" in (folder / "diff.svg").read_text()


def test_import_and_sync_read_the_page_that_is_asked_for(tmp_path: Path) -> None:
    model = "<mxGraphModel><root><mxCell id='{0}' value='{0}' vertex='1'/></root></mxGraphModel>"
    pages = "".join(f"<diagram name='{name}'>{model.format(name)}</diagram>" for name in ("one", "two"))
    (tmp_path / "net.drawio").write_text(f"<mxfile>{pages}</mxfile>")
    code, _, remarks = run(tmp_path, "import", "net.drawio", "--page", "2", "-o", "scene.json")
    assert code == 0
    assert "'one'" in remarks
    assert [row["id"] for row in json.loads((tmp_path / "scene.json").read_text())["elements"]] == ["two"]
    assert run(tmp_path, "sync", "scene.json", "net.drawio", "--page", "2", "--check")[0] == 0
    assert run(tmp_path, "sync", "scene.json", "net.drawio", "--check")[0] == 0
    assert run(tmp_path, "sync", "scene.json", "net.drawio", "--page", "1", "--check")[0] == 1
    code, _, remarks = run(tmp_path, "import", "net.drawio", "--page", "3")
    assert code == 1
    assert "the file has 2, 1 'one', 2 'two'" in remarks


def test_import_takes_the_view_that_is_asked_for_and_sync_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "net.d2").write_text("a -> b\nlayers: {\n  x: {\n    c\n  }\n}\n")
    assert run(tmp_path, "import", "net.d2", "--view", "layers.x", "-o", "scene.json")[0] == 0
    assert [row["label"] for row in json.loads((tmp_path / "scene.json").read_text())["elements"]] == ["c"]
    assert run(tmp_path, "sync", "scene.json", "net.d2", "--check")[0] == 0
    code, _, remarks = run(tmp_path, "import", "net.d2", "--view", "layers.y")
    assert code == 1
    assert "Its boards are: layers.x." in remarks


def test_several_files_of_sql_are_migrations_each_in_its_own_dialect(tmp_path: Path) -> None:
    (tmp_path / "1.sql").write_text("CREATE TABLE `users` (`id` int AUTO_INCREMENT, KEY `k` (`id`)) ENGINE=InnoDB;")
    (tmp_path / "2.sql").write_text("ALTER TABLE [dbo].[users] ADD [note] [nvarchar](max), [x] int\nGO")
    assert run(tmp_path, "import", "1.sql", "2.sql", "-o", "scene.json") == (0, "", "")
    (table,) = json.loads((tmp_path / "scene.json").read_text())["elements"]
    assert [column["name"] for column in table["extensions"]["columns"]] == ["id", "note", "x"]
    (tmp_path / "3.sql").write_text("ALTER TABLE users DROP COLUMN x;")
    assert run(tmp_path, "sync", "scene.json", "1.sql", "2.sql", "3.sql") == (0, "updateNode users\n", "")


def test_each_of_several_files_is_read_in_its_own_encoding_and_named_where_it_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "1.sql").write_text("CREATE TABLE users (id int);")
    (tmp_path / "2.sql").write_bytes("CREATE TABLE [dbo].[größe] ([id] int IDENTITY(1,1));\nGO".encode("utf-16"))
    assert run(tmp_path, "import", "1.sql", "2.sql", "-o", "scene.json") == (0, "", "")
    elements = json.loads((tmp_path / "scene.json").read_text())["elements"]
    assert [one["label"] for one in elements] == ["users", "größe"]
    (tmp_path / "3.sql").write_bytes(b"-- three\nCREATE TABLE \xff (id int);")
    code, _, remarks = run(tmp_path, "import", "1.sql", "3.sql")
    assert code == 1
    assert remarks.startswith("3.sql:2: expected text in UTF-8.")


def test_several_files_of_other_formats_are_refused(tmp_path: Path) -> None:
    for name in ("a.mmd", "b.mmd"):
        (tmp_path / name).write_text("graph LR\n a")
    code, out, remarks = run(tmp_path, "import", "a.mmd", "b.mmd")
    assert (code, out) == (1, "")
    assert "Several files are one source only for --format sql, kubernetes." in remarks


def test_json_of_another_tool_is_read_by_its_reader(tmp_path: Path) -> None:
    box = {"id": "a", "type": "rectangle", "x": 0, "y": 0, "width": 90, "height": 60}
    source = json.dumps({"type": "excalidraw", "version": 2, "elements": [box]})
    code, out, _ = run(tmp_path, "import", "-", stdin=source)
    assert code == 0
    assert [row["kind"] for row in json.loads(out)["elements"]] == ["node"]
