"""Any source at any command, differences in words, terminals, and completion in real shells."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.commands import run_here

FLOW = "flowchart LR\n a[One] --> b[Two]\n"
YAML = """# a scene
schemaVersion: "0.1"
diagramFamily: architecture
scene: {id: small, units: px, canvas: {}}
elements:
  - {id: a, kind: node, label: no}
"""
PAGE = f"# Page\n\n```mermaid\n{FLOW}```\n\n## Tables\n\n~~~sql\nCREATE TABLE users (id int PRIMARY KEY);\n~~~\n"
SECONDS = 30


def run(folder: Path, *arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    done = run_here(*arguments, given=stdin, folder=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a source of each kind, all saying much the same."""
    (tmp_path / "flow.mmd").write_text(FLOW)
    (tmp_path / "small.yaml").write_text(YAML)
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "one.md").write_text(f"Text\n\n```mermaid\n{FLOW}```\n")
    (tmp_path / "wide.mmd").write_bytes(FLOW.encode("utf-16"))
    (tmp_path / "anything").write_text(FLOW)
    assert run(tmp_path, "render", "flow.mmd", "-o", "flow.svg", "--embed")[0] == 0
    assert run(tmp_path, "render", "flow.mmd", "-o", "flow.png", "--embed")[0] == 0
    return tmp_path


@pytest.mark.parametrize(
    "source", ["flow.mmd", "small.yaml", "one.md", "wide.mmd", "anything", "flow.svg", "flow.png", "-"]
)
def test_every_command_takes_every_source(folder: Path, source: str) -> None:
    stdin = FLOW.encode() if source == "-" else b""
    assert run(folder, "validate", source, stdin=stdin)[0] == 0
    code, out, _ = run(folder, "normalize", source, stdin=stdin)
    assert (code, "computed" in json.loads(out)) == (0, True)
    assert run(folder, "render", source, "-o", "out.svg", stdin=stdin)[0] == 0
    code, out, _ = run(folder, "import", source, stdin=stdin)
    assert (code, json.loads(out)["elements"][0]["id"]) == (0, "a")
    assert run(folder, "diff", "flow.mmd", source, "--format", "json", stdin=stdin)[0] == 0


def test_a_source_may_be_named_what_it_is(folder: Path) -> None:
    assert run(folder, "render", "anything", "--from", "mermaid", "-o", "out.svg")[0] == 0
    code, _, told = run(folder, "render", "anything", "--from", "mermade")
    assert (code, told.startswith("--from must be one of: scenograph, mermaid")) == (1, True)
    code, _, told = run(folder, "render", "flow.mmd", "--from", "bpmn")
    assert (code, "It looks like mermaid" in told) == (1, True)


def test_a_picture_of_a_source_is_named_after_its_file(folder: Path) -> None:
    (folder / "flow.svg").unlink()
    assert run(folder, "render", "flow.mmd")[2] == "Wrote flow.svg\n"
    assert run(folder, "render", "small.yaml")[2] == "Wrote small.svg\n"


def test_one_diagram_of_a_page_is_chosen_and_several_are_listed(folder: Path) -> None:
    code, _, told = run(folder, "render", "page.md")
    assert code == 1
    assert "1 'Page' (mermaid, line 3); 2 'Tables' (sql, line 10)" in told
    for block in ("2", "Tables", "tables"):
        code, out, _ = run(folder, "import", "page.md", "--block", block)
        assert (code, json.loads(out)["elements"][0]["id"]) == (0, "users")
    assert run(folder, "render", "page.md", "--block", "9")[0] == 1


def test_all_diagrams_of_pages_can_be_checked(folder: Path) -> None:
    (folder / "bad.md").write_text(f"{PAGE}\n```mermaid\nflowchart LR\n ]\n```\n")
    (folder / "none.md").write_text("# Nothing\n")
    assert run(folder, "validate", "--all-blocks", "page.md", "none.md", "flow.mmd")[0] == 0
    code, _, told = run(folder, "validate", "--all-blocks", "bad.md")
    assert (code, "bad.md:" in told) == (1, True)


