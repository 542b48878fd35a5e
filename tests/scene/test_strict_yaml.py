"""YAML read strictly: the values of JSON, and nothing besides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.scene.strict_yaml import StrictYamlError, parse, parse_all

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
