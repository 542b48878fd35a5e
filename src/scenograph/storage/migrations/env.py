"""The Alembic environment: runs revisions within the transaction opened by `running.migrate`."""

from __future__ import annotations

from alembic import context

from scenograph.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
