"""Affine maps of points and paths, as SVG writes them: x' = a·x + c·y + e, y' = b·x + d·y + f."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Path
from scenograph.engine.icons.icon import moved

_CALL = re.compile(r"(\w+)\s*\(([^)]*)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_SIMILAR = 1e-3


class Affine(NamedTuple):
    """The six numbers of an SVG matrix."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def after(self, first: Affine) -> Affine:
        """The map that applies `first`, then this one."""
        return Affine(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            self.a * first.e + self.c * first.f + self.e,
            self.b * first.e + self.d * first.f + self.f,
        )

    def point(self, p: Point) -> Point:
        """Where a point lands."""
        return Point(self.a * p.x + self.c * p.y + self.e, self.b * p.x + self.d * p.y + self.f)

    def path(self, path: Path) -> Path:
        """Where a path lands."""
        return tuple(moved(segment, self.point) for segment in path)

    @property
    def scale(self) -> float:
        """How much longer lengths become. ValueError when that depends on the direction."""
        across, down = math.hypot(self.a, self.b), math.hypot(self.c, self.d)
        skewed = abs(self.a * self.c + self.b * self.d) > _SIMILAR * across * down
        if skewed or abs(across - down) > _SIMILAR * max(across, down):
            raise ValueError("a stroke under a transform that is not a similarity")
        return math.sqrt(across * down)


IDENTITY = Affine()


def _translate(x: float, y: float = 0.0) -> Affine:
    return Affine(e=x, f=y)


def _scale(x: float, y: float | None = None) -> Affine:
    return Affine(a=x, d=x if y is None else y)


def _rotate(degrees: float, x: float = 0.0, y: float = 0.0) -> Affine:
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    return _translate(x, y).after(Affine(cos, sin, -sin, cos)).after(_translate(-x, -y))


def _skew_x(degrees: float) -> Affine:
    return Affine(c=math.tan(math.radians(degrees)))


def _skew_y(degrees: float) -> Affine:
    return Affine(b=math.tan(math.radians(degrees)))


TRANSFORMS: dict[str, Callable[..., Affine]] = {
    "matrix": Affine,
    "translate": _translate,
    "scale": _scale,
    "rotate": _rotate,
    "skewX": _skew_x,
    "skewY": _skew_y,
}


def read_transform(text: str | None) -> Affine:
    """The map of a `transform` attribute (SVG 2, section 8.5); ValueError on an unknown function."""
    whole = IDENTITY
    for name, arguments in _CALL.findall(text or ""):
        if name not in TRANSFORMS:
            raise ValueError(f"unknown transform {name}")
        whole = whole.after(TRANSFORMS[name](*map(float, _NUMBER.findall(arguments))))
    return whole
