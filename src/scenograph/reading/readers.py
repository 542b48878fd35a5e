"""READERS: how each foreign format is read, and the front door of this room.

A format is one module, or a folder of some, one row here and one in `wire/source_formats.py`. `recognizes` tells from
the text alone whether a source is of the format; rows are asked in order when the caller names none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading import (
    bpmn,
    compose,
    d2,
    dbml,
    drawio,
    excalidraw,
    graphviz,
    kubernetes,
    mermaid,
    openapi,
    plantuml,
    structurizr,
    terraform,
)
from scenograph.reading.source import Import, Losses, Place, Source, Unreadable, shown
from scenograph.reading.sql import dialects
from scenograph.scene.json_values import JsonObject, listed
from scenograph.wire.source_formats import SOURCE_FORMATS

# _LIKENESSES: recognizable texts without a reader, and the next step for each.

LOOKED_AT = 10_000  # characters from the beginning


class Likeness(NamedTuple):
    """A kind of text: pattern, name with an article, and the next step."""

    pattern: re.Pattern[str]
    name: str
    step: str


def _row(pattern: str, name: str, step: str) -> Likeness:
    return Likeness(re.compile(pattern, re.MULTILINE | re.IGNORECASE), name, step)


_AS_FLOWCHART = "Write its parts and their relations as a Mermaid flowchart."
_AS_RESOURCES = "Give resources of Kubernetes, as `helm template` and `kustomize build` write them."
_AS_SHOWN = "`terraform show -json` writes plans and states that are read."
_AS_MENDED = "Mend it: a linter names the places."
_AS_OPENAPI = "`npx swagger2openapi FILE` writes OpenAPI 3."
_AS_MERMAID = "Write it as Mermaid."
_AS_TABLES = "Write its tables as SQL or as a Mermaid erDiagram."
_JSON, _YAML, _XML = r"\A\s*[\[{](?=[\s\S]*?", r"\A(?![\s]*[<{\[@])(?=[\s\S]*?^", r"\A\s*(?=<)(?=[\s\S]*?"

# The first matching row counts: narrow patterns precede wide ones.
_LIKENESSES = (
    _row(r"\A\s*\Z", "an empty text", "Give the source of a diagram."),
    _row(r"\APK\x03\x04|\A%PDF|[\0\ufffd]", "a binary file", "Give the text of a source, or a draw.io file."),
    _row(_JSON + r'"schemaVersion")(?=[\s\S]*?"elements")', "a scene of Scenograph", "It needs no import: render it."),
    _row(
        _JSON + r'"type"\s*:\s*"excalidraw)', "a library of Excalidraw or a broken file", "Give a file with elements."
    ),
    _row(_JSON + r'"terraform_version")', "an old, empty or broken state of Terraform", _AS_SHOWN),
    _row(_JSON + r'"swagger"\s*:)', "a description of Swagger 2", _AS_OPENAPI),
    _row(_JSON + r'"openapi"\s*:)', "a broken or empty OpenAPI description", _AS_MENDED),
    _row(_JSON + r'"asyncapi"\s*:)', "an AsyncAPI description", _AS_FLOWCHART),
    _row(_JSON + r'"apiVersion"\s*:)(?=[\s\S]*?"kind"\s*:)', "a manifest of another tool", _AS_RESOURCES),
    _row(_JSON + r'"\$schema"\s*:\s*"[^"]*json-schema)', "a JSON Schema", _AS_TABLES),
    _row(
        r"^[ \t]*!include\b|^[ \t]*skinparam\b",
        "a PlantUML diagram without @startuml",
        "Put it between @startuml and @enduml.",
    ),
    _row(
        r"^[ \t]*(?:datasource|generator)\s+\w+\s*\{|^[ \t]*model\s+\w+\s*\{[\s\S]{0,500}?@(?:id|relation|default)\b",
        "a Prisma schema",
        "`prisma migrate diff --from-empty --to-schema-datamodel FILE --script` writes SQL.",
    ),
    _row(
        r"^[ \t]*(?:type|interface|input|enum)\s+\w+[^\n{]*\{\s*\n(?:\s*(?:#|\"|\w+(?:\([^\n]*\))?\s*:)[^\n]*\n)",
        "a GraphQL schema",
        "Write its types as a Mermaid classDiagram.",
    ),
    _row(
        r"^[ \t]*(?:resource|module|provider|variable|data|terraform|locals)\s+(?:\"[^\"\n]+\"\s*){0,2}\{",
        "a Terraform configuration",
        _AS_SHOWN,
    ),
    _row(_YAML + r"openapi\s*:\s*[\"']?3)", "a broken or empty OpenAPI description", _AS_MENDED),
    _row(_YAML + r"swagger\s*:\s*[\"']?2)", "a description of Swagger 2", _AS_OPENAPI),
    _row(_YAML + r"asyncapi\s*:)", "an AsyncAPI description", _AS_FLOWCHART),
    _row(
        _YAML + r"apiVersion\s*:\s*\S)(?=[\s\S]*?^kind\s*:\s*\S)",
        "a template or an overlay of manifests",
        _AS_RESOURCES,
    ),
    _row(
        _YAML + r"services[ \t]*:[ \t]*$)(?=[\s\S]*?^[ \t]+(?:image|build)[ \t]*:)",
        "a compose file with members that compose does not have",
        "Say that its format is compose, which leaves them out.",
    ),
    _row(
        r"\A(?:[ \t]*(?:#[^\n]*|---)?\n)*[\w.-]+[ \t]*:[ \t]*\n(?:[ \t]*#[^\n]*\n)*[ \t]+(?:image|build)[ \t]*:",
        "a compose file of version 1",
        "Put its services under `services:`.",
    ),
    _row(
        _YAML + r"(?:on\s*:[\s\S]*?^jobs|stages|pipeline|jobs)\s*:)",
        "a pipeline of continuous integration",
        _AS_FLOWCHART,
    ),
    _row(_YAML + r"AWSTemplateFormatVersion\s*:)", "a CloudFormation template", _AS_FLOWCHART),
    _row(r"\A\s*(?:<!doctype html|<html\b)", "a page of HTML", "Give the source of the diagram in it."),
    _row(_XML + r"<svg\b)", "an SVG picture", "Give the source that it was drawn from."),
    _row(_XML + r"<graphml\b)", "a GraphML file", "Open it in draw.io or yEd and export it, or write it as Mermaid."),
    _row(_XML + r"(?:xmi:|<uml:))", "a UML model in XMI", "Export it as Mermaid or draw.io."),
    _row(_XML + r"VisioDocument)", "a Visio drawing", "Open it in draw.io, which reads it, and save it there."),
    _row(_XML + r"archimate)", "an ArchiMate model", _AS_FLOWCHART),
    _row(r"\A\s*<\?xml|\A\s*<[a-z][\w:.-]*[\s>]", "XML, neither BPMN nor draw.io", "Export it as BPMN 2.0 or draw.io."),
    _row(
        r"\A\s*[\[{](?:\s*[\"{\[\]}]|\s*-?\d)", "JSON that is no diagram", "Give a scene, or the source of a diagram."
    ),
    _row(r"[┌┐└┘─│╭╮╰╯├┤┬┴┼]|^[ \t]*\+-{2,}\+", "a drawing made of characters", "Write it as Mermaid."),
    _row(
        r"^[^\n]{1,200}(?:-->|-\.->|==>|->>|\|\|--|--\|>|o--|<\|--)",
        "Mermaid without a first line that says its kind",
        "Begin with the kind, such as flowchart TB or sequenceDiagram.",
    ),
    _row(r"^[ \t]*\[[^\]\n]+\]\s*(?:-+|<-|->|-:>|o-|\+-)+>?\s*\[[^\]\n]+\]", "a nomnoml diagram", _AS_MERMAID),
    _row(
        r"^[ \t]*(?:SELECT|INSERT|UPDATE|DELETE|GRANT|WITH|CREATE|ALTER|DROP|USE)\s[^\n]*(?:;|\n)",
        "SQL that defines no tables",
        "Give the statements CREATE TABLE.",
    ),
    _row(
        r"^(?:```|~~~)\s*(?:plantuml|puml|dot|graphviz|d2|dbml|structurizr|bpmn|sql)\b",
        "a Markdown page with a diagram that is not Mermaid",
        "Give the content of its fence alone.",
    ),
    _row(
        r"^[ \t]*(?:#!|import\s+[\w.{*\"']|from\s+\w+[\w.]*\s+import|package\s+\w|def\s+\w+\(|"
        r"class\s+\w+[^\n]*[:{]|function\s+\w+|"
        r"public\s+class|const\s+\w+\s*=|#include\b|fn\s+\w+\()",
        "the code of a program",
        "Describe its parts and their relations as a Mermaid flowchart or classDiagram.",
    ),
    _row(
        r"\A(?:[ \t]*(?:(?:#|---)[^\n]*)?\n)*[ \t]*(?:- +)?[\w\"'.-]+\s*:(?:\s|$)",
        "YAML that is no diagram",
        "Give the source of a diagram, or its parts as a Mermaid flowchart.",
    ),
    _row(
        r"^ {0,3}#{1,6}\s+\S|^ {0,3}[-*]\s+\S[^\n]*\n {0,3}[-*]\s+\S",
        "a Markdown page without a diagram",
        "Give the source of a diagram, or a page with a ```mermaid fence.",
    ),
    _row(
        r"\A(?:[^\n,;]*[,;\t][^\n]*\n){2,}", "a table of values", "Write its rows as the lines of a Mermaid flowchart."
    ),
    _row(r"\A(?:[ \t]*(?:[#;\[][^\n]*|[\w.-]+[ \t]*=[^\n]*)?\n){2,}", "a file of settings", _AS_FLOWCHART),
    _row(r"\w", "prose", "Write what it tells as a Mermaid flowchart."),
)


def likeness(text: str) -> str:
    """Sentences on the kind of an unsupported text, and the next step; "" for an unknown kind."""
    head = text.removeprefix("\ufeff")[:LOOKED_AT]
    found = next((row for row in _LIKENESSES if row.pattern.search(head)), None)
    return "" if found is None else f"It looks like {found.name}, which is not read. {found.step}"


_SHALLOW = "a source whose parts hold or follow each other in fewer levels"


class Reader(NamedTuple):
    """A row of READERS. `read` raises Unreadable if no part is understood, TooLarge beyond the limit."""

    recognizes: Callable[[str], bool]
    read: Callable[[Source, Losses], JsonObject]


def _read_sql(source: Source, losses: Losses) -> JsonObject:
    """Import on use: the patterns and rows of SQL take long to build, to be spared by other formats."""
    from scenograph.reading.sql.reader import read  # noqa: PLC0415

    return read(source, losses)


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "structurizr": Reader(structurizr.recognizes, structurizr.read),
        "graphviz": Reader(graphviz.recognizes, graphviz.read),
        "openapi": Reader(openapi.recognizes, openapi.read),
        "mermaid": Reader(mermaid.recognizes, mermaid.read),
        "plantuml": Reader(plantuml.recognizes, plantuml.read),
        "bpmn": Reader(bpmn.recognizes, bpmn.read),
        "drawio": Reader(drawio.recognizes, drawio.read),
        "excalidraw": Reader(excalidraw.recognizes, excalidraw.read),
        "compose": Reader(compose.recognizes, compose.read),
        "kubernetes": Reader(kubernetes.recognizes, kubernetes.read),
        "terraform": Reader(terraform.recognizes, terraform.read),
        "dbml": Reader(dbml.recognizes, dbml.read),
        "d2": Reader(d2.recognizes, d2.read),
        "sql": Reader(dialects.recognizes, _read_sql),
    }
)


def read_source(source: Source, form: str | None = None) -> Import:
    """The document of a source, read as `form`, or as its recognized format. Raises Unreadable, TooLarge."""
    known = form or recognized(source.text)
    losses = Losses()
    if source.page is not None and not SOURCE_FORMATS[known].has_pages:
        losses.formless(Place(1), f"page {source.page} is not chosen, because a source of the format {known} has none")
    if source.dialect is not None and not SOURCE_FORMATS[known].dialects:
        what = f"the dialect {shown(source.dialect)} is not used, because a source of the format {known} has none"
        losses.formless(Place(1), what)
    if source.view is not None and not SOURCE_FORMATS[known].has_views:
        what = f"the view {shown(source.view)} is not chosen, because a source of the format {known} has none"
        losses.formless(Place(1), what)
    try:
        document = READERS[known].read(source, losses)
    except RecursionError:
        raise Unreadable(losses.first or Place(1, 1), _SHALLOW) from None
    except Unreadable as refused:
        hint, meant = (refused.hint, "") if refused.hint else _hint(source.text, known, losses)
        raise type(refused)(refused.place, refused.expected, hint, meant) from refused
    return Import(document, known, losses.rows(), losses.whole)


def recognized(text: str) -> str:
    """The format of a text. Raises Unreadable for an unknown format."""
    found = _recognized(text)
    if found is None:
        raise Unreadable(Place(1, 1), f"a source of one of: {listed(list(SOURCE_FORMATS))}", likeness(text))
    return found


def _recognized(text: str) -> str | None:
    try:
        return next((name for name, reader in READERS.items() if reader.recognizes(text)), None)
    except RecursionError:
        raise Unreadable(Place(1, 1), _SHALLOW) from None


def _hint(text: str, form: str, losses: Losses) -> tuple[str, str]:
    """A sentence on the apparent format of a text requested as another format, and the name of the format; else the
    first part that was not read, or the text's likeness."""
    other = _recognized(text)
    if other not in (None, form):
        return f"It looks like {other}. Import it with the format {other}.", other
    if losses.reason:
        return f"{losses.reason[:1].upper()}{losses.reason[1:]}.", ""
    return ("" if other else likeness(text)), ""
