"""The references between resources, as traffic runs: ingress, service, workload, configuration and volumes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.kubernetes.resources import Cluster, Resource, ResourceKey, containers
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.scene.json_values import Path, is_array, is_object, listed, member, object_at, text_at

CLAIM = "PersistentVolumeClaim"
SERVICE = "Service"
STORAGE = "StorageClass"
_CONFIGURATION, _SECRET = "ConfigMap", "Secret"
_AUTOSCALER = "HorizontalPodAutoscaler"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")
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
    """A template of volume claims, each for one pod of its owner."""

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
    """The lines of a cluster, at most one from one resource to another, and the claims that its workloads make. Raises
    TooLarge beyond `most` lines."""

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
        """A resource of a kind whose group is written beside it, or is that of the only such kind in the source."""
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
            if len(self.lines) >= self._most:
                raise TooLarge(self._most)
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
    """The label of each volume: the paths at which containers mount it."""
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
