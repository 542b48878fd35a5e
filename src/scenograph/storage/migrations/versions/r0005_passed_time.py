"""The time that has really passed, the basis of the purge."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Begin to count. For scenes already deleted the count starts now: the purge comes late, never early."""
    op.add_column("scenes", sa.Column("passed_at_deletion", sa.DateTime(timezone=True)))
    table = op.create_table(
        "passed_time",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("passed", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passed_time"),
        sa.CheckConstraint("id = 1", name=op.f("ck_passed_time_one")),
    )
    now = datetime.now(UTC)
    op.bulk_insert(table, [{"id": 1, "passed": now}])
    scenes = sa.table("scenes", sa.column("deleted_at"), sa.column("passed_at_deletion", sa.DateTime(timezone=True)))
    op.execute(sa.update(scenes).where(scenes.c.deleted_at.is_not(None)).values(passed_at_deletion=now))


def downgrade() -> None:
    """Drop both: the purge goes by the system's clock again."""
    op.drop_table("passed_time")
    op.drop_column("scenes", "passed_at_deletion")
