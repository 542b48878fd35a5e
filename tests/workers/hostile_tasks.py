"""Tasks that do to a worker what a hostile or unlucky scene could: run by the pool's tests, in worker processes."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scenograph.workers.child import Reply

KEPT: list[bytearray] = []
KEPT_OBJECTS: list[list[list[int]]] = []


def echo(arguments: Mapping[str, Any], body: bytes) -> Reply:
    return Reply(arguments, body)


def pid(_arguments: Mapping[str, Any], _body: bytes) -> Reply:
    return Reply({"pid": os.getpid()})


def leave(_arguments: Mapping[str, Any], _body: bytes) -> Reply:
    os._exit(3)


def kill_itself(_arguments: Mapping[str, Any], _body: bytes) -> Reply:
    os.kill(os.getpid(), signal.SIGKILL)
    return Reply({})


def hang(arguments: Mapping[str, Any], _body: bytes) -> Reply:
    """Says who it is by making a file, then does nothing for `seconds`."""
    if note := arguments.get("note"):
        _tell(note)
    time.sleep(arguments["seconds"])
    return Reply({"pid": os.getpid()})


def work_until(arguments: Mapping[str, Any], _body: bytes) -> Reply:
    """Says who it is by making a file, then does nothing until another file is made."""
    _tell(arguments["note"])
    while not Path(arguments["enough"]).exists():
        time.sleep(0.005)
    return Reply({"pid": os.getpid()})


def _tell(note: str) -> None:
    Path(note + ".part").write_text(str(os.getpid()), "ascii")
    Path(note + ".part").rename(note)


def die_after_the_answer(_arguments: Mapping[str, Any], _body: bytes) -> Reply:
    """Dies as it cleans up, when its caller has the answer and the next task may be on the way."""

    def die(_phase: str, _facts: object) -> None:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)

    gc.callbacks.append(die)
    return Reply({"pid": os.getpid()})


def devour(arguments: Mapping[str, Any], _body: bytes) -> Reply:
    return Reply({"size": len(bytearray(arguments["bytes"]))})


def keep(arguments: Mapping[str, Any], _body: bytes) -> Reply:
    KEPT.append(bytearray(arguments["bytes"]))
    return Reply({"pid": os.getpid()})


def keep_many(arguments: Mapping[str, Any], _body: bytes) -> Reply:
    """Keeps so many objects for good; says how many the search for cycles would look at before that."""
    looked_at = len(gc.get_objects())
    KEPT_OBJECTS.append([[number] for number in range(arguments["objects"])])
    return Reply({"pid": os.getpid(), "looked_at": looked_at})


def fail(_arguments: Mapping[str, Any], body: bytes) -> Reply:
    raise ValueError(body.decode())


TASKS = {
    "echo": echo,
    "pid": pid,
    "leave": leave,
    "kill_itself": kill_itself,
    "hang": hang,
    "work_until": work_until,
    "die_after_the_answer": die_after_the_answer,
    "devour": devour,
    "keep": keep,
    "keep_many": keep_many,
    "fail": fail,
}
