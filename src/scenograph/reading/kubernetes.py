"""Manifests of Kubernetes to a document: resources are gathered, their references found, and both drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import HEADS, Assembly, product_of, type_of
from scenograph.reading.source import Losses, Place, Source, Unreadable, require_room
from scenograph.reading.yaml_documents import EXPECTED, Document, chunks, documents, has_members_alone
from scenograph.scene.json_values import JsonObject, Path, is_array, is_object, listed, member, object_at, text_at
from scenograph.scene.strict_json import StrictJsonError, parse

# The resources of manifests. Data of Secrets and ConfigMaps, literal environment, arguments and annotations are not
# looked at, and never quoted: they may be secrets.

MOST_CHARACTERS = 1 << 20  # of a source
PLACED_DEPTH = 8  # items, 0, spec, template, spec, containers, 0, image

_POD = "Pod"
_TEMPLATES: tuple[tuple[str, ...], ...] = (("spec", "template"), ("spec", "jobTemplate", "spec", "template"))
_LIST = re.compile(r"(?:[A-Z][A-Za-z0-9]*)?List")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")
_VERSION = re.compile(r"(?:(?P<group>[a-z0-9.-]{1,253})/)?v[0-9][a-z0-9]{0,30}")
_NAME = re.compile(r"[\w.:@/${}()+-]{1,253}")
_PLAIN = re.compile(r"[a-z][A-Za-z]{0,40}")
_OWN_GROUP = re.compile(r"[a-z]*|[a-z.]+\.k8s\.io")  # a group of Kubernetes itself: "", apps, networking.k8s.io

_ACCESS = "access rights are not drawn"
_POLICY = "policies and quotas are not drawn"
_DEFINITION = "definitions of kinds and hooks of the interface are not drawn"
_RECORD = "records of the cluster are not drawn"
FOLDED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ServiceAccount"), _ACCESS),
        **dict.fromkeys(("NetworkPolicy", "PodDisruptionBudget", "ResourceQuota", "LimitRange"), _POLICY),
        **dict.fromkeys(("PriorityClass", "PodSecurityPolicy", "RuntimeClass"), _POLICY),
        **dict.fromkeys(("CustomResourceDefinition", "APIService", "CSIDriver"), _DEFINITION),
        **dict.fromkeys(("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"), _DEFINITION),
        **dict.fromkeys(("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"), _DEFINITION),
        **dict.fromkeys(("Event", "Endpoints", "EndpointSlice", "Lease", "ControllerRevision", "Node"), _RECORD),
        **dict.fromkeys(("VolumeAttachment", "CSINode", "PodTemplate", "ComponentStatus"), _RECORD),
        "Kustomization.kustomize.config.k8s.io": "what it includes is not read: give what `kustomize build` writes",
    }
)
"""Kinds that are read and not drawn, and why."""
NAMESPACE = "Namespace"


class ResourceKey(NamedTuple):
    """The identity of a resource. `kind` has the group of a kind that is not of Kubernetes itself, as in
    `Certificate.cert-manager.io`; `namespace` is "" where none is written."""

    kind: str
    namespace: str
    name: str


@dataclass(slots=True)
class Resource:
    """A resource; `path` leads to the manifest in the document."""

    key: ResourceKey
    said: JsonObject
    document: Document
    path: Path

    @property
    def kind(self) -> str:
        """The kind without its group."""
        return self.key.kind.partition(".")[0]

    @property
    def is_custom(self) -> bool:
        """Whether the kind is not of Kubernetes itself."""
        return "." in self.key.kind

    @property
    def pod_path(self) -> Path | None:
        """The path of the template of the resource's pods, or of the pod itself; None for a resource without pods."""
        if self.key.kind == _POD:
            return ()
        return next((way for way in _TEMPLATES if is_array(member(self.said, *way, "spec", "containers"))), None)

    @property
    def pod(self) -> Mapping[str, Any]:
        """The `spec` of the resource's pods; empty for a resource without pods."""
        way = self.pod_path
        return {} if way is None else object_at(self.said, *map(str, way), "spec")

    @property
    def pod_labels(self) -> Mapping[str, Any]:
        """The labels of the resource's pods."""
        way = self.pod_path
        return {} if way is None else object_at(self.said, *map(str, way), "metadata", "labels")

    def place(self, *path: str | int) -> Place:
        """The place of a member, by its path in the manifest."""
        return self.document.place(*self.path, *(path or ("metadata", "name")))


