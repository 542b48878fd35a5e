"""Unknown keys get near ones; words find icons."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine import icons
from scenograph.engine.icons.registry import SETS


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("lucide:databse", "lucide:database"),
        ("aws:lamda", "aws:aws-lambda"),
        ("aws:dynamodbb", "aws:amazon-dynamodb"),
        ("gcp:cloud-storrage", "gcp:cloud-storage"),
        ("azure:cosmos-database", "azure:azure-cosmos-db"),
        ("azure:devops-pipelines", "azure:azure-devops"),
        ("lucide:firewal", "lucide:brick-wall-shield"),
        ("k8s:deploymnt", "k8s:deployment"),
        ("simple:postgressql", "simple:postgresql"),
    ],
)
def test_a_slip_is_set_right(key: str, wanted: str) -> None:
    assert icons.find(key) is None
    assert icons.nearest(key)[0] == wanted


@pytest.mark.parametrize(("key", "short"), [("aws:lamda", "aws:lambda"), ("aws:ec3", "aws:ec2")])
def test_a_slip_in_a_short_key_gives_the_short_key_too(key: str, short: str) -> None:
    assert icons.find(short) is not None
    assert short in icons.nearest(key)


def test_an_unknown_prefix_gives_the_same_name_in_other_sets() -> None:
    assert icons.nearest("mdi:database")[0] == "lucide:database"
    assert {"lucide:ship-wheel", "simple:kubernetes", "gcp:google-kubernetes-engine"} == set(
        icons.nearest("x:kubernetes")
    )


def test_a_name_that_another_set_has_is_among_the_three() -> None:
    near = icons.nearest("aws:postgresql")
    assert near[0].startswith("aws:")
    assert "simple:postgresql" in near


def test_as_many_as_asked_for_and_no_key_twice() -> None:
    for count in (0, 1, 3, 7):
        near = icons.nearest("lucide:servr", count)
        assert len(near) == len(set(near)) == count


def test_near_keys_exist() -> None:
    assert all(icons.find(key) for key in icons.nearest("azure:storage-blob-thing", 10))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("database", "lucide:database"),
        ("aws:queue", "aws:amazon-simple-queue-service"),
        ("s3", "aws:amazon-simple-storage-service"),
        ("postgres", "simple:postgresql"),
        ("PostgreSQL", "simple:postgresql"),
        ("azure:aks", "azure:kubernetes-services"),
        ("message queue", "lucide:list-ordered"),
    ],
)
def test_the_plainest_icon_comes_first(query: str, first: str) -> None:
    assert icons.search(query)[0].key == first


def test_a_former_name_and_a_tag_are_searched_too() -> None:
    assert "lucide:house" in [found.key for found in icons.search("home")]
    assert "lucide:triangle-alert" in [found.key for found in icons.search("danger")]


def test_every_word_must_meet_where_an_icon_has_all() -> None:
    both = {found.key for found in icons.search("load balancer")}
    assert both == {found.key for found in icons.search("load")} & {found.key for found in icons.search("balancer")}
    assert icons.search("database qqqq")[0].key == "lucide:database"


def test_no_words_list_everything_and_a_prefix_its_set() -> None:
    assert len(icons.search("")) == icons.count()
    assert {found.key.split(":")[0] for found in icons.search("k8s:")} == {"k8s"}


def test_a_limit_cuts_the_same_answer() -> None:
    assert icons.search("cloud", 5) == icons.search("cloud")[:5]


def test_a_category_is_told_and_searched() -> None:
    (found,) = [row for row in icons.search("aws:lambda") if row.key == "aws:aws-lambda"]
    assert found.category == "compute"
    assert "aws:aws-lambda" in [row.key for row in icons.search("aws:compute")]


texts = st.text() | st.builds("{}:{}".format, st.sampled_from([row.prefix for row in SETS]), st.text())


@settings(deadline=None)
@given(texts)
def test_nothing_asked_is_too_strange(text: str) -> None:
    near = icons.nearest(text)
    assert len(near) <= 3
    assert len(set(near)) == len(near)
    assert len(icons.search(text, 5)) <= 5


@settings(deadline=None, max_examples=20)
@given(st.text(min_size=1).map(lambda text: text * 2000))
def test_long_texts_are_cut_before_any_work(text: str) -> None:
    assert len(icons.nearest(text)) <= 3
    assert icons.find(f"lucide:{text}") is None or len(text) < 200


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("aws s3", "aws:amazon-simple-storage-service"),
        ("gcp bigquery", "gcp:bigquery"),
        ("aws elasticache", "aws:amazon-elasticache"),
        ("Google Cloud pubsub", "gcp:pubsub"),
        ("azure cosmos db", "azure:azure-cosmos-db"),
        ("aws", "aws:"),
    ],
)
def test_a_vendors_name_before_the_words_keeps_to_its_set(query: str, first: str) -> None:
    assert icons.search(query)[0].key.startswith(first)
