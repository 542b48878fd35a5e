"""Names and numeric limits shared by the service, its clients and its surfaces."""

from __future__ import annotations

from math import ceil

FAMILY_NAMES = ("architecture", "workflow", "entityRelationship", "sequence", "network", "orgchart", "uiflow")
"""The diagram families, the default first; their meaning is defined in `engine/families/`."""

THEME_NAMES = ("clean", "dark", "blueprint", "sketch")
"""The themes, the default first; their looks are defined in `engine/themes.py`."""

GRANTABLE_ROLES = ("viewer", "commenter", "editor")
"""The roles on a shared scene; each includes those before it."""

# The form of a scene's id (R-ID-2).

RESERVED = ("render", "validate", "normalize")
FORM = r"[A-Za-z0-9][A-Za-z0-9._~:-]{0,127}"
PATTERN = rf"^(?!(?:{'|'.join(RESERVED)})$){FORM}$"

# Numeric limits shared by the service, its clients and its surfaces. R-LIMIT-1.

MAX_REVISION = 2**53 - 1  # the largest integer that every JSON reader keeps exact
OPERATIONS = 1_000  # of a batch
TITLE_LENGTH = 500  # characters, as for all lengths here
MESSAGE_LENGTH = 500
PROBLEM_LENGTH = 500
SOURCE_NAME_LENGTH = 200
KEY_NAME_LENGTH = 100
COMMENT_LENGTH = 4_000
COMMENT_COORDINATE = 1_000_000  # px from the origin, either way
SELECTED = 50  # ids told of a selection
TAB_LENGTH = 40
EMAIL_LENGTH = 254  # RFC 5321, 4.5.3.1.3
ICON_QUERY_LENGTH = 128
SEARCH_LENGTH = 200  # of titles and ids
SOURCE_BYTES = 1 << 20
MIN_SCALE, MAX_SCALE = 0.1, 8.0

# How many pixels a PNG may have, and what to tell who asked for more. Imports next to nothing, for the command line's
# sake.

MAX_PIXELS = 64_000_000  # R-LIMIT-1; unless the operator sets another figure


def too_large(width: float, height: float, pixels: int, most: int = MAX_PIXELS) -> str:
    """The message for a PNG of `pixels` beyond the limit `most`; the page is `width` x `height` px."""
    hundredths = int((most / (width * height)) ** 0.5 * 100)
    # Columns and rows are whole: both rounded up can be a little more than the page has.
    while round(width * hundredths / 100) * round(height * hundredths / 100) > most:
        hundredths -= 1
    fitting = hundredths / 100
    advice = f"use a scale of at most {fitting:g}" if fitting >= MIN_SCALE else "ask for svg"
    return f"The picture would have {ceil(pixels / 1e6)} megapixels; at most {most / 1e6:g} are made: {advice}."
