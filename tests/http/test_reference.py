"""The pages about the API and about running it say what is so."""

from __future__ import annotations

import re
import shlex
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from scenograph.http.app import create_app
from scenograph.http.problems import STATUS
from scenograph.http.reference import MEANINGS, PUBLISHED_LIMITS, render_reference
from scenograph.settings import Settings, markdown_table, table
from scenograph.wiring import build

DOCS = Path(__file__).parents[2] / "docs"
API, RUNNING = DOCS / "http-api.md", DOCS / "running.md"


def test_the_page_of_the_api_is_current() -> None:
    command = "uv run python -m scenograph.http.reference > docs/http-api.md"
    assert API.read_text("utf-8") == render_reference(), f"run: {command}"


def test_every_code_is_explained() -> None:
    assert set(MEANINGS) == set(STATUS)


def test_the_table_of_settings_is_current() -> None:
    command = "uv run python -m scenograph.settings"
    assert RUNNING.read_text("utf-8").endswith(f"\n\n{markdown_table()}"), f"paste what this prints: {command}"


def test_every_setting_that_bounds_what_callers_may_do_stands_in_the_table_of_limits() -> None:
    words = ("MAX_", "TIMEOUT", "SECONDS", "RATE_LIMIT_", "_PER_", "_AT_ONCE", "RENDER_MEMORY")
    bounding = {name for name, *_ in table() if any(word in name for word in words)} - {"RATE_LIMIT_URL"}
    assert {row.setting for row in PUBLISHED_LIMITS if row.setting} == bounding
    assert {row.refusal for row in PUBLISHED_LIMITS if row.refusal} <= set(STATUS)
    assert all(bool(row.bound) != bool(row.setting) for row in PUBLISHED_LIMITS)


@pytest.mark.parametrize("page", [API, RUNNING], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (DOCS / target).exists()] == []


def test_the_figures_that_the_page_names_are_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RATE_LIMIT_RPM", raising=False)
    chosen = Settings.load()
    text = API.read_text("utf-8")
    assert f"a burst of requests at once ({chosen.rate_limit_burst})" in text
    assert f"refilled evenly ({chosen.rate_limit_rpm} a minute)" in text


def test_the_metrics_that_the_page_names_are_there(client: TestClient) -> None:
    named = set(re.findall(r"`(scenograph_\w+)`", RUNNING.read_text("utf-8")))
    families = set(re.findall(r"# TYPE (\S+)", client.get("/metrics").text))
    assert len(named) == 12
    assert named <= families


def test_the_backup_command_copies_a_file_that_is_in_use_and_the_copy_opens(
    settings: Settings, client: TestClient, key: dict[str, str], stored: str, tmp_path: Path
) -> None:
    source, copy = settings.database_url.removeprefix("sqlite:///"), tmp_path / "copy.db"
    line = next(line for line in RUNNING.read_text("utf-8").splitlines() if "VACUUM INTO" in line)
    command = line.replace("scenes.db", shlex.quote(source)).replace("copy.db", shlex.quote(str(copy)))
    subprocess.run(["sh", "-c", command.replace("python3", sys.executable)], check=True)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert client.get(f"/v1/scenes/{stored}", headers=key).status_code == 200
    with sqlite3.connect(copy) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    opened.close()
    restored = build(settings.model_copy(update={"database_url": f"sqlite:///{copy}", "render_workers": 1}))
    read = TestClient(create_app(restored)).get(f"/v1/scenes/{stored}", headers=key)
    restored.close()
    assert read.json()["revision"] == 1
