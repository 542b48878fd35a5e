"""Raster images: headers, sizes, and what is refused."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Callable

import pytest

from scenograph.scene.description.operations import scene_schema
from scenograph.scene.image_data import ASSET, check_image, pixel_size, split_href
from scenograph.scene.limits import LIMITS, Limits

GIF = b"GIF89a" + struct.pack("<HH", 300, 200)
EXIF = b"\xff\xe1\x00\x08exif\0\0"
JPEG = b"\xff\xd8" + EXIF + b"\xff\xff\xc2\x00\x11\x08" + struct.pack(">HH", 200, 300) + b"\0" * 8
WEBP_HEAD = b"RIFF\0\0\0\0WEBP"
WEBP_LOSSY = WEBP_HEAD + b"VP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 300, 200)
WEBP_LOSSLESS = WEBP_HEAD + b"VP8L\0\0\0\0\x2f" + struct.pack("<I", 299 | 199 << 14) + b"\0" * 8
WEBP_EXTENDED = WEBP_HEAD + b"VP8X\0\0\0\0\0\0\0\0" + (299).to_bytes(3, "little") + (199).to_bytes(3, "little")
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 300, 200)
KINDS = [
    ("image/png", PNG),
    ("image/gif", GIF),
    ("image/jpeg", JPEG),
    ("image/webp", WEBP_LOSSY),
    ("image/webp", WEBP_LOSSLESS),
    ("image/webp", WEBP_EXTENDED),
]


@pytest.mark.parametrize(("kind", "data"), KINDS)
def test_the_header_tells_the_size(kind: str, data: bytes) -> None:
    assert pixel_size(kind, data) == (300, 200)


@pytest.mark.parametrize(("kind", "data"), KINDS)
def test_a_cut_header_is_no_image(kind: str, data: bytes) -> None:
    for length in range(len(data)):
        assert pixel_size(kind, data[:length]) in {None, (300, 200)}
    assert pixel_size(kind, data[:8]) is None


def test_a_picture_of_another_kind_than_it_says_is_refused() -> None:
    (problem,) = check_image("image/gif", b64encode(PNG).decode(), LIMITS)
    assert problem.code.name == "IMAGE_NOT_ALLOWED"
    assert pixel_size("image/svg+xml", b"<svg/>") is None
    assert pixel_size("image/png", PNG[:16] + b"\0" * 8) is None


def test_a_jpeg_of_endless_segments_ends() -> None:
    assert pixel_size("image/jpeg", b"\xff\xd8" + b"\xff\xe0\x00\x02" * 100_000) is None
    assert pixel_size("image/jpeg", b"\xff\xd8" + b"\xff" * 100_000) is None


@pytest.mark.parametrize(
    "href",
    [
        *("https://x/y.png", "file:///x.png", "x.png", "#a", "DATA:image/png;base64,AAAA\n", "data:image/png,abc"),
        *("data:image/svg+xml;base64,AAAA", "data:image/png;base64,AA=A", "data:image/png;charset=x;base64,AAAA"),
    ],
)
def test_only_base64_data_uris_of_rasters_are_split(href: str) -> None:
    assert split_href(href) is None


def test_a_good_asset_has_no_problem_and_a_large_one_is_measured_before_it_is_decoded(png: Callable[..., str]) -> None:
    good = {"mimeType": "image/png", "data": png()}
    assert list(ASSET.check(good, LIMITS)) == []
    large = check_image("image/png", "!" * 4000, Limits(image_bytes=2000))
    assert [(problem.code.name, problem.holes["count"]) for problem in large] == [("LIMIT_EXCEEDED", 3000)]


def test_half_a_megabyte_is_checked_quickly_and_by_the_schema_pattern_too(png: Callable[..., str]) -> None:
    data = png(size=512 * 1024)
    assert list(check_image("image/png", data, LIMITS)) == []
    assert split_href(f"data:image/png;base64,{data}") == ("image/png", data)
    assert len(data) <= scene_schema()["$defs"]["Asset"]["properties"]["data"]["maxLength"]