@dataclass(slots=True)
class Cluster:
    """The resources of a source in order, without folded resources; `namespaces` are declared or used."""

    resources: dict[ResourceKey, Resource] = field(default_factory=dict[ResourceKey, Resource])
    namespaces: list[str] = field(default_factory=list[str])

    def find(self, kind: str, namespace: str, name: str) -> Resource | None:
        """A resource by its name, in a namespace or beyond all."""
        return self.resources.get(ResourceKey(kind, namespace, name)) or self.resources.get(ResourceKey(kind, "", name))


def gather(text: str, losses: Losses, most: int) -> Cluster:
    """The resources of a text. Unreadable beyond its bounds, TooLarge for more than `most` resources."""
    gathering = _Gathering(losses, most)
    for document in documents(text, PLACED_DEPTH, MOST_CHARACTERS):
        if document.fault is not None:
            losses.unread(document.fault, f"a document is not read: expected {EXPECTED}")
        else:
            gathering.add(document.value, document, ())
    gathering.fold_owned()
    gathering.tell_folded()
    return gathering.cluster


def containers(pod: Mapping[str, Any]) -> Iterator[tuple[str, int, JsonObject]]:
    """The containers of a pod with member and index, init containers first."""
    for name in ("initContainers", "containers"):
        rows = pod.get(name)
        for index, row in enumerate(rows if is_array(rows) else ()):
            if is_object(row):
                yield name, index, row


def plainly(names: Iterator[str] | list[str]) -> str:
    """Names of members, in order. Odd names are only counted: a misplaced value may be among them."""
    rows = sorted(set(names))
    plain = [name for name in rows if _PLAIN.fullmatch(name)]
    odd = len(rows) - len(plain)
    return listed([*plain, *([f"{odd} members of unusual names"] if odd else [])])


class _Gathering:
    def __init__(self, losses: Losses, most: int) -> None:
        self.cluster = Cluster()
        self._losses = losses
        self._most = most
        self._folded: dict[str, list[Resource]] = {}

    def add(self, said: object, document: Document, path: Path) -> None:
        """Add a manifest, or the manifests of a list."""
        kind = text_at(said, "kind") or ""
        items = member(said, "items")
        if is_array(items) and _LIST.fullmatch(kind):
            for index, item in enumerate(items):
                self.add(item, document, (*path, "items", index))
            return
        key = _key(said)
        if not is_object(said) or key is None:
            what = "a document is no resource: it lacks a valid apiVersion, kind or metadata.name"
            self._losses.unread(document.place(*path), what)
            return
        self._keep(Resource(key, said, document, path))

    def _keep(self, found: Resource) -> None:
        key, cluster = found.key, self.cluster
        if key.kind in FOLDED:
            self._folded.setdefault(key.kind, []).append(found)
            return
        namespace = key.name if key.kind == NAMESPACE else key.namespace
        if namespace and namespace not in cluster.namespaces:
            cluster.namespaces.append(namespace)
        if key.kind == NAMESPACE:
            return
        if key in cluster.resources:
            self._losses.formless(found.place(), f"{found.kind} '{key.name}' is described again; the first counts")
            return
        require_room(self._most, cluster.resources)
        cluster.resources[key] = found

    def fold_owned(self) -> None:
        """Leave out resources made by further resources of the source, as pods by a Deployment."""
        owned = [one for one in self.cluster.resources.values() if self._is_owned(one)]
        for one in owned:
            del self.cluster.resources[one.key]
        if owned:
            what = f"resources that another one of the source made are not drawn ({len(owned)})"
            self._losses.formless(owned[0].place(), what)

    def _is_owned(self, one: Resource) -> bool:
        owners = member(one.said, "metadata", "ownerReferences")
        keys = [_key({**owner, "metadata": owner}) for owner in owners if is_object(owner)] if is_array(owners) else []
        return any(
            key is not None and self.cluster.find(key.kind, one.key.namespace, key.name) not in (None, one)
            for key in keys
        )

    def tell_folded(self) -> None:
        """Tell the resources that are not drawn, once for each kind."""
        for kind, rows in self._folded.items():
            self._losses.formless(rows[0].place(), f"{kind.partition('.')[0]} ({len(rows)}): {FOLDED[kind]}")


