"""A visual diff: two revisions of a scene as one picture (R-DIFF-2).

In: both scenes, resolved, the changes of their elements, and the sketches of both. Out: one laid-out scene. Promise:
removed elements keep box, texts and route from the picture of the earlier revision, all other elements from the picture
of the later; neither gives way to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.canvas import crop_canvas, fit_canvas
from scenograph.engine.draw.changes import ADDED, MODIFIED, REMOVED, UNCHANGED, with_treatments
from scenograph.engine.laying_out import laid_out
from scenograph.engine.sketch import Sketch, read_sketch
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import LaidOutScene, Placement, Styles
from scenograph.engine.themes import Theme
from scenograph.engine.views import Viewed, report_unknown, viewed
from scenograph.engine.write.normalized import write_places
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.difference import Difference
from scenograph.scene.model import Asset, Boxed, Edge, Element, Frame, Group, Image, Node, Scene, View

# Two revisions of a scene merged for a visual diff: the new scene with its removed elements.
#
# In: both scenes, resolved, and the removed ids. Out: one scene in document order, with each removed element after its
# former predecessor and in its former container. Promises: nothing of the new scene is changed except the children of
# its containers; containers never contain one another in a cycle. (R-DIFF-2)

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def merge(old: Scene, new: Scene, removed: Collection[str]) -> Scene:
    """Add the removed elements of the old scene to the new scene."""
    merging = _Merging(old, new, frozenset(removed))
    elements = _woven(old.elements, new.elements, lambda element: element.id, merging.lost)
    kept = tuple(merging.finished(element) for element in elements)
    ends = {element.id for element in kept if isinstance(element, Node | Frame | Group)}
    return replace(new, elements=tuple(element for element in kept if _is_whole(element, ends)), assets=merging.assets)


@dataclass(frozen=True)
class _Merging:
    """The data of both scenes needed for merging."""

    old: Scene
    new: Scene
    removed: frozenset[str]

    @cached_property
    def lost(self) -> frozenset[str]:
        """The removed elements that were visible."""
        return frozenset(element.id for element in self.old.elements if element.id in self.removed)

    @cached_property
    def assets(self) -> Mapping[str, Asset]:
        """Both registries; a new asset wins over an old asset, and removed pictures carry their own data."""
        return {**self.old.assets, **self.new.assets}

    @cached_property
    def _old_containers(self) -> Mapping[str, Frame | Group]:
        return _containers(self.old.elements)

    @cached_property
    def _old_homes(self) -> Mapping[str, str]:
        return _homes(self.old.elements)

    @cached_property
    def _new_homes(self) -> Mapping[str, str]:
        return _homes(self.new.elements)

    @cached_property
    def _standing(self) -> Mapping[str, Frame | Group]:
        return _containers(self.new.elements)

    @cached_property
    def _homes_of_lost(self) -> Mapping[str, str | None]:
        """The nearest container in the merged scene for each removed element."""
        return {key: self._home(key, lambda at: at in self._standing or at in self.lost) for key in self.lost}

    @cached_property
    def _adopted(self) -> Mapping[str, str]:
        """Elements that replaced their removed container in place, otherwise unchanged: shown inside the container."""
        layouts = {element.id: element.layout for element in self.new.elements if isinstance(element, Boxed)}
        found: dict[str, str] = {}
        for element in self.old.elements:
            parent = self._old_homes.get(element.id)
            if element.id not in layouts or parent not in self.lost or not isinstance(element, Boxed):
                continue
            survivor = self._home(element.id, self._standing.__contains__)
            if self._new_homes.get(element.id) == survivor and layouts[element.id] == element.layout:
                found[element.id] = parent
        return found

    def finished(self, element: Element) -> Element:
        """An element as present in the merged scene."""
        if element.id in self.lost:
            return self._lost(element)
        return self._with_lost_children(element) if isinstance(element, Frame | Group) else element

    def _home(self, element_id: str, is_there: Callable[[str], bool]) -> str | None:
        """The nearest ancestor in the old scene that still exists."""
        seen = {element_id}
        at = self._old_homes.get(element_id)
        while at is not None and at not in seen and not is_there(at):
            seen.add(at)
            at = self._old_homes.get(at)
        return at if at not in seen else None

    def _with_lost_children(self, container: Frame | Group) -> Element:
        before = self._old_containers.get(container.id)
        mine = [key for key, home in self._homes_of_lost.items() if home == container.id]
        listed = tuple(child for child in (before.children if before else ()) if child in self._old_homes)
        woven = _woven(listed, container.children, lambda child: child, frozenset(mine))
        rest = sorted(set(mine) - set(woven))
        children = (*(child for child in woven if child not in self._adopted), *rest)
        return container if children == container.children else replace(container, children=children)

    def _lost(self, element: Element) -> Element:
        if isinstance(element, Image):
            element = self._with_own_picture(element)
        if isinstance(element, Frame | Group):
            mine = tuple(
                child
                for child in element.children
                if self._adopted.get(child) == element.id or self._homes_of_lost.get(child) == element.id
            )
            element = replace(element, children=mine)
        return element

    def _with_own_picture(self, image: Image) -> Image:
        asset = self.old.assets.get(image.asset_id or "")
        if asset is None:
            return image
        return replace(image, asset_id=None, href=f"data:{asset.mime_type};base64,{asset.data}")


def _woven(old: Iterable[Row], new: Iterable[Row], key: Callable[[Row], Key], lost: Collection[Key]) -> tuple[Row, ...]:
    """The new rows, with each lost row after its former predecessor."""
    rows = tuple(new)
    there = {key(row) for row in rows}
    followers: dict[Key | None, list[Row]] = {}
    anchor: Key | None = None
    for row in old:
        if key(row) in lost:
            followers.setdefault(anchor, []).append(row)
        elif key(row) in there:
            anchor = key(row)
    return (*followers.get(None, ()), *(one for row in rows for one in (row, *followers.get(key(row), ()))))


def _containers(elements: Iterable[Element]) -> Mapping[str, Frame | Group]:
    return {element.id: element for element in elements if isinstance(element, Frame | Group)}


def _homes(elements: Iterable[Element]) -> Mapping[str, str]:
    """The container of each child; of several the first."""
    found: dict[str, str] = {}
    for container in _containers(elements).values():
        for child in container.children:
            found.setdefault(child, container.id)
    return found


def _is_whole(element: Element, ends: Collection[str]) -> bool:
    """Whether an edge has both ends: a removed edge may lead to an element hidden now."""
    return not isinstance(element, Edge) or (element.source.element_id in ends and element.target.element_id in ends)


Value = TypeVar("Value")


class Revision(NamedTuple):
    """A resolved scene, and the sketch of its earlier places."""

    scene: Scene
    sketch: Sketch


class Asked(NamedTuple):
    """The requested theme, and the report."""

    theme: Theme
    report: Report


def compare(old: Revision, new: Revision, change: Difference, view: View, asked: Asked) -> LaidOutScene:
    """The picture of both revisions. A revision without known places is laid out as an edit of the other."""
    change = _seen(change, old.scene, new.scene)
    asked = asked._replace(theme=asked.theme.without_tones())  # a red queue would read as removed
    # Page and palette come from the later scene.
    old = old._replace(scene=replace(old.scene, palette=new.scene.palette, canvas=new.scene.canvas))
    report_unknown(merge(old.scene, new.scene, change.removed), view, asked.report)
    whole = replace(view, crop=())
    first, second = viewed(old.scene, whole, Report()), viewed(new.scene, whole, Report())
    second = _aligned(first, second)
    shown, lost = _together(first, second)
    comparison = _Comparison(_changes_of_folded(shown, _changes(change, new.scene)), lost, view, *asked)
    is_edit = _is_edit(old.scene, new.scene)
    if is_edit and not old.sketch.boxes:
        old = old._replace(sketch=new.sketch)
    before = comparison.picture(first, old.sketch, Report())
    if is_edit and not new.sketch.boxes:
        new = new._replace(sketch=read_sketch(write_places(before)))
    after = comparison.picture(second, new.sketch, asked.report)
    return comparison.joined(shown, before, after, new.sketch)


def _aligned(before: Viewed, after: Viewed) -> Viewed:
    """The later view, with the earlier ids of edges that stand for several: the first of these edges may be gone."""
    lines = {one.id: one for one in before.scene.edges if one.id in before.folded}
    there = {one.id for one in after.scene.elements}
    ids = {
        one.id: known
        for one in after.scene.elements
        if isinstance(one, Edge)
        and one.id in after.folded
        and (known := before.stands_for.get(one.id)) in lines
        and known not in there
        and lines[known].ends == one.ends
    }
    if not ids:
        return after
    elements = tuple(replace(one, id=ids.get(one.id, one.id)) for one in after.scene.elements)
    stands_for = {key: ids.get(one, one) for key, one in after.stands_for.items()} | ids
    folded = frozenset(ids.get(one, one) for one in after.folded)
    return replace(after, scene=replace(after.scene, elements=elements), stands_for=stands_for, folded=folded)


def _together(before: Viewed, after: Viewed) -> tuple[Viewed, frozenset[str]]:
    """Both views as one, with elements only in the earlier view as `lost`; elements folded in the later view are
    represented by the folded box."""
    there = {one.id for one in after.scene.elements} | after.stands_for.keys()
    lost = frozenset(one.id for one in before.scene.elements if one.id not in there)
    scene = merge(before.scene, after.scene, lost)
    stands_for = {**before.stands_for, **after.stands_for}
    folded = after.folded | (before.folded & lost)
    return Viewed(scene, stands_for, folded, is_whole=before.is_whole and after.is_whole), lost


def remarks_without(rows: Sequence[Diagnostic], laid_out: LaidOutScene) -> tuple[Diagnostic, ...]:
    """The remarks, without remarks on removed elements."""
    changes = laid_out.changes or {}
    removed = {key for key, change in changes.items() if change == REMOVED}
    return tuple(row for row in rows if not _is_about(row, removed))


class _Comparison(NamedTuple):
    """The change of each element, the elements `lost` from the later picture, the visible part, the theme, and the
    report."""

    changes: Mapping[str, str]
    lost: frozenset[str]
    view: View
    theme: Theme
    report: Report

    def picture(self, shown: Viewed, sketch: Sketch, report: Report) -> LaidOutScene:
        """One revision as drawn alone, with edges in diff colours."""
        styles = finish_styles(shown.scene, self.theme)
        inked = with_treatments(styles, shown.scene, self.changes)
        return laid_out(shown, styles, sketch, replace(self.view, crop=()), report, inked=inked)

    def joined(self, shown: Viewed, before: LaidOutScene, after: LaidOutScene, sketch: Sketch) -> LaidOutScene:
        """The later picture, with lost elements as in the earlier picture."""
        lost = self.lost
        sizes, routes = _joined(before.sizes, after.sizes, lost), _joined(before.routes, after.routes, lost)
        placement = Placement(
            boxes=_joined(before.placement.boxes, after.placement.boxes, lost),
            parts=_joined(before.placement.parts, after.placement.parts, lost),
        )
        page = after.canvas
        if lost:
            former = sketch.origin if shown.is_whole else None
            page = fit_canvas(shown.scene, sizes, placement, routes, Report(), former=former)
        crop = self.view.crop
        cropped = crop_canvas(shown.shown(crop), sizes, placement, routes) if crop else None
        return replace(
            after,
            scene=shown.scene,
            styles=_styled(before.styles, after.styles, lost),
            sizes=sizes,
            placement=placement,
            routes=routes,
            canvas=cropped or page,
            changes=self.changes,
            is_cropped=cropped is not None,
        )


def _joined(before: Mapping[str, Value], after: Mapping[str, Value], lost: Collection[str]) -> Mapping[str, Value]:
    """The later rows, and the earlier rows of removed elements."""
    return {**after, **{key: row for key, row in before.items() if key in lost}}


def _styled(before: Styles, after: Styles, lost: Collection[str]) -> Styles:
    of, borders = _joined(before.of, after.of, lost), _joined(before.borders, after.borders, lost)
    return replace(after, of=of, borders=borders)


def _is_edit(old: Scene, new: Scene) -> bool:
    """Whether a scene may keep the places of another: neither layout strategy nor aspect ratio has changed."""
    return (old.layout_strategy, old.aspect_ratio) == (new.layout_strategy, new.aspect_ratio)


def _seen(change: Difference, old: Scene, new: Scene) -> Difference:
    """The change as visible in the pictures: elements hidden since are removed, elements hidden before are added."""
    before, after = ({element.id for element in scene.elements} for scene in (old, new))
    return replace(
        change,
        added=tuple(sorted(after - before)),
        removed=tuple(sorted(before - after)),
        modified=tuple(key for key in change.modified if key in before and key in after),
    )


def _changes(change: Difference, new: Scene) -> Mapping[str, str]:
    """The change of each element of both scenes, by id."""
    changes = {element.id: UNCHANGED for element in new.elements}
    for name, keys in ((ADDED, change.added), (REMOVED, change.removed), (MODIFIED, change.modified)):
        changes.update(dict.fromkeys(keys, name))
    return changes


def _changes_of_folded(shown: Viewed, changes: Mapping[str, str]) -> Mapping[str, str]:
    """The changes with folded elements: a representative takes the common change of all represented elements, and is
    modified if their changes differ."""
    found = dict(changes)
    for one in shown.folded:
        hidden = [change for key, change in changes.items() if shown.stands_for.get(key) == one]
        kinds = {changes.get(one, UNCHANGED), *hidden}
        found[one] = kinds.pop() if len(kinds) == 1 else MODIFIED
    return found


def _is_about(row: Diagnostic, element_ids: Collection[str]) -> bool:
    """Whether a diagnostic concerns an element of `ids`."""
    owner = (row.path or "").removeprefix("/elements/").partition("/")[0]
    return row.element_id in element_ids or owner in element_ids
