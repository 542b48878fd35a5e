"""Groups of a drawing as SVG text: what belongs to one element, with whose it is, its link and its tooltip.

A text follows from the group and what the page says already, so the texts of the latest groups are kept: of a scene
that was drawn before only what has changed is painted, and written, anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from scenograph.engine.drawing import DrawnGroup, PictureItem, TextItem
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.items import PageDefaults, item_markup
from scenograph.engine.write.markup import Markup, serialized
from scenograph.engine.write.paints import Attributes
from scenograph.engine.write.typefaces import Typefaces
from scenograph.scene.memo import Latest, MadeOf

_CACHED_GROUPS = 2048
_CACHED_PAGES = 16
_LINK_RULES = (("target", "_blank"), ("rel", "noopener noreferrer"))
_SHAREABLE = frozenset({"fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"})

OWNERS: Mapping[str, Callable[[DrawnGroup], Attributes]] = {
    "element": lambda group: (("data-element-id", group.id), ("data-kind", group.kind)),
    "label": lambda group: (("data-label-for", group.id),),
    "legend": lambda group: (("data-legend", group.kind),),
    "watermark": lambda _: (("data-watermark", ""),),
}
"""How a group says whose it is, by its role."""


def group_texts(groups: Iterable[DrawnGroup], page: PageDefaults) -> Iterator[str]:
    """The groups, one after the other."""
    bare, named = page._replace(typefaces=Typefaces()), page._replace(typefaces=page.typefaces._replace(rules=""))
    bare, named = (_PAGES.get(one) or _PAGES.put(one, one) for one in (bare, named))
    known, pages = _TEXTS[page.outlined], (bare, named)
    return (known.get(group, pages) or _text(group, pages, known) for group in groups)


def _text(group: DrawnGroup, pages: tuple[PageDefaults, PageDefaults], known: MadeOf[str]) -> str:
    """The text of one group. Only one with letters of another family than the page's asks how families are named; one
    with pictures is not kept: these may be large."""
    runs = (run for item in group.items if isinstance(item, TextItem) for run in item.runs)
    page = pages[any(run.font.family != pages[0].font.family for run in runs)]
    text = serialized(_group(group, page))
    is_large = any(isinstance(item, PictureItem) for item in group.items)
    return text if is_large else known.put(group, pages, text)


def _group(group: DrawnGroup, page: PageDefaults) -> Markup:
    owner = OWNERS[group.role](group)
    if group.change:
        owner = (*owner, ("data-change", group.change))
    opacity = () if group.opacity >= 1 else (("opacity", decimal(max(group.opacity, 0.0))),)
    shared, children = _hoisted(tuple(item_markup(item, page) for item in group.items))
    words = (Markup("title", (), (group.tooltip,)),) if group.tooltip else ()
    if group.link is not None:
        children = (Markup("a", (("href", group.link.href), *_LINK_RULES), children),)
    return Markup("g", (*owner, *opacity, *shared), (*words, *children))


def _hoisted(children: tuple[Markup, ...]) -> tuple[Attributes, tuple[Markup, ...]]:
    """The paint that all paths of a group share, and the paths without it. A group with text keeps its paint where it
    is: text would inherit the stroke."""
    if len(children) < 2 or any(child.name != "path" for child in children):
        return (), children
    first, *others = children
    same = [row for row in first.attributes if row[0] in _SHAREABLE and all(row in path.attributes for path in others)]
    if not same:
        return (), children
    kept = (tuple(row for row in path.attributes if row not in same) for path in children)
    return tuple(same), tuple(Markup("path", attributes) for attributes in kept)


_PAGES: Latest[PageDefaults, PageDefaults] = Latest(_CACHED_PAGES)
_TEXTS: Mapping[bool, MadeOf[str]] = {outlined: MadeOf(_CACHED_GROUPS, of_kept=True) for outlined in (False, True)}
"""By whether letters are drawn as outlines: a picture may be asked for in both forms, one after the other."""
