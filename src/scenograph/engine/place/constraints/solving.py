"""All constraints of a scene together. (R-CON-4, R-CON-5)

In: the inventory and the boxes as laid out. Out: the boxes with as many constraints fulfilled as are compatible; every
other constraint is reported (CONSTRAINT_UNSATISFIED). On a contradiction the earlier constraint wins. Moved elements
take along their content and the elements placed relative to them; frames are fitted, and engine-placed neighbours give
way. Everything else, and boxes that fulfil every constraint, stay unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import fsum
from typing import NamedTuple

from scenograph.diagnostics import CONSTRAINT_UNSATISFIED, Report
from scenograph.engine import effort as efforts
from scenograph.engine.effort import Effort, effort_for, report_limited
from scenograph.engine.families.family import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.geometry.directions import axis_of
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.place.constraints.kinds import CONSTRAINTS, EXACT, Board
from scenograph.engine.place.containers.frames import HEADER, UPRIGHT_LANES, lane_inset, wrap
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.late_dataclasses import replace
from scenograph.scene.limits import LIMITS
from scenograph.scene.model import Constraint, Frame, Group, Layout

# Containers round content moved by constraints. A frame of open size is fitted to its content again, and so is a group;
# the lanes of a pool grow and push each other on, and the pool grows along. Given sizes and places stay, and content
# outside them is not `sound`: a constraint requiring this cannot hold. px.


SLACK = 0.5  # px; the effect of rounding on a box and its container
_NO_INSET = Outset()


def _refit(board: Board) -> None:
    """Fit every touched container round its content, inner containers first."""
    if not board.touched:
        return
    for container in board.inventory.containers:
        if container not in board.boxes or not _is_touched(board, container):
            continue
        layout = board.inventory.elements[container].layout
        is_given = layout.mode == "absolute" or layout.width is not None or layout.height is not None
        if is_given or _follows_pool(board, container):
            continue
        fit = _fit_pool if _swims(board, container) else _fit
        fit(board, container)
    board.touched.clear()


def is_sound(board: Board, before: Mapping[str, Box]) -> bool:
    """Whether the content of every container still lies inside, the lanes of every pool still tile the pool, and every
    box is within a document's limits."""
    return (
        _is_within_reach(board)
        and _holds_content(board, before)
        and all(
            _is_tiled(board, pool, board.boxes) or not _is_tiled(board, pool, before)
            for pool in board.inventory.containers
            if pool in board.boxes and _has_lanes(board, pool)
        )
    )


def _is_within_reach(board: Board) -> bool:
    """Whether every box lies within a document's limits; contradicting wishes can drive each other far out."""
    return all(
        max(abs(box.x), abs(box.y), abs(box.right), abs(box.bottom)) <= LIMITS.coordinate
        for box in board.boxes.values()
    )


def _holds_content(board: Board, before: Mapping[str, Box]) -> bool:
    return all(
        _holds(board, parent, child, board.boxes) or not _holds(board, parent, child, before)
        for child, parent in board.inventory.parent.items()
        if parent in board.boxes and child in board.boxes
    )


def _holds(board: Board, parent: str, child: str, boxes: Mapping[str, Box]) -> bool:
    return boxes[parent].grown(SLACK).contains(boxes[child].with_outset(board.outset(child)))


def _is_tiled(board: Board, pool: str, boxes: Mapping[str, Box]) -> bool:
    """Whether the lanes follow each other up to the end of their pool. A lane is as long as the pool without its
    header."""
    lanes = _lanes_of(board, pool)
    axis = _axis_of(board, pool)
    along = "y" if axis == "x" else "x"
    whole = boxes[pool]
    rows = sorted((boxes[lane] for lane in lanes), key=lambda box: _start(box, axis))
    first = _start(whole, axis) if len(lanes) == len(board.members(pool)) else _start(rows[0], axis)
    gaps = [_start(rows[0], axis) - first, _end(rows[-1], axis) - _end(whole, axis)]
    gaps += [_end(first, axis) - _start(second, axis) for first, second in pairwise(rows)]
    gaps += [_start(row, along) - _start(whole, along) - HEADER for row in rows]
    gaps += [_end(row, along) - _end(whole, along) for row in rows]
    return all(abs(gap) <= SLACK for gap in gaps)


