"""A look with every write, wishes that are met or told, and files in another theme or view (R-TOOL-18)."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from mcp_types import CallToolResult, EmbeddedResource, ImageContent, ResourceLink
from tests.mcp.conftest import Desk, Document, small_document, text_of

from scenograph.wire.formats import FORMATS

GROWN = {"op": "resizeElement", "id": "web", "size": {"width": 700, "height": 400}}
SOURCE = "flowchart LR\n  a[Shop] --> b[Orders]\n"


def images(result: CallToolResult) -> list[bytes]:
    assert not result.is_error, text_of(result)
    return [base64.b64decode(block.data) for block in result.content if isinstance(block, ImageContent)]


def apply(desk: Desk, scene: str, base: int, *ops: Document, **more: Any) -> CallToolResult:
    return desk.call("dsp_apply_ops", sceneId=scene, baseRevision=base, ops=list(ops), **more)


def content_of(desk: Desk, result: CallToolResult) -> str:
    """The exported file, from the answer or its link."""
    for block in result.content:
        if isinstance(block, EmbeddedResource):
            return str(block.resource.model_dump(exclude={"uri"}))
        if isinstance(block, ResourceLink):
            read = desk.ask(lambda client, uri=block.uri: client.read_resource(uri)).contents[0]
            return str(read.model_dump(exclude={"uri"}))
    raise AssertionError(text_of(result))


class TestPictures:
    def test_a_creation_and_an_edit_and_a_way_back_show_their_revision(self, desk: Desk, document: Document) -> None:
        scene = document["scene"]["id"]
        created = images(desk.call("dsp_create_scene", scene=document))
        edited = images(apply(desk, scene, 1, GROWN))
        restored = images(desk.call("dsp_restore_revision", sceneId=scene, revision=1, baseRevision=2))
        rendered = images(desk.call("dsp_render_scene", sceneId=scene, format="png"))
        assert [len(row) for row in (created, edited, restored)] == [1, 1, 1]
        assert created == restored == rendered
        assert created != edited

    def test_a_sync_shows_its_revision(self, desk: Desk) -> None:
        desk.done("dsp_import_scene", source=SOURCE, sceneId="look-sync", keep=True)
        synced = desk.call("dsp_sync_scene", sceneId="look-sync", source=f"{SOURCE}  b --> c[Bank]\n", baseRevision=1)
        assert len(images(synced)) == 1
        assert "Added: " in text_of(synced)
        assert (
            "c" in synced.structured_content["changedElementIds"]
            if "changedElementIds" in synced.structured_content
            else True
        )
        assert "output" not in synced.structured_content
        assert "ops" not in synced.structured_content
        dry = desk.call("dsp_sync_scene", sceneId="look-sync", source=SOURCE, baseRevision=2, dryRun=True)
        assert (images(dry), len(dry.structured_content["ops"]) > 0) == ([], True)

    def test_who_does_without_gets_none(self, desk: Desk, document: Document) -> None:
        scene = document["scene"]["id"]
        assert images(desk.call("dsp_create_scene", scene=document, picture=False)) == []
        assert images(apply(desk, scene, 1, GROWN, picture=False)) == []
        back = desk.call("dsp_restore_revision", sceneId=scene, revision=1, baseRevision=2, picture=False)
        assert images(back) == []

    def test_what_gives_way_is_told(self, desk: Desk, stored: str) -> None:
        grown = apply(desk, stored, 1, GROWN)
        assert grown.structured_content["movedElementIds"] == ["orders"]
        assert "Gave way, though not named: orders." in text_of(grown)

    def test_the_remarks_of_the_picture_are_told(self, desk: Desk, stored: str) -> None:
        tight = {"op": "resizeElement", "id": "web", "size": {"width": 40, "height": 20}}
        assert "TEXT_OVERFLOW" in text_of(apply(desk, stored, 1, tight))

    def test_a_picture_too_large_for_an_image_comes_smaller(self, desk: Desk, document: Document) -> None:
        document["scene"]["canvas"] = {"width": 9_000, "height": 400}
        created = desk.call("dsp_create_scene", scene=document)
        assert len(images(created)) == 1
        assert "of its size" in text_of(created)

    def test_more_pixels_than_are_drawn_come_as_a_picture_too(self, desk: Desk, document: Document) -> None:
        document["scene"]["canvas"] = {"width": 12_000, "height": 9_000}
        created = desk.call("dsp_create_scene", scene=document)
        assert len(images(created)) == 1
        assert "RENDER_FAILED" not in text_of(created)


class TestWishes:
    def test_a_scale_is_drawn_or_the_smaller_one_is_told(self, desk: Desk, stored: str) -> None:
        double = desk.call("dsp_render_scene", sceneId=stored, format="png", scale=2)
        single = desk.call("dsp_render_scene", sceneId=stored, format="png")
        assert double.structured_content["width"] == pytest.approx(2 * single.structured_content["width"], abs=2)
        huge = desk.call("dsp_render_scene", sceneId=stored, format="png", scale=8)
        assert "instead of 8" in text_of(huge)
        assert "dsp_export_scene" in text_of(huge)

    def test_a_scale_that_a_format_cannot_have_is_told(self, desk: Desk, stored: str) -> None:
        assert "scale is for png" in text_of(desk.call("dsp_render_scene", sceneId=stored, scale=2))
        assert "scale is for png" in text_of(desk.call("dsp_export_scene", sceneId=stored, format="svg", scale=2))

    @pytest.mark.parametrize("form", [form.name for form in FORMATS.values() if form.families is None])
    def test_a_theme_shows_in_the_file_or_is_told_not_to(self, desk: Desk, stored: str, form: str) -> None:
        plain, dark = (
            desk.call("dsp_export_scene", sceneId=stored, format=form, **asked) for asked in ({}, {"theme": "dark"})
        )
        shows = content_of(desk, plain) != content_of(desk, dark)
        assert shows is ("theme shows in pictures" not in text_of(dark))

    @pytest.mark.parametrize(("name", "value"), [("page", 2), ("dialect", "mysql")])
    def test_what_a_source_has_no_use_for_is_told(self, desk: Desk, name: str, value: object) -> None:
        read = desk.call("dsp_import_scene", source=SOURCE, format="mermaid", **{name: value})
        assert f"{name} is for" in text_of(read)

    def test_a_revision_and_a_time_are_drawn(self, desk: Desk, stored: str) -> None:
        first = images(desk.call("dsp_render_scene", sceneId=stored, format="png"))
        apply(desk, stored, 1, GROWN)
        assert images(desk.call("dsp_render_scene", sceneId=stored, format="png", revision=1)) == first
        at = desk.done("dsp_list_revisions", sceneId=stored)["revisions"][1]["createdAt"].replace("Z", "999Z")
        assert images(desk.call("dsp_render_scene", sceneId=stored, format="png", asOf=at)) == first
        assert desk.done("dsp_get_scene", sceneId=stored, asOf=at)["revision"] == 1
        assert desk.done("dsp_diff_scene", sceneId=stored, **{"from": at})["fromRevision"] == 1

    def test_a_text_of_svg_comes_without_fonts_and_says_how_to_get_them(self, desk: Desk, stored: str) -> None:
        short = desk.call("dsp_render_scene", sceneId=stored)
        whole = desk.done("dsp_render_scene", sceneId=stored, asData=True)["content"]
        assert "@font-face" in whole
        assert "@font-face" not in short.structured_content["content"]
        assert "asData true" in text_of(short)

    def test_a_difference_tells_values_and_moves(self, desk: Desk, stored: str) -> None:
        apply(desk, stored, 1, GROWN, {"op": "setText", "id": "orders", "text": "Orders 2"})
        told = desk.call("dsp_diff_scene", sceneId=stored, **{"from": 1})
        assert '- orders: label "Orders" → "Orders 2"' in text_of(told)
        assert told.structured_content["changes"]["orders"] == {"label": ["Orders", "Orders 2"]}
        assert told.structured_content["moved"] == ["orders", "web"]

    def test_a_published_scene_comes_with_a_line_of_markdown(self, desk: Desk, stored: str) -> None:
        told = desk.done("dsp_publish_scene", sceneId=stored)
        page = told["publicUrl"]
        assert told["markdown"] == f"![Checkout]({page}.svg)"
        assert (told["svgUrl"], told["pngUrl"]) == (f"{page}.svg", f"{page}.png")


class TestFiles:
    def test_a_file_has_the_theme_and_the_view_that_are_asked_for(self, desk: Desk, stored: str) -> None:
        view = {"focus": ["web"], "depth": 0}
        result = desk.call("dsp_export_scene", sceneId=stored, format="mermaid", view=view)
        (file,) = [block.resource for block in result.content if isinstance(block, EmbeddedResource)]
        assert "Web shop" in file.text
        assert "Orders" not in file.text

    def test_a_linked_file_keeps_its_theme_and_view(self, desk: Desk) -> None:
        document = small_document("look-file")
        document["elements"] += [{"id": f"n{number}", "kind": "node", "label": f"N {number}"} for number in range(40)]
        desk.done("dsp_create_scene", scene=document, picture=False)
        asked: dict[str, Any] = {"theme": "dark", "view": {"page": "a4"}}
        result = desk.call("dsp_export_scene", sceneId="look-file", format="svg", **asked)
        (link,) = [block for block in result.content if isinstance(block, ResourceLink)]
        found = desk.ask(lambda client: client.read_resource(link.uri)).contents[0]
        assert f'width="{1240}"' in found.text
        plain = desk.ask(lambda client: client.read_resource("scene://look-file/export/svg")).contents[0]
        assert plain.text != found.text

    @pytest.mark.parametrize("part", ["node", "Style", "Color"])
    def test_a_part_of_a_schema_is_short_and_leads_on(self, desk: Desk, part: str) -> None:
        uri = f"scenograph://schemas/scene/{part}"
        text = desk.ask(lambda client: client.read_resource(uri)).contents[0].text
        assert len(text) <= 8_000
        leading = {row for row in text.split('"') if row.startswith("scenograph://")}
        for address in leading:
            known = json.loads(desk.ask(lambda client, address=address: client.read_resource(address)).contents[0].text)
            assert known["$defs"]
