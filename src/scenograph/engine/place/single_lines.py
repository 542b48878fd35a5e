"""Tables with a single line, ranked on the other side of the table that it joins them to.

Which way a foreign key points says little about where its table stands. In: an inventory, the elements at the ends of
lines that cross. Out: the inventory with the lines of such tables read the other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from scenograph.engine.place.inventory import Inventory, Tie
from scenograph.late_dataclasses import replace


def joins_rows(tie: Tie) -> bool:
    """Whether a tie ends at a row of a table."""
    return bool(tie.source_row or tie.target_row)


def with_single_lines_turned(inventory: Inventory, crossed: Set[str]) -> Inventory:
    """The inventory with each line between rows turned that is the only one of a table among the `crossed`; several
    such tables on one side of another stay together. The same one where there is none."""
    lines = [tie for tie in inventory.ties if tie.source != tie.target]
    count = Counter(end for tie in lines for end in tie.ends)
    single = [tie for tie in lines if 1 in (count[tie.source], count[tie.target])]
    sides = Counter(_side(tie, count) for tie in single)
    turned = {
        tie
        for tie in single
        if joins_rows(tie)
        and sides[_side(tie, count)] == 1
        and any(count[one] == 1 and one in crossed for one in tie.ends)
    }
    if not turned:
        return inventory
    return replace(inventory, ties=tuple(_turned(tie) if tie in turned else tie for tie in inventory.ties))


def _side(tie: Tie, count: Counter[str]) -> tuple[str, bool]:
    """The table at the other end of the only line of one, and whether the line leads to it."""
    leads_there = count[tie.source] == 1
    return tie.target if leads_there else tie.source, leads_there


def _turned(tie: Tie) -> Tie:
    return tie._replace(source=tie.target, target=tie.source, source_row=tie.target_row, target_row=tie.source_row)
