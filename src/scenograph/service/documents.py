"""What is done to whole documents: they are judged, edited, compared and masked, by work in this process where they are
small and in an engine process where they are not (R-FAIR-7).

Documents go in as texts and come out as texts, so that the service itself reads none that is large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.scene.difference import Difference
from scenograph.scene.draft import ComputedBounds
from scenograph.scene.json_text import JsonText
from scenograph.scene.limits import Limits
from scenograph.service.engine_port import engine_faults_translated
from scenograph.service.errors import invalid_request, scene_too_large, validation_failed
from scenograph.workers import InThisProcess, Reply, Work, as_text, diagnostics_in, difference_in, limits_as_json

AN_OBJECT = "an object"


class Judged(NamedTuple):
    """What is to be said about a document. Of a valid one `source` is what its author said, `sketch` the text of where
    it brings its elements, `view` the part that it asks to be shown; `rest` is what stands beside it in a body."""

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
        """Whether nothing forbids to store or draw it."""
        return not any(row.severity is Severity.ERROR for row in self.diagnostics)

    def require_valid(self) -> Judged:
        """The same; validation_failed where it is not valid."""
        if not self.is_valid:
            raise validation_failed(self.diagnostics)
        return self


class Compared(NamedTuple):
    """How one document differs from another: `fields` of each modified element, `scene` of what is no element; title
    and family of the later one."""

    change: Difference
    fields: Mapping[str, tuple[str, ...]]
    scene: tuple[str, ...]
    title: str | None
    family: str | None


class Documents:
    """Documents held against `limits`. Every call may end in the engine's refusals."""

    def __init__(self, limits: Limits, work: Work | None = None) -> None:
        self._limits = limits_as_json(limits)
        self._work = work or InThisProcess()

    def judge(self, given: object, *, within: str | None = None, most_elements: int | None = None) -> Judged:
        """Judge the document that `given` is, a JSON value or the text of one as bytes, or that it holds as its member
        `within`. invalid_request, scene_too_large beyond `most_elements`, StrictJsonError."""
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
        """StrictJsonError for a text that is no strict JSON."""
        self._do("read", {}, raw)

    def edit(
        self, job: str, asked: Mapping[str, Any], texts: tuple[bytes, bytes], bounds: ComputedBounds | None
    ) -> Reply:
        """What a job says that edits a document. It is done in this process with `bounds`, in another one without; the
        facts `needs_sketch` where it needs to know more."""
        with engine_faults_translated():
            return self._work.do(job, {"limits": self._limits, **asked}, *texts, bounds=bounds)

    def edit_with_sketch(
        self, job: str, asked: Mapping[str, Any], texts: tuple[bytes, bytes], sketch: JsonText | None
    ) -> Reply:
        """The same, where elements stand where the engine puts them by a sketch."""
        return self._do(job, asked, *texts, b"null" if sketch is None else sketch.text.encode())

    def compare(self, before: JsonText, after: JsonText) -> Compared:
        """What differs between two documents."""
        facts = self._do("compare", {}, text_of(before), text_of(after)).facts
        fields = {name: tuple(names) for name, names in facts["fields"].items()}
        return Compared(difference_in(facts), fields, tuple(facts["scene"]), facts["title"], facts["family"])

    def masked(self, document: JsonText) -> str:
        """The anonymous form of a document, as text."""
        return _read(self._do("mask", {}, text_of(document)).body)

    def _do(self, job: str, asked: Mapping[str, Any], *texts: bytes) -> Reply:
        with engine_faults_translated():
            return self._work.do(job, {"limits": self._limits, **asked}, *texts)


def require_object(facts: Mapping[str, Any]) -> None:
    """invalid_request where a body is no JSON object."""
    if facts.get("kind", AN_OBJECT) != AN_OBJECT:
        raise invalid_request(f"The body must be a JSON object, not {facts['kind']}.")


def text_of(document: JsonText) -> bytes:
    """The bytes of a document's text."""
    return document.text.encode("utf-8", "surrogatepass")


def _read(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")
