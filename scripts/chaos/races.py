"""Two callers at one moment, on one scene's life, through two stores on one database, as two servers would be.

Each outcome is that of one after the other: nothing is half there, and no public address is left behind.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from chaos.scenes import document, require
from scenograph.scene.edits.draft import ComputedBounds, no_bounds
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import Limits
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.lifecycle import RECOVERY, Lifecycle, purge
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Account, Store

LONGEST_HEAD_START = 0.02  # seconds, a few writes
INSTANT = timedelta(microseconds=1)
OWNER, SCENE = "ann", "raced"
DONE, MISSING = "done", "scene_not_found"


class _Nowhere:
    """Elements whose places nobody asks for."""

    def boxes_on(self, _key: int, _revision: int, _document: JsonObject) -> ComputedBounds:
        """None."""
        return no_bounds

    def recall(self, _key: int, _revision: int) -> None:
        """Nothing."""


@dataclass
class Racers:
    """Two stores, and a clock that stands still unless it is turned."""

    one: Store
    other: Store
    now: datetime = field(default_factory=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))

    def clock(self) -> datetime:
        """The time."""
        return self.now

    def keep(self, scene_id: str) -> int:
        """Create a scene; its revision."""
        return self.scenes.create(OWNER, document(scene_id)).revision

    @property
    def scenes(self) -> Scenes:
        """Of the first."""
        return Scenes(self.one, Documents(Limits()), self.clock, _Nowhere())

    def state(self) -> str:
        """Whether the scene is active, and how public."""
        read = self.one.read_scene(OWNER, SCENE)
        return "away" if read is None else read.privacy


Race = Callable[[Racers, float, int], str]


def purge_and_undelete(racers: Racers, head_start: float, number: int) -> str:
    """The purge's clock is at the end of the window, the caller's just before it."""
    name = f"s{number}"
    racers.keep(name)
    racers.one.delete_scene(OWNER, name, None, racers.clock())
    racers.now += RECOVERY
    late = Lifecycle(racers.other, lambda: racers.now - INSTANT)
    undeleted, _ = both(lambda: late.undelete(OWNER, name), lambda: purge(racers.one, racers.clock()), head_start)
    if undeleted == DONE:
        require(racers.scenes.read(OWNER, name).document == document(name), "the scene came back otherwise")
    else:
        require(racers.keep(name) == 1, "something of a purged scene is left")
    require(racers.one.deleted_scenes(OWNER, racers.now - RECOVERY - INSTANT) == (), "a purged scene is listed")
    return undeleted


def publish_and_delete(racers: Racers, head_start: float, _number: int) -> str:
    """No public address stays."""
    lifecycle = Lifecycle(racers.one, racers.clock)
    published, deleted = both(
        lambda: lifecycle.publish(OWNER, SCENE),
        lambda: racers.other.delete_scene(OWNER, SCENE, None, racers.clock()),
        head_start,
    )
    require((deleted, racers.state()) == (DONE, "away"), "the deletion did not hold")
    require(racers.one.public_scene(SCENE) is None, "a deleted scene is public")
    lifecycle.undelete(OWNER, SCENE)
    require(racers.state() == "private", "a scene came back public")
    require(racers.one.public_scene(SCENE) is None, "a scene that came back is public")
    return published


def publish_and_hide(racers: Racers, head_start: float, _number: int) -> str:
    """One of both holds."""
    lifecycle, hiding = Lifecycle(racers.one, racers.clock), Lifecycle(racers.other, racers.clock)
    came = both(lambda: lifecycle.publish(OWNER, SCENE), lambda: hiding.make_private(OWNER, SCENE), head_start)
    require(came == (DONE, DONE), f"a publication and its end were answered {came}")
    state = racers.state()
    require(
        (racers.one.public_scene(SCENE) is not None) == (state == "public"), f"{state}, but its address says not so"
    )
    lifecycle.make_private(OWNER, SCENE)
    require(racers.one.public_scene(SCENE) is None, "a private scene is public")
    return state


# What runs, and the outcomes of which each has to come up: a race that one side always wins is none.
RACES: dict[str, tuple[Race, frozenset[str]]] = {
    "purge and undelete": (purge_and_undelete, frozenset({DONE, MISSING})),
    "publish and delete": (publish_and_delete, frozenset({DONE, MISSING})),
    "publish and make private": (publish_and_hide, frozenset({"private", "public"})),
}


def run(name: str, opening: Callable[[], Store], count: int) -> Counter[str]:
    """Let the race be run so often; how often each outcome came. Broken when one is of neither order."""
    race, outcomes = RACES[name]
    one, other = opening(), opening()
    try:
        racers = Racers(one, other)
        one.add_account(Account(id=OWNER, email=None, email_verified_at=racers.now, role="member"), racers.now)
        racers.keep(SCENE)
        seen = Counter(race(racers, head_start, number) for number, head_start in enumerate(head_starts(count)))
    finally:
        one.close()
        other.close()
    require(set(seen) == outcomes, f"{name} ended in {dict(seen)} only")
    return seen


def both(one: Callable[[], object], other: Callable[[], object], head_start: float) -> tuple[str, str]:
    """Run both at nearly the same moment, `one` so many seconds earlier (`other`, when negative); what each came to:
    done, or the code of its refusal."""
    start, never = threading.Barrier(2), threading.Event()

    def run_one(call: Callable[[], object], delay: float) -> str:
        start.wait()
        never.wait(delay)
        try:
            call()
        except ServiceError as refused:
            return refused.code
        return DONE

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(run_one, one, max(-head_start, 0)), pool.submit(run_one, other, max(head_start, 0))
        return first.result(), second.result()


def head_starts(count: int) -> Iterator[float]:
    """So many from one side to the other, most of them near nothing."""
    for number in range(count):
        share = 2 * number / (count - 1) - 1
        yield LONGEST_HEAD_START * share**3
