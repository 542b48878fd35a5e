"""A text stays in its own language: it follows the picture, the picture follows it, and what it cannot say is told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import httpx2
import pytest
from local_servers.service import Service
from playwright.sync_api import expect
from tests.pages.tab import Tab

FLOW = """flowchart LR
  %% the way of an order
  order[Order] -->|pays| paid{Paid?}
  paid --> ship[Ship it]
  subgraph shop[Shop]
    order
  end
"""
SEQUENCE = "sequenceDiagram\n  participant a as Anna\n  a->>b: hello\n"
STATES = 'stateDiagram-v2\n  [*] --> idle\n  state "At work" as busy\n  idle --> busy : begin\n'
CLASSES = "classDiagram\n  class animal\n  animal <|-- duck\n"
TABLES = "erDiagram\n  customer ||--o{ orders : places\n"
DOT = 'digraph g {\n  // two\n  a [label="One"]; b [label="Two"];\n  a -> b [label="then"];\n}\n'
SQL = """-- people
CREATE TABLE person (id int primary key, name text);
CREATE TABLE pet (id int, owner int references person(id));
"""
CONTEXT = 'C4Context\n  Boundary(b, "Bank") {\n    Container(web, "Web site", "Django")\n  }\n  Person(ann, "Ann")\n'
SERVICES = (
    "architecture-beta\n  group g[Group]\n  service web(server)[Web] in g\n"
    "  service db(database)[Data]\n  web:R -- L:db\n"
)
BLOCKS = 'block-beta\n  columns 2\n  a["First"] b["Second"]\n  a --> b\n'
NEEDS = (
    "requirementDiagram\n  requirement fast {\n    text: quick\n  }\n  element app {\n  }\n  app - satisfies -> fast\n"
)
MAP = "mindmap\n  root((Plan))\n    Parts\n    Tools\n"
WORKSPACE = """workspace {
  model {
    u = person "User"
    s = softwareSystem "Shop" {
      web = container "Web site" "Shows it." "Django"
    }
    u -> web "Reads"
  }
}
"""
DBML = "Table users {\n  id int [pk]\n}\n\nTable posts {\n  id int [pk]\n  author int [ref: > users.id]\n}\n"


def text_of(tab: Tab) -> str:
    return tab.page.get_by_label("Text of the diagram").input_value()


def written(tab: Tab, text: str, shows: str) -> Tab:
    tab.write(text)
    expect(tab.element(shows)).to_be_visible()
    expect(tab.page.locator("#stage")).to_have_attribute("aria-busy", "false")
    return tab


def renamed(tab: Tab, element_id: str, words: str) -> None:
    tab.page.locator(f".picture [data-element-id='{element_id}'] text").first.dblclick()
    expect(tab.page.locator(".caption")).to_be_focused()
    tab.page.keyboard.press("Control+a")
    for number, line in enumerate(words.split("\n")):
        if number:
            tab.page.keyboard.press("Shift+Enter")
        tab.page.keyboard.type(line)
    tab.page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("text", "element_id", "words", "expected"),
    [
        (FLOW, "ship", "Send it", FLOW.replace("Ship it", "Send it")),
        (FLOW, "order", "A [new] order", FLOW.replace("[Order]", '["A [new] order"]')),
        (SEQUENCE, "a", "Berta", SEQUENCE.replace("Anna", "Berta")),
        (STATES, "busy", "Busy", STATES.replace("At work", "Busy")),
        (CLASSES, "duck", "Swan", CLASSES + '  class duck["Swan"]\n'),
        (TABLES, "orders", "Purchases", TABLES + '  orders["Purchases"]\n'),
        (DOT, "b", 'The "second"', DOT.replace("Two", 'The \\"second\\"')),
        (SQL, "person", "human", SQL.replace("person", "human")),
        (DBML, "users", "people", DBML.replace("users", "people")),
        (CONTEXT, "web", "Shop\n[Container: Django]", CONTEXT.replace("Web site", "Shop")),
        (CONTEXT, "web", "Web site\n[Container: Flask]", CONTEXT.replace("Django", "Flask")),
        (SERVICES, "web", "Shop [new]", SERVICES.replace("[Web]", '["Shop [new]"]')),
        (BLOCKS, "b", "Last", BLOCKS.replace("Second", "Last")),
        (NEEDS, "fast", "«Requirement»\nquick", NEEDS.replace("fast", "quick")),
        (MAP, "root", "Idea", MAP.replace("Plan", "Idea")),
        (WORKSPACE, "Shop", "Store\n[Software System]", WORKSPACE.replace("Shop", "Store")),
    ],
    ids=[
        *("flowchart", "flowchart, quoted", "sequence", "states", "classes", "er", "graphviz", "sql", "dbml", "c4"),
        *("c4, technology", "architecture", "block", "requirement", "mindmap", "structurizr"),
    ],
)
def test_a_new_name_is_written_where_the_old_one_was_and_nothing_else_changes(
    draw: Callable[[], Tab], text: str, element_id: str, words: str, expected: str
) -> None:
    studio = written(draw(), text, element_id)
    renamed(studio, element_id, words)
    expect(studio.page.get_by_label("Text of the diagram")).to_have_value(expected)
    studio.page.locator("#stage").press("Control+z")
    expect(studio.page.get_by_label("Text of the diagram")).to_have_value(text)


def pulled(tab: Tab, from_id: str, to_id: str) -> None:
    """A line from one box to another, from the dot at the lower side."""
    tab.element(from_id).click()
    handle = tab.page.locator("[data-handle=bottom]").bounding_box()
    assert handle is not None
    mouse = tab.page.mouse
    mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    mouse.down()
    mouse.move(*tab.middle(to_id), steps=6)
    mouse.up()


@pytest.mark.parametrize(
    ("text", "start", "end", "statements"),
    [
        (FLOW, "ship", "order", ["  node-1[New]", "  ship --> order"]),
        (STATES, "busy", "idle", ['  state "New" as node-1', "  busy --> idle"]),
        (CLASSES, "duck", "animal", ['  class node-1["New"]', "  duck --|> animal"]),
        (TABLES, "orders", "customer", ['  node-1["New"]', '  orders ||--o{ customer : ""']),
        (DOT, "b", "a", ['  "node-1" [label="New"]', '  "b" -> "a"']),
        (SERVICES, "db", "web", ['  service node-1["New"]', "  db:R -- L:web"]),
        (BLOCKS, "b", "a", ['  node_1["New"]', "  b --> a"]),
    ],
    ids=["flowchart", "states", "classes", "er", "graphviz", "architecture", "block"],
)
def test_what_is_drawn_comes_into_the_text_and_leaves_it_again(
    draw: Callable[[], Tab], text: str, start: str, end: str, statements: list[str]
) -> None:
    studio = written(draw(), text, start)
    field = studio.page.get_by_label("Text of the diagram")
    pulled(studio, start, end)
    for statement in statements[1:]:
        expect(field).to_have_value(re.compile(re.escape(statement)))
    box = studio.page.locator("#stage").bounding_box()
    assert box is not None
    studio.page.keyboard.press("Escape")
    studio.page.mouse.dblclick(box["x"] + box["width"] - 120, box["y"] + box["height"] - 180)
    studio.page.keyboard.press("Escape")
    for statement in statements:
        expect(field).to_have_value(re.compile(re.escape(statement)))
    assert text.strip().removesuffix("}").strip() in text_of(studio)
    studio.element("node-1").click()
    studio.page.keyboard.press("Delete")
    expect(field).not_to_have_value(re.compile("node.1"))
    studio.element(start).click()
    studio.page.keyboard.press("Delete")
    expect(field).not_to_have_value(re.compile(rf"(?<!\w){start}(?!\w)"))
    expect(studio.element(end)).to_be_visible()
    studio.page.keyboard.press("Control+z")
    expect(studio.element(start)).to_be_visible()
    expect(field).to_have_value(re.compile(rf"(?<!\w){start}(?!\w)"))


def test_a_place_is_kept_beside_the_text_and_survives_its_edits(draw: Callable[[], Tab]) -> None:
    studio = written(draw(), FLOW, "ship")
    asked: list[str] = []
    studio.page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    studio.drag("ship", 40, 120)
    expect(studio.page.locator("#stage")).to_have_attribute("aria-busy", "false")
    place = studio.middle("ship")
    studio.write(FLOW.replace("Ship it", "Send it") + "  ship --> done[Done]\n")
    expect(studio.element("done")).to_be_visible()
    expect(studio.element("ship")).to_contain_text("Send it")
    assert studio.middle("ship") == pytest.approx(place, abs=1.5)
    assert asked.count("import") == 1
    studio.page.reload()
    expect(studio.element("done")).to_be_visible()
    expect(studio.page.get_by_label("Text of the diagram")).to_have_value(re.compile("Send it"))
    assert text_of(studio).startswith("flowchart LR\n  %% the way")
    renamed(studio, "done", "Over")
    expect(studio.page.get_by_label("Text of the diagram")).to_have_value(re.compile(r"done\[Over\]"))


def test_a_colour_is_written_where_the_language_has_one_and_told_where_it_has_none(draw: Callable[[], Tab]) -> None:
    studio = written(draw(), FLOW, "ship")
    studio.element("ship").click()
    studio.page.locator("#details").get_by_role("button", name="Green").click()
    field = studio.page.get_by_label("Text of the diagram")
    expect(field).to_have_value(re.compile("style ship fill:#dcfce7,stroke:#15803d"))
    expect(studio.page.locator(".problems")).not_to_contain_text("NOT_IN_THE_TEXT")
    studio.page.get_by_role("button", name="New", exact=True).click()
    studio.page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    written(studio, SEQUENCE, "b")
    studio.element("b").locator("text").first.click()
    studio.page.locator("#details").get_by_role("button", name="Green").click()
    expect(studio.page.locator("#spoken")).to_contain_text("Mermaid cannot say the colours of b.")
    expect(studio.page.locator(".problems")).to_contain_text("Mermaid cannot say the colours of b.")
    assert text_of(studio) == SEQUENCE
    studio.page.get_by_role("button", name="Mermaid").click()
    studio.page.get_by_role("menuitemradio", name="Scene JSON").click()
    assert [row.get("style") for row in studio.document()["elements"] if row["id"] == "b"] == [
        {"fill": "#dcfce7", "stroke": "#15803d"}
    ]
    studio.page.get_by_role("button", name="Scene JSON").click()
    studio.page.get_by_role("menuitemradio", name="Mermaid").click()
    expect(field).to_have_value(re.compile("^sequenceDiagram"))


def test_a_frame_and_what_it_takes_come_into_the_text(draw: Callable[[], Tab]) -> None:
    studio = written(draw(), FLOW, "ship")
    field = studio.page.get_by_label("Text of the diagram")
    studio.element("ship").click()
    studio.page.keyboard.press("g")
    studio.page.keyboard.type("Sending")
    studio.page.keyboard.press("Enter")
    expect(field).to_have_value(re.compile(r'subgraph frame-1\["?Sending"?\]\n\s+ship\n'))
    x, y = studio.middle("paid")
    to_x, to_y = studio.middle("shop")
    mouse = studio.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(to_x, to_y + 6, steps=8)
    expect(studio.page.locator("[data-drop-target]")).to_have_attribute("data-element-id", "shop")
    mouse.up()
    expect(field).to_have_value(re.compile(r"subgraph shop\[Shop\][^e]*order\n[^e]*paid.*\n\s*end", re.DOTALL))
    assert "%% the way of an order" in text_of(studio)


def test_the_text_of_a_kept_scene_goes_on_as_its_revisions(draw: Callable[[], Tab], server: Service) -> None:
    studio = written(draw().sign_in(), FLOW, "ship")
    studio.page.get_by_role("button", name="Keep").click()
    studio.state("Kept, revision 1")
    studio.write(FLOW.replace("Ship it", "Send it"))
    studio.state("Kept, revision 2")
    renamed(studio, "paid", "Payed?")
    studio.state("Kept, revision 3")
    expect(studio.page.get_by_label("Text of the diagram")).to_have_value(
        FLOW.replace("Ship it", "Send it").replace("Paid?", "Payed?")
    )


def test_a_text_that_is_broken_meanwhile_waits_until_it_is_whole(draw: Callable[[], Tab]) -> None:
    studio = written(draw(), FLOW, "ship")
    studio.drag("ship", 30, 60)
    studio.write(FLOW + "  ship -->")
    expect(studio.page.locator(".findings")).to_contain_text(re.compile("error|warning"))
    studio.faults = [fault for fault in studio.faults if "422" not in fault and "400" not in fault]
    studio.write(FLOW + "  ship --> done")
    expect(studio.element("done")).to_be_visible()


@pytest.mark.parametrize("form", ["drawio", "bpmn"])
def test_a_file_that_nobody_writes_by_hand_says_every_edit(draw: Callable[[], Tab], server: Service, form: str) -> None:
    source = httpx2.post(f"{server.url}/v1/scenes/import", json={"source": FLOW}, timeout=30).json()["scene"]
    asked = {"scene": source, "format": form}
    text = httpx2.post(f"{server.url}/v1/scenes/render", json=asked, timeout=30).json()["output"]["content"]
    studio = written(draw(), text, "ship")
    renamed(studio, "ship", "Send <it>")
    field = studio.page.get_by_label("Text of the diagram")
    expect(field).to_have_value(re.compile("Send &(amp;)?lt;it&(amp;)?gt;"))
    studio.element("paid").locator("text").click()
    studio.page.keyboard.press("Delete")
    expect(field).not_to_have_value(re.compile("Paid"))
    read = httpx2.post(f"{server.url}/v1/scenes/import", json={"source": text_of(studio)}, timeout=30).json()["scene"]
    names = {row.get("label", row.get("title")) for row in read["elements"] if row["kind"] != "edge"}
    assert {"Order", "Send <it>"} <= names
    assert "Paid?" not in names


COMPOSE = "services:\n  web:\n    image: nginx\n    depends_on: [db]\n  db:\n    image: postgres\n"
MANIFEST = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n"
API = "openapi: 3.0.0\ninfo: {title: Shop, version: '1'}\npaths:\n  /orders: {get: {responses: {}}}\n"
STATE = json.dumps(
    {
        "version": 4,
        "terraform_version": "1.5.0",
        "resources": [{"mode": "managed", "type": "aws_s3_bucket", "name": "logs", "instances": [{}]}],
    }
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Compose", COMPOSE),
        ("Kubernetes", MANIFEST),
        ("OpenAPI", API),
        ("Terraform", STATE),
        ("Structurizr", WORKSPACE),
        ("Mermaid", CONTEXT),
        ("Mermaid", MAP),
    ],
    ids=["compose", "kubernetes", "openapi", "terraform", "structurizr", "c4", "mindmap"],
)
def test_a_box_that_a_language_has_no_statement_for_is_kept_and_told(
    draw: Callable[[], Tab], name: str, text: str
) -> None:
    studio = draw()
    studio.write(text)
    expect(studio.page.locator(".picture [data-element-id]").first).to_be_visible()
    expect(studio.page.locator("#stage")).to_have_attribute("aria-busy", "false")
    expect(studio.page.get_by_role("button", name=name, exact=True)).to_be_visible()
    studio.page.locator("#stage").press("Escape")
    studio.page.mouse.move(1180, 240)
    studio.page.keyboard.type("nMine\n")
    expect(studio.page.locator(".problems")).to_contain_text(f"{name} cannot say Mine.")
    assert text_of(studio) == text
    expect(studio.page.locator(".picture")).to_contain_text("Mine")


def test_json_of_another_tool_is_read_as_its_language_and_no_scene(draw: Callable[[], Tab]) -> None:
    studio = draw()
    box = {"id": "a", "type": "rectangle", "x": 0, "y": 0, "width": 90, "height": 60}
    studio.write(json.dumps({"type": "excalidraw", "version": 2, "elements": [box]}))
    expect(studio.page.locator(".picture [data-element-id]").first).to_be_visible()
    api = {
        "openapi": "3.0.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": {"/orders": {"get": {"responses": {}}}},
    }
    studio.write(json.dumps(api))
    expect(studio.page.locator(".picture").get_by_text("/orders")).to_be_visible()
