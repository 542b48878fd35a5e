"""Compression is chosen by the weights of Accept-Encoding."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from scenograph.http.answers import takes_gzip


@pytest.mark.parametrize(
    ("header", "compressed"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("br, gzip;q=0.5", True),
        ("*", True),
        ("identity;q=0, gzip;q=0.1", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("*, gzip;q=0", False),
        ("gzip;q=0.5, identity", False),
        ("gzip;q=nonsense", False),
    ],
)
def test_a_reply_is_compressed_for_those_who_rather_have_it_so(
    client: TestClient, header: str, compressed: bool
) -> None:
    assert takes_gzip(header) is compressed
    reply = client.get("/openapi.json", headers={"Accept-Encoding": header})
    assert reply.headers.get("content-encoding") == ("gzip" if compressed else None)
    assert "Accept-Encoding" in reply.headers["vary"]
