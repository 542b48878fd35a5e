"""Compose files to a document. Lines run from a service to its needs and its volumes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import HEADS, Assembly, product_of, type_of
from scenograph.reading.source import Losses, Place, Source, TooLarge, Unreadable
from scenograph.reading.yaml_documents import EXPECTED, documents
from scenograph.scene.json_values import JsonObject, is_array, is_object

if TYPE_CHECKING:
    from scenograph.reading.yaml_documents import Document
    from scenograph.scene.json_values import Path

# The services, networks and volumes of a compose file. Values beyond names, images, ports and paths of mounts are
# not looked at, and never quoted: they may be secrets.


PLACED_DEPTH = 5  # services, web, depends_on, db, condition
_TOP_LEVEL = frozenset(
    {"version", "name", "services", "networks", "volumes", "secrets", "configs", "include", "models"}
)
EXTENSION = "x-"
_DEFAULT_NETWORK = "default"

_READ = frozenset({"image", "ports", "networks", "volumes", "depends_on", "links", "volumes_from"})
_SHARED = ("network_mode", "ipc", "pid")  # `service:NAME` shares the namespace of another service
_NAME = re.compile(r"[A-Za-z0-9._-]{1,200}")
_SHARED_WITH = re.compile(r"service:([A-Za-z0-9._-]{1,200})")
_VOLUME_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}")
_PIECE = re.compile(r"(?:\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^:])+")  # a `${…:-…}` has colons of its own
_CONDITIONS = {
    "service_started": "",
    "service_healthy": "healthy",
    "service_completed_successfully": "completed",
}


@dataclass(slots=True)
class Service:
    """A service: `needs` are labels of lines by the needed service, `mounts` are pairs of a volume and the label of
    its line; `networks` are the declared networks."""

    name: str
    place: Place
    image: str = ""
    ports: list[str] = field(default_factory=list[str])
    networks: list[str] = field(default_factory=list[str])
    needs: dict[str, str] = field(default_factory=dict[str, str])
    mounts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@dataclass(slots=True)
class Project:
    """The content of a file, in the order of the file."""

    title: str
    services: dict[str, Service] = field(default_factory=dict[str, Service])
    networks: list[str] = field(default_factory=list[str])
    volumes: list[str] = field(default_factory=list[str])


def gather(document: Document, losses: Losses, most: int) -> Project:
    """The project of a document that is a mapping with `services`. Raises TooLarge for more than `most` parts."""
    return _Gathering(document, losses, most).project()


class _Gathering:
    def __init__(self, document: Document, losses: Losses, most: int) -> None:
        self._document = document
        self._losses = losses
        self._most = most
        self._count = 0

    def project(self) -> Project:
        root: JsonObject = self._document.value if is_object(self._document.value) else {}
        for key in root:
            if key not in _TOP_LEVEL and not key.startswith(EXTENSION):
                self._unread("a top-level member that compose does not have is left out", key)
        beside = sorted(key for key in ("secrets", "configs", "include", "models") if root.get(key))
        for key in beside:
            self._formless(f"the top-level member {key} is not shown", key)
        title = root.get("name")
        project = Project(title if isinstance(title, str) else "")
        project.networks += [name for name, _ in self._declared(root, "networks", ())]
        project.volumes += [name for name, _ in self._declared(root, "volumes", ())]
        services = list(self._declared(root, "services", (*_READ, *_SHARED)))
        names = [name for name, _ in services]
        for name, said in services:
            project.services[name] = self._service(name, said, project, names)
        return project

    def _declared(self, root: JsonObject, section: str, read: Collection[str]) -> Iterator[tuple[str, JsonObject]]:
        """Names and members of a section in turn; unread members are told by name."""
        rows = root.get(section)
        if rows is None:
            return
        if not is_object(rows):
            self._unread(f"{section} is not a mapping", section)
            return
        for name, said in rows.items():
            if name.startswith(EXTENSION):
                continue
            members: object = dict[str, object]() if said is None and section != "services" else said
            if not _NAME.fullmatch(name) or not is_object(members):
                self._unread(f"an entry of {section} is not a name with a mapping", section, name)
                continue
            self._counted()
            rest = sorted(key for key in members if key not in read and not key.startswith(EXTENSION))
            if rest:
                self._formless(f"of {section[:-1]} '{name}' are not shown: {_listed(rest)}", section, name)
            yield name, members

    def _service(self, name: str, said: JsonObject, project: Project, names: Collection[str]) -> Service:
        service = Service(name, self._place("services", name))
        image = said.get("image")
        if isinstance(image, str):
            service.image = image
        elif image is not None:
            self._unread(f"the image of service '{name}' is not a text", "services", name, "image")
        service.ports += self._ports(name, said.get("ports"))
        self._join(service, said, project)
        self._mount(service, said.get("volumes"), project)
        for path, need, label in self._needs(name, said):
            if not isinstance(need, str) or not _NAME.fullmatch(need):
                self._unread(f"a need of service '{name}' is no name", *path)
            elif need not in names:
                self._formless(f"service '{name}' needs '{need}', which is no service of this file", *path)
            elif need in service.needs:
                service.needs[need] = service.needs[need] or label
            else:
                self._counted()
                service.needs[need] = label
        return service

    def _items(self, service: str, member: str, rows: object) -> Iterator[tuple[int, Any]]:
        """The items of a list, with their index."""
        if rows is not None and not is_array(rows):
            self._unread(f"{member} of service '{service}' is not a list", "services", service, member)
        elif is_array(rows):
            yield from enumerate(rows)

    def _ports(self, service: str, rows: object) -> Iterator[str]:
        for index, row in self._items(service, "ports", rows):
            if isinstance(row, (str, int)) and not isinstance(row, bool):
                yield str(row)
            elif is_object(row) and isinstance(row.get("target"), (str, int)):
                parts = (row.get("host_ip"), row.get("published"), row["target"])
                protocol = row.get("protocol")
                joined = ":".join(str(part) for part in parts if isinstance(part, (str, int)))
                yield f"{joined}/{protocol}" if isinstance(protocol, str) and protocol != "tcp" else joined
            else:
                self._unread(f"a port of service '{service}' is not understood", "services", service, "ports", index)

    def _join(self, service: Service, said: JsonObject, project: Project) -> None:
        rows = said.get("networks")
        if rows is None:
            alone = isinstance(said.get("network_mode"), str)
            wanted: list[object] = [] if alone else [_DEFAULT_NETWORK]
        elif is_object(rows):
            wanted = [*rows]
            if any(rows.values()):
                what = f"aliases and addresses of service '{service.name}' in its networks are not shown"
                self._formless(what, "services", service.name, "networks")
        else:
            wanted = [row for _, row in self._items(service.name, "networks", rows)]
        for name in wanted:
            if isinstance(name, str) and name in project.networks:
                if name not in service.networks:
                    self._counted()
                    service.networks.append(name)
            elif name != _DEFAULT_NETWORK:
                what = f"service '{service.name}' joins a network that is not declared"
                self._formless(what, "services", service.name, "networks")

    def _mount(self, service: Service, rows: object, project: Project) -> None:
        others = 0
        for index, row in self._items(service.name, "volumes", rows):
            path = ("services", service.name, "volumes", index)
            mount = _mount_of(row)
            if mount is None:
                self._unread(f"a volume of service '{service.name}' is not understood", *path)
                continue
            volume, label = mount
            if volume in project.volumes:
                self._counted()
                service.mounts.append((volume, label))
            elif volume:
                self._formless(f"service '{service.name}' mounts a volume that is not declared", *path)
            else:
                others += 1
        if others:
            what = f"mounts of service '{service.name}' without a volume of the file are not shown ({others})"
            self._formless(what, "services", service.name, "volumes")

    def _started_before(self, name: str, said: JsonObject) -> Iterator[tuple[Path, Any, str]]:
        """Path, name and label of each need of `depends_on`."""
        rows = said.get("depends_on")
        at: Path = ("services", name, "depends_on")
        if not is_object(rows):
            for index, row in self._items(name, "depends_on", rows):
                yield (*at, index), row, ""
            return
        for need, how in rows.items():
            condition = how.get("condition") if is_object(how) else None
            if is_object(how) and how.keys() - {"condition"}:
                self._formless(f"more of how service '{name}' depends on '{need}' is not shown", *at, need)
            yield (*at, need), need, _CONDITIONS.get(condition, "") if isinstance(condition, str) else ""

    def _needs(self, name: str, said: JsonObject) -> Iterator[tuple[Path, Any, str]]:
        """Path, name and label of each need: started before, linked, or lending its mounts or a namespace."""
        yield from self._started_before(name, said)
        for member in ("links", "volumes_from"):
            for index, row in self._items(name, member, said.get(member)):
                yield ("services", name, member, index), row.partition(":")[0] if isinstance(row, str) else "", ""
        for member in _SHARED:
            shared = said.get(member)
            found = _SHARED_WITH.fullmatch(shared) if isinstance(shared, str) else None
            if found:
                yield ("services", name, member), found[1], ""
            elif shared is not None:
                self._formless(f"{member} of service '{name}' is not shown", "services", name, member)

    def _counted(self) -> None:
        self._count += 1
        if self._count > self._most:
            raise TooLarge(self._most)

    def _place(self, *path: str | int) -> Place:
        return self._document.place(*path)

    def _unread(self, what: str, *path: str | int) -> None:
        self._losses.unread(self._place(*path), what)

    def _formless(self, what: str, *path: str | int) -> None:
        self._losses.formless(self._place(*path), what)


def _listed(names: Collection[str]) -> str:
    """Names of members. Long and odd names are only counted: a misplaced value may be among them."""
    plain = [name for name in names if re.fullmatch(r"[a-z][a-z_]{0,30}", name)]
    odd = len(names) - len(plain)
    return ", ".join([*plain, *([f"{odd} members that compose does not have"] if odd else [])])


def _mount_of(row: object) -> tuple[str, str] | None:
    """The volume of a mount ("" for a path or a volume without a name) and the label of its line; None if the mount is
    not understood."""
    if is_object(row):
        source, target = row.get("source"), row.get("target")
        if not isinstance(target, str):
            return None
        is_named = row.get("type") == "volume" and isinstance(source, str)
        return (str(source) if is_named else ""), _mounted(target, read_only=row.get("read_only") is True)
    if not isinstance(row, str):
        return None
    source, *rest = _PIECE.findall(row) or [""]
    if not rest or not _VOLUME_NAME.fullmatch(source) or (len(source) == 1 and rest[0].startswith("\\")):
        return "", ""
    return source, _mounted(rest[0], read_only="ro" in ",".join(rest[1:]).split(","))


def _mounted(target: str, *, read_only: bool) -> str:
    return f"{target} (read-only)" if read_only else target


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
        if not all(key in _TOP_LEVEL or (key or "").startswith(EXTENSION) for key in keys) or not _MARKED.search(text):
            return False
    try:
        return any(_is_compose(document.value) for document in _parsed(text)[:1])
    except Unreadable:
        return bool(_MARKED.search(text))


def _is_compose(root: object) -> bool:
    if not is_object(root) or not all(key in _TOP_LEVEL or key.startswith(EXTENSION) for key in root):
        return False
    services = root.get("services")
    return is_object(services) and any(is_object(one) and one.keys() & _MARKS for one in services.values())


def _parsed(text: str) -> list[Document]:
    """The documents of a text. Unreadable for a first document that is no YAML."""
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
