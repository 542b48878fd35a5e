"""Pictures for models: a PNG with at most 1568 px on its long side and at most 1 MB of base64. The first request is at
scale 1; a picture beyond a limit is requested again, smaller. The service's file is passed on unchanged."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from scenograph.mcp.answers import ImageBlock
from scenograph.mcp.api_client import Api, Refusal
from scenograph.wire.limits import MIN_SCALE

LONG_SIDE = 1568
MAX_BASE64 = 1_000_000
MOST_TRIES = 4
LEAST_PAGE = 64  # px; the least side of a page
ROOM = 0.9  # bytes do not shrink quite as fast as pixels
UNWISHED = "ASPECT_RATIO_MISSED"  # of a page that the caller did not ask for
TOO_MANY_PIXELS = "invalid_request"


class DrawnPicture(NamedTuple):
    """The service's drawing: the picture if within the limits, its scale, and the remarks."""

    picture: ImageBlock | None
    scale: float
    diagnostics: list[dict[str, Any]]


async def draw_png(
    api: Api, path: str, request: Mapping[str, Any], *, scale: float = 1.0, first: Mapping[str, Any] | None = None
) -> DrawnPicture:
    """The PNG of a render request at `scale`, or as large as the limits allow. `first` is a reply with this picture at
    scale 1, if there is one already. Raises Refusal."""
    diagnostics, reply = list[dict[str, Any]](), first
    for attempt in range(MOST_TRIES):
        try:
            reply = reply or await api.post(path, {**request, "format": "png", "scale": scale})
        except Refusal as refusal:
            # A page beyond the pixel limit is refused; drawn small it reports its size. Other faults stay faults.
            if refusal.code != TOO_MANY_PIXELS or attempt or "megapixels" not in refusal.sentence:
                raise
            scale = MIN_SCALE
            continue
        output = cast("dict[str, Any]", reply["output"])
        diagnostics = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
        picture = ImageBlock(output["contentBase64"], output["width"], output["height"])
        better = _better_scale(picture, scale, tried=attempt)
        if better is None:
            return DrawnPicture(picture, scale, diagnostics)
        if better < MIN_SCALE:
            return await _on_page(api, path, request, picture)
        scale, reply = better, None
    return DrawnPicture(None, scale, diagnostics)


async def _on_page(api: Api, path: str, request: Mapping[str, Any], picture: ImageBlock) -> DrawnPicture:
    """The picture on a page of its own shape and LONG_SIDE, smaller than any scale allows; none beyond MAX_BASE64."""
    factor = LONG_SIDE / max(picture.width, picture.height)
    width, height = (max(round(side * factor), LEAST_PAGE) for side in (picture.width, picture.height))
    asked = request.get("view", {})
    view = {**asked, "page": {"width": width, "height": height}}
    reply = await api.post(path, {**request, "view": view, "format": "png"})
    output = cast("dict[str, Any]", reply["output"])
    rows = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
    diagnostics = [row for row in rows if row.get("code") != UNWISHED or {"page", "aspectRatio"} & {*asked}]
    small = ImageBlock(output["contentBase64"], output["width"], output["height"])
    return DrawnPicture(small if len(small.data) <= MAX_BASE64 else None, float(output["scale"]), diagnostics)


def _better_scale(picture: ImageBlock, scale: float, *, tried: int) -> float | None:
    """The next scale to try, or None for a fitting picture."""
    longest = max(picture.width, picture.height)
    by_side = LONG_SIDE / longest
    by_size = math.sqrt(MAX_BASE64 / len(picture.data)) * ROOM
    if longest > LONG_SIDE or len(picture.data) > MAX_BASE64:
        wanted = scale * min(by_side, by_size if len(picture.data) > MAX_BASE64 else 1.0)
        return math.floor(wanted * 1000) / 1000
    grown_too_small = scale == MIN_SCALE and tried == 1 and by_side > 1
    return math.floor(min(scale * by_side, 1.0) * 1000) / 1000 if grown_too_small else None
