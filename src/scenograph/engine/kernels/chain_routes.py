"""Dummy nodes of one edge, moved through all their rows at once: what an order by single rows cannot find.

In: the rows of nested layered graphs. Each run of dummy nodes through rows of one container is taken out and put back
where it crosses least, the rest unchanged, by dynamic programming over the gaps of its rows. Plain numbers in and out.
"""

from __future__ import annotations

from scenograph.engine.kernels.nested_rows import NestedRows

MAX_SHIFT = 24  # places of a row that a dummy node may move, on each side
CHEAP = 8  # so many pairs of gaps cost a step
ENDLESS = 1 << 60  # crossings; more than any way has


class ChainRoutes:
    """The runs of dummy nodes in the rows, by their slots from above."""

    def __init__(self, rows: NestedRows) -> None:
        self._rows = rows
        self._chains = self._runs()

    def reroute(self, most_steps: int) -> bool:
        """Take each chain of dummy nodes out and put it back where it crosses least, in all its rows at once; whether
        any moved."""
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
        """Lead a chain where it crosses least; whether that is elsewhere."""
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
        """The gaps of the rows, each without its slot of the chain, through which it crosses least; none where it does
        already."""
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
        """How many other edges a chain crosses."""
        count = self._crossing(chain[0], self._rows.ups[chain[0]][0], below=False)
        for slot in chain:
            count += self._crossing(slot, self._rows.downs[slot][0], below=True)
        return count

    def _crossing(self, slot: int, end: int, *, below: bool) -> int:
        """How many other edges the one from a slot to `end` crosses."""
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
        """For each gap of the row of a slot, without it, how many others its edge crosses from there."""
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
    """How many edges one from gap `first` of a row crosses to gap `begin` of the next, and to each further gap before
    `end` how many more than to the one before; the slots of the row have edges to `targets`."""
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
    """Change that for an edge that begins a slot further right; that slot has edges to `targets`."""
    for target in targets:
        if target < begin:
            steps[0] -= 1
        else:
            steps[0] += 1
            if target + 1 - begin < len(steps):
                steps[target + 1 - begin] -= 2


def _lead_on(found: list[int], origin: list[int], steps: list[int], gap: int, before: int) -> None:
    """Lead a way that comes to this gap on to those gaps of the next row where it costs less than was found."""
    cost = before
    for to, step in enumerate(steps):
        cost += step
        if cost < found[to]:
            found[to] = cost
            origin[to] = gap
