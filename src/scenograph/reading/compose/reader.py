"""The way into this room: a compose file to a document. Lines run from a service to its needs and its volumes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.compose.model import EXTENSION, PLACED_DEPTH, TOP_LEVEL, Project, Service, gather
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.products import product_of, type_of
from scenograph.reading.source import Source
from scenograph.scene.json_values import JsonObject, is_object

if TYPE_CHECKING:
    from scenograph.reading.yaml_documents import Document

MOST_CHARACTERS = 1 << 18  # of a file

_FAMILY = "architecture"
_NO_HEADS = {"startArrow": "none", "endArrow": "none"}
_DASHED = {"dash": [4, 4]}

# Recognition. Lines of block YAML that begin in column 1 are the top-level members, even where the rest is broken.
_SERVICES = re.compile(r"^[\"']?services[\"']?[ \t]*:|\"services\"[ \t]*:", re.MULTILINE)
_IN_COLUMN_1 = re.compile(r"^(?=\S)(?!#|---|\.\.\.|%)(?:[\"']?(?P<key>[\w.-]+)[\"']?[ \t]*:(?=\s|$))?", re.MULTILINE)
_FIRST_MARKS = ("image", "build", "extends", "provider", "command", "container_name", "depends_on", "deploy")
_MARKS = frozenset((*_FIRST_MARKS, "env_file", "environment", "networks", "ports", "restart", "volumes"))
_MARKED = re.compile(rf"[\s{{,\"'](?:{'|'.join(sorted(_MARKS))})[\"']?[ \t]*:")


def recognizes(text: str) -> bool:
    """Whether a text is a compose file: `services` like those of compose, beside only members of compose."""
    if not _SERVICES.search(text) or text.lstrip("\ufeff \t\r\n").startswith("<"):
        return False
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        keys = [found["key"] for found in _IN_COLUMN_1.finditer(text.removeprefix("\ufeff"))]
        if not all(key in TOP_LEVEL or (key or "").startswith(EXTENSION) for key in keys) or not _MARKED.search(text):
            return False
    try:
        return any(_is_compose(document.value) for document in _parsed(text)[:1])
    except Unreadable:
        return bool(_MARKED.search(text))


def _is_compose(root: object) -> bool:
    if not is_object(root) or not all(key in TOP_LEVEL or key.startswith(EXTENSION) for key in root):
        return False
    services = root.get("services")
    return is_object(services) and any(is_object(one) and one.keys() & _MARKS for one in services.values())


def _parsed(text: str) -> list[Document]:
    """The documents of a text. Unreadable for a first document that is no YAML."""
    from scenograph.reading.yaml_documents import EXPECTED, documents  # noqa: PLC0415 - most sources need no YAML

    found = list(documents(text, PLACED_DEPTH, MOST_CHARACTERS))
    if found and found[0].fault is not None:
        raise Unreadable(found[0].fault, EXPECTED)
    return found


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a compose file. Raises Unreadable for other YAML, TooLarge."""
    documents = _parsed(source.text)
    root = documents[0].value if documents else None
    if not is_object(root) or not is_object(root.get("services")):
        raise Unreadable(Place(1, 1), "a mapping with the member services")
    first, *others = documents
    if others:
        losses.unread(Place(1, 1), "further documents of the file are not read")
    project = gather(first, losses, source.most_elements)
    if not project.services:
        raise Unreadable(first.place("services"), "services, each with a name")
    return _document(project, source)


def _document(project: Project, source: Source) -> JsonObject:
    assembly = Assembly("compose", source)
    for service in project.services.values():
        assembly.node(service.name, **_looks(service, source))
    for volume in project.volumes:
        assembly.node(_volume(volume), nodeType="storage", shape="cylinder", label=volume)
    for network in project.networks:
        members = [one.name for one in project.services.values() if one.networks[:1] == [network]]
        assembly.frame(_network(network), title=network, children=[assembly.name(name) for name in members])
    for service in project.services.values():
        _connect(service, assembly)
    return assembly.document(
        _FAMILY, title=project.title, layoutStrategy={"algorithm": "hierarchical", "direction": "LR"}, defaults=HEADS
    )


def _volume(name: str) -> str:
    return f"volume {name}"


def _network(name: str) -> str:
    return f"network {name}"


def _looks(service: Service, source: Source) -> JsonObject:
    """Type and icon by the image's own name, and a label of name, image and ports."""
    product = product_of(service.image)
    icon = source.icons.product(product) if source.icons is not None and product else None
    lines = (service.name, service.image, ", ".join(service.ports))
    return {
        "nodeType": type_of(product),
        "icon": icon,
        "label": "\n".join(line for line in lines if line),
    }


def _connect(service: Service, assembly: Assembly) -> None:
    own = {"elementId": assembly.name(service.name)}
    for need, label in service.needs.items():
        assembly.edge(own, {"elementId": assembly.name(need)}, label=label)
    for volume, label in service.mounts:
        assembly.edge(own, {"elementId": assembly.name(_volume(volume))}, label=label)
    for network in service.networks[1:]:
        frame = {"elementId": assembly.name(_network(network))}
        assembly.edge(own, frame, endpoints=_NO_HEADS, style=_DASHED)