def _key(said: object) -> ResourceKey | None:
    """The identity of a manifest; None without a kind or a name."""
    kind, version = text_at(said, "kind") or "", _VERSION.fullmatch(text_at(said, "apiVersion") or "")
    name = text_at(said, "metadata", "name") or text_at(said, "metadata", "generateName") or ""
    namespace = text_at(said, "metadata", "namespace") or ""
    if version is None or not _KIND.fullmatch(kind):
        return None
    group = version["group"] or ""
    kind = kind if _OWN_GROUP.fullmatch(group) and not group.startswith("kustomize.") else f"{kind}.{group}"
    if not name and kind in FOLDED:
        return ResourceKey(kind, "", "")
    if not _NAME.fullmatch(name) or not (namespace == "" or _NAME.fullmatch(namespace)):
        return None
    return ResourceKey(kind, namespace, name)


# The references between resources, as traffic runs: ingress, service, workload, configuration and volumes.

CLAIM = "PersistentVolumeClaim"
SERVICE = "Service"
STORAGE = "StorageClass"
_CONFIGURATION, _SECRET = "ConfigMap", "Secret"
_AUTOSCALER = "HorizontalPodAutoscaler"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}")
_ENVIRONMENT, _PULL, _TLS = "environment", "image pull", "TLS"


class _Named(NamedTuple):
    """A member that refers to a resource: its kind, where none is written, and the members with its name; () for the
    value itself. `told`: a resource that the source lacks is told. `back`: the line runs to the referring resource."""

    kind: str
    names: tuple[str, ...] = ("name",)
    told: bool = True
    back: bool = False


_MEMBERS: Mapping[str, _Named] = MappingProxyType(
    {
        "configMap": _Named(_CONFIGURATION),
        "configMapRef": _Named(_CONFIGURATION),
        "configMapKeyRef": _Named(_CONFIGURATION),
        "configMapName": _Named(_CONFIGURATION, ()),
        "secret": _Named(_SECRET, ("secretName", "name")),
        "secretRef": _Named(_SECRET),
        "secretKeyRef": _Named(_SECRET),
        "secretName": _Named(_SECRET, ()),
        "persistentVolumeClaim": _Named(CLAIM, ("claimName",)),
        "volumeName": _Named("PersistentVolume", (), told=False),
        "storageClassName": _Named(STORAGE, (), told=False),
        "gatewayClassName": _Named("GatewayClass", (), told=False),
        "service": _Named(SERVICE),
        "serviceName": _Named(SERVICE, ()),
        "backendRefs": _Named(SERVICE),
        "destination": _Named(SERVICE, ("host",)),
        "parentRefs": _Named("Gateway", back=True),
        "gateways": _Named("Gateway.networking.istio.io", (), back=True),
        "scaleTargetRef": _Named("Deployment"),
        "targetRef": _Named(SERVICE),
        "issuerRef": _Named("Issuer"),
        "sourceRef": _Named(""),
    }
)
"""Members of the specifications of all kinds but workloads."""
_MONITORS: Mapping[str, bool] = MappingProxyType(
    {"ServiceMonitor.monitoring.coreos.com": False, "PodMonitor.monitoring.coreos.com": True}
)
"""Kinds that select others by labels, and whether these are pods."""


@dataclass(slots=True)
class ResourceLine:
    """A line between two resources with its labels. `follows_traffic` is False for scaling and watching."""

    start: ResourceKey
    end: ResourceKey
    follows_traffic: bool = True
    labels: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Claim:
    """A template of volume claims, a claim for each pod of the owner."""

    key: ResourceKey
    owner: ResourceKey
    name: str
    said: Mapping[str, Any]


class _Missing(NamedTuple):
    """Names that a resource refers to without success, and the first place."""

    place: Place
    names: dict[str, None]


class _Mount(NamedTuple):
    kind: str
    name: str
    label: str
    path: Path
    told: bool = True


