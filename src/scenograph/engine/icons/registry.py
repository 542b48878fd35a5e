"""The icon registry: keys of the form `<prefix>:<name>` to icons (R-ICON-1).

A name is looked for as it is written, then among the set's former names, then in the hand-written table of aliases,
then loosely: without its vendor's name, hyphens and plurals. Case, underscores, dots and spaces do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from scenograph.engine.icons import aliases
from scenograph.engine.icons.icon import Icon
from scenograph.engine.icons.packs import Pack, open_pack
from scenograph.late_dataclasses import dataclass

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


PACKS = Path(__file__).with_name("packs")
KEPT_ICONS = 512
MAX_KEY = 128
"""Longer keys name nothing; they are cut before any work is done."""
SHORT_WORD = 3
"""Words up to this long (`dns`, `ios`) are no plurals."""

_SEPARATORS = re.compile(r"[\W_]+")


class Key(NamedTuple):
    """A parsed key: a prefix (empty if missing) and a name in lower case with single hyphens."""

    prefix: str
    name: str


def read_key(text: str) -> Key:
    """Any text as a key."""
    head, colon, tail = text[:MAX_KEY].lower().partition(":")
    return Key(slug(head), slug(tail)) if colon else Key("", slug(head))


def slug(text: str) -> str:
    """Words joined by single hyphens."""
    return _SEPARATORS.sub("-", text).strip("-")


@cache
def pack_of(prefix: str) -> Pack:
    """The open pack of a set."""
    return open_pack(PACKS / f"{prefix}.icons")


def set_of(prefix: str) -> IconSet | None:
    """The set a prefix means, or None."""
    return _PREFIXES.get(prefix)


_PREFIXES: Mapping[str, IconSet] = {name: row for row in SETS for name in (row.prefix, *row.also)}


@lru_cache(maxsize=KEPT_ICONS)
def find(key: str) -> Icon | None:
    """The icon a key names, or None. Any text may be asked."""
    place = locate(read_key(key))
    return _load(*place) if place else None


def locate(key: Key) -> tuple[IconSet, str] | None:
    """The set and the packed name of a key, or None. A key without a prefix stands for an exact name in a single set;
    failing an exact name, for an alias in a single set. Ambiguous keys give None."""
    if not key.name:
        return None
    if key.prefix:
        row = set_of(key.prefix)
        found = resolve(row, key.name) if row is not None else None
        return (row, found) if row is not None and found else None
    by_name = [(row, key.name) for row in SETS if key.name in pack_of(row.prefix).order]
    meant = by_name or [(row, found) for row in SETS if (found := resolve(row, key.name))]
    return meant[0] if len(meant) == 1 else None


@lru_cache(maxsize=KEPT_ICONS)
def _load(row: IconSet, name: str) -> Icon:
    pack = pack_of(row.prefix)
    view_box, layers = pack.drawing(name)
    return Icon(
        key=f"{row.prefix}:{name}",
        category=pack.category(name),
        view_box=view_box,
        layers=layers,
        recolorable=row.recolorable,
    )


def resolve(row: IconSet, name: str) -> str | None:
    """The packed name for `name` (a slug) in a set, or None."""
    pack = pack_of(row.prefix)
    if name in pack.order:
        return name
    if name in pack.aliases:
        return pack.aliases[name]
    by_hand, bare = _by_hand(row), bare_name(row, name)
    return by_hand.get(compact(name)) or by_hand.get(bare) or short_names(row).get(bare)


@cache
def _by_hand(row: IconSet) -> Mapping[str, str]:
    return {compact(alias): name for alias, name in row.aliases.items()}


@cache
def short_names(row: IconSet) -> Mapping[str, str]:
    """Bare names to packed names. Of equal bare names the shortest packed name wins: `s3` over `res-s3`."""
    pack = pack_of(row.prefix)
    names = [(bare_name(row, alias), name) for alias, name in pack.aliases.items()]
    names += [(bare_name(row, name), name) for name in sorted(pack.order, key=lambda name: (-len(name), name))]
    return dict(names)


def bare_name(row: IconSet, name: str) -> str:
    """A name without hyphens, plurals and the vendor's own name in front."""
    bare = "".join([_singular(word) if word.endswith("s") else word for word in name.split("-")])
    for vendor in row.vendor:
        if bare.startswith(vendor) and len(bare) > len(vendor):
            return bare.removeprefix(vendor)
    return bare


def _singular(word: str) -> str:
    return word if len(word) <= SHORT_WORD or word.endswith("ss") else word[:-1]


def compact(name: str) -> str:
    """A name without hyphens."""
    return name.replace("-", "")


def count() -> int:
    """The number of icons."""
    return sum(len(pack_of(row.prefix).order) for row in SETS)
