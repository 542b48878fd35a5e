"""A view of a scene: folded frames, and the neighbourhood of elements in focus.

In: a resolved scene and a `View`. Out: the scene to lay out instead, and the representative of each element left out.
Promises: the given scene is not changed; a view without wishes returns the same object; unknown ids are reported
(VIEW_ID_NOT_FOUND) and dropped. `crop` and the wished shape are read by later stages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from scenograph.diagnostics import FIELD_IGNORED, NO_EFFECT, VIEW_ID_NOT_FOUND, Report
from scenograph.engine.families.catalog import family_named, node_kind
from scenograph.engine.families.family import is_tile
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.json_values import pointer
from scenograph.scene.model import (
    Boxed,
    Constraint,
    Edge,
    Element,
    Endpoint,
    Frame,
    Group,
    Layout,
    Node,
    Scene,
    View,
)
from scenograph.scene.near_names import NameBudget, nearest

NO_VIEW = View()
_AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Viewed:
    """A scene as shown by a view. `stands_for` maps an undrawn id to its representative; `folded` are the boxes and
    edges made by folding; `unfolded` is the whole scene, where its picture is to be closed up round these boxes."""

    scene: Scene
    stands_for: Mapping[str, str]
    folded: frozenset[str] = frozenset()
    is_whole: bool = True
    unfolded: Scene | None = None

    def shown(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The drawn elements representing the given ids, without repeats."""
        there = {element.id for element in self.scene.elements}
        found = (self.stands_for.get(one, one) for one in ids)
        return tuple(dict.fromkeys(one for one in found if one in there))


def viewed(scene: Scene, view: View, report: Report) -> Viewed:
    """The scene of a view: frames are folded first, then elements out of focus are left out."""
    if view is not NO_VIEW:
        report_unknown(scene, view, report)
    if view.depth != View().depth and not view.focus:
        way = " Name in focus what to begin from."
        report.add(NO_EFFECT, path="/view/depth", name="'depth'", of="a view without focus", readers="focus", way=way)
    if view.page is not None and view.aspect_ratio is not None:
        report.add(FIELD_IGNORED, path="/view/aspectRatio", name="'aspectRatio'", kept="page")
    if view.shape is not None:
        scene = replace(scene, aspect_ratio=view.shape)
    if not view.collapse and not view.focus:
        return Viewed(scene, {})
    folded = _folded(scene, view.collapse)
    focus = folded.shown(view.focus)
    seen = _focused(folded.scene, focus, view.depth) if focus else folded.scene
    if len(seen.elements) == len(scene.elements):
        return folded
    # The declared canvas was for the whole.
    part = replace(seen, canvas=replace(seen.canvas, width=None, height=None))
    return replace(folded, scene=part, is_whole=False, unfolded=scene if folded.folded else None)


# --- folding ---------------------------------------------------------------------------------------------------------


def _folded(scene: Scene, collapse: Collection[str]) -> Viewed:
    containers = {element.id: element for element in scene.containers}
    node_type = family_named(scene.diagram_family).folded_type
    wished = {one for one in collapse if one in containers and containers[one].children}
    inside = {one: _content(one, containers) for one in wished}
    outermost = {one for one in wished if not any(one in held for held in inside.values())}
    stands_for = {held: one for one in outermost for held in inside[one]}
    rows: list[Element] = []
    lines: dict[tuple[str, str, str | None], list[Edge]] = {}
    for element in scene.elements:
        if element.id in outermost:
            name = _name(containers[element.id], len(inside[element.id]))
            if isinstance(element, Frame) and is_tile(element):
                rows.append(replace(element, title=name, children=()))  # its pool has no place for other content
            else:
                rows.append(_box(containers[element.id], name, node_type))
        elif isinstance(element, Edge):
            moved = _moved(element, stands_for)
            if moved is element:
                rows.append(element)
            elif moved is not None:
                alike = lines.setdefault((moved.source.element_id, moved.target.element_id, moved.label), [])
                alike.append(moved)
                if len(alike) == 1:
                    rows.append(moved)
        elif element.id not in stands_for:
            rows.append(_with_shown_target(element, stands_for))
    bundles = {bundle[0].id: bundle for bundle in lines.values() if len(bundle) > 1}
    shown = tuple(_counted(bundles[row.id]) if row.id in bundles else row for row in rows)
    constraints = _constraints(scene.constraints, {row.id for row in rows})
    stands_for |= {edge.id: first for first, bundle in bundles.items() for edge in bundle[1:]}
    made = outermost | {bundle[0].id for bundle in lines.values()}
    return Viewed(replace(scene, elements=shown, constraints=constraints), stands_for, frozenset(made))


