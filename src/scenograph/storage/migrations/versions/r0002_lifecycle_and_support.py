"""Deleting, publishing, support and the use of keys: their columns and tables; old titles become searchable."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID_LENGTH = 128


def upgrade() -> None:
    """Add the columns, then the tables."""
    _api_keys()
    _scenes()
    _searchable()
    _deletions()
    _support_submissions()
    _support_views()


def downgrade() -> None:
    """Drop columns and tables; scenes, revisions and keys stay. A revoked key is dropped, not revived."""
    for table in ("support_views", "support_submissions", "deletions"):
        op.drop_table(table)
    for index in ("ix_scenes_deleted_at", "ix_scenes_public_id", "ix_scenes_listing"):
        op.drop_index(index, "scenes")
    for column in ("public_id", "made_public_at", "search_text"):
        op.drop_column("scenes", column)
    op.execute("DELETE FROM api_keys WHERE revoked_at IS NOT NULL")
    for column in ("last_used_at", "revoked_at"):
        op.drop_column("api_keys", column)


def _api_keys() -> None:
    op.add_column("api_keys", sa.Column("last_used_at", sa.DateTime(timezone=True)))
    op.add_column("api_keys", sa.Column("revoked_at", sa.DateTime(timezone=True)))


def _scenes() -> None:
    op.add_column("scenes", sa.Column("public_id", sa.String(ID_LENGTH)))
    op.add_column("scenes", sa.Column("made_public_at", sa.DateTime(timezone=True)))
    op.add_column("scenes", sa.Column("search_text", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_scenes_deleted_at", "scenes", ["deleted_at"])
    op.create_index("ix_scenes_public_id", "scenes", ["public_id"], unique=True)
    op.create_index("ix_scenes_listing", "scenes", ["owner_id", "updated_at", "scene_id"])


def _searchable() -> None:
    scenes = sa.table(
        "scenes", sa.column("id"), sa.column("title"), sa.column("scene_id"), sa.column("search_text", sa.Text)
    )
    connection = op.get_bind()
    for row in connection.execute(sa.select(scenes.c.id, scenes.c.title, scenes.c.scene_id)).all():
        text = f"{row.title or ''}\n{row.scene_id}".casefold()
        connection.execute(sa.update(scenes).where(scenes.c.id == row.id).values(search_text=text))


def _deletions() -> None:
    op.create_table(
        "deletions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("owner_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deletions"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name="fk_deletions_owner_id_accounts"),
    )
    op.create_index("ix_deletions_owner", "deletions", ["owner_id", "deleted_at"])


def _support_submissions() -> None:
    op.create_table(
        "support_submissions",
        sa.Column("id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("scene", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("anonymized", sa.Boolean, nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("encoding", sa.String(8), nullable=False),
        sa.Column("document", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_support_submissions"),
        sa.UniqueConstraint("scene", name="uq_support_submissions_scene"),
        sa.ForeignKeyConstraint(
            ["scene"], ["scenes.id"], name="fk_support_submissions_scene_scenes", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_support_submissions_submitted_at", "support_submissions", ["submitted_at"])


def _support_views() -> None:
    op.create_table(
        "support_views",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("scene", sa.Integer),
        sa.Column("submission_id", sa.String(ID_LENGTH)),
        sa.Column("viewer", sa.String(ID_LENGTH), nullable=False),
        sa.Column("viewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_support_views"),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name="fk_support_views_scene_scenes", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["viewer"], ["accounts.id"], name="fk_support_views_viewer_accounts"),
    )
    op.create_index("ix_support_views_scene", "support_views", ["scene"])
