"""Plans and states of Terraform to a document: resources are gathered, their relations found, and both drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.source import Losses, Place, Source, Unreadable, require_room
from scenograph.reading.yaml_documents import Document, documents
from scenograph.scene.json_values import JsonObject, Path, is_array, is_object, member, object_at, text_at
from scenograph.scene.limits import IconRegistry
from scenograph.scene.strict_json import StrictJsonError, parse

# The types of resources: which are frames, which are folded, and what the others look like.

# Frames, the outermost first. A resource stands in the innermost of those that it refers to.
_FRAMES = (
    ("azurerm_resource_group", "kubernetes_namespace", "kubernetes_namespace_v1"),
    (
        *("aws_vpc", "aws_default_vpc", "azurerm_virtual_network", "google_compute_network", "alicloud_vpc"),
        *("digitalocean_vpc", "oci_core_vcn", "hcloud_network", "openstack_networking_network_v2", "ibm_is_vpc"),
    ),
    (
        *("aws_subnet", "aws_default_subnet", "azurerm_subnet", "google_compute_subnetwork", "alicloud_vswitch"),
        *("oci_core_subnet", "hcloud_network_subnet", "openstack_networking_subnet_v2", "ibm_is_subnet"),
    ),
)
_FRAME_RANKS: Mapping[str, int] = MappingProxyType({kind: rank for rank, kinds in enumerate(_FRAMES) for kind in kinds})

# Folded: what stands for a relation or a setting of another resource.
_PASSED = re.compile(r"(?:_subnet_group|_instance_profile)$")
_ATTACHED = re.compile(
    r"(?:_(?:attachment|association|assignment|attachments?_exclusive|rules?|permission|binding|member|membership|listener"
    r"|certificate_validation|access_key|policy|route|event_target|user_login_profile|subscription_filter|acl_rule"
    r"|event_source_mapping|authority_access|lifecycle_hook|notification|schedule|topic_subscription))$"
    r"|^aws_s3_(?:bucket_|object)|^aws_(?:api_gateway|apigatewayv2)_(?!rest_api|api$|api_key|domain_name|vpc_link|usage_plan$)"
)
_STANDALONE = re.compile(
    r"^aws_iam_policy$|_(?:firewall|security|organizations|network_firewall)_policy$|^aws_cloudwatch_event_rule$"
    r"|_firewall_rule_collection_group$|^(?:vault|consul_acl|nomad_acl)_policy$"
)
OWNERS = (
    *("listener_arn", "load_balancer_arn", "loadbalancer_id", "target_group_arn", "autoscaling_group_name"),
    *("instance_id", "virtual_machine_id", "network_interface_id", "subnet_id", "route_table_id", "route_table_name"),
    *("security_group_id", "network_security_group_name", "network_security_group_id", "function_name", "bucket"),
    *("role", "role_name", "role_id", "user", "group", "rest_api_id", "api_id", "topic_arn", "queue_url", "cluster"),
    *("repository", "key_id", "service_account_id", "principal_id", "scope", "network", "vpc_id", "rule"),
)
"""Attributes by which a folded resource names its owner, the strongest first."""

PASSED, ATTACHED = "passed", "attached"


def _folding_of(kind: str) -> str:
    """How a type is folded: ATTACHED into an owner, PASSED between the ends of lines, "" for drawn types."""
    if _PASSED.search(kind):
        return PASSED
    return ATTACHED if _ATTACHED.search(kind) and not _STANDALONE.search(kind) else ""


_SETS: Mapping[str, str] = MappingProxyType({"aws": "aws", "azurerm": "azure", "google": "gcp", "kubernetes": "k8s"})
_ICONS: Mapping[str, str] = MappingProxyType(
    {
        "aws_subnet": "aws:group-private-subnet",
        "aws_default_subnet": "aws:group-private-subnet",
        "aws_security_group": "lucide:shield",
        "aws_default_security_group": "lucide:shield",
        "aws_default_vpc": "aws:vpc",
        "aws_instance": "aws:ec2",
        "aws_spot_instance_request": "aws:ec2",
        "aws_db_instance": "aws:rds",
        "aws_docdb_cluster": "aws:documentdb",
        "aws_lb": "aws:elastic-load-balancing",
        "aws_lb_target_group": "aws:elastic-load-balancing",
        "aws_eip": "aws:res-amazon-ec2-elastic-ip-address",
        "aws_apigatewayv2_api": "aws:api-gateway",
        "aws_secretsmanager_secret": "aws:secrets-manager",
        "aws_launch_template": "aws:ec2",
        "aws_launch_configuration": "aws:ec2",
        "aws_key_pair": "lucide:key-round",
        "aws_network_interface": "aws:res-amazon-vpc-elastic-network-interface",
        "aws_wafv2_web_acl": "aws:waf",
        "aws_elasticsearch_domain": "aws:opensearch",
        "aws_cloudwatch_event_rule": "aws:eventbridge",
        "azurerm_linux_virtual_machine": "azure:virtual-machine",
        "azurerm_windows_virtual_machine": "azure:virtual-machine",
        "azurerm_service_plan": "azure:app-service-plan",
        "azurerm_mssql_server": "azure:sql-server",
        "azurerm_mssql_database": "azure:sql-database",
        "azurerm_lb": "azure:load-balancers",
        "google_compute_instance": "gcp:compute-engine",
        "google_compute_instance_template": "gcp:compute-engine",
        "google_compute_network": "gcp:virtual-private-cloud",
        "google_compute_subnetwork": "gcp:virtual-private-cloud",
        "google_compute_firewall": "gcp:cloud-firewall-rules",
        "google_compute_address": "gcp:cloud-external-ip-addresses",
        "google_container_cluster": "gcp:google-kubernetes-engine",
        "google_container_node_pool": "gcp:google-kubernetes-engine",
        "google_service_account": "gcp:identity-and-access-management",
        "google_redis_instance": "gcp:memorystore",
        "helm_release": "simple:helm",
        "tls_private_key": "lucide:key-round",
        "random_password": "lucide:key-round",
    }
)


def icon_of(kind: str, icons: IconRegistry | None) -> str | None:
    """The icon of a type, found by name, by the longest known beginning of the name, or by the provider."""
    if icons is None:
        return None
    if kind in _ICONS and icons.knows(_ICONS[kind]):
        return _ICONS[kind]
    provider, _, rest = kind.partition("_")
    if provider not in _SETS:
        return icons.product(provider)
    words = rest.split("_")[:8]
    keys = (f"{_SETS[provider]}:{'-'.join(words[:count])}" for count in range(len(words), 0, -1))
    return next((key for key in keys if icons.knows(key)), None)


_TYPES = (
    (r"^aws_(?:instance|spot_instance_request|launch|eip)|_virtual_machine|^google_compute_instance", "service"),
    (r"_cache|elasticache|_redis|memorydb|memcache", "cache"),
    (r"_s3_bucket$|_storage_bucket$|_storage_container$", "bucket"),
    (r"_sqs_queue|_servicebus|_eventhub|_kinesis_stream|_msk_|_mq_broker", "queue"),
    (r"_sns_topic$|_pubsub_topic$", "topic"),
    (r"lambda_function$|_function_app$|_cloudfunctions2?_function$", "function"),
    (r"^aws_(?:lb|alb|elb)$|^azurerm_lb$|_forwarding_rule$|_application_gateway$", "loadBalancer"),
    (r"_cloudfront_distribution$|_cdn_", "cdn"),
    (r"_(?:internet|nat|vpn|transit)_gateway|_api_gateway_rest_api$|_apigatewayv2_api$|_router$", "gateway"),
    (
        (
            r"_db_instance$|_rds_cluster|_dynamodb_table|_sql_|_mssql_|_postgresql|_mysql|_cosmosdb|_docdb|_neptune"
            r"|_redshift_cluster|_bigquery_|_spanner_|_database$"
        ),
        "database",
    ),
    (r"_ebs_volume|_efs_|_fsx_|_managed_disk|_compute_disk|_storage_account|_filestore", "storage"),
)
_COMPILED = tuple((re.compile(pattern), kind) for pattern, kind in _TYPES)


def _node_type_of(kind: str) -> str | None:
    """The node type of a type of resources."""
    return next((found for pattern, found in _COMPILED if pattern.search(kind)), None)


SHOWN = (
    *("instance_type", "instance_class", "machine_type", "vm_size", "size", "node_type", "runtime", "engine"),
    *("cidr_block", "ip_cidr_range", "chart"),
)
"""Attributes that labels show."""

# The resources of a plan, of a state as `show -json` writes it, and of a raw state of version 4. Of their values only a
# few named attributes are looked at, unless they are sensitive: the others may be secrets.

PLACED_DEPTH = 10  # planned_values, root_module, and three modules deep
_RAW_VERSION = 4
MOST_SHOWN = 3  # different values of an attribute
_LONGEST_VALUE = 60
ROOT = ""  # the address of the root module

_LONGEST_ADDRESS = 500
_NAME = re.compile(r"[\w.-]{1,250}")
_TYPE = re.compile(r"[a-z][a-z0-9_-]{0,120}")
_INDEX = re.compile(r"\[(?:[0-9]+|\"(?:[^\"\\]|\\.)*\")\]")
_DATA, _MANAGED = "data", "managed"
_IDS = ("id", "arn", "self_link", "name")
_SHORTEST_ID = 4


class BlockKey(NamedTuple):
    """The identity of a resource block: the module's address without indexes, the type and the name."""

    module: str
    type: str
    name: str
    is_data: bool = False

    @property
    def address(self) -> str:
        """The address, as Terraform writes it."""
        own = f"{_DATA}.{self.type}.{self.name}" if self.is_data else f"{self.type}.{self.name}"
        return f"{self.module}.{own}" if self.module else own


