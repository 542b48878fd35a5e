"""Icons by key, by likeness and by words."""

from __future__ import annotations

import json
import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.icons import aliases
from scenograph.engine.icons.icon import Icon, IconLayer, read_record, write_record
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.limits import LIMITS
from scenograph.wire.names import ICON_QUERY_LENGTH

# Icon packs: one file per set of icons, opened on first use and read icon by icon.
#
# A file is the length of its index (four bytes, big endian), the index, the search words, then blocks of `BLOCK` icons;
# each part is deflated JSON. The index serves every look-up: names, categories, aliases and the places of the blocks.

BLOCK = 16
_LENGTH = 4


class PackEntry(NamedTuple):
    """An icon to be packed. `words` are search words besides its name."""

    name: str
    category: str
    words: str
    view_box: Box
    layers: tuple[IconLayer, ...]


@dataclass(frozen=True)
class Pack:
    """An open pack. `order` gives each name its place, `aliases` alternative names."""

    content: bytes
    order: Mapping[str, int]
    categories: Sequence[str]
    aliases: Mapping[str, str]
    blocks: Sequence[int]

    def category(self, name: str) -> str:
        """The category of a packed icon."""
        return self.categories[self.order[name]]

    @cached_property
    def words(self) -> Sequence[str]:
        """The search words of every icon, in order."""
        return _inflate(self.content, self.blocks[0], self.blocks[1])

    def drawing(self, name: str) -> tuple[Box, tuple[IconLayer, ...]]:
        """View box and layers of a packed icon."""
        place = self.order[name]
        block = place // BLOCK + 1
        return read_record(_inflate(self.content, self.blocks[block], self.blocks[block + 1])[place % BLOCK])


def open_pack(path: Path) -> Pack:
    """Read a pack file, unpacking only its index."""
    content = path.read_bytes()
    start = _LENGTH + int.from_bytes(content[:_LENGTH], "big")
    index = _inflate(content, _LENGTH, start)
    ends = [start]
    for length in index["lengths"]:
        ends.append(ends[-1] + length)
    order = {name: place for place, name in enumerate(index["names"])}
    categories = [index["categories"][i] for i in index["filed"]]
    return Pack(content, order, categories, index["aliases"], ends)


def write_pack(path: Path, entries: Sequence[PackEntry], aliases: Mapping[str, str]) -> int:
    """Write a pack file, entries in order of their names; the number of bytes."""
    rows = sorted(entries, key=lambda row: row.name)
    records = [write_record(row.view_box, row.layers) for row in rows]
    categories = sorted({row.category for row in rows})
    parts = [_deflate([row.words for row in rows])]
    parts += [_deflate(records[i : i + BLOCK]) for i in range(0, len(rows), BLOCK)]
    index = {
        "names": [row.name for row in rows],
        "categories": categories,
        "filed": [categories.index(row.category) for row in rows],
        "aliases": dict(sorted(aliases.items())),
        "lengths": [len(part) for part in parts],
    }
    head = _deflate(index)
    return path.write_bytes(b"".join([len(head).to_bytes(_LENGTH, "big"), head, *parts]))


def _deflate(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)


def _inflate(content: bytes, start: int, end: int) -> Any:
    return json.loads(zlib.decompress(content[start:end]))


# The icon sets: one row each, in the order in which an unknown prefix asks them. `vendor` are beginnings a name may
# carry or lack (`aws:amazon-s3`, `aws:s3`), longest first, written without hyphens. `aliases` are names in daily
# use for names in the set; they are matched without hyphens too.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IconSet:
    """A row of SETS. `recolorable`: the owner permits other colours; `also`: further prefixes of the set; `spoken`:
    words for the set at the beginning of a search, longest first."""

    prefix: str
    recolorable: bool = False
    vendor: tuple[str, ...] = ()
    aliases: Mapping[str, str]
    also: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()


