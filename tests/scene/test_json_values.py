"""Plain JSON: equality, pointers, sentences, merge patches."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from scenograph.scene.json_values import is_number, kind_of, merge_patch, pointer, same, shown, steps_of, weight


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        ({"a": [True]}, {"a": [1]}, False),
        ({"a": None}, {}, False),
        ("1", 1, False),
        (None, None, True),
    ],
)
def test_json_values_are_equal_by_type_and_value(one: object, other: object, *, equal: bool) -> None:
    assert same(one, other) is equal
    assert same(other, one) is equal


def test_pointers_are_escaped_and_read_back() -> None:
    assert pointer("a/b", 0, "m~n", "") == "/a~1b/0/m~0n/"
    assert steps_of("/a~1b/0/m~0n/") == ("a/b", "0", "m~n", "")
    assert steps_of("") == ()


def test_numbers_are_finite_and_no_booleans() -> None:
    good: list[object] = [0, -1, 1.5, 2**1000]
    assert all(map(is_number, good))
    bad: list[object] = [True, None, "1", float("nan"), float("inf"), 2**1024, -(2**1024)]
    assert not any(map(is_number, bad))


def test_values_are_named_and_quoted_for_sentences() -> None:
    assert [kind_of(value) for value in ({}, [], "", True, 1, 1.5, None, float("inf"))] == [
        *("an object", "an array", "a string", "a boolean", "a number", "a number", "null", "not a finite number")
    ]
    assert shown("a\nb") == '"a\\nb"'
    assert len(shown("x" * 1000)) < 70
    assert len(shown(10**300)) < 70
    assert shown([1]) == "an array"


def test_weight_counts_every_value() -> None:
    assert weight({"a": [1, 2, {"b": None}], "c": "x"}) == 7


# RFC 7396, appendix A
@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patches_follow_the_standard(target: Any, patch: Any, result: Any) -> None:
    before = copy.deepcopy((target, patch))
    assert merge_patch(target, patch) == result
    assert (target, patch) == before
