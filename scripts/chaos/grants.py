"""An owner shares scenes and takes them back, over and over, while others edit and read them through another server.

Whatever begins after a withdrawal was answered is refused, on every face; every edit that was carried out is in the
history that the owner finds after the withdrawal. A withdrawal ends the grant, or leaves less of it: an editor becomes
a viewer.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from local_servers.calling import PATIENCE, Caller

from chaos.scenes import document, require, signed

OPEN = {"SIGNUP_ENABLED": "true", "SIGNUPS_PER_HOUR": "0", "PUBLIC_RATE_LIMIT_RPM": "0", "ENGINE_SECONDS": "0"}
DONE, FORBIDDEN, GONE, STALE = 200, 403, 404, 409
READS = ("", "/revisions", "/comments")
LIVES = (0.0, 0.002, 0.005, 0.01, 0.02)  # seconds of a grant before its end is sent, in turn


class Call(NamedTuple):
    """A call of a guest: when it began, its face, its status, the revision that it made or saw."""

    began: float
    face: str
    status: int
    revision: int


class _Guest:
    """Somebody whose grant on a scene comes and goes, with a connection for edits and one for reads."""

    def __init__(self, owner: Caller, url: str, scene: str) -> None:
        status, made = owner.call("POST", "/v1/accounts", {"email": f"{scene}@example.org"})
        require(status == 202, f"an account was not made: {status} {made}")
        status, known = owner.call("GET", "/v1/account")
        require(status == DONE, "the owner has no account")
        self.account, self.scene, self._url = str(made["accountId"]), scene, url
        self._key = {"Authorization": f"Bearer {made['apiKey']['key']}"}
        self._path, self._owner = f"/v1/scenes/{scene}", f"?owner={known['accountId']}"
        self._once: tuple[dict[str, Any], str] | None = None  # an edit that was carried out, and its Idempotency-Key
        self.writing_since = 0.0  # the beginning of the edit that is under way, on the monotonic clock
        self.calls: list[Call] = []

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Edits and reads without a pause, for as long as the block runs."""
        over = threading.Event()

        def go_on(face: Any) -> None:
            with Caller(self._url, self._key) as server:
                for turn in itertools.count():
                    if over.is_set():
                        return
                    began = time.monotonic()
                    if face == self._write:
                        self.writing_since = began
                    self.calls.append(Call(began, *face(server, turn)))

        with ThreadPoolExecutor(2) as pool:
            running = [pool.submit(go_on, face) for face in (self._write, self._read)]
            try:
                yield
            finally:
                over.set()
            for one in running:
                one.result()

    def _write(self, server: Caller, turn: int) -> tuple[str, int, int]:
        if turn % 4 == 3 and self._once is not None:
            batch, name = self._once
            status, said = server.call(
                "POST", f"{self._path}/applyOps{self._owner}", batch, **{"Idempotency-Key": name}
            )
            return "repeated edit", status, said.get("revision", 0)
        base = next(
            (call.revision for call in reversed(self.calls) if call.status in {DONE, STALE} and call.revision), 1
        )
        batch, name = signed(self.scene, base, self.account), f"{self.account}-{time.monotonic_ns()}"
        status, said = server.call("POST", f"{self._path}/applyOps{self._owner}", batch, **{"Idempotency-Key": name})
        if status == DONE:
            self._once = batch, name
        return "edit", status, said.get("revision") or said.get("currentRevision") or 0

    def _read(self, server: Caller, turn: int) -> tuple[str, int, int]:
        if turn % 4 == 3:
            status, said = server.call("GET", "/v1/scenes")
            require(status == DONE, f"a list was answered {status}")
            return "list", DONE if said["items"] else GONE, 0
        tail = READS[turn % 4]
        status, said = server.call("GET", f"{self._path}{tail}{self._owner}")
        return f"GET {tail}", status, 0 if tail else said.get("revision", 0)

    @property
    def faces(self) -> set[str]:
        """All that the guest calls; an edit can be repeated once one was carried out."""
        repeated = {"repeated edit"} if self._once else set[str]()
        return {"edit", "list", *(f"GET {tail}" for tail in READS)} | repeated


def race(urls: Sequence[str], count: int, guests: int = 2) -> Counter[str]:
    """So many grants of one owner and their ends, shared out among guests with a scene each; how often each status
    came. Broken when something was served or written after the answer to the end."""
    with Caller(urls[0]) as owner:
        lent = [f"lent{number}" for number in range(guests)]
        for scene in lent:
            require(owner.call("POST", "/v1/scenes", document(scene))[0] == 201, "a scene was not created")
        invited = [_Guest(owner, urls[number % len(urls)], scene) for number, scene in enumerate(lent, 1)]
    with ThreadPoolExecutor(guests) as pool:
        done = [pool.submit(_race_with, urls[0], guest, count // guests) for guest in invited]
        return sum((one.result() for one in done), Counter[str]())


def _race_with(url: str, guest: _Guest, count: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    with Caller(url) as owner, guest.busy():
        for number in range(count):
            seen.update(_race_once(owner, guest, number))
    return seen


def _race_once(owner: Caller, guest: _Guest, number: int) -> Iterator[str]:
    """Grant, end the grant, look at all that the guest called meanwhile; the statuses."""
    grant = f"/v1/scenes/{guest.scene}/grants/{guest.account}"
    begun = len(guest.calls)
    require(owner.call("PUT", grant, {"role": "editor"})[0] == DONE, "a grant failed")
    granted = time.monotonic()
    if number % 2:  # an edit is under way; else the grant may end before the first
        _wait_until(lambda: guest.writing_since > granted)
    threading.Event().wait(LIVES[number % len(LIVES)])
    demoted = number % 3 == 2
    status, _ = owner.call("PUT", grant, {"role": "viewer"}) if demoted else owner.call("DELETE", grant)
    ended = time.monotonic()
    require(status == DONE, f"the end of a grant was answered {status}")
    last = owner.call("GET", f"/v1/scenes/{guest.scene}")[1]["revision"]
    # Each face for certain after it in every tenth race, an edit in every one.
    wanted = {"edit"} if number % 10 else guest.faces
    _wait_until(lambda: wanted <= {call.face for call in guest.calls[begun:] if call.began > ended})
    for call in guest.calls[begun:]:
        check(call, ended, last, demoted=demoted)
        yield f"{call.status} {'edit' if call.face.endswith('edit') else 'read'}"


def check(call: Call, ended: float, last: int, *, demoted: bool) -> None:
    """Broken when a call outlives a grant whose end was answered at `ended` and left `last` as the latest revision."""
    is_write = call.face.endswith("edit")
    if is_write and call.status == DONE:
        require(call.revision <= last, f"revision {call.revision} was written after the end of its grant")
    if call.began > ended:
        wanted = GONE if not demoted else FORBIDDEN if is_write else DONE
        require(call.status == wanted, f"after the end of a grant {call.face!r} was answered {call.status}")
    require(call.status in {DONE, FORBIDDEN, GONE, STALE}, f"{call.face!r} was answered {call.status}")


def _wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        require(time.monotonic() < until, "a guest calls no more")
        time.sleep(0.0005)
