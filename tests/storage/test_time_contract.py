"""What every backend promises of the time that really passes (storage/interface.py)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from scenograph.service.clock import NeverBehind, SharedTime
from scenograph.service.lifecycle import RECOVERY, Lifecycle, purge
from scenograph.storage.interface import NewRevision, Store

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
SLACK = timedelta(hours=1)  # between two purges of a server
JUMP = timedelta(hours=25)


class Machine:
    """A server's machine: a clock that is set at will, and time that passes (in seconds) whatever the clock says."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.wrong_by = timedelta(0)

    def clock(self) -> datetime:
        return AT + timedelta(seconds=self.passed) + self.wrong_by

    def elapsed(self) -> float:
        return self.passed


class Server:
    """A server on a machine: how it deletes, restores and purges. A new one is a restart."""

    def __init__(self, store: Store, machine: Machine) -> None:
        self._store = store
        self._machine = machine
        self.time = SharedTime(store, SLACK, machine.elapsed)
        stamps = NeverBehind(machine.clock, machine.elapsed)
        self.lifecycle = Lifecycle(store, machine.clock, stamps, self.time.latest)

    def purge(self) -> int:
        return purge(self._store, self._machine.clock(), self.time.advance())


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def server(store: Store, machine: Machine) -> Server:
    store.create_scene("ann", "orders", NewRevision(document="{}", title=None, diagram_family=None), AT)
    return Server(store, machine)


def test_the_latest_of_what_was_handed_in_stands(store: Store) -> None:
    began = store.advance_time()
    assert store.advance_time(began + SLACK) == began + SLACK
    assert store.advance_time(began) == began + SLACK
    assert store.advance_time() == began + SLACK


def test_servers_hear_of_each_other_and_none_is_ahead_of_what_passed(store: Store) -> None:
    one, other = Machine(), Machine()
    first = SharedTime(store, SLACK, one.elapsed)
    began = first.earliest()
    one.passed = 100
    first.advance()
    second = SharedTime(store, SLACK, other.elapsed)
    assert second.earliest() == began + timedelta(seconds=100)
    one.passed, other.passed = 150, 50
    assert first.advance() == second.advance() == began + timedelta(seconds=150)
    assert second.earliest() <= first.latest()


def all_but_an_hour(server: Server, *machines: Machine) -> None:
    """Let 23 hours pass, with purges that remove nothing."""
    for _ in range(23):
        for machine in machines:
            machine.passed += SLACK.total_seconds()
        assert server.purge() == 0


def jump_while_running(machine: Machine, server: Server) -> Server:
    machine.wrong_by = JUMP
    return server


def jump_and_restart(machine: Machine, server: Server) -> Server:
    machine.wrong_by = JUMP
    return Server(server._store, machine)


def jump_back_and_forth(machine: Machine, server: Server) -> Server:
    machine.wrong_by = -JUMP
    server.purge()
    machine.wrong_by = timedelta(0)
    return Server(server._store, machine)


def jump_back(machine: Machine, server: Server) -> Server:
    machine.wrong_by = -JUMP
    return server


@pytest.mark.parametrize("jump", [jump_while_running, jump_and_restart, jump_back_and_forth, jump_back])
def test_a_clock_that_jumps_after_a_deletion_purges_nothing_early(
    store: Store, server: Server, machine: Machine, jump: Callable[[Machine, Server], Server]
) -> None:
    server.lifecycle.delete("ann", "orders")
    going_on = jump(machine, server)
    assert going_on.purge() == 0
    all_but_an_hour(going_on, machine)
    machine.wrong_by = timedelta(0)
    assert going_on.lifecycle.undelete("ann", "orders") == 1


def test_a_scene_deleted_while_the_clock_was_set_back_can_be_restored_when_it_is_right_again(
    server: Server, machine: Machine
) -> None:
    machine.wrong_by = -JUMP
    server.lifecycle.delete("ann", "orders")
    machine.wrong_by = timedelta(0)
    assert server.purge() == 0
    assert server.lifecycle.undelete("ann", "orders") == 1


def test_a_scene_deleted_while_the_clock_was_ahead_is_kept_as_long_as_was_said(
    server: Server, machine: Machine
) -> None:
    machine.wrong_by = JUMP
    server.lifecycle.delete("ann", "orders")
    machine.wrong_by = timedelta(0)
    (item,) = server.lifecycle.recoverable("ann")
    all_but_an_hour(server, machine)
    machine.passed += 2 * SLACK.total_seconds()
    assert machine.clock() < item.expires_at
    assert server.purge() == 0


def test_a_second_server_with_a_wrong_clock_purges_nothing_early(
    store: Store, server: Server, machine: Machine
) -> None:
    server.lifecycle.delete("ann", "orders")
    wrong = Machine()
    wrong.wrong_by = JUMP
    second = Server(store, wrong)
    all_but_an_hour(second, machine, wrong)
    assert (server.purge(), second.purge()) == (0, 0)


def test_what_is_due_goes_soon_after_its_day_on_any_server(store: Store, server: Server, machine: Machine) -> None:
    server.lifecycle.delete("ann", "orders")
    second = Server(store, machine)
    all_but_an_hour(second, machine)
    machine.passed += 2 * SLACK.total_seconds()
    assert second.purge() == 1
    assert store.deleted_scenes("ann", machine.clock() - 2 * RECOVERY) == ()


def test_time_in_which_no_server_ran_is_not_counted(store: Store, server: Server, machine: Machine) -> None:
    server.lifecycle.delete("ann", "orders")
    later = Machine()
    later.wrong_by = 3 * RECOVERY  # it may be right, and it may have been set
    restarted = Server(store, later)
    assert restarted.purge() == 0
    later.passed = (RECOVERY + SLACK).total_seconds()
    assert restarted.purge() == 1
