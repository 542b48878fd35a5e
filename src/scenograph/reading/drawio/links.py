"""Where cells lead when they are clicked, and what they are called in a sentence."""

from __future__ import annotations

from scenograph.reading.drawio.cells import Cell
from scenograph.reading.losses import Losses
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link


def linked(cell: Cell, losses: Losses) -> JsonObject:
    """Link and tooltip; a link that a document may not hold is a loss."""
    if cell.link and not is_link(cell.link):
        losses.formless(cell.place, f"the link of {shown(called(cell))} is left out")
        return {"tooltip": cell.tooltip}
    return {"link": {"href": cell.link} if cell.link else None, "tooltip": cell.tooltip}


def called(cell: Cell) -> str:
    """What a loss calls a cell."""
    return cell.label or cell.id
