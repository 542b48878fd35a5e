"""Submitting to support: what is kept, what supporters see, and that every look is on record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from tests.service.kept_places import Standing

from scenograph.scene.edits.draft import ComputedBounds, no_bounds
from scenograph.scene.limits import Limits
from scenograph.service.accounts import Caller
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.scenes import Scenes
from scenograph.service.support import ATTEMPTS, Support
from scenograph.storage.interface import Account, Store
from scenograph.workers import InThisProcess, Reply

Make = Callable[..., dict[str, Any]]
SUE = Caller(account_id="sue", email_verified=True, role="support", key_id="k")
ANN = Caller(account_id="ann", email_verified=True, role="member", key_id="k")


class Interrupted(InThisProcess):
    """Work that somebody does something else before."""

    def __init__(self, first: Callable[[], None]) -> None:
        self._first = first

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        self._first()
        return super().do(job, arguments, *texts, bounds=bounds)


@pytest.fixture
def scenes(store: Store, clock: Any) -> Scenes:
    return Scenes(store, Documents(Limits()), clock, Standing(no_bounds))


@pytest.fixture
def support(store: Store, scenes: Scenes, clock: Any, document: Make) -> Support:
    """Ann holds `orders`; sue is a supporter."""
    store.add_account(Account(id="sue", email=None, email_verified_at=clock(), role="support"), clock())
    scenes.create("ann", document("orders"))
    return Support(store, scenes, clock, Documents(Limits()))


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(ServiceError) as refused:
        call()
    return refused.value.code


class TestSubmitting:
    def test_supporters_see_the_scene_as_it_was(
        self, support: Support, scenes: Scenes, document: Make, batch: Make, clock: Any
    ) -> None:
        done = support.submit("ann", "orders", "  Lines cross.\n", False)
        assert (done.scene_id, done.submitted_at, done.anonymized) == ("orders", clock(), False)
        scenes.apply("ann", "orders", batch(1, {"op": "deleteElement", "id": "a"}))
        (entry,) = support.submissions(SUE).items
        assert (entry.problem, entry.anonymized, entry.submitted_at) == ("Lines cross.", False, done.submitted_at)
        assert support.submission(SUE, entry.id).document == document("orders")
        assert scenes.read("ann", "orders").privacy == "support"

    def test_anonymized_nothing_of_the_words_is_kept(self, support: Support, scenes: Scenes, document: Make) -> None:
        node = {"id": "customer-ledger", "kind": "node", "label": "Customer Ledger", "metadata": {"client": "Globex"}}
        scenes.create("ann", document("secret-project", node))
        support.submit("ann", "secret-project", "Lines cross.", True)
        (entry,) = support.submissions(SUE).items
        read = support.submission(SUE, entry.id)
        text = json.dumps(read.document).casefold()
        assert entry.anonymized
        for word in ("secret", "project", "customer", "ledger", "globex"):
            assert word not in text
            assert word not in entry.id
        assert len(read.document["elements"]) == 1

    def test_again_it_is_drawn_anew_under_the_same_submission(self, support: Support, clock: Any) -> None:
        seen = []
        for problem in ("first", "second"):
            clock.turn(minutes=1)
            support.submit("ann", "orders", problem, True)
            (entry,) = support.submissions(SUE).items
            seen.append((entry.id, support.submission(SUE, entry.id).document["elements"]))
        assert seen[0][0] == seen[1][0]
        assert seen[0][1] != seen[1][1]
        assert (entry.problem, entry.submitted_at) == ("second", clock())

    @pytest.mark.parametrize("problem", [None, "", " \n\t ", 7, ["x"], "x" * 501])
    def test_a_problem_has_1_to_500_characters(self, support: Support, scenes: Scenes, problem: object) -> None:
        assert refusal(lambda: support.submit("ann", "orders", problem, False)) == "invalid_request"
        assert scenes.read("ann", "orders").privacy == "private"

    @pytest.mark.parametrize("problem", ["x", " " * 600 + "x" * 500, "\N{GRINNING FACE}" * 500])
    def test_characters_are_counted_after_trimming(self, support: Support, problem: str) -> None:
        support.submit("ann", "orders", problem, False)
        (entry,) = support.submissions(SUE).items
        assert entry.problem == problem.strip()

    @pytest.mark.parametrize("anonymize", [None, 1, "true", []])
    def test_whether_to_anonymize_is_never_guessed(self, support: Support, anonymize: object) -> None:
        assert refusal(lambda: support.submit("ann", "orders", "x", anonymize)) == "invalid_request"

    def test_an_edit_in_between_is_taken_along(
        self, store: Store, scenes: Scenes, support: Support, batch: Make, clock: Any
    ) -> None:
        edits = iter(range(1, 3))

        def edit() -> None:
            if (base := next(edits, None)) is not None:
                scenes.apply("ann", "orders", batch(base, {"op": "createNode", "id": f"n{base}"}))

        Support(store, scenes, clock, Documents(Limits(), Interrupted(edit))).submit("ann", "orders", "x", True)
        (entry,) = support.submissions(SUE).items
        assert len(support.submission(SUE, entry.id).document["elements"]) == 3 + 2

    def test_a_scene_that_never_rests_is_told(
        self, store: Store, scenes: Scenes, support: Support, batch: Make, clock: Any
    ) -> None:
        def edit() -> None:
            current = scenes.read("ann", "orders").revision
            scenes.apply("ann", "orders", batch(current, {"op": "setText", "id": "a", "text": str(current)}))

        busy = Support(store, scenes, clock, Documents(Limits(), Interrupted(edit)))
        assert refusal(lambda: busy.submit("ann", "orders", "x", True)) == "overloaded"
        assert support.submissions(SUE).items == ()
        assert scenes.read("ann", "orders").revision > ATTEMPTS


class TestLooking:
    def test_each_look_at_a_submission_is_logged_for_its_owner(self, support: Support, clock: Any) -> None:
        support.submit("ann", "orders", "x", False)
        (entry,) = support.submissions(SUE).items
        assert support.views("ann", "orders") == (), "the list shows no scene"
        started = clock()
        for _ in range(2):
            clock.turn(minutes=1)
            support.submission(SUE, entry.id)
        views = support.views("ann", "orders")
        assert [(view.viewer, view.viewed_at - started) for view in views] == [
            ("sue", timedelta(minutes=2)),
            ("sue", timedelta(minutes=1)),
        ]
        assert refusal(lambda: support.views("bob", "orders")) == "scene_not_found"

    def test_only_supporters_may_look(self, support: Support) -> None:
        support.submit("ann", "orders", "x", False)
        (entry,) = support.submissions(SUE).items
        assert refusal(lambda: support.submissions(ANN)) == "forbidden"
        assert refusal(lambda: support.submission(ANN, entry.id)) == "forbidden"
        assert refusal(lambda: support.submission(ANN, "missing")) == "forbidden"
        assert support.views("ann", "orders") == ()

    @pytest.mark.parametrize("submission_id", ["missing", "", "orders", "\0", "x" * 500])
    def test_a_submission_that_is_not_there_is_not_found(self, support: Support, submission_id: str) -> None:
        assert refusal(lambda: support.submission(SUE, submission_id)) == "not_found"
