"""A short run of the scripts that make trouble, on SQLite, and that their checkers do find what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chaos.kills import kill_for
from chaos.scenes import Broken
from chaos.writers import Ledger, check_history, check_storm, storm, write_for
from local_servers.service import running_services


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Two servers without limits on one file."""
    folder: Path = tmp_path_factory.mktemp("servers")
    with running_services(2, folder, DATABASE_URL=f"sqlite:///{folder}/scenes.db") as servers:
        yield [server.url for server in servers]


def test_writers_who_try_again_lose_nothing_and_a_storm_has_one_winner(urls: list[str]) -> None:
    ledger = write_for(1, urls, "crowded", writers=16)
    revisions = check_history(ledger, urls, "crowded")
    assert revisions > 1
    statuses = storm(urls, "stormy", callers=60)
    check_storm(statuses, urls, "stormy")
    base, number, signature = ledger.acknowledged[0]
    for wrong in (
        [*ledger.acknowledged, (base, number, signature)],
        ledger.acknowledged[1:],
        [(base, number, "somebody else"), *ledger.acknowledged[1:]],
        [*ledger.acknowledged, (revisions, revisions + 1, "never written")],
    ):
        with pytest.raises(Broken):
            check_history(Ledger(wrong, Counter({200: len(wrong)})), urls, "crowded")
    with pytest.raises(Broken):
        check_storm(Counter({200: 2, 409: 58}), urls, "stormy")


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    found = kill_for(3, tmp_path / "scenes.db", writers=4)
    assert found.kills == 3
    assert found.acknowledged >= 4
