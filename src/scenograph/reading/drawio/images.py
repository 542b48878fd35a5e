"""Pictures that a file holds itself: data URLs of raster images, within the limits of a document. Nothing is fetched
(R-IN-9)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenograph.scene.image_data import check_image
from scenograph.scene.limits import LIMITS

# draw.io omits ";base64", whose semicolon would end the style member.
_DATA = re.compile(r"data:(image/(?:png|jpe?g|gif|webp))(?:;base64)?,")


def raster_of(style: Mapping[str, str]) -> str | None:
    """The picture in a style as a data: URI; None if absent or not permitted in documents."""
    said = style.get("image", "")
    head = _DATA.match(said)
    if head is None:
        return None
    mime_type, data = head[1].replace("jpg", "jpeg"), said[head.end() :]
    data += "=" * (-len(data) % 4)
    return None if check_image(mime_type, data, LIMITS) else f"data:{mime_type};base64,{data}"
