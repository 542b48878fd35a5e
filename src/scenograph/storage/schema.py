"""The tables for the statements of `sql.py`.

The migrations make the tables; a test holds both to the same shape. A scene belongs to (owner_id, scene_id) and is
joined by a number, which stores a long id only once. Each revision is stored whole: a read is a single row, and no
revision depends on another.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    and_,
    bindparam,
)

_MAX_ID_LENGTH = 128
_MAX_ADDRESS_LENGTH = 254
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Constraints need names for later migrations.
NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC; naive values from SQLite become aware."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Into the database: UTC. Raises ValueError for a naive time, which is ambiguous."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time must be aware")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Out of the database: aware, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class _PlainText(TypeDecorator[str]):
    """Text for people. NUL and lone surrogates, which databases refuse, become the replacement character."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Into the database: only text that every backend can hold."""
        return None if value is None else _UNSTORABLE.sub(_REPLACEMENT, value)


metadata = MetaData(naming_convention=NAMES)

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(_MAX_ID_LENGTH), primary_key=True),
    Column("email", _PlainText, index=True),
    Column("email_verified_at", UtcTime),
    Column("role", String(16), CheckConstraint("role IN ('member', 'support')", name="role"), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    # The account's holdings, counted with every write: unrevoked keys, active scenes, and bytes of all revisions.
    Column("key_count", Integer, nullable=False, server_default="0"),
    Column("scene_count", Integer, nullable=False, server_default="0"),
    Column("stored_bytes", BigInteger, nullable=False, server_default="0"),
    # While set, the account opens nothing and its publications are hidden.
    Column("suspended_at", UtcTime),
)

# Proofs of addresses: hashes of mailed tokens, each until used or a day old.
mail_tokens = Table(
    "mail_tokens",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False),
    Column("made_at", UtcTime, nullable=False, index=True),
)

# One-use tokens of sign-ins under way, as hashes; one without an account signs nobody in by itself.
sign_in_tokens = Table(
    "sign_in_tokens",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), index=True),
    Column("made_at", UtcTime, nullable=False, index=True),
)

