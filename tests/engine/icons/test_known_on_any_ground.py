"""Icons of one colour can be told from what they stand on."""

import pytest

from scenograph.engine.colors import BLACK, SEEN_CONTRAST, WHITE, contrast, hex_color
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.icons import find
from scenograph.engine.icons.icon import Icon
from scenograph.engine.themes import THEMES
from scenograph.scene.model import Color

BOX = Box(0, 0, 40, 40)
NIGHT = hex_color("#1a1a22")


def icon(key: str) -> Icon:
    found = find(key)
    assert found is not None
    return found


def test_a_black_brand_takes_the_colour_of_the_text_on_a_dark_ground() -> None:
    assert {item.fill for item in icon("simple:github").items(BOX, WHITE, NIGHT)} == {WHITE}


def test_it_keeps_its_own_colour_where_that_can_be_seen() -> None:
    (own,) = {item.fill for item in icon("simple:github").items(BOX, BLACK, WHITE)}
    assert own not in (None, BLACK, WHITE)
    colourful = icon("simple:postgresql").items(BOX, WHITE, NIGHT)
    assert all(item.fill is not WHITE for item in colourful)


@pytest.mark.parametrize("theme", sorted(THEMES))
@pytest.mark.parametrize("tone", ["node", "data", "queue", "gateway"])
@pytest.mark.parametrize("key", ["postgresql", "rabbitmq", "redis", "apachekafka", "sqlite", "react", "javascript"])
def test_a_brand_is_seen_on_the_ground_of_every_kind(key: str, tone: str, theme: str) -> None:
    ground = THEMES[theme].tones[tone].fill
    (item,) = icon(f"simple:{key}").items(BOX, THEMES[theme].text, ground)
    assert isinstance(item.fill, Color)
    assert contrast(item.fill, ground) >= SEEN_CONTRAST


def test_a_brand_that_is_hard_to_see_keeps_its_hue() -> None:
    ((own,), (shown,)) = (
        [item.fill for item in icon("simple:postgresql").items(BOX, WHITE, ground)]
        for ground in (WHITE, hex_color("#222f45"))
    )
    assert isinstance(own, Color)
    assert isinstance(shown, Color)
    assert own != shown
    assert shown.blue > shown.green > shown.red


def test_the_drawings_of_cloud_providers_are_never_recoloured() -> None:
    for key in ("aws:s3", "azure:functions", "gcp:bigquery"):
        for ground in (BLACK, WHITE, NIGHT, hex_color("#7aa116")):
            assert icon(key).items(BOX, WHITE, ground) == icon(key).items(BOX, WHITE)


def test_a_generic_icon_is_drawn_in_the_colour_of_the_text() -> None:
    (item, *_) = icon("lucide:server").items(BOX, WHITE, NIGHT)
    assert item.stroke == WHITE
    assert contrast(WHITE, NIGHT) > 10
