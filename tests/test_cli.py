"""The command line as a user meets it: output, remarks and exit codes."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.commands import Done
from tests.commands import run_here as run

from scenograph.cli.pictures import waiting
from scenograph.cli.terminal import CANNOT_START
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES
from scenograph.settings import Settings

Document = dict[str, Any]

VALID: Document = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "checkout", "title": "Checkout", "units": "px", "canvas": {"width": 640, "height": 240}},
    "elements": [
        {"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"},
        {"id": "orders", "kind": "node", "nodeType": "service", "label": "Orders"},
        {"id": "e1", "kind": "edge", "from": {"elementId": "web"}, "to": {"elementId": "orders"}},
    ],
}
INVALID: Document = VALID | {"elements": [*VALID["elements"], {"id": "web", "kind": "node"}]}


def run_process(*arguments: str, given: bytes = b"", **environment: str) -> Done:
    command = [sys.executable, "-m", "scenograph", *arguments]
    done = subprocess.run(
        command, input=given, capture_output=True, timeout=60, check=False, env=os.environ | environment
    )
    return Done(done.returncode, done.stdout, done.stderr)


def as_json(document: Document) -> bytes:
    return json.dumps(document).encode()


@pytest.fixture
def scene(tmp_path: Path) -> str:
    path = tmp_path / "scene.json"
    path.write_bytes(as_json(VALID))
    return str(path)


def test_version_and_help_answer() -> None:
    assert run_process("--version").stdout.strip() == version("scenograph").encode()
    told = run("--help").stdout
    for command in (b"serve", b"render", b"validate", b"normalize", b"mcp"):
        assert command in told


@pytest.mark.parametrize(
    ("name", "magic"), [("out.svg", b"<svg"), ("out.PNG", b"\x89PNG"), ("out.excalidraw", b'{"type":"excalidraw"')]
)
def test_the_files_name_decides_the_format(scene: str, tmp_path: Path, name: str, magic: bytes) -> None:
    done = run("render", scene, "-o", str(tmp_path / name))
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / name).read_bytes().startswith(magic)


def test_what_changed_since_an_earlier_document_is_shown(scene: str, tmp_path: Path) -> None:
    more = {**VALID, "elements": [*VALID["elements"], {"id": "fresh", "kind": "node"}]}
    done = run("render", "-", "-o", "-", "--diff", scene, given=as_json(more))
    assert done.returncode == 0
    assert b'data-element-id="fresh" data-kind="node" data-change="added"' in done.stdout
    assert b"data-legend" in done.stdout


def test_a_scene_is_read_from_a_pipe_and_written_to_one() -> None:
    done = run_process(
        "render", "-", "-o", "-", "--format", "png", "--theme", "dark", "--scale", "0.5", given=as_json(VALID)
    )
    assert done.returncode == 0
    assert done.stdout.startswith(b"\x89PNG")


def test_diagnostics_go_to_standard_error(tmp_path: Path) -> None:
    undeclared = {name: value for name, value in VALID.items() if name != "diagramFamily"}
    done = run("render", "-", "-o", "-", given=as_json(undeclared))
    assert done.returncode == 0
    assert done.stdout.startswith(b"<svg")
    assert b"info MISSING_DIAGRAM_FAMILY /diagramFamily" in done.stderr
    assert done.stderr.count(b"MISSING_DIAGRAM_FAMILY") == 1


def test_an_invalid_scene_is_refused_with_its_problems_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    done = run("render", "-", "-o", str(out), given=as_json(INVALID))
    assert done.returncode == 1
    assert b"error DUPLICATE_ID /elements/3" in done.stderr
    assert not out.exists()


def test_a_png_of_too_many_pixels_is_refused_with_the_scale_that_fits(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    vast = {**VALID, "scene": {**VALID["scene"], "canvas": {"width": 7000, "height": 7000}}}
    done = run("render", "-", "-o", str(out), "--scale", "2", given=as_json(vast))
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"The picture would have " in done.stderr
    assert b" megapixels; at most 64 are made: use a scale of at most " in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-o", "x.gif"], "none of .svg, .png, .excalidraw"),
        (["-o", "x.svg", "--theme", "neon"], "clean, dark, blueprint, sketch"),
        (["-o", "x.svg", "--format", "gif"], "svg, png"),
        (["-o", "x.png", "--scale", "99"], "0.1 to 8"),
        (["-o", "/no/such/folder/x.svg"], "No such folder"),
    ],
)
def test_a_wrong_argument_is_one_line_that_says_what_is_allowed(
    scene: str, arguments: list[str], sentence: str
) -> None:
    done = run("render", scene, *arguments)
    assert done.returncode == 1
    assert sentence in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("given", "sentence"),
    [(b"{", "not JSON"), (b"[]", "an array"), (b'{"a": NaN}', "NaN"), (b"", "empty")],
)
@pytest.mark.parametrize("command", ["validate", "normalize"])
def test_what_is_no_document_is_refused_in_a_sentence(command: str, given: bytes, sentence: str) -> None:
    done = run(command, "-", given=given)
    assert (done.returncode, done.stdout) == (1, b"")
    assert sentence in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_missing_file_is_a_sentence() -> None:
    done = run("validate", "nowhere.json")
    assert (done.returncode, done.stderr) == (1, b"nowhere.json: No such file or directory.\n")


def test_validate_prints_a_line_a_diagnostic() -> None:
    good, bad = run("validate", "-", given=as_json(VALID)), run("validate", "-", given=as_json(INVALID))
    assert (good.returncode, good.stdout) == (0, b"")
    assert bad.returncode == 1
    severity, code, path, message = bad.stdout.decode().splitlines()[0].split(" ", 3)
    assert (severity, code, path) == ("error", "DUPLICATE_ID", "/elements/3/id")
    assert "web" in message


def test_normalize_prints_a_document_that_stays_as_it_is() -> None:
    once = run("normalize", "-", given=as_json(VALID))
    assert once.returncode == 0
    assert "computed" in json.loads(once.stdout)
    assert run("normalize", "-", given=once.stdout).stdout == once.stdout


@pytest.mark.parametrize("command", [("normalize", "-"), ("render", "-", "-o", "-")])
def test_a_sketch_keeps_the_places_that_a_normalized_document_has(tmp_path: Path, command: tuple[str, ...]) -> None:
    former = json.loads(run("normalize", "-", given=as_json(VALID)).stdout)["computed"]
    key = next(iter(former["bounds"]))
    former["bounds"][key]["x"] += 300
    (tmp_path / "former.json").write_text(json.dumps(former))
    kept = run(*command, "--sketch", str(tmp_path / "former.json"), given=as_json(VALID))
    own = run(*command, given=as_json(VALID | {"computed": former}))
    assert kept.returncode == own.returncode == 0
    assert kept.stdout == own.stdout != run(*command, given=as_json(VALID)).stdout


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"PORT": "x"}, "PORT should be a valid integer"),
        ({"DATABASE_URL": "sqlite:////no/such/folder/x.db", "PORT": "0"}, "DATABASE_URL: "),
        ({"HOST": "203.0.113.1", "PORT": "0"}, "Cannot listen on 203.0.113.1:0: "),
    ],
)
def test_a_service_that_cannot_start_says_why_in_one_line(environment: dict[str, str], line: str) -> None:
    done = run_process("serve", **environment)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(line)
    assert done.stderr.count(b"\n") == 1


def test_an_odd_value_of_auth_disabled_is_remarked_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("PORT", str(taken.getsockname()[1]))
        monkeypatch.setenv("AUTH_DISABLED", "True")
        done = run("serve")
    warning, refusal = done.stderr.decode().splitlines()
    assert warning == "AUTH_DISABLED is set, but not to exactly true: keys are still asked for."
    assert refusal.startswith("Cannot listen on 127.0.0.1:")


def test_settings_lists_every_variable() -> None:
    listed = run("settings").stdout.decode()
    names = [name.upper() for name in Settings.model_fields]
    assert [line.split()[0] for line in listed.splitlines()] == names
    assert {len(line) - len(line.split(maxsplit=1)[1]) for line in listed.splitlines()} == {max(map(len, names)) + 1}


def test_without_a_file_the_picture_is_named_after_the_scene(
    scene: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("render", scene).stderr == b"Wrote checkout.svg\n"
    assert run("render", scene, "--format", "png").stderr == b"Wrote checkout.png\n"
    assert (tmp_path / "checkout.svg").read_bytes().startswith(b"<svg")
    assert (tmp_path / "checkout.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", [("normalize", "-"), ("render", "-", "-o", "-"), ("settings",), ("--help",)])
def test_a_reader_that_leaves_early_is_no_error(command: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "scenograph", *command],
            input=as_json(VALID),
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("family", DIAGRAM_FAMILIES)
def test_a_first_scene_of_every_family_is_written_and_can_be_rendered(tmp_path: Path, family: str) -> None:
    first = str(tmp_path / "first.json")
    assert run("init", family, "-o", first).returncode == 0
    done = run("render", first, "-o", "-")
    assert done.stdout.startswith(b"<svg")
    assert b"error" not in done.stderr
    again = run("init", family, "-o", first)
    assert (again.returncode, again.stderr) == (
        1,
        f"{first} exists already and was left as it is; name another file with -o.\n".encode(),
    )


def test_a_family_that_there_is_not_is_told_with_the_nearest() -> None:
    done = run("init", "worklow")
    assert done.returncode == 1
    assert done.stderr.startswith(b"worklow is not a family. Did you mean workflow? The families are: architecture, ")


def test_the_name_of_a_file_in_place_of_a_family_is_told_its_option() -> None:
    done = run("init", "shop.json")
    assert done.returncode == 1
    assert done.stderr.startswith(b"shop.json is not a family. To name the file, say -o shop.json. The families are: ")


def test_on_a_terminal_what_takes_its_time_is_said_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            written = super().write(text)
            if "2 s" in text:
                long_enough.set()
            return written

    long_enough, terminal = threading.Event(), Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("scenograph.cli.pictures.PATIENCE_SECONDS", 0.001)
    with waiting("Rendering", {"elements": [{"id": "a", "kind": "node"}]}):
        assert long_enough.wait(10)
    assert "Rendering 1 element and 0 lines … 1 s" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_where_nobody_looks_nothing_is_said(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with waiting("Rendering", {"elements": [{"id": "a", "kind": "node"}]}):
        pass
    assert capsysbinary.readouterr() == (b"", b"")


def test_a_service_that_no_key_opens_says_how_to_make_one(tmp_path: Path) -> None:
    environment = {"PORT": "0", "DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db", "RENDER_WORKERS": "1"}
    assert b"scenograph keys create" in first_words(environment)
    assert run_process("keys", "create", **environment).returncode == 0
    assert b"scenograph keys create" not in first_words(environment)


def test_serve_listens_where_its_options_say(tmp_path: Path) -> None:
    environment = {"PORT": "1", "DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db"}
    refused = run_process("serve", "--host", "203.0.113.9", "--port", "0", **environment)
    assert refused.returncode == CANNOT_START
    assert b"Cannot listen on 203.0.113.9:0" in refused.stderr


def first_words(environment: dict[str, str]) -> bytes:
    """What a service says on standard error until it listens."""
    command = [sys.executable, "-m", "scenograph", "serve", "--until-stdin-closes"]
    with subprocess.Popen(
        command,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as service:
        assert service.stdout is not None
        assert b"listens" in service.stdout.readline()
        return service.communicate(timeout=60)[1]


INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts tests in the background ignores it
from scenograph.__main__ import main
main()
"""


