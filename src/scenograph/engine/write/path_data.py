"""A path as the text of an SVG `d` attribute (SVG 2, section 9.3): relative commands, the short forms h and v."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Close, Cubic, Move, Path
from scenograph.engine.geometry.paths import Line as LineTo
from scenograph.engine.write.decimals import hundredths, printed


def path_data(path: Path) -> str:
    """The commands of `path`, one after the other; every coordinate is within 0.005 px of the true one."""
    x = y = start_x = start_y = 0  # the pen, in hundredths
    parts: list[str] = []
    for segment in path:
        if isinstance(segment, Close):
            parts.append("z")
            x, y = start_x, start_y
            continue
        to_x, to_y = hundredths(segment.to[0]), hundredths(segment.to[1])
        if isinstance(segment, LineTo):
            parts.append(_line(to_x - x, to_y - y))
        elif isinstance(segment, Cubic):
            controls = (*_apart(segment.control1, x, y), *_apart(segment.control2, x, y))
            parts.append("c" + _joined(*controls, to_x - x, to_y - y))
        elif isinstance(segment, Move):
            parts.append("M" + _joined(to_x, to_y))
            start_x, start_y = to_x, to_y
        else:
            parts.append("q" + _joined(*_apart(segment.control, x, y), to_x - x, to_y - y))
        x, y = to_x, to_y
    return "".join(parts)


def _apart(point: Point, x: int, y: int) -> tuple[int, int]:
    return hundredths(point[0]) - x, hundredths(point[1]) - y


def _line(dx: int, dy: int) -> str:
    if dy == 0:
        return "h" + printed(dx)
    if dx == 0:
        return "v" + printed(dy)
    return "l" + _joined(dx, dy)


def _joined(*numbers: int) -> str:
    """Numbers in a row; a minus sign separates as well as a space does."""
    return " ".join(map(printed, numbers)).replace(" -", "-")
