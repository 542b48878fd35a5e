"""Who may have which picture, and what is refused before anything is drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.late_dataclasses import replace
from scenograph.scene.limits import Limits
from scenograph.service.accounts import Caller
from scenograph.service.documents import Documents, EnginePort
from scenograph.service.errors import ServiceError
from scenograph.service.places import Places
from scenograph.service.rendering import Rendering
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Store
from scenograph.wire.formats import FORMATS
from scenograph.wire.names import MAX_PIXELS
from scenograph.workers import (
    NO_EXTRAS,
    PictureExtras,
    PictureTooLarge,
    Rendered,
    TaskFailed,
    WorkerCrashed,
    WorkerOverloaded,
    WorkerTimedOut,
)

Make = Callable[..., dict[str, Any]]
ANN = Caller(account_id="ann", email_verified=True, role="member", key_id="k")
RIM = 50  # px that this engine adds to the declared width and height


class PaperEngine:
    """An engine that draws nothing but says what it was asked: its page is the declared canvas and a rim."""

    def __init__(self, fault: Exception | None = None, rim: float = RIM) -> None:
        self.rim = rim
        self.asked: list[tuple[str, str | None, float]] = []
        self.extras: list[tuple[str | None, str | None]] = []
        self.sketches: list[Mapping[str, Any] | None] = []
        self.fault = fault

    def render(
        self,
        document: Mapping[str, Any],
        *,
        output: str,
        theme: str | None,
        options: Mapping[str, Any],
        extras: PictureExtras = NO_EXTRAS,
    ) -> Rendered:
        scale, max_pixels = options["scale"], options["max_pixels"]
        self.asked.append((output, theme, scale))
        self.extras.append((extras.before and extras.before["scene"]["title"], extras.watermark))
        self.sketches.append(extras.sketch)
        if self.fault:
            raise self.fault
        canvas = document["scene"]["canvas"]
        factor = scale if output == "png" else 1
        page = [canvas[name] + self.rim for name in ("width", "height")]
        size = [length * factor for length in page]
        if output == "png" and (pixels := round(size[0]) * round(size[1])) > max_pixels:
            raise PictureTooLarge(page[0], page[1], pixels)
        remark = {"code": "CANVAS_AUTO_EXTENDED", "severity": "info", "message": "Grown.", "path": "/scene/canvas"}
        family = {"code": "MISSING_DIAGRAM_FAMILY", "severity": "info", "message": "None.", "path": "/diagramFamily"}
        title = document["scene"]["title"]
        content = f"<svg>{title}</svg>" if output == "svg" else title.encode()
        return Rendered(content, size[0], size[1], [remark] + ([family] if "diagramFamily" not in document else []))

    def normalize(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        self.sketches.append(sketch)
        if self.fault:
            raise self.fault
        return {**document, "computed": {}}, [{"code": "X", "severity": "info", "message": "x"}]

    def bounds(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> dict[str, dict[str, float]]:
        return {}

    def in_turn(self, *, in_background: bool = False) -> AbstractContextManager[None]:
        return nullcontext()

    def places(self, document: str, sketch: str | None) -> str:
        """One made-up box whose corner counts the revisions that came before."""
        x = 0 if sketch is None else json.loads(sketch)["bounds"]["a"]["x"] + 1
        return json.dumps({"bounds": {"a": {"x": x, "y": 0, "width": 1, "height": 1}}})


@pytest.fixture
def engine() -> PaperEngine:
    return PaperEngine()


@pytest.fixture
def rendering(store: Store, clock: Any, engine: PaperEngine, document: Make) -> Rendering:
    """Over a store where ann has `orders` with a revision 2 of another title, and bob has `bobs`."""
    return _rendering(store, clock, engine, document)


def _rendering(store: Store, clock: Any, engine: EnginePort, document: Make) -> Rendering:
    places = Places(store, engine)
    scenes = Scenes(store, Documents(Limits()), clock, places)
    if store.current_revision("ann", "orders") is None:
        scenes.create("ann", document())
        scenes.create("bob", document("bobs"))
        rename = {"op": "updateScene", "title": "Second"}
        scenes.apply("ann", "orders", {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1, "ops": [rename]})
    return Rendering(scenes, places, engine, Documents(Limits()))


def refused(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as refusal:
        call()
    return refusal.value


class TestStored:
    def test_the_latest_revision_as_svg_is_the_default(self, rendering: Rendering, engine: PaperEngine) -> None:
        picture = rendering.stored(ANN, "orders", {}).drawn()
        assert (picture.content, picture.mime_type, picture.revision) == ("<svg>Second</svg>", "image/svg+xml", 2)
        assert (picture.width, picture.height) == (850, 650)
        assert [row["code"] for row in picture.diagnostics] == ["CANVAS_AUTO_EXTENDED"]
        assert engine.asked == [("svg", None, 1.0)]

    def test_an_older_revision_can_be_asked_for(self, rendering: Rendering) -> None:
        picture = rendering.stored(ANN, "orders", {"revision": 1, "format": "png", "scale": 2, "theme": "dark"}).drawn()
        assert (picture.content, picture.mime_type, picture.revision) == (b"Orders", "image/png", 1)
        assert (picture.width, picture.height) == (1700, 1300)
        assert refused(lambda: rendering.stored(ANN, "orders", {"revision": 3}).drawn()).code == "revision_not_found"

    def test_an_unverified_owner_may_not_and_learns_nothing(self, rendering: Rendering, engine: PaperEngine) -> None:
        bob = Caller(account_id="bob", email_verified=False, role="member")
        for scene_id in ("bobs", "orders", "missing"):
            assert refused(lambda name=scene_id: rendering.stored(bob, name, {}).drawn()).code == "email_not_verified"
        assert engine.asked == []

    def test_a_foreign_scene_is_not_found(self, rendering: Rendering, engine: PaperEngine) -> None:
        foreign = refused(lambda: rendering.stored(ANN, "bobs", {}).drawn())
        missing = refused(lambda: rendering.stored(ANN, "missing", {}).drawn())
        assert foreign.code == missing.code == "scene_not_found"
        assert foreign.sentence == missing.sentence
        assert engine.asked == []

    def test_what_the_caller_prefers_counts_unless_the_body_says(self, rendering: Rendering) -> None:
        assert rendering.stored(ANN, "orders", {}, "png").drawn().mime_type == "image/png"
        assert rendering.stored(ANN, "orders", {"format": "svg"}, "png").drawn().mime_type == "image/svg+xml"


class TestDiff:
    def test_the_document_of_the_other_revision_goes_along(self, rendering: Rendering, engine: PaperEngine) -> None:
        picture = rendering.stored(ANN, "orders", {"diff": {"fromRevision": 1}}).drawn()
        assert (picture.revision, engine.extras) == (2, [("Orders", None)])

    def test_any_two_revisions_can_be_compared(self, rendering: Rendering, engine: PaperEngine) -> None:
        assert rendering.stored(ANN, "orders", {"revision": 1, "diff": {"fromRevision": 2}}).drawn().revision == 1
        assert rendering.stored(ANN, "orders", {"diff": {"fromRevision": 2}}).drawn().revision == 2
        assert engine.extras == [("Second", None), ("Second", None)]

    def test_an_unknown_revision_is_not_found(self, rendering: Rendering, engine: PaperEngine) -> None:
        refusal = refused(lambda: rendering.stored(ANN, "orders", {"diff": {"fromRevision": 3}}).drawn())
        assert refusal.code == "revision_not_found"
        assert engine.asked == []

    def test_an_inline_scene_has_no_revisions(self, rendering: Rendering, document: Make) -> None:
        refusal = refused(lambda: rendering.inline({"scene": document("inline"), "diff": {"fromRevision": 1}}).drawn())
        assert refusal.code == "invalid_request"
        assert "stored scene" in refusal.sentence
        assert rendering.inline({"scene": document("inline"), "diff": None}).drawn().content


class TestWatermark:
    def test_a_stored_scene_says_which_revision_it_is_and_when_that_was_made(
        self, rendering: Rendering, engine: PaperEngine, clock: Any
    ) -> None:
        rendering.stored(ANN, "orders", {"watermark": True}).drawn()
        made_at = clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        assert engine.extras == [(None, f"orders · revision 2 · {made_at}")]

    def test_an_inline_scene_says_what_is_known(
        self, rendering: Rendering, engine: PaperEngine, document: Make
    ) -> None:
        rendering.inline({"scene": document("inline"), "watermark": True}).drawn()
        assert engine.extras == [(None, "inline")]


class TestInline:
    def test_a_valid_document_is_drawn_and_not_kept(self, rendering: Rendering, document: Make, store: Store) -> None:
        picture = rendering.inline({"scene": document("inline"), "theme": "dark"}).drawn()
        assert (picture.content, picture.revision) == ("<svg>Orders</svg>", None)
        assert store.current_revision("ann", "inline") is None

    def test_an_invalid_one_is_refused_before_the_engine(
        self, rendering: Rendering, document: Make, engine: PaperEngine
    ) -> None:
        twice = {"id": "a", "kind": "node"}
        refusal = refused(lambda: rendering.inline({"scene": document("inline", twice, twice)}).drawn())
        assert refusal.code == "validation_failed"
        assert [row.code for row in refusal.diagnostics] == ["DUPLICATE_ID"]
        assert engine.asked == []

    @pytest.mark.parametrize("body", [{}, {"scene": None}, {"scene": []}, {"scene": "text"}])
    def test_without_a_document_there_is_nothing_to_draw(self, rendering: Rendering, body: dict[str, Any]) -> None:
        refusal = refused(lambda: rendering.inline(body).drawn())
        assert refusal.code == "invalid_request"
        assert "scene" in refusal.sentence

    def test_remarks_of_validation_and_engine_are_joined_and_nothing_is_said_twice(
        self, rendering: Rendering, document: Make
    ) -> None:
        scene = document("inline", colour="red")
        del scene["diagramFamily"]
        picture = rendering.inline({"scene": scene, "them": "dark"}).drawn()
        assert sorted((row["code"], row["path"]) for row in picture.diagnostics) == [
            ("CANVAS_AUTO_EXTENDED", "/scene/canvas"),
            ("MISSING_DIAGRAM_FAMILY", "/diagramFamily"),
            ("UNKNOWN_FIELD", "/colour"),
            ("UNKNOWN_FIELD", "/them"),
        ]
        typo = next(row for row in picture.diagnostics if row.get("path") == "/them")
        assert typo["data"] == {"suggestion": "theme"}

    def test_a_normalized_document_fed_back_is_drawn(self, rendering: Rendering, document: Make) -> None:
        scene = document("inline", computed={"bounds": 7}, diagnostics=[1])
        assert [row["code"] for row in rendering.inline({"scene": scene}).drawn().diagnostics] == [
            "CANVAS_AUTO_EXTENDED"
        ]


class TestParameters:
    @pytest.mark.parametrize(
        ("body", "named"),
        [
            ({"format": "gif"}, "svg, png"),
            ({"format": ""}, "svg, png"),
            ({"format": ["svg"]}, "svg, png"),
            ({"theme": "neon"}, "clean, dark"),
            ({"theme": {}}, "clean, dark"),
            ({"scale": 0.05}, "0.1 to 8"),
            ({"scale": 8.01}, "0.1 to 8"),
            ({"scale": "2"}, "0.1 to 8"),
            ({"scale": True}, "0.1 to 8"),
            ({"scale": 10**400}, "0.1 to 8"),
            ({"revision": 0}, "revision"),
            ({"revision": "1"}, "revision"),
            ({"revision": 1.5}, "revision"),
            ({"revision": True}, "revision"),
            ({"diff": 1}, "fromRevision"),
            ({"diff": []}, "fromRevision"),
            ({"diff": {}}, "fromRevision"),
            ({"diff": {"fromRevision": None}}, "fromRevision"),
            ({"diff": {"fromRevision": 1, "toRevision": 2}}, "fromRevision"),
            ({"diff": {"fromRevision": 0}}, "diff.fromRevision must be a whole number from 1"),
            ({"diff": {"fromRevision": "yesterday"}}, "diff.fromRevision must be"),
            ({"diff": {"fromRevision": True}}, "diff.fromRevision must be a whole number from 1"),
            ({"watermark": 1}, "watermark must be true or false"),
            ({"watermark": "yes"}, "watermark must be true or false"),
        ],
    )
    def test_a_wrong_value_is_refused_with_what_is_allowed(
        self, rendering: Rendering, engine: PaperEngine, body: dict[str, Any], named: str
    ) -> None:
        refusal = refused(lambda: rendering.stored(ANN, "orders", body).drawn())
        assert refusal.code == "invalid_request"
        assert named in refusal.sentence
        assert engine.asked == []

    @pytest.mark.parametrize("scale", [0.1, 1, 8, 8.0])
    def test_the_ends_of_the_range_are_in_it(self, rendering: Rendering, scale: float) -> None:
        assert rendering.stored(ANN, "orders", {"scale": scale}).drawn()

    def test_null_is_the_default(self, rendering: Rendering) -> None:
        body = {"format": None, "theme": None, "scale": None, "revision": None, "diff": None, "watermark": False}
        assert rendering.stored(ANN, "orders", body).drawn().content == "<svg>Second</svg>"

    @settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        st.dictionaries(
            st.sampled_from(["format", "theme", "scale", "revision", "diff", "watermark"]) | st.text(max_size=5),
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers()),
        )
    )
    def test_whatever_is_sent_gives_a_picture_or_a_refusal(self, rendering: Rendering, body: dict[str, Any]) -> None:
        try:
            assert rendering.stored(ANN, "orders", body).drawn().content
        except ServiceError as refusal:
            assert refusal.code in {"invalid_request", "revision_not_found"}  # noqa: PT017 - both ends are right


class TestTheLargestPicture:
    def wide(self, document: Make, width: float, height: float) -> dict[str, Any]:
        scene = document("wide")
        scene["scene"]["canvas"] = {"width": width, "height": height}
        return scene

    def test_one_that_is_too_large_is_refused_with_its_size(
        self, rendering: Rendering, document: Make, engine: PaperEngine
    ) -> None:
        body = {"scene": self.wide(document, 7950, 7950), "format": "png", "scale": 2}
        refusal = refused(lambda: rendering.inline(body).drawn())
        assert refusal.code == "invalid_request"
        assert "256 megapixels" in refusal.sentence
        assert "at most 64 are made: use a scale of at most 1." in refusal.sentence
        assert engine.asked == [("png", None, 2.0)], "the engine is asked once"
        body["scale"] = 1
        assert rendering.inline(body).drawn().width == 8000

    def test_one_just_beyond_is_refused_and_one_just_within_is_made(self, rendering: Rendering, document: Make) -> None:
        side = 8000 - RIM
        within = {"scene": self.wide(document, side, side), "format": "png"}
        beyond = {"scene": self.wide(document, side + 1, side), "format": "png"}
        picture = rendering.inline(within).drawn()
        assert picture.width * picture.height == MAX_PIXELS
        assert refused(lambda: rendering.inline(beyond).drawn()).code == "invalid_request"

    @pytest.mark.parametrize("page", [(30_000, 9_000), (15_999.6, 15_999.6), (99_000, 901), (12_345.67, 76_543.21)])
    def test_the_advice_can_be_followed(self, rendering: Rendering, document: Make, page: tuple[float, float]) -> None:
        scene = self.wide(document, page[0] - RIM, page[1] - RIM)
        body: dict[str, Any] = {"scene": scene, "format": "png", "scale": 1}
        sentence = refused(lambda: rendering.inline(body).drawn()).sentence
        body["scale"] = float(sentence.rstrip(".").rpartition(" ")[2])
        assert rendering.inline(body).drawn().mime_type == "image/png"

    def test_one_that_no_scale_can_help_is_sent_to_svg(self, rendering: Rendering, document: Make) -> None:
        body = {"scene": self.wide(document, 100_000, 100_000), "format": "png", "scale": 0.1}
        assert "svg" in refused(lambda: rendering.inline(body).drawn()).sentence
        assert rendering.inline(body | {"format": "svg"}).drawn().width == 100_000 + RIM


class TestNormalizing:
    def test_the_document_and_the_remarks_of_both_come_back(self, rendering: Rendering, document: Make) -> None:
        normalized = rendering.normalize(document("inline", colour="red"))
        assert normalized.document["computed"] == {}
        assert [row["code"] for row in normalized.diagnostics] == ["UNKNOWN_FIELD", "X"]

    def test_an_invalid_document_is_refused(self, rendering: Rendering, document: Make) -> None:
        assert refused(lambda: rendering.normalize({})).code == "validation_failed"
        assert refused(lambda: rendering.normalize([])).code == "invalid_request"


class TestFaults:
    @pytest.mark.parametrize(
        ("fault", "code"),
        [
            (WorkerOverloaded(), "overloaded"),
            (WorkerTimedOut(), "render_timeout"),
            (WorkerCrashed(), "render_failed"),
            (TaskFailed("secret words of the scene"), "render_failed"),
        ],
    )
    def test_a_fault_of_the_engine_is_a_refusal_that_says_when_to_try_again(
        self, store: Store, clock: Any, document: Make, fault: Exception, code: str
    ) -> None:
        rendering = _rendering(store, clock, PaperEngine(fault), document)
        calls: list[Callable[[], object]] = [
            lambda: rendering.stored(ANN, "orders", {}).drawn(),
            lambda: rendering.inline({"scene": document()}).drawn(),
            lambda: rendering.normalize(document()),
        ]
        for call in calls:
            refusal = refused(call)
            assert refusal.code == code
            assert refusal.retry_after
            assert "secret" not in refusal.sentence
            assert ("It has 2 elements and 1 line." in refusal.sentence) == (code == "render_timeout")

    def test_a_fault_of_the_program_is_no_refusal(self, store: Store, clock: Any, document: Make) -> None:
        rendering = _rendering(store, clock, PaperEngine(KeyError("bug")), document)
        with pytest.raises(KeyError):
            rendering.stored(ANN, "orders", {}).drawn()


def test_a_format_without_a_form_for_the_family_is_refused_before_anything_is_drawn(
    rendering: Rendering, engine: PaperEngine, document: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = replace(FORMATS["excalidraw"], families=frozenset({"workflow"}))
    monkeypatch.setattr("scenograph.service.rendering.FORMATS", {**FORMATS, "excalidraw": narrow})
    with pytest.raises(ServiceError) as refused:
        rendering.inline({"scene": document(), "format": "excalidraw"}).drawn()
    assert refused.value.code == "format_not_available"
    assert "svg, png" in refused.value.sentence
    assert engine.asked == []
