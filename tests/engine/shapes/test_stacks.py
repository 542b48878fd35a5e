"""Icon above label."""

import pytest

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.text_in_shapes import ICON_GAP, stack

AREA = Box(10, 20, 100, 80)


def test_icon_and_label_are_centred_together() -> None:
    icon, label = stack(AREA, 28, (60, 17))
    assert icon.center.x == label.center.x == AREA.center.x
    assert label.y == icon.bottom + ICON_GAP
    assert icon.y - AREA.y == pytest.approx(AREA.bottom - label.bottom)


def test_one_alone_stands_in_the_middle() -> None:
    icon, _ = stack(AREA, 28, (0, 0))
    assert icon.center == AREA.center
    _, label = stack(AREA, 0, (60, 17))
    assert label.center == AREA.center
