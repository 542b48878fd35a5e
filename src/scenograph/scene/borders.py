"""Places on the border of a box, as in `attachedTo`: a side, and an offset along it from its left or top end. px."""

from __future__ import annotations

OFFSET_DECIMALS = 4  # of a share of a side: a hundredth of a px on a side of 100 px

Rectangle = tuple[float, float, float, float]  # x, y, width, height
XY = tuple[float, float]


def border_place(box: Rectangle, point: XY) -> tuple[str, float]:
    """The side and the offset of the border point nearest to a point."""
    x, y, width, height = box
    across = min(max(point[0], x), x + width)
    down = min(max(point[1], y), y + height)
    outside = abs(point[0] - across) + abs(point[1] - down) > 0
    away = {
        "bottom": abs(y + height - down),
        "top": abs(down - y),
        "right": abs(x + width - across),
        "left": abs(across - x),
    }
    # Beyond a corner the side wins on which the point lies farther out.
    beyond = {
        "bottom": point[1] - (y + height),
        "top": y - point[1],
        "right": point[0] - (x + width),
        "left": x - point[0],
    }
    side = max(beyond, key=lambda name: beyond[name]) if outside else min(away, key=lambda name: away[name])
    share = ((across - x) / width if width > 0 else 0.5) if side in {"top", "bottom"} else 0.0
    if side in {"left", "right"}:
        share = (down - y) / height if height > 0 else 0.5
    return side, share


def border_point(box: Rectangle, side: str, offset: float) -> XY:
    """The point at a side and an offset."""
    x, y, width, height = box
    if side in {"top", "bottom"}:
        return x + offset * width, y if side == "top" else y + height
    return x if side == "left" else x + width, y + offset * height