class References:
    """The lines of a cluster, at most a single line between two resources, and the claims of workloads. Raises TooLarge
    beyond `most` lines."""

    def __init__(self, cluster: Cluster, losses: Losses, most: int) -> None:
        self._cluster = cluster
        self._most = most
        self._custom_kinds: dict[str, set[str]] = {}
        for key in cluster.resources:
            self._custom_kinds.setdefault(key.kind.partition(".")[0], set()).add(key.kind)
        self._losses = losses
        self._labelled = _Labelled(cluster, pods=True), _Labelled(cluster, pods=False)
        self._missing: dict[tuple[ResourceKey, str], _Missing] = {}
        self.lines: dict[tuple[ResourceKey, ResourceKey], ResourceLine] = {}
        self.claims: list[Claim] = []

    def find(self) -> None:
        """Find the lines of all resources, in their order."""
        for one in self._cluster.resources.values():
            if one.pod_path is not None:
                self._of_pods(one)
            else:
                self._of_specification(one)
            if one.key.kind == SERVICE:
                self._of_service(one)
            elif one.key.kind in _MONITORS:
                self._of_monitor(one)
        for (key, kind), missing in self._missing.items():
            names = listed(list(missing.names))
            what = f"{key.kind} '{key.name}' refers to a {kind} that this source does not have: {names}"
            self._losses.formless(missing.place, what)

    def _of_pods(self, one: Resource) -> None:
        pod, way = one.pod, one.pod_path or ()
        mounts, claims = _mounts(pod), set[str]()
        templates = member(one.said, "spec", "volumeClaimTemplates")
        for row in templates if is_array(templates) else ():
            name = text_at(row, "metadata", "name")
            if name and name not in claims:
                claims.add(name)
                key = ResourceKey(CLAIM, one.key.namespace, f"{name} of {one.kind} {one.key.name}")
                self.claims.append(Claim(key, one.key, name, object_at(row, "spec")))
                self._join(one.key, key, mounts.get(name, ""))
                kind = text_at(row, "spec", "storageClassName")
                if kind and (found := self._cluster.find(STORAGE, one.key.namespace, kind)):
                    self._join(key, found.key)
        for need in (*_of_volumes(pod, mounts), *_of_environment(pod)):
            self._need(one, need.kind, need.name, need.label, one.place(*way, "spec", *need.path), told=need.told)
        volumes = pod.get("volumes")
        rows = volumes if is_array(volumes) else ()
        others = sum(not any(name in _MEMBERS or name == "projected" for name in row) for row in rows if is_object(row))
        if others:
            what = f"volumes of {one.kind} '{one.key.name}' without a resource are not drawn ({others})"
            self._losses.formless(one.place(*way, "spec", "volumes"), what)

    def _of_specification(self, one: Resource) -> None:
        hosts = {host for host in (text_at(row, "host") for row in _rows(one.said, "spec", "rules")) if host}
        walk = _walk(member(one.said, "spec"), ("spec",), "", tells_hosts=len(hosts) > 1)
        for named, value, label, path in walk:
            for row in value if is_array(value) else (value,):
                names = (text_at(row, name) for name in named.names) if named.names else (row,)
                name = next((name for name in names if isinstance(name, str) and name), None)
                if name is not None:
                    self._refer(one, named, row, name, label, one.place(*path))

    def _refer(  # noqa: PLR0917 (a reference and its place)
        self, one: Resource, named: _Named, row: object, name: str, label: str, place: Place
    ) -> None:
        kind = text_at(row, "kind") or named.kind
        namespace, group = text_at(row, "namespace") or one.key.namespace, text_at(row, "apiVersion") or ""
        parts = name.split("/") if named.back and not named.names else name.split(".")
        found = (
            self._cluster.find(kind, namespace, name)
            or self._find_custom(kind, namespace, name, text_at(row, "group") or group.partition("/")[0])
            or (self._cluster.find(kind, parts[1], parts[0]) if named.kind == SERVICE and len(parts) > 1 else None)
            or (self._cluster.find(kind, parts[0], parts[-1]) if named.back and len(parts) > 1 else None)
        )
        if found is not None and found is not one:
            ends = (found, one) if named.back else (one, found)
            self._join(ends[0].key, ends[1].key, label, follows_traffic=one.key.kind != _AUTOSCALER)
        elif found is None and named.told and not one.is_custom and _KIND.fullmatch(kind):
            self._note_missing(one, kind, name, place)

    def _find_custom(self, kind: str, namespace: str, name: str, group: str) -> Resource | None:
        """A resource by kind and group: the written group, or the group of the only such kind in the source."""
        if not kind or "." in kind:
            return None
        keys = self._custom_kinds.get(kind, set[str]())
        wanted = {f"{kind}.{group}"} & keys or (keys if len(keys) == 1 else set[str]())
        return next((self._cluster.find(one, namespace, name) for one in wanted), None)

    def _of_service(self, one: Resource) -> None:
        selector = member(one.said, "spec", "selector")
        if not is_object(selector) or not selector:
            return
        found = self._labelled[0].matching(selector, {one.key.namespace})
        for key in found:
            self._join(one.key, key)
        if not found:
            what = f"{SERVICE} '{one.key.name}' selects no workload of this source"
            self._losses.formless(one.place("spec", "selector"), what)

    def _of_monitor(self, one: Resource) -> None:
        pods = _MONITORS[one.key.kind]
        names = member(one.said, "spec", "namespaceSelector", "matchNames")
        spaces = {name for name in names if isinstance(name, str)} if is_array(names) else {one.key.namespace}
        everywhere = member(one.said, "spec", "namespaceSelector", "any") is True
        selector = object_at(one.said, "spec", "selector", "matchLabels")
        for key in self._labelled[0 if pods else 1].matching(selector, None if everywhere else spaces):
            self._join(one.key, key, follows_traffic=False)

    def _need(self, one: Resource, kind: str, name: str, label: str, place: Place, *, told: bool = True) -> None:
        found = self._cluster.find(kind, one.key.namespace, name)
        if found is not None:
            self._join(one.key, found.key, label)
        elif told:
            self._note_missing(one, kind, name, place)

    def _note_missing(self, one: Resource, kind: str, name: str, place: Place) -> None:
        missing = self._missing.setdefault((one.key, kind), _Missing(place, {}))
        missing.names[name if _PLAIN_NAME.fullmatch(name) else "an unusual name"] = None

    def _join(self, start: ResourceKey, end: ResourceKey, label: str = "", *, follows_traffic: bool = True) -> None:
        line = self.lines.get((start, end))
        if line is None:
            require_room(self._most, self.lines)
            line = self.lines[start, end] = ResourceLine(start, end, follows_traffic)
        if label and label not in line.labels:
            line.labels.append(label)


