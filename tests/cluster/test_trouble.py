"""A short run of the scripts that make trouble, on SQLite, and that their checkers do find what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chaos import exports, strangers
from chaos.bad_files import is_possible
from chaos.clocks import jump
from chaos.faces import BUSY, FACES, withdraw
from chaos.grants import OPEN, Call, check, race
from chaos.heads import hold
from chaos.kills import kill_for
from chaos.limits import try_limits
from chaos.overload import UNLIMITED, overload
from chaos.sandbox import watch
from chaos.scenes import Broken, percentile
from chaos.upgrades import carry_over
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


def test_under_five_times_the_load_renders_go_on_and_the_rest_is_refused_at_once(tmp_path: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db", "RENDER_QUEUE_SECONDS": "0.3"}
    with running_services(1, tmp_path, **settings, **UNLIMITED) as (server,):
        seen = overload(server.url, seconds=1.2, rounds=3, filling=0.4)
    assert set(seen.statuses) == {200, 503}
    assert seen.kept(seen.goodput) > 1 / 3, seen.told()
    assert percentile(seen.refusals, 50) < percentile(seen.pictures, 50) / 2
    assert len(seen.health) > 3


@pytest.mark.parametrize(
    ("sending", "accounts"), [("renders", False), ("worst", False), ("pages", False), ("worst", True)]
)
def test_whoever_sends_the_worst_does_not_stop_an_owner(
    tmp_path: Path, sending: strangers.Sending, *, accounts: bool
) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db", "RENDER_WORKERS": "2", "PUBLIC_ENGINE_SECONDS": "1"}
    with running_services(1, tmp_path, **settings, **strangers.SETTINGS) as (server,):
        seen = strangers.attack(server, 4, 2, sending, 30_000, accounts=accounts)
    assert len(seen.owner) > 1
    assert len(seen.kept) > 1
    assert not seen.owner_refused
    assert set(seen.strangers) <= {200, 201, 400, 409, 413, 422, 429, 503}
    assert seen.strangers
    assert sending != "worst" or set(seen.strangers) - {200}  # others are refused as soon as they are fast enough


def test_half_heads_hold_up_nobody_and_do_not_fill_the_log(tmp_path: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db", "LOG_LEVEL": "info"}
    with running_services(1, tmp_path, **settings) as (server,):
        _, answered = hold(server.url, count=300, seconds=0.5)
        assert answered >= 2
        assert sum(map(len, server.whole_log())) < 500_000


def test_nothing_is_read_or_written_after_the_end_of_a_grant_was_answered(tmp_path: Path) -> None:
    with running_services(2, tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/scenes.db", **OPEN) as servers:
        seen = race([server.url for server in servers], 24)
    assert {"200 edit", "403 edit", "404 edit", "200 read", "404 read"} <= set(seen)


@pytest.mark.parametrize(
    ("face", "status", "revision", "demoted"),
    [("edit", 200, 7, False), ("edit", 200, 7, True), ("GET ", 200, 5, False), ("list", 200, 0, False),
     ("GET ", 404, 0, True), ("repeated edit", 200, 5, False), ("edit", 409, 0, False), ("GET ", 500, 0, False)],
)  # fmt: skip
def test_a_call_that_outlives_its_grant_is_found_out(face: str, status: int, revision: int, demoted: bool) -> None:
    with pytest.raises(Broken):
        check(Call(2.0, face, status, revision), ended=1.0, last=6, demoted=demoted)


def test_what_was_withdrawn_is_shown_by_none_of_its_faces(tmp_path: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/scenes.db"}
    with running_services(1, tmp_path, **settings, **BUSY) as (server,):
        seen = withdraw([server.url], times=2)
    assert min(seen[200], seen[404] + seen[503]) >= 2 * len(FACES)


def test_a_limit_is_what_is_published_and_not_one_more(urls: list[str]) -> None:
    found = try_limits(urls[0])
    assert (found.taken, found.refused) == (2 * found.limits, found.limits)


def test_no_export_leaves_its_folder_or_overwrites_or_is_half_there(tmp_path: Path) -> None:
    ended = exports.race(tmp_path, times=60)
    assert ended[exports.WRITTEN] >= 22
    assert ended["there already"] >= 22


def test_exports_that_write_to_whatever_stands_at_a_name_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(place: object, content: bytes) -> None:
        Path(str(place)).parent.mkdir(parents=True, exist_ok=True)
        Path(str(place)).write_bytes(content)

    monkeypatch.setattr(exports, "write_new", write)
    with pytest.raises(Broken):
        exports.race(tmp_path, times=8)


@pytest.mark.skipif(not is_possible(), reason="needs Linux and a C compiler named cc")
def test_a_clock_that_jumps_by_a_day_removes_nothing_early(tmp_path: Path) -> None:
    found = jump(tmp_path, rounds=1)
    assert (found.jumps, found.deletions) == (4, 1)


def test_drawing_asks_the_system_for_nothing() -> None:
    scenes = sorted((Path(__file__).parents[1] / "scenes").glob("*.json"))
    assert watch(scenes[:2]).scenes == 3


def test_what_a_server_stored_is_all_there_for_the_next_one_and_counted(tmp_path: Path) -> None:
    today = Path(__file__).parents[2] / "src"
    found = carry_over(today, f"sqlite:///{tmp_path}/scenes.db", tmp_path)
    assert (found.scenes, found.revisions, found.published, found.deleted, found.places) == (24, 144, 8, 4, 20)
