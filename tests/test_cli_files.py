"""What the command line does to files: it writes them whole or not at all, and shows nothing that steers a terminal."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from scenograph.cli import app
from scenograph.cli.terminal import plain
from scenograph.library import files

SCENE: dict[str, Any] = {
    "schemaVersion": "0.1",
    "scene": {"id": "orders", "title": "Orders", "units": "px", "canvas": {}},
    "elements": [{"id": "web", "kind": "node", "label": "Web shop"}],
}
OLD = b"what stood there before"


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    made = tmp_path / "scene.json"
    made.write_text(json.dumps(SCENE))
    return made


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        app([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def shell(command: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """A command of its own process; `$0 -m scenograph` in it is the program."""
    return subprocess.run(
        ["sh", "-c", command, sys.executable, *map(str, arguments)], capture_output=True, timeout=60, check=False
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


class TestWhole:
    def test_a_full_disk_costs_no_file(self, scene: Path, tmp_path: Path) -> None:
        out = tmp_path / "picture.svg"
        out.write_bytes(OLD)
        before = names(tmp_path)
        done = shell("ulimit -f 1; exec $0 -m scenograph render $1 -o $2", scene, out)
        assert done.returncode == 1
        assert b"too large" in done.stderr
        assert out.read_bytes() == OLD
        assert names(tmp_path) == before, "nothing is left beside it"

    def test_a_scene_file_survives_a_sync_that_cannot_be_written(self, tmp_path: Path) -> None:
        source, scene = tmp_path / "er.mmd", tmp_path / "er.json"
        source.write_text("erDiagram\n" + "".join(f"  T{n} {{ int id PK }}\n" for n in range(40)))
        assert run("import", source, "-o", scene) == 0
        before = scene.read_bytes()
        source.write_text(source.read_text() + "  LATER { int id PK }\n")
        assert shell("ulimit -f 1; exec $0 -m scenograph sync $1 $2", scene, source).returncode == 1
        assert scene.read_bytes() == before
        assert run("sync", scene, source) == 0
        assert "LATER" in scene.read_text()

    @pytest.mark.parametrize("umask", ["022", "077"])
    def test_a_new_file_has_the_permissions_that_the_user_gives_new_files(
        self, scene: Path, tmp_path: Path, umask: str
    ) -> None:
        out = tmp_path / "new.svg"
        assert shell(f"umask {umask}; exec $0 -m scenograph render $1 -o $2", scene, out).returncode == 0
        assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~int(umask, 8)

    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
    def test_a_file_keeps_its_permissions(self, scene: Path, tmp_path: Path, mode: int) -> None:
        out = tmp_path / "picture.svg"
        out.write_bytes(OLD)
        out.chmod(mode)
        assert run("render", scene, "-o", out) == 0
        assert stat.S_IMODE(out.stat().st_mode) == mode
        assert out.read_bytes().startswith(b"<svg")

    def test_a_link_stays_a_link_and_its_file_is_written(self, scene: Path, tmp_path: Path) -> None:
        real, link = tmp_path / "there" / "real.svg", tmp_path / "link.svg"
        real.parent.mkdir()
        link.symlink_to(real)
        for _ in range(2):  # where it leads to nothing yet, and where it leads to a file
            assert run("render", scene, "-o", link) == 0
            assert link.is_symlink()
            assert real.read_bytes().startswith(b"<svg")
        assert names(real.parent) == {"real.svg"}

    def test_what_is_no_file_is_written_as_it_stands(self, scene: Path, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe.svg"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
            assert run("render", scene, "-o", pipe) == 0
            assert reader.stdout is not None
            assert reader.stdout.read().startswith(b"<svg")
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert run("render", scene, "-o", "/dev/null", "--format", "svg") == 0
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116

    @pytest.mark.parametrize("out", ["missing/a.svg", "loop.svg", "folder.svg", "x" * 300 + ".svg"])
    def test_where_nothing_can_be_written_it_is_told(
        self, scene: Path, tmp_path: Path, out: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "loop.svg").symlink_to("loop.svg")
        (tmp_path / "folder.svg").mkdir()
        before = names(tmp_path)
        assert run("render", scene, "-o", tmp_path / out) == 1
        assert capsys.readouterr().err.endswith(".\n")
        assert names(tmp_path) == before

    def test_a_first_scene_is_never_written_over_a_file(self, tmp_path: Path) -> None:
        out = tmp_path / "scene.json"
        out.write_bytes(OLD)
        assert run("init", "-o", out) == 1
        assert out.read_bytes() == OLD
        with pytest.raises(FileExistsError):
            files.write_whole(str(out), b"new", new=True)
        assert names(tmp_path) == {"scene.json"}

    def test_a_new_file_never_replaces_one_that_came_at_the_last_moment(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """On a file system without second names, such as FAT."""

        def refused(*_: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        def after_another(self: Path, target: Path) -> None:
            with suppress(FileExistsError), target.open("xb") as file:
                file.write(OLD)
                came.append(target)
            os.replace(self, target)  # noqa: PTH105 - the method is this one

        came: list[Path] = []
        monkeypatch.setattr(os, "link", refused)
        monkeypatch.setattr(Path, "replace", after_another)
        out = tmp_path / "scene.json"
        files.write_whole(str(out), b"new", new=True)
        assert out.read_bytes() == b"new"
        assert not came


class TestSources:
    @pytest.mark.parametrize(
        "command",
        [
            ("render", "scene.json", "--format", "svg", "-o", "scene.json"),
            ("render", "scene.json", "--format", "svg", "-o", "link.json"),
            ("render", "scene.json", "--format", "svg", "-o", "hard.json"),
            ("render", "later.json", "--diff", "scene.json", "--format", "svg", "-o", "scene.json"),
            ("diff", "scene.json", "later.json", "-o", "scene.json"),
            ("import", "er.mmd", "-o", "er.mmd"),
            ("sync", "scene.json", "link.json"),
        ],
        ids=" ".join,
    )
    def test_none_is_ever_written_over(
        self, scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("link.json").symlink_to("scene.json")
        Path("hard.json").hardlink_to("scene.json")
        Path("later.json").write_text(json.dumps(SCENE | {"elements": []}))
        Path("er.mmd").write_text("erDiagram\n  A ||--o{ B : has\n")
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert run(*command) == 1
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

    def test_nor_one_that_is_read_from_standard_input(self, scene: Path) -> None:
        before = scene.read_bytes()
        done = shell("exec $0 -m scenograph render - --format svg -o $1 < $1", scene)
        assert done.returncode == 1
        assert b"left as it is" in done.stderr
        assert scene.read_bytes() == before


STEERING = "a\x1b[31m\x07b\x9bc\u202ed\ne"


class TestTerminal:
    @pytest.mark.parametrize("command", ["validate", "render", "normalize"])
    def test_a_name_out_of_a_document_steers_nothing(
        self, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], command: str
    ) -> None:
        element = {"id": STEERING, "kind": "node", "label": STEERING, STEERING: 1, "nodeType": STEERING}
        file = tmp_path / "odd.json"
        file.write_text(json.dumps(SCENE | {"elements": [element, element]}))
        run(command, file)
        run("validate", tmp_path / "missing\x1b[2J.json")
        told = b"".join(capsysbinary.readouterr()).decode()
        assert told
        assert not {char for char in told if char in STEERING and char not in "abcde[31m\n"}
        assert "\\x1b" in told

    def test_printed_documents_are_the_same_json(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "odd.json"
        label = "\x9b31m \x7f \u202e \u200d \ud83d\ude00 größe"
        file.write_text(json.dumps(SCENE | {"elements": [{"id": "a", "kind": "node", "label": label}]}))
        assert run("normalize", file) == 0
        told = capsys.readouterr().out
        assert "größe" in told
        assert "\x9b" not in told
        assert json.loads(told)["elements"][0]["label"] == "\x9b31m \x7f \u202e \u200d \U0001f600 größe"

    def test_the_letters_of_languages_stay(self) -> None:
        text = "نمی\u200cخواهم 図 größe \U0001f468\u200d\U0001f469"
        assert plain(text) == text
        assert plain("\x1b\u202e\ud800\n") == "\\x1b\\u202e\\ud800\\n"


class TestAPair:
    def test_two_pictures_are_written_and_the_element_for_both_is_printed(
        self, scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert run("render", scene, "-o", "the shop.svg", "--pair") == 0
        assert names(tmp_path) == {"scene.json", "the shop.svg", "the shop-dark.svg"}
        light, dark = ((tmp_path / name).read_text() for name in ("the shop.svg", "the shop-dark.svg"))
        assert light != dark
        assert 'fill="#1a1a22"' in dark
        assert capsys.readouterr().out == (
            '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="the%20shop-dark.svg">\n'
            '  <img src="the%20shop.svg" alt="Orders">\n</picture>\n'
        )

    def test_it_is_named_after_the_scene_by_default(
        self, scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert run("render", scene, "--pair", "--theme", "blueprint") == 0
        assert {"orders.svg", "orders-dark.svg"} < names(tmp_path)
        assert 'fill="#0d1b2a"' in (tmp_path / "orders.svg").read_text()

    @pytest.mark.parametrize("out", ["shop.png", "-"])
    def test_it_is_of_svg_files_alone(self, scene: Path, out: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("render", scene, "-o", out, "--pair") == 1
        assert "--pair" in capsys.readouterr().err