@dataclass(slots=True)
class ResourceBlock:
    """A resource block with the values of its instances, and the dependencies named by a state."""

    key: BlockKey
    place: Place
    instances: int = 0
    values: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    secret: set[str] = field(default_factory=set[str])
    """The names of sensitive attributes."""
    is_secret: bool = False
    """Whether all attributes are sensitive: as a whole, or by a mark that is not understood."""
    depends_on: dict[str, None] = field(default_factory=dict[str, None])

    def shown(self, names: tuple[str, ...]) -> Iterator[str]:
        """The different values of attributes that are texts and not sensitive."""
        for name in names:
            if self.is_secret or name in self.secret:
                continue
            rows = dict.fromkeys(found for said in self.values if (found := text_at(said, name)))
            kept = [value[:_LONGEST_VALUE] for value in list(rows)[:MOST_SHOWN]]
            if kept:
                yield ", ".join([*kept, "…"] if len(rows) > MOST_SHOWN else kept)

    def hide(self, names: Iterable[str] | None) -> None:
        """Call attributes sensitive, or all of them."""
        self.secret.update(names or ())
        self.is_secret |= names is None

    def ids(self) -> Iterator[str]:
        """The texts in further resources' attributes for references to the instances."""
        for said in self.values:
            yield from (found for name in _IDS if len(found := text_at(said, name) or "") >= _SHORTEST_ID)


