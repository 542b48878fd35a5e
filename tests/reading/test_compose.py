"""Compose files: what is read, what is told, and what never leaves them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize

SHOP = """\
name: shop
x-base: &base
  restart: always
services:
  web:
    <<: *base
    image: nginx:1.27
    ports: ["80:80", {target: 443, published: 8443, protocol: udp}]
    networks: [front, back]
    depends_on: {api: {condition: service_healthy}}
    links: [api]
  api:
    build: ./api
    networks: [back]
    depends_on: [db]
  db:
    image: postgres:17
    networks: {back: }
    volumes: ["data:/var/lib/data", "data:/old:ro", "./seed.sql:/seed.sql"]
networks: {front: , back: }
volumes: {data: }
"""


def compose(text: str) -> Import:
    return read_source(Text(text=text, icons=KnownIcons()))


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["id"]: one for one in document["elements"]}


def lines(found: Import) -> list[tuple[str, str, str]]:
    edges = [one for one in found.document["elements"] if one["kind"] == "edge"]
    return [(one["from"]["elementId"], one["to"]["elementId"], one.get("label", "")) for one in edges]


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def test_services_volumes_and_networks_are_nodes_and_frames() -> None:
    found = compose(SHOP)
    here = elements(found)
    assert found.format == "compose"
    assert found.document["scene"]["title"] == "shop"
    assert here["web"]["label"] == "web\nnginx:1.27\n80:80, 8443:443/udp"
    assert (here["web"]["nodeType"], here["web"]["icon"]) == ("gateway", "simple:nginx")
    assert (here["db"]["nodeType"], here["volume-data"]["nodeType"]) == ("database", "storage")
    assert here["network-front"]["children"] == ["web"]
    assert here["network-back"]["children"] == ["api", "db"]


def test_lines_run_from_a_service_to_its_needs_volumes_and_further_networks() -> None:
    assert lines(compose(SHOP)) == [
        ("web", "api", "healthy"),
        ("web", "network-back", ""),
        ("api", "db", ""),
        ("db", "volume-data", "/var/lib/data"),
        ("db", "volume-data", "/old (read-only)"),
    ]


def test_a_service_without_networks_stands_in_the_default_network_where_that_is_declared() -> None:
    text = "services:\n  a: {image: x}\n  b: {image: x, network_mode: host}\n"
    assert [one["kind"] for one in compose(text).document["elements"]] == ["node", "node"]
    assert elements(compose(text + "networks: {default: }\n"))["network-default"]["children"] == ["a"]


def test_what_has_no_form_is_told_by_name_and_line() -> None:
    assert told(compose(SHOP)) == [
        (5, "of service 'web' are not shown: restart"),
        (12, "of service 'api' are not shown: build"),
        (19, "mounts of service 'db' without a volume of the file are not shown (1)"),
    ]
    text = "services:\n  a:\n    image: x\n    depends_on: [gone]\n    networks: [far]\n    volumes: [far:/x]\n"
    assert [line for line, _ in told(compose(text))] == [4, 5, 6]
    assert compose(text).whole


@pytest.mark.parametrize(
    "text",
    [
        "services:\n  a: {image: x, environment: {A: s3cr3t}, command: s3cr3t, build: {args: [A=s3cr3t]}}\n",
        "services:\n  a:\n    image: x\n    s3cr3t: 1\n    environment: [A=s3cr3t]\n",
        "services:\n  a: {image: x, ports: [{A: s3cr3t}], volumes: [{A: s3cr3t}]}\n",
        "services:\n  a: {image: x, depends_on: [{A: s3cr3t}, A=s3cr3t]}\n",
        "services:\n  a: {image: x}\nvolumes: {v: {driver_opts: {o: password=s3cr3t}}}\nsecrets: {b: {file: s3cr3t}}\n",
        "services:\n  a: {image: {A: s3cr3t}, networks: [{A: s3cr3t}], links: [A=s3cr3t], ipc: s3cr3t}\n",
        "services:\n  a: A=s3cr3t\n  b: {image: x}\n",
    ],
)
def test_secrets_come_into_no_scene_and_no_diagnostic(text: str) -> None:
    found = read_source(Text(text=text), "compose")
    assert "s3cr3t" not in json.dumps(found.document)
    assert "s3cr3t" not in str(found.diagnostics)
    assert found.diagnostics


@pytest.mark.parametrize(
    "environment", ["{A: !s3cr3t x}", "{A: *s3cr3t}", "{s3cr3t: 1, s3cr3t: 1}", "[s3cr3t", "A: s3cr3t: x"]
)
def test_a_broken_file_is_refused_without_its_words(environment: str) -> None:
    with pytest.raises(Unreadable, match=r"Line [45]: expected YAML") as refused:
        read_source(Text(text=f"services:\n  a:\n    image: x\n    environment: {environment}\n"))
    assert "s3cr3t" not in f"{refused.value}{refused.value.hint}"


def test_a_part_that_is_not_understood_costs_itself_and_keeps_a_sync_from_removing() -> None:
    found = compose("services:\n  a: {image: x, ports: [[1]]}\n  b:\n")
    assert [one["id"] for one in found.document["elements"]] == ["a"]
    assert ([line for line, _ in told(found)], found.whole) == ([2, 3], False)


def test_colons_in_a_variable_part_no_mount() -> None:
    text = 'services:\n  a: {image: x, volumes: ["${D:-./d}:/x", "C:\\\\d:/x", "/only", "v:/y:ro,z"]}\nvolumes: {v: }\n'
    assert lines(compose(text)) == [("a", "volume-v", "/y (read-only)")]


@pytest.mark.parametrize(
    "text",
    [
        "services:\n  a:\n    class: App\n    arguments: []\n",
        "services:\n  - image: x\n",
        "services:\n  a:\n    image: x\nstages: [a]\n",
        "web:\n  image: nginx\n",
        "apiVersion: v1\nkind: List\nservices:\n  a: {image: x}\n",
        "The services: web has an image: nginx.\n",
        "openapi: 3.1.0\nservices:\n  a: {image: x}\n",
        "# A page\n\n```yaml\nservices:\n  web:\n    image: nginx\n```\n",
        '{"a": {"services": {"b": {"image": "x"}}}}',
    ],
)
def test_other_yaml_prose_and_older_versions_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text)


def test_it_is_recognized_as_json_and_where_it_is_broken() -> None:
    assert recognized('{"services": {"a": {"image": "x"}}}') == "compose"
    broken = "services:\n  a:\n    image: [x\n"
    with pytest.raises(Unreadable, match="Line 4: expected YAML"):
        read_source(Text(text=broken))


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ("postgres:17", "postgres:18", [("updateNode", "db")]),
        ("[front, back]", "[back]", [("deleteElement", "web--network-back"), ("reparentElement", "web")]),
        ("volumes: {data: }", "volumes: {data: , more: }", [("createNode", "volume-more")]),
        ("    depends_on: [db]\n", "", [("deleteElement", "api--db")]),
    ],
)
def test_an_unchanged_file_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = compose(SHOP).document
    source = SourceIdentity("compose", "")
    assert synchronize(stored, compose(SHOP).document, source, whole=True).ops == ()
    elements(stored)["db"]["style"] = {"fill": "#ffeeaa"}
    changed = compose(SHOP.replace(old, new)).document
    done = synchronize(stored, changed, source, whole=True)
    assert sorted((op["op"], op["id"]) for op in done.ops) == sorted(ops)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    assert elements(batch.document)["db"]["style"] == {"fill": "#ffeeaa"}
