"""The engine as seen by the service: plain calls, run in worker processes."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import structlog

from scenograph.scene.edits.draft import ComputedBounds
from scenograph.scene.json_values import JsonText
from scenograph.wire.formats import FORMATS
from scenograph.workers.child import Reply
from scenograph.workers.documents import do_here, is_light, understood
from scenograph.workers.pool import MEMORY_BYTES, QUEUE_SECONDS, TIMEOUT_SECONDS, Budget, WorkerPool, begin_to_import
from scenograph.workers.turns import (
    BEGINS_AGAIN,
    CURRENT_PAYER,
    CURRENT_TURN,
    CallTurn,
    Payer,
    Share,
    TurnNeeded,
    Turns,
)

TASKS_REFERENCE = "scenograph.workers.tasks:TASKS"

_log = structlog.get_logger(__name__)


class Rendered(NamedTuple):
    """A picture: text or bytes by its format, size in px, diagnostics in wire form, `computed` if requested, and
    the length of a scene px in the picture, px."""

    content: str | bytes
    width: float
    height: float
    diagnostics: list[dict[str, Any]]
    computed: dict[str, Any] | None = None
    scale: float = 1.0


class PictureExtras(NamedTuple):
    """Additions to a picture: a diff against `before`, and a line at the bottom right.

    `sketch` and `before_places` are the former element positions of both documents, in the form of `computed`. `view`
    is the shown part. `computed` requests the positions of all elements.
    """

    before: Mapping[str, Any] | None = None
    watermark: str | None = None
    sketch: Mapping[str, Any] | None = None
    before_places: Mapping[str, Any] | None = None
    view: Mapping[str, Any] | None = None
    computed: bool = False


NO_EXTRAS = PictureExtras()


class _Free(NamedTuple):
    """A payer of the service itself: nothing is counted."""

    share: Share

    def require(self) -> None:
        """Never refuses: no limit."""

    def charge(self, seconds: float) -> None:
        """Nothing is counted."""


class PictureTooLarge(Exception):  # noqa: N818 - a state, named as the replies say it
    """The picture was not drawn: its page is `width` x `height` px, its raster would have `pixels`."""

    def __init__(self, width: float, height: float, pixels: int) -> None:
        super().__init__(f"{width:g} x {height:g} px make {pixels} pixels.")
        self.width = width
        self.height = height
        self.pixels = pixels


class SourceRead(NamedTuple):
    """The document of a source, the source's format, losses as wire-form diagnostics, and whether the whole source was
    understood."""

    document: JsonText
    format: str
    diagnostics: list[dict[str, Any]]
    whole: bool


class SourceUnreadable(Exception):  # noqa: N818 - a state, named as the replies say it
    """The source was not understood; `expected` names the valid input at the place, `hint` describes the source's
    apparent form and the way on."""

    def __init__(self, line: int, column: int | None, expected: str, hint: str) -> None:
        super().__init__(f"Line {line}: expected {expected}. {hint}".rstrip())
        self.line = line
        self.column = column
        self.expected = expected
        self.hint = hint


class SourceTooLarge(Exception):  # noqa: N818 - a state, named as the replies say it
    """A source holds more than `most` elements."""

    def __init__(self, most: int) -> None:
        super().__init__(f"More than {most} elements.")
        self.most = most


def begin_engine_workers() -> None:
    """Import the engine in the process that forks workers, while this process goes on. `EngineWorkers` then find them
    ready."""
    begin_to_import(TASKS_REFERENCE)


class EngineWorkers:
    """`count` engine processes. Every call may raise WorkerOverloaded, WorkerTimedOut or WorkerCrashed."""

    def __init__(
        self,
        count: int,
        timeout_seconds: float = TIMEOUT_SECONDS,
        queue_seconds: float = QUEUE_SECONDS,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        budget = Budget(timeout_seconds=timeout_seconds, queue_seconds=queue_seconds, memory_bytes=memory_bytes)
        self._pool = WorkerPool(TASKS_REFERENCE, count=count, budget=budget)
        self.turns = Turns(count, queue_seconds)
        self._of_the_service = _Free(Share("", is_owner=True, at_once=count, timeout_seconds=timeout_seconds))
        self._in_background = Share(
            "background", is_owner=False, at_once=1, timeout_seconds=timeout_seconds, stays=True
        )

    def render(
        self,
        document: Mapping[str, Any],
        *,
        output: str,
        theme: str | None,
        options: Mapping[str, Any],
        extras: PictureExtras = NO_EXTRAS,
    ) -> Rendered:
        """A picture of `document`; `output` is the name of a format, `theme` None lets the canvas choose, `options` are
        the members of the engine's `WriteOptions`. PictureTooLarge when a raster would have more pixels than these
        allow."""
        arguments = {
            "output": output,
            "theme": theme,
            "options": dict(options),
            "watermark": extras.watermark,
            "view": extras.view,
            "computed": extras.computed,
        }
        body = _as_json([document, extras.sketch, extras.before, extras.before_places])
        facts, content = self._call("render", arguments, body)
        if "too_large" in facts:
            raise PictureTooLarge(*facts["too_large"])
        picture = content if FORMATS[output].binary else content.decode()
        size = facts["width"], facts["height"]
        return Rendered(picture, *size, facts["diagnostics"], facts.get("computed"), facts["scale"])

    def normalize(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The normalized document and its diagnostics; `sketch` holds former element positions."""
        facts, normalized = self._call("normalize", {}, _as_json([document, sketch]))
        return json.loads(normalized), facts["diagnostics"]

    def bounds(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> dict[str, dict[str, float]]:
        """Boxes of all elements of `document` as placed by the engine: id → x, y, width, height in px."""
        return dict(self._call("bounds", {}, _as_json([document, sketch])).facts["bounds"])

    def places(self, document: str, sketch: str | None) -> str:
        """Positions of all elements and paths of all edges in the picture of `document`, in the form of `computed`: the
        sketch that reproduces this picture. All three are JSON text, passed on unparsed."""
        body = f"[{document},{sketch or 'null'}]".encode("utf-8", "surrogatepass")
        return self._call("places", {}, body).body.decode("ascii")

    def read_source(self, text: str, **asked: str | int | None) -> SourceRead:
        """The document of a source; `asked` holds `format` and the members of `reading.source.Source` besides the text.
        Raises SourceUnreadable, SourceTooLarge."""
        facts, document = self._call("read_source", asked, text.encode("utf-8", "surrogatepass"))
        if "unreadable" in facts:
            raise SourceUnreadable(*facts["unreadable"])
        if "too_large" in facts:
            raise SourceTooLarge(facts["too_large"])
        return SourceRead(JsonText(document.decode("ascii")), facts["format"], facts["diagnostics"], facts["whole"])

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        """A job on documents (`workers.documents`): here if light, else in an engine process. With the argument
        `sketch` the last text is a sketch for element positions."""
        if is_light(job, texts):
            return understood(do_here(job, arguments, texts, bounds))
        lengths = [*map(len, texts)]
        return understood(self._call(job, {"arguments": dict(arguments), "lengths": lengths}, b"".join(texts)))

    @contextmanager
    def in_turn(self, call: str = "places", *, in_background: bool = False) -> Generator[None]:
        """A turn for the calls that follow, named by the first.

        An outer turn is used; else a turn of the current payer is awaited, or in the background a turn behind all
        owners. Raises WorkerOverloaded when the queue is full, the payer's refusal of an empty budget, and TurnNeeded
        where the surface awaits turns itself.
        """
        if CURRENT_TURN.get() is not None:
            yield
            return
        if BEGINS_AGAIN.get() and not in_background:
            raise TurnNeeded
        payer: Payer = CURRENT_PAYER.get() or self._of_the_service
        share = self._in_background if in_background else payer.share
        payer.require()
        turn: CallTurn | None = None
        try:
            with self.turns.waited_for(share, call) as turn, _current(turn):
                yield
        finally:
            if turn is not None:
                payer.charge(turn.held_seconds)

    def _call(self, task: str, arguments: Mapping[str, Any], body: bytes) -> Reply:
        with self.in_turn(task):
            reply = self._pool.call(task, arguments, body, CURRENT_TURN.get())
        for fault in reply.facts.get("faults", ()):
            _log.error("engine_fault_survived", task=task, reason=fault)
        return reply

    def alive(self) -> bool:
        """Whether engine processes exist and answer; never waits."""
        return self._pool.alive()

    def replaced(self) -> int:
        """How many engine processes were lost or retired and started anew."""
        return self._pool.replaced()

    def close(self) -> None:
        """End the processes."""
        self._pool.close()


@contextmanager
def _current(turn: CallTurn) -> Generator[None]:
    token = CURRENT_TURN.set(turn)
    try:
        yield
    finally:
        CURRENT_TURN.reset(token)


def _as_json(value: object) -> bytes:
    return json.dumps(value).encode("ascii")
