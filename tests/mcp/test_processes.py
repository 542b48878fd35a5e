"""The tool server as hosts start it: a process that speaks over stdio or HTTP, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from local_servers.service import running_tools
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.mcp.conftest import KEY, Service, small_document

COMMAND = [sys.executable, "-m", "scenograph", "mcp"]
PATIENCE = 120
MANY = 1_900_000  # bytes, a little less than a body may have


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A host's: nothing of this project is set, and the user's data folder is a temporary one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SERVICE_", "DATABASE_"))}
    return kept | {"XDG_DATA_HOME": str(folder / "data"), "HOME": str(folder), "RENDER_WORKERS": "1"} | more


def over_stdio(talk: Any, folder: Path, *options: str, mode: str = "auto", **more: str) -> Any:
    async def session() -> Any:
        parameters = StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], *options], env=environment(folder, **more), cwd=folder
        )
        async with Client(stdio_client(parameters), mode=mode) as client:
            return await talk(client)

    return anyio.run(session)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_over_stdio_a_scene_is_stored_in_the_service_that_the_settings_name(
    service: Service, tmp_path: Path, mode: str
) -> None:
    async def talk(client: Client) -> tuple[int, Any]:
        tools = (await client.list_tools()).tools
        created = await client.call_tool("dsp_create_scene", {"scene": small_document(f"stdio-{mode}")})
        return len(tools), created.structured_content

    settings = {"SERVICE_API_URL": service.address, "SERVICE_API_KEY": KEY}
    count, created = over_stdio(talk, tmp_path, mode=mode, **settings)
    assert count == 23
    assert created["sceneId"] == f"stdio-{mode}"


def test_without_a_key_three_tools_are_offered_over_stdio(service: Service, tmp_path: Path) -> None:
    async def names(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    offered = over_stdio(names, tmp_path, SERVICE_API_URL=service.address)
    assert offered == ["dsp_validate_scene", "dsp_normalize_scene", "dsp_render_scene"]


async def _published(client: Client) -> int:
    """The port of the address at which the scene is public."""
    told = (await client.call_tool("dsp_publish_scene", {"sceneId": "kept"})).structured_content
    return urlsplit(next(word for word in told.values() if str(word).startswith("http"))).port or 0


def test_local_brings_its_own_service_which_keeps_its_scenes_and_where_it_is_free_its_port(tmp_path: Path) -> None:
    async def create(client: Client) -> tuple[Any, int]:
        created = await client.call_tool("dsp_create_scene", {"scene": small_document("kept")})
        return created.structured_content["revision"], await _published(client)

    async def read(client: Client) -> tuple[Any, int]:
        kept = await client.call_tool("dsp_get_scene", {"sceneId": "kept"})
        return kept.structured_content["scene"], await _published(client)

    revision, first = over_stdio(create, tmp_path, "--local")
    assert revision == 1
    assert over_stdio(read, tmp_path, "--local") == (small_document("kept"), first)
    key_file = tmp_path / "data" / "scenograph" / "local.key"
    assert key_file.read_text().startswith("dsp_sk_")
    assert key_file.stat().st_mode & 0o077 == 0
    assert (tmp_path / "scenograph.db").exists()
    with socket.create_server(("127.0.0.1", first)):
        assert over_stdio(_published, tmp_path, "--local") != first
    assert over_stdio(_published, tmp_path, "--local") == first
    (tmp_path / "data" / "scenograph" / "local-ports.json").write_text('{"a": "b", "c": [')
    assert over_stdio(_published, tmp_path, "--local")


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a host", "version": "1"},
    },
}
LISTEN = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "dsp_validate_scene", "arguments": {"scene": small_document("x")}},
}


@contextmanager
def local_host(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A host that wrote a call to a local tool server and got the answers, so that everything runs."""
    with subprocess.Popen(
        [*COMMAND, "--local"],
        env=environment(folder),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (HELLO, LISTEN, CALL):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert [answer["id"] for answer in answers] == [1, 2]
        yield process


def family_of(process: subprocess.Popen[bytes]) -> list[int]:
    """The ids of all processes that descend from it, itself included."""
    found, waiting = [process.pid], [process.pid]
    while waiting:
        tasks = Path(f"/proc/{waiting.pop()}/task")
        for children in tasks.glob("*/children"):
            ids = [int(word) for word in children.read_text().split()]
            found += ids
            waiting += ids
    return found


def is_gone(pid: int) -> bool:
    """Whether no such process runs; one that waits to be reaped runs no more."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


async def _gone(ids: list[int]) -> None:
    with anyio.fail_after(PATIENCE):
        while not all(map(is_gone, ids)):
            await anyio.sleep(0.02)


@pytest.mark.parametrize("end", ["closed input", signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_behind_however_the_host_ends(tmp_path: Path, end: Any) -> None:
    with local_host(tmp_path) as process:
        ids = family_of(process)
        assert len(ids) >= 3, "the tool server, the service, a worker"
        if isinstance(end, str):
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(PATIENCE) == 0
        else:
            process.send_signal(end)
            process.wait(PATIENCE)
        anyio.run(_gone, ids)


@pytest.mark.skipif(not hasattr(time, "clock_gettime"), reason="needs the clocks of processes")
def test_a_call_with_many_empty_arrays_costs_little_more_than_one_with_as_many_bytes_of_numbers(
    service: Service,
) -> None:
    """In processor time of the tool server. It was nine times as much, spent on looking for garbage."""
    with running_tools(service.address) as tools, httpx2.Client(timeout=30) as client:

        def cost(piece: str) -> int:
            scene = {"schemaVersion": "0.1", "elements": [json.loads(piece)] * (MANY // (len(piece) + 1))}
            call = CALL | {"params": {"name": "dsp_validate_scene", "arguments": {"scene": scene}}}
            content = json.dumps(call, separators=(",", ":"))
            before = time.clock_gettime_ns(clock)
            reply = client.post(tools.url, content=content, headers=headers)
            assert reply.status_code == 200
            return time.clock_gettime_ns(clock) - before

        clock = ~tools.pid << 3 | 2  # as `clock_getcpuclockid` gives it
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        hello = client.post(tools.url, content=json.dumps(HELLO), headers=headers)
        headers["Mcp-Session-Id"] = hello.headers["mcp-session-id"]
        headers["MCP-Protocol-Version"] = "2025-11-25"
        cost("1")
        assert cost("[]") < 4 * cost("1")


def test_a_local_service_that_is_killed_is_started_again(tmp_path: Path) -> None:
    with local_host(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        os.kill(family_of(process)[1], signal.SIGKILL)
        replies: list[str] = []
        while not replies or "isError" in replies[-1]:
            assert len(replies) < 100
            process.stdin.write(json.dumps(CALL | {"id": 3 + len(replies)}).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())["result"]
            replies.append("isError: " + answer["content"][0]["text"] if answer.get("isError") else "")
        assert all("local_service_restarted" in reply for reply in replies[:-1])
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_a_local_service_that_cannot_start_is_told_of_as_such(tmp_path: Path) -> None:
    code, said = run_doctor(tmp_path, "--local", DATABASE_URL=f"sqlite:///{tmp_path}")
    assert (code, said.count("FAIL")) == (1, 1)
    assert "The local service ended by itself (exit status" in said
    assert "SERVICE_API_URL" not in said


@pytest.mark.cold
def test_standard_output_holds_nothing_but_the_protocol(tmp_path: Path, service: Service) -> None:
    lines = [HELLO, LISTEN, "no JSON", {"jsonrpc": "2.0", "id": 9, "method": "no/such"}, CALL]
    given = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    with subprocess.Popen(
        COMMAND,
        env=environment(tmp_path, SERVICE_API_URL=service.address, LOG_LEVEL="debug"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given)
        process.stdin.flush()
        answers: list[dict[str, Any]] = []
        while not {1, 2, 9} <= {answer.get("id") for answer in answers}:
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        answers += [json.loads(line) for line in process.stdout]
    assert {answer["jsonrpc"] for answer in answers} == {"2.0"}


@contextmanager
def http_server(folder: Path, *options: str, **more: str) -> Iterator[str]:
    """A tool server over HTTP; gives its address."""
    with subprocess.Popen(
        [*COMMAND, "--http", "--port", "0", *options],
        env=environment(folder, **more),
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        finally:
            process.terminate()


def over_http(talk: Any, address: str, mode: str = "auto", key: str | None = None) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def session() -> Any:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as client,
        ):
            return await talk(client)

    return anyio.run(session)


async def count_tools(client: Client) -> int:
    return len((await client.list_tools()).tools)


def test_over_http_both_revisions_are_spoken_and_the_servers_own_key_serves_this_machine(
    service: Service, tmp_path: Path
) -> None:
    settings = {"SERVICE_API_URL": service.address, "SERVICE_API_KEY": KEY}
    with http_server(tmp_path, **settings) as address:
        assert address.endswith("/mcp")
        assert over_http(count_tools, address, mode="legacy") == 23
        assert over_http(count_tools, address, mode="2026-07-28") == 23
        foreign = httpx2.post(address, json=HELLO, headers={"Host": "evil.example"}, timeout=30)
        assert foreign.status_code == 421
        stranger = over_http(_deleted, address, key="dsp_sk_" + "0" * 32)
        assert "invalid_api_key" in stranger.content[0].text


async def _deleted(client: Client) -> Any:
    return await client.call_tool("dsp_list_recently_deleted", {})


def test_every_loopback_address_refuses_foreign_names(service: Service, tmp_path: Path) -> None:
    settings = {"SERVICE_API_URL": service.address, "SERVICE_API_KEY": KEY}
    with http_server(tmp_path, "--host", "127.0.0.2", **settings) as address:
        assert over_http(count_tools, address) == 23
        assert httpx2.post(address, json=HELLO, headers={"Host": "evil.example"}, timeout=30).status_code == 421
        assert (
            httpx2.post(address, json=HELLO, headers={"Origin": "http://evil.example"}, timeout=30).status_code == 403
        )


def test_where_other_machines_reach_it_each_caller_brings_a_key(service: Service, tmp_path: Path) -> None:
    settings = {"SERVICE_API_URL": service.address, "SERVICE_API_KEY": KEY}
    with http_server(tmp_path, "--host", "0.0.0.0", **settings) as address:  # noqa: S104
        assert over_http(count_tools, address) == 3
        assert over_http(count_tools, address, key=KEY) == 23
        assert not over_http(_deleted, address, key=KEY).is_error


def run_doctor(folder: Path, *options: str, **more: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "scenograph", "doctor", *options],
        env=environment(folder, **more),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.cold
def test_the_doctor_finds_everything_sound(service: Service, tmp_path: Path) -> None:
    code, said = run_doctor(tmp_path, SERVICE_API_URL=service.address, SERVICE_API_KEY=KEY)
    assert code == 0
    assert [line.split()[:2] for line in said.splitlines()] == [
        ["ok", "kernels:"],
        ["ok", "address:"],
        ["ok", "version:"],
        ["ok", "key:"],
        ["ok", "render:"],
    ]


def test_the_doctor_warns_where_there_is_no_key_and_fails_where_it_is_wrong(service: Service, tmp_path: Path) -> None:
    code, said = run_doctor(tmp_path, SERVICE_API_URL=service.address)
    assert code == 0
    assert "warn  key: SERVICE_API_KEY is not set" in said
    code, said = run_doctor(tmp_path, SERVICE_API_URL=service.address, SERVICE_API_KEY="my-key")
    assert code == 1
    assert "FAIL  key: " in said
    assert "32 hexadecimal characters" in said
    assert "my-key" not in said


def test_the_doctor_ends_where_nobody_or_somebody_else_answers(tmp_path: Path, recorder: Any) -> None:
    code, said = run_doctor(tmp_path, SERVICE_API_URL="http://127.0.0.1:9")
    assert (code, said.count("\n")) == (1, 2)
    assert "No service answers" in said
    code, said = run_doctor(tmp_path, SERVICE_API_URL=recorder.address)
    assert (code, said.count("\n")) == (1, 2)
    assert "is not this service" in said


def test_the_doctor_examines_a_local_service_as_well(tmp_path: Path) -> None:
    code, said = run_doctor(tmp_path, "--local", DATABASE_URL=f"sqlite:///{tmp_path / 'here.db'}")
    assert code == 0
    assert "23 tools" in said
    assert (tmp_path / "here.db").exists()
