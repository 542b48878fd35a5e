"""What a host reads before the first call: definitions, instructions, resources, prompts, completions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from tests.mcp.conftest import Desk, Document

from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.mcp.answers import NEXT_STEPS
from scenograph.mcp.inputs import DOCUMENT_SHAPE, OPS_SHAPE, TOPICS
from scenograph.mcp.resources import PLACES, guide, guide_page, instructions
from scenograph.mcp.tools import TOOLS, tools_for
from scenograph.scene.description.operations import ops_schema, scene_schema
from scenograph.scene.edits.table import OPERATIONS
from scenograph.scene.validation import validate
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES, EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES

DEFINITIONS = Path(__file__).with_name("definitions.json")
MOST_INSTRUCTED = 1_890  # characters: 500 tokens by o200k, at 3.78 characters a token as measured
STATIC_TEMPLATES = [
    "scenograph://schemas/scene/{part}",
    "scenograph://schemas/operations/{part}",
    "scenograph://icons/{query}",
]
MOST_TOKENS = 4_000
CHARACTERS_A_TOKEN = 4.25  # measured with a real tokenizer: docs/tool-server.md


def definitions(*, key: bool, writes_files: bool = True) -> list[dict[str, Any]]:
    described = [tool.described(writes_files=writes_files) for tool in tools_for(key=key)]
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in described]


@pytest.mark.parametrize("key", [True, False])
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_definitions_are_those_that_were_reviewed(desk: Desk, keyless: Desk, key: bool, mode: str) -> None:
    """A change of what agents are told is seen in the difference: `uv run python scripts/list_tools.py`."""
    here = Desk(desk.address, desk.key if key else None, mode)
    listed = here.ask(lambda client: client.list_tools()).tools
    told = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    reviewed = json.loads(DEFINITIONS.read_text("utf-8"))["with a key" if key else "without a key"]
    assert told == definitions(key=key, writes_files=False)
    assert reviewed == definitions(key=key)


def test_all_definitions_together_are_short() -> None:
    text = json.dumps(definitions(key=True), ensure_ascii=False, separators=(",", ":"))
    assert len(text) / CHARACTERS_A_TOKEN < MOST_TOKENS


@pytest.mark.parametrize("key", [True, False])
def test_the_instructions_are_short_and_name_every_family(desk: Desk, keyless: Desk, key: bool) -> None:
    text = (desk if key else keyless).ask(_instructions)
    assert text == instructions(key=key)
    assert len(text) <= MOST_INSTRUCTED
    assert "{{" not in text
    assert all(family in text for family in DIAGRAM_FAMILIES)
    assert ("dsp_apply_ops" in text) is key
    assert ("SERVICE_API_KEY" in text) is not key


async def _instructions(client: Any) -> str:
    return str(client.instructions)


def test_the_documents_shown_to_agents_are_valid() -> None:
    text = instructions(key=True)
    shown = [
        json.loads(DOCUMENT_SHAPE),
        json.loads(text[text.index('{"schemaVersion"') : text.index("\n\nFind a scene")]),
    ]
    for document in shown:
        assert validate(document, DOCUMENT_LIMITS) == ()
    batch = {"schemaVersion": "0.1", "sceneId": "shop", "baseRevision": 1, "ops": json.loads(OPS_SHAPE)}
    jsonschema.validate(batch, ops_schema())
    page = guide_page("operations")
    last = page.rindex("```json") + len("```json")
    jsonschema.validate({**batch, "ops": json.loads(page[last : page.rindex("```")])}, ops_schema())


@pytest.mark.parametrize("topic", TOPICS)
def test_every_page_of_the_guide_is_short_and_its_elements_are_valid(topic: str) -> None:
    page = guide_page(topic)
    assert len(page) / CHARACTERS_A_TOKEN < 1_500
    for block in page.split("```json")[1::2]:
        shown = json.loads(block.split("```")[0])
        if isinstance(shown, list) and "kind" in shown[0]:
            scene = {"id": "s", "units": "px", "canvas": {}}
            ends = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene}
            assert [
                row for row in validate({**ends, "elements": shown}, DOCUMENT_LIMITS) if row.severity == "error"
            ] == []


def test_the_guide_names_every_type_that_the_families_know() -> None:
    names = set(GENERIC_NODE_TYPES).union(*NODE_TYPES.values(), *EDGE_TYPES.values())
    text = guide()
    missing = [name for name in names if f"`{name}`" not in text and f"`.{name.partition('.')[2]}`" not in text]
    assert missing == [], "name them in mcp/texts/guide (docs/extending.md)"


def test_the_operations_that_the_edit_tool_names_exist() -> None:
    [told] = [tool.description for tool in TOOLS if tool.name == "dsp_apply_ops"]
    named = {word for word in told.replace("|", " ").replace("(", " ").split() if word[:6] in {"create", "update"}}
    assert named <= set(OPERATIONS)
    assert {"createNode", "updateScene"} <= named


def test_tools_named_in_texts_exist() -> None:
    names = {tool.name for tool in TOOLS}
    texts = [*NEXT_STEPS.values(), *(tool.description for tool in TOOLS), instructions(key=True), guide()]
    words = {word.strip(".,;:()`") for text in texts for word in text.split() if word.startswith("dsp_")}
    assert words - {"dsp_sk_"} <= names


@pytest.mark.parametrize("family", DIAGRAM_FAMILIES)
def test_the_example_of_a_family_is_valid_without_a_remark(keyless: Desk, family: str) -> None:
    text = keyless.ask(lambda client: client.read_resource(f"scenograph://examples/{family}")).contents[0].text
    document = json.loads(text)
    assert document["diagramFamily"] == family
    assert keyless.done("dsp_validate_scene", scene=document) == {"ok": True, "diagnostics": []}


def test_every_single_resource_can_be_read_without_a_key(keyless: Desk) -> None:
    async def read_all(client: Any) -> dict[str, str]:
        listed = (await client.list_resources()).resources
        return {each.uri: (await client.read_resource(each.uri)).contents[0].text for each in listed}

    texts = keyless.ask(read_all)
    assert json.loads(texts["scenograph://schemas/scene"]) == scene_schema()
    assert json.loads(texts["scenograph://schemas/operations"]) == ops_schema()
    assert texts["scenograph://guide"] == guide()
    assert "lucide: " in texts["scenograph://icons"]
    assert all(len(text) < 4_000_000 for text in texts.values())


def test_stored_scenes_their_revisions_and_pictures_are_resources_of_their_owner(
    desk: Desk, keyless: Desk, stored: str, document: Document
) -> None:
    desk.done("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=[{"op": "setText", "id": "web", "text": "Shop"}])

    def read(uri: str) -> str:
        return str(desk.ask(lambda client: client.read_resource(uri)).contents[0].text)

    assert json.loads(read(f"scene://{stored}/revisions/1")) == document
    assert json.loads(read(f"scene://{stored}"))["elements"][0]["label"] == "Shop"
    assert [row["revision"] for row in json.loads(read(f"scene://{stored}/revisions"))["revisions"]] == [2, 1]
    assert read(f"scene://{stored}/picture.svg").startswith("<svg")
    templates = keyless.ask(lambda client: client.list_resource_templates()).resource_templates
    assert [each.uri_template for each in templates] == [
        "scenograph://schemas/scene/{part}",
        "scenograph://schemas/operations/{part}",
        "scenograph://icons/{query}",
    ]
    with pytest.raises(MCPError):
        keyless.ask(lambda client: client.read_resource(f"scene://{stored}"))


@pytest.mark.parametrize(
    "uri",
    ["scenograph://nothing", "scene://a/b/c", "scene://a%2Fb", "scene://..", "file:///etc/passwd", "x", "scene://"],
)
def test_an_address_with_nothing_behind_it_is_a_protocol_error_that_names_what_there_is(desk: Desk, uri: str) -> None:
    with pytest.raises(MCPError, match=r"There are: scenograph://guide|A sceneId has"):
        desk.ask(lambda client: client.read_resource(uri))


def test_a_scene_that_is_not_there_is_a_protocol_error_with_the_services_sentence(desk: Desk) -> None:
    with pytest.raises(MCPError, match="scene_not_found"):
        desk.ask(lambda client: client.read_resource("scene://nowhere"))


def test_icons_are_found_by_a_word(keyless: Desk) -> None:
    found = keyless.ask(lambda client: client.read_resource("scenograph://icons/database")).contents[0].text
    assert "lucide:database" in found.splitlines()


def test_every_prompt_is_written_with_its_arguments(desk: Desk) -> None:
    listed = desk.ask(lambda client: client.list_prompts()).prompts
    assert len(listed) == 4
    for prompt in listed:
        given = {each.name: f"<{each.name} {{theme}}>" for each in prompt.arguments}
        given |= {"theme": "sketch"} if "theme" in given else {}
        got = desk.ask(lambda client, n=prompt.name, g=given: client.get_prompt(n, g)).messages[0].content.text
        assert all(value in got for value in given.values())
        needed = {each.name: "x" for each in prompt.arguments if each.required}
        bare = desk.ask(lambda client, n=prompt.name, g=needed: client.get_prompt(n, g)).messages[0].content.text
        assert "{" not in bare
        assert "  " not in bare


def test_a_prompt_without_what_it_needs_is_refused(desk: Desk, keyless: Desk) -> None:
    with pytest.raises(MCPError, match="er_from_sql wants: sql"):
        desk.ask(lambda client: client.get_prompt("er_from_sql", {"theme": "dark"}))
    with pytest.raises(MCPError, match="not color"):
        desk.ask(lambda client: client.get_prompt("er_from_sql", {"sql": "x", "color": "red"}))
    with pytest.raises(MCPError, match="There are the prompts"):
        desk.ask(lambda client: client.get_prompt("haiku"))
    assert "review_diff" not in [each.name for each in keyless.ask(lambda client: client.list_prompts()).prompts]
    with pytest.raises(MCPError):
        keyless.ask(lambda client: client.get_prompt("review_diff", {"sceneId": "shop"}))


def test_ids_themes_icons_and_revisions_are_completed(desk: Desk, keyless: Desk, stored: str) -> None:
    def completed(here: Desk, ref: Any, name: str, begun: str, **others: str) -> list[str]:
        argument = {"name": name, "value": begun}
        got = here.ask(lambda client: client.complete(ref, argument, context_arguments=others or None))
        return list(got.completion.values)

    review, scene = PromptReference(name="review_diff"), ResourceTemplateReference(uri="scene://{sceneId}")
    icons = ResourceTemplateReference(uri="scenograph://icons/{query}")
    assert completed(desk, scene, "sceneId", stored[:12])[0].startswith(stored[:12])
    assert stored in completed(desk, scene, "sceneId", stored)
    assert completed(keyless, scene, "sceneId", "") == []
    assert completed(desk, PromptReference(name="er_from_sql"), "theme", "d") == ["dark"]
    assert "lucide:database" in completed(keyless, icons, "query", "database")
    assert completed(desk, review, "from", "", sceneId=stored) == ["1"]
    assert completed(desk, review, "nothing", "x") == []
    assert completed(Desk("http://127.0.0.1:9"), scene, "sceneId", "x") == []


def test_a_tool_that_does_not_exist_is_a_protocol_error_that_names_those_that_do(desk: Desk) -> None:
    with pytest.raises(MCPError, match="dsp_create_scene"):
        desk.ask(lambda client: client.call_tool("dsp_draw_everything", {}))


def test_addresses_of_resources_are_told_apart() -> None:
    assert [place.name for place in PLACES if place.match("scene://shop/revisions/3")] == ["scene-revision"]
    assert [place.name for place in PLACES if place.match("scene://shop/picture.svg")] == ["scene-picture"]
    assert [place.name for place in PLACES if place.match("scene://a.b:c~d")] == ["scene"]
