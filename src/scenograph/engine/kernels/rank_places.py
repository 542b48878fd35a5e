"""Places across the flow for items of ranks in settled order: short edges, or places near neighbours. px."""

from __future__ import annotations

from typing import Final

# Places on one axis with shortest edges under separations: the least weighted sum of lengths. This is the dual of a
# minimum cost flow, as in the network simplex method (Gansner et al., 1993). Tight separations and edges of zero length
# join variables to trees; a tree moves as a whole while edges become shorter, past places beyond which single edges
# grow again. A tree under more tension than its arcs hold is cut, at all overstrained arcs at once: the least sum is
# found in a few rounds, though not always. Variables without pull stay at their start. Plain numbers in and out.


NEARLY: Final = 1e-6  # separations nearer than this are tight
APART: Final = -1.0  # as a weight: a separation


class LeastLength:
    """Places of variables, changed in place, with all separations kept. An arc is a separation or an edge; its halves
    2n and 2n + 1 are the views from its lower and its upper end. `steps` counts the halves examined."""

    def __init__(self, places: list[float]) -> None:
        count = len(places)
        self.places = places
        self.steps: int = 0
        self._halves: list[list[int]] = [[] for _ in range(count)]  # by variable
        self._end: list[int] = []  # by half: the variable at the far end,
        self._shift: list[float] = []  # and how far after that the arc is tight
        self._weight: list[float] = []  # by arc
        self._is_held: list[bool] = []  # by arc: whether it is part of a tree
        self._tree = list(range(count))  # by variable
        self._members: list[list[int]] = [[variable] for variable in range(count)]  # by tree
        self._free: list[int] = []  # unused tree numbers
        self._by = [-1] * count  # by variable: the half that reached the variable in a walk through its tree,
        self._pulls = [0.0] * count  # and the pull from beyond, positive to the left

    def separate(self, low: int, high: int, gap: float) -> None:
        """Keep `low` at least `gap` px before `high`."""
        self._add(low, high, gap, APART)

    def join(self, first: int, second: int, aside: float, weight: float) -> None:
        """Add an edge, of zero length when `second` is `aside` px after `first`."""
        self._add(first, second, aside, weight)

    def _add(self, low: int, high: int, aside: float, weight: float) -> None:
        number = len(self._end)
        self._end.append(high)
        self._end.append(low)
        self._shift.append(-aside)
        self._shift.append(aside)
        self._weight.append(weight)
        self._is_held.append(False)
        self._halves[low].append(number)
        self._halves[high].append(number + 1)

    def shorten(self, rounds: int, most_steps: int) -> None:
        """Move and cut trees, in at most `rounds` rounds and `most_steps` steps."""
        waiting = list(range(len(self.places)))
        for _ in range(rounds):
            self._settle(waiting, most_steps)
            if self.steps >= most_steps:
                break
            waiting = self._cut()
            if not waiting:
                break

    def _settle(self, waiting: list[int], most_steps: int) -> None:
        """Move trees until no tree is pulled, waiting trees first."""
        queue = list(waiting)
        is_waiting = [False] * len(self._members)
        for tree in queue:
            is_waiting[tree] = True
        for tree in queue:
            is_waiting[tree] = False
            if self.steps >= most_steps:
                break
            if self._members[tree]:
                whole = self._pull(tree)
                if whole >= 0 and not is_waiting[whole]:
                    is_waiting[whole] = True
                    queue.append(whole)

    def _pull(self, tree: int) -> int:
        """Move a tree while the edges get shorter, and join the tree to the stopping arc. Returns the number of the
        joined tree, -1 without a pull."""
        leaving: list[int] = []
        beyond: list[float] = []  # by half: the distance past the place at which its arc is tight
        places, trees, ends, shifts = self.places, self._tree, self._end, self._shift
        for variable in self._members[tree]:
            place = places[variable]
            for half in self._halves[variable]:
                end = ends[half]
                if trees[end] != tree:
                    leaving.append(half)
                    beyond.append(place - places[end] - shifts[half])
        self.steps += len(leaving)
        force, tight = self._force(leaving, beyond)
        if -NEARLY < force < NEARLY:
            return self._hold(tight) if tight >= 0 else -1
        far, half = self._stop(leaving, beyond, force)
        if half < 0:
            return -1
        if far != 0.0:
            for variable in self._members[tree]:
                self.places[variable] += far
        return self._hold(half)

    def _force(self, leaving: list[int], beyond: list[float]) -> tuple[float, int]:
        """The total pull of the edges, positive to the left, and a half of zero length, -1 without any."""
        force = 0.0
        tight = -1
        weights = self._weight
        for at, half in enumerate(leaving):
            weight = weights[half >> 1]
            if weight > 0.0:
                past = beyond[at]
                if past > NEARLY:
                    force += weight
                elif past < -NEARLY:
                    force -= weight
                else:
                    tight = half
        return force, tight

    def _stop(self, leaving: list[int], beyond: list[float], force: float) -> tuple[float, int]:
        """The distance of a pulled tree's move, and the stopping half, -1 for none."""
        is_left = force > 0.0  # the tree moves to the left
        stops: list[tuple[float, int]] = []
        weights = self._weight
        for at, half in enumerate(leaving):
            far = beyond[at] if is_left else -beyond[at]
            if weights[half >> 1] > 0.0:
                if far > -NEARLY:
                    stops.append((far if far > NEARLY else 0.0, half))
            elif (half & 1 == 1) == is_left:
                stops.append((far if far > 0.0 else 0.0, half))
        stops.sort()
        left = force if is_left else -force
        for far, half in stops:
            weight = weights[half >> 1]
            left -= weight if far == 0.0 else 2.0 * weight
            if weight < 0.0 or left <= NEARLY:
                return (-far if is_left else far), half
        return 0.0, -1

    def _hold(self, half: int) -> int:
        """Join the trees at both ends of an arc. Returns the number of the joined tree."""
        self._is_held[half >> 1] = True
        first, second = self._tree[self._end[half]], self._tree[self._end[half ^ 1]]
        if len(self._members[first]) < len(self._members[second]):
            first, second = second, first
        for variable in self._members[second]:
            self._tree[variable] = first
        self._members[first] += self._members[second]
        self._members[second] = []
        self._free.append(second)
        return first

    def _cut(self) -> list[int]:
        """Cut all trees whose parts pull apart. Returns the numbers of the parts."""
        parts: list[int] = []
        for tree, members in enumerate(self._members):
            if len(members) > 1:
                order = self._walk(members[0])
                loose = self._loose(order)
                for variable in loose:
                    self._is_held[self._by[variable] >> 1] = False
                if loose:
                    self._members[tree] = self._walk(order[0])
                    parts.append(tree)
                for variable in loose:
                    parts.append(self._named(self._walk(variable)))
        return parts

    def _walk(self, root: int) -> list[int]:
        """The variables of a tree, each after the tree's inner neighbour."""
        found = [root]
        by, held, ends = self._by, self._is_held, self._end
        by[root] = -1
        for variable in found:
            came = by[variable]
            for half in self._halves[variable]:
                if held[half >> 1] and half ^ 1 != came:
                    end = ends[half]
                    by[end] = half
                    found.append(end)
        return found

    def _loose(self, order: list[int]) -> list[int]:
        """The variables of a walk whose subtree pulls away with more force than the arc holds, in the order of the
        walk."""
        for variable in order:
            self._pulls[variable] = self._pull_at(variable)
        found: list[int] = []
        for variable in reversed(order):
            half = self._by[variable]
            if half < 0:
                continue
            pull, weight = self._pulls[variable], self._weight[half >> 1]
            if weight < 0.0:
                # A separation holds only approaching variables.
                if pull < -NEARLY if half & 1 == 0 else pull > NEARLY:
                    found.append(variable)
                    pull = 0.0
            elif pull > weight + NEARLY or pull < -weight - NEARLY:
                found.append(variable)
                pull = weight if pull > 0.0 else -weight
            self._pulls[self._end[half ^ 1]] += pull
        found.reverse()
        self.steps += len(order)
        return found

    def _pull_at(self, variable: int) -> float:
        """The pull at a variable by its edges outside the tree."""
        total = 0.0
        places, weights, held = self.places, self._weight, self._is_held
        place = places[variable]
        for half in self._halves[variable]:
            weight = weights[half >> 1]
            if weight > 0.0 and not held[half >> 1]:
                far = place - places[self._end[half]] - self._shift[half]
                if far > NEARLY:
                    total += weight
                elif far < -NEARLY:
                    total -= weight
        return total

    def _named(self, part: list[int]) -> int:
        """The number of a new tree."""
        number = self._free.pop()
        self._members[number] = part
        for variable in part:
            self._tree[variable] = number
        return number