def _content(container: str, containers: Mapping[str, Frame | Group]) -> dict[str, None]:
    """All descendants of a container; a cycle, an error in validation, is walked once."""
    found: dict[str, None] = {}
    waiting = [container]
    while waiting:
        at = containers.get(waiting.pop())
        for child in at.children if at is not None else ():
            if child not in found and child != container:
                found[child] = None
                waiting.append(child)
    return found


def _name(container: Frame | Group, count: int) -> str:
    """The name of a folded container, with the number of its elements."""
    name = container.title if isinstance(container, Frame) else container.label
    return f"{name or container.id}\n{count} element" + ("s" if count > 1 else "")


def _box(container: Frame | Group, name: str, node_type: str) -> Node:
    """The box of a folded container."""
    return Node(
        id=container.id,
        kind="node",
        name=container.name,
        style=container.style,
        style_id=container.style_id,
        z_index=container.z_index,
        locked=container.locked,
        link=container.link if isinstance(container, Frame) else None,
        tooltip=container.tooltip if isinstance(container, Frame) else None,
        extensions=container.extensions,
        node_type=node_type,
        shape=node_kind(node_type).shape,
        icon=container.icon if isinstance(container, Frame) else None,
        label=name,
        layout=_box_layout(container.layout),
    )


def _box_layout(layout: Layout) -> Layout:
    """The layout of a folded box: an authored place keeps its size, to leave the surroundings unmoved; a size without a
    place was meant for the content."""
    return layout if layout.mode == "absolute" else replace(layout, width=None, height=None)


def _moved(edge: Edge, stands_for: Mapping[str, str]) -> Edge | None:
    """The edge with its ends moved to representatives; None within a folded container."""
    source, target = _end(edge.source, stands_for), _end(edge.target, stands_for)
    if source is edge.source and target is edge.target:
        return edge
    if source.element_id == target.element_id:
        return None
    return replace(
        edge,
        source=source,
        target=target,
        waypoints=(),
        start_arrow=_marker(edge.start_arrow, edge.source, source),
        end_arrow=_marker(edge.end_arrow, edge.target, target),
    )


def _marker(marker: str | None, before: Endpoint, after: Endpoint) -> str | None:
    """The marker after a move: none for a crow's foot, which counts rows of an undrawn table."""
    return "none" if before.cardinality is not None and after is not before else marker


def _end(end: Endpoint, stands_for: Mapping[str, str]) -> Endpoint:
    """The end at its representative, without port, column and cardinality of the undrawn element."""
    box = stands_for.get(end.element_id)
    return end if box is None else Endpoint(element_id=box)


def _counted(bundle: list[Edge]) -> Edge:
    first = bundle[0]
    times = f"\N{MULTIPLICATION SIGN}{len(bundle)}"
    return replace(first, label=f"{first.label} {times}" if first.label else times)


def _with_shown_target(element: Element, stands_for: Mapping[str, str]) -> Element:
    """The element placed relative to the representative of its folded target; free if placed inside the target."""
    if not isinstance(element, Boxed) or element.layout.target not in stands_for:
        return element
    layout = element.layout
    if layout.relation == "inside":
        return replace(element, layout=Layout(mode=_AUTO, width=layout.width, height=layout.height))
    return replace(element, layout=replace(layout, target=stands_for[layout.target or ""]))


