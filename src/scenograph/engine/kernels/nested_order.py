"""Hierarchical crossing reduction: the order within the ranks of nested layered graphs, by sweeps over all containers
at once, as ELK's layer sweep does (Spönemann et al., 2014), and by sifting with kicks (`sifting`).
Dummy nodes of one edge are also moved together. Plain numbers in and out.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Final

# The rows of nested layered graphs, and how many edges cross in their order. A slot is an item of a rank, a dummy
# node, or the port where an edge passes a border; a row is what stands side by side. The rows of a container are
# the ports of its upper border, its ranks from above, the ports of its lower border; an edge joins slots of two
# rows that follow each other, or a port of an item of such a row. Plain numbers in and out.


SlotRows = list[list[int]]


class NestedRows:
    """Rows in changing order.

    `content`: the container of a slot, or -1; `levels`: the rows of a container; container 0 is the root. `ups` and
    `downs`: the neighbours of a slot above and below. Rows from number `settled` on keep their order. `row_of`, `turn`,
    `place`: the row of a slot, its position in the row, and its place in the total width, from 0 to 1. `above` and
    `below`: the neighbours of a slot, for a container the neighbours of its ports. `steps` counts the slots and pairs
    examined.
    """

    def __init__(
        self,
        rows: SlotRows,
        content: list[int],
        levels: SlotRows,
        ups: SlotRows,
        downs: SlotRows,
        *,
        settled: int | None = None,
    ) -> None:
        self.rows = rows
        self.steps: int = 0
        self.settled = len(rows) if settled is None else settled
        self.content = content
        self.levels = levels
        self.ups = ups
        self.downs = downs
        self.holder = [-1] * len(levels)
        for slot, container in enumerate(content):
            if container >= 0:
                self.holder[container] = slot
        self.border_of = [-1] * len(rows)
        for container, level in enumerate(levels):
            self.border_of[level[0]] = self.border_of[level[-1]] = container
        self.row_of = [0] * len(content)
        for number, row in enumerate(rows):
            for slot in row:
                self.row_of[slot] = number
        self.above: SlotRows = []
        self.below: SlotRows = []
        for slot, container in enumerate(content):
            is_plain = container < 0
            self.above.append(
                ups[slot] if is_plain else [up for port in rows[levels[container][0]] for up in ups[port]]
            )
            self.below.append(
                downs[slot] if is_plain else [down for port in rows[levels[container][-1]] for down in downs[port]]
            )
        self.turn = [0] * len(content)
        self.place = [0.0] * len(content)
        self.start = [0.0] * len(rows)  # where a row begins in the width of everything,
        self.share = [0.0] * len(rows)  # and the share of each slot in this width
        self.number_all()

    def take(self, rows: SlotRows) -> None:
        self.rows = [list(row) for row in rows]
        self.number_all()

    def number_all(self) -> None:
        for level in self.levels:
            for number in level[1:-1]:
                self.number(number)
        self.number(self.levels[0][0])
        self.number(self.levels[0][-1])

    def number(self, number: int) -> None:
        """Number the slots of a row, and the ports of the containers in the row."""
        container = self.border_of[number]
        start, whole = 0.0, 1.0
        if container >= 0 and self.holder[container] >= 0:
            holder = self.holder[container]
            whole = self.share[self.row_of[holder]]
            start = self.place[holder] - whole / 2
        size = len(self.rows[number])
        self.start[number] = start
        self.share[number] = whole / max(1, size)
        self.number_some(number, 0, size)

    def number_some(self, number: int, first: int, end: int) -> None:
        """Number the slots from turn `first` to before `end`, if no other slot has moved."""
        row, turn, place, content = self.rows[number], self.turn, self.place, self.content
        start, share = self.start[number], self.share[number]
        for at in range(first, end):
            slot = row[at]
            turn[slot] = at
            place[slot] = start + (at + 0.5) * share
            inner = content[slot]
            if inner >= 0:
                self.number(self.levels[inner][0])
                self.number(self.levels[inner][-1])

    def ends(self, slot: int, *, below: bool) -> list[float]:
        """The places of the neighbours of a slot, or of its contents."""
        place = self.place
        return [place[end] for end in (self.below if below else self.above)[slot]]

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        return sum(self._crossings_of(level) for level in self.levels)

    def _crossings_of(self, level: list[int]) -> int:
        count = 0
        place = self.place
        for number in level[:-1]:
            seen: list[float] = []  # the lower ends of all edges from the left, sorted
            for slot in self.rows[number]:
                inner = self.content[slot]
                if inner < 0:
                    count += _cross(seen, [place[end] for end in self.downs[slot]])
                else:
                    for port in self.rows[self.levels[inner][-1]]:
                        count += _cross(seen, [place[end] for end in self.downs[port]])
        return count


def _cross(seen: list[float], ends: list[float]) -> int:
    """The crossings of one slot's edges to `ends` with the edges to `seen`; adds the ends to `seen`."""
    count = 0
    for end in ends:
        count += len(seen) - bisect_right(seen, end)
    for end in ends:
        insort(seen, end)
    return count


