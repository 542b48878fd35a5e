"""The one number format of the writers: at most two decimals, no trailing zeros, no "-0"."""

from __future__ import annotations

from scenograph.engine.kernels.path_text import decimal

__all__ = ["decimal"]
