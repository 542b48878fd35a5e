"""The fonts of a picture: embedded as subsets under names of their own, so that it looks the same on every machine.

A family's name in the SVG is taken from a hash of its subsets: two pictures on one page that embed different letters
never meet under one name.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from scenograph.engine.text.blocks import Font
from scenograph.engine.text.faces import ALL_FAMILIES, type_family
from scenograph.engine.text.subsets import FaceUse, faces_used, subset_font

_SALT_LENGTH = 10
_CACHED_RULES = 64
_FAMILY_OF_FACE = {face.name: family.name for family in ALL_FAMILIES.values() for face in family.faces}


class Typefaces(NamedTuple):
    """The `@font-face` rules, and the salted name of each family that has one."""

    rules: str = ""
    names: tuple[tuple[str, str], ...] = ()

    def family_list(self, family: str) -> str:
        """The `font-family` value: our subset first, then the same design by its public name, then a kind of font for
        letters that neither has."""
        known = type_family(family)
        names = (dict(self.names).get(known.name), f"'{known.css_name}'", known.css_fallback)
        return ",".join(name for name in names if name)


def embedded(runs: Iterable[tuple[str, Font]]) -> Typefaces:
    """Subsets with the letters of `runs`, as rules."""
    uses = sorted(faces_used(runs), key=_family_of)
    families = {name: tuple(group) for name, group in groupby(uses, key=_family_of)}
    drawn = {name: tuple(use for use in group if use.letters) for name, group in families.items()}
    rules = {name: _family_rules(group) for name, group in drawn.items() if group}
    names = tuple((name, salted) for name, (salted, _) in rules.items())
    return Typefaces("".join(text for _, text in rules.values()), names)


def _family_of(use: FaceUse) -> str:
    return _FAMILY_OF_FACE[use.face.name]


@lru_cache(maxsize=_CACHED_RULES)
def _family_rules(uses: tuple[FaceUse, ...]) -> tuple[str, str]:
    """The salted name of one family, and a rule for each of its files."""
    files = [subset_font(use) for use in uses]
    salted = f"sg{sha256(b''.join(files)).hexdigest()[:_SALT_LENGTH]}"
    return salted, "".join(_rule(salted, use, file) for use, file in zip(uses, files, strict=True))


def _rule(name: str, use: FaceUse, file: bytes) -> str:
    lightest, heaviest = use.weights
    weight = f"{lightest}" if lightest == heaviest else f"{lightest} {heaviest}"
    slant = "font-style:italic;" if use.face.italic else ""
    source = f"url(data:font/ttf;base64,{b64encode(file).decode('ascii')}) format('truetype')"
    return f"@font-face{{font-family:{name};font-weight:{weight};{slant}src:{source}}}"
