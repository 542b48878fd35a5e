"""A name that the service does not go by is never told back."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx2
from local_servers.service import HEADERS, running_services

SCENE = {
    "schemaVersion": "0.1",
    "scene": {"id": "shown", "units": "px", "canvas": {}},
    "elements": [{"id": "a", "kind": "node", "label": "A"}],
}


def published_at(url: str, host: str) -> str:
    reply = httpx2.post(f"{url}/v1/scenes/shown/publish", headers=HEADERS | {"Host": host}, timeout=30)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["publicUrl"])


def test_an_address_never_names_a_host_that_the_caller_made_up(tmp_path: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path / 'scenes.db'}", "HOST": "0.0.0.0"}  # noqa: S104
    with running_services(1, tmp_path, **settings) as (service,):
        url = service.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        httpx2.post(f"{url}/v1/scenes", json=SCENE, headers=HEADERS, timeout=30)
        own = url.removeprefix("http://")
        assert published_at(url, own) == f"{url}/s/shown"
        assert published_at(url, f"localhost:{own.partition(':')[2]}").startswith("http://localhost:")
        assert published_at(url, "evil.example") == f"{url}/s/shown"


def test_where_no_key_is_asked_for_a_made_up_host_is_refused_wherever_it_is_bound(tmp_path: Path) -> None:
    settings = {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'scenes.db'}",
        "HOST": "0.0.0.0",  # noqa: S104
        "AUTH_DISABLED": "true",
        "PUBLIC_SITE": "https://shown.test",
        "ALLOWED_HOSTS": "here.example",
    }
    with running_services(1, tmp_path, **settings) as (service,):
        url = service.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        for host, status in {
            "evil.example": 421,
            "shown.test": 200,
            "here.example:80": 200,
            "localhost": 200,
        }.items():
            reply = httpx2.get(f"{url}/v1/scenes", headers={"Host": host}, timeout=30)
            assert reply.status_code == status, host
        assert httpx2.get(f"{url}/health", headers={"Host": "evil.example"}, timeout=30).status_code == 200


def test_metrics_have_a_port_of_their_own_that_answers_any_host(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path / 'scenes.db'}", "METRICS_PORT": str(port)}
    with running_services(1, tmp_path, **settings) as (service,):
        own = f"http://127.0.0.1:{port}"
        told = httpx2.get(f"{own}/metrics", headers={"Host": "10.1.2.3:9100"}, timeout=30)
        assert (told.status_code, "scenograph_requests_total" in told.text) == (200, True)
        assert [httpx2.get(f"{own}{path}", timeout=30).status_code for path in ("/", "/v1/icons", "/health")] == [
            404
        ] * 3
        assert httpx2.get(f"{service.url}/metrics", timeout=30).status_code == 404
        assert httpx2.get(f"{service.url}/health", timeout=30).status_code == 200
