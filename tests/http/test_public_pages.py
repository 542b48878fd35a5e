"""The public page and its pictures: what they show, what they let in, and that they end at once."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any, NoReturn, cast
from xml.etree import ElementTree as ET

import pytest
from fastapi import FastAPI
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient

from scenograph import late_dataclasses
from scenograph.http.app import create_app
from scenograph.http.endpoints.public_pages import FinishedPages
from scenograph.http.pages.html import asset_address, assets
from scenograph.service.errors import ServiceError
from scenograph.service.rate_limits import Allowance, MemoryCounter, RateLimits
from scenograph.service.rendering import Rendering
from scenograph.wiring import Services

Document = dict[str, Any]
Headers = dict[str, str]


class Page(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.styles: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data: str) -> None:
        if self._open == "style":
            self.styles.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def meta(self, name: str) -> str | None:
        rows = [row for tag, row in self.tags if tag == "meta" and name in (row.get("property"), row.get("name"))]
        return rows[0]["content"] if rows else None

    def scripts(self) -> list[tuple[str | None, str]]:
        rows = [row for tag, row in self.tags if tag == "script"]
        return [(row.get("type"), str(row.get("src")).rpartition("/")[2]) for row in rows]

    def links(self) -> list[str | None]:
        """Where the page leads, but for the mark's link to the studio."""
        return [row["href"] for tag, row in self.tags if tag == "a" and row["href"] != "/"]


@pytest.fixture
def published(client: TestClient, key: Headers, stored: str) -> str:
    assert client.post(f"/v1/scenes/{stored}/publish", headers=key).status_code == 200
    return stored


def test_the_page_shows_the_picture_and_where_to_get_it(client: TestClient, published: str) -> None:
    reply = client.get(f"/s/{published}")
    page = Page(reply.text)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Checkout</h1>" in reply.text
    assert reply.text.count("<svg xmlns=") == 1
    assert "Web shop" in reply.text
    here = f"http://testserver/s/{published}"
    source = f"http://testserver/v1/public/scenes/{published}"
    assert page.links() == [f"{here}.svg", f"{here}.png?scale=2", source]
    assert [client.get(str(link)).status_code for link in page.links()] == [200] * 3


@pytest.mark.parametrize("address", ["/s/{id}", "/s/{id}/embed", "/v1/public/scenes/{id}"])
def test_a_page_is_finished_once_however_often_it_is_asked_for(
    client: TestClient, key: Headers, published: str, address: str
) -> None:
    pages: FinishedPages = cast("FastAPI", client.app).state.finished_pages
    address, before = address.replace("{id}", published), pages.made
    replies = [client.get(address, headers={"Accept-Encoding": coding}) for coding in ("gzip", "identity", "gzip")]
    assert pages.made == before + 1
    assert len({reply.text for reply in replies}) == 1
    assert [reply.headers.get("content-encoding") for reply in replies] == ["gzip", None, "gzip"]
    assert {reply.headers.get("content-security-policy") for reply in replies} == {
        replies[0].headers.get("content-security-policy")
    }
    assert all("Accept-Encoding" in reply.headers["vary"] for reply in replies)
    op = {"op": "setText", "id": "web", "text": "Market"}
    batch = {"schemaVersion": "0.1", "sceneId": published, "baseRevision": 1, "ops": [op]}
    assert client.post(f"/v1/scenes/{published}/applyOps", json=batch, headers=key).status_code == 200
    assert "Market" in client.get(address).text
    assert pages.made == before + 2
    client.post(f"/v1/scenes/{published}/make-private", headers=key)
    assert client.get(address).status_code == 404


