"""A value for every member of a style, unlike any value of a theme."""

from __future__ import annotations

from collections.abc import Mapping

STYLES: Mapping[str, object] = {
    "fill": "#ff0066",
    "stroke": "#ff0066",
    "strokeWidth": 7,
    "cornerRadius": 13,
    "fontFamily": "monospace",
    "fontSize": 29,
    "fontWeight": 900,
    "textColor": "#ff0066",
    "dash": [3, 3],
    "opacity": 0.5,
    "labelBackground": "#ff0066",
    "accentColor": "#ff0066",
    "forceLabel": True,
    "lineJumps": "arc",
}
