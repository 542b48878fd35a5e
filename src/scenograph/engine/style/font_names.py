"""Author's font names to the embedded families.

A picture must look the same anywhere, so only embedded fonts are drawn; a CSS font list names the one that is nearest.
"""

from __future__ import annotations

from functools import lru_cache

from scenograph.diagnostics import FONT_SUBSTITUTED, Report
from scenograph.engine.text.faces import TYPE_FAMILIES
from scenograph.scene.json_values import shown
from scenograph.scene.model import Scene

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
_CACHED_NAMES = 256  # CSS lists kept resolved


# Words of CSS for a kind of font (CSS Fonts 4, section 2.1.2), and the families that stand for them.
_GENERIC = {
    "sans-serif": "sans",
    "serif": "sans",
    "system-ui": "sans",
    "ui-sans-serif": "sans",
    "ui-serif": "sans",
    "monospace": "mono",
    "ui-monospace": "mono",
    "cursive": "hand",
    "fantasy": "hand",
}
_OWN = {family.css_name.lower(): name for name, family in TYPE_FAMILIES.items()}
_KNOWN = {**_GENERIC, **_OWN, **{name: name for name in TYPE_FAMILIES}}


@lru_cache(maxsize=_CACHED_NAMES)
def embedded_family(font_family: str) -> str:
    """The key of TYPE_FAMILIES for a `fontFamily` value, which may be a CSS list: the first family that is embedded or
    a generic word; where there is none, the one whose character a name of the list tells, else sans."""
    names = _names(font_family)
    found = next((_KNOWN[name] for name in names if name in _KNOWN), None)
    return found or next((family for name in names for word, family in _WORDS if word in name), "sans")


def report_substituted(scene: Scene, report: Report) -> None:
    """One remark for each element whose own style asks for nothing that is embedded."""
    for element in scene.elements:
        style = element.style or scene.styles.get(element.style_id or "")
        asked = style.font_family if style is not None else None
        if asked and not any(name in _KNOWN for name in _names(asked)):
            used = TYPE_FAMILIES[embedded_family(asked)].css_name
            data = {"asked": asked, "used": used}
            report.add(FONT_SUBSTITUTED, element_id=element.id, data=data, asked=shown(asked), used=used)


def _names(font_family: str) -> list[str]:
    return [name.strip().strip("'\"").lower() for name in font_family.split(",")]
