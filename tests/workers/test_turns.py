"""Whose engine call comes next, with a clock that the test holds."""

from __future__ import annotations

import itertools
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.workers import CallTurn, Share, Turns, WorkerOverloaded

ANN = Share("owner ann", is_owner=True, at_once=2, timeout_seconds=10.0)
BEN = Share("owner ben", is_owner=True, at_once=2, timeout_seconds=10.0)
STRANGERS = [Share(f"network {n}", is_owner=False, at_once=2, timeout_seconds=5.0) for n in range(20)]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def runs(turn: CallTurn) -> bool:
    return turn.granted.done()


def crowd_that_enters(turns: Turns, *, are_owners: bool = True) -> list[CallTurn]:
    """Of 200 callers who come at one moment."""
    entered: list[CallTurn] = []
    for number in range(200):
        with suppress(WorkerOverloaded):
            share = Share(f"caller {number}", is_owner=are_owners, at_once=2, timeout_seconds=10.0)
            entered.append(turns.enter(share))
    return entered


def fill(turns: Turns) -> None:
    """Stand in line until there is no room."""
    with suppress(WorkerOverloaded):
        while True:
            turns.ask(ANN, "b", size=3_500)


def test_half_of_the_places_never_serve_strangers(clock: Clock) -> None:
    for places, for_strangers in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 3)):
        turns = Turns(places, 20.0, clock)
        asked = [turns.ask(share) for share in STRANGERS[:8]]
        assert sum(map(runs, asked)) == for_strangers


def test_an_owner_comes_before_strangers_who_have_waited_longer(clock: Clock) -> None:
    turns = Turns(2, 20.0, clock)
    running = [turns.ask(ANN), turns.ask(ANN)]
    stranger, owner = turns.ask(STRANGERS[0]), turns.ask(BEN)
    turns.give_back(running[0])
    assert runs(owner)
    assert not runs(stranger)
    turns.give_back(owner)
    assert runs(stranger)


def test_the_owner_who_used_less_comes_first(clock: Clock) -> None:
    turns = Turns(2, 20.0, clock)
    first = turns.ask(ANN)
    clock.now = 3.0
    turns.give_back(first)
    others = [turns.ask(Share(f"owner {n}", is_owner=True, at_once=2, timeout_seconds=10.0)) for n in range(2)]
    ann, ben = turns.ask(ANN), turns.ask(BEN)
    turns.give_back(others[0])
    assert (runs(ben), runs(ann)) == (True, False)


def test_of_one_callers_calls_the_cheap_one_comes_first(clock: Clock) -> None:
    turns = Turns(2, 60.0, clock)
    running = [turns.ask(ANN, "a"), turns.ask(ANN, "b")]
    dear, cheap = turns.ask(ANN, "large", size=400_000), turns.ask(ANN, "small", size=1_000)
    turns.give_back(running[0])
    assert (runs(cheap), runs(dear)) == (True, False)


def test_what_a_call_took_is_known_when_it_is_asked_for_again(clock: Clock) -> None:
    turns = Turns(2, 60.0, clock)
    long = turns.ask(ANN, "long")
    clock.now = 4.0
    turns.give_back(long)
    assert turns.ask(ANN, "long").expected == 4.0


