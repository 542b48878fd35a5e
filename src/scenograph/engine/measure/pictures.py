"""How large an image wants to be: its pixels, found in its asset or its data URI. px."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping

from scenograph.engine.tables import Size
from scenograph.scene.image_data import pixel_size, split_href
from scenograph.scene.model import Asset, Image

_IMAGE_SIZE = (160.0, 120.0)  # of an image nothing is known of
_MAX_IMAGE_SIDE = 320.0  # of an image whose author gives no size


def picture_size(image: Image, assets: Mapping[str, Asset]) -> Size:
    """Its pixels, made smaller when they are many; one given side keeps the proportions."""
    width, height = image.layout.width, image.layout.height
    if width is not None and height is not None:
        return Size(width=width, height=height)
    pixels = _pixels(image, assets) or _IMAGE_SIZE
    if width is None and height is None:
        scale = min(1.0, _MAX_IMAGE_SIDE / max(pixels))
    else:
        scale = height / pixels[1] if height is not None else (width or 0.0) / pixels[0]
    return Size(
        width=pixels[0] * scale if width is None else width, height=pixels[1] * scale if height is None else height
    )


def _pixels(image: Image, assets: Mapping[str, Asset]) -> tuple[float, float] | None:
    asset = assets.get(image.asset_id or "")
    parts = (asset.mime_type, asset.data) if asset else split_href(image.href or "")
    if parts is None:
        return None
    try:
        return pixel_size(parts[0], b64decode(parts[1], validate=True))
    except ValueError:
        return None
