"""Searches of agents and people: the expected icon is among the first three (R-ICON-9)."""

from __future__ import annotations

import pytest

from scenograph.engine.icons import search

BEST = 3
SHARE = 0.95
EXPECTED = {
    "kubernetes service": "k8s:service",
    "k8s deployment": "k8s:deployment",
    "kubernetes configmap": "k8s:configmap",
    "kubernetes pod": "k8s:pod",
    "kubernetes ingress": "k8s:ingress",
    "kubernetes secret": "k8s:secret",
    "kubernetes job": "k8s:job",
    "aws vpc": "aws:group-virtual-private-cloud-vpc",
    "aws public subnet": "aws:group-public-subnet",
    "aws private subnet": "aws:group-private-subnet",
    "aws region": "aws:group-region",
    "aws account": "aws:group-aws-account",
    "gcp looker": "simple:looker",
    "postgres": "simple:postgresql",
    "kafka": "simple:apachekafka",
    "redis": "simple:redis",
    "docker": "simple:docker",
    "github": "simple:github",
    "terraform": "simple:terraform",
    "grafana": "simple:grafana",
    "aws rds": "aws:amazon-rds",
    "database": "lucide:database",
    "user": "lucide:user",
    "email": "lucide:mail",
    "queue": "lucide:list-ordered",
    "lock": "lucide:lock",
    "phone": "lucide:phone",
}


def first(query: str) -> list[str]:
    return [found.key for found in search(query)[:BEST]]


@pytest.mark.parametrize("query", ["kubernetes service", "aws vpc", "gcp looker"])
def test_a_vendor_before_a_word_leads_to_its_thing(query: str) -> None:
    assert EXPECTED[query] in first(query)


def test_the_thing_comes_before_its_group() -> None:
    assert first("aws vpc")[0] == "aws:amazon-virtual-private-cloud"


def test_an_exact_name_of_another_set_is_added_only_where_the_vendor_has_none() -> None:
    assert all(key.startswith("aws:") for key in first("aws vpc"))


def test_most_searches_find_what_is_meant() -> None:
    missed = [query for query, key in EXPECTED.items() if key not in first(query)]
    assert len(missed) <= len(EXPECTED) * (1 - SHARE), missed
