"""The files that publish a release: one version in all, and nothing named that does not exist."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from make_readme_pictures import pictures
from release_notes import section

from scenograph.cli import program as commands
from scenograph.settings import table

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
BUNDLE = ROOT / "packaging" / "mcpb"
SETTINGS = {name for name, _default, _help in table()}


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


MOST_NOTES = 16
VERSION: str = tomllib.loads(read("pyproject.toml"))["project"]["version"]


@pytest.fixture(scope="module")
def cluster() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(read("deploy/kubernetes.yaml")))


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return json.loads(read("packaging/mcpb/manifest.json"))


def workload(cluster: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The pod's specification of the Deployment or StatefulSet of that name."""
    found = [one for one in cluster if one["kind"] in {"Deployment", "StatefulSet"} and one["metadata"]["name"] == name]
    return found[0]["spec"]["template"]["spec"]


def envs(cluster: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return workload(cluster, name)["containers"][0]["envFrom"]


def test_every_file_of_a_release_has_the_same_version(manifest: dict[str, Any], cluster: list[dict[str, Any]]) -> None:
    server, bundle = json.loads(read("server.json")), tomllib.loads(read("packaging/mcpb/pyproject.toml"))["project"]
    assert {server["version"], *(package["version"] for package in server["packages"])} == {VERSION}
    assert (manifest["version"], bundle["version"]) == (VERSION, VERSION)
    assert bundle["dependencies"] == [f"scenograph[service]=={VERSION}"]
    assert f'image.version="{VERSION}"' in read("Dockerfile")
    assert workload(cluster, "scenograph")["containers"][0]["image"] == f"scenograph/scenograph:{VERSION}"


def test_the_newest_dated_section_of_the_changelog_is_of_this_version() -> None:
    assert re.findall(r"^## (\S+) - ", read("CHANGELOG.md"), re.MULTILINE)[0] == VERSION
    assert section(read("CHANGELOG.md"), VERSION).startswith("- ")


def test_the_changelog_tells_a_version_in_about_a_dozen_lines() -> None:
    versions = re.split(r"^## ", read("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    counts = {text.split()[0]: len(re.findall(r"^- ", text, re.MULTILINE)) for text in versions}
    assert {version: count for version, count in counts.items() if count > MOST_NOTES} == {}


def test_a_tag_of_another_version_makes_no_release() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "release_notes.py"), "9.9.9"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert VERSION in refused.stderr


def test_the_readme_tour_runs_as_pasted() -> None:
    program = Path(sys.executable).with_name("scenograph")
    command = [sys.executable, str(ROOT / "scripts" / "try_readme.py"), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("The tour holds.\n")


def test_every_pod_is_hardened_and_asked_whether_it_is_ready(cluster: list[dict[str, Any]]) -> None:
    for name in ("scenograph", "postgres", "redis"):
        pod = workload(cluster, name)
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["automountServiceAccountToken"] is False, name
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"] is True, name
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}, name
            assert container["readinessProbe"], name
            assert container["resources"]["limits"]["memory"], name
            volumes = {volume["name"] for volume in pod["volumes"]} | {"scenes"}
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes, name


def test_what_the_cluster_sets_are_settings_and_its_secrets_are_told(cluster: list[dict[str, Any]]) -> None:
    configured = next(one for one in cluster if one["kind"] == "ConfigMap")["data"]
    told = read("docs/running.md").partition("### On Kubernetes")[2].partition("\n## ")[0]
    secret = set(re.findall(r"--from-literal=(\w+)=", told)) - {"POSTGRES_PASSWORD"}
    assert set(configured) | secret <= SETTINGS
    assert "DATABASE_URL" in secret
    for name in ("scenograph", "postgres"):
        asked = [source["secretRef"]["name"] for source in envs(cluster, name) if "secretRef" in source]
        assert asked == [name]
        assert f"create secret generic {name}" in told


def test_services_lead_to_ports_that_are_open(cluster: list[dict[str, Any]]) -> None:
    services = [one for one in cluster if one["kind"] == "Service"]
    assert {service["metadata"]["name"] for service in services} == {"scenograph", "postgres", "redis"}
    for service in services:
        container = workload(cluster, service["spec"]["selector"]["app"])["containers"][0]
        opened = {port["name"] for port in container["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= opened


def test_the_bundle_starts_a_file_that_it_brings(manifest: dict[str, Any]) -> None:
    server = manifest["server"]
    assert (BUNDLE / server["entry_point"]).exists()
    assert (BUNDLE / manifest["icon"]).exists()
    assert server["mcp_config"]["args"][-1] == f"${{__dirname}}/{server['entry_point']}"
    compile((BUNDLE / server["entry_point"]).read_text("utf-8"), "server.py", "exec")


def test_the_bundle_asks_for_settings_and_keeps_the_key_secret(manifest: dict[str, Any]) -> None:
    environment = manifest["server"]["mcp_config"]["env"]
    asked = {name: value.removeprefix("${user_config.").removesuffix("}") for name, value in environment.items()}
    assert set(environment) <= SETTINGS
    assert set(asked.values()) == set(manifest["user_config"])
    assert manifest["user_config"][asked["SERVICE_API_KEY"]]["sensitive"] is True


def test_the_tool_server_is_announced_with_a_command_and_settings_that_exist() -> None:
    server = json.loads(read("server.json"))
    assert len(server["description"]) <= 100  # the registry's limit
    assert f"mcp-name: {server['name']}" in read("README.md")
    for package in server["packages"]:
        assert package["packageArguments"][0]["value"] in commands.commands
        assert {one["name"] for one in package["environmentVariables"]} <= SETTINGS


def test_workflows_name_only_files_that_exist() -> None:
    named = {
        name for file in WORKFLOWS for name in re.findall(r"(?:scripts|packaging)/[\w./-]*\w", file.read_text("utf-8"))
    }
    assert {"scripts/try_readme.py", "scripts/release_notes.py", "packaging/mcpb"} <= named
    assert all((ROOT / name).exists() for name in named)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_may_read_only_unless_a_job_says_why(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text("utf-8"))
    triggers = workflow[True]  # YAML 1.1 reads the key `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in triggers
    for job in workflow["jobs"].values():
        assert set(job.get("needs", [])) <= set(workflow["jobs"]) or job["needs"] in workflow["jobs"]


def test_a_release_is_tried_on_every_python_that_the_package_names() -> None:
    workflow = yaml.safe_load(read(".github/workflows/release.yml"))
    classifiers = tomllib.loads(read("pyproject.toml"))["project"]["classifiers"]
    named = {text.rpartition(" ")[2] for text in classifiers if re.search(r":: 3\.\d+$", text)}
    assert set(workflow["jobs"]["try"]["strategy"]["matrix"]["python"]) == named


def test_the_readme_pictures_are_as_the_engine_draws_them() -> None:
    for name, content in pictures("svg").items():
        assert (ROOT / "docs" / "pictures" / f"{name}.svg").read_text("utf-8") == content, name
        assert f"docs/pictures/{name}.svg" in read("README.md")


def test_the_index_of_the_documentation_names_every_page_but_those_of_sources_which_the_formats_name() -> None:
    linked, formats = (set(re.findall(r"\(([\w-]+\.md)\)", read(f"docs/{name}.md"))) for name in ("README", "formats"))
    pages = {file.name for file in (ROOT / "docs").glob("*.md")} - {"README.md"}
    sources = {name for name in pages if name.startswith("import-")}
    assert sources <= formats
    assert linked == pages - sources


def test_links_between_pages_lead_to_files() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = {
        (page, link) for page in pages for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text("utf-8"))
    }
    assert len(links) > len(pages)
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_the_packed_readme_has_links_that_work_on_an_index() -> None:
    assert re.findall(r"\]\((?!https?:|#)([^)]+)\)", metadata("scenograph").get_payload()) == []
