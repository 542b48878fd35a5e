"""A scene that was placed before: what it has still stays, what has grown pushes, what is new joins.

In: a composer, and the boxes that elements had before (the sketch). Out: the box of every element, or None where the
former picture cannot hold: too little of it is left, or given places leave no room in it. Promises: what needs no room
that another has stays to the pixel; nothing overlaps, children lie in their containers, lanes tile their pools; placed
with its own places a scene stays as it is.

Container by container, the inner ones first, everything in the coordinates of the page: the members that stood there
wish to stand where they did (round the same middle, if they have another size now); `making_room` finds the nearest
places at which they do not meet; new ones take free places (`joining`); the container is drawn round them, with the
room to spare that it had (`bands` for pools).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain, combinations, groupby

from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.kernels.near_boxes import pairs_nearer
from scenograph.engine.kernels.straight_lines import Rectangle
from scenograph.engine.place.bands import ROUNDING, Row, Stack, as_they_stood, banded
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.composing import container_unit, pool_of, with_room, wrapped
from scenograph.engine.place.fewer_crossings import Judge, Trial, with_fewer_crossings
from scenograph.engine.place.frames import area_in, lane_inset, wrap
from scenograph.engine.place.insertion import NOWHERE, BaseLayout, Flow, base_layout, with_newcomers
from scenograph.engine.place.inventory import ROOT, Unit, boxes_of, unit_round
from scenograph.engine.place.making_room import Body, Gaps, moves
from scenograph.engine.place.orientation import TURNS
from scenograph.engine.place.pinned_pools import pooled, standing_pools
from scenograph.engine.place.pools import COLUMN_SHARE, TRACK_SHARE, Lane, Pool, Yard, as_rows, inset_as_row, is_upright
from scenograph.engine.place.relative_positions import with_relative_elements
from scenograph.engine.place.standing import (
    STILL,
    Shift,
    Start,
    in_line,
    shift_between,
    standing_boxes,
    starts,
    with_locked,
)
from scenograph.late_dataclasses import dataclass, replace

# Containers in which an edit changed nothing: they are taken as they were, whole. px. In: a composer, the boxes
# that still hold, those of what is gone from its place. Out: the outermost of these containers, each as one unit. A
# container rests while all that it held stands in it with the size that it had, nothing else came or went, and its
# border is still wide enough. Its content is not looked at for overlaps: a layout of the engine has none, and one
# that is not sound is composed again without resting containers.


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


# Whether a placement is sound: what may move overlaps nothing and lies in its container. px.


TOUCH = 0.05  # px; boxes that only touch do not overlap


def is_sound(composer: Composer, boxes: Mapping[str, Box], floating: Iterable[str]) -> bool:
    """Whether no floating element overlaps one that it does not contain, and all lie in their containers."""
    inventory, names, moving = composer.inventory, list(boxes), set(floating)
    wholes: list[Rectangle] = [boxes[one].with_outset(composer.outset(one)) for one in names]
    for one, (x, y, width, height) in zip(names, wholes, strict=True):
        parent = inventory.parent[one]
        own = Box(x + TOUCH, y + TOUCH, width - 2 * TOUCH, height - 2 * TOUCH)
        if one in moving and parent != ROOT and not boxes[parent].contains(own):
            return False
    # In a sound placement only containers overlap others: what they hold.
    most = sum(len(inventory.ancestors(one)) for one in names) + 1
    found = pairs_nearer(wholes, [one in moving for one in names], -TOUCH, -TOUCH, most)
    return all(
        names[first] in inventory.ancestors(names[second]) or names[second] in inventory.ancestors(names[first])
        for first, second in found
    )


LEAST_SHARE = 0.2  # of the elements that have to be known
HEAVY = 1e3  # what has grown stays, its neighbours give way
LIGHT = (
    1e-3  # what is drawn round content that stood gives way itself, and so does what has grown in a start that says so
)
NONE: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Memory:
    """The composer of the scene, the part of it that stood, what its author has moved or drawn round it since, the
    boxes of what is gone from its place, where new containers begin, what elements had in the sketch, and the units of
    containers in which nothing has changed."""

    composer: Composer
    ground: BaseLayout
    moved: frozenset[str]
    lost: Sequence[Box]
    start: Start
    sketched: Mapping[str, Box]
    resting: Mapping[str, Unit]

    @property
    def standing(self) -> Mapping[str, Box]:
        """Where everything stood that has its place still."""
        return self.ground.boxes


def remembered(
    composer: Composer,
    former: Mapping[str, Box],
    linked: Set[str] = NONE,
    *,
    is_seen: bool = True,
    judge: Judge = lambda _: None,
) -> dict[str, Box] | None:
    """The former layout with what is new in it; `linked` are the ends of new lines. In one that was seen before, what
    is locked stays exactly where it was, and what makes new lines cross others may be placed anew."""
    inventory = composer.inventory
    if not _floating(composer):
        return None
    composer = with_locked(composer, former) if is_seen else composer
    floating, (standing, moved) = _floating(composer), standing_boxes(composer, former)
    if len(standing) < LEAST_SHARE * len(inventory.elements):
        return None
    found: list[tuple[Shift, int, dict[str, Box]]] = []
    for number, start in enumerate(starts(composer, former, standing, may_yield=is_seen)):
        if found and (min(found)[0] == STILL or (start.yields and not min(found)[0].far)):
            break
        known = standing_boxes(composer, former, start.drawn) if start.drawn else (standing, moved)
        boxes = _soundly_composed(_memory(composer, former, known, start, sketched=former), floating)
        if boxes is not None:
            found.append((shift_between(inventory, former, boxes), number, boxes))
    if not found or not is_seen:
        return min(found)[-1] if found else None
    touched = linked | {one for one in floating if one not in standing}
    return with_fewer_crossings(composer, former, min(found)[-1], Trial(touched, judge, _placed_anew, _flow_among))


def _floating(composer: Composer) -> list[str]:
    return [one for one in composer.inventory.elements if one not in composer.fixed and one not in composer.held]


def _placed_anew(
    composer: Composer, former: Mapping[str, Box], boxes: Mapping[str, Box], one: str, place: Box
) -> dict[str, Box] | None:
    """A layout of the scene with one of its elements elsewhere; None where it has no room there."""
    known = {other: box for other, box in boxes.items() if other != one}
    memory = _memory(composer, boxes, (known, frozenset()), Start(), sketched=former, given={one: place})
    return _soundly_composed(memory, _floating(composer))


def _flow_among(composer: Composer, boxes: Mapping[str, Box], container: str) -> Flow:
    """How content flows in a container of a layout of the whole scene."""
    ground = base_layout(composer.inventory, composer.settings, boxes)
    return _flow_in(_Memory(composer, ground, frozenset(), (), Start(), boxes, {}), container)


def _memory(
    composer: Composer,
    former: Mapping[str, Box],
    known: tuple[Mapping[str, Box], frozenset[str]],
    start: Start,
    *,
    sketched: Mapping[str, Box],
    given: Mapping[str, Box] = NOWHERE,
) -> _Memory:
    standing, moved = known
    lost = [box for one, box in former.items() if one not in standing]
    ground = base_layout(composer.inventory, composer.settings, standing, given)
    changed = moved.union(start.drawn)
    return _Memory(composer, ground, changed, lost, start, sketched, resting(composer, standing, lost, changed))


def _soundly_composed(memory: _Memory, floating: Sequence[str]) -> dict[str, Box] | None:
    """The layout, if it is sound; what rests in a sketch of somebody's own may overlap, and is moved apart then."""
    boxes = _composed(memory)
    if boxes is not None and is_sound(memory.composer, boxes, floating):
        return boxes
    return _soundly_composed(replace(memory, resting={}), floating) if memory.resting else None