SETS: tuple[IconSet, ...] = (
    IconSet(prefix="lucide", recolorable=True, aliases=aliases.LUCIDE),
    IconSet(
        prefix="simple",
        recolorable=True,
        vendor=("apache", "eclipse"),
        aliases=aliases.SIMPLE,
        also=("simple-icons", "si", "logos", "logo", "brand", "devicon"),
    ),
    IconSet(
        prefix="aws",
        vendor=("resamazon", "resaws", "amazon", "aws", "res"),
        aliases=aliases.AWS,
        spoken=("amazon web services", "aws"),
    ),
    IconSet(
        prefix="gcp",
        vendor=("googlecloud", "google", "cloud", "gcp"),
        aliases=aliases.GCP,
        spoken=("google cloud platform", "google cloud", "gcp"),
    ),
    IconSet(
        prefix="azure",
        vendor=("microsoftazure", "microsoft", "azure"),
        aliases=aliases.AZURE,
        spoken=("microsoft azure", "azure"),
    ),
    IconSet(
        prefix="k8s",
        vendor=("kubernetes", "kube", "k8s"),
        aliases=aliases.K8S,
        also=("kubernetes",),
        spoken=("kubernetes", "k8s"),
    ),
)


# The icon registry: keys of the form `<prefix>:<name>` to icons (R-ICON-1).
#
# A name is looked for as it is written, then among the set's former names, then in the hand-written table of aliases,
# then loosely: without its vendor's name, hyphens and plurals. Case, underscores, dots and spaces do not matter.


PACKS = Path(__file__).with_name("packs")
_KEPT_ICONS = 512
_MAX_KEY = 128
"""Longer keys name nothing; they are cut before any work is done."""
_SHORT_WORD = 3
"""Words up to this long (`dns`, `ios`) are no plurals."""

_SEPARATORS = re.compile(r"[\W_]+")


class Key(NamedTuple):
    """A parsed key: a prefix (empty if missing) and a name in lower case with single hyphens."""

    prefix: str
    name: str


def _read_key(text: str) -> Key:
    """Any text as a key."""
    head, colon, tail = text[:_MAX_KEY].lower().partition(":")
    return Key(slug(head), slug(tail)) if colon else Key("", slug(head))


def slug(text: str) -> str:
    """Words joined by single hyphens."""
    return _SEPARATORS.sub("-", text).strip("-")


@cache
def pack_of(prefix: str) -> Pack:
    """The open pack of a set."""
    return open_pack(PACKS / f"{prefix}.icons")


def _set_of(prefix: str) -> IconSet | None:
    """The set a prefix means, or None."""
    return _PREFIXES.get(prefix)


_PREFIXES: Mapping[str, IconSet] = {name: icons for icons in SETS for name in (icons.prefix, *icons.also)}


@lru_cache(maxsize=_KEPT_ICONS)
def find(key: str) -> Icon | None:
    """The icon a key names, or None. Any text may be asked."""
    place = _locate(_read_key(key))
    return _load(*place) if place else None


def _locate(key: Key) -> tuple[IconSet, str] | None:
    """The set and the packed name of a key, or None. A key without a prefix stands for an exact name in a single set;
    failing an exact name, for an alias in a single set. Ambiguous keys give None."""
    if not key.name:
        return None
    if key.prefix:
        icons = _set_of(key.prefix)
        found = resolve(icons, key.name) if icons is not None else None
        return (icons, found) if icons is not None and found else None
    by_name = [(icons, key.name) for icons in SETS if key.name in pack_of(icons.prefix).order]
    meant = by_name or [(icons, found) for icons in SETS if (found := resolve(icons, key.name))]
    return meant[0] if len(meant) == 1 else None


@lru_cache(maxsize=_KEPT_ICONS)
def _load(icons: IconSet, name: str) -> Icon:
    pack = pack_of(icons.prefix)
    view_box, layers = pack.drawing(name)
    return Icon(
        key=f"{icons.prefix}:{name}",
        category=pack.category(name),
        view_box=view_box,
        layers=layers,
        recolorable=icons.recolorable,
    )


def resolve(icons: IconSet, name: str) -> str | None:
    """The packed name for `name` (a slug) in a set, or None."""
    pack = pack_of(icons.prefix)
    if name in pack.order:
        return name
    if name in pack.aliases:
        return pack.aliases[name]
    by_hand, bare = _by_hand(icons), _bare_name(icons, name)
    return by_hand.get(compact(name)) or by_hand.get(bare) or short_names(icons).get(bare)


@cache
def _by_hand(icons: IconSet) -> Mapping[str, str]:
    return {compact(alias): name for alias, name in icons.aliases.items()}


