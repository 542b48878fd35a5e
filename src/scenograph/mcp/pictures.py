"""Pictures that a model can see: a PNG whose long side has at most 1568 px and whose base64 at most 1 MB.

The service is asked at scale 1; a picture beyond a limit is asked for again, smaller, and so is one whose base64 does
not fit into a result, as long as it keeps LEAST_SIDE. The file is the service's own,
never touched here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from scenograph.mcp.answers import Picture
from scenograph.mcp.api_client import Api, Refusal

LONG_SIDE = 1568
MAX_BASE64 = 1_000_000
HANDY_BASE64 = 90_000  # with the rest of the answer it stays within 100,000 characters
LEAST_SIDE = 800  # smaller the labels of an ordinary diagram could not be read
MIN_SCALE = 0.1
MOST_TRIES = 4
ROOM = 0.9  # bytes do not shrink quite as fast as pixels
TOO_MANY_PIXELS = "invalid_request"


class Drawn(NamedTuple):
    """What the service drew: the picture if one fits, its scale, and the remarks."""

    picture: Picture | None
    scale: float
    diagnostics: list[dict[str, Any]]


async def draw_png(api: Api, path: str, request: Mapping[str, Any]) -> Drawn:
    """The PNG of a render request, as large as the limits allow. Raises Refusal."""
    scale, diagnostics = 1.0, list[dict[str, Any]]()
    kept: Drawn | None = None
    for attempt in range(MOST_TRIES):
        try:
            reply = await api.post(path, {**request, "format": "png", "scale": scale})
        except Refusal as refusal:
            # A page of more pixels than are made is refused; drawn small it tells its size. Other faults stay faults.
            if kept:  # a picture is there already: what is refused is only a more handy one
                break
            if refusal.code != TOO_MANY_PIXELS or attempt or "megapixels" not in refusal.sentence:
                raise
            scale = MIN_SCALE
            continue
        output = cast("dict[str, Any]", reply["output"])
        diagnostics = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
        picture = Picture(output["contentBase64"], output["width"], output["height"])
        better = _better_scale(picture, scale, tried=attempt)
        if better is None:
            kept = Drawn(picture, scale, diagnostics)
            better = _handy_scale(picture, scale)
        if better is None or better < MIN_SCALE:
            break
        scale = better
    return kept or Drawn(None, scale, diagnostics)


def _handy_scale(picture: Picture, scale: float) -> float | None:
    """The scale at which the base64 also goes into `content`; None where it does, or where it would be too small."""
    if len(picture.data) <= HANDY_BASE64:
        return None
    factor = math.sqrt(HANDY_BASE64 / len(picture.data)) * ROOM
    longest = max(picture.width, picture.height)
    return math.floor(scale * factor * 1000) / 1000 if longest * factor >= LEAST_SIDE else None


def _better_scale(picture: Picture, scale: float, *, tried: int) -> float | None:
    """The scale to try next; None when this one is right."""
    longest = max(picture.width, picture.height)
    by_side = LONG_SIDE / longest
    by_size = math.sqrt(MAX_BASE64 / len(picture.data)) * ROOM
    if longest > LONG_SIDE or len(picture.data) > MAX_BASE64:
        wanted = scale * min(by_side, by_size if len(picture.data) > MAX_BASE64 else 1.0)
        return math.floor(wanted * 1000) / 1000
    grown_too_small = scale == MIN_SCALE and tried == 1 and by_side > 1
    return math.floor(min(scale * by_side, 1.0) * 1000) / 1000 if grown_too_small else None
