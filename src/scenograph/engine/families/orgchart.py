"""Organization charts: people, vacancies, departments. (R-ORG-1)"""

from __future__ import annotations

from scenograph.engine.families.cards import CARD_SIZE, is_card, measure_card, paint_card
from scenograph.engine.families.equal_widths import with_equal_widths
from scenograph.engine.families.family import EdgeKind, Family, NodeKind, by_name
from scenograph.engine.families.report_direction import DOTTED_LINE, REPORTS_TO, route_downwards, upward_reports
from scenograph.engine.families.reporting_lines import reporting_lines


def _card(name: str, shape: str = "roundedRect", tone: str = "node", dash: tuple[float, ...] = ()) -> NodeKind:
    return NodeKind(
        name=name,
        shape=shape,
        min_size=CARD_SIZE,
        tone=tone,
        dash=dash,
        measure=measure_card,
        paint=paint_card,
        has_own_face=is_card,
    )


ORGCHART = Family(
    name="orgchart",
    joins_fans=True,
    main_path=False,
    flush_ranks=True,
    lines=reporting_lines,
    fit=with_equal_widths,
    upward=upward_reports,
    route=route_downwards,
    node_kinds=by_name(
        _card("org.person"),
        _card("org.vacant", tone="external", dash=(6.0, 4.0)),
        _card("org.department", shape="rect", tone="data"),
    ),
    edge_kinds=by_name(
        EdgeKind(name=REPORTS_TO),
        EdgeKind(name=DOTTED_LINE, dash=(2.0, 4.0), aside=True),
    ),
)
