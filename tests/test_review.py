"""The review of scene files in a pull request, on a real git repository; the action and the hooks that run it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from review_scenes import MOST_LETTERS, Review, code, comment

from scenograph.cli import program as commands
from scenograph.reading.files import PAGES
from scenograph.wire.source_formats import SOURCE_FORMATS

ROOT = Path(__file__).parents[1]
PNG = b"\x89PNG"
HOSTILE = "@everyone ](http://evil.example) <img src=x> `#1`\n# Approved"

Git = Callable[..., str]


def scene(**labels: str) -> dict[str, Any]:
    nodes = [{"id": key, "kind": "node", "nodeType": "service", "label": text} for key, text in labels.items()]
    head = {"id": "shop", "title": "Shop", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": nodes}


@pytest.fixture
def git(tmp_path: Path) -> Git:
    def run(*arguments: str) -> str:
        settings = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        return subprocess.check_output(["git", *settings, *arguments], cwd=tmp_path, text=True)

    run("init", "-q", "-b", "main")
    return run


def commit(git: Git, folder: Path, files: dict[str, Any]) -> None:
    """A commit in which the folder has these files; None removes one, a text is written as it is."""
    for name, content in files.items():
        if content is None:
            (folder / name).unlink()
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content, indent=1), "utf-8")
    git("add", "--all")
    git("commit", "-q", "-m", "Change")


def reviewed(folder: Path, *more: str, base: str = "main", head: str = "work") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "review_scenes.py", "--base", base, "--head", head, "--out", "review"]
    command += more
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_changed_new_removed_and_invalid_scenes_are_told_and_drawn(git: Git, tmp_path: Path) -> None:
    one = scene(web="Web", api="API")
    commit(git, tmp_path, {"docs/a.scene.json": one, "gone.scene.json": one, "same.scene.json": one, "other.json": one})
    git("switch", "-q", "-c", "work")
    changed = {
        "docs/a.scene.json": scene(web="Shop", db="Orders"),
        "new.scene.json": scene(**{f"n{number}": "New" for number in range(9)}),
    }
    commit(git, tmp_path, {**changed, "bad.scene.json": "{", "gone.scene.json": None, "other.json": {}})
    git("switch", "-q", "main")
    commit(git, tmp_path, {"same.scene.json": scene(web="Changed on main only")})
    done = reviewed(tmp_path)
    assert (done.returncode, done.stdout) == (0, "changed=4\ninvalid=1\n"), done.stderr
    told = (tmp_path / "review" / "comment.md").read_text("utf-8")
    parts = dict(re.findall(r"### ` (\S+) `\n\n(.*?)(?=###|\Z)", told, re.DOTALL))
    assert set(parts) == {"docs/a.scene.json", "bad.scene.json", "gone.scene.json", "new.scene.json"}
    assert "**Added: 1**\n\n- ` db ` ` Orders `" in parts["docs/a.scene.json"]
    assert "**Removed: 1**\n\n- ` api ` ` API `" in parts["docs/a.scene.json"]
    assert "**Modified: 1**\n\n- ` web ` ` Shop `: ` label `" in parts["docs/a.scene.json"]
    assert "Not a valid scene" in parts["bad.scene.json"]
    assert parts["gone.scene.json"].startswith("Removed.")
    assert parts["new.scene.json"].startswith("New.")
    drawn = sorted((tmp_path / "review").glob("*-a.scene.json/*.png"))
    assert [file.name for file in drawn] == ["after.png", "before.png", "diff.png"]
    assert all(file.read_bytes().startswith(PNG) for file in drawn)


def test_a_renamed_scene_is_compared_with_its_earlier_name(git: Git, tmp_path: Path) -> None:
    many = {f"n{number}": f"Node {number}" for number in range(9)}
    commit(git, tmp_path, {"old.scene.json": scene(**many)})
    git("switch", "-q", "-c", "work")
    commit(git, tmp_path, {"old.scene.json": None, "new.scene.json": scene(**many | {"n0": "Renamed"})})
    assert reviewed(tmp_path).stdout == "changed=1\ninvalid=0\n"
    assert "**Modified: 1**" in (tmp_path / "review" / "comment.md").read_text("utf-8")


def test_a_label_cannot_leave_its_code_span(git: Git, tmp_path: Path) -> None:
    commit(git, tmp_path, {"a.scene.json": scene(web="Web")})
    git("switch", "-q", "-c", "work")
    commit(git, tmp_path, {"a.scene.json": scene(web=HOSTILE)})
    reviewed(tmp_path)
    told = (tmp_path / "review" / "comment.md").read_text("utf-8")
    assert "`` @everyone ](http://evil.example) <img src=x> `#1` # Approved ``" in told


PAGE = (
    '# Shop\n```mermaid\nflowchart LR\n  a[{one}] --> b[Pay]\n```\n# Share\n```mermaid\npie title P\n  "x" : 1\n```\n'
)


def test_sources_and_the_diagrams_of_pages_are_reviewed_one_by_one(git: Git, tmp_path: Path) -> None:
    same = "# Same\n```mermaid\nflowchart LR\n  x --> y\n```\n"
    before = {"page.md": PAGE.format(one="Cart") + same, "db.sql": "CREATE TABLE a (id int);", "text.md": "# A\n"}
    commit(git, tmp_path, before)
    git("switch", "-q", "-c", "work")
    after = {
        "page.md": PAGE.format(one="Basket") + same + "# New\n```mermaid\nflowchart LR\n  p --> q\n```\n",
        "db.sql": "CREATE TABLE a (id int, at date);",
        "text.md": "# B\n",
        "bad.bpmn": "<definitions",
        "query.sql": "SELECT 1;",
    }
    commit(git, tmp_path, after)
    done = reviewed(tmp_path, "--files", "*.md\n*.sql\n*.bpmn")
    assert (done.returncode, done.stdout) == (0, "changed=3\ninvalid=1\n"), done.stderr
    told = (tmp_path / "review" / "comment.md").read_text("utf-8")
    parts = dict(re.findall(r"### ` (.+?) `\n\n(.*?)(?=###|\Z)", told, re.DOTALL))
    assert set(parts) == {"page.md: Shop", "page.md: New", "db.sql", "bad.bpmn"}
    assert "` a ` ` Basket `: ` label `" in parts["page.md: Shop"]
    assert parts["page.md: New"].startswith("New.")
    assert parts["bad.bpmn"].startswith("**Not a valid diagram.**")
    assert sorted(file.name for file in (tmp_path / "review").glob("*-page.md/1-*.png")) == [
        "1-after.png",
        "1-before.png",
        "1-diff.png",
    ]


@given(st.text())
def test_a_code_span_is_one_line_and_closes_where_it_ends(text: str) -> None:
    shown = code(text)
    assert len(shown.splitlines()) == 1
    fence = re.match("`+", shown)
    if fence is not None:
        runs = re.findall("`+", shown)
        assert runs[0] == runs[-1] == fence[0]
        assert all(len(run) < len(fence[0]) for run in runs[1:-1])
        assert len(shown) <= MOST_LETTERS + 3 + 2 * len(fence[0])


def test_an_unknown_commit_is_told_and_nothing_is_written(git: Git, tmp_path: Path) -> None:
    commit(git, tmp_path, {"a.scene.json": scene(web="Web")})
    done = reviewed(tmp_path, head="nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere" in done.stderr
    assert not (tmp_path / "review").exists()


def test_a_long_comment_stays_within_what_the_platform_takes() -> None:
    told = comment([Review("x" * 25_000, valid=True)] * 5, 2)
    assert len(told) < 65_536
    assert told.endswith("5 more files are not shown.\n")


def test_the_action_hands_values_of_the_event_on_as_variables_only() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert scripts
    assert not any("${{" in script for script in scripts)
    for script in scripts:
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        assert all((ROOT / name).exists() for name in re.findall(r"\$ACTION/(scripts/\w+\.py)", script))


def test_the_documented_workflow_uses_inputs_of_the_action_and_the_safe_trigger() -> None:
    page = (ROOT / "docs" / "review.md").read_text("utf-8")
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    workflow = next(block for block in blocks if "jobs" in block)
    used = workflow["jobs"]["review"]["steps"][-1]
    assert workflow[True] == "pull_request"  # YAML 1.1 reads the key `on` as true
    assert set(used["with"]) <= set(yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"])


def test_the_hooks_run_commands_that_judge_files(tmp_path: Path) -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    assert set(hooks) == {"scenograph-validate", "scenograph-validate-sources", "scenograph-sync-check"}
    good, bad = tmp_path / "good.scene.json", tmp_path / "bad.scene.json"
    good.write_text(json.dumps(scene(web="Web")), "utf-8")
    bad.write_text(json.dumps(scene(web="Web") | {"elements": 1}), "utf-8")
    assert all(re.search(hooks["scenograph-validate"]["files"], file.name) for file in (good, bad))
    source = tmp_path / "flow.mmd"
    source.write_text("flowchart LR\n  a[One] --> b[Two]\n", "utf-8")
    assert ends_with("scenograph-validate", hooks, good) == 0
    assert ends_with("scenograph-validate", hooks, good, bad) == 1
    assert ends_with("scenograph-sync-check", hooks, good, source) == 1


def ends_with(hook: str, hooks: dict[str, dict[str, Any]], *files: Path) -> int:
    """The exit code of a hook's command."""
    program, *words = shlex.split(hooks[hook]["entry"])
    assert (program, words[0] in commands.commands) == ("scenograph", True)
    return subprocess.run([sys.executable, "-m", program, *words, *files], check=False, capture_output=True).returncode


