"""Hosts that show Apps: what they are told besides, and the one tool that the App calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.extension import advertise
from tests.mcp.conftest import Desk, Document, text_of
from tests.mcp.test_limits import large_document

from scenograph.late_dataclasses import replace
from scenograph.mcp.inputs import REQUESTS
from scenograph.mcp.resources import EXTENSION_ID, LOOKS, MIME_TYPE, VIEWER
from scenograph.mcp.running import opened
from scenograph.mcp.server import build

DEFINITIONS = Path(__file__).with_name("definitions.json")
SHOWS_APPS = advertise(EXTENSION_ID, {"mimeTypes": [MIME_TYPE]})


def asked_in_a_host_of_apps(desk: Desk, talk: Any, mode: str = "auto") -> Any:
    async def session() -> Any:
        async with (
            opened(desk.address, desk.key) as api,
            Client(build(replace(api, export_dir=Path("files"))), mode=mode, extensions=[SHOWS_APPS]) as client,
        ):
            return await talk(client)

    return anyio.run(session)


def requested(desk: Desk, **arguments: Any) -> dict[str, Any]:
    result = asked_in_a_host_of_apps(desk, lambda client: client.call_tool("dsp_app_request", arguments))
    assert not result.is_error, text_of(result)
    content: dict[str, Any] = result.structured_content
    return content


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_host_of_apps_is_told_what_opens_one_and_what_it_may_call(desk: Desk, mode: str) -> None:
    listed = asked_in_a_host_of_apps(desk, lambda client: client.list_tools(), mode).tools
    told = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    assert told == json.loads(DEFINITIONS.read_text("utf-8"))["with a key, in a host of Apps"]
    looks = {tool["name"]: tool.get("_meta", {}).get("ui", {}) for tool in told}
    opening = {name for name, ui in looks.items() if ui.get("resourceUri") == VIEWER and "model" in ui["visibility"]}
    assert opening == {"dsp_create_scene", "dsp_apply_ops", "dsp_render_scene", "dsp_import_scene"}
    assert [name for name, ui in looks.items() if ui.get("visibility") == ["app"]] == ["dsp_app_request"]
    for name in ("dsp_delete_scene", "dsp_publish_scene", "dsp_submit_to_support"):
        assert looks[name]["visibility"] == ["model"]


def test_other_hosts_and_callers_without_a_key_hear_nothing_of_it(desk: Desk, keyless: Desk) -> None:
    plain = desk.ask(lambda client: client.list_tools()).tools
    without = asked_in_a_host_of_apps(keyless, lambda client: client.list_tools()).tools
    assert [tool.name for tool in plain][-1] == "dsp_read_guide"
    assert len(without) == 3
    assert all(not tool.meta for tool in plain)


@pytest.mark.parametrize("keyed", [True, False])
def test_the_viewer_is_one_page_that_loads_nothing(desk: Desk, keyless: Desk, keyed: bool) -> None:
    here = desk if keyed else keyless
    [page] = here.ask(lambda client: client.read_resource(VIEWER)).contents
    assert page.mime_type == MIME_TYPE
    assert page.meta == LOOKS
    assert page.text.startswith("<!doctype html>")
    assert not any(word in page.text for word in ('src="', "<link", "@import", "import {"))
    assert len(page.text) < 200_000


def test_the_app_reads_draws_and_edits(desk: Desk, stored: str, document: Document) -> None:
    read = requested(desk, request="read", about=stored)
    assert read["status"] == 200
    assert read["reply"]["scene"] == document
    assert "web" in read["reply"]["computed"]["bounds"]
    drawn = requested(desk, request="draw", body={"scene": document, "theme": "dark"})
    assert drawn["reply"]["output"]["content"].startswith("<svg")
    assert requested(desk, request="place", body=document)["reply"]["computed"]["bounds"]
    ops = [{"op": "setText", "id": "web", "text": "Shop"}]
    batch = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": ops}
    assert requested(desk, request="apply", about=stored, body=batch)["reply"]["revision"] == 2
    late = requested(desk, request="apply", about=stored, body=batch)
    assert late["status"] == 409
    assert late["reply"]["currentRevision"] == 2
    body = {"format": "svg", "diff": {"fromRevision": 1}}
    assert requested(desk, request="compare", about=stored, body=body)["status"] == 200
    back = requested(desk, request="restore", about=stored, body={"revision": 1, "baseRevision": 2})
    assert back["reply"]["revision"] == 3
    assert "$defs" in requested(desk, request="schema")["reply"]
    assert requested(desk, request="icons", about="database")["reply"]["items"]


def test_an_answer_to_the_app_may_be_larger_than_one_to_a_model(desk: Desk) -> None:
    desk.done("dsp_create_scene", scene=large_document("large-app", 800))
    read = requested(desk, request="read", about="large-app")
    assert len(json.dumps(read)) > 100_000
    assert len(read["reply"]["scene"]["elements"]) == 800


def test_what_the_app_asks_wrongly_is_refused(desk: Desk) -> None:
    def refused(**arguments: Any) -> str:
        result = asked_in_a_host_of_apps(desk, lambda client: client.call_tool("dsp_app_request", arguments))
        assert result.is_error
        return text_of(result)

    assert "request must be one of read, draw" in refused(request="delete", about="shop")
    assert "about is missing" in refused(request="read")
    assert "body must be an object" in refused(request="draw", body="x")
    assert requested(desk, request="read", about="../deleted-scenes")["status"] in {404, 422}


def test_nothing_that_the_app_asks_deletes_publishes_or_submits() -> None:
    assert {request.method for request in REQUESTS.values()} == {"GET", "POST"}
    words = ("publish", "support", "private", "delete", "keys", "accounts")
    assert not any(word in request.path for request in REQUESTS.values() for word in words)
