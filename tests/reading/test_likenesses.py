"""Sources that no reader takes: the refusal names what they look like and what to do. (R-IN-7)"""

from __future__ import annotations

import re

import pytest

from scenograph.reading.readers import read_source
from scenograph.reading.source import Source, Unreadable

SAMPLES = [
    ("  \n", "an empty text"),
    ("!include a.puml\nskinparam x y\nactor A\n", "a PlantUML diagram without @startuml"),
    ("services:\n  web:\n    image: nginx\nstages: 1\n", "a compose file with members that compose does not have"),
    ("# old\nweb:\n  image: nginx\n", "a compose file of version 1"),
    ("apiVersion: v1\nkind: Service\n", "a template or an overlay of manifests"),
    ("openapi: 3.1.0\ninfo: {}", "a broken or empty OpenAPI description"),
    ('{"openapi": "3.0.0", "info": {}}', "a broken or empty OpenAPI description"),
    ('{"swagger": "2.0"}', "a description of Swagger 2"),
    ('{"version": 3, "terraform_version": "0.11.0"}', "an old, empty or broken state of Terraform"),
    ('{"type": "excalidrawlib", "library": []}', "a library of Excalidraw or a broken file"),
    ('{"schemaVersion": "0.1", "elements": []}', "a scene of Scenograph"),
    ('{"a": 1}', "JSON that is no diagram"),
    ("a: 1\nb:\n  - c\n", "YAML that is no diagram"),
    ("model User {\n  id Int @id\n}", "a Prisma schema"),
    ('resource "aws_s3_bucket" "b" {\n}', "a Terraform configuration"),
    ("<svg xmlns='x'></svg>", "an SVG picture"),
    ("<?xml version='1.0'?><a/>", "XML, neither BPMN nor draw.io"),
    ("SELECT * FROM a;\n", "SQL that defines no tables"),
    ("import os\n\nprint(1)\n", "the code of a program"),
    ("a,b\n1,2\n3,4\n", "a table of values"),
    ("┌──┐\n│a │\n└──┘", "a drawing made of characters"),
    ("# Title\n\nSome text.\n", "a Markdown page without a diagram"),
    ("A --> B\nB --> C", "Mermaid without a first line"),
    ("The user sends a request to the gateway.", "prose"),
    ("用户向网关发送请求。", "prose"),
    ("mindmap is a word", "prose"),
    ("graph of sales {2024}", "prose"),
    ("We moved from Jenkins -> GitHub Actions: it was worth it.", "prose"),
    ("fn main() -> i32 {\n  let x: i32 = 1;\n}\n", "the code of a program"),
    ("- hosts: all\n  tasks: []\n", "YAML that is no diagram"),
    ("a: &a [1, 1]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", "YAML that is no diagram"),
    ("gantt\n  title x", "a Gantt chart of Mermaid"),
    ("timeline\n  title x", "a timeline of Mermaid"),
    ("xychart-beta\n  x", "an XY chart of Mermaid"),
]


@pytest.mark.parametrize(("text", "name"), SAMPLES)
def test_a_refusal_names_what_a_source_looks_like_and_the_next_step(text: str, name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Source(text=text))
    assert refused.value.hint.startswith(f"It looks like {name}")
    assert len(re.findall(r"[.](?:\s|$)", refused.value.hint)) >= 2


def test_a_source_of_another_format_than_said_is_told_its_own() -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Source(text="flowchart LR\n a --> b"), "bpmn")
    assert refused.value.hint == "It looks like mermaid. Import it with the format mermaid."


def test_a_misspelt_kind_is_told_the_right_one() -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Source(text="sequencediagram\n A->>B: x"), "mermaid")
    assert refused.value.hint == "It looks like Mermaid. Its first word is sequenceDiagram, not sequencediagram."


@pytest.mark.parametrize(
    ("text", "form", "told"),
    [
        ("use * from './base'\n\nRef: users.id > products.id\n", "dbml", "Other files are not read"),
        ("workspace extends ../model.dsl {\n}\n", "structurizr", "The workspace that is extended is in another file"),
        ("ALTER TABLE users ADD COLUMN age int;\n", "sql", "'users' is changed, and is not defined here."),
    ],
)
def test_a_source_of_which_nothing_is_drawn_says_what_it_held_instead(text: str, form: str, told: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Source(text=text), form)
    assert refused.value.hint.startswith(told)
