"""SHAPES: Mermaid's shapes, by all of their names, as shapes and types of a scene. `exact` is False for an
approximation by the nearest shape."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class VertexShape(NamedTuple):
    """The scene's shape."""

    outline: str | None
    node_type: str | None = None
    exact: bool = True


def _table(*rows: tuple[VertexShape, str]) -> Mapping[str, VertexShape]:
    return MappingProxyType({name: shape for shape, names in rows for name in names.split()})


_RECT, _ROUNDED, _PILL = VertexShape("rect"), VertexShape("roundedRect"), VertexShape("pill")
_ELLIPSE, _DIAMOND = VertexShape("ellipse"), VertexShape("diamond")
_CYLINDER, _TUBE = VertexShape("cylinder", "database"), VertexShape("tube", "queue")
_HEXAGON, _SLANTED, _CLOUD, _TEXT = (
    VertexShape("hexagon"),
    VertexShape("parallelogram"),
    VertexShape("cloud"),
    VertexShape("textBox"),
)

SHAPES = _table(
    (_RECT, "rect proc process rectangle square"),
    (_ROUNDED, "rounded event round"),
    (_PILL, "stadium terminal pill"),
    (_CYLINDER, "cyl db database cylinder"),
    (_TUBE, "h-cyl das horizontal-cylinder"),
    (_ELLIPSE, "circle circ ellipse"),
    (_DIAMOND, "diam decision diamond question"),
    (_HEXAGON, "hex hexagon prepare"),
    (_SLANTED, "lean-r lean-right in-out lean_right"),
    (_CLOUD, "cloud"),
    (_TEXT, "text"),
    (VertexShape(None, "workflow.subprocess"), "subprocess subproc"),
    (VertexShape("rect", exact=False), "fr-rect framed-rectangle subroutine"),
    (VertexShape(None, "workflow.start"), "sm-circ start small-circle"),
    (VertexShape(None, "workflow.end"), "fr-circ stop framed-circle"),
    (VertexShape(None, "workflow.dataObject"), "doc document"),
    (VertexShape(None, "workflow.annotation"), "brace comment brace-l"),
    (VertexShape(None, "state.fork"), "fork join"),
    (VertexShape("ellipse", exact=False), "dbl-circ double-circle doublecircle cross-circ summary crossed-circle"),
    (VertexShape("ellipse", exact=False), "f-circ junction filled-circle"),
    (VertexShape("cloud", exact=False), "bang"),
    (VertexShape("textBox", exact=False), "block_arrow"),
    (VertexShape("cylinder", "database", exact=False), "datastore data-store lin-cyl disk lined-cylinder"),
    (
        VertexShape("parallelogram", exact=False),
        "lean-l lean-left out-in lean_left sl-rect manual-input sloped-rectangle",
    ),
    (
        VertexShape("hexagon", exact=False),
        "trap-b priority trapezoid-bottom trapezoid notch-pent loop-limit notched-pentagon",
    ),
    (VertexShape("hexagon", exact=False), "trap-t manual trapezoid-top inv-trapezoid inv_trapezoid"),
    (VertexShape("hexagon", exact=False), "curv-trap curved-trapezoid display odd rect_left_inv_arrow"),
    (
        VertexShape("diamond", exact=False),
        "tri extract triangle flip-tri manual-file flipped-triangle hourglass collate",
    ),
    (VertexShape("pill", exact=False), "delay half-rounded-rectangle bow-rect stored-data bow-tie-rectangle"),
    (
        VertexShape("box3d", exact=False),
        "st-rect procs processes stacked-rectangle docs documents st-doc stacked-document",
    ),
    (
        VertexShape("rect", exact=False),
        "notch-rect card notched-rectangle lin-rect lined-rectangle lined-process lin-proc",
    ),
    (VertexShape("rect", exact=False), "shaded-process div-rect div-proc divided-rectangle divided-process win-pane"),
    (
        VertexShape("rect", exact=False),
        "internal-storage window-pane tag-rect tagged-rectangle tag-proc tagged-process",
    ),
    (VertexShape("rect", exact=False), "flag paper-tape bolt com-link lightning-bolt"),
    (VertexShape(None, "workflow.dataObject", exact=False), "tag-doc tagged-document lin-doc lined-document"),
    (VertexShape(None, "workflow.annotation", exact=False), "brace-r braces"),
)


class Bracket(NamedTuple):
    """An opening mark, its closing marks, and the shape for each."""

    opens: str
    closes: Mapping[str, str]


BRACKETS = (
    Bracket("(((", {")))": "doublecircle"}),
    Bracket("((", {"))": "circle"}),
    Bracket("([", {"])": "stadium"}),
    Bracket("(-", {"-)": "ellipse"}),
    Bracket("(", {")": "round"}),
    Bracket("[[", {"]]": "subroutine"}),
    Bracket("[(", {")]": "cylinder"}),
    Bracket("[/", {"/]": "lean_right", "\\]": "trapezoid"}),
    Bracket("[\\", {"\\]": "lean_left", "/]": "inv_trapezoid"}),
    Bracket("[", {"]": "square"}),
    Bracket("{{", {"}}": "hexagon"}),
    Bracket("{", {"}": "diamond"}),
    Bracket(">", {"]": "odd"}),
)
