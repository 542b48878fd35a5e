"""The inner loops of the engine, over numbers and flat lists: no terms of the scene, no imports from the rest of the
engine.

The modules run uncompiled. A build may compile them into the folder `compiled` (`hatch_build.py`); compiled modules
replace their sources, under the same names, as long as both match.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

_SOURCES = Path(__file__).parent
_COMPILED = _SOURCES / "compiled"


def fingerprint() -> str:
    """A hash of the sources of all kernels and their names."""
    digest = sha256()
    for path in sorted(_SOURCES.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def are_compiled() -> bool:
    """Whether the running kernels are compiled."""
    from scenograph.engine.kernels import cell_grid  # noqa: PLC0415 - to see which of the two modules is found

    return not str(cell_grid.__file__).endswith(".py")


def _is_current() -> bool:
    """Whether the compiled modules match these sources."""
    kept = _COMPILED / "fingerprint"
    return kept.is_file() and kept.read_text(encoding="ascii") == fingerprint()


if _is_current():
    __path__.insert(0, str(_COMPILED))
