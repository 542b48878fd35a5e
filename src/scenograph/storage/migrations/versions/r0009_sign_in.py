"""Sessions of browsers, tokens of sign-ins, identities of an OpenID provider, suspended accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

ID_LENGTH = 128
HASH_LENGTH = 64


def upgrade() -> None:
    """Add the column and the tables; nobody is suspended, nobody is signed in."""
    op.add_column("accounts", sa.Column("suspended_at", sa.DateTime(timezone=True)))
    op.create_table(
        "sign_in_tokens",
        sa.Column("token_hash", sa.String(HASH_LENGTH), nullable=False),
        sa.Column("account_id", sa.String(ID_LENGTH)),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sign_in_tokens"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sign_in_tokens_account_id_accounts"),
    )
    op.create_index("ix_sign_in_tokens_account_id", "sign_in_tokens", ["account_id"])
    op.create_index("ix_sign_in_tokens_made_at", "sign_in_tokens", ["made_at"])
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("account_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("token_hash", sa.String(HASH_LENGTH), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("token_hash", name="uq_sessions_token_hash"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id_accounts"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_table(
        "identities",
        sa.Column("identity_hash", sa.String(HASH_LENGTH), nullable=False),
        sa.Column("account_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("linked_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("identity_hash", name="pk_identities"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_identities_account_id_accounts"),
    )
    op.create_index("ix_identities_account_id", "identities", ["account_id"])


def downgrade() -> None:
    """Drop all: everybody is signed out, and the keys of suspended accounts open the service again."""
    for table in ("identities", "sessions", "sign_in_tokens"):
        op.drop_table(table)
    op.drop_column("accounts", "suspended_at")
