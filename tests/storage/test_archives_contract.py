"""Archives of accounts: from either database to either, with equal bytes, whole or not at all."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from scenograph.service.archives import Archives
from scenograph.service.errors import ServiceError
from scenograph.storage.interface import (
    Account,
    Author,
    NewRevision,
    NewSubmission,
    Origin,
    Store,
)
from scenograph.storage.schema import comments, grants, metadata, scenes
from scenograph.storage.sql_archives import OF_A_SCENE
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
DAY = timedelta(hours=24)
NOT_ARCHIVED = {"support_views"}  # the log of this service's supporters


def revision(scene_id: str, text: str = "", **more: Any) -> NewRevision:
    document = json.dumps({"scene": {"id": scene_id}, "note": text})
    return NewRevision(document=document, title=f"Title \u00df {scene_id}", diagram_family=None, **more)


@pytest.fixture
def filled(store: Store) -> Store:
    """Ann with scenes in every state, and all that belongs to them."""
    store.create_scene("ann", "b-orders", revision("b-orders", origin=Origin(sketch="{}", relaid=("x",))), AT)
    author = Author(account_id="ann", key_name="laptop")
    second = revision(
        "b-orders", "lone \ud800 and \U0001f600 " * 200, message="More", changed_ids=("a",), author=author
    )
    store.append_revision("ann", "b-orders", 1, second, AT + DAY)
    key = store.scene_key("ann", "b-orders")
    assert key is not None
    store.keep_places(key.key, 1, '{"bounds": {}}')
    store.keep_places(key.key, 2, None)
    store.create_scene("ann", "B-public", revision("B-public"), AT)
    store.publish("ann", "B-public", ("private",), AT)
    store.create_scene("ann", "a-gone", revision("a-gone"), AT)
    store.delete_scene("ann", "a-gone", None, AT)
    store.create_scene("ann", "z-support", revision("z-support"), AT)
    submission = NewSubmission(id="sub_1", revision=1, problem="odd", anonymized=False, document="{}")
    store.submit_to_support("ann", "z-support", submission, ("private",), AT)
    rows = ({"grantee": name, "role": "viewer", "granted_at": AT, "scene": key.key} for name in ("b@x.org", "Bob", "a"))
    thread = {"scene": key.key, "thread": "t", "revision": 1, "author_id": "bob", "created_at": AT, "version": 1}
    spoken = [{**thread, "id": "t", "text": "why?", "x": None}, {**thread, "id": "B", "text": None, "x": 1.5}]
    with store._write() as connection:  # type: ignore[attr-defined]
        connection.execute(insert(grants), [*rows])
        connection.execute(insert(comments), spoken)
    return store


def exported(store: Store, account: str = "ann") -> bytes:
    return b"".join(Archives(store).export(account))


def lines_of(archive: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(archive).splitlines()]


def packed(lines: list[dict[str, Any]]) -> bytes:
    return gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode())


@pytest.fixture
def elsewhere(migrated_sqlite: Path, tmp_path: Path) -> Store:
    return open_sqlite(f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'elsewhere.db')}")


def test_an_account_that_is_exported_imported_and_exported_again_is_equal_bytes(
    filled: Store, elsewhere: Store
) -> None:
    archive = exported(filled)
    restored = Archives(elsewhere).restore(io.BytesIO(archive))
    assert (restored.account_id, restored.scenes, restored.made_private) == ("ann", 4, ())
    assert exported(elsewhere) == archive
    filled.delete_account("ann", 100)
    Archives(filled).restore(io.BytesIO(archive))
    assert exported(filled) == archive
    elsewhere.close()


def test_what_is_restored_is_what_the_service_reads_counts_and_finds(filled: Store, elsewhere: Store) -> None:
    before = filled.holdings("ann")
    Archives(elsewhere).restore(io.BytesIO(exported(filled)))
    assert elsewhere.holdings("ann") == before
    for number in (1, 2):
        old, new = (store.read_scene("ann", "b-orders", number) for store in (filled, elsewhere))
        assert old is not None
        assert new is not None
        assert new.document.text == old.document.text
    assert elsewhere.history("ann", "b-orders", None, 9) == filled.history("ann", "b-orders", None, 9)
    assert [entry.scene_id for entry in elsewhere.list_scenes("ann", 9, words="TITLE SS B")] == ["b-orders", "B-public"]
    assert elsewhere.public_scene("B-public") is not None
    assert [entry.scene_id for entry in elsewhere.deleted_scenes("ann", AT - DAY)] == ["a-gone"]
    assert elsewhere.undelete_scene("ann", "a-gone", AT - DAY) == 1
    key = elsewhere.scene_key("ann", "b-orders")
    assert key is not None
    kept = elsewhere.kept_places(key.key, 1)
    assert kept is not None
    assert kept.places == '{"bounds": {}}'
    assert elsewhere.append_revision("ann", "b-orders", 2, revision("b-orders"), AT + 2 * DAY) == 3
    elsewhere.close()


def test_an_archive_holds_no_way_in(filled: Store) -> None:
    text = gzip.decompress(exported(filled)).decode()
    tables = {line.get("table") for line in lines_of(exported(filled))}
    assert tables == {None, "accounts", "public_claims", "scenes", *(table.name for table in OF_A_SCENE)}
    assert "hash" not in text.replace("id_hash", "")


def test_every_table_of_a_scene_is_archived() -> None:
    keyed = {
        table.name
        for table in metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table in (scenes, *OF_A_SCENE)
    }
    assert keyed - NOT_ARCHIVED == {table.name for table in OF_A_SCENE}


def test_a_known_account_is_left_as_it_is(filled: Store) -> None:
    archive = exported(filled)
    with pytest.raises(ServiceError, match="There is an account ann already"):
        Archives(filled).restore(io.BytesIO(archive))
    assert exported(filled) == archive
    with pytest.raises(ServiceError, match="no such account"):
        Archives(filled).export("nobody")


def test_a_public_address_that_is_anothers_here_is_told(filled: Store, elsewhere: Store) -> None:
    elsewhere.add_account(Account(id="cat", email=None, email_verified_at=None, role="member"), AT)
    elsewhere.create_scene("cat", "B-public", revision("B-public"), AT)
    elsewhere.publish("cat", "B-public", ("private",), AT)
    restored = Archives(elsewhere).restore(io.BytesIO(exported(filled)))
    assert restored.made_private == ("B-public",)
    assert {entry.scene_id: entry.privacy for entry in elsewhere.list_scenes("ann", 9)}["B-public"] == "private"
    elsewhere.close()


def _without(table: str) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    return lambda lines: [line for line in lines if line.get("table") != table]


def _with(table: str, **values: Any) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    def change(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            line if line.get("table") != table else {**line, "row": {**line["row"], **values}}  # each row of the table
            for line in lines
        ]

    return change


SPOILED: dict[str, Callable[[list[dict[str, Any]]], list[dict[str, Any]]]] = {
    "a line less": lambda lines: lines[:-2] + lines[-1:],
    "no end": lambda lines: lines[:-1],
    "something after the end": lambda lines: [*lines, lines[-1]],
    "another form": lambda lines: [{"format": "zip"}, *lines[1:]],
    "a later version": lambda lines: [{**lines[0], "version": 2}, *lines[1:]],
    "no account": _without("accounts"),
    "no revisions": _without("revisions"),
    "no scenes": _without("scenes"),
    "an unknown table": lambda lines: [*lines[:5], {"table": "secrets", "row": {}}, *lines[5:]],
    "an unknown column": _with("grants", secret_hash="x"),
    "a document of another scene": _with("revisions", document='{"scene": {"id": "other"}}'),
    "a document that is none": _with("revisions", document="{"),
    "a number for a text": _with("scenes", title=7),
    "a text for a number": _with("revisions", added="7"),
    "a time without a zone": _with("scenes", updated_at="2026-05-06T07:08:09"),
    "no time": _with("scenes", updated_at="yesterday"),
    "a role that there is not": _with("grants", role="king"),
    "an account without a role": _with("accounts", role=None),
    "an odd role": _with("accounts", role="king"),
    "a line that is no object": lambda lines: [*lines[:4], 7, *lines[4:]],  # type: ignore[list-item]
    "a row that is no object": lambda lines: [*lines[:4], {"table": "scenes", "row": 7}, *lines[4:]],
    "a revision too many": lambda lines: [*lines[:-1], lines[-2], lines[-1]],
}


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_spoiled_archive_restores_nothing_and_says_so(filled: Store, elsewhere: Store, spoil: str) -> None:
    archive = packed(SPOILED[spoil](lines_of(exported(filled))))
    with pytest.raises(ServiceError) as refused:
        Archives(elsewhere).restore(io.BytesIO(archive))
    assert refused.value.code == "invalid_request"
    assert elsewhere.accounts() == ()
    elsewhere.close()


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b", b"\x1f\x8b\x08\x00" + b"\xff" * 40])
def test_what_is_no_archive_or_half_of_one_is_told(filled: Store, elsewhere: Store, content: bytes) -> None:
    whole = exported(filled)
    for cut in (content, whole[: len(whole) // 2], whole[:-9]):
        with pytest.raises(ServiceError) as refused:
            Archives(elsewhere).restore(io.BytesIO(cut))
        assert refused.value.code == "invalid_request"
        assert elsewhere.accounts() == ()
    elsewhere.close()