def test_the_hook_for_sources_takes_every_kind_of_file_that_is_told_by_its_name() -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    files = re.compile(hooks["scenograph-validate-sources"]["files"])
    suffixes = [suffix for row in SOURCE_FORMATS.values() for suffix in row.suffixes]
    names = [f"a{suffix}" for suffix in (*suffixes, *PAGES)] + ["x/compose.prod.yaml", "docker-compose.yml"]
    assert [name for name in (*names, "a.scene.yaml", "b/a.scene.json") if not files.search(name)] == []
    assert [name for name in ("a.json", "a.yaml", "a.sqlx", "decompose.yml", "a.mdx.py") if files.search(name)] == []


@pytest.mark.slow
def test_pre_commit_runs_the_hook_on_a_repository_of_sources(git: Git, tmp_path: Path) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    hook = next(one for one in hooks if one["id"] == "scenograph-validate-sources") | {"language": "system"}
    good = {
        "flow.mmd": "flowchart LR\n  a --> b\n",
        "db/schema.sql": "CREATE TABLE a (id int);",
        "db/query.sql": "SELECT 1;",
        "page.md": PAGE.format(one="Cart"),
        "compose.yaml": "services:\n  web:\n    image: x\n",
        "a.scene.json": scene(web="Web"),
        "settings.yaml": "unrelated: [\n",
    }
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    commit(git, tmp_path, good | {".pre-commit-config.yaml": yaml.safe_dump(config)})
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment["PRE_COMMIT_HOME"] = str(tmp_path / "home")

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    done = run()
    assert (done.returncode, "Passed" in done.stdout) == (0, True), done.stdout + done.stderr
    commit(git, tmp_path, {"bad.mmd": "flowchrt LR\n  a --> b\n", "worse.bpmn": "<definitions"})
    done = run()
    assert (done.returncode, "Failed" in done.stdout) == (1, True)
    assert "bad.mmd:1:1:" in done.stdout
    assert "worse.bpmn:1" in done.stdout
