"""Icons asked for without a prefix: the one set that has the name is taken, and where several have it none is."""

from __future__ import annotations

import pytest

from scenograph.engine.icons import KnownIcons, find, nearest


@pytest.mark.parametrize(
    ("bare", "key"),
    [
        ("postgresql", "simple:postgresql"),
        ("PostgreSQL", "simple:postgresql"),
        ("database", "lucide:database"),
        ("pod", "k8s:pod"),
        ("s3", "aws:amazon-simple-storage-service"),
        ("kafka", "simple:apachekafka"),
    ],
)
def test_a_name_that_one_set_has_needs_no_prefix(bare: str, key: str) -> None:
    icon = find(bare)
    assert icon is not None
    assert icon.key == key
    assert KnownIcons().knows(bare)


@pytest.mark.parametrize("bare", ["users", "user"])
def test_a_name_that_several_sets_have_is_no_key_and_their_keys_are_told(bare: str) -> None:
    assert find(bare) is None
    assert not KnownIcons().knows(bare)
    told = nearest(bare)
    assert len(told) == 3
    assert f"lucide:{bare}" in told


@pytest.mark.parametrize("bare", ["", ":", "wonderful"])
def test_what_no_set_has_is_no_key(bare: str) -> None:
    assert find(bare) is None
