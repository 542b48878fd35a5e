"""Scenograph: diagrams kept as data, laid out, routed and drawn.

    >>> import scenograph
    >>> shop = scenograph.Scene("shop", family="architecture", title="A small shop")
    >>> web = shop.node("web", "Web shop", type="client")
    >>> api = shop.node("api", "Order API", type="service")
    >>> shop.edge(web, api, "places orders")
    'web--api'
    >>> scenograph.render(shop).content[:4]
    '<svg'

Importing the package imports nothing else: each name brings what it needs when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenograph.diagnostics import Diagnostic, Severity
    from scenograph.library.drawing import Picture, diff, read, render, validate
    from scenograph.library.scene import Frame, OperationError, Scene, SourceError

__all__ = [
    "Diagnostic",
    "Frame",
    "OperationError",
    "Picture",
    "Scene",
    "Severity",
    "SourceError",
    "diff",
    "read",
    "render",
    "validate",
]

_ROOMS = {
    **dict.fromkeys(("Diagnostic", "Severity"), "scenograph.diagnostics"),
    **dict.fromkeys(("Picture", "diff", "read", "render", "validate"), "scenograph.library.drawing"),
    **dict.fromkeys(("OperationError", "SourceError"), "scenograph.library.scene"),
    **dict.fromkeys(("Frame", "Scene"), "scenograph.library.scene"),
}


def __getattr__(name: str) -> object:
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(room), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
