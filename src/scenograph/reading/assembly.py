"""The document under construction by a reader: elements with clean, unique ids and their origin. Ids follow the
source's own names, hence equal ids on every import of a source (R-IN-8)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scenograph.reading.source import Source, require_room
from scenograph.scene.json_values import JsonObject
from scenograph.scene.vocabulary import SCHEMA_VERSIONS, UNITS

_LONGEST_ID = 120
LONGEST_LABEL, LONGEST_TITLE = 2_000, 500
HEADS = {"edge": {"endpoints": {"endArrow": "triangle"}}}

_UNCLEAN = re.compile(r"[^\w.:-]+")
_SCENE_ID_UNCLEAN = re.compile(r"[^A-Za-z0-9._~:-]+")
_EDGE_JOINT = "--"


class Assembly:
    """Elements in order of addition; nodes and frames precede the edges between them. `view` is the key of the
    source's view, kept for later syncs. Raises TooLarge beyond the source's limit."""

    def __init__(self, form: str, source: Source) -> None:
        self._form = form
        self._source = source
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}
        self._ids: dict[str, str] = {}
        self._uses: dict[str, int] = {}
        self.view = ""
        self.elements: list[JsonObject] = []
        self.styles: dict[str, JsonObject] = {}

    def name(self, source_id: str, fallback: str = "element") -> str:
        """The element id for a source id, equal on every call."""
        if source_id not in self._ids:
            self._ids[source_id] = self.fresh(source_id, fallback)
        return self._ids[source_id]

    def node(self, source_id: str, **members: Any) -> JsonObject:
        """A node; members that are None are left out."""
        return self._add("node", self.name(source_id, "node"), source_id, members)

    def frame(self, source_id: str, **members: Any) -> JsonObject:
        """A frame; `children` are element ids."""
        return self._add("frame", self.name(source_id, "frame"), source_id, members)

    def group(self, source_id: str, **members: Any) -> JsonObject:
        """A group; `children` are element ids."""
        return self._add("group", self.name(source_id, "group"), source_id, members)

    def text(self, source_id: str, **members: Any) -> JsonObject:
        """A text."""
        return self._add("text", self.name(source_id, "text"), source_id, members)

    def image(self, source_id: str, **members: Any) -> JsonObject:
        """A picture."""
        return self._add("image", self.name(source_id, "picture"), source_id, members)

    def edge(
        self, source: JsonObject, target: JsonObject, name: str = "", *, identified: bool = False, **members: Any
    ) -> JsonObject:
        """An edge between two endpoints.

        `name` is the source's name; without a name the edge is named after its ends. The second edge of a name gets
        `#2`. `identified`: the name is an id, and becomes the element's id. Raises TooLarge.
        """
        ends = f"{source['elementId']}{_EDGE_JOINT}{target['elementId']}"
        source_id = self.numbered(name or ends)
        own = self.name(source_id) if identified and name else self.fresh(ends)
        return self._add("edge", own, source_id, {"from": source, "to": target, **members})

    def numbered(self, stem: str) -> str:
        """A unique source id: the stem, or the stem with the number of its use. A stem that names an element counts as
        used: notes and states share their names."""
        self._uses[stem] = count = self._uses.get(stem, 1 if stem in self._ids else 0) + 1
        return stem if count == 1 else f"{stem}#{count}"

    def fresh(self, wanted: str, fallback: str = "edge") -> str:
        """A clean, unused element id."""
        return self._unique(_UNCLEAN.sub("-", wanted).strip("-")[:_LONGEST_ID] or fallback)

    def _add(self, kind: str, element_id: str, source_id: str, members: dict[str, Any]) -> JsonObject:
        require_room(self._source.most_elements, self.elements)
        known = {name: value for name, value in members.items() if value is not None and value != ""}
        origin: JsonObject = {"format": self._form, "document": self._source.document, "id": source_id}
        if self.view:
            origin["view"] = self.view
        if (self._source.page or 1) > 1:
            origin["page"] = self._source.page
        element: JsonObject = {"id": element_id, "kind": kind, **_within_limits(known), "metadata": {"source": origin}}
        self.elements.append(element)
        return element

    def _unique(self, wanted: str) -> str:
        found, count = wanted, self._counts.get(wanted, 1)
        while found in self._taken:
            count += 1
            found = f"{wanted}-{count}"
        self._counts[wanted] = count
        self._taken.add(found)
        return found

    def document(
        self,
        family: str,
        *,
        title: str = "",
        shows_title: bool = False,
        canvas: JsonObject | None = None,
        **root: Any,
    ) -> JsonObject:
        """The finished document; root members that are None are left out."""
        wanted = self._source.title or title
        named = self._source.scene_id or _SCENE_ID_UNCLEAN.sub("-", wanted.lower()).strip("-._~:")[:64] or self._form
        scene: JsonObject = {"id": named, "units": UNITS[0], "canvas": canvas or {}}
        if wanted:
            scene["title"] = wanted[:LONGEST_TITLE]
        if wanted and shows_title:
            scene["showTitle"] = True
        members = {**root, "styles": self.styles or None}
        return {
            "schemaVersion": SCHEMA_VERSIONS[0],
            "diagramFamily": family,
            "scene": scene,
            **{name: value for name, value in members.items() if value is not None},
            "elements": self.elements,
        }


_LONGEST = {
    "label": LONGEST_LABEL,
    "content": LONGEST_LABEL,
    "title": LONGEST_TITLE,
    "name": LONGEST_TITLE,
    "tooltip": LONGEST_TITLE,
}


def _within_limits(members: dict[str, Any]) -> dict[str, Any]:
    """Texts shortened to the limits of a document."""
    for name, most in _LONGEST.items():
        text = members.get(name)
        if isinstance(text, str) and len(text) > most:
            members[name] = f"{text[: most - 1]}…"
    return members


# Products by the names of their container images.

_DEFAULT_TYPE = "service"
_IMAGES: Mapping[str, str] = {
    "database": "postgres postgresql mysql mariadb mongo mongodb cassandra clickhouse clickhouse-server couchdb"
    " influxdb elasticsearch opensearch neo4j percona postgis timescaledb mssql cockroach oracle-free",
    "cache": "redis valkey memcached keydb dragonfly varnish",
    "queue": "rabbitmq kafka cp-kafka nats activemq-artemis pulsar redpanda mosquitto eclipse-mosquitto beanstalkd",
    "gateway": "nginx traefik haproxy caddy envoy kong httpd nginx-proxy",
}
_TYPES = MappingProxyType({image: kind for kind, images in _IMAGES.items() for image in images.split()})


def product_of(image: str) -> str:
    """The own name of an image, in lower case, without registry, path, tag and digest."""
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0].lower()


def type_of(product: str) -> str:
    """The node type of a product."""
    return _TYPES.get(product, _DEFAULT_TYPE)