# Dummy nodes of one edge, moved through all their rows at once: what an order by single rows cannot find. In: the
# rows of nested layered graphs. Each run of dummy nodes through rows of one container is taken out and put back
# where it crosses least, the rest unchanged, by dynamic programming over the gaps of its rows. Plain numbers in and
# out.


MAX_SHIFT: Final = 24  # places of a row that a dummy node may move, on each side
CHEAP: Final = 8  # pairs of gaps that cost a step
ENDLESS: Final = 1 << 60  # crossings; more than any way has


class ChainRoutes:
    """The runs of dummy nodes in the rows, by their slots from above."""

    def __init__(self, rows: NestedRows) -> None:
        self._rows = rows
        self._chains = self._runs()

    def reroute(self, most_steps: int) -> bool:
        """Take each chain of dummy nodes out and put it back with the fewest crossings, in all rows at once. Returns
        whether any chain moved."""
        moved = False
        for chain in self._chains:
            if self._rows.steps >= most_steps:
                break
            if self._reroute(chain):
                moved = True
        return moved

    def _runs(self) -> list[list[int]]:
        rows = self._rows
        chains: list[list[int]] = []
        for level in rows.levels:
            inner = {number for number in level if number < rows.settled}
            for number in level:
                for slot in rows.rows[number] if number in inner else []:
                    if self._is_dummy(slot) and not self._goes_on(rows.ups[slot][0], inner):
                        chain = [slot]
                        while self._goes_on(rows.downs[chain[-1]][0], inner):
                            chain.append(rows.downs[chain[-1]][0])
                        if len(chain) > 1:
                            chains.append(chain)
        return chains

    def _goes_on(self, slot: int, inner: set[int]) -> bool:
        return self._rows.row_of[slot] in inner and self._is_dummy(slot)

    def _is_dummy(self, slot: int) -> bool:
        rows = self._rows
        return rows.content[slot] < 0 and len(rows.ups[slot]) == 1 and len(rows.downs[slot]) == 1

    def _reroute(self, chain: list[int]) -> bool:
        """Move a chain to its path with the fewest crossings. Returns whether the path is new."""
        rows = self._rows
        now = [rows.turn[slot] for slot in chain]
        gaps = self._best_way(chain, now)
        for at, gap in enumerate(gaps):
            number = rows.row_of[chain[at]]
            del rows.rows[number][now[at]]
            rows.rows[number].insert(gap, chain[at])
            rows.number(number)
        return len(gaps) > 0

    def _best_way(self, chain: list[int], now: list[int]) -> list[int]:
        """The gaps with the fewest crossings for a chain, one per row counted without the chain; empty when the present
        path is best."""
        known = self._crossed_now(chain)
        if not known:
            return []
        costs = self._end_costs(chain[0], below=False)
        first = max(0, now[0] - MAX_SHIFT)
        least = costs[first : now[0] + MAX_SHIFT + 1]
        origins: list[list[int]] = []
        for at in range(1, len(chain)):
            begin = max(0, now[at] - MAX_SHIFT)
            end = min(len(self._rows.rows[self._rows.row_of[chain[at]]]), now[at] + MAX_SHIFT + 1)
            targets = self._targets(chain[at - 1], chain[at])
            steps = _crossed(targets, first, begin, end)
            found = [ENDLESS] * (end - begin)
            origin = [0] * (end - begin)
            for gap, before in enumerate(least, first):
                if gap > first:
                    _step_over(steps, targets[gap - 1], begin)
                if before < known:
                    _lead_on(found, origin, steps, gap, before)
            self._rows.steps += len(targets) + len(least) * len(found) // CHEAP
            origins.append(origin)
            least, first = found, begin
        costs = self._end_costs(chain[-1], below=True)
        totals = [cost + costs[first + to] for to, cost in enumerate(least)]
        best = min(totals)
        if best >= known:
            return []
        gaps = [first + totals.index(best)]
        for at in range(len(chain) - 1, 0, -1):
            gaps.append(origins[at - 1][gaps[-1] - max(0, now[at] - MAX_SHIFT)])
        return gaps[::-1]

    def _crossed_now(self, chain: list[int]) -> int:
        """The number of edges that a chain crosses."""
        count = self._crossing(chain[0], self._rows.ups[chain[0]][0], below=False)
        for slot in chain:
            count += self._crossing(slot, self._rows.downs[slot][0], below=True)
        return count

    def _crossing(self, slot: int, end: int, *, below: bool) -> int:
        """The number of edges crossed by the edge from a slot to `end`."""
        rows = self._rows
        far = rows.below if below else rows.above
        turn, place = rows.turn[slot], rows.place[end]
        count = 0
        for at, other in enumerate(rows.rows[rows.row_of[slot]]):
            for one in far[other]:
                if at < turn:
                    count += rows.place[one] > place
                elif at > turn:
                    count += rows.place[one] < place
        return count

    def _end_costs(self, chosen: int, *, below: bool) -> list[int]:
        """For each gap in a slot's row, counted without the slot, the crossings of its edge from the gap."""
        place = self._rows.place[(self._rows.downs if below else self._rows.ups)[chosen][0]]
        cost = 0
        changes: list[int] = []
        for slot in self._rows.rows[self._rows.row_of[chosen]]:
            if slot != chosen:
                change = 0
                for other in self._rows.ends(slot, below=below):
                    if other > place:
                        change += 1
                    elif other < place:
                        change -= 1
                        cost += 1
                changes.append(change)
        costs = [cost]
        for change in changes:
            cost += change
            costs.append(cost)
        return costs

    def _targets(self, upper: int, lower: int) -> list[list[int]]:
        """For each slot of a row but `upper` the turns of the slots in the next row, without `lower`, that edges lead
        to."""
        number, beyond = self._rows.row_of[lower], self._rows.turn[lower]
        found: list[list[int]] = []
        for slot in self._rows.rows[self._rows.row_of[upper]]:
            if slot == upper:
                continue
            inner = self._rows.content[slot]
            targets: list[int] = []
            for source in [slot] if inner < 0 else self._rows.rows[self._rows.levels[inner][-1]]:
                for end in self._rows.downs[source]:
                    row = self._rows.row_of[end]
                    item = end if row == number else self._rows.holder[self._rows.border_of[row]]
                    turn = self._rows.turn[item]
                    targets.append(turn - 1 if turn > beyond else turn)
            found.append(targets)
        return found


