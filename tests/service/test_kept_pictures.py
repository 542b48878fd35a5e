"""Finished pictures by their names, bounded in bytes, and shared through Redis."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.service import redis
from scenograph.service.kept_pictures import KeptPictures
from scenograph.service.redis import MOST_BYTES, RedisPictures
from scenograph.service.redis import PICTURES_NAMESPACE as NAMESPACE
from scenograph.workers import Rendered

ROOM = 100_000
SECRET = b"known to the servers of one database"


def picture(content: str | bytes = "<svg/>") -> Rendered:
    remarks = [{"code": "X", "severity": "info", "message": "x"}]
    return Rendered(content, 640, 240.5, remarks, {"canvas": {"width": 640, "height": 240.5}})


@pytest.mark.parametrize("content", ["<svg>ü</svg>", b"\x89PNG\n\x00"])
def test_what_was_put_is_found_under_its_name_and_under_no_other(content: str | bytes) -> None:
    kept = KeptPictures(ROOM)
    kept.put("one", picture(content))
    assert kept.get("one") == picture(content)
    assert kept.get("other") is None
    assert (kept.hits, kept.misses) == (1, 1)


def test_a_text_is_packed_once_and_takes_room_with_its_picture() -> None:
    kept = KeptPictures(ROOM)
    kept.put("one", picture("<svg>ü</svg>" * 100))
    before = kept.bytes
    packed = kept.packed("one")
    assert packed is not None
    assert gzip.decompress(packed).decode() == "<svg>ü</svg>" * 100
    assert kept.packed("one") is packed
    assert kept.bytes == before + len(packed)
    kept.put("one", picture("<svg/>"))
    assert kept.bytes < before
    kept.put("raster", picture(b"\x89PNG"))
    assert (kept.packed("raster"), kept.packed("other")) == (None, None)


def test_the_name_follows_everything_that_a_picture_is_made_from_and_the_engine() -> None:
    asked = ["svg", None, {"scale": 1.0}, "watermark", None]
    texts = ["{}", "", "[1]"]
    kept = KeptPictures(ROOM, "engine 1")
    names = [kept.key(asked, *texts), KeptPictures(ROOM, "engine 2").key(asked, *texts)]
    names += [kept.key([*asked[:n], "another", *asked[n + 1 :]], *texts) for n in range(len(asked))]
    names += [kept.key(asked, *texts[:n], "another", *texts[n + 1 :]) for n in range(len(texts))]
    names += [kept.key(asked, "{}[1]", "", ""), kept.key(asked, "{}", "[1]", ""), kept.key(asked, "\ud800")]
    assert len(set(names)) == len(names)
    assert names[0] == KeptPictures(ROOM, "engine 1").key(asked, *texts)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20_000)), max_size=60))
def test_the_kept_pictures_never_pass_their_room(puts: list[tuple[int, int]]) -> None:
    kept = KeptPictures(ROOM)
    for name, size in puts:
        kept.put(str(name), picture("".join(map(chr, range(size))) if size % 2 else b"x" * size))
        kept.packed(str(name))
        assert 0 <= kept.bytes <= ROOM
    last = {name: size for name, size in puts if size < ROOM // 10}
    found = {name: kept.get(str(name)) for name in last}
    assert all(one is None or len(one.content) <= 20_000 for one in found.values())


def test_the_picture_that_was_asked_for_longest_ago_makes_room() -> None:
    kept = KeptPictures(ROOM)
    size = ROOM // 9
    for name in "abcdefgh":
        kept.put(name, picture(b"x" * size))
        assert kept.get("a") is not None
    kept.put("i", picture(b"x" * size))
    assert [name for name in "abcdefghi" if kept.get(name) is None] == ["b"]


def test_a_picture_of_more_than_an_eighth_of_the_room_is_not_kept() -> None:
    kept = KeptPictures(ROOM)
    kept.put("large", picture(b"x" * (ROOM // 8)))
    assert kept.get("large") is None
    assert kept.bytes == 0


def test_no_room_keeps_nothing_and_counts_nothing() -> None:
    kept = KeptPictures(0)
    kept.put("one", picture())
    assert kept.get("one") is None
    assert (kept.hits, kept.misses, kept.bytes) == (0, 0, 0)


@pytest.mark.parametrize("content", ["<svg>ü\n</svg>", b"\x89PNG\n\x00\xff"])
def test_a_picture_of_one_server_is_found_by_another(redis_url: str, content: str | bytes) -> None:
    one, other = (KeptPictures(ROOM, shared=RedisPictures(redis_url, SECRET)) for _ in range(2))
    name = one.key([], str(content))
    one.put(name, picture(content))
    assert other.get(name) == picture(content)
    one.close()
    assert other.get(name) == picture(content), "what was fetched once is kept here"
    other.close()


@pytest.fixture
def plain(redis_url: str) -> Iterator[Any]:
    """Somebody else's connection to the same Redis."""
    from redis import Redis  # noqa: PLC0415 - an extra of the package

    with Redis.from_url(redis_url) as plain:
        yield plain


