"""A workspace of Structurizr as JSON (the file that its tools export): its views name their elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenograph.reading.losses import Place
from scenograph.reading.structurizr.model import (
    COMPONENT,
    CONTAINER,
    CUSTOM,
    INFRASTRUCTURE,
    NODE,
    PERSON,
    SYSTEM,
    C4Element,
    C4Relation,
    C4View,
    Workspace,
)
from scenograph.scene.json_values import JsonObject, is_array, is_object, object_at, text_at

_HELD = (
    ("people", PERSON),
    ("softwareSystems", SYSTEM),
    ("containers", CONTAINER),
    ("components", COMPONENT),
    ("customElements", CUSTOM),
    ("deploymentNodes", NODE),
    ("children", NODE),
    ("infrastructureNodes", INFRASTRUCTURE),
    ("softwareSystemInstances", "softwaresysteminstance"),
    ("containerInstances", "containerinstance"),
)
_VIEWS = ("systemLandscape", "systemContext", "container", "component", "dynamic", "deployment", "custom")
_DIRECTIONS = {"TopBottom": "TB", "BottomTop": "BT", "LeftRight": "LR", "RightLeft": "RL"}
_PLACE = Place(1)
_DEEPEST = 60


def read_workspace(root: JsonObject, workspace: Workspace) -> None:
    """Add the content of a JSON workspace. TooLarge."""
    workspace.name = text_at(root, "name") or ""
    elements: dict[str, C4Element] = {}
    said: list[tuple[C4Element, JsonObject]] = []
    for made, row in _elements(object_at(root, "model"), None, workspace, 0):
        elements[_id(row, "id")] = made
        said.append((made, row))
    for made, row in said:
        origin = elements.get(_id(row, "softwareSystemId") or _id(row, "containerId"))
        if made.kind.endswith("instance") and origin is not None:
            made.origin, made.name = origin, origin.name
    relations = {key: one for made, row in said for key, one in _relations(made, row, elements)}
    for one in relations.values():
        workspace.relate(one)
    views = object_at(root, "views")
    for kind in _VIEWS:
        for row in _rows(views, f"{kind}Views"):
            workspace.views.append(_view(kind.lower(), row, elements, relations))
    for row in _rows(views, "filteredViews"):
        view = C4View("filtered", _PLACE, text_at(row, "key") or "", title=text_at(row, "title") or "")
        view.base, view.is_without = text_at(row, "baseViewKey") or "", text_at(row, "mode") == "Exclude"
        tags = row.get("tags")
        view.tags = tuple(map(str, tags)) if is_array(tags) else tuple(_tags(row))
        workspace.views.append(view)
    styles = object_at(object_at(views, "configuration"), "styles")
    for name, held in (("elements", workspace.element_styles), ("relationships", workspace.relation_styles)):
        for row in _rows(styles, name):
            held[text_at(row, "tag") or ""] = {key.lower(): str(value) for key, value in row.items()}


def _relations(
    start: C4Element, row: Mapping[str, Any], elements: Mapping[str, C4Element]
) -> Iterator[tuple[str, C4Relation]]:
    """The relationships of an element by their ids."""
    for one in _rows(row, "relationships"):
        end = elements.get(_id(one, "destinationId"))
        if end is not None:
            description, technology = text_at(one, "description") or "", text_at(one, "technology") or ""
            yield _id(one, "id"), C4Relation(start, end, _PLACE, description, technology, _tags(one))


def _elements(
    row: Mapping[str, Any], parent: C4Element | None, workspace: Workspace, depth: int
) -> Iterator[tuple[C4Element, JsonObject]]:
    """The elements in a row, with their own rows, from the outside in."""
    for member, kind in _HELD if depth < _DEEPEST else ():
        for one in _rows(row, member):
            made = C4Element(kind, text_at(one, "name") or "", _PLACE, parent)
            made.description, made.technology = text_at(one, "description") or "", text_at(one, "technology") or ""
            if kind == CUSTOM:
                made.technology = text_at(one, "metadata") or ""
            made.url, made.environment = text_at(one, "url") or "", text_at(one, "environment") or ""
            made.tags = [tag for tag in _tags(one) if tag != "Element"]
            made.group = tuple(part for part in (text_at(one, "group") or "").split("/") if part)
            number = one.get("instanceId")
            made.number = number if isinstance(number, int) and number > 0 else 1
            workspace.add(made)
            yield made, one
            yield from _elements(one, made, workspace, depth + 1)


def _view(
    kind: str, row: Mapping[str, Any], elements: dict[str, C4Element], relations: dict[str, C4Relation]
) -> C4View:
    view = C4View(kind, _PLACE, text_at(row, "key") or "", title=text_at(row, "title") or "")
    view.scope = elements.get(_id(row, "containerId") or _id(row, "softwareSystemId") or _id(row, "elementId"))
    view.environment = text_at(row, "environment") or ""
    view.elements = [found for one in _rows(row, "elements") if (found := elements.get(_id(one, "id"))) is not None]
    view.relations = []
    for one in _rows(row, "relationships"):
        known = relations.get(_id(one, "id"))
        if known is not None:
            said = text_at(one, "description") or known.description
            start, end = (known.end, known.start) if one.get("response") is True else (known.start, known.end)
            made = C4Relation(start, end, _PLACE, said, known.technology, known.tags)
            (view.steps if kind == "dynamic" else view.relations).append(made)
    layout = object_at(row, "automaticLayout")
    view.direction = _DIRECTIONS.get(text_at(layout, "rankDirection") or "", "")
    return view


def _id(row: Mapping[str, Any], member: str) -> str:
    """An id, which is a text or a number."""
    found = row.get(member)
    return str(found) if isinstance(found, str | int) else ""


def _rows(row: Mapping[str, Any], member: str) -> list[JsonObject]:
    held = row.get(member)
    return [one for one in held if is_object(one)] if is_array(held) else []


def _tags(row: Mapping[str, Any]) -> list[str]:
    return [one for part in (text_at(row, "tags") or "").split(",") if (one := part.strip())]
