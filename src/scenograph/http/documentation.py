"""The documentation page, made from the OpenAPI description: one HTML text that loads and runs nothing.

Everything in it is escaped; where there is an example there is a command line to try it with.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from string import Template
from typing import Any, cast

from starlette.responses import HTMLResponse

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
DEFAULT_ADDRESS = "http://127.0.0.1:3000"
Json = Mapping[str, Any]

_PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title $version</title>
<style>
:root { --ink: #1c2430; --quiet: #5b6675; --line: #dfe4ea; --ground: #fff; --shade: #f5f7f9;
  --get: #0a6c74; --post: #8a4b08 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --quiet: #9aa5b4; --line: #333b47; --ground: #171b21; --shade: #1f252d;
    --get: #5cc8cf; --post: #e8a862 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 3rem 1.5rem 6rem; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif }
h1 { font-size: 1.9rem; margin: 0 } h1 small { color: var(--quiet); font-weight: 400; font-size: 1rem }
h2 { font-size: 1.15rem; margin: 3.5rem 0 0; text-transform: capitalize }
nav ul { list-style: none; padding: 0; columns: 2; column-gap: 2rem } nav li { break-inside: avoid; padding: .15rem 0 }
article { border-top: 1px solid var(--line); margin-top: 1.25rem; padding-top: 1.25rem }
h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 0; overflow-wrap: anywhere }
a { color: inherit } a:hover, a:focus { color: var(--get) }
.method { color: var(--get) } .post { color: var(--post) } .quiet { color: var(--quiet) }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .9rem }
td, th { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
code, pre { font-family: ui-monospace, monospace; font-size: .85rem }
pre { background: var(--shade); border-radius: 6px; padding: .85rem 1rem; overflow-x: auto; margin: .75rem 0 }
</style></head><body>
<h1>$title <small>$version</small></h1>
$introduction
<p class="quiet">Machine-readable: <a href="/openapi.json">OpenAPI</a>,
<a href="/schemas/scene.schema.json">scene schema</a>, <a href="/schemas/ops.schema.json">operations schema</a>.</p>
<nav><ul>$contents</ul></nav>
$sections
</body></html>
""")


def page(description: Json) -> HTMLResponse:
    """The page for an OpenAPI description."""
    operations = _operations(description)
    tags = dict.fromkeys(operation["tags"][0] for _, _, operation in operations)
    sections = [
        f"<h2>{escape(tag)}</h2>"
        + "".join(_article(description, *row) for row in operations if row[2]["tags"][0] == tag)
        for tag in tags
    ]
    html = _PAGE.substitute(
        title=escape(description["info"]["title"]),
        version=escape(description["info"]["version"]),
        introduction=_paragraphs(description["info"]["description"]),
        contents="".join(_entry(*row) for row in operations),
        sections="".join(sections),
    )
    return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})


def _operations(description: Json) -> list[tuple[str, str, Json]]:
    paths = cast("Mapping[str, Json]", description["paths"])
    return [(method.upper(), path, operation) for path, item in paths.items() for method, operation in item.items()]


def _entry(method: str, path: str, operation: Json) -> str:
    return (
        f'<li><a href="#{escape(operation["operationId"])}">{escape(operation["summary"])}</a>'
        f' <code class="quiet">{method} {escape(path)}</code></li>'
    )


def _article(description: Json, method: str, path: str, operation: Json) -> str:
    key = "" if operation.get("security") else ' <span class="quiet">no key</span>'
    return (
        f'<article id="{escape(operation["operationId"])}">'
        f'<h3><span class="method {method.lower()}">{method}</span> {escape(path)}{key}</h3>'
        f"{_paragraphs(operation.get('description', ''))}{_parameters(operation)}"
        f"{_example(description, method, path, operation)}{_replies(description, operation)}</article>"
    )


def _parameters(operation: Json) -> str:
    rows = [
        (
            f"<code>{escape(row['name'])}</code> <span class='quiet'>{escape(row['in'])}</span>",
            _inline(row["description"]),
        )
        for row in operation.get("parameters", ())
    ]
    return _table(rows)


def _example(description: Json, method: str, path: str, operation: Json) -> str:
    servers = description.get("servers") or [{"url": DEFAULT_ADDRESS}]
    lines = [f"curl {servers[0]['url']}{path.replace('{sceneId}', 'checkout')}"]
    if operation.get("security"):
        lines.append("-H 'Authorization: Bearer '$API_KEY")
    body = operation.get("requestBody")
    if body is None:
        return f"<pre>{escape(' '.join(lines))}</pre>" if method == "GET" else ""
    example = json.dumps(body["content"]["application/json"]["example"], indent=2)
    lines += ["-H 'Content-Type: application/json'", f"-d '{example}'"]
    return f"<pre>{escape(' '.join(lines))}</pre>"


def _replies(description: Json, operation: Json) -> str:
    responses = cast("Mapping[str, Json]", operation["responses"])
    rows = [(f"<code>{escape(status)}</code>", _reply(description, reply)) for status, reply in responses.items()]
    return _table(rows)


def _reply(description: Json, reply: Json) -> str:
    content = cast("Mapping[str, Json]", reply.get("content", {}))
    schema = content.get("application/json", {}).get("schema", {})
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    fields = cast("Json", description["components"]["schemas"].get(name, {}).get("properties", {}))
    if not fields:
        return _inline(reply["description"])
    others = "".join(f", or <code>{escape(kind)}</code>" for kind in content if kind != "application/json")
    return ", ".join(f"<code>{escape(field)}</code>" for field in fields) + others


def _table(rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(f"<tr><td>{first}</td><td>{second}</td></tr>" for first, second in rows)
    return f"<table>{body}</table>" if body else ""


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def _inline(text: str) -> str:
    """Escaped, with what stands between backticks as code."""
    pieces = escape(text, quote=False).split("`")
    return "".join(f"<code>{piece}</code>" if odd % 2 else piece for odd, piece in enumerate(pieces))
