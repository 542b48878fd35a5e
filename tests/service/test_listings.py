"""Lists and differences: what they say, in which order, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from tests.service.kept_places import CountingEngine

from scenograph.scene.limits import Limits
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.paging import cursor as cursor_of
from scenograph.service.places import Places
from scenograph.service.scenes import Listings, Scenes
from scenograph.storage.interface import PageStart, Store
from scenograph.workers import WorkerOverloaded

Make = Callable[..., dict[str, Any]]
EARLIER = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=23)))  # before the first year in UTC
FAR_BACK = cursor_of(PageStart(at=EARLIER, id="a"))
WITH_NUL = cursor_of(PageStart(at=datetime(2026, 1, 2, tzinfo=UTC), id="a\0b"))


@pytest.fixture
def listings(store: Store, scenes: Scenes, places: Places) -> Listings:
    return Listings(store, scenes, Documents(Limits()), places)


def refusal(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        call()
    return refused.value


class TestScenes:
    @pytest.mark.parametrize("size", [1, 2, 5, 6, 100])
    def test_pages_end_where_the_scenes_do(
        self, listings: Listings, scenes: Scenes, document: Make, clock: Any, size: int
    ) -> None:
        for number in range(5):
            scenes.create("ann", document(f"s{number}"))
            clock.turn(seconds=1)
        seen: list[str] = []
        cursor, pages = None, 0
        while True:
            page = listings.scenes("ann", size, cursor)
            seen += [item.scene_id for item in page.items]
            cursor, pages = page.next_cursor, pages + 1
            if cursor is None:
                break
        assert seen == ["s4", "s3", "s2", "s1", "s0"]
        assert pages == -(-5 // size)

    def test_a_listed_scene_says_what_it_is(
        self, listings: Listings, scenes: Scenes, document: Make, batch: Make, clock: Any
    ) -> None:
        made = clock()
        scenes.create("ann", document("orders"))
        clock.turn(hours=1)
        scenes.apply("ann", "orders", batch(1, {"op": "updateScene", "title": "Shop"}))
        (item,) = listings.scenes("ann").items
        assert (item.title, item.diagram_family, item.revision, item.privacy) == ("Shop", "architecture", 2, "private")
        assert (item.created_at, item.updated_at) == (made, made + timedelta(hours=1))

    def test_an_owner_without_scenes_gets_an_empty_page(self, listings: Listings) -> None:
        page = listings.scenes("ann")
        assert (page.items, page.next_cursor) == ((), None)

    def test_words_are_trimmed(self, listings: Listings, scenes: Scenes, document: Make) -> None:
        scenes.create("ann", document("orders"))
        assert len(listings.scenes("ann", words="  ORDER ").items) == 1
        assert listings.scenes("ann", words="invoice").items == ()

    @pytest.mark.parametrize("cursor", ["", "x", "Zm9v", "é", "=", "MjAyNi0wMS0wMnxh", "\0", "fA", FAR_BACK, WITH_NUL])
    def test_a_cursor_that_no_page_gave_is_refused(self, listings: Listings, cursor: str) -> None:
        assert refusal(lambda: listings.scenes("ann", 10, cursor)).code == "invalid_request"

    def test_a_cursor_shows_nobody_elses_scenes(self, listings: Listings, scenes: Scenes, document: Make) -> None:
        for number in range(3):
            scenes.create("ann", document(f"s{number}"))
        assert listings.scenes("bob", 10, listings.scenes("ann", 1).next_cursor).items == ()


class TestRevisions:
    def test_each_says_when_why_and_how_much(
        self, listings: Listings, scenes: Scenes, document: Make, batch: Make
    ) -> None:
        scenes.create("ann", document("orders"))
        scenes.apply("ann", "orders", batch(1, {"op": "deleteElement", "id": "b"}, message="no database"))
        history = listings.revisions("ann", "orders")
        assert history.current_revision == 2
        newest, first = history.entries
        assert newest.summary is not None
        assert (newest.message, newest.summary.added, newest.summary.removed) == ("no database", 0, 2)
        assert (first.revision, first.message, first.summary) == (1, None, None)

    @pytest.mark.parametrize("scene_id", ["missing", "a/b", "\0", ""])
    def test_a_scene_that_is_not_there_has_none(self, listings: Listings, scene_id: str) -> None:
        assert refusal(lambda: listings.revisions("ann", scene_id)).code == "scene_not_found"


class TestDifference:
    @pytest.fixture(autouse=True)
    def three_revisions(self, scenes: Scenes, document: Make, batch: Make) -> None:
        scenes.create("ann", document("orders"))
        scenes.apply(
            "ann", "orders", batch(1, {"op": "createNode", "id": "c"}, {"op": "setText", "id": "a", "text": "X"})
        )
        scenes.apply("ann", "orders", batch(2, {"op": "deleteElement", "id": "ab"}))

    def test_the_latest_revision_is_compared_unless_another_is_named(self, listings: Listings) -> None:
        found = listings.difference("ann", "orders", 1)
        assert (found.from_revision, found.to_revision) == (1, 3)
        assert (found.change.added, found.change.removed, found.change.modified) == (("c",), ("ab",), ("a",))
        assert listings.difference("ann", "orders", 1, 2).change.removed == ()

    def test_it_can_be_read_backwards_and_between_equals(self, listings: Listings) -> None:
        assert listings.difference("ann", "orders", 3, 1).change.added == ("ab",)
        assert listings.difference("ann", "orders", 2, 2).change.changed_ids == ()

    def test_it_is_told_without_moves_while_the_engine_is_busy(
        self, listings: Listings, engine: CountingEngine
    ) -> None:
        engine.faults["Orders"] = [WorkerOverloaded("full")]
        found = listings.difference("ann", "orders", 1)
        assert (found.change.added, found.moved) == (("c",), None)
        assert listings.difference("ann", "orders", 1).moved is not None

    @pytest.mark.parametrize(("old", "new"), [(9, None), (1, 9), (0, 1), (9, 9)])
    def test_a_revision_that_never_was_is_told(self, listings: Listings, old: int, new: int | None) -> None:
        refused = refusal(lambda: listings.difference("ann", "orders", old, new))
        assert (refused.code, refused.extra) == ("revision_not_found", {"currentRevision": 3})

    def test_a_foreign_scene_is_not_compared(self, listings: Listings) -> None:
        assert refusal(lambda: listings.difference("bob", "orders", 1)).code == "scene_not_found"
