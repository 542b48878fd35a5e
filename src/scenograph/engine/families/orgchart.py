"""Organization charts: people, vacancies, departments. (decisions: section 10)"""

from __future__ import annotations

from scenograph.engine.families.family import EdgeKind, Family, NodeKind, by_name, edges_by_name

CARD_SIZE = (120.0, 48.0)

ORGCHART = Family(
    name="orgchart",
    joins_fans=True,
    node_kinds=by_name(
        NodeKind(name="org.person", min_size=CARD_SIZE),
        NodeKind(name="org.vacant", min_size=CARD_SIZE, tone="external", dash=(6.0, 4.0)),
        NodeKind(name="org.department", shape="rect", min_size=CARD_SIZE),
    ),
    edge_kinds=edges_by_name(
        EdgeKind(name="org.reportsTo"),
        EdgeKind(name="org.dottedLine", dash=(2.0, 4.0)),
    ),
)
