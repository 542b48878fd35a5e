"""Jobs on whole documents: in this process for small texts, else in an engine process (R-FAIR-7).

In: arguments as plain JSON, and texts. Out: facts as plain JSON, and a text. A job in need of element positions calls
`bounds`; without `bounds` its facts hold `needs_sketch`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, Protocol

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.engine.icons import KnownIcons
from scenograph.scene.anonymizing import anonymized
from scenograph.scene.difference import (
    Difference,
    changed_scene_fields,
    difference,
    element_changes,
    moved_boxes,
    moved_by_others,
)
from scenograph.scene.document_index import authored, sketch_in
from scenograph.scene.edits.draft import ComputedBounds
from scenograph.scene.edits.elements import sources_named
from scenograph.scene.edits.operations import BatchRequest, apply_operations, judge_batch_request, read_batch_request
from scenograph.scene.json_values import JsonObject, is_array, is_object, kind_of, member, text_at
from scenograph.scene.limits import Limits
from scenograph.scene.strict_json import StrictJsonError, parse
from scenograph.scene.synchronizing import SourceIdentity, synchronize
from scenograph.scene.validation import validate
from scenograph.workers.child import Reply

LIGHT_BYTES = 20 * 1024  # of all texts together: the worst cases take 30 ms, and most everyday documents are smaller
_WITH_SOURCES = 3  # texts of a batch that copies from other scenes
RETURNING = ("computed", "render")  # members of a batch about its reply
_LIGHT_MASK_BYTES = 2 * 1024  # masking draws every letter anew

Texts = Sequence[bytes]


class Work(Protocol):
    """Does jobs on documents. Raises StrictJsonError for invalid JSON, and the faults of engine processes where they
    are used."""

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        """The facts and the text of a job of JOBS. `bounds` is called in this process only."""
        ...


class InThisProcess:
    """Work without engine processes."""

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        """The job, however large."""
        return understood(do_here(job, arguments, texts, bounds))


class _SketchNeeded(Exception):  # noqa: N818 - never leaves this module
    """An operation needs element positions, and none are available here."""


def do_here(job: str, arguments: Mapping[str, Any], texts: Texts, bounds: ComputedBounds | None = None) -> Reply:
    """Do a job in this process. Invalid JSON becomes a fact of the reply, since facts can cross processes."""
    try:
        return JOBS[job].do(arguments, texts, bounds or _unknown_bounds)
    except StrictJsonError as refused:
        return Reply({"not_json": [refused.sentence, refused.where]})
    except _SketchNeeded:
        return Reply({"needs_sketch": True})


def understood(reply: Reply) -> Reply:
    """The reply of a job. Raises StrictJsonError for facts of a strict reading's failure."""
    if "not_json" in reply.facts:
        raise StrictJsonError(*reply.facts["not_json"])
    return reply


def is_light(job: str, texts: Texts) -> bool:
    """Whether the texts of a job are small enough for this process."""
    return sum(map(len, texts)) <= JOBS[job].light_bytes


def limits_as_json(limits: Limits) -> dict[str, Any]:
    """The limits of documents as an argument of a job."""
    return {row.name: getattr(limits, row.name) for row in limits.rows()} | {"icons": limits.icons is not None}


def diagnostics_in(facts: Mapping[str, Any], name: str = "diagnostics") -> tuple[Diagnostic, ...]:
    """The diagnostics among the facts of a job."""
    return tuple(Diagnostic(code, Severity(severity), *rest) for code, severity, *rest in facts[name])


def difference_in(facts: Mapping[str, Any]) -> Difference:
    """The difference among the facts of a job."""
    return Difference(**{name: tuple(ids) for name, ids in facts["difference"].items()})


def as_text(value: object) -> bytes:
    """A JSON value as documents are stored: compact, without escapes for letters. Bytes count as text in this form
    already."""
    if isinstance(value, bytes):
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def _unknown_bounds(_document: JsonObject) -> NoReturn:
    raise _SketchNeeded


@cache
def _icons() -> KnownIcons:
    return KnownIcons()


