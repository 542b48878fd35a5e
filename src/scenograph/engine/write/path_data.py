"""A path as the text of an SVG `d` attribute (SVG 2, section 9.3): relative commands, the short forms h and v."""

from __future__ import annotations

from scenograph.engine.geometry.paths import Move, Path
from scenograph.engine.kernels.path_text import path_text


def path_data(path: Path) -> str:
    """The commands of `path`, one after the other; every coordinate is within 0.005 px of the true one."""
    return path_text(path, Move)