def test_a_finished_page_is_kept_apart_for_each_host_theme_and_publication(
    client: TestClient, key: Headers, published: str
) -> None:
    asked = [(host, query) for host in ("testserver", "localhost:3000") for query in ("", "?theme=dark")]

    def shown() -> list[str]:
        return [client.get(f"/s/{published}{query}", headers={"Host": host}).text for host, query in asked]

    pages = shown()
    assert len(set(pages)) == len(asked)
    assert shown() == pages
    for (host, query), page in zip(asked, pages, strict=True):
        assert {str(link).split("/")[2] for link in Page(page).links()} == {host}
        assert ("theme=dark" in page) == bool(query)
    assert client.post(f"/v1/scenes/{published}/make-private", headers=key).status_code == 200
    assert client.delete(f"/v1/scenes/{published}", headers=key).status_code == 200
    assert client.post(f"/v1/scenes/{published}/undelete", headers=key).status_code == 200
    assert {client.get(f"/s/{published}").status_code for _ in range(2)} == {404}
    op = {"op": "setText", "id": "web", "text": "Market"}
    batch = {"schemaVersion": "0.1", "sceneId": published, "baseRevision": 1, "ops": [op]}
    assert client.post(f"/v1/scenes/{published}/applyOps", json=batch, headers=key).status_code == 200
    assert client.post(f"/v1/scenes/{published}/publish", headers=key).status_code == 200
    assert all("Market" in page and "Web shop" not in page for page in shown())


def test_finished_pages_take_so_much_room_and_those_asked_for_last_stay() -> None:
    pages = FinishedPages(30_000)
    made = [pages.put(number, HTMLResponse(f"{number}" * 10_000)) for number in range(3)]
    assert pages.get(0) is None
    assert [pages.get(number) for number in (1, 2)] == made[1:]
    assert FinishedPages(0).put(0, HTMLResponse("page")).plain == b"page"


def test_pages_and_their_pictures_count_for_their_network(
    services: Services, client: TestClient, published: str
) -> None:
    limits = RateLimits(None, None, MemoryCounter(), by_page=Allowance(name="page", per_minute=5, burst=5))
    tight = TestClient(create_app(late_dataclasses.replace(services, rate_limits=limits)))
    parts = ("", "/embed", ".svg", ".png", "/preview.png")
    assert [tight.get(f"/s/{published}{part}").status_code for part in parts] == [200] * 5
    refused = tight.get(f"/s/{published}", headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert '"page";r=0' in refused.headers["ratelimit"]
    assert tight.get("/health").status_code == 200


def test_a_shared_link_shows_title_and_picture(client: TestClient, published: str) -> None:
    page = Page(client.get(f"/s/{published}").text)
    assert page.meta("og:title") == page.meta("og:image:alt") == "Checkout"
    assert str(page.meta("og:description")).startswith("Diagram with 2 nodes")
    assert page.meta("og:url") == f"http://testserver/s/{published}"
    picture = client.get(str(page.meta("og:image")))
    width, height = (int.from_bytes(picture.content[at : at + 4], "big") for at in (16, 20))
    assert (page.meta("og:image:width"), page.meta("og:image:height")) == (str(width), str(height))


def test_the_site_of_the_operator_is_what_links_name(services: Services, published: str) -> None:
    client = TestClient(create_app(late_dataclasses.replace(services, public_site="https://diagrams.example")))
    page = Page(client.get(f"/s/{published}", headers={"Host": "evil.example"}).text)
    assert page.meta("og:url") == f"https://diagrams.example/s/{published}"
    assert all(str(link).startswith("https://diagrams.example/") for link in page.links())


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
def test_the_policy_admits_the_styles_of_the_page_and_nothing_else(
    client: TestClient, published: str, theme: str
) -> None:
    reply = client.get(f"/s/{published}", params={"theme": theme})
    page, policy = Page(reply.text), reply.headers["content-security-policy"]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in page.styles]
    assert len(digests) == 1
    assert f"style-src 'self' 'sha256-{digests[0]}';" in policy
    assert "script-src 'self';" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert page.scripts() == [("module", "published.js")]
    assert not [row for _, row in page.tags if "style" in row or any(name.startswith("on") for name in row)]


