"""The two ways in which a picture can flow."""

from collections.abc import Mapping
from typing import Final

VERTICAL: Final = "y"
HORIZONTAL: Final = "x"
ACROSS: Mapping[str | None, str | None] = {VERTICAL: HORIZONTAL, HORIZONTAL: VERTICAL, None: None}
