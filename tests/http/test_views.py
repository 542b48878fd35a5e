"""Parts of a scene over HTTP: folded frames, focus, crop."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

Document = dict[str, Any]
Headers = dict[str, str]


def framed(document: Document) -> Document:
    frame = {"id": "back", "kind": "frame", "title": "Backend", "children": ["orders"]}
    return document | {"elements": [*document["elements"], frame]}


def test_an_inline_render_shows_the_part_that_a_view_asks_for(client: TestClient, document: Document) -> None:
    body = {"scene": framed(document), "view": {"collapse": ["back"], "focus": ["orders"], "depth": 0}}
    reply = client.post("/v1/scenes/render", json=body).json()
    assert 'data-element-id="back" data-kind="node"' in reply["output"]["content"]
    assert 'data-element-id="orders"' not in reply["output"]["content"]


def test_an_unknown_id_in_a_view_is_a_warning_with_the_nearest(client: TestClient, document: Document) -> None:
    body = {"scene": document, "view": {"focus": ["ordrs"]}}
    rows = client.post("/v1/scenes/render", json=body).json()["diagnostics"]
    found = [row for row in rows if row["code"] == "VIEW_ID_NOT_FOUND"]
    assert [(row["severity"], row["path"], row["data"]) for row in found] == [
        ("warning", "/view/focus/0", {"suggestion": "orders"})
    ]


@pytest.mark.parametrize(
    ("view", "told"),
    [
        ([], "(at /view)"),
        ({"collapse": "back"}, "(at /view/collapse)"),
        ({"focus": [1]}, "(at /view/focus/0)"),
        ({"depth": -1}, "(at /view/depth)"),
        ({"aspectRatio": 9}, "(at /view/aspectRatio)"),
        ({"page": "a5"}, "(at /view/page)"),
        ({"page": 5}, "(at /view/page)"),
        ({"page": {"width": 63, "height": 100}}, "(at /view/page/width)"),
        ({"page": {"width": 100}}, "(at /view/page/height)"),
        ({"colapse": ["back"]}, "view has no member 'colapse'"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/scenes/render", "/v1/scenes/normalize"])
def test_a_wrong_view_is_refused_and_its_place_told(
    client: TestClient, document: Document, path: str, view: object, told: str
) -> None:
    body = {"scene": document, "view": view} if path.endswith("render") else document | {"view": view}
    reply = client.post(path, json=body)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert told in reply.json()["error"]


def test_normalize_takes_a_view_and_does_not_answer_it(client: TestClient, document: Document) -> None:
    reply = client.post("/v1/scenes/normalize", json=framed(document) | {"view": {"collapse": ["back"]}}).json()
    assert "view" not in reply
    assert "orders" not in reply["computed"]["bounds"]


def test_a_stored_scene_is_rendered_in_part_and_its_view_is_never_kept(
    client: TestClient, document: Document, key: Headers
) -> None:
    place = f"/v1/scenes/{document['scene']['id']}"
    sent = framed(document) | {"view": {"collapse": ["back"]}}
    assert client.post("/v1/scenes", json=sent, headers=key).status_code == 201
    assert "view" not in client.get(place, headers=key).json()["scene"]
    whole = client.post(f"{place}/render", json={}, headers=key).json()["output"]
    part = client.post(f"{place}/render", json={"view": {"crop": ["orders"]}}, headers=key).json()["output"]
    assert part["width"] < whole["width"]


def test_a_picture_has_the_size_of_its_page_and_tells_its_scale(client: TestClient, document: Document) -> None:
    body = {"scene": document, "view": {"page": {"width": 800, "height": 600}}}
    output = client.post("/v1/scenes/render", json=body).json()["output"]
    large = client.post("/v1/scenes/render", json=body | {"format": "png", "scale": 2}).json()["output"]
    assert (output["width"], output["height"]) == (800, 600)
    assert (large["width"], large["height"], large["scale"]) == (1600, 1200, 2 * output["scale"])
    plain = client.post("/v1/scenes/render", json={"scene": document}).json()["output"]
    assert plain["scale"] == 1


def test_a_stored_scene_is_drawn_on_a_page(client: TestClient, document: Document, key: Headers) -> None:
    client.post("/v1/scenes", json=document, headers=key)
    path = f"/v1/scenes/{document['scene']['id']}/render"
    output = client.post(path, json={"view": {"page": "1:1"}}, headers=key).json()["output"]
    assert (output["width"], output["height"]) == (1200, 1200)
