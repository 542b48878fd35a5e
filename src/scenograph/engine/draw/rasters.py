"""The raster picture behind an image element, if there is one that is safe to draw (R-ELEMENT-10)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from scenograph.scene.image_data import pixel_size, split_href
from scenograph.scene.limits import LIMITS
from scenograph.scene.model import Asset, Image

_MAX_PIXELS = LIMITS.image_pixels
_CACHED_RASTERS = 16  # images kept; they are large


class Raster(NamedTuple):
    """A picture that can be drawn: its media type, its base64, its width and height in pixels."""

    mime_type: str
    data: str
    pixels: tuple[int, int]


def raster_of(image: Image, assets: Mapping[str, Asset]) -> Raster | None:
    """The picture an image element shows; None when there is none, or none that is what it says it is."""
    asset = assets.get(image.asset_id) if image.asset_id is not None else None
    if asset is not None:
        return _raster(asset.mime_type, asset.data)
    parts = split_href(image.href) if image.href is not None else None
    return _raster(*parts) if parts is not None else None


@lru_cache(maxsize=_CACHED_RASTERS)
def _raster(mime_type: str, data: str) -> Raster | None:
    try:
        pixels = pixel_size(mime_type, b64decode(data, validate=True))
    except ValueError:
        return None
    if pixels is None or pixels[0] * pixels[1] > _MAX_PIXELS:
        return None
    return Raster(mime_type, data, pixels)
