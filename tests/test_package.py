"""What the package says of itself, and what it brings."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from scenograph import wiring
from scenograph.settings import Settings

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# What the first line of each licence file says, and its SPDX identifier.
LICENCES = {
    "MIT": "MIT",
    "ISC": "ISC",
    "Apache": "Apache-2.0",
    "CC0": "CC0-1.0",
    "NoDerivs 2.0": "CC-BY-ND-2.0",
    "Open Font License": "OFL-1.1",
}
# `brand: SPDX identifier, owner, address`: the icons whose owners state a licence of their own.
_OF_AN_ICON = re.compile(r"^[\w.-]+: ([\w.-]+)", re.MULTILINE)


def test_the_installed_version_is_the_declared_one() -> None:
    assert PROJECT["version"] == version("scenograph")


def test_every_licence_text_is_in_the_package_and_named_in_its_expression() -> None:
    files = [path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)]
    texts = {path.name: path.read_text("utf-8") for path in files}
    packed = {identifier for word, identifier in LICENCES.items() if word in "\n".join(texts.values())}
    packed |= {row for name, text in texts.items() if name.startswith("LICENSES-") for row in _OF_AN_ICON.findall(text)}
    assert set(PROJECT["license"].split(" AND ")) == packed
    assert len(files) >= 12


def test_the_image_names_the_licences_of_the_package() -> None:
    label = re.search(r'image\.licenses="([^"]+)"', (ROOT / "Dockerfile").read_text("utf-8"))
    assert label is not None
    assert label[1] == PROJECT["license"]


def test_a_notice_names_only_files_that_are_there() -> None:
    for notice in (ROOT / "src").rglob("NOTICE.md"):
        for name in re.findall(r"`((?:LICENSE|Noto)[^`]+)`", notice.read_text("utf-8")):
            assert (notice.parent / name).exists(), name


def test_types_are_marked_as_such() -> None:
    assert (ROOT / "src" / "scenograph" / "py.typed").exists()


@pytest.mark.parametrize(
    ("setting", "module", "extra"),
    [
        ({"DATABASE_URL": "postgresql://u@127.0.0.1:1/d"}, "psycopg", "postgres"),
        ({"RATE_LIMIT_URL": "redis://127.0.0.1:1/0"}, "redis", "redis"),
    ],
)
def test_a_setting_that_needs_an_extra_says_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, setting: dict[str, str], module: str, extra: str
) -> None:
    monkeypatch.setattr(wiring, "find_spec", lambda name: None if name == module else object())
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db"} | setting
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(wiring.MissingExtra, match=rf"scenograph\[{extra}\]"):
        wiring.build(Settings.load())
