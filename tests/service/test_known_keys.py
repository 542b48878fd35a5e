"""Kept pictures of revisions by what was asked: a picture that was asked for otherwise is another one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.service.kept_places import CountingEngine, Make

from scenograph.scene.limits import Limits
from scenograph.service.accounts import Caller
from scenograph.service.documents import Documents, RequestedDrawing
from scenograph.service.kept_pictures import KEYS_KNOWN, KeptPictures
from scenograph.service.places import Places
from scenograph.service.rendering import Rendering, ServedPicture
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import PublishedRevision, Store
from scenograph.workers import NO_EXTRAS, PictureExtras, Rendered

ANN = Caller(account_id="ann", email_verified=True, role="member", key_id="k")
Ask = Callable[[Rendering], RequestedDrawing[ServedPicture]]


class LiteralEngine(CountingEngine):
    """Its pictures say what was asked for, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = 0

    def render(self, document: Mapping[str, Any], *, extras: PictureExtras = NO_EXTRAS, **asked: Any) -> Rendered:
        self.drawn += 1
        return Rendered(json.dumps([document, asked, extras]), 800, 600, [])


@pytest.fixture
def engine() -> LiteralEngine:
    return LiteralEngine()


@pytest.fixture
def rendering(store: Store, clock: Any, engine: LiteralEngine, document: Make) -> Callable[[KeptPictures], Rendering]:
    """Over a store where ann has `orders` with a revision 2 of another title; what is given keeps the pictures."""
    places = Places(store, engine)
    scenes = Scenes(store, Documents(Limits()), clock, places)
    scenes.create("ann", document())
    rename = {"op": "updateScene", "title": "Second"}
    scenes.apply("ann", "orders", {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1, "ops": [rename]})
    return lambda kept: Rendering(scenes, places, engine, Documents(Limits()), kept)


@pytest.fixture
def published(rendering: object, store: Store, clock: Any) -> PublishedRevision:
    del rendering  # which has made the scene
    store.publish("ann", "orders", ("private",), clock())
    found = store.public_scene("orders")
    assert found is not None
    return found


def content(drawing: RequestedDrawing[ServedPicture]) -> str | bytes:
    return (drawing.kept() or drawing.drawn()).content


def assert_neither_is_answered_with_the_other(
    rendering: Callable[[KeptPictures], Rendering], engine: LiteralEngine, one: Ask, other: Ask
) -> None:
    """Each is asked for once the other is kept, and comes as where nothing is kept."""
    forgetful = rendering(KeptPictures(0))
    anew = [content(ask(forgetful)) for ask in (one, other)]
    assert anew[0] != anew[1]
    for asks, expected in (((one, other), anew), ((other, one), anew[::-1])):
        keeping, before = rendering(KeptPictures(1_000_000)), engine.drawn
        for ask, picture in zip((*asks, *asks), expected * 2, strict=True):
            assert [content(ask(keeping)) for _ in range(2)] == [picture] * 2
        assert engine.drawn == before + 2, "each is drawn once, and then kept"


PNG: dict[str, Any] = {"format": "png"}


@pytest.mark.parametrize(
    ("plain", "otherwise"),
    [
        pytest.param({}, PNG, id="format"),
        pytest.param({}, {"theme": "dark"}, id="theme"),
        pytest.param(PNG, PNG | {"scale": 2}, id="scale"),
        pytest.param({}, {"text": "outlines"}, id="outlined text"),
        pytest.param({}, {"watermark": True}, id="watermark"),
        pytest.param({}, {"embed": True}, id="embed"),
        pytest.param({}, {"computed": True}, id="computed"),
        pytest.param({}, {"revision": 1}, id="revision"),
        pytest.param({}, {"view": {"focus": ["a"]}}, id="view"),
        pytest.param({"view": {"focus": ["b"]}}, {"view": {"focus": ["a"]}}, id="another view"),
        pytest.param({}, {"diff": {"fromRevision": 1}}, id="diff"),
        pytest.param({"diff": {"fromRevision": 2}}, {"diff": {"fromRevision": 1}}, id="another diff"),
    ],
)
def test_a_stored_picture_is_not_answered_with_one_that_was_asked_for_otherwise(
    rendering: Callable[[KeptPictures], Rendering],
    engine: LiteralEngine,
    plain: dict[str, Any],
    otherwise: dict[str, Any],
) -> None:
    asks = [lambda by, body=body: by.stored(ANN, "orders", body) for body in (plain, otherwise)]
    assert_neither_is_answered_with_the_other(rendering, engine, *asks)


@pytest.mark.parametrize(
    ("plain", "otherwise"), [(None, (1200, 630)), ((600, 315), (1200, 630))], ids=["picture", "another size"]
)
def test_a_preview_is_not_answered_with_a_picture_of_another_size(
    rendering: Callable[[KeptPictures], Rendering],
    engine: LiteralEngine,
    published: PublishedRevision,
    plain: tuple[int, int] | None,
    otherwise: tuple[int, int],
) -> None:
    asks = [lambda by, size=size: by.published(published, PNG, page_pixels=size) for size in (plain, otherwise)]
    assert_neither_is_answered_with_the_other(rendering, engine, *asks)


def test_the_names_known_stay_bounded_and_those_asked_for_last_stay() -> None:
    kept = KeptPictures(1_000_000)
    for name in range(KEYS_KNOWN):
        kept.note_key(name, f"key {name}")
    assert kept.known_key(0) == "key 0"
    for name in range(KEYS_KNOWN, KEYS_KNOWN + 10):
        kept.note_key(name, f"key {name}")
    known = [name for name in range(KEYS_KNOWN + 10) if kept.known_key(name) is not None]
    assert known == [0, *range(11, KEYS_KNOWN + 10)]


def test_where_no_picture_is_kept_no_name_is_known() -> None:
    kept = KeptPictures(0)
    kept.note_key("name", "key")
    assert kept.known_key("name") is None
