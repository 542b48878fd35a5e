"""XML for readers: a tree of tags with their lines, built without entities and without a DTD. Depth and number of tags
are bounded during parsing: a hostile source costs no more than a large source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.source import Place, Unreadable

DEEPEST = 100
_MOST_TAGS = 100_000
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Tag:
    """An element. `name` is its local name, `space` its namespace; attributes of foreign namespaces are keyed as
    `{space}name`."""

    name: str
    space: str
    attributes: dict[str, str]
    place: Place
    children: list[Tag] = field(default_factory=list["Tag"])
    texts: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """The text directly within the element."""
        return "".join(self.texts).strip()

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, default)

    def all(self, *names: str) -> Iterator[Tag]:
        """The children of these names, in order."""
        return (child for child in self.children if child.name in names)

    def first(self, *names: str) -> Tag | None:
        """The first child of these names."""
        return next(self.all(*names), None)

    def walk(self) -> Iterator[Tag]:
        """The element and its descendants, in source order."""
        waiting: list[Tag] = [self]
        while waiting:
            tag = waiting.pop()
            yield tag
            waiting.extend(reversed(tag.children))


class _Builder:
    """Builds the tree; the parser gives positions, `skipped` lines below the start of the source."""

    def __init__(self, skipped: int) -> None:
        self.parser: DefusedXMLParser | None = None
        self.skipped = skipped
        self._open: list[Tag] = []
        self._count = 0
        self.root: Tag | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        space, _, name = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
        row = Tag(name, space, attributes, self._place())
        self._count += 1
        if len(self._open) >= DEEPEST:
            raise Unreadable(row.place, f"tags nested at most {DEEPEST} deep")
        if self._count > _MOST_TAGS:
            raise Unreadable(row.place, f"at most {_MOST_TAGS} tags")
        if self._open:
            self._open[-1].children.append(row)
        else:
            self.root = row
        self._open.append(row)

    def end(self, _tag: str) -> None:
        self._open.pop()

    def data(self, text: str) -> None:
        if self._open:
            self._open[-1].texts.append(text)

    def close(self) -> None:
        """Nothing is left to do."""

    def _place(self) -> Place:
        if self.parser is None:
            return Place(1, 1)
        expat = self.parser.parser
        return Place(expat.CurrentLineNumber + self.skipped, expat.CurrentColumnNumber + 1)


def parsed(text: str) -> Tag:
    """The root of an XML text. Raises Unreadable for invalid XML, a DTD or entities, and excessive depth or size."""
    clean = _SURROGATES.sub("\ufffd", text)
    body = clean.lstrip("\ufeff \t\r\n")
    builder = _Builder(clean.count("\n", 0, len(clean) - len(body)))
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.parser = parser
    try:
        parser.feed(body)
        parser.close()
    except DefusedXmlException as refused:
        raise Unreadable(Place(1, 1), "XML without a <!DOCTYPE>: document types and entities are not read") from refused
    except ParseError as wrong:
        line, column = wrong.position
        raise Unreadable(Place(line + builder.skipped, column + 1), "well-formed XML") from wrong
    finally:
        builder.parser = None
    if builder.root is None:
        raise Unreadable(Place(1, 1), "an XML element")
    return builder.root