@dataclass(slots=True)
class Infrastructure:
    """The blocks of a source in order, and the modules by address. `configuration`: the configuration in a plan."""

    blocks: dict[BlockKey, ResourceBlock] = field(default_factory=dict[BlockKey, ResourceBlock])
    modules: dict[str, Place] = field(default_factory=dict[str, Place])
    configuration: Mapping[str, Any] = field(default_factory=dict[str, Any])


def _form_of(root: object) -> str:
    """The kind of a value: "plan", "state", "raw", or "" for anything else."""
    if not is_object(root):
        return ""
    if isinstance(root.get("format_version"), str):
        if is_object(root.get("planned_values")):
            return "plan"
        return "state" if is_object(member(root, "values", "root_module")) else ""
    is_raw = root.get("version") == _RAW_VERSION and is_array(root.get("resources"))
    return "raw" if is_raw and isinstance(root.get("terraform_version"), str) else ""


def gather(document: Document, losses: Losses, most: int) -> Infrastructure:
    """The resources of a document that is of one of the forms. TooLarge for more than `most` blocks."""
    return _Gathering(document, losses, most).infrastructure()


class _Gathering:
    def __init__(self, document: Document, losses: Losses, most: int) -> None:
        self._document = document
        self._root: JsonObject = document.value if is_object(document.value) else {}
        self._losses = losses
        self._most = most
        self._found = Infrastructure()

    def infrastructure(self) -> Infrastructure:
        form = _form_of(self._root)
        if form == "raw":
            self._read_raw()
        else:
            section = "planned_values" if form == "plan" else "values"
            self._read_module((section, "root_module"), object_at(self._root, section, "root_module"), ROOT)
            self._found.configuration = object_at(self._root, "configuration", "root_module")
            self._read_changes()
        outputs = member(self._root, "outputs") or member(self._root, "planned_values", "outputs")
        outputs = outputs or member(self._root, "values", "outputs")
        if is_object(outputs) and outputs:
            self._losses.formless(self._place("outputs"), f"outputs ({len(outputs)}): not drawn")
        return self._found

    def _read_module(self, at: Path, said: Mapping[str, Any], module: str) -> None:
        for path, row in self._items(at, said, "resources"):
            self._read_resource(path, row, module)
        for path, row in self._items(at, said, "child_modules"):
            address = _address(row, "address")
            if not address.startswith("module."):
                self._losses.unread(self._place(*path), "a module has no valid address")
                continue
            self._found.modules.setdefault(address, self._place(*path))
            self._read_module(path, row, address)

    def _items(self, at: Path, said: Mapping[str, Any], name: str) -> Iterator[tuple[Path, JsonObject]]:
        rows = said.get(name)
        if rows is not None and not is_array(rows):
            self._losses.unread(self._place(*at, name), f"{name} is not a list")
        for index, row in enumerate(rows if is_array(rows) else ()):
            if is_object(row):
                yield (*at, name, index), row
            else:
                self._losses.unread(self._place(*at, name, index), f"an item of {name} is not a mapping")

    def _read_resource(self, path: Path, row: JsonObject, module: str) -> None:
        block = self._block(path, row, module)
        if block is None:
            return
        block.instances += 1
        values = row.get("values")
        if is_object(values):
            block.values.append(values)
        block.hide(_marked(row.get("sensitive_values")))
        self._note_dependencies(block, row)

    def _read_raw(self) -> None:
        for path, row in self._items((), self._root, "resources"):
            module = _address(row, "module")
            if row.get("module") and not module.startswith("module."):
                self._losses.unread(self._place(*path), "a module has no valid address")
                continue
            for address in _outer(module):
                self._found.modules.setdefault(address, self._place(*path))
            block = self._block(path, row, module)
            if block is None:
                continue
            for _, instance in self._items(path, row, "instances"):
                block.instances += 1
                values = instance.get("attributes")
                if is_object(values):
                    block.values.append(values)
                block.hide(_sensitive(instance.get("sensitive_attributes")))
                self._note_dependencies(block, instance)

    def _block(self, path: Path, row: JsonObject, module: str) -> ResourceBlock | None:
        kind, name, mode = text_at(row, "type") or "", text_at(row, "name") or "", row.get("mode")
        if not _TYPE.fullmatch(kind) or not _NAME.fullmatch(name) or mode not in (_DATA, _MANAGED):
            self._losses.unread(self._place(*path), "a resource has no valid mode, type or name")
            return None
        key = BlockKey(module, kind, name, mode == _DATA)
        if key not in self._found.blocks:
            require_room(self._most, self._found.blocks)
            self._found.blocks[key] = ResourceBlock(key, self._place(*path))
        return self._found.blocks[key]

    @staticmethod
    def _note_dependencies(block: ResourceBlock, row: JsonObject) -> None:
        for name in ("depends_on", "dependencies"):
            rows = row.get(name)
            for one in rows if is_array(rows) else ():
                if isinstance(one, str) and len(one) <= _LONGEST_ADDRESS:
                    block.depends_on[_without_indexes(one)] = None

    def _read_changes(self) -> None:
        """Note the sensitive attributes of a plan, and tell the removals."""
        gone, first = 0, None
        for path, row in self._items((), self._root, "resource_changes"):
            actions = member(row, "change", "actions")
            if actions == ["delete"]:
                gone, first = gone + 1, first or self._place(*path)
            sensitive = member(row, "change", "after_sensitive")
            module = _address(row, "module_address")
            key = BlockKey(module, text_at(row, "type") or "", text_at(row, "name") or "", row.get("mode") == _DATA)
            if key in self._found.blocks:
                self._found.blocks[key].hide(_marked(sensitive))
        if first is not None:
            self._losses.formless(first, f"resources that the plan removes ({gone}): not drawn")

    def _place(self, *path: str | int) -> Place:
        return self._document.place(*path)


