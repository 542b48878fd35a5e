"""The documents of a YAML or JSON source, each read on its own: a fault costs its document. A fault is told without the
words of the source, which may be secrets. The first document imports the YAML library, which most sources do not need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from scenograph.reading.source import Place, Unreadable

if TYPE_CHECKING:
    from scenograph.scene.json_values import Path
    from scenograph.scene.strict_yaml import ValueCount

EXPECTED = (
    "YAML of mappings, lists and plain values, without tags, a key twice in a mapping or an alias without an anchor"
)
_MOST_DOCUMENTS = 5_000
_MOST_WRITTEN = 200_000  # keys and values of a text

_ODD_LINE = re.compile(
    r"^(?![ \t\r\n#}\]-]|\{\{|\.\.\.|\Z|\ufeff|[\"']?[$A-Za-z_][\w.-]*[\"']?[ \t]*:(?:[ \t\r]|$))", re.MULTILINE
)
_SURROGATES = re.compile(r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})|\\[^\n]")
_BOUND = re.compile(r"^(?:(?P<begins>---)|\.\.\.)(?=[ \t\r\n]|\Z)|^\ufeff", re.MULTILINE)
_BLANK = re.compile(r"(?:[ \t\r]*(?:[#%][^\n]*)?(?:\n|\Z))*+(?:---[ \t\r]*)?(?:[ \t\r]*(?:#[^\n]*)?(?:\n|\Z))*+")


class Document(NamedTuple):
    """The value of a document, and the places of its keys and items by their paths. `fault` is the place of the first
    fault of a document that is no YAML."""

    value: object
    first_line: int
    places: Mapping[Path, tuple[int, int]]
    fault: Place | None = None

    def place(self, *path: str | int) -> Place:
        """The place of a path, or of the nearest placed container around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                line, column = self.places[path[:length]]
                return Place(line + self.first_line - 1, column)
        return Place(self.first_line, 1)


def documents(text: str, depth: int, most: int) -> Iterator[Document]:
    """The documents with a value, with the places of `depth` levels of keys and items. Unreadable for a text of more
    than `most` characters, _MOST_DOCUMENTS documents or _MOST_WRITTEN keys and values."""
    from scenograph.scene.strict_yaml import ValueCount  # noqa: PLC0415 - most sources need no YAML

    if len(text) > most:
        raise Unreadable(Place(1), f"YAML of at most {most} characters")
    line, count, budget = 1, 0, ValueCount(_MOST_WRITTEN)
    for chunk in chunks(_SURROGATES.sub(_character, text) if text.lstrip()[:1] in ("{", "[") else text):
        if not _BLANK.fullmatch(chunk):
            count += 1
            if count > _MOST_DOCUMENTS:
                raise Unreadable(Place(line), f"at most {_MOST_DOCUMENTS} YAML documents")
            yield from _read(chunk, line, depth, budget)
        line += chunk.count("\n")


def has_members_alone(chunk: str) -> bool:
    """Whether the lines of block YAML that begin in column 1 are the members of a mapping."""
    return _ODD_LINE.search(chunk) is None


def chunks(text: str) -> Iterator[str]:
    """The texts of the documents with the lines between them. A byte order mark begins a file."""
    bounds = [(found.start(), found.start() if found["begins"] else found.end()) for found in _BOUND.finditer(text)]
    begins = 0
    for ends, next_begins in bounds:
        yield text[begins:ends]
        begins = next_begins
    yield text[begins:]


def _character(found: re.Match[str]) -> str:
    """The character of a pair of surrogates, which JSON may write and YAML may not."""
    if found["high"] is None:
        return found[0]
    return chr(0x10000 + ((int(found["high"], 16) & 0x3FF) << 10) + (int(found["low"], 16) & 0x3FF))


def _read(chunk: str, line: int, depth: int, budget: ValueCount) -> Iterator[Document]:
    from scenograph.scene.strict_yaml import StrictYamlError, parse_placed  # noqa: PLC0415 - as above

    try:
        for value, places in parse_placed(chunk, depth, budget):
            if value is not None:
                yield Document(value, line, places)
    except StrictYamlError as wrong:
        place = Place(wrong.line + line - 1, wrong.column)
        if budget.left < 0:
            raise Unreadable(place, f"YAML or JSON of at most {_MOST_WRITTEN} keys and values") from None
        yield Document(None, line, {}, place)
