"""A database that an earlier version filled, opened by today's: nothing is lost.

The earlier version runs as it was, over HTTP, from its own sources with today's packages, and dies without a word. Each
revision, published page, deleted scene and key is looked for afterwards; the account's quota counts what it holds.
"""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from local_servers.calling import PATIENCE, Caller
from local_servers.postgres import binary
from local_servers.service import running_services

from chaos.scenes import document, require, signed

EARLIER = {
    "sqlite": {"0.1.0": "a7a77faf", "0.2.0": "6fd0bbdc"},
    "postgresql": {"0.1.0": "d0eae4d1", "0.2.0": "6fd0bbdc"},
}
"""Revisions of the first versions: of 0.1.0 one before places, on PostgreSQL its first; of 0.2.0 the last."""
SCENES, EDITS = 24, 5
Json = dict[str, Any]


class Carried(NamedTuple):
    """How much an earlier version had stored, all of it found again."""

    scenes: int
    revisions: int
    published: int
    deleted: int
    places: int


class _Kept(NamedTuple):
    """What the earlier version said of its scenes."""

    documents: dict[tuple[str, int], Json]
    places: dict[str, Json]
    keys: list[str]
    revoked: str


def sources(revision: str, folder: Path) -> Path | None:
    """The sources of a revision of this repository; None where it is not at hand."""
    root = Path(__file__).parents[2]
    archive = subprocess.run(["git", "archive", revision, "src"], cwd=root, capture_output=True, check=False)  # noqa: S607
    if archive.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder / "src"


def carry_over(source: Path, url: str, folder: Path) -> Carried:
    """Fill a database by the version in `source`, and look for all of it by today's. Broken when anything is lost."""
    settings = {"DATABASE_URL": url}
    with running_services(1, folder, by=("env", f"PYTHONPATH={source}"), **settings) as (server,):
        with Caller(server.url) as caller:
            kept = _fill(caller)
        server.process.kill()
    active = [name for name in _names() if not _is_deleted(name)]
    with (
        running_services(1, folder, **settings, MAX_SCENES=str(len(active))) as (server,),
        Caller(server.url) as caller,
    ):
        places = _check_scenes(caller, kept)
        _check_keys(server.url, kept)
        for name in _names():
            require(_status(server.url, f"/s/{name}") == (200 if _is_public(name) else 404), f"/s/{name} is otherwise")
        _check_quota(caller, len(active))
        for name in (name for name in _names() if _is_deleted(name)):
            require(caller.call("DELETE", f"/v1/scenes/{active.pop()}")[0] == 200, "no room was made")
            require(caller.call("POST", f"/v1/scenes/{name}/undelete")[0] == 200, f"{name} did not come back")
            latest = caller.call("GET", f"/v1/scenes/{name}")[1]
            require(latest["scene"] == kept.documents[name, EDITS + 1], f"{name} came back otherwise")
    deleted = sum(map(_is_deleted, _names()))
    return Carried(SCENES, len(kept.documents), sum(map(_is_public, _names())), deleted, places)


def _names() -> list[str]:
    return [f"scene{number}" for number in range(SCENES)]


def _is_public(name: str) -> bool:
    return int(name.removeprefix("scene")) % 3 == 1


def _is_deleted(name: str) -> bool:
    return int(name.removeprefix("scene")) % 6 == 5


def _fill(caller: Caller) -> _Kept:
    kept = _Kept({}, {}, [], "")
    for name in _names():
        require(caller.call("POST", "/v1/scenes", document(name))[0] == 201, f"{name} was not created")
        for base in range(1, EDITS + 1):
            batch = signed(name, base, f"{name} \u00e9\U0001f600 {base}")
            require(caller.call("POST", f"/v1/scenes/{name}/applyOps", batch)[0] == 200, f"{name} was not edited")
        for number in range(1, EDITS + 2):
            kept.documents[name, number] = caller.call("GET", f"/v1/scenes/{name}?revision={number}")[1]["scene"]
        kept.places[name] = caller.call("GET", f"/v1/scenes/{name}?computed=true")[1].get("computed") or {}
        if _is_public(name):
            require(caller.call("POST", f"/v1/scenes/{name}/publish")[0] == 200, f"{name} was not published")
        if _is_deleted(name):
            require(caller.call("DELETE", f"/v1/scenes/{name}")[0] == 200, f"{name} was not deleted")
    made = [caller.call("POST", "/v1/auth/keys", {"name": f"key {number}"}) for number in range(3)]
    require({status for status, _ in made} == {201}, f"keys were not made: {made[0][0]}")
    require(caller.call("DELETE", f"/v1/auth/keys/{made[0][1]['id']}")[0] in {200, 204}, "a key was not revoked")
    return kept._replace(keys=[said["key"] for _, said in made[1:]], revoked=made[0][1]["key"])


def _check_scenes(caller: Caller, kept: _Kept) -> int:
    """How many scenes stand where they stood, of those whose version kept places."""
    stand = 0
    for (name, number), told in kept.documents.items():
        if not _is_deleted(name):
            status, read = caller.call("GET", f"/v1/scenes/{name}?revision={number}")
            require(status == 200 and read["scene"] == told, f"revision {number} of {name} is lost or otherwise")
    for name, told in kept.places.items():
        if not _is_deleted(name):
            status, read = caller.call("GET", f"/v1/scenes/{name}?computed=true")
            require(status == 200 and read["computed"]["bounds"], f"{name} has no places")
            require(not told or read["computed"]["bounds"] == told["bounds"], f"{name} stands elsewhere")
            stand += bool(told)
    return stand


