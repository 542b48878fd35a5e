"""Every tool end to end: client, tool server, real service, SQLite."""

from __future__ import annotations

import base64
import json
import resource
import struct
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ImageContent
from tests.mcp.conftest import Desk, Document, Recorder, small_document, text_of

from scenograph.mcp.inputs import Wrong
from scenograph.mcp.outlines import outline
from scenograph.mcp.rendering import place_of, write_new
from scenograph.mcp.tools import KEYLESS_TOOLS, TOOLS, tools_for
from scenograph.wire.formats import FORMATS

REVISIONS = ["legacy", "2026-07-28"]
COMMENTING = {"dsp_list_comments", "dsp_reply_comment"}


def images_of(result: CallToolResult) -> list[ImageContent]:
    return [block for block in result.content if isinstance(block, ImageContent)]


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


FLOW = "flowchart LR\n  a[First] --> b[Second]\n"


@pytest.mark.parametrize("mode", REVISIONS)
def test_a_thread_lives_through_the_tools_alone(desk: Desk, stored: str, mode: str) -> None:
    here = Desk(desk.address, desk.key, mode)
    outputs = {tool.name: dict(tool.output) for tool in TOOLS if tool.name in COMMENTING}
    begun = here.done("dsp_reply_comment", sceneId=stored, text="Why?")
    answered = here.done("dsp_reply_comment", sceneId=stored, commentId=begun["commentId"], text="So.", resolved=True)
    listed = here.done("dsp_list_comments", sceneId=stored)
    assert [reply["text"] for reply in listed["items"][0]["replies"]] == ["So."]
    for name, content in (("dsp_reply_comment", begun), ("dsp_reply_comment", answered), ("dsp_list_comments", listed)):
        jsonschema.validate(content, outputs[name])


@pytest.mark.parametrize("mode", REVISIONS)
def test_a_scene_lives_from_creation_to_restoration_through_the_tools_alone(desk: Desk, mode: str) -> None:
    """All tools but those of comments, in both revisions of the protocol; every answer keeps to its output schema."""
    here = Desk(desk.address, desk.key, mode)
    schemas = {tool.name: tool.output for tool in TOOLS}
    scene_id = f"life-{mode}"
    document = small_document(scene_id)
    used: list[str] = []

    def done(tool: str, **arguments: object) -> dict[str, object]:
        used.append(tool)
        content = here.done(tool, **arguments)
        jsonschema.validate(content, schemas[tool])
        return content

    assert done("dsp_validate_scene", scene=document)["ok"] is True
    assert done("dsp_create_scene", scene=document)["revision"] == 1
    ops = [
        {"op": "createNode", "id": "db", "nodeType": "database", "label": "Orders DB"},
        {"op": "createEdge", "id": "e2", "from": {"elementId": "orders"}, "to": {"elementId": "db"}},
    ]
    applied = done("dsp_apply_ops", sceneId=scene_id, baseRevision=1, ops=ops, message="A database")
    assert (applied["applied"], applied["revision"], applied["changedElementIds"]) == (True, 2, ["db", "e2"])
    assert done("dsp_get_scene", sceneId=scene_id, revision=1)["scene"] == document
    assert len(done("dsp_get_scene", sceneId=scene_id)["scene"]["elements"]) == 5
    assert set(done("dsp_normalize_scene", scene=document)["computed"]["edgePaths"]) == {"e1"}
    assert str(done("dsp_render_scene", sceneId=scene_id)["content"]).startswith("<svg")
    assert done("dsp_diff_scene", sceneId=scene_id, **{"from": 1})["added"] == ["db", "e2"]
    assert [row["message"] for row in done("dsp_list_revisions", sceneId=scene_id)["revisions"]] == ["A database", None]
    taken_back = done("dsp_restore_revision", sceneId=scene_id, revision=1, baseRevision=2)
    assert (taken_back["revision"], taken_back["changedElementIds"]) == (3, ["db", "e2"])
    assert scene_id in [item["sceneId"] for item in done("dsp_list_scenes", query=scene_id)["items"]]
    imported = done("dsp_import_scene", source=FLOW, sceneId=f"flow-{mode}", keep=True)
    assert imported["sceneId"] == f"flow-{mode}"
    followed = done("dsp_sync_scene", sceneId=f"flow-{mode}", source=f"{FLOW}  b --> c\n", baseRevision=1)
    assert (followed["revision"], bool(followed["applied"])) == (2, True)
    exported = done("dsp_export_scene", sceneId=scene_id, format="excalidraw")
    assert exported["bytes"] > 100
    assert done("dsp_find_icons", queries=["database"])["icons"]["database"]
    assert done("dsp_read_guide", topic="classes") == {"topic": "classes"}
    submitted = done("dsp_submit_to_support", sceneId=scene_id, problem="An edge is missing", anonymize=True)
    assert (submitted["privacyStatus"], submitted["supportAnonymized"]) == ("support", True)
    assert done("dsp_make_scene_private", sceneId=scene_id)["privacyStatus"] == "private"
    assert str(done("dsp_publish_scene", sceneId=scene_id)["publicUrl"]).endswith(f"/s/{scene_id}")
    assert done("dsp_delete_scene", sceneId=scene_id, confirm=True)["deleted"] is True
    assert scene_id in [item["sceneId"] for item in done("dsp_list_recently_deleted")["items"]]
    assert done("dsp_undelete_scene", sceneId=scene_id) == {"restored": True, "sceneId": scene_id, "revision": 3}
    assert set(used) == set(schemas) - COMMENTING


