"""Colour arithmetic: luminance, contrast, layers, readable text. Channels 0 to 255, alpha 0 to 1."""

from __future__ import annotations

from functools import lru_cache

from scenograph.scene.model import Color

TRANSPARENT = Color(0.0, 0.0, 0.0, 0.0)
WHITE = Color(255.0, 255.0, 255.0)
BLACK = Color(0.0, 0.0, 0.0)

DARK_LUMINANCE = 102.0
"""Backgrounds of lower perceived luminance are dark (R-THEME-2)."""
READABLE_CONTRAST = 4.5
"""Contrast of text to the ground (WCAG 2.2, success criterion 1.4.3)."""
SEEN_CONTRAST = 3.0
"""Contrast of a line to the ground beneath (WCAG 2.2, success criterion 1.4.11)."""

_CACHED = 2048
_STEPS = 20  # from a colour to an ink


def hex_color(text: str, alpha: float = 1.0) -> Color:
    """`#rrggbb` as a colour; for the tables of this package."""
    red, green, blue = (float(int(text[i : i + 2], 16)) for i in (1, 3, 5))
    return Color(red, green, blue, alpha)


def over(top: Color, bottom: Color) -> Color:
    """The visible colour of `top` over an opaque `bottom`."""
    if top.alpha >= 1:
        return top
    return mix(bottom, top, max(top.alpha, 0.0))


def mix(first: Color, second: Color, share: float) -> Color:
    """An opaque colour `share` of the way from `first` to `second`."""
    return Color(
        first.red + (second.red - first.red) * share,
        first.green + (second.green - first.green) * share,
        first.blue + (second.blue - first.blue) * share,
    )


def perceived_luminance(color: Color) -> float:
    """0 to 255, by the weights of ITU-R BT.601."""
    return (299 * color.red + 587 * color.green + 114 * color.blue) / 1000


def is_dark(color: Color) -> bool:
    """Whether a background asks for light text; a transparent background never does."""
    return color.alpha > 0 and perceived_luminance(over(color, WHITE)) < DARK_LUMINANCE


def is_default_equivalent(color: Color) -> bool:
    """White, opaque or wholly transparent: counts as no fill at all in R-ICON-4 and R-THEME-6."""
    return color[:3] == WHITE[:3] and color.alpha in (0, 1)


@lru_cache(maxsize=_CACHED)
def contrast(first: Color, second: Color) -> float:
    """The contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted((_relative_luminance(first), _relative_luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=_CACHED)
def readable(candidates: tuple[Color, ...], ground: Color) -> Color:
    """The first candidate legible on `ground`; without one, black or white, whichever contrasts more."""
    passing = (color for color in candidates if contrast(over(color, ground), ground) >= READABLE_CONTRAST)
    return next(passing, None) or max((BLACK, WHITE), key=lambda color: contrast(color, ground))


@lru_cache(maxsize=_CACHED)
def seen(candidates: tuple[Color, ...], grounds: tuple[Color, ...]) -> Color:
    """The first candidate visible as a stroke on every ground; without one, the candidate with the greatest least
    contrast."""

    def least(color: Color) -> float:
        return min(contrast(over(color, ground), ground) for ground in grounds)

    return next((color for color in candidates if least(color) >= SEEN_CONTRAST), None) or max(candidates, key=least)


def toward(color: Color, ink: Color, grounds: tuple[Color, ...], least: float) -> Color:
    """The colour moved toward `ink` by as little as gives it the least contrast on every ground."""
    steps = (mix(color, ink, step / _STEPS) for step in range(_STEPS))
    return next((one for one in steps if min(contrast(one, ground) for ground in grounds) >= least), ink)


def _relative_luminance(color: Color) -> float:
    red, green, blue = (_linear(channel / 255) for channel in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
