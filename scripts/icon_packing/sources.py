"""Where icons come from: one function for each kind of source folder, all giving the same rows."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from icon_packing.brands import BRANDS

# Licences under which a drawing may be passed on, also commercially. "No derivatives" is enough: packing keeps it.
FREE_LICENCES = (
    "CC0",
    "CC-BY-2",
    "CC-BY-3",
    "CC-BY-4",
    "CC-BY-SA",
    "CC-BY-ND",
    "Apache",
    "MIT",
    "BSD",
    "MPL",
    "Unlicense",
)

_CONSTANT = re.compile(r"^export const (\w+) = (.*?);$", re.M | re.S)
_WORD = re.compile(r"[a-z0-9]+")


class Source(NamedTuple):
    """An icon file: its name in the set, category, search words, SVG text, other names and, where the set gives one for
    each file, its licence. `color` is what a file without paints is filled with."""

    name: str
    category: str
    words: str
    svg: str
    aliases: tuple[str, ...] = ()
    licence: str = ""
    color: str = ""


def slug(text: str) -> str:
    """Lower case words joined by hyphens."""
    return "-".join(_WORD.findall(text.lower()))


def words(name: str, *texts: str) -> str:
    """The words of `texts` that the name does not have itself, sorted."""
    found = {word for text in texts for word in _WORD.findall(text.lower())}
    return " ".join(sorted(found - set(name.split("-"))))


def lucide(database: Path) -> Iterator[Source]:
    """The `lucide-icons.db` of the Python package python-lucide: drawings, categories, tags and former names."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
        tags, filed, aliases = (
            _grouped(db.execute(f"SELECT name, {column} FROM {table} ORDER BY 1, 2"))  # noqa: S608 (constants)
            for table, column in (("icon_tags", "tag"), ("icon_categories", "category"), ("icon_aliases", "alias"))
        )
        rows: list[tuple[str, str]] = db.execute("SELECT name, svg FROM icons ORDER BY name").fetchall()
    size = Counter(category for found in filed.values() for category in found)
    for name, svg in rows:
        # An icon has several categories; the narrowest says most.
        category = min(filed[name] or ["general"], key=lambda c: (size[c], c))
        yield Source(name, category, words(name, *tags[name], *filed[name]), svg, tuple(aliases[name]))


def _grouped(rows: sqlite3.Cursor) -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in rows:
        found[name].append(value)
    return found


def cloud(folder: Path, *, prefix: str) -> Iterator[Source]:
    """The freely licensed modules of the npm package @thesvg/icons whose names start with `prefix` and a hyphen."""
    for file in sorted((folder / "dist").glob(f"{prefix}-*.js")):
        said = dict(_CONSTANT.findall(file.read_text("utf-8")))
        licence = json.loads(said["license"])
        if not licence.startswith(FREE_LICENCES):
            continue
        name = slug(json.loads(said["slug"]).removeprefix(f"{prefix}-"))
        categories = [slug(c) for c in json.loads(said["categories"])]
        found = words(name, json.loads(said["title"]), *categories, *json.loads(said["aliases"]))
        yield Source(name, categories[0], found, said["svg"].strip("`"), licence=licence)


def simple(folder: Path) -> Iterator[Source]:
    """The curated part (`BRANDS`) of the npm package simple-icons; brands whose own licence forbids it are left out."""
    rows = json.loads((folder / "data" / "simple-icons.json").read_text("utf-8"))
    filed = {name: category for category, names in BRANDS.items() for name in names.split()}
    for row in sorted((r for r in rows if r["slug"] in filed), key=lambda r: r["slug"]):
        name, licence = row["slug"], row.get("license", {}).get("type", "")
        if licence and not licence.startswith(FREE_LICENCES):
            continue
        svg = (folder / "icons" / f"{name}.svg").read_text("utf-8")
        other = _other_names(row)
        found = words(name, row["title"], filed[name], *other)
        terms = f"{licence}, {row['title']}, {row['source']}" if licence else ""
        yield Source(name, filed[name], found, svg, tuple(map(slug, other)), terms, f"#{row['hex']}")


def _other_names(row: Mapping[str, Any]) -> list[str]:
    said = row.get("aliases", {})
    duplicates = [d["title"] for d in said.get("dup", ())]
    return [row["title"], *said.get("aka", ()), *said.get("old", ()), *duplicates]


SOURCES: Mapping[str, Callable[[Path], Iterator[Source]]] = {
    "lucide": lucide,
    "aws": partial(cloud, prefix="aws"),
    "gcp": partial(cloud, prefix="gcp"),
    "azure": partial(cloud, prefix="azure"),
    "k8s": partial(cloud, prefix="k8s"),
    "simple": simple,
}