@pytest.mark.parametrize("mode", REVISIONS)
def test_without_a_key_documents_are_validated_normalized_and_rendered(
    keyless: Desk, document: Document, mode: str
) -> None:
    here = Desk(keyless.address, None, mode)
    listed = here.ask(lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == ["dsp_validate_scene", "dsp_normalize_scene", "dsp_render_scene"]
    assert here.done("dsp_validate_scene", scene=document)["ok"] is True
    assert here.done("dsp_normalize_scene", scene=document)["computed"]["canvas"]["width"] > 0
    assert "<svg" in here.done("dsp_render_scene", scene=document)["content"]
    assert "Here the whole document is wanted" in here.refused("dsp_render_scene", sceneId="shop")
    needed = here.refused("dsp_create_scene", scene=document)
    assert "missing_api_key" in needed
    assert "SERVICE_API_KEY" in needed


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
def test_a_png_is_an_image_that_the_model_sees_and_base64_only_for_those_who_ask(
    desk: Desk, stored: str, document: Document, theme: str
) -> None:
    for target in ({"sceneId": stored}, {"scene": document}):
        result = desk.call("dsp_render_scene", format="png", theme=theme, **target)
        [image] = images_of(result)
        png = base64.b64decode(image.data)
        assert png.startswith(b"\x89PNG")
        assert image.mime_type == "image/png"
        content = result.structured_content
        assert content["mimeType"] == "image/png"
        assert "content" not in content
        assert size_of(png) == (content["width"], content["height"])


def test_an_svg_is_text_and_never_an_image(desk: Desk, stored: str) -> None:
    result = desk.call("dsp_render_scene", sceneId=stored, format="svg")
    assert result.structured_content["mimeType"] == "image/svg+xml"
    assert images_of(result) == []
    assert result.structured_content["content"] in text_of(result)


def test_what_changed_since_a_revision_is_drawn(desk: Desk, stored: str) -> None:
    desk.done("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=[{"op": "setText", "id": "web", "text": "Shop"}])
    plain = desk.done("dsp_render_scene", sceneId=stored)["content"]
    marked = desk.done("dsp_render_scene", sceneId=stored, diffFromRevision=1)["content"]
    assert "#f59e0b" in marked
    assert "#f59e0b" not in plain


def test_best_effort_leaves_out_what_fails_and_says_why(desk: Desk, stored: str) -> None:
    ops = [{"op": "setText", "id": "web", "text": "Shop"}, {"op": "deleteElement", "id": "nothing"}]
    result = desk.call("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=ops, transactionMode="bestEffort")
    assert result.structured_content["appliedOps"] == 1
    assert "Applied 1 of 2" in text_of(result)
    assert "OP_TARGET_NOT_FOUND at /ops/1" in text_of(result)


def test_an_invalid_document_is_validated_without_an_error_and_every_problem_is_told(
    desk: Desk, document: Document
) -> None:
    document["elements"].append({"id": "web", "kind": "nod"})
    result = desk.call("dsp_validate_scene", scene=document)
    assert not result.is_error
    assert result.structured_content["ok"] is False
    assert "DUPLICATE_ID" in text_of(result)
    assert "/elements/3/kind" in text_of(result)
    assert "Did you mean node?" in text_of(result) or "Did you mean 'node'?" in text_of(result)


def test_of_a_long_history_the_newest_hundred_are_listed_and_the_way_to_the_others_is_told(
    recorder: Recorder,
) -> None:
    rows = [{"revision": 150 - n, "createdAt": "t", "message": None, "summary": None} for n in range(100)]
    recorder.body = json.dumps({"sceneId": "s", "currentRevision": 150, "revisions": rows}).encode()
    result = Desk(recorder.address).call("dsp_list_revisions", sceneId="s")
    assert "before 51" in result.structured_content["note"]
    assert result.structured_content["note"] in text_of(result)


def test_the_history_tells_by_which_key_a_revision_was_written(desk: Desk, stored: str) -> None:
    assert "by the key " in text_of(desk.call("dsp_list_revisions", sceneId=stored))


def test_an_argument_that_is_null_counts_as_left_out(desk: Desk, stored: str) -> None:
    assert desk.done("dsp_get_scene", sceneId=stored, revision=None)["revision"] == 1


def test_every_tool_says_what_it_does_and_how_risky_it_is() -> None:
    assert len(TOOLS) == 23
    for tool in TOOLS:
        hints = tool.annotations
        assert None not in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
        assert tool.title
        assert tool.input_schema["additionalProperties"] is False
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(dict(tool.output))
    risky = ["dsp_delete_scene", "dsp_submit_to_support", "dsp_publish_scene"]
    assert all("agreed" in tool.description for tool in TOOLS if tool.name in risky)
    assert [tool.name for tool in TOOLS if tool.annotations.open_world_hint] == risky[1:]


def test_the_keyless_tools_are_three_of_the_fourteen() -> None:
    assert {tool.name for tool in KEYLESS_TOOLS} < {tool.name for tool in tools_for(key=True)}
    assert len(tools_for(key=False)) == 3


def test_a_png_comes_as_data_as_well_where_that_is_asked_for(desk: Desk, stored: str) -> None:
    result = desk.call("dsp_render_scene", sceneId=stored, format="png", asData=True)
    [image] = images_of(result)
    assert result.structured_content["content"] == image.data


def test_a_scene_is_read_as_an_outline_in_parts_and_by_what_changed(desk: Desk) -> None:
    document = small_document("parts") | {"brief": "Blue is ours."}
    desk.done("dsp_create_scene", scene=document)
    outline = desk.done("dsp_get_scene", sceneId="parts", view="outline")["outline"].splitlines()
    assert outline[0] == "brief: Blue is ours."
    assert "e1: " in "\n".join(outline)
    assert all(len(line) < 120 for line in outline[:-1])
    some = desk.done("dsp_get_scene", sceneId="parts", view={"elements": ["e1"]})["elements"]
    edge = next(row for row in some if row["id"] == "e1")
    assert {edge["from"]["elementId"], edge["to"]["elementId"]} <= {row["id"] for row in some}
    node = next(row["id"] for row in some if row["kind"] == "node")
    ops = [{"op": "updateNode", "id": node, "label": "Renamed"}, {"op": "updateScene", "palette": {"nodeFill": "#fff"}}]
    edited = desk.call("dsp_apply_ops", sceneId="parts", baseRevision=1, ops=ops)
    assert "the scene's palette" in edited.content[0].text
    since = desk.call("dsp_get_scene", sceneId="parts", view={"since": 1})
    assert [row["label"] for row in since.structured_content["elements"]] == ["Renamed"]
    assert "palette" in since.content[0].text


@pytest.mark.parametrize("view", ["whole", {"elements": []}, {"since": 0}, {"ids": ["a"]}, 7])
def test_a_view_that_is_none_is_refused_with_those_that_there_are(desk: Desk, stored: str, view: object) -> None:
    result = desk.call("dsp_get_scene", sceneId=stored, view=view)
    assert result.is_error
    assert "Nothing was sent" in result.content[0].text


def test_a_part_of_a_scene_is_drawn(desk: Desk, stored: str) -> None:
    whole = desk.done("dsp_render_scene", sceneId=stored)
    part = desk.done("dsp_render_scene", sceneId=stored, view={"focus": ["orders"], "depth": 0})
    assert part["width"] < whole["width"] or part["height"] < whole["height"]


def test_a_base_that_does_not_exist_yet_is_told_as_such(desk: Desk, stored: str) -> None:
    ops = [{"op": "relayout"}]
    result = desk.call("dsp_apply_ops", sceneId=stored, baseRevision=99, ops=ops)
    assert result.is_error
    assert "baseRevision 99 does not exist yet" in result.content[0].text


def test_a_file_is_written_below_the_folder_of_the_operator_alone(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / "inner").mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path)
    (folder / "there.svg").write_text("mine", "utf-8")
    form = FORMATS["svg"]
    for path in ("../x.svg", "/x.svg", "C:x.svg", "a/../../x.svg", "x.png", "", "x"):
        with pytest.raises(Wrong):
            place_of(folder, path, form)
    with pytest.raises(Wrong, match="EXPORT_DIR"):
        place_of(None, "x.svg", form)
    for path in ("there.svg", "link/x.svg", "link/made/x.svg", "there.svg/x.svg"):
        with pytest.raises(Wrong, match=r"there already|through a link or a file"):
            write_new(place_of(folder, path, form), b"new")
    assert (folder / "there.svg").read_text("utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"], "not even a folder is made outside"
    write_new(place_of(folder, "inner/new/x.svg", form), b"new")
    assert (folder / "inner/new/x.svg").read_bytes() == b"new"


def test_a_file_that_cannot_be_written_whole_is_not_there_at_all(tmp_path: Path) -> None:
    place = place_of(tmp_path / "out", "inner/x.svg", FORMATS["svg"])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))  # as a full disk: a part is written before it is told
    try:
        with pytest.raises(Wrong, match=r"cannot be written.*nothing was written"):
            write_new(place, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [*(tmp_path / "out/inner").iterdir()] == []
    write_new(place, b"x" * 5000)
    assert [path.name for path in (tmp_path / "out/inner").iterdir()] == ["x.svg"]


def test_a_link_that_leads_nowhere_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "x.svg").symlink_to(tmp_path / "outside.svg")
    with pytest.raises(Wrong, match="there already"):
        write_new(place_of(tmp_path, "x.svg", FORMATS["svg"]), b"new")
    assert not (tmp_path / "outside.svg").exists()


