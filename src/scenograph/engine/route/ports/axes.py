"""The two ways in which a picture can flow."""

from typing import Final

VERTICAL: Final = "y"
HORIZONTAL: Final = "x"
