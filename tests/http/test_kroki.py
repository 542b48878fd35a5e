"""Pictures for documentation tools, at the addresses of Kroki."""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from starlette.testclient import TestClient

FLOW = "flowchart LR\n  web[Web shop] --> orders[(Orders)]\n"
BPMN = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p">
<startEvent id="s"/><task id="t" name="Ship it"/>
<sequenceFlow id="f" sourceRef="s" targetRef="t"/></process></definitions>"""
DRAWIO = "<mxGraphModel><root><mxCell id='0'/><mxCell id='a' value='Box' vertex='1' parent='0'/></root></mxGraphModel>"
SCENE = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "x", "units": "px", "canvas": {}},
    "elements": [{"id": "a", "kind": "node", "label": "Alpha"}],
}
YAML = "schemaVersion: '0.1'\nscene: {id: x, units: px, canvas: {}}\nelements: [{id: a, kind: node, label: Alpha}]\n"


def packed(text: str) -> str:
    """A source as clients put it into an address."""
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()


@pytest.mark.parametrize(
    ("kind", "source", "word"),
    [
        ("mermaid", FLOW, "Web shop"),
        ("bpmn", BPMN, "Ship it"),
        ("diagramsnet", DRAWIO, "Box"),
        ("scenograph", json.dumps(SCENE), "Alpha"),
        ("scenograph", YAML, "Alpha"),
    ],
)
def test_every_readable_source_has_the_name_that_kroki_gives_it(
    client: TestClient, kind: str, source: str, word: str
) -> None:
    asked: list[Any] = [
        client.get(f"/kroki/{kind}/svg/{packed(source)}"),
        client.get(f"/kroki/{kind}/svg/{packed(source).rstrip('=')}"),
        client.post(f"/kroki/{kind}/svg", content=source, headers={"Content-Type": "text/plain"}),
        client.post(f"/kroki/{kind}", content=source, headers={"Accept": "image/svg+xml"}),
        client.post(f"/kroki/{kind}", json={"diagram_source": source, "output_format": "svg"}),
        client.post("/kroki", json={"diagram_source": source, "diagram_type": kind, "output_format": "SVG"}),
    ]
    for reply in asked:
        assert (reply.status_code, reply.headers["content-type"]) == (200, "image/svg+xml")
        assert word in reply.text
    assert len({reply.text for reply in asked}) == 1


@pytest.mark.parametrize(("output", "begin"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("txt", b"")])
def test_every_format_comes_bare(client: TestClient, output: str, begin: bytes) -> None:
    reply = client.get(f"/kroki/mermaid/{output}/{packed(FLOW)}")
    assert reply.status_code == 200
    assert reply.content.startswith(begin)
    if output == "txt":
        assert "Web shop" in reply.text


def test_a_picture_in_an_address_is_kept_by_its_tag(client: TestClient) -> None:
    address = f"/kroki/mermaid/svg/{packed(FLOW)}"
    first = client.get(address)
    assert first.headers["cache-control"] == "public, max-age=86400"
    again = client.get(address, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(f"{address}?theme=dark", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


def test_caches_keep_a_picture_for_each_header_with_an_option(client: TestClient) -> None:
    address = f"/kroki/mermaid/svg/{packed(FLOW)}"
    first = client.get(address)
    for reply in (first, client.get(address, headers={"If-None-Match": first.headers["etag"]})):
        named = {name.strip().lower() for name in reply.headers["vary"].split(",")}
        assert {f"kroki-diagram-options-{option}" for option in ("theme", "aspect-ratio", "page", "scale")} <= named
        assert "accept-encoding" in named


def test_options_come_in_the_address_in_headers_and_in_json(client: TestClient) -> None:
    dark = client.get(f"/kroki/mermaid/svg/{packed(FLOW)}?theme=dark&html-labels=true").text
    assert dark != client.get(f"/kroki/mermaid/svg/{packed(FLOW)}").text
    named = {"Kroki-Diagram-Options-Theme": "dark"}
    assert client.post("/kroki/mermaid/svg", content=FLOW, headers=named).text == dark
    body = {"diagram_source": FLOW, "diagram_type": "mermaid", "output_format": "svg"}
    assert client.post("/kroki", json={**body, "diagram_options": {"theme": "dark", "x": 1}}).text == dark
    assert client.get(f"/kroki/mermaid/svg/{packed(FLOW)}?theme=forest").text != dark
    one, two = (client.get(f"/kroki/mermaid/png/{packed(FLOW)}?scale={n}").content for n in (1, 2))
    assert int.from_bytes(two[16:20], "big") == 2 * int.from_bytes(one[16:20], "big")


@pytest.mark.parametrize(
    ("path", "status", "word"),
    [
        (f"/kroki/mermade/svg/{packed(FLOW)}", 404, "Did you mean mermaid?"),
        (f"/kroki/mermaid/gif/{packed(FLOW)}", 400, "svg, png, pdf, txt"),
        ("/kroki/mermaid/svg/AAAA", 400, "zlib"),
        ("/kroki/mermaid/svg/%F0%9F%98%80", 400, "base64url"),
        (f"/kroki/mermaid/svg/{packed(FLOW * 9)[:20]}", 400, "cut off"),
        (f"/kroki/mermaid/svg/{packed('once upon a time')}", 400, "line 1"),
        (f"/kroki/mermaid/svg/{packed(' ')}", 400, "empty"),
        (f"/kroki/mermaid/svg/{packed(FLOW)}?theme=drk", 400, "theme"),
        (f"/kroki/mermaid/svg/{packed(FLOW)}?scale=nan", 400, "scale"),
        (f"/kroki/mermaid/svg/{packed(FLOW)}?aspect-ratio=99", 400, "aspectRatio"),
        (f"/kroki/mermaid/svg/{packed(FLOW)}?page=a5", 400, "a4-landscape"),
        (f"/kroki/mermaid/svg/{packed('x' * 2_000_000)}", 413, "larger"),
        (f"/kroki/scenograph/svg/{packed('{}')}", 400, "'schemaVersion' is required"),
        (f"/kroki/scenograph/svg/{packed('a: &a [*a]')}", 400, "anchor"),
        ("/kroki/mermaid", 405, ""),
        ("/kroki/nothing/is/here/at/all", 404, ""),
    ],
)
def test_a_refusal_is_plain_text(client: TestClient, path: str, status: int, word: str) -> None:
    reply = client.get(path)
    assert (reply.status_code, reply.headers["content-type"]) == (status, "text/plain; charset=utf-8")
    assert word in reply.text


def test_a_packed_body_is_refused_as_such(client: TestClient) -> None:
    told = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    reply = client.post("/kroki/mermaid/svg", content=gzip.compress(FLOW.encode()), headers=told)
    assert (reply.status_code, "Content-Encoding" in reply.text) == (415, True)


@pytest.mark.parametrize(
    "body",
    [[], {}, {"diagram_source": FLOW}, {"diagram_source": 1, "diagram_type": "mermaid"}, {"diagram_type": "mermaid"}],
)
def test_a_body_that_asks_for_nothing_is_400(client: TestClient, body: object) -> None:
    reply = client.post("/kroki", json=body)
    assert (reply.status_code, reply.headers["content-type"]) == (400, "text/plain; charset=utf-8")


def test_what_is_partly_readable_is_drawn(client: TestClient) -> None:
    reply = client.post("/kroki/mermaid/svg", content=f"{FLOW} ]]\n")
    assert (reply.status_code, "Web shop" in reply.text) == (200, True)


def test_pages_of_other_origins_may_ask(client: TestClient) -> None:
    reply = client.get(f"/kroki/mermaid/svg/{packed(FLOW)}", headers={"Origin": "https://docs.example.com"})
    assert reply.headers["access-control-allow-origin"] == "*"


def test_pages_of_other_origins_may_send_any_option(client: TestClient) -> None:
    asked = {"Origin": "https://docs.example.com", "Access-Control-Request-Headers": "kroki-diagram-options-theme"}
    reply = client.options("/kroki/mermaid/svg", headers=asked)
    allowed = reply.headers["access-control-allow-headers"].split(", ")
    assert {"Authorization", "*"} <= set(allowed), "a star stands for any header but Authorization"
    assert "*" not in client.options("/v1/scenes/validate", headers=asked).headers["access-control-allow-headers"]


@pytest.mark.parametrize("path", ["/kroki", "/kroki/", "/kroki/mermaid", "/kroki/mermaid/", "/kroki/mermaid/svg/"])
def test_an_address_may_end_in_a_slash(client: TestClient, path: str) -> None:
    body = {"diagram_source": FLOW, "diagram_type": "mermaid", "output_format": "svg"}
    assert "Web shop" in client.post(path, json=body).text


def test_a_source_too_long_for_an_address_is_told_where_to_go(client: TestClient) -> None:
    reply = client.get(f"/kroki/mermaid/svg/{'x' * 17_000}?theme=dark")
    assert (reply.status_code, reply.headers["content-type"]) == (413, "text/plain; charset=utf-8")
    assert "POST the source as plain text to /kroki/mermaid/svg instead." in reply.text


# As the tools send them: mkdocs-kroki-plugin 1.8, asciidoctor-kroki 0.18 and GitLab.
RECORDED = {
    "mkdocs, the default": (
        "GET",
        "/kroki/mermaid/svg/{source}?theme=dark",
        {"User-Agent": "Mozilla/5.0", "Accept": "image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8"},
        None,
    ),
    "mkdocs, without options": (
        "GET",
        "/kroki/mermaid/svg/{source}?",
        {"User-Agent": "Mozilla/5.0", "Accept": "image/*,*/*;q=0.8"},
        None,
    ),
    "mkdocs, http_method POST": (
        "POST",
        "/kroki/mermaid/svg",
        {"User-Agent": "kroki.config/1.8.0", "Accept": "*/*", "Content-Type": "application/json"},
        '{{"diagram_source":{quoted},"diagram_options":{{"theme":"dark"}}}}',
    ),
    "asciidoctor, get": (
        "GET",
        "/kroki/mermaid/svg/{source}",
        {"User-Agent": "node-XMLHttpRequest", "Accept": "*/*"},
        None,
    ),
    "asciidoctor, post": (
        "POST",
        "/kroki/mermaid/svg",
        {"User-Agent": "node-XMLHttpRequest", "Accept": "*/*", "Content-Type": "text/plain;charset=UTF-8"},
        "{text}",
    ),
    "GitLab": (
        "GET",
        "/kroki/mermaid/svg/{source}",
        {"User-Agent": "Mozilla/5.0", "Accept": "image/*", "Referer": "https://gitlab.example.com/", "Origin": "null"},
        None,
    ),
}


@pytest.mark.parametrize("tool", RECORDED)
def test_the_requests_of_documentation_tools_are_answered(client: TestClient, tool: str) -> None:
    method, address, headers, body = RECORDED[tool]
    source = FLOW.replace("Web shop", "Web shop \N{RIGHTWARDS ARROW}")
    words = {"source": packed(source), "text": source, "quoted": json.dumps(source, ensure_ascii=False)}
    content = None if body is None else body.format(**words).encode()
    reply = client.request(method, address.format(**words), headers=headers, content=content)
    assert (reply.status_code, reply.headers["content-type"]) == (200, "image/svg+xml")
    assert "Web shop \N{RIGHTWARDS ARROW}" in reply.text
    plain = client.post("/kroki/mermaid/svg", content=source, headers={"Content-Type": "text/plain"})
    assert (reply.text != plain.text) is ("dark" in address + (body or ""))
