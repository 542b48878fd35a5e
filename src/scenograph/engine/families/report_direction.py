"""Which way the lines of an organization chart lead: from the manager down, or from the report up.

Authors write both, "Ada leads Bo" and "Bo reports to Ada"; the chart is the same. In: a scene. Out: the lines that lead
up, and routes for them. (R-ORG-2)
"""

from __future__ import annotations

from collections import Counter

from scenograph.engine.families.family import RouteRest
from scenograph.engine.tables import Placement, Routes
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Scene

REPORTS_TO, DOTTED_LINE = "org.reportsTo", "org.dottedLine"


def upward_reports(scene: Scene) -> frozenset[str]:
    """The ids of all reporting lines when they lead up, none when they lead down.

    Many people report to one, hardly anyone to many: the end that many lines share is the manager's. Where no end is
    shared, whoever the document names first stands above.
    """
    lines = [element for element in scene.elements if isinstance(element, Edge) and element.edge_type == REPORTS_TO]
    pairs = {line.ends for line in lines}
    pairs = {pair for pair in pairs if pair[0] != pair[1]}
    leaving, arriving = Counter(source for source, _ in pairs), Counter(target for _, target in pairs)
    shared_above = sum(count - 1 for count in arriving.values())
    shared_below = sum(count - 1 for count in leaving.values())
    leads_up = shared_above > shared_below or (shared_above == shared_below and _begins_above(scene, pairs))
    return frozenset(line.id for line in lines) if leads_up else frozenset()


def _begins_above(scene: Scene, pairs: set[tuple[str, str]]) -> bool:
    """Whether the first element on any line has lines to it only."""
    sources, targets = {source for source, _ in pairs}, {target for _, target in pairs}
    first = next((element.id for element in scene.elements if element.id in sources | targets), "")
    return first in targets and first not in sources


def route_downwards(scene: Scene, _placement: Placement, route: RouteRest) -> Routes:
    """Lines that lead up are routed from the manager down, so that they share the manager's trunk, and turned back."""
    upward = upward_reports(scene)
    if not upward:
        return route(scene)
    elements = tuple(
        replace(
            element,
            source=element.target,
            target=element.source,
            start_arrow=element.end_arrow,
            end_arrow=element.start_arrow,
        )
        if isinstance(element, Edge) and element.id in upward
        else element
        for element in scene.elements
    )
    routes = route(replace(scene, elements=elements))
    return {key: found._replace(points=found.points[::-1]) if key in upward else found for key, found in routes.items()}
