"""A path as the text of an SVG `d` attribute (SVG 2, section 9.3): relative commands, the short forms h and v."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Close, Move, Path, Quadratic, Segment
from scenograph.engine.geometry.paths import Line as LineTo
from scenograph.engine.write.decimals import hundredths, printed

Place = tuple[int, int]  # hundredths of a px
_ORIGIN: Place = (0, 0)


def path_data(path: Path) -> str:
    """The commands of `path`, one after the other; every coordinate is within 0.005 px of the true one."""
    at = start = _ORIGIN
    parts: list[str] = []
    for segment in path:
        if isinstance(segment, Close):
            parts.append("z")
            at = start
            continue
        goal = _place(segment.to)
        parts.append(_command(segment, at, goal))
        at = goal
        if isinstance(segment, Move):
            start = goal
    return "".join(parts)


def _place(point: Point) -> Place:
    return hundredths(point.x), hundredths(point.y)


def _command(segment: Segment, at: Place, goal: Place) -> str:
    match segment:
        case Move():
            return "M" + _joined(goal)
        case LineTo():
            return _line(goal[0] - at[0], goal[1] - at[1])
        case Quadratic():
            return "q" + _joined(_apart(at, segment.control) + _apart(at, segment.to))
        case Close():
            return "z"
        case _:
            controls = _apart(at, segment.control1) + _apart(at, segment.control2)
            return "c" + _joined(controls + _apart(at, segment.to))


def _apart(at: Place, point: Point) -> tuple[int, ...]:
    x, y = _place(point)
    return (x - at[0], y - at[1])


def _line(dx: int, dy: int) -> str:
    if dy == 0:
        return "h" + printed(dx)
    if dx == 0:
        return "v" + printed(dy)
    return "l" + _joined((dx, dy))


def _joined(numbers: tuple[int, ...]) -> str:
    """Numbers in a row; a minus sign separates as well as a space does."""
    first, *rest = map(printed, numbers)
    return first + "".join(word if word[0] == "-" else " " + word for word in rest)
