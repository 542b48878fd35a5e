from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.http.inbox import Inbox

from scenograph.http.app import create_app
from scenograph.service.accounts import Keys
from scenograph.settings import Settings
from scenograph.storage.interface import Account
from scenograph.storage.sqlite import open_sqlite
from scenograph.wiring import Services, build

OPERATOR_KEY = "dsp_sk_" + "0123456789abcdef" * 2
Document = dict[str, Any]


@pytest.fixture(scope="session")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('store') / 'scenes.db'}"


@pytest.fixture(scope="session")
def settings(database_url: str) -> Settings:
    return Settings(
        database_url=database_url,
        bootstrap_api_key=OPERATOR_KEY,  # pyright: ignore[reportArgumentType]
        render_workers=2,
        max_body_bytes=200_000,
        rate_limit_rpm=6_000_000,
        rate_limit_burst=100_000,
    )


@pytest.fixture(scope="session")
def services(settings: Settings) -> Iterator[Services]:
    services = build(settings)
    yield services
    services.close()


@pytest.fixture(scope="session")
def client(services: Services) -> Iterator[TestClient]:
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def key() -> dict[str, str]:
    """The header of the operator's key."""
    return {"Authorization": f"Bearer {OPERATOR_KEY}"}


@pytest.fixture(scope="session")
def key_of_another(database_url: str, services: Services) -> Callable[[str, bool], dict[str, str]]:
    """Makes an account that is verified or not, and gives the header of its key."""

    def make(account_id: str, verified: bool) -> dict[str, str]:
        now = datetime.now(UTC)
        store = open_sqlite(database_url)
        account = Account(id=account_id, email=None, email_verified_at=now if verified else None, role="member")
        store.add_account(account, now)
        secret = Keys(store, lambda: now).create(account_id, "test").key
        store.close()
        return {"Authorization": f"Bearer {secret}"}

    return make


@pytest.fixture
def document(request: pytest.FixtureRequest) -> Document:
    """A small valid document; its id is the test's own."""
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[:100]
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": f"s{name}", "title": "Checkout", "units": "px", "canvas": {"width": 640, "height": 240}},
        "elements": [
            {"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"},
            {"id": "orders", "kind": "node", "nodeType": "service", "label": "Orders"},
            {"id": "e1", "kind": "edge", "from": {"elementId": "web"}, "to": {"elementId": "orders"}},
        ],
    }


@pytest.fixture
def stored(client: TestClient, key: dict[str, str], document: Document) -> str:
    """The id of `document`, stored for the operator."""
    reply = client.post("/v1/scenes", json=document, headers=key)
    assert reply.status_code == 201, reply.text
    return str(reply.json()["sceneId"])


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    started = Inbox()
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def open_settings(settings: Settings, inbox: Inbox) -> Settings:
    changes = {
        "signup_enabled": "true",
        "signups_per_hour": 0,
        "smtp_url": SecretStr(f"smtp://127.0.0.1:{inbox.chosen_port}"),
        "public_site": "https://diagrams.example",
        "render_workers": 1,
    }
    return settings.model_copy(update=changes)


@pytest.fixture(scope="module")
def open_client(open_settings: Settings) -> Iterator[TestClient]:
    """A service that lets anybody sign up."""
    services = build(open_settings)
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client
    services.close()
