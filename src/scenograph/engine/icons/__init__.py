"""Icons by key: `find`, `nearest`, `search`, `count`. Packed data and pure functions."""

from scenograph.engine.icons.icon import Icon, IconLayer, IconPaint
from scenograph.engine.icons.known import DOCUMENT_LIMITS, KnownIcons
from scenograph.engine.icons.matching import Found, nearest, search
from scenograph.engine.icons.registry import count, find

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