@cache
def short_names(icons: IconSet) -> Mapping[str, str]:
    """Bare names to packed names. Of equal bare names the shortest packed name wins: `s3` over `res-s3`."""
    pack = pack_of(icons.prefix)
    names = [(_bare_name(icons, alias), name) for alias, name in pack.aliases.items()]
    names += [(_bare_name(icons, name), name) for name in sorted(pack.order, key=lambda name: (-len(name), name))]
    return dict(names)


def _bare_name(icons: IconSet, name: str) -> str:
    """A name without hyphens, plurals and the vendor's own name in front."""
    bare = "".join([_singular(word) if word.endswith("s") else word for word in name.split("-")])
    for vendor in icons.vendor:
        if bare.startswith(vendor) and len(bare) > len(vendor):
            return bare.removeprefix(vendor)
    return bare


def _singular(word: str) -> str:
    return word if len(word) <= _SHORT_WORD or word.endswith("ss") else word[:-1]


def compact(name: str) -> str:
    """A name without hyphens."""
    return name.replace("-", "")


def count() -> int:
    """The number of icons."""
    return sum(len(pack_of(icons.prefix).order) for icons in SETS)


# Icon look-up by likeness (`nearest`, for unknown keys) and by words (`search`).
#
# Likeness is the share of common letter pairs of two names (Dice), plus a share for whole words in common, rare words
# counting more, plus a little for words among an icon's tags.

_SAME_WORDS = 0.6
_TAGGED = 0.2
_KEPT_ANSWERS = 512
_MAX_NAME = 48
LEAST_NAME, _MISSPELT = 3, 0.66  # letters of a short name, and the ratio in common from which on it is meant
_MAX_QUERY_WORDS = 8
_WORD = re.compile(r"[^\W_]+")

# The score of a query word, by its kind of match with an icon.
MEANT, NAME_WORD, NAME_WORD_START, IN_NAME, TAG, TAG_START = 32, 16, 8, 4, 3, 1


class Found(NamedTuple):
    """An icon found by a search."""

    key: str
    category: str


class _Entry(NamedTuple):
    """An icon as indexed for both searches. `forms` are its names without hyphens, padded with spaces; `words` has
    spaces at both ends and between words."""

    key: str
    category: str
    forms: tuple[str, ...]
    name_words: tuple[str, ...]
    words: str


@cache
def _entries(icons: IconSet) -> Sequence[_Entry]:
    pack = pack_of(icons.prefix)
    also: dict[str, list[str]] = {}
    for alias, name in (*pack.aliases.items(), *icons.aliases.items()):
        also.setdefault(name, []).append(alias)
    entries: list[_Entry] = []
    for name, place in pack.order.items():
        category, others = pack.categories[place], also.get(name, [])
        forms = dict.fromkeys((compact(name), _bare_name(icons, name), *map(compact, others)))
        words = f" {' '.join((pack.words[place], category, *others)).replace('-', ' ')} "
        padded = tuple(f" {form} " for form in forms)
        entries.append(_Entry(f"{icons.prefix}:{name}", category, padded, tuple(name.split("-")), words))
    return entries


class _Index(NamedTuple):
    """The index of letter pairs and words of a set. `forms`: by form, its entry and its number of pairs; `pairs` leads
    to forms, `words` (of names) and `tags` (all words) lead to entries."""

    entries: Sequence[_Entry]
    forms: Sequence[tuple[int, int]]
    pairs: Mapping[str, Sequence[int]]
    words: Mapping[str, Sequence[int]]
    tags: Mapping[str, Sequence[int]]


@cache
def _index(icons: IconSet) -> _Index:
    entries = _entries(icons)
    forms: list[tuple[int, int]] = []
    pairs: defaultdict[str, list[int]] = defaultdict(list)
    words: defaultdict[str, list[int]] = defaultdict(list)
    tags: defaultdict[str, list[int]] = defaultdict(list)
    for place, found in enumerate(entries):
        for form in found.forms:
            for pair in (mine := _letter_pairs(form)):
                pairs[pair].append(len(forms))
            forms.append((place, len(mine)))
        for word in dict.fromkeys(found.name_words):
            words[word].append(place)
        for word in dict.fromkeys(found.words.split()):
            tags[word].append(place)
    return _Index(entries, forms, pairs, words, tags)