def test_words_of_a_scene_stay_words(client: TestClient, key: Headers, document: Document) -> None:
    evil = '"><script>alert(1)</script></title></svg><img src=x onerror=alert(1)>{{ 7777 * 7777 }}</style>'
    document["scene"]["title"] = document["elements"][0]["label"] = evil
    client.post("/v1/scenes", json=document, headers=key)
    scene_id = document["scene"]["id"]
    client.post(f"/v1/scenes/{scene_id}/publish", headers=key)
    text = client.get(f"/s/{scene_id}").text
    page = Page(text)
    assert "img" not in {tag for tag, _ in page.tags}
    assert page.scripts() == [("module", "published.js")]
    assert page.meta("og:title") == evil
    assert len(page.styles) == 1
    assert "60481729" not in re.sub(r"<svg.*</svg>", "", text, flags=re.DOTALL)


def test_the_pictures_are_bare_and_asked_for_anew_each_time(client: TestClient, published: str) -> None:
    svg = client.get(f"/s/{published}.svg", params={"theme": "dark"})
    png, large = (client.get(f"/s/{published}.png", params={"scale": scale}) for scale in ("1", "2"))
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert ET.fromstring(svg.text).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own text
    assert png.headers["content-type"] == "image/png"
    assert len(large.content) > len(png.content)
    kept = [reply.headers["cache-control"] for reply in (svg, png, client.get(f"/s/{published}"))]
    assert kept == ["no-cache", "no-cache", "no-store"]


def test_a_theme_goes_with_the_links(client: TestClient, published: str) -> None:
    page = Page(client.get(f"/s/{published}", params={"theme": "blueprint"}).text)
    assert [str(link).partition("?")[2] for link in page.links()] == ["theme=blueprint", "theme=blueprint&scale=2", ""]


def test_a_theme_that_there_is_not_is_refused(client: TestClient, published: str) -> None:
    for suffix in ("", ".svg", ".png"):
        assert client.get(f"/s/{published}{suffix}", params={"theme": "loud"}).status_code == 400


@pytest.mark.parametrize("ending", ["make-private", "delete"])
def test_what_is_hidden_is_gone_at_once(client: TestClient, key: Headers, published: str, ending: str) -> None:
    if ending == "delete":
        client.delete(f"/v1/scenes/{published}", headers=key)
    else:
        client.post(f"/v1/scenes/{published}/make-private", headers=key)
    for suffix in ("", ".svg", ".png"):
        reply = client.get(f"/s/{published}{suffix}")
        assert (reply.status_code, reply.headers["cache-control"]) == (404, "no-store")
        assert "Nothing is published here" in reply.text
        assert published not in reply.text


def test_a_private_scene_and_none_look_alike(client: TestClient, stored: str) -> None:
    private, none, impossible = (client.get(f"/s/{name}") for name in (stored, "no-such-scene", "%00"))
    assert private.status_code == none.status_code == impossible.status_code == 404
    assert private.content == none.content == impossible.content
    assert private.headers["content-security-policy"] == none.headers["content-security-policy"]


def test_an_id_that_ends_like_a_picture_has_its_page(client: TestClient, key: Headers, document: Document) -> None:
    document["scene"]["id"] = scene_id = "map.v2.svg"
    client.post("/v1/scenes", json=document, headers=key)
    client.post(f"/v1/scenes/{scene_id}/publish", headers=key)
    assert client.get(f"/s/{scene_id}").headers["content-type"].startswith("text/html")
    assert client.get(f"/s/{scene_id}.svg").headers["content-type"].startswith("image/svg+xml")
    assert client.get(f"/s/{scene_id}.png").headers["content-type"] == "image/png"


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_nobody_takes_over_the_address_of_anothers_page_or_picture(
    client: TestClient,
    key: Headers,
    key_of_another: Callable[[str, bool], Headers],
    document: Document,
    suffix: str,
) -> None:
    other = key_of_another(f"rival{suffix[1:]}", True)
    bare = document["scene"]["id"] = f"plan-{suffix[1:]}"
    client.post("/v1/scenes", json=document, headers=other)
    document["scene"]["id"] = longer = bare + suffix
    client.post("/v1/scenes", json=document, headers=key)
    assert client.post(f"/v1/scenes/{longer}/publish", headers=key).status_code == 200
    refused = client.post(f"/v1/scenes/{bare}/publish", headers=other)
    assert (refused.status_code, refused.json()["code"]) == (409, "public_id_taken")
    assert client.get(f"/s/{longer}").headers["content-type"].startswith("text/html")
    client.post(f"/v1/scenes/{longer}/make-private", headers=key)
    refused = client.post(f"/v1/scenes/{bare}/publish", headers=other)
    assert (refused.status_code, refused.json()["code"]) == (409, "public_id_taken"), "it stays its first publisher's"
    assert client.get(f"/s/{longer}").status_code == 404
    assert client.post(f"/v1/scenes/{longer}/publish", headers=key).status_code == 200


