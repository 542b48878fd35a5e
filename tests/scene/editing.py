"""Operations on small documents: carried out, or refused."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from scenograph.diagnostics import Severity
from scenograph.scene.edits.operations import Batch, apply_operations
from scenograph.scene.validation import validate

Json = dict[str, Any]
Make = Callable[..., Json]
Boxes = Mapping[str, Mapping[str, float]]
BOXES: Boxes = {
    "web": {"x": 10.004, "y": 20, "width": 100, "height": 40},
    "api": {"x": 210, "y": 120, "width": 100, "height": 40},
    "db": {"x": 210, "y": 220, "width": 100, "height": 40},
    "back": {"x": 186, "y": 72, "width": 148, "height": 212},
}


def applied(document: Json, *ops: Json, boxes: Boxes = BOXES) -> Batch:
    before = copy.deepcopy(document)
    batch = apply_operations(document, ops, "allOrNothing", lambda _document: boxes)
    assert batch.succeeded, batch.diagnostics
    assert batch.applied == len(ops)
    assert document == before, "the given document was changed"
    assert [row for row in validate(batch.document) if row.severity is Severity.ERROR] == []
    return batch


def result(document: Json, *ops: Json, boxes: Boxes = BOXES) -> dict[str, Json]:
    return {element["id"]: element for element in applied(document, *ops, boxes=boxes).document["elements"]}


def refused(document: Json, *ops: Any) -> list[tuple[str, str | None]]:
    before = copy.deepcopy(document)
    batch = apply_operations(document, ops, "allOrNothing", lambda _document: BOXES)
    assert not batch.succeeded
    assert batch.document is document
    assert document == before
    assert (batch.applied, batch.changed_ids) == (0, ())
    return [(row.code, row.path) for row in batch.diagnostics if row.severity is Severity.ERROR]


def absolute(x: float, y: float, **more: float) -> Json:
    return {"mode": "absolute", "x": x, "y": y, **more}
