#!/usr/bin/env python3
# ruff: noqa: T201, S603 (it reports to whoever runs it; it starts programs that it names itself)
"""Holds the tool server against the protocol's official conformance suite and drives every tool with the Inspector.

    uv run scripts/check_tool_server.py

Wants npx; the two npm packages are fetched when they are not there, and with them the Node.js that the suite wants.
`scenograph mcp --local --http` runs on a loopback port with an empty database. Ends with 0 when no applicable scenario
fails, in neither revision of the protocol, and every tool answers the Inspector as it should.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenograph.settings import environment_with

CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
NODE = "node@22"
REVISIONS = ("2025-11-25", "2026-07-28")
PATIENCE = 900

# What the suite cannot try on a server that does real work, and why. It asks for things by fixed names (a tool
# test_simple_text, a resource test://static-text, a prompt test_simple_prompt, …) that only a test server has.
FIXTURES = "wants a tool, resource or prompt of the suite's own"
NOT_OFFERED = "wants something that this server does not offer"
NOT_APPLICABLE = {
    r"tools-call-.*": FIXTURES,
    r"resources-read-.*": FIXTURES,
    r"resources-templates-read": FIXTURES,
    r"prompts-get-.*": FIXTURES,
    r"json-schema-2020-12": FIXTURES,
    r"http-custom-header-server-validation": FIXTURES,
    r"elicitation-.*": FIXTURES,
    r"input-required-result-.*": f"{FIXTURES}; no tool of this server asks back",
    r"resources-(un)?subscribe": f"{NOT_OFFERED}: subscriptions",
    r"logging-set-level": f"{NOT_OFFERED}: log messages; deprecated since 2026-07-28",
    r"tasks-.*": f"{NOT_OFFERED}: the extension for tasks",
    r"server-stateless": "four of its checks want the suite's own tools; the others pass",
}
STATELESS_PASSES = 21

DOCUMENT = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "inspected", "units": "px", "canvas": {}},
    "elements": [
        {"id": "a", "kind": "node", "nodeType": "service", "label": "Orders"},
        {"id": "b", "kind": "node", "nodeType": "database", "label": "Orders DB"},
        {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}},
    ],
}
BY_ID = {"sceneId": "inspected"}
SOURCE = "flowchart LR\n  a --> b"
CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("dsp_validate_scene", {"scene": DOCUMENT}),
    ("dsp_normalize_scene", {"scene": DOCUMENT}),
    ("dsp_create_scene", {"scene": DOCUMENT}),
    ("dsp_apply_ops", {**BY_ID, "baseRevision": 1, "ops": [{"op": "setText", "id": "a", "text": "Sales"}]}),
    ("dsp_get_scene", {**BY_ID, "revision": 2}),
    ("dsp_render_scene", {**BY_ID, "format": "png", "diffFromRevision": 1}),
    ("dsp_diff_scene", {**BY_ID, "from": 1}),
    ("dsp_list_revisions", BY_ID),
    ("dsp_submit_to_support", {**BY_ID, "problem": "A test", "anonymize": True}),
    ("dsp_make_scene_private", BY_ID),
    ("dsp_publish_scene", BY_ID),
    ("dsp_list_scenes", {"query": "inspected"}),
    ("dsp_restore_revision", {**BY_ID, "revision": 1, "baseRevision": 2}),
    ("dsp_import_scene", {"source": SOURCE, "document": "flow", "sceneId": "imported", "keep": True}),
    ("dsp_sync_scene", {"sceneId": "imported", "source": f"{SOURCE} --> c", "document": "flow", "baseRevision": 1}),
    ("dsp_export_scene", {**BY_ID, "format": "drawio"}),
    ("dsp_find_icons", {"queries": ["aws s3", "gcp bigquery"]}),
    ("dsp_read_guide", {"topic": "classes"}),
    ("dsp_delete_scene", {**BY_ID, "confirm": True}),
    ("dsp_list_recently_deleted", {}),
    ("dsp_undelete_scene", BY_ID),
)


def main() -> int:
    """Run everything; gives the exit code."""
    with tempfile.TemporaryDirectory() as folder, tool_server(Path(folder)) as address:
        problems = [problem for revision in REVISIONS for problem in conformance(address, revision, Path(folder))]
        problems += inspected(address)
    print("\n".join(problems) or "No applicable scenario fails; every tool answers.")
    return 1 if problems else 0


@contextmanager
def tool_server(folder: Path) -> Iterator[str]:
    """A tool server of its own with a service of its own; gives its address."""
    database = f"sqlite:///{folder / 'scenes.db'}"
    with subprocess.Popen(
        [sys.executable, "-m", "scenograph", "mcp", "--local", "--http", "--port", "0"],
        env=environment_with(DATABASE_URL=database, XDG_DATA_HOME=str(folder)),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None  # noqa: S101 - it was asked for
        try:
            yield process.stderr.readline().split()[-1]
        finally:
            process.terminate()


def conformance(address: str, revision: str, folder: Path) -> list[str]:
    """Run what `revision` requires; gives the scenarios that fail although they apply."""
    packages = ["--package", NODE, "--package", CONFORMANCE]
    done = subprocess.run(
        ["npx", "--yes", *packages, "conformance", "server", "--url", address, "--requirements", revision],  # noqa: S607
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=folder,
    )
    rows = re.findall(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    if not rows:
        return [f"{revision}: the suite did not run: {done.stderr[-500:]}"]
    passing = [name for mark, name, *_ in rows if mark == "✓"]
    failing = [(name, int(passed)) for mark, name, passed, _ in rows if mark == "✗"]
    print(f"{revision}: {len(passing)} scenarios pass: {', '.join(passing)}")
    for name, _ in failing:
        print(f"{revision}: {name} is not applicable: {reason(name)}")
    wrong = [f"{revision}: {name} fails" for name, _ in failing if reason(name) is None]
    stateless = dict(failing).get("server-stateless", STATELESS_PASSES)
    return wrong if stateless >= STATELESS_PASSES else [*wrong, f"{revision}: server-stateless fails"]


def reason(name: str) -> str | None:
    """Why a scenario does not apply; None when it does."""
    return next((why for form, why in NOT_APPLICABLE.items() if re.fullmatch(form, name)), None)


def inspected(address: str) -> list[str]:
    """Call every tool with the Inspector's command line; gives what went wrong."""
    problems: list[str] = []
    for tool, arguments in CALLS:
        given = [part for name, value in arguments.items() for part in ("--tool-arg", f"{name}={json.dumps(value)}")]
        command = ["npx", "--yes", INSPECTOR, "--cli", address, "--method", "tools/call", "--tool-name", tool, *given]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        try:
            result = json.loads(done.stdout)
        except json.JSONDecodeError:
            result = {"isError": True, "content": [{"text": done.stderr[-500:]}]}
        said = str(result["content"][0].get("text", ""))
        print(f"inspector: {tool}: {said.splitlines()[0] if said else ''}")
        problems += [f"inspector: {tool}: {said}"] if result.get("isError") else []
    return problems


if __name__ == "__main__":
    sys.exit(main())
