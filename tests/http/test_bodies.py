"""How request bodies are read: never beyond the limit, strictly, and with a sentence for what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from scenograph.settings import Settings

JSON = {"Content-Type": "application/json"}
ADDRESS = "/v1/scenes/validate"


def test_a_declared_body_beyond_the_limit_is_refused(client: TestClient, settings: Settings) -> None:
    reply = client.post(ADDRESS, content=b" " * (settings.max_body_bytes + 1), headers=JSON)
    assert (reply.status_code, reply.json()["code"]) == (413, "body_too_large")
    assert str(settings.max_body_bytes) in reply.json()["error"]


def test_a_chunked_body_is_read_no_further_than_the_limit(client: TestClient, settings: Settings) -> None:
    chunk, sent = b" " * 10_000, 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 100 * settings.max_body_bytes:
            sent += len(chunk)
            yield chunk

    reply = client.post(ADDRESS, content=endless(), headers=JSON)
    assert (reply.status_code, reply.json()["code"]) == (413, "body_too_large")


def test_a_body_of_exactly_the_limit_is_read(client: TestClient, settings: Settings) -> None:
    assert client.post(ADDRESS, content=b"{}".ljust(settings.max_body_bytes), headers=JSON).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data; boundary=x", "", "json"])
def test_another_media_type_is_refused(client: TestClient, kind: str) -> None:
    reply = client.post(ADDRESS, content=b"{}", headers={"Content-Type": kind})
    assert (reply.status_code, reply.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_another_encoding_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    reply = client.post(ADDRESS, content=b"{}", headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json; charset=UTF-8", 'APPLICATION/JSON;charset="utf-8"', "application/vnd.scene+json"]
)
def test_json_is_taken_under_its_other_names(client: TestClient, kind: str) -> None:
    assert client.post(ADDRESS, content=b"{}", headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (b"", "byte 0"),
        (b"{", "line 1"),
        (b'{"a": NaN}', "/a"),
        (b'{"a": {"b": 1e999}}', "/a/b"),
        (b'{"a": 1,\n "a": 2}', "line 2"),
        (b'{"a": "\\ud800"}', "/a"),
        (b'{"a": "\xff"}', "byte 7"),
        (b'{"a":' + b"[" * 40 + b"]" * 40 + b"}", "32"),
        (b"[" * 100_000, "line 1"),
        (b'{"a": ' + b"9" * 5000 + b"}", "/a"),
    ],
    ids=["empty", "cut", "nan", "overflow", "twice", "surrogate", "not utf-8", "deep", "very deep", "long number"],
)
def test_what_is_not_strict_json_is_refused_with_the_place(client: TestClient, raw: bytes, where: str) -> None:
    reply = client.post(ADDRESS, content=raw, headers=JSON)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_json")
    assert where in reply.json()["error"]


@pytest.mark.parametrize(
    ("raw", "kind"), [(b"[]", "an array"), (b'"x"', "a string"), (b"null", "null"), (b"1", "a number")]
)
def test_a_body_that_is_no_object_is_refused(client: TestClient, raw: bytes, kind: str) -> None:
    reply = client.post(ADDRESS, content=raw, headers=JSON)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert kind in reply.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "names"),
    [
        ("/v1/scenes/{}/support", {"problem": "broken", "anonymise": True}, ("anonymise", "anonymize")),
        ("/v1/auth/keys", {"name": "build", "nmae": "x"}, ("nmae", "name")),
        ("/v1/accounts", {"email": "ann@example.org", "Email": "x"}, ("Email", "email")),
        ("/v1/accounts/verify", {"token": "x", "tokens": "y"}, ("tokens", "token")),
    ],
)
def test_a_misspelt_member_is_refused_and_the_nearest_one_named(
    client: TestClient, key: dict[str, str], path: str, body: dict[str, object], names: tuple[str, str]
) -> None:
    reply = client.post(path.format("any-scene"), json=body, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert f"no member '{names[0]}'" in reply.json()["error"]
    assert f"Did you mean {names[1]}?" in reply.json()["error"]


def test_a_member_that_is_like_none_is_refused_too_and_not_quoted_at_length(
    client: TestClient, key: dict[str, str], stored: str
) -> None:
    reply = client.post(f"/v1/scenes/{stored}/support", json={"problem": "broken", "x" * 5000: 1}, headers=key)
    assert reply.status_code == 400
    assert "its members are: problem, anonymize." in reply.json()["error"]
    assert len(reply.json()["error"]) < 300
