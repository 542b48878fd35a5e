"""A scene built by a program: elements added one by one, frames as context managers, edits as operations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scenograph.diagnostics import INVALID_TYPE, UNKNOWN_FIELD, Diagnostic, Severity
from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.library.files import write_whole
from scenograph.scene.description.document import DOCUMENT
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import authored
from scenograph.scene.json_values import object_at, steps_of
from scenograph.scene.validation import diagnostics_of, validate
from scenograph.scene.vocabulary import SCHEMA_VERSIONS, UNITS
from scenograph.wire.formats import BY_SUFFIX

if TYPE_CHECKING:
    from types import TracebackType

    from scenograph.scene.description.fields import Record

# Refusals of the library; each carries the diagnostics that say why.

MOST_TOLD = 5  # errors in the text of an exception


class _RefusalError(Exception):
    def __init__(self, diagnostics: Sequence[Diagnostic], opening: str = "") -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [row for row in self.diagnostics if row.severity is Severity.ERROR]
        rows = [f"{row.message} (at {row.path or '/'})" for row in errors[:MOST_TOLD]]
        more = [f"… and {len(errors) - MOST_TOLD} more"] if len(errors) > MOST_TOLD else []
        super().__init__("\n".join(filter(None, (opening, *rows, *more))))


class SourceError(_RefusalError):
    """An unreadable source or an invalid document. `diagnostics` name each fault and its place."""


class OperationError(_RefusalError):
    """A refused batch of operations; the scene is unchanged. `diagnostics` name each fault and its place
    (`/ops/0/id`)."""


End = str | Mapping[str, Any]
"""An end of an edge: an element's id, or an endpoint such as `{"elementId": "orders", "column": "id"}`."""