def test_a_large_file_is_linked_and_can_be_read(desk: Desk, stored: str) -> None:
    for name, kind in (("png", "blob"), ("svg", "text")):
        uri = f"scene://{stored}/export/{name}"
        [found] = desk.ask(lambda client, uri=uri: client.read_resource(uri)).contents
        assert found.mime_type == FORMATS[name].media_type
        assert getattr(found, kind)


def test_parts_of_the_schemas_are_small_resources(keyless: Desk) -> None:
    async def read_all(client: Any) -> list[str]:
        names = [
            *(f"scene/{kind}" for kind in ("node", "edge", "frame")),
            "operations/createNode",
            "operations/relayout",
        ]
        return [(await client.read_resource(f"scenograph://schemas/{name}")).contents[0].text for name in names]

    for text in keyless.ask(read_all):
        assert len(text) < 20_000
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_icons_are_found_for_several_queries_each_also_where_no_icon_has_all_words(desk: Desk) -> None:
    queries = ["gcp bigquery", "ecs fargate", "nothing-of-the-kind"]
    found = desk.done("dsp_find_icons", queries=queries)["icons"]
    assert list(found) == queries
    assert found["gcp bigquery"][0] == "gcp:bigquery"
    assert {"aws:aws-fargate", "aws:amazon-elastic-container-service"} <= set(found["ecs fargate"])
    assert found["nothing-of-the-kind"] == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, True),
        ({"defaults": {"edge": {"router": "straight"}}}, True),
        ({"defaults": {"edge": {"endpoints": {"endArrow": "triangle"}}}}, False),
    ],
)
def test_the_outline_of_lines_without_direction_says_how_to_get_it(more: dict[str, Any], said: bool) -> None:
    text = outline({**small_document("plain"), **more})
    assert ("No edge shows a direction" in text) is said
    if said:
        operation = json.loads(text[text.index('{"op"') :])
        assert outline({**small_document("plain"), "defaults": operation["defaults"]}).count("direction") == 0


