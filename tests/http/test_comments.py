"""Comments: threads, whose they are, where they are not, and who is told (R-PEOPLE-8, R-PEOPLE-9)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph.service import people
from scenograph.service.accounts import Keys
from scenograph.storage.interface import Account
from scenograph.storage.sqlite import open_sqlite

Document = dict[str, Any]
Headers = dict[str, str]
WORD = "Quixotic remark"
OWNER = {"owner": "operator"}


@pytest.fixture
def bob(key_of_another: Callable[[str, bool], Headers], client: TestClient, key: Headers, stored: str) -> Headers:
    """The key of a commenter on the stored scene."""
    name = f"bob-{stored}"[:120]
    headers = key_of_another(name, True)
    client.put(f"/v1/scenes/{stored}/grants/{name}", json={"role": "commenter"}, headers=key)
    return headers


def comment(client: TestClient, scene: str, headers: Headers, **body: Any) -> Any:
    reply = client.post(f"/v1/scenes/{scene}/comments", params=OWNER, json={"text": WORD, **body}, headers=headers)
    assert reply.status_code == 201, reply.text
    return reply.json()


def threads(client: TestClient, scene: str, headers: Headers) -> list[Any]:
    return client.get(f"/v1/scenes/{scene}/comments", params=OWNER, headers=headers).json()["items"]


def test_a_thread_begins_is_answered_resolved_and_opened_again(
    client: TestClient, key: Headers, bob: Headers, stored: str
) -> None:
    begun = comment(client, stored, bob, elementId="web")
    path = f"/v1/scenes/{stored}/comments/{begun['commentId']}"
    answered = client.post(f"{path}/replies", json={"text": " So. "}, headers=key)
    assert (answered.status_code, answered.json()["text"]) == (201, "So.")
    (thread,) = threads(client, stored, bob)
    assert (thread["elementId"], thread["at"], thread["revision"], thread["resolved"]) == ("web", None, 1, False)
    assert thread["author"]["accountId"].startswith("bob-")
    assert [reply["author"]["accountId"] for reply in thread["replies"]] == ["operator"]
    resolved = client.patch(path, params=OWNER, json={"resolved": True}, headers=bob).json()
    assert (resolved["resolved"], resolved["resolvedBy"]) == (True, thread["author"]["accountId"])
    assert client.patch(path, json={"resolved": False}, headers=key).json()["resolvedAt"] is None


def test_a_comment_and_a_reply_sent_again_are_written_once(
    client: TestClient, key: Headers, bob: Headers, stored: str
) -> None:
    address = f"/v1/scenes/{stored}/comments"

    def sent(path: str, text: str, by: Headers, name: str) -> Any:
        name = f"{stored}-{name}"
        return client.post(path, params=OWNER, json={"text": text}, headers=by | {"Idempotency-Key": name})

    first, second = (sent(address, WORD, bob, "begin") for _ in range(2))
    assert (first.status_code, second.status_code, second.content) == (201, 201, first.content)
    assert second.headers["idempotency-replayed"] == "true"
    replies = f"{address}/{first.json()['commentId']}/replies"
    for _ in range(2):
        assert sent(replies, "Yes.", key, "reply").status_code == 201
    other = sent(replies, "No.", key, "reply")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_mismatch")
    (thread,) = threads(client, stored, bob)
    assert [reply["text"] for reply in thread["replies"]] == ["Yes."]


def test_pages_hold_every_thread_once(client: TestClient, key: Headers, bob: Headers, stored: str) -> None:
    made = [comment(client, stored, bob, at={"x": number, "y": 0})["commentId"] for number in range(5)]
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    while True:
        page = client.get(f"/v1/scenes/{stored}/comments", params=query, headers=key).json()
        seen += [item["commentId"] for item in page["items"]]
        if page["nextCursor"] is None:
            break
        query["cursor"] = page["nextCursor"]
    assert seen == made


def test_a_comment_is_deleted_by_its_author_or_the_owner(
    client: TestClient, key: Headers, bob: Headers, stored: str
) -> None:
    path = f"/v1/scenes/{stored}/comments"
    of_owner, of_bob = comment(client, stored, key)["commentId"], comment(client, stored, bob)["commentId"]
    client.post(f"{path}/{of_bob}/replies", json={"text": "So."}, headers=key)
    refused = client.delete(f"{path}/{of_owner}", params=OWNER, headers=bob)
    assert (refused.status_code, refused.json()["code"]) == (403, "role_forbidden")
    assert client.delete(f"{path}/{of_bob}", params=OWNER, headers=bob).status_code == 200
    assert [thread["commentId"] for thread in threads(client, stored, key)] == [of_owner]
    assert client.delete(f"{path}/{of_bob}", headers=key).json()["code"] == "not_found"
    assert client.delete(f"{path}/{of_owner}", headers=key).status_code == 200


def test_a_comment_tells_the_verified_address_of_its_author_and_no_other(
    client: TestClient, key: Headers, bob: Headers, stored: str, database_url: str
) -> None:
    comment(client, stored, bob)
    account = threads(client, stored, key)[0]["author"]["accountId"]
    assert threads(client, stored, key)[0]["author"]["name"] == account
    store = open_sqlite(database_url)
    now = datetime.now(UTC)
    mail = f"{abs(hash(account))}@example.org"
    carol = Account(id=f"carol-{stored}"[:120], email=mail, email_verified_at=None, role="member")
    store.add_account(carol, now)
    secret = Keys(store, lambda: now).create(carol.id, "test").key
    client.put(f"/v1/scenes/{stored}/grants/{carol.id}", json={"role": "commenter"}, headers=key)
    comment(client, stored, {"Authorization": f"Bearer {secret}"})
    names = [thread["author"]["name"] for thread in threads(client, stored, key)]
    assert names == [account, carol.id], "an unproven address is no name"
    store.verify_account(carol.id, now)
    store.close()
    assert threads(client, stored, key)[1]["author"]["name"] == mail


def test_threads_are_listed_by_their_state_and_their_element(
    client: TestClient, key: Headers, bob: Headers, stored: str
) -> None:
    on_web, on_orders, on_scene = (
        comment(client, stored, bob, **about)["commentId"]
        for about in ({"elementId": "web"}, {"elementId": "orders"}, {})
    )
    client.patch(f"/v1/scenes/{stored}/comments/{on_web}", json={"resolved": True}, headers=key)

    def listed(**query: Any) -> list[str]:
        reply = client.get(f"/v1/scenes/{stored}/comments", params=query, headers=key)
        return [item["commentId"] for item in reply.json()["items"]]

    assert listed() == [on_web, on_orders, on_scene]
    assert listed(resolved="false") == [on_orders, on_scene]
    assert listed(resolved="true") == [on_web]
    assert listed(elementId="web", resolved="false") == []
    assert listed(elementId="orders") == [on_orders]
    refused = client.get(f"/v1/scenes/{stored}/comments", params={"resolved": "maybe"}, headers=key)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    "body",
    [{"text": ""}, {"text": "  "}, {"text": "\u200b"},
     {"text": 1}, {}, {"text": "a" * 4001}, {"text": "a", "elementId": "none"},
     {"text": "a", "elementId": "web", "at": {"x": 1, "y": 1}}, {"text": "a", "at": {"x": 1}}, {"text": "a", "at": 1},
     {"text": "a", "at": {"x": 1e9, "y": 0}}, {"text": "a", "at": {"x": True, "y": 0}}, {"text": "a", "more": 1},
     {"text": "a", "revision": 0}],
)  # fmt: skip
def test_a_comment_that_cannot_be_is_refused(client: TestClient, key: Headers, stored: str, body: Document) -> None:
    reply = client.post(f"/v1/scenes/{stored}/comments", json=body, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert threads(client, stored, key) == []


def test_beyond_the_most_of_a_scene_a_comment_is_refused_with_use_and_limit(
    client: TestClient, key: Headers, stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "MOST_COMMENTS", 1)
    begun = comment(client, stored, key)["commentId"]
    path = f"/v1/scenes/{stored}/comments"
    for address in (path, f"{path}/{begun}/replies"):
        refused = client.post(address, json={"text": "More."}, headers=key)
        assert (refused.status_code, refused.json()["code"]) == (409, "quota_exceeded")
        assert [refused.json()[name] for name in ("quota", "used", "limit")] == ["comments", 1, 1]
    assert client.delete(f"{path}/{begun}", headers=key).status_code == 200
    comment(client, stored, key)


def test_a_thread_of_another_scene_is_unknown(
    client: TestClient, key: Headers, stored: str, document: Document
) -> None:
    other = document["scene"]["id"] = f"{stored[:100]}-other"
    client.post("/v1/scenes", json=document, headers=key)
    path = f"/v1/scenes/{other}/comments/{comment(client, stored, key)['commentId']}"
    for reply in (
        client.post(f"{path}/replies", json={"text": "So."}, headers=key),
        client.patch(path, json={"resolved": True}, headers=key),
        client.delete(path, headers=key),
    ):
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


def test_no_document_export_page_or_submission_holds_a_comment(client: TestClient, key: Headers, stored: str) -> None:
    comment(client, stored, key, elementId="web")
    path = f"/v1/scenes/{stored}"
    shown = [client.get(path, params={"computed": "true"}, headers=key).text]
    for form in ("svg", "drawio", "mermaid", "text", "excalidraw"):
        shown.append(client.post(f"{path}/render", json={"format": form, "embed": form == "svg"}, headers=key).text)
    client.post(f"{path}/publish", headers=key)
    shown += [client.get(f"/s/{stored}").text, client.get(f"/v1/public/scenes/{stored}").text]
    assert not [text for text in shown if WORD in text]


def test_comments_wait_out_a_deletion(
    client: TestClient, key_of_another: Callable[[str, bool], Headers], document: Document
) -> None:
    ann = key_of_another(f"ann-{document['scene']['id']}"[:120], True)
    scene = document["scene"]["id"]
    client.post("/v1/scenes", json=document, headers=ann)
    path = f"/v1/scenes/{scene}"
    assert client.post(f"{path}/comments", json={"text": WORD}, headers=ann).status_code == 201
    client.delete(path, headers=ann)
    assert client.get(f"{path}/comments", headers=ann).status_code == 404
    client.post(f"{path}/undelete", headers=ann)
    assert [item["text"] for item in client.get(f"{path}/comments", headers=ann).json()["items"]] == [WORD]
