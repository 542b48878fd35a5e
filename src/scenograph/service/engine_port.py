"""The engine as the use cases need it, and what its faults mean to a caller.

`workers.EngineWorkers` is such an engine. Its budget is the caller's concern only as a refusal that says when to try
again.
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
    Extras,
    Rendered,
    SourceRead,
    WorkerCrashed,
    WorkerOverloaded,
    WorkerTimedOut,
)

# A picture that was asked for: what is known of it before the engine has to draw it (R-CACHE-1). Whoever asks has
# been found to be allowed to, and everything that decides the picture has been read. So it can be looked for among
# the pictures that are kept, told apart from others by its key, and drawn when its turn has come.


T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Drawing(Generic[T]):
    """`kept` gives what was asked for without the engine, or None; `drawn` gives it in any case, and needs a turn with
    the engine to draw it. Both may raise ServiceError. `key` is the same for the same picture, None while only the
    engine can tell; `tagged`: what is given is the picture alone, so that the key tells whether it is the same. `still`
    raises what the caller is told where he may not have it any more."""

    key: str | None
    kept: Callable[[], T | None]
    drawn: Callable[[], T]
    tagged: bool = False
    still: Callable[[], object] = lambda: None

    def kept_after_a_wait(self) -> T | None:
        """What is kept, for a caller who may have it still."""
        self.still()
        return self.kept()

    def then(self, make: Callable[[T], U]) -> Drawing[U]:
        """The same picture, made into something else."""

        def of_kept() -> U | None:
            found = self.kept()
            return None if found is None else make(found)

        return Drawing(self.key, of_kept, lambda: make(self.drawn()), self.tagged, self.still)


BUSY_RETRY_SECONDS = 2.0
LONG_RETRY_SECONDS = 10.0


class EnginePort(Protocol):
    """The calls that leave the process. Any may raise WorkerOverloaded, WorkerTimedOut or WorkerCrashed."""

    def render(
        self,
        document: Mapping[str, Any],
        *,
        output: str,
        theme: str | None,
        options: Mapping[str, Any],
        extras: Extras = NO_EXTRAS,
    ) -> Rendered:
        """A picture; `output` is the name of a format, `theme` None lets the scene choose; `options`: `scale`,
        `outlines`, `max_pixels`. PictureTooLarge when a raster would have more pixels; it is not drawn then."""
        ...

    def normalize(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The normalized document and the diagnostics of the way, in their wire form; `sketch` is where its elements
        stood before, in the form of `computed`."""
        ...

    def bounds(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> dict[str, dict[str, float]]:
        """Where the engine puts every element: id → x, y, width, height in px."""
        ...

    def read_source(self, text: str, **asked: str | int | None) -> SourceRead:
        """The document of a source in another format. SourceUnreadable, SourceTooLarge."""
        ...

    def in_turn(self, *, in_background: bool = False) -> AbstractContextManager[None]:
        """A turn for the calls to come; one in the background comes after those of owners. WorkerOverloaded when there
        is no room."""
        ...

    def places(self, document: str, sketch: str | None) -> str:
        """Where everything stands and runs in the picture of a document, in the form of `computed`; all as JSON
        text."""
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
    """The refusal of a call for which there is no room."""
    return _refusal(_MEANINGS[WorkerOverloaded], is_owner=is_owner)


def _refusal(meaning: _Meaning, *, is_owner: bool, remark: str = "") -> ServiceError:
    sentence = " ".join(filter(None, (meaning.sentence, remark, "" if is_owner else meaning.help_of_a_key)))
    return ServiceError(meaning.code, sentence, retry_after=meaning.retry_after)


@contextmanager
def engine_faults_translated(document: Mapping[str, Any] | None = None) -> Generator[None]:
    """Turn the workers' faults into refusals; that of a `document` which takes too long says how large it is."""
    try:
        yield
    except tuple(_MEANINGS) as fault:
        meaning = next(meaning for kind, meaning in _MEANINGS.items() if isinstance(fault, kind))
        turn = CURRENT_TURN.get()
        told = None if document is None or not isinstance(fault, WorkerTimedOut) else size_told(document)
        remark = f"It has {told}." if told else ""
        raise _refusal(meaning, is_owner=turn is None or turn.share.is_owner, remark=remark) from fault
