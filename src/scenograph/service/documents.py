"""Work on whole documents: judging, editing, comparing, masking.

Small documents are worked on in this process, large ones in an engine process (R-FAIR-7). Documents are passed as text,
and the service itself parses no large one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.scene.difference import Difference, FieldChange
from scenograph.scene.edits.draft import ComputedBounds
from scenograph.scene.json_text import JsonText
from scenograph.scene.limits import Limits
from scenograph.service.engine_port import engine_faults_translated
from scenograph.service.errors import invalid_request, scene_too_large, validation_failed
from scenograph.workers import InThisProcess, Reply, Work, as_text, diagnostics_in, difference_in, limits_as_json

AN_OBJECT = "an object"


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
        if facts["document"] != AN_OBJECT:
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
    if facts.get("kind", AN_OBJECT) != AN_OBJECT:
        raise invalid_request(f"The body must be a JSON object, not {facts['kind']}.")


def text_of(document: JsonText) -> bytes:
    """The bytes of a document's text."""
    return document.text.encode("utf-8", "surrogatepass")


def _read(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")
