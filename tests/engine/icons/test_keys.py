"""Keys find icons, however they are written."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine import icons
from scenograph.engine.icons.registry import SETS, IconSet, pack_of

# The keys of a handful of real diagrams.
IN_USE = [
    "gcp:cloud-load-balancing",
    "gcp:container-registry",
    "gcp:developer-tools",
    "gcp:kubernetes-engine",
    "lucide:bot",
    "lucide:boxes",
    "lucide:calendar-clock",
    "lucide:cloud",
    "lucide:cloud-cog",
    "lucide:container",
    "lucide:database",
    "lucide:laptop",
    "lucide:network",
    "lucide:repeat",
    "lucide:router",
    "lucide:server",
    "lucide:smartphone",
    "lucide:terminal",
]
SAME: Mapping[str, tuple[str, ...]] = {
    "aws:amazon-simple-storage-service": ("aws:s3", "aws:amazon-s3", "AWS:S3", "aws:simple_storage_service"),
    "aws:aws-lambda": ("aws:lambda", "aws:Lambda", "aws:amazon-lambda"),
    "aws:amazon-simple-queue-service": ("aws:sqs", "aws:amazon sqs"),
    "aws:amazon-simple-notification-service": ("aws:sns",),
    "aws:amazon-elastic-kubernetes-service": ("aws:eks", "aws:elastic-kubernetes-service"),
    "aws:amazon-elastic-container-service": ("aws:ecs",),
    "aws:amazon-ec2": ("aws:ec2",),
    "aws:amazon-rds": ("aws:rds", "aws:relational-database-service"),
    "aws:amazon-dynamodb": ("aws:dynamodb", "aws:dynamo-db"),
    "aws:amazon-cloudfront": ("aws:cloudfront", "aws:cloud-front"),
    "aws:elastic-load-balancing": ("aws:elb", "aws:Elastic Load Balancing"),
    "aws:amazon-virtual-private-cloud": ("aws:vpc",),
    "gcp:google-kubernetes-engine": ("gcp:gke", "gcp:kubernetes-engine", "gcp:kubernetes"),
    "gcp:cloud-storage": ("gcp:gcs", "gcp:storage", "gcp:cloud_storage", "gcp:google-cloud-storage"),
    "gcp:pubsub": ("gcp:pub-sub", "gcp:cloud-pubsub", "gcp:PubSub"),
    "gcp:bigquery": ("gcp:big-query", "gcp:bq"),
    "gcp:cloud-functions": ("gcp:functions", "gcp:cloud-function"),
    "azure:kubernetes-services": ("azure:aks", "azure:kubernetes-service", "azure:azure-kubernetes-service"),
    "azure:azure-cosmos-db": ("azure:cosmosdb", "azure:cosmos-db"),
    "azure:function-apps": ("azure:functions", "azure:function-app"),
    "azure:key-vaults": ("azure:key-vault", "azure:KeyVault"),
    "azure:azure-service-bus": ("azure:service-bus",),
    "lucide:house": ("lucide:home",),
    "lucide:triangle-alert": ("lucide:alert-triangle", "lucide:AlertTriangle", "lucide:warning"),
    "simple:postgresql": ("simple:postgres", "logos:PostgreSQL", "simple-icons:postgresql"),
    "simple:apachekafka": ("simple:kafka", "simple:apache-kafka"),
    "simple:nodedotjs": ("simple:node.js", "simple:nodejs", "logos:node"),
    "k8s:persistentvolumeclaim": ("k8s:pvc", "kubernetes:persistent-volume-claim"),
}


@pytest.mark.parametrize("key", IN_USE)
def test_keys_of_real_diagrams_are_known(key: str) -> None:
    icon = icons.find(key)
    assert icon is not None
    assert icon.key.split(":")[0] == key.split(":", maxsplit=1)[0]


@pytest.mark.parametrize(
    ("key", "spelling"), [(key, other) for key, others in SAME.items() for other in (key, *others)]
)
def test_one_icon_has_many_spellings(key: str, spelling: str) -> None:
    icon = icons.find(spelling)
    assert icon is not None
    assert icon.key == key


@pytest.mark.parametrize("key", ["", ":", "lucide", "lucide:", "nosuch:database", "lucide:qqq"])
def test_what_names_nothing_finds_nothing(key: str) -> None:
    assert icons.find(key) is None


@pytest.mark.parametrize("row", SETS, ids=lambda row: row.prefix)
def test_every_alias_leads_to_a_packed_icon_and_hides_none(row: IconSet) -> None:
    packed = pack_of(row.prefix).order
    assert {alias for alias, name in row.aliases.items() if name not in packed} == set()
    assert {alias for alias in row.aliases if alias in packed} == set()
    for alias, name in row.aliases.items():
        icon = icons.find(f"{row.prefix}:{alias}")
        assert icon is not None
        assert icon.key == f"{row.prefix}:{name}", alias


@pytest.mark.parametrize("row", SETS, ids=lambda row: row.prefix)
def test_every_packed_icon_is_found_under_its_own_key(row: IconSet) -> None:
    for name in pack_of(row.prefix).order:
        icon = icons.find(f"{row.prefix}:{name}")
        assert icon is not None
        assert icon.key == f"{row.prefix}:{name}"


def test_there_are_thousands_of_them() -> None:
    assert icons.count() == sum(len(pack_of(row.prefix).order) for row in SETS) > 4000


@settings(deadline=None)
@given(st.text() | st.builds("{}:{}".format, st.sampled_from([row.prefix for row in SETS]), st.text()))
def test_any_text_may_be_asked(key: str) -> None:
    icon = icons.find(key)
    assert icon is None or icons.find(icon.key) == icon