def test_files_of_two_scales_have_links_of_their_own_and_tell_their_size(desk: Desk, document: Document) -> None:
    document["elements"][0]["label"] = "A long label that makes the picture large"
    scene_id = desk.done("dsp_create_scene", scene=document)["sceneId"]
    sizes: dict[int, tuple[int, int]] = {}
    for scale in (2, 8):
        result = desk.call("dsp_export_scene", sceneId=scene_id, format="png", scale=scale)
        link = next(block for block in result.content if block.type in {"resource_link", "resource"})
        uri = str(link.uri if link.type == "resource_link" else link.resource.uri)
        assert uri == f"scene://{scene_id}/export/png/{scale}"
        [found] = desk.ask(lambda client, uri=uri: client.read_resource(uri)).contents
        sizes[scale] = size_of(base64.b64decode(found.blob))
        assert "{} × {} px at scale {}".format(*sizes[scale], scale) in text_of(result)
    assert "Give the user this link: " in text_of(result)
    assert sizes[8] == tuple(side * 4 for side in sizes[2])


@pytest.mark.parametrize("scale", ["0", "9", "nan", "big"])
def test_a_link_of_no_scale_leads_to_nothing(desk: Desk, stored: str, scale: str) -> None:
    with pytest.raises(MCPError, match="scale must be a number from"):
        desk.ask(lambda client: client.read_resource(f"scene://{stored}/export/png/{scale}"))


