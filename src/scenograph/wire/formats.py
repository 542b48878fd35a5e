"""FORMATS: every export format, a row each. The pipeline, the workers, HTTP, the command line and the tools read this
table.

A new format is a module in `engine/write/`, a row here and its function in `engine/write/writers.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scenograph.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A row. `label` is the format's name for people, `title` its description in replies; `binary` content is base64
    within JSON; `families` are the supported diagram families (None: all); `embeds`: whether a picture may carry its
    scene; `has_pages`: whether it has the size of a page; `is_themed`: whether it has the colours of a theme;
    `reads` are the options of a picture that not every format obeys (`scale`, `text`)."""

    name: str
    media_type: str
    suffix: str
    label: str
    title: str
    binary: bool = False
    families: frozenset[str] | None = None
    embeds: bool = False
    has_pages: bool = False
    is_themed: bool = True
    reads: frozenset[str] = frozenset()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a bare picture."""
        if self.media_type.endswith("json"):
            return {"type": "object"}
        return {"type": "string", "format": "binary"} if self.binary else {"type": "string"}

    def holds(self, family: str | None) -> bool:
        """Whether the format supports scenes of a family; None is a scene without a declared family."""
        return self.families is None or family in self.families


SVG = Format(
    name="svg",
    media_type="image/svg+xml",
    suffix=".svg",
    label="SVG",
    title="A self-contained SVG document.",
    embeds=True,
    has_pages=True,
    reads=frozenset({"text"}),
)
PNG = Format(
    name="png",
    media_type="image/png",
    suffix=".png",
    label="PNG",
    title="A PNG.",
    binary=True,
    embeds=True,
    has_pages=True,
    reads=frozenset({"scale"}),
)
EXCALIDRAW = Format(
    name="excalidraw",
    media_type="application/vnd.excalidraw+json",
    suffix=".excalidraw",
    label="Excalidraw",
    title="An Excalidraw file (version 2).",
)

PDF = Format(
    name="pdf",
    media_type="application/pdf",
    suffix=".pdf",
    label="PDF",
    title="A PDF of one page: vectors, embedded fonts, text that can be selected, links.",
    binary=True,
    has_pages=True,
)
MERMAID = Format(
    name="mermaid",
    media_type="text/vnd.mermaid",
    suffix=".mmd",
    label="Mermaid",
    title="The graph as a Mermaid diagram: flowchart, sequence, entity relationships, states or classes.",
    is_themed=False,
)
DRAWIO = Format(
    name="drawio",
    media_type="application/vnd.jgraph.mxfile",
    suffix=".drawio",
    label="draw.io",
    title="A draw.io file: native shapes, real containers, connectors bound at both ends.",
    has_pages=True,
)

PPTX = Format(
    name="pptx",
    media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
    suffix=".pptx",
    label="PowerPoint",
    title="A PowerPoint file of one slide: native shapes, connectors glued at both ends.",
    binary=True,
    has_pages=True,
)

TEXT = Format(
    name="text",
    media_type="text/plain",
    suffix=".txt",
    label="Plain text",
    title="The picture in Unicode box-drawing characters, at most 200 columns.",
    is_themed=False,
)
BPMN = Format(
    name="bpmn",
    media_type="application/bpmn+xml",
    suffix=".bpmn",
    label="BPMN",
    title="BPMN 2.0 XML with its diagram.",
    families=frozenset({"workflow"}),
    is_themed=False,
)

FORMATS: Mapping[str, Format] = MappingProxyType(
    {row.name: row for row in (SVG, PNG, EXCALIDRAW, PDF, MERMAID, DRAWIO, TEXT, BPMN, PPTX)}
)
BY_MEDIA_TYPE: Mapping[str, Format] = MappingProxyType({row.media_type: row for row in FORMATS.values()})
BY_SUFFIX: Mapping[str, Format] = MappingProxyType({row.suffix: row for row in FORMATS.values()})


def offered_by_pages() -> str:
    """The download menus of pages, as JSON: name, label and suffix of every format."""
    return json.dumps([{"name": row.name, "label": row.label, "suffix": row.suffix} for row in FORMATS.values()])


def readers_of(option: str) -> str:
    """The names of the formats that obey an option of a picture."""
    return ", ".join(row.name for row in FORMATS.values() if option in row.reads)


def not_available(wanted: Format, family: str | None) -> str:
    """The message for a format without support for the scene's family."""
    others = ", ".join(row.name for row in FORMATS.values() if row.holds(family))
    return (
        f"{wanted.name} is not available for scenes of the family {family or '(none declared)'}; there are: {others}."
    )
