"""The tables of an SQLite file: made, brought up from earlier versions, taken back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, select

from scenograph.storage.interface import (
    Account,
    Author,
    IdTaken,
    KeptPlaces,
    KeyRecord,
    NewRevision,
    PublicIdTaken,
    StorageUnavailable,
)
from scenograph.storage.migrations import running
from scenograph.storage.schema import accounts, metadata, scenes
from scenograph.storage.sql import SqlStore
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 5, 6, tzinfo=UTC)
REVISION = NewRevision(document="{}", title=None, diagram_family=None)
NO_PLACES = KeptPlaces(places=None)


@pytest.fixture
def store(sqlite_store: SqlStore) -> SqlStore:
    return sqlite_store


class TestMigrations:
    def test_they_make_exactly_the_tables_that_the_statements_use(self, store: SqlStore) -> None:
        with store._writing.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []

    def test_the_checks_and_cascades_are_those_of_the_tables_too(self, store: SqlStore, tmp_path: Path) -> None:
        plain = create_engine(f"sqlite:///{tmp_path}/plain.db")
        metadata.create_all(plain)
        seen = []
        for engine in (plain, store._writing):
            looked = inspect(engine)
            seen.append(
                {
                    table: (
                        sorted((str(row["name"]), row["sqltext"]) for row in looked.get_check_constraints(table)),
                        sorted((str(row["name"]), str(row["options"])) for row in looked.get_foreign_keys(table)),
                        looked.get_pk_constraint(table),
                    )
                    for table in metadata.tables
                }
            )
        plain.dispose()
        assert seen[0] == seen[1]

    def test_running_them_again_changes_nothing(self, store: SqlStore, file: Path) -> None:
        again = open_sqlite(f"sqlite:///{file}")
        assert again.create_scene("ann", "orders", REVISION, AT) == IdTaken(current_revision=1)
        again.close()

    def test_the_newest_one_is_known_by_its_name(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        scripts = ScriptDirectory.from_config(config)
        assert scripts.get_current_head() == running.NEWEST
        assert sorted(script.revision for script in scripts.walk_revisions()) == [*running.KNOWN]

    def test_they_can_be_taken_back(self, store: SqlStore) -> None:
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with store._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "base")
        assert inspect(store._writing).get_table_names() == ["alembic_version"]

    def test_a_file_of_the_first_version_is_brought_up_with_all_it_holds(self, tmp_path: Path) -> None:
        engine = create_engine(f"sqlite:///{tmp_path}/old.db")
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "0001")
            moment = "'2026-05-06 00:00:00.000000'"
            for row in (
                f"accounts VALUES ('ann', NULL, NULL, 'member', {moment})",
                f"scenes VALUES (1, 'ann', 'Big', 1, 'GRÖSSE', NULL, 'private', {moment}, {moment}, NULL)",
                f"revisions VALUES (1, 1, {moment}, NULL, NULL, NULL, NULL, '[]', 'plain', x'7b7d')",
                f"api_keys VALUES ('k', 'ann', 'laptop', 'hash', {moment})",
            ):
                connection.exec_driver_sql(f"INSERT INTO {row}")
        engine.dispose()
        store = open_sqlite(f"sqlite:///{tmp_path}/old.db")
        assert [entry.scene_id for entry in store.list_scenes("ann", 5, words="größe")] == ["Big"]
        assert [(key.id, key.last_used_at) for key in store.keys_of("ann")] == [("k", None)]
        read = store.read_scene("ann", "Big")
        assert read is not None
        assert read.document.text == "{}"
        with store._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0001")
            assert connection.exec_driver_sql("SELECT count(*) FROM scenes, revisions, api_keys").scalar_one() == 1
        store.close()

    def test_what_accounts_hold_is_counted_when_an_older_file_is_brought_up(self, store: SqlStore, file: Path) -> None:
        store.append_revision("ann", "orders", 1, NewRevision(document="x" * 300, title=None, diagram_family=None), AT)
        store.create_scene("ann", "gone", REVISION, AT)
        store.delete_scene("ann", "gone", None, AT)
        for name in ("open", "shut"):
            store.add_key(KeyRecord(id=name, account_id="ann", name=name, created_at=AT), name)
        store.revoke_key("ann", "shut", AT)
        counted = select(accounts.c.key_count, accounts.c.scene_count, accounts.c.stored_bytes)
        per_scene = select(scenes.c.scene_id, scenes.c.stored_bytes).order_by(scenes.c.id)
        before = store._rows(counted), store._rows(per_scene)
        assert before[0] == [(1, 1, 300 + 2 + 2 + 2 + 2 + 2)]
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with store._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0006")
        upgraded = open_sqlite(f"sqlite:///{file}")
        assert (upgraded._rows(counted), upgraded._rows(per_scene)) == before
        upgraded.close()

    def test_addresses_that_were_published_before_stay_their_publishers(self, store: SqlStore, file: Path) -> None:
        store.add_account(Account(id="bob", email=None, email_verified_at=None, role="member"), AT)
        store.create_scene("bob", "orders", REVISION, AT)
        store.publish("ann", "orders", ("private",), AT)
        store.make_private("ann", "orders", ("public",))
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with store._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0006")
        upgraded = open_sqlite(f"sqlite:///{file}")
        assert upgraded.publish("bob", "orders", ("private",), AT) == PublicIdTaken()
        assert upgraded.publish("ann", "orders", ("private",), AT) == AT
        upgraded.close()

    def test_of_the_revisions_before_places_were_kept_only_the_latest_will_have_some(
        self, store: SqlStore, file: Path
    ) -> None:
        for base in (1, 2):
            store.append_revision("ann", "orders", base, REVISION, AT)
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with store._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0005")
        upgraded = open_sqlite(f"sqlite:///{file}")
        found = upgraded.scene_key("ann", "orders")
        assert found is not None
        assert [upgraded.kept_places(found.key, number) for number in (1, 2, 3)] == [NO_PLACES, NO_PLACES, None]
        assert upgraded.first_unplaced(found.key, 3) == 3
        upgraded.close()

    def test_revisions_of_a_file_without_authors_have_none_and_later_ones_do(self, store: SqlStore, file: Path) -> None:
        author = Author(account_id="ann", key_name="laptop")
        signed = NewRevision(document="{}", title=None, diagram_family=None, author=author)
        store.append_revision("ann", "orders", 1, signed, AT)
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with store._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0007")
        upgraded = open_sqlite(f"sqlite:///{file}")
        upgraded.append_revision("ann", "orders", 2, signed, AT)
        history = upgraded.history("ann", "orders", None, 5)
        assert history is not None
        assert [entry.author for entry in history.entries] == [author, None, None]
        upgraded.close()

    def test_a_file_of_a_newer_version_is_refused_and_left_alone(self, store: SqlStore, file: Path) -> None:
        with store._writing.begin() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(StorageUnavailable, match="is of a newer version of Scenograph"):
            open_sqlite(f"sqlite:///{file}")
        assert store.current_revision("ann", "orders") == 1
