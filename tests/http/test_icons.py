from __future__ import annotations

from starlette.testclient import TestClient


def test_icons_are_found_by_words_the_best_first(client: TestClient) -> None:
    body = client.get("/v1/icons", params={"q": "s3"}).json()
    assert body["items"][0] == {"key": "aws:amazon-simple-storage-service", "category": "storage"}
    assert body["total"] == len(body["items"]) > 1


def test_without_words_every_icon_is_listed_and_may_be_kept(client: TestClient) -> None:
    reply = client.get("/v1/icons", headers={"Accept-Encoding": "gzip"})
    body = reply.json()
    assert body["total"] == len({item["key"] for item in body["items"]}) > 4000
    assert reply.headers["cache-control"] == "public, max-age=3600"
    assert reply.headers["content-encoding"] == "gzip"


def test_a_prefix_keeps_to_one_set_and_a_limit_to_the_first(client: TestClient) -> None:
    body = client.get("/v1/icons", params={"q": "gcp:storage", "limit": 2}).json()
    assert [item["key"].partition(":")[0] for item in body["items"]] == ["gcp", "gcp"]
    assert body["total"] > 2


def test_what_matches_nothing_is_an_empty_list(client: TestClient) -> None:
    assert client.get("/v1/icons", params={"q": "unheard words"}).json() == {"items": [], "total": 0}


def test_a_query_beyond_its_length_is_refused(client: TestClient) -> None:
    assert client.get("/v1/icons", params={"q": "x" * 129}).json()["code"] == "invalid_request"
    assert client.get("/v1/icons", params={"limit": "0"}).status_code == 400


def test_every_key_that_is_found_can_be_drawn(client: TestClient, document: dict[str, object]) -> None:
    for query in ("queue", "aws:lambda", "azure:firewall"):
        key = client.get("/v1/icons", params={"q": query}).json()["items"][0]["key"]
        node = {"id": "n", "kind": "node", "label": "N", "icon": key}
        reply = client.post("/v1/scenes/validate", json=document | {"elements": [node]})
        assert reply.json()["diagnostics"] == []