def _letter_pairs(form: str) -> set[str]:
    return {form[i : i + 2] for i in range(len(form) - 1)}


@lru_cache(maxsize=_KEPT_ANSWERS)
def nearest(key: str, count: int = 3) -> tuple[str, ...]:
    """The keys most like an unknown key, best first: keys of its own set, and exact names in another set; keys of all
    sets for an unknown prefix."""
    wanted = _read_key(key)
    own = _set_of(wanted.prefix)
    others = [(icons, resolve(icons, wanted.name)) for icons in SETS if icons is not own and wanted.name]
    taught = _short_names_like(own, wanted.name) if own else []
    named = [f"{icons.prefix}:{name}" for icons, name in others if name]
    alike = [found for icons in ([own] if own else SETS) for found in _alike(icons, wanted.name)]
    alike.sort(key=lambda found: (-found[0], len(found[1]), found[1]))
    like = [found for _, found in alike[:count]]
    short = [f"{wanted.prefix}:{alias}" for alias in taught]
    ordered = [*like[:1], *short, *like[1 : count - 1 - len(short)], *named, *like] if own else [*named, *like]
    return tuple(dict.fromkeys(ordered))[: max(0, count)]


def _short_names_like(icons: IconSet, name: str) -> list[str]:
    """The name nearest to a given name among icon names without the vendor's prefix."""
    if not LEAST_NAME <= len(name) < _MAX_NAME:
        return []
    order = pack_of(icons.prefix).order
    return get_close_matches(name, [short for short in short_names(icons) if short not in order], 1, _MISSPELT)


def _alike(icons: IconSet, name: str) -> list[tuple[float, str]]:
    """The icons of a set that share a letter pair or a word with a name, with their likeness."""
    index = _index(icons)
    likeness = _letters_in_common(index, f" {_bare_name(icons, name[:_MAX_NAME])} ")
    weights = {word: _rarity(index, word) for word in name.split("-") if word}
    whole = math.fsum(weights.values())
    for word, weight in weights.items():
        for places, share in ((index.words, _SAME_WORDS), (index.tags, _TAGGED)):
            for place in places.get(word, ()):
                likeness[place] = likeness.get(place, 0.0) + share * weight / whole
    return [(score, index.entries[place].key) for place, score in likeness.items()]


def _rarity(index: _Index, word: str) -> float:
    """The weight of a word: the rarer among names, the heavier."""
    return math.log(1 + len(index.entries) / (1 + len(index.words.get(word, ()))))


def _letters_in_common(index: _Index, form: str) -> dict[int, float]:
    """Dice's coefficient of each entry's likest form."""
    pairs = _letter_pairs(form)
    likeness: dict[int, float] = {}
    for number, shared in Counter(n for pair in pairs for n in index.pairs.get(pair, ())).items():
        place, size = index.forms[number]
        likeness[place] = max(likeness.get(place, 0.0), 2 * shared / (len(pairs) + size))
    return likeness


def search(query: str, limit: int | None = None) -> list[Found]:
    """Icons with every word of a query in their name, tags or category, best first; all icons for no words. If no icon
    has every word, icons named by one of the words follow (`docker compose` finds Docker). A query may begin with a
    prefix (`aws:queue`) or a vendor's name (`aws queue`), limiting the search to the set if anything is found. `limit`
    None returns all."""
    head, colon, tail = query[:ICON_QUERY_LENGTH].lower().partition(":")
    only = _set_of(slug(head)) if colon else None
    text = tail if only else f"{head} {tail}".strip()
    vendor, rest = (None, text) if only else _spoken(text)
    of_vendor = _found(vendor, rest, limit) if vendor is not None else []
    if vendor is None or not of_vendor:
        return _found(only, text, limit) or _named_by_a_word(only or vendor, rest, limit)
    return _with_namesakes(of_vendor, vendor, rest)[:limit]


