"""Icons by key: `find`, `nearest`, `search`, `count`. Packed data and pure functions."""

from scenograph.engine.icons.icon import Icon, IconLayer, IconPaint
from scenograph.engine.icons.registry import DOCUMENT_LIMITS, Found, KnownIcons, count, find, nearest, search

__all__ = [
    "DOCUMENT_LIMITS",
    "Found",
    "Icon",
    "IconLayer",
    "IconPaint",
    "KnownIcons",
    "count",
    "find",
    "nearest",
    "search",
]