def _is_touched(board: Board, container: str) -> bool:
    lanes = (child for child in board.members(container) if _is_lane(board, child))
    return container in board.touched or any(lane in board.touched for lane in lanes)


def _fit(board: Board, container: str) -> None:
    """Fit a frame or group round its content; a container enlarged by a constraint only grows."""
    content, element = board.content(container), board.inventory.elements[container]
    if content is None:
        return
    if isinstance(element, Group):
        board.fit(container, content)
        return
    around = wrap(_NO_INSET, content, (board.inventory.size(container).width, 0.0))
    larger = container in board.kept or is_tiled(element)
    board.fit(container, (union((around, board.boxes[container])) or around) if larger else around)


def _is_lane(board: Board, element_id: str) -> bool:
    element, parent = board.inventory.elements[element_id], board.inventory.parent[element_id]
    return is_tile(element) and parent != ROOT and _is_pool(board, parent)


def _is_pool(board: Board, element_id: str) -> bool:
    return is_tiled(board.inventory.elements[element_id])


def _lanes_of(board: Board, pool: str) -> list[str]:
    return [child for child in board.members(pool) if _is_lane(board, child)]


def _swims(board: Board, pool: str) -> bool:
    """Whether a pool has only engine-placed content; its lanes may then be set anew."""
    return _has_lanes(board, pool) and pool not in board.inventory.positioned


def _follows_pool(board: Board, element_id: str) -> bool:
    """Whether an element is a lane of a pool with engine-placed lanes."""
    return _is_lane(board, element_id) and _swims(board, board.inventory.parent[element_id])


def _has_lanes(board: Board, element_id: str) -> bool:
    return _is_pool(board, element_id) and bool(_lanes_of(board, element_id))


def _axis_of(board: Board, pool: str) -> str:
    """The axis of a pool's successive lanes."""
    element = board.inventory.elements[pool]
    return "x" if isinstance(element, Frame) and element.lane_direction == UPRIGHT_LANES else "y"


def _fit_pool(board: Board, pool: str) -> None:
    """Fit a pool: lanes as deep as their content, one after another in their present order; pool and lanes as long as
    the longest lane. Content of the pool itself gets a strip before the first lane."""
    lanes, axis = _lanes_of(board, pool), _axis_of(board, pool)
    lanes.sort(key=lambda one: board.start(one, axis))
    rest = [child for child in board.members(pool) if child not in lanes]
    at = _start(board.boxes[pool], axis)
    if rest:
        at = _fit_strip(board, rest, axis, at, board.start(lanes[0], axis))
    for lane in lanes:
        at = _fit_lane(board, lane, axis, at)
    if pool in board.kept and board.end(pool, axis) > at:
        last = lanes[-1]
        board.fit(last, _between(board.boxes[last], axis, board.start(last, axis), board.end(pool, axis)))
    _lengthen(board, pool, lanes, rest)


def _fit_strip(board: Board, rest: Sequence[str], axis: str, start: float, end: float) -> float:
    """Make room for a pool's content outside lanes. Returns the strip's end."""
    need = _need(board, rest, None)
    before = max(0.0, start - _start(need, axis))
    board.shift(rest, axis, before)
    return max(end, _end(need, axis) + before)


def _fit_lane(board: Board, lane: str, axis: str, start: float) -> float:
    """Put a lane at `start`, as deep as its content. Returns the lane's end."""
    box, content = board.boxes[lane], board.members(lane)
    need = _need(board, content, lane) if content else box
    before = max(0.0, _start(box, axis) - _start(need, axis))
    after = max(0.0, _end(need, axis) - _end(box, axis))
    board.shift(content, axis, start - _start(box, axis) + before)
    end = start + _end(box, axis) - _start(box, axis) + before + after
    board.fit(lane, _between(board.boxes[lane], axis, start, end))
    return end


