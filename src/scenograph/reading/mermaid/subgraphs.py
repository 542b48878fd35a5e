"""Subgraphs of flowcharts and entity-relationship diagrams: the names between `subgraph` and `end`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place
from scenograph.reading.mermaid.labels import quoted
from scenograph.reading.source import Cursor, shown
from scenograph.scene.json_values import JsonObject

_LINE = re.compile(r"(?:\"[^\"\n]*\"|(?![ \t]%%)[^\";\n])*")
_TITLED = re.compile(r"(?P<name>[^\[\n\"]{0,500}?)[ \t]*\[(?P<title>.*)\][ \t]*$")


@dataclass(slots=True)
class FrameStatement:
    """A frame; `members` are the names mentioned in it, in order, `parent` is None at the top, `direction` its own
    flow, `columns` those of a grid."""

    name: str
    title: str
    place: Place
    parent: FrameStatement | None = None
    direction: str = ""
    columns: int = 0
    members: dict[str, None] = field(default_factory=dict[str, None])
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Subgraphs:
    """All subgraphs by name, the open ones, and the subgraph of each name."""

    rows: dict[str, FrameStatement] = field(default_factory=dict[str, FrameStatement])
    open: list[FrameStatement] = field(default_factory=list[FrameStatement])
    homes: dict[str, FrameStatement] = field(default_factory=dict[str, FrameStatement])

    def begin(self, cursor: Cursor) -> None:
        """Pass the text after the word `subgraph`, and open the subgraph. A name used before reopens its subgraph."""
        place = cursor.place()
        found = _LINE.match(cursor.text, cursor.at)
        line = found[0].strip() if found else ""
        cursor.at += len(found[0]) if found else 0
        titled = _TITLED.fullmatch(line)
        name, title = (titled["name"].strip(), titled["title"]) if titled else (line, line)
        known = name.strip("\"'` ") if not titled or name else ""
        name = known or quoted(title) or f"subgraph {len(self.rows) + 1}"
        if name not in self.rows:
            self.rows[name] = FrameStatement(name, quoted(title), place, self.open[-1] if self.open else None)
        self.open.append(self.rows[name])

    def mention(self, name: str) -> None:
        """A statement inside the innermost open subgraph names something."""
        if self.open:
            self.open[-1].members[name] = None

    def finish(self) -> None:
        """Close the innermost subgraph: it keeps its mentioned names without another home."""
        done = self.open.pop()
        for name in done.members:
            self.homes.setdefault(name, done)

    def finish_all(self, losses: Losses) -> None:
        """Close subgraphs still open at the end, and report them."""
        for unfinished in reversed(self.open):
            losses.unread(unfinished.place, f"the subgraph {shown(unfinished.title)} has no end")
            self.finish()

    def parents(self) -> dict[str, str | None]:
        """The parent of each subgraph: the subgraph around it, or a subgraph that names it as a member."""
        parents: dict[str, str | None] = {}
        for subgraph in self.rows.values():
            wanted = subgraph.parent or self.homes.get(subgraph.name)
            parents[subgraph.name] = None if wanted is None or _within(wanted, subgraph, parents) else wanted.name
        return parents

    def home_of(self, name: str) -> str | None:
        """The name of the subgraph around an element."""
        home = self.homes.get(name)
        return home.name if home else None


def _within(inner: FrameStatement, outer: FrameStatement, parents: Mapping[str, str | None]) -> bool:
    """Whether `inner` is `outer` or within it, as far as parents are known."""
    name: str | None = inner.name
    while name is not None:
        if name == outer.name:
            return True
        name = parents.get(name)
    return False