def test_an_import_tells_the_ids_and_types_of_what_was_imported(desk: Desk) -> None:
    answer = text_of(desk.call("dsp_import_scene", source=FLOW, sceneId="told-import", keep=True))
    ids = [row["id"] for row in desk.done("dsp_get_scene", sceneId="told-import")["scene"]["elements"]]
    assert [name for name in ids if name not in answer] == []
    many = "flowchart LR\n" + "".join(f"  n{number} --> n{number + 1}\n" for number in range(90))
    kept = text_of(desk.call("dsp_import_scene", source=many, sceneId="many", keep=True))
    assert '131 more elements: dsp_get_scene with view "outline" lists them.' in kept
    assert "131 more elements: scene holds them." in text_of(desk.call("dsp_import_scene", source=many))


def test_an_import_without_an_id_is_kept_under_a_free_one(desk: Desk) -> None:
    taken = desk.done("dsp_import_scene", source=FLOW, title="Taken", keep=True)["sceneId"]
    again = desk.call("dsp_import_scene", source=FLOW, title="Taken", keep=True)
    assert again.structured_content["sceneId"] != taken
    assert f"({taken} was taken)" in text_of(again)
    desk.done("dsp_delete_scene", sceneId=taken, confirm=True)
    third = desk.done("dsp_import_scene", source=FLOW, title="Taken", keep=True)["sceneId"]
    assert third not in {taken, again.structured_content["sceneId"]}


def test_an_import_under_a_taken_id_is_refused_with_the_argument_to_change(desk: Desk) -> None:
    desk.done("dsp_import_scene", source=FLOW, sceneId="mine-already", keep=True)
    refused = desk.refused("dsp_import_scene", source=FLOW, sceneId="mine-already", keep=True)
    assert "scene_exists" in refused
    assert "leave out sceneId" in refused
    assert "dsp_sync_scene" in refused