def test_a_call_without_hope_of_a_turn_is_refused_at_once(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    turns.ask(STRANGERS[0], "unknown")
    waiting = turns.ask(STRANGERS[1])
    assert not runs(waiting)
    clock.now = 3.0  # it takes longer than such calls do
    with pytest.raises(WorkerOverloaded):
        turns.ask(STRANGERS[2])
    assert runs(turns.ask(ANN)), "an owner has the other place"


def test_whoever_is_refused_at_the_door_never_stood_in_line(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    first = turns.ask(ANN, "a"), turns.ask(ANN, "b")
    clock.now = 3.0
    with pytest.raises(WorkerOverloaded):
        turns.enter(BEN, "c")
    assert (turns.standing, turns.waiting) == (2, 0)
    turns.give_back(first[0])
    turns.enter(BEN, "c")
    assert turns.standing == 1


def test_of_a_crowd_at_the_door_only_those_come_in_for_whom_there_is_room(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    entered = crowd_that_enters(turns)
    assert 20 < len(entered) < 100
    asked = [turns.ask(turn.share, entered=turn) for turn in entered]
    assert sum(map(runs, asked)) == 2, "and none of them is refused afterwards"
    clock.now = 1.0
    with pytest.raises(WorkerOverloaded):
        turns.enter(BEN)


def test_a_crowd_of_strangers_is_let_in_as_their_own_places_allow(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    entered = crowd_that_enters(turns, are_owners=False)
    assert 10 < len(entered) < len(crowd_that_enters(Turns(2, 2.0, clock)))
    asked = [turns.ask(turn.share, entered=turn) for turn in entered]
    assert sum(map(runs, asked)) == 1, "and none of them is refused afterwards"


def test_who_was_let_in_is_not_refused_when_the_guess_becomes_longer_on_the_way(clock: Clock) -> None:
    turns = Turns(1, 2.0, clock)
    known_as_short = turns.ask(ANN, "a")
    clock.now = 0.05
    turns.give_back(known_as_short)
    running = turns.ask(ANN, "a")
    fill(turns)
    entered = turns.enter(ANN, "a")
    clock.now = 0.3
    turns.give_back(running)
    fill(turns)
    with pytest.raises(WorkerOverloaded):
        turns.ask(ANN, "a")
    assert turns.ask(ANN, "a", entered=entered) is entered


def test_another_call_than_the_one_that_was_let_in_is_looked_at_anew(clock: Clock) -> None:
    turns = Turns(1, 2.0, clock)
    turns.ask(ANN)
    entered = turns.enter(ANN, "a"), turns.enter(BEN, "a")
    fill(turns)
    with pytest.raises(WorkerOverloaded):
        turns.ask(ANN, "b", entered=entered[0])
    with pytest.raises(WorkerOverloaded):
        turns.ask(ANN, "a", entered=entered[1])


def test_who_came_in_and_takes_his_time_keeps_nobody_out(clock: Clock) -> None:
    turns = Turns(1, 2.0, clock)
    assert len(crowd_that_enters(turns)) < 100
    with pytest.raises(WorkerOverloaded):
        turns.enter(BEN)
    clock.now = 1.0
    turns.enter(BEN)


def test_a_free_place_is_taken_however_long_the_other_one_will_be_in_use(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    turns.ask(STRANGERS[0], size=900_000)
    waiting = turns.enter(ANN)
    clock.now = 0.2
    assert runs(turns.ask(BEN))
    with pytest.raises(WorkerOverloaded):
        turns.enter(STRANGERS[1])
    assert not runs(waiting)


@pytest.mark.parametrize(("given_back_at", "first"), [(30.3, "ben"), (30.5, "ann")])
def test_who_has_waited_as_long_as_was_expected_at_most_comes_before_those_who_used_less(
    clock: Clock, given_back_at: float, first: str
) -> None:
    turns = Turns(2, 30.0, clock)
    used = turns.ask(ANN)
    clock.now = 0.4
    turns.give_back(used)
    cat = Share("owner cat", is_owner=True, at_once=2, timeout_seconds=10.0)
    running = [turns.ask(cat), turns.ask(cat)]
    waiting = {"ann": turns.ask(ANN)}
    clock.now = 29.0
    waiting["ben"] = turns.ask(BEN)
    clock.now = given_back_at
    turns.give_back(running[0])
    assert [name for name, turn in waiting.items() if runs(turn)] == [first]


def test_one_caller_has_so_many_places_at_once(clock: Clock) -> None:
    turns = Turns(4, 20.0, clock)
    assert [runs(turns.ask(ANN)) for _ in range(3)] == [True, True, False]
    assert runs(turns.ask(BEN))


def test_with_one_place_a_strangers_call_is_ended_when_an_owner_waits(clock: Clock) -> None:
    turns = Turns(1, 2.0, clock)
    stranger = turns.ask(STRANGERS[0], size=1_000_000)
    ended: list[str] = []
    stranger.begin(lambda: ended.append("killed"))
    owner = turns.ask(ANN)
    assert ended == ["killed"]
    turns.give_back(stranger)
    assert runs(owner)


def test_a_call_that_made_room_before_it_began_does_not_begin(clock: Clock) -> None:
    turns = Turns(1, 2.0, clock)
    stranger = turns.ask(STRANGERS[0])
    turns.ask(ANN)
    with pytest.raises(WorkerOverloaded):
        stranger.begin(lambda: None)


def test_a_call_that_is_done_is_not_ended_any_more(clock: Clock) -> None:
    turns = Turns(1, 2.0, clock)
    stranger = turns.ask(STRANGERS[0])
    ended: list[str] = []
    stranger.begin(lambda: ended.append("killed"))
    stranger.finish()
    turns.ask(ANN)
    assert not ended


def test_a_thread_that_does_not_get_its_turn_leaves_the_line() -> None:
    turns = Turns(1, 0.15)
    turns.ask(ANN)
    with pytest.raises(WorkerOverloaded), turns.waited_for(BEN, "bounds"):
        raise AssertionError("there is no place")
    assert (turns.waiting, turns.standing) == (0, 1)


@given(
    places=st.integers(1, 6),
    steps=st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.floats(0, 3)), max_size=60),
)
def test_whatever_comes_no_place_is_idle_that_somebody_may_take(
    places: int, steps: list[tuple[int, bool, float]]
) -> None:
    clock = Clock()
    turns = Turns(places, 1e9, clock)
    callers = [*STRANGERS[:7], ANN, BEN, Share("owner eve", is_owner=True, at_once=1, timeout_seconds=1.0)]
    held: list[CallTurn] = []
    for who, gives_back, seconds in steps:
        clock.now += seconds
        if gives_back and held:
            turns.give_back(held.pop(who % len(held)))
        else:
            held.append(turns.ask(callers[who]))
        running = [turn for turn in held if runs(turn)]
        waiting = [turn for turn in held if not runs(turn)]
        strangers = sum(not turn.share.is_owner for turn in running)
        assert len(running) <= places
        assert strangers <= places - places // 2
        for share, group in itertools.groupby(
            sorted(running, key=lambda turn: turn.share.name), lambda turn: turn.share
        ):
            assert len(list(group)) <= share.at_once
        for turn in waiting:
            own = sum(other.share == turn.share for other in running)
            full = not turn.share.is_owner and strangers == places - places // 2
            held_back = turn.own_length > 0.5 and len(running) >= places - 1
            assert len(running) == places or own == turn.share.at_once or full or held_back


def test_work_that_an_owner_is_going_to_need_is_waited_for_and_not_ended() -> None:
    turns = Turns(1, queue_seconds=2.0)
    background = Share("background", is_owner=False, at_once=1, timeout_seconds=10.0, stays=True)
    working, waiting = turns.ask(background), turns.ask(ANN)
    ended: list[bool] = []
    working.begin(lambda: ended.append(True))
    assert not working.gives_way
    assert not waiting.granted.done()
    working.finish()
    turns.give_back(working)
    assert waiting.granted.done()
    assert not ended


def test_long_calls_of_many_owners_leave_a_place_to_short_ones(clock: Clock) -> None:
    turns = Turns(2, 30.0, clock)
    heavy = [Share(f"owner {n}", is_owner=True, at_once=2, timeout_seconds=10.0) for n in range(6)]
    asked = [turns.ask(share, "long", size=100_000) for share in heavy]
    assert sum(map(runs, asked)) == 1
    assert runs(turns.ask(ANN))


def test_a_short_call_is_not_refused_for_long_ones_that_are_before_it_and_must_leave_it_a_place(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    used = turns.ask(ANN)
    clock.now = 0.2
    turns.give_back(used)
    heavy = [Share(f"owner {n}", is_owner=True, at_once=2, timeout_seconds=10.0) for n in range(6)]
    running = turns.ask(STRANGERS[0])
    waiting = [turns.ask(share, "long", size=70_000) for share in heavy[:3]]
    with pytest.raises(WorkerOverloaded):
        turns.ask(heavy[3], "long", size=70_000)
    own = turns.ask(ANN)
    assert not runs(own)
    turns.give_back(running)
    assert runs(own)
    assert sum(map(runs, waiting)) == 1


def test_an_owner_alone_has_all_places_for_long_calls(clock: Clock) -> None:
    turns = Turns(2, 30.0, clock)
    turns.give_back(turns.ask(BEN))
    clock.now = 11.0  # ben has gone
    assert all(runs(turns.ask(ANN, f"long {number}", size=100_000)) for number in range(2))


def test_a_call_that_nobody_expected_to_be_long_counts_as_such_while_it_runs(clock: Clock) -> None:
    turns = Turns(2, 30.0, clock)
    turns.ask(BEN, "small, and long all the same")
    clock.now = 1.0
    assert not runs(turns.ask(ANN, "long", size=100_000))
    assert runs(turns.ask(ANN, "short"))


def test_what_a_caller_sent_lately_tells_how_long_its_next_calls_will_be_and_no_one_elses(clock: Clock) -> None:
    turns = Turns(3, 30.0, clock)
    first = turns.ask(BEN, "a")
    clock.now = 4.0
    turns.give_back(first)
    assert turns.ask(BEN, "b").own_length == 4.0
    assert turns.ask(ANN, "b").own_length < 0.1


def test_who_would_wait_in_vain_is_refused_once_that_is_known(clock: Clock) -> None:
    turns = Turns(2, 2.0, clock)
    asked = [turns.ask(share, "unknown", size=9_000) for share in STRANGERS[:10]]
    clock.now = 4.0
    turns.give_back(asked[0])
    refused = [turn for turn in asked[1:] if runs(turn) and turn.granted.exception()]
    served = [turn for turn in asked[1:] if runs(turn) and not turn.granted.exception()]
    assert len(served) == 1
    assert 4 < len(refused) < 9
    assert refused == asked[-len(refused) :], "those who came last"
    assert turns.waiting == 8 - len(refused)


def test_a_queue_twice_as_long_is_looked_through_with_hardly_more_than_twice_the_work(clock: Clock) -> None:
    def work(count: int) -> int:
        turns, events = Turns(1, 1e6, clock), itertools.count()
        running = turns.ask(ANN)
        waiting = [turns.ask(BEN, "b") for _ in range(count)]
        clock.now += 9.0
        turns.queue_seconds = 1.0
        sys.setprofile(lambda *_: next(events))
        try:
            turns.give_back(running)
        finally:
            sys.setprofile(None)
        assert any(turn.granted.done() and turn.granted.exception() for turn in waiting)
        return next(events)

    assert work(400) < 3 * work(200)
