"""Ranks of a directed graph: cycles broken in the given order, then longest paths. Plain integers in and out."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from scenograph.engine.kernels.rank_places import LeastLength
from scenograph.engine.place.subgraph import ItemLink, Subgraph

Arc = tuple[int, int]

DRAWING_ROUNDS = 2  # in which nodes move toward their neighbours
SHORTENING_ROUNDS = 20  # of moving and cutting; two to five find the least in graphs of 1,000 nodes
SHORTENING_STEPS = 200_000  # steps of all shortening rounds together


def without_cycles(count: int, arcs: Sequence[Arc]) -> list[Arc]:
    """The arcs without cycles: an arc that closes a cycle in a depth-first search from the earliest nodes is
    reversed."""
    targets: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    entered = [0] * count
    for number, (source, target) in enumerate(arcs):
        targets[source].append((target, number))
        entered[target] += 1
    state = [0] * count  # 0 new, 1 on the way, 2 done
    turned: set[int] = set()
    for start in sorted(range(count), key=lambda node: (entered[node] > 0, node)):
        if state[start]:
            continue
        state[start] = 1
        stack = [(start, iter(targets[start]))]
        while stack:
            node, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                state[node] = 2
                stack.pop()
            elif state[step[0]] == 1:
                turned.add(step[1])
            elif state[step[0]] == 0:
                state[step[0]] = 1
                stack.append((step[0], iter(targets[step[0]])))
    return [(t, s) if number in turned else (s, t) for number, (s, t) in enumerate(arcs)]


def longest_path_ranks(count: int, arcs: Sequence[Arc], steps: Sequence[int] | None = None) -> list[int]:
    """The least rank of every node, each arc spanning at least its step (default 1) downwards; sources are then moved
    down to just above their targets. `arcs` must be free of cycles."""
    targets: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    waiting = [0] * count
    for (source, target), step in zip(arcs, steps or [1] * len(arcs), strict=True):
        targets[source].append((target, step))
        waiting[target] += 1
    sources = [node for node in range(count) if not waiting[node]]
    ranks = [0] * count
    ready = list(sources)
    for node in ready:
        for target, step in targets[node]:
            ranks[target] = max(ranks[target], ranks[node] + step)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for node in sources:
        if targets[node]:
            ranks[node] = min(ranks[target] - step for target, step in targets[node])
    return ranks


def short_ranks(count: int, arcs: Sequence[Arc], weights: Sequence[int]) -> list[int]:
    """Ranks from 0 on, each arc spanning at least 1 downwards after reversing arcs that close a cycle; in a few rounds,
    nodes with more weight below than above move down to their targets."""
    downwards = without_cycles(count, arcs)
    ranks = longest_path_ranks(count, downwards)
    onwards: list[list[int]] = [[] for _ in range(count)]
    pull = [0] * count
    for (source, target), weight in zip(downwards, weights, strict=True):
        onwards[source].append(target)
        pull[source] += weight
        pull[target] -= weight
    for _ in range(DRAWING_ROUNDS):
        for node in sorted(range(count), key=lambda one: (-ranks[one], one)):
            if pull[node] > 0:
                ranks[node] = min(ranks[target] for target in onwards[node]) - 1
    least = min(ranks)
    return [rank - least for rank in ranks]


def least_ranks(count: int, arcs: Sequence[Arc], weights: Sequence[int]) -> list[int]:
    """Ranks from 0 on, each arc spanning at least 1 downwards after reversing arcs that close a cycle, with the least
    sum of weight times spanned ranks (Gansner et al., 1993)."""
    downwards = without_cycles(count, arcs)
    lengths = LeastLength([float(rank) for rank in longest_path_ranks(count, downwards)])
    for (source, target), weight in zip(downwards, weights, strict=True):
        lengths.separate(source, target, 1.0)
        lengths.join(source, target, 0.0, float(weight))
    lengths.shorten(SHORTENING_ROUNDS, SHORTENING_STEPS)
    least = min(lengths.places)
    return [round(place - least) for place in lengths.places]


def folded_ranks(ranks: Sequence[int], widths: Sequence[float], turns: Sequence[float], limit: float) -> list[int]:
    """Ranks from 0 on, in which every rank longer than `limit` px is divided into several of about equal length.
    `widths`: the length of a node along its rank, with the gap to the next node; `turns`: the order of the nodes.
    Neighbours stay together."""
    rows: dict[int, list[int]] = {}
    for node in sorted(range(len(ranks)), key=turns.__getitem__):
        rows.setdefault(ranks[node], []).append(node)
    found = [0] * len(ranks)
    below = 0
    for rank in sorted(rows):
        row = rows[rank]
        total = fsum(widths[node] for node in row)
        parts = max(1, min(len(row), round(total / limit)))
        reached = 0.0
        for node in row:
            found[node] = below + min(parts - 1, int((reached + widths[node] / 2) * parts / max(total, 1.0)))
            reached += widths[node]
        below += parts
    return found


def balanced_ranks(
    ranks: Sequence[int], widths: Sequence[float], turns: Sequence[float], arcs: Sequence[Arc]
) -> list[int]:
    """Ranks from 0 on: nodes with a single neighbour go to the neighbour's other side, the last first, as long as the
    longest rank becomes shorter. `widths`: the length of a node along its rank; `turns`: the order of the nodes."""
    near: list[set[int]] = [set() for _ in ranks]
    for source, target in arcs:
        near[source].add(target)
        near[target].add(source)
    found = list(ranks)
    lengths: dict[int, float] = {}
    for rank, width in zip(found, widths, strict=True):
        lengths[rank] = lengths.get(rank, 0.0) + width
    leaves = [node for node, others in enumerate(near) if len(others) == 1]
    leaves.sort(key=lambda node: -turns[node])
    for node in leaves:
        (other,) = near[node]
        own, beyond = found[node], 2 * found[other] - found[node]
        if lengths[own] == max(lengths.values()) > lengths.get(beyond, 0.0) + widths[node]:
            found[node] = beyond
            lengths[own] -= widths[node]
            lengths[beyond] = lengths.get(beyond, 0.0) + widths[node]
    least = min(found)
    return [rank - least for rank in found]


def reaches(count: int, arcs: Sequence[Arc], start: int, goal: int) -> bool:
    """Whether a way along the arcs leads from `start` to `goal`."""
    targets: list[list[int]] = [[] for _ in range(count)]
    for source, target in arcs:
        targets[source].append(target)
    seen, ready = {start}, [start]
    for node in ready:
        if node == goal:
            return True
        fresh = [target for target in targets[node] if target not in seen]
        seen.update(fresh)
        ready += fresh
    return False


def strong_parts(count: int, arcs: Sequence[Arc]) -> list[int]:
    """The number of each node's strongly connected component (Kosaraju and Sharir, 1981)."""
    onwards: list[list[int]] = [[] for _ in range(count)]
    back: list[list[int]] = [[] for _ in range(count)]
    for source, target in arcs:
        onwards[source].append(target)
        back[target].append(source)
    part = [-1] * count
    for start in reversed(_finished(onwards)):
        if part[start] < 0:
            part[start] = start
            ready = [start]
            for node in ready:
                for other in back[node]:
                    if part[other] < 0:
                        part[other] = start
                        ready.append(other)
    return part