class Frame(str):
    """The id of a frame. As a context manager the frame takes in all elements added meanwhile:

    >>> with scene.frame("backend", "Backend"):
    ...     scene.node("api")
    """

    def __new__(cls, id: str, inside: list[Frame]) -> Frame:
        made = super().__new__(cls, id)
        made._inside = inside
        return made

    _inside: list[Frame]  # the scene's entered frames, outermost first

    def __enter__(self) -> Frame:
        """The frame; from now on elements without a `parent` come into it."""
        self._inside.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Elements come into the frame round it again."""
        while self._inside and self._inside.pop() is not self:
            pass


class Scene:
    """A diagram as data: elements and common settings, without coordinates.

    `family` is one of architecture, workflow, entityRelationship, sequence, network, orgchart, uiflow; `direction` one
    of TB, BT, LR, RL. Further `members` are those of a document's root, such as `palette` or `defaults`; names may be
    written with underscores (`layout_strategy`). A wrong value raises ValueError, one of another type or an unknown
    member TypeError, each naming what is allowed.

    A scene remembers where its elements stood when it was drawn: drawn again it keeps its picture, and what is added
    joins that.
    """

    def __init__(
        self,
        id: str,
        *,
        family: str,
        title: str | None = None,
        direction: str | None = None,
        **members: Any,
    ) -> None:
        own = _members({"title": title})
        root = {_camel(name): value for name, value in _members(members).items()}
        if direction is not None:
            root["layoutStrategy"] = {**object_at(root, "layoutStrategy"), "direction": direction}
        self._root: dict[str, Any] = {
            "schemaVersion": SCHEMA_VERSIONS[0],
            "diagramFamily": family,
            "scene": {"id": id, **own, "units": UNITS[0], "canvas": {}},
            **root,
        }
        require(DOCUMENT, {**self._root, "elements": []}, "a scene")
        self._elements: dict[str, dict[str, Any]] = {}
        self._inside: list[Frame] = []
        self._places: Mapping[str, Any] | None = None
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """What was remarked when it was read or edited, such as parts of a source that have no form."""

    @classmethod
    def of(cls, document: Mapping[str, Any], diagnostics: Sequence[Diagnostic] = ()) -> Scene:
        """A scene from a document, with the places of its `computed`. Raises SourceError for an invalid document,
        TypeError and ValueError for values outside of JSON."""
        whole = _members(document)
        known = authored(whole)
        found = validate(known, DOCUMENT_LIMITS)
        if any(row.severity is Severity.ERROR for row in found):
            raise SourceError((*diagnostics, *found), "The scene is not valid.")
        made = cls.__new__(cls)
        vars(made).update(
            _root={name: value for name, value in known.items() if name != "elements"},
            _elements={row["id"]: row for row in known["elements"]},
            _inside=[],
            _places=whole["computed"] if object_at(whole, "computed", "bounds") else None,
            diagnostics=tuple(diagnostics),
        )
        return made

    @property
    def id(self) -> str:
        """The scene's id."""
        return str(self._root["scene"]["id"])

    @property
    def document(self) -> dict[str, Any]:
        """The document, without `computed`; a copy."""
        return _members({**self._root, "elements": list(self._elements.values())})

    @property
    def places(self) -> Mapping[str, Any] | None:
        """Where everything stood in the latest picture, in the form of `computed` (px); None before the first."""
        return self._places

    def keep(self, places: Mapping[str, Any]) -> None:
        """Let the next picture keep these places, in the form of `computed`."""
        self._places = places

    def node(
        self,
        id: str,
        label: str | None = None,
        type: str | None = None,
        icon: str | None = None,
        parent: str | None = None,
        **members: Any,
    ) -> str:
        """Add a node; its id comes back. `type` is what it is (`service`, `database`, `workflow.task`, or words of your
        own), `icon` a key such as `aws:lambda`, `parent` the frame that it stands in; further members are those of the
        document: `shape`, `style`, `tooltip`, `link`, …"""
        return self._add("node", id, parent, {"label": label, "nodeType": type, "icon": icon}, members)

    def edge(
        self,
        from_: End,
        to: End,
        label: str | None = None,
        type: str | None = None,
        **members: Any,
    ) -> str:
        """Add an edge between two elements, added before or later, and return the edge's id. `type` is an edge type
        such as `sequence.reply`; further members are those of the document: `id`, `endpoints`, `router`, `style`, …"""
        source, target = (end if isinstance(end, Mapping) else {"elementId": end} for end in (from_, to))
        id = members.pop("id", None)  # noqa: A001
        if id is None:
            id = self._new_id(f"{source.get('elementId')}--{target.get('elementId')}")  # noqa: A001
        own = {"from": source, "to": target, "label": label, "edgeType": type}
        return self._add("edge", id, None, own, members)

    def frame(
        self,
        id: str,
        title: str | None = None,
        parent: str | None = None,
        type: str | None = None,
        **members: Any,
    ) -> Frame:
        """Add a frame; its id comes back, and is a context manager: what is added inside belongs to it. `type` is the
        type of the container: pool, lane, boundary, package, …"""
        own: dict[str, object] = {"title": title, "containerType": type, "children": list[str]()}
        return Frame(self._add("frame", id, parent, own, members), self._inside)

    def apply(self, ops: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> Scene:
        """A new scene after a batch of operations, such as `{"op": "setText", "id": "api", "text": "API"}`, all or
        none. Drawn, it keeps the places of this one. OperationError says what is wrong with each."""
        from scenograph.library.drawing import places_now  # noqa: PLC0415 - each room knows the other
        from scenograph.scene.edits.draft import sketch_without  # noqa: PLC0415
        from scenograph.scene.edits.operations import apply_operations  # noqa: PLC0415

        batch = [ops] if isinstance(ops, Mapping) else list(ops)
        before = self.document
        plain: list[object] = [_members(op) if isinstance(op, Mapping) else op for op in batch]  # pyright: ignore[reportUnnecessaryIsInstance]

        def bounds(_document: object) -> Mapping[str, Mapping[str, float]]:
            return object_at(places_now(self), "bounds")

        done = apply_operations(before, plain, computed_bounds=bounds, limits=DOCUMENT_LIMITS)
        if not done.succeeded:
            raise OperationError(done.diagnostics, "The operations are refused.")
        made = Scene.of(done.document, done.diagnostics)
        if self._places is not None and not done.relayout.every:
            made.keep(sketch_without({**self._places}, done.relayout.ids))
        return made

    def to_json(self) -> str:
        """The document as JSON text, without `computed`."""
        return _as_text(self.document)

    def save(self, path: str | Path) -> None:
        """Write the scene: as a picture where the suffix is a picture's (`.svg`, `.png`, `.pdf`, …), else, named
        `.json`, as its document, with where everything stands once it was drawn. The file is written whole or not at
        all. ValueError for another suffix; SourceError for a scene that is not valid."""
        suffix = Path(path).suffix.lower()
        if suffix in BY_SUFFIX:
            from scenograph.library.drawing import render  # noqa: PLC0415 - each room knows the other

            render(self, format=BY_SUFFIX[suffix].name).save(path)
            return
        if suffix != ".json":
            raise ValueError(f"{Path(path).name} must end in .json or one of {', '.join(BY_SUFFIX)}.")
        computed = {} if self._places is None else {"computed": self._places}
        write_whole(str(path), f"{_as_text({**self.document, **computed})}\n".encode())

    def __repr__(self) -> str:
        """Id and number of elements."""
        return f"<Scene {self.id!r}: {len(self._elements)} elements>"

    def _repr_svg_(self) -> str:
        """The SVG shown by a notebook."""
        from scenograph.library.drawing import render  # noqa: PLC0415 - each room knows the other

        return str(render(self).content)

    def _add(
        self,
        kind: str,
        id: object,
        parent: str | None,
        own: Mapping[str, Any],
        members: Mapping[str, Any],
    ) -> str:
        further = {_camel(name): value for name, value in members.items()}
        element = _members({"id": id, "kind": kind, **own, **further})
        require(ELEMENT_RECORDS[kind], element, f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}")
        name = str(element["id"])
        if name in self._elements:
            raise ValueError(f"The scene has an element with the id {name!r} already; ids are unique.")
        inside = self._inside[-1] if parent is None and self._inside and kind != "edge" else parent
        container = None if inside is None else self._container(inside)
        self._elements[name] = element
        if container is not None:
            container.setdefault("children", []).append(name)
        return name

    def _container(self, name: str) -> dict[str, Any]:
        found = self._elements.get(name)
        if found is None or found["kind"] not in ("frame", "group"):
            known = [row["id"] for row in self._elements.values() if row["kind"] in ("frame", "group")]
            raise ValueError(f"There is no frame with the id {name!r}; frames: {', '.join(known) or 'none yet'}.")
        return found

    def _new_id(self, wish: str) -> str:
        names = (wish if number == 1 else f"{wish}-{number}" for number in count(1))
        return next(name for name in names if name not in self._elements)


def _members(given: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of plain JSON values, without members that are None; TypeError and ValueError for what is no JSON."""
    said = {name: value for name, value in given.items() if value is not None}
    return json.loads(json.dumps(said, allow_nan=False, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {**cast("Mapping[str, object]", value)}
    raise TypeError(f"{type(value).__name__} is not a value of JSON.")


def _camel(name: str) -> str:
    """A member as documents spell it: `container_type` is `containerType`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def require(
    record: Record, value: Mapping[str, Any], owner: str, unknown: type[TypeError | ValueError] = TypeError
) -> None:
    """TypeError or ValueError for what is wrong with arguments, in the words of validation; `unknown` for a member
    unknown to the record."""
    problems = [problem for problem in record.check(value, DOCUMENT_LIMITS) if _is_wrong(problem)]
    if not problems:
        return
    problem = problems[0]
    row = diagnostics_of([problem], lambda _: None, DOCUMENT_LIMITS)[0]
    if problem.code.name == UNKNOWN_FIELD.name:
        near = f" Did you mean {row.data['suggestion']!r}?" if row.data and "suggestion" in row.data else ""
        raise unknown(f"{owner[0].upper()}{owner[1:]} has no member {steps_of(problem.path)[0]!r}.{near}")
    raise (TypeError if problem.code.name == INVALID_TYPE.name else ValueError)(row.message)


def _is_wrong(problem: Problem) -> bool:
    is_unknown = problem.code.name == UNKNOWN_FIELD.name and len(steps_of(problem.path)) == 1
    return is_unknown or problem.code.severity is Severity.ERROR


def _as_text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