def _without_indexes(address: str) -> str:
    """An address without the keys of instances."""
    return _INDEX.sub("", address) if "[" in address else address


def _address(row: JsonObject, name: str) -> str:
    """An address without the keys of instances; "" for none, or one too long."""
    said = text_at(row, name) or ""
    return _without_indexes(said) if len(said) <= _LONGEST_ADDRESS else ""


def _outer(module: str) -> Iterator[str]:
    """A module and the modules around, outermost first."""
    names = [name for name in module.split("module.") if name]
    for count in range(1, len(names) + 1):
        yield ".".join(f"module.{name.strip('.')}" for name in names[:count])


def _marked(said: object) -> list[str] | None:
    """The names of attributes with a mark of sensitive values; None for all of them."""
    if said is None or said is False:
        return []
    if not is_object(said):
        return None
    return [name for name, mark in said.items() if mark is not False and mark not in ({}, [])]


def _sensitive(said: object) -> list[str] | None:
    """The names of the attributes that paths of sensitive values begin with; None for all of them."""
    if said is None:
        return []
    if not is_array(said):
        return None
    found = list[str]()
    for path in said:
        first = path[0] if is_array(path) and path else path
        name = first if isinstance(first, str) else text_at(first, "value")
        if not name:
            return None
        found.append(name)
    return found


