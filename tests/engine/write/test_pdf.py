"""PDF: vectors, embedded fonts, text that is found, links that lead somewhere."""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b64encode
from typing import Any

import pytest

from scenograph.engine.pipeline import render

THEMES = ("clean", "dark", "blueprint", "sketch")


def document(*elements: dict[str, Any]) -> dict[str, Any]:
    scene = {"id": "s", "title": "Größe (1) \\", "units": "px", "canvas": {"width": 300, "height": 200}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": list(elements)}


def shop(key: str = "n", **members: Any) -> dict[str, Any]:
    return {"id": key, "kind": "node", "label": "Shop"} | members


def written(*elements: dict[str, Any], theme: str = "clean") -> bytes:
    content = render(document(*elements), "pdf", theme=theme).content
    assert isinstance(content, bytes)
    return content


def streams(pdf: bytes) -> list[bytes]:
    found = re.findall(rb"<<([^\n]*?)>>stream\n(.*?)\nendstream", pdf, re.DOTALL)
    return [zlib.decompress(data) if b"FlateDecode" in head else data for head, data in found]


def words(pdf: bytes) -> str:
    """What the ToUnicode maps can give back, in the order of the glyphs."""
    maps = [stream.decode() for stream in streams(pdf) if b"beginbfchar" in stream]
    rows = [
        row for text in maps for row in re.findall(r"<([0-9A-F]{4})><([0-9A-F]+)>", text.split("endcodespacerange")[1])
    ]
    return "".join(bytes.fromhex(text).decode("utf-16-be") for _, text in rows)


@pytest.mark.parametrize("theme", THEMES)
def test_every_object_stands_where_the_table_says(theme: str) -> None:
    pdf = written(shop(), theme=theme)
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF", pdf)[0])
    assert pdf[start : start + 4] == b"xref"
    offsets = [int(row) for row in re.findall(rb"(\d{10}) 00000 n ", pdf[start:])]
    for number, offset in enumerate(offsets, start=1):
        assert pdf[offset:].startswith(b"%d 0 obj\n" % number)


def test_the_page_is_the_picture_s_in_points() -> None:
    assert b"/MediaBox [0 0 225 150]" in written(shop())


@pytest.mark.parametrize("label", ["Shop", "Größe", "日本語", "العربية", "हिन्दी", "office ﬁ", "a\nb"])
def test_every_letter_can_be_found_and_its_font_is_embedded(label: str) -> None:
    pdf = written(shop(label=label))
    assert set(label.replace("\n", "").replace(" ", "")) <= set(words(pdf)) | {"\u200d"}
    assert pdf.count(b"/FontFile2 ") == pdf.count(b"/Type /FontDescriptor") >= 1


def test_text_of_a_caller_is_never_syntax() -> None:
    pdf = written(shop(label=") Tj ET endstream endobj /JavaScript (", link={"href": "https://a.example/)(>>"[:22]}))
    assert b"JavaScript" not in b"".join(streams(pdf))
    assert b"JavaScript" not in pdf
    assert pdf.count(b"endobj") == pdf.count(b" 0 obj\n")


def test_a_link_covers_its_element_and_is_percent_encoded() -> None:
    pdf = written(shop(link={"href": "https://a.example/ü?(x)"}, tooltip="More"))
    address = b"https://a.example/%C3%BC?(x)".hex().upper().encode()
    assert b"/Subtype /Link" in pdf
    assert b"/URI <" + address + b">" in pdf


def test_a_translucent_element_is_one_transparency_group() -> None:
    pdf = written(shop(style={"opacity": 0.5}))
    assert b"/Subtype /Form" in pdf
    assert b"/ca 0.5" in pdf


def test_a_raster_keeps_its_alpha() -> None:
    rows = b"".join(b"\0" + bytes([255, 0, 0, 128]) * 2 for _ in range(2))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    image = {"id": "i", "kind": "image", "href": f"data:image/png;base64,{b64encode(png).decode()}"}
    found = streams(written(image))
    assert bytes([128] * 4) in found
    assert bytes([255, 0, 0] * 4) in found


@pytest.mark.parametrize("icon", ["aws:s3", "gcp:bigquery", "lucide:server"])
def test_icons_with_gradients_are_patterns_in_scene_px(icon: str) -> None:
    pdf = written(shop(icon=icon))
    assert len(re.findall(rb"/PatternType 2", pdf)) == len(re.findall(rb"/ShadingType [23]", pdf))
