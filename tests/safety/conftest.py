"""Every place in a document where a string stands, and documents with something hostile in one of them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
Json = dict[str, Any]
Path_ = tuple[str | int, ...]
Sink = tuple[str, Path_]


@pytest.fixture(scope="session")
def every_member() -> Json:
    """A document that has every member which may hold a string (a test compares it with the published schema)."""
    return json.loads((HERE / "every_member.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def payloads() -> list[str]:
    return json.loads((HERE / "payloads.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def sinks(every_member: Json) -> list[Sink]:
    """`value` sinks are strings, `name` sinks the names of members; an `id` sink is renamed wherever it is used."""
    ids = {element["id"] for element in every_member["elements"]} | {"warm", "dot", "out"}
    values = [("value", path) for path, value in leaves(every_member) if isinstance(value, str)]
    names = [("name", path) for path, _ in leaves(every_member) if isinstance(path[-1], str)]
    return values + names + [("id", (name,)) for name in sorted(ids)]


@pytest.fixture(scope="session")
def with_payload(every_member: Json) -> Callable[[Sink, str], Json]:
    """The document with a payload in one sink."""

    def place(sink: Sink, payload: str) -> Json:
        kind, path = sink
        if kind == "id":
            return renamed(every_member, str(path[0]), payload)
        document = copy.deepcopy(every_member)
        holder: Any = document
        for step in path[:-1]:
            holder = holder[step]
        if kind == "value":
            holder[path[-1]] = payload
        else:
            holder[payload] = holder.pop(path[-1])
        return document

    return place


@pytest.fixture(scope="session")
def full_of(every_member: Json) -> Callable[[str], Json]:
    """The document with a payload in every text at once, and in ids, which stay apart by a number."""
    texts = ("label", "title", "content", "text", "name", "guard", "alt", "type", "key", "note", "fontFamily", "hint")

    def fill(payload: str) -> Json:
        document = copy.deepcopy(every_member)
        for path, value in list(leaves(document)):
            if isinstance(value, str) and path[-1] in texts and "constraints" not in path:
                holder: Any = document
                for step in path[:-1]:
                    holder = holder[step]
                holder[path[-1]] = payload
        for number, name in enumerate(("web", "db", "zone", "t1", "warm", "dot")):
            document = renamed(document, name, f"{payload}{number}")
        return document

    return fill


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Everything in a document with its path, outside in."""
    if path:
        yield path, value
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in rows:
        yield from leaves(inner, (*path, step))


def renamed(value: Any, old: str, new: str) -> Any:
    """A document in which every string and member name `old` is `new`."""
    if isinstance(value, dict):
        return {(new if key == old else key): renamed(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, old, new) for inner in value]
    return new if value == old else value
