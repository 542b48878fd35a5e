"""The engine as seen by the use cases, and its faults translated for callers.

`workers.EngineWorkers` implements the port. Callers see an exhausted budget only as a refusal with a time to retry.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from scenograph.late_dataclasses import dataclass
from scenograph.scene.size_told import size_told
from scenograph.service.errors import ServiceError
from scenograph.workers import (
    CURRENT_TURN,
    NO_EXTRAS,
    PictureExtras,
    Rendered,
    SourceRead,
    WorkerCrashed,
    WorkerOverloaded,
    WorkerTimedOut,
)

# A requested picture, known as far as possible without the engine (R-CACHE-1). Access is checked and all input is
# read: the picture can be looked up in the cache by its key, or drawn in a turn.


T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class RequestedDrawing(Generic[T]):
    """A requested picture, with its cache key and the ways to get it.

    `kept` returns the result without the engine, or None. `drawn` always returns it, and needs a turn with the engine
    to draw. Both may raise ServiceError. `key` is equal for equal pictures, and None while only the engine can tell.
    With `tagged` the result is the bare picture, and the key serves as its entity tag. `still` raises the refusal for a
    caller who has lost access meanwhile.
    """

    key: str | None
    kept: Callable[[], T | None]
    drawn: Callable[[], T]
    tagged: bool = False
    still: Callable[[], object] = lambda: None

    def kept_after_a_wait(self) -> T | None:
        """The kept result, if the caller still has access."""
        self.still()
        return self.kept()

    def result(self) -> T:
        """The kept result, else the drawn one; needs a turn with the engine."""
        found = self.kept()
        return self.drawn() if found is None else found

    def then(self, make: Callable[[T], U]) -> RequestedDrawing[U]:
        """The same picture, made into something else."""

        def of_kept() -> U | None:
            found = self.kept()
            return None if found is None else make(found)

        return RequestedDrawing(self.key, of_kept, lambda: make(self.drawn()), self.tagged, self.still)


BUSY_RETRY_SECONDS = 2.0
LONG_RETRY_SECONDS = 10.0


class EnginePort(Protocol):
    """Calls into another process. Each may raise WorkerOverloaded, WorkerTimedOut or WorkerCrashed."""

    def render(
        self,
        document: Mapping[str, Any],
        *,
        output: str,
        theme: str | None,
        options: Mapping[str, Any],
        extras: PictureExtras = NO_EXTRAS,
    ) -> Rendered:
        """A picture; `output` is the name of a format, `theme` None lets the scene choose; `options`: `scale`,
        `outlines`, `max_pixels`. PictureTooLarge when a raster would have more pixels; it is not drawn then."""
        ...

    def normalize(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The normalized document and the diagnostics in wire form. `sketch` holds former element positions, in the
        form of `computed`."""
        ...

    def bounds(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> dict[str, dict[str, float]]:
        """Boxes of all elements as placed by the engine: id → x, y, width, height in px."""
        ...

    def read_source(self, text: str, **asked: str | int | None) -> SourceRead:
        """The document of a source in another format. SourceUnreadable, SourceTooLarge."""
        ...

    def in_turn(self, *, in_background: bool = False) -> AbstractContextManager[None]:
        """A turn for the calls that follow; background turns come after those of owners. Raises WorkerOverloaded when
        the queue is full."""
        ...

    def places(self, document: str, sketch: str | None) -> str:
        """Positions of all elements and paths of all edges in a document's picture, in the form of `computed`; JSON
        text in and out."""
        ...


class _Meaning(NamedTuple):
    code: str
    sentence: str
    retry_after: float
    help_of_a_key: str = ""


_MEANINGS: Mapping[type[Exception], _Meaning] = {
    WorkerOverloaded: _Meaning(
        "overloaded",
        "All renderers are busy; try again shortly.",
        BUSY_RETRY_SECONDS,
        "Calls with an API key come before those without.",
    ),
    WorkerTimedOut: _Meaning(
        "render_timeout",
        "The scene takes longer to render than allowed; make it smaller or try later.",
        LONG_RETRY_SECONDS,
        "A call with an API key may take longer.",
    ),
    WorkerCrashed: _Meaning(
        "render_failed", "The renderer crashed on this scene and was restarted.", LONG_RETRY_SECONDS
    ),
}


def busy(*, is_owner: bool) -> ServiceError:
    """The refusal of a call when the queue is full."""
    return _refusal(_MEANINGS[WorkerOverloaded], is_owner=is_owner)


def _refusal(meaning: _Meaning, *, is_owner: bool, remark: str = "") -> ServiceError:
    sentence = " ".join(filter(None, (meaning.sentence, remark, "" if is_owner else meaning.help_of_a_key)))
    return ServiceError(meaning.code, sentence, retry_after=meaning.retry_after)


@contextmanager
def engine_faults_translated(document: Mapping[str, Any] | None = None) -> Generator[None]:
    """Translate the workers' faults into refusals. A timeout over a `document` tells its size."""
    try:
        yield
    except tuple(_MEANINGS) as fault:
        meaning = next(meaning for kind, meaning in _MEANINGS.items() if isinstance(fault, kind))
        turn = CURRENT_TURN.get()
        told = None if document is None or not isinstance(fault, WorkerTimedOut) else size_told(document)
        remark = f"It has {told}." if told else ""
        raise _refusal(meaning, is_owner=turn is None or turn.share.is_owner, remark=remark) from fault