# The relations between resources, from the dependent to what it needs. A plan refers by the expressions of its
# configuration, through variables and outputs of modules; a state names all that a resource depends on, also by way of
# others, which is reduced to the direct relations (Aho, Garey, Ullman 1972). What is folded is led through.

MOST_STEPS = 200_000  # references that are followed
_MOST_CHAINED = 64  # references through variables and outputs
_LONGEST_REFERENCE = 500
_RANKED = {name: rank for rank, name in enumerate(OWNERS)}
_LOCAL_NAME = re.compile(r"[\w-]{1,200}")

_Around = Sequence[Mapping[str, Any]]  # the configurations of the modules around a resource, its own last
Target = BlockKey | str
"""A block, or the address of a module."""


class _Reference(NamedTuple):
    """A reference: the holding attribute, "" for any other place."""

    attribute: str
    target: Target


class _TerraformReferences:
    """The references of all blocks, and the lines between drawn blocks. Unreadable beyond MOST_STEPS, TooLarge beyond
    `most` lines."""

    def __init__(self, found: Infrastructure, losses: Losses, most: int) -> None:
        self._found = found
        self._losses = losses
        self._most = most
        self._steps = 0
        self._locals = 0
        self._known: dict[tuple[str, str], tuple[Target, ...]] = {}
        self._open: set[tuple[str, str]] = set()
        self._all: dict[BlockKey, list[_Reference]] = {key: [] for key in found.blocks}
        self._owner: dict[BlockKey, Target] = {}
        self.folded: dict[BlockKey, str] = {}
        """Blocks that are not drawn, and how they are folded."""
        self.lines: dict[tuple[Target, Target], None] = {}

    def find(self) -> None:
        """Collect references, folded blocks and lines."""
        if self._found.configuration:
            self._declare_data(self._found.configuration, ROOT)
            self._read_module(self._found.configuration, (self._found.configuration,), ROOT)
        else:
            self._read_dependencies()
        for key, rows in self._all.items():
            how = PASSED if key.is_data else _folding_of(key.type)
            if how == PASSED and (key.is_data or rows):
                self.folded[key] = how
            elif how == ATTACHED and rows:
                self.folded[key] = how
                self._owner[key] = min(rows, key=lambda one: _RANKED.get(one.attribute, len(_RANKED))).target
        for key in self._found.blocks:
            if key in self._owner:
                owner = self._owner[key]
                self._draw([owner], [one.target for one in self._all[key] if one.target != owner])
            elif key not in self.folded:
                self._draw([key], [one.target for one in self._all[key]])
        if self._locals:
            what = f"references through local values are not known ({self._locals})"
            self._losses.formless(Place(1, 1), what)

    def home(self, key: BlockKey) -> BlockKey | None:
        """The frame around a block: the innermost referenced frame of the same module, further out than the block's own
        rank, and without another of equal rank."""
        own = _FRAME_RANKS.get(key.type, len(_FRAME_RANKS))
        near = [one for one in self._led(one.target for one in self._all[key]) if isinstance(one, BlockKey)]
        frames = [one for one in near if one.type in _FRAME_RANKS and one.module == key.module]
        ranks = sorted({_FRAME_RANKS[one.type] for one in frames if _FRAME_RANKS[one.type] < own}, reverse=True)
        for rank in ranks:
            inner = {one for one in frames if _FRAME_RANKS[one.type] == rank}
            if len(inner) == 1:
                return inner.pop()
        return None

    def _draw(self, starts: Iterable[Target], ends: Iterable[Target]) -> None:
        targets = list(self._led(ends))
        for start in self._led(starts):
            for end in targets:
                self._step()
                if start != end and (start, end) not in self.lines:
                    require_room(self._most, self.lines)
                    self.lines[start, end] = None

    def _led(self, targets: Iterable[Target]) -> Iterator[Target]:
        """The drawn targets, and the drawn targets behind folded ones, each once."""
        waiting, seen = list(targets)[::-1], set[Target]()
        while waiting:
            self._step()
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if isinstance(one, str):
                if one in self._found.modules:
                    yield one
            elif one in self._owner:
                waiting.append(self._owner[one])
            elif one in self.folded:
                waiting += [row.target for row in self._all[one]][::-1]
            else:
                yield one

    # The configuration of a plan.

    def _declare_data(self, said: Mapping[str, Any], module: str) -> None:
        """Note the data of a module and those within: a plan's values lack what is known already."""
        for row in _rows(said):
            key = _key(row, module)
            if key is not None and key.is_data:
                self._all.setdefault(key, [])
        for address, inner in _modules(said, module):
            self._declare_data(inner, address)

    def _read_module(self, said: Mapping[str, Any], around: _Around, module: str) -> None:
        for row in _rows(said):
            key = _key(row, module)
            if key is not None and key in self._all:
                self._all[key] += self._of_resource(row, around, module)
        for address, inner in _modules(said, module):
            self._read_module(inner, (*around, inner), address)

    def _of_resource(self, row: Mapping[str, Any], around: _Around, module: str) -> list[_Reference]:
        found: dict[_Reference, None] = {}
        for attribute, expression in object_at(row, "expressions").items():
            for target in self._targets(expression, around, module):
                found[_Reference(attribute, target)] = None
        for name in ("count_expression", "for_each_expression"):
            for target in self._targets(row.get(name), around, module):
                found.setdefault(_Reference("", target))
        depends_on = row.get("depends_on")
        for one in depends_on if is_array(depends_on) else ():
            if isinstance(one, str):
                for target in self._named(one, around, module):
                    found.setdefault(_Reference("", target))
        named = {one.target for one in found if one.attribute}
        return [one for one in found if one.attribute or one.target not in named]

    def _targets(self, expression: object, around: _Around, module: str) -> Iterator[Target]:
        """The targets of an expression, inner blocks included."""
        self._step()
        if is_array(expression):
            for one in expression:
                yield from self._targets(one, around, module)
        elif is_object(expression):
            rows = expression.get("references")
            if is_array(rows):
                names = [one for one in rows if isinstance(one, str) and len(one) <= _LONGEST_REFERENCE]
                longer = {one.rpartition(".")[0] for one in names}
                for name in names:
                    if name not in longer or not name.startswith("module."):
                        yield from self._named(name, around, module)
                return
            for name, one in expression.items():
                if name != "constant_value":
                    yield from self._targets(one, around, module)

    def _named(self, name: str, around: _Around, module: str) -> Iterable[Target]:
        """What a reference in a module leads to."""
        self._step()
        at = (module, name)
        if at not in self._known:
            if at in self._open:
                return ()
            if len(self._open) >= _MOST_CHAINED:
                raise Unreadable(Place(1, 1), f"at most {_MOST_CHAINED} variables and outputs that lead to each other")
            self._open.add(at)
            self._known[at] = tuple(dict.fromkeys(self._looked_up(name, around, module)))
            self._open.remove(at)
        self._step(len(self._known[at]))
        return self._known[at]

    def _looked_up(self, name: str, around: _Around, module: str) -> Iterator[Target]:
        parts = _without_indexes(name).split(".")
        if parts[0] == "local":
            self._locals += 1
        elif parts[0] == "var" and len(parts) > 1 and len(around) > 1:
            outer, own = _split(module)
            call = object_at(around[-2], "module_calls", own)
            yield from self._targets(member(call, "expressions", parts[1]), around[:-1], outer)
        elif parts[0] == "module" and len(parts) > 1:
            address = f"{module}.module.{parts[1]}" if module else f"module.{parts[1]}"
            inner = object_at(around[-1], "module_calls", parts[1], "module")
            if len(parts) == 2:
                yield address
            else:
                said = member(inner, "outputs", parts[2])
                yield from self._targets(member(said, "expression"), (*around, inner), address)
        else:
            is_data = parts[0] == _DATA
            kind, name, *_ = (*parts[is_data:], "", "")
            key = BlockKey(module, kind, name, is_data)
            if key in self._all:
                yield key

    # The dependencies of a state.

    def _read_dependencies(self) -> None:
        by_address = {key.address: key for key in self._found.blocks}
        by_id: dict[str, BlockKey] = {}
        for key, block in self._found.blocks.items():
            for one in block.ids():
                by_id.setdefault(one, key)
        needs = {key: self._depended_on(block, by_address) for key, block in self._found.blocks.items()}
        for key, targets in _reduced(needs, self._step).items():
            named = {by_id[value]: name for name, value in self._owners(self._found.blocks[key]) if value in by_id}
            self._all[key] = [_Reference(named.get(one, ""), one) for one in targets]

    def _depended_on(self, block: ResourceBlock, by_address: Mapping[str, BlockKey]) -> list[BlockKey]:
        found: dict[BlockKey, None] = {}
        for address in block.depends_on:
            self._step()
            inner = f"{block.key.module}.{address}" if block.key.module else address
            key = by_address.get(address) or by_address.get(inner)
            if key is not None and key != block.key:
                found[key] = None
        return list(found)

    @staticmethod
    def _owners(block: ResourceBlock) -> Iterator[tuple[str, str]]:
        for said in block.values[:1]:
            yield from ((name, value) for name in reversed(OWNERS) if isinstance(value := said.get(name), str))

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MOST_STEPS:
            raise Unreadable(Place(1, 1), f"a source of at most {MOST_STEPS} references to follow")