def _lengthen(board: Board, pool: str, lanes: Sequence[str], rest: Sequence[str]) -> None:
    """Make all lanes as long as the longest content; then fit the pool and its header band."""
    across, axis = _axis_of(board, pool), "x" if _axis_of(board, pool) == "y" else "y"
    needs = [board.boxes[lane] for lane in lanes]
    needs += [_need(board, board.members(lane), lane) for lane in lanes if board.members(lane)]
    needs += [_need(board, rest, None)] if rest else []
    low, high = min(_start(need, axis) for need in needs), max(_end(need, axis) for need in needs)
    if pool in board.kept:
        low, high = min(low, board.start(pool, axis) + HEADER), max(high, board.end(pool, axis))
    for lane in lanes:
        board.fit(lane, _between(board.boxes[lane], axis, low, high))
    start, end = board.start(pool, across), board.end(lanes[-1], across)
    board.fit(pool, _between(_between(board.boxes[pool], across, start, end), axis, low - HEADER, high))


def _need(board: Board, content: Sequence[str], lane: str | None) -> Box:
    """The room needed by the content of a lane, or of the pool itself."""
    around = union(board.whole(child) for child in content) or Box(0.0, 0.0, 0.0, 0.0)
    return around.with_outset(lane_inset(board.inventory, lane))


def _start(box: Box, axis: str) -> float:
    return box.x if axis == "x" else box.y


def _end(box: Box, axis: str) -> float:
    return box.right if axis == "x" else box.bottom


def _between(box: Box, axis: str, low: float, high: float) -> Box:
    return Box(low, box.y, high - low, box.height) if axis == "x" else Box(box.x, low, box.width, high - low)


# Overlap removal after constraints: elements placed by the engine give way to moved elements. px. In: the boxes as
# laid out, the board with all constraints fulfilled. Out: a board with room for elements that came to overlap a
# neighbour, or came nearer than before: the page is cut between the two and moved apart, so that lines and ranks
# stay. Elements with a place by the author, and locked elements, never move; a step that breaks a constraint is not
# taken.


MAX_STEPS = 40  # pushes before the rest is left as it is


class Invariants(NamedTuple):
    """The constants of a removal: the boxes before, the elements named by constraints with their containers, the
    settings, the solver, and the remaining effort."""

    before: Mapping[str, Box]
    named: frozenset[str]
    settings: LayoutSettings
    solve: Callable[[Board], bool]
    effort: Effort


class _Clash(NamedTuple):
    """Two members of a container; the soft member gives way."""

    container: str
    firm: str
    soft: str


def _remove_overlaps(board: Board, invariants: Invariants) -> Board:
    """The board with clashes removed, as far as possible. Every step leaves fewer clashes."""
    hopeless, clashes = set[_Clash](), list(_clashes(board, invariants))
    for _ in range(MAX_STEPS):
        clash = next((one for one in clashes if one not in hopeless), None)
        if clash is None or invariants.effort.is_spent:
            break
        better = _parted(board, invariants, clash, len(clashes))
        if better is None:
            hopeless.add(clash)
        else:
            board, clashes = better
    return board


def _parted(board: Board, invariants: Invariants, clash: _Clash, most: int) -> tuple[Board, list[_Clash]] | None:
    """The board after the best cut between two clashing members, and its clashes. First choice is the axis on which the
    two stood apart; named elements stay if they must not move along; last choice is moving the soft member alone. None
    unless fewer than `most` clashes are left."""
    ways = [*product(_axes(invariants, clash), (frozenset[str](), invariants.named)), None]
    for way in ways:
        trial = board.copy()
        if way is None:
            _step_aside(trial, invariants, clash)
        else:
            _cut(trial, invariants, clash, way)
        _refit(trial)
        if invariants.solve(trial):
            left = list(_clashes(trial, invariants))
            if len(left) < most and clash not in left:
                return trial, left
    return None