class _Labelled:
    """Resources by the labels of their pods, or by their own labels."""

    def __init__(self, cluster: Cluster, *, pods: bool) -> None:
        self._by_pair: dict[tuple[str, str], dict[ResourceKey, None]] = {}
        for one in cluster.resources.values():
            if pods or one.key.kind == SERVICE:
                labels = one.pod_labels if pods else object_at(one.said, "metadata", "labels")
                for name, value in labels.items():
                    self._by_pair.setdefault((name, str(value)), {})[one.key] = None

    def matching(self, selector: Mapping[str, Any], namespaces: set[str] | None) -> list[ResourceKey]:
        """The resources that have all labels of a selector, of these namespaces or of all, in order."""
        rows = sorted((self._by_pair.get((name, str(value)), {}) for name, value in selector.items()), key=len)
        if not rows or not rows[0]:
            return []
        common = set(rows[0]).intersection(*rows[1:])
        return [key for key in rows[0] if key in common and (namespaces is None or key.namespace in namespaces)]


def _walk(value: object, path: Path, label: str, *, tells_hosts: bool) -> Iterator[tuple[_Named, Any, str, Path]]:
    """The members of a specification that refer to resources, with the label and the path of each."""
    if is_array(value):
        for index, row in enumerate(value):
            yield from _walk(row, (*path, index), label, tells_hosts=tells_hosts)
    elif is_object(value):
        host, way = value.get("host"), value.get("path")
        label = host if tells_hosts and isinstance(host, str) else label
        label += way if isinstance(way, str) else ""
        for name, row in value.items():
            inner = _TLS if name == "tls" else label
            if name in _MEMBERS and row is not None:
                yield _MEMBERS[name], row, inner, (*path, name)
            yield from _walk(row, (*path, name), inner, tells_hosts=tells_hosts)