def _crossed(targets: list[list[int]], first: int, begin: int, end: int) -> list[int]:
    """The crossings of an edge that begins at gap `first` of a row with the edges of the row's slots to `targets`. The
    first number counts the crossings of an edge that ends at gap `begin` of the next row, each further number the
    increase from gap to gap, up to gap `end`."""
    steps = [0] * (end - begin)
    cost = 0
    for place, row in enumerate(targets):
        change = -1 if place < first else 1
        for target in row:
            if (target < begin) == (change > 0):
                cost += 1
            if begin <= target < end - 1:
                steps[target + 1 - begin] += change
    steps[0] = cost
    return steps


def _step_over(steps: list[int], targets: list[int], begin: int) -> None:
    """Update the crossing counts for an edge that begins one slot further right; the passed slot has edges to
    `targets`."""
    for target in targets:
        if target < begin:
            steps[0] -= 1
        else:
            steps[0] += 1
            if target + 1 - begin < len(steps):
                steps[target + 1 - begin] -= 2


def _lead_on(found: list[int], origin: list[int], steps: list[int], gap: int, before: int) -> None:
    """Extend a path at this gap to every gap of the next row it reaches more cheaply than known."""
    cost = before
    for to, step in enumerate(steps):
        cost += step
        if cost < found[to]:
            found[to] = cost
            origin[to] = gap