# Places across the flow of slots in settled ranks and order, with short and straight lines. The dummy nodes of a line
# move as one, some rows at a time, as long as their line crosses no line there. The resulting pieces, and slots outside
# lines, are then set to the least total length. Plain numbers in and out; px.


PIECE: Final = 4  # rows at most that the dummy nodes of a line pass straight; longer pieces make wide pages
ROUNDS: Final = 10  # of moving and cutting; more gain next to nothing
MOST_STEPS: Final = 200_000  # steps of all rounds together


class LinePieces:
    """Slots in rows. `steps`: by row the least distance of each slot from the first. Edge n joins the slot `uppers[n]`
    to `lowers[n]` in the next row."""

    def __init__(
        self, rows: list[list[int]], steps: list[list[float]], uppers: list[int], lowers: list[int], dummies: list[bool]
    ) -> None:
        self._rows = rows
        self._steps = steps
        self._uppers = uppers
        self._lowers = lowers
        self._count: int = 0
        self._piece = [-1] * len(dummies)  # by slot
        self._divide(dummies)
        self._low: list[int] = []  # by separation: its pieces,
        self._high: list[int] = []
        self._gap: list[float] = []  # least distances
        self._after: list[list[int]] = [[] for _ in range(self._count)]  # by piece, the separations after this piece
        self._separate()

    def fit(self, wishes: list[float], asides: list[float], weights: list[float]) -> list[float]:
        """The places of all slots, with short edges, otherwise near `wishes`. An edge is straight when its lower slot
        is `asides` px to the right of the upper slot."""
        lengths = LeastLength(self._near(wishes))
        for number, low in enumerate(self._low):
            lengths.separate(low, self._high[number], self._gap[number])
        for edge, upper in enumerate(self._uppers):
            first, second = self._piece[upper], self._piece[self._lowers[edge]]
            if first != second:
                lengths.join(first, second, asides[edge], weights[edge])
        lengths.shorten(ROUNDS, MOST_STEPS)
        return [lengths.places[piece] for piece in self._piece]

    def _divide(self, dummies: list[bool]) -> None:
        """Number the pieces from above."""
        onwards = self._straight_edges(dummies)
        for row in self._rows:
            for slot in row:
                if self._piece[slot] < 0:
                    part = slot
                    for _ in range(PIECE):
                        self._piece[part] = self._count
                        part = onwards[part]
                        if part < 0:
                            break
                    self._count += 1

    def _straight_edges(self, dummies: list[bool]) -> list[int]:
        """For each slot the dummy node below on the same edge, -1 if none or if the two edges would cross. Hence two
        pieces keep their order in all rows."""
        turn = [0] * len(dummies)
        for row in self._rows:
            for at, slot in enumerate(row):
                turn[slot] = at
        onwards = [-1] * len(dummies)
        for edge, upper in enumerate(self._uppers):
            if dummies[upper] and dummies[self._lowers[edge]]:
                onwards[upper] = self._lowers[edge]
        for row in self._rows:
            last = -1
            for slot in row:
                if onwards[slot] >= 0:
                    if turn[onwards[slot]] < last:
                        onwards[slot] = -1
                    else:
                        last = turn[onwards[slot]]
        return onwards

    def _separate(self) -> None:
        """Find neighbouring pieces, and their least distances."""
        known: dict[int, int] = {}
        for number, row in enumerate(self._rows):
            at = self._steps[number]
            for turn in range(len(row) - 1):
                low, high = self._piece[row[turn]], self._piece[row[turn + 1]]
                gap = at[turn + 1] - at[turn]
                one = known.get(low * self._count + high, -1)
                if one < 0:
                    known[low * self._count + high] = len(self._low)
                    self._after[low].append(len(self._low))
                    self._low.append(low)
                    self._high.append(high)
                    self._gap.append(gap)
                elif self._gap[one] < gap:
                    self._gap[one] = gap

    def _near(self, wishes: list[float]) -> list[float]:
        """Feasible places near the wishes of each piece: the middle between packing to the right and packing to the
        left."""
        total = [0.0] * self._count
        size = [0] * self._count
        for slot, piece in enumerate(self._piece):
            total[piece] += wishes[slot]
            size[piece] += 1
        rights = [total[piece] / size[piece] for piece in range(self._count)]
        lefts = list(rights)
        order = self._from_the_left()
        for piece in order:
            for number in self._after[piece]:
                rights[self._high[number]] = max(rights[self._high[number]], rights[piece] + self._gap[number])
        for piece in reversed(order):
            for number in self._after[piece]:
                lefts[piece] = min(lefts[piece], lefts[self._high[number]] - self._gap[number])
        return [(lefts[piece] + rights[piece]) / 2 for piece in range(self._count)]

    def _from_the_left(self) -> list[int]:
        """All pieces, each after the pieces on its left."""
        waiting = [0] * self._count
        for high in self._high:
            waiting[high] += 1
        order = [piece for piece in range(self._count) if not waiting[piece]]
        for piece in order:
            for number in self._after[piece]:
                high = self._high[number]
                waiting[high] -= 1
                if not waiting[high]:
                    order.append(high)
        return order


