"""An anonymized document keeps its structure and none of its words."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from base64 import b64decode
from bisect import bisect
from collections.abc import Callable, Iterator
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Severity
from scenograph.engine.icons import KnownIcons
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.layout import text_width
from scenograph.scene.anonymizing import ADVANCES, HAND_ADVANCES, TextMask, anonymized
from scenograph.scene.image_data import pixel_size
from scenograph.scene.validation import validate

Json = dict[str, Any]
Make = Callable[..., Json]
WORDS = re.compile(r"[^\W\d_]{2,}")
TEXTS = ("id", "label", "title", "content", "text", "name", "guard", "alt", "elementId", "children", "column", "type")


def draw_from(seed: int) -> Callable[[int], int]:
    return random.Random(seed).randrange  # noqa: S311 - a test wants the same again


def words_of(value: object) -> set[str]:
    return {word.casefold() for word in WORDS.findall(json.dumps(value, ensure_ascii=False))}


@pytest.fixture
def rich(document: Make, png: Callable[..., str]) -> Json:
    """Every place where a word can stand."""
    picture = png(40, 30)
    return document(
        {
            "id": "customer", "kind": "node", "nodeType": "er.entity", "name": "Customer table", "style": "accented",
            "extensions": {
                "columns": [
                    {"name": "customer_id", "type": "uuid", "pk": True},
                    {"name": "email", "key": "UNIQUE secretword"},
                ],
                "internal": "unseen thing",
            },
            "metadata": {"jira": "PROJ-1234 confidential"},
            "ports": [{"id": "portside", "side": "left"}, {"id": "top"}],
        },
        {"id": "order", "kind": "node", "nodeType": "service",
         "label": "Größe Заказ 注文\nline two", "icon": "aws:lambda"},
        {"id": "odd", "kind": "node", "nodeType": "mainframe", "icon": "acme:rocket", "label": "A"},
        {
            "id": "places", "kind": "edge", "label": "customer_id", "edgeType": "default",
            "from": {"elementId": "customer", "port": "portside", "column": "customer_id", "cardinality": "one"},
            "to": {"elementId": "order", "port": "top"}, "style": {"fontFamily": "Acme Mono", "stroke": "tomato"},
        },
        {"id": "zone", "kind": "frame", "title": "Payment zone", "children": ["customer", "order"],
         "unknown": "whisper",
         "containerType": "fragment",
         "extensions": {"operator": "alt", "operands": [{"guard": "paid in full", "messages": ["places"]}]}},
        {"id": "bundle", "kind": "group", "childIds": ["odd"], "label": "Bundle"},
        {"id": "remark", "kind": "text", "content": "See https://example.org/secret",
         "layout": {"mode": "relative", "target": "order", "relation": "below", "gap": 12}},
        {"id": "photo", "kind": "image", "assetId": "portrait", "alt": "The founder"},
        {"id": "inline", "kind": "image", "href": f"data:image/png;base64,{picture}"},
        {"id": "line", "kind": "guide", "position": 40},
        styles={"accented": {"fill": "#abcdef", "fontSize": 14}},
        assets={"portrait": {"mimeType": "image/png", "data": picture}},
        constraints=[{"id": "aligned", "type": "align", "axis": "y", "elements": ["customer", "order"]}],
        extensions={"showLifelineFeet": False, "tenant": "Globex"},
        palette={"nodeFill": "papayawhip"},
        layoutStrategy={"algorithm": "flow", "nodeSpacing": 60},
        secretRoot="hidden",
    )  # fmt: skip


VOCABULARY = {
    "node", "edge", "frame", "group", "text", "image", "guide", "entity", "service", "default", "aws", "lambda", "one",
    "mono", "tomato", "fragment", "alt", "relative", "below", "png", "align", "flow", "left", "top", "unique",
}  # fmt: skip


def referring(document: Json) -> Iterator[object]:
    """The skeleton of who refers to whom, as positions in the list of elements."""
    place = {element["id"]: index for index, element in enumerate(document["elements"])}
    for element in document["elements"]:
        for end in ("from", "to"):
            if end in element:
                yield place[element[end]["elementId"]]
        for child in element.get("children", element.get("childIds", ())):
            yield place[child]
        yield place.get(element.get("layout", {}).get("target"))
        for operand in element.get("extensions", {}).get("operands", ()):
            yield [place[message] for message in operand["messages"]]
    for constraint in document.get("constraints", ()):
        yield [place[name] for name in constraint["elements"]]


class TestAnonymized:
    def test_it_is_still_a_valid_scene(self, rich: Json) -> None:
        rows = validate(anonymized(rich, draw_from(1)))
        assert [row for row in rows if row.severity is Severity.ERROR] == []
        assert not {row.code for row in rows} & {"UNKNOWN_FIELD", "EDGE_COLUMN_NOT_FOUND"}

    def test_no_word_of_the_author_is_left(self, rich: Json) -> None:
        real = words_of([element for element in rich["elements"] if element["kind"] != "image"]) | words_of(
            [rich["scene"]["id"], rich["extensions"], rich["secretRoot"], "portrait", "accented", "aligned", "founder"]
        )
        for seed in range(20):
            made = anonymized(rich, draw_from(seed))
            shown = {word for element in made["elements"] for word in words_of(list(_texts(element)))}
            assert not (real - VOCABULARY) & shown
            whole = json.dumps([made["scene"], made["elements"], made["styles"], made["constraints"]]).casefold()
            for secret in ("secretword", "acme", "rocket", "mainframe", "globex", "whisper", "confidential", "unseen",
                           "customer", "заказ", "注文", "größe", "founder", "portrait"):  # fmt: skip
                assert secret not in whole

    @pytest.mark.parametrize(
        "key",
        ["aws:billing-of-acme", "lucide:acmelogo", "aws:lambda ACME", "aws:lambda \N{CYRILLIC CAPITAL LETTER TE}"],
    )
    def test_an_icon_key_that_names_no_icon_is_disguised(self, rich: Json, key: str) -> None:
        rich["elements"][1]["icon"] = key
        shown = anonymized(rich, draw_from(8), KnownIcons())["elements"][1]["icon"]
        assert shown != key
        assert shown.partition(":")[0] == key.partition(":")[0], "it is still drawn as one of that set"
        assert "acme" not in shown.casefold()

    def test_without_a_registry_no_icon_key_is_known(self, rich: Json) -> None:
        assert "lambda" not in anonymized(rich, draw_from(9))["elements"][1]["icon"]

    def test_what_refers_to_something_still_does(self, rich: Json) -> None:
        made = anonymized(rich, draw_from(2))
        assert list(referring(made)) == list(referring(rich))
        customer, _, _, places = made["elements"][:4]
        assert places["from"]["column"] == customer["extensions"]["columns"][0]["name"] == places["label"]
        assert places["from"]["port"] == customer["ports"][0]["id"] != "portside"
        assert places["to"]["port"] == "top"
        assert list(made["styles"]) == [customer["style"]]
        assert list(made["assets"]) == [made["elements"][7]["assetId"]]

    def test_what_is_no_word_stays(self, rich: Json) -> None:
        made = anonymized(rich, draw_from(3), KnownIcons())
        for old, new in zip(rich["elements"], made["elements"], strict=True):
            assert new["kind"] == old["kind"]
            assert new.get("containerType") == old.get("containerType")
        assert made["palette"] == rich["palette"]
        assert made["layoutStrategy"] == rich["layoutStrategy"]
        assert made["elements"][1]["icon"] == "aws:lambda"
        assert made["elements"][2]["icon"] != "acme:rocket"
        assert made["elements"][3]["style"]["stroke"] == "tomato"
        assert made["elements"][3]["style"]["fontFamily"].endswith(" Mono")
        assert made["elements"][0]["extensions"]["columns"][1]["key"].startswith("UNIQUE ")
        assert list(made["styles"].values()) == list(rich["styles"].values())
        assert made["extensions"] == {"showLifelineFeet": False}

    def test_pictures_become_plain_ones_of_the_same_size(self, rich: Json) -> None:
        made = anonymized(rich, draw_from(4))
        (asset,) = made["assets"].values()
        for data in (asset["data"], made["elements"][8]["href"].removeprefix("data:image/png;base64,")):
            assert pixel_size("image/png", b64decode(data)) == (40, 30)
            assert data != rich["assets"]["portrait"]["data"]

    def test_it_is_drawn_anew_each_time_and_leaves_the_document_alone(self, rich: Json) -> None:
        before = json.dumps(rich)
        one, other = anonymized(rich, draw_from(5)), anonymized(rich, draw_from(6))
        assert one["scene"]["id"] != other["scene"]["id"]
        assert anonymized(rich, draw_from(5)) == one
        assert json.dumps(rich) == before

    def test_the_scenes_own_id_and_title_go_too(self, document: Make) -> None:
        made = document()
        made["scene"] |= {"id": "acme-billing.v2", "title": "Acme Billing 2024", "palette": {"nodeFill": "red"}}
        scene = anonymized(made, draw_from(7))["scene"]
        assert re.fullmatch(r"[a-z]{3,6}-[a-z]{3,8}\.[a-z]\d", scene["id"])
        assert re.fullmatch(r"[A-Z][a-z]{2,5} [A-Z][a-z]{3,8} \d{4}", scene["title"])
        assert scene["palette"] == {"nodeFill": "red"}

    @settings(deadline=None, max_examples=60)
    @given(
        st.lists(
            st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12), unique=True, max_size=8
        ),
        st.integers(0, 2**32),
    )
    def test_whatever_the_ids_and_labels_are_none_is_left_and_none_is_lost(self, names: list[str], seed: int) -> None:
        elements = [{"id": name, "kind": "node", "label": f"{name} {name}"} for name in names]
        scene = {"id": "s", "units": "px", "canvas": {}}
        document = {"schemaVersion": "0.1", "scene": scene, "elements": elements}
        made = anonymized(document, draw_from(seed))
        assert not [row for row in validate(made) if row.severity is Severity.ERROR]
        assert len({element["id"] for element in made["elements"]}) == len(names)
        shown = words_of([[element["id"], element["label"]] for element in made["elements"]])
        assert not shown & words_of(names)


def _texts(value: object, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, name)
    elif isinstance(value, str) and name in TEXTS:
        yield value


class TestDisguise:
    def test_letters_keep_their_case_and_digits_stay_digits(self) -> None:
        text = "The Quick brown fox jumps over 13 lazy dogs, WIMM!"
        made = TextMask([text], draw_from(1)).of(text)
        form = re.sub("[A-Z]+", "A", re.sub("[a-z]+", "a", re.sub(r"\d", "1", text)))
        assert re.sub("[A-Z]+", "A", re.sub("[a-z]+", "a", re.sub(r"\d", "1", made))) == form

    @settings(deadline=None, max_examples=80)
    @given(
        st.lists(
            st.sampled_from(
                [
                    "Order",
                    "of",
                    "ill",
                    "WIMM",
                    "AVATAR",
                    "mammal",
                    "Größe",
                    "Заказ",
                    "ID",
                    "47",
                    "x",
                    "illicit",
                    "1",
                    "A",
                    "customerEmail",
                    "API_KEY",
                    "(if overdue)",
                    "Lorem ipsum dolor sit amet,",
                    "commencement",
                    "m",
                    "i",
                ]
            ),
            min_size=1,
            max_size=12,
        ),
        st.integers(0, 2**32),
    )
    def test_a_label_is_about_as_wide_as_before_in_every_proportional_font(self, words: list[str], seed: int) -> None:
        text = " ".join(words)
        made = TextMask([text], draw_from(seed)).of(text)
        for font in (
            Font("sans", 13.0, 400),
            Font("sans", 13.0, 500),
            Font("sans", 13.0, 600),
            Font("hand", 14.0, 400),
        ):
            real, now = text_width(text, font), text_width(made, font)
            assert abs(now - real) <= max(2.0, 0.03 * real), (text, made)

    @pytest.mark.parametrize("size", [6.0, 13.0, 96.0, 512.0])
    def test_words_and_sentences_are_as_wide_at_any_size(self, size: float) -> None:
        sentence = "Every order that is overdue for 14 days goes to the Billing team"
        for seed in range(10):
            for text in (sentence, "Billing", "customerEmail", "PAYMENT", "orders"):
                made = TextMask([text], draw_from(seed)).of(text)
                for font in (Font("sans", size, 500), Font("hand", size, 400)):
                    real = text_width(text, font)
                    assert abs(text_width(made, font) - real) <= max(2.0, 0.03 * real), (text, made)

    def test_where_the_font_is_monospaced_the_number_of_letters_stays(self, document: Make) -> None:
        made = document({"id": "ill", "kind": "node", "label": "illicit", "style": {"fontFamily": "JetBrains Mono"}})
        for seed in range(20):
            shown = anonymized(made, draw_from(seed))["elements"][0]
            assert (len(shown["label"]), len(shown["id"])) == (7, 3)

    @pytest.mark.parametrize("letter", "WmiI")
    def test_masks_of_the_longest_texts_stay_within_the_limits(self, document: Make, letter: str) -> None:
        made = document({"id": letter * 128, "kind": "node", "label": letter * 2000})
        made["scene"]["title"] = " ".join([letter * 9] * 50)
        shown = anonymized(made, draw_from(1))
        assert [row.code for row in validate(shown) if row.severity is Severity.ERROR] == []

    def test_the_table_of_widths_is_that_of_the_font(self) -> None:
        font = Font("sans", 1000.0, 500)
        assert {letter: round(text_width(letter, font)) for letter in ADVANCES} == dict(ADVANCES)
        hand = Font("hand", 1000.0, 400)
        assert {letter: round(text_width(letter, hand)) for letter in HAND_ADVANCES} == dict(HAND_ADVANCES)

    def test_other_scripts_stay_in_their_script(self) -> None:
        made = TextMask([], draw_from(1)).of("Заказ Größe 注文 Ελλας")
        assert re.fullmatch(
            "[\u0400-\u042f][\u0430-\u045f]{4} [A-Z][a-z][\u00df-\u00ff]{2}[a-z] [\u4e00-\u9fff]{2} .{5}", made
        )
        assert all("GREEK" in unicodedata.name(letter) for letter in made[-5:])

    def test_equal_texts_become_equal_and_different_ones_different(self) -> None:
        disguise = TextMask([], draw_from(1))
        names = [f"{letter}{digit}" for letter in "ijl" for digit in range(10)] + ["i", "j", "l"]
        made = [disguise.of(name) for name in names]
        assert [disguise.of(name) for name in names] == made
        assert len(set(made)) == len(names)

    def test_all_ten_digits_find_a_place_and_the_eleventh_look_too(self) -> None:
        disguise = TextMask([], draw_from(1))
        assert len({disguise.of(str(number)) for number in range(120)}) == 120

    def test_when_every_word_is_real_digits_keep_the_letters_apart(self) -> None:
        every = [a + b for a in ascii_lowercase for b in ascii_lowercase]
        made = TextMask(every, draw_from(1)).of("ill")
        assert not WORDS.search(made)

    def test_a_word_inside_another_is_seen(self) -> None:
        disguise = TextMask(["lil", "jij"], draw_from(3))
        for _ in range(200):
            assert not {"lil", "jij"} & {
                made[start : start + 3] for made in [disguise._fresh("lijlijlij")] for start in range(len(made))
            }

    def test_what_has_no_letters_stays(self) -> None:
        assert TextMask([], draw_from(1)).of("→ … ✓") == "→ … ✓"


SYLLABLES = re.findall(
    "[a-z]+",
    "ba con ter in mi lo ver al tion er st re pro com ment il li ity un de ing ma ph or wa an ex cu dis ly ack ow ght",
)


@pytest.fixture(scope="module")
def dictionary() -> list[str]:
    """20,000 words of one to five syllables."""
    chance = random.Random(20_000)  # noqa: S311 - the same ones every time
    words: dict[str, None] = {}
    while len(words) < 20_000:
        words["".join(chance.choice(SYLLABLES) for _ in range(chance.choice((1, 2, 2, 3, 3, 3, 4, 5))))] = None
    return list(words)


@pytest.fixture(scope="module")
def masked(dictionary: list[str]) -> list[tuple[str, str]]:
    """Some of them with a mask each."""
    mask = TextMask([], draw_from(7))
    return [(word, mask.of(word)) for word in dictionary[::20]]


FONT = Font("sans", 13.0, 500)


def room(width: float) -> float:
    return max(2.0, 0.03 * width)


class TestWhatAMaskTells:
    def test_at_least_twenty_words_are_as_wide_as_any_mask(
        self, dictionary: list[str], masked: list[tuple[str, str]]
    ) -> None:
        widths = sorted(text_width(word, FONT) for word in dictionary)
        for _, made in masked:
            if 4 <= len(made) <= 12:
                width = text_width(made, FONT)
                fitting = bisect(widths, width + room(width)) - bisect(widths, width - room(width))
                assert fitting >= 20, made

    def test_the_number_of_letters_follows_from_the_width_and_not_from_the_word(
        self, masked: list[tuple[str, str]]
    ) -> None:
        as_many = [len(word) == len(made) for word, made in masked]
        assert sum(as_many) < 0.5 * len(masked)
        narrow, wide = "illilillil", "mwmw"
        for seed in range(5):
            one, other = (TextMask([], draw_from(seed)).of(word) for word in (narrow, wide))
            assert len(one) < 7
            assert len(other) > 4

    def test_single_widths_say_nothing_of_the_letters_in_the_same_place(self, masked: list[tuple[str, str]]) -> None:
        """Narrow letters stand at the place of narrow ones no more often than elsewhere."""
        pairs = [
            (real in "ijlt", made in "ijlt") for word, mask in masked for real, made in zip(word, mask, strict=False)
        ]
        shares = [
            sum(made for real, made in pairs if real is narrow) / sum(real is narrow for real, _ in pairs)
            for narrow in (True, False)
        ]
        assert abs(shares[0] - shares[1]) < 0.06

    def test_no_letter_stays_in_its_place_more_often_than_by_chance(self, masked: list[tuple[str, str]]) -> None:
        places = [(a, b) for word, made in masked for a, b in zip(word, made, strict=False)]
        assert sum(a == b for a, b in places) < len(places) / 26

    def test_ids_numbers_and_short_words_are_masked_too(self) -> None:
        texts = ["id", "of", "a", "i", "7", "42", "2024", "e12", "n1", "x_1", "PK", "1", "11"]
        for seed in range(20):
            mask = TextMask(texts, draw_from(seed))
            for text in texts:
                made = mask.of(text)
                assert made != text
                assert sorted(made) != sorted(text) or not text.isalpha()

    def test_masks_are_drawn_anew_each_time(self, dictionary: list[str]) -> None:
        longer = [word for word in dictionary[:300] if len(word) > 3]
        one, other = (TextMask([], draw_from(seed)) for seed in (1, 2))
        assert sum(one.of(word) == other.of(word) for word in longer) <= 3


def test_masking_takes_a_bounded_number_of_draws_a_letter_however_few_words_are_left_to_draw() -> None:
    pairs = [first + second for first in ascii_lowercase for second in ascii_lowercase]
    texts = [*pairs, *(f"Payment gateway {word}" for word in pairs), "x" * 3000, *(" " * n + "a" for n in range(500))]
    drawn = 0

    def draw(most: int) -> int:
        nonlocal drawn
        drawn += 1
        return chance.randrange(most)

    chance = random.Random(1)  # noqa: S311 (no secret)
    mask = TextMask(texts, draw)
    masks = [mask.of(text) for text in texts]
    assert len(set(masks)) == len(texts)
    assert drawn < 25 * sum(map(len, map(str.strip, texts)))
