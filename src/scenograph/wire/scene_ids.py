"""The form of a scene's id (R-ID-2)."""

from __future__ import annotations

RESERVED = ("render", "validate", "normalize")
FORM = r"[A-Za-z0-9][A-Za-z0-9._~:-]{0,127}"
PATTERN = rf"^(?!(?:{'|'.join(RESERVED)})$){FORM}$"
