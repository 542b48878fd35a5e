"""YAML read strictly: the values of JSON, and nothing besides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.scene.strict_yaml import StrictYamlError, parse, parse_all, parse_placed

# YAML folds separators of lines and allows no unassigned characters.
LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co", "Zl", "Zp"], exclude_characters="\ufeff")
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(LETTERS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=4),
    max_leaves=12,
)


def test_scalars_follow_the_core_schema() -> None:
    text = "a: no\nb: [1, 2.5, '3', ~, true, 1e3, 0x1f]\nc: 2026-11-27\nd: |\n  two\n  lines\ne: &x {k: v}\nf: *x\ng:\n"
    assert parse(text) == {
        "a": "no",
        "b": [1, 2.5, "3", None, True, 1000.0, 31],
        "c": "2026-11-27",
        "d": "two\nlines\n",
        "e": {"k": "v"},
        "f": {"k": "v"},
        "g": None,
    }


@given(JSON_VALUES)
def test_json_is_yaml(value: object) -> None:
    assert parse(json.dumps(value, ensure_ascii=False)) == value


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("a: 1\nb: !!str x", "Tags", 2),
        ("a: !thing {b: 1}", "Tags", 1),
        ("a: 1\na: 2", "appears twice", 2),
        ("? [x]\n: 1", "plain text", 1),
        ("<<: {a: 1}", "Merge keys", 1),
        ("a: .nan", "not a number", 1),
        ("a: 1e999", "double", 1),
        ("a: [1,", "not YAML", 2),
        ("a: *gone", "no anchor", 1),
        ("a: &a [*a]", "no anchor", 1),
        ("a: 1\n---\nb: 2", "several YAML documents", 1),
        ('a: "\\uD83D"', "surrogate|character", 1),
        ("a: \x00", "does not allow", 1),
        ("[" * 33 + "]" * 33, "nests deeper", 1),
        ("".join(f"a{n}: &a{n} x\n" for n in range(101)), "more than 100 anchors", 101),
    ],
)
def test_what_json_does_not_know_is_refused_with_its_place(text: str, word: str, line: int) -> None:
    with pytest.raises(StrictYamlError, match=word) as refused:
        parse(text)
    assert refused.value.line == line


def test_aliases_count_as_what_they_stand_for() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 20)
    )
    with pytest.raises(StrictYamlError, match="aliases written out"):
        parse(bomb)
    deep = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 40))
    with pytest.raises(StrictYamlError, match="nests deeper"):
        parse(deep)


def test_several_documents_are_given_in_their_order() -> None:
    assert parse_all("a: 1\n---\n- 2\n") == [{"a": 1}, [2]]


def test_merge_keys_of_a_foreign_source_give_way_to_the_members_of_the_mapping() -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {z: 5, <<: [*a, *b]}\nd: {<<: *b}\ne: {'<<': 1}\n"
    [found] = parse_placed(text, 0)
    assert found.value == {
        "a": {"x": 1, "y": 2},
        "b": {"y": 3, "z": 4},
        "c": {"x": 1, "y": 2, "z": 5},
        "d": {"y": 3, "z": 4},
        "e": {"<<": 1},
    }


@pytest.mark.parametrize("text", ["a: {<<: 1}", "a: {<<: [1]}", "a: {<<: {}, <<: {}}"])
def test_a_merge_key_without_mappings_or_twice_is_refused(text: str) -> None:
    with pytest.raises(StrictYamlError, match="merge key"):
        parse_placed(text, 0)


def test_keys_and_items_have_places_and_deeper_ones_that_of_their_container() -> None:
    [found] = parse_placed("a:\n  - b\n  - c: {d: 1}\n", 3)
    assert [found.place(*path) for path in (("a",), ("a", 0), ("a", 1), ("a", 1, "c"), ("a", 1, "c", "d"), ("e",))] == [
        (1, 1),
        (2, 5),
        (3, 5),
        (3, 5),
        (3, 5),
        (1, 1),
    ]