def _limits(arguments: Mapping[str, Any]) -> Limits:
    said: dict[str, Any] = {**arguments["limits"]}
    said["icons"] = _icons() if said["icons"] else None
    return Limits(**said)


def _rows(diagnostics: Sequence[Diagnostic]) -> list[list[Any]]:
    return [
        [row.code, row.severity.value, row.message, row.path, row.element_id, row.data and dict(row.data)]
        for row in diagnostics
    ]


def _changes(change: Difference) -> dict[str, list[str]]:
    return {name: [*getattr(change, name)] for name in ("added", "removed", "modified", "changed_constraint_ids")}


def _head(document: JsonObject) -> dict[str, Any]:
    family = text_at(document, "diagramFamily") or text_at(document, "scene", "diagramFamily")
    return {"title": text_at(document, "scene", "title"), "family": family}


def _read(_arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """A text → the `kind` of its strict JSON value."""
    return Reply({"kind": kind_of(parse(texts[0]))})


def _judge(arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """Judge a document.

    Arguments: `limits`, the `member` that holds the document or null for the whole text, `most_elements` or null.
    Facts: the text's `kind`, the kind of the `document`, the count of `elements`, `diagnostics`, the `rest` of the
    body, `view`, `scene_id`, `title`, `family`. Body: the author's part, then from byte `split` the sketch. Beyond
    `most_elements` only the count.
    """
    body, name = parse(texts[0]), arguments["member"]
    if not is_object(body):
        return Reply({"kind": kind_of(body)})
    document: object = body if name is None else body.get(name)
    rest = {} if name is None else {key: value for key, value in body.items() if key != name}
    facts: dict[str, Any] = {"kind": kind_of(body), "document": kind_of(document), "rest": rest}
    if not is_object(document):
        return Reply(facts)
    elements, most = document.get("elements"), arguments["most_elements"]
    facts["elements"] = len(elements) if is_array(elements) else 0
    if most is not None and facts["elements"] > most:
        return Reply(facts)
    kept = dict(authored(document))
    facts["diagnostics"] = _rows(rows := validate(kept, _limits(arguments)))
    if any(row.severity is Severity.ERROR for row in rows):
        return Reply(facts)
    text, sketch = as_text(kept), (sketch_in(document) or "").encode()
    view = {"view": document["view"]} if document.get("view") is not None else {}
    facts |= {"scene_id": member(kept, "scene", "id"), "split": len(text), **view, **_head(kept)}
    return Reply(facts, text + sketch)


def _apply(arguments: Mapping[str, Any], texts: Texts, bounds: ComputedBounds) -> Reply:
    """Apply a batch.

    Arguments: `limits`, and the expected `scene_id` and `revision` or null. Texts: a batch, the document or nothing,
    and, once facts held `needs_scenes`, the documents of these scenes by id, null for a missing scene. Facts:
    `malformed` diagnostics, or the batch's own `scene_id` and `revision`, `message`, `dry`, `remarks` and the
    members RETURNING; if id and revision are the expected ones, the result of `_edited`.
    """
    limits, body = _limits(arguments), parse(texts[0])
    if not is_object(body):
        return Reply({"kind": kind_of(body)})
    request = read_batch_request(body, limits)
    if not isinstance(request, BatchRequest):
        samples = {"sceneId": arguments["scene_id"], "baseRevision": arguments["revision"]}
        return Reply({"malformed": _rows(judge_batch_request(body, limits, samples))})
    facts: dict[str, Any] = {
        "scene_id": request.scene_id,
        "revision": request.base_revision,
        "message": request.message,
        "dry": request.dry,
        "remarks": _rows(request.remarks),
    }
    facts["returning"] = {name: body[name] for name in RETURNING if body.get(name) is not None}
    if not texts[1] or (request.scene_id, request.base_revision) != (arguments["scene_id"], arguments["revision"]):
        return Reply(facts)
    needed = sources_named(request.ops)
    if needed and len(texts) < _WITH_SOURCES:
        return Reply(facts | {"needs_scenes": [*needed]})
    sources = json.loads(texts[2]) if needed else _NO_SOURCES
    return _edited(facts, json.loads(texts[1]), request, _Basis(limits, bounds, sources))


def _follow(arguments: Mapping[str, Any], texts: Texts, bounds: ComputedBounds) -> Reply:
    """Follow a source.

    Arguments: `limits`, `source` (format and name), `whole`, `prune` and `dry`. Texts: the stored document, and the
    document of the source. Facts: the operations `ops` and the `remarks`; with operations and unless dry, the result of
    `_edited`.
    """
    stored, imported = map(json.loads, texts[:2])
    source = SourceIdentity(*arguments["source"])
    todo = synchronize(stored, imported, source, whole=arguments["whole"], prune=arguments["prune"])
    facts = {"ops": [*todo.ops], "remarks": _rows(todo.diagnostics)}
    if arguments["dry"] or not todo.ops:
        return Reply(facts)
    request = BatchRequest(scene_id="", base_revision=0, ops=tuple(todo.ops))
    return _edited(facts, stored, request, _Basis(_limits(arguments), bounds))


_NO_SOURCES: Mapping[str, Any] = MappingProxyType({})


class _Basis(NamedTuple):
    """The input of a batch besides its document and operations."""

    limits: Limits
    bounds: ComputedBounds
    sources: Mapping[str, Any] = _NO_SOURCES


def _edited(facts: dict[str, Any], document: JsonObject, request: BatchRequest, basis: _Basis) -> Reply:
    """The facts, and: `succeeded`, `diagnostics`; `applied`, `difference`, `relaid` ids and whether `relays_all`,
    `title`, `family`, and as text the new document."""
    batch = apply_operations(
        document, request.ops, request.mode, basis.bounds, limits=basis.limits, sources=basis.sources
    )
    facts |= {"succeeded": batch.succeeded, "diagnostics": _rows(batch.diagnostics)}
    if not batch.succeeded:
        return Reply(facts)
    relayout = batch.relayout
    facts |= {"applied": batch.applied, "difference": _changes(batch.difference), **_head(batch.document)}
    return Reply(facts | {"relaid": sorted(relayout.ids), "relays_all": relayout.every}, as_text(batch.document))


def _compare(_arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """Two documents, and the places of both or nulls → their `difference`, the `changes` of each modified element, the
    changed members of the `scene`, and the `moved` ids, null without places."""
    before, after, stood, stands = map(json.loads, (*texts, b"null", b"null")[:4])
    change = difference(before, after)
    changes = element_changes(before, after, change)
    scene = [*changed_scene_fields(before, after)]
    moved = None if stood is None or stands is None else [*moved_boxes(after, stood, stands)]
    return Reply({"difference": _changes(change), "changes": changes, "scene": scene, "moved": moved, **_head(after)})


def _moved(arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """Two documents and the places of both → ids `moved` by an edit that does not touch them. `relaid` are the ids that
    the edit places anew."""
    old, new, before, after = map(json.loads, texts)
    return Reply({"moved": [*moved_by_others(old, new, before, after, frozenset(arguments["relaid"]))]})


def _mask(arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """`limits`; a document → its anonymous form."""
    icons = _limits(arguments).icons
    return Reply({}, as_text(anonymized(json.loads(texts[0]), secrets.randbelow, icons)))


class DocumentJob(NamedTuple):
    """A job, and its limit in bytes for work in this process."""

    do: Callable[[Mapping[str, Any], Texts, ComputedBounds], Reply]
    light_bytes: int = LIGHT_BYTES


JOBS: Mapping[str, DocumentJob] = {
    "read": DocumentJob(_read),
    "judge": DocumentJob(_judge),
    "apply": DocumentJob(_apply),
    "follow": DocumentJob(_follow),
    "compare": DocumentJob(_compare),
    "moved": DocumentJob(_moved),
    "mask": DocumentJob(_mask, _LIGHT_MASK_BYTES),
}
