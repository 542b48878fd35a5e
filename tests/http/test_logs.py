"""The log of a real server: a request id in every line, and never a key, a mailed token or a word of a scene."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest
from local_servers.service import running_services

from scenograph.http import layers
from scenograph.http.routes import ROUTES

KEY = "dsp_sk_" + "9a8b7c6d" * 4
WORD = "Quixotry"
SETTINGS = {"BOOTSTRAP_SUPPORT_KEY": KEY, "SIGNUP_ENABLED": "true", "SIGNUPS_PER_HOUR": "0", "LOG_LEVEL": "debug"}


def document(scene_id: str) -> dict[str, Any]:
    """A document that is full of the word, good and bad."""
    node = {"id": f"{WORD}-1", "kind": "node", "label": WORD, "icon": WORD, "nodeType": f"er.{WORD}", WORD: WORD}
    canvas = {"background": "#fff"}
    return {
        "schemaVersion": "0.1",
        "scene": {"id": scene_id, "title": WORD, "units": "px", "canvas": canvas},
        "elements": [node],
        "extensions": {WORD: WORD},
    }


def bodies(path: str) -> list[bytes]:
    whole = document("kept")
    edit = {"op": "createNode", "id": f"{WORD}-2", "label": WORD}
    batch = {"schemaVersion": "0.1", "sceneId": "kept", "baseRevision": 1, "ops": [edit], "message": WORD}
    good: Any = {
        "applyOps": batch,
        "support": {"problem": WORD},
        "render": {"scene": whole, "theme": "clean"},
        "keys": {"name": WORD},
        "accounts": {"email": f"{WORD}@example.org"},
        "verify": {"token": WORD},
    }.get(path.rpartition("/")[2], whole)
    wrong = [{**good, "elements": [{"id": WORD, "kind": WORD}], "ops": [{"op": WORD}], "theme": WORD, "email": WORD}]
    return [json.dumps(body).encode() for body in (good, *wrong)] + [f'{{"{WORD}": {WORD}'.encode(), WORD.encode()]


ENDLESS = "text/event-stream"  # is left once it has begun


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is logged while every route is called, rightly and wrongly."""
    folder: Path = tmp_path_factory.mktemp("logs")
    database = f"sqlite:///{folder / 'scenes.db'}"
    with running_services(1, folder, DATABASE_URL=database, **SETTINGS) as (service,):
        headers = {"Content-Type": "application/json", "User-Agent": WORD, "Referer": WORD, "Cookie": f"a={KEY}"}
        with httpx2.Client(base_url=service.url, headers=headers, timeout=60) as client:
            for authorization in ({"Authorization": f"Bearer {KEY}"}, {"Authorization": f"Bearer {KEY}x"}):
                for route in ROUTES:
                    path = route.path.replace("{sceneId}", "kept").replace("{id}", "kept")
                    path = path.replace("{keyId}", KEY).replace("{submissionId}", KEY.replace("_", "%5F"))
                    for content in bodies(route.path) if route.method == "POST" else [b""]:
                        more = {"Idempotency-Key": WORD, "X-Request-Id": KEY} | authorization
                        query = {"q": WORD, "cursor": WORD, "token": KEY, "theme": WORD, "from": WORD}
                        asked = {"params": query, "content": content, "headers": more}
                        with client.stream(route.method, path, **asked) as reply:
                            if not reply.headers.get("content-type", "").startswith(ENDLESS):
                                reply.read()
        return service.whole_log()


def test_every_line_is_json_and_every_one_about_a_request_has_its_id(lines: list[str]) -> None:
    said = [json.loads(line) for line in lines]
    assert sum(line["event"] == "request" for line in said) > 2 * len(ROUTES)
    others = {line["event"] for line in said if "request_id" not in line}
    assert others <= {"smtp_url_unset", "mail_not_sent_but_logged", "mail_sent"}
    assert not any(line["event"] == "unexpected_fault" for line in said)


def test_no_line_holds_a_key_or_a_word_of_a_scene(lines: list[str]) -> None:
    # Where no mail server is set the mails are logged, for whoever tries the service out: address and link.
    kept = [line for line in lines if "mail_not_sent_but_logged" not in line]
    assert len(kept) > 2 * len(ROUTES)
    for line in kept:
        assert WORD.casefold() not in line.casefold()
        assert KEY not in line
        assert KEY[7:] not in line


SECRET = "dsp_sk_" + "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "spelt",
    [
        SECRET, SECRET.replace("_", "%5f"), "%64sp_sk_" + SECRET[7:], "%2564%2573p_sk_" + SECRET[7:], SECRET.upper(),
        f"{SECRET[:20]}/{SECRET[20:]}", f"{SECRET[:20]}%2F{SECRET[20:]}", f"x-{SECRET}-y", f"d/sp_sk_{SECRET[7:]}",
        "".join(f"%{ord(letter):02x}" for letter in SECRET),
    ],
)  # fmt: skip
def test_a_key_in_an_address_is_masked_however_it_is_spelt_or_split(spelt: str) -> None:
    path = layers._path({"raw_path": f"/v1/scenes/{spelt}/render".encode(), "path": "unused"})
    shown = path
    for _ in range(6):
        shown = unquote(shown)
    assert "(key)" in shown
    assert not any(SECRET[start : start + 6] in shown.lower() for start in range(7, 34))
    assert path.startswith("/v1/scenes/")
    assert path.isascii()
    assert path.isprintable()


@pytest.mark.parametrize("spelt", ["v@example.org", "v%40example.org", "v%2540example.org"])
def test_a_mail_address_in_a_path_is_not_logged(spelt: str) -> None:
    path = layers._path({"raw_path": f"/v1/scenes/a/grants/{spelt}".encode(), "path": "unused"})
    assert path == "/v1/scenes/a/grants/(address)"


@pytest.mark.parametrize("path", ["/v1/scenes/desk", "/v1/scenes/a%20b%2Fc", "/v1/scenes/disputes", "/s/%E2%82%AC.svg"])
def test_any_other_address_is_logged_as_it_came(path: str) -> None:
    assert layers._path({"raw_path": path.encode(), "path": "unused"}) == path