def test_every_file_is_checked_and_what_has_no_form_is_passed_over_where_all_blocks_are_asked_for(folder: Path) -> None:
    (folder / "bad.mmd").write_text("flowchrt LR\n a --> b\n")
    (folder / "late.json").write_text('{"schemaVersion": "0.1", "scene": {}, "elements": []}')
    (folder / "pie.md").write_text('```mermaid\npie\n "x" : 1\n```\n')
    (folder / "query.sql").write_text("SELECT 1;")
    code, out, told = run(folder, "validate", "bad.mmd", "missing.mmd", "late.json")
    assert (code, "bad.mmd:1:1" in told, "missing.mmd: " in told, "late.json: error" in out) == (1, True, True, True)
    code, _, told = run(folder, "validate", "--all-blocks", "pie.md", "query.sql")
    assert (code, [row.partition(":")[0] for row in told.splitlines()]) == (0, ["Passed over", "Passed over"])
    assert run(folder, "validate", "query.sql")[0] == 1


def test_yaml_beyond_json_is_refused_with_its_place(folder: Path) -> None:
    (folder / "small.yaml").write_text(YAML + "palette: !!map {}\n")
    code, _, told = run(folder, "validate", "small.yaml")
    assert (code, told.startswith("small.yaml:7:10: expected strict YAML. Tags")) == (1, True)


def test_one_document_of_a_yaml_file_is_chosen_by_its_number(folder: Path) -> None:
    (folder / "two.yaml").write_text(f"# remarks\n---\n{YAML}---\n{YAML.replace('small', 'second')}...\n")
    code, _, told = run(folder, "validate", "two.yaml")
    assert (code, "two.yaml:9: expected" in told, "The file has 2 YAML documents." in told) == (1, True, True)
    for number, name in (("1", "small"), ("2", "second")):
        code, out, _ = run(folder, "import", "two.yaml", "--block", number)
        assert (code, json.loads(out)["scene"]["id"]) == (0, name)
    assert run(folder, "import", "two.yaml", "--block", "3")[0] == 1
    (folder / "one.yaml").write_text(f"%YAML 1.2\n---\n{YAML}...\n---\n# nothing\n")
    assert run(folder, "import", "one.yaml", "--block", "1")[1] == run(folder, "import", "small.yaml")[1]


def test_a_scene_that_is_imported_is_never_written_over(folder: Path) -> None:
    assert run(folder, "import", "flow.mmd", "-o", "x.json")[0] == 0
    before = (folder / "x.json").read_bytes()
    code, _, told = run(folder, "import", "x.json", "-o", "x.json", "--force")
    assert (code, "x.json is what was read" in told, (folder / "x.json").read_bytes()) == (1, True, before)


def test_an_import_writes_over_nothing_without_force(folder: Path) -> None:
    assert run(folder, "import", "flow.mmd", "-o", "scene.json")[0] == 0
    before = (folder / "scene.json").read_bytes()
    code, _, told = run(folder, "import", "small.yaml", "-o", "scene.json")
    assert (code, "--force" in told, (folder / "scene.json").read_bytes()) == (1, True, before)
    assert run(folder, "import", "small.yaml", "-o", "scene.json", "--force")[0] == 0
    assert json.loads((folder / "scene.json").read_text())["scene"]["id"] == "small"


def test_an_import_of_a_picture_keeps_its_places(folder: Path) -> None:
    assert run(folder, "import", "flow.png", "-o", "scene.json")[0] == 0
    placed = json.loads((folder / "scene.json").read_text())["computed"]["bounds"]
    assert placed == json.loads(run(folder, "normalize", "flow.mmd")[1])["computed"]["bounds"]


def test_a_sync_rewrites_no_yaml(folder: Path) -> None:
    code, _, told = run(folder, "sync", "small.yaml", "flow.mmd")
    assert (code, "import -o scene.json" in told, (folder / "small.yaml").read_text()) == (1, True, YAML)


def test_a_difference_is_told_in_words(folder: Path) -> None:
    (folder / "later.mmd").write_text("flowchart LR\n a[Uno] --> c[Three]\n")
    code, out, _ = run(folder, "diff", "flow.mmd", "later.mmd")
    assert code == 0
    assert out.splitlines() == [
        "2 added, 2 removed, 1 modified",
        "+ edge a--c (a → c)",
        '+ node c "Three"',
        "- edge a--b (a → b)",
        '- node b "Two"',
        '~ node a "Uno": label',
    ]
    assert run(folder, "diff", "flow.mmd", "flow.mmd") == (0, "No differences.\n", "")


