"""What of a document is the author's: everything but what the service computes or only reads (R-DOC-1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scenograph.scene.json_values import object_at

OUTPUT_ONLY = ("computed", "diagnostics", "view")  # R-NORM-4, what is read and never kept
_SKETCH = ("canvas", "bounds", "edgePaths")


def authored(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document without its output-only root members; the same object when there are none."""
    if not any(name in document for name in OUTPUT_ONLY):
        return document
    return {name: value for name, value in document.items() if name not in OUTPUT_ONLY}


def sketch_in(document: Mapping[str, Any]) -> str | None:
    """The sketch that a document brings in its `computed`, as JSON text; None when it brings none."""
    computed = object_at(document, "computed")
    if not object_at(computed, "bounds"):
        return None
    return json.dumps({name: computed[name] for name in _SKETCH if name in computed}, separators=(",", ":"))
