"""What the front door of the engine says of a picture."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, render_svg


@pytest.mark.parametrize(
    ("x", "width", "written"), [(300.123456, 100.0, "480.12"), (627.999999 - 180, 100.0, "628"), (0.0, 100.0, "180")]
)
def test_a_pictures_size_is_the_one_that_its_svg_has(x: float, width: float, written: str) -> None:
    layout = {"mode": "absolute", "x": x, "y": 40, "width": width, "height": 100}
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "sizes", "units": "px", "canvas": {}},
        "elements": [
            {"id": "origin", "kind": "node", "layout": {**layout, "x": 0}},
            {"id": "far", "kind": "node", "layout": layout},
        ],
    }
    picture = render_svg(document)
    size = re.search(r'width="([^"]*)" height="([^"]*)"', str(picture.content))
    assert size is not None
    assert size.groups() == (str(picture.width), str(picture.height)) == (written, "180")
    assert picture.width == pytest.approx(lay_out(document).scene.canvas.width, abs=0.005)