def _composed(memory: _Memory) -> dict[str, Box] | None:
    composer, inventory, units = memory.composer, memory.composer.inventory, dict(memory.resting)
    inside = {one for unit in units.values() for one in unit.boxes}
    units.update({one: _at_place(memory, one) for one in inventory.elements if one not in inside})
    composer.standing.update({one: units[one].whole for one in composer.fixed})
    for container in (one for one in inventory.containers if one not in inside):
        if container != ROOT and _is_set_by_pool(composer, container):
            continue
        if container != ROOT and (container not in memory.standing or _is_given_pool(composer, container)):
            units[container] = _gathered(memory, container_unit(composer, container, units))
            continue
        content = _content(memory, container, units, _own_flow(memory, container))
        if content is None or container == ROOT:
            return None if content is None else boxes_of(content)
        units[container] = wrapped(composer, container, content, _drawn_round(memory, container, content))
    return None


def _is_set_by_pool(composer: Composer, container: str) -> bool:
    """Whether it is a lane, or what lanes tile, of which nobody gave it or these a place."""
    return composer.is_lane(container) or (composer.swims(container) and container not in composer.fixed)


def _is_given_pool(composer: Composer, container: str) -> bool:
    """Whether it is a pool that has its place of its author, or a lane of which has."""
    lanes = (one for one in composer.inventory.children[container] if is_tile(composer.inventory.elements[one]))
    return composer.swims(container) or any(one in composer.fixed for one in lanes)


