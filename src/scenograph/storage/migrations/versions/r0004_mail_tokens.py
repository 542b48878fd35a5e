"""Tokens of mails for the verification of an address, and the index of accounts by address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ID_LENGTH = 128
HASH_LENGTH = 64


def upgrade() -> None:
    """Make the table and the index."""
    op.create_table(
        "mail_tokens",
        sa.Column("token_hash", sa.String(HASH_LENGTH), nullable=False),
        sa.Column("account_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_mail_tokens"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_mail_tokens_account_id_accounts"),
    )
    op.create_index("ix_mail_tokens_made_at", "mail_tokens", ["made_at"])
    op.create_index("ix_accounts_email", "accounts", ["email"])


def downgrade() -> None:
    """Drop both: unused mailed tokens become void."""
    op.drop_index("ix_accounts_email", "accounts")
    op.drop_table("mail_tokens")
