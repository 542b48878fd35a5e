"""Ids are unique and names refer to something: elements, styles, assets, constraints (R-VALID-5, R-VALID-8)."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.diagnostics import (
    ASSET_NOT_FOUND,
    CONSTRAINT_ELEMENT_NOT_FOUND,
    DUPLICATE_CONSTRAINT_ID,
    DUPLICATE_ID,
    STYLE_NOT_FOUND,
)
from scenograph.scene.document_index import DocumentIndex
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import JsonObject, is_array, member, object_at, pointer, shown
from scenograph.scene.limits import Limits
from scenograph.scene.rules.relative_layouts import BOXLESS_KINDS


def element_ids_are_unique(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """One remark an id, with every place."""
    for element_id, indexes in index.repeated.items():
        paths = [pointer("elements", position, "id") for position in indexes]
        yield Problem(paths[1], DUPLICATE_ID, {"id": shown(element_id), "count": len(paths)}, {"paths": paths})


def constraint_ids_are_unique(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """One remark an id, with every place."""
    places: dict[str, list[str]] = {}
    for position, constraint in index.constraints():
        constraint_id = constraint.get("id")
        if isinstance(constraint_id, str):
            places.setdefault(constraint_id, []).append(pointer("constraints", position, "id"))
    for constraint_id, paths in places.items():
        if len(paths) > 1:
            holes = {"id": shown(constraint_id), "count": len(paths)}
            yield Problem(paths[1], DUPLICATE_CONSTRAINT_ID, holes, {"paths": paths})


def styles_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A style that an element names is in `styles`."""
    known = index.names_in("styles")
    lookup = frozenset(known)
    for kind, members in object_at(index.document, "defaults").items():
        name = member(members, "style")
        if isinstance(name, str) and name not in lookup:
            holes = {"style": shown(name), "id": f"the defaults of every {kind}"}
            yield Problem(pointer("defaults", kind, "style"), STYLE_NOT_FOUND, holes, None, (name, known))
    for entry in index.entries:
        name = entry.members.get("style")
        if isinstance(name, str) and name not in lookup:
            holes = {"style": shown(name), "id": shown(entry.id)}
            yield Problem(entry.at("style"), STYLE_NOT_FOUND, holes, None, (name, known))


def assets_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An asset that an image names is in `assets`."""
    known = index.names_in("assets")
    lookup = frozenset(known)
    for image in index.of_kind("image"):
        name = image.members.get("assetId")
        if isinstance(name, str) and name not in lookup:
            holes = {"asset": shown(name), "id": shown(image.id)}
            yield Problem(image.at("assetId"), ASSET_NOT_FOUND, holes, None, (name, known))


def constraints_name_elements(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A constraint is about elements that there are and that have a box."""
    for position, constraint in index.constraints():
        listed = frozenset(element_id for _, element_id in named_by_constraint(constraint))
        for path, element_id in named_by_constraint(constraint):
            entry = index.by_id.get(element_id)
            if entry is None or entry.kind in BOXLESS_KINDS:
                holes = {"constraint": shown(constraint.get("id")), "id": shown(element_id)}
                place = pointer("constraints", position) + path
                near = (element_id, index.ids)
                yield Problem(place, CONSTRAINT_ELEMENT_NOT_FOUND, holes, None, near, listed)


def named_by_constraint(constraint: JsonObject) -> Iterator[tuple[str, str]]:
    """(pointer within the constraint, element id) of everything it names."""
    elements = constraint.get("elements")
    for position, element_id in enumerate(elements if is_array(elements) else ()):
        if isinstance(element_id, str):
            yield pointer("elements", position), element_id
    container = constraint.get("container")
    if isinstance(container, str):
        yield "/container", container