def _step_aside(board: Board, invariants: Invariants, clash: _Clash) -> None:
    """Move the soft member alone to the nearest free place among its neighbours."""
    own = board.whole(clash.soft)
    others = (board.whole(one) for one in board.members(clash.container) if one != clash.soft)
    spot = Occupied(others).free_spot(own, invariants.settings.node_spacing / 2)
    if spot is not None:
        board.shift([clash.soft], "x", spot.x - own.x)
        board.shift([clash.soft], "y", spot.y - own.y)


def _clashes(board: Board, invariants: Invariants) -> Iterator[_Clash]:
    """Pairs of members nearer to each other than before, and than their gap."""
    for container in board.inventory.containers:
        members = board.members(container)
        if len(members) < 2 or all(board.boxes[one] == invariants.before[one] for one in members):
            continue
        boxes = [board.whole(one) for one in members]
        invariants.effort.spend(len(boxes))
        index = SpatialIndex(Bounds(box.x, box.y, box.right, box.bottom) for box in boxes)
        reach = invariants.settings.node_spacing
        for number, box in enumerate(boxes):
            near = index.near(box.x - reach, box.y - reach, box.right + reach, box.bottom + reach)
            invariants.effort.spend(len(near))
            for other in sorted(near):
                clash = (
                    _clash(board, invariants, container, (members[number], members[other])) if other > number else None
                )
                if clash is not None:
                    yield clash


def _clash(board: Board, invariants: Invariants, container: str, pair: tuple[str, str]) -> _Clash | None:
    soft = [one for one in pair if _is_soft(board, one)]
    if not soft:
        return None
    giving = min(reversed(soft), key=lambda one: one in invariants.named)
    clash = _Clash(container, pair[0] if giving == pair[1] else pair[1], giving)
    return clash if _clash_between(board, invariants, clash) else None


def _is_soft(board: Board, element_id: str) -> bool:
    """Whether the engine placed the element and all its content."""
    return element_id not in board.inventory.firm and board.inventory.elements[element_id].layout.mode != "relative"


def _clash_between(board: Board, invariants: Invariants, clash: _Clash) -> bool:
    stood = max(_apart(board, invariants.before, clash, axis) for axis in ("x", "y"))
    if stood < -EXACT:
        return False
    wished = clash.firm in invariants.named and clash.soft in invariants.named
    least = 0.0 if wished else min(stood, invariants.settings.node_spacing / 2)
    return max(_apart(board, board.boxes, clash, axis) for axis in ("x", "y")) < least - EXACT


def _apart(board: Board, boxes: Mapping[str, Box], clash: _Clash, axis: str) -> float:
    """The gap between two members along an axis; negative for an overlap."""
    first, second = (boxes[one].with_outset(board.outset(one)) for one in (clash.firm, clash.soft))
    if axis == "x":
        return max(first.x, second.x) - min(first.right, second.right)
    return max(first.y, second.y) - min(first.bottom, second.bottom)


def _axes(invariants: Invariants, clash: _Clash) -> Sequence[str]:
    first, second = invariants.before[clash.firm], invariants.before[clash.soft]
    beside = first.right <= second.x or second.right <= first.x
    over = first.bottom <= second.y or second.bottom <= first.y
    if beside and over:
        along = axis_of(invariants.settings.direction)
        return (along, "y" if along == "x" else "x")
    return ("x", "y") if beside else ("y", "x")


def _cut(board: Board, invariants: Invariants, clash: _Clash, way: tuple[str, frozenset[str]]) -> None:
    """Move the soft member clear of the firm member along an axis, together with everything beyond the same line,
    except `staying` elements."""
    axis, staying = way
    lines = {one: _span(invariants.before[one], axis) for one in board.members(clash.container)}
    forward = fsum(lines[clash.soft]) >= fsum(lines[clash.firm])
    gap = _gap(board, invariants, clash, axis)
    (low, high), (start, end) = (_span(board.whole(one), axis) for one in (clash.firm, clash.soft))
    by = high + gap - start if forward else low - gap - end
    side, sense = (0, 1) if forward else (1, -1)
    line = lines[clash.soft][side] * sense
    beyond = [one for one in lines if one != clash.firm and lines[one][side] * sense >= line]
    if by * sense > 0:
        board.shift([one for one in beyond if one == clash.soft or _yields(board, one, staying)], axis, by)


