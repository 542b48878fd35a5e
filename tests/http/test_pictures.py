"""Pictures, validation and normalizing over HTTP."""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph import SourceError, read
from scenograph.http.endpoints.documents import reply_with
from scenograph.service.rendering import ServedPicture

Document = dict[str, Any]
INLINE = "/v1/scenes/render"
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


def png_size(content: bytes) -> tuple[int, int]:
    assert content.startswith(PNG_MAGIC)
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def test_an_inline_scene_is_rendered_to_svg_without_a_key(client: TestClient, document: Document) -> None:
    reply = client.post(INLINE, json={"scene": document})
    output = reply.json()["output"]
    assert reply.status_code == 200
    assert output["mimeType"] == "image/svg+xml"
    assert output["content"].startswith("<svg")
    assert 'data-element-id="orders"' in output["content"]
    assert output["width"] >= 640


def test_a_png_comes_in_base64_with_its_size_and_scale_doubles_it(client: TestClient, document: Document) -> None:
    sizes: list[tuple[int, int]] = []
    for scale in (1, 2):
        body = {"scene": document, "format": "png", "scale": scale, "theme": "dark"}
        output = client.post(INLINE, json=body).json()["output"]
        assert output["mimeType"] == "image/png"
        sizes.append(png_size(base64.b64decode(output["contentBase64"])))
        assert sizes[-1] == (output["width"], output["height"])
    assert sizes[1] == (2 * sizes[0][0], 2 * sizes[0][1])


def test_the_png_in_json_is_the_bare_one_with_the_remarks_beside_it(client: TestClient, document: Document) -> None:
    del document["diagramFamily"]
    body = {"scene": document, "format": "png"}
    bare = client.post(INLINE, json=body, headers={"Accept": "image/png"}).content
    told = client.post(INLINE, json=body).json()
    assert base64.b64decode(told["output"]["contentBase64"], validate=True) == bare
    assert [row["code"] for row in told["diagnostics"]] == ["MISSING_DIAGRAM_FAMILY"]


@pytest.mark.parametrize(
    ("accept", "asked", "kind"),
    [
        ("image/svg+xml", None, "image/svg+xml"),
        ("image/png", None, "image/png"),
        ("image/*", None, "image/svg+xml"),
        ("image/png, application/json;q=0.5", None, "image/png"),
        ("application/json, image/png;q=0.9", None, "application/json"),
        ("*/*", None, "application/json"),
        ("image/png", "svg", "application/json"),
        ("image/png", "png", "image/png"),
        ("text/html", None, "application/json"),
        ("application/vnd.excalidraw+json", None, "application/vnd.excalidraw+json"),
        ("application/vnd.excalidraw+json", "excalidraw", "application/vnd.excalidraw+json"),
        ("image/png", "excalidraw", "application/json"),
        ("application/json", "excalidraw", "application/json"),
    ],
)
def test_accept_chooses_between_the_bare_picture_and_the_envelope(
    client: TestClient, document: Document, accept: str, asked: str | None, kind: str
) -> None:
    reply = client.post(INLINE, json={"scene": document, "format": asked}, headers={"Accept": accept})
    assert (reply.status_code, reply.headers["content-type"].partition(";")[0]) == (200, kind)
    if kind == "image/png":
        png_size(reply.content)
    if kind.startswith("image/"):
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "Accept" in reply.headers["vary"]


def test_a_stored_scene_is_rendered_without_a_body_and_at_an_earlier_revision(
    client: TestClient, key: dict[str, str], stored: str
) -> None:
    address = f"/v1/scenes/{stored}"
    first = client.post(f"{address}/render", headers=key)
    assert first.status_code == 200
    op = {"op": "updateNode", "id": "web", "label": "Somewhere else"}
    edit = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": [op]}
    assert client.post(f"{address}/applyOps", json=edit, headers=key).status_code == 200
    assert client.post(f"{address}/render", headers=key).json() != first.json()
    assert client.post(f"{address}/render", json={"revision": 1}, headers=key).json() == first.json()