def _at_place(memory: _Memory, one: str) -> Unit:
    """An element round the middle that it had, exactly where it was if its size is the same."""
    composer, box = memory.composer, memory.standing.get(one)
    if box is None or one in composer.fixed:
        return composer.leaf(one)
    size = composer.inventory.size(one)
    x = box.x if abs(box.width - size.width) < SAME else box.center.x - size.width / 2
    y = box.y if abs(box.height - size.height) < SAME else box.center.y - size.height / 2
    there = Box(round(x, 2), round(y, 2), size.width, size.height)
    return unit_round(one, there, composer.leaf_outset(one), {}, fixed=False)


def _gathered(memory: _Memory, unit: Unit) -> Unit:
    """A new container in the middle of where what it holds stood, or as near as it fits into the one round it."""
    goal = memory.start.gathered.get(unit.id)
    if goal is None:
        return unit
    whole, home = unit.whole, memory.composer.inventory.parent[unit.id]
    x, y = goal.center.x - whole.width / 2, goal.center.y - whole.height / 2
    if home != ROOT:
        area = area_in(memory.composer.inset(home), memory.standing[home])
        x = max(area.x, min(x, area.right - whole.width))
        y = max(area.y, min(y, area.bottom - whole.height))
    return unit.moved(float(round(x - whole.x)), float(round(y - whole.y)))


def _content(memory: _Memory, container: str, units: Mapping[str, Unit], flow: Flow) -> list[Unit] | None:
    """The members of a container where they belong; None where there is no room for them."""
    members = _members(memory, container, units)
    if members is None:
        return None
    placed = [unit.fixed or unit.id in memory.standing or unit.id in memory.start.gathered for unit in members]
    standing = _apart(memory, [unit for unit, has in zip(members, placed, strict=True) if has], flow)
    if standing is None:
        return None
    memory.ground.now.update(boxes_of(standing))
    coming = [unit for unit, has in zip(members, placed, strict=True) if not has]
    return with_newcomers(memory.ground, container, flow, standing, coming)


def _members(memory: _Memory, container: str, units: Mapping[str, Unit]) -> list[Unit] | None:
    """The pieces of a container: pools that lie the same way as one, relative elements with their targets."""
    composer, inventory = memory.composer, memory.composer.inventory
    children = [one for one in inventory.children[container] if not composer.is_lane(one)]
    pools = [one for one in children if composer.swims(one) and one not in composer.fixed]
    members = [units[one] for one in children if one not in pools]
    for yard in _yards(memory, pools):
        unit = _yard(memory, yard, units, upright=is_upright(inventory, yard[0]))
        if unit is None:
            return None
        members.append(unit if composer.stacks(yard[0]) else with_room(composer, yard[0], unit))
    return with_relative_elements(inventory, container, members, composer.settings.node_spacing)


def _yards(memory: _Memory, pools: Sequence[str]) -> list[list[str]]:
    """Pools by the stacks that they form: those that lie the same way, stood above each other, and reach over each
    other along the flow. Where any two of these stood beside each other, each is a stack of its own. New ones join
    their predecessor. What lanes divide stands by itself."""
    composer, inventory = memory.composer, memory.composer.inventory
    found: list[list[str]] = [[one] for one in pools if not composer.stacks(one)]
    for upright in (False, True):
        mine = [one for one in pools if composer.stacks(one) and is_upright(inventory, one) is upright]
        boxes = {one: as_rows(memory.standing[one], upright=upright) for one in mine if one in memory.standing}
        groups: list[list[str]] = []
        for one, box in boxes.items():
            joined = [group for group in groups if any(_is_level(box, boxes[other], 0) for other in group)]
            groups = [group for group in groups if group not in joined] + [[*chain.from_iterable(joined), one]]
        split = [
            part
            for group in groups
            for part in ([[one] for one in group] if _stood_beside([boxes[one] for one in group]) else [group])
        ]
        for number, one in enumerate(mine):
            if one not in boxes:
                home = next((group for group in split if number and mine[number - 1] in group), None)
                home = home or (split[0] if split else None)
                if home is None:
                    split.append([one])
                else:
                    home.append(one)
        found += [sorted(group, key=mine.index) for group in split]
    return found