def _rows(value: object, *path: str) -> Iterator[Any]:
    rows = member(value, *path)
    yield from rows if is_array(rows) else ()


def _mounts(pod: Mapping[str, Any]) -> dict[str, str]:
    """The label of each volume: the mount paths of all containers."""
    found: dict[str, dict[str, None]] = {}
    for _, _, container in containers(pod):
        for mount in _rows(container, "volumeMounts"):
            name, path = text_at(mount, "name"), text_at(mount, "mountPath")
            if name and path:
                label = f"{path} (read-only)" if member(mount, "readOnly") is True else path
                found.setdefault(name, {})[label] = None
    return {name: "\n".join(paths) for name, paths in found.items()}


def _of_volumes(pod: Mapping[str, Any], mounts: Mapping[str, str]) -> Iterator[_Mount]:
    for index, volume in enumerate(_rows(pod, "volumes")):
        label = mounts.get(text_at(volume, "name") or "", "")
        path: Path = ("volumes", index)
        for row in (volume, *_rows(volume, "projected", "sources")):
            for name in ("configMap", "secret", "persistentVolumeClaim"):
                named = _MEMBERS[name]
                wanted = next((text for key in named.names if (text := text_at(row, name, key))), None)
                if wanted:
                    yield _Mount(named.kind, wanted, label, path, told=member(row, name, "optional") is not True)


def _of_environment(pod: Mapping[str, Any]) -> Iterator[_Mount]:
    for member_name, index, container in containers(pod):
        path: Path = (member_name, index)
        sources = [member(row, "valueFrom") for row in _rows(container, "env")]
        for row in (*sources, *_rows(container, "envFrom")):
            for name in ("configMapKeyRef", "secretKeyRef", "configMapRef", "secretRef"):
                wanted = text_at(row, name, "name")
                if wanted:
                    optional = member(row, name, "optional") is True
                    yield _Mount(_MEMBERS[name].kind, wanted, _ENVIRONMENT, path, told=not optional)
    for row in _rows(pod, "imagePullSecrets"):
        name = text_at(row, "name")
        if name:
            yield _Mount(_SECRET, name, _PULL, ("imagePullSecrets",), told=False)


# The front door: manifests to a document. Lines run as traffic does, and on to configuration and volumes.

_FAMILY = "architecture"
_STATEFUL = ("database", "cache", "queue")  # types of workloads that their image decides
_DASHED = {"dash": [4, 4]}
_ICONS = "k8s"
_CUSTOM_ICON = "customresourcedefinition"

# Recognition, by the lines of a document that begin in column 1.
_KIND_LINE = re.compile(r"^[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?(?P<kind>[A-Z]\w*)", re.MULTILINE)
_VERSION_LINE = re.compile(r"^[\"']?apiVersion[\"']?[ \t]*:[ \t]*[\"']?(?P<version>[\w./-]+)", re.MULTILINE)
_BODY = re.compile(r"^[\"']?(?:metadata|items)[\"']?[ \t]*:", re.MULTILINE)
_FOREIGN = re.compile(r"(?:skaffold|backstage\.io|kind\.x-k8s\.io|k3d\.io|kustomize\.[\w.]*|eksctl\.io)/")
_HINT = "Templates of Helm and overlays of Kustomize are read after `helm template` or `kustomize build`."


def recognizes(text: str) -> bool:
    """Whether one of the documents of a text is a resource of Kubernetes."""
    if not ("apiVersion" in text and "kind" in text):
        return False
    body = text.lstrip("\ufeff \t\r\n")
    if body.startswith("{"):
        try:
            value = parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))
        except StrictJsonError:
            return False
        return _is_resource(text_at(value, "apiVersion"), text_at(value, "kind"), value)
    if body.startswith("<"):
        return False
    return any(map(_is_manifest, chunks(text)))


def _is_manifest(chunk: str) -> bool:
    version, kind = _VERSION_LINE.search(chunk), _KIND_LINE.search(chunk)
    if version is None or kind is None or not _BODY.search(chunk) or not has_members_alone(chunk):
        return False
    return _is_resource(version["version"], kind["kind"], {"metadata": None})