def test_an_outline_tells_the_id_of_each_element_that_has_no_line() -> None:
    nodes = [{"id": f"box {number}", "kind": "node"} for number in range(7)]
    text = outline({**small_document("long"), "elements": nodes}, most=4)
    assert text.splitlines()[-1] == "… 3 more elements: box 4, box 5, box 6"
    wide = [{"id": f"{number}-{'x' * 90}", "kind": "node"} for number in range(1_600)]
    assert "more, read with their neighbours" in outline({**small_document("wide"), "elements": wide})


def test_a_comparison_and_a_creation_have_the_members_of_the_service(desk: Desk) -> None:
    created = desk.done("dsp_create_scene", scene=small_document("members"))
    assert created["movedElementIds"] == []
    node = next(row["id"] for row in small_document("members")["elements"] if row["kind"] == "node")
    ops = [{"op": "updateNode", "id": node, "label": "Renamed"}]
    desk.done("dsp_apply_ops", sceneId="members", baseRevision=1, ops=ops)
    assert desk.done("dsp_diff_scene", sceneId="members", **{"from": 1})["fields"] == {node: ["label"]}


def test_an_address_for_callers_with_a_key_says_so(desk: Desk) -> None:
    desk.done("dsp_create_scene", scene=small_document("looked"))
    told = text_of(desk.call("dsp_submit_to_support", sceneId="looked", problem="A line is missing."))
    assert "/support/views, which takes the API key" in told


def test_one_thing_is_told_in_the_singular(desk: Desk) -> None:
    one = {**small_document("single"), "elements": [{"id": "a", "kind": "node", "label": "A"}]}
    desk.done("dsp_create_scene", scene=one)
    assert ", 1 element, " in text_of(desk.call("dsp_get_scene", sceneId="single"))
    desk.done("dsp_reply_comment", sceneId="single", text="Why?")
    assert "1 thread, 1 of them open." in text_of(desk.call("dsp_list_comments", sceneId="single"))


def test_a_trial_of_a_sync_names_what_it_would_do_and_counts_the_rest(desk: Desk) -> None:
    desk.done("dsp_import_scene", source=FLOW, sceneId="trial-sync", keep=True)
    more = "".join(f"  a --> c{number}\n" for number in range(4))
    source = f"flowchart LR\n  a[Begin]\n{more}"
    told = desk.call("dsp_sync_scene", sceneId="trial-sync", source=source, baseRevision=1, dryRun=True)
    words = text_of(told)
    operations = told.structured_content["ops"]
    assert "b" in words[words.index("Removed: ") : words.index("Added: ")]
    assert "and 3 more" in words[words.index("Added: ") : words.index("Changed: ")]
    assert "Changed: a" in words
    assert len([op for op in operations if op["op"].startswith("create")]) == 8


def test_an_update_merges_objects_and_replaces_lists_as_the_edit_tool_says(desk: Desk) -> None:
    document = small_document("merge")
    columns = [{"name": "id", "pk": True}, {"name": "title"}]
    book = {"id": "Book", "kind": "node", "nodeType": "er.entity", "extensions": {"columns": columns, "mine": 1}}
    desk.done("dsp_create_scene", scene={**document, "elements": [book]})
    ops = [{"op": "updateNode", "id": "Book", "extensions": {"columns": columns[:1]}}]
    desk.done("dsp_apply_ops", sceneId="merge", baseRevision=1, ops=ops)
    [kept] = desk.done("dsp_get_scene", sceneId="merge")["scene"]["elements"]
    assert kept["extensions"] == {"columns": columns[:1], "mine": 1}
    [tool] = [tool for tool in TOOLS if tool.name == "dsp_apply_ops"]
    assert "extensions are merged; a list (columns, methods, children) is replaced" in tool.description


def test_a_path_is_offered_only_where_files_can_be_written(desk: Desk) -> None:
    offered = {tool.name: tool for tool in desk.ask(lambda client: client.list_tools()).tools}
    assert "path" not in offered["dsp_export_scene"].input_schema["properties"]
    (export,) = [tool for tool in TOOLS if tool.name == "dsp_export_scene"]
    assert "path" in export.described(writes_files=True).input_schema["properties"]
