"""Products by the names of their container images."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_DEFAULT_TYPE = "service"
_IMAGES: Mapping[str, str] = {
    "database": "postgres postgresql mysql mariadb mongo mongodb cassandra clickhouse clickhouse-server couchdb"
    " influxdb elasticsearch opensearch neo4j percona postgis timescaledb mssql cockroach oracle-free",
    "cache": "redis valkey memcached keydb dragonfly varnish",
    "queue": "rabbitmq kafka cp-kafka nats activemq-artemis pulsar redpanda mosquitto eclipse-mosquitto beanstalkd",
    "gateway": "nginx traefik haproxy caddy envoy kong httpd nginx-proxy",
}
_TYPES = MappingProxyType({image: kind for kind, images in _IMAGES.items() for image in images.split()})


def product_of(image: str) -> str:
    """The own name of an image, in lower case, without registry, path, tag and digest."""
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0].lower()


def type_of(product: str) -> str:
    """The node type of a product."""
    return _TYPES.get(product, _DEFAULT_TYPE)
