"""The places of revisions, and their origins."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ENCODING_LENGTH = 8


def _of_a_revision(table: str, *columns: sa.Column[object]) -> None:
    op.create_table(
        table,
        sa.Column("scene", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        *columns,
        sa.PrimaryKeyConstraint("scene", "revision", name=f"pk_{table}"),
        sa.ForeignKeyConstraint(
            ["scene", "revision"],
            ["revisions.scene", "revisions.revision"],
            name=f"fk_{table}_scene_revisions",
            ondelete="CASCADE",
        ),
    )


def upgrade() -> None:
    """Make the tables. Former revisions are recorded as having no places: the first kept picture is today's picture of
    the latest revision."""
    _of_a_revision(
        "origins",
        sa.Column("restores", sa.Integer),
        sa.Column("relays_all", sa.Boolean, nullable=False),
        sa.Column("relaid", sa.Text, nullable=False),
        sa.Column("encoding", sa.String(_ENCODING_LENGTH)),
        sa.Column("sketch", sa.LargeBinary),
    )
    _of_a_revision(
        "places",
        sa.Column("encoding", sa.String(_ENCODING_LENGTH)),
        sa.Column("places", sa.LargeBinary),
    )
    op.execute(
        "INSERT INTO places (scene, revision) SELECT revisions.scene, revisions.revision FROM revisions "
        "JOIN scenes ON scenes.id = revisions.scene WHERE revisions.revision < scenes.revision"
    )


def downgrade() -> None:
    """Drop both: pictures are laid out from their documents alone again."""
    op.drop_table("places")
    op.drop_table("origins")
