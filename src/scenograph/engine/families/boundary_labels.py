"""The labels of events on the border of an activity: beside the line that leaves the event, outside the activity.

In: a scene, its natural sizes. Out: the sizes; an event that sits on a border says by its part `label` where its label
stands. Others keep theirs below. px. (BPMN 2.0, 10.4.4)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

from scenograph.engine.families.family import LayAnew
from scenograph.engine.families.process_roles import activity_box, event_box, sits_on
from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.tables import Size, Sizes
from scenograph.scene.model import Node, Scene

ASIDE = 6.0  # from the middle of the event, where its line leaves, to the label
AWAY = 3.0  # from the event to the label
BARRING = 2_000.0
_ROUND = "ellipse"


def labels_off_borders(scene: Scene, sizes: Sizes, _lay: LayAnew) -> Sizes:
    """All sizes, those of events on borders with their labels moved."""
    activities = [box for row in scene.elements if (box := activity_box(row)) is not None]
    nodes = [row for row in scene.elements if isinstance(row, Node)]
    standing = {row.id: box for row in nodes if (box := _given_box(row, sizes)) is not None}
    moved: dict[str, Size] = {}
    for event in nodes if activities else ():
        box, size = event_box(event), sizes.get(event.id)
        hosts = [one for one in activities if sits_on(event, one)]
        if box is not None and size is not None and size.label is not None and event.shape == _ROUND and hosts:
            others = [one for node_id, one in standing.items() if node_id != event.id]
            moved[event.id] = _moved(size, box, hosts[0], others)
    return {**sizes, **moved}


def _given_box(node: Node, sizes: Sizes) -> Box | None:
    layout, size = node.layout, sizes.get(node.id)
    if layout.mode != "absolute" or layout.x is None or layout.y is None or size is None:
        return None
    return Box(layout.x, layout.y, size.width, size.height)


def _moved(size: Size, event: Box, host: Box, others: Sequence[Box]) -> Size:
    """The label in the freest of its places, the first among equals."""
    place = min(_places(size, event, host), key=lambda spot: _covered(spot, [host, *others]) + _barring(spot, event))
    reach = Outset(
        max(0.0, event.y - place.y),
        max(0.0, place.right - event.right),
        max(0.0, place.bottom - event.bottom),
        max(0.0, event.x - place.x),
    )
    part = place.moved(-event.x, -event.y)
    return size._replace(outset=reach, parts={**size.parts, "label": part})


def _places(size: Size, event: Box, host: Box) -> Iterator[Box]:
    """Beyond the border that the event sits on, on both sides of the line that leaves it straight; below comes last."""
    width, height = (size.label.width, size.label.height) if size.label is not None else (0.0, 0.0)
    middle = event.center
    left, right = middle.x - ASIDE - width, middle.x + ASIDE
    distances = {
        "bottom": abs(host.bottom - middle.y),
        "top": abs(host.y - middle.y),
        "right": abs(host.right - middle.x),
        "left": abs(host.x - middle.x),
    }
    side = min(distances, key=lambda name: distances[name])
    if side in {"bottom", "top"}:
        y = event.bottom + AWAY if side == "bottom" else event.y - AWAY - height
        yield Box(left, y, width, height)
        yield Box(right, y, width, height)
    else:
        x = event.right + AWAY if side == "right" else event.x - AWAY - width
        yield Box(x, middle.y + ASIDE, width, height)
        yield Box(x, middle.y - ASIDE - height, width, height)
    yield Box(middle.x - width / 2, event.bottom + AWAY, width, height)


def _barring(spot: Box, event: Box) -> float:
    """What it costs to stand in the way of a line that leaves the event straight, px²."""
    return BARRING if spot.x < event.center.x < spot.right else 0.0


def _covered(spot: Box, others: Sequence[Box]) -> float:
    return fsum(_shared(spot, other) for other in others)


def _shared(one: Box, other: Box) -> float:
    """The area that both cover."""
    width = min(one.right, other.right) - max(one.x, other.x)
    height = min(one.bottom, other.bottom) - max(one.y, other.y)
    return max(0.0, width) * max(0.0, height)
