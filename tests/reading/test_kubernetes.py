"""Kubernetes manifests: what is read, what is told, and what never leaves them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize

SHOP = """\
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, namespace: shop}
spec:
  tls: [{hosts: [shop.example], secretName: shop-tls}]
  rules:
  - host: shop.example
    http:
      paths:
      - {path: /, backend: {service: {name: web, port: {number: 80}}}}
      - {path: /api, backend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: v1
kind: Secret
metadata: {name: shop-tls, namespace: shop}
data: {tls.key: aHVudGVyMg==}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: NodePort, selector: {app: web}, ports: [{port: 80, targetPort: http}, {port: 53, protocol: UDP}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: web, tier: front}}
    spec:
      containers:
      - name: web
        image: nginx:1.27
        envFrom: [{configMapRef: {name: settings}}]
        volumeMounts: [{name: conf, mountPath: /etc/conf, readOnly: true}]
      volumes: [{name: conf, configMap: {name: settings}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {A: hunter2}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: data}
spec:
  template:
    spec:
      containers: [{name: db, image: "postgres:17", volumeMounts: [{name: disk, mountPath: /data}]}]
  volumeClaimTemplates: [{metadata: {name: disk}, spec: {resources: {requests: {storage: 10Gi}}}}]
"""


ITEM = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}


def manifests(text: str) -> Import:
    return read_source(Text(text=text, icons=KnownIcons()), "kubernetes")


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["id"]: one for one in document["elements"]}


def lines(found: Import) -> list[tuple[str, str, str]]:
    edges = [one for one in found.document["elements"] if one["kind"] == "edge"]
    return [(one["from"]["elementId"], one["to"]["elementId"], one.get("label", "")) for one in edges]


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def workload(kind: str, name: str, pod: str, labels: str = "{}") -> str:
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
        f"spec: {{template: {{metadata: {{labels: {labels}}}, spec: {pod}}}}}\n---\n"
    )


def resource(kind: str, name: str, spec: str = "{}", version: str = "v1") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n---\n"


def test_resources_are_nodes_in_frames_of_their_namespaces() -> None:
    found = manifests(SHOP)
    here = elements(found)
    web = here["Deployment-shop-web"]
    assert web["label"] == "web\nDeployment, 3 replicas\nnginx:1.27"
    assert (web["nodeType"], web["icon"]) == ("service", "k8s:deployment")
    assert here["Service-shop-web"]["label"] == "web\nService\nNodePort\n80 → http, 53/UDP"
    assert here["Ingress-shop-shop"]["label"] == "shop\nIngress\nshop.example"
    assert here["StatefulSet-data-db"]["nodeType"] == "database"
    assert here["PersistentVolumeClaim-data-disk-of-StatefulSet-db"]["label"] == "disk\nPersistentVolumeClaim\n10Gi"
    assert here["Namespace-shop"]["children"][0] == "Ingress-shop-shop"
    assert len(here["Namespace-shop"]["children"]) == 5


def test_lines_run_as_traffic_does_and_on_to_configuration_and_volumes() -> None:
    assert lines(manifests(SHOP)) == [
        ("Ingress-shop-shop", "Secret-shop-shop-tls", "TLS"),
        ("Ingress-shop-shop", "Service-shop-web", "/\n/api"),
        ("Service-shop-web", "Deployment-shop-web", ""),
        ("Deployment-shop-web", "ConfigMap-shop-settings", "/etc/conf (read-only)\nenvironment"),
        ("StatefulSet-data-db", "PersistentVolumeClaim-data-disk-of-StatefulSet-db", "/data"),
    ]


def test_paths_of_several_hosts_are_told_apart() -> None:
    rule = "{{host: {0}.example, http: {{paths: [{{path: /x, backend: {{serviceName: {0}}}}}]}}}}"
    rules = f"{{rules: [{rule.format('a')}, {rule.format('b')}]}}"
    text = resource("Ingress", "in", rules, "extensions/v1beta1") + resource("Service", "a") + resource("Service", "b")
    assert [label for _, _, label in lines(manifests(text))] == ["a.example/x", "b.example/x"]


def test_a_selector_needs_all_its_labels_in_its_namespace() -> None:
    pods = "{containers: [{name: c, image: x}]}"
    both = workload("Deployment", "both", pods, "{a: '1', b: '2'}") + workload("DaemonSet", "one", pods, "{a: '1'}")
    found = manifests(both + resource("Service", "s", "{selector: {a: '1', b: '2'}}"))
    assert lines(found) == [("Service-s", "Deployment-both", "")]
    nothing = manifests(both + resource("Service", "s", "{selector: {a: '2'}}"))
    assert "Service 's' selects no workload of this source" in [what for _, what in told(nothing)]


def test_references_of_pods_are_found_wherever_they_stand() -> None:
    pod = (
        "{initContainers: [{name: i, image: x, env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]}],"
        " containers: [{name: c, image: y, volumeMounts: [{name: p, mountPath: /p}, {name: v, mountPath: /v}]}],"
        " imagePullSecrets: [{name: pull}],"
        " volumes: [{name: p, projected: {sources: [{secret: {name: s}}, {configMap: {name: m}}]}},"
        " {name: v, persistentVolumeClaim: {claimName: c}}, {name: tmp, emptyDir: {}}]}"
    )
    text = (
        resource("CronJob", "job", f"{{schedule: 0 3 * * *, jobTemplate: {{spec: {{template: {{spec: {pod}}}}}}}}}")
        + "".join(resource("Secret", name) for name in ("s", "pull"))
        + resource("ConfigMap", "m")
        + resource("PersistentVolumeClaim", "c", "{volumeName: disk}")
        + resource("PersistentVolume", "disk", "{storageClassName: fast}")
        + resource("StorageClass", "fast", "{}", "storage.k8s.io/v1")
    )
    found = manifests(text)
    assert lines(found) == [
        ("CronJob-job", "Secret-s", "/p\nenvironment"),
        ("CronJob-job", "ConfigMap-m", "/p"),
        ("CronJob-job", "PersistentVolumeClaim-c", "/v"),
        ("CronJob-job", "Secret-pull", "image pull"),
        ("PersistentVolumeClaim-c", "PersistentVolume-disk", ""),
        ("PersistentVolume-disk", "StorageClass-fast", ""),
    ]
    assert elements(found)["CronJob-job"]["label"] == "job\nCronJob\n0 3 * * *\ny"
    assert "volumes of CronJob 'job' without a resource are not drawn (1)" in [what for _, what in told(found)]


def test_kinds_of_others_are_drawn_with_the_references_that_are_known() -> None:
    text = (
        resource("Gateway", "edge", "{gatewayClassName: c}", "gateway.networking.k8s.io/v1")
        + resource(
            "HTTPRoute",
            "r",
            "{hostnames: [a.example], parentRefs: [{name: edge}], rules: [{backendRefs: [{name: web, port: 80}]}]}",
            "gateway.networking.k8s.io/v1",
        )
        + resource("Service", "web")
        + resource("Service", "web", "{}", "serving.knative.dev/v1")
        + resource("Certificate", "tls", "{secretName: gone, issuerRef: {name: ca}}", "cert-manager.io/v1")
        + resource("Issuer", "ca", "{}", "cert-manager.io/v1")
    )
    found = manifests(text)
    assert lines(found) == [
        ("Gateway-edge", "HTTPRoute-r", ""),
        ("HTTPRoute-r", "Service-web", ""),
        ("Certificate.cert-manager.io-tls", "Issuer.cert-manager.io-ca", ""),
    ]
    assert elements(found)["Service.serving.knative.dev-web"]["icon"] == "k8s:customresourcedefinition"


def test_scaling_is_a_dashed_line() -> None:
    target = "{scaleTargetRef: {kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 9}"
    text = resource("HorizontalPodAutoscaler", "h", target, "autoscaling/v2")
    found = manifests(text + workload("Deployment", "web", "{containers: [{name: a}]}"))
    [edge] = [one for one in found.document["elements"] if one["kind"] == "edge"]
    assert (edge["to"]["elementId"], edge["style"]) == ("Deployment-web", {"dash": [4, 4]})
    assert elements(found)["HorizontalPodAutoscaler-h"]["label"].endswith("2 to 9 replicas")


def test_what_is_not_drawn_is_told_by_name_and_line() -> None:
    text = (
        resource("Role", "r", "{}", "rbac.authorization.k8s.io/v1")
        + resource("Role", "q", "{}", "rbac.authorization.k8s.io/v1")
        + workload("Deployment", "a", "{containers: [{name: a, args: [x], envFrom: [{secretRef: {name: far}}]}]}")
        + resource("Service", "s", "{sessionAffinity: None}")
        + resource("Service", "s")
    )
    found = manifests(text)
    assert told(found) == [
        (3, "Role (2): access rights are not drawn"),
        (14, "of Deployment 'a' are not drawn: args"),
        (14, "Deployment 'a' refers to a Secret that this source does not have: far"),
        (19, "of Service 's' are not drawn: sessionAffinity"),
        (23, "Service 's' is described again; the first counts"),
    ]
    assert found.whole


def test_what_a_deployment_made_is_part_of_it() -> None:
    owner = "ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a}]"
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a-1, {owner}}}\nspec: {{containers: []}}\n---\n"
    found = manifests(pod + workload("Deployment", "a", "{containers: [{name: a}]}"))
    assert [*elements(found)] == ["Deployment-a"]
    assert (3, "resources that another one of the source made are not drawn (1)") in told(found)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: a}\n",
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [ITEM]}),
        "# a comment\n%YAML 1.2\n---\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n...\n",
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n\ufeff# the next file\n",
        "kind: Service\nmetadata: {name: a}\napiVersion: v1\nspec:\n- x\n",
    ],
)
def test_lists_json_and_files_in_a_row_are_read_and_recognized(text: str) -> None:
    found = read_source(Text(text=text))
    assert (found.format, [*elements(found)]) == ("kubernetes", ["Service-a"])


@pytest.mark.parametrize(
    "broken", ["apiVersion: v1\nkind: [s3cr3t\n", "a: b\n", "- s3cr3t\n", "kind: Service\nmetadata: {name: s3cr3t}\n"]
)
def test_a_broken_document_costs_itself_and_keeps_a_sync_from_removing(broken: str) -> None:
    found = read_source(Text(text=f"{SHOP}---\n{broken}---\n{resource('Service', 'last')}"))
    assert "Service-last" in elements(found)
    assert not found.whole
    assert max(line for line, what in told(found) if "document" in what) > SHOP.count("\n")
    assert "s3cr3t" not in str(found.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {s3cr3t: s3cr3t}\nstringData: {b: s3cr3t}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {b: s3cr3t}}\ndata: {s3cr3t: s3cr3t}\n",
        workload("Deployment", "a", "{containers: [{name: a, image: x, args: [s3cr3t], command: [s3cr3t]}]}"),
        workload("Deployment", "a", "{containers: [{name: a, env: [{name: s3cr3t, value: s3cr3t}, s3cr3t]}]}"),
        workload("Deployment", "a", "{containers: [{name: a, s3cr3t: 1, image: {a: s3cr3t}}], volumes: s3cr3t}"),
        resource("Certificate", "a", "{s3cr3t: 1, secret: {value: s3cr3t}}", "cert-manager.io/v1"),
    ],
)
def test_secrets_come_into_no_scene_and_no_diagnostic(text: str) -> None:
    found = manifests(text)
    assert "s3cr3t" not in json.dumps(found.document)
    assert "s3cr3t" not in str(found.diagnostics)
    assert [*elements(found)]


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: a}\n",
        "apiVersion: v1\nkind: Config\nclusters: []\n",
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: a}\n",
        "The apiVersion: is v1, the kind: is Service, metadata: none.\n",
        "# A page\n\n```yaml\napiVersion: v1\nkind: Service\nmetadata: {name: a}\n```\n",
        "a:\n  apiVersion: v1\n  kind: Service\n  metadata: {name: a}\n",
        '{"apiVersion": "v1", "kind": "Service"}',
    ],
)
def test_other_yaml_and_prose_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text)


def test_sql_in_a_configuration_is_no_sql() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  init.sql: |\n    CREATE TABLE t (id int);\n"
    assert recognized(text) == "kubernetes"


def test_a_source_of_access_rights_alone_is_refused_with_its_first_line() -> None:
    with pytest.raises(Unreadable, match=r"Line 3: expected resources of Kubernetes that are drawn"):
        manifests(resource("Role", "r", "{}", "rbac.authorization.k8s.io/v1"))


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ("nginx:1.27", "nginx:1.28", [("updateNode", "Deployment-shop-web")]),
        ("networking.k8s.io/v1", "networking.k8s.io/v1beta1", []),
        ("path: /api", "path: /v2", [("updateEdge", "Ingress-shop-shop--Service-shop-web")]),
        ("selector: {app: web}", "selector: {app: x}", [("deleteElement", "Service-shop-web--Deployment-shop-web")]),
        (
            "kind: ConfigMap\nmetadata: {name: settings, namespace: shop}",
            "kind: ConfigMap\nmetadata: {name: settings, namespace: other}",
            [
                ("createFrame", "Namespace-other"),
                ("updateNode", "ConfigMap-shop-settings"),
                ("reparentElement", "ConfigMap-shop-settings"),
                ("deleteElement", "Deployment-shop-web--ConfigMap-shop-settings"),
            ],
        ),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = manifests(SHOP).document
    source = SourceIdentity("kubernetes", "")
    assert synchronize(stored, manifests(SHOP).document, source, whole=True).ops == ()
    elements(stored)["StatefulSet-data-db"]["style"] = {"fill": "#ffeeaa"}
    done = synchronize(stored, manifests(SHOP.replace(old, new)).document, source, whole=True)
    assert sorted((op["op"], op["id"]) for op in done.ops) == sorted(ops)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    assert elements(batch.document)["StatefulSet-data-db"]["style"] == {"fill": "#ffeeaa"}
