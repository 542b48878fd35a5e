"""The way into this room: manifests to a document. Lines run as traffic does, and on to configuration and volumes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.products import product_of, type_of
from scenograph.reading.source import Source
from scenograph.reading.yaml_documents import chunks, has_members_alone
from scenograph.scene.json_values import JsonObject, is_array, is_object, member, object_at, text_at
from scenograph.scene.strict_json import StrictJsonError, parse

if TYPE_CHECKING:
    from scenograph.reading.kubernetes.references import Claim, References
    from scenograph.reading.kubernetes.resources import Cluster, Resource, ResourceKey

_FAMILY = "architecture"
_STATEFUL = ("database", "cache", "queue")  # types of workloads that their image decides
_DASHED = {"dash": [4, 4]}
_ICONS = "k8s"
_CUSTOM_ICON = "customresourcedefinition"

# Recognition, by the lines of a document that begin in column 1.
_KIND = re.compile(r"^[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?(?P<kind>[A-Z]\w*)", re.MULTILINE)
_VERSION = re.compile(r"^[\"']?apiVersion[\"']?[ \t]*:[ \t]*[\"']?(?P<version>[\w./-]+)", re.MULTILINE)
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
    version, kind = _VERSION.search(chunk), _KIND.search(chunk)
    if version is None or kind is None or not _BODY.search(chunk) or not has_members_alone(chunk):
        return False
    return _is_resource(version["version"], kind["kind"], {"metadata": None})


def _is_resource(version: str | None, kind: str | None, said: object) -> bool:
    is_held = is_object(said) and ("metadata" in said or is_array(said.get("items")))
    return bool(version and kind and is_held and not _FOREIGN.match(version))


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source. Unreadable without a resource that is drawn, TooLarge."""
    from scenograph.reading.kubernetes.references import References  # noqa: PLC0415 - most sources need no YAML
    from scenograph.reading.kubernetes.resources import gather  # noqa: PLC0415 - as above

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
    from scenograph.reading.kubernetes.resources import containers  # noqa: PLC0415 - as above

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
    from scenograph.reading.kubernetes.resources import containers, plainly  # noqa: PLC0415 - as above

    parts = [object_at(one.said, "spec"), one.pod, *(row for _, _, row in containers(one.pod))]
    rest = plainly([name for part in parts for name in part if name not in _SHOWN])
    if rest:
        losses.formless(one.place("spec"), f"of {one.kind} '{one.key.name}' are not drawn: {rest}")
