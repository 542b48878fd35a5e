"""Assets of the pages: style sheets, modules, pictures and examples from the folder `assets`. Their address holds a
hash of all assets: caches may keep the files for good, and modules find each other by relative names. Modules and style
sheets are served without their comments and indentation."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

MEDIA_TYPES: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}


# What a module can do without: comments, indentation, and spaces beside punctuation. Lines with a template or a slash
# (the begin of a regular expression) keep their spaces, and so do texts, and imports for linking. A text over several
# lines would change: a test forbids it.
_COMMENT = re.compile(rb"^[ \t]*(?:/\*\*.*?\*/[ \t]*|//[^\n]*)\n|(?<=[;,{}]) // [^\n]*$", re.DOTALL | re.MULTILINE)
_INDENT = re.compile(rb"^[ \t]+|^\n", re.MULTILINE)
_SPACES = re.compile(
    rb"""(?P<kept>^import[^\n]*|^[^\n]*[`/][^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    rb"""|[ ]*(?P<mark>[][{}(),;:=<>?&|!*])[ ]*""",
    re.MULTILINE,
)


# The same of a style sheet: spaces before a colon stand between selectors, those within texts and sums stay.
_SHEET = re.compile(
    rb"""(?P<kept>"[^"\n]*"|'[^'\n]*')|/\*.*?\*/|\s*(?P<mark>[{};,])\s*|(?P<colon>:)\s+|(?P<space>\s+)""", re.DOTALL
)


class ServedFile(NamedTuple):
    """A file as served."""

    content: bytes
    media_type: str


@cache
def assets() -> Mapping[str, ServedFile]:
    """Every asset by its name below the folder."""
    return dict(_below(files("scenograph.http") / "pages" / "assets", ""))


@cache
def assets_version() -> str:
    """A hash of all assets."""
    digest = hashlib.sha256()
    for name, asset in assets().items():
        digest.update(f"{name} {len(asset.content)} ".encode() + asset.content)
    return digest.hexdigest()[:16]


def asset_address(name: str) -> str:
    """The address of an asset. Raises KeyError for an unknown name."""
    assets()[name]
    return f"/assets/{assets_version()}/{name}"


def _below(folder: Traversable, prefix: str) -> list[tuple[str, ServedFile]]:
    found: list[tuple[str, ServedFile]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = prefix + entry.name
        if entry.is_dir():
            found += _below(entry, f"{name}/")
        else:
            suffix = entry.name.rpartition(".")[2]
            content = _BARE.get(suffix, bytes)(entry.read_bytes())
            found.append((name, ServedFile(content, MEDIA_TYPES[suffix])))
    return found


def _bare_module(module: bytes) -> bytes:
    lines = _INDENT.sub(b"", _COMMENT.sub(b"", module))
    return _SPACES.sub(lambda found: found["kept"] or found["mark"], lines)


def _bare_sheet(sheet: bytes) -> bytes:
    def bare(found: re.Match[bytes]) -> bytes:
        return found["kept"] or found["mark"] or found["colon"] or (b" " if found["space"] else b"")

    return _SHEET.sub(bare, sheet).replace(b";}", b"}")


_BARE: Mapping[str, Callable[[bytes], bytes]] = {"js": _bare_module, "css": _bare_sheet}
