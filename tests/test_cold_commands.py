"""What a command imports before it answers: what it uses, so that a picture does not wait for the service's code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENT = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "small", "units": "px", "canvas": {}},
    "elements": [{"id": "a", "kind": "node", "label": "A"}],
}
OF_THE_SERVICE = {"sqlalchemy", "alembic", "psycopg", "redis", "pydantic", "fastapi", "uvicorn", "structlog", "mcp"}
OF_A_PICTURE = {"uharfbuzz", "svg2png_py"}
REPORT = "import sys, atexit; atexit.register(lambda: print('\\n'.join(sys.modules), file=open({out!r}, 'w')))"
PROGRAM = "; from scenograph.__main__ import main; sys.argv = ['scenograph', *sys.argv[1:]]; main()"


def modules_of(folder: Path, *arguments: str) -> set[str]:
    """The names of all modules that the command has imported when it ends."""
    listed = folder / "modules.txt"
    program = REPORT.format(out=str(listed)) + PROGRAM
    subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=os.environ | {"DATABASE_URL": "sqlite:///cold.db"},
        capture_output=True,
        timeout=60,
        check=True,
    )
    return set(listed.read_text().split())


@pytest.mark.parametrize(
    ("arguments", "most", "strangers"),
    [
        (("--help",), 180, OF_THE_SERVICE | OF_A_PICTURE | {"rich", "markdown_it"}),
        (("--version",), 220, OF_THE_SERVICE | OF_A_PICTURE),
        (("validate", "scene.json"), 220, OF_THE_SERVICE | OF_A_PICTURE),
        (("normalize", "scene.json"), 600, OF_THE_SERVICE),
        (("render", "scene.json", "-o", "scene.svg"), 600, OF_THE_SERVICE),
        (("keys", "create"), 1_050, OF_A_PICTURE | {"psycopg", "fastapi", "uvicorn", "mcp"}),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_command_imports_what_it_uses_and_no_more(
    tmp_path: Path, arguments: tuple[str, ...], most: int, strangers: set[str]
) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(DOCUMENT))
    imported = modules_of(tmp_path, *arguments)
    assert {name.partition(".")[0] for name in imported} & strangers == set()
    assert len(imported) <= most


def test_the_service_imports_what_an_organization_needs_only_where_one_is_set() -> None:
    program = (
        "import sys, scenograph.http.app, scenograph.wiring; sys.exit(not {'jwt', 'httpx2'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