def _is_resource(version: str | None, kind: str | None, said: object) -> bool:
    is_held = is_object(said) and ("metadata" in said or is_array(said.get("items")))
    return bool(version and kind and is_held and not _FOREIGN.match(version))


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source. Unreadable without a resource that is drawn, TooLarge."""

    cluster = gather(source.text, losses, source.most_elements)
    if not cluster.resources and not cluster.namespaces:
        expected = "resources of Kubernetes that are drawn, each with apiVersion, kind and metadata.name"
        raise Unreadable(losses.first or Place(1, 1), expected, _HINT)
    references = References(cluster, losses, source.most_elements)
    references.find()
    return _document(cluster, references, source, losses)


def _document(cluster: Cluster, references: References, source: Source, losses: Losses) -> JsonObject:
    assembly = Assembly("kubernetes", source)
    homes: dict[str, list[str]] = {name: [] for name in cluster.namespaces}
    claims: dict[ResourceKey, list[Claim]] = {}
    for claim in references.claims:
        claims.setdefault(claim.owner, []).append(claim)
    for one in cluster.resources.values():
        assembly.node(source_id(one.key), **_looks(one, source))
        homes.get(one.key.namespace, []).append(assembly.name(source_id(one.key)))
        _tell_rest(one, losses)
        for claim in claims.get(one.key, ()):
            lines = (claim.name, claim.key.kind, _size(claim.said, "resources", "requests", "storage"))
            assembly.node(source_id(claim.key), **_members(_LOOKS[claim.key.kind], lines))
            homes.get(one.key.namespace, []).append(assembly.name(source_id(claim.key)))
    for name, children in homes.items():
        assembly.frame(f"Namespace {name}", title=name, icon=f"{_ICONS}:namespace", children=children)
    for line in references.lines.values():
        ends = ({"elementId": assembly.name(source_id(key))} for key in (line.start, line.end))
        style = None if line.follows_traffic else _DASHED
        assembly.edge(next(ends), next(ends), label="\n".join(line.labels), style=style)
    return assembly.document(_FAMILY, layoutStrategy={"algorithm": "hierarchical", "direction": "LR"}, defaults=HEADS)


def source_id(key: ResourceKey) -> str:
    """The id of a resource in its source: kind, namespace and name."""
    return f"{key.kind} {key.namespace}/{key.name}" if key.namespace else f"{key.kind} {key.name}"


# Looks: a row for each kind, with the lines that its label has below name and kind.


class _Look(NamedTuple):
    """The type, shape and icon of a kind; `details` are further lines of the label."""

    node_type: str | None
    shape: str | None = None
    icon: str = ""
    details: Callable[[Resource], Iterator[str]] = lambda _: iter(())


def _of_workload(one: Resource) -> Iterator[str]:
    """Images of the containers, each once."""

    rows = (text_at(row, "image") for name, _, row in containers(one.pod) if name == "containers")
    yield from dict.fromkeys(image for image in rows if image)


def _of_schedule(one: Resource) -> Iterator[str]:
    schedule = text_at(one.said, "spec", "schedule")
    if schedule:
        yield schedule
    yield from _of_workload(one)


def _of_ports(one: Resource) -> Iterator[str]:
    """The ports of a service and the ports of its pods: `80 → 8080`."""
    kind, host = text_at(one.said, "spec", "type"), text_at(one.said, "spec", "externalName")
    if text_at(one.said, "spec", "clusterIP") == "None":
        yield "headless"
    if kind not in (None, "ClusterIP"):
        yield f"{kind} {host}" if host else str(kind)
    rows = member(one.said, "spec", "ports")
    ports = [_port(row) for row in rows if is_object(row)] if is_array(rows) else []
    if any(ports):
        yield ", ".join(port for port in ports if port)


def _port(row: JsonObject) -> str:
    port, target, protocol = row.get("port"), row.get("targetPort"), row.get("protocol")
    if not isinstance(port, (int, str)):
        return ""
    way = f"{port} → {target}" if isinstance(target, (int, str)) and str(target) != str(port) else str(port)
    return f"{way}/{protocol}" if isinstance(protocol, str) and protocol != "TCP" else way


def _of_hosts(one: Resource) -> Iterator[str]:
    rows = member(one.said, "spec", "rules")
    hosts = [text_at(row, "host") for row in rows] if is_array(rows) else []
    names = member(one.said, "spec", "hostnames")
    hosts += [name if isinstance(name, str) else None for name in names] if is_array(names) else []
    yield from dict.fromkeys(host for host in hosts if host)


def _of_claim(one: Resource) -> Iterator[str]:
    yield _size(object_at(one.said, "spec"), "resources", "requests", "storage")


def _of_volume(one: Resource) -> Iterator[str]:
    yield _size(object_at(one.said, "spec"), "capacity", "storage")


def _of_scaling(one: Resource) -> Iterator[str]:
    least, most = (member(one.said, "spec", name) for name in ("minReplicas", "maxReplicas"))
    if isinstance(most, int):
        yield f"{least if isinstance(least, int) else 1} to {most} replicas"


def _size(said: Mapping[str, Any], *path: str) -> str:
    found = member(said, *path)
    return str(found) if isinstance(found, (str, int)) and not isinstance(found, bool) else ""


_WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Pod", "Job")
_ROUTES = ("Gateway", "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute")
_LOOKS: Mapping[str, _Look] = MappingProxyType(
    {
        **{kind: _Look("service", icon=kind.lower(), details=_of_workload) for kind in _WORKLOADS},
        "ReplicationController": _Look("service", icon="replicaset", details=_of_workload),
        "CronJob": _Look("service", icon="cronjob", details=_of_schedule),
        "Service": _Look("service", icon="service", details=_of_ports),
        "Ingress": _Look("gateway", icon="ingress", details=_of_hosts),
        **{kind: _Look("gateway", icon="ingress", details=_of_hosts) for kind in _ROUTES},
        "ConfigMap": _Look(None, "rect", "configmap"),
        "Secret": _Look(None, "rect", "secret"),
        "PersistentVolumeClaim": _Look("storage", icon="persistentvolumeclaim", details=_of_claim),
        "PersistentVolume": _Look("storage", icon="persistentvolume", details=_of_volume),
        "StorageClass": _Look("storage", icon="storageclass"),
        "HorizontalPodAutoscaler": _Look(None, "rect", "horizontalpodautoscaler", _of_scaling),
    }
)
_OTHER = _Look(None, "rect", _CUSTOM_ICON, _of_workload)
_SHOWN_NAMES = (
    "type ports selector externalName clusterIP rules hostnames tls backend defaultBackend parentRefs template"
    " schedule jobTemplate replicas containers initContainers volumes imagePullSecrets volumeClaimTemplates serviceName"
    " name image env envFrom volumeMounts resources capacity volumeName storageClassName"
    " scaleTargetRef minReplicas maxReplicas"
)
_SHOWN = frozenset(_SHOWN_NAMES.split())


def _looks(one: Resource, source: Source) -> JsonObject:
    look = _LOOKS.get(one.key.kind, _OTHER)
    replicas = member(one.said, "spec", "replicas")
    kind = f"{one.kind}, {replicas} replicas" if isinstance(replicas, int) and replicas != 1 else one.kind
    members = _members(look, (one.key.name, kind, *look.details(one)))
    if look.details in (_of_workload, _of_schedule):
        kinds = (type_of(product_of(image)) for image in _of_workload(one))
        members["nodeType"] = next((kind for kind in kinds if kind in _STATEFUL), look.node_type)
    return members if source.icons is not None else {**members, "icon": None}


def _members(look: _Look, lines: tuple[str, ...]) -> JsonObject:
    label = "\n".join(line for line in lines if line)
    return {"nodeType": look.node_type, "shape": look.shape, "icon": f"{_ICONS}:{look.icon}", "label": label}


def _tell_rest(one: Resource, losses: Losses) -> None:
    """Tell the members without a form, by name."""

    parts = [object_at(one.said, "spec"), one.pod, *(row for _, _, row in containers(one.pod))]
    rest = plainly([name for part in parts for name in part if name not in _SHOWN])
    if rest:
        losses.formless(one.place("spec"), f"of {one.kind} '{one.key.name}' are not drawn: {rest}")
