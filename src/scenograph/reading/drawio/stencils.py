"""Stencils of draw.io's libraries as icons and devices: the name is taken apart, looked for in the icon set of its
vendor, then among plain words. (R-IN-5)"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scenograph.reading.drawio.stencil_names import (
    ALIASES,
    BOXES,
    ENDINGS,
    KINDS,
    LIBRARIES,
    LINE_WORDS,
    LINES,
    PICTURED,
    STEMS,
    UNKNOWN,
    UNSEEN,
)
from scenograph.scene.limits import IconRegistry

_HEAD = "mxgraph."
_IMAGES = re.compile(r"(?:^|/)(?:img/lib|stencils)/([\w-]+)/(?:.*/)?([^/]+)\.\w+$")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIZE = re.compile(r"_\d+x\d+$")
LONGEST_NAME = 200  # characters of a name compared
MOST_WORDS = 10  # of a name
MOST_NAMES = 500  # different names on a page
_PICTOGRAMS, _BRANDS = "lucide", "simple"


class Stencil(NamedTuple):
    """The equivalent of a cell's picture. `key` is an icon, or a node type if without a colon; empty for a bare box.
    `is_known` is False for a stand-in of an unknown picture."""

    key: str
    is_known: bool = True
    is_box: bool = False

    @property
    def is_icon(self) -> bool:
        """Whether the key is an icon."""
        return ":" in self.key


class Stencils:
    """The stencils of a page. Each name is looked for once, and no more of them than a page has in earnest."""

    def __init__(self, icons: IconRegistry | None) -> None:
        self._icons = icons
        self._known: dict[tuple[str, str], str | None] = {}

    def knows(self, key: str) -> bool:
        """Whether the icon exists."""
        return self._icons is not None and self._icons.knows(key)

    def named(self, style: Mapping[str, str], label: str) -> Stencil | None:
        """The stencil of a style; None for a plain shape. An unavailable picture is identified by a product name in its
        label."""
        named = _named(style)
        if named is None:
            return Stencil(self._product(label) or UNSEEN, is_known=False) if _is_unseen(style) else None
        library, full, picture = named
        words = _words(full)
        key = self._key(LIBRARIES[library], _words(picture) if picture else words)
        if "-".join(words) in BOXES or words[:1] == ["group"]:
            return Stencil(key or "", is_box=True)
        return Stencil(key) if key else Stencil(UNKNOWN, is_known=False)

    def _key(self, prefix: str, words: list[str]) -> str | None:
        asked = (prefix, "-".join(words))
        if asked not in self._known and len(self._known) < MOST_NAMES:
            self._known[asked] = self._found(prefix, words)
        return self._known.get(asked)

    def _found(self, prefix: str, words: list[str]) -> str | None:
        """The icon or node type for a name, the vendor's own first; "" for a name without an equivalent."""
        for name in _spellings(words):
            known = ALIASES.get(f"{prefix}:{name}")
            if known is not None:
                return known
            for own in (name, *(f"{stem}-{name}" for stem in STEMS.get(prefix, ()))) if prefix else ():
                if self.knows(f"{prefix}:{own}"):
                    return f"{prefix}:{own}"
        return self._by_words(words)

    def _by_words(self, words: list[str]) -> str | None:
        """The match by the whole name, then by pairs of words, then by single words, the last first, as the kind of
        thing."""
        plain = [word for word in words if not word.isdigit()]
        wholes = list(dict.fromkeys(("-".join(words), "-".join(plain))))
        pairs = ["-".join(plain[at : at + 2]) for at in range(len(plain) - 2, -1, -1)]
        for name in (*wholes, *pairs, *reversed(plain)):
            if name in KINDS:
                return KINDS[name]
            for prefix in (_PICTOGRAMS, _BRANDS) if name in wholes else (_PICTOGRAMS,):
                if name and self.knows(f"{prefix}:{name}"):
                    return f"{prefix}:{name}"
        return None

    def _product(self, label: str) -> str | None:
        """The icon of the product named by a label in all its lines, or in the last."""
        lines = label[:LONGEST_NAME].split("\n")
        for text in dict.fromkeys((" ".join(lines), lines[-1])):
            asked = ("", f"label {text}")
            if asked not in self._known and len(self._known) < MOST_NAMES:
                self._known[asked] = self._icons.product(text) if self._icons is not None else None
            if self._known.get(asked):
                return self._known[asked]
        return None


def is_line(style: Mapping[str, str]) -> bool:
    """Whether a stencil is an arrow or a line."""
    named = _named(style)
    words = _words(named[1]) if named is not None and named[0] in LINES else []
    return any("-".join(words[-count:]) in LINE_WORDS for count in (1, 2))


def _named(style: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Library, name, and the name of the inner pictogram."""
    shape = style.get("shape", "")
    if shape.startswith(_HEAD):
        library, _, rest = shape.removeprefix(_HEAD)[:LONGEST_NAME].partition(".")
        picture = next((style[name] for name in PICTURED if style.get(name, "none") != "none"), "")
        return (library, rest.rpartition(".")[2], picture.rpartition(".")[2]) if library in LIBRARIES else None
    at = _IMAGES.search(style.get("image", "")[:LONGEST_NAME])
    return (at[1], _SIZE.sub("", at[2]), "") if at is not None and at[1] in LIBRARIES else None


def _is_unseen(style: Mapping[str, str]) -> bool:
    """Whether a cell consists of an external picture, or of vectors."""
    return bool(style.get("image")) and style.get("shape", "image") == "image" and "label" not in style


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name[:LONGEST_NAME])[:MOST_WORDS]]


def _spellings(words: list[str]) -> Iterator[str]:
    """A name, then without its version, without endings, and without the library's own "group" prefix."""
    kept = list(words)
    while kept:
        yield "-".join(kept)
        if not (kept[-1].isdigit() or kept[-1] in ENDINGS):
            break
        kept.pop()
    if kept[:1] == ["group"]:
        yield "-".join(kept[1:])
