"""Root `defaults`: default members of all elements of a kind (R-DOC-8).

In: an element as authored and its document. Out: the element with its defaults. Objects merge member by member. The
element overrides the defaults, and a named style of the element counts as its own.
"""

from __future__ import annotations

from scenograph.late_dataclasses import replace
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.description.fields import Field, Record
from scenograph.scene.json_values import JsonObject, is_object, object_at

_KINDS_WITH_DEFAULTS = ("node", "edge", "frame")
_OWN = frozenset({"id", "kind", "from", "to", "children", "ports"})  # targets of references


def _record(kind: str) -> Record:
    record = ELEMENT_RECORDS[kind]
    rows = tuple(replace(row, required=False, default=None) for row in record.fields if row.name not in _OWN)
    doc = f"Members of every {kind} that does not say otherwise."
    return Record(name=f"{record.name}Defaults", doc=doc, fields=rows)


DEFAULTS_RECORDS = {kind: _record(kind) for kind in _KINDS_WITH_DEFAULTS}
DEFAULTS = Record(
    name="Defaults",
    doc="Members that all elements of a kind have unless they say otherwise; objects are merged member by member.",
    fields=tuple(Field(kind, record, f"Of every {kind}.") for kind, record in DEFAULTS_RECORDS.items()),
)


class Defaults:
    """The defaults of a document."""

    def __init__(self, document: object) -> None:
        self._by_kind = {kind: object_at(document, "defaults", kind) for kind in _KINDS_WITH_DEFAULTS}
        self._styles = object_at(document, "styles")

    def completed(self, element: object) -> object:
        """The element with defaults for absent members; any other value unchanged."""
        kind = element.get("kind") if is_object(element) else None
        defaults = self._by_kind.get(kind) if isinstance(kind, str) else None
        if not defaults or not is_object(element):
            return element
        record = ELEMENT_RECORDS[str(kind)]
        shared = {
            name: value
            for name, value in defaults.items()
            if name in record.members and name not in _OWN and not _is_said(record.members[name], element)
        }
        whole = _merged(shared, element)
        said, default = element.get("style"), defaults.get("style")
        if said is not None and default is not None:
            whole["style"] = _merged(self._style(default), self._style(said))
        return whole

    def _style(self, style: object) -> JsonObject:
        found = self._styles.get(style) if isinstance(style, str) else style
        return found if is_object(found) else {}


def _is_said(row: Field, element: JsonObject) -> bool:
    """Whether the element has the member under an alias, which the default must not override."""
    return row.name not in element and any(alias in element for alias in row.aliases)


def _merged(defaults: JsonObject, own: JsonObject) -> JsonObject:
    whole = dict(defaults)
    for name, value in own.items():
        default = whole.get(name)
        whole[name] = _merged(default, value) if is_object(default) and is_object(value) else value
    return whole
