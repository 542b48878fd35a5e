"""From the JSON document to the typed view. Reading never fails: an unreadable member counts as absent.

In: any JSON value. Out: a `Scene`. Elements with an unreadable id or kind (or, for an edge, unreadable ends) are left
out; of several equal ids the first stays. The only remark of reading is OUTER_FIELD_NESTED; all other problems are
reported by `validation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from scenograph.diagnostics import OUTER_FIELD_NESTED, Report
from scenograph.scene.defaults import Defaults
from scenograph.scene.description.document import (
    CANVAS,
    CONSTRAINT,
    EXTENSIONS,
    LAYOUT_STRATEGY,
    LEGEND,
    OUTER_FIELDS,
    VIEW,
)
from scenograph.scene.description.elements import ELEMENT, PALETTE, STYLE
from scenograph.scene.description.fields import FieldType, MapOf
from scenograph.scene.image_data import ASSET
from scenograph.scene.json_values import is_array, is_object, listed, member, object_at, text_at
from scenograph.scene.memo import Latest, copy_of, exact_key, kept
from scenograph.scene.model import (
    EMPTY,
    Asset,
    Canvas,
    Constraint,
    Element,
    LayoutStrategy,
    Legend,
    Palette,
    Scene,
    Style,
    View,
)
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES

READ_FROM_SCENE = "what stands in scene was read"
_KEPT_ELEMENTS = 2048  # elements of recent scenes: only changed elements of a known scene are read again
_KEPT_LENGTH = 2000  # bytes of the key of a cached element; longer keys are rare
T = TypeVar("T")
_STYLES, _ASSETS = MapOf(STYLE), MapOf(ASSET)
_READ: Latest[bytes, Element] = Latest(_KEPT_ELEMENTS)


def read_scene(document: object, report: Report) -> Scene:
    """The typed view of a document."""
    nested = nested_fields(document)
    if nested:
        data = {"nestedFields": list(nested)}
        report.add(OUTER_FIELD_NESTED, path="/scene", data=data, fields=listed(nested), outcome=READ_FROM_SCENE)
    scene = object_at(document, "scene")
    strategy = layout_strategy(document)
    return Scene(
        id=text_at(scene, "id") or "",
        title=text_at(scene, "title"),
        canvas=_read(CANVAS, scene.get("canvas"), Canvas, Canvas()),
        diagram_family=diagram_family(document),
        layout_strategy=strategy,
        aspect_ratio=None if strategy is None else strategy.aspect_ratio,
        palette=_read(PALETTE, _outer(document, "palette"), Palette, Palette()),
        styles=_read_map(_STYLES, member(document, "styles"), Style),
        assets=_read_map(_ASSETS, member(document, "assets"), Asset),
        constraints=tuple(_constraints(member(document, "constraints"))),
        elements=tuple(_elements(document)),
        show_lifeline_feet=_show_lifeline_feet(document),
        show_title=scene.get("showTitle") is True,
        legend=_read_or_none(LEGEND, member(document, "legend"), Legend),
    )


def read_view(view: object) -> View:
    """The requested view; an unreadable member counts as absent."""
    return _read(VIEW, view, View, View())


def diagram_family(document: object) -> str | None:
    """The declared family; None if absent or unknown."""
    family = _outer(document, "diagramFamily")
    return family if isinstance(family, str) and family in DIAGRAM_FAMILIES else None


def layout_strategy(document: object) -> LayoutStrategy | None:
    """The declared layout strategy, or None."""
    return _read_or_none(LAYOUT_STRATEGY, _outer(document, "layoutStrategy"), LayoutStrategy)


def nested_fields(document: object) -> tuple[str, ...]:
    """The outer fields inside `scene` that are absent at the root."""
    root, scene = object_at(document), object_at(document, "scene")
    return tuple(row.name for row in OUTER_FIELDS if row.name in scene and row.name not in root)


def outdone_fields(document: object) -> tuple[str, ...]:
    """The outer fields both at the root and inside `scene` (ignored inside)."""
    root, scene = object_at(document), object_at(document, "scene")
    return tuple(row.name for row in OUTER_FIELDS if row.name in scene and row.name in root)


def _elements(document: object) -> Iterator[Element]:
    """The readable elements, each id once, with the document's defaults."""
    seen: set[str] = set()
    completed = Defaults(document).completed
    elements = member(document, "elements")
    for value in elements if is_array(elements) else ():
        element = _element(completed(value))
        if isinstance(element, Element) and element.id not in seen:
            seen.add(element.id)
            yield element


def _element(value: object) -> object:
    """The typed element; the same object as long as the value is exactly equal."""
    key = exact_key(value)
    if key is None:
        return ELEMENT.read(value)
    found = _READ.get(key)
    if found is not None:
        return found
    element = ELEMENT.read(value)
    if not isinstance(element, Element) or len(key) > _KEPT_LENGTH:
        return element
    if element.extensions is not EMPTY or element.metadata is not EMPTY:
        # These are the caller's own, mutable objects: the cache holds copies.
        return _keep(key, ELEMENT.read(copy_of(key)))
    return _keep(key, element)


def _keep(key: bytes, element: object) -> object:
    return _READ.put(key, kept(element)) if isinstance(element, Element) else element


def _outer(document: object, name: str) -> object:
    root = object_at(document)
    return root[name] if name in root else member(document, "scene", name)


def _read_or_none(field_type: FieldType, value: object, model: type[T]) -> T | None:
    made = field_type.read(value)
    return made if isinstance(made, model) else None


def _read(field_type: FieldType, value: object, model: type[T], default: T) -> T:
    made = _read_or_none(field_type, value, model)
    return default if made is None else made


def _read_map(field_type: MapOf, value: object, model: type[T]) -> Mapping[str, T]:
    made = field_type.read(value)
    if not is_object(made):
        return EMPTY
    return MappingProxyType({name: entry for name, entry in made.items() if isinstance(entry, model)})


def _constraints(constraints: object) -> Iterator[Constraint]:
    seen: set[str] = set()
    for value in constraints if is_array(constraints) else ():
        made = CONSTRAINT.read(value)
        if is_object(made) and made["id"] not in seen:
            seen.add(made["id"])
            yield _constraint(made)


def _constraint(members: Mapping[str, Any]) -> Constraint:
    parameters = {name: value for name, value in members.items() if name not in {"id", "type", "elements"}}
    return Constraint(
        id=members["id"],
        type=members["type"],
        elements=members["elements"],
        parameters=MappingProxyType(parameters),
    )


def _show_lifeline_feet(document: object) -> bool:
    """Said in `scene.extensions`, else in the root's `extensions`, else true."""
    for extensions in (member(document, "scene", "extensions"), member(document, "extensions")):
        said = member(EXTENSIONS.read(extensions), "show_lifeline_feet")
        if isinstance(said, bool):
            return said
    return True
