"""The identity of the engine: pictures of two engines differ, even for equal documents (R-CACHE-1)."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path


@cache
def identity() -> str:
    """The version of the package, and a hash of the engine's sources: a checkout changes without a new version."""
    digest = sha256()
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return f"{version('scenograph')} {digest.hexdigest()}"