def _finished(onwards: Sequence[Sequence[int]]) -> list[int]:
    """The nodes in post-order of a depth-first search."""
    seen, done = [False] * len(onwards), list[int]()
    for start in range(len(onwards)):
        stack = [] if seen[start] else [(start, iter(onwards[start]))]
        seen[start] = True
        while stack:
            node, rest = stack[-1]
            step = next((one for one in rest if not seen[one]), None)
            if step is None:
                done.append(node)
                stack.pop()
            else:
                seen[step] = True
                stack.append((step, iter(onwards[step])))
    return done


# The beginning of a cycle: the only entry into the cycle, or else the element to which the fewest links lead back, the
# first of equal ones in the document. In: a level. Out: its links, with links back to the beginning reversed. Promises:
# links keep their order, weights and labels.


MAX_ROUNDS = 12  # cycles within cycles
MOST_BEGUN = 10  # nodes of a cycle that are compared; a larger one begins at its first


def begun_links(subgraph: Subgraph) -> tuple[ItemLink, ...]:
    """The links as seen by a layout: back links are reversed."""
    number = {item.id: i for i, item in enumerate(subgraph.items)}
    arcs = [(number[link.source], number[link.target]) for link in subgraph.links]
    found = zip(subgraph.links, arcs, begun(len(number), arcs), strict=True)
    return tuple(link if arc == kept else link.turned() for link, arc, kept in found)


def begun(count: int, arcs: Sequence[Arc]) -> list[Arc]:
    """The arcs, with arcs back to the beginning of a cycle reversed."""
    found = list(arcs)
    for _ in range(MAX_ROUNDS):
        part = strong_parts(count, found)
        first = _beginnings(part, found, [arc for arc, given in zip(found, arcs, strict=True) if arc == given])
        back = [part[source] == part[target] and target in first for source, target in found]
        if not any(back):
            break
        found = [(arc[1], arc[0]) if turned else arc for arc, turned in zip(found, back, strict=True)]
    return found


def _beginnings(part: Sequence[int], arcs: Sequence[Arc], ways: Sequence[Arc]) -> frozenset[int]:
    """The beginning of every strongly connected component: the only entry, or else the calmest node. `ways`: the arcs
    into components."""
    entries: dict[int, set[int]] = {}
    for source, target in ways:
        if part[source] != part[target]:
            entries.setdefault(part[target], set()).add(target)
    members: dict[int, list[int]] = {}
    for node, one in enumerate(part):
        members.setdefault(one, []).append(node)
    single = {one: next(iter(nodes)) for one, nodes in entries.items() if len(nodes) == 1}
    return frozenset(single[one] if one in single else _calmest(nodes, arcs) for one, nodes in members.items())


def _calmest(nodes: Sequence[int], arcs: Sequence[Arc]) -> int:
    """The node of a component to begin with: the fewest arcs lead back; the first of equal ones."""
    if not 1 < len(nodes) <= MOST_BEGUN:
        return nodes[0]
    number = {node: at for at, node in enumerate(nodes)}
    inner = [(number[source], number[target]) for source, target in arcs if source in number and target in number]

    def back(start: int) -> int:
        rest = [arc for arc in inner if arc[1] != start]
        order = [start, *(at for at in range(len(nodes)) if at != start)]
        turn = {at: place for place, at in enumerate(order)}
        forwards = [(turn[source], turn[target]) for source, target in rest]
        kept = without_cycles(len(nodes), forwards)
        return len(inner) - len(rest) + sum(arc != given for arc, given in zip(kept, forwards, strict=True))

    return nodes[min(range(len(nodes)), key=back)]
