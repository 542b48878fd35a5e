"""Texts and pictures as other programs take them."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Sequence
from itertools import pairwise

from scenograph.engine.colors import TRANSPARENT
from scenograph.engine.drawing import (
    Drawing,
    DrawnGroup,
    LinearGradient,
    Paint,
    PathItem,
    PictureItem,
    RadialGradient,
    TextItem,
    TextRun,
)
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.icons.icon import moved
from scenograph.engine.write.svg import write_svg

# Drawn text read back as lines, for programs that set text themselves. px.


_SAME_LINE = 1.0
_GAP = 2.0  # between runs of a line: a wider one is a space


def lines_of(runs: Sequence[TextRun]) -> list[list[TextRun]]:
    """The runs grouped by line."""
    lines: list[list[TextRun]] = []
    for run in runs:
        if lines and abs(lines[-1][0].at.y - run.at.y) < _SAME_LINE:
            lines[-1].append(run)
        else:
            lines.append([run])
    return lines


def joined(line: Sequence[TextRun]) -> str:
    """The words of a line, with a space in each gap."""
    words = line[0].text
    for before, run in pairwise(line):
        right_to_left = before.right_to_left and run.right_to_left
        left, right = (run, before) if right_to_left else (before, run)
        words += (" " if right.at.x - left.at.x - left.width > _GAP else "") + run.text
    return words


def gaps(lines: Sequence[str], said: str) -> list[str]:
    """The authored white space between adjacent lines: line breaks for authored breaks, a space for a break of the
    layout at white space, nothing for a break within a word. Lines apart from the text `said` are authored breaks."""
    found: list[str] = []
    rest = said
    for line in lines[:-1]:
        rest = _after(line, rest)
        gap = rest[: len(rest) - len(rest.lstrip())]
        found.append("\n" * max(gap.count("\n"), 1) if gap == rest or "\n" in gap else gap[:1] and " ")
    return found


def _after(line: str, said: str) -> str:
    """The rest of a text after a line; empty if the text does not begin with the line."""
    at = 0
    for letter in "".join(line.split()):
        while said[at : at + 1].isspace():
            at += 1
        if said[at : at + 1] != letter:
            return ""
        at += 1
    return said[at:]


# Drawn text for programs with their own text layout: lines read back from runs, and the box of turned text. px.


_CAPITALS = 0.35  # em: the height of a line's middle above its baseline


def box_of_lines(lines: Sequence[Sequence[TextRun]], rows: int, line_height: float) -> tuple[Box, float]:
    """The box of upright lines, and the distance of their baselines, px. `rows` counts blank lines as well;
    `line_height`, in em, is the height of a single line."""
    first, last = lines[0][0], lines[-1][0]
    size = first.font.size
    pitch = (last.at.y - first.at.y) / (rows - 1) if rows > 1 else line_height * size
    left = min(run.at.x for line in lines for run in line)
    right = max(run.at.x + run.width for line in lines for run in line)
    return Box(left, first.at.y - _CAPITALS * size - pitch / 2, right - left, pitch * rows), pitch


# The place of rotated text in programs that rotate an element about its own middle. px.


def before_turning(box: Box, item: TextItem) -> Box:
    """The upright box that, turned about its own middle, covers the place of `box` turned about the item's pivot."""
    angle, pivot, center = math.radians(item.turn), item.pivot, box.center
    dx, dy = center.x - pivot.x, center.y - pivot.y
    x = pivot.x + dx * math.cos(angle) - dy * math.sin(angle)
    y = pivot.y + dx * math.sin(angle) + dy * math.cos(angle)
    return box.moved(x - center.x, y - center.y)


# Pictures inside a file of another program: rasters unchanged, icons and symbols as small SVG files. px.

Crop = dict[str, float]
_SVG = "image/svg+xml"


def vector_url(items: Sequence[PathItem]) -> tuple[str, Box] | None:
    """Paths as a transparent SVG picture with its box; equal symbols give equal pictures at any place."""
    box = union(box for item in items if (box := path_bounds(item)) is not None)
    if box is None or box.width <= 0 or box.height <= 0:
        return None
    there = tuple(_shifted(item, -box.x, -box.y) for item in items)
    page = Box(0.0, 0.0, box.width, box.height)
    group = DrawnGroup(id="", kind="icon", items=there)
    svg = write_svg(Drawing(page=page, background=TRANSPARENT, groups=(group,), title="Icon"))
    return _data_url(_SVG, b64encode(svg.encode()).decode("ascii")), box


def raster(item: PictureItem) -> tuple[str, Box, Crop | None]:
    """The data URL of a raster, the box it fills, and the visible part (None: all)."""
    url = _data_url(item.mime_type, item.data)
    width, height = item.pixels
    if item.fit == "stretch" or not width or not height:
        return url, item.box, None
    scales = item.box.width / width, item.box.height / height
    if item.fit == "cover" and max(scales) > 0:
        seen = item.box.width / max(scales), item.box.height / max(scales)
        crop = {"x": (width - seen[0]) / 2, "y": (height - seen[1]) / 2, "width": seen[0], "height": seen[1]}
        return url, item.box, {**crop, "naturalWidth": width, "naturalHeight": height}
    shown = width * min(scales), height * min(scales)
    center = item.box.center
    return url, Box(center.x - shown[0] / 2, center.y - shown[1] / 2, *shown), None


def _data_url(mime_type: str, data: str) -> str:
    return f"data:{mime_type};base64,{data}"


def path_bounds(item: PathItem) -> Box | None:
    """The box of a path including half its stroke width, px; None for an empty path."""
    box = union(Box(point.x, point.y, 0.0, 0.0) for chain in flatten(item.path) for point in chain)
    return box.grown(item.stroke_width / 2) if box is not None and item.stroke is not None else box


def _shifted(item: PathItem, dx: float, dy: float) -> PathItem:
    def there(point: Point) -> Point:
        # Rounded, to hide remainders of the original place in the digits.
        return Point(round(point.x + dx, 3), round(point.y + dy, 3))

    def paint(of: Paint | None) -> Paint | None:
        match of:
            case LinearGradient():
                return of._replace(start=there(of.start), end=there(of.end))
            case RadialGradient():
                return of._replace(center=there(of.center))
            case _:
                return of

    path = tuple(moved(segment, there) for segment in item.path)
    return item._replace(path=path, fill=paint(item.fill), stroke=paint(item.stroke))