def test_the_places_of_a_picture_come_with_it_where_they_are_asked_for(
    client: TestClient, document: Document, key: dict[str, str], stored: str
) -> None:
    places = client.post("/v1/scenes/normalize", json=document).json()["computed"]
    for address, body in ((INLINE, {"scene": document}), (f"/v1/scenes/{stored}/render", {})):
        for _ in range(2):  # drawn, then kept
            reply = client.post(address, json={**body, "computed": True}, headers=key).json()
            assert reply["computed"] == places
            assert reply["output"] == client.post(address, json=body, headers=key).json()["output"]
        assert "computed" not in client.post(address, json=body, headers=key).json()
    folded = {"scene": document, "computed": True, "view": {"focus": ["web"], "depth": 0}}
    assert set(client.post(INLINE, json=folded).json()["computed"]["bounds"]) == {"web"}


def test_an_excalidraw_file_comes_as_text(client: TestClient, document: Document, key: dict[str, str]) -> None:
    output = client.post(INLINE, json={"scene": document, "format": "excalidraw"}).json()["output"]
    assert output["mimeType"] == "application/vnd.excalidraw+json"
    found = json.loads(output["content"])
    assert (found["type"], found["version"]) == ("excalidraw", 2)
    assert {"web", "orders"} <= {one["id"] for one in found["elements"]}


def test_a_diff_agrees_with_the_one_in_words_and_has_a_legend(
    client: TestClient, key: dict[str, str], stored: str
) -> None:
    address = f"/v1/scenes/{stored}"
    ops = [
        {"op": "updateNode", "id": "web", "label": "Somewhere else"},
        {"op": "deleteElement", "id": "orders"},
        {"op": "createNode", "id": "fresh", "label": "Fresh"},
    ]
    edit = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": ops}
    assert client.post(f"{address}/applyOps", json=edit, headers=key).status_code == 200
    said = client.get(f"{address}/diff?from=1", headers=key).json()
    svg = client.post(f"{address}/render", json={"diff": {"fromRevision": 1}}, headers=key).json()["output"]["content"]
    for change in ("added", "removed", "modified"):
        drawn = set(re.findall(rf'data-element-id="([^"]+)" data-kind="[a-z]+" data-change="{change}"', svg))
        assert drawn == set(said[change])
    assert 'data-legend="diff"' in svg
    png = client.post(
        f"{address}/render",
        json={"diff": {"fromRevision": 1}, "watermark": True},
        headers=key | {"Accept": "image/png"},
    )
    assert png.headers["content-type"] == "image/png"
    missing = client.post(f"{address}/render", json={"diff": {"fromRevision": 9}}, headers=key)
    assert (missing.status_code, missing.json()["code"]) == (404, "revision_not_found")


def test_a_diff_of_an_inline_scene_is_refused_with_the_reason(client: TestClient, document: Document) -> None:
    reply = client.post(INLINE, json={"scene": document, "diff": {"fromRevision": 1}})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert "stored scene" in reply.json()["error"]


def test_a_watermark_says_which_revision_of_which_scene_it_is(
    client: TestClient, document: Document, key: dict[str, str], stored: str
) -> None:
    svg = client.post(f"/v1/scenes/{stored}/render", json={"watermark": True}, headers=key).json()["output"]["content"]
    revisions = client.get(f"/v1/scenes/{stored}/revisions", headers=key).json()["revisions"]
    mark = "".join(re.findall(r">([^<]+)<", svg.partition("data-watermark")[2])).replace(" ", "")
    assert mark == f"{stored}·revision1·{revisions[0]['createdAt']}"
    inline = client.post(INLINE, json={"scene": document, "watermark": True}).json()["output"]["content"]
    assert "data-watermark" in inline
    assert "· revision" not in inline


@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_picture_carries_its_scene_if_asked_to(
    client: TestClient, document: Document, key: dict[str, str], stored: str, form: str
) -> None:
    for path, body in ((INLINE, {"scene": document}), (f"/v1/scenes/{stored}/render", {})):
        asked = body | {"format": form, "embed": True}
        output = client.post(path, json=asked, headers=key).json()["output"]
        content = output["content"].encode() if form == "svg" else base64.b64decode(output["contentBase64"])
        assert read(content).document["elements"] == document["elements"]
        plain = client.post(path, json=body | {"format": form}, headers=key).json()["output"]
        content = plain["content"].encode() if form == "svg" else base64.b64decode(plain["contentBase64"])
        with pytest.raises(SourceError):
            read(content)


