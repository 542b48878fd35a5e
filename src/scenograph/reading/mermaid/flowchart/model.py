"""The model of a flowchart, between its statements and the document."""

from __future__ import annotations

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.mermaid.subgraphs import Subgraphs
from scenograph.reading.source import Cursor
from scenograph.scene.json_values import JsonObject


@dataclass(slots=True)
class Vertex:
    """A node; `text` None shows its id."""

    name: str
    place: Place
    text: str | None = None
    shape: str = ""
    icon: str = ""
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])
    link: JsonObject | None = None
    tooltip: str = ""


@dataclass(slots=True)
class FlowchartLink:
    """A line between two vertices or subgraphs. `stroke` is normal, thick, dotted or invisible; `start` and `end` are
    the arrows there."""

    source: str
    target: str
    stroke: str
    start: str
    end: str
    text: str = ""
    name: str = ""
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Flowchart:
    """A chart under construction; `strategy` overrides the layout by `direction`. TooLarge beyond `most` parts."""

    losses: Losses
    most: int
    direction: str = "TB"
    title: str = ""
    vertices: dict[str, Vertex] = field(default_factory=dict[str, Vertex])
    links: list[FlowchartLink] = field(default_factory=list[FlowchartLink])
    named_links: dict[str, FlowchartLink] = field(default_factory=dict[str, FlowchartLink])
    subgraphs: Subgraphs = field(default_factory=Subgraphs)
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    strategy: JsonObject | None = None
    link_style: JsonObject = field(default_factory=dict[str, object])

    def vertex(self, name: str, place: Place) -> Vertex:
        """The vertex of a name, made on first use."""
        if name not in self.vertices:
            self.count()
            self.vertices[name] = Vertex(name, place)
        return self.vertices[name]

    def connect(self, link: FlowchartLink) -> None:
        """Add a link; a name refers to its first link."""
        self.count()
        self.links.append(link)
        if link.name:
            self.named_links.setdefault(link.name, link)

    def begin(self, cursor: Cursor) -> None:
        """Open the subgraph at the cursor."""
        self.count()
        self.subgraphs.begin(cursor)

    def count(self) -> None:
        """Count a part."""
        if len(self.vertices) + len(self.links) + len(self.subgraphs.rows) >= self.most:
            raise TooLarge(self.most)
