"""What a font file and a family of them are: the values that the tables of faces are made of."""

from __future__ import annotations

from pathlib import Path

from scenograph.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FontFace:
    """One font file. `weights` is the range it covers; `css_name` the family name inside the file; `axes` its variable
    axes; `scripts` the code points (first, last) it is taken for, all it has when empty: a font for one script often
    has a few letters of others, in a style that is not the picture's."""

    name: str
    css_name: str
    path: Path
    weights: tuple[int, int]
    italic: bool = False
    axes: tuple[str, ...] = ()
    scripts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TypeFamily:
    """What a `Font.family` means. `cap_height` and `line_height` are in em; `css_fallback` is for letters that
    no embedded face has, and for programs that load none: families of like width, at last a generic one."""

    name: str
    css_name: str
    css_fallback: str
    cap_height: float
    line_height: float
    upright: tuple[FontFace, ...]
    italic: tuple[FontFace, ...] = ()

    @property
    def faces(self) -> tuple[FontFace, ...]:
        """All files of the family."""
        return self.upright + self.italic
