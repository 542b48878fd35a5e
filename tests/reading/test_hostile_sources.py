"""Sources that are made to take long. The work is counted in what is looked at, not in time."""

from __future__ import annotations

import json
import time
import zlib
from base64 import b64encode
from contextlib import suppress
from html import escape
from typing import NoReturn
from urllib.parse import quote

import pytest

from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import READERS, Reader, read_source, recognized
from scenograph.reading.source import Source, TooLarge, Unreadable

SIZE = 1 << 18
MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"
MANIFEST = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n"
SELECTING = (
    "---\napiVersion: v1\nkind: Service\nmetadata: {{name: s{0}}}\nspec: {{selector: {{a: x, b: y}}}}\n"
    "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{0}, labels: {{a: x}}}}\nspec: {{}}\n"
)
SERVING = (
    "---\napiVersion: v1\nkind: Service\nmetadata: {{name: s{0}}}\nspec: {{selector: {{a: x}}}}\n"
    "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{0}, labels: {{a: x}}}}\nspec: {{}}\n"
)
ISSUED = "---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {{name: c{0}}}\n"
API = (
    '{"openapi": "3.0.0", "paths": {%s}, "components": {"%s": {"r": {"content": {"a": {"schema": {"allOf": [%s]}}}}}}}'
)
SCHEMAS = '{"openapi": "3.0.0", "paths": {}, "components": {"schemas": {%s}}}'
STATE = '{"version": 4, "terraform_version": "1", "resources": [%s]}'
BLOCK = '{"mode": "managed", "type": "%s", "name": "n%d", "instances": [{"dependencies": [%s]}]}'
PLAN = (
    '{"format_version": "1", "planned_values": {"root_module": {"child_modules": [{"address": "module.m", "resources": '
    '[%s]}]}}, "configuration": {"root_module": {"module_calls": {"m": {"expressions": {"x": {"references": [%s]}},'
    ' "module": {"outputs": {"o": {"expression": {"references": ["var.x"]}}}, "resources": [%s]}}}}}}'
)
REFERRING = '{{"mode": "managed", "type": "a", "name": "n{}", "expressions": {{"x": {{"references": ["var.x"]}}}}}}'
SKETCH = '{"type": "excalidraw", "elements": [%s], "files": {"p": {"dataURL": "data:image/png;base64,%s"}}}'
DRAWN = (
    '{{"id": "n{0}", "type": "{1}", "x": {0}, "y": {0}, "width": {2}, "height": {2}, "fileId": "p", "groupIds": [{3}]}}'
)
SECONDS = 4.0  # of processor time: a quarter of the largest source, with room for a machine that is slow and busy


def boxes(odd: str, even: str, count: int) -> str:
    """A draw.io file of boxes that stand on each other, every other one of a style."""
    cell = '<mxCell id="{0}" vertex="1" {1}><mxGeometry x="{0}" y="{0}" width="{2}" height="{2}"/></mxCell>'
    cells = (cell.format(n, odd if n % 2 else even, 9000 - 2 * n) for n in range(count))
    return f"<mxGraphModel><root>{''.join(cells)}</root></mxGraphModel>"