def _constraints(constraints: Iterable[Constraint], there: Collection[str]) -> tuple[Constraint, ...]:
    """The constraints limited to existing elements; a constraint without elements or without its container is
    dropped."""
    found: list[Constraint] = []
    for one in constraints:
        elements = tuple(element for element in one.elements if element in there)
        if elements and one.parameters.get("container") in (None, *there):
            found.append(one if elements == one.elements else replace(one, elements=elements))
    return tuple(found)


# --- focus -----------------------------------------------------------------------------------------------------------


def _focused(scene: Scene, focus: Iterable[str], depth: int) -> Scene:
    """The scene within `depth` edges of the focus: elements, containers with all descendants, and their ancestors."""
    containers = {element.id: element for element in scene.containers}
    edges = scene.edges
    near = _near(focus, depth, edges, containers)
    homes = {child: one.id for one in containers.values() for child in one.children}
    for one in tuple(near):
        at = homes.get(one)
        while at is not None and at not in near:
            near.add(at)
            at = homes.get(at)
    rows = tuple(_without_lost(element, near) for element in scene.elements if _is_near(element, near))
    constraints = _constraints(scene.constraints, {row.id for row in rows})
    return replace(scene, elements=rows, constraints=constraints)


def _near(focus: Iterable[str], depth: int, edges: Iterable[Edge], containers: Mapping[str, Frame | Group]) -> set[str]:
    """The ids within reach, walked line by line; the ends of a line in focus are in focus."""
    ends = {edge.id: edge.ends for edge in edges}
    neighbours: dict[str, list[str]] = {}
    for source, target in ends.values():
        neighbours.setdefault(source, []).append(target)
        neighbours.setdefault(target, []).append(source)
    near: set[str] = set()
    ring = _with_content((end for one in focus for end in ends.get(one, (one,))), containers)
    for step in range(depth + 1):
        near |= ring
        if not ring or step == depth:
            break
        far = (other for one in sorted(ring) for other in neighbours.get(one, ()) if other not in near)
        ring = _with_content(far, containers) - near
    return near


def _with_content(ids: Iterable[str], containers: Mapping[str, Frame | Group]) -> set[str]:
    rows = set(ids)
    return rows.union(*(_content(one, containers) for one in rows if one in containers))


def _is_near(element: Element, near: Collection[str]) -> bool:
    if isinstance(element, Edge):
        return element.source.element_id in near and element.target.element_id in near
    return element.id in near


def _without_lost(element: Element, near: Collection[str]) -> Element:
    if isinstance(element, Frame | Group):
        children = tuple(child for child in element.children if child in near)
        element = element if children == element.children else replace(element, children=children)
    if isinstance(element, Boxed) and element.layout.target is not None and element.layout.target not in near:
        element = replace(element, layout=Layout(mode=_AUTO, width=element.layout.width, height=element.layout.height))
    return element


# --- remarks ---------------------------------------------------------------------------------------------------------


def report_unknown(scene: Scene, view: View, report: Report) -> None:
    budget = NameBudget()
    containers = {element.id for element in scene.containers}
    every = {element.id for element in scene.elements}
    for member, ids, known, what in (
        ("collapse", view.collapse, containers, "a frame or group"),
        ("focus", view.focus, every, "an element"),
        ("crop", view.crop, every, "an element"),
    ):
        for number, one in enumerate(ids):
            if one in known:
                continue
            near = nearest(one, sorted(known), budget)
            report.add(
                VIEW_ID_NOT_FOUND,
                path=pointer("view", member, number),
                data={} if near is None else {"suggestion": near},
                id=repr(one),
                what=what,
                near="" if near is None else f" (did you mean {near!r}?)",
            )