def _named_by_a_word(only: IconSet | None, text: str, limit: int | None) -> list[Found]:
    """The icons with a query word as the whole name, the icon of the last word first: English puts the noun last."""
    words = _WORD.findall(text)[:_MAX_QUERY_WORDS]
    if len(words) == 1:
        return []
    named = [
        (f"{icons.prefix}:{name}", icons)
        for word in reversed(words)
        for icons in ([only] if only else SETS)
        if (name := resolve(icons, slug(word)))
    ]
    entries = [found for key, icons in dict.fromkeys(named) for found in _entries(icons) if found.key == key]
    return [Found(entry.key, entry.category) for entry in entries][:limit]


def _with_namesakes(found: list[Found], vendor: IconSet, text: str) -> list[Found]:
    """The icons of a vendor. If none has the searched name, an icon of exactly this name in another set comes third:
    the vendor may know the thing by another name only."""
    if any(slug(text) in icon.key for icon in found):
        return found
    names = [(icons, resolve(icons, slug(text))) for icons in SETS if icons is not vendor]
    keys = {f"{icons.prefix}:{name}" for icons, name in names if name}
    namesakes = [Found(entry.key, entry.category) for one, _ in names for entry in _entries(one) if entry.key in keys]
    return [*found[:2], *namesakes[:1], *found[2:]]


def _spoken(text: str) -> tuple[IconSet | None, str]:
    """The set of the vendor named first in a query, and the remaining words."""
    for icons in SETS:
        for name in icons.spoken:
            if text.startswith(f"{name} "):
                return icons, text.removeprefix(name).strip()
    return None, text


def _found(only: IconSet | None, text: str, limit: int | None) -> list[Found]:
    words = _WORD.findall(text)[:_MAX_QUERY_WORDS]
    sets = [only] if only else SETS
    if not words:
        return [Found(entry.key, entry.category) for one in sets for entry in _entries(one)][:limit]
    meant = {f"{icons.prefix}:{resolve(icons, slug(text))}" for icons in sets}
    groups = {f"group{_bare_name(_set_of(key.partition(':')[0]) or SETS[0], key.partition(':')[2])}" for key in meant}
    scored = [
        (worth + (MEANT if entry.key in meant else _worth_of_a_group(entry, groups)), entry)
        for one in sets
        for entry in _entries(one)
        if (worth := _worth(entry, words))
    ]
    # Among equals the shorter name is the plainer thing.
    scored.sort(key=lambda pair: (-pair[0], len(pair[1].key)))
    return [Found(entry.key, entry.category) for _, entry in scored[:limit]]


def _worth_of_a_group(entry: _Entry, groups: set[str]) -> int:
    """The score of the frame of the meant thing, such as the group of a VPC, beside the thing itself."""
    form = entry.forms[0].strip()
    return NAME_WORD if form.startswith("group") and form.startswith(tuple(groups)) else 0


def _worth(entry: _Entry, words: Sequence[str]) -> int:
    """The score of an icon for all words; 0 if a word is missing."""
    worth = 0
    for word in words:
        met = _met(entry, word)
        if not met:
            return 0
        worth += met
    return worth


def _met(entry: _Entry, word: str) -> int:
    if word in entry.forms[0]:
        if word in entry.name_words:
            return NAME_WORD
        return NAME_WORD_START if any(part.startswith(word) for part in entry.name_words) else IN_NAME
    if f" {word} " in entry.words:
        return TAG
    return TAG_START if f" {word}" in entry.words else 0


# The icon registry in the form used by validation (`scene.limits.IconRegistry`).


_SUGGESTIONS = 3
_PICTOGRAMS = "lucide"


class KnownIcons:
    """The keys known to `find`, aliases included."""

    def knows(self, key: str) -> bool:
        """Whether a node with this key is drawn with an icon."""
        return _locate(_read_key(key)) is not None

    def nearest(self, key: str) -> tuple[str, ...]:
        """At most three probably meant keys, the likeliest first."""
        return nearest(key, _SUGGESTIONS)

    def product(self, word: str) -> str | None:
        """The key of the product or brand with a given name, such as aws:ec2 for ec2. A pictogram's own name, such as
        server, counts as an ordinary word."""
        name = _read_key(word).name
        named = {icons.prefix: found for icons in SETS if name and (found := resolve(icons, name))}
        is_word = named.pop(_PICTOGRAMS, None) == name
        return f"{next(iter(named))}:{name}" if named and not is_word else None


DOCUMENT_LIMITS = replace(LIMITS, icons=KnownIcons())  # the limits for documents on every surface
