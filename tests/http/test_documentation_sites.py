"""Small sites that unmodified documentation tools build, with a running service as their Kroki (R-KROKI-1)."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from local_servers.service import Service, running_services

FLOW = "flowchart LR\n  web[Web shop] --> orders[(Orders)]"
BPMN = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p">
<startEvent id="s"/><task id="t" name="Ship it"/>
<sequenceFlow id="f" sourceRef="s" targetRef="t"/></process></definitions>"""
SETTINGS = {"PUBLIC_RATE_LIMIT_RPM": "0", "PUBLIC_ENGINE_SECONDS": "0", "RENDER_QUEUE_SECONDS": "60"}
SECONDS = 120
NODE = "require('asciidoctor-kroki'); require('@asciidoctor/core')()"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("kroki")
    settings = SETTINGS | {"DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}"}
    with running_services(1, folder, **settings) as services:
        yield services[0]


def fenced(word: str, source: str) -> str:
    return f"```{word}\n{source}\n```\n"


def mkdocs_site(folder: Path, service: Service, method: str) -> str:
    """The page of a site with two diagrams, built by MkDocs with mkdocs-kroki-plugin."""
    (folder / "docs").mkdir()
    page = f"# Shop\n\n{fenced('mermaid theme=dark', FLOW)}\n{fenced('bpmn', BPMN)}"
    (folder / "docs" / "index.md").write_text(page)
    plugin = f"{{server_url: '{service.url}/kroki', http_method: {method}, fence_prefix: ''}}"
    (folder / "mkdocs.yml").write_text(f"site_name: Shop\nplugins:\n  - kroki: {plugin}\n")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "site" / "index.html").read_text()


def addresses_in(page: str, service: Service) -> list[str]:
    found = [html.unescape(one) for one in re.findall(r'(?:src|data)="([^"]+)"', page)]
    return [one for one in found if one.startswith(f"{service.url}/kroki/")]


def test_the_pictures_of_a_site_of_mkdocs_are_files_of_the_site(tmp_path: Path, service: Service) -> None:
    page = mkdocs_site(tmp_path, service, "POST")
    assert addresses_in(page, service) == []
    pictures = [path.read_text() for path in sorted((tmp_path / "site").rglob("*.svg"))]
    assert len(pictures) == 2
    assert all(picture.startswith("<svg") for picture in pictures)
    assert [sum(word in picture for picture in pictures) for word in ("Web shop", "Ship it", "#1a1a22")] == [1, 1, 1]


def test_the_addresses_in_a_site_of_mkdocs_answer_with_the_pictures(tmp_path: Path, service: Service) -> None:
    found = addresses_in(mkdocs_site(tmp_path, service, "GET"), service)
    replies = [httpx2.get(one, timeout=30) for one in found]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert ["Web shop" in replies[0].text, "Ship it" in replies[1].text] == [True, True]
    assert "#1a1a22" in replies[0].text


@pytest.mark.parametrize("is_fetched", [True, False])
def test_asciidoctor_draws_the_diagrams_of_a_document(tmp_path: Path, service: Service, *, is_fetched: bool) -> None:
    if (
        shutil.which("node") is None
        or subprocess.run(["node", "-e", NODE], capture_output=True, check=False).returncode
    ):
        pytest.skip("needs node, and @asciidoctor/core and asciidoctor-kroki of npm on NODE_PATH")
    fetched = ":kroki-fetch-diagram: true\n" if is_fetched else ""
    body = f"[mermaid,shop,svg,theme=dark]\n....\n{FLOW}\n....\n\n[bpmn,ship,svg]\n....\n{BPMN}\n....\n"
    (tmp_path / "page.adoc").write_text(f"= Shop\n:kroki-server-url: {service.url}/kroki\n{fetched}\n{body}")
    script = (
        "const asciidoctor = require('@asciidoctor/core')();"
        "require('asciidoctor-kroki').register(asciidoctor.Extensions);"
        "asciidoctor.convertFile('page.adoc', {safe: 'unsafe', standalone: true, mkdirs: true});"
    )
    command = ["node", "-e", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    found = addresses_in(page, service)
    pictures = [path.read_text() for path in tmp_path.rglob("*.svg")] or [
        httpx2.get(one, timeout=30).text for one in found
    ]
    assert len(found) == (0 if is_fetched else 2)
    assert [sum(word in picture for picture in pictures) for word in ("Web shop", "Ship it", "#1a1a22")] == [1, 1, 1]


@pytest.mark.parametrize("level", [1, 6, 9])
def test_the_address_that_gitlab_puts_into_a_page_answers_with_a_picture_that_may_be_kept(
    service: Service, level: int
) -> None:
    """GitLab packs the source with Zlib::Deflate and Base64.urlsafe_encode64, and links to a picture in SVG."""
    packed = urlsafe_b64encode(zlib.compress(BPMN.encode(), level)).decode()
    reply = httpx2.get(f"{service.url}/kroki/bpmn/svg/{packed}", headers={"Accept": "image/*,*/*;q=0.8"}, timeout=30)
    assert (reply.status_code, reply.headers["content-type"]) == (200, "image/svg+xml")
    assert "max-age" in reply.headers["cache-control"]
    again = httpx2.get(str(reply.url), headers={"If-None-Match": reply.headers["etag"]}, timeout=30)
    assert again.status_code == 304


def test_a_diagram_that_cannot_be_read_fails_the_build_with_its_page(tmp_path: Path, service: Service) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(fenced("mermaid", "flowchrt LR\n  a --> b"))
    plugin = f"{{server_url: '{service.url}/kroki', http_method: POST, fence_prefix: '', fail_fast: true}}"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: Shop\nplugins:\n  - kroki: {plugin}\n")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode != 0
    assert "Error reading page 'index.md'" in done.stderr
