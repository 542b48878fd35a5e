"""What the statements of a flowchart say, before it becomes a document."""

from __future__ import annotations

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.scene.json_values import JsonObject


@dataclass(slots=True)
class Vertex:
    """A node; `text` None means that its id is shown."""

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
class Link:
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
class Subgraph:
    """A frame; `members` are the names said in it, in order, `parent` is None at the top, `direction` its own flow."""

    name: str
    title: str
    place: Place
    parent: Subgraph | None = None
    direction: str = ""
    members: dict[str, None] = field(default_factory=dict[str, None])
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Flowchart:
    """The whole chart as it grows. TooLarge when it has more parts than `most`."""

    losses: Losses
    most: int
    direction: str = "TB"
    title: str = ""
    vertices: dict[str, Vertex] = field(default_factory=dict[str, Vertex])
    links: list[Link] = field(default_factory=list[Link])
    named_links: dict[str, Link] = field(default_factory=dict[str, Link])
    subgraphs: dict[str, Subgraph] = field(default_factory=dict[str, Subgraph])
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    link_style: JsonObject = field(default_factory=dict[str, object])
    open: list[Subgraph] = field(default_factory=list[Subgraph])
    homes: dict[str, Subgraph] = field(default_factory=dict[str, Subgraph])

    def vertex(self, name: str, place: Place) -> Vertex:
        """The vertex of that name, made when it is new."""
        if name not in self.vertices:
            self._count()
            self.vertices[name] = Vertex(name, place)
        return self.vertices[name]

    def mention(self, name: str) -> None:
        """A statement inside the innermost open subgraph names a vertex."""
        if self.open:
            self.open[-1].members[name] = None

    def connect(self, link: Link) -> None:
        """Add a link; of those with one name the first is known by it."""
        self._count()
        self.links.append(link)
        if link.name:
            self.named_links.setdefault(link.name, link)

    def begin(self, name: str, title: str, place: Place) -> None:
        """Open a subgraph. One of a name that was used before goes on with it."""
        self._count()
        found = self.subgraphs.get(name)
        if found is None:
            found = Subgraph(name, title, place, self.open[-1] if self.open else None)
            self.subgraphs[name] = found
        self.open.append(found)

    def finish(self) -> None:
        """Close the innermost subgraph: of the vertices named in it, those without a home stay."""
        done = self.open.pop()
        for name in done.members:
            self.homes.setdefault(name, done)

    def _count(self) -> None:
        if len(self.vertices) + len(self.links) + len(self.subgraphs) >= self.most:
            raise TooLarge(self.most)
