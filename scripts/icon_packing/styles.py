"""Presentation properties of SVG elements: attributes, class rules, inline style, inheritance.

Only what icon files use is known: rules of plain class, id or element selectors. Anything else is refused, so that no
icon is packed half understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

INHERITED = {
    "color": "#000",
    "fill": "#000",
    "fill-opacity": "1",
    "fill-rule": "nonzero",
    "clip-rule": "nonzero",
    "stroke": "none",
    "stroke-dasharray": "none",
    "stroke-dashoffset": "0",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-miterlimit": "4",
    "stroke-opacity": "1",
    "stroke-width": "1",
    "visibility": "visible",
}
OWN = {"opacity": "1", "clip-path": "none", "mask": "none", "filter": "none", "display": "inline"}
# What the packs cannot hold; met with another value than the one that means nothing, the icon is left out.
REFUSED = {"mix-blend-mode": "normal", "marker-start": "none", "marker-end": "none", "marker-mid": "none"}

Properties = dict[str, str]
Rules = list[tuple[str, Properties]]
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR = re.compile(r"[.#]?[\w-]+")


def declarations(text: str) -> Properties:
    """`fill:#fff;stroke:none` as a mapping."""
    pairs = (part.split(":", 1) for part in text.split(";") if ":" in part)
    return {name.strip().lower(): value.strip() for name, value in pairs}


def read_rules(css: str) -> Rules:
    """The rules of a style element in order; ValueError for a selector that is not a class, an id or a name."""
    rules: Rules = []
    for selectors, body in _RULE.findall(_COMMENT.sub("", css)):
        for selector in selectors.split(","):
            if _SELECTOR.fullmatch(selector.strip()) is None:
                raise ValueError(f"unknown selector {selector.strip()!r}")
            rules.append((selector.strip(), declarations(body)))
    return rules


def own_properties(tag: str, attributes: Mapping[str, str], rules: Rules) -> Properties:
    """What one element says itself: attributes, then rules by specificity and order, then inline style."""
    known = INHERITED.keys() | OWN.keys() | REFUSED.keys()
    said = {name: value.strip() for name, value in attributes.items() if name in known}
    names = {tag: 0} | {f".{name}": 1 for name in attributes.get("class", "").split()}
    names |= {f"#{attributes['id']}": 2} if "id" in attributes else {}
    for _, body in sorted((r for r in rules if r[0] in names), key=lambda rule: names[rule[0]]):
        said |= body
    return said | declarations(attributes.get("style", ""))


def cascade(parent: Properties, own: Properties) -> Properties:
    """The computed properties of an element under `parent`; ValueError when it needs what packs cannot hold."""
    for name, nothing in REFUSED.items():
        if own.get(name, nothing) not in (nothing, "none"):
            raise ValueError(f"{name}: {own[name]}")
    kept = {name: value for name, value in own.items() if name in INHERITED and value != "inherit"}
    return parent | OWN | {name: own[name] for name in OWN if name in own} | kept


def initial() -> Properties:
    """The properties above the root."""
    return INHERITED | OWN