def _stood_beside(boxes: Sequence[Box]) -> bool:
    """Whether any two boxes stood beside each other, and none over another: those of a sketch may."""
    pairs = [[_is_level(one, other, axis) for axis in (0, 1)] for one, other in combinations(boxes, 2)]
    return [False, True] in pairs and [True, True] not in pairs


def _is_level(one: Box, other: Box, axis: int) -> bool:
    """Whether two boxes reach over each other on an axis."""
    return min(one[axis] + one[axis + 2], other[axis] + other[axis + 2]) - max(one[axis], other[axis]) > SAME


def _yard(memory: _Memory, pools: Sequence[str], units: Mapping[str, Unit], *, upright: bool) -> Unit | None:
    """Pools as one piece: those that stood as they did, each new one after its predecessor in the document."""
    composer, settings = memory.composer, memory.composer.settings
    former = {one: memory.standing[one] for one in pools if one in memory.standing}
    if not former:
        yard = Yard(tuple(pool_of(composer, one, units) for one in pools), upright)
        return pooled(composer.inventory, yard, settings)
    rows: list[Row] = []
    for pool in as_they_stood(pools, former, upright=upright):
        mine = _rows(memory, pool, pool, units)
        if mine is None:
            return None
        rows += mine
    floating = [row._replace(units=[unit for unit in row.units if not unit.fixed]) for row in rows]
    free = banded(Stack(floating, former, settings.rank_spacing, upright))
    if all(len(row.units) == len(own.units) for row, own in zip(rows, floating, strict=True)):
        return free
    by_pool = groupby(rows, key=lambda row: row.pool)
    stack = tuple(
        Pool(pool, tuple(Lane(row.lane, tuple(row.units), row.above) for row in own)) for pool, own in by_pool
    )
    return standing_pools(composer.inventory, Yard(stack, upright), settings, free.boxes)


def _rows(
    memory: _Memory, pool: str, container: str, units: Mapping[str, Unit], above: tuple[str, ...] = ()
) -> list[Row] | None:
    """The rows of a pool, or of a lane in it that others divide: its lanes in the document's order, before them what
    stands in it beside these."""
    composer, inventory = memory.composer, memory.composer.inventory
    lanes = [one for one in inventory.children[container] if composer.is_lane(one)]
    aside = any(one not in lanes for one in inventory.children[container])
    rows: list[Row] = []
    for lane in [*([None] if aside or not lanes else []), *lanes]:
        if lane is not None and composer.swims(lane):
            inner = _rows(memory, pool, lane, units, (*above, lane))
            if inner is None:
                return None
            rows += inner
            continue
        band = _band(memory, container, lane, lanes)
        content = _content(
            memory, lane or container, units, _lane_flow(memory, container, band, lane_inset(inventory, lane))
        )
        if content is None:
            return None
        inset = inset_as_row(inventory, lane, above, upright=is_upright(inventory, pool))
        rows.append(Row(pool, lane, above, content, band, inset))
    return rows


def _band(memory: _Memory, pool: str, lane: str | None, lanes: Sequence[str]) -> Box | None:
    """The box that a row had; what stands in a pool itself had what its lanes left. A row that this edit made deeper
    need not stay so."""
    standing, upright = memory.standing, is_upright(memory.composer.inventory, pool)
    box = standing.get(pool if lane is None else lane)
    if box is None:
        return None
    if lane is not None:
        was = memory.sketched.get(lane, box)
        return (
            box._replace(width=min(box.width, was.width))
            if upright
            else box._replace(height=min(box.height, was.height))
        )
    first = min((standing[one] for one in lanes if one in standing), default=None, key=lambda one: (one.x, one.y))
    if first is None:
        return box
    if upright:
        return Box(box.x, box.y, first.x - box.x, box.height)
    return Box(box.x, box.y, box.width, first.y - box.y)


