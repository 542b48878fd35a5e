"""What is done to whole documents, as jobs over texts: in the process at hand where these are small, else in an engine
process (R-FAIR-7).

In: arguments that are plain JSON, and texts. Out: facts that are plain JSON, and a text. A job that needs to know where
elements stand asks `bounds`; without it the facts say `needs_sketch`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn, Protocol

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.engine.icons import KnownIcons
from scenograph.scene.anonymizing import anonymized
from scenograph.scene.difference import Difference, changed_element_fields, changed_scene_fields, difference
from scenograph.scene.document_index import authored, sketch_in
from scenograph.scene.draft import ComputedBounds
from scenograph.scene.json_values import JsonObject, is_array, is_object, kind_of, member, text_at
from scenograph.scene.limits import Limits
from scenograph.scene.operations import BatchRequest, apply_operations, judge_batch_request, read_batch_request
from scenograph.scene.strict_json import StrictJsonError, parse
from scenograph.scene.synchronizing import Source, synchronize
from scenograph.scene.validation import validate
from scenograph.workers.child import Reply

LIGHT_BYTES = 20 * 1024  # of all texts together: the worst of them take 30 ms, and most everyday ones are smaller
LIGHT_MASK_BYTES = 2 * 1024  # masking draws every letter anew

Texts = Sequence[bytes]


class Work(Protocol):
    """Does jobs on documents. StrictJsonError for a text that is none; where an engine process is needed, its
    faults."""

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        """The facts and the text that a job of JOBS gives. `bounds` is asked in this process only."""
        ...


class InThisProcess:
    """Work for which there are no engine processes."""

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        """The job, however large."""
        return understood(do_here(job, arguments, texts, bounds))


class _SketchNeeded(Exception):  # noqa: N818 - never leaves this module
    """An operation asks where elements stand, and nobody here can tell."""


def do_here(job: str, arguments: Mapping[str, Any], texts: Texts, bounds: ComputedBounds | None = None) -> Reply:
    """A job in this process. A text that is no strict JSON is told in the facts, for they cross processes."""
    try:
        return JOBS[job].do(arguments, texts, bounds or _unknown_bounds)
    except StrictJsonError as refused:
        return Reply({"not_json": [refused.sentence, refused.where]})
    except _SketchNeeded:
        return Reply({"needs_sketch": True})


def understood(reply: Reply) -> Reply:
    """The reply of a job; StrictJsonError where it says so."""
    if "not_json" in reply.facts:
        raise StrictJsonError(*reply.facts["not_json"])
    return reply


def is_light(job: str, texts: Texts) -> bool:
    """Whether a job costs so little that it is done at once."""
    return sum(map(len, texts)) <= JOBS[job].light_bytes


def limits_as_json(limits: Limits) -> dict[str, Any]:
    """What documents are held against, as an argument of a job."""
    return {row.name: getattr(limits, row.name) for row in limits.rows()} | {"icons": limits.icons is not None}


def diagnostics_in(facts: Mapping[str, Any], name: str = "diagnostics") -> tuple[Diagnostic, ...]:
    """The diagnostics among the facts of a job."""
    return tuple(Diagnostic(code, Severity(severity), *rest) for code, severity, *rest in facts[name])


def difference_in(facts: Mapping[str, Any]) -> Difference:
    """The difference among the facts of a job."""
    return Difference(**{name: tuple(ids) for name, ids in facts["difference"].items()})


def as_text(value: object) -> bytes:
    """A JSON value as documents are kept: compact, letters as they are. Bytes are such a text already."""
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
    """A text → the `kind` of the value that it strictly is."""
    return Reply({"kind": kind_of(parse(texts[0]))})


def _judge(arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """`limits`, `member` that holds the document or null for the whole, `most_elements` or null; a text → its `kind`,
    that of the `document`, `elements`, the `diagnostics`, `rest` of what holds the document, its `view`, `scene_id`,
    `title`, `family`, and as text what is the author's of it with its sketch after `split` bytes. Of a document with
    more than `most_elements` only how many there are."""
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
    """`limits`, `scene_id` and `revision` (null for none) that the batch should name; the text of a batch, and that of
    the document or nothing → `malformed` diagnostics, or `scene_id` and `revision` that it does name, `message` and
    `remarks`; where these are the ones, what became of it (`_edited`)."""
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
        "remarks": _rows(request.remarks),
    }
    if not texts[1] or (request.scene_id, request.base_revision) != (arguments["scene_id"], arguments["revision"]):
        return Reply(facts)
    return _edited(facts, json.loads(texts[1]), request, limits, bounds)


def _follow(arguments: Mapping[str, Any], texts: Texts, bounds: ComputedBounds) -> Reply:
    """`limits`, `source` (format and name), `whole`, `prune` and `dry`; the text of a document and of one that a source
    was read into → the operations `ops`, the `remarks`; where there are some and it is not dry, what became of them
    (`_edited`)."""
    stored, imported = map(json.loads, texts[:2])
    source = Source(*arguments["source"])
    todo = synchronize(stored, imported, source, whole=arguments["whole"], prune=arguments["prune"])
    facts = {"ops": [*todo.ops], "remarks": _rows(todo.diagnostics)}
    if arguments["dry"] or not todo.ops:
        return Reply(facts)
    request = BatchRequest(scene_id="", base_revision=0, ops=tuple(todo.ops))
    return _edited(facts, stored, request, _limits(arguments), bounds)


def _edited(
    facts: dict[str, Any], document: JsonObject, request: BatchRequest, limits: Limits, bounds: ComputedBounds
) -> Reply:
    """The facts, and: `succeeded`, `diagnostics`; `applied`, `difference`, `relaid` ids and whether `relays_all`,
    `title`, `family`, and as text the new document."""
    batch = apply_operations(document, request.ops, request.mode, bounds, limits=limits)
    facts |= {"succeeded": batch.succeeded, "diagnostics": _rows(batch.diagnostics)}
    if not batch.succeeded:
        return Reply(facts)
    relayout = batch.relayout
    facts |= {"applied": batch.applied, "difference": _changes(batch.difference), **_head(batch.document)}
    return Reply(facts | {"relaid": sorted(relayout.ids), "relays_all": relayout.every}, as_text(batch.document))


def _compare(_arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """Two documents → their `difference`, the `fields` of what was modified, and what differs of the `scene`."""
    before, after = map(json.loads, texts)
    change = difference(before, after)
    fields = {name: [*names] for name, names in changed_element_fields(before, after, change).items()}
    scene = [*changed_scene_fields(before, after)]
    return Reply({"difference": _changes(change), "fields": fields, "scene": scene, **_head(after)})


def _mask(arguments: Mapping[str, Any], texts: Texts, _bounds: ComputedBounds) -> Reply:
    """`limits`; a document → its anonymous form."""
    icons = _limits(arguments).icons
    return Reply({}, as_text(anonymized(json.loads(texts[0]), secrets.randbelow, icons)))


class Job(NamedTuple):
    """A job, and how many bytes of texts make it light."""

    do: Callable[[Mapping[str, Any], Texts, ComputedBounds], Reply]
    light_bytes: int = LIGHT_BYTES


JOBS: Mapping[str, Job] = {
    "read": Job(_read),
    "judge": Job(_judge),
    "apply": Job(_apply),
    "follow": Job(_follow),
    "compare": Job(_compare),
    "mask": Job(_mask, LIGHT_MASK_BYTES),
}