def test_an_exit_code_tells_whether_documents_differ(folder: Path) -> None:
    for more in ([], ["--format", "json"], ["-o", "out.svg"]):
        assert run(folder, "diff", "flow.mmd", "small.yaml", "--exit-code", *more)[0] == 1
        assert run(folder, "diff", "flow.mmd", "anything", "--exit-code", *more)[0] == 0


class Terminal:
    """A program at a pseudo-terminal."""

    def __init__(self, command: list[str], folder: Path, **environment: str) -> None:
        self._master, slave = pty.openpty()
        self._program = subprocess.Popen(
            command,
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "dumb", "HOME": str(folder), "LC_ALL": "C.UTF-8"} | environment,
            start_new_session=True,
        )
        os.close(slave)
        self.said = ""

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def until(self, word: str) -> str:
        """What was said until a word came."""
        end = time.monotonic() + SECONDS
        while word not in self.said:
            ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"{word!r} did not come: {self.said!r}")
            try:
                self.said += os.read(self._master, 65536).decode("utf-8", "replace")
            except OSError:  # the other end is closed
                assert word in self.said, self.said
        return self.said

    def rest(self) -> tuple[int, str]:
        """The exit code, and all that was said."""
        while True:
            try:
                piece = os.read(self._master, 65536)
            except OSError:
                break
            if not piece:
                break
            self.said += piece.decode("utf-8", "replace")
        return self._program.wait(SECONDS), self.said

    def close(self) -> None:
        self._program.kill()
        self._program.wait(SECONDS)
        os.close(self._master)


def test_no_picture_goes_to_a_terminal_and_no_source_steers_it(folder: Path) -> None:
    (folder / "evil.mmd").write_text('flowchart LR\n a["\x1b]0;owned\x07"] --> b\n', "utf-8")
    for arguments, code in [
        (["render", "flow.mmd", "-o", "-"], 1),
        (["diff", "flow.mmd", "small.yaml", "--format", "svg"], 1),
        (["diff", "flow.mmd", "evil.mmd"], 0),
        (["render", "evil.mmd", "--format", "text", "-o", "-"], 0),
        (["render", "evil.mmd", "--format", "mermaid", "-o", "-"], 0),
        (["import", "evil.mmd"], 0),
        (["render", "\x1b[31mnone.mmd"], 1),
    ]:
        terminal = Terminal([sys.executable, "-m", "scenograph", *arguments], folder)
        ended, said = terminal.rest()
        terminal.close()
        assert (arguments, ended) == (arguments, code)
        assert "<svg" not in said
        assert "\x1b" not in said
        assert "\x07" not in said


STARTED = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        'eval "$(scenograph completion bash)"; PS1=; bind "set bell-style none"',
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        (
            "unsetopt zle_bracketed_paste prompt_cr prompt_sp; PS1=; autoload -U compinit; compinit -u -D;"
            ' eval "$(scenograph completion zsh)"'
        ),
    ),
    "fish": (["fish", "--no-config", "-i"], "scenograph completion fish | source"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", STARTED)
def test_a_shell_completes_commands_values_and_files(folder: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    program = folder / "bin" / "scenograph"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m scenograph "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    command, start = STARTED[shell]
    if shell == "fish":  # its completions are asked for without a terminal's drawing
        asked = "; ".join(f"complete -C '{words}'" for words in WORDS_TYPED)
        done = subprocess.run(
            [*command[:2], "-c", f"{start}; {asked}"],
            cwd=folder,
            env=os.environ | {"PATH": path, "HOME": str(folder)},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        assert {"normalize", "blueprint", "small.yaml", "excalidraw", "orgchart"} <= {
            line.partition("\t")[0] for line in done.stdout.splitlines()
        }
        return
    terminal = Terminal(command, folder, PATH=path)
    try:
        terminal.type(f"{start}; echo re''ady\r")
        terminal.until("ready")
        for typed, completed in WORDS_TYPED.items():
            terminal.said = ""
            terminal.type(f"{typed}\t")
            terminal.until(completed)
            terminal.type("\x15")  # Ctrl-U forgets the line
    finally:
        terminal.close()


WORDS_TYPED = {
    "scenograph norm": "normalize",
    "scenograph render x --theme blu": "blueprint",
    "scenograph render sma": "small.yaml",
    "scenograph render x --format exc": "excalidraw",
    "scenograph init orgc": "orgchart",
}