def save(file: str, text: str) -> None:
    """Save as editors do: all at once."""
    fresh = Path(f"{file}.new")
    fresh.write_text(text)
    fresh.replace(file)


@contextmanager
def ended(process: subprocess.Popen[str]) -> Generator[None]:
    """Whatever fails, nobody waits for a process that goes on for ever."""
    try:
        yield
    finally:
        process.kill()


def test_a_watched_scene_is_drawn_again_after_each_save(scene: str, tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    command = [sys.executable, "-c", INTERRUPTIBLE, "render", scene, "-o", str(out), "--watch"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as watching, ended(watching):
        remarks = watching.stderr
        assert remarks is not None
        assert remarks.readline().startswith(f"Watching {scene}")
        assert remarks.readline() == f"Wrote {out}\n"
        save(scene, "{")
        assert scene in remarks.readline()
        save(scene, json.dumps(VALID).replace("Web shop", "Another shop"))
        assert remarks.readline() == f"Wrote {out}\n"
        assert "Another shop" in out.read_text()
        watching.send_signal(signal.SIGINT)
        assert watching.wait(timeout=30) == 0


@pytest.mark.parametrize("arguments", [("-", "-o", "out.svg"), ("scene.json", "-o", "-")])
def test_what_is_no_file_cannot_be_watched(arguments: tuple[str, ...]) -> None:
    done = run("render", *arguments, "--watch", given=as_json(VALID))
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"--watch needs files")
