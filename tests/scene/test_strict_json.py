"""Strict JSON: what is let in, and where a refusal points."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.scene.strict_json import MAX_DEPTH, StrictJsonError, parse

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=30,
)


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@settings(deadline=None)
@given(json_values)
def test_what_json_can_say_comes_back_as_it_was(value: object) -> None:
    assert parse(json.dumps(value).encode()) == value


@settings(deadline=None)
@given(st.binary(max_size=200) | st.text('{}[]",:\\u dD8eE+-019.NaInfty', max_size=60).map(str.encode))
def test_any_bytes_give_a_value_or_a_strict_json_error(raw: bytes) -> None:
    try:
        value = parse(raw)
    except StrictJsonError as error:
        refusal = error
    else:
        assert json.loads(raw) == value
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
        return
    assert refusal.sentence
    assert refusal.where


@pytest.mark.parametrize(
    ("raw", "words", "where"),
    [
        (b"", "empty", "byte 0"),
        (b" \n", "empty", "byte 0"),
        (b"\xef\xbb\xbf{}", "byte order mark", "byte 0"),
        (b'{"a": "\xff"}', "not UTF-8", "byte 7"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8", "byte 7"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8", "byte 0"),
        (b'{"a": NaN}', "NaN", "line 1, column 7, at /a"),
        (b'{"a": [1,\n -Infinity]}', "-Infinity", "line 2, column 2, at /a/1"),
        (b'[{"w": 1e400}]', "double", "line 1, column 8, at /0/w"),
        (b"[-1e400]", "double", "line 1, column 2, at /0"),
        (b'{"a": 1' + b"0" * 309 + b"}", "double", "line 1, column 7, at /a"),
        (b'{"a": {"b": 1, "b": 2}}', 'key "b" appears twice', "line 1, column 16, at /a/b"),
        (b'{"a": 1, "\\u0061": 2}', 'key "a" appears twice', "line 1, column 10, at /a"),
        (b'{"a": ["x", "\\ud800"]}', "lone surrogate", "line 1, column 13, at /a/1"),
        (b'{"\\uDFFF": 1}', "lone surrogate", "line 1, column 2, at /?"),
        (b'{"a": 1,}', "not JSON", "line 1, column 9"),
        (b'{"a": 1} x', "not JSON", "line 1, column 10"),
        (b'{"a": "\n"}', "not JSON", "line 1, column 8"),
    ],
)
def test_a_refusal_says_what_and_where(raw: bytes, words: str, where: str) -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse(raw)
    assert words in caught.value.sentence
    assert caught.value.where == where
    str(caught.value).encode("utf-8")


@pytest.mark.parametrize("depth", [MAX_DEPTH - 1, MAX_DEPTH])
def test_depth_up_to_the_limit_is_read(depth: int) -> None:
    assert parse(nested(depth)) is not None


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 1_000, 500_000])
def test_a_deeper_text_is_refused_where_it_goes_too_deep(depth: int) -> None:
    with pytest.raises(StrictJsonError, match="deeper than 32") as caught:
        parse(nested(depth))
    assert caught.value.where.startswith("line 1, column 33")


def test_an_integer_that_fits_a_double_is_kept_exactly() -> None:
    assert parse(b"1" + b"0" * 308) == 10**308
    assert parse(str(2**64 + 1).encode()) == 2**64 + 1


def test_an_integer_of_a_million_digits_is_refused_at_once() -> None:
    with pytest.raises(StrictJsonError, match="double"):
        parse(b"[" + b"9" * 1_000_000 + b"]")


def test_a_surrogate_pair_is_one_character_and_an_escaped_backslash_is_no_surrogate() -> None:
    assert parse(b'["\\ud83d\\ude00", "\\\\ud800"]') == ["\N{GRINNING FACE}", "\\ud800"]
