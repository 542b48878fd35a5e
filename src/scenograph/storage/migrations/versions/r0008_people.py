"""Authors of revisions, grants of scenes to other accounts, comments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

ID_LENGTH = 128
_ADDRESS_LENGTH = 254
_ROLE_LENGTH = 16
ROLES = "role IN ('viewer', 'commenter', 'editor')"
_VERSIONS = ("grants_version", "comments_version")


def upgrade() -> None:
    """Add the tables, empty: earlier revisions have no author."""
    for name in _VERSIONS:
        op.add_column("scenes", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    _authors()
    _grants()
    _comments()


def downgrade() -> None:
    """Drop the tables: a scene is its owner's alone again."""
    for table in ("comments", "grants", "authors"):
        op.drop_table(table)
    for name in _VERSIONS:
        op.drop_column("scenes", name)


def _authors() -> None:
    op.create_table(
        "authors",
        sa.Column("scene", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("account_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("key_name", sa.Text),
        sa.PrimaryKeyConstraint("scene", "revision", name="pk_authors"),
        sa.ForeignKeyConstraint(
            ["scene", "revision"],
            ["revisions.scene", "revisions.revision"],
            name="fk_authors_scene_revisions",
            ondelete="CASCADE",
        ),
    )


def _grants() -> None:
    op.create_table(
        "grants",
        sa.Column("scene", sa.Integer, nullable=False),
        sa.Column("grantee", sa.String(_ADDRESS_LENGTH), nullable=False),
        sa.Column("role", sa.String(_ROLE_LENGTH), nullable=False),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("scene", "grantee", name="pk_grants"),
        sa.CheckConstraint(ROLES, name="role"),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name="fk_grants_scene_scenes", ondelete="CASCADE"),
    )
    op.create_index("ix_grants_grantee", "grants", ["grantee", "scene"])


def _comments() -> None:
    op.create_table(
        "comments",
        sa.Column("id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("scene", sa.Integer, nullable=False),
        sa.Column("thread", sa.String(ID_LENGTH), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("element_id", sa.Text),
        sa.Column("x", sa.Float),
        sa.Column("y", sa.Float),
        sa.Column("author_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("author_key", sa.Text),
        sa.Column("text", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True)),
        sa.Column("resolved_by", sa.String(ID_LENGTH)),
        sa.Column("deleted_at", sa.DateTime(timezone=True)),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_comments"),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name="fk_comments_scene_scenes", ondelete="CASCADE"),
    )
    op.create_index("ix_comments_thread", "comments", ["scene", "thread", "created_at"])
    op.create_index("ix_comments_author_id", "comments", ["author_id"])
    op.create_index("ix_comments_deleted_at", "comments", ["deleted_at"])
