"""Labels of the form `event [guard] / action` (UML state machines): three runs on one line. px.

The event stands in the label's own font, guard and action smaller and quieter, the action in italics, with a gap
between them. Where the line would be too wide, each part gets a line of its own. (R-LABEL-3)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from scenograph.engine.text.blocks import Font, Run, TextBlock, TextLine
from scenograph.engine.text.layout import lay_text, line_metrics, spaced

SEGMENT_GAP = 6.0
SMALL_SHARE = 10 / 12
"""Size of guard and action to that of the event: 10 px beside the standard 12 px."""

_ACTION_MARK = " / "
_MAX_LINE_SHARE = 2.0  # a line of parts may be this many times as wide as a wrapped label
_CACHED_LABELS = 4096


class Segment(NamedTuple):
    """A part of the label with its font and its tone."""

    text: str
    font: Font
    tone: str


def is_transition(label: str) -> bool:
    """Whether a label has balanced square brackets or a slash between spaces, and no line breaks of its own."""
    if "\n" in label:
        return False
    return _ACTION_MARK in label or _guard_span(label) is not None


@lru_cache(maxsize=_CACHED_LABELS)
def lay_transition(label: str, font: Font, max_width: float, *, line_share: float = _MAX_LINE_SHARE) -> TextBlock:
    """The parts on one line; one below the other, each wrapped at `max_width`, when that is far too wide: more than
    `line_share` times as wide."""
    segments = tuple(_segments(label, font))
    line = _joined(segments)
    if line.width <= max_width * line_share:
        lines: tuple[TextLine, ...] = (line,)
    else:
        lines = tuple(spaced(row) for segment in segments for row in _toned(segment, max_width))
    height, ascent = line_metrics(font)
    return TextBlock(lines, max(row.width for row in lines), height * len(lines), height, ascent)


def _segments(label: str, font: Font) -> Iterator[Segment]:
    small = font._replace(size=font.size * SMALL_SHARE)
    before, guard, after, action = _split(label)
    parts = ((before, font, "text"), (guard, small, "muted"), (after, font, "text"))
    yield from (Segment(*part) for part in parts if part[0])
    if action is not None:
        yield Segment(f"/ {action}".strip(), small._replace(italic=True), "muted")


def _split(label: str) -> tuple[str, str, str, str | None]:
    """Event, guard with its brackets, what of the event stands behind the guard, action: in the order in which they
    are written. None without a slash."""
    span = _guard_span(label)
    start = span[0] if span else len(label)
    before, slash, inside = label[:start].partition(_ACTION_MARK)
    if span is None or slash:  # brackets within the action are part of it
        return before.strip(), "", "", (inside + label[start:]).strip() if slash else None
    after, slash, action = f" {label[span[1] :]}".partition(_ACTION_MARK)
    return before.strip(), label[start : span[1]].strip(), after.strip(), action.strip() if slash else None


def _guard_span(label: str) -> tuple[int, int] | None:
    """From the first opening bracket to its partner; None when brackets are missing or do not balance."""
    depth, start, end = 0, -1, -1
    for at, letter in enumerate(label):
        if letter == "[":
            start = at if start < 0 else start
            depth += 1
        elif letter == "]":
            depth -= 1
            if depth == 0 and end < 0:
                end = at + 1
        if depth < 0:
            return None
    return (start, end) if depth == 0 and end > 0 else None


def _joined(segments: tuple[Segment, ...]) -> TextLine:
    runs: list[Run] = []
    x = 0.0
    for segment in segments:
        for row in _toned(segment, None):
            if runs:
                runs[-1] = runs[-1]._replace(spaced=True)
                x += SEGMENT_GAP
            runs.extend(run._replace(x=x + run.x) for run in row.runs)
            x += row.width
    return TextLine(tuple(runs), x)


def _toned(segment: Segment, max_width: float | None) -> Iterator[TextLine]:
    for line in lay_text(segment.text, segment.font, max_width).lines:
        yield TextLine(tuple(run._replace(tone=segment.tone) for run in line.runs), line.width)