def test_embed_is_refused_for_a_format_that_carries_no_scene(client: TestClient, document: Document) -> None:
    reply = client.post(INLINE, json={"scene": document, "format": "pdf", "embed": True})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert "svg and png" in reply.json()["error"]


def test_a_published_picture_never_carries_its_scene(client: TestClient, key: dict[str, str], stored: str) -> None:
    assert client.post(f"/v1/scenes/{stored}/render", json={"embed": True}, headers=key).status_code == 200
    assert client.post(f"/v1/scenes/{stored}/publish", headers=key).is_success
    reply = client.post(f"/v1/public/scenes/{stored}/render", json={"embed": True}).json()
    assert [row["path"] for row in reply["diagnostics"] if row["code"] == "UNKNOWN_FIELD"] == ["/embed"]
    with pytest.raises(SourceError):
        read(reply["output"]["content"].encode())
    for address in (f"/s/{stored}.svg", f"/s/{stored}/embed"):
        assert b"<metadata" not in client.get(address).content


def test_an_unverified_owner_may_do_everything_but_render_a_stored_scene(
    client: TestClient, document: Document, key_of_another: Callable[[str, bool], dict[str, str]]
) -> None:
    newcomer = key_of_another("newcomer", False)
    scene_id = client.post("/v1/scenes", json=document, headers=newcomer).json()["sceneId"]
    refused = client.post(f"/v1/scenes/{scene_id}/render", json={}, headers=newcomer)
    assert (refused.status_code, refused.json()["code"]) == (403, "email_not_verified")
    assert client.post(INLINE, json={"scene": document}, headers=newcomer).status_code == 200


@pytest.mark.parametrize(
    ("parameter", "allowed"),
    [
        ({"format": "gif"}, "svg, png"),
        ({"theme": "neon"}, "clean, dark, blueprint, sketch"),
        ({"scale": 9}, "0.1 to 8"),
        ({"scale": "2"}, "0.1 to 8"),
        ({"scene": []}, "object"),
    ],
)
def test_a_bad_parameter_is_a_400_that_names_what_is_allowed(
    client: TestClient, document: Document, parameter: dict[str, Any], allowed: str
) -> None:
    reply = client.post(INLINE, json={"scene": document} | parameter)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert allowed in reply.json()["error"]


def test_an_invalid_scene_is_rendered_and_normalized_nowhere(client: TestClient, document: Document) -> None:
    document["elements"].append({"id": "web", "kind": "node"})
    for address, body in ((INLINE, {"scene": document}), ("/v1/scenes/normalize", document)):
        reply = client.post(address, json=body)
        assert (reply.status_code, reply.json()["code"]) == (422, "validation_failed")
        assert reply.json()["diagnostics"][0]["code"] == "DUPLICATE_ID"


def test_validation_answers_200_for_any_object(client: TestClient, document: Document) -> None:
    good = client.post("/v1/scenes/validate", json=document)
    assert (good.status_code, good.json()) == (200, {"valid": True, "ok": True, "diagnostics": []})
    bad = client.post("/v1/scenes/validate", json={"elements": 7})
    assert (bad.status_code, bad.json()["valid"], bad.json()["ok"]) == (200, False, False)
    assert {row["code"] for row in bad.json()["diagnostics"]} >= {"MISSING_FIELD", "INVALID_TYPE"}


def test_normalizing_writes_places_in_and_a_second_time_moves_nothing(client: TestClient, document: Document) -> None:
    once = client.post("/v1/scenes/normalize", json=document)
    assert once.status_code == 200
    assert all(row["layout"]["mode"] == "absolute" for row in once.json()["elements"] if row["kind"] == "node")
    assert set(once.json()["computed"]["bounds"]) >= {"web", "orders"}
    twice = client.post("/v1/scenes/normalize", json=once.json())
    assert twice.json()["elements"] == once.json()["elements"]
    assert twice.json()["computed"] == once.json()["computed"]


def test_bytes_come_into_the_output_whatever_else_a_reply_holds() -> None:
    picture = ServedPicture(content=b"\x89PNG", mime_type="image/png", width=1, height=1, diagnostics=(), key="k")
    reply = json.loads(bytes(reply_with(picture, {"scene": {"contentBase64": ""}}).body))
    assert base64.b64decode(reply["output"]["contentBase64"]) == picture.content
    assert reply["scene"] == {"contentBase64": ""}
