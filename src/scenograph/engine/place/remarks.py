"""Remarks on a finished placement: given boxes missed, frames too small for their content or title.

In: scene and placement. Out: entries in the report, in document order. Rules R-PLACE-21, R-FRAME-2, R-FRAME-3.
"""

from __future__ import annotations

from math import ceil
from typing import cast

from scenograph.diagnostics import FRAME_OVERFULL, GIVEN_BOX_MISSED, Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.constraints.kinds import MEMBERS, equal_sizes
from scenograph.engine.place.containers.frames import TITLE_GAP, UPRIGHT_LANES
from scenograph.engine.tables import Placement, Sizes
from scenograph.engine.text.layout import report_overflow
from scenograph.scene.model import Boxed, Frame, Scene

GIVEN_SLACK = 1.0  # px between a given box and the placed one, untold
TOLD = 20  # ids in a remark
_SLACK = 0.5  # a part of a line that is not seen


def report_missed(scene: Scene, placement: Placement, report: Report) -> None:
    """Report the elements that stand elsewhere, or are of another size, than their layout gives (R-PLACE-21).
    Constraints are wishes too: the position of their elements is theirs, and of `sameSize` the size."""
    constrained_ids = {one for constraint in scene.constraints for one in constraint.elements}
    sized = equal_sizes(scene.constraints)
    missed: list[tuple[Boxed, Box]] = []
    for element in scene.elements:
        layout = element.layout if isinstance(element, Boxed) else None
        if layout is None or (layout.mode != "absolute" and layout.width is None and layout.height is None):
            continue
        box = placement.boxes.get(element.id)
        if box is None:
            continue
        got = (box.x, box.y, box.width, box.height)
        is_free = layout.mode != "absolute" or element.id in constrained_ids
        size = [None if (element.id, name) in sized else getattr(layout, name) for name in MEMBERS.values()]
        asked = (None if is_free else layout.x, None if is_free else layout.y, *size)
        if any(one is not None and abs(one - other) > GIVEN_SLACK for one, other in zip(asked, got, strict=True)):
            missed.append((cast("Boxed", element), box))
    if missed:
        first, box = missed[0]
        report.add(
            GIVEN_BOX_MISSED,
            path="/elements",
            data={"elementIds": [one.id for one, _ in missed[:TOLD]]},
            count=len(missed),
            id=first.id,
            box=f"{box.width:g} x {box.height:g} px at {box.x:g}, {box.y:g}",
        )


def report_overfull(scene: Scene, placement: Placement, report: Report) -> None:
    """Report the frames with a given box too small for engine-placed children (R-FRAME-2)."""
    free = {one.id for one in scene.elements if isinstance(one, Boxed) and one.layout.mode != "absolute"}
    left: dict[str, str] = {}
    for frame in scene.elements:
        box = placement.boxes.get(frame.id) if isinstance(frame, Frame) else None
        if box is None or cast("Frame", frame).layout.mode != "absolute":
            continue
        room = box.grown(GIVEN_SLACK)
        for child in cast("Frame", frame).children:
            inside = placement.boxes.get(child)
            if inside is not None and child in free and not room.contains(inside):
                left.setdefault(frame.id, child)
    if left:
        first, child = next(iter(left.items()))
        report.add(
            FRAME_OVERFULL,
            path="/elements",
            data={"elementIds": list(left)[:TOLD]},
            count=len(left),
            id=first,
            child=child,
        )


def report_titles(scene: Scene, sizes: Sizes, placement: Placement, report: Report) -> None:
    """Report TEXT_OVERFLOW of frames' titles, in document order."""
    for element in scene.elements:
        if not isinstance(element, Frame) or not element.visible:
            continue
        title, label = placement.part(element.id, "title"), sizes[element.id].label
        if title is not None and label is not None:
            several = len(label.lines) > 1
            required, available = _heights(element, title, placement, several=several)
            report_overflow(report, element.id, required, available)


def _heights(frame: Frame, title: Box, placement: Placement, *, several: bool) -> tuple[float, float]:
    """The height needed by a title, and the available height."""
    header, box = placement.part(frame.id, "header"), placement.boxes[frame.id]
    if header is not None:
        if frame.lane_direction != UPRIGHT_LANES:
            return title.height, header.height
        return title.height * _lines(title.width, header.width), header.height
    lines = _lines(title.width, box.right - max(title.x, box.x))
    if lines > 1:
        return title.height * lines, title.height  # it stands out at the side, and no room was kept for more lines
    gap = TITLE_GAP if several else 0.0  # the further lines would stand on the content
    return title.height, box.bottom - title.y - gap


def _lines(width: float, room: float) -> int:
    """The number of lines a text of this width fills, at least 1."""
    return max(1, ceil((width - _SLACK) / max(room, 1.0)))
