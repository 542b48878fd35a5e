"""Places that are given up (R-OP-19)."""

from __future__ import annotations

from scenograph.diagnostics import OP_TARGET_NOT_FOUND
from scenograph.scene.draft import Draft, Edit, Refused
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import JsonObject, pointer, shown
from scenograph.scene.relayout import Relayout


def relayout(draft: Draft, op: JsonObject) -> Edit:
    """relayout: the engine places these elements anew, all of them when `ids` is left out."""
    if "ids" not in op:
        return Edit(relayout=Relayout(every=True))
    draft.spend(len(op["ids"]))
    unknown = [_unknown(draft, index, name) for index, name in enumerate(op["ids"]) if name not in draft.elements]
    if unknown:
        raise Refused(*unknown)
    return Edit(relayout=Relayout(frozenset(op["ids"])))


def _unknown(draft: Draft, index: int, name: str) -> Problem:
    holes = {"what": "element", "id": shown(name)}
    return Problem(pointer("ids", index), OP_TARGET_NOT_FOUND, holes, None, (name, draft.elements.names()))
