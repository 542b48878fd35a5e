"""The icon registry as validation asks it (`scene.limits.IconRegistry`)."""

from __future__ import annotations

from dataclasses import replace

from scenograph.engine.icons.matching import nearest
from scenograph.engine.icons.registry import read_key, resolve, set_of
from scenograph.scene.limits import LIMITS

SUGGESTIONS = 3


class KnownIcons:
    """Every key that `find` resolves, aliases included."""

    def knows(self, key: str) -> bool:
        """Whether a node with this key is drawn with an icon."""
        prefix, name = read_key(key)
        row = set_of(prefix)
        return row is not None and name != "" and resolve(row, name) is not None

    def nearest(self, key: str) -> tuple[str, ...]:
        """At most three keys that may have been meant, the likeliest first."""
        return nearest(key, SUGGESTIONS)


DOCUMENT_LIMITS = replace(LIMITS, icons=KnownIcons())  # what every surface holds a document against