def _yields(board: Board, element_id: str, staying: frozenset[str]) -> bool:
    return _is_soft(board, element_id) and element_id not in staying


def _gap(board: Board, invariants: Invariants, clash: _Clash, axis: str) -> float:
    """The former gap of two members, at most the usual spacing."""
    along = axis_of(invariants.settings.direction) == axis
    usual = invariants.settings.rank_spacing if along else invariants.settings.node_spacing
    stood = _apart(board, invariants.before, clash, axis)
    return min(usual, stood) if stood >= 0 else usual


def _span(box: Box, axis: str) -> tuple[float, float]:
    return (box.x, box.right) if axis == "x" else (box.y, box.bottom)


def _named_by(board: Board, elements: Sequence[str]) -> frozenset[str]:
    """The elements named by constraints, and their containers."""
    known = board.known(elements)
    around = (one for element_id in known for one in board.inventory.ancestors(element_id) if one != ROOT)
    return frozenset((*known, *around))


ROUNDS, STALLED = 24, 8
"""Constraints on shared elements need several rounds; if the number fulfilled has not grown for STALLED rounds, the
rest contradict each other."""
SETTLING = 4  # times all constraints are tried again, because a constraint may undo an earlier
DECIMALS = 2  # of px in the result


def constrained(
    constraints: Sequence[Constraint],
    inventory: Inventory,
    boxes: Mapping[str, Box],
    settings: LayoutSettings,
    report: Report,
) -> Mapping[str, Box]:
    """The boxes after the constraints: all constraints, if compatible; elements placed by the engine give way. Reports
    EFFORT_LIMITED when the search for compatible constraints reached its bound."""
    if not constraints:
        return boxes
    named = [element_id for constraint in constraints for element_id in _elements(constraint)]
    effort, giving_way = effort_for(efforts.CONSTRAINTS, len(named)), effort_for(efforts.MAKING_ROOM, len(named))
    holds = False
    for again in range(SETTLING):
        found = _fulfilled(constraints, (inventory, boxes), settings, (effort, giving_way))
        same = again > 0 and found == boxes
        boxes, inventory = found, _as_written(inventory, found)
        holds = _all_hold(Board(inventory, boxes), constraints)
        if same or effort.is_spent or holds:
            break
    if effort.is_spent and not holds:
        report_limited(efforts.CONSTRAINTS, named, report)
    if giving_way.is_spent:
        report_limited(efforts.MAKING_ROOM, named, report)
    return boxes


def _fulfilled(
    constraints: Sequence[Constraint],
    placed: tuple[Inventory, Mapping[str, Box]],
    settings: LayoutSettings,
    limits: tuple[Effort, Effort],
) -> Mapping[str, Box]:
    inventory, boxes = placed
    effort, giving_way = limits
    board, kept = Board(inventory, boxes), list(constraints)
    if not _solve(board, kept, effort):
        board, kept = _as_many_as_hold(Board(inventory, boxes), constraints, effort)
    if board.boxes == boxes:
        return boxes
    named = _named_by(board, [element_id for constraint in kept for element_id in _elements(constraint)])

    def still_hold(trial: Board) -> bool:
        return not giving_way.is_spent and _solve(trial, kept, giving_way)

    ground = Invariants(boxes, named, settings, still_hold, giving_way)
    return _remove_overlaps(board, ground).boxes


def _as_written(inventory: Inventory, boxes: Mapping[str, Box]) -> Inventory:
    """The inventory of the scene as saved with these boxes. A constraint broken before may hold there, and would move
    elements at the next placement; by this check elements move in the first placement."""
    placed = {key: replace(element, layout=_absolute(boxes[key])) for key, element in inventory.elements.items()}
    return replace(inventory, elements=placed, positions_count=True)


