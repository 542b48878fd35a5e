"""The corners of right-angled lines: which of them are needed, and where they go when runs move. px."""

from __future__ import annotations

from scenograph.engine.kernels.runs import SAME, Corners, Line, Place, Run


def needed_corners(points: Corners) -> list[int]:
    """The places of the fewest corners that draw the same line: none twice, none on a straight stretch, no spike (out
    and back on one line). All of them where nothing would be left of the line."""
    kept: list[int] = []
    for number in range(len(points)):
        kept.append(number)
        while len(kept) > 1 and _shrinks(kept, points):
            pass
    if len(kept) > 2 or (len(kept) > 1 and points[kept[0]] != points[kept[1]]):
        return kept
    return list(range(len(points)))


def _shrinks(kept: list[int], points: Corners) -> bool:
    """Drop one needless corner near the end of the list, if there is one."""
    a, b = points[kept[-2]], points[kept[-1]]
    is_upright, is_level = abs(a[0] - b[0]) <= SAME, abs(a[1] - b[1]) <= SAME
    if is_upright and is_level:
        kept.pop()
        return True
    if len(kept) < 3:
        return False
    before = points[kept[-3]]
    if (is_upright and abs(before[0] - a[0]) <= SAME) or (is_level and abs(before[1] - a[1]) <= SAME):
        del kept[-2]
        return True
    return False


def move(lines: list[Line], places: list[tuple[Run, float]], across: int) -> list[int]:
    """Put runs at new coordinates; their neighbours follow. The numbers of the lines that changed."""
    moved: dict[int, list[Place]] = {}
    for run, position in places:
        if position != run.position:
            points = moved.get(run.draft)
            if points is None:
                points = moved[run.draft] = list(lines[run.draft].points)
            for number in (run.index, run.index + 1):
                x, y = points[number]
                points[number] = (x, position) if across else (position, y)
    for draft, points in moved.items():
        corners = tuple(points)
        lines[draft].points = tuple([corners[number] for number in needed_corners(corners)])
    return list(moved)