# Slots moved within their rows one at a time, to the place with the fewest crossings (sifting, Matuszewski et al.,
# 1999), and kicked off these places to free their neighbours (iterated local search, Lourenço et al., 2003). Only slots
# with a possible gain are examined: a moved slot wakes its neighbours. Changes are counted incrementally, never all
# crossings anew. Plain numbers in and out.


CLIMB: Final = 2  # crossings; a way over places that cost more than the best so far is not followed on
MAX_KICK: Final = 8  # places at the most that a slot is kicked over
TOO_MUCH: Final = 12  # more crossings by a kick than settling takes out again
# The pseudorandom sequence that picks slots and places for kicks: a linear congruential generator (ISO C's example).
FACTOR: Final = 1103515245  # times the number before
ADDEND: Final = 12345  # added to the product
LIMIT: Final = 1 << 31  # the modulus
LOW_BITS: Final = 8  # dropped of each number, for their short period
ASIDE: Final = 0.5  # of a slot's share in its row; neighbours may be this far out of order


class Sifting(NestedRows):
    """Rows with slots moved one at a time, within `most_steps`."""

    def __init__(
        self,
        rows: SlotRows,
        content: list[int],
        levels: SlotRows,
        ups: SlotRows,
        downs: SlotRows,
        *,
        settled: int | None = None,
    ) -> None:
        super().__init__(rows, content, levels, ups, downs, settled=settled)
        self.most_steps: int = ENDLESS
        self._number: int = 1
        self._waiting: list[int] = []
        self._is_waiting = [False] * len(content)
        self._moves: list[tuple[int, int]] = []  # the moved slots, with the former turn of each

    def sift(self) -> bool:
        """Move slots until none crosses less at another place; whether any moved."""
        for row in self.rows[: self.settled]:
            for slot in row if len(row) > 1 else []:
                self._wake(slot)
        self._moves = []
        self._settle()
        return len(self._moves) > 0

    def kick(self, times: int) -> None:
        """Kick slots in turn, at most `times`; a kick that leaves more crossings is undone."""
        slots = [slot for row in self.rows[: self.settled] if len(row) > 1 for slot in row]
        for _ in range(times if slots else 0):
            if self.steps >= self.most_steps:
                break
            slot = slots[self._any(len(slots))]
            to = self._kicked(slot)
            change = self._change(slot, to)
            if change > TOO_MUCH:
                continue
            self._moves = []
            self._move(slot, to)
            change += self._settle()
            if change > 0:
                for moved, was in reversed(self._moves):
                    self._put(moved, was)

    def tidy(self) -> None:
        """Sort neighbours with equal crossings in either order by the places of their own neighbours."""
        for number in range(self.settled):
            row = self.rows[number]
            wishes = [self._wish(slot) for slot in row]
            for last in range(1, len(row)):
                at = last
                while (
                    at > 0
                    and wishes[at] < wishes[at - 1] - ASIDE * self.share[number]
                    and not self._change(row[at], at - 1)
                ):
                    wishes[at - 1], wishes[at] = wishes[at], wishes[at - 1]
                    self._put(row[at], at - 1)
                    at -= 1

    def _wish(self, slot: int) -> float:
        """The mean place of a slot's neighbours; its own place without neighbours."""
        total, count = 0.0, len(self.above[slot]) + len(self.below[slot])
        for end in self.above[slot]:
            total += self.place[end]
        for end in self.below[slot]:
            total += self.place[end]
        return total / count if count else self.place[slot]

    def _kicked(self, slot: int) -> int:
        """Another turn in the row of a slot."""
        at, last = self.turn[slot], len(self.rows[self.row_of[slot]]) - 1
        far = 1 + self._any(MAX_KICK)
        if self._any(2):
            return min(last, at + far) if at < last else last - 1
        return max(0, at - far) if at else 1

    def _any(self, limit: int) -> int:
        """The next number of the sequence below a limit."""
        self._number = (self._number * FACTOR + ADDEND) % LIMIT
        return (self._number >> LOW_BITS) % limit

    def _wake(self, slot: int) -> None:
        if not self._is_waiting[slot] and self.row_of[slot] < self.settled:
            self._is_waiting[slot] = True
            self._waiting.append(slot)

    def _move(self, slot: int, to: int) -> None:
        """Move a slot, and wake the slots that may gain."""
        self._moves.append((slot, self.turn[slot]))
        self._put(slot, to)
        for end in self.above[slot]:
            self._wake(end)
        for end in self.below[slot]:
            self._wake(end)

    def _put(self, slot: int, to: int) -> None:
        number, at = self.row_of[slot], self.turn[slot]
        row = self.rows[number]
        del row[at]
        row.insert(to, slot)
        if at < to:
            self.number_some(number, at, to + 1)
        else:
            self.number_some(number, to, at + 1)

    def _settle(self) -> int:
        """Move waiting slots to their best places, and the slots woken meanwhile. Returns the change in crossings."""
        total = 0
        for slot in self._waiting:
            self._is_waiting[slot] = False
            if self.steps < self.most_steps:
                to, change = self._best(slot)
                if change < 0:
                    total += change
                    self._move(slot, to)
        self._waiting = []
        return total

    def _best(self, slot: int) -> tuple[int, int]:
        """The best turn for a slot in its row, and the change in crossings."""
        row, at = self.rows[self.row_of[slot]], self.turn[slot]
        if len(row) == 1:
            return at, 0
        ups, downs = self.ends(slot, below=False), self.ends(slot, below=True)
        best, least = at, 0
        change = 0
        for to in range(at - 1, max(-1, at - MAX_SHIFT - 1), -1):
            change -= self._leaning(ups, downs, row[to])
            if change < least:
                best, least = to, change
            elif change > least + CLIMB:
                break
        change = 0
        for to in range(at + 1, min(len(row), at + MAX_SHIFT + 1)):
            change += self._leaning(ups, downs, row[to])
            if change < least:
                best, least = to, change
            elif change > least + CLIMB:
                break
        return best, least

    def _change(self, slot: int, to: int) -> int:
        """The change in crossings with a slot at turn `to` of its row."""
        row, at = self.rows[self.row_of[slot]], self.turn[slot]
        ups, downs = self.ends(slot, below=False), self.ends(slot, below=True)
        change = 0
        for other in range(to, at):
            change -= self._leaning(ups, downs, row[other])
        for other in range(at + 1, to + 1):
            change += self._leaning(ups, downs, row[other])
        return change

    def _leaning(self, ups: list[float], downs: list[float], right: int) -> int:
        """The change in crossings when the edges to `ups` and `downs` begin right of the slot `right` instead of
        left."""
        place = self.place
        more = 0
        above, below = self.above[right], self.below[right]
        for end in ups:
            for one in above:
                other = place[one]
                if end < other:
                    more += 1
                elif other < end:
                    more -= 1
        for end in downs:
            for one in below:
                other = place[one]
                if end < other:
                    more += 1
                elif other < end:
                    more -= 1
        self.steps += 1 + len(ups) * len(above) + len(downs) * len(below)
        return more


