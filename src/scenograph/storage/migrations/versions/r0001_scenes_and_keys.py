"""Accounts, their keys, scenes and all revisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID_LENGTH = 128


def upgrade() -> None:
    """Make the first four tables."""
    _accounts()
    _api_keys()
    _scenes()
    _revisions()


def downgrade() -> None:
    """Drop the tables with all their data."""
    for table in ("revisions", "scenes", "api_keys", "accounts"):
        op.drop_table(table)


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("email_verified_at", sa.DateTime(timezone=True)),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.CheckConstraint("role IN ('member', 'support')", name=op.f("ck_accounts_role")),
    )


def _api_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("account_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("secret_hash", name="uq_api_keys_secret_hash"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_api_keys_account_id_accounts"),
    )
    op.create_index("ix_api_keys_account_id", "api_keys", ["account_id"])


def _scenes() -> None:
    op.create_table(
        "scenes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("owner_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("scene_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("diagram_family", sa.Text),
        sa.Column("privacy", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_scenes"),
        sa.UniqueConstraint("owner_id", "scene_id", name="uq_scenes_owner_id_scene_id"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name="fk_scenes_owner_id_accounts"),
        sa.CheckConstraint("privacy IN ('private', 'support', 'public')", name=op.f("ck_scenes_privacy")),
    )


def _revisions() -> None:
    op.create_table(
        "revisions",
        sa.Column("scene", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("message", sa.Text),
        sa.Column("added", sa.Integer),
        sa.Column("removed", sa.Integer),
        sa.Column("modified", sa.Integer),
        sa.Column("changed_ids", sa.Text, nullable=False),
        sa.Column("encoding", sa.String(8), nullable=False),
        sa.Column("document", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("scene", "revision", name="pk_revisions"),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name="fk_revisions_scene_scenes", ondelete="CASCADE"),
    )