def _rows(said: Mapping[str, Any]) -> Iterator[JsonObject]:
    """The resources of a module's configuration."""
    rows = said.get("resources")
    yield from (row for row in (rows if is_array(rows) else ()) if is_object(row))


def _modules(said: Mapping[str, Any], module: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The addresses and configurations of the modules that a module calls."""
    for name, call in object_at(said, "module_calls").items():
        inner = object_at(call, "module")
        if inner and _LOCAL_NAME.fullmatch(name):
            yield (f"{module}.module.{name}" if module else f"module.{name}"), inner


def _key(row: JsonObject, module: str) -> BlockKey | None:
    kind, name = row.get("type"), row.get("name")
    if not isinstance(kind, str) or not isinstance(name, str):
        return None
    return BlockKey(module, kind, name, row.get("mode") == _DATA)


def _split(module: str) -> tuple[str, str]:
    """The enclosing module, and the module's name there."""
    outer, _, own = module.rpartition("module.")
    return outer.rstrip("."), own


def _reduced(needs: Mapping[BlockKey, list[BlockKey]], step: Callable[[], None]) -> dict[BlockKey, list[BlockKey]]:
    """The direct relations among all. Relations in a circle stay."""
    number = {key: at for at, key in enumerate(needs)}
    behind: dict[BlockKey, int] = {}
    for key in _from_the_ends(needs):
        bits = 0
        for one in needs[key]:
            bits |= behind.get(one, 0) | 1 << number[one]
        behind[key] = bits
    result: dict[BlockKey, list[BlockKey]] = {}
    for key, rows in needs.items():
        through = 0
        for one in rows:
            step()
            if not behind[one] >> number[key] & 1:
                through |= behind[one]
        result[key] = [one for one in rows if not through >> number[one] & 1 or behind[one] >> number[one] & 1]
    return result


def _from_the_ends(needs: Mapping[BlockKey, list[BlockKey]]) -> Iterator[BlockKey]:
    """The keys, each behind the needed keys, as far as no needs form a circle."""
    seen: set[BlockKey] = set()
    for first in needs:
        stack = [(first, iter(needs[first]))] if first not in seen else []
        seen.add(first)
        while stack:
            key, rest = stack[-1]
            following = next((one for one in rest if one not in seen), None)
            if following is None:
                stack.pop()
                yield key
            else:
                seen.add(following)
                stack.append((following, iter(needs[following])))


# The front door: the resources of a plan or a state to a document. Modules, networks and subnets are frames;
# lines run from a resource to what it needs.

MOST_CHARACTERS = 1 << 20  # of a source

_FAMILY = "architecture"
_EXPECTED = "what `terraform show -json` writes of a plan or a state, or a state of version 4"
_HINT = "Files of the language (.tf) and older states are read after `terraform show -json`."


def recognizes(text: str) -> bool:
    """Whether a text is a plan or a state of Terraform."""
    if not ("format_version" in text or "terraform_version" in text) or not text.lstrip("\ufeff \t\r\n").startswith(
        "{"
    ):
        return False

    try:
        return bool(_form_of(parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))))
    except StrictJsonError:
        return False


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a plan or a state. Unreadable without a resource that is drawn, TooLarge."""

    found = list(documents(source.text, PLACED_DEPTH, MOST_CHARACTERS))
    if len(found) != 1 or found[0].fault is not None or not _form_of(found[0].value):
        place = found[0].fault if found else None
        raise Unreadable(place or Place(1, 1), _EXPECTED, _HINT)
    infrastructure = gather(found[0], losses, source.most_elements)
    references = _TerraformReferences(infrastructure, losses, source.most_elements)
    references.find()
    drawn = [key for key in infrastructure.blocks if key not in references.folded]
    if not drawn:
        raise Unreadable(losses.first or Place(1, 1), "resources that are drawn")
    _tell_folded(infrastructure, references, losses)
    return _Drawing(infrastructure, references, source).document()


def _tell_folded(infrastructure: Infrastructure, references: _TerraformReferences, losses: Losses) -> None:
    """Tell what is folded, once for each type."""
    counts = Counter((key.is_data, key.type) for key in references.folded)
    firsts: dict[tuple[bool, str], Place] = {}
    for key in references.folded:
        block = infrastructure.blocks.get(key)  # a plan may lack the values of its data
        firsts.setdefault((key.is_data, key.type), block.place if block else Place(1, 1))
    for (is_data, kind), count in counts.items():
        what = f"data.{kind} ({count}): not drawn" if is_data else f"{kind} ({count}): folded into what it belongs to"
        losses.formless(firsts[is_data, kind], what)


class _Drawing:
    def __init__(self, infrastructure: Infrastructure, references: _TerraformReferences, source: Source) -> None:
        self._infrastructure = infrastructure
        self._references = references
        self._source = source
        self._assembly = Assembly("terraform", source)
        self._inside: dict[Target, list[str]] = {}
        self._around: dict[Target, Target] = {}

    def document(self) -> JsonObject:
        """The document of the resources."""

        drawn = [one for key, one in self._infrastructure.blocks.items() if key not in self._references.folded]
        frames = [one for one in drawn if one.key.type in _FRAME_RANKS]
        for one in drawn:
            if one.key.type not in _FRAME_RANKS:
                self._assembly.node(one.key.address, **_node(one, self._source))
            self._stand(one.key)
        shown = self._stand_modules()
        for one in sorted(frames, key=lambda one: -_FRAME_RANKS[one.key.type]):
            self._assembly.frame(one.key.address, **_frame(one, self._source), children=self._inside.get(one.key, []))
        for address in shown:
            self._assembly.frame(
                address, title=address.rpartition("module.")[2], children=self._inside.get(address, [])
            )
        for start, end in self._references.lines:
            if not self._is_within(start, end) and not self._is_within(end, start):
                ends = ({"elementId": self._assembly.name(_target_address(one))} for one in (start, end))
                self._assembly.edge(next(ends), next(ends), f"{_target_address(start)} -> {_target_address(end)}")
        return self._assembly.document(
            _FAMILY, layoutStrategy={"algorithm": "hierarchical", "direction": "LR"}, defaults=HEADS
        )

    def _stand(self, key: BlockKey) -> None:
        home: Target = self._references.home(key) or key.module
        if home:
            self._around[key] = home
            self._inside.setdefault(home, []).append(self._assembly.name(key.address))

    def _stand_modules(self) -> list[str]:
        """The modules with something in them, the innermost first; each stands in the module around it."""
        held = {key.module for key in self._infrastructure.blocks if key not in self._references.folded}
        for start, end in self._references.lines:
            held |= {one for one in (start, end) if isinstance(one, str)}
        shown: set[str] = set()
        for module in held:
            while module and module not in shown:
                shown.add(module)
                module = module.rpartition(".module.")[0] if ".module." in module else ""  # noqa: PLW2901 - outwards
        ordered = [one for one in self._infrastructure.modules if one in shown]
        for module in ordered:
            outer = module.rpartition(".module.")[0]
            if outer:
                self._around[module] = outer
                self._inside.setdefault(outer, []).append(self._assembly.name(module))
        return ordered[::-1]

    def _is_within(self, one: Target, frame: Target) -> bool:
        at: Target | None = one
        while at is not None and at != frame:
            at = self._around.get(at)
        return at is not None


def _target_address(one: Target) -> str:
    return one if isinstance(one, str) else one.address


def _label(one: ResourceBlock) -> list[str]:
    count = f"{one.instances} instances" if one.instances > 1 else ""

    return [line for line in (one.key.name, one.key.type, *one.shown(SHOWN), count) if line]


def _node(one: ResourceBlock, source: Source) -> JsonObject:

    kind = _node_type_of(one.key.type)
    return {
        "nodeType": kind,
        "shape": None if kind else "rect",
        "icon": icon_of(one.key.type, source.icons),
        "label": "\n".join(_label(one)),
    }


def _frame(one: ResourceBlock, source: Source) -> JsonObject:

    name, _, *rest = _label(one)
    return {"title": ", ".join([name, *rest]), "icon": icon_of(one.key.type, source.icons)}
