"""Answers kept for repeated requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID_LENGTH = 128
_KEY_LENGTH = 255


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "kept_answers",
        sa.Column("owner_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("key", sa.String(_KEY_LENGTH), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("body", sa.LargeBinary),
        sa.PrimaryKeyConstraint("owner_id", "key", name="pk_kept_answers"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name="fk_kept_answers_owner_id_accounts"),
    )
    op.create_index("ix_kept_answers_began_at", "kept_answers", ["began_at"])


def downgrade() -> None:
    """Drop the table: later repetitions of a request are carried out again."""
    op.drop_table("kept_answers")
