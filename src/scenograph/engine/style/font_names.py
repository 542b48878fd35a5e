"""Author's font names to the embedded families.

A picture must look the same anywhere, so only embedded fonts are drawn; a CSS font list names the one that is nearest.
"""

from __future__ import annotations

from functools import lru_cache

from scenograph.engine.text.faces import TYPE_FAMILIES

_WORDS: tuple[tuple[str, str], ...] = (
    # a word within a font's name, and the family whose character it has; the first word found decides
    ("mono", "mono"),
    ("courier", "mono"),
    ("consolas", "mono"),
    ("menlo", "mono"),
    ("monaco", "mono"),
    ("code", "mono"),
    ("typewriter", "mono"),
    ("kalam", "hand"),
    ("hand", "hand"),
    ("comic", "hand"),
    ("cursive", "hand"),
    ("script", "hand"),
    ("virgil", "hand"),
    ("excalifont", "hand"),
    ("caveat", "hand"),
    ("marker", "hand"),
    ("chalk", "hand"),
    ("sketch", "hand"),
)
_CACHED_NAMES = 256


@lru_cache(maxsize=_CACHED_NAMES)
def embedded_family(font_family: str) -> str:
    """The key of TYPE_FAMILIES for a `fontFamily` value; sans when no name in the list says otherwise."""
    names = [name.strip().strip("'\"").lower() for name in font_family.split(",")]
    for name in names:
        if name in TYPE_FAMILIES:
            return name
        family = next((family for word, family in _WORDS if word in name), None)
        if family is not None:
            return family
    return "sans"