STRIDE: Final = 7  # times a place in its row, and
SHIFT: Final = 3  # added for each start: the shuffled row of a further start
SWEEPS: Final = 4  # of each start, before its rows are sifted
START_STEPS: Final = 40_000  # no further start is tried once so many are spent
KICKS_EACH: Final = 3  # kicks for every slot
MORE_KICKS: Final = 200  # kicks in addition, whatever the number of slots
TIDYING: Final = 2  # rounds after kicks; more change next to nothing
LAST_ROUNDS: Final = 6  # of rerouting and sifting
NONE_YET: Final = 1 << 40  # crossings, while no order is found


class NestedOrder(Sifting):
    """Rows brought into an order with few crossings."""

    def search(self, starts: list[int], most_steps: int) -> int:
        """Bring the rows into the best order found in about `most_steps` steps. Returns the number of crossings.

        The search begins with the start that has the fewest crossings after sweeping and sifting. The given order
        counts as well if start 0, the given order swept, is among the starts.
        """
        self.most_steps = most_steps
        self.take(self._best_start(starts))
        if self.crossings():
            routes = ChainRoutes(self)
            self._improve(routes)
            self.kick(KICKS_EACH * len(self.content) + MORE_KICKS)
            self._improve(routes)
            for _ in range(TIDYING):
                self.tidy()
        self.settle_alike()
        return self.crossings()

    def settle_alike(self) -> None:
        """Put slots of a row with the same neighbours above and below in the order of their numbers."""
        for number in range(self.settled):
            row = self.rows[number]
            groups: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
            for slot in row:
                if self.content[slot] < 0 and (self.ups[slot] or self.downs[slot]):
                    key = (tuple(sorted(self.ups[slot])), tuple(sorted(self.downs[slot])))
                    groups.setdefault(key, []).append(slot)
            for group in groups.values():
                if len(group) > 1:
                    turns = sorted([self.turn[slot] for slot in group])
                    for turn, slot in zip(turns, sorted(group), strict=True):
                        row[turn] = slot
            self.number(number)

    def _best_start(self, starts: list[int]) -> SlotRows:
        """The rows after the best of the starts."""
        first = [list(row) for row in self.rows]
        best, least = first, self.crossings() if 0 in starts else NONE_YET
        for start in starts:
            if not least or self.steps >= START_STEPS:
                break
            self._begin(first, start)
            for turn in range(SWEEPS):
                self.sweep(0, downwards=(start + turn) % 2 == 0)
            self.sift()
            found = self.crossings()
            if found < least:
                best, least = [list(row) for row in self.rows], found
        return best

    def _improve(self, routes: ChainRoutes) -> None:
        """Reroute and sift while anything moves."""
        for _ in range(LAST_ROUNDS):
            if not (routes.reroute(self.most_steps) and self.sift()):
                break

    def sweep(self, container: int, *, downwards: bool) -> None:
        """Sort each row of a container, and of nested containers, by the barycentres of its slots' neighbours in the
        previous row."""
        level = self.levels[container]
        for number in level[1:] if downwards else level[-2::-1]:
            row = self.rows[number]
            self.steps += len(row)
            if len(row) > 1:
                wishes = [self._wish_beside(slot, below=not downwards) for slot in row]
                self._sort(number, wishes)
            if number in (level[0], level[-1]):
                continue
            for slot in self.rows[number]:
                inner = self.content[slot]
                if inner >= 0:
                    self._sort_ports(inner, downwards=downwards)
                    self.sweep(inner, downwards=downwards)

    def _begin(self, first: SlotRows, start: int) -> None:
        """Set the rows to a start: as given, then mirrored, then shuffled in ever new ways."""
        rows: SlotRows = []
        way = 1 if start % 4 < 2 else -1
        for row in first[: self.settled]:
            size = len(row)
            stride = way * STRIDE if start >= 4 and size % STRIDE else way
            shift = SHIFT * start if start >= 4 else 0
            rows.append([row[(at * stride + shift) % size] for at in range(size)])
        self.take(rows + first[self.settled :])

    def _sort_ports(self, container: int, *, downwards: bool) -> None:
        number = self.levels[container][0 if downwards else -1]
        far = self.ups if downwards else self.downs
        row = self.rows[number]
        if len(row) > 1:
            self._sort(number, [self.place[far[port][0]] for port in row])

    def _sort(self, number: int, wishes: list[float]) -> None:
        """Sort a row by the wishes of its slots; equal wishes keep their order."""
        if number >= self.settled:
            return
        last = wishes[0]
        for wish in wishes:
            if wish < last:
                break
            last = wish
        else:
            return
        row = self.rows[number]
        turns = sorted([(wish, at) for at, wish in enumerate(wishes)])
        self.rows[number] = [row[at] for _, at in turns]
        self.number(number)

    def _wish_beside(self, slot: int, *, below: bool) -> float:
        """The barycentre of a slot's neighbours on a side; without neighbours the slot's own place."""
        ends = self.ends(slot, below=below)
        total = 0.0
        for end in ends:
            total += end
        return total / len(ends) if ends else self.place[slot]
