"""Groups of a drawing as SVG text: what belongs to one element, with whose it is, its link and its tooltip.

A text follows from the group and what the page says already, so the texts of the latest groups are kept: of a scene
that was drawn before only what has changed is painted, and written, anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from scenograph.engine.drawing import DrawnGroup, Item, PathItem, PictureItem, TextItem
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.items import PageDefaults, item_text, path_element, path_paints
from scenograph.engine.write.markup import attributes_text, element, escaped
from scenograph.engine.write.paints import Attributes
from scenograph.engine.write.typefaces import Typefaces
from scenograph.scene.memo import Latest, Remembered

_CACHED_PAGES = 16
_LINK_RULES = (("target", "_blank"), ("rel", "noopener noreferrer"))

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
    known, naming = _TEXTS[page.outlined], (named,)
    return (known.get(group, bare) or known.get(group, naming) or _text(group, bare, naming, known) for group in groups)


def _text(group: DrawnGroup, bare: PageDefaults, naming: tuple[PageDefaults], known: Remembered[str]) -> str:
    """The text of one group. Only one with letters of another family than the page's asks how families are named, which
    changes with every new letter; it is kept apart also where nothing is named. One with pictures is not kept: these
    may be large."""
    given, is_large = bare, False
    for item in group.items:
        if type(item) is TextItem:
            for run in item.runs:
                if run.font.family != bare.font.family:
                    given = naming
        elif type(item) is PictureItem:
            is_large = True
    text = _written(group, bare if given is bare else naming[0])
    return text if is_large else known.put(group, given, text)


def _written(group: DrawnGroup, page: PageDefaults) -> str:
    owner = OWNERS[group.role](group)
    if group.change:
        owner = (*owner, ("data-change", group.change))
    if group.opacity < 1:
        owner = (*owner, ("opacity", decimal(max(group.opacity, 0.0))))
    paint, content = _items(group.items, page)
    if group.link is not None:
        content = element("a", attributes_text((("href", group.link.href), *_LINK_RULES)), content)
    words = f"<title>{escaped(group.tooltip)}</title>" if group.tooltip else ""
    return element("g", attributes_text(owner) + paint, words + content)


def _items(items: tuple[Item, ...], page: PageDefaults) -> tuple[str, str]:
    """The paint that all paths of a group share, and its items without it. A group with text keeps its paint where it
    is: text would inherit the stroke."""
    paths = [item for item in items if type(item) is PathItem]
    if not paths or len(paths) < len(items):
        return "", "".join([item_text(item, page) for item in items])
    shared, *own = path_paints(paths, page)
    return shared, "".join(map(path_element, paths, own))


_PAGES: Latest[PageDefaults, PageDefaults] = Latest(_CACHED_PAGES)
_TEXTS = {outlined: Remembered[str]() for outlined in (False, True)}
"""By whether letters are drawn as outlines: a picture may be asked for in both forms, one after the other."""
