"""Counters of accounts, owners of published addresses, headers of kept answers, secrets of the servers."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

ID_LENGTH = 128
HASH_LENGTH = 64
_NAME_LENGTH = 32
_COUNTERS = (("key_count", sa.Integer), ("scene_count", sa.Integer), ("stored_bytes", sa.BigInteger))

# Text columns among these are ASCII: bytes and characters are equal in number.
_FILL_SCENES = """
UPDATE scenes SET stored_bytes =
    (SELECT COALESCE(SUM(LENGTH(revisions.document) + LENGTH(revisions.changed_ids)), 0)
     FROM revisions WHERE revisions.scene = scenes.id)
    + (SELECT COALESCE(SUM(LENGTH(origins.relaid) + COALESCE(LENGTH(origins.sketch), 0)), 0)
       FROM origins WHERE origins.scene = scenes.id)
"""
_FILL_ACCOUNTS = """
UPDATE accounts SET
    key_count = (SELECT COUNT(*) FROM api_keys WHERE account_id = accounts.id AND revoked_at IS NULL),
    scene_count = (SELECT COUNT(*) FROM scenes WHERE owner_id = accounts.id AND deleted_at IS NULL),
    stored_bytes = (SELECT COALESCE(SUM(scenes.stored_bytes), 0) FROM scenes WHERE owner_id = accounts.id)
"""


def upgrade() -> None:
    """Add the counters and fill them, then the tables."""
    for name, kind in _COUNTERS:
        op.add_column("accounts", sa.Column(name, kind, nullable=False, server_default="0"))
    op.add_column("scenes", sa.Column("stored_bytes", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(_FILL_SCENES)
    op.execute(_FILL_ACCOUNTS)
    op.add_column("kept_answers", sa.Column("headers", sa.Text))
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(_NAME_LENGTH), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    claims = op.create_table(
        "public_claims",
        sa.Column("id_hash", sa.String(HASH_LENGTH), nullable=False),
        sa.Column("owner_id", sa.String(ID_LENGTH), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id_hash", name="pk_public_claims"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name="fk_public_claims_owner_id_accounts"),
    )
    op.create_index("ix_public_claims_owner_id", "public_claims", ["owner_id"])
    op.bulk_insert(claims, _claims())


def downgrade() -> None:
    """Drop counters and tables: nothing is counted, and an address is free after its scene's publication."""
    op.drop_table("public_claims")
    op.drop_table("secrets")
    op.drop_column("kept_answers", "headers")
    op.drop_column("scenes", "stored_bytes")
    for name, _ in _COUNTERS:
        op.drop_column("accounts", name)


def _claims() -> list[dict[str, object]]:
    """Claims from the history of publications: an id belongs to the owner of the present publication, else to the first
    publisher."""
    scenes = sa.table(
        "scenes",
        sa.column("scene_id", sa.String),
        *map(sa.column, ("owner_id", "public_id")),
        sa.column("made_public_at", sa.DateTime(timezone=True)),
    )
    published = (
        sa.select(scenes.c.scene_id, scenes.c.owner_id, scenes.c.made_public_at)
        .where(scenes.c.made_public_at.is_not(None), sa.not_(scenes.c.scene_id.startswith("!")))
        .order_by(scenes.c.public_id.is_(None), scenes.c.made_public_at, scenes.c.owner_id)
    )
    made: dict[str, dict[str, object]] = {}
    for row in op.get_bind().execute(published):
        digest = hashlib.sha256(row.scene_id.encode()).hexdigest()
        made.setdefault(digest, {"id_hash": digest, "owner_id": row.owner_id, "claimed_at": row.made_public_at})
    return list(made.values())
