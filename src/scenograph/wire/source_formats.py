"""SOURCE_FORMATS: the readable foreign formats, a row each. HTTP, the command line and the tools read this table.

A new format is a module in `reading/`, a row here and its functions in `reading/readers.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFormat:
    """A readable format. `dialects`: names of its variants; `suffixes`: recognize files; `aliases`: names in other
    tools; `has_pages`, `has_views`: read a page or a view at a time; `is_series`: several files form one source."""

    name: str
    title: str
    media_type: str
    suffixes: tuple[str, ...]
    dialects: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    has_pages: bool = False
    has_views: bool = False
    is_series: bool = False


_ROWS = (
    SourceFormat(
        name="mermaid",
        title="Mermaid: flowchart, swimlane, sequence, entity-relationship, state, class, C4, architecture, block and "
        "requirement diagrams, mind maps.",
        media_type="text/vnd.mermaid",
        suffixes=(".mmd", ".mermaid"),
    ),
    SourceFormat(
        name="bpmn",
        title="BPMN 2.0 XML: processes and collaborations, with their diagrams.",
        media_type="application/vnd.bpmn+xml",
        suffixes=(".bpmn", ".bpmn2"),
    ),
    SourceFormat(
        name="drawio",
        title="draw.io files, compressed or not: one page, with its places.",
        media_type="application/vnd.jgraph.mxfile",
        suffixes=(".drawio", ".dio"),
        aliases=("diagramsnet",),
        has_pages=True,
    ),
    SourceFormat(
        name="excalidraw",
        title="Excalidraw files: shapes with their places, bound arrows, texts, pictures, frames and groups.",
        media_type="application/vnd.excalidraw+json",
        suffixes=(".excalidraw",),
    ),
    SourceFormat(
        name="sql",
        title="SQL that defines tables.",
        media_type="application/sql",
        suffixes=(".sql", ".ddl"),
        dialects=("postgres", "mysql", "mssql", "oracle", "snowflake", "sqlite"),
        is_series=True,
    ),
    SourceFormat(
        name="compose",
        title="Compose files: services with their networks, volumes, ports and needs. Told by the content.",
        media_type="application/yaml",
        suffixes=(),
    ),
    SourceFormat(
        name="kubernetes",
        title="Kubernetes manifests: workloads, services, ingresses, configuration and volumes. Told by the content.",
        media_type="application/yaml",
        suffixes=(),
        aliases=("k8s",),
        is_series=True,
    ),
    SourceFormat(
        name="terraform",
        title="Terraform: the resources of a plan or a state in JSON, with modules and networks. Told by the content.",
        media_type="application/vnd.terraform",
        suffixes=(".tfstate",),
        aliases=("tf",),
    ),
    SourceFormat(
        name="openapi",
        title="OpenAPI 3: operations by tag, and the schemas of their requests and responses. Told by the content.",
        media_type="application/vnd.oai.openapi",
        suffixes=(),
    ),
    SourceFormat(
        name="dbml",
        title="DBML: tables, references, enumerations, groups and notes.",
        media_type="text/x-dbml",
        suffixes=(".dbml",),
    ),
    SourceFormat(
        name="graphviz",
        title="DOT of Graphviz: nodes, edges and clusters.",
        media_type="text/vnd.graphviz",
        suffixes=(".dot", ".gv"),
        aliases=("dot",),
    ),
    SourceFormat(
        name="plantuml",
        title="PlantUML: sequence, class, component, deployment, use case, state and activity diagrams; C4.",
        media_type="text/vnd.plantuml",
        suffixes=(".puml", ".plantuml", ".pu", ".iuml", ".wsd"),
        aliases=("c4plantuml", "puml"),
        has_pages=True,
    ),
    SourceFormat(
        name="structurizr",
        title="Structurizr workspaces, in its language or as JSON: one view of the C4 model.",
        media_type="text/vnd.structurizr.dsl",
        suffixes=(".dsl",),
        has_views=True,
    ),
    SourceFormat(
        name="d2",
        title="D2: shapes, containers, connections, tables, classes and sequence diagrams.",
        media_type="text/vnd.d2",
        suffixes=(".d2",),
        has_views=True,
    ),
)
SOURCE_FORMATS: Mapping[str, SourceFormat] = MappingProxyType({row.name: row for row in _ROWS})
SCENE = "scenograph"
"""What a scene of Scenograph itself is called where the format of a source is asked for: JSON or YAML."""
BY_NAME: Mapping[str, SourceFormat] = MappingProxyType(
    {name: row for row in _ROWS for name in (row.name, *row.aliases)}
)
DIALECTS = tuple(dialect for row in _ROWS for dialect in row.dialects)
