"""Work of the engine on whole documents, as the use cases see it, and its faults translated for callers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.late_dataclasses import dataclass
from scenograph.scene.difference import Difference, FieldChange
from scenograph.scene.edits.draft import ComputedBounds
from scenograph.scene.json_values import JsonText
from scenograph.scene.limits import Limits, size_told
from scenograph.service.errors import ServiceError, invalid_request, scene_too_large, validation_failed
from scenograph.workers import (
    CURRENT_TURN,
    NO_EXTRAS,
    InThisProcess,
    PictureExtras,
    Rendered,
    Reply,
    SourceRead,
    Work,
    WorkerCrashed,
    WorkerOverloaded,
    WorkerTimedOut,
    as_text,
    diagnostics_in,
    difference_in,
    limits_as_json,
)

# A requested picture, known as far as possible without the engine (R-CACHE-1). Access is checked and all input is
# read: the picture can be looked up in the cache by its key, or drawn in a turn.


T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class RequestedDrawing(Generic[T]):
    """A requested picture, with the cache key and the ways to a picture.

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


# The engine as seen by the use cases, and its faults translated for callers.
#
# `workers.EngineWorkers` implements the port. Callers see an exhausted budget only as a refusal with a time to retry.


BUSY_RETRY_SECONDS = 2.0
_LONG_RETRY_SECONDS = 10.0


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
        _LONG_RETRY_SECONDS,
        "A call with an API key may take longer.",
    ),
    WorkerCrashed: _Meaning(
        "render_failed", "The renderer crashed on this scene and was restarted.", _LONG_RETRY_SECONDS
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


# Work on whole documents: judging, editing, comparing, masking.
#
# Small documents are worked on in this process, large ones in an engine process (R-FAIR-7). Documents are passed as
# text, and the service itself parses no large one.

_AN_OBJECT = "an object"


class Judged(NamedTuple):
    """The findings about a document.

    For a valid document `source` is the author's part, `sketch` the text of the positions in it, `view` the part to
    show. `rest` holds the other members of the body.
    """

    diagnostics: tuple[Diagnostic, ...]
    rest: Mapping[str, Any]
    source: JsonText
    sketch: JsonText | None = None
    view: object = None
    scene_id: str = ""
    title: str | None = None
    family: str | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the document has no error and may be stored and drawn."""
        return not any(row.severity is Severity.ERROR for row in self.diagnostics)

    def require_valid(self) -> Judged:
        """The same value. Raises validation_failed for an invalid document."""
        if not self.is_valid:
            raise validation_failed(self.diagnostics)
        return self


class Compared(NamedTuple):
    """The difference of two documents: `changes` of each modified element by field, `scene` for changes outside
    elements, `moved` ids if the places of both are known. Title
    and family are the later document's."""

    change: Difference
    changes: Mapping[str, Mapping[str, FieldChange]]
    scene: tuple[str, ...]
    title: str | None
    family: str | None
    moved: tuple[str, ...] | None = None


class Documents:
    """Documents held against `limits`. Every call may end in the engine's refusals."""

    def __init__(self, limits: Limits, work: Work | None = None) -> None:
        self._limits = limits_as_json(limits)
        self._work = work or InThisProcess()

    def judge(self, given: object, *, within: str | None = None, most_elements: int | None = None) -> Judged:
        """Judge a document: `given` itself, a JSON value or JSON text as bytes, or its member `within`. Raises
        invalid_request, StrictJsonError, and scene_too_large beyond `most_elements`."""
        facts, text = self._do("judge", {"member": within, "most_elements": most_elements}, as_text(given))
        require_object(facts)
        if facts["document"] != _AN_OBJECT:
            raise invalid_request(f"{within} must hold a scene document, a JSON object.")
        if most_elements is not None and facts["elements"] > most_elements:
            raise scene_too_large(facts["elements"], most_elements)
        split = facts.get("split", 0)
        return Judged(
            diagnostics_in(facts),
            facts["rest"],
            JsonText(_read(text[:split])),
            JsonText(_read(text[split:])) if len(text) > split else None,
            facts.get("view"),
            facts.get("scene_id", ""),
            facts.get("title"),
            facts.get("family"),
        )

    def require_json(self, raw: bytes) -> None:
        """Raises StrictJsonError unless the text is strict JSON."""
        self._do("read", {}, raw)

    def edit(
        self, job: str, asked: Mapping[str, Any], texts: tuple[bytes, ...], bounds: ComputedBounds | None
    ) -> Reply:
        """The reply of an editing job, run in this process with `bounds`, in an engine process without. Its facts hold
        `needs_sketch` when the job needs element positions."""
        with engine_faults_translated():
            return self._work.do(job, {"limits": self._limits, **asked}, *texts, bounds=bounds)

    def edit_with_sketch(
        self, job: str, asked: Mapping[str, Any], texts: tuple[bytes, ...], sketch: JsonText | None
    ) -> Reply:
        """The same job in an engine process, with elements placed by a sketch."""
        return self._do(job, {"sketch": True, **asked}, *texts, b"null" if sketch is None else sketch.text.encode())

    def compare(self, before: JsonText, after: JsonText, *places: JsonText | None) -> Compared:
        """The difference between two documents; `places` are those of both."""
        texts = (before, after, *(JsonText("null") if each is None else each for each in places))
        facts = self._do("compare", {}, *map(text_of, texts)).facts
        moved = None if facts["moved"] is None else tuple(facts["moved"])
        scene, head = tuple(facts["scene"]), (facts["title"], facts["family"])
        return Compared(difference_in(facts), facts["changes"], scene, *head, moved)

    def moved(
        self, old: JsonText, new: JsonText, before: JsonText, after: JsonText, relaid: Sequence[str]
    ) -> tuple[str, ...]:
        """Ids moved by an edit that does not touch them, from two documents and the places of both. `relaid` are the
        elements placed anew by the edit."""
        facts = self._do("moved", {"relaid": [*relaid]}, *map(text_of, (old, new, before, after))).facts
        return tuple(facts["moved"])

    def masked(self, document: JsonText) -> str:
        """The anonymous form of a document, as text."""
        return _read(self._do("mask", {}, text_of(document)).body)

    def _do(self, job: str, asked: Mapping[str, Any], *texts: bytes) -> Reply:
        with engine_faults_translated():
            return self._work.do(job, {"limits": self._limits, **asked}, *texts)


def require_object(facts: Mapping[str, Any]) -> None:
    """Raises invalid_request for a body other than a JSON object."""
    if facts.get("kind", _AN_OBJECT) != _AN_OBJECT:
        raise invalid_request(f"The body must be a JSON object, not {facts['kind']}.")


def text_of(document: JsonText) -> bytes:
    """The bytes of a document's text."""
    return document.text.encode("utf-8", "surrogatepass")


def _read(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")