# Browsers that are signed in, by the hash of the cookie's token.
sessions = Table(
    "sessions",
    metadata,
    Column("id", String(_MAX_ID_LENGTH), primary_key=True),
    Column("account_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False, index=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False, index=True),
)

# People as an OpenID provider knows them, and their accounts. The hash is of issuer and subject.
identities = Table(
    "identities",
    metadata,
    Column("identity_hash", String(64), primary_key=True),
    Column("account_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False, index=True),
    Column("linked_at", UtcTime, nullable=False),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(_MAX_ID_LENGTH), primary_key=True),
    Column("account_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False, index=True),
    Column("name", _PlainText, nullable=False),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    Column("last_used_at", UtcTime),
    Column("revoked_at", UtcTime),
)

scenes = Table(
    "scenes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False),
    Column("scene_id", String(_MAX_ID_LENGTH), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("title", _PlainText),
    Column("diagram_family", _PlainText),
    Column(
        "privacy",
        String(16),
        CheckConstraint("privacy IN ('private', 'support', 'public')", name="privacy"),
        nullable=False,
    ),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Column("deleted_at", UtcTime, index=True),
    # The time of deletion by `passed_time`, immune to clock settings.
    Column("passed_at_deletion", UtcTime),
    # The address of a published scene, the only column unique among all owners.
    Column("public_id", String(_MAX_ID_LENGTH), index=True, unique=True),
    Column("made_public_at", UtcTime),
    # Title and id, case-folded: databases fold no more than ASCII, and each in its own way.
    Column("search_text", _PlainText, nullable=False, server_default=""),
    # The size of its revisions, for the account's counter at the purge.
    Column("stored_bytes", BigInteger, nullable=False, server_default="0"),
    # Counts of changes to grants and comments, by which listeners hear of them.
    Column("grants_version", Integer, nullable=False, server_default="0"),
    Column("comments_version", Integer, nullable=False, server_default="0"),
    UniqueConstraint("owner_id", "scene_id"),
    Index("ix_scenes_listing", "owner_id", "updated_at", "scene_id"),
)

# The document comes last: a row's other columns are then read without following its overflow pages.
revisions = Table(
    "revisions",
    metadata,
    Column("scene", Integer, ForeignKey(scenes.c.id, ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("created_at", UtcTime, nullable=False),
    Column("message", _PlainText),
    Column("added", Integer),
    Column("removed", Integer),
    Column("modified", Integer),
    Column("changed_ids", Text, nullable=False),
    Column("encoding", String(8), nullable=False),
    Column("document", LargeBinary, nullable=False),
)

# Who wrote a revision; revisions of earlier versions have no row. No reference to the account: a revision outlives it.
# Apart from `revisions`, whose rows end with the document: a column behind it would cost every list its pages.
authors = Table(
    "authors",
    metadata,
    Column("scene", Integer, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("account_id", String(_MAX_ID_LENGTH), nullable=False),
    Column("key_name", _PlainText),
    ForeignKeyConstraint(["scene", "revision"], [revisions.c.scene, revisions.c.revision], ondelete="CASCADE"),
)

# Rights of others on a scene. The grantee is an account's id or a mail address, which holds an "@" and no id does.
grants = Table(
    "grants",
    metadata,
    Column("scene", Integer, ForeignKey(scenes.c.id, ondelete="CASCADE"), primary_key=True),
    Column("grantee", String(_MAX_ADDRESS_LENGTH), primary_key=True),
    Column(
        "role", String(16), CheckConstraint("role IN ('viewer', 'commenter', 'editor')", name="role"), nullable=False
    ),
    Column("granted_at", UtcTime, nullable=False),
    Index("ix_grants_grantee", "grantee", "scene"),
)

# Comments; the first of a thread has the thread's id. A deleted comment keeps its row, without text, until its deletion
# has been told to all listeners. `version` is the scene's `comments_version` at the comment's last change.
comments = Table(
    "comments",
    metadata,
    Column("id", String(_MAX_ID_LENGTH), primary_key=True),
    Column("scene", Integer, ForeignKey(scenes.c.id, ondelete="CASCADE"), nullable=False),
    Column("thread", String(_MAX_ID_LENGTH), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("element_id", _PlainText),
    Column("x", Float),
    Column("y", Float),
    Column("author_id", String(_MAX_ID_LENGTH), nullable=False, index=True),
    Column("author_key", _PlainText),
    Column("text", _PlainText),
    Column("created_at", UtcTime, nullable=False),
    Column("resolved_at", UtcTime),
    Column("resolved_by", String(_MAX_ID_LENGTH)),
    Column("deleted_at", UtcTime, index=True),
    Column("version", Integer, nullable=False),
    Index("ix_comments_thread", "scene", "thread", "created_at"),
)

# The basis of a revision's places besides those of the previous revision; most revisions have no row.
origins = Table(
    "origins",
    metadata,
    Column("scene", Integer, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("restores", Integer),
    Column("relays_all", Boolean, nullable=False),
    Column("relaid", Text, nullable=False),
    Column("encoding", String(8)),
    Column("sketch", LargeBinary),
    ForeignKeyConstraint(["scene", "revision"], [revisions.c.scene, revisions.c.revision], ondelete="CASCADE"),
)

# The places of a revision's elements; no encoding if the engine failed.
places = Table(
    "places",
    metadata,
    Column("scene", Integer, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("encoding", String(8)),
    Column("places", LargeBinary),
    ForeignKeyConstraint(["scene", "revision"], [revisions.c.scene, revisions.c.revision], ondelete="CASCADE"),
)

# A single row: the time that has really passed while a server ran, for comparison with `passed_at_deletion` only.
passed_time = Table(
    "passed_time",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one"), primary_key=True),
    Column("passed", UtcTime, nullable=False),
)

# A row for each deletion, as long as the deletion counts against the limit.
deletions = Table(
    "deletions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False),
    Column("deleted_at", UtcTime, nullable=False),
    Index("ix_deletions_owner", "owner_id", "deleted_at"),
)

# At most one for each scene; removed when withdrawn, and with its scene.
support_submissions = Table(
    "support_submissions",
    metadata,
    Column("id", String(_MAX_ID_LENGTH), primary_key=True),
    Column("scene", Integer, ForeignKey(scenes.c.id, ondelete="CASCADE"), nullable=False, unique=True),
    Column("revision", Integer, nullable=False),
    Column("problem", _PlainText, nullable=False),
    Column("anonymized", Boolean, nullable=False),
    Column("submitted_at", UtcTime, nullable=False, index=True),
    Column("encoding", String(8), nullable=False),
    Column("document", LargeBinary, nullable=False),
)

# The audit log. It outlives the submission; a row without a scene is a look at the list.
support_views = Table(
    "support_views",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scene", Integer, ForeignKey(scenes.c.id, ondelete="CASCADE"), index=True),
    Column("submission_id", String(_MAX_ID_LENGTH)),
    Column("viewer", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False),
    Column("viewed_at", UtcTime, nullable=False),
)

# Answers to requests that may be repeated; without a status the request is in progress.
kept_answers = Table(
    "kept_answers",
    metadata,
    Column("owner_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("began_at", UtcTime, nullable=False, index=True),
    Column("status", Integer),
    Column("body", LargeBinary),
    Column("headers", Text),
)

# Owners of published addresses, by the hash of the id: a claim outlives publication and scene.
public_claims = Table(
    "public_claims",
    metadata,
    Column("id_hash", String(64), primary_key=True),
    Column("owner_id", String(_MAX_ID_LENGTH), ForeignKey(accounts.c.id), nullable=False, index=True),
    Column("claimed_at", UtcTime, nullable=False),
)

# Secrets of the servers of this database.
secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)


# The scene of a statement. Parameters: `owner` and `scene`, the owner's id for the scene.


MAX_REVISION = 2**31 - 1  # the range of an INTEGER column; a larger number was never stored

ASIDE = "!"  # prefix of the id of a deleted scene whose own id was reused; no request can name such an id

OWNED: ColumnElement[bool] = and_(scenes.c.owner_id == bindparam("owner"), scenes.c.scene_id == bindparam("scene"))
ACTIVE: ColumnElement[bool] = and_(OWNED, scenes.c.deleted_at.is_(None))


def within_column(revision: int) -> int:
    """The number clamped to the column's range: an impossible revision must still fit the driver."""
    return min(max(revision, 0), MAX_REVISION)
