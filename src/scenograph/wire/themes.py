"""The names of the themes, the default first; how each looks is the engine's (`engine/themes.py`)."""

from __future__ import annotations

THEME_NAMES = ("clean", "dark", "blueprint", "sketch")