def _flow_in(memory: _Memory, container: str) -> Flow:
    """How content flows in any container, lanes and pools among them."""
    composer, inventory = memory.composer, memory.composer.inventory
    if container == ROOT or not _is_set_by_pool(composer, container):
        return _own_flow(memory, container)
    lane = container if composer.is_lane(container) else None
    pool = container if lane is None else inventory.parent[lane]
    return _lane_flow(memory, pool, memory.standing[container], lane_inset(inventory, lane))


def _lane_flow(memory: _Memory, pool: str, band: Box | None, inset: Outset) -> Flow:
    """Columns of a flow stand closer than ranks."""
    settings = memory.composer.settings
    turn = TURNS["TB" if is_upright(memory.composer.inventory, pool) else "LR"]
    around = band or memory.standing.get(pool)
    area = None if around is None else area_in(inset, around)
    return Flow(turn, settings.rank_spacing * COLUMN_SHARE, settings.node_spacing * TRACK_SHARE, area)


def _own_flow(memory: _Memory, container: str) -> Flow:
    settings, former = memory.composer.settings, memory.standing.get(container)
    area = None if former is None else area_in(memory.composer.inset(container), former)
    return Flow(TURNS.get(settings.direction, TURNS["TB"]), settings.rank_spacing, settings.node_spacing, area)


def _apart(memory: _Memory, units: Sequence[Unit], flow: Flow) -> list[Unit] | None:
    """Members that have their place, moved apart where they meet by now."""
    gaps = Gaps(flow.rank_gap, flow.node_gap) if flow.turn.swapped else Gaps(flow.node_gap, flow.rank_gap)
    steps = moves([_body(memory, unit) for unit in units], gaps, in_line(memory.composer, units))
    return None if steps is None else [unit.moved(*step) for unit, step in zip(units, steps, strict=True)]


def _body(memory: _Memory, unit: Unit) -> Body:
    before = _before(memory, unit)
    grown = before is not None and (unit.whole.width > before.width + SAME or unit.whole.height > before.height + SAME)
    before = None if unit.id in memory.moved else before
    gives_way = unit.id in memory.start.drawn or (grown and memory.start.yields)
    weight = len(unit.boxes) * (LIGHT if gives_way else HEAVY if grown else 1.0)
    return Body(before, unit.whole, weight, unit.fixed, unit.pieces if len(unit.pieces) > 1 else ())


def _before(memory: _Memory, unit: Unit) -> Box | None:
    """The room that a piece had, with as much round it as it has now."""
    standing, whole = memory.ground.boxes, unit.whole
    is_one = len(unit.pieces) == 1 and not unit.fixed  # an element that holds all others of the piece
    box = standing.get(unit.id) if is_one else None
    if box is None:
        box = union(standing[one] for one in unit.boxes if one in standing)
    if box is None:
        return None
    now = unit.core if is_one else union(unit.boxes.values()) or unit.core
    return box.with_outset(Outset(now.y - whole.y, whole.right - now.right, whole.bottom - now.bottom, now.x - whole.x))


def _drawn_round(memory: _Memory, container: str, content: Sequence[Unit]) -> Box:
    """The box of a container round its content, with the room to spare that it had round what it held before."""
    composer, former = memory.composer, memory.standing[container]
    kept = [box for unit in content if (box := _before(memory, unit)) is not None]
    held = union([*kept, *(box for box in memory.lost if former.contains(box))])
    fitted, was = _wrap(composer, container, union(unit.whole for unit in content)), _wrap(composer, container, held)
    if not content:
        return former if held is None else Box(former.x, former.y, fitted.width, fitted.height)
    if held is None:
        return fitted
    spare = (was.y - former.y, former.right - was.right, former.bottom - was.bottom, was.x - former.x)
    # A border that lacks less than a pixel is that of a picture of its own: boxes are fitted to whole ones.
    return fitted.with_outset(Outset(*(side if side > -ROUNDING else 0.0 for side in spare)))


def _wrap(composer: Composer, container: str, content: Box | None) -> Box:
    return wrap(composer.inset(container), content, composer.least(container, empty=content is None))