def labelled(piece: str, count: int = SIZE // 16) -> str:
    """A draw.io file of a box whose label is a piece of HTML over and over."""
    label = escape(piece * count)
    return f'<mxGraphModel><root><mxCell id="a" style="html=1" vertex="1" value="{label}"/></root></mxGraphModel>'


@pytest.mark.parametrize(
    "text",
    [
        "flowchart TB\nA" + "[" * SIZE,
        "flowchart TB\n" + "A[\n" * (SIZE // 3),
        "flowchart TB\n" + "a & " * (SIZE // 4),
        "flowchart TB\n" + "subgraph a\n" * (SIZE // 11),
        "flowchart TB\n" + " & ".join(f"a{n}" for n in range(900)) + " --> " + " & ".join(f"b{n}" for n in range(900)),
        "sequenceDiagram\n" + "a->>b:x;" * (SIZE // 8),
        "erDiagram\nA {\n" + "a~" * (SIZE // 2),
        "erDiagram\nA" + "|" * SIZE,
        "stateDiagram-v2\n" + "state a {\n" * (SIZE // 10),
        "classDiagram\nclass a" + "~" * SIZE,
        "classDiagram\nnamespace " + "a." * (SIZE // 2) + "b {\n}",
        "CREATE TABLE a (" + "(" * SIZE,
        "CREATE TABLE a (b int); " + "'\\" * (SIZE // 2),
        "CREATE TABLE x;" * (SIZE // 15),
        "---\n" + "a: b\n" * (SIZE // 5),
        "<" * SIZE,
        "\n" * SIZE,
        "flowchart TB\n" + "a;" * (SIZE // 2),
        "flowchart TB\n" + " & ".join(["a"] * (SIZE // 4)),
        "classDiagram\nclass a {\n" + "x\n" * (SIZE // 2) + "}",
        "classDiagram\nclass a {\n" + ("(" * 999 + "\n") * (SIZE // 1000) + "}",
        "erDiagram\na {\n" + "x y\n" * (SIZE // 4) + "}",
        "CREATE TABLE a (" + ",".join(f"c{n} int" for n in range(SIZE // 12)) + ");",
        "CREATE TABLE a (b int);\n" + "CREATE x\n" * (SIZE // 9),
        "CREATE TABLE a (b int);\n" + "COPY a FROM stdin;\n" * (SIZE // 19),
        "CREATE TABLE a (b int);\n" + "/*" * (SIZE // 2),
        "CREATE TABLE [a] ([b] NVARCHAR(9));\nGO\n" + "[" * SIZE,
        "CREATE TABLE a (b int);\n" + "/* /* */ " * (SIZE // 9),
        "CREATE TABLE a (b int);\n" + "ALTER TABLE a ADD UNIQUE (b);" * (SIZE // 29),
        "CREATE TABLE a (b int);\n" + "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES a;" * (SIZE // 47),
        "CREATE TABLE t0 (b int primary key);"
        + "".join(f"CREATE TABLE t{n} PARTITION OF t{n - 1} DEFAULT;" for n in range(1, 4900))
        + "ALTER TABLE t0 ADD x int; DROP TABLE t0;",
        "CREATE TABLE t0 (b int primary key);"
        + "".join(f"CREATE TABLE t{n} PARTITION OF t0 DEFAULT;" for n in range(1, 2400))
        + "ALTER TABLE t0 RENAME b TO c; ALTER TABLE t0 RENAME c TO b;" * 2400,
        "".join(f"CREATE TABLE s.t{n} (b int);" for n in range(4000))
        + "ALTER SCHEMA s RENAME TO r; ALTER SCHEMA r RENAME TO s;" * 2400,
        "<mxGraphModel><root>" + "".join(f'<mxCell id="{n}" vertex="1" parent="{n - 1}"/>' for n in range(6000)),
        boxes("style='container=1'", "", 2400),
        boxes("", "", 2400),
        "<mxGraphModel><root>"
        + "".join(f'<mxCell style="shape=mxgraph.aws4.a{n}_{"1_" * 12}" vertex="1"/>' for n in range(SIZE // 90))
        + "</root></mxGraphModel>",
        '<mxGraphModel><root><mxCell style="shape=image;image=data:image/png,'
        + "A" * SIZE
        + '" vertex="1"/></root></mxGraphModel>',
        f'<definitions xmlns="{MODEL}"><process><laneSet>'
        + "<lane/>" * (SIZE // 7)
        + "</laneSet></process></definitions>",
        f'<definitions xmlns="{MODEL}">' + "<a>" * (SIZE // 3),
        labelled("<a b="),
        labelled("<a b='>'"),
        labelled("<!--"),
        labelled("<a" + "a" * (SIZE // 16), 1),
        "services:\n" + " " * SIZE,
        "services:\n" + "\n" * SIZE,
        "# " * (SIZE // 2),
        "/**/" * (SIZE // 4),
        "x -> " + " " * SIZE + ";",
        "services:\n  a:\n    image: x\n    ports: [" + "1," * (SIZE // 2 - 40) + "1]",
        "services:\n" + "".join(f"  s{n}: {{image: x}}\n" for n in range(SIZE // 22)),
        "services:\n  a:\n    image: x\n    ports: " + "[" * (SIZE - 60),
        "services:\n  a:\n    image: x\n    volumes: ['" + "${{}" * (SIZE // 4 - 60) + "']",
        "services:\n  a: {image: x}\nx-a: &a0 [x,x]\n"
        + "".join(f"x-{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40)),
        "x-a: &a {"
        + ",".join(f"k{n}: 1" for n in range(999))
        + "}\nservices:\n"
        + "".join(f"  s{n}: {{<<: *a, image: x}}\n" for n in range(4900)),
        MANIFEST + "  a: [" + "1," * (SIZE // 2 - 60) + "1]",
        MANIFEST + "  a: " + "[" * (SIZE - 60),
        MANIFEST + " " * SIZE,
        "---\n" * (SIZE // 4),
        "---\na\n" * (SIZE // 6) + "---\n" + MANIFEST,
        (MANIFEST + "  a: [\n---\n") * (SIZE // 70),
        MANIFEST + "  a: &a {configMap: {name: x}}\n  b: &b [" + "*a," * 4000 + "*a]\n  c: [" + "*b," * 40 + "*b]\n",
        "".join(SELECTING.format(n) for n in range(SIZE // 200)),
        "Table t {\n" + "[" * SIZE,
        "Table t {\n" + "a b\n" * (SIZE // 4) + "}",
        "Table t {\na b [" + "pk," * (SIZE // 3) + "]\n}",
        "Table t {\na " + "b." * (SIZE // 2) + "\n}",
        "Table t {\n" + 3 * "'" + "\\'" * (SIZE // 2),
        "Table t {}\n" + "/*a" * (SIZE // 3),
        "Table t {}\n" + "Ref: t.a > t.b\n" * (SIZE // 15),
        "Table t {}\n" + "Table {" * (SIZE // 7),
        "table " * (SIZE // 6),
        "TablePartial p {\n" + "a b\n" * 9999 + "}\n" + "Table t {\n" + "~p\n" * (SIZE // 8) + "}",
        "Table t {\n" + "".join(f"c{n} int\n" for n in range(SIZE // 10)) + "}",
        "".join(SERVING.format(n) for n in range(SIZE // 180)),
        "".join(ISSUED.format(n) for n in range(3000)) + "spec: {a: [" + "{issuerRef: {name: a}}," * 14_000 + "]}",
        "digraph {" + "a" * (SIZE // 2) + ' [label="' + "\\N" * (SIZE // 4) + '"]}',
        'digraph { node [label="' + "\\N" * 5000 + '"] ' + " ".join(f"a{n:060}" for n in range(SIZE // 70)) + "}",
        "digraph { node [label=<" + "a<b>" * (SIZE // 8) + ">] " + " ".join(f"a{n}" for n in range(4000)) + "}",
        "digraph {" + "{" * SIZE,
        "digraph {" + "subgraph a { a ->" * (SIZE // 17),
        "digraph {" + "a -> " * (SIZE // 5) + "b}",
        "digraph {" + "a [" + "b=c," * (SIZE // 4) + "]}",
        "digraph { node ["
        + ",".join(f"a{n}=b" for n in range(SIZE // 16))
        + "]"
        + " ".join(f"b{n};" for n in range(4000)),
        "digraph { {"
        + " ".join(f"a{n}" for n in range(2000))
        + "} -> {"
        + " ".join(f"b{n}" for n in range(2000))
        + "} }",
        'digraph { a [label="' + '\\"' * (SIZE // 2),
        "digraph { a [label=" + "<" * SIZE,
        "digraph { a [label=" + "<<b>" * (SIZE // 4),
        'digraph { a [shape=record, label="' + "{|" * (SIZE // 2) + '"] }',
        "digraph { a [label=<" + "<!--" * (SIZE // 4) + ">] }",
        "graph " + "/*a" * (SIZE // 3),
        "digraph { a } /*" + "a/*" * (SIZE // 3),
        "digraph {" + "= ;" * (SIZE // 3),
        API
        % (
            ",".join(f'"/{n}": {{"get": {{"requestBody": {{"$ref": "#/components/x/r"}}}}}}' for n in range(2500)),
            "x",
            ",".join('{"$ref": "#/components/x"}' for _ in range(2500)),
        ),
        SCHEMAS
        % ",".join(
            f'"s{n}": {{"properties": {{"x": {{"allOf": [{",".join([chr(123) + step % (n + 1) + chr(125)] * 50)}]}}}}}}'
            for step in ['"$ref": "#/components/schemas/s%s/properties/x"']
            for n in range(12)
        ),
        SCHEMAS % f'"a": {{"properties": {{{",".join(f"{chr(34)}p{n}{chr(34)}: true" for n in range(SIZE // 12))}}}}}',
        "openapi: 3.0.0\nx-a: &a "
        + "x" * (SIZE // 2)
        + "\npaths:\n"
        + "".join(f"  /{n}: {{get: {{summary: *a, description: *a, tags: [*a]}}}}\n" for n in range(2500)),
        '{"openapi": "3.0.0", "paths": ' + "[" * SIZE,
        SKETCH % (",".join(DRAWN.format(n, "ellipse", 9000 - 2 * n, "") for n in range(2400)), ""),
        SKETCH % (",".join(DRAWN.format(n, "image", 9, "") for n in range(1500)), "A" * (SIZE // 3)),
        SKETCH % (",".join(DRAWN.format(n, "ellipse", 9, f'"g{n}", "g{n + 1}"') for n in range(2000)), ""),
        '{"type": "excalidraw", "elements": ' + "[" * SIZE,
        PLAN
        % (
            ",".join(BLOCK % ("a", n, "") for n in range(1200)),
            ",".join(['"module.m.o"'] * 1200),
            ",".join(REFERRING.format(n) for n in range(1200)),
        ),
        STATE % ",".join(BLOCK % ("a", n, ",".join(f'"a.n{m}"' for m in range(150) if m != n)) for n in range(150)),
        STATE % ",".join(BLOCK % ("aws_a_attachment", n, f'"aws_a_attachment.n{n + 1}", "a.n1"') for n in range(2500)),
        STATE % ",".join(BLOCK % (f"aws_{'q_' * 40}{n}", n, "") for n in range(1500)),
        '{"version": 4, "terraform_version": "1", "resources": ' + "[" * SIZE,
        "C4Context\nRel(" + " " * SIZE,
        "C4Context\n" + "Rel(a, b, (((\n" * (SIZE // 14),
        "C4Context\n" + "".join(f"Boundary(b{n}, B) {{\n" for n in range(3000)) + "System(s, S)\n" * 9000,
        "architecture-beta\n" + "".join(f"group g{n + 1} in g{n}\n" for n in range(5000)),
        "architecture-beta\ngroup g0\n"
        + "".join(f"group g{n + 1} in g{n}\n" for n in range(2400))
        + "service s in g2400\nservice t\n"
        + "s:L -- R:t\n" * 2400,
        "architecture-beta\nservice a\n" + "".join(f"service b{n}\na:L -- R:b{n}\n" for n in range(2400)),
        "architecture-beta\nservice a" + " " * SIZE + "x",
        "block\n" + "block\n" * 4000 + "a\n" + "end\n" * 4000,
        "block\n" + "a" * SIZE,
        "block\na" + " --" * (SIZE // 3),
        "mindmap\n" + "\n".join(" " * n + "a" for n in range(700)),
        "mindmap\n a" + '("`' * (SIZE // 3),
        "requirementDiagram\nelement a {\n" + "type: b\n" * (SIZE // 8),
        "requirementDiagram\n" + "a - " * (SIZE // 4),
        "requirementDiagram\n" + "a" * SIZE,
        "requirementDiagram\nelement a" + " " * SIZE,
        'workspace {\nmodel {\na = person "A"\n}\nviews {\n' + "systemLandscape {\n}\n" * 5000 + "}\n}",
        "digraph {" + " subgraph cluster_a {" * 50 + " x" + "}" * 50 + "subgraph cluster_a { x } " * (SIZE // 30) + "}",
    ],
    ids=range(125),
)
def test_hostile_sources_are_left_soon(text: str) -> None:
    begun = time.process_time()
    with suppress(Unreadable, TooLarge):
        read_source(Source(text=text, icons=KnownIcons()))
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    "text",
    [
        "a:{" * (SIZE // 3),
        "a: [\n" * (SIZE // 5),
        "a: |md x\n" * (SIZE // 9),
        "a:'';" * (SIZE // 5),
        "a -> " * (SIZE // 5),
        '"""' * (SIZE // 3),
        "\n".join(f"a{n}" for n in range(4000)) + "\n*.style.fill: red" * 4000,
        "a -> b\n" * 4000 + "(a -> b)[*].style.fill: red\n" * 4000,
        "\n".join(f"a{n} -> b" for n in range(3000)) + "\n(** -> **)[*].style.fill: red" * 3000,
        "\n".join(f"a -> b{n}" for n in range(5000)) + "\n".join(f"\nb{n}: null" for n in range(5000)),
        "shape: sequence_diagram\n" + "\n".join(f"a.{'t.' * 17}t -> b" for _ in range(4000)),
        "\n".join(f"{'x.' * 17}a{n} -> {'x.' * 17}b{n}" for n in range(2500)),
        "a: |md\n" + "*_`a" * (SIZE // 4) + "\n|",
        "a: |md\n" + "[" * SIZE + "\n|",
    ],
    ids=range(14),
)
def test_hostile_texts_of_d2_are_left_soon(text: str) -> None:
    begun = time.process_time()
    with suppress(Unreadable, TooLarge):
        read_source(Source(text=text, icons=KnownIcons()), "d2")
    assert time.process_time() - begun < SECONDS


def test_a_page_full_of_escapes_is_read_piece_by_piece() -> None:
    model = '<mxGraphModel><root><mxCell id="a" vertex="1" value="{}"/></root></mxGraphModel>'
    for text in ("\u00e4" * 40_000, "x" * 65_534 + "\u00e4"):
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = deflate.compress(quote(model.format(text)).encode()) + deflate.flush()
        source = f"<mxfile><diagram>{b64encode(data).decode()}</diagram></mxfile>"
        label = read_source(Source(text=source)).document["elements"][0]["label"]
        assert label == f"{text[:1999]}…"


@pytest.mark.parametrize("form", list(READERS))
def test_more_elements_than_allowed_are_refused(form: str) -> None:
    texts = {
        "mermaid": "graph LR\n" + "".join(f"a{n} --> a{n + 1}\n" for n in range(60)),
        "bpmn": '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process>'
        + "".join(f'<task id="t{n}"/>' for n in range(60))
        + "</process></definitions>",
        "drawio": "<mxGraphModel><root>"
        + "".join(f'<mxCell id="c{n}" vertex="1"/>' for n in range(60))
        + "</root></mxGraphModel>",
        "excalidraw": SKETCH % (",".join(DRAWN.format(n, "ellipse", 9, "") for n in range(60)), ""),
        "sql": "".join(f"CREATE TABLE t{n} (id int);" for n in range(60)),
        "compose": "services:\n" + "".join(f"  s{n}: {{image: x}}\n" for n in range(60)),
        "openapi": SCHEMAS % ",".join(f'"s{n}": {{}}' for n in range(60)),
        "terraform": STATE % ",".join(BLOCK % ("a", n, "") for n in range(60)),
        "dbml": "".join(f"Table t{n} {{ a int }}\n" for n in range(60)),
        "graphviz": "graph {" + "".join(f" a{n};" for n in range(60)) + "}",
        "plantuml": "@startuml\n" + "".join(f"class a{n}\n" for n in range(60)) + "@enduml",
        "structurizr": "workspace {\nmodel {\n" + "".join(f'a{n} = person "{n}"\n' for n in range(60)) + "}\n}",
        "d2": "".join(f"a{n}\n" for n in range(60)),
        "kubernetes": "".join(f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{n}}}\n" for n in range(60)),
    }
    with pytest.raises(TooLarge):
        read_source(Source(text=texts[form], most_elements=50), form)


def outputs_through_modules(count: int) -> str:
    calls = {
        f"m{at}": {
            "expressions": {"x": {"references": [f"module.m{at + 1}.o"] if at + 1 < count else []}},
            "module": {"outputs": {"o": {"expression": {"references": ["var.x"]}}}},
        }
        for at in range(count)
    }
    said = {"mode": "managed", "type": "a", "name": "n"}
    row = {**said, "expressions": {"x": {"references": ["module.m0.o"]}}}
    return json.dumps(
        {
            "format_version": "1",
            "planned_values": {"root_module": {"resources": [said]}},
            "configuration": {"root_module": {"resources": [row], "module_calls": calls}},
        }
    )


def variables(last: str, link: str, *, is_reversed: bool = False) -> str:
    """D2 with a chain of variables, used from its begin."""
    rows = [f"  v{at}: {link.replace('@', '${v' + str(at + 1) + '}')}" for at in range(400)] + [f"  v400: {last}"]
    return "\n".join(["vars: {", *(rows[::-1] if is_reversed else rows), "}", "a: ${v0}"])


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("d2", variables("end", "@")),
        ("d2", variables("{b}", "{...@}")),
        ("d2", variables("{b}", "{x: @}", is_reversed=True)),
        ("terraform", outputs_through_modules(200)),
    ],
    ids=["variables", "spreads", "members", "modules"],
)
def test_a_chain_of_any_length_is_read_or_refused(form: str, text: str) -> None:
    with pytest.raises((Unreadable, TooLarge)):
        read_source(Source(text=text), form)


def test_a_reader_that_goes_too_deep_refuses_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(*_: object) -> NoReturn:
        raise RecursionError

    monkeypatch.setattr("scenograph.reading.readers.READERS", {"d2": Reader(deep, deep)})
    with pytest.raises(Unreadable, match="fewer levels"):
        read_source(Source(text="a"), "d2")
    with pytest.raises(Unreadable, match="fewer levels"):
        recognized("a")