def test_of_ones_own_scenes_the_exact_id_wins(client: TestClient, key: Headers, document: Document) -> None:
    for scene_id in ("city", "city.svg"):
        document["scene"]["id"] = scene_id
        client.post("/v1/scenes", json=document, headers=key)
        client.post(f"/v1/scenes/{scene_id}/publish", headers=key)
    assert client.get("/s/city.svg").headers["content-type"].startswith("text/html")
    assert client.get("/s/city.png").headers["content-type"] == "image/png"


def test_a_scene_without_a_title_is_called_by_its_id(client: TestClient, key: Headers, document: Document) -> None:
    del document["scene"]["title"]
    client.post("/v1/scenes", json=document, headers=key)
    client.post(f"/v1/scenes/{document['scene']['id']}/publish", headers=key)
    assert f"<h1>{document['scene']['id']}</h1>" in client.get(f"/s/{document['scene']['id']}").text


def test_a_shortage_is_told_as_such(services: Services, published: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_arguments: object, **_named: object) -> NoReturn:
        raise ServiceError("overloaded", "Busy.", retry_after=2)

    monkeypatch.setattr(Rendering, "published", busy)
    reply = TestClient(create_app(services)).get(f"/s/{published}")
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "2")


def test_a_preview_is_a_page_of_its_own_size_with_the_whole_picture(client: TestClient, published: str) -> None:
    picture = client.get(f"/s/{published}/preview.png")
    assert picture.headers["content-type"] == "image/png"
    assert [int.from_bytes(picture.content[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    assert client.get("/s/none/preview.png").status_code == 404


def test_the_reader_chooses_the_theme_where_the_owner_did_not(
    client: TestClient, key: Headers, document: Document
) -> None:
    dark = {"Sec-CH-Prefers-Color-Scheme": '"dark"'}
    for scene_id, canvas, drawn in (("plain", {}, "dark"), ("coloured", {"background": "#fffbe6"}, "")):
        document["scene"] |= {"id": f"scheme-{scene_id}", "canvas": canvas}
        client.post("/v1/scenes", json=document, headers=key)
        client.post(f"/v1/scenes/scheme-{scene_id}/publish", headers=key)
        reply = client.get(f"/s/scheme-{scene_id}", headers=dark)
        assert f'data-drawn="{drawn}"' in reply.text
        assert "Sec-CH-Prefers-Color-Scheme" in reply.headers["vary"]
        assert 'data-drawn=""' in client.get(f"/s/scheme-{scene_id}").text


def test_an_embed_may_be_framed_and_is_kept_apart_and_the_page_is_neither(client: TestClient, published: str) -> None:
    embed, page = (client.get(f"/s/{published}{suffix}") for suffix in ("/embed", ""))
    assert "; sandbox allow-scripts" in embed.headers["content-security-policy"]
    assert "frame-ancestors" not in embed.headers["content-security-policy"]  # "*" leaves out the pages of files
    assert "allow-same-origin" not in embed.headers["content-security-policy"]
    assert "Web shop" in embed.text
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert "sandbox" not in page.headers["content-security-policy"]
    assert client.get("/s/none/embed").status_code == 404


def test_other_pages_ask_how_to_embed(client: TestClient, published: str) -> None:
    page = Page(client.get(f"/s/{published}").text)
    address = next(row["href"] for tag, row in page.tags if row.get("type") == "application/json+oembed")
    reply = client.get(f"{address}&maxwidth=400")
    assert reply.status_code == 200
    told = reply.json()
    assert (told["version"], told["type"], told["width"], told["height"]) == ("1.0", "rich", 400, 500)
    assert f'<iframe src="http://testserver/s/{published}/embed"' in told["html"]
    assert client.get(told["thumbnail_url"]).status_code == 200


@pytest.mark.parametrize(
    ("url", "status"),
    [("https://elsewhere.example/s/checkout", 404), ("http://testserver/s/none", 404), ("http://[", 400)],
)
def test_what_cannot_be_embedded_is_refused(client: TestClient, url: str, status: int) -> None:
    assert client.get("/oembed", params={"url": url}).status_code == status
    for asked, refusal in (("xml", 501), ("yaml", 400), ("", 400)):
        assert client.get("/oembed", params={"url": url, "format": asked}).status_code == refusal


def test_programs_are_told_where_everything_is_and_people_see_the_studio(client: TestClient) -> None:
    program = client.get("/", headers={"Accept": "application/json"}).json()
    assert client.get(program["openapi"]).status_code == 200
    people = client.get("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert people.headers["content-type"].startswith("text/html")
    assert "unsafe" not in people.headers["content-security-policy"]
    assert "Accept" in people.headers["vary"].split(", ")


def test_assets_are_kept_for_good_under_their_version(client: TestClient) -> None:
    versioned = asset_address("studio.js")
    assert "immutable" in client.get(versioned).headers["cache-control"]
    assert client.get("/assets/older/studio.js").headers["cache-control"] == "no-store"
    assert client.get("/assets/any/none.js").status_code == 404
    assert client.get("/assets/any/../page.css").status_code == 404


@pytest.mark.parametrize(("path", "entry"), [("/", "studio.js"), ("/s/{}", "published.js")])
def test_a_page_stays_small_with_all_that_it_loads(client: TestClient, published: str, path: str, entry: str) -> None:
    """Without the picture, and examples that somebody asks for."""
    text = client.get(path.format(published), headers={"Accept": "text/html"}).text
    shell = re.sub(r"<svg.*?</svg>|<style.*?</style>", "", text, flags=re.DOTALL)
    linked = {name for name in re.findall(r'/assets/\w+/([^"]+)"', text) if name in assets()}
    assert entry in linked
    waiting = list(linked)
    loaded: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in loaded:
            loaded.add(name)
            waiting += re.findall(r'^import .* from "\./(.+)";$', assets()[name].content.decode(), re.MULTILINE)
    assert len(shell) + sum(len(assets()[name].content) for name in loaded) <= 210_000


def test_modules_are_served_without_comments_and_have_no_text_that_this_would_change() -> None:
    folder = files("scenograph.http") / "pages" / "assets"
    for name, asset in assets().items():
        if name.endswith(".js"):
            source = (folder / name).read_text("utf-8")
            assert not [line for line in source.splitlines() if line.count("`") % 2], name
            lines = asset.content.decode().splitlines()
            assert not [line for line in lines if not line or line.startswith((" ", "//"))], name
            assert len(lines) > len(source.splitlines()) / 2, name


def test_no_asset_names_another_origin(client: TestClient) -> None:
    allowed = ("http://www.w3.org/",)
    for name, asset in assets().items():
        if not name.endswith(".png"):
            found = re.findall(r"https?://[a-z][^\s\"'`<]*", asset.content.decode())
            assert [address for address in found if not address.startswith(allowed)] == [], name


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html"),
        ("*/*", "text/html"),
        ("image/png", "text/html"),
        ("application/json", "application/json"),
        ("text/html;q=0.3, application/json;q=0.9", "application/json"),
    ],
)
@pytest.mark.parametrize(
    ("path", "status"), [("none", 404), ("none.svg", 404), ("none.png", 404), ("none.png?scale=900", 400)]
)
def test_a_published_address_refuses_with_a_page_or_with_json(
    client: TestClient, path: str, status: int, accept: str, media_type: str
) -> None:
    reply = client.get(f"/s/{path}", headers={"Accept": accept})
    assert reply.status_code == status
    assert reply.headers["content-type"].partition(";")[0] == media_type
    assert "Accept" in reply.headers["vary"]
    if media_type == "application/json":
        assert reply.json()["code"] == ("scene_not_found" if status == 404 else "invalid_request")
    else:
        assert "<main" in reply.text
