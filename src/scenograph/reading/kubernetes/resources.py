"""The resources of manifests. Data of Secrets and ConfigMaps, literal environment, arguments and annotations are not
looked at, and never quoted: they may be secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.yaml_documents import EXPECTED, Document, documents
from scenograph.scene.json_values import JsonObject, Path, is_array, is_object, listed, member, object_at, text_at

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
    """The resources of a source in its order, without those that are folded; `namespaces` are declared or used."""

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
    """The containers of a pod with their member and index, those that run before the others first."""
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
        if len(cluster.resources) >= self._most:
            raise TooLarge(self._most)
        cluster.resources[key] = found

    def fold_owned(self) -> None:
        """Leave out what another resource of the source made, as a Deployment makes its pods."""
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
    """The identity of a manifest; None if it lacks one."""
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
