"""The icon registry as validation asks it (`scene.limits.IconRegistry`)."""

from __future__ import annotations

from scenograph.engine.icons.matching import nearest
from scenograph.engine.icons.registry import locate, read_key, resolve
from scenograph.engine.icons.sets import SETS
from scenograph.late_dataclasses import replace
from scenograph.scene.limits import LIMITS

SUGGESTIONS = 3
PICTOGRAMS = "lucide"


class KnownIcons:
    """Every key that `find` resolves, aliases included."""

    def knows(self, key: str) -> bool:
        """Whether a node with this key is drawn with an icon."""
        return locate(read_key(key)) is not None

    def nearest(self, key: str) -> tuple[str, ...]:
        """At most three keys that may have been meant, the likeliest first."""
        return nearest(key, SUGGESTIONS)

    def product(self, word: str) -> str | None:
        """The key of the product or brand that goes by a word, such as aws:ec2 for ec2. A word that names a plain
        pictogram too is an ordinary word."""
        name = read_key(word).name
        named = [row.prefix for row in SETS if name and resolve(row, name)]
        return f"{named[0]}:{name}" if named and PICTOGRAMS not in named else None


DOCUMENT_LIMITS = replace(LIMITS, icons=KnownIcons())  # what every surface holds a document against