def _absolute(box: Box) -> Layout:
    x, y, width, height = (round(side, DECIMALS) for side in box)
    return Layout(mode="absolute", x=x, y=y, width=width, height=height)


def report_broken(
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], report: Report
) -> None:
    """Report every constraint broken by the boxes."""
    board = Board(inventory, boxes)
    for number, constraint in enumerate(constraints):
        if not CONSTRAINTS[constraint.type].holds(board, constraint):
            locked = [one for one in constraint.elements if one in board.boxes and board.is_locked(one)]
            report.add(
                CONSTRAINT_UNSATISFIED,
                path=f"/constraints/{number}",
                data={"constraintId": constraint.id, "type": constraint.type, "elements": list(constraint.elements)},
                constraint=constraint.id,
                type=constraint.type,
                locked=f" ({', '.join(locked)})" if locked else "",
            )


def _solve(board: Board, wishes: Sequence[Constraint], effort: Effort) -> bool:
    """Apply all constraints in turn until nothing moves. Returns whether all hold, and framed content still lies
    inside. Fulfilled constraints are not made more exact: placing a placed scene moves nothing."""
    listed = sum(len(constraint.elements) for constraint in wishes)
    effort.spend(listed)
    broken = _broken(board, wishes)
    if not broken:
        return True
    before = dict(board.boxes)
    for name, kind in CONSTRAINTS.items():
        alike = [one for one in wishes if one.type == name] if kind.together is not None else []
        if kind.together is not None and len(alike) > 1:
            kind.together(board, alike)
    fewest, stalled = broken, 0
    for _ in range(ROUNDS):
        effort.spend(listed)
        last = dict(board.boxes)
        for constraint in wishes:
            CONSTRAINTS[constraint.type].apply(board, constraint)
        _refit(board)
        broken = _broken(board, wishes)
        fewest, stalled = (broken, 0) if broken < fewest else (fewest, stalled + 1)
        if board.boxes == last or stalled == STALLED or effort.is_spent or not _is_within_reach(board):
            break
    return not broken and is_sound(board, before)


def _broken(board: Board, wishes: Sequence[Constraint]) -> int:
    return sum(not CONSTRAINTS[constraint.type].holds(board, constraint) for constraint in wishes)


def _all_hold(board: Board, wishes: Sequence[Constraint]) -> bool:
    return all(CONSTRAINTS[constraint.type].holds(board, constraint) for constraint in wishes)


def _as_many_as_hold(board: Board, wishes: Sequence[Constraint], effort: Effort) -> tuple[Board, list[Constraint]]:
    """The board after the constraints, taken in document order, that are compatible with all constraints kept before.
    The next compatible constraints are counted by bisection, each time from the board of the kept constraints; once the
    effort is spent, a constraint is kept only if already fulfilled. Of an
    incompatible constraint the wish is kept for elements unhindered by locked elements."""
    kept, rest = list[Constraint](), list(wishes)
    while rest and not effort.is_spent:
        low, high, start = 0, len(rest), board
        while low < high and not effort.is_spent:
            middle = (low + high + 1) // 2
            trial = start.copy()
            if _solve(trial, [*kept, *rest[:middle]], effort):
                low, board = middle, trial
            else:
                high = middle - 1
        kept += rest[:low]
        for others in (_freed(board, one) for one in rest[low : low + 1]):
            trial = board.copy()
            if others is not None and _solve(trial, [*kept, others], effort):
                board, kept = trial, [*kept, others]
        rest = rest[low + 1 :]
    return board, kept


def _freed(board: Board, constraint: Constraint) -> Constraint | None:
    """The constraint on the elements unhindered by locked elements; None without any."""
    free = CONSTRAINTS[constraint.type].free
    others = () if free is None else tuple(free(board, constraint))
    return replace(constraint, elements=others) if 0 < len(others) < len(board.known(constraint.elements)) else None


def _elements(constraint: Constraint) -> list[str]:
    container = constraint.parameters.get("container")
    return [*constraint.elements, *([] if container is None else [container])]
