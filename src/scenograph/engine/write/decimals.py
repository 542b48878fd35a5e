"""The one number format of the writers: at most two decimals, no trailing zeros, no "-0"."""

from __future__ import annotations

from scenograph.engine.kernels.path_text import hundredths, printed


def decimal(value: float) -> str:
    """A number as it stands in an attribute."""
    return printed(hundredths(value))
