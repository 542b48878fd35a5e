"""Tasks of a worker: the engine's calls over JSON and bytes. Imported in worker processes only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from scenograph.diagnostics import Diagnostic, wire_form
from scenograph.engine import pipeline
from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source, TooLarge, Unreadable
from scenograph.scene.json_values import JsonObject
from scenograph.scene.reading import read_view
from scenograph.wire.formats import PNG
from scenograph.workers.child import WARM_UP, Reply, Task
from scenograph.workers.documents import JOBS, do_here

_FIRST_PICTURE: Mapping[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "warm-up", "units": "px", "canvas": {"width": 400, "height": 200}},
    "elements": [
        {"id": "a", "kind": "node", "label": "One"},
        {"id": "b", "kind": "node", "label": "Two"},
        {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "label": "to"},
    ],
}


def _warm_up(_arguments: Mapping[str, Any], _body: bytes) -> Reply:
    """Load fonts and fill caches, to spare the first caller."""
    pipeline.render(_FIRST_PICTURE, PNG.name)
    return Reply({})


def _told(rows: Sequence[Diagnostic]) -> dict[str, Any]:
    """`diagnostics` in wire form, and the `faults` of the engine itself, for the log."""
    return {"diagnostics": wire_form(rows), "faults": [row.fault for row in rows if row.fault]}


def _render(arguments: Mapping[str, Any], body: bytes) -> Reply:
    """Draw a picture.

    Body: a document, its sketch, the document of the earlier side of a diff and its places (all but the first may be
    null). Arguments: `output` (the name of a format), `theme`, `watermark`, `view`, `options` of the writer,
    `computed`. Reply: the picture's bytes, width, height, scale, diagnostics and, if requested, `computed`; beyond the
    pixel limit the page's size and the pixels, as `too_large`.
    """
    document, sketch, before, before_places = json.loads(body)
    extras = pipeline.Extras(
        before=before, before_places=before_places, watermark=arguments["watermark"], view=read_view(arguments["view"])
    )
    options = pipeline.WriteOptions(**arguments["options"])
    try:
        picture = pipeline.render(
            document, arguments["output"], theme=arguments["theme"], sketch=sketch, extras=extras, options=options
        )
    except pipeline.RasterTooLarge as refused:
        return Reply({"too_large": [refused.width, refused.height, refused.pixels]})
    content = picture.content if isinstance(picture.content, bytes) else picture.content.encode()
    facts = {"width": picture.width, "height": picture.height, "scale": picture.scale, **_told(picture.diagnostics)}
    computed = {"computed": pipeline.computed_of(picture.laid_out)} if arguments["computed"] else {}
    return Reply(facts | computed, content)


def _normalize(_arguments: Mapping[str, Any], body: bytes) -> Reply:
    """A document and its sketch or null → the normalized document as JSON, and diagnostics."""
    document, sketch = json.loads(body)
    document, diagnostics = pipeline.normalize(document, sketch=sketch)
    return Reply(_told(diagnostics), json.dumps(document).encode("ascii"))


def _bounds(_arguments: Mapping[str, Any], body: bytes) -> Reply:
    """A document and its sketch or null → boxes as placed by the engine: id → x, y, width, height."""
    document, sketch = json.loads(body)
    laid_out = pipeline.lay_out(document, sketch=sketch)
    boxes = {element_id: box._asdict() for element_id, box in laid_out.scene.placement.boxes.items()}
    return Reply({"bounds": boxes, **_told(laid_out.diagnostics)})


def _places(_arguments: Mapping[str, Any], body: bytes) -> Reply:
    """A document and its sketch or null → its places as JSON, in the form of a sketch."""
    document, sketch = json.loads(body)
    laid_out = pipeline.lay_out(document, sketch=sketch)
    return Reply(_told(laid_out.diagnostics), json.dumps(pipeline.places_of(laid_out)).encode("ascii"))


def _read_source(arguments: Mapping[str, Any], body: bytes) -> Reply:
    """Read a source.

    Body: its text. Arguments: `format` or null, and the other members of `Source`. Reply: the document as JSON,
    `format`, `diagnostics` and `whole`; for a refused source `unreadable` or `too_large`.
    """
    text = body.decode("utf-8", "surrogatepass")
    asked = {name: value for name, value in arguments.items() if name != "format"}
    source = Source(text=text, icons=KnownIcons(), **asked)
    try:
        read = read_source(source, arguments["format"])
    except Unreadable as refused:
        return Reply({"unreadable": [refused.place.line, refused.place.column, refused.expected, refused.hint]})
    except TooLarge as refused:
        return Reply({"too_large": refused.most})
    facts = {"format": read.format, "diagnostics": wire_form(read.diagnostics), "whole": read.whole}
    return Reply(facts, json.dumps(read.document).encode("ascii"))


def _document_task(job: str) -> Task:
    """The task of a job on documents, with `arguments` and the `lengths` of its texts. With the argument `sketch` the
    last text is the sketch by which the engine gives element positions."""

    def do(asked: Mapping[str, Any], body: bytes) -> Reply:
        ends = [*accumulate(asked["lengths"], initial=0)]
        texts = [body[start:end] for start, end in pairwise(ends)]
        with_sketch = asked["arguments"].get("sketch", False)
        sketch = json.loads(texts.pop()) if with_sketch else None

        def bounds(document: JsonObject) -> Mapping[str, Mapping[str, float]]:
            boxes = pipeline.lay_out(document, sketch=sketch).scene.placement.boxes
            return {element_id: box._asdict() for element_id, box in boxes.items()}

        return do_here(job, asked["arguments"], texts, bounds if with_sketch else None)

    return do


TASKS: Mapping[str, Task] = {
    WARM_UP: _warm_up,
    "render": _render,
    "normalize": _normalize,
    "bounds": _bounds,
    "places": _places,
    "read_source": _read_source,
    **{job: _document_task(job) for job in JOBS},
}
