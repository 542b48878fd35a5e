"""What of a document is the author's: everything but what the service computes or only reads (R-DOC-1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OUTPUT_ONLY = ("computed", "diagnostics", "view")  # R-NORM-4, what is read and never kept


def authored(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document without its output-only root members; the same object when there are none."""
    if not any(name in document for name in OUTPUT_ONLY):
        return document
    return {name: value for name, value in document.items() if name not in OUTPUT_ONLY}
