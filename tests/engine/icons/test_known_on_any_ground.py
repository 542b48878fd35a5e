"""Icons of one colour can be told from what they stand on."""

from scenograph.engine.colors import BLACK, WHITE, contrast, hex_color
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.icons import find
from scenograph.engine.icons.icon import Icon

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


def test_the_drawings_of_cloud_providers_are_never_recoloured() -> None:
    for key in ("aws:s3", "azure:functions", "gcp:bigquery"):
        for ground in (BLACK, WHITE, NIGHT, hex_color("#7aa116")):
            assert icon(key).items(BOX, WHITE, ground) == icon(key).items(BOX, WHITE)


def test_a_generic_icon_is_drawn_in_the_colour_of_the_text() -> None:
    (item, *_) = icon("lucide:server").items(BOX, WHITE, NIGHT)
    assert item.stroke == WHITE
    assert contrast(WHITE, NIGHT) > 10
