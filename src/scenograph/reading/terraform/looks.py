"""The types of resources: which are frames, which are folded, and what the others look like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.scene.limits import IconRegistry

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
FRAME_RANKS: Mapping[str, int] = MappingProxyType({kind: rank for rank, kinds in enumerate(_FRAMES) for kind in kinds})

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


def folding_of(kind: str) -> str:
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


def node_type_of(kind: str) -> str | None:
    """The node type of a type of resources."""
    return next((found for pattern, found in _COMPILED if pattern.search(kind)), None)


SHOWN = (
    *("instance_type", "instance_class", "machine_type", "vm_size", "size", "node_type", "runtime", "engine"),
    *("cidr_block", "ip_cidr_range", "chart"),
)
"""Attributes that labels show."""
