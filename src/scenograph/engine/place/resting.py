"""Containers in which an edit changed nothing: they are taken as they were, whole. px.

In: a composer, the boxes that still hold, those of what is gone from its place. Out: the outermost of these containers,
each as one unit. A container rests while all that it held stands in it with the size that it had, nothing else came or
went, and its border is still wide enough. Its content is not looked at for overlaps: a layout of the engine has none,
and one that is not sound is composed again without resting containers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.frames import wrap
from scenograph.engine.place.inventory import ROOT
from scenograph.engine.place.units import Unit, unit_round

SAME = 0.006  # px; sizes are written down with two decimals


def resting(composer: Composer, standing: Mapping[str, Box], lost: Sequence[Box], changed: Set[str]) -> dict[str, Unit]:
    """The units of the outermost containers that rest; `changed` are those that their author moved or drew anew."""
    inventory, content = composer.inventory, dict[str, dict[str, Box]]()
    for container in inventory.containers:
        if container in standing and container not in changed and _is_plain(composer, container):
            inside = _inside(composer, container, standing, content)
            box = standing[container]
            if inside is not None and not any(box.contains(gone) for gone in lost):
                content[container] = inside
    return {
        one: unit_round(one, standing[one], composer.outset(one), inside, fixed=False)
        for one, inside in content.items()
        if inventory.parent[one] not in content
    }


def _is_plain(composer: Composer, container: str) -> bool:
    """Whether a container is drawn round what it holds: no pool, no lane, no place given to it or in it."""
    element = composer.inventory.elements[container]
    return container != ROOT and not (
        container in composer.held or container in composer.fixed or is_tiled(element) or is_tile(element)
    )


def _inside(
    composer: Composer, container: str, standing: Mapping[str, Box], content: Mapping[str, Mapping[str, Box]]
) -> dict[str, Box] | None:
    """The boxes of all that a container holds; None where that is not what it held, or its border has become too
    narrow. `content` are those of the containers in it that rest."""
    inventory, found, wholes = composer.inventory, dict[str, Box](), list[Box]()
    for child in inventory.children[container]:
        box = _stood(composer, child, standing)
        if box is None or inventory.relation(child) is not None:
            return None
        if child in inventory.children and child not in content:
            return None
        found[child] = box
        found.update(content.get(child, {}))
        wholes.append(box.with_outset(composer.outset(child)))
    least = composer.least(container, empty=not wholes)
    needed = wrap(composer.inset(container), union(wholes), least) if wholes else None
    return found if needed is None or standing[container].contains(needed) else None


def _stood(composer: Composer, one: str, standing: Mapping[str, Box]) -> Box | None:
    """The box of an element where it stood; None if it did not, or had another size."""
    box = standing.get(one)
    if box is None or one in composer.fixed or one in composer.inventory.children:
        return box if one not in composer.fixed else None
    size = composer.inventory.size(one)
    if abs(box.width - size.width) >= SAME or abs(box.height - size.height) >= SAME:
        return None
    return Box(box.x, box.y, size.width, size.height)
