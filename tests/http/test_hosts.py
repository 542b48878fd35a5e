"""A name that the service does not go by is never told back."""

from __future__ import annotations

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