GOOD_FORM = b'{"text":true,"size":[1,1],"diagnostics":[],"computed":null}\n<svg/>'


@pytest.mark.parametrize(
    "planted",
    [
        b"",
        b"{}\n",
        b"no json\n<svg/>",
        b"[1]\nx",
        b"\x80" * 40,
        GOOD_FORM,
        b"\0" * 32 + GOOD_FORM,
        b"x" * (3 * MOST_BYTES),
    ],
)
def test_what_somebody_else_wrote_into_redis_is_no_picture(redis_url: str, plain: Any, planted: bytes) -> None:
    plain.set(f"{NAMESPACE}:planted", planted)
    kept = KeptPictures(ROOM, shared=RedisPictures(redis_url, SECRET))
    assert kept.get("planted") is None
    kept.close()


def test_a_code_holds_for_its_name_its_bytes_and_its_database(redis_url: str, plain: Any) -> None:
    kept = KeptPictures(ROOM, shared=RedisPictures(redis_url, SECRET))
    kept.put("one", picture())
    written = plain.get(f"{NAMESPACE}:one")
    for name, entry in {
        "two": written,
        "cut": written[:-1],
        "long": written + b" ",
        "bent": written[:-2] + b"/>",
    }.items():
        plain.set(f"{NAMESPACE}:{name}", entry)
        found = KeptPictures(ROOM, shared=RedisPictures(redis_url, SECRET)).get(name)
        assert found is None, name
    assert KeptPictures(ROOM, shared=RedisPictures(redis_url, b"another database")).get("one") is None
    assert KeptPictures(ROOM, shared=RedisPictures(redis_url, SECRET)).get("one") == picture()


@pytest.mark.parametrize("command", [("RPUSH", b"x"), ("HSET", b"x", b"y"), ("SADD", b"x"), ("XADD", b"*", b"a", b"b")])
def test_an_entry_of_another_type_is_no_picture_and_the_others_are_still_found(
    redis_url: str, plain: Any, command: tuple[Any, ...]
) -> None:
    plain.delete(f"{NAMESPACE}:odd")
    plain.execute_command(command[0], f"{NAMESPACE}:odd", *command[1:])
    shared = RedisPictures(redis_url, SECRET)
    shared.put("good", b"bytes")
    assert shared.get("odd") is None
    assert shared.get("good") == b"bytes"
    shared.put("odd", b"bytes")
    assert shared.get("odd") == b"bytes"
    shared.close()


@pytest.mark.parametrize(
    "answer", [b"garbage", b"$abc\r\n", b"*2\r\n+x", b"$-7\r\n", b":nan\r\n", b"$5\r\nab", b"\0\xff\r\n", b""]
)
def test_a_redis_that_answers_anything_costs_a_picture_and_nothing_more(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def say() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)

        said = threading.Thread(target=say)
        said.start()
        shared = RedisPictures(f"redis://127.0.0.1:{listener.getsockname()[1]}/0", SECRET)
        assert shared.get("one") is None
        shared.put("one", b"bytes")
        said.join()
        shared.close()


def test_what_is_shared_is_gone_after_an_hour_and_large_pictures_are_not_shared(redis_url: str) -> None:
    from redis import Redis  # noqa: PLC0415 - an extra of the package

    kept = KeptPictures(MOST_BYTES * 20, shared=RedisPictures(redis_url, SECRET))
    kept.put("small", picture())
    kept.put("large", picture(b"x" * MOST_BYTES))
    with Redis.from_url(redis_url) as plain:
        left = plain.ttl(f"{NAMESPACE}:small")
        assert isinstance(left, int)
        assert 3000 < left <= 3600
        assert plain.get(f"{NAMESPACE}:large") is None
    kept.close()


def test_without_an_answer_of_redis_each_server_keeps_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    kept = KeptPictures(ROOM, shared=RedisPictures(f"redis://127.0.0.1:{port}/0", SECRET))
    assert kept.get("one") is None
    kept.put("one", picture())
    assert kept.get("one") == picture()
    kept.close()


def test_a_redis_that_comes_back_is_asked_again(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis, "REDIS_RETRY_SECONDS", 0.0)
    shared = RedisPictures(redis_url, SECRET)
    shared.put("back", b"again")
    monkeypatch.setattr(shared, "_try_again_at", 1e12)
    assert shared.get("back") is None
    monkeypatch.setattr(shared, "_try_again_at", 0.0)
    assert shared.get("back") == b"again"
    shared.close()