def _check_keys(url: str, kept: _Kept) -> None:
    for key in kept.keys:
        with Caller(url, {"Authorization": f"Bearer {key}"}) as holder:
            require(holder.call("GET", "/v1/scenes/scene0")[0] == 200, "a key is lost")
    with Caller(url, {"Authorization": f"Bearer {kept.revoked}"}) as thief:
        require(thief.call("GET", "/v1/scenes/scene0")[0] == 401, "a revoked key is taken")


def _check_quota(caller: Caller, held: int) -> None:
    status, said = caller.call("POST", "/v1/scenes", document("onemore"))
    told = {name: said.get(name) for name in ("code", "used", "limit")}
    require(status == 409 and told == {"code": "quota_exceeded", "used": held, "limit": held}, f"the quota says {told}")


def _status(url: str, path: str) -> int:
    parts = urlsplit(url)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


PSQL_ALONE = ("\\", "--", "SET ", "SELECT pg_catalog.set_")  # lines of a dump that only psql understands or wants
BEFORE = "0.2.0"  # beside whose servers today's may run
RECORDER = Path(__file__).parent / "recorder"


def keep(version: str, source: Path, url: str, folder: Path, out: Path) -> None:
    """Write the files of the tests: `out`.sql (a small database filled by the version in `source`), `out`.json (its own
    account of the content) and, for the version before, `out`.statements.jsonl (the statements of the calls that it
    served afterwards)."""
    statements = folder / "statements.jsonl"
    python = f"{RECORDER}:{source}"
    by = ("env", f"PYTHONPATH={python}", f"RECORD_STATEMENTS={statements}")
    with running_services(1, folder, by=by, DATABASE_URL=url) as (server,), Caller(server.url) as caller:
        told = _fill_little(caller)
        Path(f"{out}.sql").write_text(_dumped(url))
        Path(f"{out}.json").write_text(json.dumps(told, ensure_ascii=False) + "\n")
        if version != BEFORE:
            return
        statements.touch()
        _serve_later(caller)
    lines = dict.fromkeys(statements.read_text().splitlines())
    served = [line for line in lines if not json.loads(line)["statement"].startswith(("PRAGMA", "BEGIN"))]
    Path(f"{out}.statements.jsonl").write_text("\n".join(served) + "\n")


def _fill_little(caller: Caller) -> Json:
    """Three scenes (one published, one deleted) with two edits each, two keys (one revoked)."""
    documents: dict[str, list[Json]] = {}
    for name in ("held", "shown", "gone"):
        require(caller.call("POST", "/v1/scenes", document(name))[0] == 201, f"{name} was not created")
        for base in (1, 2):
            batch = signed(name, base, f"{name} \u00e9\U0001f600 {base}")
            require(caller.call("POST", f"/v1/scenes/{name}/applyOps", batch)[0] == 200, f"{name} was not edited")
        read = [caller.call("GET", f"/v1/scenes/{name}?revision={number}")[1]["scene"] for number in (1, 2, 3)]
        documents[name] = read
    for method, path in (("POST", "/v1/scenes/shown/publish"), ("DELETE", "/v1/scenes/gone")):
        require(caller.call(method, path)[0] == 200, f"{method} {path} failed")
    keys = [caller.call("POST", "/v1/auth/keys", {"name": name})[1] for name in ("laptop", "lost")]
    require(caller.call("DELETE", f"/v1/auth/keys/{keys[1]['id']}")[0] in {200, 204}, "a key was not revoked")
    opening, shut = (hashlib.sha256(key["key"].encode()).hexdigest() for key in keys)
    return {"documents": documents, "public": "shown", "deleted": "gone", "opening_hash": opening, "shut_hash": shut}


def _serve_later(caller: Caller) -> None:
    """Calls as of a day's work, in each of which the store takes part."""
    calls: tuple[tuple[str, str, object], ...] = (
        ("POST", "/v1/scenes", document("later")),
        ("POST", "/v1/scenes/later/applyOps", signed("later", 1, "written beside a newer version")),
        ("POST", "/v1/scenes/held/applyOps", signed("held", 3, "written beside a newer version")),
        ("GET", "/v1/scenes", None),
        ("GET", "/v1/scenes/held", None),
        ("GET", "/v1/scenes/held?revision=1", None),
        ("GET", "/v1/scenes/held/revisions", None),
        ("GET", "/v1/scenes/held/diff?from=1", None),
        ("POST", "/v1/scenes/later/publish", None),
        ("GET", "/v1/public/scenes/later", None),
        ("POST", "/v1/scenes/gone/undelete", None),
        ("POST", "/v1/scenes/gone/support", {"problem": "it is broken"}),
        ("POST", "/v1/scenes/gone/make-private", None),
        ("DELETE", "/v1/scenes/shown", None),
        ("GET", "/v1/deleted-scenes", None),
        ("POST", "/v1/auth/keys", {"name": "later"}),
        ("GET", "/v1/auth/keys", None),
    )
    for method, path, body in calls:
        status, said = caller.call(method, path, body, **{"Idempotency-Key": path} if body else {})
        # 503: the engine of an earlier version does not draw with today's packages, after its store has answered.
        require(status in {200, 201, 503}, f"{method} {path} was answered {status}: {said}")


def _dumped(url: str) -> str:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return "\n".join(connection.iterdump()) + "\n"
    command = [binary("pg_dump"), "--inserts", "--no-owner", "--no-privileges", url]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    told = (line for line in dump.splitlines() if line and not line.startswith(PSQL_ALONE))
    return "\n".join(told) + "\n"
