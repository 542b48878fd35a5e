"""A picture that was asked for: what is known of it before the engine has to draw it (R-CACHE-1).

Whoever asks has been found to be allowed to, and everything that decides the picture has been read. So it can be looked
for among the pictures that are kept, told apart from others by its key, and drawn when its turn has come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from scenograph.late_dataclasses import dataclass

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Drawing(Generic[T]):
    """`kept` gives what was asked for without the engine, or None; `drawn` gives it in any case, and needs a turn with
    the engine to draw it. Both may raise ServiceError. `key` is the same for the same picture, None while only the
    engine can tell; `tagged`: what is given is the picture alone, so that the key tells whether it is the same. `still`
    raises what the caller is told where he may not have it any more."""

    key: str | None
    kept: Callable[[], T | None]
    drawn: Callable[[], T]
    tagged: bool = False
    still: Callable[[], object] = lambda: None

    def kept_after_a_wait(self) -> T | None:
        """What is kept, for a caller who may have it still."""
        self.still()
        return self.kept()

    def then(self, make: Callable[[T], U]) -> Drawing[U]:
        """The same picture, made into something else."""

        def of_kept() -> U | None:
            found = self.kept()
            return None if found is None else make(found)

        return Drawing(self.key, of_kept, lambda: make(self.drawn()), self.tagged, self.still)
