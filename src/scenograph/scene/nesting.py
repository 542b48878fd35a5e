"""What an element is nested in."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def ancestors(element_id: str, parent_of: Callable[[str], str | None]) -> Iterator[str]:
    """The containers round an element, the innermost first. A cycle, which validation refuses, is walked once."""
    seen = {element_id}
    parent = parent_of(element_id)
    while parent is not None and parent not in seen:
        yield parent
        seen.add(parent)
        parent = parent_of(parent)
