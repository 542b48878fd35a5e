"""The parts of a source, to leave some of them out: for the smallest input that still fails, and for a changed source.

Markup is cut by elements, all else by lines. What is left may be no source any more; the trial finds out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

from chance.scenes import Chance
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from field_trials.outlines import drawio_root

MARKUP = ("drawio", "bpmn")
MOST_TRIALS = 160
Fails = Callable[[str], bool]
Way = tuple[int, ...]
"""The numbers of an element and of those round it, among their siblings."""
Part = str | Way


def without(form: str, text: str, chance: Chance) -> str:
    """A changed source: one part of it, by chance, is gone."""
    rows = _split(form, text)
    at = chance.number(0, max(0, len(rows) - 1))
    return _joined(form, text, [row for number, row in enumerate(rows) if number != at])


def smallest(form: str, text: str, fails: Fails, most: int = MOST_TRIALS) -> str:
    """A source with as few parts as can be that still fails; `most` trials."""
    if form == "drawio":
        text = _tried(_uncompressed(text), text, fails)
    rows, left = _split(form, text), most
    size = max(1, len(rows) // 2)
    while left > 0 and rows:
        at, cut = 0, False
        while at < len(rows) and left > 0:
            fewer = [*rows[:at], *rows[at + size :]]
            left -= 1
            if fewer and fails(_joined(form, text, fewer)):
                rows, cut = fewer, True
            else:
                at += size
        if size == 1 and not cut:
            break
        size = max(1, size // 2)
    return _joined(form, text, rows)


def _tried(other: str, text: str, fails: Fails) -> str:
    return other if other != text and fails(other) else text


def _uncompressed(text: str) -> str:
    try:
        root = drawio_root(text)
    except (ValueError, ParseError, DefusedXmlException, zlib.error):
        return text
    model = Element("mxGraphModel")
    model.append(root)
    return tostring(model, encoding="unicode")


def _split(form: str, text: str) -> list[Part]:
    top = _top(text) if form in MARKUP else None
    return list(text.splitlines(keepends=True)) if top is None else _ways(top, ())


def _top(text: str) -> Element | None:
    try:
        return fromstring(text.lstrip("\ufeff").strip().encode("utf-8", "replace"))
    except (ParseError, DefusedXmlException):
        return None


def _ways(element: Element, way: Way) -> list[Part]:
    """The ways to all elements within, outer ones first."""
    found: list[Part] = []
    for number, child in enumerate(element):
        found.append((*way, number))
        found += _ways(child, (*way, number))
    return found


def _joined(form: str, text: str, rows: Sequence[Part]) -> str:
    top = _top(text) if form in MARKUP else None
    if top is None:
        return "".join(row for row in rows if isinstance(row, str))
    for prefix, address in re.findall(r"xmlns:?((?!ns\d)[\w.-]*)=[\"']([^\"']+)", text):
        register_namespace(prefix, address)
    _prune(top, (), {row for row in rows if isinstance(row, tuple)})
    return tostring(top, encoding="unicode")


def _prune(element: Element, way: Way, kept: set[Way]) -> None:
    for number, child in reversed(list(enumerate(element))):
        if (*way, number) in kept:
            _prune(child, (*way, number), kept)
        else:
            element.remove(child)