# Places across the flow of slots in settled ranks and order, near their neighbours. Each row is fitted to the rows
# beside by weighted least squares with order and gaps kept, by isotonic regression (pool adjacent violators), in sweeps
# down and up. Plain numbers in and out; px.


FREE: Final = 0.01  # the weight of what nothing is joined to


class RowFit:
    """Slots in rows. `steps`: by row the least distance of each slot from the first. After fitting, `places` has the
    place of every slot."""

    def __init__(self, rows: list[list[int]], steps: list[list[float]]) -> None:
        count = sum([len(row) for row in rows])
        self.places = [0.0] * count
        self._rows = rows
        self._steps = steps
        self._near: list[list[int]] = [[] for _ in range(count)]  # the neighbours of each slot, upper neighbours first,
        self._aside: list[list[float]] = [[] for _ in range(count)]  # the offset from each neighbour,
        self._weight: list[list[float]] = [[] for _ in range(count)]
        self._above = [0] * count  # and how many are above
        for number, row in enumerate(rows):
            at = steps[number]
            for turn, slot in enumerate(row):
                self.places[slot] = at[turn] - at[-1] / 2

    def join(self, uppers: list[int], lowers: list[int], asides: list[float], weights: list[float]) -> None:
        """Add the edges, once: edge n joins the slot `uppers[n]` to `lowers[n]` in the next row, and is straight when
        the lower slot is `asides[n]` px to the right of the upper slot."""
        for edge, lower in enumerate(lowers):
            self._near[lower].append(uppers[edge])
            self._aside[lower].append(asides[edge])
            self._weight[lower].append(weights[edge])
            self._above[lower] += 1
        for edge, upper in enumerate(uppers):
            self._near[upper].append(lowers[edge])
            self._aside[upper].append(-asides[edge])
            self._weight[upper].append(weights[edge])

    def fit(self, sweeps: int, last: int) -> list[float]:
        """The places after sweeps alternately from above and from below; the `last` sweeps use both sides."""
        for sweep in range(sweeps):
            downwards = sweep % 2 == 0
            is_last = sweep >= sweeps - last
            for number in range(len(self._rows)) if downwards else range(len(self._rows) - 1, -1, -1):
                self._fit(number, above=downwards or is_last, below=is_last or not downwards)
        return self.places

    def _fit(self, number: int, *, above: bool, below: bool) -> None:
        """Move a row as near to its neighbours as order and gaps allow (pool adjacent violators)."""
        row, at, places = self._rows[number], self._steps[number], self.places
        means: list[float] = []
        masses: list[float] = []
        counts: list[int] = []
        for turn, slot in enumerate(row):
            near, aside, weight = self._near[slot], self._aside[slot], self._weight[slot]
            total, mass, size = 0.0, 0.0, 1
            for edge in range(0 if above else self._above[slot], len(near) if below else self._above[slot]):
                total += weight[edge] * (places[near[edge]] + aside[edge])
                mass += weight[edge]
            mean = (total / mass if mass > 0.0 else places[slot]) - at[turn]
            if mass == 0.0:
                mass = FREE
            while means and means[-1] > mean:
                other = masses.pop()
                mean = (mean * mass + means.pop() * other) / (mass + other)
                mass += other
                size += counts.pop()
            means.append(mean)
            masses.append(mass)
            counts.append(size)
        turn = 0
        for block, mean in enumerate(means):
            for _ in range(counts[block]):
                places[row[turn]] = mean + at[turn]
                turn += 1
